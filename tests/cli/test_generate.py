from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from cpfill import make_problem
from cpfill.formats.dialects import DIALECTS, parse_grids
from cpfill.formats.registry import read_puzzle

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run


def test_a_grid(run: Run) -> None:
    done = run("generate", "--size", "9x11", "--blocks", "18-22")
    rows = done.out.splitlines()
    assert (done.code, len(rows), {len(row) for row in rows}) == (0, 9, {11})
    assert set(done.out) == set(".#\n")
    assert 18 <= done.out.count("#") <= 22
    assert done.complaints[0].startswith("cpfill: 1 grid (")


def test_several_grids_are_parted_by_a_blank_line(run: Run) -> None:
    done = run("generate", "--size", "7x7", "-n", 3, "--quiet")
    grids = done.out.split("\n\n")
    assert (done.code, done.err, len(set(grids))) == (0, "", 3)
    assert run("generate", "--size", "7x7", "-n", 3, "--quiet").out == done.out
    assert run("generate", "--size", "7x7", "-n", 3, "--quiet", "--seed", 1).out != done.out


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_every_dialect_reads_what_it_wrote(run: Run, dialect: str) -> None:
    options = ("--size", "5x6", "--style", "french", "--seed-words", "cable")
    _, native = parse_grids(run("generate", *options).out)
    read_as, grids = parse_grids(run("generate", *options, "--dialect", dialect).out)
    assert dialect == read_as.name
    assert grids == native


def test_json(run: Run) -> None:
    grid, last = run("generate", "--size", "5x5", "--seed-words", "cable", "--json").records
    cells = [cell for row in grid["rows"] for cell in row]
    assert (grid["event"], grid["height"], grid["width"], grid["min_slot_length"]) == ("grid", 5, 5, 3)
    assert (cells.count(None), len([cell for cell in cells if cell])) == (grid["blocks"], 5)
    assert last == {"done": True, "status": "SATISFIED", "reason": "fills", "grids": 1}


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
    refused = run(*asked, "--dialect", "remy")
    assert (refused.code, refused.complaints) == (
        2,
        ["cpfill: expected a dialect that has bars, native, for a barred grid, found remy"],
    )


def test_a_draft_is_completed(run: Run, tmp_path: Path) -> None:
    draft = tmp_path / "draft.txt"
    draft.write_text("?????\n?CAT?\n#????\n?????\n?????\n", encoding="utf-8")
    rows = run("generate", draft, "--style", "french").out.split()
    assert [len(row) for row in rows] == [5] * 5
    assert (rows[1][1:4], rows[2][0]) == ("CAT", "#")
    filled = run("generate", draft, "--style", "french", "--filled").out.split()
    assert (filled[1][1:4], filled[2][0]) == ("CAT", "#")
    assert run("generate", draft, "--size", "4x4").complaints == [
        "cpfill: expected a draft of 4x4, the size of the grid, found 5x5"
    ]


def test_a_puzzle_is_a_draft_under_any_suffix(run: Run, tmp_path: Path) -> None:
    grid, puzzle = tmp_path / "grid.txt", tmp_path / "day.ipuz"
    grid.write_text("CAT\n#..\n...\n")
    assert run("convert", grid, puzzle).code == 0
    (tmp_path / "day").write_bytes(puzzle.read_bytes())
    for draft in (puzzle, tmp_path / "day", "-"):
        done = run("generate", draft, "--style", "free", stdin=puzzle.read_bytes())
        assert (done.code, done.out) == (0, grid.read_text())


def test_a_draft_that_cannot_be_completed_is_proved_so(run: Run) -> None:
    done = run("generate", "-", stdin="?????\n?#.#?\n?????\n?????\n?????\n")
    assert (done.code, done.out) == (20, "")
    said, held, helps = done.complaints
    assert said.startswith("cpfill: UNSATISFIABLE: no such grid exists, proved by CP-SAT (")
    assert held == "cpfill: proved for 5x5; symmetry rotate; slots of 3 or more; the draft"
    assert helps == "cpfill: no single change helped in the time left"  # a cell is open that no slot goes through


def test_density(run: Run) -> None:
    for density in ("0.2", "20%"):
        out = run("generate", "--size", "10x10", "--style", "french", "--density", density).out
        assert out.count("#") == 20


