"""What readers make of files that other programs write, and what they tell of them."""

from __future__ import annotations

import io
import json
import zipfile
from importlib import import_module
from typing import Any

import pytest

from cpfill.base.errors import MAX_TEXT, FormatError
from cpfill.formats.exchange.source import strip_markup
from cpfill.formats.registry import read_puzzle, write_puzzle
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import SHADE, PuzzlePart
from cpfill.puzzle.puzzle import Puzzle

ACROSS, DOWN = Direction.ACROSS, Direction.DOWN
SQUARE = Puzzle(2, 2, ("A", "B", "C", "D"), {(ACROSS, 1): "one", (DOWN, 2): "two"})
puz: Any = import_module("puz")


def ipuz(**fields: Any) -> bytes:
    return json.dumps({"kind": ["http://ipuz.org/crossword#1"], **fields}).encode()


def refused(data: bytes, kind: str) -> str:
    with pytest.raises(FormatError) as caught:
        read_puzzle(data, "file", kind)
    (line,) = str(caught.value).splitlines()
    return line.removeprefix("file: ")


# .puz


def puz_file(**fields: Any) -> Any:
    file = puz.Puzzle()
    file.width = file.height = 2
    file.solution, file.fill, file.clues = "ABCD", "----", ["c"] * 4
    for name, value in fields.items():
        setattr(file, name, value)
    return file


def test_puz_of_version_1_is_in_windows_1252() -> None:
    file = puz_file(title="Caf\xe9 \x93x\x94", notes="\x85", clues=["It\x92s a \x97 \x81"] * 4, solution="\x8cBCD")
    file.rebus().add_rebus_squares(1, "C\x9cUR")
    puzzle = read_puzzle(file.tobytes())
    assert puzzle.metadata == {PuzzlePart.TITLE: "Café “x”", PuzzlePart.NOTES: "…"}
    assert puzzle.clues[DOWN, 1] == "It\u2019s a —"
    assert puzzle.cells[:2] == ("Œ", "CŒUR")


def test_puz_of_version_2_is_not() -> None:
    file = puz_file(clues=["It\u2019s \x92"] * 4)
    file.set_version("2.0")
    assert read_puzzle(file.tobytes()).clues[DOWN, 1] == "It\u2019s"


def test_puz_traces_of_a_solver_are_told() -> None:
    file = puz_file(fill="AB--", puzzletype=puz.PuzzleType.Diagramless)
    file.extensions[puz.Extensions.Timer] = b"123,1"
    file.markup().set_markup_squares([0], puz.GridMarkup.Revealed)
    file.markup().set_markup_squares([0, 1], puz.GridMarkup.Circled)
    puzzle = read_puzzle(file.tobytes())
    assert puzzle.circles == {0, 1}
    assert puzzle.unread == (
        "showed the blocks of a diagramless puzzle",
        "left out 2 letters of a solver",
        "left out 1 mark of a solver",
        "left out the timer",
    )


def test_puz_letters_that_are_given_are_no_traces_of_a_solver() -> None:
    file = puz_file(fill="A--D")
    file.markup().set_markup_squares([0, 3], puz.GridMarkup.Revealed)
    puzzle = read_puzzle(file.tobytes())
    assert puzzle.givens == {0, 3}
    assert puzzle.unread == ()
    file.solution_state = puz.SolutionState.Locked
    assert read_puzzle(file.tobytes()).cells == ("A", "", "", "D")
    file.solution_state = puz.SolutionState.Unlocked
    file.markup().set_markup_squares([2], puz.GridMarkup.Incorrect)
    puzzle = read_puzzle(file.tobytes())
    assert not puzzle.givens
    assert puzzle.unread == ("left out 2 letters of a solver", "left out 3 marks of a solver")


