"""Small files that would become much work, or much memory: each is read or refused soon."""

from __future__ import annotations

import io
import json
import re
import unicodedata
import zipfile
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.alphabet import compose
from cpfill.base.errors import (
    MAX_ANSWER,
    MAX_CELLS,
    MAX_CLUES,
    MAX_GRIDS,
    MAX_LINES,
    MAX_MARKS,
    MAX_TEXT_BYTES,
    FormatError,
    GridError,
    InputError,
)
from cpfill.formats.dialects import parse_grids
from cpfill.formats.registry import read_puzzle
from cpfill.puzzle.puzzle import Puzzle
from tests.fuzz.ceilings import ceilings

if TYPE_CHECKING:
    from collections.abc import Callable

MARKS = "\u0301\u0316"
"""Two accents in the order that they do not have in composed text."""
WIDE = 255
CELL_PAIR = '<cell x="1" y="1" solution="A"/><cell x="2" y="1" solution="B"/>'


def jpz(rest: str, side: int = 2, cells: str = CELL_PAIR) -> bytes:
    return f'<x><crossword><grid width="{side}" height="{side}">{cells}</grid>{rest}</crossword></x>'.encode()


def cfp(grid: str, rest: str, width: int = WIDE) -> bytes:
    return f'<CROSSFIRE><GRID width="{width}">{grid}</GRID>{rest}</CROSSFIRE>'.encode()


def ipuz(**fields: Any) -> bytes:
    return json.dumps({"kind": ["http://ipuz.org/crossword#1"], "puzzle": [[1, 0]], **fields}).encode()


def styled(style: dict[str, Any]) -> bytes:
    """Return a file in which every cell of the greatest grid has the same style."""
    return ipuz(puzzle=[[{"cell": 0, "style": "s"}] * WIDE] * WIDE, styles={"s": style})


def exolve(grid: str, rest: str = "") -> bytes:
    return f"exolve-begin\nexolve-grid:\n{grid}\n{rest}\nexolve-end\n".encode()


def across_lite(grid: str, table: str) -> bytes:
    return f"<ACROSS PUZZLE V2>\n<GRID>\n{grid}\n<REBUS>\n{table}\n".encode()


def xd(header: str, grid: str) -> bytes:
    return f"{header}\n\n\n{grid}\n".encode()


def zipped(kind: int, size: int = 100_000) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", kind) as archive:
        archive.writestr("a.xml", b"\0" * size)
    return packed.getvalue()


def damaged(data: bytes) -> bytes:
    return data[:40] + b"\xff" * 20 + data[60:]


def puz_of_one_long_answer() -> bytes:
    puz: Any = import_module("puz")
    file = puz.Puzzle()
    file.width = file.height = WIDE
    file.solution, file.fill, file.clues = "A" * WIDE**2, "-" * WIDE**2, []
    file.extensions = {b"GRBS": b"\1" * WIDE**2, b"RTBL": b" 0:" + b"x" * 65_000 + b";"}
    return bytes(file.tobytes())


BIG = "\n".join(["1" * WIDE] * WIDE)
LONG = "X" * 100_000
TOO_LONG = rf"answers of at most {MAX_ANSWER} characters a cell, found \d+ in row 1, column 1"
PACKED = "a file stored or deflated in the ZIP archive, found one packed in another way"
TOO_MANY_CLUES = f"at most {MAX_CLUES} clues, found more"

BOMB = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><x>&b;</x>'

