"""Ties as users write them (C4), what they refuse, and how each engine and verb takes them."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest

import cpfill
from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import CpfillError, GridError, InputError, UnsupportedError
from cpfill.engines import ENGINES, auto, engine_class, make_engine
from cpfill.engines.audited import search, search_all, tally
from cpfill.engines.contract import Feature
from cpfill.engines.toolkit.propagation import ac3
from cpfill.problem.check import violations
from cpfill.problem.event import Found
from cpfill.problem.fill import Fill
from cpfill.problem.problem import Objective
from cpfill.problem.result import Limits, Status
from cpfill.problem.ties import add_ties, parse_tie
from cpfill.puzzle.grid import Grid
from cpfill.questions.candidates import Candidates, Verdict
from cpfill.questions.edits import Edits
from cpfill.questions.explain import explain
from cpfill.questions.generate import Generate
from cpfill.questions.question import Desk
from cpfill.questions.request import Request
from cpfill.questions.search_tree import grow
from cpfill.solvers.data import write_data
from cpfill.words.lexicon import walk_members
from tests.support import Question, question, run

ABLE = [name for name in ENGINES if Feature.TIES in engine_class(name).features]


def _list_words(seed: int) -> dict[str, float]:
    chance = Random(seed)
    words = {}
    for length in (2, 3, 4):
        for letters in product("ABCD", repeat=length):
            if chance.random() < {2: 0.6, 3: 0.5, 4: 0.2}[length]:
                words["".join(letters)] = float(chance.randrange(1, 9))
    return words


def _ask(*rows: str, ties: list[set[tuple[int, int]]], seed: int = 1) -> Question:
    sets = tuple(map(frozenset, ties))
    return question(*rows, words=_list_words(seed), alphabet="ABCD", repeats=True, ties=sets)


QUESTIONS = {
    "a symmetric square": _ask("...", "...", "...", ties=[{(0, 1), (1, 0)}, {(0, 2), (2, 0)}, {(1, 2), (2, 1)}]),
    "two words": _ask("...#", "#...", ties=[{(0, 0), (1, 3)}]),
    "no crossing": _ask("....", "####", "....", ties=[{(0, 0), (2, 3)}, {(0, 3), (2, 1)}]),
    "within a word": _ask("....", "####", "....", ties=[{(0, 0), (0, 3)}, {(2, 0), (2, 1), (2, 2)}]),
    "three cells": _ask("....", ".##.", "....", ties=[{(0, 1), (1, 3), (2, 2)}, {(0, 0), (2, 0), (2, 3)}]),
    "two ends of one letter": _ask("....", "####", "....", ties=[{(0, 0), (2, 0), (2, 1)}, {(0, 2), (0, 3)}]),
    "a cell in no slot": _ask("...#", "###.", "...#", ties=[{(0, 0), (1, 3), (2, 2)}]),
    "cells in no slot": _ask("..#.", "####", ".#..", ties=[{(0, 3), (2, 0)}]),
    "a letter set": _ask("[AB]..#", "####", "..[BC]#", ties=[{(0, 0), (2, 2)}]),
}


@pytest.mark.parametrize("engine", ABLE)
@pytest.mark.parametrize("name", QUESTIONS)
def test_every_fill(engine: str, name: str) -> None:
    asked = QUESTIONS[name]
    formulations = [{"formulation": "table"}, {"formulation": "boolean"}] if engine == "cpsat" else [{}]
    for options in formulations:
        ran = run(engine, asked.problem(), Limits(fills=None), **options)
        assert {rows for rows, _ in ran.found} == asked.answer.fills != frozenset()


@pytest.mark.parametrize("engine", ABLE)
@pytest.mark.parametrize("objective", [Objective.MIN, Objective.SUM, Objective.LETTER_VALUES])
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_best_fill(engine: str, objective: Objective, name: str) -> None:
    asked = QUESTIONS[name]
    result = run(engine, asked.problem(objective)).result
    assert (result.status, result.value) == (Status.OPTIMAL, asked.answer_to(objective).best)


@pytest.mark.parametrize("name", QUESTIONS.keys() - {"a letter set"})
def test_the_audit_knows_ties(name: str) -> None:
    """Fills of the grid without ties keep them, or break C4."""
    asked = QUESTIONS[name]
    problem = asked.problem()
    free = question(*["".join(sign) for sign in _rows_of(asked)], words=asked.words, alphabet="ABCD", repeats=True)
    for rows in sorted(free.answer.fills)[:200]:
        fill = Fill(tuple(letter.strip("#") for letter in "".join(rows)), problem.grid)
        broken = {each.rule for each in violations(problem, fill)}
        kept = all(len({rows[row][column] for row, column in tied}) == 1 for tied in asked.ties)
        assert broken == (set() if kept else {"C4"})


def _rows_of(asked: Question) -> list[list[str]]:
    return [["." if cell else "#" for cell in row] for row in asked.cells]


def test_others_refuse_ties_and_name_those_that_know_them() -> None:
    problem = QUESTIONS["two words"].problem()
    for name in ENGINES.keys() - set(ABLE):
        with pytest.raises(UnsupportedError, match=f"{name} cannot tie cells; engines that can: {', '.join(ABLE)}"):
            make_engine(name).search(problem, Limits())
    assert set(ABLE) == {"auto", "cpsat", "fc", "fc-cbj", "mac"}


GRID = Grid(3, 3, (Alphabet().full,) * 9, Alphabet())


def test_without_ties_links_are_neighbours() -> None:
    assert GRID.links is GRID.neighbours
    assert GRID.agreements is GRID.crossings
    tied = Grid(3, 3, GRID.cells, GRID.alphabet, ties=frozenset({(0, 8)}))
    assert set(tied.links[0]) - set(GRID.neighbours[0]) == {(0, 2, 2)}


def test_components_follow_ties() -> None:
    free = question("..", "##", "..", words="AB")
    assert len(free.problem().grid.components) == 2
    assert len(_ask("..", "##", "..", ties=[{(0, 0), (2, 1)}]).problem().grid.components) == 1


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("R1C2=r2c1", {(1, 3)}),
        ("1-Across = 5-Across", {(0, 6), (1, 7), (2, 8)}),
        ("1A=5A reversed", {(0, 8), (1, 7), (2, 6)}),
        ("1-Across=1-Across reversed", {(0, 2), (1, 1), (2, 0)}),
        ("1-Across=1-Down", {(0, 0), (1, 3), (2, 6)}),
        ("diagonal", {(1, 3), (2, 6), (5, 7)}),
    ],
)
def test_ties_as_they_are_written(text: str, pairs: set[tuple[int, int]]) -> None:
    assert set(parse_tie(text, GRID)) == pairs
    ties = {(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]}
    assert add_ties(GRID, [text], repeats=True).ties == ties


def test_letters_of_tied_cells_spread() -> None:
    cells = list(GRID.cells)
    cells[0] = GRID.alphabet.letter_set("ABC")
    cells[8] = GRID.alphabet.letter_set("BCD")
    grid = Grid(3, 3, tuple(cells), GRID.alphabet)
    tied = add_ties(grid, ["R1C1=R2C2", "R2C2=R3C3"], repeats=True)
    assert [tied.cells[cell] for cell in (0, 4, 8)] == [GRID.alphabet.letter_set("BC")] * 3


WORDS = ["ABA", "BCB", "CAC", "ABC", "CBA", "BAB"]


@pytest.mark.parametrize(
    ("rows", "tie", "told"),
    [
        (["A..", "...", "..B"], "R1C1=R3C3", "a letter that the tied cells R1C1, R3C3 may all hold, found A, B"),
        (
            ["...", "...", "..."],
            "R1C1",
            "a tie such as R1C2=R2C1, 1-Across=5-Across reversed or diagonal, found 'R1C1'",
        ),
        (["...", "...", "..."], "=R1C1", "found '=R1C1'"),
        (["...", "...", "..."], "R1C1=R4C1", "a cell from R1C1 to R3C3, found 'R4C1'"),
        (["...", "...", "..."], "1-Across=9-Across", "found '9-Across'"),
        (["...", ".#.", "..."], "R1C1=R2C2", "an open cell, found 'R2C2', a block"),
        (["...", "..#", "..."], "1-Across=3-Across", "as many cells on both sides of 1-Across=3-Across, found 3, 2"),
        (["...", "..."], "diagonal", "a square grid for the tie diagonal, found 2 x 3"),
        (["..#", "...", "..."], "diagonal", "tied cells that are open and hold one letter, found R1C3"),
        (["(AB)..", "...", "..."], "R1C1=R3C3", "tied cells that are open and hold one letter, found R1C1"),
        (
            ["...", "...", "..."],
            "diagonal",
            "--repeats, because ties let 1-Across and 1-Down hold one word, found none",
        ),
    ],
)
def test_wrong_ties(rows: list[str], tie: str, told: str) -> None:
    with pytest.raises(CpfillError) as refused:
        cpfill.solve(rows, WORDS, tie=[tie])
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_tie_of_a_grid_is_between_open_cells() -> None:
    for pair in ((3, 1), (0, 9), (2, 2)):
        with pytest.raises(GridError, match="a tie between two open cells"):
            Grid(3, 3, GRID.cells, GRID.alphabet, ties=frozenset({pair}))


def test_a_filled_grid_is_audited() -> None:
    for rows, broken in ((["ABA", "BCB", "ABA"], 0), (["ABA", "BCB", "BAB"], 1)):
        problem = question(*rows, words=" ".join([*WORDS, "ABB", "BCA"]), repeats=True).problem()
        problem = replace(problem, grid=add_ties(problem.grid, ["R1C1=R3C1"], repeats=True))
        assert [each.rule for each in violations(problem, Fill.of_grid(problem.grid))] == ["C4"] * broken


def test_texts_reach_tied_cells_in_no_slot() -> None:
    problem = cpfill.make_problem(["..#.", "####", "#.##"], ["AB"], tie=["R1C4=R3C2"], spell=["R1C4=B,C"])
    fills = {tuple(event.fill.rows) for event in search(problem, limits=Limits(fills=None)) if isinstance(event, Found)}
    assert fills == {("AB#B", "####", "#B##"), ("AB#C", "####", "#C##")}


def test_texts_reach_tied_cells() -> None:
    result = cpfill.solve(["..#.", "####", "#.##"], ["AB", "BA"], tie=["R1C1=R3C2", "R1C4=R3C2"], spell=["R1C4=A,B"])
    assert result.fill is not None
    assert result.fill.rows in (["AB#A", "####", "#A##"], ["BA#B", "####", "#B##"])


def test_consistency_follows_ties() -> None:
    tied = (frozenset({(0, 0), (2, 2)}),)
    problem = question("...", "###", "...", words="ABC ACB BAA", repeats=True, ties=tied).problem()
    words = [problem.tables[0].words[word] for word in walk_members(ac3(problem, problem.domains)[0])]
    assert sorted(words) == ["ABC", "ACB", "BAA"]
    words = [problem.tables[1].words[word] for word in walk_members(ac3(problem, problem.domains)[1])]
    assert sorted(words) == ["ACB", "BAA"]  # C ends ABC, but begins no word


def test_a_rectangle_with_ties_is_not_left_to_an_engine_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "FIRST_NODES", 1)
    asked = QUESTIONS["a symmetric square"]
    assert run("auto", asked.problem()).result.status is Status.SATISFIED


@pytest.mark.parametrize("name", QUESTIONS)
def test_counts_trees_and_candidates_know_ties(name: str) -> None:
    asked = QUESTIONS[name]
    problem = asked.problem()
    assert tally(problem, search_all(problem)).fills == len(asked.answer.fills)
    assert grow(problem, problem.slots).fills == len(asked.answer.fills)
    candidates = Candidates(problem)
    fills = [Fill(tuple("".join(rows).replace("#", " ")), problem.grid) for rows in asked.answer.fills]
    for slot in problem.slots:
        fitting = {each.word for each in candidates.judge_words(slot.id) if each.verdict is Verdict.YES}
        assert fitting == {fill.word_at(slot) for fill in fills}


def test_what_ignores_ties_refuses_them() -> None:
    tied = Request.of(["..", ".."], {"AB": 5.0, "BA": 5.0}, tie=["R1C1=R2C2"])
    with pytest.raises(InputError, match="no text to spell and no tie in a grid that is generated, found R1C1=R2C2"):
        Generate(request=tied, size=(5, 5))
    with pytest.raises(InputError, match="no ties in a grid whose blocks change, found R1C1=R2C2"):
        list(Edits(request=tied).answer(Desk()))
    problem = QUESTIONS["two words"].problem()
    for kind in ("opb", "wcsp", "xcsp3"):
        with pytest.raises(InputError, match="a problem without tied cells"):
            write_data(problem, kind)


def test_explanations_refuse_ties() -> None:
    with pytest.raises(UnsupportedError, match="no explanation with tied cells"):
        explain(QUESTIONS["two words"].problem())
