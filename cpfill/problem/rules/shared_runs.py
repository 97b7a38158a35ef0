"""C5: no two words share a run of `no_shared` letters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpfill.base.errors import SLOT_LENGTH
from cpfill.base.reading import asked_number
from cpfill.base.texts import say
from cpfill.problem.constraints import ExcludedPairs
from cpfill.problem.rules.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cpfill.problem.rules.rule import Tables


@dataclass(frozen=True, kw_only=True)
class SharedRuns:
    """Attributes: no_shared: the length of the runs of letters that no two words share; `None` lifts the rule."""

    no_shared: int | None = asked_number(
        SLOT_LENGTH, metavar="LEN", help="No two words share a run of LEN letters (C5)."
    )


def _lower(asked: SharedRuns, _: Tables) -> Iterator[ExcludedPairs]:
    if asked.no_shared is not None:
        yield ExcludedPairs(asked.no_shared)


def _say(asked: SharedRuns) -> str:
    return say("no two words may share {run} letters in a row", run=asked.no_shared)


def _list_arguments(asked: SharedRuns) -> Iterable[str]:
    return [] if asked.no_shared is None else ["--no-shared", str(asked.no_shared)]


SHARED_RUNS = Rule[SharedRuns](
    "C5",
    _lower,
    lifted={"no_shared": None},
    say=_say,
    list_arguments=_list_arguments,
    read_arguments=lambda given: {"no_shared": given.no_shared},
)
