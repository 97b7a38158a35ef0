"""Entries as the lines of a list that `read_word_list` reads back."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from cpfill.words.decimals import format_decimal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cpfill.words.curate.entry import Entry


class Format(StrEnum):
    """How a list is written."""

    SCORED = "scored"
    """`WORD;SCORE`."""
    TSV = "tsv"
    """`WORD<TAB>SCORE`."""
    PLAIN = "plain"
    """A word a line, without scores."""


class Order(StrEnum):
    """In which order words are written."""

    SCORE = "score"
    """Best score first, then by their letters."""
    WORD = "word"
    """By their letters."""


# A spelling that stands alone on its line must not look like a word and its score.
_LOOKS_SCORED = re.compile(r",|\s[-+]")


def write_entries(entries: Iterable[Entry], form: Format = Format.SCORED, order: Order = Order.SCORE) -> str:
    """Return the text of a list; words are spelt as their list spelt them."""
    if order is Order.SCORE:
        ordered = sorted(entries, key=lambda entry: (-entry.score, entry.word))
    else:
        ordered = sorted(entries, key=lambda entry: entry.word)
    if form is Format.PLAIN:
        return "".join(f"{word if _LOOKS_SCORED.search(spelt) else spelt}\n" for word, _, spelt in ordered)
    separator = ";" if form is Format.SCORED else "\t"
    spelt = ((word if ";" in spelling else spelling, score) for word, score, spelling in ordered)  # it would end there
    return "".join(f"{spelling}{separator}{format_decimal(score)}\n" for spelling, score in spelt)
