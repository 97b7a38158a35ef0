"""The best arrangement: the search and the proof take turns."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from cpfill.design.criss_cross.arrangement import Arranged
from cpfill.design.criss_cross.proof import Proof
from cpfill.design.criss_cross.search import ArrangementSearch
from cpfill.problem.event import StopReason
from cpfill.problem.result import Deadline

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.design.criss_cross.arrangement import Wanted
    from cpfill.problem.result import Limits

PLACED = 15_000
"""How many words the search tries to place for each second of effort of the proof."""

FIRST_EFFORT = 0.5
"""The effort that the share of the search before the proof stands for."""


def arrange(wanted: Wanted, limits: Limits) -> Generator[Arranged, None, StopReason]:
    """Yield the best arrangement whenever there is a better one, or a better bound; return why the search ended.

    It ends as `EXHAUSTED` once the best arrangement is proved to be best, or that there is none. A node of the limits
    is a change that the search tries. With one worker and no limit of time, the same seed gives the same answer.
    """
    deadline = Deadline(limits.time_s, limits.stop)
    search = ArrangementSearch(wanted, limits.seed)
    proof = Proof(wanted, search, limits, deadline)
    steps = proof.prove()
    changes = search.run()
    told = None
    effort = FIRST_EFFORT
    while not proof.done:
        for _ in islice(changes, 1 + int(effort * PLACED / len(wanted.words))):
            arranged = Arranged(search.best, proof.bounds)
            if arranged != told and search.best:
                told = arranged
                yield arranged
            if search.changes == limits.nodes:
                return StopReason.NODES
            if deadline.passed:
                return StopReason.INTERRUPTED if limits.stopped else StopReason.TIME
        effort = next(steps, 0.0)
    yield Arranged(search.best, proof.bounds)
    return StopReason.EXHAUSTED
