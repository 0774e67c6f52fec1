"""Texts: how a value, a rank or a name is called in a message."""

from __future__ import annotations

import difflib
import operator
import re
import reprlib
from collections.abc import Collection
from typing import Any

import jax
import jax.export
import jax.numpy as jnp
import numpy as np


class Text(str):
    """Text that a signature shows without quotes."""

    __repr__ = str.__str__


def kind_of(dtype: np.dtype[Any]) -> str:
    kinds = {"b": jnp.bool_, "i": jnp.integer, "f": jnp.floating, "c": jnp.complexfloating}
    return next(kind for kind, of in kinds.items() if jnp.issubdtype(dtype, of))


def called(value: Any) -> str:
    """What was found, in XLA's words where it is an array."""
    if value is None or type(value) in (bool, int, float, complex):
        return reprlib.repr(value)
    try:
        aval = jax.typeof(value)
        name = str(aval.dtype).replace("bfloat", "bf").replace("_", "")
    except (TypeError, AttributeError, RecursionError):
        return f"a value of type {type(value).__name__}"
    names = {"bool": "pred", "int": "s", "uint": "u", "float": "f", "complex": "c"}
    letters = re.match("[a-z]*", name)[0]  # type: ignore[index]
    name = names.get(letters, letters) + name[len(letters) :]
    return f"{name}[{','.join(map(str, aval.shape))}]"


def size_of(size: Any) -> Any:
    return size if jax.export.is_symbolic_dim(size) else operator.index(size)


def dimensions(rank: int, found: int | None = None) -> str:
    text = f"pass {rank} dimension" + "s" * (rank != 1)
    return text if found is None else f"{text}, not {found}"


def did_you_mean(name: str, known: Collection[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean `{close[0]}`?" if close else ""
