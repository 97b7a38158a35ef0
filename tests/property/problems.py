"""The problems that engines, other solvers and checkers are asked about: known answers, and questions that are drawn.

`cpfill.testing.questions` draws the questions; those that are drawn here have names, and are the same in every run.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from cpfill.base.alphabet import LATIN, Alphabet
from cpfill.base.files import read_text
from cpfill.formats.dialects import parse_grids
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.rules import Rules
from cpfill.problem.value import value_from_json
from cpfill.testing.brute_force import words_in
from cpfill.testing.questions import questions
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import PACKAGED, read_word_list
from tests.support import INSTANCES, REBUS, Question, question

if TYPE_CHECKING:
    from pathlib import Path

    from cpfill.problem.value import Value
    from cpfill.puzzle.grid import Grid

MANY_FILLS = 100
"""Most problems have fewer fills than this; those with more are for few tests."""


@dataclass(frozen=True)
class Known:
    """A known answer."""

    family: str
    data: dict[str, Any]

    def __str__(self) -> str:
        asked = ("repeats", "min_score", "min_slot_length", "theme", "objective")
        rules = [f",{key}={self.data[key]}" for key in asked if key in self.data]
        return f"{self.family}/{self.data['grid']},{'+'.join(self.data['words'])}{''.join(rules)}"

    @property
    def objective(self) -> Objective:
        """The objective of `best`: V1 by default."""
        return Objective(self.data.get("objective", Objective.MIN))

    @property
    def best(self) -> Value | None:
        """The best value, if there is a fill."""
        best = self.data.get("best", self.data.get("best_min_score"))
        return value_from_json(best)

    @property
    def satisfiable(self) -> bool:
        return bool(self.data["status"] == "SATISFIABLE")

    @property
    def packaged(self) -> bool:
        return not set(PACKAGED).isdisjoint(self.data["words"])

    @property
    def grid(self) -> Grid:
        path = INSTANCES / self.family / self.data["grid"]
        alphabet = Alphabet(self.data.get("alphabet", LATIN))
        length = self.data.get("min_slot_length", 2)
        _, (grid,) = parse_grids(read_text(path), name=str(path), alphabet=alphabet, min_slot_length=length)
        return grid

    def problem(self, objective: Objective = Objective.ANY) -> Problem:
        folder = INSTANCES / self.family
        theme: dict[str, float] = {}
        if "theme" in self.data:
            theme = read_theme(folder / self.data["theme"])
        sources = [name if name in PACKAGED else str(folder / name) for name in self.data["words"]]
        lexicon = read_lexicon(tuple(sources), self.data.get("alphabet", LATIN))
        rules = Rules(repeats=self.data.get("repeats", False), min_score=self.data.get("min_score", 0.0))
        return Problem(self.grid, lexicon, rules, objective, theme)

    @property
    def question(self) -> Question:
        """The question, which is the same one for answers by several objectives: its fills are sought once."""
        return question_of(str(self).partition(",objective=")[0])


@cache
def read_lexicon(sources: tuple[str, ...], alphabet: str) -> Lexicon:
    return Lexicon([read_word_list(source, Alphabet(alphabet)) for source in sources], Alphabet(alphabet))


def read_theme(path: Path) -> dict[str, float]:
    """Return the weights of a theme list, 1 by default."""
    words = read_word_list(str(path), default_score=1.0).words
    return {word: weight for word, (weight, _) in words.items()}


def read_known() -> list[Known]:
    known = []
    for path in sorted(INSTANCES.glob("*/known_answers.toml")):
        answers = tomllib.loads(path.read_text(encoding="utf-8"))["answer"]
        known += [Known(path.parent.name, data) for data in answers]
    return known


KNOWN = read_known()
EXACT = [known for known in KNOWN if not known.packaged]
# The fills of a problem are sought once, though it has several answers by several objectives.
PLAIN = [known for known in EXACT if "objective" not in known.data]


@cache
def question_of(name: str) -> Question:
    """Return a known problem in plain data."""
    problem = next(known for known in EXACT if str(known).partition(",objective=")[0] == name).problem()
    grid = problem.grid
    cells = [grid.alphabet.members(cell) for cell in grid.cells]
    rows = [tuple(cells[start : start + grid.width]) for start in range(0, len(cells), grid.width)]
    words: dict[str, float] = {}
    for length in problem.lexicon.lengths:
        table = problem.lexicon.table(length)
        words |= zip(table.words, table.scores, strict=True)
    return Question(
        tuple(rows),
        words,
        grid.alphabet.letters,
        grid.min_slot_length,
        repeats=problem.rules.repeats,
        min_score=problem.rules.min_score,
        theme=problem.theme,
    )


WRITTEN = {
    "no word": question("...", ".#.", "...", words="ABC ABD AB"),
    "rebus": question(
        ".1.",
        "2..",
        "..#",
        words="AABC AB ABAB ABBC ABCAA ABCAB ABCB AC BABB BABC BBCAC BC BCAAA BCAAC BCABC BCACA BCACB CA CABA CB CBCAB",
        alphabet="ABC",
        rebus=REBUS,
    ),
    # The best fill has 102, for which CP-SAT says a bound of 101.99999999999999.
    "decimals": question(
        "...",
        "#..",
        ".#.",
        words={"FCC": 83.0, "DCC": 87.0, "FDD": 6.0, "DF": 64.0, "FC": 50.0, "FDF": 50.0},
        theme={"FC": 9.0, "FDF": 93.0},
        required=frozenset({"FC"}),
    ),
    "C6, no word": question("..", "..", words="AB CD AC BD", max_obscure=1, below=15.0, theme={"AB": 1.0}),
    "C7, no slot": question("..", "..", words="AB CD AC BD XY", required=frozenset({"XY"}), theme={"AB": 1.0}),
}
RULES = ("C5", "C6", "C7", "C5 C6", "C6 C7")
FEW = [str(known) for known in PLAIN if known.data["fills"] <= 20]
DRAWN = [f"drawn {number}" for number in range(12)]
BOUND = [*(f"{rules}, {number}" for rules in RULES for number in (0, 1)), "C6, no word", "C7, no slot"]
"""The names of questions with the rules C5 to C7, and with themes."""
NAMES = [*FEW, *DRAWN, *BOUND, "rebus", "no word"]


@cache
def find_question(name: str) -> Question:
    """Return the question of a name; what is drawn is drawn when it is asked for first."""
    if name in WRITTEN:
        return WRITTEN[name]
    if name in FEW:
        return question_of(name)
    kind, _, number = name.rpartition(" ")
    if name in DRAWN:
        return draw_questions()[int(number)]
    return bind(kind.rstrip(","))[int(number)]


@cache
def draw_questions() -> list[Question]:
    """Return questions of different shapes, the same ones every time: six with fills, six without, then the others."""
    drawn: dict[object, Question] = {}

    @settings(max_examples=8, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(questions(sums=True, themed=True))
    def collect(asked: Question) -> None:
        drawn[asked.cells] = replace(asked, min_score=0.0, levels=())

    for number in range(12):
        seed(number)(collect)()
    filled = [asked for asked in drawn.values() if len(asked.answer.fills) > 2]
    empty = [asked for asked in drawn.values() if not asked.answer.fills]
    return [*filled[:6], *empty[:6], *filled[6:]]


def bind(rules: str) -> list[Question]:
    """Return drawn questions with more rules, each of which leaves fewer fills."""
    found = []
    for base in draw_questions():
        asked = base
        fewer = bool(base.answer.fills)
        for rule in rules.split():
            side = find_side(rule, base)
            fewer = fewer and len(replace(base, **side).answer.fills) < len(base.answer.fills)
            asked = replace(asked, **side)
        if fewer:
            found.append(asked)
    return sorted(found, key=lambda each: not each.answer.fills)


def find_side(rule: str, base: Question) -> dict[str, Any]:
    """Return a rule that the first fill of a question obeys, or may obey."""
    used = words_in(min(base.answer.fills, default=()), base.min_slot_length)
    match rule:
        case "C5":
            return {"no_shared": True}
        case "C6":
            obscure = sum(base.words[word] < 50.0 for word in used)
            return {"max_obscure": max(0, obscure - 1), "below": 50.0}
    return {"required": frozenset(used[:1])}
