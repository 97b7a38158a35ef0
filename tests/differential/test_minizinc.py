"""`models/*.mzn` under MiniZinc and Gecode: the same fills and the same optimum as cpfill.

The data is made from a question in plain text, with nothing of cpfill, as `models/README.md` says.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.events import Limits, Status
from cpfill.problem import Objective
from tests.differential.common import FAMILIES, QUESTIONS
from tests.support import ROOT, Question, run

if TYPE_CHECKING:
    from pathlib import Path

    from tests.brute_force import Rows

MODELS = ROOT / "models"


@pytest.fixture(scope="module", autouse=True)
def minizinc() -> str:
    path = shutil.which("minizinc")
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("minizinc is not on the PATH: .ci/run should have installed it")
        pytest.skip("minizinc is not on the PATH (on Debian: apt-get install minizinc)")
    return path


def data_of(asked: Question) -> dict[str, Any]:
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
        "repeats": asked.repeats,
    }


def ask(minizinc: str, model: str, asked: Question, tmp_path: Path, *options: str) -> str:
    data = tmp_path / "data.json"
    data.write_text(json.dumps(data_of(asked)))
    command = [minizinc, "--solver", "org.gecode.gecode", *options, str(MODELS / model), str(data)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def fills_in(output: str, asked: Question) -> list[Rows]:
    fills = []
    for match in re.finditer(r"letter = \[(.*)\]", output):
        letters = iter(asked.alphabet[int(number) - 1] for number in match[1].split(","))
        fills.append(tuple("".join(next(letters) if cell else "#" for cell in row) for row in asked.cells))
    return fills


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
        assert scores[int(worst[-1]) - 1] == ours.value


def test_the_example_of_the_models_has_the_fills_it_says(minizinc: str) -> None:
    command = [minizinc, "--solver", "org.gecode.gecode", "-a", str(MODELS / "words.mzn"), str(MODELS / "example.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.count("----------") == 5
