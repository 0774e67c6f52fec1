"""A kernel as a function of JAX."""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.export
import numpy as np
from jax.custom_batching import custom_vmap

from ..kernels._kernel import AnyKernel, Order
from ..kernels._parameter import Parameter
from ..kernels._words import called
from . import _derivative, _partition, _sharding
from ._arguments import OfJax
from ._compiled import Compiled, order
from ._untyped import is_traced, partition_spec, result


class Kernel(OfJax, AnyKernel):
    __doc__ = AnyKernel.__doc__

    def _prepare(self) -> None:
        self._aliases = {
            i: self._outputs.index(p) for i, p in enumerate(self._inputs) if p.kind == "in_out"
        }
        # An array that is written in place cannot be shared by a whole batch.
        whole = "broadcast_all" if self._aliases else "expand_dims"
        self._together = whole if self._batch else "sequential"
        self._derivative: _derivative.Derivative | None = None
        self._input_keys = {p.key: p for p in self._inputs}
        self._has_choice = len(self.layouts) > 1 or any(p.by_items for p in self._inputs)
        self._compiled = Compiled()

    def _element_type(self, value: Any) -> tuple[Any, bool]:
        found = jax.typeof(value)
        return found.dtype, found.weak_type

    def _size(self, size: Any) -> Any:
        return size if jax.export.is_symbolic_dim(size) else super()._size(size)

    def _is_traced(self, value: object) -> bool:
        return is_traced(value)

    @property
    def export_checks(self) -> list[jax.export.DisabledSafetyCheck]:
        """What `jax.export.export` takes as `disabled_checks` for a function that calls the kernel."""
        return [jax.export.DisabledSafetyCheck.custom_call(kernel.target) for kernel in self.types]

    @property
    def partitioning(self) -> str:
        """Which dimensions XLA divides among devices; empty where none is independent."""
        return _partition.told(self._inputs, self._outputs, self._batch)

    def _about(self) -> list[str]:
        derivative = f"Its derivatives are those of `{self.vjp}`." if self.vjp else ""
        return [*super()._about(), *filter(None, [self.partitioning, derivative])]

    def _run(self, args: Sequence[Any], out_shapes: Any, kwargs: dict[str, Any]) -> Any:
        compiled = self._compiled.of(self, args, out_shapes, kwargs)
        if compiled is None:
            return self._checked(args, out_shapes, kwargs)
        function, positional, named = compiled
        try:
            return function(*positional, **named)
        except ValueError as error:
            # JAX's own type is another one where an asynchronous call has failed before it returns.
            if re.match(f"[A-Z_]+: kernel `{re.escape(self.__name__)}`", str(error)) is None:
                raise
            text = str(error)
        raise jax.errors.JaxRuntimeError(text)

    def _checked(
        self,
        args: Sequence[Any],
        out_shapes: Any,
        kwargs: dict[str, Any],
        orders: Sequence[Order] | None = None,
    ) -> Any:
        """The results of a call, which is checked here. `orders` are those of the arrays' memory, where they are
        known and JAX traces the arrays."""
        arrays, attributes = self._bind(args, kwargs)
        batch, shapes = self._shapes(arrays, out_shapes)
        results = [result((*batch, *shapes[p.name]), self._dtype(p)) for p in self._outputs]
        # The items of a batch that share bytes cannot be written one after the other.
        whole_bytes = all(
            p.bits % 8 == 0 or math.prod(shapes[p.name]) * p.bits % 8 == 0
            for p in [*self._inputs, *self._outputs]
        )
        orders = [order(x) for x in arrays] if orders is None else orders
        chosen = self._chosen(arrays, orders)
        call = _Call(
            chosen,
            len(batch),
            tuple(attributes.items()),
            whole_bytes,
            by_items=len(batch) > 0 and chosen._converts_items(arrays, orders),
        )
        # In shard_map: what is computed from one device's part differs from device to device, and
        # JAX does not see that by itself.
        axes = frozenset[Any]().union(*(jax.typeof(array).mat.varying for array in arrays))
        if axes:
            arrays = [_varying(array, axes) for array in arrays]

        def run(*arrays: Any) -> tuple[Any, ...]:
            if axes:
                return tuple(_varying(output, axes) for output in call(results)(*arrays))
            divide = _partition.divided if self.partitioning else _partition.whole
            return tuple(divide(call, arrays, results))

        function: Callable[..., tuple[Any, ...]] = run
        # What JAX differentiates, it traces.
        if results and any(is_traced(array) for array in arrays):
            if self._derivative is None:
                function = _derivative.refused(self, run)
            else:
                given = {p.key: kwargs[p.key] for p in self._attributes if p.key in kwargs}
                types = [jax.typeof(array) for array in arrays]
                function = self._derivative.function(run, batch, types, given)
        return self._returned(function(*arrays))

    def partition_specs(self, mesh: jax.sharding.Mesh) -> tuple[Any, Any]:
        """What `jax.shard_map` takes as `in_specs` and `out_specs` to call this kernel on whole
        arrays: those of a layout with `sharding = {…}` as it says, others on every device."""
        if not isinstance(mesh, (jax.sharding.Mesh, jax.sharding.AbstractMesh)):
            raise TypeError(
                f"kernel `{self.__name__}`: partition_specs takes a mesh, as `jax.make_mesh((8,), (\"d\",))`, and "
                f"got {called(mesh)}"
            )
        in_specs = tuple(self._spec(p, mesh) for p in self._inputs)
        out_specs = [self._spec(p, mesh) for p in self._outputs]
        return in_specs, self._tuple(*out_specs) if len(out_specs) > 1 else out_specs[0]

    def _spec(self, p: Parameter, mesh: jax.sharding.Mesh) -> Any:
        names, sizes = mesh.axis_names, tuple(mesh.shape.values())
        wanted = _sharding.declared(p.sharding or "", p.rank, math.prod(sizes))
        # Each axis of the mesh cuts one dimension, or none; several cut one in any sequence.
        for cut in itertools.product([*range(p.rank), None], repeat=len(names)):
            for axes in itertools.permutations(enumerate(cut)):
                parts = [tuple(axis for axis, d in axes if d == k) for k in range(p.rank)]
                if wanted is not None and np.array_equal(_sharding.of_axes(parts, sizes), wanted):
                    spec = [tuple(names[axis] for axis in part) or None for part in parts]
                    return partition_spec(*spec)
        raise ValueError(
            f"kernel `{self.__name__}`: {p.role} `{p.name}` has the sharding {p.sharding}, which no "
            f"PartitionSpec over the mesh {dict(mesh.shape)} gives"
        )


