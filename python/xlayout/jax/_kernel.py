"""A kernel as a function of JAX."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.export
import numpy as np
from jax.custom_batching import custom_vmap

from . import _derivative, _partition, _sharding
from ._arguments import Arguments
from ._compiled import Compiled, order
from ._declaration import Refused
from ._parameter import Parameter
from ._shapes import Shapes
from ._untyped import is_traced, partition_spec, result
from ._words import called


Order = tuple[int, ...]


class Kernel(Arguments, Shapes):
    """A kernel, called as a function: arrays by position or name, attributes by name, or by position if the kernel
    has them behind its arrays.

    The result is an array, or a named tuple where there are several outputs. `out_shapes` gives the
    shapes that the inputs do not tell: one shape, or a dictionary of them by the outputs' names.
    They are those of one call, without the dimensions that a batch or `vmap` adds in front.
    """

    def __init__(
        self,
        entry: Mapping[str, Any],
        target: str,
        origin: Any = None,
        layouts: Sequence[Kernel] = (),
        types: Sequence[Kernel] = (),
    ):
        super().__init__(entry)
        self._aliases = {
            i: self._outputs.index(p) for i, p in enumerate(self._inputs) if p.kind == "in_out"
        }
        # An array that is written in place cannot be shared by a whole batch.
        whole = "broadcast_all" if self._aliases else "expand_dims"
        self._together = whole if self._batch else "sequential"
        self.target = target
        """XLA's name of the kernel, which `jax.ffi.ffi_call` takes. It has a hash of the declaration:
        a program that was exported with other layouts does not find the kernel."""
        self.isa: str = entry.get("isa", "")
        """The set of instructions that the kernel runs with."""
        self._origin = origin
        self._derivative: _derivative.Derivative | None = None
        self.layouts: tuple[Kernel, ...] = Layouts(layouts or [self])
        """The kernel in each combination of the layouts that its parameters may have (`#[also(…)]`),
        the first one as it is declared. A call takes the one for which the fewest bytes are copied;
        under `jit`, where an array's layout is not known yet, the first. Each of these is a kernel that
        takes its own layouts: `k.f.layouts[1](x)`."""
        self.types: tuple[Kernel, ...] = tuple(types) or (self,)
        """The kernel for each of its element types (`types(T = f32, f64)`). A call takes the one of its arrays."""
        if layouts or types:
            self._show(types or layouts)
        self._input_keys = {p.key: p for p in self._inputs}
        self._has_choice = len(self.layouts) > 1 or any(p.by_items for p in self._inputs)
        self._compiled = Compiled()

    def _of_type(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Kernel:
        """The one of `types` that takes the first array whose element type may be another one."""
        of = [[kernel._inputs[i] for kernel in self.types] for i in range(len(self._inputs))]
        number = next(i for i, ps in enumerate(of) if any(p.numpy_type != ps[0].numpy_type for p in ps))
        p = self._inputs[number]
        value = self._of_library(p, args[number] if number < len(args) else kwargs.get(p.key))
        if not hasattr(value, "dtype"):
            return self.types[0]  # a number, or what a check refuses
        found = jax.typeof(value)
        for kernel, own in zip(self.types, of[number]):
            if own.dtype == found.dtype:
                return kernel
        if found.weak_type:
            return self.types[0]
        names = ", ".join(own.element_type for own in of[number])
        what = f"pass one of {names}, as with `.astype({p.dtype.name!r})`"
        self._misfit(TypeError, p, called(value), what)

    def _chosen(self, arrays: Sequence[Any], orders: Sequence[Order]) -> Kernel:
        """The one of `layouts` for which the fewest bytes are copied."""
        if len(self.layouts) == 1:
            return self

        def copied(kernel: Kernel) -> int:
            wanted = (p.layout(x.ndim - p.rank) for p, x in zip(kernel._inputs, arrays))
            given = zip(arrays, orders, wanted)
            return sum(x.size * x.dtype.itemsize for x, order, want in given if order != want)

        return min(self.layouts, key=copied)

    def _converts_items(self, arrays: Sequence[Any], orders: Sequence[Order]) -> bool:
        """Whether the kernel converts each item of a batch, so that XLA copies no whole batch from
        the row-major layout to the declared one. Arrays that have the declared layout are passed in it."""
        wanted = [p.layout(x.ndim - p.rank) for p, x in zip(self._inputs, arrays) if p.by_items]
        found = [order for p, order in zip(self._inputs, orders) if p.by_items]
        if not wanted:
            return any(p.by_items for p in self._outputs)
        return wanted != found

    def __reduce__(self) -> Any:
        """A kernel is pickled as the path of its library and its name."""
        if self._origin is None:
            raise TypeError(f"kernel `{self.__name__}` is of no library, and cannot be pickled")
        find, *arguments = self._origin
        return find, (*arguments, self.__name__, self.target)

    @property
    def export_checks(self) -> list[jax.export.DisabledSafetyCheck]:
        """What `jax.export.export` takes as `disabled_checks` for a function that calls the kernel."""
        return [jax.export.DisabledSafetyCheck.custom_call(kernel.target) for kernel in self.types]

    @property
    def partitioning(self) -> str:
        """Which dimensions XLA divides among devices; empty where the kernel declares nothing."""
        return _partition.told(self._inputs, self._outputs, self._batch)

    def _about(self) -> list[str]:
        derivative = f"Its derivatives are those of `{self.vjp}`." if self.vjp else ""
        return [*super()._about(), *filter(None, [self.partitioning, derivative])]

    def __call__(self, *args: Any, out_shapes: Any = None, **kwargs: Any) -> Any:
        if len(args) > len(self._inputs):
            args, kwargs = self._named(args, kwargs)
        try:
            if len(self.types) > 1:
                return self._of_type(args, kwargs)(*args, out_shapes=out_shapes, **kwargs)
            compiled = self._compiled.of(self, args, out_shapes, kwargs)
            if compiled is not None:
                function, positional, named = compiled
                return function(*positional, **named)
            return self._checked(args, out_shapes, kwargs)
        except Refused as refused:
            raise refused.args[0] from None

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
        outputs = function(*arrays)
        if len(outputs) > 1:
            return self._tuple(*outputs)
        return outputs[0] if outputs else None

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


class Layouts(tuple[Kernel, ...]):
    """A kernel in each combination of its layouts; a wrong number is an error that names the kernel."""

    def __getitem__(self, index: Any) -> Any:
        try:
            return super().__getitem__(index)
        except IndexError:
            name, last = self[0].__name__, len(self) - 1
            what = f"kernel `{name}` has one combination of layouts, `layouts[0]`"
            if last:
                what = f"kernel `{name}` has {last + 1} combinations of layouts: `layouts[0]` to `layouts[{last}]`"
            raise IndexError(what) from None


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
