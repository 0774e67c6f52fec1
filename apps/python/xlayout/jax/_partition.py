"""Calls that XLA divides among devices: by independent dimensions of a kernel, and by a batch.

`jit` over arrays that are spread over devices then runs the kernel on each device's part. Without
this, XLA gathers every array on every device first.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import jax
import numpy as np
from jax.custom_batching import custom_vmap
from jax.experimental.custom_partitioning import ArrayMapping, SdyShardingRule
from jax.sharding import NamedSharding

from ..kernels._parameter import Parameter
from ._untyped import array_mapping, partition_spec, partitioned, result

# For each dimension of an array its factor; None where it is whole on every device.
Factors = tuple[str | None, ...]


def told(inputs: Sequence[Parameter], outputs: Sequence[Parameter], batch: bool) -> str:
    """What XLA divides, in words; empty where nothing is independent."""
    arrays = [(p, p.argument_factors) for p in inputs]
    arrays += [(p, p.result_factors) for p in outputs if p.kind == "out"]
    names = dict.fromkeys(f for _, factors in arrays for f in factors if f is not None)
    if not outputs or not (names or batch):
        return ""
    whole = [
        f"dimension {d} of `{p.name}`"
        for p, factors in arrays
        for d, factor in enumerate(factors)
        if factor is None
    ]
    divided = (["the dimensions of the batch"] if batch else []) + list(names)
    text = f"Under jit, XLA divides among devices: {', '.join(divided)}."
    return text + (f" Whole on every device: {', '.join(whole)}." if whole else "")


def divided(call: Any, arrays: Sequence[Any], results: Sequence[Any]) -> Sequence[Any]:
    """The results of a call that XLA may divide."""
    shapes = tuple(np.shape(array) for array in arrays)
    function, operands, outputs = _function(
        call, shapes, tuple((r.shape, r.dtype) for r in results)
    )
    return _with_automatic_axes(function, arrays, operands, outputs)


def whole(call: Any, arrays: Sequence[Any], results: Sequence[Any]) -> Sequence[Any]:
    """The results of a call whose arrays are whole on every device."""
    of_arrays = [(None,) * np.ndim(array) for array in arrays]
    of_results = [(None,) * len(result.shape) for result in results]
    return _with_automatic_axes(call(results), arrays, of_arrays, of_results)


def _with_automatic_axes(
    function: Callable[..., Any],
    arrays: Sequence[Any],
    operands: Sequence[Factors],
    outputs: Sequence[Factors],
) -> Sequence[Any]:
    """The results of a function in which all axes of the mesh are automatic.

    Explicit axes are the default of `jax.make_mesh`. The types of arrays then say how these axes divide the
    arrays, and so must the types of the results.
    """
    given = [jax.typeof(array).sharding for array in arrays]
    mesh = next((of.mesh for of in given if of.mesh.explicit_axes), None)
    if mesh is not None:
        axes = _axes(zip(operands, (of.spec for of in given)))
        to = [NamedSharding(mesh, _spec(factors, axes)) for factors in outputs]
        function = jax.sharding.auto_axes(_tuple_of(function), out_sharding=tuple(to))
    results: Sequence[Any] = function(*arrays)
    return results


def _tuple_of(function: Callable[..., Iterable[Any]]) -> Callable[..., tuple[Any, ...]]:
    return lambda *arrays: tuple(function(*arrays))


# Without the cache each call outside of jit would be a new function to JAX, and compiled again.
@functools.lru_cache(maxsize=4096)
def _function(
    call: Any, shapes: Any, results: Any
) -> tuple[Callable[..., Any], Sequence[Factors], Sequence[Factors]]:
    """The function, and the factors of its arguments and of its results."""
    batch = results[0][0][: call.leading]

    def leading(shape: Any) -> Factors:
        # A size of 1 repeats its item: it is whole beside a larger batch.
        sizes = enumerate(zip(shape, batch))
        return tuple(f"batch{d}" if size == whole else None for d, (size, whole) in sizes)

    operand_factors = tuple(
        (*leading(shape), *p.argument_factors) for p, shape in zip(call.inputs, shapes)
    )
    result_factors = tuple(
        (*leading(shape), *p.result_factors) for p, (shape, _) in zip(call.outputs, results)
    )

    def one(*arrays: Any) -> tuple[Any, ...]:
        """The call on arrays or on parts of them."""
        sizes = {
            factor: size
            for array, factors in zip(arrays, operand_factors)
            for size, factor in zip(array.shape, factors)
            if factor is not None
        }
        parts = [
            result(
                tuple(sizes.get(f, size) for f, size in zip(factors, shape)), dtype
            )
            for factors, (shape, dtype) in zip(result_factors, results)
        ]
        return tuple(call(parts)(*arrays))

    function = jax.jit(_divisible(one, operand_factors, result_factors))
    return function, operand_factors, result_factors


def _divisible(
    function: Callable[..., tuple[Any, ...]], operands: Sequence[Factors], results: Sequence[Factors]
) -> Callable[..., Any]:
    """A function that XLA may divide by its factors, also when it is mapped."""
    divisible: Any = function
    if any(factor is not None for factors in results for factor in factors):
        divisible = partitioned(function)
        divisible.def_partition(
            functools.partial(_parts, function, operands, results),
            sharding_rule=_rule(operands, results),
        )
    mapped: Any = custom_vmap(lambda *arrays: divisible(*arrays))

    def rule(size: int, is_mapped: Sequence[bool], *arrays: Any) -> Any:
        # Without the size, which is another one on each device's part.
        inner = jax.vmap(function, [0 if m else None for m in is_mapped])
        # The dimension in front is independent, too. Its name is one that is not in use.
        name = f"mapped{sum(f.startswith('mapped') for f in results[0] if f)}"
        outer = _divisible(
            inner,
            [(name, *factors) if m else factors for factors, m in zip(operands, is_mapped)],
            [(name, *factors) for factors in results],
        )
        return outer(*arrays), (True,) * len(results)

    mapped.def_vmap(rule)
    call: Callable[..., Any] = mapped
    return call


def _rule(operands: Sequence[Factors], results: Sequence[Factors]) -> SdyShardingRule:
    """Shardy's rule: a dimension that is whole has a name of its own, which is replicated."""
    whole: list[str] = []

    def mapping(factors: Factors) -> ArrayMapping:
        names = []
        for factor in factors:
            if factor is None:
                whole.append(f"whole{len(whole)}")
            names.append(whole[-1] if factor is None else f"of_{factor}")
        made: ArrayMapping = array_mapping(*names)
        return made

    lists = tuple(map(mapping, operands)), tuple(map(mapping, results))
    return SdyShardingRule(*lists, need_replication_factors=tuple(whole))