@pytest.mark.parametrize(
    ("clues", "told"),
    [
        (["a", "b", "c", "d"], ()),
        (["a"], ("found 1 of 4 clues: given in their order",)),
        ([*"abcde", "x" * 99], (f"left out 2 clues: 'e', '{'x' * 40}…'",)),
    ],
)
def test_puz_with_another_number_of_clues(clues: list[str], told: tuple[str, ...]) -> None:
    assert read_puzzle(puz_file(clues=clues).tobytes()).unread == told


def test_what_is_no_puz_is_told_in_plain_words() -> None:
    assert refused(b"Title: x", "puz") == "expected a .puz file, found another kind of file"
    data = puz_file().tobytes()
    assert refused(data[:40], "puz") == "expected a whole .puz file, found a damaged one"


def test_puz_with_a_wrong_checksum_is_read_and_told() -> None:
    told = ("found a checksum that its content does not have: it may be damaged",)
    file = puz_file(title="T", notes="N")
    file.rebus().add_rebus_squares(1, "HEART")
    data = file.tobytes()
    for changed in (data.replace(b"ABCD", b"ABCE"), data.replace(b"HEART", b"HEARD"), b"\xff" + data[1:]):
        puzzle = read_puzzle(changed)
        assert puzzle.unread == told
        assert (puzzle.cells[0], puzzle.metadata) == ("A", {PuzzlePart.TITLE: "T", PuzzlePart.NOTES: "N"})


@pytest.mark.parametrize("changed", ["a text without an end", "the end cut off", "other sides", "other blocks"])
def test_puz_that_is_damaged_otherwise_is_refused(changed: str) -> None:
    data = puz_file(notes="N").tobytes()
    damaged = {
        "a text without an end": data.replace(b"c\0c\0", b"c\xffc\xff"),
        "the end cut off": data[:-2],
        "other sides": data[:0x2C] + b"\xff\xff" + data[0x2E:],
        "other blocks": data.replace(b"ABCD", b"AB.D"),
    }
    assert refused(damaged[changed], "puz") == "expected a whole .puz file, found a damaged one"


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


# .xd


POINTS = "Title: T\n\n\nAB.\nC.D\n.EF\n\n\n"
CLUED = "A1. x ~ AB\nA3. y ~ EF\n\nD1. z ~ AC\nD2. w ~ DF\n"


def test_xd_points_are_blocks_where_the_clues_fit_them_better() -> None:
    puzzle = read_puzzle((POINTS + CLUED).encode())
    assert puzzle.cells == ("A", "B", None, "C", None, "D", None, "E", "F")
    assert puzzle.unread == ("read '.' as blocks, which the clues fit better",)


@pytest.mark.parametrize(
    "text",
    [
        POINTS,
        POINTS + "A1. x ~ AB.\nA4. y ~ C.D\nA5. z ~ .EF\n",
        POINTS + "A1. x ~ AB.\nA9. stray ~ AB\n",
        POINTS.replace("A", "#") + "A1. x ~ B\nA9. stray ~ B\n",
        "Title: T\n\n\n...\n...\n\n\nA9. stray ~\n",
    ],
)
def test_xd_points_are_else_empty_cells(text: str) -> None:
    puzzle = read_puzzle(text.encode())
    assert "" in puzzle.cells
    assert not any("blocks" in line for line in puzzle.unread)


def test_xd_points_are_blocks_where_the_answers_say_so() -> None:
    clues = "A1. a ~ ABC\nA4. d ~ DEF\nA5. x ~ GH\n\nD1. a ~ ADG\nD2. b ~ BEH\nD3. f ~ CF\n"
    puzzle = read_puzzle(f"Title: t\n\n\nABC\nDEF\nGH.\n\n\n{clues}".encode(), kind="xd")
    assert puzzle.cells[-1] is None
    assert puzzle.unread == ("read '.' as blocks, which the clues fit better",)


def test_exolve_cells_of_signs_survive() -> None:
    puzzle = Puzzle(2, 3, ("#", "A&", "&AB", "&&", "&", "#"))
    assert read_puzzle(write_puzzle(puzzle, "exolve")[0]) == puzzle


