"""Kernels written in Rust with `#[xlayout_kernel::kernel]`, as functions of NumPy: JAX is not needed.

    import xlayout.kernels

    k = xlayout.kernels.load("target/release/libmine.so")
    y = k.scale(x, a=2.0)

Arrays are those of NumPy, and all with `__dlpack__` in the memory of the processor, such as tensors of PyTorch. They
are read where they are, if they have the declared layout. Results are arrays of NumPy. A call with an array of JAX, or
one that JAX traces, is that of `xlayout.jax`, which is imported then.
"""

from typing import TYPE_CHECKING

from ._library import no_attribute
from ._numpy import Kernel, Library, load
from ._stubs import stubs

__all__ = ["Kernel", "Library", "load", "stubs"]
for _public in (Kernel, Library, load, stubs):
    _public.__module__ = __name__
del _public

# Type checkers then know that there is no other attribute.
if not TYPE_CHECKING:

    def __getattr__(name):
        raise no_attribute(__name__, name)
