from __future__ import annotations

import ast
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import Fault, FormatError, GridError, InputError
from cpfill.base.files import read_text
from cpfill.formats.builder import MAX_FAULTS
from cpfill.formats.dialects import DIALECTS, parse_grids, write_fill
from cpfill.formats.registry import FORMATS, Family
from cpfill.words.wordlist import read_word_list
from tests.support import INSTANCES, ROOT

if TYPE_CHECKING:
    from pathlib import Path

MALFORMED = INSTANCES / "malformed"
CASES = tomllib.loads((MALFORMED / "malformed.toml").read_text(encoding="utf-8"))["case"]


def cells(text: str, **options: Any) -> tuple[str, list[list[str]]]:
    """Return the dialect of a text and the rows of each grid: `#` block, `.` empty, a letter, `[AB]` a letter set."""
    dialect, grids = parse_grids(text, **options)
    return dialect.name, [show(grid.alphabet, grid.cells, grid.width) for grid in grids]


def show(alphabet: Alphabet, letter_sets: tuple[int, ...], width: int) -> list[str]:
    shown = []
    for letters in letter_sets:
        members = alphabet.members(letters)
        empty = letters == alphabet.full
        shown.append("#" if not members else "." if empty else members if len(members) == 1 else f"[{members}]")
    return ["".join(shown[start : start + width]) for start in range(0, len(shown), width)]


GRID = ["..#", "A..", "#.B"]


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("..#\nA..\n#.B\n", "native"),
        ("..#\na..\n#.b", "native"),
        ("\n\n..#\nA..\n#.B\n\n", "native"),
        ("..#  \nA..\t\n#.B\n", "native"),
        ("110\na11\n01b\n", "remy"),
        ("110\nA11\n01B", "remy"),
        ("3 3\n0 0 1\nA 0 0\n1 0 B\n", "upmc"),
        ("0 0 1\na 0 0\n1 0 b\n", "upmc"),
        ("3 3\n0 0 1\nA 0 0\n1 0 B\n0 0\n", "upmc"),
        ("3   3\n 0 0 1 \nA  0  0\n1 0 B\n", "upmc"),
        ("__*\nA__\n*_B\n", "beacham"),
        ("(__*\n A__\n *_B)\n", "beacham"),
        ("(_ _ *)\n(A _ _)\n(* _ B)\n", "beacham"),
        ("(\n__*\nA__\n*_B\n)\n", "beacham"),
        ("3 3\n  *\nA  \n* B\n", "grl"),
        ("3 3\n  *\na\n* B\n", "grl"),
    ],
)
def test_every_dialect_is_recognised_and_read(text: str, dialect: str) -> None:
    assert cells(text) == (dialect, [GRID])
    assert cells(text, dialect=dialect) == (dialect, [GRID])


def test_native_letter_sets() -> None:
    assert cells("[ab].[C]\n#[ZÉA]A")[1] == [["[AB].C", "#[AEZ]A"]]


def test_givens_are_folded() -> None:
    assert cells("é.#\n.Ñö")[1] == [["E.#", ".NO"]]
    assert cells("..#\n.Ñö", alphabet=Alphabet.named("es"))[1] == [["..#", ".ÑO"]]
    assert cells("n\u0303.".replace("n\u0303", "ñ"), alphabet=Alphabet.named("es"))[1] == [["Ñ."]]


def test_several_grids_to_a_file() -> None:
    assert cells("..\n..\n\n\n...\n")[1] == [["..", ".."], ["..."]]
    assert cells("11\n11\n\n110\n")[1] == [["..", ".."], ["..#"]]
    assert cells("__\n__\n\n__*\n")[1] == [["..", ".."], ["..#"]]
    upmc = "2 2\n0 0\n0 0\n1 3\n0 0 1\n0 0\n"
    assert cells(upmc) == ("upmc", [["..", ".."], ["..#"]])


