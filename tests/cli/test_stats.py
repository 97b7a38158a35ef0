"""`cpfill stats` against what was counted by hand, and what other verbs say of the same grids."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.formats.registry import write_puzzle
from cpfill.puzzle.puzzle import Puzzle
from cpfill.testing.brute_force import words_in
from tests.cli.program import INSTANCES, ROOT, SQUARE, program

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run

GOLDEN = ROOT / "tests" / "golden"
FULL = "RUN\nATE\nNET\n"


def record(run: Run, *args: object, stdin: str = "") -> dict[str, Any]:
    done = run("stats", *args, "--json", stdin=stdin)
    assert (done.code, done.err) == (0, "")
    found: dict[str, Any] = done.records[0]
    return found


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "words.txt"
    path.write_text("run;60\nate;5\nnet;20\nran;5\nrunning;1\n", encoding="utf-8")
    return path


GRIDS = sorted(path for path in (INSTANCES / "styles").glob("*.txt") if len(path.suffixes) == 1)


@pytest.mark.parametrize("path", GRIDS, ids=lambda path: path.stem)
def test_an_instance(run: Run, path: Path) -> None:
    told = record(run, path)
    plain = [re.sub(r"\[\w+\]|\(\w+\)", ".", row) for row in path.read_text(encoding="utf-8").splitlines()]
    found = words_in(plain, 2)
    assert (told["words"], told["blocks"]) == (len(found), "".join(plain).count("#"))
    assert told["average_length"] == pytest.approx(sum(map(len, found)) / len(found))
    info = run("info", path, "--json").records[0]
    assert told["lengths"] == info["lengths"]
    assert (told["open"], told["checked"]) == (info["cells"]["open"], info["cells"]["checked"])


@pytest.mark.parametrize("style", ["american", "british", "french"])
def test_an_instance_of_a_style_has_no_fault_of_it(run: Run, style: str) -> None:
    for path in (INSTANCES / "styles").glob(f"{style}-*.txt"):
        assert record(run, path)["faults"][style] == []
        assert list(record(run, path, "--style", style)["faults"]) == [style]


def test_a_generated_grid_has_no_fault_but_against_customs(run: Run) -> None:
    for style in ("american", "british", "japanese", "arrow"):
        made = run("generate", "--style", style, "--size", "13x13", "--seed", 3).out
        found = record(run, "-", "--style", style, stdin=made)["faults"][style]
        assert {fault["fault"] for fault in found} <= {"two by two blocks", "more words than usual"}


def test_locked_entries_are_named_and_not_judged(run: Run, words: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.ipuz"
    path.write_bytes(write_puzzle(Puzzle(3, 3, tuple("RUNATENET"), work={"locked": [2, 3, 4, 5, 8]}), "ipuz")[0])
    fill = record(run, path, "-w", words)["fill"]
    assert fill["own"] == ["4-Across", "3-Down"]
    assert fill["scores"] == {"1-Across": 60.0, "5-Across": 20.0, "1-Down": 5.0}
    assert fill["worst"][0] == {"slot": "1-Down", "word": "RAN", "score": 5.0}
    assert sum(fill["bands"].values()) == 3
    assert fill["unlisted"] == ["2-Down"]
    assert [link["text"] for link in fill["repeats"]] == ["NET"], "two of one kind are still two"
    lines = run("stats", path, "-w", words).out.splitlines()
    assert "your entries: ATE (4-Across), NET (3-Down)" in lines
    assert "filled: 4 words, 3 of them in the lists; scores: mean 28.3, median 20" in lines
    path.write_bytes(write_puzzle(Puzzle(3, 3, tuple("RUNATENET")), "ipuz")[0])
    assert "your entries" not in run("stats", path, "-w", words).out


def test_a_fill_in_text(run: Run, words: Path) -> None:
    out = run("stats", "-", "-w", words, stdin=FULL).out
    lines = out.splitlines()
    assert lines[1:5] == [
        "words: 6, 3.00 letters on average",
        "lengths: 6 of 3",
        "blocks: 0 (0.0%)",
        "open cells: 9, 9 checked (100.0%), 9 touch no block",
    ]
    assert "filled: 6 words, 5 of them in the lists; scores: mean 22.0, median 20" in lines
    assert "not in the lists: UTE (2-Down)" in lines
    assert "Scrabble: 1.00 a letter" in lines
    rows = [line.split() for line in lines]
    assert ["4-Across", "ATE", "5"] in rows
    assert ["word", "NET", "NET", "(5-Across),", "NET", "(3-Down)"] in rows


def test_what_makes_words_alike_in_text(run: Run, words: Path) -> None:
    out = run("stats", "-", "-w", words, stdin="RUNS#RUN\n########\nNUR#####\n").out
    rows = [line.split() for line in out.splitlines()]
    assert ["alike", "by", "stem", "run", "RUNS", "(1-Across),", "RUN", "(2-Across)"] in rows
    assert ["alike", "reversed", "NUR", "RUN", "(2-Across),", "NUR", "(3-Across)"] in rows


def test_a_fill_in_json(run: Run, words: Path) -> None:
    fill = record(run, "-", "-w", words, stdin=FULL)["fill"]
    assert fill["worst"][0] == {"slot": "4-Across", "word": "ATE", "score": 5.0}
    assert fill["unlisted"] == ["2-Down"]
    assert fill["repeats"] == [{"text": "NET", "slots": ["5-Across", "3-Down"]}]
    assert fill["alike"] == []


def test_an_empty_grid_has_no_fill_and_needs_no_list(run: Run) -> None:
    assert record(run, SQUARE, "-w", "/no/such/list")["fill"] is None


def test_weighted_lists_and_exclusions_count(run: Run, words: Path, tmp_path: Path) -> None:
    weighted, excluded = tmp_path / "weighted.txt", tmp_path / "excluded.txt"
    weighted.write_text("net;90\n", encoding="utf-8")
    excluded.write_text("run\n", encoding="utf-8")
    fill = record(run, "-", "-w", words, "--weighted", weighted, "--exclude", excluded, stdin=FULL)["fill"]
    assert [each["score"] for each in fill["worst"]] == [0, 0, 90, 90]
    assert fill["unlisted"] == ["1-Across", "2-Down"]


def test_the_language_is_that_of_the_packaged_list(run: Run) -> None:
    """K is worth 5 in English and 10 in French; MANGER and MANGE have a stem in common in French alone."""
    grid = "MANGER#\nMANGEAK\n"
    english = record(run, "-", stdin=grid)["fill"]
    french = record(run, "-", "-w", "fr", stdin=grid)["fill"]
    assert french["scrabble"] * 13 == pytest.approx(english["scrabble"] * 13 + 10 - 5 + 2 * (2 - 3))
    assert record(run, "-", "-w", "fr", "--language", "en", stdin=grid)["fill"]["scrabble"] == english["scrabble"]
    both = record(run, "-", "-w", "fr", stdin="MANGER\n######\nMANGEA\n")["fill"]["alike"]
    assert both == [{"text": "mang", "slots": ["1-Across", "2-Across"]}]


@pytest.mark.parametrize("name", ["mini.ipuz", "mini.puz", "mini.xd", "mini.jpz", "mini.cfp"])
def test_a_puzzle_has_the_words_that_it_was_made_with(run: Run, name: str) -> None:
    fill = record(run, GOLDEN / name)["fill"]
    assert fill["words"]["4-Across"] == "OTHER"
    assert fill["words"]["6-Across"] == "STARTED"


def test_several_grids_are_told_one_after_the_other() -> None:
    done = program("stats", SQUARE, INSTANCES / "assignment" / "all.upmc.txt")
    assert done.code == 0
    assert done.out.count("words: ") == 4
    assert "\n\n" in done.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--style", "amercan"), "american"),
        (("--language", "de"), "en"),
        (("-w", "-"), "standard input"),
    ],
)
def test_what_makes_no_sense_is_a_line(run: Run, options: tuple[object, ...], message: str) -> None:
    done = run("stats", "-", *options, stdin=FULL)
    assert done.code == 2
    assert message in done.complaints[-1]
