"""A program that uses the package, for mypy and pyright; it is not run."""

from typing import Any, assert_type

import numpy as np
import numpy.typing as npt

import xlayout
import xlayout.kernels

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

# Kernels: what a call takes and returns is known when the library is loaded.
k = xlayout.kernels.load("libmine.so", isa="baseline")
assert_type(k, xlayout.kernels.Library)
assert_type(k.scale, xlayout.kernels.Kernel)
assert_type(k["scale"], xlayout.kernels.Kernel)
assert_type(list(k), list[str])
x: npt.NDArray[np.float32] = np.zeros((2, 3), np.float32)
assert_type(k.scale(x, a=2.0), Any)
y: npt.NDArray[np.float32] = k.scale(x=x, a=2.0, out_shapes=(2, 3))
low, high = k.min_max(y)
assert_type(k.any_order.layouts[1], xlayout.kernels.Kernel)
for kernel in k.axpy.types:
    assert_type(kernel, xlayout.kernels.Kernel)
    assert_type(kernel.isa, str)
    assert_type(kernel.vjp, str)


def called(of: xlayout.kernels.Kernel, *arrays: npt.ArrayLike) -> npt.NDArray[np.float32]:
    result: npt.NDArray[np.float32] = of(*arrays, a=1)
    return result
