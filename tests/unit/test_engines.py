"""The registry, the options of engines, arc consistency."""

from __future__ import annotations

import pytest
from hypothesis import given

from cpfill.engines import ENGINES, engine_class, make_engine, options_of
from cpfill.engines.toolkit.ac3 import Wipeout, ac3
from cpfill.errors import InputError, UnsupportedError
from tests.property.strategies import questions
from tests.support import ENGINE_NAMES, Question, question


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


def test_the_main_options_are_there() -> None:
    assert {"formulation", "core", "maximise", "cpsat_param"} <= options_of("cpsat")
    assert {"ac3", "order", "shuffle"} <= options_of("fc") == options_of("fc-cbj")
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
