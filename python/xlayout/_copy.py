"""Copies of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeVar, overload

import numpy as np
import numpy.typing as npt

from xlayout import _native
from xlayout._dlpack import of_library
from xlayout._layout import Layout

__all__ = ["copy", "relayout"]

_Scalar = TypeVar("_Scalar", bound=np.generic)
Order = Literal["C", "F"] | Sequence[int]

# A call of the native module takes as long as NumPy takes for a copy of so many bytes.
_SMALL = 1 << 15

# What carries elements of so many bytes: the bits are copied, whatever they mean.
_CARRIERS = {1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64", 16: "complex128"}


@overload
def copy(a: npt.NDArray[_Scalar], order: Order = "C", *, threads: int = 0) -> npt.NDArray[_Scalar]: ...
@overload
def copy(a: Any, order: Order = "C", *, threads: int = 0) -> npt.NDArray[Any]: ...
def copy(a: Any, order: Order = "C", *, threads: int = 0) -> npt.NDArray[Any]:
    """A dense copy of an array, with its dimensions in another sequence in memory.

    Does what ``np.array(a, order=order)`` does, in less time: ``xlayout.copy(a.T)`` is
    ``np.ascontiguousarray(a.T)``. The interpreter is free for other threads meanwhile; they must not write to the
    array.

    Parameters
    ----------
    a
        An array of NumPy, with any strides and element type but objects; or of a library with ``__dlpack__``, in the memory of
        the processor.
    order
        ``"C"`` is row-major, ``"F"`` column-major; or the dimensions, the one that varies fastest last, as JAX's
        ``major_to_minor``.
    threads
        At most so many threads; 0 is as many as the machine has. Small arrays are copied on the calling one.

    Returns
    -------
    numpy.ndarray
        A new array with the sizes, the element type and the elements of `a`.

    Raises
    ------
    ValueError
        If `order` does not list each dimension once.
    TypeError
        If `a` is no array, or one of Python's objects.

    Examples
    --------
    >>> a = np.arange(6, dtype=np.float32).reshape(2, 3)
    >>> b = copy(a, "F")
    >>> b.strides
    (4, 8)
    >>> bool((a == b).all())
    True
    >>> copy(a[::-1, ::2]).tolist()
    [[3.0, 5.0], [0.0, 2.0]]
    """
    array = _array(a)
    major_to_minor = _major_to_minor(order, array.ndim)
    threads = _threads(threads)
    result, places = _empty(array.dtype, array.shape, major_to_minor)
    if array.nbytes < _SMALL or array.nbytes == 0:
        result[...] = array
        return result
    source = _carried(array)
    minor_to_major = list(reversed(major_to_minor))
    if source.ndim > array.ndim:
        # The bytes of an element are one dimension more.
        minor_to_major.insert(0, array.ndim)
    layout = _native.Layout(_text(source.dtype, source.shape, minor_to_major))
    _native.relayout(source, None, _carried(places).reshape(-1), layout, threads)
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
    elif isinstance(to, Layout):
        to_layout = to
    else:
        to_layout = Layout(to, dtype=array.dtype, shape=array.shape)
    if source is None and array.shape != to_layout.shape:
        raise ValueError(
            f"the array has the sizes {array.shape}, and the layout {to_layout} is one of the sizes {to_layout.shape}"
        )
    packed = to_layout._native.element_bits < 8
    if from_layout is None or packed == (from_layout._native.element_bits < 8):
        dtype = array.dtype
    else:
        dtype = np.dtype(np.uint8)
    if packed:
        dtype = np.dtype(np.uint8)
    strides = None if packed else to_layout.byte_strides
    if strides is not None and to_layout.padding_bytes == 0:
        result, places = _empty(dtype, to_layout.shape, to_layout.major_to_minor)
    else:
        places = np.zeros(to_layout.nbytes if packed else to_layout.places, dtype)
        result = places
    if to_layout.size == 0:
        return result
    native = None if from_layout is None else from_layout._native
    _native.relayout(
        _carried(array), native, _carried(places).reshape(-1), to_layout._native, _threads(threads)
    )
    return result


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
    carrier = _CARRIERS.get(array.dtype.itemsize)
    # Subclasses have views of their own: those of a matrix have two dimensions.
    plain = array.view(np.ndarray)
    if carrier is not None:
        return plain.view(carrier)
    return plain[..., np.newaxis].view("uint8")


def _empty(
    dtype: np.dtype[Any], shape: Sequence[int], major_to_minor: Sequence[int]
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """An array with its dimensions in a sequence, and its memory as a flat one."""
    memory = np.empty([shape[dim] for dim in major_to_minor], dtype)
    inverse = sorted(range(len(major_to_minor)), key=list(major_to_minor).__getitem__)
    return memory.transpose(inverse), memory.reshape(-1)


def _text(dtype: np.dtype[Any], shape: Sequence[int], minor_to_major: Sequence[int]) -> str:
    """XLA's text of an array of a type that `_CARRIERS` has."""
    sizes = ",".join(str(size) for size in shape)
    dims = ",".join(str(dim) for dim in minor_to_major)
    # A scalar has no layout.
    layout = f"{{{dims}}}" if dims else ""
    return f"{dtype.kind}{8 * dtype.itemsize}[{sizes}]{layout}"


def _major_to_minor(order: Order, ndim: int) -> list[int]:
    if isinstance(order, str):
        if order == "C":
            return list(range(ndim))
        if order == "F":
            return list(reversed(range(ndim)))
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
