"""`python -m xlayout.jax target/release/libmine.so` prints type stubs of a library's kernels."""

import sys

from . import load, stubs


def main() -> None:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: python -m xlayout.jax target/release/libmine.so >mine.pyi")
    try:
        library = load(sys.argv[1])
    except (OSError, ImportError) as error:
        sys.exit(str(error))
    print(stubs(library), end="")


main()
