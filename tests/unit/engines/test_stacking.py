"""Weaving and scaffolding: complete, and step by step what the article says."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cpfill.engines.weaving import ScaffoldEngine, WeaveEngine
from cpfill.problem.result import Limits, Status
from tests.support import question, run

if TYPE_CHECKING:
    from cpfill.engines.contract import Engine

WEAVE = WeaveEngine()
SCAFFOLD = ScaffoldEngine()
engines = pytest.mark.parametrize("engine", [WEAVE, SCAFFOLD], ids=["weave", "scaffold"])

# Every word of three letters over A, B and C that has two of them at least.
THREE = " ".join("".join(letters) for letters in itertools.product("ABC", repeat=3) if len(set(letters)) > 1)
SQUARE = question("...", "...", "...", words=THREE)


@pytest.mark.parametrize(
    ("engine", "rows", "names"),
    [
        (WEAVE, ".../.../...", "1-Across 1-Down 4-Across 2-Down 5-Across 3-Down"),
        (WEAVE, "...#.../...#.../...#...", "1-Across 4-Across 1-Down 7-Across 8-Across"),
        (SCAFFOLD, ".../.../...", "1-Across 4-Across 5-Across"),  # the rows spell each column
        (SCAFFOLD, ".../.#./...", "1-Across 3-Across 1-Down 2-Down"),
        (SCAFFOLD, "././.", "1-Down"),
    ],
)
def test_slots_are_placed_in_order(engine: WeaveEngine, rows: str, names: str) -> None:
    grid = question(*rows.split("/"), words="AAA").problem().grid
    placed = [grid.slots[id_].name for id_ in engine.order_slots(grid)]
    assert placed[: len(names.split())] == names.split()
    assert engine is WEAVE or len(placed) == len(names.split())


@pytest.mark.parametrize(("engine", "words"), [(WEAVE, 6), (SCAFFOLD, 3)])
@pytest.mark.parametrize("seed", range(5))
def test_the_steps_are_a_walk(engine: Engine, words: int, seed: int) -> None:
    """On an open square every move back is by one word: those placed are those taken back and those that stay."""
    stats = run(engine, SQUARE.problem(), Limits(seed=seed)).result.stats
    assert stats.backjumps == 0
    assert stats.nodes == stats.backtracks + words


@engines
def test_a_proof_goes_back_beyond_the_first_word(engine: Engine) -> None:
    asked = replace(SQUARE, words={word: 50.0 for word in THREE.split() if word[0] < word[2]})
    assert not asked.answer.fills
    stats = run(engine, asked.problem(), Limits(fills=None)).result.stats
    assert stats.backjumps == 0
    assert stats.backtracks == stats.nodes + 1


def test_weaving_remembers_the_letter_that_blocked() -> None:
    """No word begins with Q: of the twenty words that put one at the start of the second row one is tried."""
    words = " ".join(["ABC", "BBB", "CCC", *(f"AQ{letter}" for letter in "ABCDEFGHIJKLMNOPRSTU")])
    stats = run(WEAVE, question("ABC", "...", "...", words=words).problem()).result.stats
    assert (stats.nodes, stats.backtracks) == (2, 3)


def test_scaffolding_tries_a_letter_once() -> None:
    """All columns want a Q in the second row, no word has one: a few words show it, and no second row is placed."""
    words = ["ABC", *("".join(letters) for letters in itertools.product("DEFGH", repeat=3))]
    words += [f"{first}Q{last}" for first in "ABC" for last in "RST"]
    stats = run(SCAFFOLD, question("ABC", "...", "...", words=" ".join(words)).problem()).result.stats
    assert (stats.nodes, stats.backtracks) == (1, 2)
    assert stats.checks <= 3 + 26 * 3  # the first row's letters, and every letter in each place of the second


@engines
def test_a_part_without_a_fill_is_tried_once(engine: Engine) -> None:
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
