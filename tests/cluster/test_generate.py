"""Grids that can be filled, looked for on a real Dask cluster."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cpfill.engines.cluster import Cluster
from cpfill.problem.event import StopReason
from cpfill.problem.limits import Limits
from cpfill.questions.generate import STYLES, Demands, generate, keep_fillable, remote
from cpfill.questions.generate.remote import find_fillable
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import parse_word_list
from tests.brute_force import Rules, cells_of, is_fill
from tests.cli.program import HANG_S

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.problem.fill import Fill
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Grid
    from tests.cli.program import Run
    from tests.cluster.conftest import Dask

WORDS = ["ab", "ba", "abc", "bca", "cab", "bac", "ca", "ac"]
DEMANDS = Demands(3, 3, STYLES["free"], blocks=(1, 3))


def taken(stream: Generator[tuple[Problem, Fill], None, StopReason]) -> tuple[dict[Grid, Fill], StopReason]:
    fills: dict[Grid, Fill] = {}
    while True:
        try:
            problem, fill = next(stream)
        except StopIteration as end:
            return fills, end.value
        assert problem.grid not in fills
        fills[problem.grid] = fill


def test_a_cluster_finds_all_grids_with_a_fill_and_proves_it(dask: Dask) -> None:
    lexicon, cluster = Lexicon([parse_word_list("\n".join(WORDS))]), Cluster(dask.address)
    alone, reason = taken(
        keep_fillable(generate(DEMANDS, limits=Limits(fills=None)), lexicon, limits=Limits(fills=None))
    )
    found, there = taken(find_fillable(cluster, DEMANDS, lexicon, limits=Limits(fills=None)))
    assert (set(found), there) == (set(alone), reason)
    assert reason is StopReason.EXHAUSTED
    scored = {word.upper(): 50.0 for word in WORDS}
    for fill in found.values():
        assert is_fill(cells_of(*fill.rows), fill.rows, scored, Rules())
    few, there = taken(find_fillable(cluster, DEMANDS, lexicon, limits=Limits(fills=3)))
    assert (len(few), there) == (3, StopReason.FILLS)
    assert set(few) <= set(alone)


def test_whoever_asks_for_one_more_than_there_are_is_told(dask: Dask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "BRIEF_S", 0.001)  # no first look sees all of them
    lexicon, demands = Lexicon([parse_word_list("\n".join(WORDS))]), replace(DEMANDS, blocks=(2, 2))
    alone, _ = taken(keep_fillable(generate(demands, limits=Limits(fills=None)), lexicon, limits=Limits(fills=None)))
    limits = Limits(fills=len(alone) + 1, time_s=HANG_S)
    found, reason = taken(find_fillable(Cluster(dask.address), demands, lexicon, limits=limits))
    assert (set(found), reason) == (set(alone), StopReason.EXHAUSTED)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "expected --scheduler with --fillable or --filled, found --scheduler alone"),
        (("--filled", "--objective", "min"), "expected --scheduler or an objective, found both (--objective min)"),
    ],
)
def test_what_is_not_looked_for_there(options: tuple[str, ...], said: str, run: Run) -> None:
    done = run("generate", "--scheduler", "tcp://127.0.0.1:9", *options)
    assert (done.code, done.out, done.complaints) == (2, "", [f"cpfill: {said}"])
