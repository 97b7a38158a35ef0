"""`cpfill stats`, figures of a grid and its words, and `cpfill info`, the parts of a grid or of this installation."""

from __future__ import annotations

import platform
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import itemgetter
from textwrap import fill as wrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpfill.base.errors import EngineUnavailableError, InputError
from cpfill.base.files import display_name
from cpfill.base.imports import load_kernel
from cpfill.base.texts import later, say
from cpfill.cli import options as o
from cpfill.cli.asking import ask, print_record
from cpfill.cli.output import emit, json_line
from cpfill.cli.problems import read_all_templates, share_stdin, shelf
from cpfill.cli.tables import room, table
from cpfill.cli.verbs import usage_error, warn
from cpfill.engines import ENGINES
from cpfill.formats.registry import guess_format, read_puzzle
from cpfill.questions.question import Desk, Done
from cpfill.questions.stats import Description, Figures, Info, Stats, find_words, take_answers
from cpfill.words.wordlist import LEAST, Band

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cpfill.formats.registry import Template
    from cpfill.questions.question import Record

_NAMES = {"style", "fault", "at", "slot", "word", "in common", "is", "of"}
"""The headings of columns that begin at the left."""
_SHOWN = 5
"""How many places are shown per kind of fault; JSON has them all."""


@o.asks(Stats, "words", "weighted", "exclude", "min_slot_length", "dialect", "alphabet", "taste")
def stats(grid: o.Grids, *, question: Stats, as_json: o.Json = False) -> int:
    """Describe grids: words, blocks, cheaters, symmetry, and violations of each style.

    For filled grids also scores, letters, their worth in Scrabble, and words that are alike: repeated, of one stem, as
    RUN and RUNNING are, with a word in common, as ATECROW and CROWS have, or each the other reversed.
    """
    share_stdin(grid, question.request)
    asked = [named for path in grid for named in _read_grids(question, path)]
    desk = Desk(shelf())
    if any(find_words(each.fill) for _, each in asked):
        desk.lexicon_of(question.request)  # warnings about the lists come before any figures
    for number, (name, each) in enumerate(asked):
        if number and not as_json:
            emit("\n")
        ask(each, desk, partial(_show_figures, name, as_json=as_json))
    return 0


def _read_grids(question: Stats, path: str) -> list[tuple[str, Stats]]:
    """Return the name of each grid in a file, and the question about it."""
    request = question.request
    if guess_format(path):
        puzzle = read_puzzle(path)
        name = display_name(path)
        take_answers(puzzle, request.alphabet, request.min_slot_length, name)  # a fault names the file
        return [(name, replace(question, request=replace(request, grid=puzzle)))]
    read = read_all_templates(request, [path])
    return [(each.name, replace(question, request=replace(request, grid=each.grid))) for each in read]


def _show_figures(name: str, part: Figures | Done, *, as_json: bool) -> None:
    if as_json:
        print_record(part, name)
    elif isinstance(part, Figures):
        record = part.record
        emit(_grid_text(name, record))
        if record["fill"]:
            emit(_fill_text(record["fill"]))


def _grid_text(name: str, figures: Record) -> str:
    some = figures["average_length"] is not None
    average = say(", {average_length:.2f} letters on average", **figures) if some else ""
    share = "" if figures["checked_share"] is None else f" ({figures['checked_share']:.1%})"
    parts, cheaters = figures["parts"], figures["cheaters"]
    lengths = [say("{count} of {length}", count=count, length=length) for length, count in figures["lengths"].items()]
    several = say("{parts} parts of {parts2} cells", parts=len(parts), parts2=", ".join(map(str, parts)))
    lines = [
        f"{name}: {figures['height']} x {figures['width']}",
        say("words: {words}{average}", **figures, average=average),
        say("lengths: ") + (", ".join(lengths) or say("none")),
        say("blocks: {blocks} ({block_share:.1%})", **figures),
        say("open cells: {open}, {checked} checked{share}, {clear} touch no block", **figures, share=share),
        say("cheaters: {grid}", grid=f"{len(cheaters)} ({', '.join(cheaters)})" if cheaters else say("none")),
        say("symmetry: {symmetries}", symmetries=", ".join(figures["symmetries"]) or say("none")),
        say("connected: {what}", what=say("yes") if len(parts) == 1 else several),
    ]
    faults = figures["faults"]
    clean = [style for style, found in faults.items() if not found]
    if clean:
        lines.append(say("without a fault in style: {clean}", clean=", ".join(clean)))
    rows = []
    for style, found in faults.items():
        for kind, group in groupby(sorted(found, key=itemgetter("fault")), key=itemgetter("fault")):
            places = [say("grid") if fault["at"] == "grid" else fault["at"] for fault in group]
            shown = " ".join(places[:_SHOWN]) + " …" * (len(places) > _SHOWN)
            rows.append((style, say(kind), str(len(places)), shown))
    return _wrap(lines) + _table(("style", "fault", "number", "at"), rows)


