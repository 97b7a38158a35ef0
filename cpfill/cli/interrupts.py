"""SIGINT and SIGTERM: the first stops the work, any more are ignored; what must not be done by half puts it off."""

from __future__ import annotations

import signal

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class _Interrupts:
    """`with HOLD:` an interrupt comes when the block is through, so that what is counted is written too."""

    def __init__(self) -> None:
        self._held = False
        self._came = False

    def listen(self) -> None:
        """Let the signals raise KeyboardInterrupt."""
        for number in _SIGNALS:
            signal.signal(number, self._hear)

    def _hear(self, _number: int, _frame: object) -> None:
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        self._came = self._held
        if not self._held:
            raise KeyboardInterrupt

    def __enter__(self) -> None:
        self._held = True

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        came, self._came, self._held = self._came, False, False
        if came and kind is None:  # an error ends the work as well
            raise KeyboardInterrupt


HOLD = _Interrupts()
