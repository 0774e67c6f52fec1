"""Kernels as functions of NumPy: a call makes the frame that XLA would make, and calls the same handler."""

from __future__ import annotations

import ctypes
import math
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _abi
from ._kernel import AnyKernel, Order
from ._library import AnyLibrary, kernel_of, loaded
from ._parameter import Parameter

_MOST = 4096
_PLAIN = frozenset([bool, int, float, complex, str, type(None)])


class Kernel(AnyKernel):
    __doc__ = AnyKernel.__doc__

    def _prepare(self) -> None:
        self._frames: dict[Any, list[_Frame]] = {}
        """Frames of calls that were checked, by all that they depend on."""

    def __call__(self, *args: Any, out_shapes: Any = None, **kwargs: Any) -> Any:
        # Where JAX was not imported there are no arrays of it.
        of_jax = getattr(sys.modules.get("jax"), "Array", None)
        if of_jax is not None and any(isinstance(value, of_jax) for value in (*args, *kwargs.values())):
            return self._with_jax()(*args, out_shapes=out_shapes, **kwargs)
        return super().__call__(*args, out_shapes=out_shapes, **kwargs)

    def _with_jax(self) -> Any:
        """The same kernel as a function of JAX."""
        from ..jax import Library as OfJax

        _, _, path, isa, library = self._origin
        return kernel_of(OfJax, path, isa, library, self.__name__, self.target)

    def _run(self, args: Sequence[Any], out_shapes: Any, kwargs: dict[str, Any]) -> Any:
        key = self._key(args, out_shapes, kwargs)
        frames = None if key is None else self._frames.get(key)
        try:
            # A frame is in one call at a time.
            frame, arrays = frames.pop(), args  # type: ignore[union-attr]
        except (AttributeError, IndexError):
            frame, arrays = self._checked(args, out_shapes, kwargs)
        outputs = frame.run(arrays)
        if key is not None:
            if len(self._frames) >= _MOST:
                self._frames.clear()
            self._frames.setdefault(key, []).append(frame)
        return self._returned(outputs)

    def _key(self, args: Sequence[Any], out_shapes: Any, kwargs: Mapping[str, Any]) -> Any:
        """What a frame depends on; None for a call that is not plain."""
        if len(args) != len(self._inputs):
            return None
        key: list[Any] = [out_shapes]
        if out_shapes is not None and (type(out_shapes) is not tuple or not all(type(n) is int for n in out_shapes)):
            return None
        for x in args:
            if type(x) is not np.ndarray:
                return None
            key.append((x.shape, x.strides, x.dtype))
        for name, value in kwargs.items():
            if type(value) not in _PLAIN:
                return None
            try:
                # By its text: to Python 0.0 is -0.0, and no NaN is another.
                key.append((name, type(value), repr(value)))
            except ValueError:  # an integer with more digits than Python writes
                return None
        return tuple(key)

    def _checked(self, args: Sequence[Any], out_shapes: Any, kwargs: dict[str, Any]) -> tuple[_Frame, Sequence[Any]]:
        """The frame of a call, which is checked here, and its arrays."""
        arrays, attributes = self._bind(args, kwargs)
        batch, shapes = self._shapes(arrays, out_shapes)
        orders = [_order(x) for x in arrays]
        kernel = self._chosen(arrays, orders)
        by_items = len(batch) > 0 and kernel._converts_items(arrays, orders)
        numbers = {p.name: p.number for p in self._attributes}
        if by_items:
            attributes["xlayout.by_items"], numbers["xlayout.by_items"] = np.asarray(True), 1  # a pred
        inputs = [(p, x.shape) for p, x in zip(kernel._inputs, arrays)]
        outputs = [(p, (*batch, *shapes[p.name])) for p in kernel._outputs]
        return _Frame(kernel._api, kernel._handler, len(batch), by_items, inputs, outputs, attributes, numbers), arrays