def _fill_text(figures: Record) -> str:
    words, scores = figures["words"], figures["scores"]
    others = len(words) - len(figures["own"])
    listed = say("filled: {words} words, {scores} of them in the lists", words=others, scores=len(scores))
    if figures["mean_score"] is not None:
        listed += say("; scores: mean {mean_score:.1f}, median {median_score:g}", **figures)
    own, unlisted = (", ".join(f"{words[slot]} ({slot})" for slot in figures[kind]) for kind in ("own", "unlisted"))
    common = sorted(((letter, n) for letter, n in figures["letters"].items() if n), key=lambda each: -each[1])
    missing = [letter for letter, count in figures["letters"].items() if not count]
    scrabble = figures["scrabble"]
    lines = [
        *([say("your entries: {own}", own=own)] if own else []),
        *_quality(figures),
        listed,
        *([say("not in the lists: {unlisted}", unlisted=unlisted)] if unlisted else []),
        say("letters: ") + ", ".join(f"{letter} {count}" for letter, count in common),
        say("pangram: ") + (say("no, without {missing}", missing=", ".join(missing)) if missing else say("yes")),
        *([] if scrabble is None else [say("Scrabble: {scrabble:.2f} a letter", scrabble=scrabble)]),
    ]
    worst = [(each["slot"], _name(each), f"{each['score']:g}") for each in figures["worst"]]
    counts = [(f"{each['low']:g}-{each['high']:g}", str(each["words"])) for each in figures["histogram"]]
    alike = [
        (say(title), link["text"], ", ".join(f"{words[slot]} ({slot})" for slot in link["slots"]))
        for kind, titles in (
            ("repeats", ("word", "word")),
            ("alike", ("alike by stem", "alike reversed")),
            ("naticks", ("natick", "natick")),
        )
        for link in figures[kind]
        for title in [titles[link["text"].isupper()]]
    ]
    return (
        "\n"
        + _wrap(lines)
        + _table(("score", "words"), counts)
        + _table(("slot", "word", "score"), worst)
        + _table(("in common", "is", "of"), alike)
    )


def _quality(figures: Record) -> list[str]:
    """Return how good the words are, at a glance."""
    bands = figures["bands"]
    if not bands:
        return []
    counts = ", ".join(f"{count} {say(band)} ({_tell_range(Band(band))})" for band, count in bands.items())
    weakest = ", ".join(f"{_name(each)} {each['score']:g}" for each in figures["worst"][:_WEAKEST])
    return [say("quality: {counts}; weakest: {weakest}", counts=counts, weakest=weakest)]


def _name(word: Record) -> str:
    """Return a word with the reason, if there is one, why it scores little."""
    return f"{word['word']} ({say(word['reason'])})" if "reason" in word else word["word"]


_WEAKEST = 5


