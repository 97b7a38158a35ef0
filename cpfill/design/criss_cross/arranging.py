"""The best arrangement: a search, and in turn with it a proof."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cpfill.design.criss_cross.arrangement import Arranged, Bounds
from cpfill.design.criss_cross.search import Search
from cpfill.problem.event import StopReason
from cpfill.problem.result import Deadline

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.design.criss_cross.arrangement import Wanted
    from cpfill.problem.result import Limits


def arrange(wanted: Wanted, limits: Limits) -> Generator[Arranged, None, StopReason]:
    """Yield the best arrangement whenever there is a better one, or a better bound; return why the search ended.

    It ends as `EXHAUSTED` once the best arrangement is proved to be best, or that there is none. A node of the limits
    is one change that the search tries.
    """
    deadline = Deadline(limits.time_s, limits.stop)
    search = Search(wanted, limits.seed)
    best = None
    bounds = Bounds(math.inf, 0, math.inf)
    for nodes, _ in enumerate(search.run()):
        if search.best is not best:
            best = search.best
            yield Arranged(best, bounds)
        if limits.nodes is not None and nodes >= limits.nodes:
            return StopReason.NODES
        if deadline.passed:
            break
    if limits.stopped:
        return StopReason.INTERRUPTED
    return StopReason.TIME
