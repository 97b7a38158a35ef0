"""Files of puzzles beyond the tables of readings and writings: large ones, archives, accents, digits."""

from __future__ import annotations

import io
import json
import unicodedata
import zipfile
from typing import TYPE_CHECKING

import pytest

from cpfill.base.errors import MAX_TEXT, FormatError
from cpfill.formats.exchange.source import strip_markup
from cpfill.formats.registry import read_puzzle, templates_of, write_puzzle
from cpfill.puzzle.parts import PuzzlePart
from cpfill.puzzle.puzzle import Puzzle
from tests.unit.formats.puzzles import ACROSS
from tests.unit.formats.test_readings import REPORTS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run

ANSWERS = [f"A{number}" for number in range(256)]
LONG_ANSWERS = [f"{answer}{chr(0x20000) * 95}" for answer in (*ANSWERS[:200], *56 * ["A1"])]


def refused(data: bytes, kind: str) -> str:
    """Return what was found in a file that is refused."""
    with pytest.raises(FormatError) as caught:
        read_puzzle(data, "file", kind)
    (fault,) = caught.value.faults
    assert fault.path == "file"
    return fault.got


def test_puz_has_a_table_of_255_answers() -> None:
    puzzle = Puzzle(16, 16, (*ANSWERS[:255], ""))
    assert read_puzzle(write_puzzle(puzzle, "puz")[0]) == puzzle


@pytest.mark.parametrize("cells", [ANSWERS, LONG_ANSWERS], ids=["many", "long"])
def test_puz_refuses_a_larger_table(cells: list[str]) -> None:
    with pytest.raises(FormatError, match=r"at most 255 different cells .* and 65,535 bytes for them, found more"):
        write_puzzle(Puzzle(16, 16, tuple(cells)), "puz")


def zipped(*names: str) -> bytes:
    """Return an archive of folders, of puzzles in files named `a.xml`, and of other files."""
    cells = '<cell x="1" y="1" solution="A" background-color="#f00"/><cell x="2" y="1" solution="B"/>'
    grid = f'<x><crossword><grid width="2" height="1">{cells}</grid></crossword></x>'
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in names:
            archive.writestr(name, {"/": "", "l": grid}.get(name[-1], "\0\0"))
    return packed.getvalue()


def test_jpz_in_an_archive_of_macos() -> None:
    puzzle = read_puzzle(zipped("__MACOSX/", "__MACOSX/._a.xm", ".DS_Store", "dir/", "dir/a.xml", "other"))
    assert (puzzle.cells, puzzle.shades, puzzle.unread) == (("A", "B"), {0: "#ff0000"}, ())


@pytest.mark.parametrize(
    ("data", "found"),
    [(zipped(), "none"), (zipped("dir/"), "none"), (zipped("a.xml")[:-9], "a damaged or encrypted one")],
    ids=["empty", "a folder", "damaged"],
)
def test_jpz_archives_have_a_whole_file(data: bytes, found: str) -> None:
    assert refused(data, "jpz") == found


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("a<br/>b<P class='x'>c</p> <I>d</I><span\n>e</span>", "a b c  de"),
        ("this & not <that>, 3 <b4> 5, <bold>", "this & not <that>, 3 <b4> 5, <bold>"),
    ],
)
def test_tags_of_html_alone_are_markup(text: str, bare: str) -> None:
    assert strip_markup(text) == bare


def test_a_text_may_be_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {(ACROSS, 1): "x" * MAX_TEXT}, {PuzzlePart.TITLE: "t" * (MAX_TEXT + 1)}
    found = f"{MAX_TEXT + 1} in the title"
    with pytest.raises(FormatError, match=f"texts of at most 10000 characters, found {found}"):
        Puzzle(1, 2, ("A", "B"), *texts)
    with monkeypatch.context() as patched:
        patched.setattr("cpfill.puzzle.puzzle.MAX_TEXT", MAX_TEXT + 1)
        long = Puzzle(1, 2, ("A", "B"), *texts)
        written = {name: write_puzzle(long, name)[0] for name in ("puz", "ipuz", "across-lite", "exolve", "xd")}
    for name, data in written.items():
        assert refused(data, name) == found
    record = {"kind": ["http://ipuz.org/crossword#1"], "puzzle": [[1, 0]], "clues": {"Across": [[1, "x" * 3_000_000]]}}
    assert refused(json.dumps(record).encode(), "ipuz") == "3000000 in the clue of 1-Across"


@pytest.mark.parametrize("kind", ["pdf", "png"])
def test_characters_that_fonts_lack_are_counted(kind: str) -> None:
    told = write_puzzle(read_puzzle(REPORTS / "many-glyphs2.xd"), kind)[1]
    assert any(line.endswith(" and 2 others, which its fonts lack") for line in told) == (kind == "pdf")


@pytest.mark.parametrize("kind", ["xd", "exolve", "ipuz", "across-lite", "puz", "native"])
def test_decomposed_accents_are_one_cell(kind: str) -> None:
    clues = {(ACROSS, 1): "Été"}
    if kind == "native":
        clues = {}
    puzzle = Puzzle(1, 3, ("É", "T", "Ñ"), clues)
    data = write_puzzle(puzzle, kind)[0]
    if kind != "puz":  # its cells are bytes
        data = unicodedata.normalize("NFD", data.decode()).encode()
    assert read_puzzle(data, kind=kind) == puzzle


# Digits


def test_a_digit_is_given_as_a_rebus_is() -> None:
    (template,) = templates_of(REPORTS / "digits.puz")
    assert template.grid.given_words == {"R2D2", "2IES", "RAMS", "SODS"}
    assert template.grid.alphabet.letters == "ABCDEFGHIJKLMNOPQRSTUVWXYZ2"


@pytest.mark.parametrize("verb", ["info", "check", "stats", "solve"])
def test_verbs_accept_a_cell_of_a_digit(verb: str, run: Run, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("RAMS;50\nSODS;40\n")
    fill = tmp_path / "fill.txt"
    fill.write_text("R2D2\nA##I\nM##E\nSODS\n")
    fills = {"check": [fill]}.get(verb, [])
    done = run(verb, REPORTS / "digits.puz", *fills, "-w", words)
    assert done.code == 0
    assert verb != "solve" or done.out == fill.read_text()


def test_words_have_digits_where_the_alphabet_does(run: Run, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("R2D2\n2IES\nROBS\nSODS\n")
    asked = ("solve", REPORTS / "digits.puz", "-w", words, "--clear", "R1C1:R4C4", "--personal", "none")
    latin = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    assert run(*asked, "--alphabet", latin).out.splitlines() == ["R2D2", "O##I", "B##E", "SODS"]
    wrong = run(*asked, "--alphabet", "AB*")
    assert wrong.code == 2
    assert "1 to 64 different letters or digits" in wrong.err


def test_exolve_has_answers_that_share_no_cell() -> None:
    puzzle = Puzzle(1, 4, ("C", "A", "R", "T"), alternatives={0: ("D", "M", "C"), 3: ("T", "T", "D")})
    data, told = write_puzzle(puzzle, "exolve")
    assert read_puzzle(data).alternatives == {0: ("D", "C"), 3: ("T", "D")}
    assert told == ["dropped 1 alternative letter"]
    partly = Puzzle(1, 3, ("C", "A", ""), alternatives={0: ("D",)})
    data, told = write_puzzle(partly, "exolve")
    assert b"alternatives" not in data
    assert told == ["dropped 1 alternative letter"]
