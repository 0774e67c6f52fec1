"""Kernels written in Rust with `#[xlayout_kernel::kernel]`, as functions of JAX.

    import xlayout.jax

    k = xlayout.jax.load("target/release/libmine.so")
    y = k.scale(x, a=2.0)  # works under jit, vmap and shard_map

The shared object describes its kernels: names, layouts, attributes. `load` registers each of them
with XLA; a call asks XLA for exactly the declared layouts, and checks while JAX traces what the
kernel checks again when it runs. It needs JAX 0.10, and of the package `xlayout` nothing but
`xlayout.kernels`, which calls kernels without JAX.
"""

try:
    import jax as _
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"{error}: xlayout.jax makes kernels functions of JAX, `pip install \"xlayout[jax]\"`; without JAX, "
        "`xlayout.kernels.load` calls kernels with arrays of NumPy",
        name=error.name,
    ) from None

from typing import TYPE_CHECKING

from ..kernels import stubs
from ..kernels._library import no_attribute
from ._kernel import Kernel
from ._library import Library, load

__all__ = ["Kernel", "Library", "load", "stubs"]
for _public in (Kernel, Library, load):
    _public.__module__ = __name__
del _public

# Type checkers then know that there is no other attribute.
if not TYPE_CHECKING:

    def __getattr__(name):
        raise no_attribute(__name__, name)
