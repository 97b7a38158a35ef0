"""C6: at most `max_obscure` words score under `below`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import SCORE, SLOTS, Fault, InputError, Range
from cpfill.base.reading import asked_number
from cpfill.base.texts import say
from cpfill.problem.constraints import Budget
from cpfill.problem.rules.rule import Rule, write_score
from cpfill.words.wordlist import format_decimal

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator

    from cpfill.problem.rules.rule import Tables

OBSCURE = Range(0, SLOTS.high)
"""The number of obscure words that a fill may have."""


@dataclass(frozen=True, kw_only=True)
class ObscureWords:
    """Attributes: max_obscure: how many words may score under `below`; `None`, as for `below`, lifts the rule."""

    max_obscure: int | None = asked_number(OBSCURE, metavar="K", help="At most K words score under --below (C6).")
    below: float | None = asked_number(SCORE, metavar="S", help="--max-obscure counts words that score under S.")


def _check(asked: ObscureWords) -> None:
    if (asked.max_obscure is None) != (asked.below is None):
        got = say("below without max_obscure") if asked.max_obscure is None else say("max_obscure without below")
        raise InputError(Fault(say("max_obscure and below together"), got))


def _lower(asked: ObscureWords, tables: Tables) -> Iterator[Budget]:
    if asked.max_obscure is not None and asked.below is not None:
        obscure = {n: table.everything & ~table.at_least(asked.below) for n, table in tables.items()}
        yield Budget.count(obscure, asked.max_obscure)


def _say(asked: ObscureWords) -> str:
    below, most = format_decimal(asked.below or 0.0), asked.max_obscure
    if most:
        return say("at most {most} words may score under {below}", most=most, below=below)
    return say("no word may score under {below}", below=below)


def _list_arguments(asked: ObscureWords) -> Iterable[str]:
    if asked.max_obscure is not None and asked.below is not None:
        yield from ("--at-most", str(asked.max_obscure), "--under", write_score(asked.below))


def _read_arguments(given: Namespace) -> dict[str, Any]:
    if len(given.under) > 1:
        raise InputError(Fault(say("one --at-most among the rules"), f"{len(given.under)}"))
    below = next(map(float, given.under), None)
    return {"max_obscure": next(iter(given.at_most), None), "below": below}


OBSCURE_WORDS = Rule[ObscureWords](
    "C6",
    _lower,
    lifted={"max_obscure": None, "below": None},
    check=_check,
    say=_say,
    list_arguments=_list_arguments,
    read_arguments=_read_arguments,
)
