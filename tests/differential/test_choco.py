"""A model of our own for Choco (by pychoco): the same fills and the same optimum as every engine of cpfill.

One variable a cell; each slot's cells are a row of the table of its words, and of their numbers, which all differ. Two
words that share a run of letters are a pair that no two slots may have.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from pychoco.model import Model

from cpfill.problem.problem import Objective
from cpfill.problem.result import Limits, Status
from tests.differential.common import QUESTIONS, RULED
from tests.support import ADDERS, ENGINE_NAMES, MAXIMISERS, MEASURES, Question, run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pychoco.variables.intvar import IntVar

    from cpfill.testing.brute_force import Rows, Value

MOST = 1_000_000


class Choco:
    """A question as a model of Choco."""

    def __init__(self, asked: Question) -> None:
        self.asked = asked
        self.model = Model()
        self.scores: list[float] = sorted(set(asked.words.values()))
        self.possible = True
        height, width = len(asked.cells), len(asked.cells[0])
        code = {letter: number for number, letter in enumerate(asked.alphabet)}
        self.letters = {
            (row, column): self.model.intvar([code[letter] for letter in asked.cells[row][column]])
            for row in range(height)
            for column in range(width)
            if asked.cells[row][column]
        }
        words = [word for word, score in sorted(asked.words.items()) if score >= asked.min_score]
        numbers, self.ranks = [], []
        self.obscure: list[IntVar] = []
        self.weights: list[IntVar] = []
        self.gains: list[IntVar] = []
        slots = self.slots()
        for slot in slots:
            fitting = [number for number, word in enumerate(words) if len(word) == len(slot)]
            if not fitting:
                self.possible = False
                return
            number = self.model.intvar(0, len(words))
            rank = self.model.intvar(0, len(self.scores))
            costs = [self.costs(words[number_]) for number_ in fitting]
            rest = [self.model.intvar(sorted(set(column))) for column in zip(*costs, strict=True)]
            tuples = [
                [number_, self.scores.index(asked.words[words[number_]]), *self.costs(words[number_])]
                + [code[letter] for letter in words[number_]]
                for number_ in fitting
            ]
            self.model.table([number, rank, *rest, *(self.letters[cell] for cell in slot)], tuples).post()
            numbers.append(number)
            self.ranks.append(rank)
            for variables, variable in zip((self.obscure, self.weights, self.gains), rest, strict=True):
                variables.append(variable)
        if not asked.repeats and len(numbers) > 1:
            self.model.all_different(numbers).post()
        self.together(words, numbers)
        if asked.max_obscure is not None:
            self.model.sum(self.obscure, "<=", asked.max_obscure).post()
        covered = {cell for slot in slots for cell in slot}
        for cell, letter in self.letters.items():
            if cell not in covered:
                first = code[asked.cells[cell[0]][cell[1]][0]]
                self.model.arithm(letter, "=", first).post()

    def costs(self, word: str) -> list[int]:
        """Return whether a word is obscure, its weight and its score, both in hundredths."""
        asked = self.asked
        weight, gain = (round(100 * number) for number in (asked.theme.get(word, 0.0), asked.words[word]))
        return [int(asked.max_obscure is not None and asked.words[word] < asked.below), weight, gain]

    def together(self, words: list[str], numbers: list[IntVar]) -> None:
        """State C5, C7 and that a theme word stands once."""
        if self.asked.no_shared:
            marks = [self.asked.marks[word] for word in words]
            pairs = [[i, j] for i, one in enumerate(marks) for j, other in enumerate(marks) if one & other]
            for one, other in itertools.combinations(numbers, 2) if pairs else ():
                self.model.table([one, other], pairs, feasible=False).post()
        for word in self.asked.required:
            self.model.count(words.index(word), numbers, self.model.intvar(1, len(numbers))).post()
        for word in self.asked.theme:
            self.model.count(words.index(word), numbers, self.model.intvar(0, 1)).post()

    def slots(self) -> list[list[tuple[int, int]]]:
        """Return the cells of each slot, by walking from every cell that begins a run."""
        slots = []
        for row, column in self.letters:
            for down, across in ((0, 1), (1, 0)):
                if (row - down, column - across) not in self.letters:
                    run_ = [(row, column)]
                    while (run_[-1][0] + down, run_[-1][1] + across) in self.letters:
                        run_.append((run_[-1][0] + down, run_[-1][1] + across))
                    if len(run_) >= self.asked.min_slot_length:
                        slots.append(run_)
        return slots

    def fills(self) -> list[Rows]:
        if not self.possible:
            return []
        result = []
        for solution in self.model.get_solver().find_all_solutions():
            rows = []
            for row, cells in enumerate(self.asked.cells):
                values = [
                    self.asked.alphabet[solution.get_int_val(self.letters[row, column])] if cell else "#"
                    for column, cell in enumerate(cells)
                ]
                rows.append("".join(values))
            result.append(tuple(rows))
        return result

    def best(self, measure: str, reached: Mapping[str, int]) -> int | None:
        """Return the best that a fill reaches by one measure where it reaches so much by others."""
        if not self.possible:
            return None
        totals = {name: self.model.intvar(0, MOST) for name in ("theme", "min", "sum")}
        self.model.sum(self.weights, "=", totals["theme"]).post()
        self.model.min(totals["min"], self.ranks).post()
        self.model.sum(self.gains, "=", totals["sum"]).post()
        ordered = [self.model.intvar(0, len(self.scores)) for _ in self.ranks]
        if measure.startswith("place"):
            self.model.sort(self.ranks, ordered).post()
        totals |= {f"place {place}": rank for place, rank in enumerate(ordered)}
        for name, number in reached.items():
            self.model.arithm(totals[name], "=", number).post()
        solution = self.model.get_solver().find_optimal_solution(totals[measure], True)
        return None if solution is None else int(solution.get_int_val(totals[measure]))


def best_value(asked: Question, objective: Objective) -> Value | None:
    """Return the best value: one measure is maximised after another, each in a model of its own.

    The sorted scores are maximised place by place.
    """
    reached: dict[str, int] = {}
    measures = MEASURES[objective, bool(asked.theme)]
    if measures[-1] == "leximin":
        measures = (*measures[:-1], *(f"place {place}" for place in range(len(Choco(asked).slots()))))
    for measure in measures:
        best = Choco(asked).best(measure, reached)
        if best is None:
            return None
        reached[measure] = best
    scores = sorted(set(asked.words.values()))
    return tuple(number / 100 if measure in {"theme", "sum"} else scores[number] for measure, number in reached.items())


@pytest.mark.parametrize("name", QUESTIONS)
def test_choco_has_the_same_fills_and_optimum(name: str) -> None:
    asked = QUESTIONS[name]
    fills, best = Choco(asked).fills(), best_value(asked, Objective.MIN)
    assert len(fills) == len(set(fills))
    for engine in ENGINE_NAMES:
        every = run(engine, asked.problem(), Limits(fills=None))
        assert {rows for rows, _ in every.found} == set(fills)
        assert every.result.fills == len(fills)
        assert every.result.status is (Status.ALL_FILLS if fills else Status.UNSATISFIABLE)
        if engine in MAXIMISERS:
            optimum = run(engine, asked.problem(Objective.MIN)).result
            assert optimum.value == best
            assert optimum.status is (Status.OPTIMAL if fills else Status.UNSATISFIABLE)


@pytest.mark.parametrize("name", RULED)
def test_choco_has_the_same_fills_and_optima_under_the_other_rules(name: str) -> None:
    asked = RULED[name]
    plain = replace(asked, theme={})
    fills = Choco(plain).fills()
    best = {objective: best_value(asked, objective) for objective in Objective}
    assert len(fills) == len(set(fills))
    for engine in ENGINE_NAMES:
        every = run(engine, plain.problem(), Limits(fills=None))
        assert {rows for rows, _ in every.found} == set(fills)
        for objective, value in best.items() if engine in ADDERS else ():
            assert run(engine, asked.problem(objective)).result.value == value


def test_some_questions_have_fills_and_some_have_none() -> None:
    counts = [len(asked.answer.fills) for asked in (*QUESTIONS.values(), *RULED.values())]
    assert counts.count(0) >= 3
    assert sum(count > 1 for count in counts) >= 8
