"""What can stand in a slot or a cell: each word and each letter with a verdict that is proved.

*Yes* is said with a fill that shows it, *no* with the proof that there is none, *open* where the work allowed did not
suffice. A fill that was found for one word is a witness for all its words and letters; a word or letter that is refuted
is excluded from then on, so that what follows from that is known without a search.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from cpfill.base.errors import Fault, InputError
from cpfill.engines import PROBING_ENGINE
from cpfill.engines.requirements import require_probing
from cpfill.engines.search import audit, check_limits, resolve_engine
from cpfill.problem.check import violations
from cpfill.problem.fill import Fill
from cpfill.problem.limits import Deadline
from cpfill.problem.result import Outcome
from cpfill.words.table import walk_members

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, KeysView

    from cpfill.engines.contract import Engine, Probe
    from cpfill.problem.limits import Limits
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import CellId, SlotId
    from cpfill.words.table import WordId

QUESTION_NODES = 2_000
"""The nodes that one word or letter has by default, some hundredths of a second."""


class Verdict(StrEnum):
    """Whether there is a fill."""

    YES = "yes"
    NO = "no"
    OPEN = "open"
    """Not decided."""


_VERDICTS = {Outcome.FOUND: Verdict.YES, Outcome.EXHAUSTED: Verdict.NO, Outcome.UNKNOWN: Verdict.OPEN}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A word that may stand in a slot.

    Attributes:
        word: folded.
        spelling: as its list writes it.
        score: its score.
        verdict: whether a fill has it there.
        witness: such a fill, if there is one.
    """

    word: str
    spelling: str
    score: float
    verdict: Verdict
    witness: Fill | None = None


