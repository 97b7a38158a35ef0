"""The formula: its models are the fills."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpfill.proofs import fill_to_cnf
from cpfill.proofs.fill_to_cnf import Formula, RefusedError
from cpfill.testing.questions import questions
from tests.property.problems import BOUND, FEW, MANY_FILLS, PLAIN, Known, find_question
from tests.differential.common import FAMILIES, RULED
from tests.proofs.models import arguments, grid_text, models, read_dimacs, words_text
from tests.support import Question, question

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
def cases(draw: st.DrawFn, formula: Formula) -> list[str]:
    """Draw cases, of what the slots of a formula may have or not."""
    choices = [f"{formula.slots[s].name}{sign}{word}" for s, word in formula.word_variable for sign in ("=", "!=")]
    for slot in formula.slots:
        for at, (cell, _) in enumerate(slot.places):
            dots = "." * at, "." * (len(slot.places) - at - 1)
            for letter in formula.letters.get(cell, ()) if cell is not None and len(slot.places) > 1 else ():
                choices += [f"{slot.name}{sign}{dots[0]}{letter}{dots[1]}" for sign in ("=", "!=")]
    if not choices:
        return []
    return draw(st.lists(st.lists(st.sampled_from(choices), min_size=1, max_size=3).map(" ".join), max_size=3))


@given(asked=questions(sides=True, opened=True, rebus=True), options=st.data())
def test_each_fill_is_in_one_part(asked: Question, options: st.DataObject) -> None:
    drawn = options.draw(cases(formula_of(asked)))
    fills: list[Rows] = []
    with TemporaryDirectory() as folder:
        (Path(folder) / "cases.txt").write_text("".join(f"{case}\n" for case in drawn), encoding="utf-8")
        for number in range(len(drawn) + 1) if drawn else ():
            part = ["--cases", "cases.txt", "--part", f"{number + 1}/{len(drawn) + 1}"]
            fills += found(asked, formula_of(asked, part, Path(folder)))
    assert not drawn or sorted(fills) == sorted(asked.answer.fills)


@pytest.mark.parametrize("name", [*FAMILIES, *RULED])
def test_models_are_as_many_as_those_in_minizinc(name: str) -> None:
    """These are the questions that tests/differential puts to MiniZinc, which answers as the brute force does."""
    asked = replace({**FAMILIES, **RULED}[name], theme={})
    assert found(asked, formula_of(asked)) == asked.answer.fills


@pytest.mark.parametrize("known", [each for each in PLAIN if each.data["fills"] <= MANY_FILLS], ids=str)
def test_models_are_as_many_as_is_known(known: Known) -> None:
    asked = plain_question(known.problem())
    assert len(found(asked, formula_of(asked))) == known.data["fills"]


GRID, WORDS = "..\n#.\n", "AB\t1.0\nBC\t50\n"


@pytest.mark.parametrize(
    ("grid", "words", "more", "says"),
    [
        ("..\r\n#.\r\n", WORDS, [], "grid, line 1, column 3"),
        ("..\n#.", WORDS, [], "grid: expected a line feed"),
        ("..\n#a\n", WORDS, [], "grid, line 2, column 2"),
        (".É\n#\u0301.\n", WORDS, [], "grid, line 2, column 2"),
        (". .\n# .\n", WORDS, [], "grid, line 1, column 2"),
        (".|.\n#..\n", WORDS, [], "grid, line 1, column 2"),
        ("..\n#?\n", WORDS, [], "grid, line 2, column 2"),
        ("..\n#[AB\n", WORDS, [], "grid, line 2, column 2"),
        ("..\n#[A.]\n", WORDS, [], "grid, line 2, column 2"),
        ("..\n#()\n", WORDS, [], "grid, line 2, column 2"),
        ("..\n#\n", WORDS, [], "grid, line 2: expected 2 cells, got 1"),
        ("\ufeff..\n#.\n", WORDS, [], "grid, line 1, column 1"),
        ("", WORDS, [], "grid: expected a line feed"),
        ("\n", WORDS, [], "grid, line 1: expected some cells, got 0"),
        ("..\n#.\n\n", WORDS, [], "grid: expected a row after the last blank line"),
        ("..\n#.\n\n..\n#.\n", WORDS, [], "grid: expected one grid, got 2"),
        ("#.\n.#\n", WORDS, [], "grid: expected a slot"),
        (GRID, "AB;1\n", [], "words, line 1"),
        (GRID, "AB 1\n", [], "words, line 1"),
        (GRID, "AB\t1\t2 1\n", [], "words, line 1"),
        (GRID, "AB\t1\t1\t2\n", [], "words, line 1"),
        (GRID, "AB\t1\t1\u20282\n", [], "words, line 1"),
        (GRID, "AB\n", [], "words, line 1"),
        (GRID, "AB\t1,5\n", [], "words, line 1"),
        (GRID, "AB\tnan\n", [], "words, line 1"),
        (GRID, "AB\t1_0\n", [], "words, line 1"),
        (GRID, "AB\t\u0661\n", [], "words, line 1"),
        (GRID, "ab\t1\n", [], "words, line 1"),
        (GRID, "A-B\t1\n", [], "words, line 1"),
        (GRID, "\t1\n", [], "words, line 1"),
        (GRID, "AB\t1\nAB\t2\n", [], "words, line 2"),
        (GRID, "BC\t1\nAB\t2\n", [], "words, line 2"),
        (GRID, "AB\t1\n\n", [], "words, line 2"),
        (GRID, WORDS.replace("\n", "\r\n"), [], "words, line 1"),
        (GRID, WORDS, ["--above", "-1"], "--above"),
        (GRID, WORDS, ["--above", "1,5"], "--above"),
        (GRID, WORDS, ["--ab", "1"], "--ab"),
        (GRID, WORDS, ["--theme", "AB"], "--theme"),
        (GRID, WORDS, ["--at-most", "1"], "--under with each --at-most"),
        (GRID, WORDS, ["--required", "CD"], "--required: expected what the grid and the words have, got CD"),
        (GRID, WORDS, ["--slots", "2-Across"], "--slots"),
        (GRID, WORDS, ["--open", "1-Down"], "--open"),
        (GRID, WORDS, ["--slots", "1-Across", "--blocked", "x"], "--blocked without"),
        (GRID, WORDS, ["--open", "1-Across", "2-Down"], "grid: expected a slot"),
        (GRID, WORDS, ["--part", "1/1"], "--part with --cases"),
        (GRID, WORDS, ["--cases", "x"], "--part with --cases"),
        (GRID, WORDS, ["--cases", "x", "--part", "3/2"], "a part"),
        (GRID, WORDS, ["--cases", "x", "--part", "0/2"], "a part"),
        (GRID, WORDS, ["--cases", "x", "--part", "1/2", "--blocked", "x"], "--blocked without"),
    ],
)
def test_what_is_written_otherwise_is_refused(grid: str, words: str, more: list[str], says: str) -> None:
    with pytest.raises(RefusedError, match=f"(?s).*{re.escape(says)}"):
        Formula.read(grid, words, more)


def test_scores_are_compared_as_they_are_written() -> None:
    words = "AB\t0.30000000000000004\nBC\t0.3\nCD\t1e+16\n"
    above = Formula.read("..\n", words, ["--above", "0.3"]).words
    assert above == [["AB", "CD"]]
    assert Formula.read("..\n", words, ["--min-score", "0.3"]).words == [["AB", "BC", "CD"]]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1-Across=AB", "cases: expected a line feed"),
        ("\n", "cases, line 1"),
        ("1-Across=AB \n", "cases, line 1"),
        ("1-Across=AB\n\n", "cases, line 2"),
        ("1-Across\n", "cases, line 1"),
        ("1-Across==AB\n", "cases, line 1"),
        ("1-Across=AB\n1-Across=BC\n", "--part: expected one of 3, got one of 2"),
        ("2-Across=AB\n", "--cases: expected what the grid and the words have, got 2-Across"),
        ("1-Across=ABC\n", "--cases: expected a word for 1-Across"),
        ("1-Across=A..\n", "--cases: expected a word for 1-Across"),
        ("1-Across=..\n", "--cases: expected a word for 1-Across"),
        ("1-Across=.*\n", "--cases: expected a word for 1-Across"),
        ("1-Across=ab\n", "--cases: expected a word for 1-Across"),
    ],
)
def test_cases_written_otherwise_are_refused(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "cases.txt").write_text(text)
    with pytest.raises(RefusedError, match=re.escape(says)):
        Formula.read(GRID, WORDS, ["--cases", "cases.txt", "--part", "2/2"], tmp_path)


@pytest.mark.parametrize("case", ["1-Across=.D..", "1-Across=A.C.", "1-Across=A..E"])
def test_a_letter_that_is_given_with_others_is_no_case(case: str, tmp_path: Path) -> None:
    (tmp_path / "cases.txt").write_text(f"{case}\n")
    with pytest.raises(RefusedError, match="expected a word for 1-Across, or a letter of one"):
        Formula.read("A(CD)E\n", "ACDE\t1\n", ["--cases", "cases.txt", "--part", "1/2"], tmp_path)


def test_fills_told_are_blocked(tmp_path: Path) -> None:
    asked = question("....", ".##.", ".##.", "....", words="PLUS TARD SOIR MOIS MARS", repeats=True)
    told, *others = sorted(asked.answer.fills)
    (tmp_path / "told.txt").write_text("\n".join("".join(f"{row}\n" for row in fill) for fill in [told, others[0]]))
    formula = Formula.read(grid_text(asked), words_text(asked), ["--repeats", "--blocked", "told.txt"], tmp_path)
    assert found(asked, formula) == set(others[1:])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("PLUS\nA##A\nRIEN\nSSSS\n", "told.txt, fill 1"),
        ("PLUS\nA##O\nR##I\nDOIR\n", "told.txt, fill 1"),
        ("PLUS\n", "told.txt, fill 1: expected the shape of the grid"),
    ],
)
def test_fills_told_must_be_fills(text: str, says: str, tmp_path: Path) -> None:
    asked = question("....", ".##.", ".##.", "....", words="PLUS TARD SOIR MOIS MARS", repeats=True)
    (tmp_path / "told.txt").write_text(text)
    formula = Formula.read(grid_text(asked), words_text(asked), ["--repeats", "--blocked", "told.txt"], tmp_path)
    with pytest.raises(RefusedError, match=says):
        formula.write(BytesIO())


def test_the_formula_of_some_slots() -> None:
    asked = question("...", "...", words="AB CD EF ABC DEF BXD")
    part = Formula.read(grid_text(asked), words_text(asked), ["--slots", "1-Across", "1-Down"])
    assert [words for words in part.words if words] == [["ABC"], ["AB"]]  # which have the same letter in their cell
    # Two of the slots left out have the required words, for ABC is the only word for row 1 with a C for CD.
    part = Formula.read(grid_text(asked), words_text(asked), ["--slots", "1-Across", "--required", "CD", "BXD"])
    (true,) = models(read_dimacs(dimacs(part)), sorted(part.word_variable.values()))
    stands = {part.slots[s].name: word for (s, word), x in part.word_variable.items() if x in true}
    assert stands == {"1-Across": "ABC", "4-Across": "BXD", "3-Down": "CD"}


def test_it_is_a_script_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "grid.txt").write_text(GRID)
    (tmp_path / "words.tsv").write_text(WORDS)
    script = [sys.executable, "-I", "-S", "-W", "error", fill_to_cnf.__file__]
    run = subprocess.run(
        [*script, "grid.txt", "words.tsv", "--above", "0"], cwd=tmp_path, capture_output=True, check=True
    )
    assert run.stdout.decode() == dimacs(Formula.read(GRID, WORDS, ["--above", "0"]))
    (tmp_path / "words.tsv").write_bytes(b"\xff\n")
    run = subprocess.run([*script, "grid.txt", "words.tsv"], cwd=tmp_path, capture_output=True, check=False)
    assert (run.returncode, run.stdout, run.stderr.count(b"\n")) == (2, b"", 1)
    run = subprocess.run([*script, "grid.txt"], cwd=tmp_path, capture_output=True, check=False)
    assert (run.returncode, run.stdout, run.stderr.count(b"\n")) == (2, b"", 1)
