from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.errors import InputError
from cpfill.formats.dialects import parse_grids
from cpfill.runs.bench.peer import find_fill, parse_peer
from cpfill.runs.bench.run import PeerFiles, conclude, execute, plan_runs
from cpfill.testing.brute_force import Rules, cells_of, solve
from tests.bench.support import CASES, in_process, suite_of
from tests.support import INSTANCES
from tests.tables import cases

if TYPE_CHECKING:
    from pathlib import Path

    from cpfill.puzzle.grid import Grid
    from cpfill.runs.bench.results import Record
    from cpfill.runs.bench.suite import Suite
    from tests.cli.program import Run

# Two words across, two down: every fill is one of few.
GRID = "..#\n...\n#..\n"
WORDS = "AB;60\nBA;60\nABA;60\nBAB;60\nAA;60\nBB;60\nAAA;10\n"
RIGHT = "AB#\nBAB\n#BA\n"

SUITE = """
name = "s"
limit = "20s"
min_slot_length = 2
repeats = {repeats}
[[families]]
name = "f"
grids = "g.txt"
lists = "w"
[lists.w]
words = "w.txt"
min_score = 50
[[engines]]
engine = "fc"
"""


def suite(directory: Path, *, repeats: bool = True, limit: str = "20s") -> Suite:
    (directory / "g.txt").write_text(GRID, encoding="utf-8")
    (directory / "w.txt").write_text(WORDS, encoding="utf-8")
    return suite_of(directory, SUITE.format(repeats=str(repeats).lower()).replace("20s", limit))


def ask(directory: Path, script: str, *, repeats: bool = True, limit: str = "20s", options: str = "") -> Record:
    """Return the record of a peer that is a Python program."""
    (directory / "peer.py").write_text(script, encoding="utf-8")
    command = f"peer={shlex.quote(sys.executable)} -S {shlex.quote(str(directory / 'peer.py'))} {options}"
    peer = parse_peer(command, infeasible="(?i)unsat", search=r"took (?P<ms>\d+) ms")
    runs = [r for r in plan_runs(suite(directory, repeats=repeats, limit=limit), [peer]) if r.contender is peer]
    ((_, record),) = execute(runs)
    assert not conclude(runs, {record["key"]: record})[1], "what a peer does is no fault of ours"
    return record


def printing(text: str) -> str:
    return f"print({text!r})"


@cases(CASES, "judged")
def test_prints_of_a_peer_are_judged(tmp_path: Path, case: dict[str, str]) -> None:
    verdict = case["verdict"]
    record = ask(tmp_path, case["script"], limit="1s" if verdict == "timeout" else "20s")
    assert record["verdict"] == verdict
    assert record["detail"].startswith(case["detail"])
    assert record["audited"] is {"filled": True, "wrong": False}.get(verdict)
    assert record["wall_s"] > 0
    assert record["peak_mb"] > 0


def test_an_exit_code_at_the_limit_is_no_crash(tmp_path: Path) -> None:
    script = "import sys, time; time.sleep(1); sys.exit(124)"
    record = ask(tmp_path, script, limit="1s", options="{limit}")
    assert (record["verdict"], record["detail"]) == ("undecided", "exit code 124")


def test_a_duplicate_word_is_wrong(tmp_path: Path) -> None:
    record = ask(tmp_path, printing(RIGHT), repeats=False)
    assert (record["verdict"], record["detail"]) == ("wrong", "C3: AB stands twice (R1C1 across, R1C1 down)")


def test_a_peer_may_tell_its_seconds(tmp_path: Path) -> None:
    assert ask(tmp_path, printing(f"{RIGHT}took 40 ms"))["solve_s"] == pytest.approx(0.04)
    assert ask(tmp_path, printing(RIGHT))["solve_s"] is None


