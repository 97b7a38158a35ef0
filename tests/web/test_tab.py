"""The application without a server, asked as the page's worker asks it."""

from __future__ import annotations

import asyncio
import gc
import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

from cpfill.web.tab import Tab
from tests.web.support import puzzle

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ASKED = {"puzzle": puzzle("A..", ".#.", "..."), "request": {"words": ["mine.txt"]}}
ENDLESS = {"puzzle": puzzle(*["........"] * 8), "request": {"words": ["en"]}, "seconds": 300}


def answer(tab: Tab, path: str, asked: object, heard: Callable[[], None]) -> list[dict[str, Any]]:
    """Ask one question, and return the records of its answer; `heard` is called whenever a part of it comes."""
    parts: list[bytes] = []

    def reply(kind: str, status: int, headers: str, body: bytes) -> None:
        if kind == "start":
            assert (status, "Content-Type" in headers.title()) == (200, True)
        parts.append(body)
        heard()

    request = {"id": 1, "method": "POST", "path": path, "headers": {}, "heard": False}
    asking = partial(tab.answer, request, json.dumps(asked).encode(), reply)
    with ThreadPoolExecutor(1) as apart:  # in this thread a browser may be driven, by a loop of its own
        apart.submit(lambda: asyncio.run(asking())).result()
    return [json.loads(line) for line in b"".join(parts).splitlines()]


def test_a_question_is_answered_as_by_the_server(folder: Path) -> None:
    first, *_, last = answer(Tab(str(folder)), "api/letters", ASKED, lambda: None)
    assert (first["fillable"], last["done"]) == (True, True)


def test_an_answer_that_is_aborted_ends(folder: Path) -> None:
    tab = Tab(str(folder))
    assert not any(record.get("done") for record in answer(tab, "api/letters", ENDLESS, lambda: tab.abort(1)))
    tab.abort(1)  # it has ended


def test_the_collector_runs_on_where_no_browser_suspends_tasks(folder: Path) -> None:
    answer(Tab(str(folder)), "api/letters", ASKED, lambda: None)
    assert gc.isenabled()
