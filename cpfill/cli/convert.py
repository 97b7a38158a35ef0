"""`cpfill convert`: read a puzzle in one format and write it in another, or a question for another solver."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from cpfill.base.errors import SEED, Range
from cpfill.base.files import STDIN, display_name
from cpfill.base.texts import say, say_count
from cpfill.cli import options as o
from cpfill.cli.output import Output, refuse_directory
from cpfill.cli.problems import add_clues, check_terminal, print_puzzle, read_clue_file, read_problems, share_stdin
from cpfill.cli.verbs import usage_error, warn
from cpfill.formats.pages.style import PageStyle
from cpfill.formats.registry import READABLE, WRITABLE, Suffixed, check_style, choose_format, read_puzzle
from cpfill.puzzle.parts import PuzzlePart
from cpfill.questions.request import Request
from cpfill.solvers.data import DATA_FORMATS, write_data

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cpfill.puzzle.clues import ClueCollection
    from cpfill.puzzle.puzzle import Puzzle

PER_PAGE = Range(1, 4)
"""The puzzles on a page of a booklet."""

_READ = ", ".join(READABLE)
_TARGETS: dict[str, Suffixed] = {**WRITABLE, **DATA_FORMATS}
_WRITTEN = ", ".join(_TARGETS)


@o.with_page_options
@o.request_options()
def convert(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="IN...", help="A file with one puzzle, or several for a booklet; - for standard input."),
    ],
    target: Annotated[str, typer.Argument(metavar="OUT", help="The file to write; - for standard output.")],
    *,
    request: Request,
    read_as: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help=f"By default the suffix tells: {_READ}.")
    ] = None,
    write_as: Annotated[
        str | None, typer.Option("--to", "-f", metavar="FORMAT", help=f"By default the suffix tells: {_WRITTEN}.")
    ] = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Instead of the title in the file.")] = None,
    author: Annotated[str | None, typer.Option(metavar="TEXT", help="Instead of the author in the file.")] = None,
    copyright_: Annotated[
        str | None, typer.Option("--copyright", metavar="TEXT", help="Instead of the copyright in the file.")
    ] = None,
    page: PageStyle | None,
    clue_file: o.ClueFile = None,
    seed: Annotated[int, o.number(SEED, help="With --clues: a different seed gives different clues.")] = 0,
    per_page: Annotated[
        int | None,
        o.number(PER_PAGE, "--per-page", help="Of a booklet: 1, 2 or 4 puzzles a page; by default what fits."),
    ] = None,
) -> int:
    """Convert a puzzle: cells, answers, clues, circles, bars and cells of several letters.

    Content that the format cannot store is left out, with a line on standard error. Several puzzles make a booklet in
    PDF: numbered, under --title, with the solutions at its end.

    To .dzn (or --to minizinc-json), .wcsp, .xml (XCSP3), .opb and .cnf go the grid, the words and the rules of a
    search, for another solver to answer: -w, --objective and all options that describe a problem are for these alone.

    Exit codes: 0 written; 2 bad usage or bad input.
    """
    share_stdin([*sources, clue_file or ""])
    to = _choose_target(target, write_as)
    if to in DATA_FORMATS:
        _refuse_with_data(
            {
                "--from": read_as,
                "--title": title,
                "--author": author,
                "--copyright": copyright_,
                say("--solution, --blank, --french, --word-bank, --paper or --layout"): page,
                "--clues": clue_file,
                "--per-page": per_page,
            }
        )
        return _write_data(sources, target, to, request)
    idle = o.given_options(request, without={"alphabet", "personal"})
    if idle:
        raise usage_error(say("{idle} with {data}", idle=idle[0], data=_name_data()), to)
    if page is not None:
        check_style(page, to)
    check_terminal(target, to)
    clues = read_clue_file(clue_file, request.alphabet)
    texts = {PuzzlePart.AUTHOR: author, PuzzlePart.COPYRIGHT: copyright_}
    if len(sources) > 1 or per_page is not None:
        _check_booklet(sources, to, per_page)
        read = [(display_name(each), _read(each, read_as, clues, seed, texts)) for each in sources]
        _write_booklet(target, read, page, per_page, title or "")
        return 0
    puzzle = _read(sources[0], read_as, clues, seed, {PuzzlePart.TITLE: title, **texts})
    with Output(target) as out:
        print_puzzle(out, puzzle, to, source=display_name(sources[0]), style=page)
    return 0


def _read(
    source: str,
    kind: str | None,
    clues: ClueCollection | None,
    seed: int,
    texts: Mapping[PuzzlePart, str | None],
) -> Puzzle:
    """Return the puzzle in a file with these clues and texts, as far as they are given."""
    puzzle = add_clues(read_puzzle(source, kind=kind), clues, seed)
    given = {part: text for part, text in texts.items() if text is not None}
    return replace(puzzle, metadata={**puzzle.metadata, **given})


def _check_booklet(sources: Sequence[str], to: str, per_page: int | None) -> None:
    """Raise if no booklet of these files can be written in a format."""
    if to != "pdf":
        found = say_count(len(sources), "file") if per_page is None else "--per-page"
        raise usage_error(say("one file for {kind}; several, or --per-page, for pdf", kind=to), found)
    if per_page not in {None, 1, 2, 4}:
        raise usage_error(say("1, 2 or 4 for --per-page"), str(per_page))


def _write_booklet(
    target: str, puzzles: Sequence[tuple[str, Puzzle]], style: PageStyle | None, per_page: int | None, title: str
) -> None:
    """Write a booklet; warn about content that was lost."""
    from cpfill.formats.pages.booklet import write_booklet

    written, losses = write_booklet(puzzles, style, per_page=per_page, title=title)
    with Output(target) as out:
        out.write_bytes(written)
    for (name, puzzle), lines in zip(puzzles, losses, strict=True):
        for line in [*puzzle.unread, *lines]:
            warn(f"{name}: {line}")


def _choose_target(target: str, write_as: str | None) -> str:
    """Return the format to write."""
    if target == STDIN and write_as is None:
        raise usage_error(say("--to with standard output"), say("no --to"))
    if target != STDIN:
        refuse_directory(target)
    return write_as or choose_format(target, _TARGETS)


def _refuse_with_data(given: Mapping[str, object]) -> None:
    """Raise if an option of puzzles is given."""
    for option, value in given.items():
        if value is not None:
            raise usage_error(say("{idle} with a puzzle", idle=option), _name_data())


def _name_data() -> str:
    return say("data for another solver ({formats})", formats=", ".join(DATA_FORMATS))


def _write_data(sources: list[str], target: str, kind: str, request: Request) -> int:
    """Write the one problem of a grid in a format of data."""
    problems, _ = read_problems(request, sources)
    if len(problems) > 1:
        raise usage_error(say("one grid, for {kind}", kind=kind), str(len(problems)))
    with Output(target) as out:
        out.write(write_data(problems[0].problem, kind))
    return 0
