"""Layouts."""

from __future__ import annotations

import json
import operator
from collections.abc import Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from xlayout import _native

__all__ = ["Layout"]


# More bits than XLA's widest types.
_LONG = np.dtype(np.longdouble), np.dtype(np.clongdouble)


def _dtype_name(dtype: Any) -> str:
    """The name of an element type: of `np.float32`, `jnp.bfloat16`, a NumPy dtype, or XLA's ``bf16``."""
    if isinstance(dtype, str):
        return dtype
    if type(dtype).__module__ == "torch":
        return str(dtype).removeprefix("torch.")
    found = np.dtype(dtype)
    if found.kind in "OSUMm" or found.names is not None or found in _LONG:
        width = 8 * found.itemsize
        bits = f", or take their bits, `a.view('uint{width}')`" if width in (8, 16, 32, 64) and not found.hasobject else ""
        raise ValueError(
            f"XLA has no elements of type {found.name} ({found.str}); convert them, such as `a.astype('float64')`{bits}"
        )
    return str(found.name)


class Layout:
    """Where each element of an array lies in memory.

    Parameters
    ----------
    source
        One of

        - XLA's text, ``"bf16[1000,3000]{1,0:T(8,128)(2,1)}"``; without a layout the array is row-major;
        - a layout alone, ``"{1,0:T(8,128)}"``, with `dtype` and `shape`;
        - the text of another notation: MLIR's ``memref<…>``, a tag of oneDNN, CuTe's ``(2,3):(1,2)``, TVM's ``NCHW16c``, …;
          ``xlayout explain --help`` lists them. What the text leaves out, `dtype`, `shape` and `axes` say;
        - a NumPy array, or an array of another library that has ``shape``, ``dtype`` and ``strides``, or a tensor of PyTorch;
        - an array of JAX on any device, or an object with ``shape``, ``dtype`` and ``format``, such as
          ``compiled.input_formats`` have with ``jax.ShapeDtypeStruct``;
        - a `Format` or a `Layout` of JAX, with `dtype` and `shape`;
        - another `xlayout.Layout`.
    dtype
        The element type, where the source does not say it: a dtype, or a name such as ``"bfloat16"`` or ``"bf16"``.
    shape
        The size of each dimension, where the source does not say it.
    axes
        The axes of a text of TVM's, dimension 0 first: ``"NCHW"``. Other sources have none.

    Raises
    ------
    ValueError
        If the text is no layout. The message says what was found, where, and what to write. If `dtype`, `shape` or `axes` contradict
        the source.
    TypeError
        If the source does not say the element type or the sizes, and neither do `dtype` and `shape`.

    Examples
    --------
    >>> layout = Layout("bf16[1000,3000]{1,0:T(8,128)(2,1)}")
    >>> layout.minor_to_major, layout.tiles
    ((1, 0), ((8, 128), (2, 1)))
    >>> layout.nbytes, layout.logical_bytes
    (6144000, 6000000)

    >>> import numpy as np
    >>> Layout(np.zeros((2, 3), "float32", order="F"))
    Layout('f32[2,3]{0,1}')
    >>> Layout("(2,3):(1,2)", dtype="float32")
    Layout('f32[2,3]{0,1}')

    >>> Layout("aBcd16b", dtype="float32", shape=(2, 17, 5, 7))
    Layout('f32[2,17,5,7]{3,2,1,0:T(16,1,1)}')

    >>> Layout("f32[2,3]{1,2}")
    Traceback (most recent call last):
    ...
    ValueError: minor_to_major counts dimensions from 1 (at byte 8); dimensions count from 0: did you mean `{0,1}`?
    """

    _native: _native.Layout

    def __init__(
        self, source: Any, *, dtype: Any = None, shape: Sequence[int] | None = None, axes: str | None = None
    ) -> None:
        name = None if dtype is None else _dtype_name(dtype)
        sizes = None if shape is None else [operator.index(size) for size in shape]
        self._native = _read(source, name, sizes, axes)
        self._native.check(name, sizes)

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each dimension."""
        return tuple(self._native.shape)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._native.shape)

    @property
    def element_type(self) -> str:
        """XLA's name of the element type: ``"bf16"``."""
        return str(self._explained["element_type"])

    @property
    def dtype(self) -> str | None:
        """NumPy's name of the element type, ``"bfloat16"``; `None` where it has none."""
        return self._native.dtype

    @property
    def minor_to_major(self) -> tuple[int, ...]:
        """The dimensions, the one that varies fastest in memory first."""
        return tuple(self._explained["minor_to_major"])

    @property
    def major_to_minor(self) -> tuple[int, ...]:
        """The dimensions, the one that varies fastest in memory last, as JAX lists them."""
        return tuple(self._explained["major_to_minor"])

    @property
    def tiles(self) -> tuple[tuple[int | str, ...], ...]:
        """The tiles of each level; ``"*"`` combines a dimension with the next one."""
        return tuple(tuple(tile) for tile in self._explained["tiles"])

    @property
    def memory_space(self) -> int:
        """The memory space: 0 is the default."""
        return int(self._explained["memory_space"])

    @property
    def strides(self) -> tuple[int, ...] | None:
        """The stride of each dimension in elements; `None` where tiles leave none."""
        strides = self._explained["strides"]
        return None if strides is None else tuple(strides)

    @property
    def byte_strides(self) -> tuple[int, ...] | None:
        """The stride of each dimension in bytes, as NumPy has it; `None` where there are none."""
        strides = self._explained["byte_strides"]
        return None if strides is None else tuple(strides)

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(self._explained["elements"])

    @property
    def places(self) -> int:
        """The elements that its memory has places for, padding included."""
        return self._native.places

    @property
    def nbytes(self) -> int:
        """The bytes that it takes, padding included."""
        return self._native.nbytes

    @property
    def logical_bytes(self) -> int:
        """The bytes of the elements alone."""
        return int(self._explained["logical_bytes"])

    @property
    def padding_bytes(self) -> int:
        """The bytes of padding."""
        return int(self._explained["padding_bytes"])

    @property
    def padding(self) -> float:
        """The part of `nbytes` that is padding, from 0 to 1.

        Examples
        --------
        >>> Layout("f32[8,100]{1,0:T(8,128)}").padding
        0.21875
        """
        return self.padding_bytes / self.nbytes if self.nbytes else 0.0

    # An integer is an `ArrayLike`, too; the first one counts.
    @overload
    def linear_index(self, *index: int) -> int: ...  # pyright: ignore[reportOverlappingOverload]
    @overload
    def linear_index(self, *index: npt.ArrayLike) -> npt.NDArray[np.int64]: ...
    def linear_index(self, *index: Any) -> int | npt.NDArray[np.int64]:
        """Where elements lie: their positions in memory, counted in elements.

        Parameters
        ----------
        *index
            A coordinate for each dimension: integers, or arrays of integers, which are broadcast together as NumPy does
            with ``a[i, j]``. Negative ones count from the end.

        Returns
        -------
        int or numpy.ndarray
            An array where one of the coordinates is one.

        Raises
        ------
        IndexError
            If a coordinate is out of bounds, or there are not as many as dimensions.
        TypeError
            If a coordinate is no integer.

        Examples
        --------
        >>> layout = Layout("bf16[100,3]{1,0:T(8,128)(2,1)}")
        >>> layout.linear_index(1, 2)
        5
        >>> layout.linear_index(np.arange(4)[:, None], [0, 1])
        array([[  0,   2],
               [  1,   3],
               [256, 258],
               [257, 259]])
        """
        if all(np.ndim(coordinate) == 0 for coordinate in index):
            return self._native.linear_index([operator.index(coordinate) for coordinate in index])
        arrays = [np.asarray(coordinate) for coordinate in index]
        for dimension, array in enumerate(arrays):
            if array.dtype.kind not in "iu" and array.size:
                raise TypeError(
                    f"coordinates are integers, and those of dimension {dimension} are of type {array.dtype}"
                )
            if array.dtype == np.uint64 and array.size and int(array.max()) >= 1 << 63:
                raise IndexError(f"coordinate {array.max()} of dimension {dimension} is out of bounds")
        spread = np.broadcast_arrays(*arrays)
        out = np.empty(spread[0].shape, np.int64)
        columns = [np.ascontiguousarray(array, np.int64).reshape(-1) for array in spread]
        self._native.linear_indices(columns, out.reshape(-1))
        return out

    def index_at(self, linear_index: int) -> tuple[int, ...] | None:
        """Which element lies at a position in memory, counted in elements; `None` in padding.

        Raises
        ------
        IndexError
            If the memory has fewer places.

        Examples
        --------
        >>> layout = Layout("f32[5,6]{1,0:T(4,4)}")
        >>> layout.index_at(17), layout.index_at(22)
        ((0, 5), None)
        """
        place = operator.index(linear_index)
        if place < 0:
            raise IndexError(f"linear index {place} is negative")
        index = self._native.index_at(place)
        return None if index is None else tuple(index)

    def same_map(self, other: Any) -> bool:
        """Whether both layouts put every element at the same place, in memory of the same size.

        The texts may differ: the place of a dimension of size 1 means nothing. ``==`` compares the texts.

        Parameters
        ----------
        other
            A layout, or what `Layout` takes. A layout alone, ``"{0,1}"``, is one of an array of this type and these sizes.

        Examples
        --------
        >>> Layout("f32[1,3]{1,0}").same_map("{0,1}")
        True
        >>> Layout("f32[2,3]{1,0}").same_map("{0,1}")
        False
        """
        return self._native.same_map(self._like(other)._native)

    def _like(self, other: Any) -> Layout:
        """A layout of an array of this type and these sizes, where `other` does not say them."""
        return _of_array(other, self.element_type, self.shape)

    @property
    def notations(self) -> tuple[str, ...]:
        """What `to` takes.

        Examples
        --------
        >>> "jax" in Layout("f32[2,3]").notations
        True
        """
        return ("xla", *self._explained["notations"])

    def to(self, notation: str) -> str:
        """The layout in the notation of another library.

        Parameters
        ----------
        notation
            One of `notations`.

        Raises
        ------
        ValueError
            If there is no such notation, or it cannot say this layout.

        Examples
        --------
        >>> layout = Layout("f32[2,3]{0,1}")
        >>> layout.to("cute")
        '(2,3):(1,2)'
        >>> layout.to("jax")
        'Layout(major_to_minor=(1, 0), tiling=(), sub_byte_element_size_in_bits=0)'
        >>> Layout("f32[2,3]{1,0:T(2,2)}").to("numpy")
        Traceback (most recent call last):
        ...
        ValueError: the layout is tiled, so that its dimensions have no strides
        """
        if notation == "xla":
            return str(self)
        if notation not in self._explained["notations"]:
            known = ", ".join(f"`{name}`" for name in self.notations)
            raise ValueError(f"there is no notation `{notation}`; there are {known}")
        text = self._explained["notations"][notation]
        if text is None:
            raise ValueError(self._explained["no_notation"][notation])
        return str(text)

    def to_dict(self) -> dict[str, Any]:
        """All that ``xlayout explain --json`` says.

        Examples
        --------
        >>> Layout("f32[2,3]{0,1}").to_dict()["byte_strides"]
        [4, 8]
        """
        found: dict[str, Any] = json.loads(self._native.explained())
        return found

    @cached_property
    def _explained(self) -> dict[str, Any]:
        return self.to_dict()

    def svg(
        self, *, slice: str | None = None, dims: tuple[int, int] | None = None, path: bool = True
    ) -> str:
        """A picture of the array and its memory.

        Parameters
        ----------
        slice
            The slice of an array of more than two dimensions, ``"2,:,:"``.
        dims
            The dimensions that are drawn, the one that goes down first; without it the last two.
        path
            Whether a line goes through the cells in the sequence of memory.

        Raises
        ------
        ValueError
            If the array has no such slice or dimensions.

        Examples
        --------
        >>> Layout("bf16[5,6]{1,0:T(4,4)}").svg()[:4]
        '<svg'
        """
        drawn = None if dims is None else ",".join(str(dim) for dim in dims)
        return self._native.svg(slice, drawn, path)

    def _repr_svg_(self) -> str | None:
        """What a notebook shows."""
        try:
            return self.svg()
        except ValueError:
            # There is nothing to draw, and the text says what the layout is.
            return None

    def __str__(self) -> str:
        return self._native.text

    def __repr__(self) -> str:
        return f"Layout({self._native.text!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            return NotImplemented
        return self._native.text == other._native.text

    def __hash__(self) -> int:
        return hash(self._native.text)

    def __reduce__(self) -> tuple[type[Layout], tuple[str]]:
        return Layout, (self._native.text,)


