"""A batch of column-major operands: `jax.vmap` of a kernel, against loops over its items."""

import jax
import jax.numpy as jnp
from common import Table, check, kernels, normal


def loop(kernel):
    """XLA's own loop."""
    return lambda x: jax.lax.map(kernel, x)


def python_loop(kernel):
    """A program with one call for each item."""
    return lambda x: jnp.stack([kernel(x[i]) for i in range(x.shape[0])])


x = normal(3, 37, 29)
for f in (jax.vmap(kernels.sum_of_columns), kernels.sum_of_columns, loop(kernels.sum_of_columns)):
    check("sums of columns", f(x), x.sum(axis=1), within=1e-6)
for f in (jax.vmap(kernels.center_columns), python_loop(kernels.center_columns)):
    check("centered columns", f(x), x - x.mean(axis=1, keepdims=True), within=1e-6)

table = Table("a batch of column-major operands", "loop", "vmap")
for shape in [(64, 256, 256), (8, 1024, 1024), (1000, 16, 16), (16, 64, 4096)]:
    x, size = normal(*shape), f"f32[{','.join(map(str, shape))}]"
    for what, kernel in [("sums", kernels.sum_of_columns), ("centered", kernels.center_columns)]:
        table.row(f"{what}, {size}", jax.vmap(kernel), loop(kernel), x)
        if shape[0] <= 64:
            table.row("the same, one call for each item", jax.vmap(kernel), python_loop(kernel), x)
twice = lambda x: kernels.center_columns(kernels.center_columns(x))
for shape in [(64, 256, 256), (1000, 16, 16)]:
    size = f"f32[{','.join(map(str, shape))}]"
    table.row(f"centered twice, {size}", jax.vmap(twice), loop(twice), normal(*shape))
