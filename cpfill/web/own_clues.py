"""The clues of one's own puzzles: those in the files of the directory."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from cpfill.base.errors import CpfillError
from cpfill.puzzle.clues import NO_CLUE
from cpfill.puzzle.clues.drafting import DRAFT
from cpfill.puzzle.clues.placing import fold_answer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from cpfill.base.alphabet import Alphabet
    from cpfill.puzzle.puzzle import Puzzle
    from cpfill.web.files import Folder

READ_S = 2.0
"""How long a question reads files, of which the next one reads others."""


class OwnClues:
    """The puzzles of a directory, as far as they were read; a file that cannot be read has none."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._reading = threading.Lock()
        self._known: dict[str, tuple[tuple[int, int], Puzzle | None]] = {}

    def find(self, words: Collection[str], alphabet: Alphabet, seconds: float = READ_S) -> list[tuple[str, str, str]]:
        """Return each clue of some folded words: the word, the clue, and its file; the last saved first."""
        with self._reading:
            return list(self._list(words, alphabet, time.monotonic() + seconds))

    def _list(self, words: Collection[str], alphabet: Alphabet, end_s: float) -> Iterator[tuple[str, str, str]]:
        stamps = self._folder.stamp_puzzles()
        self._known = {name: known for name, known in self._known.items() if name in stamps}
        for name, stamp in stamps.items():
            known, puzzle = self._known.get(name, (None, None))
            if known != stamp and time.monotonic() < end_s:
                puzzle = self._read(name)
                self._known[name] = (stamp, puzzle)
            if puzzle is not None:
                for word, clue in _list_clues(puzzle, words, alphabet):
                    yield word, clue, name

    def _read(self, name: str) -> Puzzle | None:
        try:
            saved = self._folder.read(name)
        except CpfillError:
            return None
        return saved.puzzle if saved else None


def _list_clues(puzzle: Puzzle, words: Collection[str], alphabet: Alphabet) -> Iterator[tuple[str, str]]:
    """Yield the words among these that a puzzle has, with their clues; drafts that nobody edited are left out."""
    for slot in puzzle.slots:
        clue = puzzle.clue(slot)
        if clue and clue != NO_CLUE and not clue.startswith(DRAFT):
            word = fold_answer(puzzle, slot, alphabet)
            if word in words:
                yield word, clue
