"""The question that is watched: a search told step by step."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from cpfill.as_json.searches import fill_record, result_record, step_record
from cpfill.engines import make_engine
from cpfill.engines.backtrack import AC3, ORDER
from cpfill.event import Found, Progress
from cpfill.ranges import Range
from cpfill.search import Fold, search

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.limits import Limits
    from cpfill.web.asked import Asked, Record

_STEPS = Range(1, 100_000)
"""How many steps are told of one search: 20 MB at most, on a grid of the usual size."""

_USUAL_STEPS = 5000


def ask_watch(asked: Asked, limits: Limits) -> Generator[Record]:
    """Tell how many words each slot begins with, then each step of a search and its fills, so many steps at most."""
    most = asked.whole("steps", _STEPS, _USUAL_STEPS)
    options = {option.name: asked.more.get(option.name, option.default) for option in (AC3, ORDER)}
    engine = make_engine(asked.text("engine", "fc-cbj"), trace=True, **options)
    problem = asked.pose()
    fold, steps = Fold(problem), 0
    with closing(search(problem, engine=engine, limits=limits)) as stream:
        yield {"sizes": {slot.name: problem.domains[slot.id].bit_count() for slot in problem.slots}}
        for event in stream:
            fold.add(event)
            if isinstance(event, Found):
                yield {"step": "fill", **fill_record(problem, event.fill, event.value)}
            elif isinstance(event, Progress) and event.step:
                steps += 1
                yield step_record(problem, event.step)
                if steps == most:
                    break
    yield {"done": True, "steps": steps, **result_record(problem, fold.result)}
