"""The steps of kernel/FAST.md, each against XLA's own."""

import os

import jax
import jax.numpy as jnp
import numpy as np
from common import Table, check, kernels, normal

import xlayout.jax

EPSILON = 1e-5
# The same kernels with the instructions of every processor.
baseline = xlayout.jax.load(os.environ["XLAYOUT_EXAMPLES"], isa="baseline")


def layer_norm(x):
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + EPSILON)


def step(kernel):
    return lambda x: kernel(x, epsilon=EPSILON)


def integers(*shape):
    return jnp.asarray(np.random.default_rng(0).integers(-128, 128, shape, dtype=np.int8))


def product(a, b, rows, columns):
    c = jax.lax.dot(a, b, preferred_element_type=jnp.int32)
    return c.astype(jnp.float32) * rows[:, None] * columns


def median(x):
    """The pairs of the kernel, each of two arrays."""
    h, w = x.shape
    v = [x[i : h - 2 + i, j : w - 2 + j] for i in range(3) for j in range(3)]
    network = "12 45 78 01 34 67 12 45 78 03 58 47 36 14 25 47 42 64 42"
    for i, j in (map(int, pair) for pair in network.split()):
        v[i], v[j] = jnp.minimum(v[i], v[j]), jnp.maximum(v[i], v[j])
    return v[4]


steps = [
    ("indices, in the baseline", step(baseline.layer_norm_plain)),
    ("indices", step(kernels.layer_norm_plain)),
    ("slices", step(kernels.layer_norm_slices)),
    ("lanes", step(kernels.layer_norm_lanes)),
    ("XLA's threads", step(kernels.layer_norm_pool)),
]
x = normal(512, 1024)
for name, kernel in steps:
    check(name, kernel(x), layer_norm(x), within=1e-5)
products = [
    ("one sum at a time, in the baseline", baseline.int8_product),
    ("one sum at a time", kernels.int8_product),
    ("blocks", kernels.int8_product_blocks),
]
for m, k, n in [(1, 5, 1), (7, 300, 50), (6, 33, 3), (25, 3000, 65)]:
    operands = integers(m, k), integers(k, n), normal(m), normal(n)
    for name, kernel in products:
        check(f"{name}, {m}x{k}x{n}", kernel(*operands), product(*operands), within=1e-6)

table = Table("layer norm of f32[512,1024]")
for name, kernel in steps:
    table.row(name, kernel, layer_norm, x)
table = Table("int8 product with scales, 256x1024x1024")
operands = integers(256, 1024), integers(1024, 1024), normal(256), normal(1024)
for name, kernel in products:
    table.row(name, kernel, product, *operands)
medians = [("a loop over the pairs", kernels.median_of_each), ("a line for each pair", kernels.median)]
for name, kernel in medians:
    for sizes in [(3, 3), (7, 19), (20, 70)]:
        x = normal(*sizes)
        # The network of both, and a median that has none.
        expected = np.median(np.lib.stride_tricks.sliding_window_view(x, (3, 3)), axis=(2, 3))
        check(f"median, {name}, {sizes}", kernel(x), expected)
        check(f"median of XLA's, {sizes}", median(x), expected)
table = Table("median of 3 x 3 pixels")
for sizes in [(16, 16), (256, 256), (2048, 2048)]:
    x = normal(*sizes)
    for name, kernel in medians:
        table.row(f"{name}, {sizes}", kernel, median, x)