def test_filled(run: Run, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("abc\ndef\nghi\nadg\nbeh\ncfi\n")
    options = ("--size", "3x3", "-w", words, "--seed-words", "def")
    assert run("generate", *options, "--filled").out in FILLS
    done = run("generate", *options, "--fillable", "--json")
    grid, last = done.parts[-1], done.records[-1]
    assert len(grid["fill"]["words"]) == 6
    assert last["status"] == "SATISFIED"
    assert set(run("generate", *options, "--fillable").out) == set(".DEF\n")


@pytest.mark.parametrize("text", ["", "\n# none yet\n"])
@pytest.mark.parametrize("option", ["--exclude", "--seed-words"])
def test_an_empty_list_asks_for_nothing(run: Run, tmp_path: Path, option: str, text: str) -> None:
    empty, words = tmp_path / "empty.txt", tmp_path / "words.txt"
    empty.write_text(text, encoding="utf-8")
    words.write_text("abc\ndef\nghi\nadg\nbeh\ncfi\n", encoding="utf-8")
    asked = ("generate", "--size", "3x3", "-w", words, "--filled", "--quiet")
    done = run(*asked, option, empty)
    assert (done.code, done.out, done.err) == (0, run(*asked).out, "")
    empty.write_text("1234\n", encoding="utf-8")
    assert run(*asked, option, empty).code == 2


def test_a_seed_word_may_be_in_no_list(run: Run, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("abc\nghi\nadg\nbeh\ncfi\n")
    options = ("--size", "3x3", "-w", words, "--filled")
    assert run("generate", *options).code == 20
    assert run("generate", *options, "--seed-words", "def").code == 0


def test_seed_words_from_a_file(run: Run, tmp_path: Path) -> None:
    words = tmp_path / "theme"
    words.write_text("cable;90\nbleak\n")
    out = run("generate", "--size", "9x9", "--style", "french", "--seed-words", words).out
    rows = out.split()
    lines = [*rows, *map("".join, zip(*rows, strict=True))]
    assert all(any(word in line for line in lines) for word in ("CABLE", "BLEAK"))


def test_commas_part_seed_words(run: Run) -> None:
    rows = run("generate", "--size", "9x9", "--style", "french", "--seed-words", "cable, bleak").out.split()
    lines = [*rows, *map("".join, zip(*rows, strict=True))]
    assert all(any(word in line for line in lines) for word in ("CABLE", "BLEAK"))


def test_what_does_not_exist_is_proved(run: Run) -> None:
    done = run("generate", "--style", "british", "--size", "8x8")
    assert (done.code, done.out) == (20, "")
    said = "cpfill: UNSATISFIABLE: no such grid exists, proved by CP-SAT; try an odd size, or --symmetry none ("
    assert done.complaints[0].startswith(said)
    assert "try an odd size" not in run("generate", "--size", "3x3", "--blocks", 1).err
    (last,) = run("generate", "--style", "british", "--size", "8x8", "--json").records
    assert (last["status"], last["reason"]) == ("UNSATISFIABLE", "exhausted")


def test_a_proof_names_what_it_hangs_on(run: Run) -> None:
    """A clue cell in the last corner has no slot beside it, so no arrowword has half a turn; without it there are."""
    done = run("generate", "--style", "arrow", "--size", "9x9", "--symmetry", "rotate", "--blocks", "20-40")
    assert (done.code, done.out) == (20, "")
    assert done.complaints[1:] == [
        "cpfill: proved for 9x9; symmetry rotate; slots of 2 or more; 20-40 blocks",
        "cpfill: it exists with --symmetry none",
    ]
    (last,) = run("generate", "--style", "arrow", "--size", "9x9", "--symmetry", "rotate", "--json").records
    assert (last["status"], last["helps"]) == ("UNSATISFIABLE", ["with --symmetry none"])
    assert run("generate", "--style", "arrow", "--size", "9x9").code == 0


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


def test_what_has_no_fill_is_proved(run: Run, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("abc\n")
    done = run("generate", "--size", "3x3", "-w", words, "--filled")
    assert done.code == 20
    assert "no such grid has a fill, proved grid by grid" in done.err


@pytest.mark.long
def test_why_there_is_no_grid_is_told(run: Run, tmp_path: Path) -> None:
    words, lexicon = tmp_path / "words.txt", make_problem("5x5").lexicon
    words.write_text("\n".join(w for n in (3, 4, 5) for w in lexicon.table(n).words if not {*"QXZ"} & {*w}))
    asked = ("generate", "--size", "5x5", "--filled", "-w", words, "-t", "60s", "--seed-words", "xqzxq,cable")
    done = run(*asked)
    tried, blamed, furthest, helps = done.complaints[-4:]
    assert (done.code, done.out) == (20, "")
    assert re.fullmatch(r"cpfill: \d+ grids? tried: \d+ proved to have no fill, 0 not decided in time", tried)
    assert "XQZXQ (" in blamed
    assert furthest.startswith("cpfill: the grid that came furthest fails at ")
    assert helps == "cpfill: it can be filled without XQZXQ"
    (last,) = run(*asked, "--json").ends
    assert last["refuted"] > 0
    assert last["helps"] == ["without XQZXQ"]


def test_own_entries_score_as_they_like(run: Run) -> None:
    done = run("generate", "--size", "9x9", "--filled", "--min-score", 40, "--seed-words", "zibet", "--json")
    words = {each["word"]: each["score"] for each in done.records[0]["fill"]["words"]}
    assert (done.code, words["ZIBET"], min(words.values()) >= 40) == (0, 40, True)
    done = run("generate", "--filled", "--seed-words", "zibet", "--exclude", "zibet")
    assert (done.code, done.complaints) == (2, ["cpfill: expected seed words that are not excluded, found ZIBET"])


def test_where_no_word_is_left_it_ends_at_once(run: Run) -> None:
    done = run("generate", "--fillable", "--min-score", 101)
    assert (done.code, done.out) == (20, "")
    assert "no such grid has a fill" in done.err


@pytest.mark.parametrize("size", ["4x6", "4X6", "4×6"])  # noqa: RUF001 - the sign as people write it
def test_a_size_is_written_in_several_ways(run: Run, size: str) -> None:
    assert [len(row) for row in run("generate", "--style", "french", "--size", size).out.split()] == [6] * 4


def test_a_grid_without_slots_is_none(run: Run) -> None:
    done = run("generate", "--style", "free", "--size", "3x3", "--blocks", 6, "-n", 1000)
    assert done.out.count("#") == 6 * 62  # of 84 patterns, less 22 in which no two open cells are neighbours
    assert "62 grids, all there are" in done.err
    assert run("generate", "--style", "free", "--blocks", 225).code == 20


def test_a_slot_may_be_of_one_cell(run: Run) -> None:
    asked = ("generate", "--size", "3x3", "--style", "free", "--blocks", "8", "--min-slot-length", "1", "-q")
    (text,), (record, _) = run(*asked).out.split("\n\n"), run(*asked, "--json").records
    assert sorted(text.replace("\n", "")) == [*"########", "."]
    assert text == "".join("".join("#" if cell is None else "." for cell in row) + "\n" for row in record["rows"])


def test_a_puzzle_file_of_a_grid_or_its_fill(run: Run, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("abc\ndef\nghi\nadg\nbeh\ncfi\n")
    for name, options, rows in (("a.ipuz", (), {"...\n...\n...\n"}), ("b.puz", ("-w", words, "--filled"), FILLS)):
        target = tmp_path / name
        done = run("generate", "--size", "3x3", *options, "-o", target)
        assert (done.code, done.out) == (0, "")
        assert run("convert", target, "-", "--to", "native").out in rows
    assert json.loads(run("generate", "--to", "ipuz").out)["dimensions"] == {"width": 15, "height": 15}


FILLS = {"ABC\nDEF\nGHI\n", "ADG\nBEH\nCFI\n"}


def test_all_there_are(run: Run) -> None:
    done = run("generate", "--size", "3x3", "-n", 2)
    assert (done.code, done.out) == (0, "...\n...\n...\n")
    assert "1 grid, all there are, proved" in done.err


def test_out_of_time(run: Run) -> None:
    done = run("generate", "-t", 0)
    assert (done.code, done.out) == (124, "")
    assert "UNKNOWN: no such grid found, time is over, none excluded" in done.err


def test_to_a_file(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "grids.txt"
    done = run("generate", "--size", "6x6", "-n", 2, "-o", target)
    assert (done.code, done.out) == (0, "")
    assert len(parse_grids(target.read_text())[1]) == 2


def test_designs_come_best_first(run: Run) -> None:
    options = ("--style", "french", "--size", "3x3", "--blocks", "1", "--objective", "min", "-n", "3", "--filled")
    done = run("generate", *options, "--json")
    *told, last = done.records
    improved = {each["design"]: each for each in told if each["event"] == "improved"}
    best = [each for each in told if each["event"] == "grid"]
    assert (done.code, last["status"], last["reason"], last["grids"]) == (0, "OPTIMAL", "exhausted", 3)
    values = [each["value"] for each in best]
    assert values == sorted((each["value"] for each in improved.values()), reverse=True)[:3]
    for each in best:
        assert each["proved"]
        assert {key: each[key] for key in ("design", "value", "bound", "proved")}.items() <= improved[
            each["design"]
        ].items()
        assert each["fill"]["value"] == each["value"] == min(word["score"] for word in each["fill"]["words"])
    said = run("generate", *options)
    assert said.code == 0
    assert len(said.out.split("\n\n")) == 3
    lines = [line for line in said.complaints if line.startswith("cpfill: design ")]
    assert [
        f"minimum score {value:g}, the best of this grid" in line for value, line in zip(values, lines, strict=True)
    ]
    assert said.complaints[-1].startswith("cpfill: 3 grids, none better, proved grid by grid (")


def test_an_objective_is_for_fills(run: Run) -> None:
    done = run("generate", "--objective", "min")
    assert done.code == 2
    assert "expected --objective with --fillable or --filled" in done.err


def test_a_theme_and_its_liberties(run: Run) -> None:
    options = ("--seed-words", "constraint", "--seed-words", "solver", "--size", "13x13", "--filled")
    done = run("generate", *options)
    assert done.code == 0
    (line,) = [line for line in done.complaints if "the theme:" in line]
    assert "no entry of its length mirrors" in line
    grid = run("generate", *options, "--json").parts[-1]
    assert {"CONSTRAINT", "SOLVER"} <= {each["word"] for each in grid["fill"]["words"]}
    assert grid["liberties"][0].startswith("no entry of its length mirrors")


SMALL = ("generate", "--size", "4x4", "--style", "french", "-w", "en")


def test_the_fewest_blocks_are_told_with_their_bound(run: Run) -> None:
    done = run(*SMALL, "--fewest-blocks", "--json")
    *improved, grid, last = done.records
    assert [one["event"] for one in improved] == ["improved"] * len(improved)
    assert (grid["blocks"], grid["value"], grid["bound"], grid["proved"]) == (0, 0, 0, True)
    assert len(grid["fill"]["words"]) == 8
    assert (done.code, last["status"]) == (0, "OPTIMAL")
    told = run(*SMALL, "--fewest-blocks").complaints
    assert told[0] == "cpfill: 0 blocks, the fewest possible"
    assert run("--lang", "fr", *SMALL, "--fewest-blocks").complaints[0].endswith("0 case noire, le moins possible")


def test_a_word_of_a_pool_is_placed_around_what_stands(run: Run, tmp_path: Path) -> None:
    pool, draft = tmp_path / "pool.txt", tmp_path / "draft.txt"
    pool.write_text("cable;7\n", encoding="utf-8")
    draft.write_text("#????\n?????\n?????\n?????\n????S\n", encoding="utf-8")
    done = run("generate", draft, "--style", "french", "-w", "en", "--filled", "--theme", pool)
    rows = done.out.splitlines()
    assert done.complaints[0] == "cpfill: theme 7, the best of all grids"
    assert (rows[0][0], rows[4][4]) == ("#", "S")
    assert "CABLE" in {*rows, *map("".join, zip(*rows, strict=True))}


@pytest.mark.parametrize(
    ("words", "options", "complaint"),
    [
        (["cables"], ["--filled"], "a theme word that fits the grid, found none in 1"),
        (
            [f"{n:05}".translate(str.maketrans("0123456789", "ABCDEFGHIJ")) for n in range(10_000)],
            ["--filled"],
            "10,000",
        ),
        (["cable"], [], "--theme with --fillable or --filled"),
        (["cable"], ["--filled", "-n", 2], "one grid with --theme"),
        (["cable"], ["--fewest-blocks"], "--theme or --fewest-blocks"),
        ([], ["--fewest-blocks", "--objective", "min"], "--fewest-blocks without an objective"),
        ([], ["--fewest-blocks", "--style", "barred"], "a style with blocks"),
        ([], ["--fewest-blocks", "--size", "61x61"], "a size from 1x1 to 60x60"),
    ],
)
def test_what_cannot_be_improved_is_refused(
    run: Run, tmp_path: Path, words: list[str], options: list[str], complaint: str
) -> None:
    pool = tmp_path / "pool.txt"
    pool.write_text("\n".join(words), encoding="utf-8")
    size = () if "--size" in options else ("--size", "5x5")
    done = run("generate", *size, *(["--theme", pool] if words else []), *options)
    assert (done.code, done.out, len(done.complaints)) == (2, "", 1)
    assert complaint in done.complaints[0]
