"""What a compiled program spends on copies, memory and padding."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from xlayout import _native

__all__ = ["Audit", "Copy", "Memory", "MemorySpace", "audit"]


@dataclass(frozen=True)
class Copy:
    """An operation that moves data without computing. ``str(copy)`` is what people read.

    Attributes
    ----------
    module, computation, instruction, opcode
        Which instruction it is.
    kind
        ``"layout"``, ``"memory_space"`` or ``"rearrange"``.
    from_shape, to_shape
        The array before and after it, with their layouts.
    bytes
        What all executions read and write, padding included; those of one where their number is unknown.
    executions
        How often it runs; `None` in a loop of unknown length.
    cause
        Why it is there, in words.
    remedies
        Advice, each with lines to paste, that removes it; empty where none is known.
    producer, consumers
        The instruction whose result is copied, and those that use the copy.
    op_name, source
        The operation of the program that it belongs to, and the line of the program.
    """

    module: str
    computation: str
    instruction: str
    opcode: str
    kind: str
    from_shape: str
    to_shape: str
    bytes: int
    executions: int | None
    cause: str
    remedies: tuple[str, ...]
    producer: str
    consumers: tuple[str, ...]
    op_name: str
    source: str | None
    _text: str = field(repr=False)

    def __str__(self) -> str:
        return "\n".join([self._text, *self.remedies])


@dataclass(frozen=True)
class MemorySpace:
    """The memory of one space over the schedule.

    Attributes
    ----------
    module
        The name of the module.
    space
        The number of the memory space; 0 is the default.
    peak_bytes
        What XLA counts, or allocates, for it.
    live_bytes
        The most that is alive at one step of the schedule.
    at, computation
        The instruction at which so much is alive first.
    buffers
        What is alive then, the largest first, each with ``instruction``, ``kind``, ``shape``, ``bytes``, ``logical_bytes``,
        ``op_name``, ``source`` and ``better``: a layout that wastes less, or `None`.
    timeline
        The most that is alive in each part of the schedule, parts being equally long.
    """

    module: str
    space: int
    peak_bytes: int
    live_bytes: int
    at: str
    computation: str
    buffers: tuple[Mapping[str, Any], ...] = field(repr=False)
    timeline: tuple[int, ...] = field(repr=False)


class Memory(tuple[MemorySpace, ...]):
    """The memory spaces of a program, by module and number."""

    @property
    def peak_bytes(self) -> int:
        """The sum of what XLA counts for all spaces."""
        return sum(space.peak_bytes for space in self)

    @property
    def live_bytes(self) -> int:
        """The sum of the most that is alive in each space."""
        return sum(space.live_bytes for space in self)

    def space(self, number: int) -> tuple[MemorySpace, ...]:
        """The spaces of this number, one for each module."""
        return tuple(space for space in self if space.space == number)


class Audit:
    """What a compiled program spends on copies, memory and padding; `audit` makes it.

    ``print(audit)`` shows the summary, and a notebook shows a page with the memory over time.
    """

    def __init__(self, hlo: bytes, name: str) -> None:
        self._hlo = hlo
        self._name = name
        self._summary, text = _native.audit(hlo, name)
        self._found: dict[str, Any] = json.loads(text)

    @cached_property
    def copies(self) -> tuple[Copy, ...]:
        """The copies, those of most bytes first.

        Examples
        --------
        >>> found = audit(_EXAMPLE)
        >>> [(copy.instruction, copy.bytes) for copy in found.copies]
        [('c', 57344)]
        >>> print(found.copies[0].cause)
        entry parameter 0 fixes the layout before it, entry result the one after it
        """
        return tuple(_copy(found) for found in self._found["copies"])

    @cached_property
    def memory(self) -> Memory:
        """The memory spaces.

        Examples
        --------
        >>> audit(_EXAMPLE).memory.peak_bytes
        57344
        """
        return Memory(
            MemorySpace(
                module=module["module"],
                space=space["space"],
                peak_bytes=int(space["peak_bytes"]),
                live_bytes=int(space["live_bytes"]),
                at=space["at"],
                computation=space["computation"],
                buffers=tuple(space["buffers"]),
                timeline=tuple(int(part) for part in space["timeline"]),
            )
            for module in self._found["memory"]
            for space in module["spaces"]
        )

    @property
    def padding_bytes(self) -> int:
        """The padding of the arrays of the entry computation.

        Examples
        --------
        >>> audit(_EXAMPLE).padding_bytes
        50944
        """
        return int(self._found["arrays"]["totals_in_entry"]["padding_bytes"])

    @property
    def copied_bytes(self) -> int:
        """What all copies read and write."""
        return sum(copy.bytes for copy in self.copies)

    @property
    def mistakes(self) -> tuple[str, ...]:
        """Parts of the program that could not be read, in words. ``print`` and ``repr`` say that there are some."""
        return tuple(self._found["mistakes"])

    def to_dict(self) -> dict[str, Any]:
        """All findings, as `json` writes them.

        The keys are those of ``xlayout hlo copies --json``; ``memory`` has those of ``xlayout hlo memory --json`` for each
        module, and ``arrays`` those of ``xlayout hlo --json``.
        """
        found: dict[str, Any] = json.loads(json.dumps(self._found))
        return found

    def assert_no_copies(self, min_bytes: int = 0, *, kinds: Sequence[str] = ("layout", "rearrange")) -> None:
        """Fail if the program copies.

        Parameters
        ----------
        min_bytes
            Copies that read and write fewer bytes do not count.
        kinds
            Which copies count. Without ``"memory_space"`` moves to another memory, such as prefetches, do not.

        Raises
        ------
        AssertionError
            If there are such copies. The message, which pytest shows, has each of them with its cause and its remedies. If a part
            of the program could not be read, since it may copy.

        Examples
        --------
        >>> audit(_EXAMPLE).assert_no_copies(min_bytes=1 << 20)
        """
        __tracebackhide__ = True
        found = [copy for copy in self.copies if copy.bytes >= min_bytes and copy.kind in kinds]
        said = []
        if found:
            limit = f" of {min_bytes:,} bytes or more" if min_bytes else ""
            said.append(f"{self._name} makes {_counted(len(found), 'copy', 'copies')}{limit}:")
            said.extend(_first(found))
        if self.mistakes:
            said.append(self._unread())
        if said:
            raise AssertionError("\n\n".join(said))

    def _unread(self) -> str:
        """That a part of the program is not in the figures."""
        parts = _counted(len(self.mistakes), "part", "parts")
        head = f"{parts} of {self._name} could not be read, so that copies may be missing:"
        return "\n\n".join([head, *_first(self.mistakes)])

    def to_html(self) -> str:
        """A page with the memory over time, the arrays and the copies, which needs nothing else."""
        return _native.page(self._hlo, self._name)

    def _repr_html_(self) -> str:
        """What a notebook shows: the page in a frame of its own, so that its styles stay in it."""
        page = self.to_html().replace("&", "&amp;").replace('"', "&quot;")
        return (
            f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 0" '
            'sandbox="allow-scripts" title="Memory and copies"></iframe>'
        )

    def __str__(self) -> str:
        return "\n\n".join([self._unread(), self._summary]) if self.mistakes else self._summary

    def __repr__(self) -> str:
        unread = f"; {_counted(len(self.mistakes), 'part', 'parts')} not read" if self.mistakes else ""
        return (
            f"<xlayout.Audit of {self._name}: {_counted(len(self.copies), 'copy', 'copies')}, "
            f"{self.copied_bytes:,} bytes read and written; peak {self.memory.peak_bytes:,} bytes{unread}>"
        )


def audit(compiled: Any) -> Audit:
    """Find what a compiled program spends on copies, memory and padding.

    Parameters
    ----------
    compiled
        One of

        - what ``jax.jit(f).lower(…).compile()`` returns, or another object with ``as_text()``;
        - the text of a module, which begins with ``HloModule``;
        - the bytes of a text or of a proto, compressed or not;
        - the path of such a file, as a `str` or an `os.PathLike`. Files that XLA writes beside it are read, too.

    Returns
    -------
    Audit

    Raises
    ------
    ValueError
        If it is no HLO.
    OSError
        If the file cannot be read.
    TypeError
        If it is none of these.

    Examples
    --------
    >>> found = audit(_EXAMPLE)
    >>> found
    <xlayout.Audit of m: 1 copy, 57,344 bytes read and written; peak 57,344 bytes>
    """
    if isinstance(compiled, Audit):
        return compiled
    if isinstance(compiled, (bytes, bytearray, memoryview)):
        return Audit(bytes(compiled), "module")
    if isinstance(compiled, str):
        if compiled.lstrip("\ufeff \t\r\n").startswith("HloModule") or "\n" in compiled:
            return _of_text(compiled)
        compiled = os.fspath(compiled)
    elif hasattr(compiled, "as_text"):
        text = compiled.as_text()
        if not isinstance(text, str):
            raise TypeError(f"the {type(compiled).__name__} has no text; compile it: `jax.jit(f).lower(…).compile()`")
        if text.lstrip().startswith("module @"):
            raise TypeError("the program is not compiled: call `.compile()` first")
        return _of_text(text)
    elif not hasattr(compiled, "__fspath__"):
        raise TypeError(
            "a compiled program, HLO or a path is audited, and a "
            f"{type(compiled).__name__} was found; write `jax.jit(f).lower(…).compile()`"
        )
    with open(compiled, "rb") as file:
        return Audit(file.read(), os.fsdecode(compiled))


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _first(all: Sequence[Any]) -> list[str]:
    """The texts of the first ten, and how many more there are."""
    shown = [str(each) for each in all[:10]]
    if len(all) > len(shown):
        shown.append(f"… {len(all) - len(shown)} more")
    return shown


def _of_text(text: str) -> Audit:
    """A text is named by its module."""
    words = text.lstrip("\ufeff \t\r\n").split(maxsplit=2)
    name = words[1].rstrip(",") if len(words) > 1 and words[0] == "HloModule" else "module"
    return Audit(text.encode("utf-8", "surrogateescape"), name)


def _copy(found: Mapping[str, Any]) -> Copy:
    executions = found["executions"]
    return Copy(
        module=found["module"],
        computation=found["computation"],
        instruction=found["instruction"],
        opcode=found["opcode"],
        kind=found["kind"],
        from_shape=found["from_shape"],
        to_shape=found["to_shape"],
        bytes=int(found["bytes"]),
        executions=None if executions is None else int(executions),
        cause=found["cause"],
        remedies=tuple(found["remedies"]),
        producer=found["producer"],
        consumers=tuple(found["consumers"]),
        op_name=found["op_name"],
        source=found["source"],
        _text=found["text"],
    )


# For the examples of this module.
_EXAMPLE = """HloModule m, is_scheduled=true

ENTRY %e {
  %p = f32[8,100]{1,0:T(8,128)} parameter(0)
  ROOT %c = f32[8,100]{0,1:T(8,128)} copy(%p)
}
"""
