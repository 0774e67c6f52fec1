"""Argmax down the columns: the kernel converts a row-major operand, against XLA's own."""

import jax.numpy as jnp
from common import Table, check, kernels, normal

for shape in [(37, 101), (1025, 7)]:
    x = normal(*shape).at[3, 2].set(jnp.nan)
    check("argmax by columns", kernels.argmax_by_columns(x), jnp.argmax(x, axis=-1))

table = Table("argmax of rows, by columns")
for shape in [(64, 64), (100_000, 64), (1000, 10_000)]:
    name = f"f32[{','.join(map(str, shape))}]"
    table.row(name, kernels.argmax_by_columns, lambda x: jnp.argmax(x, axis=-1), normal(*shape))
