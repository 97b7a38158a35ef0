from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from cpfill.problem.result import Deadline
from cpfill.testing import brute_force
from cpfill.testing.brute_force import cells_of
from tests.cli.program import (
    EMPTY_7X7,
    INSTANCES,
    SQUARE,
    THREE,
    TINY,
    assert_right,
    cells_in,
    fills_of,
    program,
    table,
    typed,
    words_of,
)
from tests.support import ENGINE_NAMES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run

REMY = INSTANCES / "remy"
ONCE = TINY / "once.words.txt"
SCORED = TINY / "scored.txt"

# One grid in each dialect; with the words of `once.words.txt` it has eight fills.
CELLS = cells_of("....", ".##.", "....")
DIALECTS = {
    "native": "....\n.##.\n....\n",
    "remy": "1111\n1001\n1111\n",
    "upmc": "3 4\n0 0 0 0\n0 1 1 0\n0 0 0 0\n",
    "beacham": "(_ _ _ _)\n(_ * * _)\n(_ _ _ _)\n",
    "grl": "3 4\n    \n ** \n    \n",
}


def best_minimum(words: dict[str, float]) -> float:
    """Return the greatest minimum score of a fill of the grid `SCORED`."""
    best = brute_force.solve(cells_in(SCORED), words).best
    assert best is not None
    return best[0]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("engine", ["cpsat", "fc"])
def test_every_fill_in_the_dialect_read(run: Run, dialect: str, engine: str) -> None:
    words = words_of(ONCE)
    done = run("solve", "-", "-w", ONCE, "-a", "-e", engine, stdin=DIALECTS[dialect])
    fills = fills_of(done.out, dialect)
    expected = brute_force.solve(CELLS, words).fills
    assert len(expected) > 1
    assert (done.code, sorted(fills)) == (0, sorted(expected))
    assert f"{len(expected)} fills, all there are, proved by" in done.err


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_forced_dialect(run: Run, dialect: str) -> None:
    done = run("solve", "-", "-w", ONCE, "--dialect", dialect, "-e", "fc", stdin=DIALECTS[dialect])
    (fill,) = fills_of(done.out, dialect)
    assert_right(fill, CELLS, words_of(ONCE))


def test_standard_output_holds_the_fill_and_standard_error_the_verdict() -> None:
    done = program("solve", SQUARE, "-w", THREE)
    (fill,) = done.fills
    assert_right(fill, cells_in(SQUARE), words_of(THREE))
    assert done.out == "\n".join(fill) + "\n"
    assert done.code == 0
    assert re.fullmatch(r"cpfill: 1 fill \(.+, [\d.]+ s\)\n", done.err)


def test_remy_s_example_has_five_fills_with_repeats() -> None:
    done = program("solve", REMY / "example.txt", "-w", REMY / "words.txt", "--repeats", "-a")
    cells = cells_of("....", ".##.", ".##.", "....")
    fills = fills_of(done.out, "remy")
    assert done.code == 0
    assert len(set(fills)) == len(fills) == 5
    assert re.fullmatch(r"([a-z0]{4}\n){4}(\n([a-z0]{4}\n){4}){4}", done.out)
    for fill in fills:
        assert_right(fill, cells, words_of(REMY / "words.txt"), repeats=True)


def test_several_grids_in_a_file_with_the_packaged_list() -> None:
    done = program("solve", INSTANCES / "assignment" / "all.upmc.txt", "-e", "fc")
    fills = fills_of(done.out, "upmc")
    assert done.code == 0
    assert len(done.complaints) == 3
    for name, fill in zip("ABC", fills, strict=True):
        assert_right(fill, cells_in(INSTANCES / "assignment" / f"{name}.txt"), words_of("en"))


