"""The words that stand in a grid: their scores, their letters, and which are too alike."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import fmean, median
from typing import TYPE_CHECKING

from cpfill.base.ranges import SLOT_LENGTH
from cpfill.problem.fill import Fill
from cpfill.puzzle.puzzle import PuzzlePart
from cpfill.questions.stats.languages import LANGUAGES
from cpfill.questions.stats.links import find_repeats, find_shared_runs, find_shared_stems
from cpfill.words.bands import count_bands
from cpfill.words.curate.describe import histogram

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cpfill.base.alphabet import Alphabet
    from cpfill.puzzle.grid import Slot
    from cpfill.puzzle.puzzle import Puzzle
    from cpfill.questions.stats.languages import Language
    from cpfill.questions.stats.links import Link
    from cpfill.words.bands import Band
    from cpfill.words.curate.describe import Bin
    from cpfill.words.lexicon import Lexicon

_NO_LETTER = "?"
"""What a fill has in a cell without a letter."""

_NO_GIVENS = {PuzzlePart.REBUS, PuzzlePart.SYMBOLS}
"""What a grid of letters has no place for."""

SHORTEST_RUN = 4
"""From how many letters on a run that words share is told, unless another number is asked for."""


@dataclass(frozen=True, slots=True)
class FillFigures:
    """The figures of the words that stand in a grid.

    Attributes:
        words: the word in each slot whose cells all have letters.
        scores: the score of each of them that is in the lexicon.
        letters: how often each letter of the alphabet stands in a cell.
        scrabble: what a letter is worth in Scrabble on average; `None` where one has no value.
        repeats: the words that stand in several slots.
        shared_runs: the runs of letters that several words have.
        shared_stems: the stems that several words have.
    """

    words: Mapping[Slot, str]
    scores: Mapping[Slot, float]
    letters: Mapping[str, int]
    scrabble: float | None
    repeats: tuple[Link, ...]
    shared_runs: tuple[Link, ...]
    shared_stems: tuple[Link, ...]

    @property
    def mean_score(self) -> float | None:
        """The mean of the scores; `None` where there is none."""
        return fmean(self.scores.values()) if self.scores else None

    @property
    def median_score(self) -> float | None:
        """The median of the scores; `None` where there is none."""
        return median(self.scores.values()) if self.scores else None

    @property
    def histogram(self) -> list[Bin]:
        """How many words score how much: by tens, where the best scores more than 10 and at most 100."""
        return histogram(list(self.scores.values())) if self.scores else []

    @property
    def bands(self) -> dict[Band, int]:
        """How many words are strong, fair and weak; nothing where all score the same, which says nothing of them."""
        return count_bands(self.scores.values()) if len(set(self.scores.values())) > 1 else {}

    @property
    def unlisted(self) -> list[Slot]:
        """The slots whose words are not in the lexicon."""
        return [slot for slot in self.words if slot not in self.scores]

    @property
    def pangram(self) -> bool:
        """Whether every letter of the alphabet is there."""
        return all(self.letters.values())

    @property
    def links(self) -> dict[str, tuple[Link, ...]]:
        """What several words have in common, by its kind."""
        return {"repeats": self.repeats, "shared_runs": self.shared_runs, "shared_stems": self.shared_stems}

    def find_worst(self, count: int = 10) -> list[Slot]:
        """Return the slots whose words score least, worst first; of equal scores the first in the grid."""
        return sorted(self.scores, key=lambda slot: (self.scores[slot], slot.id))[:count]


def describe_fill(
    fill: Fill, lexicon: Lexicon, *, language: Language = LANGUAGES["en"], shortest_run: int = SHORTEST_RUN
) -> FillFigures | None:
    """Return the figures of the words of a fill, complete or not; `None` if no slot has all its letters.

    Args:
        fill: the letters, as a search, `Fill.of_grid` or `take_answers` gives them.
        lexicon: what the words score, and how they are written.
        language: what letters are worth, and the stems of words.
        shortest_run: from how many letters on a run that words share is told.

    Raises:
        InputError: `shortest_run` is out of its range.
        CpfillError: the stemmers are not installed.
    """
    SLOT_LENGTH.check(shortest_run, "shortest_run")
    words = find_words(fill)
    if not words:
        return None
    entries = {word: entry for word in words.values() if (entry := lexicon.find(word))}
    letters = Counter("".join(fill.letters).replace(_NO_LETTER, ""))
    values = [language.values.get(letter) for letter in letters.elements()]
    worth = [value for value in values if value is not None]
    return FillFigures(
        words=words,
        scores={slot: entries[word][0] for slot, word in words.items() if word in entries},
        letters={letter: letters[letter] for letter in fill.grid.alphabet.letters},
        scrabble=fmean(worth) if len(worth) == len(values) else None,
        repeats=find_repeats(words),
        shared_runs=find_shared_runs(words, shortest_run),
        shared_stems=find_shared_stems(words, language, {word: spelling for word, (_, spelling) in entries.items()}),
    )


def find_words(fill: Fill) -> dict[Slot, str]:
    """Return the word in each slot whose cells all have letters."""
    return {slot: word for slot, word in fill.words.items() if _NO_LETTER not in word}


def take_answers(puzzle: Puzzle, alphabet: Alphabet, min_slot_length: int = 2, name: str | None = None) -> Fill:
    """Return the answers of a puzzle, folded, complete or not; a cell of several letters has them all.

    `name` stands for the puzzle in messages.

    Raises:
        GridError: a cell holds a letter that is not in the alphabet.
    """
    grid = puzzle.keep(frozenset(PuzzlePart) - _NO_GIVENS).grid(alphabet, min_slot_length, name)
    answers = [None if cell is None else alphabet.fold(cell) or cell or _NO_LETTER for cell in puzzle.cells]
    return Fill(tuple(answer or "" for answer in answers), grid)
