"""`cpfill generate`: random grids."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpfill.base.ranges import COUNT, SLOT_LENGTH, SLOTS
from cpfill.base.texts import later, say, say_count
from cpfill.cli import options as o
from cpfill.cli import puzzles
from cpfill.cli.demands import USUAL_SIZE, read_demands
from cpfill.cli.designs import follow_designs
from cpfill.cli.exits import exit_of, usage_error, warn
from cpfill.cli.interrupts import HOLD
from cpfill.cli.output import Output
from cpfill.cli.page_options import with_page_options
from cpfill.cli.problems import share_stdin, shelf
from cpfill.cli.render import Ticker, on_terminal
from cpfill.formats.dialects import DIALECTS, get_dialect, native, write_fill, write_template
from cpfill.formats.pages.style import Layout, PageStyle
from cpfill.formats.registry import get_format
from cpfill.problem.event import StopReason
from cpfill.problem.fill import Fill
from cpfill.problem.limits import Deadline, Limits
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.result import SolveResult, Status
from cpfill.puzzle.grid import BLOCK, Grid, split_rows
from cpfill.puzzle.puzzle import Puzzle, PuzzlePart
from cpfill.questions.as_json.searches import fill_record
from cpfill.questions.generate import STYLES, Demands, Symmetry, rank_designs
from cpfill.questions.generate import generate as generate_grids
from cpfill.questions.generate.demands import choose_style
from cpfill.questions.generate.failing import WHY_S, Failure, find_failure, keep_time
from cpfill.questions.generate.fillable import EACH_S, Attempts, fill_grids, fill_in_steps, tell_unpaired
from cpfill.questions.generate.theme import list_liberties
from cpfill.questions.request import Request

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from cpfill.formats.dialects import Dialect

_Found = Grid | tuple[Problem, Fill]


@with_page_options
@o.request_options("words", "min_score", "exclude", "repeats", "objective", "levels", "alphabet", "uncensored")
def generate(
    draft: Annotated[
        str | None, typer.Argument(metavar="[DRAFT]", help="A file with a grid to complete: ? is open or a block.")
    ] = None,
    *,
    request: Request,
    size: Annotated[
        str | None, typer.Option("--size", metavar="HxW", help=f"Rows and columns; {USUAL_SIZE}, or those of DRAFT.")
    ] = None,
    style: Annotated[str, typer.Option("--style", metavar="NAME", help=f"{', '.join(STYLES)}.")] = "american",
    number: Annotated[int, o.number(COUNT, "--number", "-n", help="N grids, no two alike.")] = 1,
    blocks: Annotated[
        str | None, typer.Option("--blocks", metavar="N", help="N blocks; 36-40 for a range. Or what is usual.")
    ] = None,
    density: Annotated[
        str | None, typer.Option("--density", metavar="P", help="Their share, 0.16 or 16%, to half a per cent.")
    ] = None,
    symmetry: Annotated[
        str | None, typer.Option("--symmetry", metavar="NAME", help=f"{', '.join(Symmetry)}; the style has its own.")
    ] = None,
    min_slot_length: Annotated[
        int | None, o.number(SLOT_LENGTH, help="No slot is shorter; the style has its own.")
    ] = None,
    max_words: Annotated[int | None, o.number(SLOTS, help="At most N slots.")] = None,
    seed_words: Annotated[
        list[str] | None,
        typer.Option("--seed-words", metavar="WORD,…", help="These words stand in the grid; or a file's. Repeatable."),
    ] = None,
    seed: o.Seed = 0,
    time_limit: o.TimeLimit = "60s",
    only_fillable: Annotated[bool, typer.Option("--fillable", help="Only grids for which a fill is found.")] = False,
    filled: Annotated[bool, typer.Option("--filled", help="The same, and print the fill instead.")] = False,
    fill_time: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="With --fillable: pass over grids not filled by then; 2s by default."),
    ] = None,
    dialect: Annotated[
        str | None, typer.Option("--dialect", metavar="NAME", help=f"Write grids as {', '.join(reversed(DIALECTS))}.")
    ] = None,
    write_as: o.WriteAs = None,
    page: PageStyle | None,
    as_json: o.Json = False,
    output: o.OutputFile = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Leave out the line that says what was proved.")] = False,
) -> int:
    """Generate random grids in a style; its rules are kept, its numbers are what an option says instead.

    A DRAFT is completed: native text in which ? is undecided. Its blocks, letters and open cells stay; in a barred grid
    its bars.

    american: every cell in two slots of 3 or more, half-turn symmetry. british: a lattice of blocks, half of each
    slot checked (rounded down), never three cells in a row unchecked, slots of 3 or more, half-turn symmetry. french:
    connected, nothing else. japanese: no two blocks adjacent, none in a corner. barred: bars instead of blocks, n // 2
    - 1 cells of a slot of n unchecked at most, never two in a row, slots of 4 or more, half-turn symmetry. arrow (mots
    fléchés): blocks hold clues, one or two each; the first row and column alternate blocks and letters. free: blocks
    anywhere. In all but free the open cells are connected. Within these rules grids like printed ones are preferred:
    no square of blocks, few cheaters, about as many words. With an objective and --fillable or --filled the N designs
    with the best fills are sought till time is over, and printed best first. Exit codes: 0 a grid; 20 proved that there
    is none; 124 a limit came first; 130 interrupted; 2 bad input.
    """
    start_s = time.perf_counter()
    filling = only_fillable or filled
    for_filling = o.given_options(request, without={"alphabet"})
    for_filling += ["--fill-time"] * (fill_time is not None)
    if for_filling and not filling:
        raise usage_error(
            say("{for_filling} with --fillable or --filled", for_filling=for_filling[0]),
            say("{for_filling} alone", for_filling=for_filling[0]),
        )
    share_stdin([*(seed_words or []), *([draft] if draft else [])], request)
    written_as = get_dialect(dialect or native.NAME)
    kind = puzzles.puzzle_kind(output, write_as, page, as_json=as_json)
    if dialect is not None and (kind or as_json):
        raise usage_error(say("--json, --dialect or a puzzle file"), say("two of them"))
    asked = choose_style(style, symmetry, min_slot_length)
    if asked.barred and PuzzlePart.BARS not in written_as.KEEPS:
        raise usage_error(say("a dialect that has bars, native, for a barred grid"), written_as.NAME)
    if kind is not None and number != 1:
        raise usage_error(say("one grid, for a file of format {kind}", kind=kind), str(number))
    demands = read_demands(
        asked,
        request.alphabet,
        draft=draft,
        size=size,
        blocks=blocks,
        density=density,
        max_words=max_words,
        seed_words=seed_words or [],
    )
    limits = Limits(time_s=o.parse_time(time_limit), fills=number, seed=seed)
    each_s = EACH_S if (parsed_s := o.parse_time(fill_time)) is None else parsed_s
    if each_s == 0:
        raise usage_error(say("a time above 0 for --fill-time"), f"'{fill_time}'")
    if page is None and kind is not None and asked.clue_cells and get_format(kind, to=True).arrows:
        page = PageStyle(layout=Layout.ARROWS)
    with Output(output) as out:
        printer = _Printer(out, written_as, kind, page, demands, filled=filled, as_json=as_json, quiet=quiet)
        if filling:
            result, failure = _find_filled(demands, request, limits, each_s, printer)
        else:
            result, failure = _find_grids(demands, request, limits, printer)
        if as_json:
            record = {"event": "finished", "status": result.status, "reason": result.stop_reason, "grids": result.fills}
            out.write(json.dumps(record | (failure.record if failure else {})) + "\n")
    if not quiet:
        hint = _hint(demands) if result.status is Status.UNSATISFIABLE else ""
        warn(f"{_verdict(result, failure, filling=filling)}{hint} ({time.perf_counter() - start_s:.2f} s)")
        _tell_failure(failure)
    return exit_of(result, all_asked=False)


def _find_grids(
    demands: Demands, request: Request, limits: Limits, printer: _Printer
) -> tuple[SolveResult, Failure | None]:
    """Print grids as they are found. If it is proved that there is none, some of the time left goes to what helps."""
    deadline = Deadline(limits.time_s)
    result = _follow(generate_grids(demands, limits=limits), printer)
    if result.status is not Status.UNSATISFIABLE:
        return result, None
    why = replace(limits, time_s=deadline.remaining_s(WHY_S))
    return result, find_failure(demands, None, request.rules, why, proved=True)


def _find_filled(
    demands: Demands, request: Request, limits: Limits, each_s: float, printer: _Printer
) -> tuple[SolveResult, Failure | None]:
    """Print grids that have a fill, as they are found or, with an objective, the best ones in the end.

    Where there is none, some of the time goes to finding out why.
    """
    lexicon, attempts, deadline = request.lexicon(shelf()), Attempts(), Deadline(limits.time_s)
    limits = keep_time(limits)
    ranked = bool(request.goal.criteria)
    if not (printer.quiet or printer.as_json) and (unpaired := tell_unpaired(demands, lexicon, request.rules)):
        warn(unpaired)
    if ranked:
        fillable = fill_grids(
            demands,
            lexicon,
            request.rules,
            limits=replace(limits, fills=None),
            each_s=each_s,
            attempts=attempts,
        )
        designs = rank_designs(fillable, request.goal, request.levels, limits=limits, each_s=each_s)
        result = follow_designs(
            designs, limits.fills or 1, printer.write, printer.out, as_json=printer.as_json, quiet=printer.quiet
        )
    else:
        good = request.goal is Objective.GOOD
        steps = fill_in_steps(
            demands, lexicon, request.rules, good=good, limits=limits, each_s=each_s, attempts=attempts
        )
        result = _follow(steps, printer, attempts)
    if result.fills or result.stop_reason is StopReason.INTERRUPTED:
        return result, None
    why = replace(limits, time_s=deadline.remaining_s(WHY_S))
    proved = result.status is Status.UNSATISFIABLE
    return result, find_failure(demands, lexicon, request.rules, why, proved=proved, attempts=attempts)


def _tell_failure(failure: Failure | None) -> None:
    for line in failure.lines if failure else ():
        warn(line)


@dataclass(frozen=True, slots=True)
class _Printer:
    """Writes what is found, one grid after the other."""

    out: Output
    dialect: Dialect
    kind: str | None
    """The format of the puzzle file to write, none for text."""
    page: PageStyle | None
    demands: Demands
    filled: bool
    as_json: bool
    quiet: bool

    def write(self, found: _Found, more: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Write a grid, or the fill of it; say what liberties its theme took. A JSON line has `more` keys."""
        grid, fill = (found, None) if isinstance(found, Grid) else (found[0].grid, found[1])
        letters = fill.letters if fill is not None and self.filled else None
        liberties = list_liberties(self.demands, grid)
        if liberties and not (self.quiet or self.as_json):
            warn(say("the theme: {liberties}", liberties="; ".join(liberties)))
        if self.as_json:
            self.out.write(_record(found, liberties, more))
        elif self.kind is not None:
            puzzles.print_puzzle(self.out, Puzzle.of_grid(grid, letters), self.kind, style=self.page)
        else:
            text = write_template(self.dialect, grid) if letters is None else write_fill(self.dialect, grid, letters)
            self.out.write(text if self.out.empty else f"\n{text}")


