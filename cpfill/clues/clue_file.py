"""Files of clues: a word, a tab or semicolon, and its clue, a line each."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cpfill.alphabet import Alphabet
from cpfill.errors import Fault, InputError
from cpfill.puzzle import clean
from cpfill.sources import display_name, read_text

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

_SEPARATOR = re.compile(r"[\t;]")


@dataclass(frozen=True)
class Clues:
    """The clues of each word, folded onto `alphabet`: one at least, each on one line, none twice, in their order.

    A word may have characters outside the alphabet, as the answers of a puzzle may.
    """

    words: Mapping[str, tuple[str, ...]]
    alphabet: Alphabet = field(default_factory=Alphabet)


def read_clues(path: str | os.PathLike[str], alphabet: Alphabet | None = None) -> Clues:
    """Return the clues in a file, or in standard input (`-`).

    Raises:
        InputError: no such file, unreadable, or a line that is no word and its clue.
    """
    return parse_clues(read_text(path), display_name(path), alphabet)


def parse_clues(text: str, name: str = "clues", alphabet: Alphabet | None = None) -> Clues:
    """Return the clues in a text; each further line of a word is one more clue of it. `#` begins a comment line.

    Raises:
        InputError: a line is no word and its clue.
    """
    alphabet = alphabet or Alphabet()
    words: dict[str, dict[str, None]] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        written, *rest = _SEPARATOR.split(line, maxsplit=1)
        word, clue = alphabet.fold(written), clean("".join(rest))
        if not (word and clue):
            got = "no tab or semicolon" if not rest else "no clue" if word else f"'{written.strip()}', without letters"
            raise InputError(Fault("WORD, a tab or semicolon, and its clue", got, name, number))
        words.setdefault(word, {})[clue] = None
    return Clues({word: tuple(clues) for word, clues in words.items()}, alphabet)


def write_clues(clues: Clues) -> str:
    """Return the text of a file that `parse_clues` reads back."""
    return "".join(f"{word}\t{clue}\n" for word, each in clues.words.items() for clue in each)
