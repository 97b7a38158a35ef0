"""The word lists of the challenge must be those that their script derives."""

from __future__ import annotations

import gzip
import runpy
from pathlib import Path
from typing import Any

import pytest

from cpfill import read_grids
from cpfill.runs.bench.suite import read_suite
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


def test_the_suite_asks_each_grid_of_its_list() -> None:
    suite = read_suite(str(INSTANCES / "suites" / "challenge.toml"))
    asked = {(question.grid.stem, question.list) for question in suite.questions}
    assert asked == {(grid, f"scowl-{size}") for size in SIZES for grid in RUN["RECIPES"][size].grids}
    for question in suite.questions:
        assert question.family == f"grid-{question.grid.stem}_dict-{question.list.removeprefix('scowl-')}"
        assert question.request.objective == "letter-values"
