"""Wrong results: answers that failed a check, and pairs of answers that contradict each other."""

from __future__ import annotations

from collections import defaultdict
from itertools import permutations
from typing import TYPE_CHECKING

from cpfill.base.texts import say
from cpfill.problem.problem import exceeds, format_value, value_from_json
from cpfill.problem.result import Status
from cpfill.runs.bench.report import QUESTION, name_question
from cpfill.runs.bench.results import RunVerdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.runs.bench.report import Results, RunId
    from cpfill.runs.bench.results import Record


def wrong_answers(results: Results) -> list[str]:
    """Return every wrong answer."""
    return [
        f"{name_question(record)}: {label}: {record['detail']}"
        for label, records in results.by_label.items()
        for record in records.values()
        if record["verdict"] == RunVerdict.WRONG
    ]


def own_faults(results: Results) -> bool:
    """Return whether an engine of cpfill, and not only a peer, was wrong."""
    records = (record for found in results.by_label.values() for record in found.values())
    return any(record["verdict"] == RunVerdict.WRONG and "engine" in record for record in records)


def disagreements(results: Results) -> list[str]:
    """Return every pair of answers that contradict each other, across different questions too: one line each."""
    asked: dict[RunId, list[tuple[str, Record]]] = defaultdict(list)
    for label, records in results.by_label.items():
        for record in records.values():
            asked[tuple(record[name] for name in QUESTION)].append((label, record))
    found: dict[str, None] = {}
    for said in asked.values():
        for (one, claim), (other, denial) in permutations(said, 2):
            for text in _contradictions(claim, denial):
                found[f"{name_question(claim)}: {one} {text.format(other=other)}"] = None
    return list(found)


def _contradictions(claim: Record, denial: Record) -> Iterator[str]:
    """Yield how the answer of one run refutes the proof of another."""
    counted = (claim["status"], denial["status"]) == (Status.ALL_FILLS, Status.ALL_FILLS)
    if counted and claim["fills"] > denial["fills"]:
        yield say("counts {fills} fills, {{other}} counts {fills2}", fills=claim["fills"], fills2=denial["fills"])
    if claim["ask"] == denial["ask"] and claim["yes"] is not None and denial["yes"] is not None:
        most = denial["yes"] + denial["open"]
        if claim["yes"] > most:
            yield say(
                "shows fills for {yes} {ask}, {{other}} says that at most {most} have one",
                yes=claim["yes"],
                ask=claim["ask"],
                most=most,
            )
    untold = claim["status"] == Status.ALL_FILLS and claim["audited"] is None
    if not (claim["audited"] or untold):
        return
    if denial["status"] == Status.UNSATISFIABLE:
        yield say("has a fill, {{other}} says that none exists ({proof})", proof=denial["proof"] or say("no proof"))
        return
    value, bound = value_from_json(claim["value"]), value_from_json(denial["bound"])
    if value and bound and exceeds(value, bound):
        most = format_value(bound)
        yield say(
            "has a fill worth {value}, {{other}} says that no fill is worth more than {most}",
            value=format_value(value),
            most=most,
        )
