"""The question that is watched: a search told step by step."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from cpfill.base.ranges import SEED, Range
from cpfill.base.reading import TEXT, number_reader, read_flag
from cpfill.engines import make_engine
from cpfill.engines.backtrack import AC3, ORDER, SHUFFLE
from cpfill.engines.mac import RESTARTS
from cpfill.engines.search import Tally, search
from cpfill.problem.event import Found, Progress
from cpfill.problem.trace import Revision
from cpfill.questions.as_json.searches import fill_record, result_record
from cpfill.questions.as_json.steps import step_record

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.problem.limits import Limits
    from cpfill.web.asked import Asked, Record

CHOICES = tuple(option.name for option in (AC3, ORDER, SHUFFLE, RESTARTS))
"""The options of an engine that is watched."""

_STEPS = Range(1, 100_000)
"""The most steps sent of one search: 20 MB at most, on a grid of the usual size."""

_USUAL_STEPS = 5000


def ask_watch(asked: Asked, limits: Limits) -> Generator[Record]:
    """Tell how many words each slot begins with, then each step of a search and its fills, so many steps at most.

    With `revisions` it ends before the first word is placed.
    """
    most, revisions = (
        asked.read("steps", number_reader(_STEPS), _USUAL_STEPS),
        asked.read("revisions", read_flag, False),
    )
    chosen = {name: asked.more[name] for name in CHOICES if name in asked.more}
    engine = make_engine(asked.read("engine", TEXT, "fc-cbj"), trace=True, **chosen)
    limits = replace(limits, seed=asked.read("seed", number_reader(SEED), 0))
    problem = asked.pose_all()
    tally, steps = Tally(problem), 0
    with closing(search(problem, engine=engine, limits=limits)) as stream:
        yield {"sizes": {slot.name: problem.domains[slot.id].bit_count() for slot in problem.slots}}
        for event in stream:
            if revisions and isinstance(event, Progress) and event.step and not isinstance(event.step, Revision):
                break
            tally.add(event)
            if isinstance(event, Found):
                yield {"step": "fill", **fill_record(problem, event.fill, event.value)}
            elif isinstance(event, Progress) and event.step:
                steps += 1
                yield step_record(problem, event.step)
                if steps == most:
                    break
    yield {"done": True, "steps": steps, **result_record(problem, tally.result)}
