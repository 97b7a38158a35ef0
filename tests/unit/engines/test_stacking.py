"""Weaving and scaffolding: complete, and step by step what the article says."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import strategies as st

from cpfill.engines.weaving import ScaffoldEngine, WeaveEngine
from cpfill.problem.result import Limits, Status
from tests.support import question, run

if TYPE_CHECKING:
    from cpfill.engines.contract import Engine

engines = pytest.mark.parametrize("engine", [WeaveEngine(), ScaffoldEngine()], ids=["weave", "scaffold"])
seeds = st.integers(0, 9)

# Every word of three letters over A, B and C that has two of them at least.
THREE = " ".join("".join(letters) for letters in itertools.product("ABC", repeat=3) if len(set(letters)) > 1)
SQUARE = question("...", "...", "...", words=THREE)


def placed(engine: WeaveEngine, *rows: str) -> list[str]:
    """Return the names of the slots of a grid in the order in which an engine places them."""
    grid = question(*rows, words="AAA").problem().grid
    return [grid.slots[id_].name for id_ in engine.order_slots(grid)]


def test_weaving_alternates() -> None:
    rows = ("...", "...", "...")
    assert placed(WeaveEngine(), *rows) == ["1-Across", "1-Down", "4-Across", "2-Down", "5-Across", "3-Down"]


def test_weaving_goes_line_by_line() -> None:
    rows = ("...#...", "...#...", "...#...")
    firsts = placed(WeaveEngine(), *rows)[:5]
    assert firsts == ["1-Across", "4-Across", "1-Down", "7-Across", "8-Across"]


def test_scaffolding_places_a_down_word_only_where_no_row_spells_it() -> None:
    assert placed(ScaffoldEngine(), "...", "...", "...") == ["1-Across", "4-Across", "5-Across"]
    assert placed(ScaffoldEngine(), "...", ".#.", "...") == ["1-Across", "3-Across", "1-Down", "2-Down"]
    assert placed(ScaffoldEngine(), ".", ".", ".") == ["1-Down"]


@pytest.mark.parametrize(("engine", "words"), [(WeaveEngine(), 6), (ScaffoldEngine(), 3)])
@pytest.mark.parametrize("seed", range(5))
def test_the_steps_are_a_walk_from_no_word_to_the_last(engine: Engine, words: int, seed: int) -> None:
    """On an open square every move back is by one word: those placed are those taken back and those that stay."""
    stats = run(engine, SQUARE.problem(), Limits(seed=seed)).result.stats
    assert stats.backjumps == 0
    assert stats.nodes == stats.backtracks + words


@engines
def test_a_proof_is_a_walk_that_goes_back_beyond_the_first_word(engine: Engine) -> None:
    asked = replace(SQUARE, words={word: 50.0 for word in THREE.split() if word[0] < word[2]})
    assert not asked.answer.fills
    stats = run(engine, asked.problem(), Limits(fills=None)).result.stats
    assert stats.backjumps == 0
    assert stats.backtracks == stats.nodes + 1


def test_weaving_remembers_the_letter_that_blocked_the_next_word() -> None:
    """No word begins with Q: of the twenty words that put one at the start of the second row one is tried."""
    words = " ".join(["ABC", "BBB", "CCC", *(f"AQ{letter}" for letter in "ABCDEFGHIJKLMNOPRSTU")])
    stats = run(WeaveEngine(), question("ABC", "...", "...", words=words).problem()).result.stats
    assert (stats.nodes, stats.backtracks) == (2, 3)


def test_scaffolding_tries_a_letter_once() -> None:
    """All columns want a Q in the second row, no word has one: a few words show it, and no second row is placed."""
    words = ["ABC", *("".join(letters) for letters in itertools.product("DEFGH", repeat=3))]
    words += [f"{first}Q{last}" for first in "ABC" for last in "RST"]
    stats = run(ScaffoldEngine(), question("ABC", "...", "...", words=" ".join(words)).problem()).result.stats
    assert (stats.nodes, stats.backtracks) == (1, 2)
    assert stats.checks <= 3 + 26 * 3  # the first row's letters, and every letter in each place of the second


@engines
def test_a_part_that_cannot_be_filled_is_not_tried_again_for_each_fill_of_another(engine: Engine) -> None:
    """The part on the right has no fill (each word ends in a letter that none begins with)."""
    alone = question("[AB][XY]", "[XY][AB]", words="AX AY BX BY", repeats=True)
    assert not alone.answer.fills
    both = question("[AB][XY]#...", "[XY][AB]#...", "###...", words=f"AX AY BX BY {THREE}", repeats=True)
    ran = run(engine, both.problem(), Limits(fills=None))
    assert ran.result.status is Status.UNSATISFIABLE
    assert ran.result.stats.nodes < 200  # the square on the right alone has more fills than that


@engines
def test_seeds_differ_and_repeat_themselves(engine: Engine) -> None:
    first = [run(engine, SQUARE.problem(), Limits(seed=seed)).found[0] for seed in range(8)]
    assert len(set(first)) > 1
    assert first == [run(engine, SQUARE.problem(), Limits(seed=seed)).found[0] for seed in range(8)]


@engines
def test_a_slot_that_no_word_fits_is_the_proof(engine: Engine) -> None:
    ran = run(engine, question("A.", "..", words="BA BB").problem())
    assert (ran.result.status, ran.result.proof) == (Status.UNSATISFIABLE, "node consistency")
    assert ran.finished.wipeout == 0
