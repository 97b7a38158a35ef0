"""Rule C11: a slot has several answers, and every crossing is a word with each (a Schrödinger puzzle).

    CLINTON/BOBDOLE      some slot has the answer CLINTON, or else BOBDOLE
    CAT/DOG/EMU          or one of three

A *reading* is the fill with one answer in each such slot. It keeps all other rules by itself. With several such slots
every choice of their answers is a reading. A cell that differs between the answers has a letter of its own in each
reading; a slot that crosses there reads differently, too.

A case of the problem says which slots have the answers. It is a problem about the first reading: each crossing slot is
narrowed to the words that are words in all readings, and words of two slots that would meet in another reading stand
apart.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import fields, replace
from functools import partial
from itertools import product
from math import prod
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import expected
from cpfill.base.reading import asked_fields
from cpfill.base.texts import later, say
from cpfill.problem.constraints import Apart
from cpfill.problem.problem import Objective
from cpfill.problem.rules import RuleFields
from cpfill.words.lexicon import walk_members

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cpfill.base.alphabet import Alphabet
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import CellId, Grid, Slot, SlotId

Answers = tuple[str, ...]

MOST_ANSWERS, MOST_SLOTS, MOST_READINGS = 3, 3, 10
"""The most answers of a slot, slots with several, and readings, of which files of puzzles hold no more."""


def parse_either(texts: Iterable[str], alphabet: Alphabet) -> tuple[Answers, ...]:
    """Return the folded answers of each slot that has several.

    Raises:
        InputError: a text has another form, an answer stands twice, or there are too many.
    """
    slots = tuple(_parse_answers(text, alphabet) for text in texts)
    if len(slots) > MOST_SLOTS:
        raise expected("at most {most} slots of several answers", str(len(slots)), most=MOST_SLOTS)
    count = prod(map(len, slots))
    if count > MOST_READINGS:
        raise expected("at most {most} readings of all slots together", str(count), most=MOST_READINGS)
    met: set[str] = set()
    for answer in (answer for answers in slots for answer in answers):
        if answer in met:
            raise expected("answers that are all different", say("{word} twice", word=answer))
        met.add(answer)
    return slots


def list_answers(texts: Iterable[str], alphabet: Alphabet) -> frozenset[str]:
    """Return all answers of slots that have several; raises the same as `parse_either`."""
    return frozenset[str]().union(*parse_either(texts, alphabet))


def _parse_answers(text: str, alphabet: Alphabet) -> Answers:
    written = text.split("/")
    if not 2 <= len(written) <= MOST_ANSWERS:
        raise expected("2 to {most} answers of a slot, such as CLINTON/BOBDOLE", f"'{text:.60}'", most=MOST_ANSWERS)
    answers = tuple(map(alphabet.word, written))
    if len(set(map(len, answers))) > 1:
        raise expected("answers of one length", ", ".join(f"{answer}, {len(answer)}" for answer in answers))
    return answers


_IN_EACH_READING = {"either", "min_score", "repeats"}
"""The rules that each reading keeps because its words do."""

_NOT_RULES = {"require", "theme", "avoid"}
"""Other fields of a request that are about the words of a whole fill."""


def check_request(asked: Any, grids: Iterable[Grid] = (), *, filling: bool = True) -> None:
    """Check that a request with slots of several answers asks for nothing else that depends on whole readings.

    Also check that each grid has a slot for each, by length. `asked` is of `cpfill.questions.request`;
    `filling` says whether grids are filled as they are.

    Raises:
        InputError: it asks for more, or a grid has too few slots.
    """
    if not asked.either:
        return
    if not filling:
        raise expected("--either with --filled or --fillable, and no --fewest-blocks", asked.either[0])
    names = (set(asked_fields(RuleFields)) | _NOT_RULES) - _IN_EACH_READING
    for each in fields(asked):
        if each.name in names and getattr(asked, each.name) != each.default:
            raise expected("--either without {rule}", say("both"), rule=f"--{each.name.replace('_', '-')}")
    if asked.goal not in {Objective.GOOD, Objective.ANY}:
        raise expected("the objective good or any with --either", asked.goal)
    for grid in grids:
        _check_room([len(answers[0]) for answers in parse_either(asked.either, grid.alphabet)], grid)


def _check_room(wanted: Sequence[int], grid: Grid) -> None:
    lengths = [slot.length for slot in grid.slots]
    for length in wanted:
        if wanted.count(length) > lengths.count(length):
            told = later("as many slots of {length} letters as --either asks for ({n})")
            raise expected(told, str(lengths.count(length)), n=wanted.count(length), length=length)


def list_readable(problem: Problem) -> Iterator[Problem]:
    """Yield the cases of a problem in which slots have several answers: one for each choice of these slots."""
    groups = parse_either(problem.rules.either, problem.grid.alphabet)
    for chosen in product(*(_list_slots(problem, answers) for answers in groups)):
        if len(set(chosen)) < len(chosen):
            continue
        letters = _place(problem.grid, chosen, groups)
        if letters is not None:
            yield _Readings(problem, chosen, [answers[0] for answers in groups], letters).make_case()


def _list_slots(problem: Problem, answers: Answers) -> list[Slot]:
    """Return the slots that may hold each of some answers."""
    return [slot for slot in problem.slots if all(map(partial(_allows, problem, slot.id), answers))]


def _allows(problem: Problem, slot: SlotId, word: str) -> bool:
    """Return whether a word is in the domain of a slot."""
    id_ = problem.tables[slot].ids.get(word)
    return id_ is not None and bool(problem.domains[slot] >> id_ & 1)


def _place(grid: Grid, chosen: Sequence[Slot], groups: Sequence[Answers]) -> dict[CellId, tuple[str, ...]] | None:
    """Return the letters of each cell that differs between readings; `None` if two answers contradict each other."""
    readings: list[dict[CellId, str]] = []
    for answers in product(*groups):
        reading: dict[CellId, str] = {}
        for slot, answer in zip(chosen, answers, strict=True):
            for (cell, _), letter in zip(slot.places, answer, strict=True):
                if cell not in grid.rebus and reading.setdefault(cell, letter) != letter:
                    return None
        readings.append(reading)
    differing = {}
    for cell in readings[0]:
        letters = tuple(map(itemgetter(cell), readings))
        if len(set(letters)) > 1:
            differing[cell] = letters
    return differing


class _Readings:
    """The words of slots in all readings of a case. A word of the first reading stands for those of the others.

    Args:
        problem: the problem.
        chosen: the slots of several answers.
        answers: their first answers.
        letters: for each cell that differs between readings, its letter in each.
    """

    def __init__(
        self,
        problem: Problem,
        chosen: Sequence[Slot],
        answers: Sequence[str],
        letters: Mapping[CellId, tuple[str, ...]],
    ) -> None:
        self._problem = problem
        self._letters = letters
        self._others = range(1, max(map(len, letters.values())))
        self._differing: dict[SlotId, dict[int, tuple[str, ...]]] = defaultdict(dict)
        """For each slot that differs, its letters in each reading, by position."""
        for cell in letters:
            for slot, pos in problem.grid.slots_at[cell]:
                self._differing[slot][pos] = letters[cell]
        self._words = {slot: self._list_words(slot) for slot in self._differing}
        for slot_, answer in zip(chosen, answers, strict=True):
            self._words[slot_.id] = frozenset((answer,))

    def make_case(self) -> Problem:
        """Return the problem about the first reading."""
        problem = self._problem
        narrowed = dict(problem.narrowed)
        for slot, words in self._words.items():
            narrowed[problem.slots[slot].direction, problem.slots[slot].cells[0]] = words
        return replace(
            problem,
            rules=replace(problem.rules, either=()),
            narrowed=narrowed,
            alternatives={cell: letters[1:] for cell, letters in self._letters.items()},
            parted=() if problem.rules.repeats else tuple(self._list_apart()),
        )

    def _list_words(self, slot: SlotId) -> frozenset[str]:
        """Return the words of a slot that differs which are words of it in every reading."""
        table = self._problem.tables[slot]
        domain = self._problem.domains[slot]
        for pos, letters in self._differing[slot].items():
            domain &= table.having(pos, self._problem.grid.alphabet.letter_set(letters[0]))
        kept = set()
        for word in map(table.words.__getitem__, walk_members(domain)):
            read = map(partial(self._read, slot, word), self._others)
            if all(map(partial(_allows, self._problem, slot), read)):
                kept.add(word)
        return frozenset(kept)

    def _read(self, slot: SlotId, word: str, number: int) -> str:
        """Return the word of a reading that a word of the first reading stands for."""
        read = [*word]
        for pos, letters in self._differing[slot].items():
            read[pos] = letters[number]
        return "".join(read)

    def _list_apart(self) -> Iterator[Apart]:
        """Yield the words of two slots that are one word in another reading (C3)."""
        for slot, words in self._words.items():
            length = self._problem.slots[slot].length
            others = [each.id for each in self._problem.slots if each.length == length and self._meets(slot, each.id)]
            for word in words:
                read = list(map(partial(self._read, slot, word), self._others))
                for other in others:
                    twins = self._find_twins(other, read, word)
                    if twins:
                        yield Apart(slot, 1 << self._problem.word_id(word), other, twins)

    def _meets(self, slot: SlotId, other: SlotId) -> bool:
        """Return whether two slots are compared, this one before the other."""
        return slot < other or (other not in self._differing and slot != other)

    def _find_twins(self, slot: SlotId, read: Sequence[str], word: str) -> int:
        """Return the words of a slot that stand for a given word in some other reading, but are not `word`."""
        twins = 0
        for number, each in zip(self._others, read, strict=True):
            twin = self._unread(slot, each, number)
            if twin is not None and twin != word and self._may_hold(slot, twin):
                twins |= 1 << self._problem.word_id(twin)
        return twins

    def _unread(self, slot: SlotId, read: str, number: int) -> str | None:
        """Return the word of the first reading that stands for a word in another one, if any can."""
        word = [*read]
        for pos, letters in self._differing.get(slot, {}).items():
            if word[pos] != letters[number]:
                return None
            word[pos] = letters[0]
        return "".join(word)

    def _may_hold(self, slot: SlotId, word: str) -> bool:
        if slot in self._words:
            return word in self._words[slot]
        return _allows(self._problem, slot, word)
