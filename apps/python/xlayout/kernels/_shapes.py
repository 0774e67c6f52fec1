"""The shapes of a call: leading dimensions, sizes that are one, shapes of the results."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from ._declaration import Declaration
from ._parameter import Parameter
from ._sums import Sum, is_known
from ._words import called, did_you_mean, dimensions, shown


class Shapes(Declaration):
    """Checks the shapes of the arguments, and finds those of the results."""

    def _size(self, size: Any) -> Any:
        """A size of `out_shapes`."""
        return operator.index(size)

    def _is_traced(self, value: object) -> bool:
        """Whether JAX traces a value, which then has a type and no elements."""
        return False

    def _shapes(self, arrays: Sequence[Any], out_shapes: Any) -> tuple[Any, dict[str, Any]]:
        """The dimensions of the batch, and the shape of each array by name, without them."""
        batch = self._leading(arrays)
        sizes: dict[str, tuple[Any, str]] = {}
        shapes = {p.name: np.shape(array)[len(batch) :] for p, array in zip(self._inputs, arrays)}
        for p in self._inputs:
            self._fit(p, shapes[p.name], sizes)
        shapes |= self._given_shapes(out_shapes)
        for p in self._outputs:
            if p.kind == "out" and p.name in shapes:
                self._fit(p, shapes[p.name], sizes)
        self._fit_sums(shapes, sizes)
        for p in self._outputs:
            if p.name not in shapes:
                shapes[p.name] = self._known_shape(p, sizes)
            self._fit(p, shapes[p.name], sizes)
            self._limit(p, (*batch, *shapes[p.name]))
        return batch, shapes

    def _leading(self, arrays: Sequence[Any]) -> tuple[Any, ...]:
        """The dimensions of the batch, which are in front of those of the layouts."""
        ranks = [np.ndim(array) - len(p.dimensions) for p, array in zip(self._inputs, arrays)]
        count = max(min(ranks, default=0), 0) if self._batch else 0
        shapes = [np.shape(array)[:count] for array in arrays]
        batch = tuple(next((n for n in sizes if n != 1), 1) for sizes in zip(*shapes))
        for p, array, rank, shape in zip(self._inputs, arrays, ranks, shapes):
            if rank != count:
                what = dimensions(p.rank, np.ndim(array))
                if self._batch and rank > 0:
                    what = f"{dimensions(p.rank)}, and before them as many as the other arrays have"
                elif rank > 0:
                    what += ", or map the call (`jax.vmap`)"
                self._misfit(ValueError, p, called(array), what)
            for d, (size, whole) in enumerate(zip(shape, batch)):
                if size != whole and (size != 1 or p.kind == "in_out"):
                    what = f"leading dimension {d} is {size}, and that of the batch is {whole}"
                    self._misfit(ValueError, p, called(array), what)
        return batch

    def _fit(self, p: Parameter, shape: Sequence[Any], sizes: dict[str, tuple[Any, str]]) -> None:
        """Checks the sizes of an array, and notes those that its layout leaves open."""
        found = self._shown(p, shape)
        if len(shape) != len(p.dimensions):
            self._misfit(ValueError, p, found, dimensions(p.rank, len(shape)))
        for d, (expected, size) in enumerate(zip(p.dimensions, shape)):
            if isinstance(expected, str):
                known, where = sizes.setdefault(expected, (size, f"dimension {d} of `{p.name}`"))
                if size != known:
                    one = "`?` there" if expected.startswith("?") else f"`?{expected}`"
                    what = f"dimension {d} is {size}, and {where} is {known}: {one} is one size"
                    self._misfit(ValueError, p, found, what)
            elif isinstance(expected, int) and size != expected:
                what = f"pass {expected} as dimension {d}, not {size}"
                if p.whole:
                    what += f" (one device's part of {p.whole}: `jax.shard_map` makes them)"
                self._misfit(ValueError, p, found, what)
            if type(size) is int and size < 0:
                self._misfit(ValueError, p, found, f"dimension {d} is negative")

    def _fit_sums(self, shapes: Mapping[str, Any], sizes: dict[str, tuple[Any, str]]) -> None:
        """Finds the sizes that follow from sums, as `?H` from `2*?H`, and checks the sums."""
        sums = [
            (p, d, declared, size)
            for p in dict.fromkeys([*self._inputs, *self._outputs])
            if p.name in shapes
            for d, (declared, size) in enumerate(zip(p.dimensions, shapes[p.name]))
            if isinstance(declared, Sum)
        ]
        while True:
            told = [(s, n) for s in sums for n in s[2].unknown(sizes) if s[2].tells(n, sizes)]
            if not told:
                break
            (p, d, declared, size), name = told[0]
            factor = declared.factor(name)
            rest = size - declared.value(_numbers(sizes))
            number, remainder = divmod(rest, factor)
            if type(remainder) is not int or remainder != 0 or type(number) is int and number < 0:
                what = f"dimension {d} is {size}, and no size `?{name}` makes `{declared}` that"
                self._misfit(ValueError, p, self._shown(p, shapes[p.name]), what)
            sizes[name] = number, f"by dimension {d} of `{p.name}` `?{name}`"
        for p, d, declared, size in sums:
            if not declared.unknown(sizes) and size != (value := declared.value(_numbers(sizes))):
                what = f"dimension {d} is {size}, and `{declared}` is {value}"
                self._misfit(ValueError, p, self._shown(p, shapes[p.name]), what)

    def _shown(self, p: Parameter, shape: Sequence[Any]) -> str:
        return f"{p.element_type}[{','.join(map(str, shape))}]"

    def _limit(self, p: Parameter, shape: Sequence[Any]) -> None:
        """Refuses a result of more bytes than 63 bits can count, at which XLA ends the process."""
        if all(type(size) is int for size in shape):
            count = math.prod(max(size, 1) for size in shape)
            if count * p.bits >= 2**66:
                self._misfit(ValueError, p, self._shown(p, shape), "it would have 2**63 bytes or more; pass smaller sizes")

    def _given_shapes(self, out_shapes: Any) -> dict[str, tuple[Any, ...]]:
        names, given = [p.name for p in self._outputs if p.kind == "out"], out_shapes
        if out_shapes is None:
            return {}
        if not isinstance(out_shapes, Mapping) and len(names) == 1:
            out_shapes = {names[0]: out_shapes}
        try:
            shapes = {name: tuple(map(self._size, shape)) for name, shape in out_shapes.items()}
        except (AttributeError, TypeError):
            self._refuse_shapes(names, given)
        for name in shapes:
            if name not in names:
                hint = did_you_mean(name, names) or f"; it has {' and '.join(f'`{known}`' for known in names) or 'none'}"
                self._fail(TypeError, f": out_shapes names `{name}`, which is no output{hint}")
        for size in itertools.chain.from_iterable(shapes.values()):
            if type(size) is int and not -(2**63) <= size < 2**63:
                self._fail(ValueError, f": out_shapes has the size {shown(size)}; pass sizes below 2**63")
        return shapes

    def _refuse_shapes(self, names: list[str], given: Any) -> NoReturn:
        # Not `jax.tree.leaves`: lists may be nested as deep as there is memory.
        shapes = [*given.values()] if isinstance(given, Mapping) else [given]
        sizes = [size for shape in shapes if isinstance(shape, (list, tuple)) for size in shape]
        if any(self._is_traced(found) for found in (*shapes, *sizes)):
            what = (
                "out_shapes has a size that JAX traces, and sizes are part of the compiled program; "
                "take it from an array, as `x.shape[0]`, or name the argument that it is made of in "
                "`static_argnames` of jax.jit"
            )
            self._fail(TypeError, f": {what}")
        takes = "a shape, as `(3, 4)`"
        if len(names) > 1:
            named = ", ".join(f"{name!r}: (…,)" for name in names)
            takes = f"a dictionary of shapes by name, as `{{{named}}}`"
        self._fail(TypeError, f": out_shapes takes {takes}, and got {shown(given)}")

    def _known_shape(self, p: Parameter, sizes: dict[str, tuple[Any, str]]) -> tuple[Any, ...]:
        numbers = _numbers(sizes)
        known = [is_known(d, {*numbers}) for d in p.dimensions]
        shape = [
            d.value(numbers) if isinstance(d, Sum) else numbers.get(d, d) if isinstance(d, str) else d
            for d in p.dimensions
        ]
        if not all(known):
            text = ", ".join(str(d) if told else "…" for d, told in zip(shape, known))
            text = f"({text},)" if len(shape) == 1 else f"({text})"
            text = f"{{{p.name!r}: {text}}}" if len(self._outputs) > 1 else text
            what = f" cannot tell the shape of `{p.name}`, {p.short}, from its inputs"
            self._fail(TypeError, f"{what}; add `out_shapes={text}`")
        return tuple(shape)


def _numbers(sizes: Mapping[str, tuple[Any, str]]) -> dict[str, Any]:
    return {name: size for name, (size, _) in sizes.items()}
