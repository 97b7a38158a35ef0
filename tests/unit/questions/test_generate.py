"""Grids that are generated, kept if they can be filled, and ranked by their fills."""

from __future__ import annotations

import sys
from dataclasses import replace
from threading import Timer
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import InputError, UnsupportedError
from cpfill.base.threads import StopToken
from cpfill.design import (
    STYLES,
    Demands,
    Design,
    Ranking,
    Symmetry,
    find_lengths,
    generate,
    keep_fillable,
    rank_designs,
)
from cpfill.design import (
    grids as generation,
)
from cpfill.design.board import Board
from cpfill.design.improving import improve_grids
from cpfill.engines.audited import settle
from cpfill.problem.event import StopReason
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.result import Limits, Status
from cpfill.problem.rules import Rules
from cpfill.questions.generate import FoundGrid, Generate, Generated
from cpfill.questions.question import Desk
from cpfill.questions.request import Request
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import WordList, parse_word_list
from tests.support import drain
from tests.tables import Case, cases

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

MODELS = "cpfill.design.models"
AMERICAN = Demands(15, 15, blocks=(36, 40))
ALL = Limits(fills=None)
ABC = Lexicon([parse_word_list("abc")])


def test_the_orbits_of_a_symmetry_part_the_cells() -> None:
    board = Board(5, 5)
    for symmetry, count in (("rotate", 13), ("rotate90", 7), ("mirror", 15), ("diagonal", 15), ("none", 25)):
        orbits = board.orbits(Symmetry(symmetry))
        assert (len(orbits), sum(orbits)) == (count, board.full)
        assert sum(orbit.bit_count() for orbit in orbits) == 25


def test_components_and_runs() -> None:
    board = Board(2, 3)
    cells = board.full & ~board.bit(0, 1) & ~board.bit(1, 1)
    assert {part.bit_count() for part in board.components(cells)} == {2}
    assert [list(run) for run in board.runs(cells)] == [[0, 4], [2, 6]]
    assert board.components(0) == []


SEEDED = {style: Demands(9, 9, STYLES[style]) for style in sorted(STYLES)}
SEEDED["theme"] = Demands(9, 9, seed_words=("SOLVER", "LATTICE"))


@pytest.mark.parametrize("demands", SEEDED.values(), ids=SEEDED)
def test_a_seed_settles_the_grids(demands: Demands) -> None:
    once, again, other = ([*generate(demands, limits=Limits(fills=3, seed=seed))] for seed in (7, 7, 8))
    assert once == again
    shapes = [[(grid.cells, grid.bars) for grid in batch] for batch in (once, other)]
    assert shapes[0] != shapes[1]
    assert len(set(shapes[0])) == 3
    assert [*generate(demands, limits=Limits(fills=2, seed=7))] == once[:2]


