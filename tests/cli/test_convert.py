from __future__ import annotations

import io
import json
import re
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.program import INSTANCES, program

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run

GRID = INSTANCES / "tiny" / "square.txt"
XD = "Title: Old\nRebus: 1=ONE\n\n\nA1#\n.BC\n\n\nA1. First ~ AONE\n\n\nnote\n"

LAYOUTS = "arrows, interactive, newspaper, submission"


@pytest.fixture
def puzzle(tmp_path: Path) -> Path:
    path = tmp_path / "puzzle.xd"
    path.write_text(XD, encoding="utf-8")
    return path


def test_suffixes_tell_the_formats(run: Run, puzzle: Path, tmp_path: Path) -> None:
    target = tmp_path / "puzzle.ipuz"
    done = run("convert", puzzle, target)
    assert (done.code, done.out, done.err) == (0, "", "")
    record = json.loads(target.read_text(encoding="utf-8"))
    assert record["solution"] == [["A", "ONE", "#"], [0, "B", "C"]]
    back = tmp_path / "back.xd"
    assert run("convert", target, back).code == 0
    assert back.read_text(encoding="utf-8").splitlines()[:2] == ["Title: Old", "Rebus: 1=ONE"]


def test_standard_streams(run: Run) -> None:
    done = run("convert", "-", "-", "--to", "exolve", stdin=XD)
    assert done.code == 0
    assert done.out.startswith("exolve-begin\n")
    again = run("convert", "-", "-", "--to", "xd", stdin=done.out)
    assert again.out == XD.replace("First ~ AONE\n", "First ~ AONE\nA3. ~ .BC\n\nD1. ~ A.\nD2. ~ ONEB\n")


def test_standard_output_has_no_suffix(run: Run, puzzle: Path) -> None:
    done = run("convert", puzzle, "-")
    assert (done.code, done.complaints) == (2, ["cpfill: expected --to with standard output, found no --to"])


def test_bytes_go_to_standard_output(puzzle: Path) -> None:
    done = program("convert", puzzle, "-", "--to", "json")
    assert done.records[0]["title"] == "Old"


