from __future__ import annotations

from dataclasses import replace
from random import Random
from threading import Timer
from typing import TYPE_CHECKING, Any, cast

import pytest

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import InputError, UnsupportedError
from cpfill.base.threads import StopToken
from cpfill.problem.check import violations
from cpfill.problem.event import StopReason
from cpfill.problem.result import Deadline, Limits
from cpfill.problem.rules import Rules
from cpfill.questions.generate import STYLES, Demands, Symmetry, find_lengths, generate, keep_fillable
from cpfill.questions.generate.board import BlockPattern, Board
from cpfill.questions.generate.models import PatternModel
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import WordList, parse_word_list

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.puzzle.grid import Grid

AMERICAN = Demands(15, 15, blocks=(36, 40))


def patterns(grids: list[Grid]) -> list[tuple[bool, ...]]:
    return [tuple(not cell for cell in grid.cells) for grid in grids]


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


@pytest.mark.parametrize("style", sorted(STYLES))
def test_a_seed_settles_the_grids(style: str) -> None:
    demands = Demands(9, 9, STYLES[style])
    once, again, other = ([*generate(demands, limits=Limits(fills=4, seed=seed))] for seed in (7, 7, 8))
    assert once == again
    shapes = [[(grid.cells, grid.bars) for grid in batch] for batch in (once, other)]
    assert shapes[0] != shapes[1]
    assert len(set(shapes[0])) == 4


def test_a_seed_settles_what_the_model_finds() -> None:
    demands = Demands(9, 9, seed_words=("SOLVER", "LATTICE"))
    once, again, other = ([*generate(demands, limits=Limits(fills=2, seed=seed))] for seed in (7, 7, 8))
    assert once == again
    assert once != other


def test_a_longer_batch_begins_like_a_shorter_one() -> None:
    assert [*generate(AMERICAN, limits=Limits(fills=5))][:3] == [*generate(AMERICAN, limits=Limits(fills=3))]


def test_grids_of_a_batch_differ_in_most_of_their_blocks() -> None:
    batch = [
        {cell for cell, block in enumerate(one) if block}
        for one in patterns([*generate(AMERICAN, limits=Limits(fills=20))])
    ]
    shared = [len(a & b) / min(len(a), len(b)) for place, a in enumerate(batch) for b in batch[:place]]
    assert sum(shared) / len(shared) < 0.5


def test_what_the_model_finds_differs_too() -> None:
    found = PatternModel(AMERICAN, (36, 40)).find_patterns(Random(1), Deadline(None))
    batch = [next(found).blocks for _ in range(8)]
    shared = [(a & b).bit_count() / 40 for place, a in enumerate(batch) for b in batch[:place]]
    assert sum(shared) / len(shared) < 0.5


def test_a_pattern_that_is_forbidden_does_not_come() -> None:
    demands = Demands(3, 3, blocks=(0, 0))
    model = PatternModel(demands, (0, 0))
    model.forbid(BlockPattern(0))
    assert list(model.find_patterns(Random(0), Deadline(None))) == []


def test_time_that_is_over_is_no_proof() -> None:
    stream = generate(AMERICAN, limits=Limits(time_s=0))
    with pytest.raises(StopIteration) as end:
        next(stream)
    assert end.value.value is StopReason.TIME


def test_free_grids_have_their_blocks_anywhere() -> None:
    """The students' own generator: so many blocks at random. Over many grids no cell is left out."""
    batch = patterns([*generate(Demands(4, 4, STYLES["free"], (3, 3)), limits=Limits(fills=200))])
    assert {sum(one) for one in batch} == {3}
    assert all(15 < sum(one[cell] for one in batch) < 75 for cell in range(16))


def test_letters_of_another_alphabet() -> None:
    demands = Demands(4, 4, STYLES["french"], seed_words=("NIÑO",), alphabet=Alphabet.named("es"))
    (grid,) = generate(demands)
    assert {len(grid.alphabet.members(cell)) for cell in grid.cells} >= {1}
    assert any(grid.pattern(slot) == "NIÑO" for slot in grid.slots)


