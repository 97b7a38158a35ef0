"""The parts and the figures of a grid, and of the words in it: their scores, their letters, and which are too alike.

Words are alike as `cpfill.words.lexicon` says. Letters have their values in the English or the French game of Scrabble.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from cpfill.base.reading import Field, asked, name_reader
from cpfill.base.texts import later
from cpfill.design.board import STYLE, STYLES
from cpfill.design.figures import FaultKind, GridFigures, StyleFault, describe_grid, find_faults
from cpfill.engines.toolkit.propagation import Wipeout, ac3
from cpfill.problem.fill import Fill
from cpfill.problem.problem import Problem, list_naticks
from cpfill.puzzle.parts import PuzzlePart
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.question import Done, Part, Question
from cpfill.questions.records import list_readings
from cpfill.words.curate.description import histogram
from cpfill.words.lexicon import Lexicon
from cpfill.words.spelling import LONG, EntryKind
from cpfill.words.wordlist import count_bands

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Iterable, Mapping, Sequence

    from cpfill.base.alphabet import Alphabet
    from cpfill.puzzle.grid import Grid, Slot
    from cpfill.questions.question import Desk
    from cpfill.questions.record_types import (
        FaultRecord,
        FiguresRecord,
        FillFiguresRecord,
        GridFiguresRecord,
        InfoRecord,
        LinkRecord,
        LongRecord,
        ScoredWord,
        SlotRecord,
    )
    from cpfill.questions.request import Request
    from cpfill.words.curate.description import Bin
    from cpfill.words.wordlist import Band

_Entry: TypeAlias = tuple[float, str]
_Value = TypeVar("_Value")


def _value_letters(*worth: tuple[int, str]) -> dict[str, int]:
    values: dict[str, int] = {}
    for value, letters in worth:
        values |= dict.fromkeys(letters, value)
    return values


LANGUAGES = {
    "en": _value_letters((1, "AEILNORSTU"), (2, "DG"), (3, "BCMP"), (4, "FHVWY"), (5, "K"), (8, "JX"), (10, "QZ")),
    "fr": _value_letters((1, "AEILNORSTU"), (2, "DGM"), (3, "BCP"), (4, "FHV"), (8, "JQ"), (10, "KWXYZ")),
}
"""The Scrabble value of each letter in each language; the packaged lists have the same names."""


def guess_language(request: Request) -> str:
    """Return the name of the language of the first packaged list in a request."""
    named = [request.weighted]
    if not isinstance(request.words, Lexicon):
        named = [*request.words, *named]
    for name in named:
        if isinstance(name, str):
            language, _, _ = name.partition("-")
            if language in LANGUAGES:
                return language
    return "en"


@dataclass(frozen=True, slots=True)
class Link:
    """Slots whose words have something in common.

    Attributes:
        text: the common part: a word, a stem in lower case, or in capitals one of two words that reverse each other.
        slots: two or more slots, in the order of the grid.
    """

    text: str
    slots: tuple[Slot, ...]


def find_repeats(words: Mapping[Slot, str]) -> tuple[Link, ...]:
    """Return the words in two or more slots."""
    return tuple(Link(word, tuple(slots)) for word, slots in _group(words).items() if len(slots) > 1)


def find_alike(words: Mapping[Slot, str], lexicon: Lexicon) -> tuple[Link, ...]:
    """Return the marks that different words share (`Lexicon.marks`); of several marks of the same words, the first."""
    by_word = _group(words)
    shared: dict[frozenset[str], str] = {}
    for mark, having in sorted(lexicon.find_alike(by_word).items(), reverse=True):
        shared[frozenset(having)] = mark
    links: list[Link] = []
    for alike, mark in shared.items():
        slots = chain.from_iterable(map(by_word.__getitem__, alike))
        links.append(Link(mark, tuple(sorted(slots, key=attrgetter("id")))))
    return tuple(sorted(links, key=lambda link: (-len(link.text), link.text)))


def find_naticks(words: Mapping[Slot, str], grid: Grid, lexicon: Lexicon) -> tuple[Link, ...]:
    """Return the cells of `list_naticks`, each with the slots of the two names."""
    entries = [words.get(slot, "") for slot in grid.slots]
    links: list[Link] = []
    for each in list_naticks(grid, entries, lexicon):
        across = grid.slots[each.across]
        cell, _ = across.places[each.across_pos]
        links.append(Link(grid.name_cell(cell), (across, grid.slots[each.down])))
    return tuple(links)


def _group(words: Mapping[Slot, str]) -> dict[str, list[Slot]]:
    """Return the slots of each word."""
    by_word: dict[str, list[Slot]] = defaultdict(list)
    for slot, word in words.items():
        by_word[word].append(slot)
    return by_word


PUBLISHED = 0.75
"""The share of phrases, names and abbreviations among the long entries of 400 American newspaper puzzles of 2005 to
2017."""


@dataclass(frozen=True, slots=True)
class LongEntries:
    """The long entries of a grid, of `LONG` letters or more, as far as lists have them.

    Attributes:
        words: how many there are.
        phrases: how many of them are phrases.
        names: how many of them are names.
        published: the share of phrases and names in published puzzles of the same language, if that is known.
    """

    words: int
    phrases: int
    names: int
    published: float | None


def count_long(words: Collection[str], lexicon: Lexicon) -> LongEntries | None:
    """Return the long entries among listed words; `None` without any, or if no list tells their kinds."""
    kinds = [lexicon.kind(word) for word in words if len(word) >= LONG]
    if not kinds or not lexicon.tells_kinds:
        return None
    published = PUBLISHED if lexicon.language == "en" else None
    return LongEntries(len(kinds), kinds.count(EntryKind.PHRASE), kinds.count(EntryKind.NAME), published)


_NO_LETTER = "?"
"""The sign of a cell without a letter in a fill."""

_NO_GIVENS = {PuzzlePart.REBUS, PuzzlePart.SYMBOLS}
"""The parts of a puzzle that a grid of letters cannot hold."""


@dataclass(frozen=True, slots=True)
class FillFigures:
    """The figures of the words in a grid.

    Attributes:
        words: the word in each completely filled slot.
        own: the slots whose words are own entries, which are not looked up.
        scores: the score of each other word that is in the lexicon; of own entries if they take all slots.
        letters: the number of cells that hold each letter of the alphabet.
        scrabble: the average Scrabble value of a letter; `None` if a letter has no value.
        repeats: the words in several slots.
        alike: the marks that several different words share.
        naticks: the cells where two names cross and another letter would make other entries of both.
        delicate: the slots whose words score little because they are delicate.
        long: the long entries, if there are any whose kinds are known.
    """

    words: Mapping[Slot, str]
    own: tuple[Slot, ...]
    scores: Mapping[Slot, float]
    letters: Mapping[str, int]
    scrabble: float | None
    repeats: tuple[Link, ...]
    alike: tuple[Link, ...]
    naticks: tuple[Link, ...]
    delicate: frozenset[Slot] = frozenset()
    long: LongEntries | None = None

    @property
    def mean_score(self) -> float | None:
        """The mean of the scores; `None` if there are no scores."""
        return _mean(self.scores.values())

    @property
    def median_score(self) -> float | None:
        """The median of the scores; `None` if there are no scores."""
        return median(self.scores.values()) if self.scores else None

    @property
    def histogram(self) -> list[Bin]:
        """The number of words per range of scores: by tens if the best score is more than 10 and at most 100."""
        if not self.scores:
            return []
        return histogram(list(self.scores.values()))

    @property
    def bands(self) -> dict[Band, int]:
        """The number of strong, fair and weak words; empty if all score the same, which says nothing about them."""
        if len(set(self.scores.values())) <= 1:
            return {}
        return count_bands(self.scores.values())

    @property
    def unlisted(self) -> list[Slot]:
        """The slots whose words are not in the lexicon."""
        known = {*self.scores, *self.own}
        return [slot for slot in self.words if slot not in known]

    @property
    def pangram(self) -> bool:
        """Whether the fill uses every letter of the alphabet."""
        return all(self.letters.values())

    def find_worst(self, count: int = 10) -> list[Slot]:
        """Return the slots whose words score least, worst first, equal scores in the order of the grid."""
        return sorted(self.scores, key=lambda slot: (self.scores[slot], slot.id))[:count]


def describe_fill(
    fill: Fill,
    lexicon: Lexicon,
    *,
    values: Mapping[str, int] = LANGUAGES["en"],
    own: Collection[Slot] = (),
) -> FillFigures | None:
    """Return the figures of the words of a fill, complete or not; `None` if no slot is completely filled.

    Args:
        fill: the letters, as a search, `Fill.of_grid` or `take_answers` gives them.
        lexicon: the scores and spellings of the words.
        values: the Scrabble values of letters.
        own: the slots whose words are own entries.

    Raises:
        CpfillError: the stemmers are not installed.
    """
    words = find_words(fill)
    if not words:
        return None
    entries = _find_entries(words, lexicon)
    letters = Counter("".join(fill.letters).replace(_NO_LETTER, ""))
    return FillFigures(
        words=words,
        own=tuple(slot for slot in words if slot in own),
        scores=_find_scores(fill.grid, words, entries, own),
        letters={letter: letters[letter] for letter in fill.grid.alphabet.letters},
        scrabble=_average_value(letters, values),
        repeats=find_repeats(words),
        alike=find_alike(words, lexicon),
        naticks=find_naticks(words, fill.grid, lexicon),
        delicate=_find_delicate(words, entries, lexicon),
        long=count_long([word for word in words.values() if word in entries], lexicon),
    )


def find_words(fill: Fill) -> dict[Slot, str]:
    """Return the word in each completely filled slot."""
    return {slot: word for slot, word in fill.words.items() if _NO_LETTER not in word}


def _find_entries(words: Mapping[Slot, str], lexicon: Lexicon) -> dict[str, _Entry]:
    """Return the score and the spelling of each word that is in the lexicon."""
    entries: dict[str, _Entry] = {}
    for word in words.values():
        entry = lexicon.find(word)
        if entry is not None:
            entries[word] = entry
    return entries


def _find_scores(
    grid: Grid, words: Mapping[Slot, str], entries: Mapping[str, _Entry], own: Collection[Slot]
) -> dict[Slot, float]:
    """Return the score of each word in the lexicon, except own entries; of these, too, if they take all slots."""
    own_alone = all(slot in own for slot in grid.slots)
    scores: dict[Slot, float] = {}
    for slot, word in words.items():
        if word in entries and (own_alone or slot not in own):
            scores[slot], _ = entries[word]
    return scores


def _average_value(letters: Counter[str], values: Mapping[str, int]) -> float | None:
    """Return the average Scrabble value of some letters; `None` without letters, or if a letter has no value."""
    if not letters.keys() <= values.keys():
        return None
    return _mean(list(map(values.__getitem__, letters.elements())))


def _mean(numbers: Collection[float]) -> float | None:
    """Return the mean of some numbers; `None` without numbers."""
    return fmean(numbers) if numbers else None


def _find_delicate(words: Mapping[Slot, str], entries: Mapping[str, _Entry], lexicon: Lexicon) -> frozenset[Slot]:
    """Return the slots whose words score little because they are delicate."""
    delicate: set[Slot] = set()
    for slot, word in words.items():
        if word in entries:
            score, _ = entries[word]
            if lexicon.is_delicate(word, score):
                delicate.add(slot)
    return frozenset(delicate)


def take_answers(puzzle: Puzzle, alphabet: Alphabet, min_slot_length: int = 2, name: str | None = None) -> Fill:
    """Return the answers of a puzzle, folded, complete or not; a rebus cell keeps all its letters.

    Messages call the puzzle `name`.

    Raises:
        GridError: a cell holds a letter that is not in the alphabet.
    """
    grid = puzzle.keep(frozenset(PuzzlePart) - _NO_GIVENS).grid(alphabet, min_slot_length, name)
    answers: list[str] = []
    for cell in puzzle.cells:
        if cell is None:
            answers.append("")
        else:
            answers.append(alphabet.fold(cell) or cell or _NO_LETTER)
    return Fill(tuple(answers), grid)


@dataclass(frozen=True, slots=True)
class Figures(Part):
    """The figures of a grid and of the words in it.

    Attributes:
        grid: the grid.
        faults: the faults of each style.
        words: the figures of the words, if there are any.
        calibrated: the lists whose scores were calibrated, and how.
        readings: the answers of each slot that has several, by its name.
    """

    grid: Grid
    faults: Mapping[str, Sequence[StyleFault]]
    words: FillFigures | None
    calibrated: list[str]
    readings: dict[str, list[str]]

    @property
    def record(self) -> FiguresRecord:
        """The figures as JSON."""
        fill = None if self.words is None else _fill_record(self.words, self.calibrated)
        record: FiguresRecord = {**_grid_record(self.grid, describe_grid(self.grid), self.faults), "fill": fill}
        if self.readings:
            record["readings"] = self.readings
        return record


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Stats(Question):
    """The figures of a grid and of the words in it."""

    style: str | None = asked(Field(STYLE, f"Tell faults of this style: {', '.join(STYLES)}.", "NAME"))
    language: str | None = asked(
        Field(
            name_reader(later("a language"), LANGUAGES),
            f"{', '.join(LANGUAGES)}; that of a packaged list, or en.",
            "NAME",
        )
    )

    @property
    def fill(self) -> Fill:
        """The letters that stand in the grid."""
        if isinstance(self.request.grid, Puzzle):
            return take_answers(self.request.grid, self.request.alphabet, self.request.min_slot_length)
        (template,) = self.request.templates()
        return Fill.of_grid(template.grid)

    def answer(self, desk: Desk) -> Generator[Figures | Done]:
        """Yield the figures."""
        yield self._describe(self.fill, desk)
        yield Done()

    def _describe(self, fill: Fill, desk: Desk) -> Figures:
        """Return the figures of a grid and of the words in it."""
        words: FillFigures | None = None
        calibrated: list[str] = []
        styles = STYLES if self.style is None else {self.style: STYLES[self.style]}
        faults = {name: find_faults(fill.grid, rules) for name, rules in styles.items()}
        found = find_words(fill)
        if found:
            values = LANGUAGES[self.language or guess_language(self.request)]
            lexicon = desk.lexicon_of(self.request)
            words = describe_fill(fill, lexicon, values=values, own=self._find_own(found))
            calibrated = [f"{Path(one.name).name}: {one.calibrated}" for one in lexicon.lists if one.calibrated]
        given = self.request.grid
        puzzle = given if isinstance(given, Puzzle) else self.request.templates()[0].puzzle
        return Figures(fill.grid, faults, words, calibrated, list_readings(puzzle))

    def _find_own(self, words: Mapping[Slot, str]) -> list[Slot]:
        """Return the slots whose words are own entries."""
        locked = self.request.locked
        return [slot for slot, word in words.items() if word in self.request.find_own({slot: word}, locked)]


def _grid_record(grid: Grid, figures: GridFigures, faults: Mapping[str, Sequence[StyleFault]]) -> GridFiguresRecord:
    return {
        "height": figures.height,
        "width": figures.width,
        "words": figures.words,
        "average_length": figures.average_length,
        "lengths": _name_counts(figures.lengths),
        "blocks": figures.blocks,
        "block_share": figures.block_share,
        "open": figures.open_cells,
        "clear": figures.clear_cells,
        "checked": figures.checked_cells,
        "checked_share": figures.checked_share,
        "cheaters": list(map(grid.name_cell, figures.cheaters)),
        "symmetries": list(figures.symmetries),
        "parts": list(figures.parts),
        "faults": {style: _fault_records(found) for style, found in faults.items()},
    }


def _fault_records(faults: Iterable[StyleFault]) -> list[FaultRecord]:
    return [{"fault": each.kind, "at": each.at} for each in faults]


def _fill_record(figures: FillFigures, calibrated: list[str]) -> FillFiguresRecord:
    return {
        "words": _by_name(figures.words),
        "own": _names(figures.own),
        "scores": _by_name(figures.scores),
        "mean_score": figures.mean_score,
        "median_score": figures.median_score,
        "bands": _name_counts(figures.bands),
        "worst": [_score_record(figures, slot) for slot in figures.find_worst()],
        "histogram": [{"low": each.low, "high": each.high, "words": each.words} for each in figures.histogram],
        "unlisted": _names(figures.unlisted),
        "letters": dict(figures.letters),
        "pangram": figures.pangram,
        "scrabble": figures.scrabble,
        "repeats": _link_records(figures.repeats),
        "alike": _link_records(figures.alike),
        "naticks": _link_records(figures.naticks),
        "long": _long_record(figures.long),
        "calibrated": calibrated,
    }


def _score_record(figures: FillFigures, slot: Slot) -> ScoredWord:
    record: ScoredWord = {"slot": slot.name, "word": figures.words[slot], "score": figures.scores[slot]}
    if slot in figures.delicate:
        record["reason"] = "delicate"
    return record


def _long_record(long: LongEntries | None) -> LongRecord | None:
    if long is None:
        return None
    return {"words": long.words, "phrases": long.phrases, "names": long.names, "published": long.published}


def _link_records(links: Iterable[Link]) -> list[LinkRecord]:
    return [{"text": link.text, "slots": _names(link.slots)} for link in links]


def _by_name(values: Mapping[Slot, _Value]) -> dict[str, _Value]:
    return {slot.name: value for slot, value in values.items()}


def _name_counts(counts: Mapping[int, int] | Mapping[Band, int]) -> dict[str, int]:
    return {str(counted): count for counted, count in counts.items()}


def _names(slots: Iterable[Slot]) -> list[str]:
    return [slot.name for slot in slots]


__all__ = [
    "LANGUAGES",
    "FaultKind",
    "FillFigures",
    "GridFigures",
    "Link",
    "LongEntries",
    "Stats",
    "StyleFault",
    "describe_fill",
    "describe_grid",
    "find_alike",
    "find_faults",
    "find_naticks",
    "find_repeats",
    "take_answers",
]


@dataclass(frozen=True, slots=True)
class Description(Part):
    """The parts of a grid.

    Attributes:
        grid: the grid.
        dialect: the name of the dialect in which it was written.
        fitting: for each slot how many words fit it, and how many arc consistency leaves; `None` without lists.
    """

    grid: Grid
    dialect: str
    fitting: list[tuple[int, int]] | None

    @property
    def record(self) -> InfoRecord:
        """The description as JSON."""
        grid = self.grid
        lengths = Counter(len(slot.cells) for slot in grid.slots)
        return {
            "dialect": self.dialect,
            "height": grid.height,
            "width": grid.width,
            "cells": _count_cells(grid),
            "slots": self._slot_records(),
            "crossings": len(grid.crossings),
            "lengths": _name_counts(dict(sorted(lengths.items()))),
            "components": [len(component) for component in grid.components],
        }

    def _slot_records(self) -> list[SlotRecord]:
        grid = self.grid
        records: list[SlotRecord] = []
        for slot in grid.slots:
            record: SlotRecord = {
                "slot": slot.name,
                "at": grid.name_cell(slot.cells[0]),
                "length": slot.length,
                "crossings": len(grid.neighbours[slot.id]),
                "pattern": grid.pattern(slot),
            }
            if self.fitting is not None:
                record["fitting"], record["consistent"] = self.fitting[slot.id]
            records.append(record)
        return records


def _count_cells(grid: Grid) -> dict[str, int]:
    """Return the number of cells of each kind, in the order in which they are shown."""
    open_cells = sum(1 for cell in grid.cells if cell)
    slot_counts = Counter(len(at) for at in grid.slots_at.values())
    counts = {"block": len(grid.cells) - open_cells, "open": open_cells, "empty": 0, "given": 0, "letter set": 0}
    for given, letters in zip(grid.givens, grid.cells, strict=True):
        if given and letters:
            counts["given"] += 1
        elif letters == grid.alphabet.full:
            counts["empty"] += 1
        elif letters:
            counts["letter set"] += 1
    counts["checked"] = slot_counts[2]
    counts["unchecked"] = slot_counts[1]
    counts["in no slot"] = open_cells - len(grid.slots_at)
    return counts


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Info(Question):
    """The parts of a grid; if word lists are named, also how many words fit each slot."""

    def answer(self, desk: Desk) -> Generator[Description | Done]:
        """Yield the description."""
        (template,) = self.request.templates()
        fitting = self._count_fitting(template.grid, desk) if self.request.words else None
        yield Description(template.grid, template.dialect.name, fitting)
        yield Done()

    def _count_fitting(self, grid: Grid, desk: Desk) -> list[tuple[int, int]]:
        """Return for each slot how many words fit it, and how many arc consistency leaves."""
        problem = Problem(grid, desk.lexicon_of(self.request).widened(grid.alphabet), self.request.rules)
        try:
            consistent = [domain.bit_count() for domain in ac3(problem, problem.domains)]
        except Wipeout:
            consistent = [0] * len(grid.slots)
        fitting = [domain.bit_count() for domain in problem.domains]
        return list(zip(fitting, consistent, strict=True))