def _follow(
    stream: Generator[_Found | None, None, StopReason], printer: _Printer, attempts: Attempts | None = None
) -> SolveResult:
    """Print each grid as it comes, and return what it all comes to; meanwhile a terminal shows what was tried."""
    ticker = Ticker(shown=on_terminal() and not printer.quiet)
    count, reason = 0, StopReason.INTERRUPTED
    try:
        while True:
            progress = say("generating, {count} so far", count=_grids(count))
            tried = say(", {tried:,} tried", tried=attempts.tried) if attempts and attempts.tried else ""
            ticker.say(progress + tried)
            if (found := next(stream)) is None:
                continue
            with HOLD:
                ticker.clear()
                printer.write(found)
                count += 1
    except StopIteration as end:
        reason = end.value
    except KeyboardInterrupt:
        pass  # what was found is printed
    finally:
        ticker.clear()
        stream.close()
    status = Status.of(found=count > 0, exhausted=reason is StopReason.EXHAUSTED, optimising=False)
    return SolveResult(status, reason, engine="generate", fills=count)


def _record(found: _Found, liberties: list[str], more: Mapping[str, Any]) -> str:
    """Return a grid, with its fill if it has one, as a JSON line; null stands for a block, "" for an empty cell."""
    grid = found if isinstance(found, Grid) else found[0].grid
    record: dict[str, Any] = {
        "event": "grid",
        "height": grid.height,
        "width": grid.width,
        "blocks": grid.cells.count(BLOCK),
        "words": len(grid.slots),
        "min_slot_length": grid.min_slot_length,
        "rows": split_rows([*grid.diagram().cells], grid.width),
        "bars": [[grid.name_cell(cell) for cell in bar] for bar in sorted(grid.bars)],
    }
    if liberties:
        record["liberties"] = liberties
    if not isinstance(found, Grid):
        problem, fill = found
        record["fill"] = fill_record(problem, fill, fill.value(problem))
    return json.dumps({**record, **more}, ensure_ascii=False) + "\n"


