from __future__ import annotations

import csv
import io
import json
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.runs.bench.results import encode_record
from tests.bench.support import TINY, gone, no_fill, record
from tests.support import INSTANCES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bench.conftest import Program

SMOKE = str(INSTANCES / "suites" / "smoke.toml")


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "suite.toml"
    path.write_text(TINY, encoding="utf-8")
    return path


def test_the_smoke_suite_is_right(program: Program) -> None:
    assert program("run", SMOKE) == 0, program.err
    verdicts = {json.loads(line)["verdict"] for line in program.out.splitlines()}
    assert verdicts == {"filled", "no fill"}


def test_a_run_is_written_resumed_and_reported(program: Program, suite: Path, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    assert program("run", suite, "-o", path, "-e", "fc") == 0
    assert program.lines == ["cpfill: 4 runs: 3 filled, 1 no fill"]
    assert program("run", suite, "-o", path) == 0
    assert program.lines == [f"cpfill: 4 of 8 runs are in {path} already", "cpfill: 8 runs: 6 filled, 2 no fill"]
    before = path.read_bytes()
    assert program("run", suite, "-o", path) == 0
    assert path.read_bytes() == before
    assert program.out == ""

    assert program("report", path, "--against", "fc", "random") == 0
    assert "squares" in program.out
    assert "How many times faster fc is than random" in program.out
    assert program("report", path, "--markdown") == 0
    assert program.out.startswith("| family | engine | runs |")
    assert program("report", path, "--json", "--against", "fc", "random") == 0
    assert program("report", path, "--csv") == 0
    table = list(csv.DictReader(io.StringIO(program.out)))
    said = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for key in ("label", "grid", "peak_mb", "compiler", "revision", "verdict"):
        assert sorted(row[key] for row in table) == sorted(str(record[key]) for record in said), key
    assert program("report", path, "--json", "--against", "fc", "random") == 0
    whole = json.loads(program.out)
    assert {row["label"]: row["runs"] for row in whole["rows"] if row["family"] == "all"} == {"fc": 4, "random": 4}
    assert len(whole["against"]) == 3
    assert whole["wrong"] == whole["disagreements"] == []


def results(tmp_path: Path, *records: dict[str, Any]) -> Path:
    path = tmp_path / "made.jsonl"
    path.write_bytes(b"".join(map(encode_record, records)))
    return path


def test_a_disagreement_is_a_loud_failure(program: Program, tmp_path: Path) -> None:
    path = results(tmp_path, record("a", "g1", 1.0), no_fill("b", "g1", 1.0))
    for extra in ((), ("--json",), ("--markdown",), ("--csv",)):
        assert program("report", path, *extra) == 1
        assert program.lines == ["cpfill: DISAGREEMENT: g1, words: a has a fill, b says that none exists (search)"]


@pytest.mark.parametrize(("peer", "code"), [(False, 1), (True, 0)])
def test_a_wrong_answer_of_an_engine_is_a_failure(program: Program, tmp_path: Path, peer: bool, code: int) -> None:
    wrong = record("a", "g1", 1.0, verdict="wrong", detail="C3: twice", audited=False)
    if peer:
        del wrong["engine"]
    assert program("report", results(tmp_path, wrong)) == code
    assert program.lines == ["cpfill: WRONG: g1, words: a: C3: twice"]


@pytest.mark.parametrize("other", [("--json",), ("--markdown",), ("--quality",), ("--against", "a", "a")])
def test_csv_is_the_runs_and_nothing_else(program: Program, tmp_path: Path, other: tuple[str, ...]) -> None:
    assert program("report", results(tmp_path, record("a", "g1", 1.0)), "--csv", *other) == 2
    (line,) = program.lines
    assert line.startswith("cpfill: expected --csv without --against, ")
    assert line.endswith(f"found {other[0]}")
    assert program.out == ""


def test_who_decides_alone_is_named(program: Program, tmp_path: Path) -> None:
    path = results(tmp_path, record("a", "g1", 1.0), record("b", "g1", None))
    assert program("report", path, "--against", "a", "b") == 0
    assert "Decided by a alone: g1, words" in program.out


def test_proofs_have_a_table_of_their_own(program: Program, tmp_path: Path) -> None:
    proved = {"ask": "proof", "value": 27.0, "lemmas": 3101, "write_s": 1.5, "check_s": 11.25, "checker": "drat-trim"}
    path = results(tmp_path, record("a", "g1", 2.0, **proved), record("a", "g2", None, ask="proof"))
    assert program("report", path, "--markdown") == 0
    *_, known, unknown = program.out.splitlines()
    assert known == "| g1 | words | a | 27 | 3,101 | 2.00 | 1.50 | 11.25 | 40 | drat-trim |"
    assert unknown == "| g2 | words | a | - | - | 20.00 | - | - | 40 | undecided |"
    assert program("report", path, "--json") == 0
    assert [each["checker"] for each in json.loads(program.out)["certificates"]] == ["drat-trim", None]


BAD: dict[str, tuple[tuple[str, ...], str]] = {
    "no suite": (("run", "no.toml"), "no.toml: expected a file"),
    "a suite that is none": (("run", __file__), "expected TOML"),
    "an engine": (("run", SMOKE, "-e", "cpsta"), "did you mean 'cpsat'"),
    "a limit": (("run", SMOKE, "-t", "soon"), "a time limit"),
    "no limit": (("run", SMOKE, "-t", "0"), "a time limit above 0"),
    "no repetition": (("run", SMOKE, "--repeat", "0"), "from 1 to 100000 for --repeat"),
    "a peer": (("run", SMOKE, "--peer", "x"), "NAME=COMMAND"),
    "a peer named like an engine": (("run", SMOKE, "--peer", "fc-cbj=true"), "'fc-cbj' twice"),
    "results of something else": (("run", SMOKE, "-o", __file__), "a line of results"),
    "no results": (("report", "no.jsonl"), "nothing there"),
    "garbage": (("report", __file__), "a line of results"),
    "a plot": (("report", "no.jsonl", "--plot", "x.gif"), "a file for the plot"),
}


@pytest.mark.parametrize(("words", "said"), BAD.values(), ids=BAD)
def test_bad_input_is_told_in_one_line(program: Program, words: tuple[str, ...], said: str) -> None:
    assert program(*words) == 2
    assert len(program.lines) == 1
    assert said in program.err
    assert program.out == ""


def test_a_contender_that_is_not_there_is_bad_input(program: Program, tmp_path: Path) -> None:
    path = results(tmp_path, record("alpha", "g1", 1.0))
    assert program("report", path, "--against", "alpha", "alpa") == 2
    assert "did you mean 'alpha'" in program.err


HANGING = "import os, time; open({!r}, 'w').write(str(os.getpid())); time.sleep(600)"


def wait_for(process: subprocess.Popen[str], pid: Path) -> int:
    """Return the number of the process that a started program has started."""
    while process.poll() is None and not (pid.exists() and pid.read_text()):
        time.sleep(0.05)
    return int(pid.read_text())


def test_ctrl_c_keeps_results_and_leaves_nobody_behind(suite: Path, tmp_path: Path) -> None:
    results, pid, peer = tmp_path / "results.jsonl", tmp_path / "pid", tmp_path / "peer.py"
    peer.write_text(HANGING.format(str(pid)), "utf-8")
    words = ["run", str(suite), "-e", "fc", "-o", str(results), "--peer", f"hang={sys.executable} -S {peer}"]
    command = [sys.executable, "-m", "cpfill", "bench", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        started = wait_for(running, pid)
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "Traceback" not in err
    assert [json.loads(line)["label"] for line in results.read_bytes().splitlines()] == ["fc"]
    assert gone(started)


def test_a_killed_bench_leaves_nobody_behind(tmp_path: Path) -> None:
    script = HANGING.format(str(tmp_path / "pid"))
    launching = f"launch([sys.executable, '-S', '-c', {script!r}], 600)"
    program = f"import sys; from cpfill.runs.bench.peer import launch; {launching}"
    with subprocess.Popen([sys.executable, "-c", program], text=True) as running:
        started = wait_for(running, tmp_path / "pid")
        running.kill()
    assert gone(started)