@cases(CASES, "counts")
def test_a_peer_that_counts_is_taken_at_its_word(tmp_path: Path, case: dict[str, Any]) -> None:
    words = {word: 60.0 for word in WORDS.replace(";60", "").split() if ";" not in word}
    every = len(solve(cells_of(*GRID.split()), words, Rules(repeats=True)).fills)
    suite(tmp_path)
    text = SUITE.format(repeats="true").replace("limit =", f'ask = "{case["asked"]}"\nlimit =')
    (tmp_path / "peer.py").write_text(printing(case["said"].format(every)), encoding="utf-8")
    peer = parse_peer(f"peer={sys.executable} -S {tmp_path}/peer.py", count=r"(\d+) fills")
    runs = plan_runs(suite_of(tmp_path, text), [peer])
    records = {record["key"]: record for _, record in execute(runs, in_process)}
    (record,) = (record for record in records.values() if record["label"] == "peer")
    assert record["verdict"] == case["verdict"]
    assert record["fills"] == (every if case["fills"] is None else case["fills"])
    faults = conclude(runs, records)[1]
    assert all(fault.startswith("DISAGREEMENT: ") for fault in faults)
    assert bool(faults) == case["denied"]


def test_a_peer_that_contradicts_an_engine_is_loud(tmp_path: Path) -> None:
    (tmp_path / "peer.py").write_text("print('unsat')", encoding="utf-8")
    peer = parse_peer(f"peer={sys.executable} -S {tmp_path}/peer.py", infeasible="unsat")
    runs = plan_runs(suite(tmp_path), [peer])
    records = {record["key"]: record for _, record in execute(runs, in_process)}
    (fault,) = conclude(runs, records)[1]
    assert fault.startswith("DISAGREEMENT: ")
    assert "fc has a fill, peer says that none exists (says peer)" in fault


BEST = """
import json, sys
data = json.load(open(sys.argv[1]))
best = max(({fills}), key=lambda fill: {key} * sum(data["worth"][letter - 1] for letter in fill))
print("letter =", best)
print("=" * 10)
"""


@pytest.mark.parametrize("right", [True, False])
def test_a_peer_that_proves_the_best_is_held_to_it(tmp_path: Path, right: bool) -> None:
    """The peer gets every fill from the brute force, and says that the best is the best, or that the worst is."""
    words = {word: 60.0 for word in WORDS.replace(";60", "").split() if ";" not in word}
    fills = solve(cells_of(*GRID.split()), words, Rules(repeats=True)).fills
    numbers = [[ord(letter) - 64 for letter in "".join(rows) if letter not in "#."] for rows in fills]
    script = BEST.format(fills=", ".join(map(str, numbers)), key=1 if right else -1)
    (tmp_path / "peer.py").write_text(script, encoding="utf-8")
    peer = parse_peer(f"peer={sys.executable} -S {tmp_path}/peer.py {{minizinc-json}}", best="={10}")
    suite(tmp_path)
    text = SUITE.format(repeats="true").replace("limit =", 'objective = "letter-values"\nlimit =')
    runs = plan_runs(suite_of(tmp_path, text), [peer])
    records = {record["key"]: record for _, record in execute(runs, in_process)}
    engine, said = (next(one for one in records.values() if one["label"] == label) for label in ("fc", "peer"))
    values = sorted(sum(1 if number == 1 else 3 for number in fill) for fill in numbers)
    assert engine["value"] == values[-1]
    assert (said["status"], said["value"], said["bound"]) == ("OPTIMAL", *[values[-1 if right else 0]] * 2)
    faults = conclude(runs, records)[1]
    assert len(faults) == (0 if right else 1)
    assert all("peer says that no fill is worth more than" in fault for fault in faults)


def test_a_peer_that_proves_nothing_has_a_value(tmp_path: Path) -> None:
    (tmp_path / "peer.py").write_text(printing(RIGHT), encoding="utf-8")
    suite(tmp_path)
    text = SUITE.format(repeats="true").replace("limit =", 'objective = "letter-values"\nlimit =')
    peer = parse_peer(f"peer={sys.executable} -S {tmp_path}/peer.py", best="={10}")
    runs = [run for run in plan_runs(suite_of(tmp_path, text), [peer]) if run.contender is peer]
    ((_, record),) = execute(runs)
    assert (record["verdict"], record["value"], record["bound"]) == ("undecided", 15, None)


