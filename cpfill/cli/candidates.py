"""`cpfill candidates`: what can stand in a slot or a cell, proved."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from cpfill.base.errors import Fault, GridError, InputError, unknown_name
from cpfill.base.ranges import COUNT
from cpfill.base.ranges import NODES as NODE_RANGE
from cpfill.base.texts import say, say_count
from cpfill.cli import options as o
from cpfill.cli.exits import Exit, usage_error, warn
from cpfill.cli.output import emit
from cpfill.cli.problems import NamedProblem, read_problems
from cpfill.problem.limits import Limits
from cpfill.puzzle.region import find_cell, find_slot
from cpfill.questions.candidates import QUESTION_NODES, Candidates, Verdict
from cpfill.questions.request import Request
from cpfill.questions.verdicts import candidate_record, letters_record
from cpfill.words.decimals import format_decimal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cpfill.questions.candidates import Candidate, CellLetters

DEFAULT_TIME = "10s"


@o.request_options(without={"objective", "theme", "levels"})
def candidates(
    grid: Annotated[str, typer.Argument(metavar="GRID", help="A file with one grid; - for standard input; or 5x5.")],
    of_slot: Annotated[
        str | None, typer.Argument(metavar="SLOT", help="17-Across, or a cell and a direction: R4C7-Down.")
    ] = None,
    *,
    request: Request,
    letters: Annotated[
        str | None, typer.Option("--letters", metavar="CELL", help="The letters of a cell such as R4C7 instead.")
    ] = None,
    all_letters: Annotated[bool, typer.Option("--all-letters", help="The letters of every cell instead.")] = False,
    number: Annotated[int | None, o.number(COUNT, "--number", "-n", help="The first N words alone.")] = None,
    only: Annotated[
        str | None, typer.Option(metavar="VERDICT", help=f"Leave out all but one of {', '.join(Verdict)}.")
    ] = None,
    witness: Annotated[bool, typer.Option("--witness", help="With each yes a fill that shows it.")] = False,
    time_limit: Annotated[
        str, typer.Option("--time-limit", "-t", metavar="TIME", help="For all words and letters together.")
    ] = DEFAULT_TIME,
    node_limit: Annotated[int, o.number(NODE_RANGE, help="For each word or letter alone.")] = QUESTION_NODES,
    seed: o.Seed = 0,
    as_json: o.Json = False,
    no_cache: o.NoCache = False,
) -> int:
    """List the words that can stand in a slot, or the letters in cells, each with a verdict.

    yes: a fill has it there; no: the proof that none has; open: not decided within its share of the work. Words that
    arc consistency rules out are not listed. The best score comes first, each line as soon as it is decided.

    Exit codes: 0 every verdict is yes or no; 20 proved that there is no fill; 124 some are open; 130 interrupted.
    """
    if sum((of_slot is not None, letters is not None, all_letters)) != 1:
        raise usage_error(
            say("a slot, --letters CELL or --all-letters"), say("none") if of_slot is None else say("several")
        )
    if only is not None and only not in set(Verdict):
        raise InputError(unknown_name(say("a verdict"), only, Verdict))
    if of_slot is None and (number is not None or only is not None or witness):
        raise usage_error(say("-n, --only and --witness with a slot"), say("letters"))
    problems, _ = read_problems(request, [grid], cached=not no_cache)
    if len(problems) > 1:
        raise GridError(Fault(say("one grid"), f"{len(problems)}", grid))
    posed = problems[0]
    limits = Limits(time_s=o.parse_time(time_limit), nodes=node_limit, seed=seed)
    verdicts: Counter[Verdict] = Counter()
    try:
        if of_slot is not None:
            found = find_slot(posed.problem.grid, of_slot)
            judged = Candidates(posed.problem, limits=limits).judge_words(found.id)
            for candidate in _choose(judged, verdicts, number, only):
                emit(_word_line(posed, candidate, as_json=as_json, witness=witness))
        else:
            cells = None if letters is None else [find_cell(posed.problem.grid, letters)]
            for each in Candidates(posed.problem, limits=limits).judge_letters(cells):
                verdicts.update({verdict: len(each.by_verdict[verdict]) for verdict in Verdict})
                lines = _cell_line if all_letters else _letter_lines
                emit(lines(posed, each, as_json=as_json))
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    # Where some words were not asked about, nothing is proved of the whole.
    unfillable = not (verdicts[Verdict.YES] or verdicts[Verdict.OPEN] or number)
    warn(
        (say("UNSATISFIABLE: ") if unfillable else "")
        + _summarise(verdicts, "word" if of_slot is not None else "letter")
    )
    return Exit.NO_FILL if unfillable else Exit.LIMIT if verdicts[Verdict.OPEN] else Exit.ANSWERED


def _choose(
    judged: Iterable[Candidate], verdicts: Counter[Verdict], number: int | None, only: str | None
) -> Iterator[Candidate]:
    """Yield the first `number` candidates, those with the one verdict that is asked for; count all of them."""
    left = number
    for candidate in judged:
        verdicts[candidate.verdict] += 1
        if only is None or candidate.verdict == only:
            yield candidate
            left = None if left is None else left - 1
            if left == 0:
                return


def _word_line(posed: NamedProblem, candidate: Candidate, *, as_json: bool, witness: bool) -> str:
    fill = candidate.witness if witness else None
    if as_json:
        shown = {"fill": fill and fill.rows} if witness else {}
        return json.dumps({**candidate_record(candidate), **shown}, ensure_ascii=False) + "\n"
    line = f"{candidate.word}  {format_decimal(candidate.score):>4}  {candidate.verdict}\n"
    return f"{line}{posed.text_of(fill)}\n" if fill else line


def _letter_lines(_: NamedProblem, letters: CellLetters, *, as_json: bool) -> str:
    """Return a line for each letter of a cell."""
    told = sorted((letter, verdict) for verdict, each in letters.by_verdict.items() for letter in each)
    if as_json:
        records = ({"letter": letter, "verdict": verdict} for letter, verdict in told)
        return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    return "".join(f"{letter}  {verdict}\n" for letter, verdict in told)


def _cell_line(posed: NamedProblem, letters: CellLetters, *, as_json: bool) -> str:
    """Return the line of a cell."""
    grid = posed.problem.grid
    if as_json:
        return json.dumps(letters_record(grid, letters), ensure_ascii=False) + "\n"
    undecided = say("  open: {open}", open=letters.open) if letters.open else ""
    return f"{grid.name_cell(letters.cell)}  {letters.yes or '-'}{undecided}\n"


def _summarise(verdicts: Counter[Verdict], noun: str) -> str:
    total = verdicts.total()
    counts = ", ".join(f"{verdicts[verdict]} {say(verdict)}" for verdict in Verdict)
    return f"{say_count(total, noun)}: {counts}"
