"""The models of letter values (V6), for MiniZinc, CPMpy and PyCSP3: the same optimum as the brute force.

Letters have values drawn anew for each question, 0 among them; the English ones of Scrabble are the example's.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from itertools import product
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.differential.test_minizinc import FEWER, MODELS, NAMED, collect_data
from tests.property.problems import find_question
from tests.unit.problem.test_ties import QUESTIONS as TIED

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

BLOCKS = 7


@pytest.fixture(params=["minizinc", "cpmpy", "pycsp3"])
def command(request: pytest.FixtureRequest) -> list[str]:
    """Return the command that asks one of the tools, without the data."""
    if request.param == "minizinc":
        if shutil.which("minizinc") is None:
            pytest.skip("minizinc is not on the PATH")
        return ["minizinc", "--solver", "org.gecode.gecode", str(MODELS / "letter_values.mzn"), ""]
    if find_spec(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    if request.param == "pycsp3" and shutil.which("java") is None:
        pytest.skip("java is not on the PATH")
    prefix = {"cpmpy": "", "pycsp3": "-data="}[request.param]
    return [sys.executable, str(MODELS / f"letter_values_{request.param}.py"), prefix]


def find_value(command: list[str], data: Mapping[str, object], directory: Path) -> int | None:
    """Return the value that a tool proves best; None if there is no fill."""
    path = directory / "data.json"
    path.write_text(json.dumps(data))
    *program, prefix = command
    done = subprocess.run(
        [*program, f"{prefix}{path}"], cwd=directory, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    found = re.findall(r"^value = (-?\d+)", done.stdout, re.MULTILINE)
    if not found:
        assert "UNSAT" in done.stdout
        return None
    assert re.search("^==========|OPTIM", done.stdout, re.MULTILINE)
    return int(found[-1])


OTHERS = {**TIED, **{f"names {number}": asked for number, asked in enumerate(NAMED)}}


@pytest.mark.parametrize("name", [*FEWER, *OTHERS])
def test_the_models_have_the_best_value(command: list[str], name: str, tmp_path: Path) -> None:
    asked = OTHERS.get(name) or find_question(name)
    worth = {letter: Random(f"{name} {letter}").randrange(11) for letter in asked.alphabet}
    data = collect_data(asked) | {"worth": list(worth.values()), "blocks": BLOCKS}
    sums = [sum(worth.get(letter, 0) for row in rows for letter in row) for rows in asked.answer.fills]
    best = max(sums, default=None)
    assert find_value(command, data, tmp_path) == (None if best is None else best + BLOCKS)


@pytest.mark.parametrize("theme", [[], [2, 5], [1, 2, 3, 4, 5]], ids=str)
def test_the_example_has_the_best_value(command: list[str], theme: list[int], tmp_path: Path) -> None:
    """The words of the theme stand at most once, though others may stand twice."""
    data = json.loads((MODELS / "example.json").read_text())
    values = []
    for words in product(range(1, 6), repeat=4):
        letter: dict[int, int] = {}
        spelt: list[tuple[int, int]] = []
        for slot, word in zip(data["slot"], words, strict=True):
            spelt += zip(slot["set"], data["spelling"][word - 1], strict=True)
        agree = all(letter.setdefault(cell, code) == code for cell, code in spelt)
        if agree and all(words.count(word) <= 1 for word in theme):
            values.append(sum(data["worth"][code - 1] for code in letter.values()))
    assert len(values) == 5 or theme
    assert find_value(command, data | {"theme": {"set": theme}}, tmp_path) == max(values, default=None)
