"""A program for `xlayout advise`: the compiler copies for a result in an order that a product does not give."""

import jax
import jax.numpy as jnp


def f(x, wa, wb, wv):
    c = x @ wa
    keys = jnp.einsum("bsc,chd->bhsd", c, wb)
    values = jnp.einsum("bsc,chd->bhsd", c, wv)
    return keys, values.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[1], -1)


def args():
    sizes = [(2, 512, 1024), (1024, 256), (256, 16, 64), (256, 16, 64)]
    return [jax.ShapeDtypeStruct(size, jnp.bfloat16) for size in sizes]
