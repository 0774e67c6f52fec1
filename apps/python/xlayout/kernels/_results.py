"""The results of a call with several outputs."""

from __future__ import annotations

import collections
import functools
from typing import Any


@functools.cache
def outputs(kernel: str, names: tuple[str, ...]) -> Any:
    """The named tuple of a kernel's results: one class for the same names.

    `pickle` finds a class by its module and name. This one is made when a library is loaded, so it
    is pickled as the call that makes it.
    """
    make: Any = collections.namedtuple
    made = make(f"{kernel}_outputs", names, rename=True)
    made.__reduce__ = lambda self: (_of, (kernel, names, *self))
    made.__doc__ = f"The results of the kernel `{kernel}`: {', '.join(made._fields)}."
    return made


def _of(kernel: str, names: tuple[str, ...], *values: Any) -> Any:
    return outputs(kernel, names)(*values)
