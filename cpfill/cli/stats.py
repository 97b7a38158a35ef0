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
from cpfill.words.spelling import LONG
from cpfill.words.wordlist import LEAST, Band

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cpfill.formats.registry import Template
    from cpfill.questions.question import Record

_Row = tuple[str, ...]

_NAMES = {"style", "fault", "at", "slot", "word", "in common", "is", "of"}
"""The headings of columns that begin at the left."""
_ALIKE = {
    "repeats": ("word", "word"),
    "alike": ("alike by stem", "alike reversed"),
    "naticks": ("natick", "natick"),
}
"""The titles of each kind of words that are alike: of a text in lower case, of a text in capitals."""
_SHOWN = 5
"""How many places are shown per kind of fault; JSON has them all."""


@o.asks(Stats, "words", "weighted", "exclude", "min_slot_length", "dialect", "alphabet", "taste")
def stats(grid: o.Grids, *, question: Stats, as_json: o.Json = False) -> int:
    """Describe grids: words, blocks, cheaters, symmetry, and violations of each style.

    For filled grids also scores, letters, their worth in Scrabble, and words that are alike: repeated, of one stem, as
    RUN and RUNNING are, with a word in common, as ATECROW and CROWS have, or each the other reversed.
    """
    share_stdin(grid, question.request)
    asked: list[tuple[str, Stats]] = []
    for path in grid:
        asked += _read_grids(question, path)
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
        about = replace(request, grid=puzzle)
        return [(name, replace(question, request=about))]
    asked = []
    for each in read_all_templates(request, [path]):
        about = replace(request, grid=each.grid)
        asked.append((each.name, replace(question, request=about)))
    return asked


def _show_figures(name: str, part: Figures | Done, *, as_json: bool) -> None:
    if as_json:
        print_record(part, name)
    elif isinstance(part, Figures):
        record = part.record
        emit(_grid_text(name, record))
        if record["fill"]:
            emit(_fill_text(record["fill"]))


def _grid_text(name: str, figures: Record) -> str:
    lines = [
        f"{name}: {figures['height']} x {figures['width']}",
        say("words: {words}{average}", **figures, average=_tell_average(figures)),
        say("lengths: ") + (_list_lengths(figures["lengths"]) or say("none")),
        say("blocks: {blocks} ({block_share:.1%})", **figures),
        say("open cells: {open}, {checked} checked{share}, {clear} touch no block", **figures, share=_share(figures)),
        say("cheaters: {grid}", grid=_tell_cheaters(figures["cheaters"])),
        say("symmetry: {symmetries}", symmetries=", ".join(figures["symmetries"]) or say("none")),
        say("connected: {what}", what=_tell_parts(figures["parts"])),
    ]
    faults = figures["faults"]
    clean = [style for style, found in faults.items() if not found]
    if clean:
        lines.append(say("without a fault in style: {clean}", clean=", ".join(clean)))
    rows: list[_Row] = []
    for style, found in faults.items():
        rows += _list_faults(style, found)
    return _wrap(lines) + _table(("style", "fault", "number", "at"), rows)


def _tell_average(figures: Record) -> str:
    if figures["average_length"] is None:
        return ""
    return say(", {average_length:.2f} letters on average", **figures)


def _list_lengths(lengths: Mapping[str, int]) -> str:
    return ", ".join(say("{count} of {length}", count=count, length=length) for length, count in lengths.items())


def _share(figures: Record) -> str:
    """Return the share of the checked cells; an empty text if no cell is open."""
    if figures["checked_share"] is None:
        return ""
    return f" ({figures['checked_share']:.1%})"


def _tell_cheaters(cheaters: Sequence[str]) -> str:
    if not cheaters:
        return say("none")
    return f"{len(cheaters)} ({', '.join(cheaters)})"


def _tell_parts(parts: Sequence[int]) -> str:
    if len(parts) == 1:
        return say("yes")
    return say("{parts} parts of {parts2} cells", parts=len(parts), parts2=", ".join(map(str, parts)))


