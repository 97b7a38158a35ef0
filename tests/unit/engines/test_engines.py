"""The registry, the options of engines, arc consistency."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from cpfill.base.errors import InputError, UnsupportedError
from cpfill.engines import ENGINES, engine_class, list_options, make_engine, options_of, tabulate_options
from cpfill.engines.toolkit.propagation import Wipeout, ac3
from cpfill.testing.questions import questions
from tests.support import ENGINE_NAMES, Question, question

if TYPE_CHECKING:
    from cpfill.base.reading import Field


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_an_engine_is_made_by_its_name(engine: str) -> None:
    assert make_engine(engine).name == engine == engine_class(engine).name


def test_an_unknown_engine_is_told_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'fc-cbj'"):
        make_engine("fc-cjb")


@pytest.mark.parametrize(
    ("engine", "options", "message"),
    [
        ("fc", {"order": "mvr"}, "did you mean 'mrv'"),
        ("fc-cbj", {"order": "bound_degree"}, "did you mean 'bound-degree'"),
        ("cpsat", {"formulation": "bool"}, "did you mean 'boolean'"),
        ("cpsat", {"maximise": "descend"}, "did you mean 'descent'"),
        ("cpsat", {"core": 0}, "from 1 to 10\\^9 for core"),
    ],
)
def test_an_unknown_value_of_an_option_is_told_the_nearest(
    engine: str, options: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        make_engine(engine, **options)


def test_an_option_of_another_engine_is_unsupported() -> None:
    with pytest.raises(UnsupportedError, match=r"engine cpsat has no option --order; .*fc"):
        make_engine("cpsat", order="mrv")
    with pytest.raises(UnsupportedError, match="no engine has it"):
        make_engine("fc", colour="red")


WRONG = [("fc", "ac3", "no"), ("letters", "resume", 3), ("cpsat", "cpsat_param", "a=b"), ("mac", "restarts", 7)]


@pytest.mark.parametrize(("engine", "option", "value"), WRONG)
def test_a_value_of_another_type_is_refused(engine: str, option: str, value: object) -> None:
    with pytest.raises(InputError, match="expected") as caught:
        make_engine(engine, **{option: value})
    assert len(str(caught.value)) < 200


def test_an_option_of_the_command_line_means_one_thing() -> None:
    declared = [option for option in list_options() if option.on_command_line]
    names = [name for option in declared for name in (option.long_flag, option.short) if name]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("option", list_options(), ids=lambda option: option.name)
def test_what_is_declared_of_an_option_goes_together(option: Field) -> None:
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


def test_the_main_options_are_there() -> None:
    assert {"formulation", "core", "maximise", "cpsat_param"} <= options_of("cpsat").keys()
    assert {"ac3", "order", "shuffle"} <= options_of("fc").keys()
    assert options_of("fc") == options_of("fc-cbj")
    assert set(ENGINES) >= {"cpsat", "fc", "fc-cbj"}


@given(asked=questions())
def test_arc_consistency_keeps_every_word_of_every_fill(asked: Question) -> None:
    problem = asked.problem()
    empty: int | None = None
    try:
        domains = ac3(problem, problem.domains)
    except Wipeout as wipeout:
        empty = wipeout.slot
    if empty is not None:
        assert not asked.answer.fills
        assert 0 <= empty < len(problem.slots)
        return
    kept = [
        {word for id_, word in enumerate(table.words) if domain >> id_ & 1}
        for table, domain in zip(problem.tables, domains, strict=True)
    ]
    assert all(kept)
    for rows in asked.answer.fills:
        text = "".join(rows)
        assert all(
            "".join(text[cell] for cell in s.cells) in words for s, words in zip(problem.slots, kept, strict=True)
        )
    for slot, before, after in zip(problem.slots, problem.domains, domains, strict=True):
        assert after & ~before == 0
        for pos, other, other_pos in problem.grid.neighbours[slot.id]:
            assert {word[pos] for word in kept[slot.id]} == {word[other_pos] for word in kept[other]}


def test_arc_consistency_takes_a_word_that_is_settled_elsewhere() -> None:
    problem = question("AB", "##", "..", words="AB CD EF").problem()
    words = problem.tables[0].words
    assert [words[domain.bit_length() - 1] for domain in ac3(problem, problem.domains)[:1]] == ["AB"]
    assert not ac3(problem, problem.domains)[1] >> words.index("AB") & 1
    lenient = question("AB", "##", "..", words="AB CD EF", repeats=True).problem()
    assert ac3(lenient, lenient.domains)[1] == 7


def test_arc_consistency_can_be_stopped() -> None:
    class StopError(Exception):
        pass

    def tick() -> None:
        raise StopError

    problem = question("..", "..", words="AB BC CD BA").problem()
    with pytest.raises(StopError):
        ac3(problem, problem.domains, tick=tick)