LITTERING = """
import os, pathlib, sys
if os.fork():
    print({right!r})
    raise SystemExit
os.setsid()
number = 0
while not pathlib.Path({stop!r}).exists():
    folder = pathlib.Path(os.environ["TMPDIR"], str(number))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "file").touch()
    number += 1
"""


def test_what_a_peer_leaves_running_stops_no_bench(tmp_path: Path) -> None:
    stop = tmp_path / "stop"
    try:
        record = ask(tmp_path, LITTERING.format(right=RIGHT, stop=str(stop)))
    finally:
        stop.touch()
    assert record["verdict"] == "filled"


def test_a_peer_that_is_not_told_the_limit_has_no_more_than_that(tmp_path: Path) -> None:
    timeouts = []
    for places in ("", "{limit}", "{limit_ms}"):
        peer = parse_peer(f"peer=true {places}")
        runs = [run for run in plan_runs(suite(tmp_path), [peer]) if run.contender is peer]

        def note(argv: object, timeout_s: float) -> object:
            del argv
            timeouts.append(timeout_s)
            raise InterruptedError

        with pytest.raises(InterruptedError):
            next(execute(runs, note))  # type: ignore[arg-type]
    assert timeouts == [20.0, 30.0, 30.0]


def test_the_command_is_filled_in(tmp_path: Path) -> None:
    peer = parse_peer(
        "p=true {grid} {dict} {scored_dict} {min_score} -j{threads} {seed} {limit} {limit_ms} {index} {name} 'a b' {{}}"
    )
    run = next(run for run in plan_runs(suite(tmp_path), [peer]) if run.contender is peer)
    command = PeerFiles(tmp_path).command(peer, run)
    grid, plain, scored = ((tmp_path / name).read_text(encoding="utf-8") for name in command[1:4])
    assert grid == GRID
    assert set(plain.split()) == {"AB", "BA", "ABA", "BAB", "AA", "BB"}, "words under the score are left out"
    assert set(scored.split()) == {*(f"{word};60" for word in plain.split()), "AAA;10"}, "it gets the score"
    assert command[4:] == ["50", "-j1", "0", "20", "20000", "0", "g", "a b", "{}"]
    untold = PeerFiles(tmp_path).command(parse_peer("p=true {scored_dict} {lower_dict}"), run)
    scored, lower = ((tmp_path / name).read_text(encoding="utf-8") for name in untold[1:])
    assert "AAA" not in scored, "it is not told the score"
    assert lower == plain.lower()


@cases(CASES, "wrong peers")
def test_a_wrong_peer_is_refused(case: dict[str, str]) -> None:
    with pytest.raises(InputError, match=case["said"]):
        parse_peer(case["text"])


def test_wrong_expressions_are_refused() -> None:
    with pytest.raises(InputError, match="a regular expression for --peer-infeasible"):
        parse_peer("peer=true", "(")
    with pytest.raises(InputError, match="an expression with one group"):
        parse_peer("peer=true", "", "took .*")


@pytest.mark.parametrize("option", ["--peer-infeasible", "--peer-search", "--peer-count", "--peer-best"])
def test_a_wrong_expression_is_refused_though_there_is_no_peer(run: Run, option: str) -> None:
    done = run("bench", "run", INSTANCES / "suites" / "smoke.toml", option, "(")
    (line,) = done.complaints
    assert (done.code, done.out) == (2, "")
    assert f"a regular expression for {option}" in line


def grid_of(text: str) -> Grid:
    return parse_grids(text)[1][0]


@cases(CASES, "fills")
def test_fills_are_found_in_many_guises(case: dict[str, str]) -> None:
    fill = find_fill(case["text"], grid_of(GRID))
    assert fill
    assert "".join(letter or "#" for letter in fill.letters) == "AB#BAB#BA"


@pytest.mark.parametrize("text", ["", "AB#\nBAB", "AB#\n\nBAB\n#BA", "A1#\nBAB\n#BA", "no fill found", "..#\n...\n#.."])
def test_what_is_no_fill_is_not_found(text: str) -> None:
    assert find_fill(text, grid_of(GRID)) is None


def test_a_template_with_many_givens_is_not_taken_for_a_fill() -> None:
    assert find_fill("A.#\n.A.\n#..", grid_of("A.#\n.A.\n#..")) is None
