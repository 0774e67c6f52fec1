"""Sizes that are computed from named ones: `2*?H`, `?H-?K+1`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


@dataclasses.dataclass(frozen=True)
class Sum:
    """Factors times the sizes of these names; a number alone has the empty name."""

    terms: tuple[tuple[int, str], ...]

    def __str__(self) -> str:
        parts = []
        for factor, name in self.terms:
            number = "" if name and abs(factor) == 1 else f"{abs(factor)}*"
            term = f"{number}?{name}" if name else str(abs(factor))
            parts.append(("-" if factor < 0 else "+") + term)
        return "".join(parts).removeprefix("+")

    def unknown(self, sizes: Iterable[str]) -> list[str]:
        """The names without a size."""
        return list({name: None for _, name in self.terms if name and name not in sizes})

    def value(self, sizes: Mapping[str, Any]) -> Any:
        """The sum; a size that is not known counts as 0."""
        total: Any = 0
        for factor, name in self.terms:
            total = total + factor * (sizes.get(name, 0) if name else 1)
        return total

    def tells(self, name: str, sizes: Iterable[str]) -> bool:
        """Whether the sum and these sizes tell that of the name."""
        return self.unknown(sizes) == [name] and self.factor(name) != 0

    def factor(self, name: str) -> int:
        """By how much the sum grows with this size."""
        return sum(factor for factor, other in self.terms if other == name)


Size = int | str | Sum | None
"""A size as it is declared: a number, a name (`?0` for `?` as dimension 0), a sum, or any (`?_`)."""


def size(entry: Any) -> Size:
    """A size from the description of the kernels."""
    return Sum(tuple((factor, name) for factor, name in entry)) if isinstance(entry, list) else entry


def found(shapes: Sequence[Sequence[Size]]) -> set[str]:
    """The names whose sizes arrays of these dimensions tell."""
    names = {d for dimensions in shapes for d in dimensions if isinstance(d, str)}
    sums = [d for dimensions in shapes for d in dimensions if isinstance(d, Sum)]
    # Each pass finds a name, or is the last.
    while more := [name for d in sums for name in d.unknown(names) if d.tells(name, names)]:
        names |= {*more}
    return names


def is_known(declared: Size, names: set[str]) -> bool:
    """Whether the sizes of these names tell this size."""
    if isinstance(declared, Sum):
        return not declared.unknown(names)
    return declared in names or type(declared) is int