FILES: dict[str, tuple[str | None, Callable[[], bytes], str]] = {
    "an archive by bzip2": ("jpz", lambda: zipped(zipfile.ZIP_BZIP2), PACKED),
    "an archive by LZMA": ("jpz", lambda: zipped(zipfile.ZIP_LZMA), PACKED),
    "a damaged archive by LZMA": ("jpz", lambda: damaged(zipped(zipfile.ZIP_LZMA)), PACKED),
    "a word of millions of cells": (
        "jpz",
        lambda: jpz('<word id="1">' + '<cells x="1-255" y="1-255"/>' * 3_000 + "</word>", WIDE),
        "",
    ),
    "many long words": (
        "jpz",
        lambda: jpz("".join(f'<word id="{i}" x="1" y="1-255"/>' for i in range(5_000)), WIDE),
        f"words of at most {MAX_CELLS} cells together",
    ),
    "lists of clues within one another": (
        "jpz",
        lambda: jpz("<clues>" * 45 + "<clue/>" * 40_000 + "</clues>" * 45),
        "left out 40000 clues",
    ),
    "a long title over many clues": (
        "jpz",
        lambda: jpz(f"<clues><title>Across{LONG}</title>" + '<clue number="1">x</clue>' * 40_000 + "</clues>"),
        "",
    ),
    "one long answer in every cell of .cfp": (
        "cfp",
        lambda: cfp(BIG, f'<REBUS input="1" letters="{LONG}"/>'),
        TOO_LONG,
    ),
    "one long answer in every cell of .xd": ("xd", lambda: xd(f"Rebus: 1={LONG}", BIG), TOO_LONG),
    "one long answer in every cell of Across Lite": (
        "across-lite",
        lambda: across_lite(BIG, f"1:{LONG}:X"),
        TOO_LONG,
    ),
    "one long answer in every cell of .puz": ("puz", puz_of_one_long_answer, TOO_LONG),
    "one long answer": ("jpz", lambda: jpz("", cells=f'<cell x="1" y="1" solution="{LONG}"/>'), TOO_LONG),
    "rows of blanks": ("cfp", lambda: cfp("\n" * 4_000_000 + "x", ""), ""),
    "many rows of .cfp": ("cfp", lambda: cfp("A\n" * 1_000_000, "", 2), "a grid of at most 255 rows, found 1000000"),
    "a style of many names": ("ipuz", lambda: styled({f"k{i}": 1 for i in range(10_000)}), ""),
    "a style of many bars": ("ipuz", lambda: styled({"barred": "T" * 10_000}), ""),
    "many clues": ("ipuz", lambda: ipuz(clues={"Across": [""] * 1_000_000}), TOO_MANY_CLUES),
    "a long heading over many clues": ("ipuz", lambda: ipuz(clues={LONG: [""] * 60_000}), ""),
    "a million accents in a title": ("ipuz", lambda: ipuz(title="a" + MARKS * 100_000), ""),
    "blank lines": (None, lambda: b"x\n" + b"\n" * 99_000, "at least one slot"),
    "an option again and again": ("exolve", lambda: exolve("AB", "exolve-option: " + "allow-chars:" * 50_000), ""),
    "many references": (
        "exolve",
        lambda: exolve("AB", "exolve-across:\n" + "\n".join(["1" + ",1" * 50] * 20_000)),
        "left out 19999 clues",
    ),
    "a cell of many bars": ("exolve", lambda: exolve("A" + "|" * 4_000_000 + "B"), "a row of at most 25500 characters"),
    "many rows of Exolve": ("exolve", lambda: exolve("A\n" * 90_000), "a grid of at most 255 rows, found 90000"),
    "a size of many sides": (
        "across-lite",
        lambda: b"<ACROSS PUZZLE>\n<SIZE>\n2x1" + b"x1" * 1_000_000 + b"\n<GRID>\nAB\n",
        "from 1 to 255, found '1x1x1x1",
    ),
    "great letter sets": ("native", lambda: ("[" + "A" * 16_000 + "].\n").encode() * 240, "at most 64 letters inside"),
    "entities": ("jpz", lambda: BOMB, "document type"),
    "a zip bomb": ("jpz", lambda: zipped(zipfile.ZIP_DEFLATED, MAX_TEXT_BYTES * 4), "at most 4 MB in the ZIP archive"),
    "deep XML": ("jpz", lambda: b"<a>" * 100_000, "too deep"),
    "much XML": ("cfp", lambda: b"<a>" + b"<b/>" * 300_000 + b"</a>", "too many"),
    "deep JSON": ("ipuz", lambda: b"[" * 1_000_000, "too deep"),
    "a long number": ("ipuz", lambda: b'{"kind": ' + b"1" * 10_000 + b"}", "numbers too long"),
    "many rows": ("ipuz", lambda: ipuz(puzzle=[[0]] * 10_000), "from 1 to 255, found '10000'"),
    "a wide row": (
        "exolve",
        lambda: b"exolve-begin\nexolve-grid:\n" + b"A" * 1_000_000 + b"\nexolve-end",
        "25500 characters",
    ),
    "many lines": ("xd", lambda: b"Title: x\n\n\n" + b"A\n" * 200_000, "lines"),
    "great sides": (
        "jpz",
        lambda: b'<x><crossword><grid width="99999999" height="9"/></crossword></x>',
        "from 1 to 255",
    ),
    "other sides": ("across-lite", lambda: b"<ACROSS PUZZLE>\n<SIZE>\n900000x1\n<GRID>\nAB\n", "from 1 to 255"),
    "said sides": ("ipuz", lambda: ipuz(dimensions={"width": 10**9, "height": 1}, puzzle=[[0, 0]]), "from 1 to 255"),
    "too much": ("xd", lambda: b"x" * (MAX_TEXT_BYTES + 1), "at most 4 MB"),
    "gzip": ("xd", lambda: b"\x1f\x8b\x08", "unpack it first"),
    "no puzzle": ("ipuz", lambda: b'{"kind": ["http://ipuz.org/sudoku#1"]}', "a crossword"),
    "no grid": ("xd", lambda: b"Title: x", "a grid"),
    "a cell beyond": (
        "jpz",
        lambda: b'<x><crossword><grid width="2" height="1"><cell x="3" y="1"/></grid></crossword></x>',
        "within",
    ),
    "nothing": ("puz", lambda: b"  \n", "an empty file"),
}


