"""The question that is watched, against the search itself."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.testing import brute_force
from tests.web.conftest import WORDS
from tests.web.support import HANG_S, puzzle

if TYPE_CHECKING:
    from tests.web.support import Client

ROWS = ("A..", ".#.", "...")
SCORED = {word: float(score) for word, score in (line.split(";") for line in WORDS.split())}
FILLS = brute_force.solve(brute_force.cells_of(*ROWS), SCORED, brute_force.Rules()).fills
ASKED = {"puzzle": puzzle(*ROWS), "request": {"words": ["mine.txt"]}}
ENDLESS = {"puzzle": puzzle(*["." * 15] * 15), "request": {"words": ["en"]}, "steps": 100_000, "seconds": 60}


def watch(client: Client, **more: object) -> list[dict[str, Any]]:
    answer = client.ask("POST", "/api/watch", {**ASKED, **more})
    assert answer.status == 200, answer.body
    return answer.records


@pytest.mark.parametrize("engine", ["fc", "fc-cbj"])
@pytest.mark.parametrize("ac3", [False, True])
@pytest.mark.parametrize("order", ["mrv", "random"])
def test_the_steps_lead_to_a_fill(client: Client, engine: str, order: str, ac3: bool) -> None:
    first, *steps, done = watch(client, engine=engine, ac3=ac3, order=order)
    fitting = [word for word in SCORED if word.startswith("A")]
    assert first["sizes"]["1-Across"] == first["sizes"]["1-Down"] == len(fitting)
    assert first["sizes"].keys() >= {step["slot"] for step in steps if "slot" in step}
    counts = Counter(step["step"] for step in steps)
    assert (counts["assignment"], counts["backtrack"]) == (done["stats"]["nodes"], done["stats"]["backtracks"])
    assert sum(step.get("jumps", False) for step in steps) == done["stats"]["backjumps"]
    assert (counts["revision"] > 0) == ac3
    assert steps[-1]["step"] == "fill"
    assert tuple("".join(cell or "#" for cell in row) for row in steps[-1]["rows"]) in FILLS
    last = {step["depth"]: step for step in steps if step["step"] == "assignment"}
    assert {(step["slot"], step["word"]) for step in last.values()} == {
        (word["slot"], word["word"]) for word in steps[-1]["words"]
    }
    assert (done["status"], done["engine"], done["steps"]) == ("SATISFIED", engine, len(steps) - 1)


def test_the_steps_of_mac_lead_to_a_fill(client: Client) -> None:
    *_, fill, done = watch(client, engine="mac", seed=3)
    assert fill["step"] == "fill"
    assert tuple("".join(cell or "#" for cell in row) for row in fill["rows"]) in FILLS
    assert (done["status"], done["engine"]) == ("SATISFIED", "mac")
    *_, last, done = watch(client, engine="mac", puzzle=puzzle("AB.", ".#.", "C.."), restarts=False)
    assert (last["step"], last["after"], done["status"]) == ("revision", 0, "UNSATISFIABLE")


def test_arc_consistency_alone_ends_before_the_first_word(client: Client) -> None:
    _, *steps, done = watch(client, engine="fc", revisions=True)
    _, *all_steps, _ = watch(client, engine="fc")
    shrinking = [step for step in steps if step["before"] > step["after"]]
    assert shrinking == [step for step in all_steps if step["step"] == "revision"] != []
    assert len(steps) > len(shrinking)
    assert steps[-1]["queue"] == []
    assert all(len(step["removed"]) == min(12, step["before"] - step["after"]) for step in steps)
    assert (done["status"], done["steps"]) == ("UNKNOWN", len(steps))


def test_where_there_is_none_it_ends_with_nothing_left_to_try(client: Client) -> None:
    _, *steps, done = watch(client, puzzle=puzzle("AB.", ".#.", "C.."), ac3=False)
    assert done["status"] == "UNSATISFIABLE"
    assert (steps[-1]["step"], steps[-1]["target"]) == ("backtrack", 0)
    assert any(step.get("wipeout") for step in steps)


def test_so_many_steps_are_told_and_no_more(client: Client) -> None:
    _, *steps, done = watch(client, steps=3)
    assert len(steps) == done["steps"] == 3
    assert done["status"] == "UNKNOWN"


def test_who_goes_away_ends_it(client: Client) -> None:
    told = client.stream("/api/watch", ENDLESS)
    assert next(told)["sizes"]
    assert next(told)["step"]
    assert client.running == 1
    told.close()
    end_s = time.monotonic() + HANG_S
    while client.running:
        assert time.monotonic() < end_s
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"engine": "cpsat"}, "engine cpsat has no option --trace"),
        ({"engine": "mac", "order": "mrv"}, "engine mac has no option --order; engines that have it: fc, fc-cbj"),
        ({"engine": "nose"}, "expected an engine"),
        ({"order": "odd"}, "expected an order"),
        ({"ac3": 1}, "expected true or false for ac3"),
        ({"steps": 0}, "for steps, found 0"),
        ({"steps": 10**6}, "for steps, found 1000000"),
    ],
)
def test_what_makes_no_sense_is_refused(client: Client, more: dict[str, object], said: str) -> None:
    answer = client.ask("POST", "/api/watch", {**ASKED, **more})
    assert answer.status == 400
    assert said in answer.error
