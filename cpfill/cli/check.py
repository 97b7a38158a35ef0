"""`cpfill check`, which audits fills by the rules, and `cpfill compare`, which runs every engine on the same grids."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from itertools import chain, product
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cpfill.base.errors import GridError, expected
from cpfill.base.files import display_name
from cpfill.base.texts import later, say, say_count
from cpfill.cli import options as o
from cpfill.cli.asking import ask, print_record
from cpfill.cli.output import emit
from cpfill.cli.problems import NamedProblem, each, make_problems, read_all_templates, read_problems, share_stdin, shelf
from cpfill.cli.render import Ticker
from cpfill.cli.tables import table
from cpfill.cli.verbs import Exit, exit_of, warn
from cpfill.engines import engine_class
from cpfill.engines.requirements import require_features
from cpfill.problem.value import describe_value, format_value, value_from_json
from cpfill.questions.check import Audited, Check
from cpfill.questions.compare import Compare, Compared, Contest, EngineAnswer, entrants
from cpfill.questions.question import Done
from cpfill.questions.request import Request

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.formats.registry import Template
    from cpfill.problem.check import Violation
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import CellId
    from cpfill.questions.compare import Contender, Disagreement


@o.request_options(without=o.GOAL)
def check(
    grid: o.OneGrid,
    fill: Annotated[
        str | None, typer.Argument(metavar="FILL", help="A file with fills of it; by default the grid itself.")
    ] = None,
    *,
    request: Request,
    as_json: o.Json = False,
    no_cache: o.NoCache = False,
) -> int:
    """Check fills: print what is wrong with one, and where, or its value; and clues that tell another length.

    Exit codes: 0 all are right; 1 one breaks a rule; 2 bad input.
    """
    names = [grid]
    if fill is not None:
        names.append(fill)
    share_stdin(names, request)
    template, *others = read_all_templates(request, [grid])
    if others:
        raise expected("one grid", f"{1 + len(others)}", path=display_name(grid), error=GridError)
    fills: tuple[Template, ...] | None = None
    locked: frozenset[CellId] | None = None
    if fill is not None:
        of_grid = replace(request, alphabet=template.grid.alphabet)
        fills = tuple(read_all_templates(of_grid, [fill]))
    else:  # its letters are the fill, and only those that are locked are given
        locked = replace(request, grid=template).locked
    lists = shelf(cached=not no_cache)
    (problem,) = make_problems(request, [template], lists, locked=locked)
    source = NamedProblem(template, problem, several=False, lists=lists, locked=locked)
    return _audit(source, Check(request=request, fills=fills), as_json=as_json)


def _audit(source: NamedProblem, question: Check, *, as_json: bool) -> Exit:
    """Print the audit of each fill, and return the exit code."""
    code = Exit.ANSWERED

    def take(part: Audited | Done) -> None:
        nonlocal code
        if as_json:
            print_record(part, source.name)
        if isinstance(part, Done):
            return
        if part.violations:
            code = Exit.FAULT
        if not as_json:
            emit(_describe_audit(part))

    end: Done = ask(*source.pose(question), take)
    if end.interrupted:
        warn(say("interrupted"))
        return Exit.INTERRUPTED
    return code


def _describe_audit(audit: Audited) -> str:
    """Return a line for each fault of a fill, or its value, and a line for each remark."""
    lines = [_describe_violation(audit.problem, each) for each in audit.violations]
    if audit.value is not None:
        lines.append(say("right, {value}", value=describe_value(audit.problem.measures, audit.value)))
    lines += [f"{', '.join(each['at'])}: {each['detail']}" for each in audit.remarks]
    fill = say("fill {number}", number=audit.number)
    return "".join(f"{fill}: {line}\n" for line in lines)


def _describe_violation(problem: Problem, each: Violation) -> str:
    places = ", ".join(each.name_places(problem))
    if not places:
        return each.detail
    return f"{places}: {each.detail}"


@o.asks(Compare)
def compare(grid: o.Grids, *, question: Compare, as_json: o.Json = False) -> int:
    """Run every engine on the same grids, audit every fill, and hold the answers against each other.

    With -a all fills are compared, with an objective the best values and the bounds. Standard error says how long it
    takes at most, and what each engine answered as it ends.
    Exit codes: 0 the engines agree; 1 two disagree; 124 none came to an answer in time; 2 bad input.
    """
    sources, load_s = read_problems(question.request, grid)
    for name, source in product(question.engine, sources):  # of all engines those that cannot are left out
        require_features(engine_class(name), source.problem, question.limits)
    _announce([entrants(source.problem, question.field, question.limits) for source in sources], question.time_limit)
    rows: list[_Row] = []
    code = each(sources, lambda source: _compare_one(source, question, rows, as_json=as_json))
    if code is Exit.INTERRUPTED:
        warn(say("interrupted"))
    if not as_json:
        emit(table(_HEADINGS, [_cells(row, load_s) for row in rows], keys=2, left=_HEADINGS[:3]))
    return code


def _announce(entered: Sequence[Sequence[Contender]], limit_s: float | None) -> None:
    """Warn which engines will run, and how long that takes at most; `entered` has the engines for each grid."""
    runs = list(chain.from_iterable(entered))
    labels = dict.fromkeys(contender.label for contender in runs)
    each_s = limit_s or 0.0
    told = later("comparing {labels} on {grids}: at most {limit_s} for each run, {total} in all")
    warn(
        say(
            told,
            labels=", ".join(labels),
            grids=say_count(len(entered), "grid"),
            limit_s=_describe_seconds(each_s),
            total=_describe_seconds(each_s * len(runs)),
        )
    )


def _describe_seconds(seconds: float) -> str:
    """Return seconds as people say them."""
    for size, unit in ((3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"


class _Row(NamedTuple):
    """The answer of an engine on a grid."""

    grid: str
    answer: EngineAnswer


def _compare_one(source: NamedProblem, question: Compare, rows: list[_Row], *, as_json: bool) -> Exit:
    """Run the engines on one grid; each answer is added to the rows as it comes."""
    ticker = Ticker()
    start_s = time.monotonic()

    def take(part: Contest | EngineAnswer | Compared) -> None:
        nonlocal start_s
        if as_json:
            print_record(part, source.name)
        match part:
            case Contest():
                start_s = time.monotonic()
                ticker.say(f"{source.name}: {part.contender.label}")
            case EngineAnswer():
                rows.append(_Row(source.name, part))
                warn(_describe_end(rows[-1], time.monotonic() - start_s))

    end: Compared = ask(*source.pose(question), take)
    ticker.clear()
    _report(source, end)
    if end.disagreements or any(answer.fault for answer in end.answers):
        return Exit.FAULT
    if end.interrupted:
        return Exit.INTERRUPTED
    every = question.every and not source.problem.criteria
    codes = {exit_of(answer.result, all_asked=every) for answer in end.answers}
    return Exit.LIMIT if codes <= {Exit.LIMIT} else Exit.ANSWERED


def _describe_end(row: _Row, took_s: float) -> str:
    """Return the answer of an engine, and how long it took."""
    record = row.answer.record
    figures = [say_count(record["fills"], "fill")]
    if record["value"] is not None:
        figures.append(f"{say('value')} {_format(record['value'])}")
    if record["bound"] is not None:
        figures.append(f"{say('bound')} {_format(record['bound'])}")
    return f"{row.grid}: {record['label']}: {_status(row.answer)}, {', '.join(figures)}, {took_s:.2f} s"


def _format(value: float | list[float] | None) -> str:
    return format_value(value_from_json(value) or ())


def _status(answer: EngineAnswer) -> str:
    return say("FAULT") if answer.fault else str(answer.result.status)


def _report(source: NamedProblem, end: Compared) -> None:
    """Print the disagreements, then the faults of engines."""
    for found in end.disagreements:
        _report_disagreement(source, found)
    for answer in end.answers:
        if answer.fault:
            warn(f"{source.name}: {say('FAULT')}: {answer.fault}")


def _report_disagreement(source: NamedProblem, each: Disagreement) -> None:
    warn(say("{name}: DISAGREEMENT: {claim}, but {against}", name=source.name, claim=each.claim, against=each.against))
    if each.fill:
        sys.stderr.write(source.text_of(each.fill))


_HEADINGS = ("grid", "engine", "status", "fills", "value", "bound", "nodes", "load s", "build s", "search s")


def _cells(row: _Row, load_s: float) -> list[str]:
    record = row.answer.record
    stats = record["stats"]
    return [
        row.grid,
        record["label"],
        _status(row.answer),
        str(record["fills"]),
        _format(record["value"]) or "-",
        _format(record["bound"]) or "-",
        str(stats["nodes"]),
        f"{load_s:.2f}",
        f"{stats['build_s']:.2f}",
        f"{stats['search_s']:.2f}",
    ]
