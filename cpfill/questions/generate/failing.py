"""Why no grid was found around some words, and what would help.

To find out what would help, it drops one demand at a time and searches briefly for a grid that can be filled.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cpfill.base.texts import say, say_count
from cpfill.problem.limits import Deadline
from cpfill.questions.generate.board import Symmetry
from cpfill.questions.generate.fillable import fill_grids

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.problem.limits import Limits
    from cpfill.problem.rules import Rules
    from cpfill.puzzle.grid import Grid, Slot
    from cpfill.questions.generate.demands import Demands
    from cpfill.questions.generate.fillable import Attempts
    from cpfill.words.lexicon import Lexicon

WHY_SHARE, WHY_S = 0.2, 8.0
"""The share of the time reserved for explaining a failure, and its greatest number of seconds."""

BLAMED = 3
"""The number of words named as most to blame."""


def keep_time(limits: Limits) -> Limits:
    """Return the limits of a search that leaves time to explain its failure."""
    if limits.time_s is None:
        return limits
    return replace(limits, time_s=limits.time_s - min(WHY_S, WHY_SHARE * limits.time_s))


@dataclass(frozen=True, slots=True)
class Change:
    """Changed demands, and the words or options that describe the change."""

    text: str
    demands: Demands
    rules: Rules


@dataclass(frozen=True, slots=True)
class Failure:
    """The failed attempts, and the changes with which a grid was found."""

    demands: Demands
    attempts: Attempts
    helps: list[str]

    @property
    def lines(self) -> list[str]:
        """The failure in words, one sentence per line."""
        helps = (
            say("it can be filled {helps}", helps="; or ".join(self.helps))
            if self.helps
            else say("no single change helped in the time left")
        )
        return [*_describe_attempts(self.demands, self.attempts), helps]

    @property
    def record(self) -> dict[str, Any]:
        """The failure as JSON."""
        words = {word: round(self.attempts.blame[word], 3) for word in self.demands.seed_words}
        return {
            "refuted": self.attempts.refuted,
            "undecided": self.attempts.undecided,
            "blame": words,
            "helps": self.helps,
        }


def find_failure(demands: Demands, lexicon: Lexicon, rules: Rules, attempts: Attempts, limits: Limits) -> Failure:
    """Return why no grid was found, and which changes help; each is tried for an equal share of the time.

    Args:
        demands: the demands, before `add_words`.
        lexicon: the lexicon, before `add_words`.
        rules: the rules of the fills.
        attempts: the failed attempts.
        limits: the time for trying changes.
    """
    deadline = Deadline(limits.time_s, limits.stop)
    changes = list(_list_changes(demands, rules, attempts))
    helps = []
    for left, change in zip(range(len(changes), 0, -1), changes, strict=True):
        share = replace(limits, fills=1, time_s=deadline.remaining_s() / left)
        if next(fill_grids(change.demands, lexicon, change.rules, limits=share), None):
            helps.append(change.text)
    return Failure(demands, attempts, helps)


def _list_changes(demands: Demands, rules: Rules, attempts: Attempts) -> Iterator[Change]:
    """Yield the changes to try, beginning with the words most to blame."""
    if len(demands.seed_words) > 1:
        for word in sorted(demands.seed_words, key=lambda word: -attempts.blame[word]):
            others = tuple(other for other in demands.seed_words if other != word)
            yield Change(f"without {word}", replace(demands, seed_words=others), rules)
    if rules.min_score:
        yield Change("without --min-score", demands, replace(rules, min_score=0.0))
    if demands.blocks is not None:
        yield Change("without --blocks", replace(demands, blocks=None), rules)
    if demands.max_words is not None:
        yield Change("without --max-words", replace(demands, max_words=None), rules)
    for symmetry in (Symmetry.MIRROR, Symmetry.NONE):
        if demands.draft is None and demands.style.symmetry not in {symmetry, Symmetry.NONE}:
            style = replace(demands.style, symmetry=symmetry)
            yield Change(f"with --symmetry {symmetry}", replace(demands, style=style), rules)


def _describe_attempts(demands: Demands, attempts: Attempts) -> list[str]:
    """Return sentences about the failed attempts and the words most to blame."""
    tried = attempts.refuted + attempts.undecided
    if not tried:
        return [_describe_no_grid(demands)]
    grids = say_count(tried, "grid", ",")
    said = [
        say(
            "{grids} tried: {refuted:,} proved to have no fill, {undecided:,} not decided in time",
            grids=grids,
            refuted=attempts.refuted,
            undecided=attempts.undecided,
        )
    ]
    total = sum(attempts.blame[word] for word in demands.seed_words)
    if total:
        worst = sorted(demands.seed_words, key=lambda word: -attempts.blame[word])[:BLAMED]
        shares = ", ".join(f"{word} ({attempts.blame[word] / total:.0%})" for word in worst if attempts.blame[word])
        said.append(f"most to blame are the words that cross {shares}")
    if attempts.furthest is not None and attempts.worst is not None:
        said.append(f"the grid that came furthest fails at {_describe_slot(attempts.furthest, attempts.worst)}")
    return said


def _describe_no_grid(demands: Demands) -> str:
    at = say("{size} with symmetry {symmetry}", size=demands.size, symmetry=demands.style.symmetry)
    words = ", ".join(demands.seed_words)
    return say(
        "no grid of {at} was found that {what}",
        at=at,
        what=say("holds {words}", words=words) if words else say("meets the demands"),
    )


def _describe_slot(grid: Grid, slot: Slot) -> str:
    """Return the name and pattern of a slot: 17-Across (?LX??)."""
    return f"{slot.name} ({''.join(grid.givens[cell] or '?' for cell in slot.cells)})"
