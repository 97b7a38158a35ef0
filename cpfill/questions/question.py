"""What a question is, and the questions there are.

A question is a frozen dataclass. `Field` declares its fields, for JSON, lines of a batch and options of a verb alike;
its records are its answer. The faces read questions and show records, and decide nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from cpfill.base.errors import SEED, InputError, unknown_name
from cpfill.base.reading import asked_fields, asked_number, asked_time, check_fields
from cpfill.base.texts import say
from cpfill.problem.result import Limits
from cpfill.questions.request import FIELDS, Request
from cpfill.words.sources import Shelf

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from cpfill.base.alphabet import Alphabet
    from cpfill.base.threads import StopToken
    from cpfill.problem.problem import Fill, Problem
    from cpfill.puzzle.clues import Clues
    from cpfill.puzzle.clues.dictionaries import Dictionary, Lookup
    from cpfill.questions.candidates import Candidates
    from cpfill.words.lexicon import Lexicon
    from cpfill.words.wordlist import ListSource

Record = Mapping[str, Any]
"""A part of an answer, as JSON."""

QUESTIONS = {
    "best": "cpfill.questions.verdicts:Best",
    "candidates": "cpfill.questions.verdicts:Words",
    "check": "cpfill.questions.verdicts:Check",
    "compare": "cpfill.questions.compare:Compare",
    "clues": "cpfill.questions.lists:Clues",
    "count": "cpfill.questions.estimate:Count",
    "estimate": "cpfill.questions.estimate:Estimate",
    "explain": "cpfill.questions.explain:Explain",
    "generate": "cpfill.questions.generate.question:Generate",
    "heatmap": "cpfill.questions.lists:Heatmap",
    "info": "cpfill.questions.stats:Info",
    "letters": "cpfill.questions.verdicts:Letters",
    "solve": "cpfill.questions.solve:Solve",
    "stats": "cpfill.questions.stats:Stats",
    "watch": "cpfill.questions.watch:Watch",
}
"""The module and class of each question, by name."""


def question_class(name: str) -> type[Question]:
    """Return the class of a question; its module is imported now."""
    if name not in QUESTIONS:
        raise InputError(unknown_name(say("a question"), name, QUESTIONS))
    module, _, attribute = QUESTIONS[name].partition(":")
    found: type[Question] = getattr(import_module(module), attribute)
    return found


class Desk:
    """What questions need: lists, clues, and what is kept from one question to the next. This one keeps lists alone.

    Args:
        lists: reads the lists.

    Attributes:
        pulse_s: seconds between two records that only tell how far a search is.
    """

    pulse_s: ClassVar[float] = 0.0

    def __init__(self, lists: Shelf | None = None) -> None:
        self.lists = lists or Shelf()

    def lexicon_of(self, request: Request) -> Lexicon:
        """Return the lexicon of a request, with the words to require and those of the theme."""
        return request.united(self.lists)

    def pose(self, request: Request, *, every: bool = False) -> Problem:
        """Return the problem of a request; with `every` nothing is maximised, and a theme is words like others."""
        return request.problem(self.lists, lexicon=self.lexicon_of(request), every=every)

    @contextmanager
    def candidates(self, problem: Problem, limits: Limits) -> Iterator[Candidates]:
        """Lend the candidates of a problem, with all that is known of them."""
        from cpfill.questions.candidates import Candidates  # noqa: PLC0415 - few questions need it

        yield Candidates(problem, limits=limits)

    def teach(self, state: Candidates) -> None:
        """Tell candidates the fills that are known."""

    def keep(self, fill: Fill) -> None:
        """Take a fill that was found."""

    def read_clues(self, name: str, alphabet: Alphabet) -> Clues:
        from cpfill.puzzle.clues import read_clues  # noqa: PLC0415 - likewise

        return read_clues(name, alphabet)

    def read_dictionary(self, dictionary: Dictionary, alphabet: Alphabet) -> Lookup:
        """Return what looks words up in a dictionary."""
        return dictionary.read(alphabet)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Question(ABC):
    """What is asked.

    Attributes:
        request: of which grid, with which words and rules.
        stop: ends the answer from another thread.
        time_limit: the seconds that the answer may take.
        seed: makes choices; the same seed and one worker give the same answer.
    """

    USUAL: ClassVar[Mapping[str, Any]] = {}
    """What a page asks for where it says nothing else."""

    IMPROVES: ClassVar[bool] = False
    """Whether each part of the answer takes the place of the one before."""

    request: Request = field(default_factory=Request)
    stop: StopToken | None = field(default=None, compare=False)
    time_limit: float | None = asked_time()
    seed: int = asked_number(SEED, 0, help="The same seed and one worker give the same answer.", section="Limits")

    def __post_init__(self) -> None:
        check_fields(self)

    def updated(self, given: Mapping[str, Any], find: Callable[[str], ListSource]) -> Question:
        """Return the question that the line of a batch asks where this one has what it leaves out.

        `ask` has the name of another question. `find` finds lists.
        """
        asks = question_class(given["ask"]) if "ask" in given else type(self)
        own = asked_fields(asks)
        for name in given:
            if name not in {"ask", *own, *FIELDS}:
                raise InputError(unknown_name(say("a field of a job"), name, {"id", "ask", *own, *FIELDS}))
        kept = own if asks is type(self) else ("engine", "seed", "time_limit")
        usual = {name: value for name in kept if name in own and (value := getattr(self, name)) is not None}
        said = {name: value for name, value in given.items() if name in own}
        asked = {name: value for name, value in given.items() if name not in {"ask", *own}}
        return asks(request=self.request.updated(asked, find), **{**usual, **said})

    @property
    def plain(self) -> dict[str, Any]:
        """The fields of the question that have another value than the usual one, as JSON."""
        usual = {each.name: each.default for each in fields(self)}
        given = {name: getattr(self, name) for name in asked_fields(type(self))}
        return {name: value for name, value in given.items() if value != usual[name] and value != {}}

    @property
    def limits(self) -> Limits:
        return Limits(time_s=self.time_limit, seed=self.seed, stop=self.stop)

    @abstractmethod
    def records(self, desk: Desk) -> Generator[Record]:
        """Yield the answer, part by part as it is known; the last part has `done`."""
