"""`cpfill watch`: the search tree of a grid, slot by slot in a given order, or the steps of an engine."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from cpfill.base.texts import later, say, say_count
from cpfill.cli import options as o
from cpfill.cli.asking import ask, print_record
from cpfill.cli.output import Output, emit, json_line
from cpfill.cli.problems import NamedProblem, read_problems
from cpfill.cli.tables import table
from cpfill.cli.verbs import Exit, usage_error, warn
from cpfill.questions.search_tree import SearchTree, grow, letter_slots, parse_order
from cpfill.questions.watch import FirstSizes, Watch, Watched, WatchedFill, WatchedStep

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.questions.record_types import (
        BacktrackStep,
        LetterStep,
        NoLetterStep,
        PlacedStep,
        StepRecord,
        TriesRecord,
    )

_NAMES = ("slot",)
_LARGE = 3
"""Numbers are powers of ten from this power on."""


@o.asks(Watch, without={"time_limit", "weighted", "theme", *o.GOAL})
def watch(
    grid: o.OneGrid,
    *,
    question: Watch,
    engine: Annotated[
        str | None,
        typer.Option("--engine", "-e", metavar="NAME", help="Print the steps of this engine instead of the tree."),
    ] = None,
    order: Annotated[
        list[str] | None,
        typer.Option(
            "--order", metavar="SLOT,SLOT", help="Slots first to last: 1-Across, or A, B, C by number. Repeatable."
        ),
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Draw the trees side by side: .svg or .png.")
    ] = None,
    as_json: o.Json = False,
) -> int:
    """Count and draw the search tree of a grid whose slots are filled in a fixed order, or watch an engine at work.

    An edge is a word placed that agrees with the words above it; a path through all slots is a fill. A dead end leaves
    the next slot without a word. Slots that --order leaves out follow by number. With --engine, each step is printed:
    a word or letter placed, what it leaves, a step back. For weave and scaffold, a table has the steps of each word
    beside the number to expect.

    Exit codes: 0 there are fills, or may be; 20 there is none; 2 bad input.
    """
    if output is not None:
        from cpfill.formats.pages.trees import check_suffix

        check_suffix(output)
    if engine is not None and (order or output):
        raise usage_error(say("--engine, or --order and -o"), say("both"))
    sources, _ = read_problems(question.request, [grid])
    if len(sources) > 1:
        raise usage_error(say("one grid"), str(len(sources)))
    if engine is not None:
        return _watch_engine(sources[0], replace(question, engine=engine), as_json=as_json)
    return _watch_trees(sources[0], order or [], output, as_json=as_json)


def _watch_trees(source: NamedProblem, orders: Sequence[str], output: str | None, *, as_json: bool) -> Exit:
    """Print the size of the tree of each order, and draw the trees."""
    trees = _grow_trees(source, orders, output)
    for tree in trees:
        if as_json:
            emit(json_line({"grid": source.name, **tree.record}))
        else:
            _show(tree)
    if trees[0].complete and not trees[0].fills:
        return Exit.NO_FILL
    return Exit.ANSWERED


def _grow_trees(source: NamedProblem, orders: Sequence[str], output: str | None) -> list[SearchTree]:
    """Return the tree of each order, by default that of the numbers, and draw them."""
    grid = source.problem.grid
    chosen = [parse_order(grid, text) for text in orders] or [letter_slots(grid)]
    with Output(output) as out:
        trees = [grow(source.problem, slots) for slots in chosen]
        if output is not None:
            _draw(source, trees, output, out)
    return trees


def _show(tree: SearchTree) -> None:
    emit(f"{tree}\n")
    rows = []
    for slot, edges, dead_ends in zip(tree.slots, tree.edges, tree.dead_ends, strict=True):
        rows.append([slot.name, str(edges), str(dead_ends)])
    emit(table(("slot", "words placed", "dead ends"), rows, left=_NAMES))


def _draw(source: NamedProblem, trees: Sequence[SearchTree], path: str, out: Output) -> None:
    from cpfill.formats.pages.trees import draw_trees

    out.write_bytes(draw_trees([tree.picture for tree in trees], path))
    for tree in trees:
        if tree.drawn < sum(tree.edges) or not tree.complete:
            drawn = say("the first {drawn} edges are drawn, level by level", drawn=tree.drawn)
            warn(f"{source.name}: {tree}; {drawn}")


def _watch_engine(source: NamedProblem, question: Watch, *, as_json: bool) -> Exit:
    """Print the steps of a search, and how it ended."""
    number = 0

    def take(part: FirstSizes | WatchedStep | WatchedFill | Watched) -> None:
        nonlocal number
        if as_json:
            print_record(part, source.name)
        elif isinstance(part, WatchedFill):
            emit(source.text_of(part.found.fill))
        elif isinstance(part, WatchedStep):
            number += 1
            emit(f"{number:>5} {_describe_step(part.record)}\n")

    end: Watched = ask(*source.pose(question), take)
    if not as_json:
        emit(say("{steps}: {status}\n", steps=say_count(end.steps, "step"), status=end.result.status))
        if end.tries is not None and end.steps:
            emit(_tabulate_tries(end.tries.records))
    if end.result.status.refuted:
        return Exit.NO_FILL
    return Exit.ANSWERED


def _describe_step(step: StepRecord) -> str:
    """Return a step in words, indented by its depth."""
    match step["step"]:
        case "assignment":
            return f"{_indent(step)}{step['slot']} {step['word']}{_tell_left(step)}"
        case "refutation":
            return say("{indent}{slot} {word} is refuted{left}", indent=_indent(step), left=_tell_left(step), **step)
        case "backtrack":
            return _describe_backtrack(step)
        case "letter" | "no_letter":
            return _describe_letter(step)
        case "restart":
            return say("restart {number}", number=step["number"])
        case "revision":
            return say("{slot}: {before} words, now {after}", **step)


def _describe_backtrack(step: BacktrackStep) -> str:
    if not step["target"]:
        return say("nothing is left to try")
    blamed = ", ".join(step["conflicts"])
    told = later("{indent}{slot} has no word left: back to word {target}; to blame: {blamed}")
    return say(told, indent=_indent(step), blamed=blamed, slot=step["slot"], target=step["target"])


def _describe_letter(step: LetterStep | NoLetterStep) -> str:
    if step["step"] == "no_letter":
        return say("{indent}{cell} has no letter left", indent=_indent(step), cell=step["cell"])
    told = later("{indent}{cell} {letter} of {allowed}{left}")
    return say(told, indent=_indent(step), left=_tell_left(step), **step)


def _indent(step: PlacedStep | BacktrackStep | LetterStep | NoLetterStep) -> str:
    return "  " * (step["depth"] - 1)


def _tell_left(step: PlacedStep | LetterStep) -> str:
    """Return what a word leaves of other slots."""
    if step["wipeout"] is not None:
        return say(" leaves {wipeout} without a word", wipeout=step["wipeout"])
    left = ", ".join(f"{slot} {size}" for slot, size in step["sizes"].items())
    return say(" leaves {left}", left=left) if left else ""


def _tabulate_tries(records: Sequence[TriesRecord]) -> str:
    """Return the steps of each word, to expect and counted."""
    rows = []
    for number, record in enumerate(records, 1):
        expected = "-"
        power = record["log10_expected"]
        if power is not None:
            expected = f"{10**power:.3g}" if power < _LARGE else f"10^{power:.1f}"
        rows.append([str(number), expected, str(record["steps"]), str(record["tried"])])
    return table(("word", "expected steps", "steps", "words tried"), rows)
