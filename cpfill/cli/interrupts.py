"""SIGINT and SIGTERM: the first stops the work, any more are ignored; what must not be done by half puts it off."""

from __future__ import annotations

import signal

_SIGNALS = (signal.SIGINT, signal.SIGTERM)

_PATIENCE_S = 0.5
"""How long an interrupt is put off at most: a write to a pipe that nobody reads never ends."""


class _Interrupts:
    """`with HOLD:` an interrupt comes when the block is through, so that what is counted is written too."""

    def __init__(self) -> None:
        self._held = False
        self._came = False

    def listen(self) -> None:
        """Let the signals raise KeyboardInterrupt."""
        for number in _SIGNALS:
            signal.signal(number, self._hear)

    def ignore(self) -> None:
        """Ignore the signals from now on."""
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_IGN)

    def _hear(self, heard: int, _frame: object) -> None:
        self.ignore()
        if not self._held or heard == signal.SIGALRM:
            raise KeyboardInterrupt
        self._came = True
        signal.signal(signal.SIGALRM, self._hear)
        signal.setitimer(signal.ITIMER_REAL, _PATIENCE_S)

    def __enter__(self) -> None:
        self._held = True

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        came, self._came, self._held = self._came, False, False
        if came:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            if kind is None:  # an error ends the work as well
                raise KeyboardInterrupt


HOLD = _Interrupts()
