"""The formula: its models are the fills."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpfill.proofs import fill_to_cnf
from cpfill.proofs.fill_to_cnf import Formula
from cpfill.proofs.read_inputs import RefusedError
from cpfill.testing.questions import questions
from tests.proofs.models import arguments, grid_text, models, read_dimacs, words_text
from tests.property.problems import BOUND, FEW, MANY_FILLS, PLAIN, Known, find_question
from tests.support import Question, question
from tests.tables import cases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.testing.brute_force import Rows


def formula_of(asked: Question, more: Sequence[str] = (), folder: Path = Path()) -> Formula:
    grid = asked.problem().grid
    every = replace(grid, open_slots=frozenset()).slots
    opened = [slot.name for slot in every if (slot.direction, slot.cells[0]) in grid.open_slots]
    rules = arguments(asked) + (["--open", *opened] if opened else [])
    return Formula.read(grid_text(asked), words_text(asked), [*rules, *more], folder)


def dimacs(formula: Formula) -> str:
    stream = BytesIO()
    formula.write(stream)
    return stream.getvalue().decode()


def found(asked: Question, formula: Formula) -> set[Rows]:
    """Return the models of the formula of a question as fills, which are all different."""
    result = []
    for true in models(read_dimacs(dimacs(formula)), sorted(formula.word_variable.values())):
        letters = [cell[:1] or "#" for row in asked.cells for cell in row]
        for cell, numbers in formula.letters.items():
            letters[cell] = next(letter for letter, y in numbers.items() if y in true)
        width = len(asked.cells[0])
        result.append(tuple("".join(letters[start : start + width]) for start in range(0, len(letters), width)))
    assert len(set(result)) == len(result)
    return set(result)


@given(asked=questions(sides=True, opened=True, rebus=True))
def test_models_are_fills(asked: Question) -> None:
    assert found(asked, formula_of(asked)) == asked.answer.fills


@st.composite
def draw_cases(draw: st.DrawFn, formula: Formula) -> list[str]:
    """Draw cases, of what the slots of a formula may have or not."""
    choices = [
        f"{formula.slots[slot].name}{sign}{word}" for slot, word in formula.word_variable for sign in ("=", "!=")
    ]
    for slot in formula.slots:
        for at, (cell, _) in enumerate(slot.places):
            letters = formula.letters.get(cell, ()) if cell is not None and len(slot.places) > 1 else ()
            for letter in letters:
                pattern = f"{letter:.>{at + 1}}".ljust(len(slot.places), ".")
                choices += [f"{slot.name}={pattern}", f"{slot.name}!={pattern}"]
    if not choices:
        return []
    return draw(st.lists(st.lists(st.sampled_from(choices), min_size=1, max_size=3).map(" ".join), max_size=3))


@given(asked=questions(sides=True, opened=True, rebus=True), options=st.data())
def test_each_fill_is_in_one_part(asked: Question, options: st.DataObject) -> None:
    drawn = options.draw(draw_cases(formula_of(asked)))
    fills: list[Rows] = []
    with TemporaryDirectory() as folder:
        (Path(folder) / "cases.txt").write_text("".join(f"{case}\n" for case in drawn), encoding="utf-8")
        for number in range(len(drawn) + 1) if drawn else ():
            part = ["--cases", "cases.txt", "--part", f"{number + 1}/{len(drawn) + 1}"]
            fills += found(asked, formula_of(asked, part, Path(folder)))
    assert not drawn or sorted(fills) == sorted(asked.answer.fills)


@pytest.mark.parametrize("name", [*FEW, *BOUND])
def test_models_are_the_fills_of_named_questions(name: str) -> None:
    """These are the questions that tests/differential puts to MiniZinc, which answers as the brute force does."""
    asked = replace(find_question(name), theme={})
    assert found(asked, formula_of(asked)) == asked.answer.fills


@pytest.mark.parametrize("known", [each for each in PLAIN if 20 < each.data["fills"] <= MANY_FILLS], ids=str)
def test_models_are_as_many_as_is_known(known: Known) -> None:
    asked = known.question
    assert len(found(asked, formula_of(asked))) == known.data["fills"]


GRID = "..\n#.\n"
WORDS = "AB\t1.0\nBC\t50\n"
table = partial(cases, "proofs/cases.json")


@table("formulas")
def test_what_is_written_otherwise_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(RefusedError, match=f"(?s).*{re.escape(case['says'])}"):
        Formula.read(case.get("grid", GRID), case.get("words", WORDS), case.get("more", [])).write(BytesIO())


def test_scores_are_compared_as_they_are_written() -> None:
    words = "AB\t0.30000000000000004\nBC\t0.3\nCD\t1e+16\n"
    above = Formula.read("..\n", words, ["--above", "0.3"]).words
    assert above == [["AB", "CD"]]
    assert Formula.read("..\n", words, ["--min-score", "0.3"]).words == [["AB", "BC", "CD"]]


@table("cases")
def test_cases_written_otherwise_are_refused(case: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "cases.txt").write_text(case["text"])
    grid = case.get("grid", GRID)
    with pytest.raises(RefusedError, match=re.escape(case["says"])):
        Formula.read(grid, case.get("words", WORDS), ["--cases", "cases.txt", "--part", "2/2"], tmp_path)


PLUS = question("....", ".##.", ".##.", "....", words="PLUS TARD SOIR MOIS MARS", repeats=True)


def read_blocked(folder: Path, text: str) -> Formula:
    (folder / "told.txt").write_text(text)
    return Formula.read(grid_text(PLUS), words_text(PLUS), ["--repeats", "--blocked", "told.txt"], folder)


def test_fills_told_are_blocked(tmp_path: Path) -> None:
    told, *others = sorted(PLUS.answer.fills)
    text = "\n\n".join("\n".join(fill) for fill in (told, others[0]))
    assert found(PLUS, read_blocked(tmp_path, f"{text}\n")) == set(others[1:])


@table("fills")
def test_fills_told_must_be_fills(case: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match=case["says"]):
        read_blocked(tmp_path, case["text"]).write(BytesIO())


def test_the_formula_of_some_slots() -> None:
    asked = question("...", "...", words="AB CD EF ABC DEF BXD")
    part = Formula.read(grid_text(asked), words_text(asked), ["--slots", "1-Across", "1-Down"])
    assert [words for words in part.words if words] == [["ABC"], ["AB"]]  # which have the same letter in their cell
    # Two of the slots left out have the required words, for ABC is the only word for row 1 with a C for CD.
    part = Formula.read(grid_text(asked), words_text(asked), ["--slots", "1-Across", "--required", "CD", "BXD"])
    (true,) = models(read_dimacs(dimacs(part)), sorted(part.word_variable.values()))
    stands = {part.slots[s].name: word for (s, word), x in part.word_variable.items() if x in true}
    assert stands == {"1-Across": "ABC", "4-Across": "BXD", "3-Down": "CD"}


def run_script(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    script = [sys.executable, "-E", "-s", "-S", "-W", "error", fill_to_cnf.__file__]
    return subprocess.run([*script, *arguments], cwd=folder, capture_output=True, check=False)


def test_it_is_a_script_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "grid.txt").write_text(GRID)
    (tmp_path / "words.tsv").write_text(WORDS)
    done = run_script(tmp_path, "grid.txt", "words.tsv", "--above", "0")
    assert done.stdout.decode() == dimacs(Formula.read(GRID, WORDS, ["--above", "0"]))
    (tmp_path / "words.tsv").write_bytes(b"\xff\n")
    for names in (["grid.txt", "words.tsv"], ["grid.txt"]):
        done = run_script(tmp_path, *names)
        assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
