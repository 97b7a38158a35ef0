"""An index from words to line numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Index:
    """The lines of each word. Most words have one line, and a number takes less time and memory than a list of one."""

    def __init__(self, lines: Iterable[tuple[str, int]]) -> None:
        self._first: dict[str, int] = {}
        self._others: dict[str, list[int]] = {}
        for word, at in lines:
            if self._first.setdefault(word, at) != at:
                self._others.setdefault(word, []).append(at)

    def find(self, word: str) -> list[int]:
        """Return the lines of a word, in their order."""
        return [self._first[word], *self._others.get(word, ())] if word in self._first else []
