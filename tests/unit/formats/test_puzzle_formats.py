"""What each format says in its own way, by files written for the purpose."""

from __future__ import annotations

import json
import string
import sys
from pathlib import Path
from typing import Any, cast

import puz  # type: ignore[import-untyped]
import pytest

from cpfill.base.errors import CpfillError, FormatError, GridError
from cpfill.formats.pages.style import PageStyle
from cpfill.formats.registry import FORMATS, READABLE, WRITABLE, choose_format, guess_format, read_puzzle, write_puzzle
from cpfill.formats.templates import read_templates
from cpfill.puzzle.drawing.paint import write_roman
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.puzzle import SHADE, Puzzle, PuzzlePart

ACROSS, DOWN = Direction.ACROSS, Direction.DOWN
SQUARE = Puzzle(2, 2, ("A", "B", "C", "D"), {(ACROSS, 1): "one", (DOWN, 2): "two"})


def ipuz(**fields: Any) -> bytes:  # noqa: ANN401 - whatever a file may hold
    record = {"version": "http://ipuz.org/v2", "kind": ["http://ipuz.org/crossword#1"], **fields}
    return json.dumps(record).encode()


# .xd


def test_xd_sections_may_have_names_and_any_order() -> None:
    text = "## Grid\nAb\n1#\n## Metadata\ntitle: T\nRebus: 1=ONE\nSpecial: circle\n## X\nx\n## Clues\nA1. {*Bold*} ~ AB"
    puzzle = read_puzzle(text.encode())
    assert puzzle.cells == ("A", "B", "ONE", None)
    assert puzzle.circles == {1}
    assert puzzle.clues == {(ACROSS, 1): "Bold"}
    assert puzzle.metadata == {PuzzlePart.TITLE: "T"}


def test_rows_of_blocks_are_no_headings() -> None:
    text = "###OHS###\n##POOP###\n"
    assert read_puzzle(text.encode()).cells[3:6] == ("O", "H", "S")
    assert read_puzzle(f"Title: T\n\n\n{text}".encode(), kind="xd").cells[:3] == (None, None, None)


def test_xd_small_letters_are_letters_where_nothing_is_special() -> None:
    puzzle = read_puzzle(b"Title: T\nRebus: a=ABLE\n\n\nab\nC.\n\n\nA1. x\nA1 ^Refs: D1\nD1. y ~ AC\n\n\nnote\n\nmore")
    assert (puzzle.cells, puzzle.circles) == (("ABLE", "B", "C", ""), frozenset())
    assert puzzle.clues == {(ACROSS, 1): "x", (DOWN, 1): "y"}
    assert puzzle.metadata[PuzzlePart.NOTES] == "note\nmore"


def test_xd_shaded_cells_and_other_groups_are_told() -> None:
    puzzle = read_puzzle(b"Special: shaded\n\n\nAb\n\n\nA1. one ~ AB\nC1. three ~ X\n5. uniclue ~ Y")
    assert (puzzle.shades, puzzle.circles) == ({1: SHADE}, frozenset())
    assert puzzle.unread == ("left out 2 clues: C1, 5",)


# .ipuz


def test_ipuz_has_signs_of_its_own() -> None:
    data = ipuz(
        block="X",
        empty="-",
        puzzle=[[1, "2", "X"], [{"cell": "-", "style": {"shapebg": "circle"}}, "-", None]],
        solution=[["A", {"value": "#"}, "X"], ["heart", "-", None]],
        clues={
            "Across:Horizontally": [["1", "<i>R&amp;D</i>"]],
            "Down": [{"number": 2, "clue": "c", "enumeration": "1,1"}],
        },
    )
    puzzle = read_puzzle(data)
    assert puzzle.cells == ("A", "#", None, "HEART", "", None)
    assert puzzle.circles == {3}
    assert puzzle.voids == {5}
    assert puzzle.clues == {(ACROSS, 1): "R&D", (DOWN, 2): "c (1,1)"}


