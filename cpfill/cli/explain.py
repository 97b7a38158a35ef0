"""`cpfill explain`: why there is no fill."""

from __future__ import annotations

import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

from cpfill.base.texts import later, say, say_count
from cpfill.cli import options as o
from cpfill.cli.asking import ask, print_record
from cpfill.cli.output import emit
from cpfill.cli.problems import NamedProblem, each, make_prover, one_grid, read_problems
from cpfill.cli.render import Ticker
from cpfill.cli.tables import room
from cpfill.cli.verbs import Exit
from cpfill.questions.explain import Explain, Explained, ExplainedSoFar, tell
from cpfill.questions.explain.conflict import Kind
from cpfill.questions.explain.wording import draw_conflict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Grid
    from cpfill.questions.explain import Explanation
    from cpfill.questions.explain.conflict import Subset

_MARK = "bold red"


@o.asks(Explain, without={"theme", *o.GOAL})
def explain(
    grid: o.Grids, *, question: Explain, as_json: o.Json = False, proof: o.Proof = None, no_cache: o.NoCache = False
) -> int:
    """Say why a grid has no fill: slots and givens that cannot be satisfied together, as few as possible.

    Without any one of them the others have a fill. Each is tried alone on the whole grid: what helps is said.
    Exit codes: 0 there is a fill; 20 there is none, and this is why; 124 a limit came before either; 130 interrupted.
    """
    sources, _ = read_problems(question.request, grid, cached=not no_cache)
    one_grid(sources, proof=proof)
    return each(sources, lambda source: explain_one(source, question, as_json=as_json, proof=proof))


def explain_one(source: NamedProblem, question: Explain, *, as_json: bool, proof: str | None = None) -> Exit:
    """Explain one problem, print the explanation when it ends, and return the exit code."""
    prover = make_prover(proof, source, question.seed)
    start_s = time.perf_counter()
    ticker = Ticker()

    def take(part: ExplainedSoFar | Explained) -> None:
        if as_json:
            print_record(part, source.name)
        if isinstance(part, ExplainedSoFar):
            ticker.say(_progress(part.explanation))

    end: Explained = ask(*source.pose(question), take)
    ticker.clear()
    last = end.explanation
    if not as_json:
        _show(last, f"{source.name}:\n" if source.several else "")
    source.tell(f"{_verdict(last)}{_tell_stop(end)} ({time.perf_counter() - start_s:.2f} s)")
    interrupted = end.interrupted
    if prover:
        interrupted = not prover.prove_conflict(last, interrupted=interrupted)
    if interrupted:
        return Exit.INTERRUPTED
    if last.status.refuted:
        return Exit.NO_FILL
    if last.fill is None:
        return Exit.LIMIT
    return Exit.ANSWERED


def _tell_stop(end: Explained) -> str:
    """Return the end of a sentence: why the explanation is not complete."""
    if end.interrupted:
        return say(", interrupted")
    return "" if end.explanation.finished else say(", time is over")


def _progress(explanation: Explanation) -> str:
    if explanation.conflict is None:
        return say("looking for a fill")
    return say("no fill: {subset} slots and givens that cannot go together", subset=len(explanation.conflict.subset))


def _verdict(explanation: Explanation) -> str:
    if explanation.fill:
        return say("a fill exists")
    if explanation.conflict is None:
        return say("UNKNOWN: no fill found, none excluded")
    counts = Counter(constraint.kind for constraint in explanation.conflict.subset)
    counted = []
    for kind in Kind:
        if counts[kind]:
            thing = "required word" if kind is Kind.REQUIRED else kind
            counted.append(say_count(counts[kind], thing))
    proved = say("proved minimal") if explanation.minimal else say("not proved minimal")
    said = later("{status}: {counted} that cannot go together, {proved}")
    return say(said, status=explanation.status, counted=say(" and ").join(counted), proved=proved)


def _show(explanation: Explanation, heading: str) -> None:
    said = tell(explanation)
    if not said:
        return
    emit(heading + said[0] + "\n")
    if explanation.conflict is not None:
        emit("\n")
        _draw(explanation.problem, explanation.conflict.subset)
        emit("\n")
    emit("".join(f"{sentence}\n" for sentence in said[1:]))


_Line = list[tuple[str, bool]]
"""The texts of a line, each with whether it is marked."""


def _draw(problem: Problem, subset: Subset) -> None:
    """Draw the grid with the cells of the conflict, in colour on a terminal that has any; a wide one in parts."""
    rows = draw_conflict(problem, subset)
    width = problem.grid.width
    at_once = max(1, (room() - _margin(rows) - 1) // 3)
    lines: list[_Line] = []
    for start in range(0, width, at_once):
        if start:
            lines.append([])
        lines += _draw_columns(problem.grid, rows, range(start, min(start + at_once, width)))
    if sys.stdout.isatty():
        _print_coloured(lines)
        return
    for line in lines:
        emit("".join(text for text, _ in line).rstrip() + "\n")


def _margin(rows: Sequence[_Line]) -> int:
    """Return the width of the names of rows."""
    return len(f"R{len(rows)}")


def _draw_columns(grid: Grid, rows: Sequence[_Line], columns: range) -> Iterator[_Line]:
    """Yield the lines of some columns: their numbers, then the cells of each row, and the bars below them."""
    margin = _margin(rows)
    numbers = "".join(f"{column + 1:>2} " for column in columns)
    yield [(f"{'C':>{margin}} {numbers}", False)]
    for number, row in enumerate(rows):
        first = number * grid.width
        line = [(f"{f'R{number + 1}':>{margin}} ", False)]
        for column in columns:
            line += _draw_cell(grid, first + column, *row[column])
        yield line
        pairs = [(first + column, first + column + grid.width) for column in columns]
        if not grid.bars.isdisjoint(pairs):
            below = "".join("---" if pair in grid.bars else "   " for pair in pairs)
            yield [(" " * (margin + 1) + below, False)]


def _draw_cell(grid: Grid, cell: int, sign: str, marked: bool) -> _Line:
    """Return the texts of a cell, with the bar on its right if there is one."""
    if grid.width > 1 and (cell, cell + 1) in grid.bars:
        return [(f" {sign}", marked), ("|", False)]
    return [(f" {sign} ", marked)]


def _print_coloured(lines: Iterable[_Line]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    for line in lines:
        styled = [(text, _MARK if marked else "") for text, marked in line]
        console.print(Text.assemble(*styled), soft_wrap=True)
