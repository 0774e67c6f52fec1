"""Texts: how a value, a rank or a name is called in a message."""

from __future__ import annotations

import difflib
import re
import reprlib
from collections.abc import Collection
from typing import Any

import numpy as np

# The first letters of a type's name in NumPy, and those in XLA.
_NAMES = {"bool": "pred", "int": "s", "uint": "u", "float": "f", "bfloat": "bf", "complex": "c", "key": "key"}


class Text(str):
    """Text that a signature shows without quotes."""

    __repr__ = str.__str__


def kind_of(dtype: np.dtype[Any]) -> str:
    """`b`, `i`, `f` or `c`; the types that NumPy itself does not have are known by their names."""
    return {"p": "b", "s": "i", "u": "i", "f": "f", "b": "f", "c": "c"}.get(_name(dtype)[:1], "")


def _name(dtype: np.dtype[Any] | str) -> str:
    """XLA's name of an element type; empty where it has none."""
    name = str(dtype).replace("_", "")
    found = re.match("[a-z]*", name)
    letters = found[0] if found else ""
    return _NAMES[letters] + name[len(letters) :] if letters in _NAMES else ""


class _Repr(reprlib.Repr):
    def repr_int(self, x: int, level: int) -> str:
        try:
            repr(x)
        except ValueError:  # more digits than Python writes
            return f"an integer of {x.bit_length()} bits"
        return super().repr_int(x, level)


shown = _Repr().repr
"""A value in a few words."""


def called(value: Any) -> str:
    """What was found, in XLA's words where it is an array."""
    if value is None or type(value) in (bool, int, float, complex):
        return shown(value)
    dtype: Any
    try:
        dtype, shape = getattr(value, "dtype", ""), getattr(value, "shape", None)
    except Exception:  # nested tensors of PyTorch have no shape
        dtype, shape = "", None
    name = _name(dtype)
    if isinstance(value, np.ndarray) and not name:
        return f"an array of {dtype}"
    if not name or type(shape) is not tuple:
        return f"a value of type {type(value).__name__}"
    return f"{name}[{','.join(map(str, shape))}]"


def dimensions(rank: int, found: int | None = None) -> str:
    text = f"pass {rank} dimension" + "s" * (rank != 1)
    return text if found is None else f"{text}, not {found}"


def did_you_mean(name: str, known: Collection[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean `{close[0]}`?" if close else ""
