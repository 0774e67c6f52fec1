"""Arrays that JAX does not know, by DLPack: those of torch and others. One of NumPy's takes their place."""

import jax
import numpy as np
import pytest


class Tensor:
    """An array that has nothing but DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class OfAGradient(Tensor):
    def __dlpack__(self, **options):
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")


class OnDevice(Tensor):
    def __dlpack_device__(self):
        return 2, 0


def test_every_arrangement(k):
    numbers = np.arange(6 * 256, dtype="f4").reshape(6, 256)
    apart = np.ascontiguousarray(numbers[:, :128].T).T
    unaligned = np.arange(1 + 2 * 128, dtype="f4")[1:].reshape(2, 128)
    for x in (numbers[:, :128], numbers[:, ::2], numbers[::-1, 128:], numbers[:0, :128], apart, unaligned):
        for f in (k.scale, lambda x, a: k.scale(x=x, a=a)):
            np.testing.assert_array_equal(f(Tensor(x), a=2.0), 2 * x)
    # Inside of jit, one that is not traced.
    x = Tensor(numbers[:, :128])
    np.testing.assert_array_equal(jax.jit(lambda a: k.scale(x, a=1.0) + a)(1.0), x.array + 1)


def test_the_memory_stays_its_owner_s(k):
    x = np.ones((3, 128), "f4")
    y = k.scale(Tensor(x), a=2.0)
    x[:] = 7
    np.testing.assert_array_equal(y, 2 * np.ones((3, 128)))
    np.testing.assert_array_equal(k.scale(Tensor(x), a=2.0), 14 * np.ones((3, 128)))


def test_refused(k):
    text = "kernel `scale`: argument `x` is declared as f32[?,128]{1,0}, and the call has "
    for x, kind, what in (
        (Tensor(np.ones((3, 128), "i4")), TypeError, "s32[3,128]; pass f32, as with `.astype('float32')`"),
        (Tensor(np.ones(128, "f4")), ValueError, "f32[128]; pass 2 dimensions, not 1"),
        (
            OfAGradient(np.ones((3, 128), "f4")), TypeError,
            "a value of type OfAGradient; NumPy cannot read the array: Can't export tensors that require gradient, "
            "use tensor.detach()",
        ),
        (
            OnDevice(np.ones((3, 128), "f4")), TypeError,
            "a value of type OnDevice; the array is in the memory of device type 2 of DLPack, not in that of the processor; copy it "
            "first, in JAX with `jax.device_put(x, jax.devices(\"cpu\")[0])`, in PyTorch with `x.cpu()`",
        ),
    ):
        for call in (lambda: k.scale(x, a=1.0), lambda: jax.jit(lambda a: k.scale(x, a=1.0) + a)(1.0)):
            with pytest.raises(kind) as caught:
                call()
            assert str(caught.value) == text + what
