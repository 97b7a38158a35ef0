"""Texts that cells spell or hide (C10), and the search of their cases, against the fills that brute force leaves."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from cpfill.base.errors import InputError, UnsupportedError
from cpfill.base.threads import StopToken
from cpfill.engines import make_engine
from cpfill.engines.audited import search, search_all, tally
from cpfill.engines.cases import CaseSearch
from cpfill.engines.contract import Feature
from cpfill.problem.check import violations
from cpfill.problem.event import Finished, Found, Progress, Started, StopReason
from cpfill.problem.fill import Fill
from cpfill.problem.problem import Objective
from cpfill.problem.result import Limits, Status
from cpfill.problem.texts import Cases, add_texts
from tests.support import Question, question, rows_of, run

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from cpfill.problem.event import Event
    from cpfill.problem.problem import Problem
    from cpfill.problem.rules import Text

    Keeps = Callable[[tuple[str, ...]], bool]


def _list_words(seed: int, share: float = 0.8) -> dict[str, float]:
    chance = Random(seed)
    words = {}
    for length in (2, 3, 5):
        for letters in product("ABC", repeat=length):
            if chance.random() < {2: 0.6, 3: share, 5: 0.1}[length]:
                words["".join(letters)] = float(chance.randrange(1, 9))
    return words


SQUARE = question("...", "...", "...", words=_list_words(1))
CROSS = question("..#..", ".....", "..#..", words=_list_words(4, 0.5), repeats=True)


def _hides(*entries: str, words: tuple[str, ...]) -> bool:
    """Return whether each entry hides a word, each a different one if there are several."""
    for chosen in product(words, repeat=len(entries)):
        differ = len(words) == 1 or len({*chosen}) == len(entries)
        if differ and all(word in entry for word, entry in zip(chosen, entries, strict=True)):
            return True
    return False


def _diagonal(rows: tuple[str, ...]) -> str:
    return rows[0][0] + rows[1][1] + rows[2][2]


def _column(rows: tuple[str, ...], column: int) -> str:
    return "".join(row[column] for row in rows)


TEXTS: list[tuple[Question, list[str], Keeps]] = [
    (SQUARE, ["circled=ABC"], lambda rows: _diagonal(rows) == "ABC"),
    (SQUARE, ["circled=ABC,bca,AAA"], lambda rows: _diagonal(rows) in {"ABC", "BCA", "AAA"}),
    (SQUARE, ["letter 2 of 1-Across,5-Across=AB,CC"], lambda rows: rows[0][1] + rows[2][1] in {"AB", "CC"}),
    (SQUARE, ["R1C1,R3C3=AB,BA", "R1C1,R2C2=AB,BB"], lambda rows: _diagonal(rows) in {"ABB", "BBA"}),
    (SQUARE, ["R3C1,2-Down=CABA,ACCC"], lambda rows: rows[2][0] + _column(rows, 1) in {"CABA", "ACCC"}),
    (SQUARE, ["1-Across hides BC"], lambda rows: "BC" in rows[0]),
    (SQUARE, ["1-Across hides AB,BC"], lambda rows: "BC" in rows[0] or "AB" in rows[0]),
    (SQUARE, ["1-Across,1-Down hides AB"], lambda rows: "AB" in rows[0] and "AB" in _column(rows, 0)),
    (SQUARE, ["1-Across,1-Down,5-Across hides AB,BC,A"], lambda rows: _hides(
        rows[0], _column(rows, 0), rows[2], words=("AB", "BC", "A"))),
    (CROSS, ["row 1 hides BC"], lambda rows: "BC" in rows[0].replace("#", "")),
    (CROSS, ["row 1,row 3 hides AB,BC,CAB"], lambda rows: _hides(
        rows[0].replace("#", ""), rows[2].replace("#", ""), words=("AB", "BC", "CAB"))),
    (CROSS, ["column 2,row 2 hides AB,BA", "circled=CB,AC"], lambda rows: _hides(
        _column(rows, 1), rows[1], words=("AB", "BA")) and rows[0][0] + rows[1][1] in {"CB", "AC"}),
    (CROSS, ["row 2 hides AAAAA,CCCCC,ABCAB"], lambda rows: rows[1] in {"AAAAA", "CCCCC", "ABCAB"}),
]  # fmt: skip
NAMES = ["; ".join(texts) for _, texts, _ in TEXTS]


def _pose(asked: Question, texts: list[str], objective: Objective = Objective.ANY) -> Problem:
    problem = asked.problem(objective)
    circled = frozenset({0, 4, 8} if problem.grid.width == 3 else {0, 6})
    problem = replace(problem, grid=replace(problem.grid, circled=circled))
    return add_texts(problem, texts, lambda _: ())


def _expect(asked: Question, keeps: Keeps, objective: Objective = Objective.ANY) -> dict[tuple[str, ...], Any]:
    """Return the fills that brute force finds and that keep a text, with their values."""
    return {rows: value for rows, value in asked.answer_to(objective).values.items() if keeps(rows)}


@pytest.mark.parametrize("engine", ["fc", "mac", "letters", "cpsat", "auto"])
@pytest.mark.parametrize(("asked", "texts", "keeps"), TEXTS, ids=NAMES)
def test_every_fill_that_keeps_the_texts(engine: str, asked: Question, texts: list[str], keeps: Keeps) -> None:
    problem = _pose(asked, texts)
    ran = run(engine, problem, Limits(fills=None))
    wanted = _expect(asked, keeps)
    assert {rows for rows, _ in ran.found} == wanted.keys()
    assert ran.result.status is (Status.ALL_FILLS if wanted else Status.UNSATISFIABLE)
    assert tally(problem, search_all(problem)).fills == len(wanted)


@pytest.mark.parametrize("objective", [*Objective])
@pytest.mark.parametrize(("asked", "texts", "keeps"), TEXTS, ids=NAMES)
def test_the_best_fill_that_keeps_the_texts(
    objective: Objective, asked: Question, texts: list[str], keeps: Keeps
) -> None:
    wanted = _expect(asked, keeps, objective)
    for engine in ("mac", "cpsat"):
        result = run(engine, _pose(asked, texts, objective)).result
        if not wanted:
            assert result.status is Status.UNSATISFIABLE
        elif objective.criteria:
            assert (result.status, result.value) == (Status.OPTIMAL, max(wanted.values()))
        else:
            assert result.fill is not None
            assert rows_of(_pose(asked, texts), result.fill) in wanted


@pytest.mark.parametrize(("asked", "texts", "keeps"), TEXTS, ids=NAMES)
def test_the_audit_knows_the_texts(asked: Question, texts: list[str], keeps: Keeps) -> None:
    problem = _pose(asked, texts)
    plain = replace(asked.problem(), texts=problem.texts)
    for event in search(asked.problem(), engine="fc", limits=Limits(fills=None)):
        if isinstance(event, Found):
            broken = {each.rule for each in violations(plain, event.fill)}
            assert broken == (set() if keeps(rows_of(plain, event.fill)) else {"C10"})


SEVERAL = ["circled=ABC,BCA,AAA,CAB,CBA"]


def test_one_way_is_the_problem_itself() -> None:
    assert not _pose(SQUARE, ["circled=ABC"]).undecided
    assert _pose(SQUARE, ["circled=ABC"]).grid.givens[4] == "B"
    assert not _pose(SQUARE, ["1-Across hides AB,BC"]).undecided
    assert _pose(SQUARE, SEVERAL).undecided
    assert run("mac", _pose(SQUARE, ["R1C1=A", "R1C1=B"])).result.status is Status.UNSATISFIABLE


def test_engines_refuse_several_cases() -> None:
    problem = _pose(SQUARE, SEVERAL)
    for engine in ("fc", "mac", "letters"):
        with pytest.raises(UnsupportedError, match="texts of several cases"):
            list(make_engine(engine).search(problem, Limits()))


def test_a_filled_grid_is_audited() -> None:
    fill = next(iter(_expect(SQUARE, lambda rows: _diagonal(rows) == "ABC")))
    problem = question(*fill, words=SQUARE.words).problem()
    for text, rules in (("R1C1,R2C2,R3C3=ABC", set()), ("R1C1,R2C2,R3C3=CCC", {"C10"})):
        posed = add_texts(problem, [text], lambda _: ())
        assert {each.rule for each in violations(posed, Fill.of_grid(problem.grid))} == rules


def test_the_bound_is_that_of_all_cases() -> None:
    problem = _pose(SQUARE, SEVERAL, Objective.SUM)
    result = run("mac", problem, Limits(nodes=3)).result
    best = max(_expect(SQUARE, lambda rows: _diagonal(rows) in SEVERAL[0], Objective.SUM).values())
    assert result.bound is None or result.bound >= best


@pytest.mark.parametrize("count", [1, 2, 7])
def test_as_many_fills_as_asked(count: int) -> None:
    texts = ["1-Across,1-Down hides AB,BC,A,C"]
    ran = run("mac", _pose(SQUARE, texts), Limits(fills=count))
    assert len({rows for rows, _ in ran.found}) == count
    assert ran.finished.reason is StopReason.FILLS


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("circled=ABCD", "of 4"),
        ("circled=A1C", "'A1C'"),
        ("R1C1", "'R1C1'"),
        ("R1C1=", "'R1C1='"),
        ("R4C1=A", "'R4C1'"),
        ("7-Across=ABC", "'7-Across'"),
        ("letter 4 of 1-Across=A", "found 4"),
        ("1-Across hides ABCA", "of 4"),
        ("row 4 hides A", "'row 4'"),
        ("1-Across hides", "'1-Across hides'"),
    ],
)
def test_wrong_texts(text: str, found: str) -> None:
    with pytest.raises(InputError, match="expected ") as refused:
        _pose(SQUARE, [text])
    assert found in str(refused.value)


def test_givens_that_contradict_a_text() -> None:
    asked = question("C..", "...", "...", words=_list_words(1))
    with pytest.raises(InputError, match="agrees with the letters of R1C1"):
        _pose(asked, ["R1C1,R1C2=AB,BA"])
    with pytest.raises(InputError, match="a grid with circled cells, found none"):
        add_texts(asked.problem(), ["circled=A"], lambda _: ())


def test_words_of_a_list_that_fit() -> None:
    words = {"caps": ["ABC", "AAAA", "CCC"]}
    (text,) = add_texts(SQUARE.problem(), ["1-Across=@caps"], words.__getitem__).texts
    assert text.words == ("ABC", "CCC")


class _Slow:
    """An engine that stops each search at its node limit, or never; it counts the searches that are open."""

    name: ClassVar[str] = "slow"
    features: ClassVar[frozenset[Feature]] = frozenset(Feature)

    def __init__(self) -> None:
        self.open = 0
        self.nodes: list[int | None] = []

    def search(self, problem: Problem, limits: Limits) -> Generator[Event]:  # noqa: ARG002
        self.open += 1
        self.nodes.append(limits.nodes)
        try:
            yield Started(self.name)
            while limits.nodes is None:
                yield Progress("search")
            yield Finished(StopReason.NODES, stats=Progress("").stats._replace(nodes=limits.nodes))
        finally:
            self.open -= 1


def test_closing_ends_the_case() -> None:
    slow = _Slow()
    problem = _pose(SQUARE, SEVERAL)
    stream = CaseSearch(slow, Cases(problem)).search(problem, Limits(fills=None))
    for _ in range(5):
        next(stream)
    assert slow.open == 1
    stream.close()
    assert slow.open == 0


def test_rounds_go_on_within_the_limits() -> None:
    slow = _Slow()
    problem = _pose(SQUARE, SEVERAL)
    events = list(CaseSearch(slow, Cases(problem)).search(problem, Limits(nodes=100_000)))
    assert [isinstance(event, Finished) for event in events] == [False] * (len(events) - 1) + [True]
    assert events[-1] == Finished(StopReason.NODES, stats=Progress("").stats._replace(nodes=100_000))
    assert slow.nodes[0] == slow.nodes[1]
    assert slow.nodes[-2] > slow.nodes[0]  # type: ignore[operator]
    stop = StopToken()
    stop.set()
    *_, last = CaseSearch(slow, Cases(problem)).search(problem, Limits(stop=stop))
    assert last == Finished(StopReason.INTERRUPTED)
    *_, last = CaseSearch(slow, Cases(problem)).search(problem, Limits(time_s=0))
    assert last == Finished(StopReason.TIME)


def test_a_fill_is_no_proof_of_the_best_before_each_case_ends() -> None:
    problem = _pose(SQUARE, SEVERAL, Objective.SUM)
    first, *others = Cases(problem)

    class _OneCase(_Slow):
        def search(self, problem: Problem, limits: Limits) -> Generator[Event]:
            if problem.grid == first.grid:
                return make_engine("fc").search(problem, limits)
            return super().search(problem, replace(limits, nodes=1))

    assert others
    result = run(_OneCase(), problem).result
    assert result.status is Status.SATISFIED
    assert result.bound is None


def test_texts_are_settled_in_cases() -> None:
    def settled(texts: tuple[Text, ...]) -> bool:
        return all(text.settled for text in texts)

    assert all(settled(case.texts) for case in Cases(_pose(SQUARE, SEVERAL)))


def test_an_engine_without_the_feature_is_refused_at_once() -> None:
    problem = _pose(SQUARE, SEVERAL, Objective.LEXIMIN)
    engine = make_engine("scaffold")
    if Feature.LEXIMIN not in engine.features:
        with pytest.raises(UnsupportedError):
            CaseSearch(engine, Cases(problem)).search(problem, Limits())
