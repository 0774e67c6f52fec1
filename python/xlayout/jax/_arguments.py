"""The arguments of a call: arrays and attributes, with the declared types."""

from __future__ import annotations

import cmath
import reprlib
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.interpreters import mlir

from ._declaration import Declaration
from ._parameter import Parameter
from ._untyped import finfo, iinfo, is_of_kind, is_traced
from ._words import called, did_you_mean, kind_of


class Arguments(Declaration):
    """Binds the arguments of a call, and checks them while JAX traces."""

    def _bind(self, args: Any, kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """The arrays in sequence, and the attributes as XLA takes them."""
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
        known = (jax.Array, np.ndarray, np.generic)
        if isinstance(value, known) or not hasattr(value, "__dlpack__"):
            return value
        try:
            return np.from_dlpack(value)
        except Exception as error:  # each library has its own
            what = f"NumPy does not take it by DLPack ({error}); pass an array, as with `jnp.asarray(…)`"
            self._misfit(TypeError, p, called(value), what)

    def _attribute(self, p: Parameter, value: Any) -> Any:
        if is_traced(value):
            what = (
                "an attribute is part of the compiled program; pass its value, name the argument in "
                f"`static_argnames` of jax.jit, or declare an input: `{p.name}: In<layout!({p.array})>`"
            )
            self._misfit(TypeError, p, "a value that JAX traces", what)
        if p.kind == "string":
            if not isinstance(value, str):
                self._misfit(TypeError, p, called(value), "pass a str")
            if p.words and value not in p.words:
                hint = did_you_mean(value, p.words).removeprefix("; ") or "pass one of them"
                self._misfit(ValueError, p, reprlib.repr(value), hint)
            value.encode()  # JAX's own words about half of a pair of UTF-16 do not say what is wrong
            return value
        if isinstance(value, (jax.Array, np.ndarray)) and value.ndim == (p.kind == "array"):
            value = np.asarray(value)[()]
        if p.kind == "scalar":
            return Attribute(np.asarray(self._number(p, value)))
        if not isinstance(value, (list, tuple)) and np.ndim(value) != 1:
            self._misfit(TypeError, p, called(value), "pass a list, or an array of rank 1")
        return Attribute(np.asarray([self._number(p, number) for number in value], p.dtype))

    def _number(self, p: Parameter, value: Any) -> Any:
        """One number in the declared element type: integers exactly, floats rounded."""
        dtype, number, kind = p.dtype, value, kind_of(p.dtype)
        if isinstance(value, np.generic):
            number = {"b": bool, "i": int, "f": float, "c": complex}[kind_of(value.dtype)](value)
        takes = {"b": (bool,), "i": (int,), "f": (int, float), "c": (int, float, complex)}[kind]
        if type(number) not in takes:
            asked = {"b": "True or False", "i": "an integer"}.get(kind, "a number")
            self._misfit(TypeError, p, called(value), f"pass {asked}")
        if kind == "i" and not iinfo(dtype).min <= number <= iinfo(dtype).max:
            what = f"{p.element_type} goes from {iinfo(dtype).min} to {iinfo(dtype).max}"
            self._misfit(ValueError, p, called(number), what)
        try:
            with np.errstate(over="ignore"):
                made = np.asarray(number, dtype)[()]
        except OverflowError:
            made = np.asarray(np.nan, dtype)[()]
        finite = type(number) is int or cmath.isfinite(number)
        if kind in "fc" and finite and not np.isfinite(made):
            what = f"{p.element_type} ends at {float(finfo(dtype).max):.7g}"
            self._misfit(ValueError, p, called(number), what)
        if kind in "fc" and type(number) is int and complex(made) != number:
            what = f"{p.element_type} does not have this integer; float(…) rounds it"
            self._misfit(ValueError, p, called(number), what)
        return made

    def _dtype(self, p: Parameter) -> np.dtype[Any]:
        if jax.dtypes.canonicalize_dtype(p.dtype) != p.dtype:
            what = (
                "and JAX has no 64-bit types unless they are turned on; put "
                '`jax.config.update("jax_enable_x64", True)` at the start of the program'
            )
            self._fail(TypeError, f": {p.role} `{p.name}` is declared as {p.long}, {what}")
        return p.dtype

    def _array(self, p: Parameter, value: Any) -> Any:
        """An input as JAX takes it, with the declared element type."""
        dtype = self._dtype(p)
        if type(value) in (bool, int, float, complex):
            return jnp.asarray(self._number(p, value))
        value = self._of_library(p, value)
        try:
            aval = jax.typeof(value)
        except (TypeError, RecursionError):  # JAX's own message has the `repr` of all that is nested
            self._misfit(TypeError, p, called(value), "pass an array, as with `jnp.asarray(…)`")
        if isinstance(value, jax.ShapeDtypeStruct):
            what = "pass an array, or pass this to `jax.eval_shape(f, …)` or `jax.jit(f).lower(…)`"
            self._misfit(TypeError, p, "a jax.ShapeDtypeStruct", what)
        if is_of_kind(aval.dtype, jax.dtypes.prng_key):
            what = "draw numbers with it, as with `jax.random.normal(key, shape)`"
            if p.element_type == "u32":
                what = "pass `jax.random.key_data(key)`, which is its u32[2]"
            self._misfit(TypeError, p, "a key of jax.random", what)
        if aval.dtype != dtype:
            # As everywhere in JAX: what comes from a Python number takes the type that it meets.
            if aval.weak_type and "bifc".index(kind_of(aval.dtype)) <= "bifc".index(kind_of(dtype)):
                return jax.lax.convert_element_type(value, dtype)
            what = f"pass {p.element_type}, as with `.astype({dtype.name!r})`"
            self._misfit(TypeError, p, called(value), what)
        if value.dtype != dtype and kind_of(dtype) == "i" and np.size(value):
            # JAX without 64-bit types takes the low 32 bits of NumPy's.
            for number in (np.min(value), np.max(value)):
                self._number(p, number)
        return value


class Attribute:
    """A value of an attribute by its bits.

    JAX keeps what it compiled by the attributes' values, and to Python 0.0 is -0.0 and no NaN is
    another.
    """

    def __init__(self, value: np.ndarray[Any, Any]):
        self._value = value
        self._key = (value.dtype.name, value.shape, value.tobytes())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Attribute) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return repr(self._value[()])

    def __jax_array__(self) -> Any:
        """What JAX asks for when it writes the attribute down."""
        if self._value.dtype == np.uint64 and not self._value.ndim:
            # JAX's own way ends at 2**63.
            return mlir.ir.Attribute.parse(f"{self._value} : ui64")
        return self._value if self._value.ndim else self._value[()]
