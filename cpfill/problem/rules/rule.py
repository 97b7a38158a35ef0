"""What a rule is: a number, fields to ask for it by, words for it, and the constraints that it comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from argparse import Namespace

    from cpfill.problem.constraints import Constraint
    from cpfill.words.table import WordTable

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
        number: as `cpfill.problem.rules` and the models have it.
        lower: yields the constraints that the rule comes to, over the words of the lengths that slots have.
        lifted: values of fields without which the rule asks nothing; none where it is not lifted as a whole.
        check: raises an `InputError` where fields make no sense together.
        say: says why there is no fill where the rule is to blame, in English and in French.
        list_arguments: what `fill_to_cnf.py` is given for the rule.
        read_arguments: the fields, of the arguments that `fill_to_cnf.py` was given.
    """

    number: str
    lower: Callable[[Asked, Tables], Iterator[Constraint]]
    lifted: Mapping[str, Any]
    read_arguments: Callable[[Namespace], dict[str, Any]]
    check: Callable[[Asked], None] = _say_nothing
    say: Callable[[Asked], tuple[str, str] | None] = _say_nothing
    list_arguments: Callable[[Asked], Iterable[str]] = _write_nothing


def write_score(score: float) -> str:
    """Return a score in as few digits as tell it from any other, in the way that `fill_to_cnf.py` reads."""
    return repr(score).removesuffix(".0")
