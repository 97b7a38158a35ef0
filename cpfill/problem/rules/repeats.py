"""C3: no word is used twice; `repeats` lifts it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpfill.base.reading import Field, asked, read_flag
from cpfill.base.texts import say
from cpfill.problem.constraints import AllDifferent
from cpfill.problem.rules.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.problem.rules.rule import Tables


@dataclass(frozen=True, kw_only=True)
class Repeats:
    """Attributes: repeats: whether a word may be used more than once."""

    repeats: bool = asked(Field(read_flag, "Allow a word more than once (lifts rule C3).", option=bool), default=False)


def _lower(asked: Repeats, tables: Tables) -> Iterator[AllDifferent]:
    if not asked.repeats:
        yield AllDifferent({length: table.everything for length, table in tables.items()})


REPEATS = Rule[Repeats](
    "C3",
    _lower,
    lifted={"repeats": True},
    say=lambda _: say("no word may be used twice"),
    list_arguments=lambda asked: ["--repeats"] * asked.repeats,
    read_arguments=lambda given: {"repeats": given.repeats},
)
