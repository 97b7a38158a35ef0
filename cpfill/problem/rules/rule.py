"""The parts of a rule: its number, its fields, its wording, and the constraints to which it is lowered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from argparse import Namespace

    from cpfill.problem.constraints import Constraint
    from cpfill.words.lexicon import WordTable

Asked = TypeVar("Asked")
"""The fields of a rule, as a dataclass that `Rules` inherits from."""

Tables = Mapping[int, "WordTable"]


def _say_nothing(_: Any) -> None:  # noqa: ANN401 - fields of any rule
    return None


def _write_nothing(_: Any) -> Iterable[str]:  # noqa: ANN401
    return ()


@dataclass(frozen=True)
class Rule(Generic[Asked]):
    """A rule.

    Attributes:
        number: the number of the rule, as in `cpfill.problem.rules` and the models.
        lower: yields the constraints to which the rule is lowered, over the words whose length some slot has.
        lifted: the values of the fields that lift the rule; empty if the rule cannot be lifted as a whole.
        check: raises an `InputError` if fields conflict.
        say: returns the rule in words, for messages that blame it if no fill exists.
        list_arguments: returns the arguments of `fill_to_cnf.py` for the rule.
        read_arguments: returns the fields, given the parsed arguments of `fill_to_cnf.py`.
    """

    number: str
    lower: Callable[[Asked, Tables], Iterator[Constraint]]
    lifted: Mapping[str, Any]
    read_arguments: Callable[[Namespace], dict[str, Any]]
    check: Callable[[Asked], None] = _say_nothing
    say: Callable[[Asked], str | None] = _say_nothing
    list_arguments: Callable[[Asked], Iterable[str]] = _write_nothing


def write_score(score: float) -> str:
    """Return a score with the fewest digits that identify it, as `fill_to_cnf.py` reads it."""
    return repr(score).removesuffix(".0")
