"""What a kernel declares, read from the description."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from ._parameter import Parameter
from ._results import outputs
from ._sums import found, is_known
from ._words import Text


class Refused(Exception):
    """A call is refused, with the exception that the caller gets: without the frames of checks."""


class Declaration:
    """The declaration of a kernel: its name, its parameters and its signature."""

    def __init__(self, entry: Mapping[str, Any]):
        self._parameters = parameters = [Parameter(p) for p in entry["parameters"]]
        self._inputs = [p for p in parameters if p.kind in ("in", "in_out")]
        self._outputs = [p for p in parameters if p.kind in ("out", "in_out")]
        self._attributes = [p for p in parameters if p.kind in ("scalar", "array", "string")]
        self._by_position = self._attributes_by_position()
        known = found([p.dimensions for p in self._inputs])
        self._asks_for_shapes = any(
            p.kind == "out" and not all(is_known(d, known) for d in p.dimensions)
            for p in self._outputs
        )
        self._batch: bool = entry["batch"]
        self.source: str = entry["source"]
        """The file and the line of the kernel."""
        self.vjp: str = entry["vjp"]
        """The name of the kernel that computes the derivatives; empty where there is none."""
        self.__name__ = self.__qualname__ = entry["name"]
        self._takes, self.__signature__ = self._signatures()
        self._tuple = outputs(entry["name"], tuple(p.name for p in self._outputs))
        lines = [entry["doc"] or f"The kernel at {self.source}.", *self._about()]
        self.__doc__ = "\n\n".join(lines)

    def _attributes_by_position(self) -> list[Parameter]:
        """The attributes that a call may pass by position: those behind the last array, in the sequence of the
        kernel's parameters. Others would be in another sequence in Python than in Rust, and two numbers could be
        mistaken for each other. One that has to be passed and follows an optional one is passed by name."""
        last = max((i for i, p in enumerate(self._parameters) if p in self._inputs), default=-1)
        behind = [p for p in self._parameters[last + 1 :] if p in self._attributes]
        stop = [a.optional and not b.optional for a, b in itertools.pairwise(behind)]
        return behind[: stop.index(True) + 1] if True in stop else behind

    def _signatures(self) -> tuple[inspect.Signature, inspect.Signature]:
        """What a call is bound by, and what is shown."""
        empty, by_name = inspect.Parameter.empty, inspect.Parameter.KEYWORD_ONLY
        anyhow = inspect.Parameter.POSITIONAL_OR_KEYWORD
        positional = [*self._inputs, *self._by_position]
        others = [p for p in self._attributes if p not in positional]
        made = [
            inspect.Parameter(
                p.key,
                anyhow if p in positional else by_name,
                default=None if p.optional else empty,
                annotation=Text(p.short),
            )
            for p in [*positional, *others]
        ]
        takes = inspect.Signature(made)
        if self._asks_for_shapes:
            made.append(inspect.Parameter("out_shapes", by_name))
        if len(self._outputs) == 1:
            returns = self._outputs[0].short
        else:
            returns = f"({', '.join(f'{p.name}: {p.short}' for p in self._outputs)})"
        return takes, inspect.Signature(made, return_annotation=Text(returns))

    def _show(self, kernels: Sequence[Declaration]) -> None:
        """Shows each parameter with the layouts and element types that it has in these kernels."""
        for number, p in enumerate(self._parameters):
            first, *others = dict.fromkeys(kernel._parameters[number].short for kernel in kernels)
            array = first.partition("]")[0]
            p.short = " | ".join([first, *(s.partition("]")[2] if s.startswith(array) else s for s in others)])
        self._takes, self.__signature__ = self._signatures()

    def _about(self) -> list[str]:
        """What a caller has to know beside the kernel's own documentation."""
        return ["Dimensions in front are a batch: one call for all."] if self._batch else []

    def __repr__(self) -> str:
        return f"{self.__name__}{self.__signature__}"

    def _fail(self, kind: type[Exception], what: str) -> NoReturn:
        raise Refused(kind(f"kernel `{self.__name__}`{what}"))

    def _misfit(self, kind: type[Exception], p: Parameter, found: object, what: str) -> NoReturn:
        found = f"and the call has {found}; {what}"
        self._fail(kind, f": {p.role} `{p.name}` is declared as {p.long}, {found}")
