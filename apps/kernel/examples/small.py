"""Short rows and small problems (kernel/FAST.md), against XLA's own."""

import jax.numpy as jnp
from common import Table, check, kernels, normal


def depth_to_space(x):
    b, h, w, c = x.shape
    blocks = x.reshape(b, h, w, 2, 2, c // 4)
    return blocks.transpose(0, 1, 3, 2, 4, 5).reshape(b, 2 * h, 2 * w, c // 4)


def positive(*shape):
    """Symmetric matrices that have a factor."""
    a = normal(*shape)
    return a @ a.mT + shape[-1] * jnp.eye(shape[-1])


by_rows = [
    ("copy_from_slice", kernels.depth_to_space_by_rows),
    ("rows of a known length", kernels.depth_to_space),
]
for channels in [4, 12, 16, 32, 64, 128]:
    shape = (2, 3, 5, channels)
    x = normal(*shape)
    for name, kernel in by_rows:
        check(f"{name}, {shape}", kernel(x), depth_to_space(x))
factors = [
    ("sums", kernels.cholesky_by_sums),
    ("rows", kernels.cholesky_by_rows),
    ("rows of 32", kernels.cholesky_of_32),
    ("16 matrices at a time", kernels.cholesky),
]
for count in [1, 16, 37]:
    a = positive(count, 32, 32)
    for name, kernel in factors:
        check(f"{name}, {count} matrices", kernel(a), jnp.linalg.cholesky(a), within=1e-5)
for n in [1, 2, 7, 50]:
    a = positive(3, n, n)
    for name, kernel in factors[:2]:
        check(f"{name}, {n} x {n}", kernel(a), jnp.linalg.cholesky(a), within=1e-5)

for channels in [4, 8, 16, 32]:
    table = Table(f"depth to space, f32[8,64,64,{4 * channels}]")
    x = normal(8, 64, 64, 4 * channels)
    for name, kernel in by_rows:
        table.row(name, kernel, depth_to_space, x)
table = Table("Cholesky, f32[1024,32,32]")
a = positive(1024, 32, 32)
for name, kernel in factors:
    table.row(name, kernel, jnp.linalg.cholesky, a)
