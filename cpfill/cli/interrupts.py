"""Handles SIGINT, SIGTERM and SIGHUP: the first stops the work; `HOLD` delays it in critical sections."""

from __future__ import annotations

import os
import signal
import sys

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name))
"""SIGHUP and SIGBREAK mean that the terminal was closed; output to a file is saved then, too."""

_HANGUP = getattr(signal, "SIGHUP", None)

_PATIENCE_S = 0.5
"""The longest delay of an interrupt: a write to a pipe without a reader never ends."""

_SOON_S = 0.01
"""Retry delay if Python could not raise (inside `__del__`, a callback)."""


class _Interrupts:
    """`with HOLD:` delays an interrupt to the end of the block, so that counted answers are also printed."""

    def __init__(self) -> None:
        self._held = False
        self._came = False
        self._terminals: list[int] = []
        self._tell_unraised = sys.unraisablehook

    def listen(self) -> None:
        """Let the signals raise KeyboardInterrupt; under `nohup`, SIGHUP stays ignored."""
        self._terminals = [stream for stream in (1, 2) if os.isatty(stream)]
        for number in _SIGNALS:
            if number != _HANGUP or signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self._hear)
        sys.unraisablehook = self._hear_again

    def ignore(self) -> None:
        """Ignore the signals from now on, and a delayed interrupt."""
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        if sys.platform != "win32":
            signal.setitimer(signal.ITIMER_REAL, 0.0)

    def _hear(self, heard: int, _frame: object) -> None:
        self.ignore()
        for stream in self._terminals:
            if not os.isatty(stream):  # the terminal was closed: writing to it would fail
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        if not self._held or heard not in _SIGNALS:  # the alarm
            raise KeyboardInterrupt
        self._came = True
        if sys.platform != "win32":
            self._hear_later(_PATIENCE_S)
        else:  # Windows cannot interrupt a write; a second Ctrl-C ends the program
            signal.signal(signal.SIGINT, signal.SIG_DFL)

    def _hear_later(self, seconds: float) -> None:
        if sys.platform != "win32":
            signal.signal(signal.SIGALRM, self._hear)
            signal.setitimer(signal.ITIMER_REAL, seconds)

    def _hear_again(self, lost: sys.UnraisableHookArgs) -> None:
        """Delay an interrupt that Python could not raise, for example while an object was deleted."""
        if lost.exc_type is KeyboardInterrupt and sys.platform != "win32":
            self._hear_later(_SOON_S)
        else:
            self._tell_unraised(lost)

    def __enter__(self) -> None:
        self._held = True

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        came = self._came
        self._came = False
        self._held = False
        if came:
            self.ignore()
            if kind is None:  # an error ends the work as well
                raise KeyboardInterrupt


HOLD = _Interrupts()
