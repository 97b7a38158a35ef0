"""Runs of a suite on a real Dask cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cpfill.base.errors import InputError
from cpfill.engines.cluster import Cluster
from cpfill.runs.bench.plan import plan
from cpfill.runs.bench.remote import execute_there
from cpfill.runs.bench.results import DECIDED
from tests.bench.support import TINY, records_of, suite_of
from tests.support import INSTANCES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cluster.conftest import Dask

ANSWER = ("key", "verdict", "status", "fills", "audited", "grid_hash", "list_hash")


def test_a_cluster_records_what_is_recorded_here(dask: Dask, tmp_path: Path) -> None:
    suite = suite_of(tmp_path)
    there = [record for _, record in execute_there(Cluster(dask.address), plan(suite))]
    here = records_of(suite)
    assert {record["verdict"] for record in there} <= set(DECIDED)
    told, expected = ({one["key"]: [one[name] for name in ANSWER] for one in records} for records in (there, here))
    assert told == expected
    assert len(told) == len(there)
    assert all(record["wall_s"] > 0 and record["machine"] == here[0]["machine"] for record in there)


def test_a_list_that_is_another_one_there_is_told(dask: Dask, tmp_path: Path) -> None:
    words, own = INSTANCES / "tiny" / "three.words.txt", tmp_path / "own.txt"
    own.write_bytes(words.read_bytes())
    runs = plan(suite_of(tmp_path, TINY.replace(str(words), str(own))))
    said = r"^expected the grid and the lists of tiny/[\w-]+ on each worker as they are here, found "
    own.write_text("ABC\nBCA\nCAB\n", encoding="utf-8")
    with pytest.raises(InputError, match=f"{said}other ones$"):
        list(execute_there(Cluster(dask.address), runs))
    own.unlink()
    with pytest.raises(InputError, match=f"{said}.*expected a file, found nothing there$"):
        list(execute_there(Cluster(dask.address), runs))
