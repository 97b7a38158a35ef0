"""Each name that the specification of a format has: what stands under it is kept, or a line names it.

The names are those of Exolve's README, of the schemas of Crossword Compiler and of its applet, of .xd 3.0 with its
section of styles, and of the .puz that Across Lite writes. What says nothing to a solver is listed as such.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.formats.registry import read_puzzle

if TYPE_CHECKING:
    from cpfill.puzzle.puzzle import Puzzle

puz: Any = import_module("puz")


def kept_or_named(puzzle: Puzzle, bare: Puzzle, name: str) -> bool:
    return puzzle != bare or any(name in line for line in puzzle.unread)


# Exolve

SECTIONS = (
    "title setter email id copyright credits preamble prelude nodir reversals 3d 3d-across 3d-away 3d-down "
    "explanations nina colour color no-rebus alternatives question submit language relabel maker host "
    "force-hyphen-right force-hyphen-below force-bar-right force-bar-below cell-size grid-spacing grid-bounds "
    "cell-decorator postscript shaped-cell"
)
OPTIONS = (
    "add-extraction-slots add-extraction-slots:3 clues-at-right-in-two-columns clues-panel-lines:4 colour-active:red "
    "color-active:red colour-dark.active:red colour-only-cell-bottom color-only-cell-bottom columnar-layout "
    "diagramless-bars diagramless-asymmetric scale-up-grid:never extra-space-on-top:2 font-family:serif font-size:9px "
    "grid-background:red hide-copy-placeholder-buttons hide-inferred-numbers highlight-overwritten-seconds:2 "
    "no-auto-solution-in-anno no-nina-button no-smart-coloring no-smart-colouring offset-left:2 offset-top:2 "
    "override-number-GRIDLINE:0 print-completed-3cols print-incomplete-2cols show-cell-level-buttons "
    "top-clue-clearance:20 top-clue-wysiwyg webifi"
)
_OF_OPTIONS = ("ignore-enum-mismatch", "ignore-unclued")
"""Which keep Exolve from warning, and say nothing to a solver."""
IN_GRID = {"|": "", "_": "", "+": "", "@": "", "!": "", "*": "*", "~": "~", "{1}": "{1}", "{1:red,2}": "{1:red,2}"}
IN_CLUES = {
    "1 Pet (3) [CAT] why": "annotation",
    "1 Pet (3)*": "annotation",
    "1 Pet (3) _ _": "annotation",
    "1 ~{Pet}~ (3)": "annotation",
    "1 ~{{xlv-red}Pet}~ (3)": "annotation",
    "1 Pet (3)\nHint: purrs": "Hint: purrs",
    "1 Pet (3)\nConcise: purrs": "Concise: purrs",
    "1 Pet (3)\n--- More": "--- More",
    "1 Pet (3)\nfiller": "filler",
    "1 Pet (3)\n[A] Pet": "[A] Pet",
    "1 Pet (3)\n#a1 [A] Pet": "#a1 [A] Pet",
    "1 *": "1 *",
    "1, 2d Pet": "",
    "1 Pet (3)\n# comment": "comment",
}


def exolve(rest: str = "", grid: str = "C A T", clues: str = "1 Pet (3)") -> Puzzle:
    text = f"exolve-begin\n{rest}\nexolve-grid:\n{grid}\nE R E\nexolve-across:\n{clues}\nexolve-end\n"
    return read_puzzle(text.encode())


@pytest.mark.parametrize("name", SECTIONS.split())
def test_exolve_sections_are_kept_or_named(name: str) -> None:
    value = "#ffe a1" if name in {"colour", "color"} else "x y"
    assert kept_or_named(exolve(f"exolve-{name}: {value}"), exolve(), name if name != "nodir" else "x y")


@pytest.mark.parametrize("option", OPTIONS.split())
def test_exolve_options_are_named(option: str) -> None:
    assert kept_or_named(exolve(f"exolve-option: {option}"), exolve(), f"option: {option}")


@pytest.mark.parametrize("option", ["rebus-cells", "allow-digits", "allow-chars:@0"])
def test_exolve_options_of_cells_are_followed(option: str) -> None:
    grid = {"rebus-cells": "CO A T", "allow-digits": "0 A T", "allow-chars:@0": "&@ 0 T"}[option]
    assert kept_or_named(exolve(f"exolve-option: {option}", grid), exolve(), "")


@pytest.mark.parametrize("option", _OF_OPTIONS)
def test_exolve_options_of_warnings_say_nothing(option: str) -> None:
    assert exolve(f"exolve-option: {option}").unread == exolve().unread


@pytest.mark.parametrize("mark", IN_GRID)
def test_exolve_decorations_are_kept_or_named(mark: str) -> None:
    assert kept_or_named(exolve(grid=f"C{mark} A T"), exolve(), IN_GRID[mark] or "\0")


@pytest.mark.parametrize("lines", IN_CLUES)
def test_exolve_lines_of_clues_are_kept_or_named(lines: str) -> None:
    assert kept_or_named(exolve(clues=lines), exolve(), IN_CLUES[lines] or "\0")


def test_exolve_a_second_puzzle_is_told() -> None:
    text = "exolve-begin\nexolve-grid:\nAB\nexolve-end\n"
    assert read_puzzle(f"{text}{text}".encode()).unread == ("left out 1 puzzle after the first",)


# .jpz

CELL = (
    'solution="X" number="9" type="clue" type="void" type="block" foreground-color="#f00" background-color="#f00" '
    'solve-state="X" top-right-number="7" background-shape="circle" background-shape="star" hint="true" top-bar="true" '
    'left-bar="true" right-bar="true" bottom-bar="true" hint-color="#f00"'
)
IN_THE_GRID = {
    '<grid-look hide-lines="1"/>': "grid-look hide-lines",
    '<grid-look cell-size-in-pixels="9"/>': "grid-look cell-size-in-pixels",
    '<grid-look clue-square-divider-width="0.7"/>': "grid-look clue-square-divider-width",
    '<grid-look numbering-scheme="coded"/>': "grid-look numbering-scheme",
    '<background-picture format="PNG" encoded-image="AAAA"/>': "picture",
    "<arrow/>": "arrow",
}
SETTINGS = (
    "title copyright completion actions timer reveal-word reveal-letter check solution pencil cursor-color="
    " selected-cells-color= show-alphabet="
)
TEXTS = "title creator editor publisher date copyright description instructions"
IN_CLUE = 'citation="X" format="1,2" is-link="1" number="1/2"'


def jpz(
    cell: str = "", *, inside: str = "", look: str = "", before: str = "", metadata: str = "", clue: str = ""
) -> Puzzle:
    solution = "" if "solution=" in cell else 'solution="R"'
    looks = {5: f"{solution} {cell}>{inside}</cell>"}
    cells = [
        f'<cell x="{at % 3 + 1}" y="{at // 3 + 1}" ' + looks.get(at + 1, f'solution="{letter}"/>')
        for at, letter in enumerate("CATARETEN")
    ]
    grid = f'<grid width="3" height="3">{look}{"".join(cells)}</grid><word id="1" x="1-3" y="1"/>'
    said = "" if "number=" in clue else 'number="1"'
    clues = f'<clues ordering="normal"><title>Across</title><clue word="1" {said} {clue}>Pet</clue></clues>'
    puzzle = f"<rectangular-puzzle>{metadata}<crossword>{grid}{clues}</crossword></rectangular-puzzle>"
    return read_puzzle(f"<crossword-compiler-applet>{before}{puzzle}</crossword-compiler-applet>".encode())


@pytest.mark.parametrize("attribute", CELL.split())
def test_jpz_attributes_of_cells_are_kept_or_named(attribute: str) -> None:
    telling = {"solve-state": "letter of a solver", "number": "label: 9"}
    name = attribute.partition("=")[0]
    assert kept_or_named(jpz(attribute), jpz(), telling.get(name, name))


@pytest.mark.parametrize("element", IN_THE_GRID)
def test_jpz_elements_of_the_grid_are_named(element: str) -> None:
    (line,) = jpz(look=element).unread
    assert line.endswith(IN_THE_GRID[element])


def test_jpz_the_usual_numbering_is_what_is_read() -> None:
    assert jpz(look='<grid-look numbering-scheme="normal"/>').unread == ()


@pytest.mark.parametrize("text", TEXTS.split())
def test_jpz_texts_are_kept(text: str) -> None:
    assert jpz(metadata=f"<metadata><{text}>X</{text}></metadata>").metadata


@pytest.mark.parametrize("text", ["identifier", "rights", "subject"])
def test_jpz_other_metadata_are_named(text: str) -> None:
    assert jpz(metadata=f"<metadata><{text}>X</{text}></metadata>").unread == (f"left out 1 field: {text}",)


@pytest.mark.parametrize("setting", SETTINGS.split())
def test_jpz_settings_of_the_applet_are_named(setting: str) -> None:
    name, sign, _ = setting.partition("=")
    inside = f'<applet-settings {name}="1"/>' if sign else f"<applet-settings><{name}>X</{name}></applet-settings>"
    assert jpz(before=inside).unread == (f"left out 1 field: applet-settings {name}",)


@pytest.mark.parametrize("attribute", IN_CLUE.split())
def test_jpz_attributes_of_clues_are_kept_or_named(attribute: str) -> None:
    if attribute.startswith("is-link"):  # its text refers to the other clue
        assert jpz(clue=attribute) == jpz()
        return
    assert kept_or_named(jpz(clue=attribute), jpz(), f"clue {attribute.partition('=')[0]}")


def test_jpz_pictures_are_told() -> None:
    picture = '<background-picture format="PNG"><encoded-image>AAAA</encoded-image></background-picture>'
    for puzzle in (jpz(inside=picture), jpz(before=picture)):
        assert puzzle.unread == ("left out 1 picture",)


# .xd

HEADERS = "Title Author Editor Copyright Date Publisher Notes Cluegroup Description Difficulty Form"
STYLES = {"bar-left: true": "", "bar-top: true": "", "background: circle": "", "background: red": "red"}


def xd(headers: str = "", *, grid: str = "CAT\nARE", clues: str = "", sections: str = "") -> Puzzle:
    head = f"## Metadata\n\nLanguage: en\n{headers}\n\n## Grid\n\n{grid}\n\n"
    return read_puzzle(f"{head}## Clues\n\nA1. Pet ~ CAT\n{clues}\n\n{sections}".encode(), kind="xd")


@pytest.mark.parametrize("name", HEADERS.split())
def test_xd_headers_are_kept_or_named(name: str) -> None:
    assert kept_or_named(xd(f"{name}: x"), xd(), name.lower())


def test_xd_a_second_header_of_a_name_is_told() -> None:
    assert "left out 2 headers: language, title" in xd("Title: A\nTitle: B").unread


@pytest.mark.parametrize("special", ["circle", "shaded"])
def test_xd_special_cells_and_rebus_are_kept(special: str) -> None:
    puzzle = xd(f"Special: {special}\nRebus: 1=ONE", grid="Cat\nA1E")
    assert puzzle.cells[4] == "ONE"
    assert len(puzzle.circles or puzzle.shades) == 2


@pytest.mark.parametrize("name", ["Notes", "Start", "Design", "Editor Notes"])
def test_xd_sections_are_kept_or_named(name: str) -> None:
    assert kept_or_named(xd(sections=f"## {name}\n\nx\n"), xd(), name.lower())


@pytest.mark.parametrize("line", ["A1 ^Refs: A4", "A1 ^alt: BAT", "A1 ^Hint: x"])
def test_xd_remarks_on_clues_are_named(line: str) -> None:
    assert kept_or_named(xd(clues=line), xd(), line.partition(":")[0].replace("^", ""))


@pytest.mark.parametrize("line", ["C3. x ~ Y", "9. x ~ Y"])
def test_xd_clues_of_other_groups_are_named(line: str) -> None:
    assert kept_or_named(xd(clues=line), xd(), line.partition(".")[0])


@pytest.mark.parametrize("style", STYLES)
def test_xd_styles_are_kept_or_named(style: str) -> None:
    sections = f"## Design\n\n<style>\nO {{ {style} }}\n</style>\n\n```\n...\n..O\n```\n"
    assert kept_or_named(xd(sections=sections), xd(), STYLES[style] or "\0")


# .puz


def puz_file(**fields: Any) -> Any:
    file = puz.Puzzle()
    file.width, file.height = 3, 1
    file.solution, file.fill, file.clues = "CAT", "---", ["Pet"]
    for name, value in fields.items():
        setattr(file, name, value)
    return file


BARE = read_puzzle(puz_file().tobytes())


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"title": "x"}, ""),
        ({"author": "x"}, ""),
        ({"copyright": "x"}, ""),
        ({"notes": "x"}, ""),
        ({"fill": "C--"}, "letter of a solver"),
        ({"puzzletype": puz.PuzzleType.Diagramless}, "diagramless"),
        ({"solution_state": puz.SolutionState.Locked}, "locked"),
        ({"clues": ["Pet", "More"]}, "1 clue: 'More'"),
        ({"preamble": b"before"}, "before or after"),
        ({"postscript": b"after"}, "before or after"),
    ],
)
def test_puz_fields_are_kept_or_named(fields: dict[str, Any], told: str) -> None:
    assert kept_or_named(read_puzzle(puz_file(**fields).tobytes()), BARE, told or "\0")


@pytest.mark.parametrize(
    ("sections", "told"),
    [
        ({b"GRBS": b"\2\0\0", b"RTBL": b" 1:CAR;"}, ""),
        ({b"GRBS": b"\2\0\0", b"RTBL": b" 1:CAR; 2:DOG;"}, "answer of no cell"),
        ({b"LTIM": b"42,1"}, "the timer"),
        ({b"GEXT": b"\x80\0\0"}, ""),
        ({b"GEXT": b"\x40\0\0"}, "mark"),
        ({b"GEXT": b"\x20\0\0"}, "mark"),
        ({b"GEXT": b"\x10\0\0"}, "mark"),
        ({b"GEXT": b"\x01\0\0"}, "mark"),
        ({b"RUSR": b"CAR\0\0\0"}, "cell of several letters of a solver"),
        ({b"XXXX": b"x"}, "section: XXXX"),
    ],
)
def test_puz_sections_are_kept_or_named(sections: dict[bytes, bytes], told: str) -> None:
    file = puz_file(extensions=sections, _extensions_order=list(sections))
    puzzle = read_puzzle(file.tobytes())
    assert kept_or_named(puzzle, BARE, told or "\0")
    assert told == "" or any(told in line for line in puzzle.unread)
