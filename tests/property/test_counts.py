"""Letters that are counted (C8), against the brute force."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cpfill.base.errors import InputError
from cpfill.engines import ENGINES, engine_class
from cpfill.engines.audited import search_all, tally
from cpfill.engines.contract import Feature
from cpfill.problem.check import violations
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.result import Limits
from cpfill.solvers.statement import Statement
from cpfill.testing.questions import question, questions, run
from tests.property.fills import check_every_fill, check_the_best_fill, fill_of, obeys

if TYPE_CHECKING:
    from collections.abc import Collection

    from cpfill.testing.brute_force import Rows
    from cpfill.testing.questions import Question

ABLE = [name for name in ENGINES if Feature.COUNT in engine_class(name).features]
GOALS = [Objective.MIN, Objective.SUM, Objective.LEXIMIN, Objective.LETTER_VALUES]
SIGNS = {"<=": int.__le__, ">=": int.__ge__, "=": int.__eq__}
LIMITS = st.tuples(st.booleans(), st.sampled_from("ABC"), st.sampled_from(list(SIGNS)), st.integers(0, 4))


@dataclass(frozen=True)
class Counted:
    """A question with limits: whether of circled cells alone, the letter, the sign, the number."""

    asked: Question
    limits: list[tuple[bool, str, str, int]]
    circled: frozenset[int]

    def problem(self, objective: Objective = Objective.ANY) -> Problem:
        posed = self.asked.problem(objective)
        texts = []
        for circles, letter, sign, number in self.limits:
            where = "circled: " if circles else ""
            texts.append(f"{where}{letter}{sign}{number}")
        grid = replace(posed.grid, circled=self.circled)
        return replace(posed, grid=grid, rules=replace(posed.rules, letter_counts=tuple(texts)))

    def keeps(self, rows: Rows, freed: Collection[int] = ()) -> bool:
        """Return whether the letters of a fill keep to each limit if some cells may hold any letters."""
        signs = "".join(rows)
        for circles, letter, sign, number in self.limits:
            cells = sorted(self.circled) if circles else range(len(signs))
            texts = {cell: self.asked.rebus.get(signs[cell], signs[cell]) for cell in cells}
            standing = "".join(text for cell, text in texts.items() if cell not in freed).count(letter)
            any_letters = sum(len(text) for cell, text in texts.items() if cell in freed)
            if not any(SIGNS[sign](standing + more, number) for more in range(any_letters + 1)):
                return False
        return True

    def values(self, objective: Objective = Objective.ANY) -> dict[Rows, tuple[float, ...]]:
        values = self.asked.answer_to(objective).values
        return {rows: values[rows] for rows in values if self.keeps(rows)}


@st.composite
def counted(draw: st.DrawFn, *, tied: bool = True) -> Counted:
    asked = draw(questions(sides=True, sums=True, opened=True, rebus=True, tied=tied))
    flat = [cell for row in asked.cells for cell in row]
    single = [number for number, cell in enumerate(flat) if cell and cell not in asked.rebus]
    assume(single)
    made = Counted(asked, draw(st.lists(LIMITS, min_size=1, max_size=3)), draw(circles_of(single)))
    try:
        made.problem()
    except InputError:
        assume(False)
    return made


def circles_of(cells: list[int]) -> st.SearchStrategy[frozenset[int]]:
    return st.frozensets(st.sampled_from(cells), min_size=1)


@pytest.mark.parametrize("engine", ABLE)
@given(made=counted(), data=st.data())
def test_every_fill(engine: str, made: Counted, data: st.DataObject) -> None:
    check_every_fill(engine, made.problem(), made.values(), data)


@pytest.mark.parametrize(("engine", "goal"), [*product(ABLE, GOALS)])
@given(made=counted())
def test_the_best_fill(engine: str, goal: Objective, made: Counted) -> None:
    check_the_best_fill(engine, made.problem(goal), max(made.values(goal).values(), default=None))


@given(made=counted())
def test_the_audit_finds_each_fault(made: Counted) -> None:
    problem = made.problem()
    for rows in made.asked.answer.fills:
        broken = {each.rule for each in violations(problem, fill_of(rows, problem))}
        assert broken == (set() if made.keeps(rows) else {"C8"})


@given(made=counted(tied=False))
def test_sums_for_other_solvers_keep_to_limits(made: Counted) -> None:
    statement = Statement(made.problem())
    for rows in made.asked.answer.fills:
        assert obeys(statement, rows) == made.keeps(rows)


THREE = " ".join(map("".join, product("ABCDEF", repeat=3)))
PANGRAMS = question("...", "...", words=f"{THREE} AD BE CF", alphabet="ABCDEF")


@pytest.mark.parametrize("engine", ABLE)
def test_a_pangram(engine: str) -> None:
    posed = PANGRAMS.problem()
    problem = replace(posed, rules=replace(posed.rules, pangram=True))
    found = {rows for rows, _ in run(engine, problem, Limits(fills=None)).found}
    assert found == {rows for rows in PANGRAMS.answer.fills if len(set("".join(rows))) == len("ABCDEF")}
    assert found


SQUARE = replace(question("..", "..", words=" ".join(map("".join, product("ABCDEF", repeat=2)))), max_fills=6**4)


@pytest.mark.parametrize("engine", ABLE)
def test_more_limits_than_budgets(engine: str) -> None:
    """Letters that may not stand in cells, and letters that stand once in few cells, take no budget each."""
    posed = SQUARE.problem()
    limits = ("R1C1: ABCDE=0", "R1C2: ABCD=0", "R2C1: DEF=0", "R1C1,R2C2: *<=1", "R1C2,R2C1,R2C2: *<=1")
    problem = replace(posed, rules=replace(posed.rules, letter_counts=limits))
    expected = set()
    for above, below in SQUARE.answer.fills:
        kept = above[0] == "F" and above[1] in "EF" and below[0] in "ABC"
        if kept and above[0] != below[1] and len({above[1], *below}) == 3:
            expected.add((above, below))
    assert {rows for rows, _ in run(engine, problem, Limits(fills=None)).found} == expected
    assert expected


def test_a_count_takes_an_engine_that_can() -> None:
    posed = PANGRAMS.problem()
    problem = replace(posed, rules=replace(posed.rules, letter_counts=("A<=1",)))
    expected = [rows for rows in PANGRAMS.answer.fills if "".join(rows).count("A") <= 1]
    assert tally(problem, search_all(problem)).fills == len(expected)


def test_many_limits_have_room_in_every_search() -> None:
    """Eight limits, obscure words and a theme beside two criteria."""
    posed = PANGRAMS.problem(Objective.MIN_THEN_SUM)
    limits = ("ABCDEF<=2", "R1C1,R1C2: AB<=1")
    rules = replace(posed.rules, letter_counts=limits, max_obscure=9, below=60.0)
    problem = replace(posed, rules=rules, theme={"ABC": 2.0, "AD": 1.0})
    best = run("mac", problem).result.value
    assert best == run("cpsat", problem).result.value is not None


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["A<=1,A>=2"], "expected limits of A that agree, found at least 2, at most 1"),
        (["A>=4", "B>=3"], "expected limits for at most 6 letters, found 7 that must stand there"),
        (["Q=1"], "found 'Q'"),
        (["A"], "expected limits such as"),
        (["circled: A=1"], "expected a grid with circled cells, found none"),
        (["R9C9: A=1"], "R9C9"),
        (["ABCDEF<=2", "R1C1,R1C2,R1C3: ABC<=2"], "at most 8 limits"),
    ],
)
def test_bad_limits(texts: list[str], told: str) -> None:
    posed = PANGRAMS.problem()
    with pytest.raises(InputError) as caught:
        replace(posed, rules=replace(posed.rules, letter_counts=tuple(texts)))
    assert told in str(caught.value)
