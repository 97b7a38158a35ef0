"""The command line: parses and renders, decides nothing."""

from __future__ import annotations

import atexit
import gc
import sys


def main() -> None:
    """Run the command line and exit with its code.

    The first SIGINT, SIGTERM or SIGHUP stops the work within a second, and prints the answers so far; later ones are
    ignored.
    """
    # A run makes hardly any cycles, so the collector would walk all modules and words in vain. At the end Python walks
    # all objects again, except frozen ones.
    gc.disable()
    atexit.register(gc.freeze)
    try:  # an interrupt may come while anything is imported, and after the answer
        from cpfill.cli.interrupts import HOLD

        HOLD.listen()
        with HOLD:
            from cpfill.cli.app import run
        code = run()
        HOLD.ignore()
    except BaseException as error:
        if not _was_interrupted(error):
            raise
        code = _tell_interrupt()
    sys.exit(code)


def _was_interrupted(error: BaseException | None) -> bool:
    """Return whether an interrupt caused an error: Python wraps an interrupt that comes while a class is made."""
    return error is not None and (
        isinstance(error, KeyboardInterrupt) or _was_interrupted(error.__cause__ or error.__context__)
    )


def _tell_interrupt() -> int:
    from cpfill.base.texts import say
    from cpfill.cli.verbs import Exit, warn

    # If the signal came while Python executed a string, as dataclasses do, Python dies of it though it was caught,
    # unless it executes another string.
    exec("")  # noqa: S102
    warn(say("interrupted"))
    return Exit.INTERRUPTED


__all__ = ["main"]
