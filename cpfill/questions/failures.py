"""Why there is no random grid, and which single changes of the demands help.

To find out, it drops one demand at a time and searches briefly for a grid, or for one that can be filled.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cpfill.base.texts import later, say, say_count
from cpfill.design.board import Symmetry
from cpfill.design.grids import Attempts, fill_grids, generate, tell_unpaired
from cpfill.problem.result import Deadline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.design.demands import Demands
    from cpfill.problem.result import Limits
    from cpfill.problem.rules import Rules
    from cpfill.puzzle.grid import Grid, Slot
    from cpfill.words.lexicon import Lexicon

BLAMED = 3
"""The number of words named as most to blame."""


_WITHOUT, _WITH = later("without {what}"), later("with {what}")


@dataclass(frozen=True, slots=True)
class Remedy:
    """Changed demands, and the word or option that names the change."""

    how: str
    what: str
    demands: Demands
    rules: Rules


@dataclass(frozen=True, slots=True)
class Failure:
    """The failed attempts, and the changes with which a grid was found.

    Attributes:
        proved: whether it is proved that there is no grid.
        filling: whether grids were to be filled.
        unpaired: which entries do not pair up, as `tell_unpaired` says it.
    """

    demands: Demands
    proved: bool
    filling: bool
    attempts: Attempts
    unpaired: str
    changes: list[Remedy]

    @property
    def lines(self) -> list[str]:
        """The failure in words, one sentence per line."""
        helps = "; ".join(say(one.how, what=one.what) for one in self.changes)
        held = say("proved for {demands}", demands=_describe_demands(self.demands))
        found = say("it can be filled {helps}", helps=helps) if self.filling else say("it exists {helps}", helps=helps)
        return [
            *([held] if self.proved else []),
            *([] if self.proved and not self.attempts.tried else _describe_attempts(self.demands, self.attempts)),
            found if helps else say("no single change helped in the time left"),
        ]

    @property
    def record(self) -> dict[str, Any]:
        """The failure as JSON."""
        words = {word: round(self.attempts.blame[word], 3) for word in self.demands.seed_words}
        return {
            "refuted": self.attempts.refuted,
            "undecided": self.attempts.undecided,
            "blame": words,
            "helps": [one.how.format(what=one.what) for one in self.changes],
            **({"unpaired": self.unpaired} if self.unpaired else {}),
        }


def find_failure(
    demands: Demands,
    lexicon: Lexicon | None,
    rules: Rules,
    limits: Limits,
    *,
    proved: bool,
    attempts: Attempts,
) -> Failure:
    """Return why no grid was found, and which changes help; each is tried for an equal share of the time.

    There is a lexicon if grids were to be filled.
    """
    deadline = Deadline(limits.time_s, limits.stop)
    changes, helping = list(_list_changes(demands, rules, attempts)), []
    for left, change in zip(range(len(changes), 0, -1), changes, strict=True):
        share = replace(limits, fills=1, time_s=deadline.share(1 / left).time_s)
        found = (
            next(generate(change.demands, limits=share), None)
            if lexicon is None
            else next(fill_grids(change.demands, lexicon, change.rules, limits=share), None)
        )
        if found:
            helping.append(change)
    unpaired = "" if lexicon is None else tell_unpaired(demands, lexicon, rules)
    return Failure(demands, proved, lexicon is not None, attempts, unpaired, helping)


def _list_changes(demands: Demands, rules: Rules, attempts: Attempts) -> Iterator[Remedy]:
    """Yield the changes to try, beginning with the words most to blame."""
    if len(demands.seed_words) > 1:
        for word in sorted(demands.seed_words, key=lambda word: -attempts.blame[word]):
            others = tuple(other for other in demands.seed_words if other != word)
            yield Remedy(_WITHOUT, word, replace(demands, seed_words=others), rules)
    if rules.min_score:
        yield Remedy(_WITHOUT, "--min-score", demands, replace(rules, min_score=0.0))
    if demands.blocks is not None:
        yield Remedy(_WITHOUT, "--blocks", replace(demands, blocks=None), rules)
    if demands.max_words is not None:
        yield Remedy(_WITHOUT, "--max-words", replace(demands, max_words=None), rules)
    for symmetry in (Symmetry.MIRROR, Symmetry.NONE):
        if demands.style.symmetry not in {symmetry, Symmetry.NONE}:
            style = replace(demands.style, symmetry=symmetry)
            yield Remedy(_WITH, f"--symmetry {symmetry}", replace(demands, style=style), rules)


def _describe_demands(demands: Demands) -> str:
    """Return what a proof that there is no grid holds for."""
    style = demands.style
    said = [
        demands.size,
        say("symmetry {symmetry}", symmetry=style.symmetry),
        say("slots of {least} or more", least=style.min_slot_length),
    ]
    if demands.blocks is not None:
        fewest, most = demands.blocks
        said.append(say("{range} blocks", range=fewest if fewest == most else f"{fewest}-{most}"))
    if demands.max_words is not None:
        said.append(say("at most {most} words", most=demands.max_words))
    if demands.seed_words:
        said.append(say("the entries {words}", words=", ".join(demands.seed_words)))
    if demands.draft is not None:
        said.append(say("the draft"))
    return "; ".join(said)


def _describe_attempts(demands: Demands, attempts: Attempts) -> list[str]:
    """Return sentences about the failed attempts and the words most to blame."""
    tried = attempts.refuted + attempts.undecided
    if not tried:
        at = say("{size} with symmetry {symmetry}", size=demands.size, symmetry=demands.style.symmetry)
        words = ", ".join(demands.seed_words)
        what = say("holds {words}", words=words) if words else say("meets the demands")
        return [say("no grid of {at} was found that {what}", at=at, what=what)]
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
        said.append(say("most to blame are the words that cross {shares}", shares=shares))
    if attempts.furthest is not None and attempts.worst is not None:
        at = _describe_slot(attempts.furthest, attempts.worst)
        said.append(say("the grid that came furthest fails at {at}", at=at))
    return said


def _describe_slot(grid: Grid, slot: Slot) -> str:
    """Return the name and pattern of a slot: 17-Across (?LX??)."""
    return f"{slot.name} ({''.join(grid.givens[cell] or '?' for cell in slot.cells)})"