@dataclass(frozen=True, slots=True)
class CellLetters:
    """The letters of a cell by their verdicts, each in the order of the alphabet.

    Attributes:
        cell: the cell.
        yes: those that some fill has there.
        no: those that none has.
        open: those that are not decided.
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
        """The one letter that every fill has there, if that is proved."""
        return self.yes if len(self.yes) == 1 and not self.open else None


class Candidates:
    """The candidates of one problem, asked slot by slot and cell by cell; answers are remembered.

    The objective of the problem is left out of account. From `limits` count the time, which all answers share, the
    nodes, which each word or letter has for itself, the seed and the token.

    Raises:
        UnsupportedError: the engine answers no such questions.
        TypeError: the limits are none.
    """

    def __init__(
        self, problem: Problem, *, engine: Engine | str = PROBING_ENGINE, limits: Limits | None = None
    ) -> None:
        limits, chosen = check_limits(limits), require_probing(resolve_engine(engine))
        self.renew(limits)
        self.problem = problem
        self._engine = chosen.name
        self._probe: Probe = chosen.probe(problem, limits.seed)
        self._consistent: dict[SlotId, int] = {}
        self._witnesses: dict[tuple[SlotId, str], Fill] = {}
        self._filled: dict[tuple[CellId, str], Fill] = {}
        self._fills: dict[Fill, None] = {}
        for slot in problem.slots:  # before anything is excluded
            self._consistent[slot.id] = self._probe.domain(slot.id)

    def renew(self, limits: Limits) -> None:
        """Answer what is asked from now on under other limits: their time begins now. The seed stays."""
        self._deadline = Deadline(limits.time_s, limits.stop)
        self._nodes = limits.nodes or QUESTION_NODES

    def learn(self, fill: Fill) -> bool:
        """Take a fill from elsewhere, and return whether it is one of this problem: what it shows is known then."""
        known = Fill(fill.letters, self.problem.grid)
        if violations(self.problem, known):
            return False
        self._remember(known)
        return True

    @property
    def fills(self) -> KeysView[Fill]:
        """The fills that are known, in the order in which they were found."""
        return self._fills.keys()

    def judge(self) -> tuple[Verdict, Fill | None]:
        """Return whether there is a fill at all, and one if there is."""
        if self._fills:
            return Verdict.YES, next(iter(self._fills))
        outcome, fill = self._ask(0, self._consistent[0])
        return _VERDICTS[outcome], fill

    def count_words(self, slot: SlotId) -> int:
        """Return how many words of a slot arc consistency leaves."""
        return self._consistent[slot].bit_count()

    def list_words(self, slot: SlotId) -> Iterator[tuple[str, float]]:
        """Yield the words of a slot that arc consistency leaves, with their scores, best score first."""
        table = self.problem.tables[slot]
        words, scores = table.words, table.scores
        return ((words[word], scores[word]) for word in walk_members(self._consistent[slot]))

    def judge_words(self, slot: SlotId) -> Iterator[Candidate]:
        """Yield the words of a slot that arc consistency leaves, best score first, each with its verdict."""
        table = self.problem.tables[slot]
        for word in walk_members(self._consistent[slot]):
            verdict, witness = self._judge_word(slot, word)
            yield Candidate(table.words[word], table.spellings[word], table.scores[word], verdict, witness)

    def judge_letters(self, cells: Iterable[CellId] | None = None) -> Iterator[CellLetters]:
        """Yield the letters of cells by their verdicts, by default of all that are in a slot, in reading order.

        Letters that the template rules out are no candidates: they are not told, and rebus cells are left out.

        Raises:
            InputError: a cell is in no slot, or a rebus cell.
        """
        grid = self.problem.grid
        for cell in [cell for cell in grid.slots_at if cell not in grid.rebus] if cells is None else cells:
            if cell not in grid.slots_at or cell in grid.rebus:
                expected = "a cell of one letter" if cell in grid.rebus else "a cell in a slot"
                raise InputError(Fault(expected, grid.name_cell(cell)))
            yield self._judge_cell(cell)

    def _judge_cell(self, cell: CellId) -> CellLetters:
        alphabet = self.problem.grid.alphabet
        slot, pos = self.problem.grid.slots_at[cell][0]
        table = self.problem.tables[slot]
        told: dict[Verdict, str] = dict.fromkeys(Verdict, "")
        for letter in alphabet.members(self.problem.grid.cells[cell]):
            words = self._probe.domain(slot) & table.having(pos, alphabet.letter_set(letter))
            filled = (cell, letter) in self._filled
            told[Verdict.YES if filled else _VERDICTS[self._ask(slot, words)[0]]] += letter
        return CellLetters(cell, told[Verdict.YES], told[Verdict.NO], told[Verdict.OPEN])

    def _judge_word(self, slot: SlotId, word: WordId) -> tuple[Verdict, Fill | None]:
        witness = self._witnesses.get((slot, self.problem.tables[slot].words[word]))
        if witness is not None:
            return Verdict.YES, witness
        outcome, fill = self._ask(slot, 1 << word)
        return _VERDICTS[outcome], fill

    def _ask(self, slot: SlotId, words: int) -> tuple[Outcome, Fill | None]:
        """Return whether a fill has one of some words in a slot; remember what that says of other words and letters."""
        possible = words & self._probe.domain(slot)
        if not possible:
            return Outcome.EXHAUSTED, None
        if self._deadline.passed:
            return Outcome.UNKNOWN, None
        outcome, fill = self._probe.ask(slot, possible, self._nodes, self._deadline)
        if outcome is Outcome.EXHAUSTED:
            self._probe.exclude(slot, possible)
        if fill is not None:
            audit(self.problem, self._engine, fill)
            self._remember(fill)
        return outcome, fill

    def _remember(self, fill: Fill) -> None:
        self._fills[fill] = None
        for cell in self.problem.grid.slots_at:
            self._filled.setdefault((cell, fill.letters[cell]), fill)
        for slot in self.problem.slots:
            self._witnesses.setdefault((slot.id, fill.word_at(slot)), fill)
