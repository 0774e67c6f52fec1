"""Softmax of rows, against `jax.nn.softmax`."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from common import Table, check, kernels, normal

softmax = kernels.softmax


def rows(x, scale=None):
    """Over the last dimension of an array of any rank."""
    return softmax(x.reshape(-1, x.shape[-1]), scale=scale).reshape(x.shape)


def exact(x, scale=1.0):
    x = scale * np.asarray(x, np.float64)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


x = normal(37, 1001)
check("softmax", softmax(x), exact(x), within=1e-6)
check("softmax, scale 0.125", softmax(x, scale=0.125), exact(x, 0.125), within=1e-6)
masked = jnp.where(x > 0, x, -jnp.inf)
check("softmax, masked", softmax(masked), jax.nn.softmax(masked), within=1e-6)
assert np.all(np.asarray(softmax(masked))[np.asarray(x) <= 0] == 0), "what is masked is zero"

table = Table("softmax over the last dimension")
for shape in [(64, 128), (256, 1024), (1024, 1024), (4096, 1024), (256, 16384), (8, 12, 512, 512)]:
    name = f"f32[{','.join(map(str, shape))}]"
    table.row(name, rows, functools.partial(jax.nn.softmax, axis=-1), normal(*shape))
