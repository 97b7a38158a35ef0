"""The numbers were counted by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.program import INSTANCES, SQUARE, THREE, TINY, program

if TYPE_CHECKING:
    from tests.cli.program import Run

A = INSTANCES / "assignment" / "A.txt"
KINDS = ("block", "open", "empty", "given", "letter set", "checked", "unchecked", "in no slot")

COUNTED: dict[str, tuple[Any, ...]] = {
    "assignment/A.txt": ("native", (5, 5), (6, 19, 19, 0, 0, 19, 0, 0), 10, 19, {"3": 4, "4": 4, "5": 2}, [10]),
    "remy/partial.txt": ("remy", (4, 4), (4, 12, 10, 2, 0, 4, 8, 0), 4, 4, {"4": 4}, [4]),
    "styles/diamond.grl.txt": ("grl", (5, 7), (16, 19, 18, 1, 0, 19, 0, 0), 10, 19, {"3": 4, "4": 4, "5": 2}, [10]),
    "styles/lattice.beacham.txt": ("beacham", (7, 7), (13, 36, 34, 2, 0, 16, 20, 0), 12, 16, {"3": 8, "7": 4}, [12]),
    "styles/two-components.txt": ("native", (4, 10), (6, 34, 34, 0, 0, 32, 2, 0), 16, 32, {"4": 14, "5": 2}, [8, 8]),
    "tiny/lonely.txt": ("native", (5, 5), (11, 14, 12, 1, 1, 4, 7, 3), 5, 4, {"3": 5}, [4, 1]),
    "tiny/letter-sets.txt": ("native", (3, 3), (0, 9, 6, 0, 3, 9, 0, 0), 6, 9, {"3": 6}, [6]),
}
"""The dialect, size, cells of each kind, slots, crossings, slots by length and by component of each grid."""


@pytest.mark.parametrize("name", COUNTED)
def test_json(run: Run, name: str) -> None:
    done = run("info", INSTANCES / name, "--json")
    dialect, (height, width), cells, slots, *others = COUNTED[name]
    (record,) = done.parts
    assert (done.code, done.err, record["grid"]) == (0, "", str(INSTANCES / name))
    assert (record["dialect"], record["height"], record["width"]) == (dialect, height, width)
    assert record["cells"] == dict(zip(KINDS, cells, strict=True))
    assert len(record["slots"]) == slots
    assert [record[key] for key in ("crossings", "lengths", "components")] == others


def test_the_slots(run: Run) -> None:
    slots = run("info", INSTANCES / "remy" / "partial.txt", "--json").records[0]["slots"]
    assert slots == [
        {"slot": "1-Across", "at": "R1C1", "length": 4, "crossings": 2, "pattern": "?O??"},
        {"slot": "3-Across", "at": "R4C1", "length": 4, "crossings": 2, "pattern": "????"},
        {"slot": "1-Down", "at": "R1C1", "length": 4, "crossings": 2, "pattern": "?A??"},
        {"slot": "2-Down", "at": "R1C4", "length": 4, "crossings": 2, "pattern": "????"},
    ]


def test_text() -> None:
    done = program("info", A)
    lines = done.out.splitlines()
    assert (done.code, done.err) == (0, "")
    assert lines[0] == f"{A}: 5 x 5, native dialect"
    assert lines[1].startswith("cells: 6 block, 19 open")
    assert lines[2] == "slots: 10, crossings: 19, connected"
    assert lines[3] == "lengths: 4 of 3, 4 of 4, 2 of 5"
    assert lines[4].split() == ["slot", "at", "length", "crossings", "pattern"]
    assert [line.split() for line in lines[6:8]] == [
        ["1-Across", "R1C1", "3", "3", "???"],
        ["4-Across", "R2C1", "4", "4", "????"],
    ]
    assert len(lines) == 16


def test_components_in_text(run: Run) -> None:
    assert "2 components of 8, 8 slots" in run("info", INSTANCES / "styles" / "two-components.txt").out


def test_words_that_fit(run: Run) -> None:
    """12 of the 40 words begin with A; the slot of 5 cells has none, so arc consistency leaves nothing anywhere."""
    slots = run("info", TINY / "too-long.txt", "-w", THREE, "--json").records[0]["slots"]
    assert [(slot["slot"], slot["fitting"], slot["consistent"]) for slot in slots] == [
        ("1-Across", 0, 0),
        ("1-Down", 40, 0),
    ]
    slots = run("info", "-", "-w", THREE, "--json", stdin="A..\n").records[0]["slots"]
    assert [(slot["pattern"], slot["fitting"], slot["consistent"]) for slot in slots] == [("A??", 12, 12)]


def test_words_that_fit_in_text(run: Run) -> None:
    lines = run("info", "-", "-w", THREE, stdin="A..\n").out.splitlines()
    assert lines[-3].split()[-2:] == ["fitting", "consistent"]
    assert lines[-1].split() == ["1-Across", "R1C1", "3", "0", "A??", "12", "12"]


def test_min_score_counts(run: Run) -> None:
    done = run("info", "-", "-w", TINY / "ties.words.txt", "--min-score", 40, "--json", stdin="...\n")
    assert done.parts[0]["slots"][0]["fitting"] == 12  # ALE ARC ART BEE CAR EAR EVE HEN NET RAT TEA TOE


def test_min_slot_length(run: Run) -> None:
    record = run("info", A, "--min-slot-length", 4, "--json").records[0]
    assert (len(record["slots"]), record["lengths"]) == (6, {"4": 4, "5": 2})


def test_several_grids(run: Run) -> None:
    done = run("info", INSTANCES / "assignment" / "all.upmc.txt", SQUARE, "--json")
    sizes = [(record["height"], record["width"]) for record in done.parts]
    assert sizes == [(5, 5), (7, 7), (9, 9), (3, 3)]


def test_standard_input(run: Run) -> None:
    assert run("info", "-", stdin="...\n").out.splitlines()[0].endswith(": 1 x 3, native dialect")


def test_a_forced_dialect(run: Run) -> None:
    assert ", remy dialect" in run("info", "-", "--dialect", "remy", stdin="111\n").out