def test_ipuz_a_clue_whose_number_is_nowhere_has_its_cells() -> None:
    clue = {"number": 77, "clue": "c", "cells": [[1, 1], [2, 1]]}
    assert read_puzzle(ipuz(puzzle=[[1, 0]], clues={"Across": [clue]})).clues == {(ACROSS, 1): "c"}


def test_xd_two_blank_lines_may_part_across_from_down() -> None:
    text = "Title: T\n\n\nAB\nCD\n\n\nA1. x ~ AB\n\n\nD1. y ~ AC\n\n\nA note.\n\n\nD2. no clue ~ BD\n"
    puzzle = read_puzzle(text.encode())
    assert puzzle.clues == {(ACROSS, 1): "x", (DOWN, 1): "y"}
    assert puzzle.metadata[PuzzlePart.NOTES] == "A note.\nD2. no clue ~ BD"


@pytest.mark.parametrize("entries", ["1=ONE,2=A,B", "1=ONE, 2=A,B", "1=ONE 2=A,B"])
def test_xd_commas_may_part_rebus_cells(entries: str) -> None:
    assert read_puzzle(f"Rebus: {entries}\n\n\n12".encode()).cells == ("ONE", "A,B")


def test_xd_a_cell_that_looks_like_two_is_not_written() -> None:
    with pytest.raises(FormatError, match="without a ','"):
        write_puzzle(Puzzle(1, 2, ("A,2=B", "C")), "xd")


def test_xd_other_headers_sections_and_remarks_are_told() -> None:
    text = "## Metadata\nTitle: T\nForm: x\nDate:\n## Grid\nAB\n## Clues\nA1. x ~ AB\nA1 ^Hint: h\n## Design\n<style>\n"
    assert read_puzzle(text.encode()).unread == (
        "left out 1 remark on clues: A1 Hint",
        "left out 1 header: form",
        "left out 1 style: design",
    )


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


@pytest.mark.parametrize("text", ["{/b/}", "{*x*} and {_y_}", r"\def", "a {-b-} c"])
def test_xd_texts_that_it_has_other_uses_for_are_told(text: str) -> None:
    puzzle = Puzzle(1, 2, ("A", "B"), {(ACROSS, 1): text}, {PuzzlePart.TITLE: "One"})
    data, told = write_puzzle(puzzle, "xd")
    assert read_puzzle(data, kind="xd").clues[ACROSS, 1] != text
    assert told == ["read otherwise, for the format has other uses for some signs in them: 1-Across"]
    assert write_puzzle(puzzle, "ipuz")[1] == []


# .ipuz


def test_ipuz_fields_without_a_place_are_told() -> None:
    data = ipuz(puzzle=[[1, 0]], intro="i", saved=[["A", 0]], url="u", difficulty="", checksum=["x"], author=["me"])
    assert read_puzzle(data).unread == ("left out 4 fields: author, checksum, saved, …",)


def test_ipuz_styles_beside_circles_and_bars_are_told() -> None:
    styles = {"dotted": {"shapebg": "circle", "dotted": "TR"}, "plain": {"barred": "T", "highlight": False}}
    row = [{"cell": 1, "style": "dotted"}, {"cell": 0, "style": "plain"}, {"cell": "#", "style": {"color": "333"}}]
    puzzle = read_puzzle(ipuz(styles=styles, puzzle=[[*row, {"cell": 2, "style": "unknown"}, 0]]))
    assert puzzle.circles == {0}
    assert puzzle.unread == ("left out 3 cell styles: color, dotted, unknown",)


def test_ipuz_colours_are_shades() -> None:
    looks: list[object] = [{"color": "FC0"}, {"color": "ffffff"}, {"highlight": True}, {"color": 3}, {"color": ["f00"]}]
    puzzle = read_puzzle(ipuz(puzzle=[[{"cell": 0, "style": look} for look in looks]]))
    assert puzzle.shades == {0: "#ffcc00", 2: SHADE, 3: SHADE}
    assert puzzle.unread == ("left out 1 cell style: color", "read 1 colour as one shade: 3")


