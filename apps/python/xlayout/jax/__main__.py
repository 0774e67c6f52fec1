"""`python -m xlayout.jax target/release/libmine.so` prints type stubs of a library's kernels."""

from ..kernels._stubs import main
from . import load

main("xlayout.jax", load)
