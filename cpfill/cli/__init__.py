"""The command line: parses and renders, decides nothing."""

from __future__ import annotations

import atexit
import gc
import sys

_INTERRUPTED = 130


def main() -> None:
    """Run the command line and exit with its code.

    The first SIGINT, SIGTERM or SIGHUP stops the work within a second, and what was found is printed; more are ignored.
    """
    # A run makes hardly any cycles: the collector would walk what is imported, and all the words, for nothing. Python
    # walks them once more at its end, but for what is frozen.
    gc.disable()
    atexit.register(gc.freeze)
    try:  # an interrupt may come while anything is imported, and after the answer
        from cpfill.cli.interrupts import HOLD  # noqa: PLC0415

        HOLD.listen()
        with HOLD:
            from cpfill.cli.app import run  # noqa: PLC0415
        code = run()
        HOLD.ignore()
    except KeyboardInterrupt:
        code = _INTERRUPTED
    sys.exit(code)


__all__ = ["main"]
