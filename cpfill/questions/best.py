"""The question how good a fill with a word can be."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cpfill.base.reading import TEXT, TEXTS, Field, asked
from cpfill.engines.search import settle
from cpfill.problem.limits import Deadline
from cpfill.problem.result import Status
from cpfill.puzzle.region import find_slot
from cpfill.questions.question import Question

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.questions.question import Desk, Record


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Best(Question):
    """How good a fill with each of some words in a slot can be: its best minimum score, by halving.

    Attributes:
        slot: the name of the slot.
        words: the words. They share the time equally, and what one leaves goes to those after it.
    """

    slot: str = asked(Field(TEXT), "")
    words: tuple[str, ...] = asked(Field(TEXTS), ())

    def records(self, desk: Desk) -> Generator[Record]:
        """Yield each word with its `value`, which a fill reaches, and its `bound`: none reaches `bound` + 1.

        Entries given whole do not count, for they are exempt from the minimum score. A word for which no fill was met
        is passed over.
        """
        deadline = Deadline(self.time_limit, self.stop)
        for at, word in enumerate(self.words):
            share = Deadline(None if deadline.time_s is None else deadline.time_s / (len(self.words) - at))
            found = desk.pose(self.request, every=True).lexicon.find(word)
            low = math.ceil(self.request.min_score)
            high = low if found is None else max(low, math.floor(found[0]))
            reached: int | None = None
            while (reached is None or low < high) and not share.passed:
                level = low if reached is None else (low + high + 1) // 2
                problem = desk.pose(replace(self.request, min_score=float(level)), every=True)
                slot = find_slot(problem.grid, self.slot)
                narrowed = {**problem.narrowed, (slot.direction, slot.cells[0]): frozenset({word})}
                limits = replace(self.limits, time_s=share.time_s)
                result = settle(replace(problem, narrowed=narrowed), limits=limits)
                if result.fill is not None:
                    reached = low = level
                elif reached is not None and result.status is Status.UNSATISFIABLE:
                    high = level - 1
                else:
                    break
            if reached is not None:
                yield {"word": word, "value": reached, "bound": high}
        yield {"done": True}
