"""Array layouts of XLA: what they are, what they cost, and copies between them.

==============================  ==========================================================
`xlayout.Layout`                a layout, of XLA's text, an array, JAX, MLIR, CuTe, …
`xlayout.audit`                 the copies, the memory and the padding of a compiled program
`xlayout.copy`                  a copy of an array with another sequence of dimensions
`xlayout.relayout`              a copy of an array in any layout, tiled ones too
the program ``xlayout``         all of it, and more, in a terminal: ``xlayout --help``
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

from xlayout._native import VERSION as __version__
from xlayout._audit import Audit, Copy, Memory, MemorySpace, audit
from xlayout._copy import copy, relayout
from xlayout._layout import Layout

__all__ = ["Audit", "Copy", "Layout", "Memory", "MemorySpace", "__version__", "audit", "copy", "relayout"]
