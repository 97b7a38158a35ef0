"""Tables on terminals of any width: what a wide one shows, a narrow one shows too."""

from __future__ import annotations

import re
import sys
from collections import Counter
from itertools import product
from typing import TYPE_CHECKING, Protocol

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpfill.cli import tables
from cpfill.runs.bench.results import encode_record
from tests.bench.support import record
from tests.cli.program import INSTANCES, ROOT, SQUARE, THREE, TINY, at_terminal

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Outcome, Run


class Shown(Protocol):
    def __call__(self, columns: int, *args: object) -> Outcome: ...


NUMBER = re.compile(r"(?<![\w./…])\d+(?:\.\d+)?(?![\w/…]|\.\w)")
"""A number alone: the digits in a path are part of a name, which may lose its middle."""
A = INSTANCES / "assignment" / "A.txt"
FILLED = ROOT / "tests" / "golden" / "mini.puz"


def numbers(text: str) -> Counter[str]:
    return Counter(NUMBER.findall(text))


def widest(out: str) -> int:
    """Return the length of the longest line of the tables, from their rules on."""
    return max(len(line) for part in re.findall(r"^─+\n(?:.+\n)+", out, re.MULTILINE) for line in part.split("\n"))


@pytest.fixture
def at_width(run: Run, monkeypatch: pytest.MonkeyPatch) -> Shown:
    """Runs the program as on a terminal of so many columns."""

    def shown(columns: int, *args: object) -> Outcome:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        monkeypatch.setenv("TERM", "dumb")
        monkeypatch.setenv("COLUMNS", str(columns))
        return run(*args)

    return shown


COMMANDS: dict[str, tuple[object, ...]] = {
    "compare": ("compare", A, SQUARE, "-w", "en", "-e", "mac", "-e", "fc-cbj", "-e", "scaffold", "--objective", "any"),
    "info": ("info", A, "-w", "en"),
    "words info": ("words", "info", THREE, TINY / "once.words.txt"),
    "heat maps": ("words", "heatmap", "en"),
    "a heat map": ("words", "heatmap", "en", "-l", "15"),
    "stats": ("stats", FILLED, "-w", "en"),
    "estimate": ("estimate", "3x3", "-w", THREE, "--measure", "--runs", 2),
}


def show_narrowed(at_width: Shown, *command: object) -> list[tuple[int, str]]:
    """Return what a command prints at two widths, where it prints every number that a wide terminal shows."""
    told = [re.sub(r"\b\d+\.\d\d\b", "s", at_width(width, *command).out) for width in (200, 60, 40)]
    wide, *narrow = told
    for text in narrow:
        assert not numbers(wide) - numbers(text)
    return [(60, narrow[0]), (40, narrow[1])]


@pytest.mark.parametrize("name", COMMANDS)
def test_no_number_is_cut(at_width: Shown, name: str) -> None:
    for width, text in show_narrowed(at_width, *COMMANDS[name]):
        assert widest(text) <= width


def test_no_number_of_an_explanation_is_cut(at_width: Shown) -> None:
    *_, (width, text) = show_narrowed(at_width, "explain", INSTANCES / "styles" / "british-13.txt", "-w", THREE)
    assert max(len(line) for line in text.splitlines() if re.match(" *[CR]", line)) <= width


def test_no_number_of_the_bench_is_cut(at_width: Shown, tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    with results.open("wb") as file:
        for family in ("squares of many sizes", "/a/long/path/of/grids"):
            for label, grid, seconds in (("mac", "g1", 0.012), ("fc-cbj+ac3", "g1", 12.345), ("mac", "g2", 3.5)):
                file.write(encode_record(record(label, grid, seconds, family=family)))
    for width, text in show_narrowed(at_width, "bench", "report", results, "--against", "mac", "fc-cbj+ac3"):
        assert widest(text) <= width


def test_no_number_of_the_experiment_is_cut(at_width: Shown, tmp_path: Path) -> None:
    path, words = tmp_path / "results.jsonl", tmp_path / "words.txt"
    words.write_text("\n".join(map("".join, product("ABCDEFGHIJ", repeat=3))), encoding="utf-8")
    asked = ("bench", "experiment", A, "-w", words, "--runs", 1, "--sizes", "900", "-e", "fc+ac3", "-o", path)
    for width, text in show_narrowed(at_width, *asked):
        assert widest(text) <= width


def test_a_path_keeps_its_end_and_an_engine_its_name(at_width: Shown) -> None:
    lines = at_width(40, "compare", SQUARE, "-w", THREE, "-e", "mac", "-e", "scaffold").out.splitlines()
    rows = [line.split() for line in lines if "…" in line]
    assert all(row[0].endswith("e.txt") for row in rows)
    assert {row[1] for row in rows} == {"mac", "scaffold"}


def test_the_width_is_that_of_the_terminal() -> None:
    done = at_terminal("words", "heatmap", THREE, "-l", 3, on="out", COLUMNS="14")
    assert done.code == 0
    assert widest(done.out) <= 14


def test_a_name_cannot_command_the_terminal(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "[bold]\x1b[31m\n.txt"
    path.write_text("...\n...\n...\n", encoding="utf-8")
    out = run("compare", path, "-w", THREE, "-e", "fc").out
    assert "[bold]\\x1b[31m\\n.txt" in out
    assert len(out.splitlines()) == 3


CELLS = st.one_of(st.integers(0, 10**9).map(str), st.sampled_from(["", "-", "over 10^5.2 (152216)", "none at all"]))


@given(
    rows=st.integers(1, 9).flatmap(
        lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=4)
    ),
    name=st.text("ab/.é", min_size=1, max_size=60),
    space=st.integers(24, 90),
)
def test_any_table_has_everything_and_its_width(rows: list[list[str]], name: str, space: int) -> None:
    headings = ["name", *(f"number {place}" for place in range(len(rows[0])))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "room", lambda: space)
        text = tables.table(headings, [[name, *row] for row in rows], left=("name",))
        patch.setattr(tables, "room", lambda: sys.maxsize)
        whole = tables.table(headings, [[name, *row] for row in rows], left=("name",))
    assert max(map(len, text.splitlines())) <= space
    assert not numbers(whole) - numbers(text)
    if max(map(len, whole.splitlines())) <= space:
        assert text == whole
