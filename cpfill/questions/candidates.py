"""The words a slot can hold and the letters a cell can hold, each with a proved verdict.

*Yes* comes with a fill that shows it, *no* with a proof that there is no such fill; *open* means that the node limit
did not suffice. A fill found for one word is a witness for all its words and letters. A refuted word or letter leaves
its domain, so that propagation refutes more without a search.

Words come in the order in which a constructor would take them: strong words, fair ones and weak ones, where a word that
is like a given one is weak; of strong and fair words in a long slot phrases and names first; then by tens of the score
up to 60, above which scores say little more than frequency; then by support, because after words with many crossing
words a fill goes on well.

Where there is no fill at all, every verdict would be *no*, also far from the reason. There the slots of a conflict are
dead: they take any letters, and the words of all other slots are judged without them. More conflicts may follow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import chain
from operator import add
from typing import TYPE_CHECKING, Literal

from cpfill.base.errors import Fault, InputError
from cpfill.base.texts import say
from cpfill.engines import PROBING_ENGINE
from cpfill.engines.audited import audit, check_limits, drop_objective, resolve_engine
from cpfill.engines.requirements import require_probing
from cpfill.problem.check import violations
from cpfill.problem.fill import Fill
from cpfill.problem.result import Deadline, Limits, Outcome
from cpfill.puzzle.grid import open_slots
from cpfill.questions.explain.conflict import Conflict, Kind, Oracle, find_conflicts
from cpfill.words.lexicon import walk_members
from cpfill.words.spelling import LONG
from cpfill.words.wordlist import Band

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, KeysView, Sequence

    from cpfill.engines.contract import Engine, Probe
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import CellId, Slot, SlotId
    from cpfill.words.lexicon import Lexicon, WordId

QUESTION_NODES = 2_000
"""The default nodes for one word or letter: a few hundredths of a second."""

DEAD_S = 2.0
"""Seconds for all conflicts, at most; where they do not suffice, more slots are dead than need be."""


class Verdict(StrEnum):
    """Whether there is a fill."""

    YES = "yes"
    NO = "no"
    OPEN = "open"
    """Not decided."""


VERDICTS = {Outcome.FOUND: Verdict.YES, Outcome.EXHAUSTED: Verdict.NO, Outcome.UNKNOWN: Verdict.OPEN}
"""What the outcome of a search says."""


Reason = Literal["delicate", "alike", "phrase", "name"]
"""Why a constructor may not want a word, or else what makes it lively."""

LEVELS = {Band.STRONG: (6, 5), Band.FAIR: (4,), Band.WEAK: (3, 2, 1, 0)}
"""The levels of each band, the best first. A level has ten points, the best one all above them, too."""

POINTS = 10.0
"""The points of a level."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A word for a slot.

    Attributes:
        word: folded.
        spelling: as its list writes it.
        score: its score.
        verdict: whether a fill has it there.
        witness: such a fill, if one was found.
        reason: why a constructor may not want it: its score is low because it is delicate, or it is like a given word;
            or else its kind.
        support: the logarithm of the product of the numbers of crossing words that arc consistency leaves,
            in hundredths.
        weakest: the word of the witness with the lowest score, and that score; own entries do not count.
    """

    word: str
    spelling: str
    score: float
    verdict: Verdict
    witness: Fill | None = None
    reason: Reason | None = None
    support: int = 0
    weakest: tuple[str, float] | None = None


@dataclass(frozen=True, slots=True)
class CellLetters:
    """The letters of a cell by their verdicts, in alphabetical order.

    Attributes:
        cell: the cell.
        yes: the letters that some fill has there.
        no: the letters that no fill has there.
        open: the undecided letters.
    """

    cell: CellId
    yes: str
    no: str
    open: str = ""

    @property
    def by_verdict(self) -> dict[Verdict, str]:
        """The letters by verdict."""
        return {Verdict.YES: self.yes, Verdict.NO: self.no, Verdict.OPEN: self.open}

    @property
    def forced(self) -> str | None:
        """The letter that every fill has there, if that is proved."""
        return self.yes if len(self.yes) == 1 and not self.open else None


@dataclass(frozen=True, slots=True)
class Dead:
    """The part of a grid for which there is no fill, and the candidates beside it.

    Attributes:
        slots: the names of the slots that have no fill together, or with the required words.
        required: the required words that are to blame too.
        rest: the candidates of all other slots, where those slots may hold any letters; `None` without other slots.
    """

    slots: tuple[str, ...]
    required: tuple[str, ...]
    rest: Candidates | None


class Candidates:
    """The candidates of one problem, judged slot by slot and cell by cell; answers are remembered.

    The problem's objective is ignored. From `limits` it uses the time (shared by all answers), the nodes (for each word
    or letter), the seed and the token.

    Raises:
        UnsupportedError: the engine cannot judge candidates.
        TypeError: `limits` is not a `Limits`.
    """

    def __init__(
        self, problem: Problem, *, engine: Engine | str = PROBING_ENGINE, limits: Limits | None = None
    ) -> None:
        limits = check_limits(limits)
        chosen = require_probing(resolve_engine(engine))
        self._dead: Dead | None = None
        self.renew(limits)
        self.problem = problem
        self._engine = chosen
        self._seed = limits.seed
        self._probe: Probe = chosen.probe(problem, limits.seed)
        self._consistent: dict[SlotId, int] = {}
        self._witnesses: dict[tuple[SlotId, str], Fill] = {}
        self._filled: dict[tuple[CellId, str], Fill] = {}
        self._fills: dict[Fill, None] = {}
        self._scores: dict[str, float] = {}
        self._weights: dict[SlotId, list[tuple[int, list[int]]]] = {}
        self._levels: dict[tuple[SlotId, int], list[WordId]] = {}
        self._base: Fill | None = None
        self._free: frozenset[CellId] = frozenset()
        """Cells that dead slots alone pass: the letters of a fill mean nothing there."""
        for slot in problem.slots:  # before anything is excluded
            self._consistent[slot.id] = self._probe.domain(slot.id)

    def renew(self, limits: Limits) -> None:
        """Use new limits from now on: their time begins now. The seed stays."""
        self._deadline = Deadline(limits.time_s, limits.stop)
        self._nodes = limits.nodes or QUESTION_NODES
        if self._dead is not None and self._dead.rest is not None:
            self._dead.rest.renew(limits)

    def learn(self, fill: Fill) -> bool:
        """Take a fill from elsewhere; remember it, and return True, if it is a fill of this problem."""
        known = Fill(fill.letters, self.problem.grid)
        if violations(self.problem, known):
            return False
        self._remember(known)
        return True

    def approach(self, letters: Fill) -> None:
        """Answer from now on with fills that keep most of these letters, which need not spell words."""
        _, fill = self._probe.approach(letters, self._nodes, self._deadline)
        if fill is not None:
            audit(self.problem, self._engine.name, fill)
            if fill != self._base:
                self._witnesses.clear()  # they show words in fills near another one
            self._base = fill
            self._remember(fill)

    @property
    def is_over(self) -> bool:
        """Whether the time is up: open questions stay undecided."""
        return self._deadline.passed

    @property
    def fills(self) -> KeysView[Fill]:
        """The known fills, in the order in which they were found."""
        return self._fills.keys()

    def judge(self) -> tuple[Verdict, Fill | None]:
        """Return whether there is a fill at all, and a fill: that which was approached last, if any."""
        if self._fills:
            return Verdict.YES, self._base or next(iter(self._fills))
        outcome, fill = self._ask(0, self._consistent[0])
        return VERDICTS[outcome], fill

    def find_dead(self) -> Dead | None:
        """Return the part of the grid that has no fill, if that is proved, and the candidates beside it."""
        if self._dead is not None or self.judge()[0] is not Verdict.NO:
            return self._dead
        found = self._seek_dead()
        if not self.is_over:  # else a smaller part may be found at another time
            self._dead = found
        return found

    def _seek_dead(self) -> Dead:
        """Drop one conflict after another until no proof says that the rest has no fill."""
        dead: list[str] = []
        required: list[str] = []
        rest: Candidates | None = self
        deadline = Deadline(self._deadline.remaining_s(DEAD_S), self._deadline.stop)
        while rest is not None and rest.judge()[0] is Verdict.NO and not deadline.passed:
            slots, words = rest._find_conflict(deadline)  # noqa: SLF001 - of its own kind
            dead += slots
            required += words
            rest = rest._drop(slots, words)  # noqa: SLF001
        if rest is not None:
            rest._free = frozenset(self.problem.grid.slots_at.keys() - rest.problem.grid.slots_at.keys())  # noqa: SLF001
        return Dead(tuple(dead), tuple(required), rest)

    def _find_conflict(self, deadline: Deadline) -> tuple[list[str], list[str]]:
        """Return the slots and the required words of a conflict, minimal if time allows."""
        oracle = Oracle(drop_objective(self.problem), self._engine, deadline, self._seed)
        found = oracle.everything
        for step in find_conflicts(oracle):
            if isinstance(step, Conflict):
                found = step.subset
        slots: list[str] = []
        required: list[str] = []
        for kind, id_ in sorted(found):
            if kind is Kind.SLOT:
                slots.append(self.problem.slots[id_].name)
            elif kind is Kind.REQUIRED:
                required.append(oracle.required[id_])
        return slots, required

    def _drop(self, names: list[str], required: list[str]) -> Candidates | None:
        """Return the candidates where some slots may hold any letters and some required words may be missing.

        A word that stands in such a slot is used up.
        """
        problem = self.problem
        slots = [slot for slot in problem.slots if slot.name in names]
        grid = open_slots(problem.grid, slots)
        if not grid.slots:
            return None
        lexicon = self._use_up(slots)
        lengths = {slot.length for slot in grid.slots}
        wanted = [word for word in problem.rules.required.difference(required) if len(word) in lengths]
        rules = replace(problem.rules, required=frozenset(filter(lexicon.find, wanted)))
        freed = problem.freed.union(problem.grid.slots_at.keys() - grid.slots_at.keys())
        relaxed = replace(drop_objective(problem), grid=grid, lexicon=lexicon, rules=rules, freed=freed)
        limits = Limits(time_s=self._deadline.time_s, nodes=self._nodes, seed=self._seed, stop=self._deadline.stop)
        return Candidates(relaxed, engine=self._engine, limits=limits)

    def _use_up(self, slots: Sequence[Slot]) -> Lexicon:
        """Return the lexicon without the words that stand in some slots, unless words may be repeated."""
        lexicon = self.problem.lexicon
        given = map(self.problem.grid.given_word, slots)
        standing = {word for word in given if word and lexicon.find(word)}
        if not standing or self.problem.rules.repeats:
            return lexicon
        return lexicon.without(standing)

    def beside_dead(self, slot: str) -> Candidates:
        """Return the candidates that judge the words of a slot: those beside the dead part if the slot is not in it."""
        dead = self.find_dead()
        if dead is None or dead.rest is None or slot in dead.slots:
            return self
        return dead.rest

    def count_words(self, slot: SlotId) -> int:
        """Return the number of words that arc consistency leaves a slot."""
        return self._consistent[slot].bit_count()

    def list_words(self, slot: SlotId) -> Iterator[Candidate]:
        """Yield the words that arc consistency leaves a slot, in the order of a constructor, all undecided."""
        for word in self._rank(slot):
            yield self._describe(slot, word)

    def _describe(self, slot: SlotId, word: WordId) -> Candidate:
        """Return a word without a verdict."""
        table = self.problem.tables[slot]
        text = table.words[word]
        score = self.problem.own.get(text, table.scores[word])
        reason = self._find_reason(slot, text, score)
        support = sum(logs[table.codes[word * table.length + pos]] for pos, logs in self._weigh_letters(slot))
        return Candidate(text, table.spellings[word], score, Verdict.OPEN, reason=reason, support=support)

    def _rank(self, slot: SlotId) -> Iterator[WordId]:
        """Yield the words that arc consistency leaves a slot, in the order of a constructor.

        Kinds, and whether a word is like a given one, are asked when the turn of a word comes: for all that takes long.
        """
        words = self.problem.tables[slot].words
        fallen: list[WordId] = []
        for band in (Band.STRONG, Band.FAIR):
            for word in self._rank_band(slot, band):
                if self._is_alike(slot, words[word]):
                    fallen.append(word)
                else:
                    yield word
        best, *others = LEVELS[Band.WEAK]
        yield from self._sort(slot, sorted([*self._list_level(slot, best), *fallen]))
        for level in others:
            yield from self._list_level(slot, level)

    def _rank_band(self, slot: SlotId, band: Band) -> Iterator[WordId]:
        """Yield the words of a band; the phrases and names of a long slot come before its other words."""
        words = chain.from_iterable(self._list_level(slot, level) for level in LEVELS[band])
        table = self.problem.tables[slot]
        if table.length < LONG:
            yield from words
            return
        plain: list[WordId] = []
        for word in words:
            if self.problem.lexicon.kind(table.words[word]) is None:
                plain.append(word)
            else:
                yield word
        yield from plain

    def _list_level(self, slot: SlotId, level: int) -> list[WordId]:
        """Return the words of a level that arc consistency leaves a slot, by their support."""
        if (slot, level) not in self._levels:
            table = self.problem.tables[slot]
            reaching = self._consistent[slot] & table.at_least(level * POINTS)
            if level < LEVELS[Band.STRONG][0]:
                reaching &= ~table.at_least((level + 1) * POINTS)
            self._levels[slot, level] = self._sort(slot, [*walk_members(reaching)])
        return self._levels[slot, level]

    def _sort(self, slot: SlotId, words: Sequence[WordId]) -> list[WordId]:
        """Return words, which ascend, by their support; those of equal support keep their order."""
        supports = self._add_support(slot, words)
        order = sorted(range(len(words)), key=supports.__getitem__, reverse=True)
        return [*map(words.__getitem__, order)]

    def _add_support(self, slot: SlotId, words: Sequence[WordId]) -> list[int]:
        """Return the support of words, added up a column of letters at a time."""
        table = self.problem.tables[slot]
        total = [0] * len(words)
        letters = b"".join([table.codes[word * table.length : (word + 1) * table.length] for word in words])
        for pos, logs in self._weigh_letters(slot):
            total = [*map(add, total, map(logs.__getitem__, letters[pos :: table.length]))]
        return total

    def judge_words(self, slot: SlotId, *, promising: bool = False) -> Iterator[Candidate]:
        """Yield the words that arc consistency leaves a slot, each with its verdict.

        They come in the order of a constructor. If `promising`, every second word is instead the one with the most
        crossing words, so that in a tight corner the words that fit are met early.
        """
        words = self._rank(slot)
        if promising:
            words = _mix(words, self._sort(slot, [*walk_members(self._consistent[slot])]))
        for word in words:
            verdict, witness = self._judge_word(slot, word)
            shown = self._show(witness)
            weakest = self._find_weakest(witness)
            yield replace(self._describe(slot, word), verdict=verdict, witness=shown, weakest=weakest)

    def _find_weakest(self, fill: Fill | None) -> tuple[str, float] | None:
        """Return the word of a fill with the lowest score, and that score; own entries do not count."""
        if fill is None:
            return None
        words = [fill.word_at(slot) for slot in self.problem.slots]
        judged = [word for word in words if word not in self.problem.own]
        if not judged:
            return None
        word = min(judged, key=self._score)
        return word, self._score(word)

    def _score(self, word: str) -> float:
        """Return the score of a word that is no own entry; fills share most words, so scores are kept."""
        if word not in self._scores:
            self._scores[word] = self.problem.find_score(word) or 0.0
        return self._scores[word]

    def _show(self, fill: Fill | None) -> Fill | None:
        """Return a fill with `.` in each free cell that has no letter of its own."""
        if fill is None or not self._free:
            return fill
        givens = self.problem.grid.givens
        letters = list(fill.letters)
        for cell in self._free:
            if not givens[cell]:
                letters[cell] = "."
        return Fill(tuple(letters), fill.grid)

    def _find_reason(self, slot: SlotId, word: str, score: float) -> Reason | None:
        """Return why a constructor may not want a word in a slot, or else its kind."""
        if self.problem.lexicon.is_delicate(word, score):
            return "delicate"
        if self._is_alike(slot, word):
            return "alike"
        kind = self.problem.lexicon.kind(word)
        return None if kind is None else kind.value

    def _is_alike(self, slot: SlotId, word: str) -> bool:
        """Return whether a word is like a given word of another slot."""
        if not self._given:
            return False
        for mark in self.problem.lexicon.marks(word):
            for other, given in self._given.get(mark, ()):
                if other != slot and given != word:
                    return True
        return False

    @cached_property
    def _given(self) -> dict[str, list[tuple[SlotId, str]]]:
        """The words that are completely given, each with its slot, by their marks."""
        found: dict[str, list[tuple[SlotId, str]]] = {}
        for slot in self.problem.slots:
            word = self.problem.grid.given_word(slot)
            if word is not None:
                for mark in self.problem.lexicon.marks(word):
                    found.setdefault(mark, []).append((slot.id, word))
        return found

    def _weigh_letters(self, slot: SlotId) -> list[tuple[int, list[int]]]:
        """Return for each crossing of a slot its position, and what each letter there adds to the support of a word."""
        if slot not in self._weights:
            rows: list[tuple[int, list[int]]] = []
            for pos, other, other_pos in self.problem.grid.links[slot]:
                masks = self.problem.tables[other].masks(other_pos)
                rows.append((pos, [_log((self._consistent[other] & having).bit_count()) for having in masks]))
            self._weights[slot] = rows
        return self._weights[slot]

    def judge_letters(self, cells: Iterable[CellId] | None = None) -> Iterator[CellLetters]:
        """Yield the letters of cells by their verdicts, in reading order; by default of every cell in a slot.

        Letters that the template rules out are not listed. Rebus cells are left out.

        Raises:
            InputError: a cell is in no slot, or a rebus cell.
        """
        grid = self.problem.grid
        if cells is None:
            cells = self.list_cells()
        for cell in cells:
            if cell in grid.rebus:
                raise InputError(Fault(say("a cell of one letter"), grid.name_cell(cell)))
            if cell not in grid.slots_at:
                raise InputError(Fault(say("a cell in a slot"), grid.name_cell(cell)))
            yield self._judge_cell(cell)

    def list_cells(self) -> list[CellId]:
        """Return the cells of one letter that are in a slot, in reading order."""
        grid = self.problem.grid
        return [cell for cell in grid.slots_at if cell not in grid.rebus]

    def _judge_cell(self, cell: CellId) -> CellLetters:
        grid = self.problem.grid
        letters: dict[Verdict, str] = dict.fromkeys(Verdict, "")
        for letter in grid.alphabet.members(grid.cells[cell]):
            letters[self._judge_letter(cell, letter)] += letter
        return CellLetters(cell, letters[Verdict.YES], letters[Verdict.NO], letters[Verdict.OPEN])

    def _judge_letter(self, cell: CellId, letter: str) -> Verdict:
        if (cell, letter) in self._filled:
            return Verdict.YES
        grid = self.problem.grid
        slot, pos = grid.slots_at[cell][0]
        having = self.problem.tables[slot].having(pos, grid.alphabet.letter_set(letter))
        outcome, _ = self._ask(slot, self._probe.domain(slot) & having)
        return VERDICTS[outcome]

    def _judge_word(self, slot: SlotId, word: WordId) -> tuple[Verdict, Fill | None]:
        witness = self._witnesses.get((slot, self.problem.tables[slot].words[word]))
        if witness is not None:
            return Verdict.YES, witness
        outcome, fill = self._ask(slot, 1 << word)
        return VERDICTS[outcome], fill

    def _ask(self, slot: SlotId, words: int) -> tuple[Outcome, Fill | None]:
        """Return whether a fill has one of some words in a slot; remember its other words and letters."""
        possible = words & self._probe.domain(slot)
        if not possible:
            return Outcome.EXHAUSTED, None
        if self._deadline.passed:
            return Outcome.UNKNOWN, None
        outcome, fill = self._probe.ask(slot, possible, self._nodes, self._deadline)
        if outcome is Outcome.EXHAUSTED:
            self._probe.exclude(slot, possible)
        if fill is not None:
            audit(self.problem, self._engine.name, fill)
            self._remember(fill)
        return outcome, fill

    def _remember(self, fill: Fill) -> None:
        self._fills[fill] = None
        for cell in self.problem.grid.slots_at:
            self._filled.setdefault((cell, fill.letters[cell]), fill)
        for slot in self.problem.slots:
            self._witnesses.setdefault((slot.id, fill.word_at(slot)), fill)


def _log(count: int) -> int:
    """Return the logarithm of a count in hundredths, and less than any for none."""
    return round(100 * math.log(count)) if count else -1


def _mix(first: Iterable[WordId], second: Iterable[WordId]) -> Iterator[WordId]:
    """Yield the words of two orders by turns, each word once."""
    seen: set[WordId] = set()
    for word in chain.from_iterable(zip(first, second, strict=True)):
        if word not in seen:
            seen.add(word)
            yield word