def test_ipuz_drafts_of_no_slot_are_told() -> None:
    drafts = {"Across": [[1, "a"], [9, "b"], ["x", "c"], 5], "Down": 3, "Other": [[1, "d"]]}
    puzzle = read_puzzle(ipuz(**{"puzzle": [[1, 0]], "cpfill:drafts": drafts}))
    assert puzzle.drafts == {(ACROSS, 1): ("a",)}
    assert puzzle.unread == ("left out 3 drafts of no clue",)


def test_ipuz_letter_sets() -> None:
    rows = {"puzzle": [[1, 0, 0], [0, 0, "#"], [0, 0, 0]], "solution": [["A", 0, 0], [0, 0, "#"], [0, 0, 0]]}
    found = [[2, 1, "ae"], [1, 2, "B"]]
    lost = [[1, 1, "C"], [3, 2, "D"], [2, 9, "E"], [4, 1, "F"], [2, 2, "1"], [0], 5]
    puzzle = read_puzzle(ipuz(**{**rows, "cpfill:letter-sets": found + lost}))
    assert puzzle.letter_sets == {1: "AE", 3: "B"}
    assert puzzle.unread == ("left out 7 letter sets of no empty cell",)
    assert read_puzzle(write_puzzle(puzzle, "ipuz")[0]) == puzzle
    for wrong, said in (
        ([[1, 1, "A" * 101]], "at most 100 letters, found 101 in row 1"),
        ([[1, 1, "A"]] * 10, "at most 9 letter sets"),
    ):
        with pytest.raises(FormatError, match=said):
            read_puzzle(ipuz(**{**rows, "cpfill:letter-sets": wrong}))


def test_ipuz_answers_that_cannot_be_kept_are_told() -> None:
    solution = [["A", ["B", "X"], {"Across": "C", "Down": "D"}, {"value": "E", "style": {}}], ["X", "#", 0, None]]
    puzzle = read_puzzle(ipuz(puzzle=[[1, 2, 3, 4], ["#", "#", 0, 0]], solution=solution))
    assert puzzle.cells == ("A", "", "", "E", None, None, "", "")
    assert puzzle.unread == ("left out 2 answers with alternatives", "left out 1 answer under blocks")


def test_ipuz_clues_may_list_their_cells() -> None:
    across = [{"clue": "one", "cells": [[1, 1], [2, 1]]}, {"clue": "too few", "cells": [[1, 2]]}, {"clue": "no"}]
    down = [{"clue": "two", "cells": [[2, 1], [2, 2]]}, {"clue": "odd", "cells": [[2, 1], "x"]}]
    puzzle = read_puzzle(ipuz(puzzle=[[0, 0], [0, 0]], clues={"Across": across, "Down": down}))
    assert puzzle.clues == {(ACROSS, 1): "one", (DOWN, 2): "two"}
    assert puzzle.unread == ("left out 3 clues: 'too few' Across, 'no' Across, 'odd' Down",)


def test_ipuz_values_are_given_where_they_are_the_answer() -> None:
    row = [{"cell": 1, "value": "a"}, {"value": "X"}, {"cell": 0, "value": 0}, {"value": "IT"}, {"value": "Q"}]
    puzzle = read_puzzle(ipuz(puzzle=[row], solution=[["A", "B", "C", "it", {"value": "Q"}]]))
    assert puzzle.givens == {0, 3, 4}
    assert puzzle.unread == ("left out 1 given of another answer",)
    assert read_puzzle(ipuz(puzzle=[row])).givens == {0, 1, 3, 4}


@pytest.mark.parametrize("call", ["ipuz(%s)", "ipuz(%s);", "\ufeffmy.read_$1 ( %s ) ;\r\n"])
def test_ipuz_may_stand_in_a_call(call: str) -> None:
    assert read_puzzle((call % ipuz(puzzle=[[1, 0]]).decode()).encode()).width == 2