def test_ipuz_labels_are_followed() -> None:
    puzzle = read_puzzle(
        ipuz(puzzle=[["a", 0], ["b", 0]], clues={"Across": [["b", "row 2"], ["a", "row 1"]], "Zones": [["a", "z"]]})
    )
    assert puzzle.clues == {(ACROSS, 1): "row 1", (ACROSS, 3): "row 2"}
    assert puzzle.unread == ("left out 1 clue: a Zones",)


def test_ipuz_bars_stand_on_any_side_and_styles_may_have_names() -> None:
    thick = {"cell": 0, "style": "thick"}
    data = ipuz(
        styles={"thick": {"barred": "TL"}},
        puzzle=[[1, 0, 0], [0, thick, 0], [0, 0, {"cell": 0, "style": {"barred": "T"}}]],
    )
    assert read_puzzle(data).bars == {(1, 4), (3, 4), (5, 8)}


def test_ipuz_values_are_answers_where_there_is_no_solution() -> None:
    puzzle = read_puzzle(b"ipuz(" + ipuz(puzzle=[[{"cell": 1, "value": "A"}, 0]]) + b")")
    assert puzzle.cells == ("A", "")


# .puz


def checksums_of(data: bytes) -> bytes:
    """Return the checksums that the header of a file is to have, by the description of the format."""

    def total(region: bytes, start: int = 0) -> int:
        for byte in region:
            start = ((start >> 1 | (start & 1) << 15) + byte) & 0xFFFF
        return start

    size = data[0x2C] * data[0x2D]
    parts = [data[0x2C:0x34], data[0x34 : 0x34 + size], data[0x34 + size : 0x34 + 2 * size]]
    title, author, rights, *clues, notes = data[0x34 + 2 * size :].split(b"\0")[
        : 4 + int.from_bytes(data[0x2E:0x30], "little")
    ]
    parts.append(
        b"".join(
            [text + b"\0" for text in (title, author, rights) if text] + clues + ([notes + b"\0"] if notes else [])
        )
    )
    masked = [total(part) ^ (high << 8 | low) for part, low, high in zip(parts, b"ICHE", b"ATED", strict=True)]
    whole = [total(b"".join(parts)), total(parts[0])]
    low, high = bytes(one & 0xFF for one in masked), bytes(one >> 8 for one in masked)
    return whole[0].to_bytes(2, "little") + data[2:14] + whole[1].to_bytes(2, "little") + low + high


@pytest.mark.parametrize(
    ("said", "version", "written", "told"),
    [
        ("café « x »", b"1.3", "café « x »", None),
        (
            "“It\u2019s” — \u2018œuf\u2019…",
            b"2.0",
            "“It\u2019s” — \u2018œuf\u2019…",
            "wrote version 2.0, in UTF-8, for œ, which version 1.3 lacks",
        ),
        (
            "“It\u2019s” — 1900\u20131910…",
            b"1.3",
            '"It\'s" - 1900-1910...',
            "wrote version 1.3, with plain signs for “ \u2019 ” — \u2013 …",
        ),
        ("l\u202f!", b"1.3", "l\u00a0!", None),
    ],
)
def test_puz_has_the_version_that_its_texts_ask_for(said: str, version: bytes, written: str, told: str | None) -> None:
    puzzle = Puzzle(
        *(1, 3, ("É", "CX", "Ö"), {(ACROSS, 1): said}),
        {PuzzlePart.TITLE: said, PuzzlePart.NOTES: said, PuzzlePart.COPYRIGHT: "Me"},
    )
    data, lines = write_puzzle(puzzle, "puz")
    assert data[0x18:0x1B] == version
    assert data.count(written.encode("utf-8" if version == b"2.0" else "latin-1") + b"\0") == 3
    assert data[:0x18] == checksums_of(data)
    assert lines == ([told] if told else [])
    read = read_puzzle(data)
    assert (read.cells, read.unread) == (puzzle.cells, ())
    assert {*read.clues.values(), read.metadata[PuzzlePart.TITLE], read.metadata[PuzzlePart.NOTES]} == {written}


