"""Puzzle files that verbs write: their format, the clues they get, and what is left out."""

from __future__ import annotations

import sys
from pathlib import PurePath
from typing import TYPE_CHECKING

from cpfill.base.files import STDIN
from cpfill.base.texts import say
from cpfill.cli.exits import usage_error, warn
from cpfill.formats.registry import FORMATS, choose_format, get_format

if TYPE_CHECKING:
    from cpfill.base.alphabet import Alphabet
    from cpfill.cli.output import Output
    from cpfill.formats.pages.style import PageStyle
    from cpfill.puzzle.clues import Clues
    from cpfill.puzzle.puzzle import Puzzle

_OF_PUZZLES = {suffix for one in FORMATS.values() for suffix in one.suffixes} - {".json", ".txt"}
"""The suffixes of files that JSON lines would only seem to be."""


def puzzle_kind(output: str | None, asked: str | None, page: PageStyle | None, *, as_json: bool) -> str | None:
    """Return the format of the puzzle file to write: the one asked for, or that of its suffix; `None` means plain text.

    Raises:
        FormatError: there is no such format, or the suffix is that of none, or the style of the page asks for another.
        InputError: JSON lines are to be written as well, to a file that is to be a puzzle.
    """
    suffix = "" if output in {None, STDIN} else PurePath(output or "").suffix.lower()
    if as_json and (asked is not None or suffix in _OF_PUZZLES):
        raise usage_error(say("--json or a puzzle file"), say("both"))
    kind = None if as_json else asked or (None if suffix in {"", ".txt"} else choose_format(output or ""))
    if page is not None:
        from cpfill.formats.puzzles import check_style  # noqa: PLC0415 - slow to import, and most answers are text

        check_style(page, kind)
    if kind is not None:
        check_terminal(output or STDIN, kind)
    return kind


def check_terminal(output: str, kind: str) -> None:
    """Check that a file that is no text does not go to a terminal.

    Raises:
        FormatError: there is no such format.
        InputError: it does.
    """
    if get_format(kind, to=True).binary and output == STDIN and sys.stdout.isatty():
        raise usage_error(say("a file or a pipe for {kind}", kind=kind), say("a terminal"))


def print_puzzle(out: Output, puzzle: Puzzle, kind: str, *, source: str = "", style: PageStyle | None = None) -> None:
    """Write a puzzle file; tell what was left out when it was read from `source`, and what the format drops."""
    from cpfill.formats.puzzles import write_puzzle  # noqa: PLC0415 - likewise

    written, losses = write_puzzle(puzzle, kind, style)
    out.write_bytes(written)
    for line in puzzle.unread:
        warn(f"{source}: {line}")
    for line in losses:
        warn(f"{out.name}: {line}")


def read_clue_file(path: str | None, alphabet: Alphabet) -> Clues | None:
    """Return the clues in a file, if one is given."""
    if path is None:
        return None
    from cpfill.puzzle.clues import read_clues  # noqa: PLC0415 - seldom asked for

    return read_clues(path, alphabet)


def count_lost_clues(before: Puzzle, after: Puzzle) -> int:
    """Return how many clues of a puzzle it has no more; `[no clue]` does not count as one."""
    from cpfill.puzzle.clues import NO_CLUE  # noqa: PLC0415 - seldom asked for

    return sum(said != NO_CLUE for where, said in before.clues.items() if where not in after.clues)


def add_clues(puzzle: Puzzle, clues: Clues | None, seed: int) -> Puzzle:
    """Return the puzzle with these clues, if there are any; slots without one are counted on standard error."""
    if clues is None:
        return puzzle
    from cpfill.puzzle.clues import NO_CLUE, place_clues  # noqa: PLC0415 - seldom asked for

    done, missing = place_clues(puzzle, clues, seed)
    if missing:
        warn(
            say(
                "{missing} of {slots} slots have no clue, and are marked {no_clue}",
                missing=len(missing),
                slots=len(done.slots),
                no_clue=NO_CLUE,
            )
        )
    return done
