"""The arguments of a call: arrays and attributes as JAX takes them."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.interpreters import mlir

from ..kernels._arguments import Arguments
from ..kernels._parameter import Parameter
from ..kernels._words import kind_of
from ._untyped import is_of_kind, is_traced


class OfJax(Arguments):
    """Checks the arguments of a call while JAX traces."""

    _ARRAYS = (jax.Array, np.ndarray, np.generic)
    _AS_ARRAY = "jnp.asarray(…)"

    def _attribute(self, p: Parameter, value: Any) -> Any:
        if is_traced(value):
            what = (
                "an attribute is part of the compiled program; pass its value, name the argument in "
                f"`static_argnames` of jax.jit, or declare an input: `{p.name}: In<layout!({p.array})>`"
            )
            self._misfit(TypeError, p, "a value that JAX traces", what)
        found = super()._attribute(p, value)
        return Attribute(found) if isinstance(found, np.ndarray) else found

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
            if isinstance(value, np.ndarray):
                self._other_type(p, value)
            self._no_array(p, value)
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
            self._other_type(p, aval)
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
