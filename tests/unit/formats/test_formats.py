"""Texts of grids in their dialects; malformed files; the codecs that are registered."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import Fault, FormatError, GridError, InputError
from cpfill.base.files import read_text
from cpfill.formats.builder import MAX_FAULTS
from cpfill.formats.dialects import DIALECTS, parse_grids, write_fill
from cpfill.formats.registry import FORMATS, Family
from cpfill.puzzle.grid import Grid, split_rows
from cpfill.words.wordlist import read_word_list
from tests.support import INSTANCES, ROOT
from tests.tables import Case, cases

if TYPE_CHECKING:
    from pathlib import Path

MALFORMED = INSTANCES / "malformed"
CASES = tomllib.loads((MALFORMED / "malformed.toml").read_text(encoding="utf-8"))["case"]


def show(grid: Grid) -> str:
    """Return the rows of a grid: `#` a block, `.` an empty cell, a letter, `[AB]` a letter set."""
    shown = []
    for letters in grid.cells:
        members = grid.alphabet.members(letters)
        if len(members) > 1:
            members = f"[{members}]"
        shown.append({0: "#", grid.alphabet.full: "."}.get(letters, members))
    return "/".join(map("".join, split_rows(shown, grid.width)))


def options_of(case: Case) -> Case:
    asked = dict(case.get("asked", {}))
    if "alphabet" in asked:
        asked["alphabet"] = Alphabet.named(asked["alphabet"])
    return asked


@cases("unit/formats/grids.toml", "grid")
def test_a_text_is_recognised_and_read(case: Case) -> None:
    asked = options_of(case)
    for options in (asked, asked | {"dialect": case["dialect"]}):
        dialect, grids = parse_grids(case["text"], **options)
        assert (dialect.name, list(map(show, grids))) == (case["dialect"], case["grids"])


def refusal(text: str, **options: Any) -> tuple[Fault, ...]:
    with pytest.raises(GridError) as caught:
        parse_grids(text, name="g.txt", **options)
    assert {fault.path for fault in caught.value.faults} == {"g.txt"}
    return caught.value.faults


def write_place(fault: Fault) -> str:
    return ":".join(str(part) for part in (fault.line, fault.column) if part is not None)


@cases("unit/formats/grids.toml", "fault")
def test_a_faulty_text_is_refused_with_its_places(case: Case) -> None:
    faults = refusal(case["text"], **options_of(case))
    assert (list(map(write_place, faults)), faults[0].got) == (case["places"], case["found"])


@cases("unit/formats/grids.toml", "expected")
def test_a_fault_names_the_signs_of_its_dialect(case: Case) -> None:
    (fault,) = refusal(case["text"], dialect=case["dialect"])
    assert case["signs"] in fault.expected


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


def test_an_unknown_dialect_suggests_the_nearest() -> None:
    with pytest.raises(FormatError, match="did you mean 'beacham'"):
        parse_grids("..", dialect="becham")


@pytest.mark.parametrize("rows", [*range(5, 12), 20])
def test_at_most_ten_faults_are_reported(rows: int) -> None:
    assert len(refusal("..\n" + "...\n" * rows)) == min(rows, MAX_FAULTS)
    mixed = "\n".join([". . .", *["ab . .", ". ? ."] * rows])
    assert len(refusal(mixed, dialect="upmc")) == min(1 + rows, MAX_FAULTS)
    assert MAX_FAULTS == 10


def test_a_sign_may_be_the_tenth_fault() -> None:
    rows = ["0 0 0", *["ab 0 0"] * 9, "0 ? 0", *["ab 0 0"] * 9]
    assert len(refusal("\n".join(rows), dialect="upmc")) == MAX_FAULTS


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
@pytest.mark.parametrize("text", ["", "\n", "  \n\t\n"])
def test_an_empty_text_is_no_grid(dialect: str, text: str) -> None:
    assert "empty" in refusal(text, dialect=dialect)[0].got


@pytest.mark.parametrize("text", ["9" * 5000 + " 2\n..", "2 " + "9" * 5000 + "\n.."], ids=["height", "width"])
@pytest.mark.parametrize("dialect", [None, "upmc", "grl"])
def test_a_number_of_any_length_is_a_fault_at_most(text: str, dialect: str | None) -> None:
    assert refusal(text, dialect=dialect)


def name_of(case: Case) -> str:
    return str(case.get("grid") or case.get("words"))


def read_case(case: Case, path: Path) -> None:
    if "words" in case:
        read_word_list(path)
        return
    asked = {name: case[name] for name in ("dialect", "min_slot_length") if name in case}
    parse_grids(read_text(path, GridError), name=str(path), **asked)


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_malformed_file_is_refused_with_its_place(case: Case) -> None:
    path = MALFORMED / name_of(case)
    with pytest.raises(InputError) as caught:
        read_case(case, path)
    first, *_ = caught.value.faults
    assert {fault.path for fault in caught.value.faults} == {str(path)}
    assert first.line == case.get("line", first.line)
    assert first.column == case.get("column", first.column)
    assert list(map(str, caught.value.faults)) == str(caught.value).split("\n")


def test_every_codec_is_registered_once() -> None:
    made = []
    for path in (ROOT / "cpfill" / "formats").glob("*/*.py"):
        names = re.findall(r"^(\w+) = Codec\(", path.read_text(), re.MULTILINE)
        made += [f"{path.parent.name}.{path.stem}:{name}" for name in names]
    assert sorted(made) == sorted(one.codec for one in FORMATS.values() if one.family is not Family.DIALECT)
