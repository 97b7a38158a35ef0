"""The word lists of the challenge must be those that their script derives."""

from __future__ import annotations

import gzip
import runpy
from pathlib import Path
from typing import Any

import pytest

from cpfill import read_grids
from tests.support import INSTANCES

CHALLENGE = INSTANCES / "challenge"
SCOWL = Path("/usr/share/doc/scowl/changelog.Debian.gz")
RUN: dict[str, Any] = runpy.run_path(str(CHALLENGE / "derive.py"))
SIZES = sorted(RUN["RECIPES"])


def read_lines(size: int) -> list[str]:
    return gzip.decompress((CHALLENGE / f"scowl-{size}.txt.gz").read_bytes()).decode().splitlines()


@pytest.mark.parametrize("size", SIZES)
def test_a_list_is_the_derived_one(size: int) -> None:
    if not SCOWL.exists() or f"({RUN['VERSION']})" not in gzip.decompress(SCOWL.read_bytes()).decode():
        pytest.skip(f"scowl {RUN['VERSION']} is not installed")
    assert read_lines(size) == RUN["list_words"](Path("/"), size)


@pytest.mark.parametrize("size", SIZES)
def test_a_list_has_the_lengths_of_its_grids(size: int) -> None:
    lengths = set[int]()
    for name in RUN["RECIPES"][size].grids:
        _, (grid,) = read_grids(str(INSTANCES / "classic" / f"{name}.txt"))
        lengths.update(slot.length for slot in grid.slots)
    words = read_lines(size)
    assert set(map(len, words)) == lengths
    assert words == sorted(set(words), key=lambda word: (len(word), word))
    assert all(word.isascii() and word.isalpha() and word.islower() for word in words)
