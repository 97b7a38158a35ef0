"""Where a verb takes a grid, a size such as 3x3 is an empty one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import cpfill
from tests.cli.program import SQUARE, THREE

if TYPE_CHECKING:
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


def test_the_library_takes_a_size() -> None:
    assert cpfill.solve("3x3", THREE).status is cpfill.Status.SATISFIED
    assert cpfill.make_problem("2x3").grid.width == 3
