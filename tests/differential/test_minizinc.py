"""`models/*.mzn` under MiniZinc and Gecode: the same fills and the same optimum as the brute force.

The data is that which is written, and data made from a question in plain text as `models/README.md` says.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from fractions import Fraction
from itertools import cycle, product
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.problem.check import violations
from cpfill.problem.problem import Objective
from cpfill.solvers.data import write_data, write_json
from cpfill.testing.brute_force import BLOCK_VALUE, LETTER_VALUES
from cpfill.testing.questions import question
from tests.differential.slots import find_slots, list_cells
from tests.property.fills import fill_of
from tests.property.problems import BOUND, DRAWN, FEW, find_question
from tests.property.test_naticks import CROSS
from tests.support import MEASURES, ROOT, Question
from tests.unit.problem.test_ties import QUESTIONS as TIED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from cpfill.testing.brute_force import Rows

MODELS = ROOT / "models"
CRITERIA = ("theme", "min", "sum", "leximin", "letters")
FEWER = [*FEW[::5], *DRAWN[::2], *BOUND]
# Each is written in the next of the formats, which hold the same.
WRITTEN = list(zip([*FEWER, "rebus", "rebus"], cycle(["dzn", "minizinc-json"]), strict=False))
GOALS: list[tuple[Objective, tuple[float, ...]]] = [
    (Objective.ANY, ()),
    (Objective.MIN, ()),
    (Objective.SUM, ()),
    (Objective.MIN_THEN_SUM, ()),
    (Objective.LEXIMIN, ()),
    (Objective.LEXIMIN, (0.25, 50.0)),
    (Objective.LETTER_VALUES, ()),
]
"""What is maximised, and the levels."""


@pytest.fixture(scope="module", autouse=True)
def minizinc() -> str:
    path = shutil.which("minizinc")
    if path is None and os.environ.get("CI"):
        pytest.fail("minizinc is not on the PATH: .ci/run should have installed it")
    if path is None:
        pytest.skip("minizinc is not on the PATH (on Debian: apt-get install minizinc)")
    return path


def collect_data(asked: Question, objective: Objective = Objective.ANY) -> dict[str, Any]:
    """Return a question as the models take it."""
    cells = list_cells(asked)
    opened = [cell for cell, letters in enumerate(cells) if letters]
    slots = find_slots(asked)
    words = {word: score for word, score in asked.words.items() if score >= asked.min_score}
    numbers = {word: number for number, word in enumerate(words, start=1)}
    codes = {letter: code for code, letter in enumerate(asked.alphabet, start=1)}
    longest = max(map(len, words), default=1)
    scores = sorted(set(words.values()))
    criteria = MEASURES[objective, bool(asked.theme)]
    data: dict[str, Any] = {
        "n_letters": len(asked.alphabet),
        "n_cells": len(opened),
        "n_slots": len(slots),
        "n_words": len(words),
        "max_length": longest,
        "repeats": asked.repeats,
        "obscure": {"set": []},
        "max_obscure": len(slots),
        "worth": [0] * len(asked.alphabet),
        "blocks": 0,
        "levels": [],
        "criteria": [1 + CRITERIA.index(each) for each in criteria],
    }
    data["allowed"] = [{"set": [codes[letter] for letter in cells[cell]]} for cell in opened]
    data["slot"] = [{"set": [1 + opened.index(cell) for cell in slot]} for slot in slots]
    spelled = set[int]().union(*slots)
    data |= {"counted": [], "counted_letter": [], "at_least": [], "at_most": []}
    data["ties"] = []
    for tied in asked.ties:
        numbered = [row * len(asked.cells[0]) + column for row, column in tied]
        if not spelled.isdisjoint(numbered):
            data["ties"].append({"set": sorted(1 + opened.index(cell) for cell in numbered)})
    data["length"] = list(map(len, words))
    data["spelling"] = [[codes.get(letter, 0) for letter in word.ljust(longest)] for word in words]
    data["rank"] = [1 + scores.index(score) for score in words.values()]
    data["gain"] = list_units(words.values())
    data["weight"] = list_units(asked.theme.get(word, 0.0) for word in words)
    data["marks"] = number_marks(asked, words)
    data["others"] = []
    if asked.names:
        data["others"] = [{"set": sorted(map(codes.get, letters))} for letters in list_others(asked, words, longest)]
    data["required"] = {"set": sorted(numbers[word] for word in asked.required)}
    data["theme"] = {"set": sorted(numbers[word] for word in asked.theme)}
    if asked.max_obscure is not None:
        data["obscure"] = {"set": [numbers[word] for word in words if words[word] < asked.below]}
        data["max_obscure"] = asked.max_obscure
    if "letters" in criteria:
        data["worth"] = list_units(LETTER_VALUES.get(letter, 0.0) for letter in asked.alphabet)
        data["blocks"] = cells.count("") * list_units([BLOCK_VALUE])[0]
    if "leximin" in criteria:
        # The model counts words under each score that a word has, or under the levels of the question.
        data["levels"] = [1 + sum(score < level for score in scores) for level in asked.levels or scores[1:]]
    return data


def number_marks(asked: Question, words: Iterable[str]) -> list[dict[str, list[int]]]:
    """Return the marks of each word as numbers."""
    if not asked.no_shared:
        return [{"set": []} for _ in words]
    texts = sorted(set[str]().union(*asked.marks.values()))
    return [{"set": sorted(1 + texts.index(mark) for mark in asked.marks[word])} for word in words]


def list_others(asked: Question, words: Iterable[str], longest: int) -> Iterator[set[str]]:
    """Yield, for each word and place, the letters by which a name becomes another word that scores 40 or more."""
    for word, place in product(words, range(longest)):
        letters = set()
        for other, score in asked.words.items():
            alike = len(other) == len(word) and other[:place] + other[place + 1 :] == word[:place] + word[place + 1 :]
            if word in asked.names and other != word and alike and score >= 40:
                letters.add(other[place])
        yield letters


def list_units(numbers: Iterable[float]) -> list[int]:
    """Return numbers of at most two decimals in hundredths."""
    return [int(Fraction(repr(number)) * 100) for number in numbers]


def ask(minizinc: str, model: str, data: Path, text: str, *options: str) -> str:
    data.write_text(text)
    command = [minizinc, "--solver", "org.gecode.gecode", *options, str(MODELS / model), str(data)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def read_fills(output: str, asked: Question) -> list[Rows]:
    fills = []
    for match in re.finditer(r"letter = \[(.*)\]", output):
        letters = iter(asked.alphabet[int(number) - 1] for number in match[1].split(","))
        fills.append(tuple("".join(_take(letters, cell, asked.rebus) for cell in row) for row in asked.cells))
    return fills


def _take(letters: Iterator[str], cell: str, rebus: Mapping[str, str]) -> str:
    """Return the letter of a cell; of a rebus cell the sign, if its letters are next."""
    if cell not in rebus:
        return next(letters) if cell else "#"
    assert "".join(next(letters) for _ in rebus[cell]) == rebus[cell]
    return cell


def check_every_fill(output: str, asked: Question) -> None:
    fills = read_fills(output, asked)
    assert len(fills) == output.count("----------") == len(asked.answer.fills)
    assert set(fills) == asked.answer.fills
    assert ("=====UNSATISFIABLE=====" in output) == (not fills)
    assert ("==========" in output.splitlines()) == bool(fills)


@pytest.mark.parametrize("model", ["words.mzn", "letters.mzn"])
@pytest.mark.parametrize("name", FEWER)
def test_models_have_the_same_fills(minizinc: str, model: str, name: str, tmp_path: Path) -> None:
    asked = find_question(name)
    output = ask(minizinc, model, tmp_path / "data.json", json.dumps(collect_data(asked)), "-a")
    check_every_fill(output, asked)


@pytest.mark.parametrize(("name", "kind"), WRITTEN)
def test_written_data_has_the_same_fills(minizinc: str, name: str, kind: str, tmp_path: Path) -> None:
    asked = find_question(name)
    data = tmp_path / f"data.{kind.removeprefix('minizinc-')}"
    check_every_fill(ask(minizinc, "words.mzn", data, write_data(asked.problem(), kind), "-a"), asked)


@pytest.mark.parametrize("name", TIED)
def test_models_know_ties(minizinc: str, name: str, tmp_path: Path) -> None:
    """By both models, and by data made from the question and written."""
    asked = TIED[name]
    texts = [json.dumps(collect_data(asked)), write_json(asked.problem())]
    for model, text in product(["words.mzn", "letters.mzn"], texts):
        check_every_fill(ask(minizinc, model, tmp_path / "data.json", text, "-a"), asked)


def draw_names(seed: int) -> Question:
    """Return a question of nine cells, many of whose words are names."""
    chance = Random(seed)
    words = chance.sample(["".join(letters) for letters in product("ABC", repeat=3)], 18)
    scored = {word: chance.choice((30.0, 40.0, 60.0)) for word in words}
    min_score = chance.choice((0.0, 40.0))
    return question("...", "...", "...", words=scored, alphabet="ABC", names=frozenset(words[:9]), min_score=min_score)


NAMED = [CROSS, *map(draw_names, range(5))]


@pytest.mark.parametrize("model", ["words.mzn", "letters.mzn"])
@pytest.mark.parametrize("number", range(len(NAMED)))
def test_models_part_names(minizinc: str, model: str, number: int, tmp_path: Path) -> None:
    asked = NAMED[number]
    assert asked.answer.fills != replace(asked, names=frozenset()).answer.fills
    for text in (json.dumps(collect_data(asked)), write_json(asked.problem())):
        check_every_fill(ask(minizinc, model, tmp_path / "data.json", text, "-a"), asked)


@pytest.mark.parametrize("limits", ["A<=2,B>=1", "C=0", "circled: A>=1,B<=1"])
@pytest.mark.parametrize("model", ["words.mzn", "letters.mzn"])
def test_models_count_letters(minizinc: str, model: str, limits: str, tmp_path: Path) -> None:
    """The fills that the audit lets pass, of those without the limits."""
    for name in BOUND:
        asked = find_question(name)
        posed = asked.problem()
        circled = frozenset([cell for cell, letters in enumerate(list_cells(asked)) if letters][:3])
        problem = replace(
            posed,
            grid=replace(posed.grid, circled=circled),
            rules=replace(posed.rules, letter_counts=(limits,)),
        )
        right = {rows for rows in asked.answer.fills if not violations(problem, fill_of(rows, problem))}
        output = ask(minizinc, model, tmp_path / "data.json", write_json(problem), "-a")
        assert set(read_fills(output, asked)) == right


@pytest.mark.parametrize("written", [False, True], ids=["our data", "written data"])
@pytest.mark.parametrize(("goal", "levels"), GOALS, ids=str)
def test_models_have_the_best_fill(
    minizinc: str, goal: Objective, levels: tuple[float, ...], written: bool, tmp_path: Path
) -> None:
    for name in BOUND:
        asked = replace(find_question(name), levels=levels)
        if goal is Objective.ANY and not asked.theme:
            continue
        text = json.dumps(collect_data(asked, goal))
        if written:
            text = write_json(asked.problem(goal))
        model = "maxmin.mzn" if goal is Objective.MIN and not asked.theme else "best.mzn"
        output = ask(minizinc, model, tmp_path / "data.json", text)
        answer = asked.answer_to(goal)
        fills = read_fills(output, asked)
        assert answer.best_fills.issuperset(fills[-1:])
        assert bool(fills) == bool(answer.fills)
        assert ("==========" in output.splitlines()) == bool(fills)


def test_the_example_of_the_models_has_its_fills(minizinc: str) -> None:
    command = [minizinc, "--solver", "org.gecode.gecode", "-a", str(MODELS / "words.mzn"), str(MODELS / "example.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.count("----------") == 5
