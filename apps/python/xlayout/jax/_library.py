"""Libraries whose kernels are registered with XLA."""

from __future__ import annotations

import os

import jax
import jax.export

from ..kernels._library import AnyLibrary, loaded
from ._derivative import Derivative
from ._kernel import Kernel
from ._untyped import pycapsule


def load(path: str | os.PathLike[str], isa: str | None = None, name: str | None = None) -> Library:
    """Loads a shared object and registers its kernels with XLA, for the CPU.

    The same file is loaded once, however often this is called. A file that was built anew since is
    loaded beside the old one: what is returned has the new kernels, and functions that JAX has
    compiled go on with the old ones.

    Each kernel runs with the best set of instructions that it was compiled for and the processor has.
    `isa` limits them, so that a set can be tested or timed: "baseline", "x86-64-v3", "x86-64-v4".

    Compiled and exported programs find a kernel by the name of its crate and its own. `name` takes
    the place of the crate's: for two crates of one name in one process.

    Raises FileNotFoundError where there is no file, IsADirectoryError where it is a folder, and
    ImportError where it is no shared object made with xlayout-kernel, or one that takes another
    version of this package; ValueError where no kernel runs here with `isa`, or `name` is no
    name.
    """
    return loaded(Library, path, isa, name)


class Library(AnyLibrary[Kernel]):
    __doc__ = AnyLibrary.__doc__
    _KERNEL = Kernel
    _targets = set()

    def _register(self, target: str, handler: int) -> None:
        jax.ffi.register_ffi_target(target, pycapsule(handler), platform="cpu")

    def _complete(self) -> None:
        """Gives each kernel the one that computes its derivatives."""
        for kernel in filter(lambda kernel: kernel.vjp, self._kernels.values()):
            declares = f"kernel `{kernel.__name__}` ({kernel.source}) declares `vjp = {kernel.vjp}`"
            if kernel.vjp not in self._kernels:
                raise ImportError(f"{declares}, and {self._no_kernel(kernel.vjp)}")
            by = self._kernels[kernel.vjp]
            if len(by.types) != len(kernel.types):
                raise ImportError(
                    f"{declares}, which has {len(by.types)} element types, and it has {len(kernel.types)} itself: "
                    "write the same `types(…)` on both"
                )
            for of, of_type in zip(kernel.types, by.types):
                derivative = Derivative(of, of_type)
                for one in (of, *of.layouts):
                    one._derivative = derivative

    @property
    def export_checks(self) -> list[jax.export.DisabledSafetyCheck]:
        """What `jax.export.export` takes as `disabled_checks` for a function that calls any of the
        kernels."""
        return [check for kernel in self._kernels.values() for check in kernel.export_checks]
