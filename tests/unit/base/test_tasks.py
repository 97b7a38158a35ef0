"""Work where no thread can start: engines answer as they do in threads, and streams end when they are closed."""

from __future__ import annotations

import asyncio
import sys
import threading
from contextlib import aclosing
from contextvars import copy_context
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, NoReturn

import pytest

import cpfill
from cpfill import aio
from cpfill.base import tasks, threads
from cpfill.problem.event import Finished, Found, Started, StopReason
from cpfill.problem.result import Limits, Status
from tests.support import INSTANCES

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.problem.problem import Fill

GRID = INSTANCES / "assignment" / "A.txt"
WORDS = ["AGO", "ROLL", "MEDIA", "SEND", "RED", "ARM", "GOES", "OLDER", "LINE", "ADD"]
ENGINES = ("fc", "fc-cbj", "mac", "letters", "weave", "scaffold", "auto")


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take threads away, and leave what a browser has that cannot suspend a call."""

    def refuse(_: threading.Thread) -> NoReturn:
        raise RuntimeError("can't start new thread")

    browser = ModuleType("pyodide.ffi")
    browser.can_run_sync = lambda: False  # type: ignore[attr-defined]
    browser.JsException = ConnectionError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pyodide", ModuleType("pyodide"))
    monkeypatch.setitem(sys.modules, "pyodide.ffi", browser)
    monkeypatch.setattr(threads, "HAS_THREADS", False)
    monkeypatch.setattr(threading.Thread, "start", refuse)


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("engine", ENGINES)
def test_an_engine_fills_without_threads(engine: str) -> None:
    found = cpfill.solve(GRID, WORDS, engine=engine, objective="any")
    assert found.status is Status.SATISFIED
    assert found.fill is not None
    assert set(found.fill.words.values()) <= set(WORDS)
    none = cpfill.solve(GRID, WORDS[1:], engine=engine, objective="any", limits=Limits(time_s=20))
    assert none.status is Status.UNSATISFIABLE or engine in {"weave", "scaffold"}


@pytest.mark.usefixtures("alone")
def test_every_fill_is_met_although_nobody_reads_meanwhile() -> None:
    fills = list(cpfill.enumerate_fills("3x3", ["ABC", "DEF", "GHI", "ADG", "BEH", "CFI"]))
    events = list(cpfill.events(GRID, WORDS, objective="any", limits=Limits(fills=None)))
    assert len(fills) == 2  # the square and its transpose
    assert isinstance(events[0], Started)
    assert isinstance(events[-1], Finished)
    assert sum(isinstance(event, Found) for event in events) == 2  # likewise


@pytest.mark.usefixtures("alone")
def test_coroutines_answer_and_streams_are_closed() -> None:
    closed: list[str] = []

    def count(_: Limits) -> Generator[int]:
        try:
            yield from range(1, 1000)
        finally:
            closed.append("closed")

    async def ask() -> tuple[Fill | None, list[int]]:
        answer = await aio.call(lambda limits: cpfill.solve(GRID, WORDS, limits=limits))
        numbers = list[int]()
        async with aclosing(aio.iterate(count)) as stream:
            async for number in stream:
                numbers.append(number)
                if number == 3:
                    break
        return answer.fill, numbers

    fill, numbers = asyncio.run(ask())
    assert fill is not None
    assert numbers == [1, 2, 3]
    assert closed == ["closed"]


@pytest.fixture
def asked(alone: None, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Return what the service worker answers."""
    del alone
    found = SimpleNamespace(open=lambda *_: None, send=lambda: None, responseText="[6, 7]", status=200)
    browser = ModuleType("js")
    browser.XMLHttpRequest = SimpleNamespace(new=lambda: found)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "js", browser)
    monkeypatch.setattr(tasks, "_ended", set[int]())
    return found


@pytest.mark.usefixtures("asked")
def test_a_search_that_nothing_suspends_hears_that_it_is_to_end() -> None:
    context = copy_context()
    context.run(tasks.REQUEST.set, 7)
    found = context.run(cpfill.solve, "9x9", "en", objective="min")
    assert found.stop_reason is StopReason.TIME


def test_a_search_goes_on_where_nobody_can_be_asked(asked: SimpleNamespace) -> None:
    def fail() -> NoReturn:
        raise ConnectionError

    vars(asked).update(send=fail, responseText="", status=0)
    context = copy_context()
    context.run(tasks.REQUEST.set, 7)
    found = context.run(cpfill.solve, GRID, WORDS)
    assert found.fill is not None