def _of_array(source: Any, dtype: str, shape: Sequence[int]) -> Layout:
    """What `Layout` takes; of an array of this type and these sizes, where the source does not say them."""
    if isinstance(source, Layout):
        return source
    found = Layout.__new__(Layout)
    found._native = _read(source, dtype, list(shape), None)
    return found


def _read(source: Any, name: str | None, sizes: list[int] | None, axes: str | None) -> _native.Layout:
    """The layout of what `Layout` takes. What the source says counts; it is compared with the other arguments by the caller."""
    if axes is not None and not isinstance(source, str):
        raise ValueError(
            f"`axes` says {axes}, and only a text of TVM's, such as NCHW16c, has axes: a {type(source).__name__} was found; "
            "leave `axes` out"
        )
    if isinstance(source, Layout):
        return source._native
    if isinstance(source, np.ndarray):
        if not source.dtype.isnative:
            raise ValueError(
                f"the elements of type {source.dtype} have their bytes in the other sequence; make a native copy: "
                "`a.astype(a.dtype.newbyteorder('='))`"
            )
        return _native.Layout.strided(_dtype_name(source.dtype), source.shape, source.strides)
    if isinstance(source, str):
        return _native.Layout(source, name, sizes, axes)
    # An array of JAX, or its type, says all; a `Format` its layout alone.
    if hasattr(source, "dtype"):
        name = _dtype_name(source.dtype)
    if hasattr(source, "shape"):
        sizes = [operator.index(size) for size in source.shape]
    found = getattr(source, "format", source)
    found = getattr(found, "layout", found)
    if hasattr(found, "major_to_minor"):
        return _native.Layout(_jax_text(found), name, sizes)
    strides = getattr(source, "strides", None)
    if strides is None and hasattr(source, "stride") and hasattr(source, "element_size"):
        # A tensor of PyTorch counts elements.
        strides = tuple(step * source.element_size() for step in source.stride())
    if isinstance(strides, tuple) and name is not None and sizes is not None:
        return _native.Layout.strided(name, sizes, strides)
    if getattr(found, "layout", found) is None and sizes is not None and name is not None:
        raise ValueError(f"the {type(source).__name__} has no layout; compile the program first, or put the array on a device")
    raise TypeError(
        f"a layout is made of text, an array, or a layout of JAX's, and a {type(source).__name__} was found"
    )


def _jax_text(layout: Any) -> str:
    """What JAX prints, written here so that no other `repr` counts."""
    parts = [f"major_to_minor={tuple(layout.major_to_minor)}", f"tiling={layout.tiling}"]
    bits = getattr(layout, "sub_byte_element_size_in_bits", 0)
    return f"Layout({', '.join(parts)}, sub_byte_element_size_in_bits={bits})"
