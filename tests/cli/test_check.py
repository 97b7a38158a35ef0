from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from cpfill.formats.registry import write_puzzle
from cpfill.puzzle.puzzle import Puzzle
from tests.cli.program import INSTANCES, SQUARE, THREE, TINY, program

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run

MIRROR = TINY / "mirror.words.txt"
RIGHT = "ASH\nTEA\nEAT\n"
GRIDS = {
    "native": "...\n...\n...\n",
    "remy": "1111\n1001\n1001\n1111\n",
    "upmc": "3 3\n0 0 0\n0 1 0\n0 0 0\n",
    "beacham": "___\n_*_\n___\n",
    "grl": "3 3\n   \n * \n   \n",
}


def test_right(run: Run) -> None:
    done = run("check", SQUARE, "-", "-w", THREE, stdin=RIGHT)
    assert (done.code, done.out, done.err) == (0, "fill 1: right, minimum score 50\n", "")


def test_a_fill_is_a_grid_too(run: Run, tmp_path: Path) -> None:
    (tmp_path / "fill.txt").write_text(RIGHT, encoding="utf-8")
    assert run("check", tmp_path / "fill.txt", "-w", THREE).code == 0


@pytest.mark.parametrize(
    "case",
    [
        ("...\n...\n...\n", "ASH\nTEA\nEA.\n", THREE, {"C1"}),
        ("...\n...\n...\n", "ASH\nTEA\nEA[TX]\n", THREE, {"C1"}),
        ("...\n...\n..#\n", RIGHT, THREE, {"C1"}),
        ("...\n...\n...\n", "ASH\nTEA\nEA#\n", THREE, {"C1", "C2"}),
        ("...\n...\n...\n", "ASH\nTEA\nEAX\n", THREE, {"C2"}),
        ("...\n...\n...\n", "BIT\nICE\nTEN\n", MIRROR, {"C3"}),
        ("X..\n...\n...\n", RIGHT, THREE, {"C4"}),
        ("[BC]..\n...\n...\n", RIGHT, THREE, {"C4"}),
        ("[BC]..\n...\n...\n", "BIT\nICE\nTEN\n", THREE, {"C2", "C3"}),
    ],
)
def test_every_rule_that_is_broken(run: Run, tmp_path: Path, case: tuple[str, str, Path, set[str]]) -> None:
    grid, fill, words, rules = case
    (tmp_path / "grid.txt").write_text(grid, encoding="utf-8")
    done = run("check", tmp_path / "grid.txt", "-", "-w", words, stdin=fill)
    assert (done.code, done.err) == (1, "")
    assert all(re.match(r"fill 1: ([1-9]-(Across|Down)|R[1-3]C[1-3])", line) for line in done.out.splitlines())
    assert not re.search(r": C\d", done.out)
    record = run("check", tmp_path / "grid.txt", "-", "-w", words, "--json", stdin=fill).records[0]
    assert {each["rule"] for each in record["violations"]} == rules
    assert (record["valid"], record["value"]) == (False, None)


def test_messages_name_the_word_and_the_place(run: Run) -> None:
    done = run("check", SQUARE, "-", "-w", THREE, stdin="ASH\nTEA\nEAX\n")
    assert done.out.splitlines() == [
        "fill 1: 5-Across: EAX is not in your lists",
        "fill 1: 3-Down: HAX is not in your lists",
    ]


def test_a_locked_entry_is_its_authors_own(run: Run, tmp_path: Path) -> None:
    path, words = tmp_path / "mine.ipuz", tmp_path / "words.txt"
    words.write_text("tea;9\neat;60\nash;60\nxte;60\nsea;60\n", encoding="utf-8")
    puzzle = Puzzle(3, 3, tuple("XSHTEAEAT"), work={"locked": [0, 1, 2, True, "x", None, 99]})
    path.write_bytes(write_puzzle(puzzle, "ipuz")[0])
    done = run("check", path, "-w", words, "--min-score", 10)
    assert done.out.splitlines() == [
        "fill 1: 4-Across: TEA scores 9, under 10",
        "fill 1: 3-Down: HAT is not in your lists",
    ]
    (told,) = run("check", path, "-w", words, "--json").parts
    assert told["violations"] == [{"rule": "C2", "detail": "HAT is not in your lists", "at": ["3-Down"]}]
    words.write_text("tea;9\neat;60\nxte;60\nsea;60\nhat;60\nxsh;2\n", encoding="utf-8")
    assert run("check", path, "-w", words).out == "fill 1: right, minimum score 9\n"
    assert run("check", path, path, "-w", words).out == "fill 1: right, minimum score 2\n", "nothing else is judged"


def test_a_filled_puzzle_locks_the_letters_of_its_grid(run: Run, tmp_path: Path) -> None:
    grid, words, filled = tmp_path / "grid.txt", tmp_path / "words.txt", tmp_path / "filled.ipuz"
    grid.write_text("XQZ\n...\n...\n", encoding="utf-8")
    words.write_text("XAB\nQCD\nZEF\nACE\nBDF\n", encoding="utf-8")
    assert run("solve", grid, "-w", words, "-o", filled).code == 0
    assert json.loads(filled.read_text("utf-8"))["cpfill:work"] == {"locked": [0, 1, 2]}
    assert run("check", filled, "-w", words).code == 0
    assert run("check", filled, "-w", words, "--strict").code == 1
    cleared = tmp_path / "cleared.ipuz"
    assert run("solve", filled, "-w", words, "--clear", "R2C1:R3C3", "-o", cleared).code == 0
    assert json.loads(cleared.read_text("utf-8"))["cpfill:work"] == {"locked": [0, 1, 2]}
    empty = tmp_path / "empty.ipuz"
    assert run("solve", "3x3", "-w", THREE, "-o", empty).code == 0
    assert "cpfill:work" not in json.loads(empty.read_text("utf-8"))


