"""Word lists packed in memory: their lines, and the columns that these fill."""

from __future__ import annotations

from cpfill.words.packing.columns import KERNELS, MAX_PACKED_BYTES, PackedWords, WordColumn, WordIndex
from cpfill.words.packing.lines import MAX_FAULTS, LineReader, decode_words, encode_word, parse_score, split_line

__all__ = [
    "KERNELS",
    "MAX_FAULTS",
    "MAX_PACKED_BYTES",
    "LineReader",
    "PackedWords",
    "WordColumn",
    "WordIndex",
    "decode_words",
    "encode_word",
    "parse_score",
    "split_line",
]
