"""What was read of files, kept as long as these stay as they are."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

from cpfill.base.errors import Fault, InputError
from cpfill.base.texts import say

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable
    from pathlib import Path

T = TypeVar("T")


class Unchanged(Generic[T]):
    """Keeps what was read last, by a key, and looks at the files whenever it is asked for.

    Args:
        most: how many are kept.
        error: of which class the errors are.
    """

    def __init__(self, most: int, error: type[InputError] = InputError) -> None:
        self._most, self._error = most, error
        self._kept: OrderedDict[Hashable, tuple[list[tuple[int, ...]], T]] = OrderedDict()
        self._reading = threading.RLock()

    def get(self, key: Hashable, files: Iterable[Path], read: Callable[[], T]) -> T:
        """Return what is kept, or what is read now: nothing is kept, or a file is another.

        Raises:
            InputError: there is no such file, or reading raises it.
        """
        with self._reading:  # several that need the same wait for one reading
            states = [self._state(path) for path in files]
            if key not in self._kept or self._kept[key][0] != states:
                self._kept[key] = (states, read())
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
            return self._kept[key][1]

    def _state(self, path: Path) -> tuple[int, ...]:
        try:
            found = path.stat()
        except OSError as exc:
            got = (exc.strerror or str(exc)).lower()
            raise self._error(Fault(say("a file that can be read"), got, str(path))) from None
        return found.st_mtime_ns, found.st_size, found.st_ino
