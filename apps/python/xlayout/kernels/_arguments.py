"""The arguments of a call: arrays and attributes, with the declared types."""

from __future__ import annotations

import cmath
import sys
from typing import Any, NoReturn

import numpy as np

from .._dlpack import of_library
from ._declaration import Declaration
from ._parameter import Parameter
from ._words import called, did_you_mean, kind_of, shown


class Arguments(Declaration):
    """Binds the arguments of a call, and checks them: arrays of NumPy and of libraries with `__dlpack__`."""

    _ARRAYS: tuple[Any, ...] = (np.ndarray, np.generic)
    """Arrays that a call takes as they are."""
    _AS_ARRAY = "np.asarray(…)"
    """What makes an array, in words."""

    def _bind(self, args: Any, kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """The arrays in sequence, and the attributes by name."""
        for name in kwargs:
            if name not in self._takes.parameters:
                hint = did_you_mean(name, self.__signature__.parameters)
                what = f": it has no argument or attribute `{name}`{hint or ';'}"
                self._fail(TypeError, f"{what} call {self!r}")
        try:
            given = self._takes.bind(*args, **kwargs).arguments
        except TypeError as error:
            by_name = len(self._by_position) < len(self._attributes) and len(args) > len(self._inputs)
            hint = " (behind `*`: attributes, by name)" if by_name else ""
            self._fail(TypeError, f": {error}; call {self!r}{hint}")
        arrays = [self._array(p, given[p.key]) for p in self._inputs]
        there = [p for p in self._attributes if not p.optional or given.get(p.key) is not None]
        return arrays, {p.name: self._attribute(p, given[p.key]) for p in there}

    def _named(self, args: Any, kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """The call with its attributes by name; a call that does not fit as it is."""
        count = len(self._inputs)
        given = {p.key: value for p, value in zip(self._by_position, args[count:])}
        if count + len(given) < len(args) or not given.keys().isdisjoint(kwargs):
            return args, kwargs
        return args[:count], {**given, **kwargs}

    def _of_library(self, p: Parameter, value: Any) -> Any:
        """An array of another library, such as torch, as NumPy's view of its memory; other values as they are."""
        # Whoever has an array with a mask has imported its module. A call imports nothing: it takes 15 ms, and Python's
        # import swallows a signal that arrives in its callbacks.
        masked: Any = getattr(sys.modules.get("numpy.ma"), "MaskedArray", ())
        if isinstance(value, masked):
            self._misfit(TypeError, p, "an array with a mask", "pass `x.filled(number)`")
        if isinstance(value, self._ARRAYS) or not hasattr(value, "__dlpack__"):
            return value
        try:
            return of_library(value)
        except TypeError as error:
            self._misfit(TypeError, p, called(value), str(error))

    def _attribute(self, p: Parameter, value: Any) -> Any:
        if p.kind == "string":
            if not isinstance(value, str):
                self._misfit(TypeError, p, called(value), "pass a str")
            if p.words and value not in p.words:
                hint = did_you_mean(value, p.words).removeprefix("; ") or "pass one of them"
                self._misfit(ValueError, p, shown(value), hint)
            try:
                value.encode()
            except UnicodeEncodeError as error:
                what = f"character {error.start} is half of a pair of UTF-16, which no text in UTF-8 has; leave it out"
                self._misfit(ValueError, p, shown(value), what)
            return value
        value = self._of_library(p, value)
        if isinstance(value, self._ARRAYS) and value.ndim == (p.kind == "array"):
            value = np.asarray(value)[()]
        if p.kind == "scalar":
            return np.asarray(self._number(p, value))
        if not isinstance(value, (list, tuple)) and np.ndim(value) != 1:
            self._misfit(TypeError, p, called(value), "pass a list, or an array of rank 1")
        return np.asarray([self._number(p, number) for number in value], p.dtype)

    def _number(self, p: Parameter, value: Any) -> Any:
        """One number in the declared element type: integers exactly, floats rounded."""
        dtype, number, kind = p.dtype, value, kind_of(p.dtype)
        if isinstance(value, np.generic) and kind_of(value.dtype):
            number = {"b": bool, "i": int, "f": float, "c": complex}[kind_of(value.dtype)](value)
        takes = {"b": (bool,), "i": (int,), "f": (int, float), "c": (int, float, complex)}[kind]
        if type(number) not in takes:
            asked = {"b": "True or False", "i": "an integer"}.get(kind, "a number")
            each = " for each element" if p.kind == "array" else ""
            self._misfit(TypeError, p, called(value), f"pass {asked}{each}")
        if kind == "i" and not p.limits().min <= number <= p.limits().max:
            what = f"{p.element_type} goes from {p.limits().min} to {p.limits().max}"
            self._misfit(ValueError, p, called(number), what)
        try:
            with np.errstate(over="ignore"):
                made = np.asarray(number, dtype)[()]
        except OverflowError:
            made = np.asarray(np.nan, dtype)[()]
        finite = type(number) is int or cmath.isfinite(number)
        if kind in "fc" and finite and not np.isfinite(made):
            what = f"{p.element_type} ends at {float(p.limits().max):.7g}"
            self._misfit(ValueError, p, called(number), what)
        if kind in "fc" and type(number) is int and complex(made) != number:
            what = f"{p.element_type} does not have this integer; float(…) rounds it"
            self._misfit(ValueError, p, called(number), what)
        return made

    def _dtype(self, p: Parameter) -> np.dtype[Any]:
        return p.dtype

    def _array(self, p: Parameter, value: Any) -> Any:
        """An input with the declared element type."""
        if type(value) in (bool, int, float, complex):
            return np.asarray(self._number(p, value))
        value = self._of_library(p, value)
        if not isinstance(value, self._ARRAYS):
            self._no_array(p, value)
        value = np.asarray(value)
        if value.dtype != p.dtype:
            self._other_type(p, value)
        return value

    def _no_array(self, p: Parameter, value: Any) -> NoReturn:
        found = f"a value of type {type(value).__name__}" if hasattr(value, "dtype") else called(value)
        self._misfit(TypeError, p, found, f"pass an array, as with `{self._AS_ARRAY}`")

    def _other_type(self, p: Parameter, array: Any) -> NoReturn:
        self._misfit(TypeError, p, called(array), f"pass {p.element_type}, as with `.astype({p.dtype.name!r})`")
