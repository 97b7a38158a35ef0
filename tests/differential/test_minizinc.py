"""`models/*.mzn` under MiniZinc and Gecode: the same fills and the same optimum as cpfill.

The data is made from a question in plain text, with nothing of cpfill, as `models/README.md` says.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.problem.problem import Objective
from cpfill.problem.result import Limits, Status
from cpfill.solvers.data import write_data, write_json
from tests.differential.common import FAMILIES, QUESTIONS, REBUS_CELLS, RULED
from tests.support import MEASURES, ROOT, Question, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from cpfill.testing.brute_force import Rows

MODELS = ROOT / "models"
CRITERIA = ("theme", "min", "sum", "leximin")


# Each is written in the next of the formats, which hold the same: of each kind of question there are some in all.
WRITTEN = [*FAMILIES, *RULED, "random 0", "random 1", "random 2", "rebus", "rebus"]


@pytest.fixture(scope="module", autouse=True)
def minizinc() -> str:
    path = shutil.which("minizinc")
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("minizinc is not on the PATH: .ci/run should have installed it")
        pytest.skip("minizinc is not on the PATH (on Debian: apt-get install minizinc)")
    return path


def collect_data(asked: Question) -> dict[str, Any]:
    """Return a question as the models take it."""
    width = len(asked.cells[0])
    flat = [cell for row in asked.cells for cell in row]
    place = {cell: number for number, cell in enumerate((i for i, c in enumerate(flat) if c), start=1)}
    lines = [range(row * width, (row + 1) * width) for row in range(len(asked.cells))]
    lines += [range(column, len(flat), width) for column in range(width)]
    slots: list[list[int]] = []
    for line in lines:
        text = "".join("x" if flat[cell] else "#" for cell in line)
        slots += [
            [place[line[i]] for i in range(*match.span())]
            for match in re.finditer("x+", text)
            if match.end() - match.start() >= asked.min_slot_length
        ]
    words = {word: score for word, score in asked.words.items() if score >= asked.min_score}
    code = {letter: number for number, letter in enumerate(asked.alphabet, start=1)}
    longest = max((len(word) for word in words), default=1)
    ranks = {score: rank for rank, score in enumerate(sorted(set(words.values())), start=1)}
    number = {word: place for place, word in enumerate(words, start=1)}
    obscure = [] if asked.max_obscure is None else [number[word] for word in words if words[word] < asked.below]
    texts = ["", *sorted(set[str]().union(*(asked.marks[word] for word in words)))] if asked.no_shared else []
    return {
        "n_letters": len(asked.alphabet),
        "n_cells": len(place),
        "n_slots": len(slots),
        "n_words": len(words),
        "max_length": longest,
        "allowed": [{"set": [code[letter] for letter in flat[cell]]} for cell in place],
        "slot": [{"set": slot} for slot in slots],
        "length": [len(word) for word in words],
        "spelling": [[code[letter] for letter in word] + [0] * (longest - len(word)) for word in words],
        "rank": [ranks[score] for score in words.values()],
        "gain": units(words.values()),
        "weight": units(asked.theme.get(word, 0.0) for word in words),
        "repeats": asked.repeats,
        "marks": [{"set": sorted(map(texts.index, asked.marks[word] if asked.no_shared else ()))} for word in words],
        "obscure": {"set": obscure},
        "max_obscure": len(slots) if asked.max_obscure is None else asked.max_obscure,
        "required": {"set": sorted(number[word] for word in asked.required)},
        "theme": {"set": sorted(number[word] for word in asked.theme)},
        "levels": [],
        "criteria": [],
    }


def levels_of(asked: Question) -> list[int]:
    """Return what makes the model count words under each score that a word has, or under the levels of the question."""
    scores = sorted({score for score in asked.words.values() if score >= asked.min_score})
    return [1 + sum(score < level for score in scores) for level in asked.levels or scores[1:]]


def units(numbers: Iterable[float]) -> list[int]:
    """Return numbers of at most two decimals in hundredths."""
    return [int(Fraction(repr(number)) * 100) for number in numbers]


def ask(minizinc: str, model: str, asked: Question, tmp_path: Path, *options: str, criteria: Sequence[int] = ()) -> str:
    levels = levels_of(asked) if 4 in criteria else []
    text = json.dumps({**collect_data(asked), "criteria": criteria, "levels": levels})
    return solved(minizinc, model, text, tmp_path / "data.json", *options)


def solved(minizinc: str, model: str, text: str, data: Path, *options: str) -> str:
    data.write_text(text)
    command = [minizinc, "--solver", "org.gecode.gecode", *options, str(MODELS / model), str(data)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def fills_in(output: str, asked: Question) -> list[Rows]:
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


def agree_on_every_fill(minizinc: str, model: str, asked: Question, tmp_path: Path) -> None:
    ours = run("cpsat", asked.problem(), Limits(fills=None))
    output = ask(minizinc, model, asked, tmp_path, "-a")
    theirs = fills_in(output, asked)
    assert len(theirs) == len(set(theirs)) == output.count("----------") == ours.result.fills
    assert set(theirs) == {rows for rows, _ in ours.found}
    assert ("=====UNSATISFIABLE=====" in output) == (ours.result.status is Status.UNSATISFIABLE)
    assert ("==========" in output.splitlines()) == (ours.result.status is Status.ALL_FILLS)


@pytest.mark.parametrize("name", QUESTIONS)
def test_words_has_the_same_fills(minizinc: str, name: str, tmp_path: Path) -> None:
    agree_on_every_fill(minizinc, "words.mzn", QUESTIONS[name], tmp_path)


@pytest.mark.parametrize("name", FAMILIES)
def test_letters_has_the_same_fills(minizinc: str, name: str, tmp_path: Path) -> None:
    agree_on_every_fill(minizinc, "letters.mzn", QUESTIONS[name], tmp_path)


@pytest.mark.parametrize("name", [name for name in QUESTIONS if name.startswith("random")])
def test_maxmin_has_the_same_optimum(minizinc: str, name: str, tmp_path: Path) -> None:
    asked = QUESTIONS[name]
    ours = run("fc-cbj", asked.problem(Objective.MIN)).result
    output = ask(minizinc, "maxmin.mzn", asked, tmp_path)
    worst = re.findall(r"worst = (\d+)", output)
    scores = sorted({score for score in asked.words.values() if score >= asked.min_score})
    if ours.status is Status.UNSATISFIABLE:
        assert "=====UNSATISFIABLE=====" in output
    else:
        assert ours.status is Status.OPTIMAL
        assert "==========" in output.splitlines()
        assert (scores[int(worst[-1]) - 1],) == ours.value


@pytest.mark.parametrize("model", ["words.mzn", "letters.mzn"])
@pytest.mark.parametrize("name", RULED)
def test_both_have_the_same_fills_under_the_other_rules(minizinc: str, model: str, name: str, tmp_path: Path) -> None:
    agree_on_every_fill(minizinc, model, replace(RULED[name], theme={}), tmp_path)


@pytest.mark.parametrize("model", ["words.mzn", "letters.mzn"])
def test_theme_words_stand_once(minizinc: str, model: str, tmp_path: Path) -> None:
    asked = replace(FAMILIES["remy"], theme={"MOIS": 1.0})
    assert 0 < len(asked.answer.fills) < len(FAMILIES["remy"].answer.fills)
    assert set(fills_in(ask(minizinc, model, asked, tmp_path, "-a"), asked)) == asked.answer.fills


@pytest.mark.parametrize(("name", "kind"), [*zip(WRITTEN, itertools.cycle(["dzn", "minizinc-json"]), strict=False)])
def test_the_data_that_is_written_has_the_same_fills(minizinc: str, name: str, kind: str, tmp_path: Path) -> None:
    asked = replace({**QUESTIONS, **RULED, "rebus": REBUS_CELLS}[name], theme={})
    text = write_data(asked.problem(), kind)
    output = solved(minizinc, "words.mzn", text, tmp_path / f"data.{kind.removeprefix('minizinc-')}", "-a")
    assert set(fills_in(output, asked)) == asked.answer.fills


@pytest.mark.parametrize("objective", [Objective.ANY, Objective.MIN_THEN_SUM, Objective.LEXIMIN])
@pytest.mark.parametrize("name", RULED)
def test_the_data_that_is_written_is_that_of_the_tests(name: str, objective: Objective) -> None:
    """Words may stand in another order, units be others; words that are too long or too short are not written."""
    asked = RULED[name]
    criteria = [1 + CRITERIA.index(each) for each in MEASURES[objective, bool(asked.theme)]]
    mine, written = (
        {**collect_data(asked), "criteria": criteria},
        json.loads(write_json(asked.problem(objective))),
    )
    scores = {words: gain for words, gain in by_word(mine, "gain").items() if words in by_word(written, "rank")}
    ranks = {score: rank for rank, score in enumerate(sorted(set(scores.values())), start=1)}
    assert by_word(written, "rank") == {word: ranks[score] for word, score in scores.items()}
    for key in ("gain", "weight") if objective is Objective.MIN_THEN_SUM else ("weight",):
        theirs = {word: number for word, number in by_word(mine, key).items() if word in scores}
        assert ratios(theirs) == ratios(by_word(written, key))
    assert written["levels"] == (list(ranks.values())[1:] if objective is Objective.LEXIMIN else [])
    for key in ("obscure", "required", "theme"):
        assert words_of(written, key) == words_of(mine, key) & scores.keys()
    for key in ("n_letters", "n_cells", "n_slots", "repeats", "max_obscure", "criteria"):
        assert written[key] == mine[key]
    assert [members(cell) for cell in written["allowed"]] == [members(cell) for cell in mine["allowed"]]
    assert sorted(members(slot) for slot in written["slot"]) == sorted(members(slot) for slot in mine["slot"])
    lengths = {len(members(slot)) for slot in mine["slot"]}
    assert scores.keys() == {word for word in by_word(mine, "rank") if len(word) in lengths}


def members(record: dict[str, Any]) -> list[int]:
    """Return the numbers of a set."""
    parts = [range(part[0], part[1] + 1) if isinstance(part, list) else [part] for part in record["set"]]
    return sorted(number for part in parts for number in part)


def by_word(data: dict[str, Any], key: str) -> dict[tuple[int, ...], int]:
    spelled = [tuple(row[:length]) for row, length in zip(data["spelling"], data["length"], strict=True)]
    return dict(zip(spelled, data[key], strict=True))


def words_of(data: dict[str, Any], key: str) -> set[tuple[int, ...]]:
    spelled = list(by_word(data, "length"))
    return {spelled[number - 1] for number in members(data[key])}


def ratios(numbers: dict[tuple[int, ...], int]) -> dict[tuple[int, ...], Fraction]:
    greatest = max(numbers.values(), default=0)
    return {word: Fraction(number, greatest or 1) for word, number in numbers.items()}


@pytest.mark.parametrize(
    "objective", [objective for objective in Objective if objective not in {Objective.GOOD, Objective.MIN}]
)
@pytest.mark.parametrize("name", RULED)
def test_best_has_the_same_optimum(minizinc: str, objective: Objective, name: str, tmp_path: Path) -> None:
    agree_on_the_best(minizinc, objective, RULED[name], tmp_path)


def agree_on_the_best(minizinc: str, objective: Objective, asked: Question, tmp_path: Path) -> None:
    ours = run("mac", asked.problem(objective)).result
    criteria = [1 + CRITERIA.index(measure) for measure in MEASURES[objective, bool(asked.theme)]]
    output = ask(minizinc, "best.mzn", asked, tmp_path, criteria=criteria)
    if ours.status is Status.UNSATISFIABLE:
        assert "=====UNSATISFIABLE=====" in output
        return
    assert ours.status is Status.OPTIMAL
    assert "==========" in output.splitlines()
    weight, rank, gain, counts = map(int, re.findall(r"number = \[(.*)\]", output)[-1].split(","))
    ranked = sorted(set(asked.words.values()))
    numbers = {1: [weight / 100], 2: [ranked[rank - 1]], 3: [gain / 100], 4: leximin_of(-counts, asked)}
    assert tuple(number for criterion in criteria for number in numbers[criterion]) == ours.value


def leximin_of(packed: int, asked: Question) -> list[float]:
    """Return the value of V5 of the counts that the model packs like digits, the last level last."""
    slots = len(collect_data(asked)["slot"])
    counts: list[int] = []
    for _ in levels_of(asked):
        packed, count = divmod(packed, slots + 1)
        counts.insert(0, count)
    if asked.levels:
        return [0.0 - count for count in counts]
    scores = sorted({score for score in asked.words.values() if score >= asked.min_score})
    steps = zip(scores, [0, *counts], [*counts, slots], strict=True)
    return [score for score, before, after in steps for _ in range(after - before)]


@pytest.mark.parametrize("levels", [(0.25,), (0.25, 9.5), (0.1, 5.0, 10.0)])
@pytest.mark.parametrize("name", list(RULED)[::3])
def test_best_counts_words_under_levels(minizinc: str, name: str, levels: tuple[float, ...], tmp_path: Path) -> None:
    agree_on_the_best(minizinc, Objective.LEXIMIN, replace(RULED[name], levels=levels), tmp_path)


def test_the_example_of_the_models_has_the_fills_it_says(minizinc: str) -> None:
    command = [minizinc, "--solver", "org.gecode.gecode", "-a", str(MODELS / "words.mzn"), str(MODELS / "example.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.count("----------") == 5