def _list_faults(style: str, found: Sequence[Record]) -> list[_Row]:
    """Return a row for each kind of fault against a style."""
    rows: list[_Row] = []
    kind_of = itemgetter("fault")
    for kind, group in groupby(sorted(found, key=kind_of), key=kind_of):
        places = [fault["at"] for fault in group]
        shown = " ".join(map(_name_place, places[:_SHOWN]))
        if len(places) > _SHOWN:
            shown += " …"
        rows.append((style, say(kind), str(len(places)), shown))
    return rows


def _name_place(place: str) -> str:
    if place == "grid":
        return say("grid")
    return place


def _fill_text(figures: Record) -> str:
    lines = [
        *_tell_words(later("your entries: {own}"), "own", figures),
        *_quality(figures),
        _tell_listed(figures),
        *_tell_long(figures["long"]),
        *_tell_words(later("not in the lists: {unlisted}"), "unlisted", figures),
        *_tell_letters(figures["letters"]),
    ]
    if figures["scrabble"] is not None:
        lines.append(say("Scrabble: {scrabble:.2f} a letter", scrabble=figures["scrabble"]))
    worst = [(each["slot"], _name(each), f"{each['score']:g}") for each in figures["worst"]]
    counts = [(f"{each['low']:g}-{each['high']:g}", str(each["words"])) for each in figures["histogram"]]
    tables = (
        _table(("score", "words"), counts),
        _table(("slot", "word", "score"), worst),
        _table(("in common", "is", "of"), _list_alike(figures)),
    )
    return "\n" + _wrap(lines) + "".join(tables)


def _list_alike(figures: Record) -> list[_Row]:
    """Return a row for each text that several words have in common."""
    rows: list[_Row] = []
    for kind, (lower, upper) in _ALIKE.items():
        for link in figures[kind]:
            text = link["text"]
            title = upper if text.isupper() else lower
            rows.append((say(title), text, _name_slots(link["slots"], figures)))
    return rows


def _name_slots(slots: Iterable[str], figures: Record) -> str:
    words = figures["words"]
    return ", ".join(f"{words[slot]} ({slot})" for slot in slots)


def _tell_words(text: str, kind: str, figures: Record) -> list[str]:
    """Return the line about the words of a kind, if there are any."""
    slots = figures[kind]
    if not slots:
        return []
    return [say(text, **{kind: _name_slots(slots, figures)})]


def _tell_listed(figures: Record) -> str:
    """Return how many words the lists have, and their scores."""
    others = len(figures["words"]) - len(figures["own"])
    listed = say("filled: {words} words, {scores} of them in the lists", words=others, scores=len(figures["scores"]))
    if figures["mean_score"] is not None:
        listed += say("; scores: mean {mean_score:.1f}, median {median_score:g}", **figures)
    return listed


def _tell_long(long: Record | None) -> list[str]:
    """Return how many long entries are phrases or names, beside what published puzzles have."""
    if long is None:
        return []
    line = say("entries of {least} letters and more: {words}; phrases: {phrases}, names: {names}", **long, least=LONG)
    if long["published"] is not None:
        share = (long["phrases"] + long["names"]) / long["words"]
        line += say(" ({share:.0%}; published American puzzles: {published:.0%})", share=share, **long)
    return [line]


def _tell_letters(letters: Mapping[str, int]) -> list[str]:
    """Return the count of each letter, the commonest first, and whether every letter occurs."""
    common = sorted(letters.items(), key=lambda each: -each[1])
    counts = ", ".join(f"{letter} {count}" for letter, count in common if count)
    missing = ", ".join(letter for letter, count in letters.items() if not count)
    pangram = say("no, without {missing}", missing=missing) if missing else say("yes")
    return [say("letters: ") + counts, say("pangram: ") + pangram]


def _quality(figures: Record) -> list[str]:
    """Return how good the words are, at a glance."""
    bands = figures["bands"]
    if not bands:
        return []
    counts = [f"{count} {say(band)} ({_tell_range(Band(band))})" for band, count in bands.items()]
    weakest = [f"{_name(each)} {each['score']:g}" for each in figures["worst"][:_WEAKEST]]
    return [say("quality: {counts}; weakest: {weakest}", counts=", ".join(counts), weakest=", ".join(weakest))]


