"""The program `xlayout`."""

import signal
import sys

from xlayout import _native


def main() -> int:
    """Run the program with the arguments of this process, and answer its exit code."""
    # Python notes Ctrl-C for later, when its own code runs again: the program ends at once, as others do.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _native.program(["xlayout", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