def test_repeats_lifts_c3(run: Run) -> None:
    assert run("check", SQUARE, "-", "-w", MIRROR, "--repeats", stdin="BIT\nICE\nTEN\n").code == 0


def test_min_score(run: Run) -> None:
    done = run("check", SQUARE, "-", "-w", THREE, "--min-score", 60, stdin=RIGHT)
    assert done.code == 1
    assert "1-Across: ASH scores 50, under 60" in done.out


def test_min_slot_length(run: Run) -> None:
    grid = "...\n..#\n...\n"
    assert run("check", "-", "-w", THREE, "--min-slot-length", 4, stdin=grid).code == 2
    assert run("check", "-", "-w", THREE, "--min-slot-length", 3, stdin="ASH\nTX#\nEAT\n").code == 1


def test_scores_of_a_weighted_list(run: Run, tmp_path: Path) -> None:
    (tmp_path / "theme.txt").write_text("ASH;90\n", encoding="utf-8")
    done = run("check", SQUARE, "-", "--weighted", tmp_path / "theme.txt", "-w", THREE, stdin=RIGHT)
    assert (done.code, done.out) == (0, "fill 1: right, minimum score 0\n")


def test_several_fills(run: Run) -> None:
    done = run("check", SQUARE, "-", "-w", THREE, stdin=f"{RIGHT}\nASH\nPEA\nEAX\n\n{RIGHT}")
    assert done.code == 1
    assert [line.split(":")[0] for line in done.out.splitlines()] == ["fill 1", "fill 2", "fill 2", "fill 3"]


def test_json_of_several_fills(run: Run) -> None:
    done = run("check", SQUARE, "-", "-w", THREE, "--json", stdin=f"{RIGHT}\nASH\nPEA\nEAX\n")
    records = done.parts
    assert [(record["fill"], record["valid"]) for record in records] == [(1, True), (2, False)]
    assert (records[0]["value"], records[0]["violations"]) == (50, [])
    assert len(done.ends) == 1


def test_a_theme_counts_where_the_grid_can_hold_it(run: Run, tmp_path: Path) -> None:
    (tmp_path / "theme.txt").write_text("TEA\n", encoding="utf-8")
    asked = (SQUARE, "-", "-w", THREE, "--theme", tmp_path / "theme.txt")
    assert run("check", *asked, stdin=RIGHT).out == "fill 1: right, theme 1\n"
    (told,) = run("check", *asked, "--json", stdin=RIGHT).parts
    assert told["value"] == 1


def test_right_fills_are_reported_before_one_of_another_shape(run: Run) -> None:
    done = run("check", SQUARE, "-", "-w", THREE, stdin=f"{RIGHT}\nASH\nTEA\n")
    assert done.code == 2
    assert "expected a fill of 3 x 3 cells, found 2 x 3" in done.err


def test_one_grid_at_a_time(run: Run) -> None:
    done = run("check", INSTANCES / "assignment" / "all.upmc.txt")
    assert done.code == 2
    assert "expected one grid, found 3" in done.err


@pytest.mark.parametrize("dialect", GRIDS)
@pytest.mark.parametrize("count", [1, 2])
def test_what_solve_prints_passes(run: Run, tmp_path: Path, dialect: str, count: int) -> None:
    grid, fills = tmp_path / "grid.txt", tmp_path / "fills.txt"
    grid.write_text(GRIDS[dialect], encoding="utf-8")
    words = INSTANCES / "remy" / "words.txt" if dialect == "remy" else THREE
    assert run("solve", grid, "-w", words, "--repeats", "-n", count, "-e", "fc", "-q", "-o", fills).code == 0
    done = run("check", grid, fills, "-w", words, "--repeats")
    assert (done.code, done.err) == (0, "")
    assert done.out == "".join(f"fill {place}: right, minimum score 50\n" for place in range(1, count + 1))


def test_all_fills_pass_in_processes_of_their_own() -> None:
    grid = INSTANCES / "assignment" / "A.txt"
    found = program("solve", grid, "-w", INSTANCES / "assignment" / "A.words.txt", "-a", "-e", "fc")
    assert found.code == 0
    done = program("check", grid, "-", "-w", INSTANCES / "assignment" / "A.words.txt", stdin=found.out)
    assert done.code == 0
    assert len(done.out.splitlines()) == len(found.fills)


@pytest.mark.parametrize("name", ["lonely.txt", "letter-sets.txt"])
def test_cells_in_no_slot_and_letter_sets_pass(run: Run, name: str) -> None:
    found = run("solve", TINY / name, "-w", THREE, "--repeats", "-n", 3, "-e", "fc")
    assert found.code == 0
    assert run("check", TINY / name, "-", "-w", THREE, "--repeats", stdin=found.out).code == 0