def test_puz_has_version_2_for_the_letters_of_the_grid() -> None:
    puzzle = Puzzle(1, 2, ("Œ", "ŁX"), {(ACROSS, 1): "a — b"})
    data, lines = write_puzzle(puzzle, "puz")
    assert (data[0x18:0x1B], data[:0x18]) == (b"2.0", checksums_of(data))
    assert lines == ["wrote version 2.0, in UTF-8, for Œ Ł, which version 1.3 lacks"]
    assert read_puzzle(data) == puzzle


def test_puz_cannot_hold_a_sign_of_its_table() -> None:
    with pytest.raises(FormatError, match="':' and ';'"):
        write_puzzle(Puzzle(1, 2, ("A;", "B")), "puz")


# Text of Across Lite


def test_across_lite_has_a_version_for_what_is_plain() -> None:
    assert write_puzzle(SQUARE, "across-lite")[0].startswith(b"<ACROSS PUZZLE>\n")
    rebus = Puzzle(1, 2, ("AB", "C"), circles=frozenset({1}))
    text = write_puzzle(rebus, "across-lite")[0].decode()
    assert text.startswith("<ACROSS PUZZLE V2>\n")
    assert "<GRID>\n\t1c\n<REBUS>\n\tMARK;\n\t1:AB:A\n" in text


def test_across_lite_digits_and_small_letters_mean_themselves_without_a_table() -> None:
    puzzle = read_puzzle(
        b"<ACROSS PUZZLE V2>\n<TITLE>\nT\n<SIZE>\n2x2\n<GRID>\n1b\n.@\n<ACROSS>\nfirst\n\n<DOWN>\nsecond\nmore\n"
    )
    assert (puzzle.cells, puzzle.circles) == (("1", "B", None, "@"), frozenset())
    assert puzzle.clues == {(ACROSS, 1): "first", (DOWN, 2): "second"}
    assert puzzle.unread == ("left out 1 clue: 'more'",)


def test_across_lite_may_be_in_the_encoding_of_its_program() -> None:
    assert read_puzzle("<ACROSS PUZZLE>\n<GRID>\nAB\n<ACROSS>\ncœur; été\n".encode("cp1252")).clues == {
        (ACROSS, 1): "cœur; été"
    }


# Exolve


def test_exolve_decorations_and_annotations() -> None:
    text = """junk
    exolve-begin
      exolve-width: 3
      exolve-height: 2
      exolve-title: <b>T</b> # comment
      exolve-grid:
        A+@ B|!*C~
        D   .  0
      exolve-across:
        1 Clue (1) [A] annotation
        # comment
        2, 5d Linked [] anno (3)
      exolve-down:
        1. Two (2 wds)* AD
        3 It's (1)*
    exolve-end
    """
    puzzle = read_puzzle(text.encode())
    assert puzzle.cells == ("A", "B", "C", "D", None, "")
    assert puzzle.bars == {(0, 1), (0, 3), (1, 2)}
    assert puzzle.circles == {0}
    assert puzzle.clues == {
        (ACROSS, 1): "Clue (1)", (ACROSS, 2): "2, 5d Linked", (DOWN, 5): "See 2",
        (DOWN, 1): "Two (2 wds)", (DOWN, 3): "It's (1)",
    }  # fmt: skip
    assert puzzle.metadata == {PuzzlePart.TITLE: "T"}


def test_exolve_symbols() -> None:
    text = "exolve-begin\nexolve-option: allow-chars:@.0\nexolve-grid:\n&@ 0 &.\nexolve-end"
    assert read_puzzle(text.encode()).cells == ("@", "0", ".")


# .jpz and .cfp: see the golden files


def test_jpz_clues_go_with_their_words() -> None:
    cells = "".join(f'<cell x="{x}" y="1" solution="{letter}" number="{x + 6}"/>' for x, letter in enumerate("ABC", 1))
    words = '<word id="w" x="1-3" y="1"/><word id="v" x="1-2" y="1"/>'
    listed = '<clue word="w" number="7" format="1,2">A clue</clue><clue word="v">B</clue>'
    grid = f'<grid width="3" height="1">{cells}</grid>'
    xml = f"<x><crossword>{grid}{words}<clues><title>Horizontal</title>{listed}</clues></crossword></x>"
    puzzle = read_puzzle(xml.encode())
    assert puzzle.clues == {(ACROSS, 1): "A clue (1,2)"}
    assert puzzle.unread == ("left out 1 clue: Horizontal",)


