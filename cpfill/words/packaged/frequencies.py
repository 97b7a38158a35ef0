"""The frequencies of words in eight kinds of text, from the data of wordfreq."""

from __future__ import annotations

import gzip
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def read_bins(wordfreq: Path, language: str) -> list[list[str]]:
    """Return lists of words; those in the list at index n have the frequency 10**(-n / 100)."""
    unpack = import_module("pip._vendor.msgpack").unpackb  # pip fetches the package, and includes a reader for it
    packed = (wordfreq / f"wordfreq/data/large_{language}.msgpack.gz").read_bytes()
    bins: list[list[str]]
    header, *bins = unpack(gzip.decompress(packed))
    if header != {"format": "cB", "version": 1}:
        raise ValueError(f"wordfreq: expected frequencies in centibels, version 1; found {header}")
    return bins
