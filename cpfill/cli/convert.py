"""`cpfill convert`: read a puzzle in one format and write it in another."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from cpfill.alphabet import Alphabet
from cpfill.cli import options as o
from cpfill.cli.exits import usage_error
from cpfill.cli.output import Output
from cpfill.formats.pages.style import Style
from cpfill.formats.puzzles import PUZZLE_FORMATS, format_to_write, read_puzzle
from cpfill.puzzle import Part
from cpfill.ranges import SEED
from cpfill.sources import STDIN, display_name

_READ = ", ".join(name for name, one in PUZZLE_FORMATS.items() if one.reads)


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A file with one puzzle; - for standard input.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="The file to write; - for standard output.")],
    *,
    read_as: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help=f"By default the suffix tells: {_READ}.")
    ] = None,
    write_as: o.WriteAs = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Instead of the title in the file.")] = None,
    author: Annotated[str | None, typer.Option(metavar="TEXT", help="Instead of the author in the file.")] = None,
    copyright_: Annotated[
        str | None, typer.Option("--copyright", metavar="TEXT", help="Instead of the copyright in the file.")
    ] = None,
    letters: Annotated[
        bool | None, typer.Option("--solution/--blank", help="Draw the solution alone, or the blank puzzle alone.")
    ] = None,
    french: Annotated[
        bool, typer.Option("--french", help="Draw with rows I, II… and columns 1, 2… instead of numbers.")
    ] = False,
    clue_file: o.ClueFile = None,
    seed: Annotated[int, o.number(SEED, help="With --clues: another seed, other clues.")] = 0,
    alphabet: o.AlphabetName = "latin",
) -> int:
    """Convert a puzzle: cells, answers, clues, circles, bars and cells of several letters.

    What a format has no place for is left out, with a line on standard error.

    Exit codes: 0 written; 2 bad usage or bad input.
    """
    if source == STDIN == clue_file:
        raise usage_error("standard input for one thing at most", "'-' 2 times")
    if target == STDIN and write_as is None:
        raise usage_error("--to with standard output", "no --to")
    to = write_as or format_to_write(target)
    style = None if letters is None and not french else Style(letters, french)
    o.check_terminal(target, to)
    puzzle = read_puzzle(source, kind=read_as)
    puzzle = o.clued(puzzle, o.read_clue_file(clue_file, Alphabet.named(alphabet)), seed)
    given = {Part.TITLE: title, Part.AUTHOR: author, Part.COPYRIGHT: copyright_}
    texts = {part: text for part, text in given.items() if text is not None}
    named = replace(puzzle, metadata={**puzzle.metadata, **texts})
    with Output(target) as out:
        o.print_puzzle(out, named, to, source=display_name(source), style=style)
    return 0