class _Buffer:
    """An array of a call."""

    def __init__(self, p: Parameter, shape: Sequence[int], order: Order):
        self.p, self.shape, self.order = p, tuple(shape), order
        self.inverse = sorted(range(len(order)), key=order.__getitem__)
        self.is_row_major = order == tuple(range(len(order)))
        self.sizes = [shape[d] for d in order]
        self.count = math.prod(shape)
        dims = (ctypes.c_int64 * len(shape))(*shape)
        self.passed = _abi.Buffer(p.number, None, len(shape), dims)

    def read(self, x: np.ndarray) -> np.ndarray:
        """The memory with the elements in sequence: that of the array itself, or a copy."""
        found = x if self.is_row_major else x.transpose(self.order)
        if not (found.flags.c_contiguous and found.flags.aligned):
            found = np.require(found, requirements=["C", "A"])
        return found if self.p.bits >= 8 else self._packed(found)

    def _packed(self, x: np.ndarray) -> np.ndarray:
        """The elements in bits, the first one in the lowest."""
        bits = self.p.bits
        numbers = x.astype(np.int8) if self._is_integer else x
        places = np.zeros((-(-self.count * bits // 8), 8 // bits), np.uint8)
        places.reshape(-1)[: self.count] = numbers.view(np.uint8).reshape(-1) & (1 << bits) - 1
        made: np.ndarray = np.bitwise_or.reduce(places << np.arange(0, 8, bits, dtype=np.uint8), axis=1)
        return made

    def empty(self) -> np.ndarray:
        """The memory of a result."""
        if self.p.bits >= 8:
            return np.empty(self.sizes, self.p.dtype)
        return np.empty(-(-self.count * self.p.bits // 8), np.uint8)

    def array(self, memory: np.ndarray) -> np.ndarray:
        """The array that has this memory."""
        if self.p.bits < 8:
            memory = self._unpacked(memory)
        return memory if self.is_row_major else memory.transpose(self.inverse)

    def _unpacked(self, memory: np.ndarray) -> np.ndarray:
        bits, dtype = self.p.bits, self.p.dtype
        places = memory[:, np.newaxis] >> np.arange(0, 8, bits, dtype=np.uint8) << 8 - bits
        if self.p.element_type.startswith("s"):
            places = places.view(np.int8)  # the shift to the right repeats the sign
        numbers = (places >> 8 - bits).reshape(-1)[: self.count].reshape(self.sizes)
        return numbers.astype(dtype) if self._is_integer else numbers.view(dtype)

    @property
    def _is_integer(self) -> bool:
        return self.p.element_type.startswith(("s", "u"))


class _Frame:
    """The frame of calls with arrays of the same types, with all that it leads to."""

    def __init__(
        self,
        api: int,
        handler: int,
        leading: int,
        by_items: bool,
        inputs: Sequence[tuple[Parameter, Sequence[int]]],
        outputs: Sequence[tuple[Parameter, Sequence[int]]],
        attributes: Mapping[str, Any],
        numbers: Mapping[str, int],
    ):
        self._inputs, self._outputs = (
            [_Buffer(p, shape, p.layout(leading, by_items)) for p, shape in of] for of in (inputs, outputs)
        )
        self._kept: list[Any] = []
        names = sorted(attributes)
        values = [_attribute(attributes[name], numbers[name]) for name in names]
        self._kept += [attributes, [made for _, made in values]]
        self._api, self._handler = api, _abi.HANDLER(handler)
        self._frame = _abi.CallFrame(
            api,
            None,
            _abi.EXECUTE,
            self._operands(self._inputs),
            self._operands(self._outputs),
            _abi.Attributes(
                len(names),
                self._numbers([kind for kind, _ in values]),
                self._pointers([_span(name) for name in names]),
                self._pointers([made for _, made in values]),
            ),
        )
        self._reference = ctypes.byref(self._frame)

    def run(self, arrays: Sequence[Any]) -> Sequence[np.ndarray]:
        """The results for these arrays."""
        kept = {}
        for of, x in zip(self._inputs, arrays):
            memory = of.read(x)
            if of.p.kind == "in_out":
                kept[of.p.name] = memory = memory.copy() if np.may_share_memory(memory, x) else memory
            else:
                kept[f"in {of.p.name}"] = memory  # until the call returns
            of.passed.data = _address(memory)
        made = [kept[of.p.name] if of.p.kind == "in_out" else of.empty() for of in self._outputs]
        for of, memory in zip(self._outputs, made):
            of.passed.data = _address(memory)
        error = self._handler(self._reference)
        if error:
            raise _abi.error(self._api, error)
        return [of.array(memory) for of, memory in zip(self._outputs, made)]

    def _operands(self, buffers: Sequence[_Buffer]) -> _abi.Operands:
        kinds = self._numbers([_abi.BUFFER] * len(buffers))
        return _abi.Operands(len(buffers), kinds, self._pointers([of.passed for of in buffers]))

    def _numbers(self, numbers: Sequence[int]) -> int:
        return self._address_of((ctypes.c_int * len(numbers))(*numbers))

    def _pointers(self, structures: Sequence[Any]) -> int:
        self._kept.append(structures)
        return self._address_of((ctypes.c_void_p * len(structures))(*map(ctypes.addressof, structures)))

    def _address_of(self, made: Any) -> int:
        self._kept.append(made)
        return ctypes.addressof(made)


def _attribute(value: Any, number: int) -> tuple[int, Any]:
    """The kind of an attribute, and its value; `number` is that of its element type."""
    if isinstance(value, str):
        return _abi.STRING, _span(value)
    if value.ndim:
        return _abi.ARRAY, _abi.Array(number, value.size, _address(value))
    return _abi.SCALAR, _abi.Scalar(number, _address(value))


def _span(text: str) -> _abi.ByteSpan:
    data = text.encode()
    return _abi.ByteSpan(data, len(data))


def _address(memory: np.ndarray) -> int:
    address: int = memory.__array_interface__["data"][0]
    return address


def _order(x: np.ndarray) -> Order:
    """The major_to_minor of an array's memory."""
    if x.flags.c_contiguous:
        return tuple(range(x.ndim))
    return tuple(sorted(range(x.ndim), key=lambda d: -abs(x.strides[d])))


class Library(AnyLibrary[Kernel]):
    __doc__ = AnyLibrary.__doc__
    _KERNEL = Kernel
    _targets = set()


def load(path: str | os.PathLike[str], isa: str | None = None) -> Library:
    """Loads a shared object, whose kernels are called with arrays of NumPy.

    What `xlayout.jax.load` says of the path, of `isa`, of libraries that were built anew and of errors holds here, too.
    """
    return loaded(Library, path, isa)
