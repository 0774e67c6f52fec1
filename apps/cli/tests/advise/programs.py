"""Programs whose `jit`, or whose arguments, say more than a function does; `check.py` compares `advise` with their own compilation.

Each is a function `NAME` with a tuple `NAME_args`; those with arguments by name have them in `kwargs`, which all others lack.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.layout import Format, Layout
from jax.sharding import Mesh, NamedSharding, PartitionSpec, SingleDeviceSharding

floats = partial(jax.ShapeDtypeStruct, dtype=jnp.float32)
first = SingleDeviceSharding(jax.devices()[0])
mesh = Mesh(np.array(jax.devices()).reshape(2, 2), ("x", "y"))


def sharded(*axes):
    return NamedSharding(mesh, PartitionSpec(*axes))


@partial(jax.jit, donate_argnums=(0,))
def donated(m, x):
    return m + 1, x.T @ m


donated_args = floats((256, 384)), floats((256, 512))


@partial(jax.jit, donate_argnames=("state",))
def donated_by_name(x, state):
    return {"new": state["old"] * x.sum(), "x": [x.T]}


donated_by_name_args = floats((64, 128)), {"old": floats((32, 16))}


@partial(jax.jit, static_argnums=(1,), static_argnames=("power",), donate_argnums=(0,))
def static(x, times, unused, power=2):
    return (x * times).T ** power


def static_args():
    return np.ones((96, 160), np.float32), 3, floats((7, 8))


@jax.jit
def weak(x, factor):
    return (x * factor).T


# A number of Python's has a type that yields.
weak_args = jax.ShapeDtypeStruct((24, 40), jnp.bfloat16), 2.5


@jax.jit
def fsdp(x, w1, w2):
    def loss(w1, w2):
        return ((jax.nn.gelu(x @ w1) @ w2) ** 2).mean()

    gradients = jax.grad(loss, (0, 1))(w1, w2)
    return w1 - gradients[0] * 1e-3, w2 - gradients[1] * 1e-3


fsdp_args = (
    floats((8, 64, 128), sharding=sharded("x", None, None)),
    floats((128, 256), sharding=sharded("x", "y")),
    floats((256, 128), sharding=sharded("y", "x")),
)


@partial(jax.jit, in_shardings=(sharded("x"), None), out_shardings=sharded(None, "y"), donate_argnums=1)
def shardings_of_the_jit(x, y):
    return x @ y


shardings_of_the_jit_args = floats((64, 32)), floats((32, 64))


@partial(jax.jit, in_shardings=Format(Layout((1, 0)), first), out_shardings=first)
def layouts_of_the_jit(x):
    return x + 1


layouts_of_the_jit_args = (floats((48, 80)),)


@jax.jit
def constrained(x):
    return jax.lax.with_sharding_constraint(x.T, sharded("y", "x")) * 2


constrained_args = (floats((32, 64)),)


@partial(jax.jit, compiler_options={"xla_cpu_enable_fast_math": True})
def options(x):
    return (x / 3 * 3).T


options_args = (floats((40, 56)),)


@partial(jax.jit, keep_unused=True)
def unused_are_kept(unused, x):
    return x.T


unused_are_kept_args = floats((5, 6)), floats((24, 32))


@jax.jit
def unused_are_dropped(unused, x):
    return x.T


unused_are_dropped_args = unused_are_kept_args


# The argument is in another memory than the result.
@jax.jit
def kinds_of_memory(x):
    return jax.device_put(x, first).T


kinds_of_memory_args = (floats((16, 24), sharding=first.with_memory_kind("pinned_host")),)


def no_jit(x):
    return jnp.cumsum(x, 0).T


# On a device that is not the first one.
no_jit_args = (jax.device_put(np.ones((16, 24), np.float32), jax.devices()[1]),)


class Model:
    factor = 3

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return (x * self.factor).T


method = Model().apply
method_args = (floats((16, 8)),)


# These are refused.
def calls_a_jit(m, x):
    return donated(m, x)


calls_a_jit_args = donated_args


class Wrapper:
    def lower(self):
        return None


wrapper = Wrapper()
wrapper_args = ()


@jax.jit
def ordered(x):
    jax.debug.print("{}", x[0, 0], ordered=True)
    return x.T


ordered_args = (floats((4, 6)),)