def _name(word: Record) -> str:
    """Return a word with the reason, if there is one, why it scores little."""
    text: str = word["word"]
    if "reason" in word:
        text += f" ({say(word['reason'])})"
    return text


_WEAKEST = 5


def _tell_range(band: Band) -> str:
    if band is Band.WEAK:
        return say("under {score:g}", score=LEAST[Band.FAIR])
    return say("{score:g} or more", score=LEAST[band])


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table after an empty line; an empty text if it has no rows."""
    if not rows:
        return ""
    return "\n" + table(headings, rows, left=_NAMES)


def _wrap(lines: Iterable[str]) -> str:
    """Wrap lines to the width of the terminal; continuation lines are indented."""
    wrapped = [wrap(line, room(), subsequent_indent="  ", break_on_hyphens=False) for line in lines]
    return "".join(f"{text}\n" for text in wrapped)


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
        _show_build(as_json=as_json)
    elif not grid:
        raise usage_error(say("a grid, or --build"), say("neither"))
    share_stdin(grid or [], question.request)
    desk = Desk(shelf())
    for template in read_all_templates(question.request, grid or []):
        request = replace(question.request, grid=template)
        show = partial(_show_description, template, as_json=as_json)
        ask(replace(question, request=request), desk, show)
    return 0


def _show_build(*, as_json: bool) -> None:
    record = _describe_build()
    if as_json:
        emit(json_line(record))
        return
    text = "".join(f"{say(name)}: {say(value)}\n" for name, value in record.items())
    emit(text)


def _show_description(template: Template, part: Description | Done, *, as_json: bool) -> None:
    if as_json:
        print_record(part, template.name)
    elif isinstance(part, Description):
        emit(_info_text({"grid": template.name, **part.record}))


def _describe_build() -> dict[str, str]:
    """Return the versions in use, the kernel and the engines; warn of a faulty engine of another package."""
    from importlib.metadata import version

    from cpfill.engines.contract import list_plugins
    from cpfill.engines.mac import KERNEL
    from cpfill.engines.toolkit.wasm import MODULE

    try:
        compiler = load_kernel(KERNEL).COMPILER
    except EngineUnavailableError:
        compiler = None
    engines = [*ENGINES]
    for name, plugin in list_plugins(ENGINES).items():
        try:
            plugin.load()
        except InputError as fault:
            warn(str(fault))
        else:
            engines.append(f"{name} ({plugin.package})")
    found = {"cpfill": version("cpfill"), "engines": ", ".join(engines)}
    if compiler:
        found |= {"kernel": "compiled", "compiler": compiler}
    else:
        found["kernel"] = later("none (there was no C++20 compiler; auto searches with cpsat)")
    if MODULE.is_file():
        found["kernel.wasm"] = str(MODULE)
    else:
        found["kernel.wasm"] = later("none (only cpfill site needs it: python .ci/kernel_wasm.py)")
    return found | {"ortools": version("ortools"), "python": platform.python_version()}


def _info_text(record: dict[str, Any]) -> str:
    cells = say(
        "{block} block, {open} open, {empty} empty, {given} given, {letter_set} letter set, {checked} checked, "
        "{unchecked} unchecked, {in_no_slot} in no slot",
        **{kind.replace(" ", "_"): count for kind, count in record["cells"].items()},
    )
    slots = record["slots"]
    figures = {**record, "slots": len(slots), "connected": _tell_components(record["components"])}
    lines = [
        say("{grid}: {height} x {width}, {dialect} dialect", **record),
        say("cells: {cells}", cells=cells),
        say("slots: {slots}, crossings: {crossings}, {connected}", **figures),
        say("lengths: ") + _list_lengths(record["lengths"]),
    ]
    columns = list(slots[0])
    rows = [list(map(str, slot.values())) for slot in slots]
    return "\n".join(lines) + "\n" + table(columns, rows, left=("slot", "at", "pattern"))


def _tell_components(parts: Sequence[int]) -> str:
    if len(parts) == 1:
        return say("connected")
    return say("{parts} components of {parts2} slots", parts=len(parts), parts2=", ".join(map(str, parts)))