def test_ipuz_sides_of_a_solution_are_told() -> None:
    data = ipuz(puzzle=[[1, 0], [0, 0]], solution=[["A"], ["B"]])
    assert refused(data, "ipuz") == "expected a solution of 2 x 2 cells, found 2 x 1"


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


# Exolve


def exolve(grid: str, rest: str = "") -> bytes:
    return f"exolve-begin\nexolve-grid:\n{grid}\n{rest}\nexolve-end\n".encode()


def test_exolve_what_has_no_place_is_told() -> None:
    sections = "exolve-id: x\nexolve-colour: #ffe a1 b1\nexolve-nina: a1\nexolve-question: Name? [10]\n"
    clues = "exolve-across:\n1 Clue (1) [*] [anno]\n2 Dir (1)*\n[A] no number (5)\n3 end [] said\n4 end []\n"
    assert read_puzzle(exolve("A!@*B|CD{1,2}", sections + clues)).unread[:-1] == (
        "left out 1 clue: '[A] no number (5)'",
        "left out 3 annotations of clues",
        "left out 2 cell marks: *, {1,2}",
        "left out 3 sections: id, nina, question",
    )


def test_exolve_colours_of_cells() -> None:
    colours = "exolve-colour: #ffe a1 c3r2 z9\nexolve-color: r1c2 palegreen 3D A9\nexolve-colour: white b2"
    puzzle = read_puzzle(exolve("ABC\nDEF", colours))
    assert puzzle.shades == {3: "#ffffee", 2: SHADE, 4: SHADE, 5: SHADE}
    assert puzzle.unread == ("left out 2 coloured cells: z9, A9", "read 1 colour as one shade: palegreen")


def test_exolve_a_clue_of_several_slots_keeps_its_numbers() -> None:
    clues = "exolve-across:\n1, 3d & 4 <i>Linked</i> clue (1,2)\nexolve-down:\n1 one\n2,1 Second\n3\n"
    puzzle = read_puzzle(exolve("ABC\nDEF", clues))
    expected = {
        (ACROSS, 1): "1, 3d & 4 Linked clue (1,2)",
        (ACROSS, 4): "See 1",
        (DOWN, 1): "one",
        (DOWN, 2): "2,1 Second",
        (DOWN, 3): "See 1",
    }
    assert puzzle.clues == expected
    assert read_puzzle(write_puzzle(puzzle, "exolve")[0]).clues == expected


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


# .jpz and .cfp: see the golden files too


