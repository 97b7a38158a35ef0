"""The central puzzle: what it puts in order, its slots and clues, and the grid that is filled."""

from __future__ import annotations

import pytest

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import MAX_SIDE, FormatError, GridError
from cpfill.formats.dialects import parse_grids
from cpfill.puzzle.grid import Direction, clear_cells
from cpfill.puzzle.parts import SHADE, PuzzlePart, find_bars
from cpfill.puzzle.puzzle import Puzzle

ACROSS, DOWN = Direction.ACROSS, Direction.DOWN


def cells(*rows: str) -> tuple[str | None, ...]:
    return tuple({"#": None, ".": ""}.get(char, char) for row in rows for char in row)


def test_numbers_are_the_usual_ones() -> None:
    puzzle = Puzzle(3, 3, cells("AB#", "CDE", "#FG"))
    assert puzzle.numbers == {0: 1, 1: 2, 3: 3, 5: 4, 7: 5}
    assert [slot.name for slot in puzzle.slots] == [
        "1-Across", "3-Across", "5-Across", "1-Down", "2-Down", "4-Down",
    ]  # fmt: skip
    assert puzzle.answer(puzzle.slot_of[DOWN, 2]) == "BDF"


def test_clues_go_by_their_numbers() -> None:
    puzzle = Puzzle(2, 12, cells("A" * 12, "B" * 12), {(DOWN, 10): "ten", (DOWN, 9): "nine", (ACROSS, 1): "one"})
    assert puzzle.list_clues(DOWN) == [(9, "nine"), (10, "ten")]
    assert puzzle.clue(puzzle.slot_of[ACROSS, 1]) == "one"
    assert puzzle.clue(puzzle.slot_of[DOWN, 1]) == ""


SAID = "«\u00a0Quoi\u202f?\u00a0» et\u00a0toi"
PERSIAN = "\u0645\u06cc\u200c\u0631\u0648\u062f"


def test_texts_are_put_in_order() -> None:
    """Blanks without a break, and joiners, stay inside a text."""
    puzzle = Puzzle(
        1,
        4,
        ("e\u0301", " he art ", "A\u00a0\u200d", "e\u200d\u0301"),
        {
            (ACROSS, 1): " two\n\t words\0 ",
            (DOWN, 7): f"\u00a0{SAID}\u202f",
            (DOWN, 8): PERSIAN,
            (DOWN, 9): "\u00a0 \u200c",
        },
        {
            PuzzlePart.NOTES: " one \n\n two",
            PuzzlePart.COPYRIGHT: "(c) © 2024 Me",
            PuzzlePart.TITLE: "soft\u00adhyphen\u200b",
        },
    )
    assert puzzle.cells == ("É", "HEART", "A", "É")
    assert puzzle.clues == {(ACROSS, 1): "two words", (DOWN, 7): SAID, (DOWN, 8): PERSIAN}
    notes = {PuzzlePart.NOTES: "one\ntwo", PuzzlePart.COPYRIGHT: "2024 Me", PuzzlePart.TITLE: "softhyphen"}
    assert puzzle.metadata == notes
    assert puzzle.copyright_line == "© 2024 Me"


def test_marks_outside_their_cells_are_left_out() -> None:
    puzzle = Puzzle(
        2,
        2,
        cells("#A", ".B"),
        bars=frozenset({(0, 1)}),
        circles=frozenset({0, 1, 7}),
        voids=frozenset({0, 1}),
        letter_sets={1: "AB", 2: "CD"},
        shades={0: SHADE, 1: "#FE0", 3: "red", 7: SHADE},
    )
    assert puzzle.bars == frozenset()
    assert puzzle.circles == {1}
    assert puzzle.voids == {0}
    assert (puzzle.letter_sets, puzzle.shades) == ({2: "CD"}, {1: "#ffee00", 3: SHADE})


def two_answers() -> Puzzle:
    """Return a grid of CAT over OR, whose first letters are also BO and C."""
    letters = {0: ("b",), 3: ("C",), 1: ("A",), 2: ("T", "é"), 5: ("X",), 4: ("&",), 9: ("Y",)}
    clues = {(ACROSS, 1): "Pet", (DOWN, 2): "x"}
    return Puzzle(2, 3, cells("CAT", "OR#"), clues, alternatives=letters, givens=frozenset({0, 4}))


