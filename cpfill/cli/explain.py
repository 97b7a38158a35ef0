"""`cpfill explain`: why there is no fill."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from cpfill.base.texts import later, say, say_count
from cpfill.cli import options as o
from cpfill.cli.output import emit, json_line
from cpfill.cli.problems import NamedProblem, each, make_prover, one_grid, read_problems
from cpfill.cli.render import Ticker
from cpfill.cli.tables import room
from cpfill.cli.verbs import Exit
from cpfill.problem.result import Status
from cpfill.questions.explain import Explain, draw_conflict, explanation_record, tell
from cpfill.questions.explain.conflict import Kind
from cpfill.questions.explain.explanation import Explanation, explain_in_steps

if TYPE_CHECKING:
    from cpfill.problem.problem import Problem
    from cpfill.questions.explain.conflict import Subset

_MARK = "bold red"


@o.asks(Explain, without={"theme", "objective", "levels"})
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
    """Explain one problem, print what is known when it ends, and return the exit code."""
    prover = make_prover(proof, source, question.seed)
    start_s = time.perf_counter()
    last = Explanation(source.problem, Status.UNKNOWN)
    with Ticker() as ticker:
        for last in explain_in_steps(source.problem, limits=question.limits):
            ticker.say(_progress(last))
    interrupted = ticker.interrupted
    if as_json:
        emit(json_line({"grid": source.name, **explanation_record(last)}))
    else:
        _show(last, f"{source.name}:\n" if source.several else "")
    stopped = say(", interrupted") if interrupted else "" if last.finished else say(", time is over")
    source.tell(f"{_verdict(last)}{stopped} ({time.perf_counter() - start_s:.2f} s)")
    if prover:
        interrupted = not prover.prove_conflict(last, interrupted=interrupted)
    if interrupted:
        return Exit.INTERRUPTED
    return Exit.NO_FILL if last.status.refuted else Exit.ANSWERED if last.fill else Exit.LIMIT


def _progress(explanation: Explanation) -> str:
    if explanation.conflict is None:
        return say("looking for a fill")
    return say("no fill: {subset} slots and givens that cannot go together", subset=len(explanation.conflict.subset))


def _verdict(explanation: Explanation) -> str:
    if explanation.conflict is None:
        return say("a fill exists") if explanation.fill else say("UNKNOWN: no fill found, none excluded")
    counted = [
        say_count(count, "required word" if kind is Kind.REQUIRED else kind)
        for kind in Kind
        if (count := sum(constraint.kind is kind for constraint in explanation.conflict.subset))
    ]
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


def _draw(problem: Problem, subset: Subset) -> None:
    """Draw the grid with the cells of the conflict, in colour on a terminal that has any; a wide one in parts."""
    rows, width, bars = draw_conflict(problem, subset), problem.grid.width, problem.grid.bars
    margin = len(f"R{len(rows)}")
    at_once = max(1, (room() - margin - 1) // 3)
    lines: list[list[tuple[str, bool]]] = []
    for start in range(0, width, at_once):
        if start:
            lines.append([])
        columns = "".join(f"{column:>2} " for column in range(start + 1, min(start + at_once, width) + 1))
        lines.append([(f"{'C':>{margin}} {columns}", False)])
        for number, row in enumerate(rows, start=1):
            cells = range((number - 1) * width, number * width)[start : start + at_once]
            lines.append([(f"{f'R{number}':>{margin}} ", False)])
            for cell, (sign, marked) in zip(cells, row[start : start + at_once], strict=True):
                right = width > 1 and (cell, cell + 1) in bars
                lines[-1] += [(f" {sign}", marked), ("|", False)] if right else [(f" {sign} ", marked)]
            if any((cell, cell + width) in bars for cell in cells):
                below = "".join("---" if (cell, cell + width) in bars else "   " for cell in cells)
                lines.append([(" " * (margin + 1) + below, False)])
    if not sys.stdout.isatty():
        emit("".join("".join(text for text, _ in line).rstrip() + "\n" for line in lines))
        return
    from rich.console import Console  # noqa: PLC0415 - slow to import, and only a person sees colours
    from rich.text import Text  # noqa: PLC0415

    console = Console(highlight=False)
    for line in lines:
        console.print(Text.assemble(*((text, _MARK if marked else "") for text, marked in line)), soft_wrap=True)