def zipped(*names: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in names:
            cells = '<cell x="1" y="1" solution="A" background-color="#f00"/><cell x="2" y="1" solution="B"/>'
            grid = f'<x><crossword><grid width="2" height="1">{cells}</grid></crossword></x>'
            archive.writestr(name, "" if name.endswith("/") else grid if name.endswith("a.xml") else "\0\0")
    return packed.getvalue()


def test_jpz_in_an_archive_of_macos() -> None:
    puzzle = read_puzzle(zipped("__MACOSX/", "__MACOSX/._a.xml", ".DS_Store", "dir/", "dir/a.xml", "other"))
    assert puzzle.cells == ("A", "B")
    assert puzzle.shades == {0: "#ff0000"}
    assert puzzle.unread == ()


def test_jpz_archives_without_a_file_or_damaged() -> None:
    for empty in (zipped(), zipped("dir/")):
        assert refused(empty, "jpz") == "expected a file in the ZIP archive, found none"
    assert refused(zipped("a.xml")[:-9], "jpz") == "expected a whole ZIP archive, found a damaged or encrypted one"


def test_jpz_clues_go_with_their_words() -> None:
    cells = "".join(f'<cell x="{x}" y="1" solution="{letter}" number="{x + 6}"/>' for x, letter in enumerate("ABC", 1))
    words = '<word id="w" x="1-3" y="1"/><word id="v" x="1-2" y="1"/>'
    listed = '<clue word="w" number="7" format="1,2">A clue</clue><clue word="v">B</clue>'
    grid = f'<grid width="3" height="1">{cells}</grid>'
    xml = f"<x><crossword>{grid}{words}<clues><title>Horizontal</title>{listed}</clues></crossword></x>"
    puzzle = read_puzzle(xml.encode())
    assert puzzle.clues == {(ACROSS, 1): "A clue (1,2)"}
    assert puzzle.unread == ("left out 1 clue: Horizontal", "left out 3 labels: 7, 8, 9")


# Clues of no slot, and clues that are left out


def test_clues_of_no_slot_are_told() -> None:
    clues = "A1. x\nA9. y\nA8. z\nD7. w\nD6.\nD5. v\nC1. u\nA1. again\n"
    puzzle = read_puzzle(f"Title: T\n\n\nAB\n\n\n{clues}".encode())
    assert puzzle.clues[ACROSS, 1] == "x"
    assert puzzle.unread == (
        "left out 2 clues: C1, A1",
        "found 4 clues of no slot: 8-Across, 9-Across, 5-Down, …",
    )


def test_clues_of_no_slot_are_told_in_every_format() -> None:
    puzzle = Puzzle(1, 2, ("A", "B"), {(ACROSS, 1): "x", (DOWN, 12): "y"})
    for name in ("xd", "ipuz", "exolve"):
        assert read_puzzle(write_puzzle(puzzle, name)[0]).unread == ("found 1 clue of no slot: 12-Down",)
    cells = '<cell x="1" y="1" solution="A"/><cell x="2" y="1" solution="B"/>'
    jpz = f"""<x><crossword><grid width="2" height="1">{cells}</grid><clues><title>Down</title>
        <clue number="12">y</clue><clue number="x">z</clue></clues></crossword></x>"""
    assert read_puzzle(jpz.encode()).unread == ("left out 1 clue: x Down", "found 1 clue of no slot: 12-Down")
    cfp = """<CROSSFIRE><GRID width="2">AB</GRID><WORD dir="DOWN" num="12">y</WORD><WORD dir="UP" num="1">z</WORD>
        </CROSSFIRE>"""
    assert read_puzzle(cfp.encode()).unread == ("left out 1 clue: 1 UP", "found 1 clue of no slot: 12-Down")


# Texts


def test_tags_of_html_alone_are_markup() -> None:
    assert strip_markup("a<br/>b<P class='x'>c</p> <I>d</I><span\n>e</span>") == "a b c  de"
    assert strip_markup("this & not <that>, 3 <b4> 5, <bold>") == "this & not <that>, 3 <b4> 5, <bold>"
    clue = '<word id="1" x="1-2" y="1"/><clues><clue word="1">a<br/>b<b>c</b></clue></clues>'
    cells = '<cell x="1" y="1"/><cell x="2" y="1"/>'
    data = f'<x><crossword><grid width="2" height="1">{cells}</grid>{clue}</crossword></x>'
    assert read_puzzle(data.encode()).clues == {(ACROSS, 1): "a bc"}


def test_a_text_may_be_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {(ACROSS, 1): "x" * MAX_TEXT}, {PuzzlePart.TITLE: "t" * (MAX_TEXT + 1)}
    message = f"expected texts of at most 10000 characters, found {MAX_TEXT + 1} in the title"
    with pytest.raises(FormatError, match=message):
        Puzzle(1, 2, ("A", "B"), *texts)
    with monkeypatch.context() as patched:
        patched.setattr("cpfill.puzzle.puzzle.MAX_TEXT", MAX_TEXT + 1)
        long = Puzzle(1, 2, ("A", "B"), *texts)
        written = {name: write_puzzle(long, name)[0] for name in ("puz", "ipuz", "across-lite", "exolve", "xd")}
    for name, data in written.items():
        assert refused(data, name) == message
    data = ipuz(puzzle=[[1, 0]], clues={"Across": [[1, "x" * 3_000_000]]})
    assert refused(data, "ipuz").endswith("found 3000000 in the clue of 1-Across")
