"""`python -m xlayout.kernels target/release/libmine.so` prints type stubs of a library's kernels."""

from . import load
from ._stubs import main

main("xlayout.kernels", load)
