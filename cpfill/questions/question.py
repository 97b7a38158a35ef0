"""A question, its answer, and the list of all questions.

A question is a frozen dataclass. `Field` declares each of its fields once, for JSON, batch lines and command-line
options. `Question.answer` yields typed parts, each with its JSON in `record`. The faces (command line, page, batch,
bench, library, assistants) read questions and show parts; they decide nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, fields
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from cpfill.base.errors import SEED, InputError, unknown_name
from cpfill.base.reading import asked_fields, asked_number, asked_time, check_fields
from cpfill.base.texts import say
from cpfill.engines.audited import drop_objective
from cpfill.problem.result import Limits
from cpfill.questions.request import FIELDS, Request
from cpfill.words.sources import Shelf

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Iterable, Iterator

    from cpfill.base.alphabet import Alphabet
    from cpfill.base.threads import StopToken
    from cpfill.problem.fill import Fill
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.clues import ClueCollection
    from cpfill.puzzle.clues.dictionaries import Dictionary, Lookup
    from cpfill.puzzle.grid import CellId
    from cpfill.questions.candidates import Candidates
    from cpfill.questions.record_types import DoneRecord
    from cpfill.words.lexicon import Lexicon
    from cpfill.words.wordlist import ListSource

Record = Mapping[str, Any]
"""A part of an answer, as JSON."""

QUESTIONS = {
    "best": "cpfill.questions.verdicts:Best",
    "candidates": "cpfill.questions.verdicts:Words",
    "check": "cpfill.questions.check:Check",
    "compare": "cpfill.questions.compare:Compare",
    "clues": "cpfill.questions.lists:Clues",
    "count": "cpfill.questions.count:Count",
    "edits": "cpfill.questions.edits:Edits",
    "estimate": "cpfill.questions.estimate:Estimate",
    "explain": "cpfill.questions.explain:Explain",
    "generate": "cpfill.questions.generate:Generate",
    "heatmap": "cpfill.questions.lists:Heatmap",
    "info": "cpfill.questions.stats:Info",
    "letters": "cpfill.questions.verdicts:Letters",
    "solve": "cpfill.questions.solve:Solve",
    "stats": "cpfill.questions.stats:Stats",
    "watch": "cpfill.questions.watch:Watch",
}
"""The module and class of each question, by name."""


class Part(ABC):
    """A part of an answer."""

    __slots__ = ()

    @property
    @abstractmethod
    def record(self) -> Record:
        """The part as JSON."""

    def _repr_html_(self) -> str:
        from cpfill.base.notebook import write_html

        return write_html(self.record)


class End(Part):
    """The last part of an answer; its JSON has `done`. After an interrupt it says how far the work got."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Done(End):
    """The end of an answer that has nothing more to say, and whether an interrupt cut it short."""

    interrupted: bool = False

    @property
    def record(self) -> DoneRecord:
        """The end as JSON."""
        return {"done": True}


def question_class(name: str) -> type[Question]:
    """Return the class of a question; its module is imported now."""
    if name not in QUESTIONS:
        raise InputError(unknown_name(say("a question"), name, QUESTIONS))
    module, _, attribute = QUESTIONS[name].partition(":")
    found: type[Question] = getattr(import_module(module), attribute)
    return found


class Desk:
    """Has the lists, the clues and all that is kept between questions. This base class keeps only lists.

    Args:
        lists: reads the lists.

    Attributes:
        pulse_s: the least number of seconds between two records that report only progress.
    """

    pulse_s: ClassVar[float] = 0.0

    def __init__(self, lists: Shelf | None = None) -> None:
        self.lists = lists or Shelf()

    def lexicon_of(self, request: Request) -> Lexicon:
        """Return the lexicon of a request, with its required words and theme words."""
        return request.united(self.lists)

    def pose(self, request: Request, *, every: bool = False, locked: frozenset[CellId] | None = None) -> Problem:
        """Return the problem of a request; with `every`, nothing is maximised and theme words are ordinary words.

        `locked` is as for `Request.find_own`.
        """
        return request.problem(self.lists, lexicon=self.lexicon_of(request), every=every, locked=locked)

    @contextmanager
    def candidates(self, problem: Problem, limits: Limits) -> Iterator[Candidates]:
        """Lend the candidates of a problem, with everything known about them."""
        from cpfill.questions.candidates import Candidates

        yield Candidates(problem, limits=limits)

    def teach(self, state: Candidates) -> None:
        """Add the known fills to some candidates."""

    def keep(self, fill: Fill) -> None:
        """Keep a fill for later questions."""

    def read_clues(self, name: str, alphabet: Alphabet) -> ClueCollection:
        from cpfill.puzzle.clues import read_clues

        return read_clues(name, alphabet)

    def find_own_clues(self, words: Collection[str], alphabet: Alphabet) -> list[tuple[str, str, str]]:  # noqa: ARG002
        """Return clues of one's own puzzles: a word, its clue and the name of the puzzle."""
        return []

    def read_dictionary(self, dictionary: Dictionary, alphabet: Alphabet) -> Lookup:
        return dictionary.read(alphabet)


