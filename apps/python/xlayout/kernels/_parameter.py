"""A parameter of a kernel, as the shared object describes it."""

from __future__ import annotations

import functools
import importlib
import keyword
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._sums import Size, size
from ._words import kind_of


class Parameter:
    """A parameter: an array, or an attribute."""

    def __init__(self, entry: Mapping[str, Any]):
        self.name: str = entry["name"]
        self.kind: str = entry["kind"]
        self.element_type: str = entry.get("element_type", "")
        self.number: int = entry.get("number", 0)
        """The number that XLA's FFI has for the element type."""
        self.numpy_type: str = entry.get("numpy_type", "")
        self.by_items: bool = entry.get("by_items", False)
        """Whether a call with a batch may pass the array row-major, to be converted item by item."""
        self.bits: int = entry.get("bits", 8)
        self.optional: bool = entry.get("optional", False)
        self.sharding: str = entry.get("sharding", "")
        self.whole: str = entry.get("global_shape", "")
        self.dimensions: Sequence[Size] = [size(d) for d in entry.get("dimensions", ())]
        self.major_to_minor: Sequence[int] = entry.get("major_to_minor", ())
        taken = keyword.iskeyword(self.name) or self.name == "out_shapes"
        self.key = self.name + "_" * taken
        """The name in a call."""
        of = self.element_type
        self.words: Sequence[str] = entry.get("words", ())
        """The words of which a string is one; empty where it is any."""
        words = ", ".join(f'"{word}"' for word in self.words)
        text = f"Literal[{words}]" if words else "str"
        short = {"scalar": of, "array": f"[{of}]", "string": text}
        text = f"one of {words}" if words else "a string"
        long = {"scalar": f"one {of}", "array": f"an array of {of}", "string": text}
        self.short: str = entry.get("shape") or short.get(self.kind, "")
        self.long: str = entry.get("shape") or long.get(self.kind, "")
        self.array = f"{of}[?]" if self.kind == "array" else f"{of}[]"
        if "converted" in entry:  # inside of the kernel
            self.short += f" as {entry['converted'].partition(']')[2]}"
        self.short += " | None" * self.optional
        role = {"in": "argument", "in_out": "argument", "out": "result"}
        self.role = role.get(self.kind, "attribute")

        self.rank = len(self.dimensions)
        # For each dimension the factor of Shardy's rule that it is; None where it is whole.
        whole = (None,) * self.rank
        self.argument_factors: Sequence[str | None] = entry.get("argument_factors", whole)
        self.result_factors: Sequence[str | None] = entry.get("result_factors", whole)

    @functools.cached_property
    def dtype(self) -> np.dtype[Any]:
        """The element type; where it is missing here, only calls are refused."""
        try:
            found: np.dtype[Any] = np.dtype(self.numpy_type)
        except TypeError:
            found = np.dtype(getattr(_more_types(self.element_type), self.numpy_type))
        return found

    def limits(self) -> Any:
        """The numbers of the element type, as `numpy.iinfo` or `numpy.finfo` have them."""
        of_numpy = self.dtype.kind in "iufc"
        module = np if of_numpy else _more_types(self.element_type)
        return (module.iinfo if kind_of(self.dtype) == "i" else module.finfo)(self.dtype)

    def layout(self, leading: int, by_items: bool = False) -> tuple[int, ...]:
        """JAX's major_to_minor, with the dimensions of a batch as the most major."""
        if by_items and self.by_items:
            return tuple(range(leading + self.rank))
        return (*range(leading), *(leading + d for d in self.major_to_minor))


def _more_types(name: str) -> Any:
    """The element types that NumPy itself does not have."""
    try:
        return importlib.import_module("ml_dtypes")
    except ImportError:
        raise TypeError(f"NumPy has no elements of type {name}; with ml_dtypes it has more: `pip install ml_dtypes`") from None
