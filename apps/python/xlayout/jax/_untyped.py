"""Functions and classes of JAX that say nothing of the types of their arguments, for which type checkers refuse calls."""

from collections.abc import Callable
from typing import Any

import jax
import jax.core
import jax.extend.core
import jax.numpy as jnp
from jax.experimental import custom_partitioning
from jax.interpreters import ad, batching, mlir

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


def reverse_only(name: str, refuse: Callable[..., Any]) -> Any:
    """The identity of one array. Where JAX computes with its tangents (forward mode), it calls `refuse`: when it runs,
    compiles or maps them. The reverse mode transposes them and does not."""
    new: Any = jax.extend.core.Primitive
    array, tangent = new(name), new(f"{name}_tangent")
    rules: Any = (ad, batching, mlir)
    of_ad, of_batching, of_mlir = rules
    for primitive in (array, tangent):
        primitive.def_abstract_eval(lambda x, **_: x)
    array.def_impl(lambda x, **_: x)
    of_batching.defvectorized(array)
    of_mlir.register_lowering(array, lambda _, x, **__: [x])
    of_ad.primitive_jvps[array] = lambda arrays, tangents, **of: (array.bind(*arrays, **of), tangent.bind(*tangents, **of))
    tangent.def_impl(refuse)
    of_batching.primitive_batchers[tangent] = refuse
    of_mlir.register_lowering(tangent, refuse)
    of_ad.deflinear2(tangent, lambda cotangent, *_, **__: [cotangent])
    return array.bind
