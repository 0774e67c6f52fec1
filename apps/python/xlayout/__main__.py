"""`python -m xlayout` is the program `xlayout`."""

import sys

from xlayout._program import main

if __name__ == "__main__":
    sys.exit(main())
