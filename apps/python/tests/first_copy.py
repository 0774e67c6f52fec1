"""What a new user runs: a program of JAX, and the name of a copy that it makes."""

import jax
import jax.numpy as jnp

import xlayout


def step(x, w):
    h = jnp.tanh(x @ w)
    return h.reshape(8, 16, 64).transpose(1, 0, 2), h.T


x, w = jnp.zeros((128, 64)), jnp.zeros((64, 64))
found = xlayout.audit(jax.jit(step).lower(x, w).compile())
print(found.copies[0])
