"""Possessives and names, of which dictionaries are full: dropped from a text before its words are read.

They are dropped as lines, not as words, because a list keeps only the first of the lines that fold to the same word:
"March" would replace "march", and "cat's" would replace "cats".
"""

from __future__ import annotations

import re
from collections import Counter
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from cpfill.words.packing.lines import split_line

if TYPE_CHECKING:
    from collections.abc import Collection

SYSTEM = Path("/usr/share/dict")
"""The directory of the system's dictionaries."""

_POSSESSIVE = re.compile(r"['\u2019]s$|s['\u2019]$")
_NO_NAME = re.compile(r"I$|I['\u2019]|[A-Z]-[a-z]")  # I, I'm, T-shirt
_FLAGS = re.compile(r"(?<!\\)/|\s")  # the end of the word in a line of a .dic


class Drop(StrEnum):
    """A kind of line to drop."""

    POSSESSIVES = "possessives"
    """cat's, cats'."""
    NAMES = "names"
    """Words with a capital, such as Paris and NATO, if the list also has lower-case words."""


def dropped_from(path: str) -> Collection[Drop]:
    """Return what is dropped from a file by default: names and possessives from a system dictionary, else nothing.

    A system dictionary is a file in `/usr/share/dict`, or a `.dic` file of hunspell.
    """
    places = (Path(path).absolute(), Path(path).resolve())
    return tuple(Drop) if path.endswith(".dic") or any(place.is_relative_to(SYSTEM) for place in places) else ()


def drop_lines(text: str, drop: Collection[Drop]) -> tuple[str, Counter[str]]:
    """Return a text with the dropped lines blank, so that others keep their line numbers, and the number dropped."""
    lines = text.splitlines()
    words = [_word(line) for line in lines]
    tells = any(word[:1].islower() for word in words)  # else capitals mean nothing
    dropped: Counter[str] = Counter()
    for index, word in enumerate(words):
        if Drop.POSSESSIVES in drop and _POSSESSIVE.search(word):
            dropped["possessive"] += 1
        elif Drop.NAMES in drop and tells and word[:1].isupper() and not _NO_NAME.match(word):
            dropped["name"] += 1
        else:
            continue
        lines[index] = ""
    return "\n".join(lines), dropped


def strip_flags(text: str) -> str:
    """Return the text of a hunspell dictionary without the flags after its words; forms are not expanded."""
    return "\n".join(_FLAGS.split(line, maxsplit=1)[0] for line in text.splitlines())


def _word(line: str) -> str:
    if not line.strip() or line.lstrip().startswith("#"):
        return ""
    start, end, _ = split_line(line)
    return line[start:end]
