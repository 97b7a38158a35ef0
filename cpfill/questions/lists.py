"""Questions about words: their clues, and their letters by position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpfill.base.errors import InputError, Range
from cpfill.base.reading import TEXTS, Field, asked, wrong
from cpfill.base.texts import later, say
from cpfill.puzzle.clues.dictionaries import find_installed, look_up
from cpfill.questions.question import Done, Part, Question
from cpfill.questions.stats import guess_language
from cpfill.words.curate.description import positions

if TYPE_CHECKING:
    from collections.abc import Collection, Generator

    from cpfill.puzzle.clues import ClueCollection as CluesByWord
    from cpfill.questions.question import Desk
    from cpfill.questions.record_types import ClueRecord, CluesRecord, PositionsRecord
    from cpfill.words.curate.description import Positions

_CLUED = Range(0, 1000, later("a number"))
"""The number of words in one question."""


def _read_words(name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise wrong(say("an array of words"), name, value)
    _CLUED.check(len(value), "the number of words")
    texts: tuple[str, ...] = TEXTS(name, value)
    return texts


@dataclass(frozen=True, slots=True)
class CluedWord(Part):
    """A word with its clues, each with the name of its source."""

    word: str
    clues: list[tuple[str, str]]

    @property
    def record(self) -> CluesRecord:
        """The clues as JSON."""
        clues: list[ClueRecord] = [{"text": text, "source": source} for text, source in self.clues]
        return {"word": self.word, "clues": clues}


@dataclass(frozen=True, slots=True)
class LetterCounts(Part):
    """How often each letter stands at each position of the words of one length."""

    found: Positions

    @property
    def record(self) -> PositionsRecord:
        """The counts as JSON."""
        return positions_record(self.found)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Clues(Question):
    """The clues of words: from one's own puzzles, from some files, then from the installed dictionaries."""

    words: tuple[str, ...] = asked(Field(_read_words), ())
    files: tuple[str, ...] = asked(Field(TEXTS), ())

    def answer(self, desk: Desk) -> Generator[CluedWord | Done]:
        """Yield each word with its clues."""
        alphabet = self.request.alphabet
        found: dict[str, list[tuple[str, str]]] = {}
        for word in self.words:
            found[alphabet.word(word)] = []
        for word, clue, name in desk.find_own_clues(found.keys(), alphabet):
            found[word].append((clue, say("you clued this before, in {name}", name=name)))
        known = any(found.values())
        for source, clues in self._read_sources(desk, found.keys(), known=known):
            for word, own in found.items():
                own += [(text, source) for text in clues.words.get(word, ())]
        for word, own in found.items():
            yield CluedWord(word, own)
        yield Done()

    def _read_sources(self, desk: Desk, words: Collection[str], *, known: bool) -> list[tuple[str, CluesByWord]]:
        """Return the clues of each file and each installed dictionary by name.

        Raises:
            InputError: there is neither a file nor a dictionary, nor are clues `known`; or a file cannot be read.
        """
        alphabet = self.request.alphabet
        sources = [(name, desk.read_clues(name, alphabet)) for name in self.files]
        try:
            dictionaries = find_installed(guess_language(self.request))
        except InputError:
            if not (sources or known):
                raise
            dictionaries = []
        lookups = [(each.name, desk.read_dictionary(each, alphabet)) for each in dictionaries]
        for name, lookup in lookups:
            sources.append((name, look_up(words, [lookup], alphabet)))
        return sources


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Heatmap(Question):
    """How often each letter stands at each position of the words of the lists."""

    def answer(self, desk: Desk) -> Generator[LetterCounts | Done]:
        """Yield the counts, length by length."""
        lexicon = desk.lexicon_of(self.request)
        for length in lexicon.lengths:
            yield LetterCounts(positions(lexicon, length))
        yield Done()


def positions_record(found: Positions) -> PositionsRecord:
    """Return the counts of one length, and the preferences, as JSON; positions count from 1."""
    preferred: dict[str, int | None] = {}
    for letter in found.counts:
        pos = found.preferred_position(letter)
        preferred[letter] = None if pos is None else pos + 1
    return {
        "length": found.length,
        "words": found.words,
        "counts": {letter: [*counts] for letter, counts in found.counts.items()},
        "preferred_position": preferred,
        "preferred_letters": ["".join(found.preferred_letters(pos)) for pos in range(found.length)],
    }
