"""`cpfill edits`: which block to add, open or move."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import replace

from cpfill.base.texts import later, say, say_count
from cpfill.cli import options as o
from cpfill.cli.output import Output, json_line
from cpfill.cli.problems import make_problems, print_puzzle, puzzle_kind, read_all_templates, shelf
from cpfill.cli.render import Ticker
from cpfill.cli.tables import table
from cpfill.cli.verbs import Exit, usage_error, warn
from cpfill.formats.dialects import write_fill
from cpfill.problem.problem import format_value
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.candidates import Verdict
from cpfill.questions.edits import (
    Edits,
    Judged,
    Standing,
    count_changed,
    edit_record,
    edits_end,
    name_walls,
    rank_edits,
    standing_record,
)
from cpfill.questions.question import Desk


@o.asks(Edits, without={"theme", "levels"})
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
    make_problems(question.request, [template], lists)  # says what becomes of the words
    question = replace(question, request=replace(question.request, grid=template.grid))
    standing, judged = None, list[Judged]()
    with Ticker(quiet=quiet) as ticker, closing(question.steps(Desk(lists))) as steps:
        for step in steps:
            if isinstance(step, Standing):
                standing = step
                continue
            judged.append(step)
            yes = sum(each.verdict is Verdict.YES for each in judged)
            ticker.say(say("{edits} judged, {yes} help", edits=say_count(len(judged), "edit"), yes=yes))
    if standing is None:
        return Exit.INTERRUPTED
    ranked = rank_edits(judged, standing)
    verdicts = [each.verdict for each in ranked]
    helpful = [each for each in ranked if each.verdict is Verdict.YES]
    with Output(output) as out:
        if as_json:
            records = [standing_record(standing), *(edit_record(each, standing) for each in ranked)]
            out.write("".join(map(json_line, [*records, edits_end(verdicts)])))
        elif helpful and kind is not None:
            print_puzzle(out, _draw(helpful[0], template.puzzle), kind)
        elif helpful:
            best = helpful[0]
            assert best.fill is not None
            out.write(_list(helpful, standing) + "\n" + write_fill(template.dialect, best.edit.grid, best.fill.letters))
    if not quiet:
        warn(_tell_standing(standing))
        told = later("{edits}: {yes} help, {no} proved useless, {open} not decided ({seconds:.2f} s)")
        yes, no, undecided = map(verdicts.count, Verdict)
        seconds = time.perf_counter() - start_s
        warn(say(told, edits=say_count(len(ranked), "edit"), yes=yes, no=no, open=undecided, seconds=seconds))
    if ticker.interrupted:
        return Exit.INTERRUPTED
    return Exit.ANSWERED if helpful else Exit.LIMIT if Verdict.OPEN in verdicts else Exit.NO_FILL


def _draw(judged: Judged, before: Puzzle | None) -> Puzzle:
    """Return the edited grid with its fill as a puzzle, with the metadata of the one before."""
    assert judged.fill is not None
    drawn = Puzzle.of_grid(judged.edit.grid, judged.fill.letters)
    return replace(drawn, metadata=before.metadata) if before else drawn


def _list(helpful: list[Judged], standing: Standing) -> str:
    """Return a table of the edits that help."""
    grid, rows = standing.grid, []
    for each in helpful:
        edit, value = each.edit, "" if each.value is None else format_value((each.value,))
        if each.bound is not None and each.value is not None and each.bound > each.value:
            value += say(", at most {bound}", bound=format_value((each.bound,)))
        cheaters = " ".join(name_walls(grid, edit.cheaters))
        walls = (" ".join(name_walls(grid, walls)) for walls in (edit.add, edit.open))
        rows.append((*walls, value, str(count_changed(each, standing)), cheaters))
    headings = ("add", "open", "lowest score", "words changed", "cheaters")
    return table(headings, rows, keys=2, left={"add", "open", "cheaters"})


def _tell_standing(standing: Standing) -> str:
    """Return what the grid itself is like."""
    kept = say("style {style}, symmetry {symmetry}", style=standing.style, symmetry=standing.symmetry)
    if standing.fillable is None:
        return say("it is undecided whether the grid has a fill; {kept}", kept=kept)
    if not standing.fillable:
        return say("the grid has no fill; {kept}", kept=kept)
    value = "" if standing.value is None else format_value((standing.value,))
    said = later("the best minimum score of the grid is {value}; {kept}")
    found = later("the grid has a fill with minimum score {value}, not proved best; {kept}")
    return say(said if standing.proved else found, value=value, kept=kept)
