"""The command line: `isolette`, and `python -m isolette`."""

from __future__ import annotations

import os
import signal
import sys

from . import _native


def main() -> None:
    """Runs the command line with the arguments of this process, and ends it with the exit code."""
    # The command line has handlers of its own.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    code = _native.command_line(["isolette", *sys.argv[1:]])
    # Nothing of Python is left to do.
    sys.stdout.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