def test_rows_of_grl_may_end_early() -> None:
    assert cells("3 3\n***\n") == ("grl", [["###", "...", "..."]])
    assert cells("2 4\n\n A\n") == ("grl", [["....", ".A.."]])


def test_slots_may_have_one_letter() -> None:
    assert cells(".#\n#.", min_slot_length=1)[1] == [[".#", "#."]]
    with pytest.raises(GridError, match="2 open cells"):
        cells(".#\n#.")


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("native", "AB#\n#CD\n"),
        ("remy", "ab0\n0cd\n"),
        ("upmc", "2 3\nA B 1\n1 C D\n"),
        ("beacham", "AB*\n*CD\n"),
        ("grl", "2 3\nAB*\n*CD\n"),
    ],
)
def test_a_fill_is_written_in_its_dialect(dialect: str, text: str) -> None:
    chosen, (grid,) = parse_grids("..#\n#..")
    assert chosen.name == "native"
    assert write_fill(DIALECTS[dialect], grid, ["A", "B", "", "", "C", "D"]) == text


def test_an_unknown_dialect_is_told_the_nearest() -> None:
    with pytest.raises(FormatError, match="did you mean 'beacham'"):
        parse_grids("..", dialect="becham")


def refusal(text: str, **options: Any) -> tuple[Fault, ...]:
    with pytest.raises(GridError) as caught:
        parse_grids(text, name="g.txt", **options)
    return caught.value.faults


def test_every_fault_is_reported_at_once() -> None:
    faults = refusal("..!\n..\n.[]\n1..")
    assert [(fault.line, fault.column) for fault in faults] == [(1, 3), (2, None), (3, 2), (3, None)]
    assert faults[0].got == "'!', '1' in 2 cells"
    assert all(fault.path == "g.txt" for fault in faults)


def test_ten_faults_are_enough() -> None:
    assert len(refusal("..\n" + "...\n" * 20)) == MAX_FAULTS == 10


@pytest.mark.parametrize(
    ("text", "dialect", "said"),
    [
        ("???\n?#?\n???", None, "1:1: expected '#', '.', a letter or '[letters]', found '?' in 8 cells "),
        ("A_\n#-", None, "1:2: expected '#', '.', a letter or '[letters]', found '-', '_' in 2 cells "),
        ("A_\n#B", None, "1:2: expected '#', '.', a letter or '[letters]', found '_' "),
        ("1?\n0-", "remy", "1:2: expected '1', '0' or a letter, found '-', '?' in 2 cells "),
        ("0 ?\n1 A", "upmc", "1:3: expected '0', '1' or a letter, found '?' "),
        ("_?\n*A", "beacham", "1:2: expected '_', '*' or a letter, found '?' "),
        ("1 2\n-A", "grl", "2:1: expected '*', a blank or a letter, found '-' "),
        (
            "!!\n;:\n/%",
            None,
            "1:1: expected '#', '.', a letter or '[letters]', found '!', '%', '/', ':', ';' in 6 cells",
        ),
        ("!?\n;:\n/%", None, "found '!', '%', '/', ':', ';', … in 6 cells "),
    ],
)
def test_unknown_signs_are_one_fault_that_says_how_a_cell_is_empty(text: str, dialect: str | None, said: str) -> None:
    (fault,) = refusal(text, dialect=dialect)
    empty = DIALECTS[dialect or "native"].empty
    assert said in str(fault)
    assert str(fault).endswith(f"(an empty cell is '{empty}')") == said.endswith(" ")


def test_a_fault_names_its_place_and_what_was_expected() -> None:
    (fault,) = refusal("...\n..!\n...")
    assert str(fault) == "g.txt:2:3: expected '#', '.', a letter or '[letters]', found '!'"
    (fault,) = refusal("...\n..Ж\n...")
    assert (fault.line, fault.column) == (2, 3)
    assert "'Ж'" in fault.got
    assert "letter of the alphabet" in fault.expected


