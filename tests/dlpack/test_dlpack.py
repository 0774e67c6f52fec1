"""Arrays of xlayout to and from NumPy and JAX by DLPack, with the real libraries."""

import ctypes
import gc
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dlpack_test as rust


class OnlyOld:
    """A producer or a consumer from before version 1."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def digits(*sizes):
    """What `give` gives."""
    return sum(10**d * i for d, i in enumerate(reversed(np.indices(sizes)))).astype(np.float32)


@pytest.mark.parametrize("text", ["f32[2,3]{1,0}", "f32[2,3]{0,1}", "f32[4]", "f32[2,1,3]{1,2,0}", "f32[0,3]"])
@pytest.mark.parametrize("wrap", [lambda x: x, OnlyOld])
def test_numpy_views_an_array(text, wrap):
    given = rust.give(text)
    x = np.from_dlpack(wrap(given))
    sizes = [int(n) for n in re.search(r"\[(.*?)\]", text)[1].split(",")]
    np.testing.assert_array_equal(x, digits(*sizes))
    # No copy: a second view has the same address.
    again = np.from_dlpack(given)
    assert x.size == 0 or x.ctypes.data == again.ctypes.data
    if text == "f32[2,3]{0,1}":
        assert x.strides == (4, 8)
    # The memory lives as long as one view.
    del given, again
    gc.collect()
    np.testing.assert_array_equal(x, digits(*sizes))


def test_jax_takes_an_array():
    x = jax.dlpack.from_dlpack(rust.give("f32[2,3]{1,0}"))
    assert isinstance(x, jax.Array)
    np.testing.assert_array_equal(x, digits(2, 3))
    np.testing.assert_array_equal(jnp.from_dlpack(rust.give("f32[8]")), digits(8))


def test_negative_strides_arrive():
    x = np.from_dlpack(rust.give_signed([2, 3], [-3, 1]))
    assert x.strides == (-12, 4)
    np.testing.assert_array_equal(x, [[0, 1, 2], [10, 11, 12]])
    x = np.from_dlpack(rust.give_signed([2, 3], [1, -2]))
    np.testing.assert_array_equal(x, [[0, 1, 2], [10, 11, 12]])


def test_read_only():
    x = np.from_dlpack(rust.give_read_only("f32[2,3]"))
    assert not x.flags.writeable
    with pytest.raises(BufferError, match="cannot say that the tensor is read-only"):
        rust.give_read_only("f32[2,3]").__dlpack__()
    assert np.from_dlpack(rust.give("f32[2,3]")).flags.writeable or np.__version__ < "2.2"


@pytest.mark.parametrize(
    "part",
    [
        lambda a: a,
        lambda a: a.T.copy().T,
        lambda a: a[::-1],
        lambda a: a[:, ::-2],
        lambda a: a[1::2, 1:4],
        lambda a: a[::-1, ::-1][1:],
    ],
)
@pytest.mark.parametrize("wrap", [lambda x: x, OnlyOld])
def test_parts_of_numpy_arrays(part, wrap):
    a = part(np.arange(24, dtype=np.float32).reshape(4, 6))
    m, n = a.shape
    assert rust.take(wrap(a), f"f32[{m},{n}]") == a.ravel().tolist()
    assert rust.take(wrap(a), f"f32[{m},{n}]{{0,1}}") == a.T.ravel().tolist()
    np.testing.assert_array_equal(np.from_dlpack(rust.through_tiles(a)), a)


def test_jax_arrays():
    x = jnp.arange(6.0).reshape(2, 3)
    assert rust.take(x, "f32[2,3]{0,1}") == [0, 3, 1, 4, 2, 5]
    np.testing.assert_array_equal(jax.dlpack.from_dlpack(rust.through_tiles(x)), x)
    # A capsule that a caller made.
    assert rust.take(x.__dlpack__(), "f32[2,3]") == [0, 1, 2, 3, 4, 5]


def test_in_place():
    a = np.zeros((3, 4), np.float32)
    rust.add_one(a[::-1, ::2])
    assert a.tolist() == [[1, 0, 1, 0]] * 3
    a.flags.writeable = False
    with pytest.raises(BufferError, match="read-only"):
        rust.add_one(a)


def test_bools():
    assert rust.take_bools(np.array([True, False]), "pred[2]") == [True, False]
    odd = np.array([1, 7], np.uint8).view(np.bool_)
    with pytest.raises(ValueError, match="pred is 7"):
        rust.take_bools(odd, "pred[2]")


def test_a_capsule_is_used_once():
    capsule = np.zeros(2, np.float32).__dlpack__()
    rust.take(capsule, "f32[2]")
    with pytest.raises(BufferError, match="was taken before"):
        rust.take(capsule, "f32[2]")
    # A capsule that nothing takes is freed.
    for old in (dict(), dict(max_version=(1, 0))):
        rust.give("f32[1000,1000]").__dlpack__(**old)
    gc.collect()


class Device(ctypes.Structure):
    _fields_ = [("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32)]


class DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    """`DLTensor` and `DLManagedTensor` of `dlpack.h`, written down here once more."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", Device),
        ("ndim", ctypes.c_int32),
        ("dtype", DataType),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
    ]


