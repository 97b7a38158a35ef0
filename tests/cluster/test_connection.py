"""The connection to a Dask cluster: what it does with items, and what is wrong with it, in one line."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from contextlib import closing
from importlib.util import find_spec
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.base.errors import EngineError, InputError
from cpfill.engines import cluster
from cpfill.engines.cluster import Cluster, Connection
from cpfill.engines.letters.engine import LettersEngine
from cpfill.problem.result import Limits
from tests.cli.program import HANG_S, SQUARE, THREE, environment
from tests.cluster.tasks import halve
from tests.support import question

if TYPE_CHECKING:
    from tests.cli.program import Run
    from tests.cluster.conftest import Dask

pytestmark = pytest.mark.skipif(
    find_spec("distributed") is None, reason="distributed is not installed: pip install distributed"
)

NOBODY = "tcp://127.0.0.1:9"


def test_items_are_answered_and_what_one_raises_stops_no_other(dask: Dask) -> None:
    answers: dict[int, int | Exception] = {}
    with Cluster(dask.address).connect() as connection, connection.tasks(halve, 12) as tasks:
        assert connection.threads
        tasks.add([1, 2])
        tasks.add([0, 3])
        tasks.add([])
        while tasks:
            answers |= dict(tasks.collect())
    assert isinstance(failed := answers.pop(0), EngineError)
    assert str(failed).startswith("ZeroDivisionError: ")
    assert answers == {1: 12, 2: 6, 3: 4}


def test_another_version(dask: Dask, monkeypatch: pytest.MonkeyPatch) -> None:
    own = cpfill.__version__
    monkeypatch.setattr(cpfill, "__version__", "0")
    expected = rf"^expected cpfill 0 at the Dask scheduler {dask.address}, found {own}$"
    with pytest.raises(InputError, match=expected), Cluster(dask.address).connect():
        pass


def test_a_worker_of_another_version_that_came_later(dask: Dask, monkeypatch: pytest.MonkeyPatch) -> None:
    own = cpfill.__version__
    with Cluster(dask.address).connect() as connection:
        monkeypatch.setattr(cpfill, "__version__", "0")
        with connection.tasks(halve, 12) as tasks:
            tasks.add([1])
            while not (done := tasks.collect()):
                pass
    ((_, answer),) = done
    assert isinstance(answer, EngineError)
    assert re.fullmatch(rf"expected cpfill 0 at the worker tcp://\S+, found {own}", str(answer))


@pytest.mark.parametrize(
    "asked",
    [("batch", SQUARE, "-w", THREE), ("count", SQUARE, "-w", THREE), ("solve", SQUARE, "--all", "-e", "letters")],
    ids=lambda asked: asked[0],
)
def test_nobody_at_the_address(asked: tuple[object, ...], run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_S", 0.5)
    done = run(*asked, "--scheduler", NOBODY)
    assert (done.code, done.out) == (2, "")
    assert done.complaints == [f"cpfill: expected a Dask scheduler at {NOBODY}, found none in 0.5 s"]


def test_a_cluster_that_lost_its_workers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "FORSAKEN_S", 0.0)
    for status, said in (("running", "had no worker for 0 s"), ("connecting", "was lost")):
        client = SimpleNamespace(status=status, nthreads=dict)
        with pytest.raises(EngineError, match=rf"^the Dask scheduler at {NOBODY} {said}; [^\n]*$"):
            _ = Connection(client, NOBODY).threads


def test_what_costs_one_worker_after_another_is_told() -> None:
    lost = pytest.importorskip("distributed").KilledWorker("a task", SimpleNamespace(address=NOBODY), 3)
    said = str(cluster._explain(lost))
    assert said.startswith(f"one worker after another was lost at the same task, the last at {NOBODY}")


def test_somebody_who_says_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_S", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        engine = LettersEngine(scheduler=f"tcp://127.0.0.1:{silent.getsockname()[1]}")
        with closing(engine.count(question("...", words="ABC").problem(), Limits(fills=None))) as stream:
            next(stream)
            next(stream)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("10.0.0.1", "cpfill: expected the address of a Dask scheduler, such as tcp://10.0.0.1:8786, found '10.0.0.1'"),
        (
            "tcp://::1:9",
            "cpfill: expected the address of a Dask scheduler, such as tcp://10.0.0.1:8786, found 'tcp://::1:9'",
        ),
        ("tls://127.0.0.1:9", "cpfill: expected the keys for TLS in the configuration of Dask, found none"),
    ],
)
def test_no_address_and_no_keys(address: str, said: str, run: Run) -> None:
    done = run("count", SQUARE, "-w", THREE, "--scheduler", address)
    assert (done.code, done.out, done.complaints) == (2, "", [said])


def test_it_is_imported_late() -> None:
    show = "import cpfill.cli.batch, cpfill.cli.count, cpfill.engines.letters.engine, sys\n"
    show += "print({'distributed', 'dask'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", show], capture_output=True, text=True, env=environment(), timeout=HANG_S, check=True
    )
    assert done.stdout == "set()\n"
