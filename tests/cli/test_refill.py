"""Parts of a grid are filled anew, and the rest stays: what the program says and writes."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from cpfill.formats.registry import read_puzzle, write_puzzle
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.puzzle import Puzzle
from tests.support import ENGINE_NAMES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run

WORDS = "CAT\nCAR\nARE\nTEN\nREN\nTAN\nRAN\nCOT\n"
LONG = "ABCDEFGHIJKL"
FILLED = "CAT\n###\nCAR\n"


def test_letters_outside_of_a_region_stay(run: Run, tmp_path: Path) -> None:
    grid, words = tmp_path / "grid.txt", tmp_path / "words.txt"
    grid.write_text(FILLED)
    words.write_text(WORDS)
    done = run("solve", grid, "-w", words, "--clear", "R1C3:R1C3,R3C3", "--min-score", "50", "-n", "1")
    assert done.code == 0
    assert done.fills in ([("CAT", "###", "CAR")], [("CAR", "###", "CAT")])


def test_what_changed_is_told(run: Run, tmp_path: Path) -> None:
    grid, words = tmp_path / "grid.txt", tmp_path / "words.txt"
    grid.write_text("CAT\n###\nCAR\n")
    words.write_text("CAR\nCOT\n")
    done = run("solve", grid, "-w", words, "--clear", "1-Across")
    assert done.fills == [("COT", "###", "CAR")]
    assert done.complaints[0] == f"cpfill: {grid}: 1-Across: CAT → COT"
    done = run("solve", grid, "-w", words, "--keep", "2A", "--json")
    found = done.found[0]
    assert found["changed"] == [{"slot": "1-Across", "old": "CAT", "new": "COT"}]
    done = run("solve", grid, "-w", words, "--clear", "1-Across", "--keep", "R1C1:R1C3")
    assert "→" not in done.err


@pytest.mark.parametrize("suffix", ["ipuz", "puz", "exolve"])
def test_letters_that_a_puzzle_gives_stay_given(suffix: str, run: Run, tmp_path: Path) -> None:
    words, old, new = tmp_path / "words.txt", tmp_path / f"old.{suffix}", tmp_path / f"new.{suffix}"
    words.write_text(WORDS)
    cells = tuple(letter if letter != "#" else None for letter in "CAT###TEN")
    old.write_bytes(write_puzzle(Puzzle(3, 3, cells, givens=frozenset({2, 7})), suffix)[0])
    every = run("solve", old, "-w", words, "--keep", "R1C1:R1C1", "-a", "--json")
    rows = [record["rows"] for record in every.found]
    assert {"".join(row[0]) for row in rows} == {"CAT", "COT"}
    assert {"".join(row[2]) for row in rows} == {"TEN", "REN"}
    assert run("solve", old, "-w", words, "--clear", "1A", "--exclude", "CAT", "-o", new).code == 0
    again = read_puzzle(new)
    assert again.cells == ("C", "O", *cells[2:])
    assert again.givens == {2, 7}


def test_a_clue_stays_with_its_word_alone(run: Run, tmp_path: Path) -> None:
    words, old, new = tmp_path / "words.txt", tmp_path / "old.ipuz", tmp_path / "new.ipuz"
    words.write_text("CAR\nCOT\n")
    clues = {(Direction.ACROSS, 1): "It purrs", (Direction.ACROSS, 2): "It hums"}
    puzzle = Puzzle(3, 3, tuple(letter if letter != "#" else None for letter in "CAT###CAR"), clues)
    old.write_bytes(write_puzzle(puzzle, "ipuz")[0])
    done = run("solve", old, "-w", words, "--clear", "1-Across", "-o", new)
    assert done.complaints[:2] == [
        f"cpfill: {old}: 1-Across: CAT → COT",
        f"cpfill: {old}: dropped 1 clue of words that stood there before",
    ]
    assert dict(read_puzzle(new).clues) == {(Direction.ACROSS, 2): "It hums"}
    marked = replace(puzzle, clues={(Direction.ACROSS, 1): "[no clue]"})
    old.write_bytes(write_puzzle(marked, "ipuz")[0])
    done = run("solve", old, "-w", words, "--clear", "1-Across", "-o", new)
    assert not [line for line in done.complaints if "dropped" in line]


def test_words_of_another_fill_are_not_used_in_what_is_cleared(run: Run, tmp_path: Path) -> None:
    grid, words = tmp_path / "grid.txt", tmp_path / "words.txt"
    grid.write_text("CAT\n###\nCAR\n")
    words.write_text(WORDS)
    ask = ("solve", grid, "-w", words, "--clear", "1A", "--avoid", grid, "-a")
    others = {"ARE", "TEN", "REN", "TAN", "RAN", "COT"}
    assert {rows[0] for rows in run(*ask).fills} == others
    assert {rows[0] for rows in run(*ask, "--exclude", "ten", "--exclude", "Tan").fills} == others - {"TEN", "TAN"}
    several = tmp_path / "several.txt"
    several.write_text("ARE\n###\nCAR\n\nTEN\n###\nREN\n")
    ask = ("solve", grid, "-w", words, "--clear", "1A", "--avoid", several, "-a")
    assert {rows[0] for rows in run(*ask).fills} == {"CAT", "REN", "TAN", "RAN", "COT"}  # REN is no word of 1-Across
    several.write_text("ARE\n")
    assert run(*ask).complaints == ["cpfill: expected a fill of 3 x 3 cells to differ from, found 1 x 3"]


def test_that_no_fill_differs_is_not_that_there_is_none(run: Run, tmp_path: Path) -> None:
    grid, words = tmp_path / "grid.txt", tmp_path / "words.txt"
    grid.write_text("CAT\n###\nCAR\n")
    words.write_text("CAT\nCAR\n")
    ask = (grid, "-w", words, "--clear", "1A", "--avoid", grid)
    done = run("solve", *ask)
    assert (done.code, done.fills) == (20, [])
    (line,) = done.complaints
    assert line.startswith("cpfill: NO_OTHER: without the words to differ from, no word is left for 2-Across")
    for verb in ("solve", "count", "explain"):
        done = run(verb, *ask, "--json")
        assert (done.code, done.records[-1]["status"]) == (20, "NO_OTHER")
    assert run("candidates", grid, "1-Across", *ask[1:]).complaints == [
        "cpfill: no other fill because of 1-Across, 2-Across; all else is judged without that",
        "cpfill: NO_OTHER: 0 words: 0 yes, 0 no, 0 open",
    ]
    assert {line.split()[2] for line in run("compare", *ask, "-e", "mac", "-e", "fc").out.splitlines()[2:]} == {
        "NO_OTHER"
    }
    assert run("solve", *ask[:-2]).fills == [("CAT", "###", "CAR")]


def test_words_that_are_required_may_be_those_of_another_fill(run: Run, tmp_path: Path) -> None:
    grid, words, theme = tmp_path / "grid.txt", tmp_path / "words.txt", tmp_path / "theme.txt"
    grid.write_text("CAT\n###\nCAR\n###\nTEN\n")
    words.write_text(WORDS)
    theme.write_text("CAT\n")
    ask = ("solve", grid, "-w", words, "--clear", "1A,2A,3A", "--avoid", grid, "-a")
    fills = run(*ask, "--require", "ten").fills
    assert {word for rows in fills for word in rows[::2]} == {"TEN", "ARE", "REN", "TAN", "RAN", "COT"}
    done = run(*ask, "--theme", theme)
    assert {word for rows in done.fills for word in rows[::2]} == {"ARE", "REN", "TAN", "RAN", "COT"}
    assert not any("skipped" in line for line in done.complaints)


def test_diverse_fills_of_a_region_differ_in_half_of_what_can_change(run: Run, tmp_path: Path) -> None:
    grid, words = tmp_path / "grid.txt", tmp_path / "words.txt"
    grid.write_text("CAT\n###\nCAR\n###\nARE\n###\nTEN\n###\nREN\n")
    words.write_text(WORDS)
    done = run("solve", grid, "-w", words, "--clear", "1A,2A", "-n", "3", "--diverse")
    assert len(done.fills) == 3
    assert all(rows[4:] == ("ARE", "###", "TEN", "###", "REN") for rows in done.fills)
    for one, other in combinations(done.fills, 2):
        assert len({one[0], one[2]} & {other[0], other[2]}) <= 1
    assert "share over half" not in done.err


def test_a_word_that_is_given_whole_is_accepted(run: Run, tmp_path: Path) -> None:
    grid, words, filled = tmp_path / "grid.txt", tmp_path / "words.txt", tmp_path / "filled.txt"
    grid.write_text("QXZ\n###\n...\n")
    words.write_text("CAR;70\n")
    done = run("solve", grid, "-w", words, "-o", filled, "--json")
    assert done.complaints[0] == f"cpfill: {grid}: accepted though in no list: QXZ"
    found = next(r for r in map(json.loads, filled.read_text().splitlines()) if r["event"] == "found")
    assert [(one["word"], one["score"]) for one in found["words"]] == [("QXZ", 50.0), ("CAR", 70.0)]
    assert run("solve", grid, "-w", words, "--min-score", "60").code == 0
    done = run("solve", grid, "-w", words, "--strict")
    assert done.code == 20
    assert "no word fits 1-Across (QXZ)" in done.err
    assert run("solve", grid, "-w", words, "--exclude", "QXZ").code == 20
    filled.write_text("QXZ\n###\nCAR\n")
    assert run("check", grid, filled, "-w", words).code == 0
    assert run("check", grid, filled, "-w", words, "--strict").out == "fill 1: 1-Across: QXZ is not in your lists\n"
    assert run("check", filled, "-w", words).out == "fill 1: 1-Across: QXZ is not in your lists\n"
    grid.write_text("QXZ\n###\nQXZ\n")
    assert run("solve", grid, "-w", words).code == 20
    assert run("solve", grid, "-w", words, "--repeats").code == 0
    grid.write_text("QXZ\n###\nZXQ\n")
    assert run("solve", grid, "-w", words, "--no-shared").code == 20
    grid.write_text("\n###\n".join(LONG[start : start + 3] for start in range(10)) + "\n")
    assert "ABC, BCD, CDE, DEF, EFG, FGH, GHI, HIJ and 2 others" in run("solve", grid, "-w", words).err


def test_theme_words_that_no_slot_can_hold_are_counted(run: Run, tmp_path: Path) -> None:
    grid, words, theme = tmp_path / "grid.txt", tmp_path / "words.txt", tmp_path / "theme.txt"
    grid.write_text("C..\n###\n...\n")
    words.write_text(WORDS)
    theme.write_text("COG\nROBOT\nCOTE\n")
    done = run("solve", grid, "-w", words, "--theme", theme)
    assert done.complaints[0] == f"cpfill: {grid}: 2 of 3 theme words skipped, which no slot can hold"
    assert "COG" in done.out
    grid.write_text("C..\n###\nC..\n")
    theme.write_text("TEN\n")
    assert run("solve", grid, "-w", words, "--theme", theme).code == 2


def test_an_open_slot_need_not_be_a_word(run: Run, tmp_path: Path) -> None:
    grid, words = tmp_path / "grid.txt", tmp_path / "words.txt"
    grid.write_text("...\n#.#\n...\n")
    words.write_text("CAT\nARE\n")
    assert run("solve", grid, "-w", words).code == 20
    done = run("solve", grid, "-w", words, "--open", "3A", "--json")
    assert done.code == 0
    found = done.found[0]
    assert {one["slot"] for one in found["words"]} == {"1-Across", "2-Down"}
    assert run("solve", grid, "-w", words, "--open", "9A").code == 2


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--personal", "own.txt"), "banned by own.txt: APE"),
        (("--exclude", "ape"), "excluded: APE"),
        (("--strict", "--min-score", 40, "-w", "more.txt"), "under --min-score 40: APE (30)"),
        (("--strict", "--exclude", "axe"), "in no list (--strict): QXZ"),
    ],
)
def test_a_word_that_is_given_and_refused_is_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[object, ...], why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "grid": "APE\n###\nQXZ\n",
        "words": "APE;30\nCAR;70\n",
        "own": "APE;0\n",
        "more": "QXZ\n",
    }.items():
        (tmp_path / f"{name}.txt").write_text(text)
    asked = ("solve", "grid.txt", "-w", "words.txt", *options)
    done = run(*asked)
    assert done.code == 20
    assert f"cpfill: grid.txt: given though {why}; --open lets a slot keep its letters" in done.complaints
    done = run(*asked, "--open", "2-Across" if "QXZ" in why else "1-Across")
    assert (done.code, done.out) == (0, "APE\n###\nQXZ\n")
    assert "given though" not in done.err


def test_own_entries_need_not_score_enough_and_that_is_told(run: Run, tmp_path: Path) -> None:
    grid, words, filled = tmp_path / "grid.txt", tmp_path / "words.txt", tmp_path / "filled.txt"
    grid.write_text("APE\n###\n...\n")
    filled.write_text("APE\n###\nCAR\n")
    words.write_text("APE;30\nCAR;70\nARE;20\n")
    said = f"cpfill: {grid}: accepted though scored too low: APE (30); --strict refuses them"
    low = ("-w", words, "--min-score", 40)
    obscure = ("-w", words, "--max-obscure", 0, "--below", 40)
    for rules in (low, obscure):
        done = run("solve", grid, *rules)
        assert (done.code, done.out, done.complaints[0]) == (0, filled.read_text(), said)
        assert run("check", grid, filled, *rules).code == 0
        assert run("check", grid, filled, *rules, "--strict").code == 1
        assert run("candidates", grid, "2-Across", *rules).complaints[0] == said
        assert run("solve", grid, *rules, "--strict").code == 20
        assert run("solve", grid, *rules, "--proof", tmp_path / f"proof{len(rules)}{rules[2]}", "--all").code == 0
    required = run("solve", tmp_path / "grid.txt", *low, "--clear", "1-Across", "--require", "are")
    assert required.out in {"ARE\n###\nCAR\n", "CAR\n###\nARE\n"}


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_one_slot_is_narrowed(run: Run, tmp_path: Path, engine: str) -> None:
    grid, words, mine = tmp_path / "grid.txt", tmp_path / "words.txt", tmp_path / "mine.txt"
    grid.write_text("...\n###\n...\n")
    words.write_text("CAT;90\nCOT;80\nDOG;70\nEMU;10\n")
    mine.write_text("DOG\nCOT\nYAK\n")
    (scored := tmp_path / "scored.txt").write_text("DOG;95\nCOT;5\nEMU\n")
    all_words = {"CAT", "COT", "DOG", "EMU"}
    for asked, kept in {
        "1A:min=70": {"CAT", "COT", "DOG"},
        f"1-Across:list={mine}": {"COT", "DOG"},
        "1A:pattern=C*": {"CAT", "COT"},
        f"1a: pattern=?O?, list={mine}, min=75": {"COT"},
        f"1A:list={scored},min=75": {"DOG"},
        f"1A:list={scored},min=10": {"DOG", "EMU"},
    }.items():
        done = run("solve", grid, "-w", words, "--slot", asked, "-a", "--engine", engine)
        assert {(rows[0], rows[2]) for rows in done.fills} == {(a, b) for a in kept for b in all_words - {a}}
    ask = ("-w", words, "--slot", "1A:min=70", "--slot", "1A:pattern=?O?")
    assert {rows[0] for rows in run("solve", grid, *ask, "-a", "--engine", engine).fills} == {"COT", "DOG"}
    done = run("solve", grid, "-w", words, "--slot", "1A:min=99", "--engine", engine)
    assert done.code == 20
    assert "no word it may hold fits 1-Across (???)" in done.err
    done = run("explain", grid, "-w", words, "--slot", "1A:min=99")
    assert done.out.startswith("No allowed word fits 1-Across `???`.")
    for pattern, found in {"C?": "one of 2", "C???*": "one of 4 or more"}.items():
        done = run("solve", grid, "-w", words, "--slot", f"1A:pattern={pattern}", "--engine", engine)
        said = f"cpfill: expected a pattern of 3 letters for 1-Across, found {found}"
        assert (done.code, done.complaints) == (2, [said])


def test_the_audit_knows_narrowed_slots(run: Run, tmp_path: Path) -> None:
    grid, words, filled = tmp_path / "grid.txt", tmp_path / "words.txt", tmp_path / "filled.txt"
    grid.write_text("...\n#.#\n...\n")
    words.write_text("CAT;90\nATE;80\nTED;70\nARE;10\nSEE;60\n")
    filled.write_text("CAT\n#T#\nTED\n")
    for asked in ("2D:min=50", "1A:pattern=C*", "3A:pattern=*D"):
        assert run("check", grid, filled, "-w", words, "--slot", asked).code == 0
    for asked, said in {
        "2D:pattern=*T": "fill 1: 2-Down: ATE is not one of the 1 words allowed here\n",
        "3A:min=80": "fill 1: 3-Across: TED is not one of the 2 words allowed here\n",
    }.items():
        done = run("check", grid, filled, "-w", words, "--slot", asked)
        assert (done.code, done.out) == (1, said)


@pytest.mark.parametrize(
    "asked", ["1A", "1A:", "1A:mi=3", "1A:min=x", "1A:min=-1", "1A:pattern=", "99A:min=1", "x:min=1"]
)
def test_what_narrows_no_slot_is_bad_input(run: Run, asked: str) -> None:
    assert run("solve", "5x5", "--slot", asked).code == 2


def test_no_region_is_bad_input(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    done = run("solve", "5x5", "--clear", "XX")
    assert done.code == 2
    assert done.complaints == [
        (
            "cpfill: expected a slot (17-Across), a word in the grid, a rectangle (R1C9:R5C15) or a quadrant (NE), "
            "found 'XX'"
        )
    ]
    assert not capsys.readouterr().out


@pytest.mark.parametrize("least", ["33.5", "10.0", "1e1", ".5", "34"])
def test_a_slot_takes_the_scores_that_a_list_has(least: str, run: Run, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("CAT;33.5\nDOG;33.4\nEMU;9\n")
    done = run("solve", "1x3", "-a", "-w", words, "--slot", f"1A:min={least}")
    scores = {"CAT": 33.5, "DOG": 33.4, "EMU": 9.0}
    assert {fill[0] for fill in done.fills} == {word for word, score in scores.items() if score >= float(least)}
    assert run("solve", "1x3", "-w", words, "--slot", "1A:min=nan").code == 2
    assert run("solve", "1x3", "-w", words, "--slot", "1A:min=-1").code == 2
