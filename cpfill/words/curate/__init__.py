"""Lists merged, filtered, sampled, compared, scored by frequency, and written as lines that `read_word_list` reads."""

from __future__ import annotations

from cpfill.words.curate.entries import Entry, Format, Order, entries, entries_of, write_entries
from cpfill.words.curate.frequency import (
    COMMONEST,
    NOT_COUNTED,
    RAREST,
    TextWords,
    frequency_scores,
    rescored,
    tokens,
    words_of_text,
)
from cpfill.words.curate.lists import (
    APART,
    COMMON,
    Filter,
    ListDifference,
    calibrate,
    difference,
    merge_lists,
    sample_words,
)
from cpfill.words.curate.pattern import Pattern

__all__ = [
    "APART",
    "COMMON",
    "COMMONEST",
    "NOT_COUNTED",
    "RAREST",
    "Entry",
    "Filter",
    "Format",
    "ListDifference",
    "Order",
    "Pattern",
    "TextWords",
    "calibrate",
    "difference",
    "entries",
    "entries_of",
    "frequency_scores",
    "merge_lists",
    "rescored",
    "sample_words",
    "tokens",
    "words_of_text",
    "write_entries",
]
