"""A program that uses the package, for mypy and pyright; it is not run."""

from typing import assert_type

import numpy as np
import numpy.typing as npt

import xlayout

layout = xlayout.Layout("f32[2,3]{0,1}")
assert_type(layout.linear_index(1, 2), int)
assert_type(layout.linear_index([0, 1], 2), npt.NDArray[np.int64])
assert_type(layout.index_at(3), tuple[int, ...] | None)
assert_type(xlayout.copy(np.zeros((2, 3), np.float32)), npt.NDArray[np.float32])
found = xlayout.audit("module.hlo")
for copy in found.copies:
    assert_type(copy.remedies, tuple[str, ...])
for space in found.memory:
    assert_type(space.peak_bytes, int)