class PosedDesk(Desk):
    """Has the problem of one request, which is posed already.

    Args:
        lists: reads the lists.
        request: the request.
        problem: its problem.
        locked: the cells of own entries with which it was posed, as for `Request.find_own`.
    """

    def __init__(
        self, lists: Shelf, request: Request, problem: Problem, locked: frozenset[CellId] | None = None
    ) -> None:
        super().__init__(lists)
        self._request = request
        self._problem = problem
        self._locked = locked

    def pose(self, request: Request, *, every: bool = False, locked: frozenset[CellId] | None = None) -> Problem:
        """Return that problem, or pose another one."""
        if request is not self._request or locked != self._locked:
            return super().pose(request, every=every, locked=locked)
        return drop_objective(self._problem) if every else self._problem


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Question(ABC):
    """A question.

    Attributes:
        request: the grid, the words and the rules.
        stop: ends the answer from another thread.
        time_limit: the seconds that the answer may take.
        seed: decides random choices; the same seed and one worker give the same answer.
    """

    USUAL: ClassVar[Mapping[str, Any]] = {}
    """The page's defaults for fields, where they differ from those below."""

    IMPROVES: ClassVar[bool] = False
    """Whether each record replaces the previous one."""

    request: Request = field(default_factory=Request)
    stop: StopToken | None = field(default=None, compare=False)
    time_limit: float | None = asked_time()
    seed: int = asked_number(SEED, 0, help="The same seed and one worker give the same answer.", section="Limits")

    def __post_init__(self) -> None:
        check_fields(self)

    def updated(self, given: Mapping[str, Any], find: Callable[[str], ListSource]) -> Question:
        """Return the question of a batch line; fields that the line leaves out come from this question.

        `ask` names a different kind of question. `find` turns the name of a list into a source.
        """
        asks = question_class(given["ask"]) if "ask" in given else type(self)
        own = asked_fields(asks)
        known = {"ask", *own, *FIELDS}
        for name in given:
            if name not in known:
                raise InputError(unknown_name(say("a field of a job"), name, known | {"id"}))
        values = self._list_kept(asks)
        asked: dict[str, Any] = {}
        for name, value in given.items():
            if name in own:
                values[name] = value
            elif name != "ask":
                asked[name] = value
        return asks(request=self.request.updated(asked, find), **values)

    def _list_kept(self, asks: type[Question]) -> dict[str, Any]:
        """Return the fields of this question that a question of a class keeps; of a different class only three."""
        names: Iterable[str] = asked_fields(asks)
        if asks is not type(self):
            names = {"engine", "seed", "time_limit"}.intersection(names)
        given = {name: getattr(self, name) for name in names}
        return {name: value for name, value in given.items() if value is not None}

    @property
    def plain(self) -> dict[str, Any]:
        """The fields that differ from their defaults, as JSON."""
        usual = {each.name: each.default for each in fields(self)}
        given = {name: getattr(self, name) for name in asked_fields(type(self))}
        return {name: value for name, value in given.items() if value != usual[name] and value != {}}

    @property
    def needs_grid(self) -> bool:
        """Whether it is about the grid of its request."""
        return True

    @property
    def limits(self) -> Limits:
        return Limits(time_s=self.time_limit, seed=self.seed, stop=self.stop)

    @abstractmethod
    def answer(self, desk: Desk) -> Generator[Part]:
        """Yield the answer part by part, as it becomes known; the last part is an `End`.

        Closing the generator ends the work. An interrupt thrown into it ends the work, too, and yields the end.
        """

    def records(self, desk: Desk) -> Generator[Record]:
        """Yield the JSON of each part."""
        with closing(self.answer(desk)) as parts:
            for part in parts:
                yield part.record
