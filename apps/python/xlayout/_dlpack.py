"""Arrays of other libraries, such as PyTorch, by DLPack. It needs NumPy and no other package."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import numpy as np
import numpy.typing as npt

_TO_CPU = 'copy it first, in JAX with `jax.device_put(x, jax.devices("cpu")[0])`, in PyTorch with `x.cpu()`'


def of_library(a: Any) -> npt.NDArray[Any]:
    """An array with `__dlpack__` as one of NumPy; without a copy. What NumPy cannot read is a `TypeError`."""
    try:
        device, _ = a.__dlpack_device__()
    except Exception as why:  # each library has its own
        raise TypeError(f"the array is not in the memory of the processor ({why}); {_TO_CPU}") from why
    if device != 1:
        raise TypeError(f"the array is in the memory of device type {device} of DLPack, not in that of the processor; {_TO_CPU}")
    torch = sys.modules.get("torch")
    of_torch = torch is not None and isinstance(a, torch.Tensor)
    # PyTorch's DLPack does not tell of this bit, which `x.conj().imag` has.
    if of_torch and a.is_neg():
        raise TypeError("the elements of the tensor are those in memory times -1; take `x.resolve_neg()`")
    try:
        return np.from_dlpack(a)
    except Exception as why:
        # NumPy has no bfloat16 of its own. JAX gives a view of its memory by another way.
        if of_torch:
            return _of_torch(a, torch, why)
        if hasattr(a, "__array__"):
            return np.asarray(a)
        raise TypeError(f"NumPy cannot read the array: {why}") from why


def _of_torch(a: Any, torch: Any, why: Exception) -> npt.NDArray[Any]:
    """A tensor of PyTorch that NumPy does not read, of a type that ml_dtypes has; without a copy."""
    for wrong, help in [
        (a.is_nested, "x.to_padded_tensor(0)"),
        (a.layout != torch.strided, "x.to_dense()"),
        (a.requires_grad, "x.detach()"),
        (a.is_conj(), "x.resolve_conj()"),
    ]:
        if wrong:
            raise TypeError(f"NumPy cannot read the tensor: {why}; take `{help}`") from why
    try:
        dtype = np.dtype(getattr(importlib.import_module("ml_dtypes"), str(a.dtype).removeprefix("torch.")))
    except (ImportError, AttributeError, TypeError):
        help = "with ml_dtypes it has more, `pip install ml_dtypes`; or take the bits, `x.view(torch.int16)`"
        raise TypeError(f"NumPy has no elements of type {a.dtype}; {help}") from why
    bits: npt.NDArray[Any] = np.from_dlpack(a.view(torch.uint8 if dtype.itemsize == 1 else torch.int16))
    return bits.view(dtype)
