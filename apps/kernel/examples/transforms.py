"""A kernel under JAX's transformations: grad, vmap, shard_map over eight devices."""

import os

# Eight devices of one processor. JAX reads it when it starts.
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from common import check, kernels, normal
from jax.sharding import Mesh, NamedSharding, PartitionSpec

# grad: `softmax` names the kernel that computes its derivative.
softmax = kernels.softmax
x, weights = normal(16, 100), normal(16, 100)
found = jax.jit(jax.grad(lambda x: jnp.sum(weights * softmax(x, scale=0.5))))(x)
expected = jax.grad(lambda x: jnp.sum(weights * jax.nn.softmax(0.5 * x)))(x)
check("grad of softmax", found, expected, within=1e-5)


# `rope` names none: its derivative is the same kernel with another attribute, which a rule can say, too.
@jax.custom_vjp
def rope(x):
    return kernels.rope(x)


rope.defvjp(lambda x: (rope(x), None), lambda _, dy: (kernels.rope(dy, inverse=True),))
x, weights = normal(2, 10, 4, 64), normal(2, 10, 4, 64)
found = jax.jit(jax.grad(lambda x: jnp.sum(weights * rope(x))))(x)
check("grad of rope", found, kernels.rope(weights, inverse=True))

# vmap: softmax is a kernel with `batch`, so that all of it is one call; gemv is called for each part.
x = normal(5, 7, 3, 64)
check("vmap of softmax", jax.vmap(jax.vmap(softmax))(x), jax.nn.softmax(x), within=1e-6)
a, v = normal(6, 30, 20), normal(6, 20)
check("vmap of gemv", jax.vmap(kernels.gemv)(a, v), np.einsum("bmk,bk->bm", a, v), within=1e-5)

# shard_map: each device calls the same kernel with its part.
mesh = Mesh(np.asarray(jax.devices()), ("d",))
rows = PartitionSpec("d", None)
x = jax.device_put(normal(64, 1000), NamedSharding(mesh, rows))
sharded = jax.jit(jax.shard_map(softmax, mesh=mesh, in_specs=rows, out_specs=rows))
y = sharded(x)
assert len(y.sharding.device_set) == 8, y.sharding
check("shard_map of softmax over 8 devices", y, jax.nn.softmax(x), within=1e-6)
gradient = jax.jit(jax.grad(lambda x: jnp.sum(sharded(x) ** 2)))(x)
expected = jax.grad(lambda x: jnp.sum(jax.nn.softmax(x) ** 2))(jnp.asarray(np.asarray(x)))
check("its grad", gradient, expected, within=1e-5)