def _parts(
    function: Callable[..., tuple[Any, ...]],
    operands: Sequence[Factors],
    results: Sequence[Factors],
    mesh: Any,
    arguments: Sequence[Any],
    outputs: Sequence[Any],
) -> Any:
    """How the arrays are divided, as `def_partition` takes it; the parts of one factor alike."""
    given = [*zip(results, outputs), *zip(operands, arguments)]
    axes = _axes((factors, array.sharding.spec) for factors, array in given)

    def sharding(factors: Factors) -> NamedSharding:
        return NamedSharding(mesh, _spec(factors, axes))

    return mesh, function, tuple(map(sharding, results)), tuple(map(sharding, operands))


def _spec(factors: Factors, axes: Mapping[str | None, tuple[Any, ...]]) -> Any:
    return partition_spec(*(axes.get(factor) for factor in factors))


def _axes(arrays: Iterable[tuple[Factors, Any]]) -> Mapping[str | None, tuple[Any, ...]]:
    """The axes of the mesh by which each factor is divided: the first ones that are found."""
    axes: dict[str | None, tuple[Any, ...]] = {}
    used: set[Any] = set()
    for factors, spec in arrays:
        for factor, part in zip(factors, spec):
            names = part if isinstance(part, tuple) else () if part is None else (part,)
            if factor is not None and names and factor not in axes and used.isdisjoint(names):
                axes[factor] = names
                used.update(names)
    return axes
