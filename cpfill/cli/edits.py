"""`cpfill edits`: which block to add, open or move."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from cpfill.base.texts import later, say, say_count
from cpfill.cli import options as o
from cpfill.cli.asking import ask, print_record
from cpfill.cli.output import Output
from cpfill.cli.problems import make_problems, print_puzzle, puzzle_kind, read_all_templates, shelf
from cpfill.cli.render import Ticker
from cpfill.cli.tables import table
from cpfill.cli.verbs import Exit, usage_error, warn
from cpfill.formats.dialects import write_fill
from cpfill.problem.value import format_value
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.candidates import Verdict
from cpfill.questions.editor import name_walls
from cpfill.questions.edits import Edits, JudgedEdit, JudgedEdits, count_changed
from cpfill.questions.question import PosedDesk

if TYPE_CHECKING:
    from cpfill.formats.registry import Template
    from cpfill.questions.editor import Edit
    from cpfill.questions.edits import Judged, Standing


@o.asks(Edits, without={"theme", "levels", "letter_values"})
def edits(
    grid: o.OneGrid,
    *,
    question: Edits,
    output: o.OutputFile = None,
    as_json: o.Json = False,
    no_cache: o.NoCache = False,
    quiet: o.Quiet = False,
) -> int:
    """List the blocks to add, open or move so that a grid has a fill, or a better one if it has one already.

    An edit has its images under the symmetry of the grid, follows the rules of its style, and leaves letters and whole
    entries where they are; in a barred grid it is of bars. yes: a fill exists; no: the proof that none does. The edit
    with the best fill comes first, and its fill is printed, or written with -o. With --objective min, the best minimum
    score of each edit is sought.

    Exit codes: 0 an edit helps; 20 proved that none does; 124 some are not decided; 130 interrupted; 2 bad input.
    """
    start_s = time.perf_counter()
    kind = puzzle_kind(output, None, None, as_json=as_json)
    template, *others = read_all_templates(question.request, [grid])
    if others:
        raise usage_error(say("one grid"), str(1 + len(others)))
    lists = shelf(cached=not no_cache)
    request = replace(question.request, grid=template.grid)
    (problem,) = make_problems(request, [template], lists)
    ticker = Ticker(quiet=quiet)
    yes_by_edit: dict[Edit, bool] = {}
    with Output(output) as out:

        def take(part: Standing | JudgedEdit | JudgedEdits) -> None:
            if as_json:
                print_record(part, write=out.write)
            if isinstance(part, JudgedEdit):
                yes_by_edit[part.judged.edit] = part.judged.verdict is Verdict.YES
                edits = say_count(len(yes_by_edit), "edit")
                ticker.say(say("{edits} judged, {yes} help", edits=edits, yes=sum(yes_by_edit.values())))

        desk = PosedDesk(lists, request, problem)
        end: JudgedEdits = ask(replace(question, request=request), desk, take)
        ticker.clear()
        helpful = end.helpful
        if helpful and kind is not None:
            print_puzzle(out, _draw(helpful[0], template.puzzle), kind)
        elif helpful and end.standing is not None and not as_json:
            out.write(_list(helpful, end.standing) + "\n" + _write_fill(template, helpful[0]))
    if end.standing is not None and not quiet:
        warn(_tell_standing(end.standing))
        warn(_tell_counts(end, time.perf_counter() - start_s))
    return _exit_of(end)


def _exit_of(end: JudgedEdits) -> Exit:
    """Return the exit code of an answer."""
    if end.interrupted:
        return Exit.INTERRUPTED
    if end.helpful:
        return Exit.ANSWERED
    return Exit.LIMIT if end.counts[Verdict.OPEN] else Exit.NO_FILL


def _write_fill(template: Template, judged: Judged) -> str:
    """Return the fill of an edit in the dialect of the grid."""
    assert judged.fill is not None
    return write_fill(template.dialect, judged.edit.grid, judged.fill.letters)


def _tell_counts(end: JudgedEdits, took_s: float) -> str:
    """Return how many edits help, how many are useless, and the time."""
    return say(
        "{edits}: {yes} help, {no} proved useless, {open} not decided ({seconds:.2f} s)",
        edits=say_count(len(end.ranked), "edit"),
        yes=end.counts[Verdict.YES],
        no=end.counts[Verdict.NO],
        open=end.counts[Verdict.OPEN],
        seconds=took_s,
    )


def _draw(judged: Judged, before: Puzzle | None) -> Puzzle:
    """Return the edited grid with its fill as a puzzle, with the metadata of the one before."""
    assert judged.fill is not None
    drawn = Puzzle.of_grid(judged.edit.grid, judged.fill.letters)
    return replace(drawn, metadata=before.metadata) if before else drawn


def _list(helpful: list[Judged], standing: Standing) -> str:
    """Return a table of the edits that help."""
    grid = standing.grid
    rows = []
    for each in helpful:
        edit = each.edit
        walls = [" ".join(name_walls(grid, walls)) for walls in (edit.add, edit.open, edit.cheaters)]
        add, opened, cheaters = walls
        rows.append((add, opened, _tell_value(each), str(count_changed(each, standing)), cheaters))
    headings = ("to add", "to open", "lowest score", "words changed", "cheaters")
    return table(headings, rows, keys=2, left={"to add", "to open", "cheaters"})


def _tell_value(judged: Judged) -> str:
    """Return the least score of the fill of an edit, and the bound on it if it is higher."""
    if judged.value is None:
        return ""
    value = format_value((judged.value,))
    if judged.bound is not None and judged.bound > judged.value:
        value += say(", at most {bound}", bound=format_value((judged.bound,)))
    return value


def _tell_standing(standing: Standing) -> str:
    """Return the standing of the grid itself."""
    kept = say("style {style}, symmetry {symmetry}", style=standing.style, symmetry=standing.symmetry)
    if standing.fillable is None:
        return say("it is undecided whether the grid has a fill; {kept}", kept=kept)
    if not standing.fillable:
        return say("the grid has no fill; {kept}", kept=kept)
    if standing.value is None:
        return say("the grid has a fill, but its minimum score is not settled in time; {kept}", kept=kept)
    said = later("the grid has a fill with minimum score {value}, not proved best; {kept}")
    if standing.proved:
        said = later("the best minimum score of the grid is {value}; {kept}")
    return say(said, value=format_value((standing.value,)), kept=kept)
