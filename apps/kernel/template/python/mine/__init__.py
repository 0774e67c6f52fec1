"""The kernels of this package, as functions of JAX: `mine.scale(x, a=2.0)`."""

import pathlib

import xlayout.jax

kernels = xlayout.jax.load(next(pathlib.Path(__file__).parent.glob("_native/*.so")))
"""All kernels of the shared object."""
globals().update({name: kernels[name] for name in kernels})
__all__ = ["kernels", *kernels]
