from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from cpfill.formats.dialects import parse_grids
from cpfill.formats.registry import read_puzzle

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run


def test_several_grids_are_parted_by_a_blank_line(run: Run) -> None:
    done = run("generate", "--size", "7x7", "-n", 3, "--quiet")
    grids = done.out.split("\n\n")
    assert (done.code, done.err, len(set(grids))) == (0, "", 3)
    assert run("generate", "--size", "7x7", "-n", 3, "--quiet").out == done.out
    assert run("generate", "--size", "7x7", "-n", 3, "--quiet", "--seed", 1).out != done.out


def test_a_barred_grid_is_told_in_each_format(run: Run, tmp_path: Path) -> None:
    asked = ("generate", "--style", "barred", "--size", "6x6", "--quiet")
    text = run(*asked).out
    assert {*"|-"} & {*text}
    _, (grid,) = parse_grids(text)
    record = run(*asked, "--json").records[0]
    assert record["bars"] == [[grid.name_cell(cell) for cell in bar] for bar in sorted(grid.bars)]
    puzzle = tmp_path / "x.ipuz"
    assert run(*asked, "-o", puzzle).code == 0
    assert read_puzzle(puzzle).bars == grid.bars


def test_a_draft_is_completed(run: Run, tmp_path: Path) -> None:
    draft = tmp_path / "draft.txt"
    draft.write_text("?????\n?CAT?\n#????\n?????\n?????\n", encoding="utf-8")
    rows = run("generate", draft, "--style", "french").out.split()
    assert [len(row) for row in rows] == [5] * 5
    assert (rows[1][1:4], rows[2][0]) == ("CAT", "#")
    filled = run("generate", draft, "--style", "french", "--filled").out.split()
    assert (filled[1][1:4], filled[2][0]) == ("CAT", "#")


@pytest.mark.parametrize("asked", ["theme", "cable, bleak"])
def test_seed_words_are_those_of_a_file_or_parted_by_commas(run: Run, directory: Path, asked: str) -> None:
    (directory / "theme").write_text("cable;90\nbleak\n")
    rows = run("generate", "--size", "9x9", "--style", "french", "--seed-words", asked).out.split()
    text = " ".join([*rows, *map("".join, zip(*rows, strict=True))])
    assert "CABLE" in text
    assert "BLEAK" in text


def test_entries_that_cannot_pair_up_are_told_at_once(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cpfill.questions.generate.WHY_S", 0.1)  # what else would help is another question
    words = tmp_path / "words.txt"
    words.write_text("abc\ndef\nghi\nadg\nbeh\ncfi\nabcdefg\n")
    options = ("--size", "8x8", "-w", words, "--filled", "--seed-words", "spaces")
    done = run("generate", *options)
    said = "no grid with this symmetry holds SPACES (6): another word of the same length must mirror each, and the"
    assert (done.code, done.complaints[0]) == (20, f"cpfill: {said} lists allow no such word")
    assert done.complaints[1].startswith("cpfill: UNSATISFIABLE: no such grid has a fill (")
    first, last = run("generate", *options, "--json").records
    assert first == {"unpaired": f"{said} lists allow no such word"}
    assert (last["refuted"], last["undecided"], last["unpaired"]) == (0, 0, first["unpaired"])


def test_own_entries_score_as_they_like(run: Run) -> None:
    done = run("generate", "--size", "9x9", "--filled", "--min-score", 40, "--seed-words", "zibet", "--json")
    words = {each["word"]: each["score"] for each in done.records[0]["fill"]["words"]}
    assert (done.code, words["ZIBET"], min(words.values()) >= 40) == (0, 40, True)


def test_designs_come_best_first(run: Run) -> None:
    options = ("--style", "french", "--size", "3x3", "--blocks", "1", "--objective", "min", "-n", "3", "--filled")
    *told, last = run("generate", *options, "--json").records
    improved = {each["design"]: each["value"] for each in told if each["event"] == "improved"}
    best = [each for each in told if each["event"] == "grid"]
    assert (last["status"], last["reason"], last["grids"]) == ("OPTIMAL", "exhausted", 3)
    assert [each["value"] for each in best] == sorted(improved.values(), reverse=True)[:3]
    for each in best:
        assert each["proved"]
        assert each["value"] == each["bound"] == improved[each["design"]]
        assert each["fill"]["value"] == each["value"] == min(word["score"] for word in each["fill"]["words"])
    *said, end = run("generate", *options).complaints
    assert end.startswith("cpfill: 3 grids, none better, proved grid by grid (")
    for each, line in zip(best, said, strict=True):
        assert f"minimum score {each['value']:g}, the best of this grid" in line


def test_a_theme_and_its_liberties(run: Run) -> None:
    options = ("--seed-words", "constraint", "--seed-words", "solver", "--size", "13x13", "--filled")
    done = run("generate", *options)
    assert done.code == 0
    (line,) = [line for line in done.complaints if "the theme:" in line]
    assert "no entry of its length mirrors" in line
    grid = run("generate", *options, "--json").parts[-1]
    assert {"CONSTRAINT", "SOLVER"} <= {each["word"] for each in grid["fill"]["words"]}
    assert grid["liberties"][0].startswith("no entry of its length mirrors")


def test_a_word_of_a_pool_is_placed_around_what_stands(run: Run, tmp_path: Path) -> None:
    pool, draft = tmp_path / "pool.txt", tmp_path / "draft.txt"
    pool.write_text("cable;7\n", encoding="utf-8")
    draft.write_text("#????\n?????\n?????\n?????\n????S\n", encoding="utf-8")
    done = run("generate", draft, "--style", "french", "-w", "en", "--filled", "--theme", pool)
    rows = done.out.splitlines()
    assert done.complaints[0] == "cpfill: theme 7, the best of all grids"
    assert (rows[0][0], rows[4][4]) == ("#", "S")
    assert "CABLE" in {*rows, *map("".join, zip(*rows, strict=True))}


def test_a_pool_of_ten_thousand_words_is_too_large(run: Run, tmp_path: Path) -> None:
    pool = tmp_path / "pool.txt"
    pool.write_text("\n".join(map("".join, product("A", *["ABCDEFGHIJ"] * 4))))
    (line,) = run("generate", "--size", "5x5", "--theme", pool, "--filled").complaints
    assert "10,000" in line


@pytest.mark.parametrize("objective", ["good", "any"])
def test_a_grid_has_several_fills_once_all_are_used(objective: str, run: Run, tmp_path: Path) -> None:
    words = ["".join(letters) for letters in product("AB", repeat=3)] + ["ABC", "CAB"]
    path = tmp_path / "words.txt"
    path.write_text("".join(f"{word}\n" for word in words))
    every = set()
    for rows in product(words, repeat=3):
        columns = ["".join(column) for column in zip(*rows, strict=True)]
        if set(columns) <= set(words) and len({*rows, *columns}) == 6:
            every.add(rows)
    asked = ("generate", "--size", "3x3", "--filled", "-w", path, "--objective", objective, "--json")
    found = [record["fill"]["rows"] for record in run(*asked, "-n", 1000).records if "fill" in record]
    assert sorted(tuple(map("".join, rows)) for rows in found) == sorted(every)
    few = [record["fill"]["rows"] for record in run(*asked, "-n", 5).records if "fill" in record]
    assert len(set(map(str, few))) == 5
