"""Array layouts of XLA: what they are, what they cost, and copies between them.

==============================  ==========================================================
`xlayout.Layout`                a layout, of XLA's text, an array, JAX, MLIR, CuTe, …
`xlayout.audit`                 the copies, the memory and the padding of a compiled program
`xlayout.copy`                  a copy of an array with another sequence of dimensions
`xlayout.relayout`              a copy of an array in any layout, tiled ones too
`xlayout.jax`                   kernels written in Rust, as functions of JAX
`xlayout.kernels`               the same kernels, as functions of NumPy without JAX
`xlayout.reshard`               units of ``xlayout reshard`` on dask or ray: ``python -m xlayout.reshard --help``
the program ``xlayout``         all of it but the kernels, and more, in a terminal: ``xlayout --help``
==============================  ==========================================================

Examples
--------
>>> import xlayout
>>> layout = xlayout.Layout("bf16[1000,3000]{1,0:T(8,128)(2,1)}")
>>> layout.nbytes, layout.padding_bytes
(6144000, 144000)
>>> layout.linear_index(1, 2)
5
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xlayout import jax, kernels
    from xlayout._audit import Audit, Copy, Memory, MemorySpace, audit
    from xlayout._copy import copy, relayout
    from xlayout._layout import Layout
    from xlayout._native import VERSION as __version__

__all__ = ["Audit", "Copy", "Layout", "Memory", "MemorySpace", "__version__", "audit", "copy", "jax", "kernels", "relayout"]

# The module of each name, and its name there. They are imported when they are used: `xlayout.jax` needs JAX and no native
# module, `xlayout.kernels` neither, and the others need the native module and no JAX.
_HOMES = {
    "Audit": ("_audit", "Audit"),
    "Copy": ("_audit", "Copy"),
    "Layout": ("_layout", "Layout"),
    "Memory": ("_audit", "Memory"),
    "MemorySpace": ("_audit", "MemorySpace"),
    "__version__": ("_native", "VERSION"),
    "audit": ("_audit", "audit"),
    "copy": ("_copy", "copy"),
    "relayout": ("_copy", "relayout"),
}

if not TYPE_CHECKING:

    def __getattr__(name):
        import importlib

        if name in ("jax", "kernels"):
            return importlib.import_module(f"xlayout.{name}")
        if name not in _HOMES:
            raise AttributeError(f"module 'xlayout' has no attribute {name!r}")
        home, its_name = _HOMES[name]
        found = globals()[name] = getattr(importlib.import_module(f"xlayout.{home}"), its_name)
        return found

    def __dir__():
        return sorted({*globals(), *__all__})