def test_several_files(run: Run) -> None:
    done = run("solve", SQUARE, TINY / "one-fill.txt", "-w", THREE)
    first, second = done.fills
    assert_right(first, cells_in(SQUARE), words_of(THREE))
    assert_right(second, cells_in(TINY / "one-fill.txt"), words_of(THREE))
    assert (done.code, len(done.complaints)) == (0, 2)


def test_the_gravest_code_of_several_grids_wins_and_what_was_found_is_printed(run: Run) -> None:
    done = run("solve", TINY / "too-long.txt", SQUARE, "-w", THREE)
    assert done.code == 20
    assert len(done.fills) == 1


def test_no_stray_blank_line_after_a_grid_without_a_fill(run: Run) -> None:
    done = run("solve", SQUARE, TINY / "too-long.txt", "-w", THREE)
    assert done.out == "\n".join(done.fills[0]) + "\n"


def test_a_blank_line_parts_the_fills_of_grids_whose_enumeration_was_cut_short(run: Run) -> None:
    done = run("solve", SQUARE, SQUARE, "-w", THREE, "-a", "--repeats", "-e", "fc", "--node-limit", 60)
    assert done.code == 124
    assert len(done.fills) > 1
    assert {len(fill) for fill in done.fills} == {3}


@pytest.mark.parametrize(("asked", "given"), [(1, 1), (3, 3), (4, 4), (99, 4)])
@pytest.mark.parametrize("engine", ["cpsat", "fc-cbj"])
def test_so_many_fills(run: Run, engine: str, asked: int, given: int) -> None:
    done = run("solve", SQUARE, "-w", THREE, "-n", asked, "-e", engine)
    assert done.code == 0
    assert len(set(done.fills)) == len(done.fills) == given
    for fill in done.fills:
        assert_right(fill, cells_in(SQUARE), words_of(THREE))


@pytest.mark.parametrize("engine", ["fc", "mac"])
@pytest.mark.parametrize("asked", [2, 3])
@pytest.mark.parametrize("grid", [SQUARE, INSTANCES / "assignment" / "C.txt"])
def test_fills_that_are_alike_are_told_to_be(run: Run, grid: Path, asked: int, engine: str) -> None:
    done = run("solve", grid, "-w", THREE if grid is SQUARE else "en", "-n", asked, "-e", engine)
    words = [set(brute_force.words_in(fill, 2)) for fill in done.fills]
    alike = any(2 * len(one & other) > len(other) for one, other in pairwise(words))
    assert ("--diverse" in done.err) is alike
    assert len(done.complaints) == 1 + alike


@pytest.mark.parametrize("more", [("-a",), ("-n", 99), ("-n", 2, "-q"), ("-n", 2, "--diverse"), ()])
def test_where_nothing_is_left_to_choose_likeness_is_not_told(run: Run, more: tuple[object, ...]) -> None:
    """All four fills of this square have a twin, its rows and columns exchanged."""
    assert "--diverse" in run("solve", SQUARE, "-w", THREE, "-n", 3).err
    assert "--diverse" not in run("solve", SQUARE, "-w", THREE, *more).err


@pytest.mark.parametrize("engine", ["cpsat", "fc"])
def test_a_list_of_one_s_own_scores_is_maximised(run: Run, engine: str) -> None:
    best = best_minimum(words_of(ONCE))
    done = run("solve", SCORED, "--weighted", ONCE, "-e", engine)
    (fill,) = done.fills
    assert done.code == 0
    assert min(words_of(ONCE)[word] for word in brute_force.words_in(fill, 2)) == best
    assert re.fullmatch(rf"cpfill: optimal: minimum score {best:g}, proved by .+\n", done.err)


@pytest.mark.parametrize("maximise", ["descent", "objective"])
def test_objective_min_over_a_plain_list(run: Run, maximise: str) -> None:
    answer = brute_force.solve(cells_in(SCORED), words_of(ONCE))
    done = run("solve", SCORED, "-w", ONCE, "--objective", "min", "--maximise", maximise, "-e", "cpsat")
    assert done.code == 0
    assert done.fills[0] in answer.best_fills
    assert f"optimal: minimum score {best_minimum(words_of(ONCE)):g}, proved by " in done.err