@pytest.mark.parametrize(
    ("demands", "complaint"),
    [
        ({"height": 0}, "a size from 1x1 to 60x60, found 0x15"),
        ({"width": 61}, "found 15x61"),
        ({"width": 14, "style": replace(STYLES["free"], symmetry=Symmetry.DIAGONAL)}, "a square for the symmetry"),
        ({"style": replace(STYLES["free"], min_slot_length=16)}, "a side of at least 16, .* found 15x15"),
        ({"style": STYLES["barred"], "blocks": (3, 5)}, "a barred grid without blocks, found 3 blocks"),
        ({"style": replace(STYLES["barred"], min_slot_length=1)}, "slots of 2 cells or more in a barred grid, found 1"),
        ({"style": replace(STYLES["free"], min_slot_length=0)}, "from 1 to 255 for min_slot_length, found 0"),
        ({"seed_words": ("",)}, "a seed word of 3 to 15 letters, .* found '', of 0"),
        ({"blocks": (226, 226)}, "blocks from 0 to the 225 cells of 15x15, found 226"),
        ({"blocks": (5, 4)}, "found 5-4"),
        ({"max_words": 0}, "from 1 to 130050 for max_words"),
        ({"seed_words": ("AB",)}, "a seed word of 3 to 15 letters"),
        ({"seed_words": ("A" * 16,)}, "a seed word of 3 to 15 letters"),
        ({"seed_words": ("abc",)}, "a seed word over the alphabet"),
        ({"seed_words": ("CAB", "CAB")}, "each seed word once"),
        ({"seed_words": ("CAB", "ELK"), "max_words": 1}, "at most 1 seed words"),
    ],
)
def test_demands_that_make_no_sense(demands: dict[str, object], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Demands(**{"height": 15, "width": 15, **demands})  # type: ignore[arg-type]


def test_numbers_that_make_no_sense() -> None:
    with pytest.raises(TypeError, match="expected limits such as Limits"):
        generate(AMERICAN, limits=cast("Any", 3))
    with pytest.raises(InputError, match="seconds from 0 to 31622400 for each_s"):
        next(keep_fillable(generate(AMERICAN), Lexicon([parse_word_list("abc")]), each_s=-1))


# For so many words of seven letters the model seeks a place longer than anybody waits.
SOUGHT = tuple("".join(chr(ord("A") + (7 * i + j * (i + 3)) % 26) for j in range(7)) for i in range(24))


@pytest.mark.parametrize("demands", [AMERICAN, Demands(15, 15, seed_words=SOUGHT)], ids=["growth", "model"])
def test_a_token_stops_it(demands: Demands) -> None:
    limits = Limits(fills=None, stop=StopToken())
    assert limits.stop
    timer = Timer(0.5, limits.stop.set)
    timer.start()
    assert ending(generate(demands, limits=limits)) is StopReason.INTERRUPTED
    timer.join()
    lexicon = Lexicon([parse_word_list("abc")])
    assert ending(keep_fillable(generate(demands, limits=limits), lexicon, limits=limits)) is StopReason.INTERRUPTED


def ending(stream: Generator[object, None, StopReason]) -> StopReason:
    while True:
        try:
            next(stream)
        except StopIteration as end:
            reason: StopReason = end.value
            return reason


def test_a_fillable_grid_comes_with_a_fill(english: WordList) -> None:
    demands = Demands(7, 7, seed_words=("SOLVERS",))
    lexicon = Lexicon([english])
    found = list(
        keep_fillable(
            generate(demands, limits=Limits(time_s=60, fills=None)), lexicon, limits=Limits(time_s=60, fills=2)
        )
    )
    assert len(found) == 2
    for problem, fill in found:
        assert violations(problem, fill) == []
        assert "SOLVERS" in {fill.word_at(slot) for slot in problem.slots}


def ended(words: str, demands: Demands, each_s: float = 5.0) -> tuple[int, StopReason]:
    stream = keep_fillable(
        generate(demands, limits=Limits(fills=None)), Lexicon([parse_word_list(words)]), Rules(), each_s=each_s
    )
    count = 0
    while True:
        try:
            next(stream)
        except StopIteration as end:
            return count, end.value
        count += 1


SQUARE = "abc\ndef\nghi\nadg\nbeh\ncfi"


def test_patterns_that_cannot_be_filled_are_passed_over() -> None:
    assert ended("aaa", Demands(3, 3)) == (0, StopReason.EXHAUSTED)
    assert ended("abc\nbca\ncab", Demands(3, 3)) == (0, StopReason.EXHAUSTED)
    assert ended(SQUARE, Demands(3, 3)) == (1, StopReason.FILLS)


def test_a_grid_that_was_not_decided_in_time_is_not_excluded() -> None:
    assert ended(SQUARE, Demands(3, 3), each_s=0.0) == (0, StopReason.TRIES)


def test_what_lengths_words_leave() -> None:
    lexicon = Lexicon([parse_word_list("ab;90\nabc;40\nabcde;10")])
    assert find_lengths(lexicon) == {2, 3, 5}
    assert find_lengths(lexicon, Rules(min_score=40)) == {2, 3}
    assert find_lengths(lexicon, Rules(min_score=91)) == set()


@pytest.mark.parametrize(("lengths", "blocks"), [(set(), None), ({16}, None), ({3, 4}, (0, 0))])
def test_where_no_slot_has_a_word_it_ends_at_once(lengths: set[int], blocks: tuple[int, int] | None) -> None:
    assert [*generate(Demands(15, 15, blocks=blocks, lengths=frozenset(lengths)))] == []


def test_slots_have_lengths_of_words() -> None:
    demands = Demands(15, 15, lengths=frozenset({3, 4, 5, 7, 8}))
    for grid in generate(demands, limits=Limits(fills=5)):
        assert {slot.length for slot in grid.slots} <= {3, 4, 5, 7, 8}


def test_too_dense_a_japanese_grid_is_disproved_by_counting() -> None:
    assert [*generate(Demands(15, 15, STYLES["japanese"], (75, 75)))] == []


def test_grids_grow_where_numpy_and_ortools_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpfill.questions.generate.generation.find_spec", lambda _: None)
    words = ("SEVENTY", "ELEVENS")
    grids = [*generate(Demands(11, 11, seed_words=words), limits=Limits(fills=2, time_s=30))]
    assert len(grids) == 2
    assert all(set(words) <= grid.given_words for grid in grids)
    with pytest.raises(UnsupportedError, match="OR-Tools"):
        next(generate(Demands(9, 9, STYLES["barred"])))
