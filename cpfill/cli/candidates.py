"""`cpfill candidates`: the words of a slot or the letters of a cell, each with a proved verdict."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpfill.base.errors import GridError, expected
from cpfill.base.texts import later, say, say_count
from cpfill.cli import options as o
from cpfill.cli.asking import ask, print_record
from cpfill.cli.output import emit
from cpfill.cli.problems import read_problems
from cpfill.cli.verbs import Exit, usage_error, warn
from cpfill.problem.result import Status
from cpfill.questions.candidates import Verdict
from cpfill.questions.explain.wording import LISTED
from cpfill.questions.question import End
from cpfill.questions.verdicts import (
    Best,
    DeadPart,
    JudgedAll,
    JudgedLetters,
    JudgedWord,
    Letters,
    RatedAll,
    RatedWord,
    Words,
)
from cpfill.words.wordlist import format_decimal

if TYPE_CHECKING:
    from cpfill.cli.problems import NamedProblem
    from cpfill.questions.candidates import Candidate, CellLetters, Dead
    from cpfill.questions.question import Part


@o.asks(Words, without={"theme", *o.GOAL})
def candidates(
    grid: o.OneGrid,
    of_slot: Annotated[
        str | None, typer.Argument(metavar="SLOT", help="17-Across, or a cell and a direction: R4C7-Down.")
    ] = None,
    *,
    question: Words,
    letters: Annotated[
        str | None, typer.Option("--letters", metavar="CELL", help="The letters of a cell such as R4C7 instead.")
    ] = None,
    all_letters: Annotated[bool, typer.Option("--all-letters", help="The letters of every cell instead.")] = False,
    witness: Annotated[bool, typer.Option("--witness", help="With each yes a fill that shows it.")] = False,
    best: Annotated[
        bool, typer.Option("--best", help="How good a fill with each word can be: its best minimum score, and a bound.")
    ] = False,
    as_json: o.Json = False,
    no_cache: o.NoCache = False,
) -> int:
    """List the words that can stand in a slot, or the letters in cells, each with a verdict.

    yes: a fill has it there; no: the proof that none has; open: not decided within its share of the work. Words that
    arc consistency rules out are not listed. The words that a constructor would take come first, each line as soon as
    it is decided. Where there is no fill, all is judged without the slots that are to blame, which are named.

    Exit codes: 0 every verdict is yes or no; 20 proved that there is no fill; 124 some are open; 130 interrupted.
    """
    given = (of_slot is not None, letters is not None, all_letters)
    if sum(given) != 1:
        got = say("none") if of_slot is None else say("several")
        raise usage_error(say("a slot, --letters CELL or --all-letters"), got)
    of_words = question.number is not None or question.only is not None or witness or best
    if of_slot is None and of_words:
        raise usage_error(say("-n, --only, --witness and --best with a slot"), say("letters"))
    problems, _ = read_problems(question.request, [grid], cached=not no_cache)
    if len(problems) > 1:
        raise expected("one grid", f"{len(problems)}", grid, error=GridError)
    telling = _Telling(problems[0], letter_by_letter=letters is not None, witness=witness, as_json=as_json)
    asked = _choose(question, of_slot, letters, best=best)
    end: JudgedAll | RatedAll = ask(*problems[0].pose(asked), telling.take)
    return telling.conclude(end, "letter" if of_slot is None else "word")


def _choose(question: Words, slot: str | None, cell: str | None, *, best: bool) -> Words | Letters | Best:
    """Return the question about a slot, a cell or all cells."""
    shared: dict[str, Any] = {name: getattr(question, name) for name in _SHARED}
    if cell is not None:
        return Letters(cells=(cell,), **shared)
    if slot is None:
        return Letters(**shared)
    if best:
        return Best(slot=slot, number=question.number, **shared)
    return replace(question, slot=slot)


_SHARED = ("request", "time_limit", "node_limit", "seed")
"""The fields that the questions of this verb share."""


class _Telling:
    """Takes the parts of the answer, and prints each as JSON or as text."""

    def __init__(self, posed: NamedProblem, *, letter_by_letter: bool, witness: bool, as_json: bool) -> None:
        self._posed = posed
        self._letter_by_letter = letter_by_letter
        self._witness = witness
        self._as_json = as_json

    def take(self, part: Part) -> None:
        """Print a part."""
        if self._as_json:
            print_record(part)
        if isinstance(part, DeadPart):
            self._warn_of_dead(part.dead)
        elif not (self._as_json or isinstance(part, End)):
            emit(self._describe(part))

    def conclude(self, end: JudgedAll | RatedAll, noun: str) -> Exit:
        """Summarise the verdicts, if there are any, and return the exit code."""
        if end.interrupted:
            warn(say("interrupted"))
            return Exit.INTERRUPTED
        if isinstance(end, RatedAll):
            return Exit.NO_FILL if end.refuted else Exit.ANSWERED
        summary = _summarise(end, noun)
        if end.refuted:
            status = Status.NO_OTHER if self._posed.problem.avoided else Status.UNSATISFIABLE
            warn(say("{status}: ", status=status) + summary)
            return Exit.NO_FILL
        warn(summary)
        if end.verdicts[Verdict.OPEN]:
            return Exit.LIMIT
        return Exit.ANSWERED

    def _warn_of_dead(self, dead: Dead) -> None:
        told = later("no fill because of {parts}; all else is judged without that")
        if self._posed.problem.avoided:
            told = later("no other fill because of {parts}; all else is judged without that")
        warn(say(told, parts=_name_parts(dead)))

    def _describe(self, part: Part) -> str:
        match part:
            case JudgedWord():
                return self._describe_word(part.candidate)
            case JudgedLetters() if self._letter_by_letter:
                return "".join(_describe_letters(part.letters))
            case JudgedLetters():
                return self._describe_cell(part.letters)
            case RatedWord():
                return _describe_rating(part)
        return ""

    def _describe_word(self, candidate: Candidate) -> str:
        line = f"{candidate.word}  {format_decimal(candidate.score):>4}  {say(candidate.verdict)}"
        if candidate.reason:
            line += f"  {say(_REASONS[candidate.reason])}"
        if self._witness and candidate.witness:
            line += f"\n{self._posed.text_of(candidate.witness)}"
        return f"{line}\n"

    def _describe_cell(self, letters: CellLetters) -> str:
        line = f"{self._posed.problem.grid.name_cell(letters.cell)}  {letters.yes or '-'}"
        if letters.open:
            line += say("  open: {open}", open=letters.open)
        return f"{line}\n"


_REASONS = {
    "delicate": later("delicate"),
    "alike": later("alike"),
    "phrase": later("phrase"),
    "name": later("name"),
}


def _name_parts(dead: Dead) -> str:
    """Return the names of the slots that are dead, or their number if they are many, and the required words."""
    slots = list(dead.slots)
    if len(slots) > LISTED:
        slots = [say_count(len(slots), "slot")]
    return ", ".join([*slots, *dead.required])


def _describe_rating(rated: RatedWord) -> str:
    bound = ""
    if rated.bound != rated.value:
        bound = say(", at most {bound}", bound=rated.bound)
    return f"{rated.word}  {rated.value:g}{bound}\n"


def _describe_letters(letters: CellLetters) -> list[str]:
    """Return a line for each letter of a cell."""
    verdicts: dict[str, Verdict] = {}
    for verdict, each in letters.by_verdict.items():
        verdicts |= dict.fromkeys(each, verdict)
    return [f"{letter}  {say(verdicts[letter])}\n" for letter in sorted(verdicts)]


def _summarise(end: JudgedAll, noun: str) -> str:
    counts = ", ".join(f"{end.verdicts[verdict]} {say(verdict)}" for verdict in Verdict)
    return f"{say_count(end.verdicts.total(), noun)}: {counts}"
