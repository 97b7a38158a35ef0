"""A model of our own for Choco (by pychoco): the same fills and the same optimum as the brute force.

A variable has the letter of a cell, another the number of the word of a slot. Numbers all differ; two words that share
a run of letters are a pair that no two slots may have.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest
from pychoco.model import Model

from cpfill.problem.problem import Objective
from cpfill.testing.brute_force import BLOCK_VALUE, LETTER_VALUES
from tests.differential.slots import find_slots, list_cells
from tests.property.problems import BOUND, DRAWN, FEW, find_question
from tests.support import MEASURES, Question

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cpfill.testing.brute_force import Rows, Value

IntVar = Any
MOST = 1_000_000


class Choco:
    """A question as a model of Choco."""

    def __init__(self, asked: Question) -> None:
        self.asked = asked
        self.model = Model()
        self.cells = list_cells(asked)
        self.letters = {cell: self._make_letter(signs) for cell, signs in enumerate(self.cells) if signs}
        self.words = [word for word, score in asked.words.items() if score >= asked.min_score]
        self.numbers = [self._make_slot(slot) for slot in find_slots(asked)]
        if not asked.repeats and len(self.numbers) > 1:
            self.model.all_different(self.numbers).post()
        self._state_rules()

    def _make_letter(self, signs: str) -> IntVar:
        return self.model.intvar([self.asked.alphabet.index(sign) for sign in signs])

    def _make_slot(self, slot: list[int]) -> IntVar:
        """Return the number of the word of a slot."""
        number = self.model.intvar(0, len(self.words))
        rows = []
        for place, word in enumerate(self.words):
            if len(word) == len(slot):
                rows.append([place, *map(self.asked.alphabet.index, word)])
        if rows:
            self.model.table([number, *(self.letters[cell] for cell in slot)], rows).post()
        else:
            self.model.arithm(number, "<", 0).post()
        return number

    def _state_rules(self) -> None:
        """State C5 to C7, that a theme word stands once, and that a cell in no slot has its first letter."""
        asked = self.asked
        if asked.no_shared:
            marks = [asked.marks[word] for word in self.words]
            places = range(len(marks))
            alike = [[one, other] for one in places for other in places if marks[one] & marks[other]]
            for pair in combinations(self.numbers, 2):
                if alike:
                    self.model.table(list(pair), alike, feasible=False).post()
        if asked.max_obscure is not None:
            obscure = self.weigh([int(asked.words[word] < asked.below) for word in self.words])
            self.model.sum(obscure, "<=", asked.max_obscure).post()
        self._count_words(asked.required, 1, len(self.numbers))
        self._count_words(asked.theme, 0, 1)
        for cell in self.letters.keys() - {cell for slot in find_slots(asked) for cell in slot}:
            self.model.arithm(self.letters[cell], "=", asked.alphabet.index(self.cells[cell][0])).post()

    def _count_words(self, words: Iterable[str], least: int, most: int) -> None:
        for word in words:
            self.model.count(self.words.index(word), self.numbers, self.model.intvar(least, most)).post()

    def weigh(self, numbers: list[int]) -> list[IntVar]:
        """Return the weight of the word of each slot, where each word has a weight."""
        weights = []
        for number in self.numbers:
            weights.append(self.model.intvar(0, max(numbers, default=0)))
            self.model.element(weights[-1], [*numbers, 0], number).post()
        return weights

    def list_fills(self) -> list[Rows]:
        width = len(self.asked.cells[0])
        fills = []
        for solution in self.model.get_solver().find_all_solutions():
            text = ["#"] * len(self.cells)
            for cell, letter in self.letters.items():
                text[cell] = self.asked.alphabet[solution.get_int_val(letter)]
            fills.append(tuple("".join(text[start : start + width]) for start in range(0, len(text), width)))
        return fills

    def measure(self, name: str) -> IntVar:
        """Return the variable of a measure: the theme and sums in hundredths, scores by their rank."""
        whole = self.model.intvar(0, MOST)
        if name in {"theme", "sum"}:
            numbers = self.asked.theme if name == "theme" else self.asked.words
            weights = [round(100 * numbers.get(word, 0.0)) for word in self.words]
            self.model.sum(self.weigh(weights), "=", whole).post()
            return whole
        if name == "letters":
            self.model.sum(self._value_cells(), "=", whole).post()
            return whole
        scores = list_scores(self.asked)
        ranks = self.weigh([scores.index(self.asked.words[word]) for word in self.words])
        ordered = [self.model.intvar(0, len(scores)) for _ in ranks]
        self.model.sort(ranks, ordered).post()
        return ordered[int(name)]

    def _value_cells(self) -> list[IntVar]:
        """Return the value of each cell in hundredths."""
        worth = [round(100 * LETTER_VALUES.get(letter, 0.0)) for letter in self.asked.alphabet]
        block = round(100 * BLOCK_VALUE)
        values = []
        for cell in range(len(self.cells)):
            values.append(self.model.intvar(0, max(block, *worth)))
            if cell in self.letters:
                self.model.element(values[-1], worth, self.letters[cell]).post()
            else:
                self.model.arithm(values[-1], "=", block).post()
        return values

    def best(self, measure: str, reached: Mapping[str, int]) -> int | None:
        """Return the best that a fill reaches by one measure where it reaches so much by others."""
        for name, number in reached.items():
            self.model.arithm(self.measure(name), "=", number).post()
        wanted = self.measure(measure)
        solution = self.model.get_solver().find_optimal_solution(wanted, True)
        return None if solution is None else int(solution.get_int_val(wanted))


def list_scores(asked: Question) -> list[float]:
    return sorted(set(asked.words.values()))


def best_value(asked: Question, objective: Objective) -> Value | None:
    """Return the best value: one measure is maximised after another, each in a model of its own.

    The sorted scores are maximised place by place; the lowest score is the first of them.
    """
    reached: dict[str, int] = {}
    places = [str(place) for place in range(len(find_slots(asked)))]
    for measure in MEASURES[objective, bool(asked.theme)]:
        for name in {"min": places[:1], "leximin": places}.get(measure, [measure]):
            best = Choco(asked).best(name, reached)
            if best is None:
                return None
            reached[name] = best
    scores = list_scores(asked)
    return tuple(scores[number] if name.isdigit() else number / 100 for name, number in reached.items())


@pytest.mark.parametrize("name", [*FEW, *DRAWN, *BOUND])
def test_choco_has_the_same_fills(name: str) -> None:
    asked = replace(find_question(name), theme={})
    fills = Choco(asked).list_fills()
    assert len(fills) == len(set(fills))
    assert set(fills) == asked.answer.fills


@pytest.mark.parametrize("name", [*FEW, *DRAWN, *BOUND])
def test_choco_has_the_same_optima(name: str) -> None:
    asked = find_question(name)
    for objective in Objective:
        assert best_value(asked, objective) == asked.answer_to(objective).best


def test_some_questions_have_fills_and_some_have_none() -> None:
    counts = [len(find_question(name).answer.fills) for name in (*FEW, *DRAWN, *BOUND)]
    assert counts.count(0) >= 8
    assert sum(count > 1 for count in counts) >= 15
