"""A damaged journal or file of records is refused, or mended and gone on with: it never changes an answer."""

from __future__ import annotations

import json
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from cpfill.engines import make_engine
from cpfill.problem.event import Found
from cpfill.problem.result import Limits
from cpfill.public import count_fills, events
from cpfill.runs.batch import BatchResults as BatchFile
from cpfill.runs.bench.report import certificates, rows
from cpfill.runs.bench.results import BenchResults as BenchFile
from cpfill.runs.bench.results import Results, find_disagreements, read_results
from tests.fuzz import corpus
from tests.fuzz.campaign import Campaign, Target
from tests.support import question

if TYPE_CHECKING:
    from collections.abc import Callable


THREES = [a + b + c for a in "ABCD" for b in "ABCD" for c in "ABCD"]
ASKED = question("...", "...", "...", words=" ".join(Random(3).sample(THREES, 24)), alphabet="ABCD").problem()


def counted(path: Path) -> int:
    return count_fills(ASKED, engine=make_engine("letters", resume=str(path))).fills


def listed(path: Path) -> list[str]:
    engine = make_engine("letters", resume=str(path))
    return [
        str(event.fill) for event in events(ASKED, engine=engine, limits=Limits(fills=None)) if isinstance(event, Found)
    ]


def batch_file(path: Path) -> None:
    with BatchFile(str(path)) as results:
        assert results.done is not None


def bench_file(path: Path) -> None:
    with BenchFile(str(path)) as results:
        assert results.done is not None
    read = Results.of(read_results([str(path)]), own_clock=False)
    json.dumps([rows(read), certificates(read)])
    find_disagreements(read)


@cache
def journals() -> dict[Callable[[Path], object], tuple[bytes, object]]:
    """Return a journal of each kind, and what the search that wrote it came to."""
    made: dict[Callable[[Path], object], tuple[bytes, object]] = {}
    for answer in (counted, listed):
        with TemporaryDirectory() as directory:
            path = Path(directory) / "journal"
            told = answer(path)
            made[answer] = path.read_bytes(), told
    return made


def journal(path: Path, answer: Callable[[Path], object]) -> None:
    assert answer(path) == journals()[answer][1]


def records(path: Path, seeds: Callable[[], list[bytes]], go_on: Callable[[Path], None]) -> None:
    """Check that what is kept of a file that is gone on with was written so: a record that is lost is made again."""
    go_on(path)
    written = [json.loads(line) for each in seeds() for line in each.splitlines()]
    assert all(json.loads(line) in written for line in path.read_bytes().splitlines())


def both_journals() -> list[bytes]:
    return [data for data, _ in journals().values()]


TARGETS = [
    Target("journal of a count", "journal", both_journals, partial(journal, answer=counted)),
    Target("journal of fills", "journal", both_journals, partial(journal, answer=listed)),
    *(
        Target(name, "records", seeds, partial(records, seeds=seeds, go_on=go_on))
        for name, seeds, go_on in (
            ("records of a batch", corpus.batch_results, batch_file),
            ("records of a benchmark", corpus.bench_results, bench_file),
        )
    ),
]


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_no_damage_changes_an_answer(campaign: Campaign, target: Target) -> None:
    campaign.run(target)