@pytest.mark.parametrize("case", FILES)
def test_a_small_file_does_not_become_much_work(case: str) -> None:
    kind, make, message = FILES[case]
    data = make()
    assert len(data) <= MAX_TEXT_BYTES + 1
    try:
        with ceilings():
            said = "\n".join(read_puzzle(data, "file", kind).unread)
    except InputError as error:
        said = str(error)
        assert message
        assert said.startswith("file:")
    assert re.search(message, said)
    assert all(len(line) < 400 for line in said.splitlines())


FEW_CELLS = 1 << 18
"""The cells of all grids in a text, here: a worker keeps the memory that `MAX_CELLS` would take."""

TEXTS: dict[str, tuple[str, str]] = {
    "many grids": ("..\n\n" * (MAX_GRIDS + 1), f"at most {MAX_GRIDS} grids, of {FEW_CELLS} cells together"),
    "headers of great grids": (("255 255\n" + "\n" * 255) * 5, f"at most {MAX_GRIDS} grids, of {FEW_CELLS} cells"),
    "blank rows": ("255 255\n" + "\n" * 4_000_000, f"at most {MAX_LINES} lines"),
    "grids with headers": ("1 2\n0 0\n" * 40_000, f"at most {MAX_GRIDS} grids"),
    "a row of signs": ("!" * 4_000_000, "a row of at most 25500 characters, found 4000000"),
    "rows of signs": (("!" * 25_000 + "\n") * 160, "'\\[letters\\]', found '!'"),
    "a row of accents": ("a" + MARKS * 12_000, "a letter"),
}


@pytest.mark.parametrize("case", TEXTS)
def test_a_text_does_not_become_much_work(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpfill.formats.builder.MAX_CELLS", FEW_CELLS)
    text, message = TEXTS[case]
    with pytest.raises(GridError, match=message) as error, ceilings():
        parse_grids(text)
    lines = str(error.value).splitlines()
    assert len(lines) <= 10
    assert all(len(line) < 400 for line in lines)


def test_the_number_of_grids_in_a_text_may_be_great() -> None:
    assert len(parse_grids("..\n\n" * 1_000)[1]) == 1_000


def test_answers_have_a_greatest_length() -> None:
    assert Puzzle(1, 2, ("A" * MAX_ANSWER, "B")).cells == ("A" * MAX_ANSWER, "B")
    with pytest.raises(FormatError, match=f"found {MAX_ANSWER + 1} in row 1, column 2"):
        Puzzle(1, 2, ("A", "B" * (MAX_ANSWER + 1)))


def test_so_many_accents_on_a_letter_are_kept() -> None:
    few, many = "a" + MARKS * (MAX_MARKS // 2), "a" + MARKS * MAX_MARKS
    assert compose(f"x{many} e\u0301") == compose(f"x{few} \u00e9")
    assert compose(few) == unicodedata.normalize("NFC", few)
    assert compose("\u65e5\u672c\u8a9e" * MAX_MARKS) == "\u65e5\u672c\u8a9e" * MAX_MARKS
