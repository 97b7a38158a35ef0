"""Many jobs at once: each has its line, whatever becomes of the others, and a run that was stopped goes on."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.records import unseal
from cpfill.runs.batch import encode_line
from tests.cli.program import (
    COMMAND,
    EMPTY_7X7,
    HANG_S,
    INSTANCES,
    THREE,
    assert_right,
    at_terminal,
    cells_in,
    environment,
    words_of,
)
from tests.cli.test_interrupt import interrupt

if TYPE_CHECKING:
    from tests.cli.program import Run

CLASSIC = INSTANCES / "classic"
ROWS = ["...", "...", "..."]
WORDS = {"words": str(THREE)}
HARD = {"grid": str(EMPTY_7X7), "words": "en", "engine": "fc"}


def records(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def jobs(tmp_path: Path, *given: object) -> Path:
    path = tmp_path / "jobs.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in given), encoding="utf-8")
    return path


def test_a_directory(run: Run) -> None:
    done = run("batch", CLASSIC, "--glob", "05.*.txt", "--seeds", "0-1", "-j", 2)
    assert done.code == 0
    assert done.complaints == ["cpfill: 20 jobs: 20 SATISFIED"]
    told = done.records
    files = sorted(CLASSIC.glob("05.*.txt"))
    assert sorted(one["id"] for one in told) == [f"{file.name}@{seed}" for file in files for seed in (0, 1)]
    words = words_of("en")
    for one in told:
        assert_right(tuple(one["fill"]), cells_in(Path(one["grid"])), words)
        assert one["id"].endswith(f"@{one['seed']}")


def test_one_bad_byte_stops_one_job(run: Run, tmp_path: Path) -> None:
    path = jobs(tmp_path, {"id": "a", "grid": ROWS}, {"id": "b", "grid": ROWS}, {"id": "c", "grid": ROWS})
    path.write_bytes(path.read_bytes().replace(b'"b"', b'"\xe9"').replace(b'"c"', b'"c\0"'))
    done = run("batch", path, "-w", THREE)
    assert done.code == 2
    told = {one["id"]: one for one in done.records}
    assert {name: one["status"] for name, one in told.items()} == {
        "a": "SATISFIED", "jobs.jsonl:2": "INVALID", "jobs.jsonl:3": "INVALID",
    }  # fmt: skip
    assert f"{path}:2: expected UTF-8 text, found byte 0xE9 at column 9" in told["jobs.jsonl:2"]["error"]


def test_a_run_that_was_stopped_goes_on(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    command = ("batch", jobs(tmp_path, *({"id": n, "grid": ROWS} for n in range(6))), "-w", THREE, "-o", out)
    assert run(*command).code == 0
    whole = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(b"".join(whole[:3]) + whole[3][:50])
    done = run(*command)
    assert done.code == 0
    assert done.out == ""
    assert done.complaints == [f"cpfill: 3 of 6 jobs are in {out} already", "cpfill: 6 jobs: 6 SATISFIED"]
    assert out.read_bytes().splitlines(keepends=True)[:3] == whole[:3]
    assert sorted(one["id"] for one in records(out.read_text(encoding="utf-8"))) == list(range(6))
    other = run(*command, "--seeds", "1", "-q")
    assert (other.code, len(out.read_bytes().splitlines())) == (0, 12)


def test_what_failed_is_run_again_when_asked_for(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    command = ("batch", jobs(tmp_path, {"id": 1, "grid": ROWS}, {"grid": []}), "-w", THREE, "-o", out)
    assert run(*command).code == 2
    bad, good = sorted(filter(None, map(unseal, out.read_bytes().splitlines())), key=lambda one: str(one["status"]))
    assert (bad["status"], good["status"]) == ("INVALID", "SATISFIED")
    failed = {"id": 1, "key": good["key"], "grid": good["grid"], "status": "FAILED", "error": "lost"}
    out.write_bytes(encode_line(bad) + encode_line(failed))
    kept = run(*command)
    assert kept.code == 1
    assert len(out.read_bytes().splitlines()) == 2
    again = run(*command, "--retry")
    assert again.code == 2
    assert [one["status"] for one in records(out.read_text(encoding="utf-8"))] == ["INVALID", "FAILED", "SATISFIED"]


def test_a_bar_on_a_terminal(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    path = jobs(tmp_path, *({"grid": ROWS, "seed": seed} for seed in range(30)))
    done = at_terminal("batch", path, "-w", THREE, "-j", 1, "-o", out)
    assert (done.code, done.out) == (0, "")
    assert re.search(r"\d+/30.*\d\.\d/s", done.err)
    assert done.err.endswith("cpfill: 30 jobs: 30 SATISFIED\n")
    piped = at_terminal("batch", path, "-w", THREE, "-j", 1)
    assert len(piped.records) == 30
    assert "/30" in piped.err
    quiet = at_terminal("batch", path, "-w", THREE, "-j", 1, "-q")
    assert quiet.err == ""


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if int(fields[1]) == pid:
            found.append(int(stat.parent.name))
    return found


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc to see processes in")
@pytest.mark.parametrize("killed", [False, True])
def test_ctrl_c_keeps_what_is_done_and_leaves_no_process(tmp_path: Path, *, killed: bool) -> None:
    out = tmp_path / "results.jsonl"
    path = jobs(
        tmp_path, *({"id": n, "grid": ROWS, **WORDS} for n in range(3)), {"id": "x", **HARD}, {"id": "y", **HARD}
    )
    with subprocess.Popen(
        [*COMMAND, "batch", str(path), "-j", "2", "-o", str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        while not (out.exists() and out.read_bytes().count(b"\n") == 3):
            assert process.poll() is None
            time.sleep(0.02)
        workers = children_of(process.pid)
        assert len(workers) == 2
        if killed:
            process.kill()
            process.communicate(timeout=HANG_S)
        else:
            done = interrupt(process)
            assert (done.code, done.out) == (130, "")
            assert done.complaints == ["cpfill: 5 jobs: 3 SATISFIED; interrupted, 2 left"]
    deadline = time.monotonic() + HANG_S
    while any(map(alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.02)  # those of a process that was killed see to it themselves
    assert not any(map(alive, workers))
    assert sorted(one["id"] for one in records(out.read_text(encoding="utf-8"))) == [0, 1, 2]
