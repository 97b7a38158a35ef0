"""`cpfill stats`: what a grid is like, and the words that stand in it."""

from __future__ import annotations

import json
from itertools import groupby
from textwrap import fill as wrap
from typing import TYPE_CHECKING, Annotated

import typer

from cpfill.base.errors import InputError, unknown_name
from cpfill.base.ranges import SLOT_LENGTH
from cpfill.base.sources import display_name
from cpfill.base.texts import say
from cpfill.cli import options as o
from cpfill.cli.output import emit
from cpfill.cli.problems import read_all_templates, share_stdin, shelf
from cpfill.cli.tables import room, table
from cpfill.formats.puzzles import read_puzzle
from cpfill.formats.registry import guess_format
from cpfill.problem.fill import Fill
from cpfill.questions.generate.demands import STYLES
from cpfill.questions.request import Request
from cpfill.questions.stats import LANGUAGES, describe_fill, describe_grid, find_faults, take_answers
from cpfill.questions.stats.fill import SHORTEST_RUN, find_words
from cpfill.questions.stats.languages import guess_language
from cpfill.questions.stats.question import fill_figures_record, grid_figures_record
from cpfill.words.bands import LEAST, Band

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cpfill.puzzle.grid import CellId, Grid
    from cpfill.questions.stats import FillFigures, GridFigures, StyleFault

_Faults = dict[str, tuple["StyleFault", ...]]
_NAMES = {"style", "fault", "at", "slot", "word", "in common", "is", "of"}
"""The headings of columns that begin at the left."""
_SHOWN = 5
"""How many places are shown per kind of fault; JSON has them all."""


@o.request_options("words", "weighted", "exclude", "min_slot_length", "dialect", "alphabet", "uncensored")
def stats(
    grid: o.Grids,
    *,
    request: Request,
    style: Annotated[
        str | None, typer.Option("--style", metavar="NAME", help=f"Tell faults of this style: {', '.join(STYLES)}.")
    ] = None,
    shared: Annotated[
        int, o.number(SLOT_LENGTH, "--shared", metavar="LEN", help="Tell runs of LEN letters or more that words share.")
    ] = SHORTEST_RUN,
    language: Annotated[
        str | None,
        typer.Option("--language", metavar="NAME", help=f"{', '.join(LANGUAGES)}; that of a packaged list, or en."),
    ] = None,
    as_json: o.Json = False,
) -> int:
    """Say what grids are like: words, blocks, cheaters, symmetry, and what each style does not allow in them.

    For filled grids also scores, letters, their worth in Scrabble, and words that are too alike: repeated, with a run
    of letters in common, or of one stem, as RUN and RUNNING are.
    """
    spoken = LANGUAGES[_known(say("a language"), language or guess_language(request), LANGUAGES)]
    styles = STYLES if style is None else {style: STYLES[_known(say("a style"), style, STYLES)]}
    share_stdin(grid, request)
    fills = [named for path in grid for named in _read_fills(request, path)]
    lexicon = request.lexicon(shelf()) if any(find_words(fill) for _, fill in fills) else None
    for number, (name, fill) in enumerate(fills):
        figures = describe_grid(fill.grid)
        faults = {each: find_faults(fill.grid, rules) for each, rules in styles.items()}
        words = describe_fill(fill, lexicon, language=spoken, shortest_run=shared) if lexicon is not None else None
        if as_json:
            record = {"grid": name, **grid_figures_record(fill.grid, figures, faults)}
            emit(
                json.dumps({**record, "fill": fill_figures_record(words) if words else None}, ensure_ascii=False) + "\n"
            )
        else:
            text = _grid_text(name, fill.grid, figures, faults) + (_fill_text(words) if words else "")
            emit("\n" * (number > 0) + text)
    return 0


def _read_fills(request: Request, path: str) -> list[tuple[str, Fill]]:
    """Return the name of each grid in a file, and the letters that stand in it."""
    if guess_format(path):
        name = display_name(path)
        return [(name, take_answers(read_puzzle(path), request.alphabet, request.min_slot_length, name))]
    return [(template.name, Fill.of_grid(template.grid)) for template in read_all_templates(request, [path])]


def _known(what: str, name: str, names: Mapping[str, object]) -> str:
    if name not in names:
        raise InputError(unknown_name(what, name, names))
    return name


