"""Whether refuted formulas together say what is claimed: each way to be a better fill is left out by one of them.

A better fill keeps to bounds: at most so many of its words score under a threshold. They differ with the number of the
value that is the first to be greater. A formula leaves such fills out if it asks nothing but the rules and what follows
from the bounds.
"""

from __future__ import annotations

import math
from argparse import Namespace
from bisect import bisect_left, bisect_right
from collections import defaultdict
from decimal import Decimal
from typing import TYPE_CHECKING

from cpfill.base.texts import say
from cpfill.problem.problem import format_value
from cpfill.questions.proof.claim import NO_BETTER, NO_OTHER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cpfill.problem.result import Deadline
    from cpfill.questions.proof.claim import Claim

Bounds = list[tuple[float, int]]
"""Thresholds, rising, and how many words score under each at most."""


def find_gap(claim: Claim, ranking: Sequence[float], deadline: Deadline) -> str | None:
    """Return what the steps of a claim do not say, if there is anything.

    `ranking` has the scores that words of a fill can have, rising.

    Raises:
        TimeoutError: the deadline passed.
    """
    formulas = list(_list_asked(claim))
    for what, bounds in list_ways(claim, ranking):
        if not any(_leaves_out(asked, claim, bounds) for asked in deadline.each(formulas)):
            return say("no formula leaves out every fill {what}", what=what)
    return None


def _list_asked(claim: Claim) -> Iterator[Namespace]:
    """Yield what the formulas ask: of parts what they ask together, if each part is there."""
    found: dict[str, set[int]] = defaultdict(set)
    for step in claim.steps:
        number, parts = step.asked.part or (1, 1)
        whole = Namespace(**{**vars(step.asked), "part": parts})
        found[repr(whole)].add(number)
        if len(found[repr(whole)]) == parts:
            yield whole


def list_ways(claim: Claim, ranking: Sequence[float]) -> Iterator[tuple[str, Bounds]]:
    """Yield each way to be what the claim says that there is none of: in words, and what holds of such a fill."""
    if claim.text != NO_BETTER:
        yield say("that obeys the rules") + (say(" and is not told") if claim.text == NO_OTHER else ""), []
        return
    assert claim.value is not None
    if claim.levels:
        numbers = [round(-number) for number in claim.value]
        for place, (level, number) in enumerate(zip(claim.levels, numbers, strict=True)):
            if number:
                so_far = list(zip(claim.levels[:place], numbers[:place], strict=True))
                yield (
                    say("with fewer than {number} words under {level:g}", number=number, level=level),
                    [*so_far, (level, number - 1)],
                )
        return
    for score in sorted(set(claim.value)):
        over = next(iter(ranking[bisect_right(ranking, score) :]), math.inf)
        so_far = [(each, bisect_left(claim.value, each)) for each in sorted(set(claim.value)) if each <= score]
        more = bisect_right(claim.value, score) - 1
        yield (
            say("with at most {more} words that score up to {value}", more=more, value=format_value((score,))),
            [*so_far, (over, more)],
        )


def _leaves_out(asked: Namespace, claim: Claim, bounds: Bounds) -> bool:
    """Return whether a formula asks nothing but the rules and what follows from the bounds."""
    rules = claim.asked
    fixed = vars(asked).keys() - _VARYING
    if any(getattr(asked, name) != getattr(rules, name) for name in fixed):
        return False
    if claim.text == NO_OTHER and claim.fill is not None and asked.blocked not in {None, claim.fill.name}:
        return False
    if claim.text != NO_OTHER and asked.blocked is not None:
        return False
    if asked.above is not None and not _follows(bounds, asked.above, 0, above=True):
        return False
    if asked.min_score > rules.min_score and not _follows(bounds, asked.min_score, 0):
        return False
    known = set(zip(rules.at_most, rules.under, strict=True))
    return all(
        (most, under) in known or _follows(bounds, under, most)
        for most, under in zip(asked.at_most, asked.under, strict=True)
    )


_VARYING = {"above", "min_score", "at_most", "under", "blocked", "slots", "cases", "part"}
"""What a formula may be asked beside the rules: all else says something of them."""


def _follows(bounds: Bounds, threshold: Decimal, most: int, *, above: bool = False) -> bool:
    """Return whether at most `most` words score under a threshold, or up to it, by the bound at the next one.

    Scores are compared as they are written: the float 0.3 is less than 0.3.
    """
    written = ((Decimal(repr(under)), number) for under, number in bounds)
    allowed = next((number for under, number in written if (under > threshold if above else under >= threshold)), None)
    return allowed is not None and allowed <= most
