"""`cpfill convert`: read a puzzle in one format and write it in another, or a question for another solver."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from cpfill.base.errors import SEED
from cpfill.base.files import STDIN, display_name
from cpfill.base.texts import say
from cpfill.cli import options as o
from cpfill.cli.output import Output, refuse_directory
from cpfill.cli.problems import add_clues, check_terminal, print_puzzle, read_clue_file, read_problems
from cpfill.cli.verbs import usage_error
from cpfill.formats.pages.style import PageStyle
from cpfill.formats.registry import READABLE, WRITABLE, Suffixed, check_style, choose_format, read_puzzle
from cpfill.puzzle.parts import PuzzlePart
from cpfill.questions.request import Request
from cpfill.solvers.data import DATA_FORMATS, write_data

if TYPE_CHECKING:
    from collections.abc import Mapping

_READ = ", ".join(READABLE)
_TARGETS: dict[str, Suffixed] = {**WRITABLE, **DATA_FORMATS}
_WRITTEN = ", ".join(_TARGETS)


@o.with_page_options
@o.request_options()
def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A file with one puzzle; - for standard input.")],
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
) -> int:
    """Convert a puzzle: cells, answers, clues, circles, bars and cells of several letters.

    Content that the format cannot store is left out, with a line on standard error. To .dzn (or --to minizinc-json),
    .wcsp, .xml (XCSP3), .opb and .cnf go the grid, the words and the rules of a search, for another solver to answer:
    -w, --objective and all options that describe a problem are for these alone.

    Exit codes: 0 written; 2 bad usage or bad input.
    """
    if source == STDIN == clue_file:
        raise usage_error(say("standard input for one thing at most"), say("'-' 2 times"))
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
            }
        )
        return _write_data(source, target, to, request)
    idle = o.given_options(request, without={"alphabet", "personal"})
    if idle:
        raise usage_error(say("{idle} with {data}", idle=idle[0], data=_name_data()), to)
    if page is not None:
        check_style(page, to)
    check_terminal(target, to)
    puzzle = read_puzzle(source, kind=read_as)
    clues = read_clue_file(clue_file, request.alphabet)
    puzzle = add_clues(puzzle, clues, seed)
    named = {PuzzlePart.TITLE: title, PuzzlePart.AUTHOR: author, PuzzlePart.COPYRIGHT: copyright_}
    texts = {part: text for part, text in named.items() if text is not None}
    puzzle = replace(puzzle, metadata={**puzzle.metadata, **texts})
    with Output(target) as out:
        print_puzzle(out, puzzle, to, source=display_name(source), style=page)
    return 0


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


def _write_data(source: str, target: str, kind: str, request: Request) -> int:
    """Write the one problem of a grid in a format of data."""
    problems, _ = read_problems(request, [source])
    if len(problems) > 1:
        raise usage_error(say("one grid, for {kind}", kind=kind), str(len(problems)))
    with Output(target) as out:
        out.write(write_data(problems[0].problem, kind))
    return 0
