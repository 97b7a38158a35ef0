"""A model of our own for Choco (by pychoco): the same fills and the same optimum as every engine of cpfill.

One variable a cell; each slot's cells are a row of the table of its words, and of their numbers, which all differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pychoco.model import Model

from cpfill.events import Limits, Status
from cpfill.problem import Objective
from tests.differential.common import QUESTIONS
from tests.support import ENGINE_NAMES, Question, run

if TYPE_CHECKING:
    from tests.brute_force import Rows


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
        slots = self.slots()
        for slot in slots:
            fitting = [number for number, word in enumerate(words) if len(word) == len(slot)]
            if not fitting:
                self.possible = False
                return
            number = self.model.intvar(0, len(words))
            rank = self.model.intvar(0, len(self.scores))
            tuples = [
                [number_, self.scores.index(asked.words[words[number_]]), *(code[letter] for letter in words[number_])]
                for number_ in fitting
            ]
            self.model.table([number, rank, *(self.letters[cell] for cell in slot)], tuples).post()
            numbers.append(number)
            self.ranks.append(rank)
        if not asked.repeats and len(numbers) > 1:
            self.model.all_different(numbers).post()
        covered = {cell for slot in slots for cell in slot}
        for cell, letter in self.letters.items():
            if cell not in covered:
                first = code[asked.cells[cell[0]][cell[1]][0]]
                self.model.arithm(letter, "=", first).post()

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

    def best(self) -> float | None:
        if not self.possible:
            return None
        worst = self.model.intvar(0, len(self.scores))
        self.model.min(worst, self.ranks).post()
        solution = self.model.get_solver().find_optimal_solution(worst, True)
        return None if solution is None else self.scores[int(solution.get_int_val(worst))]


@pytest.mark.parametrize("name", QUESTIONS)
def test_choco_has_the_same_fills_and_optimum(name: str) -> None:
    asked = QUESTIONS[name]
    fills, best = Choco(asked).fills(), Choco(asked).best()
    assert len(fills) == len(set(fills))
    for engine in ENGINE_NAMES:
        every = run(engine, asked.problem(), Limits(fills=None))
        assert {rows for rows, _ in every.found} == set(fills)
        assert every.result.fills == len(fills)
        assert every.result.status is (Status.ALL_FILLS if fills else Status.UNSATISFIABLE)
        optimum = run(engine, asked.problem(Objective.MIN)).result
        assert optimum.value == best
        assert optimum.status is (Status.OPTIMAL if fills else Status.UNSATISFIABLE)


def test_some_questions_have_fills_and_some_have_none() -> None:
    counts = [len(asked.answer.fills) for asked in QUESTIONS.values()]
    assert counts.count(0) >= 3
    assert sum(count > 1 for count in counts) >= 8