def _varying(array: Any, axes: frozenset[Any]) -> Any:
    """The array as one that may differ from device to device, along these axes of the mesh."""
    more = tuple(axes - jax.typeof(array).mat.varying)
    return jax.lax.pcast(array, more, to="varying") if more else array


class _Call:
    """A call of a kernel with these attributes, for arrays of any sizes that fit."""

    def __init__(
        self,
        kernel: Kernel,
        leading: int,
        attributes: tuple[tuple[str, Any], ...],
        whole: bool,
        by_items: bool = False,
    ):
        self.kernel, self.leading, self.attributes = kernel, leading, attributes
        self.whole, self.by_items = whole, by_items
        self.inputs, self.outputs = kernel._inputs, kernel._outputs
        self._vmap_method = kernel._together if whole else "sequential"
        self._key = (kernel, leading, attributes, self._vmap_method, by_items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Call) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __call__(self, results: Sequence[jax.ShapeDtypeStruct]) -> Callable[..., Sequence[Any]]:
        """The function of the arrays that has these results."""
        can_convert = any(p.by_items for p in [*self.inputs, *self.outputs])
        # What has no results is called for something else, and is not mapped as a function.
        if results and can_convert and not self.leading and self._vmap_method != "sequential":
            return _mapped_by_items(self, tuple((r.shape, r.dtype) for r in results))
        return self._one(results)

    def _one(self, results: Sequence[jax.ShapeDtypeStruct]) -> Callable[..., Sequence[Any]]:
        """The call. `jax.vmap` adds the dimension in front of each layout."""
        attributes = dict(self.attributes)
        if self.by_items:
            attributes["xlayout.by_items"] = True
        call = jax.ffi.ffi_call(
            self.kernel.target,
            list(results),
            has_side_effect=not results,  # what returns nothing is called for something else
            vmap_method=self._vmap_method,
            input_layouts=[p.layout(self.leading, self.by_items) for p in self.inputs],
            output_layouts=[p.layout(self.leading, self.by_items) for p in self.outputs],
            input_output_aliases=self.kernel._aliases,
        )
        return lambda *arrays: call(*arrays, **attributes)


# Without the cache each call outside of jit would be a new function to JAX, and compiled again.
@functools.lru_cache(maxsize=4096)
def _mapped_by_items(call: _Call, results: Any) -> Callable[..., Sequence[Any]]:
    """The call of an item. `jax.vmap` makes it one call of the batch with row-major items."""
    shapes = [result(shape, dtype) for shape, dtype in results]
    mapped: Any = custom_vmap(lambda *arrays: tuple(call._one(shapes)(*arrays)))

    def rule(size: int, is_mapped: Sequence[bool], *arrays: Any) -> Any:
        repeats = size if call.kernel._aliases else 1
        whole = [
            x if is_mapped else jax.numpy.broadcast_to(x, (repeats, *x.shape))
            for x, is_mapped in zip(arrays, is_mapped)
        ]
        by_items = call.kernel._converts_items(whole, [order(x) for x in whole])
        batch = _Call(call.kernel, 1, call.attributes, call.whole, by_items)
        of_batch = [result((size, *r.shape), r.dtype) for r in shapes]
        return tuple(batch(of_batch)(*whole)), (True,) * len(shapes)

    mapped.def_vmap(rule)
    function: Callable[..., Sequence[Any]] = jax.jit(mapped)
    return function
