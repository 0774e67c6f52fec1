"""The C API of XLA's FFI, as far as a call needs it: `kernel/src/abi.rs` has it in Rust.

XLA is not there. Its table of functions is made here: errors are kept until the call returns, and tasks run on threads
of Python's, which the interpreter does not hold back while they are in Rust.
"""

from __future__ import annotations

import concurrent.futures
import ctypes
import functools
import itertools
import os
from ctypes import POINTER, c_char_p, c_int, c_int32, c_int64, c_size_t, c_void_p
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


class ErrorCreate(Structure):
    _fields_ = [("message", c_char_p), ("code", c_int)]


class Schedule(Structure):
    _fields_ = [("context", c_void_p), ("task", c_void_p), ("data", c_void_p)]


class NumThreads(Structure):
    _fields_ = [("context", c_void_p), ("num_threads", POINTER(c_int64))]


class RunId(Structure):
    _fields_ = [("context", c_void_p), ("run_id", c_int64)]


class DeviceOrdinal(Structure):
    _fields_ = [("context", c_void_p), ("device_ordinal", c_int32)]


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
        ("api", POINTER(Api)),
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
_TASK = ctypes.CFUNCTYPE(None, c_void_p)

# By the numbers of absl.
_CODES = (
    "OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED "
    "FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED"
).split()
_errors: dict[int, str] = {}
_numbers = itertools.count(1)


def error(number: int) -> RuntimeError:
    """The error that a handler returned, with the text that it has under JAX."""
    return RuntimeError(_errors.pop(number))


@functools.cache
def _threads() -> tuple[int, concurrent.futures.Executor | None]:
    """How many threads a call may use, and those beside its own."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if count == 1:
        return 1, None
    return count, concurrent.futures.ThreadPoolExecutor(count - 1, thread_name_prefix="xlayout")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.cache_clear)  # a child has none of the threads


def _error_create(args: Any) -> int:
    number = next(_numbers)
    given = args[0]
    _errors[number] = f"{_CODES[given.code]}: {given.message.decode(errors='replace')}"
    return number


def _schedule(args: Any) -> None:
    given = args[0]
    task, data = _TASK(given.task), given.data
    try:
        _, executor = _threads()
        if executor is not None:
            executor.submit(task, data)
            return
    except RuntimeError:  # the interpreter ends
        pass
    task(data)


def _num_threads(args: Any) -> None:
    args[0].num_threads[0] = _threads()[0]


def _run_id(args: Any) -> None:
    args[0].run_id = next(_numbers)


def _device_ordinal(args: Any) -> None:
    args[0].device_ordinal = 0


def _function(of: type[Structure], function: Any) -> Any:
    return ctypes.CFUNCTYPE(c_void_p, POINTER(of))(function)


_FUNCTIONS = {
    "error_create": _function(ErrorCreate, _error_create),
    "thread_pool_schedule": _function(Schedule, _schedule),
    "thread_pool_num_threads": _function(NumThreads, _num_threads),
    "run_id_get": _function(RunId, _run_id),
    "device_ordinal_get": _function(DeviceOrdinal, _device_ordinal),
}
API = Api(Version(0, 3))
for _name, _of in _FUNCTIONS.items():
    setattr(API, _name, ctypes.cast(_of, c_void_p))
