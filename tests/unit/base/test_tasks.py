"""Work where no thread can start: engines answer as they do in threads, and streams end when they are closed."""

from __future__ import annotations

import asyncio
import sys
import threading
from contextlib import aclosing
from contextvars import copy_context
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING
from unittest.mock import Mock

import pytest

import cpfill
from cpfill import aio
from cpfill.base import tasks, threads
from cpfill.problem.event import StopReason
from cpfill.problem.result import Limits, SolveResult, Status
from tests.support import INSTANCES

if TYPE_CHECKING:
    from collections.abc import Generator

GRID = INSTANCES / "assignment" / "A.txt"
WORDS = ["AGO", "ROLL", "MEDIA", "SEND", "RED", "ARM", "GOES", "OLDER", "LINE", "ADD"]

pytestmark = pytest.mark.usefixtures("alone")


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take threads away, and leave what a browser has that cannot suspend a call."""
    browser = ModuleType("pyodide.ffi")
    vars(browser).update(can_run_sync=lambda: False, JsException=ConnectionError)
    monkeypatch.setitem(sys.modules, "pyodide", ModuleType("pyodide"))
    monkeypatch.setitem(sys.modules, "pyodide.ffi", browser)
    monkeypatch.setattr(threads, "HAS_THREADS", False)
    monkeypatch.setattr(threading.Thread, "start", Mock(side_effect=RuntimeError("can't start new thread")))


@pytest.mark.parametrize("engine", ["fc", "fc-cbj", "mac", "letters", "weave", "scaffold", "auto"])
def test_an_engine_fills_without_threads(engine: str) -> None:
    found = cpfill.solve(GRID, WORDS, engine=engine, objective="any")
    assert found.status is Status.SATISFIED
    assert found.fill is not None
    assert set(found.fill.words.values()) <= set(WORDS)
    none = cpfill.solve(GRID, WORDS[1:], engine=engine, objective="any", limits=Limits(time_s=20))
    assert none.status is Status.UNSATISFIABLE or engine in {"weave", "scaffold"}


def test_every_fill_is_met_before_it_is_read() -> None:
    fills = cpfill.enumerate_fills("3x3", ["ABC", "DEF", "GHI", "ADG", "BEH", "CFI"])
    assert sorted(fill.rows for fill in fills) == [["ABC", "DEF", "GHI"], ["ADG", "BEH", "CFI"]]


def test_coroutines_answer_and_streams_are_closed() -> None:
    closed = Mock()

    def count(_: Limits) -> Generator[int]:
        try:
            yield from range(1, 1000)
        finally:
            closed()

    async def ask() -> SolveResult:
        async with aclosing(aio.iterate(count)) as stream:
            assert [await anext(stream) for _ in range(3)] == [1, 2, 3]
        closed.assert_called_once()
        return await aio.call(lambda limits: cpfill.solve(GRID, WORDS, limits=limits))

    assert asyncio.run(ask()).fill is not None


def solve_asked(monkeypatch: pytest.MonkeyPatch, *asked: object, **service_worker: object) -> SolveResult:
    """Solve as request 7, with what a service worker answers."""
    worker = SimpleNamespace(open=lambda *_: None, **service_worker)
    browser = ModuleType("js")
    vars(browser)["XMLHttpRequest"] = SimpleNamespace(new=lambda: worker)
    monkeypatch.setitem(sys.modules, "js", browser)
    monkeypatch.setattr(tasks, "_ended", set())
    context = copy_context()
    context.run(tasks.REQUEST.set, 7)
    return context.run(cpfill.solve, *asked, objective="min")  # type: ignore[arg-type]


def test_a_search_hears_that_it_is_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    found = solve_asked(monkeypatch, "9x9", "en", send=lambda: None, responseText="[6, 7]", status=200)
    assert found.stop_reason is StopReason.TIME


def test_a_search_goes_on_where_no_worker_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    fail = Mock(side_effect=ConnectionError)
    found = solve_asked(monkeypatch, GRID, WORDS, send=fail, responseText="", status=0)
    assert found.fill is not None
