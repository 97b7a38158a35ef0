"""C7: each required word stands in some slot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpfill.problem.constraints import Cover
from cpfill.problem.rules.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.problem.rules.rule import Tables


@dataclass(frozen=True, kw_only=True)
class RequiredWords:
    """Attributes: required: the folded words that the grid must contain; a request has them as the user wrote them."""

    required: frozenset[str] = frozenset()


def _lower(asked: RequiredWords, tables: Tables) -> Iterator[Cover]:
    for word in sorted(asked.required):
        yield Cover(len(word), tables[len(word)].ids[word])


REQUIRED_WORDS = Rule[RequiredWords](
    "C7",
    _lower,
    lifted={},
    list_arguments=lambda asked: ["--required", *sorted(asked.required)] if asked.required else [],
    read_arguments=lambda given: {"required": frozenset(given.required)},
)
