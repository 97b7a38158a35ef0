"""Tokens that stop a search from another thread, or when a task is cancelled."""

from __future__ import annotations

import threading
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager


class StopToken:
    """Stops searches from any thread: setting the token ends every search with `Limits(stop=token)`.

    A search ends within a few hundredths of a second, with what it found and `StopReason.INTERRUPTED`. Several searches
    may share a token. Like a `threading.Event` it stays set, so a search that begins later ends at once.
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
        """Stop the searches; later calls do nothing."""
        with self._lock:
            actions = [] if self._set else [*self._actions]
            self._set = True
        for action in actions:
            action()

    def is_set(self) -> bool:
        """Return whether the token was set."""
        return self._set

    @contextmanager
    def calling(self, action: Callable[[], None]) -> Iterator[None]:
        """Within the block, call `action` when the token is set, in the thread that sets it; at once if it is set."""
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
    """Call `action` if the token, where there is one, is set within the block."""
    return nullcontext() if stop is None else stop.calling(action)
