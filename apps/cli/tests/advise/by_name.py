"""A program with arguments by name."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="times", donate_argnames="state")
def f(x, *, state, times):
    return state + x.sum() * times, x.T


args = (jax.ShapeDtypeStruct((24, 32), jnp.float32),)
kwargs = {"state": jax.ShapeDtypeStruct((16, 8), jnp.float32), "times": 2}
