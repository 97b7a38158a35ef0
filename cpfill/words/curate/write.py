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
    """The format of a list."""

    SCORED = "scored"
    """`WORD;SCORE`."""
    TSV = "tsv"
    """`WORD<TAB>SCORE`."""
    PLAIN = "plain"
    """One word per line, without scores."""


class Order(StrEnum):
    """The order of the words."""

    SCORE = "score"
    """Best score first, then alphabetical."""
    WORD = "word"
    """Alphabetical."""


# A spelling without a score must not look like a word and its score.
_LOOKS_SCORED = re.compile(r",|\s[-+]")


def write_entries(entries: Iterable[Entry], form: Format = Format.SCORED, order: Order = Order.SCORE) -> str:
    """Return the text of a list; words keep the spelling of their list."""
    if order is Order.SCORE:
        ordered = sorted(entries, key=lambda entry: (-entry.score, entry.word))
    else:
        ordered = sorted(entries, key=lambda entry: entry.word)
    if form is Format.PLAIN:
        return "".join(f"{word if _LOOKS_SCORED.search(spelt) else spelt}\n" for word, _, spelt in ordered)
    separator = ";" if form is Format.SCORED else "\t"
    spelt = ((word if ";" in spelling else spelling, score) for word, score, spelling in ordered)  # `;` ends a word
    return "".join(f"{spelling}{separator}{format_decimal(score)}\n" for spelling, score in spelt)
