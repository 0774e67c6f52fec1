"""Arrays of xlayout to and from NumPy and JAX by DLPack, with the real libraries."""

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
