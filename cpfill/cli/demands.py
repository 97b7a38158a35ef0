"""What is asked of generated grids, from the options of `cpfill generate`."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING

from cpfill.base.sources import STDIN
from cpfill.base.texts import say
from cpfill.cli.exits import usage_error
from cpfill.formats.templates import is_size
from cpfill.puzzle.grid import parse_size
from cpfill.questions.generate import Demands, read_draft
from cpfill.words.wordlist import read_word_list

if TYPE_CHECKING:
    from cpfill.base.alphabet import Alphabet
    from cpfill.questions.generate import Style

USUAL_SIZE = "15x15"

_BLOCKS = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")
_HALF_PER_CENT = 0.005


def read_demands(
    style: Style,
    alphabet: Alphabet,
    *,
    draft: str | None,
    size: str | None,
    blocks: str | None,
    density: str | None,
    max_words: int | None,
    seed_words: list[str],
) -> Demands:
    """Return the demands that options make; the size is that of the draft, or the usual one, unless one is given.

    Raises:
        InputError: a file cannot be read, or what is asked makes no sense.
    """
    if draft is not None and is_size(draft):
        raise usage_error(
            say("a file with a grid to complete"),
            say("'{draft}' (a size is asked for with --size {draft})", draft=draft),
        )
    started = read_draft(draft, alphabet=alphabet, min_slot_length=style.min_slot_length) if draft else None
    own_size = f"{started.grid.height}x{started.grid.width}" if started else USUAL_SIZE
    height, width = _rows_and_columns(size or own_size)
    return Demands(
        height,
        width,
        style=style,
        blocks=_parse_blocks(blocks, density, height * width),
        max_words=max_words,
        seed_words=_read_seed_words(seed_words, alphabet),
        alphabet=alphabet,
        draft=started,
    )


def _rows_and_columns(text: str) -> tuple[int, int]:
    size = parse_size(text)
    if size is None:
        raise usage_error(say("a size such as 15x15, rows and columns"), f"'{text}'")
    return size


def _parse_blocks(blocks: str | None, density: str | None, cells: int) -> tuple[int, int] | None:
    """Return the least and the greatest number of blocks, if anything is given."""
    if blocks is not None and density is not None:
        raise usage_error(say("--blocks or --density"), say("both"))
    if blocks is not None:
        match = _BLOCKS.fullmatch(blocks)
        if not match or int(match[1]) > int(match[2] or match[1]):
            raise usage_error(say("a number of blocks such as 38, or a range such as 36-40"), f"'{blocks}'")
        return int(match[1]), int(match[2] or match[1])
    if density is None:
        return None
    share = _parse_share(density)
    least, most = math.ceil((share - _HALF_PER_CENT) * cells), math.floor((share + _HALF_PER_CENT) * cells)
    return max(0, min(least, math.floor(share * cells))), min(cells, max(most, math.ceil(share * cells)))


def _parse_share(text: str) -> float:
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = math.nan
    if not 0 <= share <= 1:
        hint = say(" (is it {text}%?)", text=text) if 1 < share <= 100 and not text.endswith("%") else ""
        raise usage_error(say("a density from 0 to 1, or 0% to 100%"), f"'{text}'{hint}")
    return share


def _read_seed_words(given: list[str], alphabet: Alphabet) -> tuple[str, ...]:
    """Return the words, folded; commas part several, and what is a file, or looks like the name of one, is read."""
    words: list[str] = []
    for text in given:
        if text == STDIN or "." in text or "/" in text or Path(text).is_file():
            words += read_word_list(text, alphabet).words
        else:
            words += [alphabet.fold(word) for word in text.split(",")]
    return tuple(words)
