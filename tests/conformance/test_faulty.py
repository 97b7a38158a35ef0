"""An engine of another package that fails is one line, which names it, its package and its fault; no other suffers."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.questions.request import Request
from cpfill.runs.bench.child import answer_task
from tests.cli.program import COMMAND, HANG_S, SQUARE, THREE
from tests.conformance import faulty
from tests.support import ROOT
from tests.web.support import Client, puzzle, serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run

FAULTS = {
    "unmade": "found ZeroDivisionError: several\\nlines (faulty.py:",
    "refusing": "found SystemExit: 3 (faulty.py:",
    "searchless": "found KeyError: 'key' (faulty.py:",
    "eventless": "found OSError: [Errno 28] no space left on device (faulty.py:",
    "quitting": "found SystemExit (faulty.py:",
    "streamless": "found AttributeError: 'NoneType' object",
    "chatting": "no event: 'a fill is near'",
    "unfilled": "no event: Found(fill='ABC'",
    "wrapping": "found ValueError: after a fill of mac (faulty.py:",
}
CLASSES = {each.name: each for each in vars(faulty).values() if getattr(each, "name", None) in {*FAULTS, "lying"}}
ASKED = (SQUARE, "-w", THREE)


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the package that declares these engines, here and for processes that begin."""
    record = tmp_path / "site" / "faulty-2.1.dist-info"
    record.mkdir(parents=True)
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty\nVersion: 2.1\n")
    entries = "".join(f"{name} = tests.conformance.faulty:{each.__name__}\n" for name, each in CLASSES.items())
    (record / "entry_points.txt").write_text(f"[cpfill.engines]\n{entries}")
    monkeypatch.syspath_prepend(record.parent)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(record.parent), str(ROOT)]))


@pytest.mark.parametrize("verb", ["solve", "count"])
@pytest.mark.parametrize("engine", FAULTS)
def test_one_line_names_it(run: Run, verb: str, engine: str) -> None:
    done = run(verb, *ASKED, "-e", engine)
    assert (done.code, done.out) == (1, "")
    (line,) = done.complaints
    assert line.startswith(f"cpfill: engine {engine} of faulty 2.1: expected an answer, ")
    assert FAULTS[engine] in line


def test_in_a_process_of_its_own() -> None:
    """There `sys.exit` would end the program."""
    command = [*COMMAND, "solve", *map(str, ASKED), "-e", "quitting"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG_S, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("cpfill: engine quitting of faulty 2.1: expected an answer, found SystemExit (")


def test_the_others_answers_stay(run: Run) -> None:
    done = run("compare", *ASKED, *(word for engine in FAULTS for word in ("-e", engine)), "-e", "fc")
    assert done.code == 1
    rows = [line.split()[1:3] for line in done.out.splitlines() if str(SQUARE) in line]
    assert rows == [*([engine, "FAULT"] for engine in FAULTS), ["fc", "SATISFIED"]]
    told = [line for line in done.complaints if f"{SQUARE}: FAULT: engine " in line]
    assert [line.split()[4] for line in told] == [*FAULTS]


def test_who_wraps_another_engine_has_its_own_name(run: Run) -> None:
    """What the events of the other come to is what the wrapper says."""
    done = run("solve", *ASKED, "-e", "lying", "--objective", "min")
    assert (done.code, done.out) == (1, "")
    assert done.complaints == ["cpfill: engine lying has a fill worth 50 over its bound 0"]


def test_in_a_batch_it_is_the_job_that_failed(run: Run, tmp_path: Path) -> None:
    jobs = tmp_path / "jobs.jsonl"
    asked = {"grid": ["...", "...", "..."], "words": str(THREE)}
    jobs.write_text("".join(json.dumps({**asked, "engine": engine}) + "\n" for engine in [*FAULTS, "fc"]))
    done = run("batch", jobs)
    records = {record["engine"]: record for record in map(json.loads, done.out.splitlines())}
    assert done.code == 1
    assert records.pop("fc")["status"] == "SATISFIED"
    assert {engine: record["status"] for engine, record in records.items()} == dict.fromkeys(FAULTS, "FAILED")
    for engine, record in records.items():
        assert record["error"].startswith(f"engine {engine} of faulty 2.1: ")


def test_in_a_bench_it_is_an_error_of_the_run() -> None:
    request = Request.of(str(SQUARE), str(THREE)).plain
    task = {"request": request, "number": 0, "ask": "fill", "options": {}, "limits": {"time_s": 20.0}}
    for engine in FAULTS:
        assert f"engine {engine} of faulty 2.1: " in answer_task({**task, "engine": engine})["error"]


@pytest.mark.parametrize("engine", ["unmade", "quitting", "wrapping"])
def test_on_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str], engine: str) -> None:
    (tmp_path / "mine.txt").write_bytes(THREE.read_bytes())
    asked = {"puzzle": puzzle("...", "...", "..."), "request": {"words": ["mine.txt"]}, "engine": engine}
    with serving(tmp_path) as page:
        told = Client(page.port, page.token).ask("POST", "/api/solve", asked)
    last = told.records[-1]["error"]
    assert last.startswith(f"engine {engine} of faulty 2.1: expected an answer, found ")
    assert capsys.readouterr().err == f"cpfill: {last}\n"


@pytest.mark.parametrize("engine", FAULTS)
def test_in_the_library(engine: str) -> None:
    with pytest.raises(cpfill.EngineError) as raised:
        cpfill.solve(SQUARE, THREE, engine=engine)
    assert str(raised.value).startswith(f"engine {engine} of faulty 2.1: ")
    assert raised.value.__cause__ is not None


def test_one_that_no_package_declares() -> None:
    class Own(faulty.Eventless):
        name = "own"

    with pytest.raises(cpfill.EngineError, match=r"engine own of the module tests\.conformance\.test_faulty: "):
        cpfill.solve(SQUARE, THREE, engine=Own())
