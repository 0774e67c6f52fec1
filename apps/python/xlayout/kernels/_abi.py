"""The C API of XLA's FFI, as far as a call needs it: `kernel/src/abi.rs` has it in Rust.

XLA is not there. Its table of functions is the library's own, in `kernel/src/without_xla.rs`. No function of it is Python's:
a handler of signals that raises at the beginning of a callback would leave Rust without an answer.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_char_p, c_int, c_int64, c_size_t, c_void_p
from typing import Any


class Structure(ctypes.Structure):
    """A structure that begins with its size, and a pointer to extensions."""

    _fields_ = [("struct_size", c_size_t), ("extensions", c_void_p)]

    def __init__(self, *values: Any) -> None:
        super().__init__(self._size(), None, *values)

    @classmethod
    def _size(cls) -> int:
        """The bytes to the end of the last field."""
        last = getattr(cls, cls._fields_[-1][0])
        return int(last.offset + last.size)


class Buffer(Structure):
    _fields_ = [("dtype", c_int), ("data", c_void_p), ("rank", c_int64), ("dims", POINTER(c_int64))]


class Operands(Structure):
    _fields_ = [("size", c_int64), ("types", c_void_p), ("pointers", c_void_p)]


class Attributes(Structure):
    _fields_ = [("size", c_int64), ("types", c_void_p), ("names", c_void_p), ("values", c_void_p)]


class ByteSpan(ctypes.Structure):
    _fields_ = [("data", c_char_p), ("len", c_size_t)]


class Scalar(ctypes.Structure):
    _fields_ = [("dtype", c_int), ("value", c_void_p)]


class Array(ctypes.Structure):
    _fields_ = [("dtype", c_int), ("size", c_size_t), ("data", c_void_p)]


class ErrorGetMessage(Structure):
    _fields_ = [("error", c_void_p), ("message", c_char_p)]


class ErrorDestroy(Structure):
    _fields_ = [("error", c_void_p)]


class Version(Structure):
    _fields_ = [("major", c_int), ("minor", c_int)]


class Api(Structure):
    _fields_ = [
        ("api_version", Version),
        ("internal", c_void_p),
        ("error_create", c_void_p),
        ("error_get_message", c_void_p),
        ("error_destroy", c_void_p),
        ("handler_register", c_void_p),
        ("unused", c_void_p * 7),
        ("thread_pool_schedule", c_void_p),
        ("thread_pool_num_threads", c_void_p),
        ("futures", c_void_p * 3),
        ("run_id_get", c_void_p),
        ("device_ordinal_get", c_void_p),
    ]


class CallFrame(Structure):
    _fields_ = [
        ("api", c_void_p),
        ("context", c_void_p),
        ("stage", c_int),
        ("args", Operands),
        ("rets", Operands),
        ("attrs", Attributes),
    ]


EXECUTE = 3
BUFFER = 1
ARRAY, SCALAR, STRING = 1, 3, 4

HANDLER = ctypes.CFUNCTYPE(c_void_p, POINTER(CallFrame))
"""A handler; the interpreter runs other threads meanwhile."""
_FUNCTION = ctypes.CFUNCTYPE(None, c_void_p)


def error(api: int, address: int) -> RuntimeError:
    """The error that a handler returned, with the text that it has under JAX; it is destroyed.

    If a handler of signals raises before this, as Ctrl-C does, that is what the caller gets, and the text stays in memory.
    """
    table = Api.from_address(api)
    message = ErrorGetMessage(address)
    _FUNCTION(table.error_get_message)(ctypes.byref(message))
    text = message.message.decode(errors="replace")
    _FUNCTION(table.error_destroy)(ctypes.byref(ErrorDestroy(address)))
    return RuntimeError(text)
