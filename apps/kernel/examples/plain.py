"""Kernels as they are written first, against XLA's own."""

import jax
import jax.numpy as jnp
from common import Table, check, kernels, normal

EPSILON = 1e-5


def layer_norm(x, scale, bias):
    return kernels.layer_norm(x, scale, bias, epsilon=EPSILON)


def layer_norm_in_jax(x, scale, bias):
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + EPSILON) * scale + bias


def rows(function):
    """Over the last dimension of an array of any rank."""
    def of_any_rank(x, *parameters):
        return function(x.reshape(-1, x.shape[-1]), *parameters).reshape(x.shape)
    return of_any_rank


def grad(x, scale, dy):
    n = x.shape[-1]
    dx, dscale, dbias = kernels.layer_norm_grad(
        x.reshape(-1, n), scale, dy.reshape(-1, n), epsilon=EPSILON
    )
    return dx.reshape(x.shape), dscale, dbias


def grad_in_jax(x, scale, dy):
    _, back = jax.vjp(layer_norm_in_jax, x, scale, jnp.zeros_like(scale))
    return back(dy)


def named(shape):
    return f"f32[{','.join(map(str, shape))}]"


x, scale, bias = normal(37, 1001), normal(1001), normal(1001)
check("layer norm", layer_norm(x, scale, bias), layer_norm_in_jax(x, scale, bias), within=1e-6)
for found, expected in zip(grad(x, scale, 2 * x), grad_in_jax(x, scale, 2 * x)):
    check("its gradient", found, expected, within=1e-5)
found = jax.grad(lambda *arrays: jnp.sum(layer_norm(*arrays) ** 2), (0, 1, 2))(x, scale, bias)
expected = jax.grad(lambda *arrays: jnp.sum(layer_norm_in_jax(*arrays) ** 2), (0, 1, 2))(x, scale, bias)
for found, expected in zip(found, expected):
    check("grad of layer norm", found, expected, within=1e-5)
check("argmax", kernels.argmax(x), jnp.argmax(x, axis=-1))

table = Table("layer norm")
for shape in [(1, 1, 64), (8, 128, 256), (4, 512, 768), (2, 4, 65536)]:
    n = shape[-1]
    table.row(named(shape), rows(layer_norm), layer_norm_in_jax, normal(*shape), normal(n), normal(n))
table = Table("gradient of layer norm")
table.row("f32[4,16,256]", grad, grad_in_jax, normal(4, 16, 256), normal(256), normal(4, 16, 256))
table = Table("argmax of rows")
for shape in [(64, 64), (100_000, 64), (1000, 10_000)]:
    table.row(named(shape), kernels.argmax, lambda x: jnp.argmax(x, axis=-1), normal(*shape))
