"""A matrix times a vector, where the kernel wants the matrix column-major."""

import jax
import jax.numpy as jnp
import numpy as np
from common import Table, check, kernels, normal

gemv = kernels.gemv

a, x = normal(300, 500), normal(500)
exact = np.asarray(a, np.float64) @ np.asarray(x, np.float64)
# JAX keeps `a` row-major. The kernel declares `f32[?M,?K]{0,1}`, so XLA transposes it on the way in …
check("gemv", gemv(a, x), exact, within=1e-5)
# … and not at all where the columns lie that way already: what is a transpose to JAX moves nothing.
check("gemv of a transpose", gemv(jnp.asarray(a.T).T, x), exact, within=1e-5)

# The same handler without its layouts: XLA cannot know better, and passes rows for columns.
undeclared = jax.ffi.ffi_call(gemv.target, jax.ShapeDtypeStruct((300,), jnp.float32))
off = np.max(np.abs(np.asarray(undeclared(a, x)) - exact)) / np.max(np.abs(exact))
assert off > 0.1, "without layouts the result cannot be right"
print(f"the same call without layouts: no error, and off by {off:.0%}; hence xlayout.jax")

table = Table("a.T @ x, both compiled with `a` as an argument")
for m, k in [(256, 256), (1024, 1024), (4096, 4096), (1024, 16384)]:
    matrix, x = normal(k, m), normal(k)
    name = f"f32[{k},{m}] transposed"
    table.row(name, lambda a, x: gemv(a.T, x), lambda a, x: a.T @ x, matrix, x)