def test_bytes_do_not_go_to_a_terminal(run: Run, puzzle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdout", Terminal(io.BytesIO(), encoding="utf-8"))
    done = run("convert", puzzle, "-", "--to", "pdf")
    assert (done.code, done.complaints) == (2, ["cpfill: expected a file or a pipe for pdf, found a terminal"])


def test_a_format_can_be_forced(run: Run, tmp_path: Path) -> None:
    source, target = tmp_path / "grid.dat", tmp_path / "grid.out"
    source.write_text("11\n10\n", encoding="utf-8")
    assert run("convert", source, target, "--from", "remy", "-f", "beacham").code == 0
    assert target.read_text(encoding="utf-8") == "__\n_*\n"


def test_what_is_dropped_is_told(run: Run, puzzle: Path, tmp_path: Path) -> None:
    target = tmp_path / "puzzle.txt"
    done = run("convert", puzzle, target)
    assert done.code == 0
    assert done.complaints == [
        f"cpfill: {target}: dropped the title",
        f"cpfill: {target}: dropped the notes",
        f"cpfill: {target}: dropped 1 clue",
    ]
    assert target.read_text(encoding="utf-8") == "A(ONE)#\n.BC\n"


def test_what_is_left_unread_is_told(run: Run) -> None:
    done = run("convert", "-", "-", "--to", "xd", stdin=XD.replace("A1.", "C1."))
    assert done.complaints == ["cpfill: standard input: left out 1 clue: C1"]


def test_title_author_and_copyright(run: Run, puzzle: Path) -> None:
    done = run("convert", puzzle, "-", "--to", "xd", "--title", "New", "--author", "Me", "--copyright", "(c) 2026 Me")
    assert done.out.splitlines()[:3] == ["Title: New", "Author: Me", "Copyright: © 2026 Me"]
    assert run("convert", puzzle, "-", "--to", "json", "--title", "").out.startswith('{"notes": "note"')


def test_drawings(run: Run, puzzle: Path) -> None:
    drawn = {option: run("convert", puzzle, "-", "--to", "svg", option).out for option in ("--solution", "--blank")}
    assert ">ONE</text>" in drawn["--solution"]
    assert ">ONE</text>" not in drawn["--blank"]
    assert "Horizontalement" in run("convert", puzzle, "-", "--to", "html", "--french").out


def test_verbs_that_write_puzzles_draw_them_as_asked(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "x.html"
    assert run("solve", GRID, "-o", target, "--paper", "letter", "--solution").code == 0
    drawn = target.read_text(encoding="utf-8")
    assert "size: letter" in drawn
    assert len(re.findall(r">[A-Z]</text>", drawn)) == 9
    assert run("generate", "--size", "5x5", "--style", "free", "-o", target, "--layout", "submission").code == 0
    assert "<td>1</td>" in target.read_text(encoding="utf-8")


@pytest.mark.parametrize("suffix", [".pdf", ".png", ".puz", ".svg", ".html", ".tex", ".csv", ".json"])
def test_a_grid_is_drawn_and_listed(run: Run, tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"grid{suffix}"
    done = run("convert", GRID, target)
    assert (done.code, done.err) == (0, "")
    assert target.stat().st_size > 50


def test_a_fill_is_converted(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "fill.ipuz"
    assert run("convert", "-", target, "--title", "Fill", stdin="ASH\nTEA\nEAT\n").code == 0
    assert json.loads(target.read_text(encoding="utf-8"))["solution"][0] == ["A", "S", "H"]


def test_data_for_minizinc_in_json(run: Run) -> None:
    """The example beside the models was written by hand."""
    remy = INSTANCES / "remy"
    asked = (remy / "example.txt", "-", "--to", "minizinc-json", "-w", remy / "words.txt", "--repeats")
    example = without_ranges((INSTANCES.parent / "models" / "example.json").read_text(encoding="utf-8"))
    assert without_ranges(run("convert", *asked, "--objective", "sum").out) == example
    assert without_ranges(run("convert", *asked).out) == {**example, "criteria": [], "gain": [0] * 5}


def without_ranges(text: str) -> Any:
    """Return JSON with each range in a set as its numbers."""
    spelt = re.sub(r"\[\[(\d+), (\d+)\]\]", lambda match: str([*range(int(match[1]), int(match[2]) + 1)]), text)
    return json.loads(spelt)


def test_data_for_minizinc_in_dzn(run: Run, tmp_path: Path) -> None:
    target, words = tmp_path / "x.dzn", tmp_path / "words.txt"
    words.write_text("ab;1\nad;20\nbc;5\ncd;2.5\nabc;9\n", encoding="utf-8")
    rules = (
        "--min-score",
        "2",
        "--max-obscure",
        "1",
        "--below",
        "6",
        "--require",
        "bc",
        "--no-shared",
        "--strict",
    )
    done = run("convert", "-", target, "-w", words, *rules, "--objective", "min-then-sum", stdin="A.\n#[XZ]\n")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert target.read_text(encoding="utf-8").splitlines() == [
        "n_letters = 26;", "n_cells = 3;", "n_slots = 2;", "n_words = 3;", "max_length = 2;",
        "allowed = [{1}, 1..26, {24, 26}];", "slot = [{1, 2}, {2, 3}];", "length = [2, 2, 2];",
        "spelling = array2d(1..3, 1..2, [", "  1, 4,", "  2, 3,", "  3, 4", "]);",
        "rank = [3, 2, 1];", "gain = [200, 50, 25];", "weight = [0, 0, 0];", "repeats = false;",
        "marks = [{}, {}, {}];",
        "obscure = {2, 3};", "max_obscure = 1;", "required = {2};", "theme = {};", "levels = [];", "criteria = [2, 3];",
    ]  # fmt: skip


def test_data_is_of_one_grid(run: Run, tmp_path: Path) -> None:
    done = run("convert", "-", tmp_path / "x.dzn", "-w", "en", stdin="..\n\n..\n")
    assert done.complaints == ["cpfill: expected one grid, for dzn, found 2"]


def test_a_file_that_cannot_be_read_replaces_nothing(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "old.ipuz"
    target.write_text("old", encoding="utf-8")
    assert run("convert", "-", target, stdin="?").code == 2
    assert target.read_text(encoding="utf-8") == "old"


def test_an_arrowword(run: Run, tmp_path: Path) -> None:
    grid, drawn = tmp_path / "arrow.txt", tmp_path / "arrow.svg"
    grid.write_text("#.#.\n....\n#.#.\n....\n", encoding="utf-8")
    done = run("convert", grid, drawn, "--layout", "arrows")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert drawn.read_text(encoding="utf-8").count("<polygon") == 4 + 4  # clue cells, and heads of arrows
    refused = run("convert", GRID, drawn, "--layout", "arrows")
    assert (refused.code, len(refused.complaints)) == (2, 1)
    assert refused.complaints[0].endswith("found none for 1-Across, 4-Across, 5-Across, 1-Down, 2-Down and 1 more")
    unknown = run("convert", grid, drawn, "--layout", "arow")
    assert unknown.complaints == [f"cpfill: expected a layout: one of {LAYOUTS}, found 'arow' (did you mean 'arrows'?)"]


def test_a_generated_arrowword_is_drawn_with_arrows(run: Run, tmp_path: Path) -> None:
    drawn = tmp_path / "arrow.svg"
    assert run("generate", "--style", "arrow", "--size", "8x8", "-o", drawn).code == 0
    assert "<polygon" in drawn.read_text(encoding="utf-8")
    assert run("generate", "--style", "arrow", "--size", "8x8", "-o", tmp_path / "arrow.tex").code == 0


def test_a_format_that_is_written_only_is_refused_as_such(run: Run, tmp_path: Path) -> None:
    table, grid = tmp_path / "puzzle.csv", tmp_path / "grid.csv"
    table.write_text("Direction;Number\n1;2\n")
    for verb in (("convert", table, "-", "--to", "xd"), ("solve", table)):
        done = run(*verb)
        assert done.code == 2
        (line,) = done.complaints
        assert line.startswith(f"cpfill: {table}: expected a file that can be read: puz, ")
        assert line.endswith(", found csv, which is written only")
    assert len(run("convert", table, "-", "--to", "xd", "--from", "native").complaints) > 1
    grid.write_text(GRID.read_text())
    assert run("convert", grid, tmp_path / "grid.xd").code == 0


def test_the_suffixes_that_convert_writes_are_listed(run: Run, puzzle: Path) -> None:
    (line,) = run("convert", puzzle, "x.doc").complaints
    assert ".dzn, " in line
    assert ".ipuz, " in line