# Drawings


def test_a_solution_shows_letters_and_a_blank_none() -> None:
    blank, solution = (write_puzzle(SQUARE, "svg", PageStyle(letters))[0].decode() for letters in (False, True))
    assert ">A</text>" in solution
    assert ">A</text>" not in blank
    assert "1. one" in blank
    assert "1. one" not in solution


@pytest.mark.parametrize("name", ["html", "svg", "latex"])
def test_drawings_escape_what_means_something(name: str) -> None:
    puzzle = Puzzle(
        1, 2, ("&", "B"), {(ACROSS, 1): r"<script>&amp;</script> \input{x} 50% #1"}, {PuzzlePart.TITLE: "<T>"}
    )
    drawn = write_puzzle(puzzle, name)[0].decode()
    assert "<script>" not in drawn
    if name == "latex":
        assert r"\textbackslash{}input\{x\} 50\% \#1" in drawn


def test_roman_numerals() -> None:
    assert [*map(write_roman, (1, 4, 9, 14, 40, 99, 255))] == ["I", "IV", "IX", "XIV", "XL", "XCIX", "CCLV"]


@pytest.mark.parametrize(("name", "package"), [("puz", "puzpy"), ("pdf", "reportlab"), ("png", "Pillow")])
def test_what_is_not_installed_is_named(name: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("puz", "reportlab", "reportlab.pdfgen.canvas", "PIL", "PIL.Image"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(CpfillError, match=f"needs {package} .*pip install"):
        write_puzzle(SQUARE, name)


# The registry


def test_suffixes_are_different() -> None:
    suffixes = [suffix for one in FORMATS.values() for suffix in one.suffixes]
    assert len(set(suffixes)) == len(suffixes)


def test_the_suffix_tells_the_format() -> None:
    assert choose_format("a/b.IPUZ") == "ipuz"
    assert guess_format("x.jpz") == "jpz"
    assert guess_format("x.txt") is None
    assert guess_format("-") is None
    with pytest.raises(FormatError, match=r"found '\.pux' \(did you mean '\.puz'\?\)"):
        choose_format("x.pux")
    for other in (".docx", ".xlsx", ".doc", ".odt", ".md", ".rtf", ".zip"):
        with pytest.raises(FormatError) as error:
            choose_format(f"x{other}")
        assert "did you mean" not in str(error.value)
    with pytest.raises(FormatError, match=r"found '\.jpz'"):
        choose_format("x.jpz")


@pytest.mark.parametrize("kind", ["puz", "ipuz", "across-lite", "exolve", "xd"])
def test_what_no_suffix_tells_is_recognised(kind: str, tmp_path: Path) -> None:
    data, _ = write_puzzle(SQUARE, kind)
    (tmp_path / "square.txt").write_bytes(data)
    (template,) = read_templates(tmp_path / "square.txt")
    assert template.puzzle == read_puzzle(data)
    assert str(template.grid) == "AB\nCD"
    with pytest.raises(GridError):
        read_templates(tmp_path / "square.txt", dialect="native")


def test_a_style_is_for_drawings() -> None:
    with pytest.raises(FormatError, match="a drawing"):
        write_puzzle(SQUARE, "xd", PageStyle(french=True))


def test_unknown_formats() -> None:
    with pytest.raises(FormatError, match=r"a format to read: one of .*found 'svg'"):
        read_puzzle(b"x", kind="svg")
    with pytest.raises(FormatError, match="a format to write"):
        write_puzzle(SQUARE, "cfp")
    with pytest.raises(FormatError, match=r"a format to write: one of .*found 'day\.ipuz' \(did you mean 'ipuz'\?\)"):
        write_puzzle(SQUARE, cast("str", Path("day.ipuz")))


@pytest.mark.parametrize("text", ["{/b/}", "{*x*} and {_y_}", r"\def", "a {-b-} c"])
def test_xd_texts_that_it_has_other_uses_for_are_told(text: str) -> None:
    puzzle = Puzzle(1, 2, ("A", "B"), {(ACROSS, 1): text}, {PuzzlePart.TITLE: "One"})
    data, told = write_puzzle(puzzle, "xd")
    assert read_puzzle(data, kind="xd").clues[ACROSS, 1] != text
    assert told == ["read otherwise, for the format has other uses for some signs in them: 1-Across"]
    assert write_puzzle(puzzle, "ipuz")[1] == []


@pytest.mark.parametrize("kind", sorted(WRITABLE.keys() & READABLE.keys()))
@pytest.mark.parametrize("text", ["plain", "{/b/}", "<i>b</i>", "a & b &amp; c", r"\x", "#1", "a ~ b", "1. a", '"'])
def test_a_text_is_read_as_it_was_or_that_is_told(kind: str, text: str) -> None:
    puzzle = Puzzle(1, 2, ("A", "B"), {(ACROSS, 1): text}, {PuzzlePart.TITLE: text})
    data, told = write_puzzle(puzzle, kind)
    back = read_puzzle(data, kind=kind)
    same = back.clues.get((ACROSS, 1)) == text and back.metadata.get(PuzzlePart.TITLE) == text
    assert same or told


@pytest.mark.parametrize("kind", sorted(WRITABLE.keys() & READABLE.keys()))
def test_a_cell_is_read_as_it_was_or_that_is_told(kind: str) -> None:
    """In each format some sign means an empty cell or a block, and a circle may call for another."""
    for sign in [*string.punctuation, *string.digits, "¿", "ß", "ẞ", "İ"]:
        for answer in (sign, f"A{sign}"):
            puzzle = Puzzle(2, 3, ("", answer, "A", "", None, "B"), circles=frozenset({3, 5}))
            try:
                data, told = write_puzzle(puzzle, kind)
            except FormatError as error:
                assert "cells without" in str(error)  # noqa: PT017 - it may be written, and then no error is raised
            else:
                same = read_puzzle(data, kind=kind).cells == puzzle.cells
                assert same or any("dropped 1 cell" in line or "read otherwise" in line for line in told), answer


@pytest.mark.parametrize(("kind", "sign"), [("across-lite", "-"), ("xd", ".")])
def test_a_cell_that_is_read_as_an_empty_one_is_told(kind: str, sign: str) -> None:
    data, told = write_puzzle(Puzzle(2, 2, ("A", "B", sign, sign)), kind)
    assert read_puzzle(data, kind=kind).cells == ("A", "B", "", "")
    assert told == [
        "read otherwise, for the format has other uses for some signs in them: row 2, column 1; row 2, column 2"
    ]


def test_puz_has_a_cell_of_a_hyphen_beside_empty_ones() -> None:
    puzzle = Puzzle(2, 2, ("A", "-", "", "B"), circles=frozenset({2}))
    data, told = write_puzzle(puzzle, "puz")
    assert (read_puzzle(data), told) == (puzzle, [])
    file = puz.load(data)
    assert file.solution == "AX-B"
    assert file.rebus().get_rebus_solution(1) == "-"


def test_puz_has_a_table_of_255_answers() -> None:
    """It has room for fewer if each takes 400 bytes."""
    answers = [f"A{number}" for number in range(256)]
    puzzle = Puzzle(16, 16, (*answers[:255], ""))
    assert read_puzzle(write_puzzle(puzzle, "puz")[0]) == puzzle
    for cells in (answers, [f"{answer}{chr(0x20000) * 95}" for answer in (*answers[:200], *56 * ["A1"])]):
        with pytest.raises(FormatError, match=r"at most 255 different cells .* and 65,535 bytes for them, found more"):
            write_puzzle(Puzzle(16, 16, tuple(cells)), "puz")