class Capsule:
    """A capsule with a tensor of six floats, changed, and the count of its deleter's calls. It owns all of their memory."""

    def __init__(self, name=b"dltensor", has_deleter=True, shape=(2, 3), strides=(3, 1), **changes):
        self.deleted = 0
        self.name = name
        self.memory = (ctypes.c_float * 6)(*range(6))
        self.lists = [(ctypes.c_int64 * len(numbers))(*numbers) for numbers in (shape, strides)]
        shape, strides = map(ctypes.addressof, self.lists)
        data = ctypes.addressof(self.memory)
        self.tensor = Tensor(data, Device(1, 0), 2, DataType(2, 32, 1), shape, strides)
        for field, value in changes.items():
            setattr(self.tensor, field, value)
        if has_deleter:
            self.tensor.deleter = type(self.tensor.deleter)(self.delete)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        self.capsule = new(ctypes.addressof(self.tensor), self.name, None)

    def delete(self, tensor):
        assert tensor == ctypes.addressof(self.tensor)
        self.deleted += 1


def test_a_capsule_of_another_library():
    of = Capsule()
    assert rust.take(of.capsule, "f32[2,3]") == [0, 1, 2, 3, 4, 5]
    assert of.deleted == 1
    # Used already: its tensor belongs to somebody else.
    with pytest.raises(BufferError, match="was taken before"):
        rust.take(of.capsule, "f32[2,3]")
    assert of.deleted == 1
    without = Capsule(has_deleter=False)
    assert rust.take(without.capsule, "f32[2,3]") == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "changes, error, message",
    [
        (dict(shape=(2, -3)), BufferError, "a size is negative"),
        (dict(shape=(-(2**63), 0)), BufferError, "a size is negative"),
        (dict(data=None), BufferError, "elements and no memory"),
        (dict(ndim=-1), BufferError, "negative number of dimensions"),
        (dict(ndim=2**31 - 1), BufferError, "more than 255 dimensions"),
        (dict(shape=(2**62, 2**62)), BufferError, "more than the processor can address"),
        (dict(shape=(2**40, 2**40), strides=(0, 0)), BufferError, "more than the processor can address"),
        (dict(strides=(2**63 - 1, 1)), BufferError, "more than the processor can address"),
        (dict(strides=(-(2**63), 1)), BufferError, "more than the processor can address"),
        (dict(byte_offset=2**64 - 1), BufferError, "beyond the end of memory"),
        (dict(byte_offset=2), BufferError, "2 bytes behind a multiple of 4"),
        (dict(strides=(0, 1)), ValueError, "stride"),
        (dict(device=Device(2, 3)), BufferError, "device 3 of type 2"),
        (dict(dtype=DataType(2, 32, 4)), TypeError, "4 lanes"),
        (dict(dtype=DataType(2, 32, 0)), TypeError, "0 lanes"),
        (dict(dtype=DataType(99, 32, 1)), TypeError, "99"),
    ],
)
@pytest.mark.parametrize("has_deleter", [True, False])
def test_hostile_capsules(changes, error, message, has_deleter):
    of = Capsule(has_deleter=has_deleter, **changes)
    with pytest.raises(error, match=message):
        rust.take(of.capsule, "f32[2,3]")
    assert of.deleted == has_deleter
    with pytest.raises(BufferError, match="was taken before"):
        rust.take(of.capsule, "f32[2,3]")
    assert of.deleted == has_deleter


@pytest.mark.parametrize("name", [b"used_dltensor", b"used_dltensor_versioned", b"other", None])
def test_capsules_that_hold_nothing_to_take(name):
    of = Capsule(name)
    with pytest.raises(BufferError, match="is no tensor of DLPack"):
        rust.take(of.capsule, "f32[2,3]")
    assert of.deleted == 0


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: rust.take([1.0], "f32[1]"), TypeError, "method `__dlpack__` is expected"),
        (lambda: rust.take(np.zeros(2), "f32[2]"), TypeError, "type f64.*type f32"),
        (lambda: rust.take(np.zeros((2, 3), np.float32), "f32[3,2]"), ValueError, "dimension 0"),
        (lambda: rust.take(np.broadcast_to(np.float32(1), (2, 3)), "f32[2,3]"), ValueError, "stride"),
        (lambda: rust.give("f32[2,3]{1,0:T(2,2)}"), BufferError, "stride for each dimension"),
        (lambda: rust.give("f32[2]").__dlpack__(stream=1), BufferError, "no stream"),
        (lambda: rust.give("f32[2]").__dlpack__(copy=True), BufferError, "not copied"),
        (lambda: rust.give("f32[2]").__dlpack__(dl_device=(2, 0)), BufferError, "CPU"),
    ],
)
def test_messages(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_an_array_of_another_device():
    class Gpu:
        def __dlpack_device__(self):
            return (2, 1)

        def __dlpack__(self, **options):
            raise AssertionError("it is not asked for")

    with pytest.raises(BufferError, match="device 1 of type 2"):
        rust.take(Gpu(), "f32[2]")
