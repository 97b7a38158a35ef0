"""Each name that the specification of a format has: the puzzle keeps it, a remark names it, or it says nothing."""

from __future__ import annotations

import json
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.formats.registry import read_puzzle, write_puzzle
from tests.tables import Case, read_table
from tests.unit.formats.puzzles import puz_file

if TYPE_CHECKING:
    from cpfill.puzzle.puzzle import Puzzle

PLACES = read_table("unit/formats/specifications.toml")["place"]
CASES = [
    pytest.param(place, found, text, id=f"{place['format']} {place['argument']} {text}")
    for place, found in product(PLACES, ("kept", "silent", "named", "partly"))
    for text in place.get(found, ())
]


def exolve(rest: str = "", grid: str = "C A T", clues: str = "1 Pet (3)") -> Puzzle:
    text = f"exolve-begin\n{rest}\nexolve-grid:\n{grid}\nE R E\nexolve-across:\n{clues}\nexolve-end\n"
    return read_puzzle(text.encode())


def jpz(
    cell: str = "", *, inside: str = "", look: str = "", before: str = "", metadata: str = "", clue: str = ""
) -> Puzzle:
    """Return a puzzle with attributes of its middle cell and of its clue, and with elements in four places."""
    own = 'solution="R"'
    said = 'number="1"'
    if "solution=" in cell:
        own = ""
    if "number=" in clue:
        said = ""
    cells = [f'<cell x="{at % 3 + 1}" y="{at // 3 + 1}" solution="{letter}"/>' for at, letter in enumerate("CATARETEN")]
    cells[4] = f'<cell x="2" y="2" {own} {cell}>{inside}</cell>'
    grid = f'<grid width="3" height="3">{look}{"".join(cells)}</grid><word id="1" x="1-3" y="1"/>'
    clues = f'<clues ordering="normal"><title>Across</title><clue word="1" {said} {clue}>Pet</clue></clues>'
    puzzle = f"<rectangular-puzzle>{metadata}<crossword>{grid}{clues}</crossword></rectangular-puzzle>"
    return read_puzzle(f"<crossword-compiler-applet>{before}{puzzle}</crossword-compiler-applet>".encode())


def xd(headers: str = "", clues: str = "", sections: str = "") -> Puzzle:
    head = f"## Metadata\n\nLanguage: en\n{headers}\n\n## Grid\n\nCAT\nARE\n\n"
    return read_puzzle(f"{head}## Clues\n\nA1. Pet ~ CAT\n{clues}\n\n{sections}\n".encode(), kind="xd")


def puz(fields: str = "{}", sections: str = "{}", before: str = "", after: str = "") -> Puzzle:
    own = {
        "width": 3,
        "height": 1,
        "solution": "CAT",
        "fill": "---",
        "clues": ["Pet"],
        "sections": json.loads(sections),
    }
    around = {"preamble": before.encode(), "postscript": after.encode()}
    return read_puzzle(puz_file(own | around | json.loads(fields)))


def ipuz(fields: str = "{}", **places: str) -> Puzzle:
    """Return a puzzle with fields, and with one of these: a clue, clues, an answer, a cell or a style."""
    record: Case = {"kind": ["http://ipuz.org/crossword#1"], "puzzle": [[1, 2], [3, 0]], **json.loads(fields)}
    for place, text in places.items():
        said = json.loads(text)
        if place == "clue":
            record["clues"] = {"Across": [{"number": 1, "clue": "Pet", **said}]}
        elif place == "clues":
            record["clues"] = said
        elif place == "answer":
            record["solution"] = [[said, 0], [0, 0]]
        else:
            cells = {
                "cell": {"cell": 1} | said,
                "style": {"cell": 1, "style": said},
                "block": {"cell": "#", "style": said},
            }
            record["puzzle"][0][0] = cells[place]
    return read_puzzle(json.dumps(record).encode(), kind="ipuz")


MAKERS = {"exolve": exolve, "jpz": jpz, "xd": xd, "puz": puz, "ipuz": ipuz}


@pytest.mark.parametrize(("place", "found", "text"), CASES)
def test_a_name_is_kept_or_named(place: Case, found: str, text: str) -> None:
    make: Any = MAKERS[place["format"]]
    bare = make(**{place["argument"]: place.get("bare", "")})
    puzzle = make(**{place["argument"]: text})
    assert (puzzle != bare) == (found in {"kept", "partly"})
    if found in {"named", "partly"}:
        assert any(place[found][text] in line for line in puzzle.unread if line not in bare.unread)
    else:
        assert puzzle.unread == bare.unread
        assert puzzle.clues.keys() >= bare.clues.keys()
    written, told = write_puzzle(puzzle, "ipuz")
    assert (read_puzzle(written), told) == (puzzle, [])


@pytest.mark.parametrize(
    ("option", "row"), [("rebus-cells", "CO A T"), ("allow-digits", "0 A T"), ("allow-chars:@0", "&@ 0 T")]
)
def test_exolve_options_of_cells_are_followed(option: str, row: str) -> None:
    puzzle = exolve(f"exolve-option: {option}", row)
    assert puzzle.cells[:3] == tuple(row.replace("&", "").split())


def test_exolve_names_a_second_puzzle() -> None:
    text = "exolve-begin\nexolve-grid:\nAB\nexolve-end\n"
    assert read_puzzle(f"{text}{text}".encode()).unread == ("left out 1 puzzle after the first",)


@pytest.mark.parametrize("special", ["circle", "shaded"])
def test_xd_special_cells_and_rebus_are_kept(special: str) -> None:
    puzzle = read_puzzle(f"Special: {special}\nRebus: 1=ONE\n\n\nCat\nA1E\n".encode(), kind="xd")
    assert puzzle.cells[4] == "ONE"
    assert {*puzzle.circles, *puzzle.shades} == {1, 2}