def _verdict(result: SolveResult, failure: Failure | None, *, filling: bool) -> str:
    """Return in words what was found and what was proved."""
    proof = say(", proved grid by grid") if filling else say(", proved by CP-SAT")
    if filling and failure and not failure.attempts.tried:
        proof = ""  # there was no grid to try
    match result.status:
        case Status.UNSATISFIABLE:
            return say(
                "UNSATISFIABLE: no such grid {what}{proof}",
                what=say("has a fill") if filling else say("exists"),
                proof=proof,
            )
        case Status.UNKNOWN:
            return say(
                "UNKNOWN: no such grid found, {stopped}, none excluded", stopped=say(_STOPPED[result.stop_reason])
            )
        case Status.ALL_FILLS:
            return say("{fills}, all there are{proof}", fills=_grids(result.fills), proof=proof)
        case Status.OPTIMAL:
            return say("{fills}, none better{proof}", fills=_grids(result.fills), proof=proof)
        case _ if result.stop_reason is StopReason.FILLS:
            return _grids(result.fills)
        case _:
            return say(
                "{fills}, {stopped}; there may be more",
                fills=_grids(result.fills),
                stopped=say(_STOPPED[result.stop_reason]),
            )


def _hint(demands: Demands) -> str:
    """Return what to ask for instead, where lattices of two kinds would have to lie over each other."""
    style, even = demands.style, demands.height % 2 == 0 or demands.width % 2 == 0
    turned = style.symmetry in {Symmetry.ROTATE, Symmetry.ROTATE90, Symmetry.MIRROR}
    return say("; try an odd size, or --symmetry none") if style.lattice and even and turned else ""


_STOPPED = {
    StopReason.TIME: later("time is over"),
    StopReason.TRIES: later("the others were not filled in time"),
    StopReason.INTERRUPTED: later("interrupted"),
}


def _grids(count: int) -> str:
    return say_count(count, "grid")
