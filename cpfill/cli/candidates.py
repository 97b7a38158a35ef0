"""`cpfill candidates`: what can stand in a slot or a cell, proved."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from cpfill.base.errors import GridError, expected
from cpfill.base.texts import later, say, say_count
from cpfill.cli import options as o
from cpfill.cli.output import emit, json_line
from cpfill.cli.problems import read_problems, shelf
from cpfill.cli.verbs import Exit, usage_error, warn
from cpfill.problem.result import Status
from cpfill.questions.candidates import Candidates, Verdict
from cpfill.questions.explain.wording import LISTED
from cpfill.questions.question import Desk
from cpfill.questions.verdicts import Best, Letters, Words, candidate_record, dead_record, letters_record
from cpfill.words.wordlist import format_decimal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.cli.problems import NamedProblem
    from cpfill.questions.candidates import CellLetters, Dead


@o.asks(Words, without={"objective", "theme", "levels"})
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
    arc consistency rules out are not listed. The best score comes first, each line as soon as it is decided. Where
    there is no fill, all is judged without the slots that are to blame, which are named.

    Exit codes: 0 every verdict is yes or no; 20 proved that there is no fill; 124 some are open; 130 interrupted.
    """
    if sum((of_slot is not None, letters is not None, all_letters)) != 1:
        raise usage_error(
            say("a slot, --letters CELL or --all-letters"), say("none") if of_slot is None else say("several")
        )
    if of_slot is None and (question.number is not None or question.only is not None or witness or best):
        raise usage_error(say("-n, --only, --witness and --best with a slot"), say("letters"))
    problems, _ = read_problems(question.request, [grid], cached=not no_cache)
    if len(problems) > 1:
        raise expected("one grid", f"{len(problems)}", grid, error=GridError)
    posed, verdicts = problems[0], Counter[Verdict]()
    state = Candidates(posed.problem, limits=question.limits)
    if (dead := state.find_dead()) is not None:
        if as_json:
            emit(json_line(dead_record(posed.problem, dead)))
        told = later("no fill because of {parts}; all else is judged without that")
        if posed.problem.avoided:
            told = later("no other fill because of {parts}; all else is judged without that")
        warn(say(told, parts=_name_parts(dead)))
    if best and of_slot is not None:
        _rate(posed, replace(question, slot=of_slot), as_json=as_json)
        return Exit.ANSWERED if dead is None else Exit.NO_FILL
    if of_slot is not None:
        lines = _word_lines(posed, replace(question, slot=of_slot), state, verdicts, as_json=as_json, witness=witness)
    else:
        cells = None if letters is None else (letters,)
        asked = Letters(time_limit=question.time_limit, node_limit=question.node_limit, seed=question.seed, cells=cells)
        lines = _letter_lines(posed, asked, state, verdicts, as_json=as_json)
    for line in lines:
        emit(line)
    # Where some words were not asked about, nothing is proved of the whole.
    unfillable = dead is not None or not (verdicts[Verdict.YES] or verdicts[Verdict.OPEN] or question.number)
    refuted = Status.NO_OTHER if posed.problem.avoided else Status.UNSATISFIABLE
    warn(
        (say("{status}: ", status=refuted) if unfillable else "")
        + _summarise(verdicts, "word" if of_slot is not None else "letter")
    )
    return Exit.NO_FILL if unfillable else Exit.LIMIT if verdicts[Verdict.OPEN] else Exit.ANSWERED


def _name_parts(dead: Dead) -> str:
    """Return what is dead: its slots, or how many if they are many, and the required words."""
    slots = dead.slots if len(dead.slots) <= LISTED else [say_count(len(dead.slots), "slot")]
    return ", ".join([*slots, *dead.required])


def _rate(posed: NamedProblem, question: Words, *, as_json: bool) -> None:
    """Print how good a fill with each word can be."""
    request = replace(question.request, grid=posed.template.grid)
    asked = Best(
        request=request,
        slot=question.slot,
        number=question.number,
        time_limit=question.time_limit,
        seed=question.seed,
    )
    for record in asked.rate(Desk(shelf())):
        if as_json:
            emit(json_line(record))
        else:
            bound = "" if record["bound"] == record["value"] else say(", at most {bound}", bound=record["bound"])
            emit(f"{record['word']}  {record['value']:g}{bound}\n")


_REASONS = {"delicate": later("delicate"), "alike": later("alike")}


def _word_lines(
    posed: NamedProblem,
    question: Words,
    state: Candidates,
    verdicts: Counter[Verdict],
    *,
    as_json: bool,
    witness: bool,
) -> Iterator[str]:
    """Yield the line of each word."""
    for candidate in question.judge(state, verdicts):
        fill = candidate.witness if witness else None
        if as_json:
            shown = {"fill": fill and fill.rows} if witness else {}
            yield json_line({**candidate_record(candidate), **shown})
        else:
            reason = f"  {say(_REASONS[candidate.reason])}" if candidate.reason else ""
            line = f"{candidate.word}  {format_decimal(candidate.score):>4}  {say(candidate.verdict)}{reason}\n"
            yield f"{line}{posed.text_of(fill)}\n" if fill else line


def _letter_lines(
    posed: NamedProblem, question: Letters, state: Candidates, verdicts: Counter[Verdict], *, as_json: bool
) -> Iterator[str]:
    """Yield a line for each letter of the one cell that is asked about, else for each cell."""
    grid = posed.problem.grid
    for each in question.judge(state):
        verdicts.update({verdict: len(each.by_verdict[verdict]) for verdict in Verdict})
        if question.cells is not None:
            for letter, verdict in _list_letters(each):
                record = {"letter": letter, "verdict": verdict}
                yield json_line(record) if as_json else f"{letter}  {say(verdict)}\n"
        elif as_json:
            told = {**letters_record(each.cell, each), "cell": grid.name_cell(each.cell)}
            yield json_line(told)
        else:
            undecided = say("  open: {open}", open=each.open) if each.open else ""
            yield f"{grid.name_cell(each.cell)}  {each.yes or '-'}{undecided}\n"


def _list_letters(letters: CellLetters) -> list[tuple[str, Verdict]]:
    return sorted((letter, verdict) for verdict, each in letters.by_verdict.items() for letter in each)


def _summarise(verdicts: Counter[Verdict], noun: str) -> str:
    total = verdicts.total()
    counts = ", ".join(f"{verdicts[verdict]} {say(verdict)}" for verdict in Verdict)
    return f"{say_count(total, noun)}: {counts}"
