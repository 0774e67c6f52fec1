"""Rotary position embedding, against the same in JAX."""

import jax.numpy as jnp
import numpy as np
from common import Table, check, kernels, normal

rope = kernels.rope


def angles(positions, size, base, numpy=jnp):
    frequencies = base ** (-numpy.arange(0, size, 2) / size)
    return numpy.arange(positions)[:, None] * frequencies


def rotate(x, cos, sin, numpy=jnp):
    """Rotates the first half of each head against the second one."""
    first, second = numpy.split(x, 2, axis=-1)
    cos, sin = cos[:, None], sin[:, None]  # the same for every head
    return numpy.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)


def in_jax(x):
    turn = angles(x.shape[1], x.shape[-1], 10000.0)
    return rotate(x, jnp.cos(turn), jnp.sin(turn))


x = normal(2, 2048, 4, 64)
turn = angles(2048, 64, 10000.0, np)
exact = rotate(np.asarray(x, np.float64), np.cos(turn), np.sin(turn), np)
check("rope", rope(x), exact, within=1e-6)
check("JAX's own, which rounds angles to f32", in_jax(x), exact, within=1e-3)
check("there and back", rope(rope(x), inverse=True), x, within=1e-6)
check("from position 1000 on", rope(x[:, 1000:], first=1000), exact[:, 1000:], within=1e-6)

shapes = [(1, 128, 8, 64), (1, 2048, 16, 64), (4, 2048, 16, 64)]
table = Table("rope, angles included")
for shape in shapes:
    table.row(f"f32[{','.join(map(str, shape))}]", rope, in_jax, normal(*shape))
table = Table("rope, XLA is given the cosines and sines")
for shape in shapes:
    turn = angles(shape[1], shape[-1], 10000.0)
    table.row(
        f"f32[{','.join(map(str, shape))}]",
        lambda x, cos, sin: rope(x),
        rotate,
        normal(*shape),
        jnp.cos(turn),
        jnp.sin(turn),
    )