def _tell_range(band: Band) -> str:
    if band is Band.WEAK:
        return say("under {score:g}", score=LEAST[Band.FAIR])
    return say("{score:g} or more", score=LEAST[band])


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table after an empty line; an empty text if it has no rows."""
    return "\n" + table(headings, rows, left=_NAMES) if rows else ""


def _wrap(lines: Iterable[str]) -> str:
    """Wrap lines to the width of the terminal; continuation lines are indented."""
    return "".join(wrap(line, room(), subsequent_indent="  ", break_on_hyphens=False) + "\n" for line in lines)


@o.asks(Info, "words", "min_slot_length", "min_score", "dialect", "alphabet", "taste", without={"time_limit", "seed"})
def info(
    grid: Annotated[
        list[str] | None,
        typer.Argument(metavar="GRID", help="Files with grids; - for standard input; 5x5 for an empty grid."),
    ] = None,
    *,
    question: Info,
    as_json: o.Json = False,
    build: Annotated[
        bool, typer.Option("--build", help="Describe this installation: versions, kernel, engines.")
    ] = False,
) -> int:
    """Describe grids: dialect, cells, slots, crossings, word lengths, connectivity.

    With -w, for each slot also the words that fit it, and those that arc consistency leaves.
    """
    if build:
        record = _describe_build()
        text = "".join(f"{say(name)}: {say(value)}\n" for name, value in record.items())
        emit(json_line(record) if as_json else text)
    elif not grid:
        raise usage_error(say("a grid, or --build"), say("neither"))
    share_stdin(grid or [], question.request)
    desk = Desk(shelf())
    for template in read_all_templates(question.request, grid or []):
        about = replace(question, request=replace(question.request, grid=template))
        ask(about, desk, partial(_show_description, template, as_json=as_json))
    return 0


def _show_description(template: Template, part: Description | Done, *, as_json: bool) -> None:
    if as_json:
        print_record(part, template.name)
    elif isinstance(part, Description):
        emit(_info_text({"grid": template.name, **part.record}))


def _describe_build() -> dict[str, str]:
    """Return the versions in use, the kernel and the engines; warn of a faulty engine of another package."""
    from importlib.metadata import version  # noqa: PLC0415 - slow to import

    from cpfill.engines.contract import list_plugins  # noqa: PLC0415 - likewise
    from cpfill.engines.mac import KERNEL  # noqa: PLC0415 - likewise
    from cpfill.engines.toolkit.wasm import MODULE  # noqa: PLC0415 - likewise

    try:
        compiler = load_kernel(KERNEL).COMPILER
    except EngineUnavailableError:
        compiler = None
    kernel_wasm = str(MODULE)
    if not MODULE.is_file():
        kernel_wasm = later("none (only cpfill site needs it: python .ci/kernel_wasm.py)")
    engines = [*ENGINES]
    for name, plugin in list_plugins(ENGINES).items():
        try:
            plugin.load()
        except InputError as fault:
            warn(str(fault))
        else:
            engines.append(f"{name} ({plugin.package})")
    return {
        "cpfill": version("cpfill"),
        "engines": ", ".join(engines),
        "kernel": "compiled" if compiler else later("none (there was no C++20 compiler; auto searches with cpsat)"),
        **({"compiler": compiler} if compiler else {}),
        "kernel.wasm": kernel_wasm,
        "ortools": version("ortools"),
        "python": platform.python_version(),
    }


def _info_text(record: dict[str, Any]) -> str:
    cells = say(
        "{block} block, {open} open, {empty} empty, {given} given, {letter_set} letter set, {checked} checked, "
        "{unchecked} unchecked, {in_no_slot} in no slot",
        **{kind.replace(" ", "_"): count for kind, count in record["cells"].items()},
    )
    parts = record["components"]
    several = say("{parts} components of {parts2} slots", parts=len(parts), parts2=", ".join(map(str, parts)))
    figures = {**record, "slots": len(record["slots"]), "connected": say("connected") if len(parts) == 1 else several}
    lengths = [say("{count} of {length}", count=count, length=n) for n, count in record["lengths"].items()]
    lines = [
        say("{grid}: {height} x {width}, {dialect} dialect", **record),
        say("cells: {cells}", cells=cells),
        say("slots: {slots}, crossings: {crossings}, {connected}", **figures),
        say("lengths: ") + ", ".join(lengths),
    ]
    columns = list(record["slots"][0])
    rows = [[str(slot[column]) for column in columns] for slot in record["slots"]]
    return "\n".join(lines) + "\n" + table(columns, rows, left=("slot", "at", "pattern"))