@pytest.mark.parametrize("grows", [True, False])
def test_grids_of_a_batch_differ_in_most_of_their_blocks(grows: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not grows:
        monkeypatch.setattr(generation, "grow_patterns", lambda *_: iter(()))
    batch = [
        {cell for cell, letters in enumerate(grid.cells) if not letters}
        for grid in generate(AMERICAN, limits=Limits(fills=20 if grows else 8))
    ]
    shared = [len(a & b) / min(len(a), len(b)) for place, a in enumerate(batch) for b in batch[:place]]
    assert sum(shared) / len(shared) < 0.5


def test_time_that_is_over_is_no_proof() -> None:
    assert drain(generate(AMERICAN, limits=Limits(time_s=0))) == ([], StopReason.TIME)


def test_free_grids_have_their_blocks_anywhere() -> None:
    """The students' own generator: so many blocks at random. Over many grids no cell is left out."""
    batch = [grid.cells for grid in generate(Demands(4, 4, STYLES["free"], (3, 3)), limits=Limits(fills=200))]
    assert {cells.count(0) for cells in batch} == {3}
    assert all(15 < sum(cells[cell] == 0 for cells in batch) < 75 for cell in range(16))


def test_letters_of_another_alphabet() -> None:
    demands = Demands(4, 4, STYLES["french"], seed_words=("NIÑO",), alphabet=Alphabet.named("es"))
    (grid,) = generate(demands)
    assert {len(grid.alphabet.members(cell)) for cell in grid.cells} >= {1}
    assert any(grid.pattern(slot) == "NIÑO" for slot in grid.slots)


@cases("unit/questions/cases.toml", "demands")
def test_senseless_demands_are_refused(case: Case) -> None:
    asked = case["asked"] | {name: tuple(value) for name, value in case["asked"].items() if isinstance(value, list)}
    asked.pop("style", "")
    style = STYLES[case["asked"].get("style", "american")]
    style = replace(style, min_slot_length=case.get("min_slot_length", style.min_slot_length))
    with pytest.raises(InputError, match=case["about"]):
        Demands(15, 15, style, **asked)


def test_limits_of_another_type_are_refused() -> None:
    with pytest.raises(TypeError, match="expected limits such as Limits"):
        generate(AMERICAN, limits=cast("Any", 3))


@pytest.mark.parametrize("stream", [
    keep_fillable(generate(AMERICAN), ABC, each_s=-1),
    rank_designs(keep_fillable(generate(AMERICAN), ABC), Objective.MIN, each_s=-1),
])  # fmt: skip
def test_seconds_of_a_grid_are_not_negative(stream: Any) -> None:
    with pytest.raises(InputError, match="seconds from 0 to 31622400 for each_s"):
        next(stream)


# For so many words of seven letters the model seeks a place longer than anybody waits.
SOUGHT = tuple("".join(chr(ord("A") + (7 * i + j * (i + 3)) % 26) for j in range(7)) for i in range(24))


@pytest.mark.parametrize("demands", [AMERICAN, Demands(15, 15, seed_words=SOUGHT)], ids=["growth", "model"])
def test_a_token_stops_it(demands: Demands) -> None:
    limits = Limits(fills=None, stop=StopToken())
    assert limits.stop
    timer = Timer(0.5, limits.stop.set)
    timer.start()
    assert drain(generate(demands, limits=limits))[1] is StopReason.INTERRUPTED
    timer.join()
    fillable = keep_fillable(generate(demands, limits=limits), ABC, limits=limits)
    assert drain(fillable)[1] is StopReason.INTERRUPTED


SQUARE = "abc\ndef\nghi\nadg\nbeh\ncfi"


@cases("unit/questions/cases.toml", "fillable")
def test_patterns_without_a_fill_are_passed_over(case: Case) -> None:
    lexicon = Lexicon([parse_word_list(case["words"].replace(" ", "\n"))])
    grids = generate(Demands(3, 3), limits=Limits(fills=None))
    found, reason = drain(keep_fillable(grids, lexicon, Rules(), each_s=case.get("each_s", 5.0)))
    assert [len(found), reason.value] == case["end"]


@pytest.mark.parametrize(("least", "lengths"), [(0, {2, 3, 5}), (40, {2, 3}), (91, set())])
def test_the_lengths_of_usable_words(least: float, lengths: set[int]) -> None:
    lexicon = Lexicon([parse_word_list("ab;90\nabc;40\nabcde;10")])
    assert find_lengths(lexicon, Rules(min_score=least)) == lengths


@pytest.mark.parametrize(("lengths", "blocks"), [(set(), None), ({16}, None), ({3, 4}, (0, 0))])
def test_without_a_word_for_any_slot_it_ends(lengths: set[int], blocks: tuple[int, int] | None) -> None:
    assert [*generate(Demands(15, 15, blocks=blocks, lengths=frozenset(lengths)))] == []


def test_too_dense_a_japanese_grid_is_disproved() -> None:
    assert [*generate(Demands(15, 15, STYLES["japanese"], (75, 75)))] == []


def test_themes_need_no_ortools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpfill.design.grids.find_spec", lambda _: None)
    words = ("SEVENTY", "ELEVENS")
    grids = [*generate(Demands(11, 11, seed_words=words), limits=Limits(fills=2, time_s=30))]
    assert len(grids) == 2
    assert all(set(words) <= grid.given_words for grid in grids)
    with pytest.raises(UnsupportedError, match="OR-Tools"):
        next(generate(Demands(9, 9, STYLES["barred"])))


SMALL = Demands(3, 3, replace(STYLES["american"], symmetry=Symmetry.NONE))
SMALL_WORDS = Lexicon([parse_word_list("abc\ndef\nghi\nadg\nbeh\ncfi")])


@pytest.mark.parametrize(
    "asked",
    [
        lambda limits: generate(Demands(6, 6, STYLES["barred"]), limits=replace(limits, fills=1)),
        lambda limits: generate(SMALL, limits=limits),
        lambda limits: improve_grids(SMALL, SMALL_WORDS, limits=limits),
    ],
    ids=["barred", "every", "fewest blocks"],
)
def test_the_time_to_load_ortools_is_not_counted(
    monkeypatch: pytest.MonkeyPatch, asked: Callable[[Limits], Generator[object, None, StopReason]]
) -> None:
    now_s = 0.0

    class SlowImport:
        """Lets the import of the models take a thousand seconds of a clock that stands still else."""

        def find_spec(self, name: str, *_: object) -> None:
            nonlocal now_s
            now_s += 1000.0 * (name == MODELS)

    monkeypatch.setattr("cpfill.problem.result.time", SimpleNamespace(perf_counter=lambda: now_s))
    monkeypatch.setattr(sys, "meta_path", [SlowImport(), *sys.meta_path])
    monkeypatch.delitem(sys.modules, MODELS, raising=False)
    found, reason = drain(asked(Limits(time_s=900.0, fills=None)))
    assert (bool(found), now_s) == (True, 1000.0)
    assert reason in {StopReason.EXHAUSTED, StopReason.FILLS}


@pytest.fixture(name="lexicon")
def make_lexicon(english: WordList) -> Lexicon:
    return Lexicon([english])


def follow(stream: Generator[Design, None, StopReason], most: int | None = None) -> tuple[Ranking, StopReason]:
    """Return the ranking of a stream; each report of a design must know more of it than the one before."""
    designs, reason = drain(stream)
    ranking, last = Ranking(most), dict[int, Design]()
    for design in designs:
        before = last.get(design.number)
        assert (before is None) == (design.number == len(last) + 1)
        if before is not None:
            assert not before.proved
            assert design.value >= before.value
            assert design.problem == before.problem
        assert design.result.fill is not None
        assert design.result.fill.value(design.problem) == design.value
        last[design.number] = design
        ranking.add(design)
    return ranking, reason


@pytest.mark.parametrize(
    ("objective", "levels"), [(Objective.MIN, ()), (Objective.MIN_THEN_SUM, ()), (Objective.LEXIMIN, (30.0, 50.0))]
)
def test_of_all_small_grids_the_best_come_first(
    objective: Objective, levels: tuple[float, ...], english: WordList
) -> None:
    """Every grid of a style is searched on its own, too: what is proved of it is the value that the design has."""
    lexicon = Lexicon([WordList("some", dict(list(english.words.items())[::6]))])
    demands = Demands(3, 4, STYLES["french"], (1, 1))
    grids = list(generate(demands, limits=ALL))
    proved = {}
    for grid in grids:
        result = settle(Problem(grid, lexicon, objective=objective, levels=levels))
        if result.status is Status.OPTIMAL:
            proved[grid] = result.value
    assert len(proved) > 5
    for most in (None, 4):
        fillable = keep_fillable(generate(demands, limits=ALL), lexicon, limits=ALL)
        ranking, reason = follow(rank_designs(fillable, objective, levels, limits=Limits(fills=most)), most)
        assert reason is StopReason.EXHAUSTED
        assert len(ranking.all) == len(proved)
        values = [design.value for design in ranking.best]
        assert values == sorted(values, reverse=True)
        assert values == sorted(filter(None, proved.values()), reverse=True)[:most]
        for design in ranking.best:
            assert design.proved
            assert design.value == proved[design.problem.grid]


@pytest.mark.parametrize(("time_s", "reason"), [(1.0, StopReason.TIME), (None, StopReason.INTERRUPTED)])
def test_time_and_token_stop_it(time_s: float | None, reason: StopReason, lexicon: Lexicon) -> None:
    token, demands = StopToken(), Demands(7, 7)
    limits = Limits(time_s=time_s, stop=token, fills=None)
    fillable = keep_fillable(generate(demands, limits=limits), lexicon, limits=limits)

    def stopped_at_three() -> Generator[Design, None, StopReason]:
        stream = rank_designs(fillable, Objective.MIN, limits=replace(limits, fills=2), each_s=0.2)
        while True:
            try:
                design = next(stream)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            if design.number == 3 and time_s is None:
                token.set()
            yield design

    ranking, ended = follow(stopped_at_three(), 2)
    assert ended is reason
    assert time_s or len(ranking.best) == 2


@pytest.mark.parametrize(("more", "enters"), [(0.0, False), (1.0, True), (None, True)])
def test_a_design_enters_the_best_by_its_bound(more: float | None, enters: bool, lexicon: Lexicon) -> None:
    (grid,) = generate(Demands(3, 3, STYLES["french"], (0, 0)))
    problem = Problem(grid, lexicon, objective=Objective.MIN)
    result = settle(problem)
    assert result.value is not None
    ranking = Ranking(1)
    ranking.add(Design(1, problem, result))
    bound = None
    if more is not None:
        bound = (result.value[0] + more,)
    other = replace(result, status=Status.SATISFIED, value=(0.0,), bound=bound)
    assert ranking.can_enter(Design(2, problem, other)) is enters


@pytest.mark.parametrize("before", [1, 2, 3, 4])
def test_an_interrupt_keeps_the_best_designs(before: int) -> None:
    request = Request.of(words=["abc", "def", "ghi", "adg", "beh", "cfi"], objective="min")
    stream = Generate(request=request, size=(3, 3), filled=True).answer(Desk())
    parts = [part for _, part in zip(range(before), stream, strict=False)]
    if not isinstance(parts[-1], Generated):
        parts += [stream.throw(KeyboardInterrupt), *stream]
    *_, best, end = parts
    assert isinstance(best, FoundGrid)
    assert isinstance(end, Generated)
    assert (end.result.fills, end.failure) == (1, None)
