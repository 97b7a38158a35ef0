"""The command line: parses and renders, decides nothing."""

from __future__ import annotations

import sys

from cpfill.cli.interrupts import HOLD

_INTERRUPTED = 130


def main() -> None:
    """Run the command line and exit with its code.

    The first SIGINT or SIGTERM stops the work within a second, and what was found is printed; any more are ignored.
    """
    try:
        HOLD.listen()
        from cpfill.cli.app import run  # noqa: PLC0415 - an interrupt may already come while it is imported

        code = run()
    except KeyboardInterrupt:
        code = _INTERRUPTED
    sys.exit(code)


__all__ = ["main"]
