"""1,000 calls of all kinds, for tools that watch memory: `sanitize.sh` runs it."""

import sys

import jax
import numpy as np

import xlayout.jax

k = xlayout.jax.load(sys.argv[1])
rng = np.random.default_rng(8)
bad = np.array([1, -1], "f4")
rounds = 100
for n in range(rounds):
    # Few shapes, so that JAX does not compile most of the time.
    x = rng.normal(size=(n % 5, 128)).astype("f4")
    np.testing.assert_array_equal(k.scale(x, a=2), 2 * x)
    w = rng.normal(size=(128, 3)).astype("f4")
    np.testing.assert_allclose(k.matmul(x, w), x @ w, rtol=1e-3, atol=1e-4)
    both = np.stack([x, -x])
    np.testing.assert_allclose(
        jax.vmap(k.batch_matmul, (0, None))(both, w), both @ w, rtol=1e-3, atol=1e-4
    )
    np.testing.assert_array_equal(k.add(x.ravel(), x.ravel()), 2 * x.ravel())
    packed = rng.integers(-8, 8, (n % 5, 3)).astype("int4")
    np.testing.assert_array_equal(np.asarray(k.turn_s4(packed)), packed)
    low, high = k.min_max(x[:, :4])
    np.testing.assert_array_equal(low, x[:, :4].min(1))
    assert k.optional(w=[n % 5, 2], lambda_="text").tolist() == [-1, n % 5 + 2, 4]
    np.testing.assert_allclose(k.row_sums(x), x.sum(1), rtol=1e-3, atol=1e-4)
    for failing in (k.panics, k.fails):
        try:
            jax.block_until_ready(failing(bad))
        except jax.errors.JaxRuntimeError as error:
            assert "-1 is negative" in str(error)
        else:
            sys.exit(f"{failing} does not fail")
print(f"    {10 * rounds} calls")
