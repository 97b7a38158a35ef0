"""`cpfill watch`: the search tree of a grid, slot by slot in a given order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cpfill.base.texts import say, say_count
from cpfill.cli import options as o
from cpfill.cli.output import Output, emit, json_line
from cpfill.cli.problems import NamedProblem, read_problems
from cpfill.cli.tables import table
from cpfill.cli.verbs import Exit, usage_error, warn
from cpfill.questions.request import Request
from cpfill.questions.search_tree import MOST_COUNTED, SearchTree, grow, letter_slots, parse_order

if TYPE_CHECKING:
    from collections.abc import Sequence

_NAMES = ("slot",)


@o.request_options(without={"weighted", "theme", "objective", "levels"})
def watch(
    grid: o.OneGrid,
    *,
    request: Request,
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
    """Count and draw the search tree of a grid whose slots are filled in a fixed order.

    An edge is a word placed that agrees with the words above it; a path through all slots is a fill. A dead end leaves
    the next slot without a word. Slots that --order leaves out follow by number. Exit code 20: there is no fill.
    """
    if output is not None:
        from cpfill.formats.pages.trees import check_suffix

        check_suffix(output)
    sources, _ = read_problems(request, [grid])
    if len(sources) > 1:
        raise usage_error(say("one grid"), str(len(sources)))
    trees = _grow_trees(sources[0], order or [], output)
    for tree in trees:
        if as_json:
            emit(json_line({"grid": sources[0].name, **tree.record}))
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
    emit(_tell(tree) + "\n")
    rows = []
    for slot, edges, dead_ends in zip(tree.slots, tree.edges, tree.dead_ends, strict=True):
        rows.append([slot.name, str(edges), str(dead_ends)])
    emit(table(("slot", "words placed", "dead ends"), rows, left=_NAMES))


def _tell(tree: SearchTree) -> str:
    """Return the numbers of a tree."""
    if not tree.complete:
        return say("more than {edges} edges: counting stopped", edges=f"{MOST_COUNTED:,}")
    counts = {"edge": sum(tree.edges), "fill": tree.fills, "dead end": sum(tree.dead_ends)}
    return ", ".join(say_count(count, thing) for thing, count in counts.items())


def _draw(source: NamedProblem, trees: Sequence[SearchTree], path: str, out: Output) -> None:
    from cpfill.formats.pages.trees import Picture, draw_trees

    pictures = []
    for tree in trees:
        names = [slot.name for slot in tree.slots]
        pictures.append(Picture(_tell(tree), tree.root, names))
    out.write_bytes(draw_trees(pictures, path))
    for tree in trees:
        if tree.drawn < sum(tree.edges) or not tree.complete:
            drawn = say("the first {drawn} edges are drawn, level by level", drawn=tree.drawn)
            warn(f"{source.name}: {_tell(tree)}; {drawn}")