def test_faults_of_a_second_grid_are_at_their_lines() -> None:
    assert [(f.line, f.column) for f in refusal("..\n..\n\n..\n.?")] == [(5, 2)]
    assert [f.line for f in refusal("..\n..\n\n#\n#")] == [4]
    assert [f.line for f in refusal("2 2\n0 0\n0 0\n2 2\n0 0\n0 1 0\n0 0", dialect="upmc")] == [6]


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
@pytest.mark.parametrize("text", ["", "\n", "  \n\t\n"])
def test_an_empty_text_is_no_grid(dialect: str, text: str) -> None:
    assert "empty" in refusal(text, dialect=dialect)[0].got


@pytest.mark.parametrize("text", ["9" * 5000 + " 2\n..", "2 " + "9" * 5000 + "\n.."], ids=["height", "width"])
@pytest.mark.parametrize("dialect", [None, "upmc", "grl"])
def test_a_number_of_any_length_is_a_fault_at_most(text: str, dialect: str | None) -> None:
    assert refusal(text, dialect=dialect)


def name_of(case: dict[str, Any]) -> str:
    return str(case.get("grid") or case.get("words"))


def read_case(case: dict[str, Any]) -> None:
    path: Path = MALFORMED / name_of(case)
    if "words" in case:
        read_word_list(path)
        return
    text = read_text(path, GridError)
    parse_grids(text, name=str(path), dialect=case.get("dialect"), min_slot_length=case.get("min_slot_length", 2))


def provoke(case: dict[str, Any]) -> InputError:
    with pytest.raises(InputError) as caught:
        read_case(case)
    return caught.value


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_malformed_file_is_refused_with_its_place(case: dict[str, Any]) -> None:
    assert set(case) <= {"grid", "words", "dialect", "min_slot_length", "wrong", "line", "column"}
    error = provoke(case)
    path = str(MALFORMED / name_of(case))
    assert all(fault.path == path for fault in error.faults)
    if "line" in case:
        assert error.faults[0].line == case["line"]
    if "column" in case:
        assert error.faults[0].column == case["column"]
    assert [str(fault) for fault in error.faults] == str(error).split("\n")


def test_two_faults_are_two_lines() -> None:
    (case,) = [case for case in CASES if name_of(case) == "two-faults.txt"]
    assert len({fault.line for fault in provoke(case).faults}) == 2


def test_every_malformed_file_is_listed() -> None:
    assert {name_of(case) for case in CASES} == {path.name for path in MALFORMED.iterdir()} - {"malformed.toml"}


@pytest.mark.parametrize(("text", "cells"), [("1 0\n0 0\n", 3), ("0 0\n0 0\n", 4)])
def test_two_columns_without_a_header(text: str, cells: int) -> None:
    _, (grid,) = parse_grids(text, dialect="upmc")
    assert (grid.height, grid.width) == (2, 2)
    assert sum(cell != 0 for cell in grid.cells) == cells


def test_no_more_than_ten_faults_are_told_whichever_is_the_tenth() -> None:
    for rows in range(5, 12):
        text = "\n".join([". . .", *["ab . .", ". ? ."] * rows])
        with pytest.raises(GridError) as caught:
            parse_grids(text, dialect="upmc")
        assert len(caught.value.faults) <= 10
    nine = "\n".join([". . ."] + ["ab . ."] * 9 + [". ? ."] + ["ab . ."] * 9)
    with pytest.raises(GridError) as caught:
        parse_grids(nine.replace(".", "0"), dialect="upmc")
    assert len(caught.value.faults) == 10


def test_every_codec_is_registered_once() -> None:
    formats = ROOT / "cpfill" / "formats"
    registered = [one.codec for one in FORMATS.values() if one.family is not Family.DIALECT]
    made = [
        f"{path.parent.name}.{path.stem}:{node.targets[0].id}"
        for path in formats.glob("*/*.py")
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) == "Codec"
    ]
    assert sorted(made) == sorted(registered)
