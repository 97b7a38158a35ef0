"""The words in a grid: their scores, their letters, and which are too alike."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import fmean, median
from typing import TYPE_CHECKING

from cpfill.base.errors import SLOT_LENGTH
from cpfill.problem.fill import Fill
from cpfill.puzzle.puzzle import PuzzlePart
from cpfill.questions.stats.languages import LANGUAGES
from cpfill.questions.stats.links import find_repeats, find_shared_runs, find_shared_stems
from cpfill.words.curate.description import histogram
from cpfill.words.wordlist import count_bands

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cpfill.base.alphabet import Alphabet
    from cpfill.puzzle.grid import Slot
    from cpfill.puzzle.puzzle import Puzzle
    from cpfill.questions.stats.languages import Language
    from cpfill.questions.stats.links import Link
    from cpfill.words.curate.description import Bin
    from cpfill.words.lexicon import Lexicon
    from cpfill.words.wordlist import Band

_NO_LETTER = "?"
"""The sign of a cell without a letter in a fill."""

_NO_GIVENS = {PuzzlePart.REBUS, PuzzlePart.SYMBOLS}
"""The parts of a puzzle that a grid of letters cannot hold."""

SHORTEST_RUN = 4
"""The default length from which shared runs of letters are reported."""


@dataclass(frozen=True, slots=True)
class FillFigures:
    """The figures of the words in a grid.

    Attributes:
        words: the word in each completely filled slot.
        scores: the score of each of these words that is in the lexicon.
        letters: the number of cells that hold each letter of the alphabet.
        scrabble: the average Scrabble value of a letter; `None` if a letter has no value.
        repeats: the words in several slots.
        shared_runs: the runs of letters that several words share.
        shared_stems: the stems that several words share.
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
        """The mean of the scores; `None` if there are no scores."""
        return fmean(self.scores.values()) if self.scores else None

    @property
    def median_score(self) -> float | None:
        """The median of the scores; `None` if there are no scores."""
        return median(self.scores.values()) if self.scores else None

    @property
    def histogram(self) -> list[Bin]:
        """The number of words per range of scores: by tens if the best score is more than 10 and at most 100."""
        return histogram(list(self.scores.values())) if self.scores else []

    @property
    def bands(self) -> dict[Band, int]:
        """The number of strong, fair and weak words; empty if all score the same, which says nothing about them."""
        return count_bands(self.scores.values()) if len(set(self.scores.values())) > 1 else {}

    @property
    def unlisted(self) -> list[Slot]:
        """The slots whose words are not in the lexicon."""
        return [slot for slot in self.words if slot not in self.scores]

    @property
    def pangram(self) -> bool:
        """Whether the fill uses every letter of the alphabet."""
        return all(self.letters.values())

    @property
    def links(self) -> dict[str, tuple[Link, ...]]:
        """The links between words, by kind."""
        return {"repeats": self.repeats, "shared_runs": self.shared_runs, "shared_stems": self.shared_stems}

    def find_worst(self, count: int = 10) -> list[Slot]:
        """Return the slots whose words score least, worst first, equal scores in the order of the grid."""
        return sorted(self.scores, key=lambda slot: (self.scores[slot], slot.id))[:count]


def describe_fill(
    fill: Fill, lexicon: Lexicon, *, language: Language = LANGUAGES["en"], shortest_run: int = SHORTEST_RUN
) -> FillFigures | None:
    """Return the figures of the words of a fill, complete or not; `None` if no slot is completely filled.

    Args:
        fill: the letters, as a search, `Fill.of_grid` or `take_answers` gives them.
        lexicon: the scores and spellings of the words.
        language: the values of letters, and the stems of words.
        shortest_run: the length from which shared runs of letters are reported.

    Raises:
        InputError: `shortest_run` is out of range.
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
    """Return the word in each completely filled slot."""
    return {slot: word for slot, word in fill.words.items() if _NO_LETTER not in word}


def take_answers(puzzle: Puzzle, alphabet: Alphabet, min_slot_length: int = 2, name: str | None = None) -> Fill:
    """Return the answers of a puzzle, folded, complete or not; a rebus cell keeps all its letters.

    Messages call the puzzle `name`.

    Raises:
        GridError: a cell holds a letter that is not in the alphabet.
    """
    grid = puzzle.keep(frozenset(PuzzlePart) - _NO_GIVENS).grid(alphabet, min_slot_length, name)
    answers = [None if cell is None else alphabet.fold(cell) or cell or _NO_LETTER for cell in puzzle.cells]
    return Fill(tuple(answer or "" for answer in answers), grid)
