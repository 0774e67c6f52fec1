"""Functions and classes of JAX that say nothing of the types of their arguments, for which type checkers refuse calls."""

from typing import Any

import jax
import jax.core
import jax.numpy as jnp
from jax.experimental import custom_partitioning

_dtypes: Any = jax.dtypes

finfo: Any = jnp.finfo
iinfo: Any = jnp.iinfo
is_of_kind: Any = _dtypes.issubdtype
partition_spec: Any = jax.sharding.PartitionSpec
reshard: Any = jax.sharding.reshard
result: Any = jax.ShapeDtypeStruct
pycapsule: Any = jax.ffi.pycapsule
array_mapping: Any = custom_partitioning.ArrayMapping
partitioned: Any = custom_partitioning.custom_partitioning


def is_traced(value: object) -> bool:
    """Whether JAX traces a value, which then has a type and no elements."""
    return isinstance(value, jax.core.Tracer)