def test_alternatives_are_letters_that_make_a_difference() -> None:
    puzzle = two_answers()
    assert puzzle.alternatives == {0: ("B", "C"), 2: ("T", "É"), 3: ("C", "O")}
    assert isinstance(puzzle.givens, frozenset), "or its grid has no hash"
    assert puzzle.differences == ({0: "B", 3: "C"}, {2: "É"})
    assert puzzle.givens == {4}
    assert [puzzle.list_answers(slot) for slot in puzzle.slots] == [
        ["CAT", "BAT", "CAÉ"], ["OR", "CR"], ["CO", "BC"], ["AR"],
    ]  # fmt: skip
    assert puzzle.parts[PuzzlePart.ALTERNATIVES] == 3
    alike = Puzzle(1, 2, ("A", "B"), alternatives={0: ("C", "C", "A")})
    assert alike.alternatives == {0: ("C",)}


@pytest.mark.parametrize(("letters", "stay"), [("CATOR", True), ("CATOS", False), ("CAPOR", False)])
def test_alternatives_stay_with_their_words(letters: str, stay: bool) -> None:
    puzzle = two_answers()
    filled = puzzle.fill([*letters, ""])
    assert filled.alternatives == (puzzle.alternatives if stay else {})
    assert ((ACROSS, 1) in filled.clues) == (letters[:3] == "CAT")


def test_a_cell_has_few_alternatives() -> None:
    with pytest.raises(FormatError, match="at most 9 alternatives in a cell, found 10"):
        Puzzle(1, 2, ("A", "B"), alternatives={0: tuple("CDEFGHIJKL")})


@pytest.mark.parametrize(
    ("height", "width", "count", "message"),
    [
        (0, 5, 0, "a grid of 1 to 255 rows and columns, found 0 x 5"),
        (1, MAX_SIDE + 1, MAX_SIDE + 1, "found 1 x 256"),
        (2, 2, 3, "expected 4 cells, found 3"),
        (1, 1, 1, "at least one slot"),
    ],
)
def test_wrong_sides_are_refused(height: int, width: int, count: int, message: str) -> None:
    with pytest.raises(GridError, match=message):
        Puzzle(height, width, ("A",) * count)


def test_sides_of_cells_are_bars() -> None:
    sides = [(0, "T"), (0, "L"), (0, "R"), (4, "T"), (4, "L"), (8, "B"), (8, "R"), (1, "B"), (2, "R")]
    assert find_bars(sides, 3, 9) == {(0, 1), (1, 4), (3, 4)}


def test_a_template_becomes_a_puzzle() -> None:
    _, (grid,) = parse_grids("A.#\n.[BC].\n#..")
    puzzle = Puzzle.of_grid(grid)
    assert puzzle.cells == cells("A.#", "...", "#..")
    assert puzzle.letter_sets == {4: "BC"}
    assert puzzle.grid(grid.alphabet) == grid
    letters = [letter.strip("#") for letter in "AD#CBE#FG"]
    filled = Puzzle.of_grid(grid, letters)
    assert filled.cells == cells("AD#", "CBE", "#FG")
    assert puzzle.fill(letters).cells == filled.cells


@pytest.mark.parametrize(
    ("before", "kept"),
    [
        ("AB|CD", {1, 2}),  # the same words
        ("âb|CD", {1, 2}),
        ("AB|CX", {1}),  # another word
        ("AB|C.", {1}),  # letters were taken out
        ("AB|..", {1}),
        ("..|..", {1, 2}),  # the clues of a puzzle without its answers
        ("A.|.D", {1, 2}),
        ("X.|.D", {2}),  # another given
    ],
)
def test_a_clue_stays_with_its_word_in_a_fill(before: str, kept: set[int]) -> None:
    clues = {(ACROSS, 1): "one", (ACROSS, 2): "two", (ACROSS, 9): "of no slot"}
    drafts = {(ACROSS, 1): ("first",), (ACROSS, 2): ("second",)}
    puzzle = Puzzle(4, 2, cells(before[:2], "##", before[3:], "##"), clues, drafts=drafts)
    filled = puzzle.fill(["A", "B", "", "", "C", "D", "", ""])
    assert filled.cells == cells("AB", "##", "CD", "##")
    assert set(filled.clues) == {(ACROSS, number) for number in {*kept, 9}}
    assert set(filled.drafts) == {(ACROSS, number) for number in kept}