def test_words_that_only_the_other_list_has_score_nothing(run: Run, tmp_path: Path) -> None:
    theme = tmp_path / "theme.txt"
    theme.write_text("ASH;90\nXYLEM;99\n", encoding="utf-8")
    done = run("solve", SQUARE, "--weighted", theme, "-w", THREE, "-w", ONCE, "--json")
    (found,) = done.found
    assert {entry["score"] for entry in found["words"]} <= {0, 90}
    assert "optimal: minimum score 0, proved by" in done.err


def test_a_theme_list_is_preferred_where_it_suffices(run: Run) -> None:
    union = dict.fromkeys(words_of(THREE), 0.0) | words_of(ONCE)
    best = best_minimum(union)
    assert best
    done = run("solve", SCORED, "--weighted", ONCE, "-w", THREE)
    assert f"optimal: minimum score {best:g}, proved by" in done.err


def test_objective_any_over_a_weighted_list_stops_at_a_fill(run: Run) -> None:
    done = run("solve", SCORED, "--weighted", ONCE, "--objective", "any")
    assert (done.code, len(done.fills)) == (0, 1)
    assert "optimal" not in done.err


NONE = r"""
solve remy/example.txt -w remy/words.txt => 20 UNSATISFIABLE: no word is left for \d+-(Across|Down) \(
solve too-long.txt -w three.words.txt => 20 UNSATISFIABLE: 1-Across has 5 cells, longer than any word \(3\)
solve too-long.txt -w three.words.txt -e cpsat => 20 UNSATISFIABLE: 1-Across has 5 cells, longer than any word \(3\)
solve too-long.txt -w three.words.txt -e fc-cbj => 20 UNSATISFIABLE: 1-Across has 5 cells, longer than any word \(3\)
solve - -w three.words.txt <<< X..\n###\n...\n => 20 UNSATISFIABLE: no word fits 1-Across \(X\?\?\)
solve @ --min-score 51 => 20 UNSATISFIABLE: 1-Across has 3 cells, and no such word scores 51
solve squares/7x7.txt -t 0.001s -e cpsat => 124 UNKNOWN: no fill found, time is over, none excluded
solve squares/7x7.txt -t 0.001s -e fc => 124 UNKNOWN: no fill found, time is over, none excluded
solve scored.txt -w once.words.txt --objective sum -t 0s => 124 UNKNOWN: no fill found, time is over
solve @ -e fc --node-limit 1 => 124 UNKNOWN: no fill found, node limit reached
explain squares/7x7.txt -t 100ms => 124 UNKNOWN: no fill found, none excluded, time is over \(
"""


@pytest.mark.parametrize(("command", "said"), table(NONE))
def test_why_there_is_no_fill(run: Run, command: str, said: str) -> None:
    args, stdin = typed(command)
    code, _, line = said.partition(" ")
    done = run(*args, stdin=stdin)
    assert (done.code, done.out) == (int(code), "")
    assert re.match(f"cpfill: {line}", done.err)


def test_min_slot_length(run: Run) -> None:
    done = run("solve", "-", "-w", THREE, "--min-slot-length", 3, stdin="...\n.##\n.##\n###\nXQ#\n")
    assert done.code == 0
    assert done.fills[0][4] == "XQ#"


def test_an_enumeration_cut_short_says_that_there_may_be_more(run: Run) -> None:
    done = run("solve", SQUARE, "-w", THREE, "--repeats", "-a", "-e", "fc", "--node-limit", 60)
    assert done.code == 124
    assert done.fills
    assert f"{len(done.fills)} fill" in done.err
    assert "node limit reached; there may be more" in done.err


