"""The part of C2 that users can set: a word scores at least `min_score`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpfill.base.errors import SCORE
from cpfill.base.reading import asked_number
from cpfill.problem.constraints import Domain
from cpfill.problem.rules.rule import Rule, write_score

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.problem.rules.rule import Tables


@dataclass(frozen=True, kw_only=True)
class MinScore:
    """Attributes: min_score: the least score of a word."""

    min_score: float = asked_number(SCORE, 0.0, metavar="S", help="Leave out words that score less.")


def _lower(asked: MinScore, tables: Tables) -> Iterator[Domain]:
    if asked.min_score > 0:
        yield Domain({length: table.at_least(asked.min_score) for length, table in tables.items()})


MIN_SCORE = Rule[MinScore](
    "C2",
    _lower,
    lifted={"min_score": 0.0},
    list_arguments=lambda asked: ["--min-score", write_score(asked.min_score)] if asked.min_score else [],
    read_arguments=lambda given: {"min_score": float(given.min_score)},
)
