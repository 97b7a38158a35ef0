"""Searches end when nobody reads on, and no more run than may."""

from __future__ import annotations

import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

from cpfill.web import streams
from tests.web.support import HANG_S, puzzle

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

    from cpfill.problem.result import Limits
    from tests.web.support import Client

ENDLESS = {"puzzle": puzzle(*["........"] * 8), "seconds": 300, "request": {"words": ["en"]}}
"""An empty square of 8 x 8 is not settled in minutes."""


def wait_until(running: int, client: Client) -> None:
    """Wait until so many searches run."""
    end_s = time.monotonic() + HANG_S
    while client.running != running:
        assert time.monotonic() < end_s
        time.sleep(0.01)


def test_a_client_that_goes_away_ends_its_search(client: Client) -> None:
    for path in ("/api/solve", "/api/letters", "/api/candidates"):
        with closing(client.stream(path, {**ENDLESS, **({"slot": "1-Across"} if "cand" in path else {})})) as stream:
            next(stream)
            assert client.running == 1
        wait_until(0, client)


def test_one_that_goes_before_the_first_record_does_too(client: Client) -> None:
    for path in ("/api/count", "/api/explain", "/api/generate"):
        asked = {"size": [9, 9], "filled": True, "request": {"words": ["mine.txt"]}, "seconds": 300}
        connection = client.send("POST", path, asked if "gen" in path else ENDLESS)
        wait_until(1, client)
        connection.close()
        wait_until(0, client)


def test_keys_pressed_one_after_another(client: Client) -> None:
    """Each question is asked before the one before has ended; all of them end, and the last is answered."""
    for _ in range(20):
        connection = client.send("POST", "/api/letters", ENDLESS)
        time.sleep(0.03)
        connection.close()
    asked = {"puzzle": puzzle("A..", ".#.", "..."), "request": {"words": ["mine.txt"]}}
    assert client.ask("POST", "/api/letters", asked).records[-1]["done"]
    wait_until(0, client)


def test_no_more_run_than_may(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_PATIENCE_S", 0.2)
    held = [client.stream("/api/solve", ENDLESS) for _ in range(streams.MAX_SEARCHES)]
    for stream in held:
        next(stream)
    assert client.running == streams.MAX_SEARCHES
    refused = client.ask("POST", "/api/solve", ENDLESS)
    assert (refused.status, "at most 8 searches at once" in refused.error) == (429, True)
    monkeypatch.setattr(streams, "_PATIENCE_S", HANG_S)
    held.pop().close()
    again = client.stream("/api/solve", ENDLESS)
    next(again)
    for stream in (*held, again):
        stream.close()
    wait_until(0, client)


def test_searches_that_nobody_reads_refuse_none(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fast typing leaves searches behind; as long as they end, the next question waits for its turn."""
    ending = threading.Event()

    def linger(_: Limits) -> Iterator[dict[str, Any]]:
        try:
            while True:
                yield {"text": "x"}
        finally:
            ending.wait(HANG_S)

    patience_s = 0.2
    monkeypatch.setattr(streams, "_PATIENCE_S", patience_s)
    with monkeypatch.context() as lingering:
        lingering.setattr("cpfill.web.app.begin", lambda *_: linger)
        for _ in range(streams.MAX_SEARCHES):
            with closing(client.stream("/api/solve", {})) as stream:
                next(stream)
    assert client.running == streams.MAX_SEARCHES
    threading.Timer(3 * patience_s, ending.set).start()
    asked = {"puzzle": puzzle("A..", ".#.", "..."), "request": {"words": ["mine.txt"]}}
    assert client.ask("POST", "/api/letters", asked).records[-1]["done"]
    wait_until(0, client)


def test_a_question_has_its_time(client: Client) -> None:
    records = client.ask("POST", "/api/solve", {**ENDLESS, "seconds": 0.3}).records
    assert (records[-1]["status"], records[-1]["reason"]) == ("UNKNOWN", "time")


def test_a_client_that_does_not_read_is_not_waited_for(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def chatter(limits: Limits) -> Iterator[dict[str, Any]]:
        while not limits.stopped:
            yield {"text": "x" * 10_000}

    monkeypatch.setattr(streams, "_LONGEST_S", 0.5)
    monkeypatch.setattr("cpfill.web.app.begin", lambda *_: chatter)
    connection = client.send("POST", "/api/letters", {})
    wait_until(0, client)
    connection.close()


def test_a_fault_is_told_and_printed(
    client: Client, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def break_down(_: Limits) -> Iterator[dict[str, Any]]:
        return ({"number": 1 / number} for number in [0])

    def break_later(_: Limits) -> Iterator[dict[str, Any]]:
        return ({"number": 1 / number} for number in [1, 0])

    monkeypatch.setattr("cpfill.web.app.begin", lambda *_: break_down)
    answer = client.ask("POST", "/api/letters", {})
    assert (answer.status, answer.error) == (500, "a fault of cpfill: ZeroDivisionError: division by zero")
    monkeypatch.setattr("cpfill.web.app.begin", lambda *_: break_later)
    answer = client.ask("POST", "/api/letters", {})
    assert (answer.status, answer.records[0]) == (200, {"number": 1.0})
    assert answer.records[1] == {"error": "a fault of cpfill: ZeroDivisionError: division by zero"}
    monkeypatch.setattr("cpfill.web.app.describe_program", lambda: 1 / 0)
    answer = client.ask("GET", "/api/about")
    assert (answer.status, answer.error) == (500, "a fault of cpfill: ZeroDivisionError: division by zero")
    assert capsys.readouterr().err.count("Traceback") == 3
