"""How a search is stopped from outside: by another thread, or by a task that is cancelled."""

from __future__ import annotations

import threading
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager


class StopToken:
    """Stops searches from any thread: those whose limits have it, `Limits(stop=token)`, end when it is set.

    They end within some hundredths of a second, with what was found and `StopReason.INTERRUPTED`. Like a
    `threading.Event` it stays set, so that a search that begins later ends at once; several searches may share one.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._set = False
        self._actions: list[Callable[[], None]] = []

    def __repr__(self) -> str:
        return f"<StopToken: {'set' if self._set else 'not set'}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a StopToken stays in its process: it cannot be pickled")

    def set(self) -> None:
        """Stop the searches; from the second time on nothing happens."""
        with self._lock:
            actions = [] if self._set else [*self._actions]
            self._set = True
        for action in actions:
            action()

    def is_set(self) -> bool:
        """Return whether the searches are to stop."""
        return self._set

    @contextmanager
    def calling(self, action: Callable[[], None]) -> Iterator[None]:
        """Within the block have `action` called when the token is set, by the thread that sets it; or now, if it is."""
        with self._lock:
            self._actions.append(action)
            late = self._set
        try:
            if late:
                action()
            yield
        finally:
            with self._lock:
                self._actions.remove(action)


def when_set(stop: StopToken | None, action: Callable[[], None]) -> AbstractContextManager[None]:
    """Within the block have `action` called when the token, if there is one, is set."""
    return nullcontext() if stop is None else stop.calling(action)