@pytest.mark.parametrize(
    "setting", ["max_deterministic_time=0.0001", "max_number_of_conflicts=0", "stop_after_presolve=true"]
)
def test_a_solver_that_gives_up_has_proved_nothing(run: Run, setting: str) -> None:
    done = run("solve", SQUARE, "-w", THREE, "--cpsat-param", setting, "-e", "cpsat")
    assert "UNSATISFIABLE" not in done.err
    assert done.code in {0, 2, 124}


def test_an_enumeration_that_gives_up_is_not_complete(run: Run) -> None:
    done = run("solve", SQUARE, "-w", THREE, "-a", "--cpsat-param", "stop_after_first_solution=true", "-e", "cpsat")
    assert len(done.fills) == 4 or "all there are" not in done.err
    assert len(done.fills) == 4 or done.code in {2, 124}


@pytest.mark.parametrize("more", [(), ("-a",)])
def test_a_solver_that_stops_before_the_time_is_over_has_proved_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    """CP-SAT stops a little early by its own clock: when it returns, ours may say that there is time left."""
    words = [word for word in words_of("en") if len(word) == 7][:900]
    (tmp_path / "words.txt").write_text("\n".join(words), encoding="utf-8")
    monkeypatch.setattr(Deadline, "passed", property(lambda _: False))
    options = ("-e", "cpsat", "--core", 1000, "-t", "0.3s", *more)
    done = run("solve", EMPTY_7X7, "-w", tmp_path / "words.txt", *options)
    assert done.code == 124
    assert done.err.startswith("cpfill: UNKNOWN: no fill found, time is over")


@pytest.mark.parametrize("engine", ["cpsat", "fc"])
def test_json_lines(run: Run, engine: str) -> None:
    done = run("solve", SCORED, "-w", ONCE, "--objective", "min", "--json", "-e", engine)
    kinds = [event["event"] for event in done.parts]
    assert kinds[0] == "started"
    assert kinds.count("started") == 1
    assert set(kinds) <= {"started", "progress", "found", "bound"}
    (last,) = done.ends
    assert last == done.records[-1]
    best = done.found[-1]
    assert last["status"] == "OPTIMAL"
    assert last["reason"] == "exhausted"
    assert last["engine"] == engine
    assert last["grid"] == str(SCORED)
    assert last["fills"] == kinds.count("found")
    assert last["value"] == last["bound"] == best["value"] == 71
    assert last["wipeout"] is None
    assert last["proof"]
    assert {"nodes", "backtracks", "backjumps", "checks", "build_s", "search_s"} == set(last["stats"])
    fill = tuple("".join(letter or "#" for letter in row) for row in best["rows"])
    assert_right(fill, cells_in(SCORED), words_of(ONCE))
    assert sorted(entry["word"] for entry in best["words"]) == sorted(brute_force.words_in(fill, 2))
    assert all(words_of(ONCE)[entry["word"]] == entry["score"] for entry in best["words"])


def test_json_has_the_spelling_of_the_list(run: Run) -> None:
    done = run("solve", TINY / "folded.txt", "-w", TINY / "folded.words.txt", "--json", "-q", "--objective", "any")
    (found,) = done.found
    spelt = set((TINY / "folded.words.txt").read_text(encoding="utf-8").replace(";", "\n").splitlines())
    assert all(entry["spelling"] in spelt for entry in found["words"])


def test_json_of_no_fill(run: Run) -> None:
    last = run("solve", TINY / "too-long.txt", "-w", THREE, "--json").records[-1]
    assert (last["status"], last["fills"], last["wipeout"]) == ("UNSATISFIABLE", 0, "1-Across")
    assert last["value"] is None