@pytest.mark.parametrize(("name", "pattern"), [("latin", "EN?"), ("es", "EÑ?")])
def test_letters_are_folded_for_the_alphabet(name: str, pattern: str) -> None:
    puzzle = Puzzle(1, 3, ("É", "Ñ", ""))
    assert puzzle.grid(Alphabet.named(name)).pattern(puzzle.slots[0]) == pattern


@pytest.mark.parametrize(("answer", "letters"), [("HEART", "HEART"), ("Œ", "OE"), ("Été", "ETE")])
def test_a_cell_of_several_letters_is_given(answer: str, letters: str) -> None:
    puzzle = Puzzle(2, 2, ("A", "", "", answer))
    grid = puzzle.grid(Alphabet())
    assert grid.rebus == {3: letters}
    assert [grid.pattern(slot) for slot in grid.slots] == ["A?", f"?{letters}", "A?", f"?{letters}"]
    assert [(slot.length, len(slot.cells)) for slot in grid.slots] == [(2, 2), (len(letters) + 1, 2)] * 2
    assert clear_cells(grid, range(4)).givens == ("", "", "", letters)
    assert Puzzle.of_grid(grid).cells == ("A", "", "", letters)


@pytest.mark.parametrize("answer", ["A/B", "Ж", "ЖА", "H-M"])
def test_a_cell_of_other_signs_cannot_be_filled(answer: str) -> None:
    puzzle = Puzzle(2, 2, ("A", "B", "C", answer))
    with pytest.raises(GridError) as error:
        puzzle.grid(Alphabet(), name="x.puz")
    (line,) = str(error.value).splitlines()
    assert line.startswith("x.puz: expected letters of ABC")
    assert line.endswith(f"'{answer}' in row 2, column 2")


def test_losses_are_told() -> None:
    puzzle = Puzzle(
        2,
        4,
        ("AB", "CD", "1", "D", *"EFGH"),
        {(ACROSS, 1): "one", (ACROSS, 3): "three", (DOWN, 3): "third column", (DOWN, 99): "stray"},
        {PuzzlePart.TITLE: "T"},
        frozenset({(1, 2), (5, 6)}),
        frozenset({0}),
        shades={0: SHADE, 1: SHADE},
        drafts={(ACROSS, 1): ("un", "uno")},
    )
    kept = puzzle.keep({PuzzlePart.CLUES})
    assert puzzle.tell_losses(kept) == [
        "dropped the title",
        "dropped 2 clues",
        "dropped 2 draft clues",
        "dropped 1 clue of no slot",
        "dropped 2 cells of several letters",
        "dropped 1 cell of a digit or symbol",
        "dropped 1 circle",
        "dropped 2 shaded cells",
        "dropped 2 bars",
    ]
    assert kept.cells == ("A", "C", "", "D", *"EFGH")


def test_clues_stay_with_their_slots_when_bars_go() -> None:
    bars = frozenset({(1, 2)})
    clues = {(ACROSS, 1): "AB", (ACROSS, 3): "CD", (ACROSS, 5): "EFGH", (DOWN, 3): "CG", (DOWN, 4): "DH"}
    drafts = {(ACROSS, 1): ("ab",), (ACROSS, 5): ("efgh", "EFGH", "", "efgh"), (DOWN, 9): ("of no slot",)}
    puzzle = Puzzle(2, 4, cells("ABCD", "EFGH"), clues, bars=bars, drafts=drafts)
    assert puzzle.drafts == {(ACROSS, 1): ("ab",), (ACROSS, 5): ("efgh",)}
    assert puzzle.slot_of[ACROSS, 3].cells == (2, 3)
    kept = puzzle.keep({PuzzlePart.CLUES, PuzzlePart.DRAFTS})
    assert kept.drafts == {(ACROSS, 5): ("efgh",)}
    assert kept.clues == {(ACROSS, 5): "EFGH", (DOWN, 3): "CG", (DOWN, 4): "DH"}
    assert puzzle.tell_losses(kept) == ["dropped 2 clues", "dropped 1 draft clue", "dropped 1 bar"]
