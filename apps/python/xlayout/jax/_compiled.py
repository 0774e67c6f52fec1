"""Calls outside of `jit`, each as one function that JAX compiles.

    key      = the values of the attributes, `out_shapes`, and the layouts of the arrays where the kernel has a choice
    function = jax.jit(the call), made once for each key

Arrays are no part of the key: `jit` compiles for each of their types, and the call is checked while `jit` traces it. A
call that is not plain has no function here: one that `jit` traces already, or with arguments that are no arrays of JAX.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from ..kernels._declaration import Refused
from ..kernels._parameter import Parameter
from ._untyped import is_traced

if TYPE_CHECKING:
    from ._kernel import Kernel

_NUMBERS = frozenset([bool, int, float, complex])
_PLAIN = _NUMBERS | {str, type(None)}
_MOST = 4096


class Compiled:
    """The functions of a kernel."""

    def __init__(self) -> None:
        self._functions: dict[Any, Callable[..., Any]] = {}
        # The type of arrays that JAX does not trace has no public name.
        self._array_types: set[type] = set()

    def of(
        self, kernel: Kernel, args: Sequence[Any], out_shapes: Any, kwargs: Mapping[str, Any]
    ) -> tuple[Callable[..., Any], Sequence[Any], Mapping[str, Any]] | None:
        """The function for a call, and its arrays in sequence and by name; None for a call that is not plain."""
        if len(args) > len(kernel._inputs):
            return None
        for value in args:
            if type(value) not in self._array_types:
                # Rarely: a number, an array of NumPy, or an array of a type that is new here.
                args = [self._array(kernel, p, value) for p, value in zip(kernel._inputs, args)]
                if any(value is None for value in args):
                    return None
                break
        arrays: dict[str, Any] = {}
        key: list[Any] = []
        for name, value in kwargs.items():
            kind = type(value)
            p = kernel._input_keys.get(name)
            if p is not None:
                arrays[name] = self._array(kernel, p, value)
                if arrays[name] is None:
                    return None
            elif kind in _PLAIN or kind in (list, tuple) and _PLAIN.issuperset(map(type, value)):
                try:
                    # By its text: to Python 0.0 is -0.0, and no NaN is another.
                    key.append((name, kind, repr(value)))
                except ValueError:  # an integer with more digits than Python writes
                    return None
            else:
                return None
        if out_shapes is not None:
            if type(out_shapes) is not tuple or not all(type(size) is int for size in out_shapes):
                return None
            key.append(out_shapes)
        orders = None
        if kernel._has_choice:
            if arrays or len(args) != len(kernel._inputs):
                return None
            orders = tuple(order(array) for array in args)
            key.append(orders)
        whole = tuple(key)
        function = self._functions.get(whole)
        if function is None:
            if len(self._functions) >= _MOST:
                self._functions.clear()
            attributes = {name: value for name, value in kwargs.items() if name not in arrays}

            def call(*args: Any, **arrays: Any) -> Any:
                return kernel._checked(args, out_shapes, {**attributes, **arrays}, orders)

            call.__name__ = call.__qualname__ = kernel.__name__
            function = self._functions[whole] = jax.jit(call)
        return function, args, arrays

    def _array(self, kernel: Kernel, p: Parameter, value: Any) -> Any:
        """What `jit` takes for an argument; None for a value that a check has to see."""
        if isinstance(value, jax.Array) and not is_traced(value):
            self._array_types.add(type(value))
            return value
        value = kernel._of_library(p, value)
        if type(value) is np.ndarray and value.dtype == p.dtype:
            return value
        if type(value) in _NUMBERS:
            try:
                return np.asarray(kernel._number(p, value))
            except Refused:
                return None
        return None


def order(array: Any) -> tuple[int, ...]:
    """The major_to_minor of an array's memory; that of an array which JAX traces is not known yet."""
    rank: int = array.ndim
    layout = None
    if rank > 1 and hasattr(array, "format") and not is_traced(array):
        layout = array.format.layout
    return tuple(range(rank)) if layout is None else tuple(layout.major_to_minor)
