"""A sum and its RMS normalisation in one pass, against XLA's own."""

import jax
import jax.numpy as jnp
from common import Table, check, kernels, normal

EPSILON = 1e-5


def add_rms_norm(x, residual, scale):
    return tuple(kernels.add_rms_norm(x, residual, scale, epsilon=EPSILON))


def in_jax(x, residual, scale):
    total = x + residual
    mean = jnp.mean(total * total, axis=-1, keepdims=True)
    return total, total * jax.lax.rsqrt(mean + EPSILON) * scale


for function, shape in [
    (add_rms_norm, (1, 1)),
    (add_rms_norm, (37, 1001)),
    (jax.vmap(add_rms_norm, (0, 0, None)), (3, 5, 64)),
]:
    arrays = normal(*shape), normal(*shape), normal(shape[-1])
    for found, expected in zip(function(*arrays), in_jax(*arrays)):
        check(f"sum and RMS norm of {shape}", found, expected, within=1e-6)

table = Table("sum and RMS norm")
for shape in [(1, 4096), (128, 1024), (2048, 1024), (512, 4096), (2048, 4096)]:
    arrays = normal(*shape), normal(*shape), normal(shape[-1])
    table.row(f"f32[{shape[0]},{shape[1]}]", add_rms_norm, in_jax, *arrays)
