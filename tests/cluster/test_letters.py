"""Cubes on a real Dask cluster: what `letters` tells and counts alone, also where a worker is killed midway."""

from __future__ import annotations

import pickle
from contextlib import closing, contextmanager
from itertools import cycle
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.errors import EngineError, InputError
from cpfill.engines.letters import cubes
from cpfill.engines.letters import cubes as remote
from cpfill.engines.letters.cubes import CubeSearcher, LettersSpec, list_cubes, search_on_cluster
from cpfill.engines.letters.engine import LettersEngine
from cpfill.problem.event import Finished, Progress, StopReason
from cpfill.problem.result import Limits
from tests.support import question, run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cpfill.problem.problem import Problem
    from tests.cluster.conftest import Dask

EVERY = Limits(fills=None)
THREES = [a + b + c for a in "ABCDE" for b in "ABCDE" for c in "ABCDE"]
ASKED = question("...", "...", "...", words=" ".join(Random(3).sample(THREES, 35)), alphabet="ABCDE")
FOURS = {"".join(Random(seed).choices("AABCDEEIORST", k=4)) for seed in range(650)}
LONGER = question(*["...."] * 4, words=" ".join(sorted(FOURS))).problem()
"""It takes a second to count."""


def counted(engine: LettersEngine, problem: Problem, limits: Limits = EVERY) -> Finished:
    *_, last = engine.count(problem, limits)
    assert isinstance(last, Finished)
    return last


def test_a_cluster_tells_and_counts_what_the_engine_does_alone(dask: Dask, tmp_path: Path) -> None:
    problem, there = ASKED.problem(), LettersEngine(scheduler=dask.address)
    alone = run(LettersEngine(), problem, EVERY).found
    assert {rows for rows, _ in alone} == set(ASKED.answer.fills)
    assert run(there, problem, EVERY).found == alone
    few = run(there, problem, Limits(fills=9))
    assert (few.found, few.finished.reason) == (alone[:9], StopReason.FILLS)
    number = counted(there, problem)
    assert (number.counted, number.exhausted) == (len(alone), True)
    assert number.stats.nodes == counted(LettersEngine(), problem).stats.nodes
    # A journal is one, wherever its cubes were searched.
    path = tmp_path / "journal"
    assert run(LettersEngine(resume=path, scheduler=dask.address), problem, EVERY).found == alone
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:9]))
    assert run(LettersEngine(resume=path), problem, EVERY).found == alone
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:9]))
    assert run(LettersEngine(resume=path, scheduler=dask.address), problem, EVERY).found == alone


def test_a_worker_is_killed_and_the_count_is_exact(dask: Dask, tmp_path: Path) -> None:
    expected, path = counted(LettersEngine(), LONGER), tmp_path / "journal"
    engine = LettersEngine(resume=path, scheduler=dask.address)
    killed_at, last = 0, None
    with closing(engine.count(LONGER, EVERY)) as stream:
        for event in stream:
            last = event
            if isinstance(event, Progress) and event.counted and not killed_at:
                killed_at = event.counted
                dask.lose_worker()
    assert isinstance(last, Finished)
    assert 0 < killed_at < (expected.counted or 0)
    assert (last.counted, last.stats.nodes) == (expected.counted, expected.stats.nodes)
    assert counted(LettersEngine(resume=path), LONGER).counted == expected.counted


def test_what_was_stopped_leaves_the_workers_free(dask: Dask, hard_problem: Problem, tmp_path: Path) -> None:
    engine = LettersEngine(resume=tmp_path / "journal", scheduler=dask.address)
    with closing(engine.count(hard_problem, EVERY)) as stream:
        assert any(isinstance(event, Progress) and event.stats.nodes for event in stream)
    assert counted(engine, hard_problem, Limits(time_s=0.5, fills=None)).reason is StopReason.TIME
    assert counted(LettersEngine(scheduler=dask.address), ASKED.problem()).counted == len(ASKED.answer.fills)


def test_several_workers_here_or_a_scheduler(dask: Dask) -> None:
    with pytest.raises(InputError, match="2 workers and a scheduler"):
        counted(LettersEngine(scheduler=dask.address), ASKED.problem(), Limits(workers=2, fills=None))


class Backwards:
    """Does tasks in this process, the last one first; at every other look its workers are gone."""

    def __init__(self) -> None:
        self._threads = cycle((0, 3))

    @property
    def threads(self) -> int:
        return next(self._threads)

    @contextmanager
    def tasks(self, function: Any, common: Any) -> Iterator[Backwards]:
        self.waiting: list[Any] = []
        self.function, self.common = function, common
        yield self

    def __len__(self) -> int:
        return len(self.waiting)

    @property
    def room(self) -> int:
        return 2 * self.threads - len(self)

    def add(self, items: Iterator[Any]) -> None:
        self.waiting += items

    def collect(self) -> list[Any]:
        if not self.waiting:
            return []
        last = self.waiting.pop()
        return [(last, self.function(pickle.loads(pickle.dumps(self.common)), last, lambda: False))]  # noqa: S301


@pytest.mark.parametrize("held_bytes", [cubes.HELD_BYTES, 0])
@pytest.mark.parametrize("brief_s", [cubes.BRIEF_S, 0])
def test_cubes_that_are_done_in_any_order_come_in_theirs(
    held_bytes: int, brief_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cubes, "HELD_BYTES", held_bytes)
    monkeypatch.setattr(remote, "BRIEF_S", brief_s)
    spec = LettersSpec.of(ASKED.problem(), reverse=False)
    kernel = spec.make_kernel()
    cut, _ = list_cubes(kernel, 4, lambda: None)
    connection: Any = Backwards()
    parts = search_on_cluster(
        connection, CubeSearcher(spec, keep=True), cut, ordered=True, add=lambda _: None, check=lambda: None
    )
    told = list(parts)
    assert [part.cube for part in told] == list(range(len(cut)))
    whole, _ = list_cubes(kernel, spec.cells - 1, lambda: None)
    assert {part.texts[:8] for part in told} - {b""} <= {cube.prefix for cube in whole}
    assert sum(part.fills for part in told) == len(ASKED.answer.fills)


def test_what_fails_on_a_worker_is_an_error_here(dask: Dask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CubeSearcher, "__reduce__", lambda _: (CubeSearcher, (None, None, False)))
    with pytest.raises(EngineError, match=r"^cube 0 failed on the cluster: AttributeError: [^\n]*$"):
        counted(LettersEngine(scheduler=dask.address), ASKED.problem())