def test_statistics_on_standard_error(run: Run) -> None:
    done = run("solve", SQUARE, "-w", THREE, "-e", "fc", "-s")
    stats = dict(re.findall(r"^%% (\w+): ([\d.e+-]+)$", done.err, re.MULTILINE))
    assert {"load_s", "nodes", "backtracks", "backjumps", "checks", "build_s", "search_s"} <= set(stats)
    assert int(stats["nodes"]) > 0
    assert len(done.fills) == 1


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_the_statistics_have_the_number_of_the_fills(run: Run, engine: str) -> None:
    done = run("solve", SQUARE, "-w", THREE, "-a", "-e", engine, "-s")
    assert re.findall(r"^%% fills: (.*)$", done.err, re.MULTILINE) == [str(len(done.fills))] == ["4"]


def test_large_statistics_are_written_out(run: Run) -> None:
    done = run("solve", EMPTY_7X7, "-e", "fc", "-s", "-q", "-t", "0.3s")
    assert not re.search(r"^%% (nodes|backtracks|backjumps|checks): .*e\+", done.err, re.MULTILINE), done.err


def test_quiet(run: Run) -> None:
    done = run("solve", SQUARE, "-w", THREE, "-q")
    assert (done.code, done.err, len(done.fills)) == (0, "", 1)


def test_lines_of_a_list_that_were_skipped_are_counted(run: Run, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text(THREE.read_text(encoding="utf-8") + "ACE\nR2D2\n# a comment\n--\n", encoding="utf-8")
    done = run("solve", SQUARE, "-w", words)
    (line,) = [line for line in done.complaints if "skipped" in line]
    assert line.startswith(f"cpfill: {words}: ")
    assert "1 duplicate" in line
    assert "1 comment" in line


@pytest.mark.parametrize("options", [("-e", "cpsat"), ("-e", "fc", "--shuffle"), ("-e", "fc", "--order", "random")])
def test_the_same_seed_gives_the_same_output(run: Run, options: tuple[str, ...]) -> None:
    first, again = [run("solve", SQUARE, "-w", THREE, "--repeats", "-n", 20, "--seed", 7, *options) for _ in range(2)]
    assert first.out == again.out


def test_another_seed_gives_another_shuffle(run: Run) -> None:
    outputs = {
        run("solve", SQUARE, "-w", THREE, "--repeats", "-e", "fc", "--shuffle", "--seed", s).out for s in range(9)
    }
    assert len(outputs) > 1


def test_another_alphabet(run: Run) -> None:
    done = run("solve", TINY / "spanish.txt", "-w", TINY / "spanish.words.txt", "--alphabet", "es", "-a")
    words = words_of(TINY / "spanish.words.txt")
    rows = (TINY / "spanish.txt").read_text(encoding="utf-8").split()
    cells = cells_of(*rows, alphabet="ABCDEFGHIJKLMNÑOPQRSTUVWXYZ")
    assert done.code == 0
    assert set(done.fills) == brute_force.solve(cells, words).fills


def test_another_fill_than_the_one_in_a_file(run: Run, tmp_path: Path) -> None:
    """Until there is no other: of four fills each has another."""
    known = tmp_path / "fill.txt"
    (first,) = run("solve", SQUARE, "-w", THREE).fills
    known.write_text("\n".join(first))
    (other,) = run("solve", SQUARE, "-w", THREE, "--another", known).fills
    assert other != first
    assert_right(other, cells_in(SQUARE), words_of(THREE))
    listed = tmp_path / "words.txt"
    listed.write_text("\n".join(brute_force.words_in(first, 2)))
    *_, fill = brute_force.solve(cells_in(SQUARE), words_of(listed), brute_force.Rules()).fills
    known.write_text("\n".join(fill))
    fills = brute_force.solve(cells_in(SQUARE), words_of(listed), brute_force.Rules()).fills
    assert bool(run("solve", SQUARE, "-w", listed, "--another", known).fills) == (len(fills) > 1)
    for text, said in (
        ("AB\nCD", "expected a fill of 3 x 3 cells to differ from, found 2 x 2"),
        ("...\n" * 3, "a fill to"),
    ):
        known.write_text(text)
        done = run("solve", SQUARE, "-w", THREE, "--another", known)
        assert (done.code, said in done.err) == (2, True)
