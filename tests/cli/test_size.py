"""Where a verb takes a grid, a size such as 3x3 is an empty one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import cpfill
from tests.cli.program import SQUARE, THREE, TINY

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Outcome, Run

VERBS: dict[str, tuple[object, ...]] = {
    "solve": ("-a", "-e", "fc"),
    "compare": ("-a", "-e", "fc", "-e", "mac"),
    "check": (),
    "explain": (),
    "count": (),
    "batch": ("-e", "fc"),
    "estimate": (),
    "info": (),
    "stats": (),
}


UNLIKE = {"crc", "grid", "id", "key", "load_s", "seconds"}


def answer(run: Run, verb: str, grid: object) -> tuple[int, list[str]]:
    """Return the exit code and what is printed, without names, seconds and what a batch knows its jobs by."""

    def plain(line: str) -> str:
        record = json.loads(line)
        record.get("stats", {}).clear()
        return json.dumps({name: said for name, said in record.items() if name not in UNLIKE})

    options = () if verb == "batch" else ("--json",)
    done: Outcome = run(verb, grid, "-w", THREE, *VERBS[verb], *options)
    return done.code, list(map(plain, done.out.splitlines()))


@pytest.mark.parametrize("verb", VERBS)
def test_a_size_is_an_empty_grid(run: Run, verb: str) -> None:
    assert answer(run, verb, "3x3") == answer(run, verb, SQUARE)


def test_rows_come_first_and_any_dialect_will_do(run: Run) -> None:
    record = run("info", "2x7", "--json").records[0]
    assert (record["grid"], record["height"], record["width"]) == ("2x7", 2, 7)
    assert run("solve", "3x3", "-w", THREE, "--dialect", "upmc").out.startswith("3 3\n")


def test_a_file_of_that_name_comes_first(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "4x4").write_text("..\n..\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run("info", "4x4", "--json").records[0]["height"] == 2
    jobs = tmp_path / "jobs"
    jobs.mkdir()
    (jobs / "3x3").write_text("...\n", encoding="utf-8")
    (jobs / "a.jsonl").write_text('{"grid": "3x3"}\n{"grid": "2x2"}\n', encoding="utf-8")
    found = run("batch", jobs / "a.jsonl", "-q", "-w", TINY / "three.words.txt").records
    assert sorted(each["grid"] for each in found) == [str(jobs / "3x3"), "2x2"]


def test_the_library_takes_a_size() -> None:
    assert cpfill.solve("3x3", THREE).status is cpfill.Status.SATISFIED
    assert cpfill.make_problem("2x3").grid.width == 3
