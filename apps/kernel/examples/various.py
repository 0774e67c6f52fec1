"""Kernels of several kinds, against jnp."""

import jax
import jax.numpy as jnp
import numpy as np
from common import Table, check, kernels, normal

random = np.random.default_rng(1)


def swiglu(a, b):
    return jax.nn.silu(a) * b


def cosine(a, b):
    return (a * b).sum(axis=-1) / jnp.sqrt((a * a).sum(axis=-1) * (b * b).sum(axis=-1))


def cross_entropy(logits, label):
    chosen = jnp.take_along_axis(logits, label[:, None], axis=-1)[:, 0]
    return jax.nn.logsumexp(logits, axis=-1) - chosen


def causal_convolution(x, weight):
    return jax.lax.conv_general_dilated(
        x, weight[:, None, :], (1,), [(3, 0)],
        dimension_numbers=("NWC", "WIO", "NWC"), feature_group_count=x.shape[-1],
    )


def shifted(x, weight):
    """The same convolution as four products, which XLA fuses."""
    padded = jnp.pad(x, ((0, 0), (3, 0), (0, 0)))
    return sum(padded[:, k : k + x.shape[1]] * weight[k] for k in range(4))


def nearest(x, centers):
    distances = (x * x).sum(-1)[:, None] - 2 * x @ centers.T + (centers * centers).sum(-1)
    return jnp.argmin(distances, axis=-1).astype(jnp.int32)


def cumulative_sum(x):
    return jnp.cumsum(x, axis=-1)


def labels(m, n):
    return jnp.asarray(random.integers(0, n, m, dtype=np.int32))


x, label = normal(37, 1001), labels(37, 1001)
check("cross entropy", kernels.cross_entropy(x, label), cross_entropy(x, label), within=1e-6)
try:
    kernels.cross_entropy(x, label.at[5].set(1001))
    raise SystemExit("a label that is no class was accepted")
except jax.errors.JaxRuntimeError as error:
    assert "label 1001 of row 5 is no class" in str(error), error
x, weight = normal(3, 17, 33), normal(4, 33)
for expected in (causal_convolution(x, weight), shifted(x, weight)):
    check("causal convolution", kernels.causal_convolution(x, weight), expected, within=1e-6)
x, centers = normal(100, 33), normal(17, 33)
check("nearest", kernels.nearest(x, centers), nearest(x, centers))
x = normal(37, 1001)
check("cumulative sum", kernels.cumulative_sum(x), np.cumsum(np.asarray(x, np.float64), axis=-1), within=1e-5)
a, b = normal(37, 101), normal(37, 101)
check("SwiGLU", kernels.swiglu(a, b), swiglu(a, b), within=1e-6)
check("cosines", kernels.cosine(a, b), cosine(a, b), within=1e-5)

table = Table("kernels of several kinds")
for m, n in [(64, 1000), (2048, 1000), (512, 32000)]:
    table.row(f"cross entropy of f32[{m},{n}]", kernels.cross_entropy, cross_entropy, normal(m, n), labels(m, n))
x, weight = normal(4, 1024, 768), normal(4, 768)
table.row("causal convolution of f32[4,1024,768]", kernels.causal_convolution, causal_convolution, x, weight)
table.row("the same, XLA's as four products", kernels.causal_convolution, shifted, x, weight)
table.row("nearest of 64 centers, f32[10000,32]", kernels.nearest, nearest, normal(10_000, 32), normal(64, 32))
table.row("cumulative sum of f32[1024,1024]", kernels.cumulative_sum, cumulative_sum, normal(1024, 1024))
for m, n in [(256, 1024), (2048, 4096)]:
    a, b = normal(m, n), normal(m, n)
    table.row(f"SwiGLU of f32[{m},{n}]", kernels.swiglu, swiglu, a, b)
    table.row(f"cosines of the rows of f32[{m},{n}]", kernels.cosine, cosine, a, b)
