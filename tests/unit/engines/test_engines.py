"""The registry, the options of engines, arc consistency."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING
from unittest.mock import Mock

import pytest
from hypothesis import given

from cpfill.base.errors import InputError, UnsupportedError
from cpfill.engines import list_options, make_engine, options_of, tabulate_options
from cpfill.engines.toolkit.propagation import Wipeout, ac3
from cpfill.testing.questions import questions
from tests.support import Question, question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.base.reading import Field
    from cpfill.problem.problem import Problem


def test_an_unknown_engine_is_told_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'fc-cbj'"):
        make_engine("fc-cjb")


@pytest.mark.parametrize(
    ("engine", "option", "value", "message"),
    [
        ("fc", "order", "mvr", "did you mean 'mrv'"),
        ("fc-cbj", "order", "bound_degree", "did you mean 'bound-degree'"),
        ("cpsat", "formulation", "bool", "did you mean 'boolean'"),
        ("cpsat", "maximise", "descend", "did you mean 'descent'"),
        ("fc", "ac3", "no", "expected"),
        ("letters", "resume", 3, "expected"),
        ("cpsat", "cpsat_param", "a=b", "expected"),
        ("mac", "restarts", 7, "expected"),
        ("cpsat", "order", "mrv", r"engine cpsat has no option --order; .*fc"),
        ("fc", "colour", "red", "no engine has it"),
    ],
)
def test_a_wrong_option_is_refused(engine: str, option: str, value: object, message: str) -> None:
    with pytest.raises((InputError, UnsupportedError), match=message) as caught:
        make_engine(engine, **{option: value})
    assert (option in options_of(engine)) == isinstance(caught.value, InputError)
    assert len(str(caught.value)) < 200


def test_an_option_of_the_command_line_means_one_thing() -> None:
    declared = [option for option in list_options() if option.on_command_line]
    names = [name for option in declared for name in (option.long_flag, option.short) if name]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("option", list_options(), ids=lambda option: option.name)
def test_an_option_is_declared_in_full(option: Field) -> None:
    option.check(option.default)
    for choice in option.choices:
        option.check(choice)
    assert option.help[0].islower()
    assert not option.help.endswith(".")
    assert option.metavar or option.option is bool or not option.on_command_line
    assert not option.compared or option.choices


def test_all_options_make_a_table() -> None:
    rows = tabulate_options()
    assert ("fc, fc-cbj", "--order", "mrv, degree, bound-degree, static, random", "how the next slot is chosen") in rows
    assert all(all(row) for row in rows)
    assert len({row[:2] for row in rows}) == len(rows)


def test_options_are_listed_without_a_search() -> None:
    code = "import sys; from cpfill.engines import tabulate_options; tabulate_options()\n"
    code += "print(*[name for name in sys.modules if name.endswith(('.engine', '.contract', '.problem', 'ortools'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


def words_of(problem: Problem, domains: Sequence[int]) -> list[set[str]]:
    """Return the words of each domain."""
    listed = []
    for table, domain in zip(problem.tables, domains, strict=True):
        listed.append({word for id_, word in enumerate(table.words) if domain >> id_ & 1})
    return listed


@given(asked=questions())
def test_arc_consistency_keeps_the_words_of_fills(asked: Question) -> None:
    problem = asked.problem()
    try:
        kept = words_of(problem, ac3(problem, problem.domains))
    except Wipeout:
        assert not asked.answer.fills
        return
    assert all(kept)
    for rows in asked.answer.fills:
        text = "".join(rows)
        assert all("".join(text[cell] for cell in slot.cells) in kept[slot.id] for slot in problem.slots)
    for slot, before in zip(problem.slots, words_of(problem, problem.domains), strict=True):
        assert kept[slot.id] <= before
        for pos, other, other_pos in problem.grid.neighbours[slot.id]:
            assert {word[pos] for word in kept[slot.id]} == {word[other_pos] for word in kept[other]}


@pytest.mark.parametrize(("repeats", "left"), [(False, {"CD", "EF"}), (True, {"AB", "CD", "EF"})])
def test_arc_consistency_takes_a_settled_word(repeats: bool, left: set[str]) -> None:
    problem = question("AB", "##", "..", words="AB CD EF", repeats=repeats).problem()
    assert words_of(problem, ac3(problem, problem.domains)) == [{"AB"}, left]


def test_arc_consistency_can_be_stopped() -> None:
    problem = question("..", "..", words="AB BC CD BA").problem()
    with pytest.raises(KeyboardInterrupt):
        ac3(problem, problem.domains, tick=Mock(side_effect=KeyboardInterrupt))
