"""Copies of arrays."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from xlayout import _native
from xlayout._dlpack import of_library
from xlayout._layout import Layout, _dtype_name, _of_array
from xlayout._native import copy

__all__ = ["copy", "relayout"]

Order = Literal["C", "F"] | Sequence[int]

_is_small = _native.is_small

# What carries elements of so many bytes: the bits are copied, whatever they mean.
_CARRIERS = {1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64", 16: "complex128"}

# The numbers of NumPy's own types that DLPack knows. Only their width counts.
_KNOWN = frozenset(np.dtype(letter).num for letter in "?bBhHiIlLqQefdFD")


def _copy_any(a: Any, order: Order, threads: int) -> npt.NDArray[Any]:
    """What `copy` does with arguments that it does not hand to NumPy: python/src/small.rs."""
    array = _array(a)
    result = _empty(array.dtype, array.shape, order)
    threads = _threads(threads)
    if array.nbytes == 0 or _is_small(array.nbytes, array.itemsize, array.strides == result.strides):
        result[...] = array
    else:
        _native.copy_to(_carried(array), _carried(result), threads)
    return result


def relayout(
    a: Any, to: Layout | str, *, source: Layout | str | None = None, threads: int = 0
) -> npt.NDArray[Any]:
    """A copy of an array in any layout: with tiles, padding, packed elements.

    The interpreter is free for other threads meanwhile; they must not write to the array.

    Parameters
    ----------
    a
        An array of NumPy or of a library with ``__dlpack__``, in the memory of the processor. With `source` it is the memory of
        such a layout: a flat array, as this function returns it.
    to
        The layout of the result; a layout alone, ``"{1,0:T(8,128)}"``, is one of an array of the same type and sizes.
    source
        The layout of `a`, if `a` is flat memory.
    threads
        At most so many threads; 0 is as many as the machine has. Small arrays are copied on the calling one.

    Returns
    -------
    numpy.ndarray
        If `to` has strides, the array with these strides. Otherwise the memory of the layout, with zeros in the padding: a
        flat array of ``to.places`` elements; of bytes if the elements are packed.

    Raises
    ------
    ValueError
        If the sizes or the element types differ, the memory of `source` has another length, or a text is no layout.
    TypeError
        If `a` is no array, or one of Python's objects.

    Examples
    --------
    >>> a = np.arange(30, dtype=np.float32).reshape(5, 6)
    >>> tiles = relayout(a, "{1,0:T(4,4)}")
    >>> tiles.shape
    (64,)
    >>> back = relayout(tiles, "f32[5,6]{1,0}", source="f32[5,6]{1,0:T(4,4)}")
    >>> bool((back == a).all())
    True
    """
    array = _array(a)
    from_layout: Layout | None = None
    if source is not None:
        from_layout = Layout(source)
        to_layout = from_layout._like(to)
    else:
        to_layout = _of_array(to, _dtype_name(array.dtype), array.shape)
    if from_layout is None and array.shape != to_layout.shape:
        raise ValueError(
            f"the array has the sizes {array.shape}, and the layout {to_layout} is one of the sizes {to_layout.shape}"
        )
    in_bytes = _is_bytes(to_layout)
    dtype = np.dtype(np.uint8)
    if from_layout is not None and _is_bytes(from_layout):
        _check_bytes(array, from_layout)
    else:
        _check_type(array, from_layout or to_layout)
        dtype = dtype if in_bytes else array.dtype
    places = np.zeros(to_layout.nbytes if in_bytes else to_layout.places, dtype)
    strides = None if in_bytes or to_layout.padding_bytes else to_layout.byte_strides
    result = places if strides is None else np.ndarray(to_layout.shape, dtype, places, strides=strides)
    if to_layout.size == 0:
        return result
    native = None if from_layout is None else from_layout._native
    _native.relayout(_carried(array), native, _carried(places), to_layout._native, _threads(threads))
    return result


def _is_bytes(layout: Layout) -> bool:
    """Whether its elements take another width in memory than in an array of NumPy, so that its memory is an array of bytes."""
    native = layout._native
    return native.element_bits != 8 * native.element_bytes


def _check_bytes(array: npt.NDArray[Any], layout: Layout) -> None:
    """The array is memory whose elements take another width than in NumPy."""
    if array.dtype.itemsize != 1:
        raise ValueError(
            f"the array has elements of type {_dtype_name(array.dtype)}, and the memory of the layout {layout} is bytes; take "
            "the bytes, `a.view('uint8')`"
        )


def _check_type(array: npt.NDArray[Any], layout: Layout) -> None:
    """The array has elements of the layout's type: their bits are copied."""
    found, expected = _dtype_name(array.dtype), layout.dtype
    if found == expected or (array.dtype == np.uint8 and layout._native.element_bytes == 1 and not _is_known(expected)):
        return
    same_width = array.dtype.itemsize == layout._native.element_bytes
    bits = f", or take the bits, `a.view({expected!r})`" if same_width else ""
    raise ValueError(
        f"the array has elements of type {found}, and those of the layout {layout} are {expected}; convert them, "
        f"`a.astype({expected!r})`{bits}"
    )


def _is_known(name: str | None) -> bool:
    """Whether NumPy has elements of this type, with `ml_dtypes` if that is here. Others are kept in bytes."""
    try:
        np.dtype(name if name in np.sctypeDict else getattr(importlib.import_module("ml_dtypes"), str(name)))
    except (ImportError, AttributeError, TypeError):
        return False
    return True


def _array(a: Any) -> npt.NDArray[Any]:
    """The array as one of NumPy; without a copy."""
    if isinstance(a, np.ndarray):
        array = a
    elif hasattr(a, "__dlpack__"):
        array = of_library(a)
    else:
        raise TypeError(f"an array is copied, and a {type(a).__name__} was found")
    if array.dtype.hasobject:
        raise TypeError("the array holds objects of Python, which only NumPy can copy")
    return array


def _carried(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same bits with a type that DLPack knows; of elements of another width the bytes, as one dimension more."""
    # Subclasses have views of their own: those of a matrix have two dimensions.
    plain = array if type(array) is np.ndarray else array.view(np.ndarray)
    if array.dtype.num in _KNOWN and array.dtype.isnative:
        return plain
    carrier = _CARRIERS.get(array.dtype.itemsize)
    if carrier is not None:
        return plain.view(carrier)
    return plain[..., np.newaxis].view("uint8")


def _empty(dtype: np.dtype[Any], shape: Sequence[int], order: Order) -> npt.NDArray[Any]:
    """An array with its dimensions in a sequence in memory."""
    if isinstance(order, str) and order in ("C", "F"):
        return np.empty(shape, dtype, order)
    major_to_minor = _major_to_minor(order, len(shape))
    memory = np.empty([shape[dim] for dim in major_to_minor], dtype)
    return memory.transpose(sorted(range(len(shape)), key=major_to_minor.__getitem__))


def _major_to_minor(order: Sequence[int] | str, ndim: int) -> list[int]:
    if isinstance(order, str):
        raise ValueError(
            f"expected `C` or `F`, found `{order}`; write `C` (row-major) or `F` (column-major), or the dimensions, the one that "
            "varies fastest last"
        )
    dims = [dim + ndim if dim < 0 else dim for dim in order]
    if sorted(dims) != list(range(ndim)):
        raise ValueError(
            f"the order {tuple(order)} does not list each of the {ndim} dimensions once; write for example {tuple(range(ndim))}"
        )
    return dims


def _threads(threads: int) -> int:
    if threads < 0:
        raise ValueError(f"there are no {threads} threads; 0 is as many as the machine has")
    return threads