def _grid_text(name: str, grid: Grid, figures: GridFigures, faults: _Faults) -> str:
    average = (
        ""
        if figures.average_length is None
        else say(", {average_length:.2f} letters on average", average_length=figures.average_length)
    )
    share = "" if figures.checked_share is None else f" ({figures.checked_share:.1%})"
    symmetries = ", ".join(figures.symmetries) or say("none")
    parts, clear = figures.parts, figures.clear_cells
    lines = [
        f"{name}: {figures.height} x {figures.width}",
        say("words: {words}{average}", words=figures.words, average=average),
        say("lengths: ")
        + (
            ", ".join(
                say("{count} of {length}", count=count, length=length) for length, count in figures.lengths.items()
            )
            or say("none")
        ),
        say("blocks: {blocks} ({block_share:.1%})", blocks=figures.blocks, block_share=figures.block_share),
        say(
            "open cells: {open_cells}, {checked_cells} checked{share}, {clear} touch no block",
            open_cells=figures.open_cells,
            checked_cells=figures.checked_cells,
            share=share,
            clear=clear,
        ),
        say("cheaters: {grid}", grid=_list_cells(grid, figures.cheaters)),
        say("symmetry: {symmetries}", symmetries=symmetries),
        say(
            "connected: {what}",
            what=say("yes")
            if len(parts) == 1
            else say("{parts} parts of {parts2} cells", parts=len(parts), parts2=_join(parts)),
        ),
    ]
    clean = [style for style, found in faults.items() if not found]
    if clean:
        lines.append(say("without a fault in style: {clean}", clean=", ".join(clean)))
    rows = []
    for style, found in faults.items():
        for kind, group in groupby(sorted(found, key=lambda fault: fault.kind), key=lambda fault: fault.kind):
            places = [fault.at for fault in group]
            rows.append((style, say(kind), str(len(places)), " ".join(places[:_SHOWN]) + " …" * (len(places) > _SHOWN)))
    return _wrap(lines) + _table(("style", "fault", "number", "at"), rows)


def _fill_text(figures: FillFigures) -> str:
    listed = say(
        "filled: {words} words, {scores} of them in the lists", words=len(figures.words), scores=len(figures.scores)
    )
    if figures.mean_score is not None:
        listed += say(
            "; scores: mean {mean_score:.1f}, median {median_score:g}",
            mean_score=figures.mean_score,
            median_score=figures.median_score,
        )
    unlisted = ", ".join(f"{figures.words[slot]} ({slot.name})" for slot in figures.unlisted)
    common = sorted(((letter, count) for letter, count in figures.letters.items() if count), key=lambda each: -each[1])
    missing = [letter for letter, count in figures.letters.items() if not count]
    lines = [
        *_quality(figures),
        listed,
        *([say("not in the lists: {unlisted}", unlisted=unlisted)] if unlisted else []),
        say("letters: ") + ", ".join(f"{letter} {count}" for letter, count in common),
        say("pangram: ") + (say("no, without {missing}", missing=", ".join(missing)) if missing else say("yes")),
        *([] if figures.scrabble is None else [say("Scrabble: {scrabble:.2f} a letter", scrabble=figures.scrabble)]),
    ]
    worst = [(slot.name, figures.words[slot], f"{figures.scores[slot]:g}") for slot in figures.find_worst()]
    scores = [(f"{each.low:g}-{each.high:g}", str(each.words)) for each in figures.histogram]
    titles = {"repeats": "word", "shared_runs": "letters", "shared_stems": "stem"}
    alike = [
        (say(titles[kind]), link.text, ", ".join(f"{figures.words[slot]} ({slot.name})" for slot in link.slots))
        for kind, links in figures.links.items()
        for link in links
    ]
    return (
        "\n"
        + _wrap(lines)
        + _table(("score", "words"), scores)
        + _table(("slot", "word", "score"), worst)
        + _table(("in common", "is", "of"), alike)
    )


def _quality(figures: FillFigures) -> list[str]:
    """Return how good the words are, at a glance."""
    bands = figures.bands
    if not bands:
        return []
    counts = ", ".join(f"{count} {say(band)} ({_tell_range(band)})" for band, count in bands.items())
    weakest = ", ".join(f"{figures.words[slot]} {figures.scores[slot]:g}" for slot in figures.find_worst(_WEAKEST))
    return [say("quality: {counts}; weakest: {weakest}", counts=counts, weakest=weakest)]


_WEAKEST = 5


def _tell_range(band: Band) -> str:
    if band is Band.WEAK:
        return say("under {score:g}", score=LEAST[Band.FAIR])
    return say("{score:g} or more", score=LEAST[band])


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table, with an empty line before it; nothing where there is no row."""
    return "\n" + table(headings, rows, left=_NAMES) if rows else ""


def _wrap(lines: Iterable[str]) -> str:
    """Return lines that are as long as the terminal is wide at most; what goes on is indented."""
    return "".join(wrap(line, room(), subsequent_indent="  ", break_on_hyphens=False) + "\n" for line in lines)


def _list_cells(grid: Grid, cells: Sequence[CellId]) -> str:
    return f"{len(cells)} ({', '.join(map(grid.name_cell, cells))})" if cells else say("none")


def _join(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))
