"""Booklets, read back by pypdf: every clue once, each puzzle in its part of the page, solutions at the end."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cpfill.base.errors import InputError
from cpfill.formats.pages.booklet import write_booklet
from cpfill.formats.pages.style import PageLayout, PageStyle, Paper
from cpfill.puzzle.parts import PuzzlePart
from cpfill.puzzle.puzzle import Puzzle
from tests.unit.formats.test_pdf import BOLD, SANS, SIZES, Text, inside, puzzle_of, texts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

LETTERS = "ABCDEFGHIJKLMNOP"
BOTTOM = 40
"""Below this height, in points, stand the number of the page and the copyrights."""


def mini(index: int, title: str = "", size: int = 4) -> Puzzle:
    """Return a square puzzle whose letters and clues no other index has."""
    puzzle = Puzzle(size, size, (LETTERS[index],) * size**2)
    clues = {(slot.direction, slot.number): f"clue{index}-{slot.name}" for slot in puzzle.slots}
    return replace(puzzle, clues=clues, metadata={PuzzlePart.TITLE: title, PuzzlePart.COPYRIGHT: "2027 A Club"})


def bind(puzzles: Sequence[Puzzle], style: PageStyle | None = None, per_page: int | None = None) -> list[list[Text]]:
    """Return the texts of each page of a booklet; the files are called 0, 1 and so on."""
    named = [(str(index), puzzle) for index, puzzle in enumerate(puzzles)]
    data, losses = write_booklet(named, style, per_page=per_page, title="Minis")
    assert losses == [[] for _ in puzzles]
    return texts_of(data)


def headings(page: Sequence[Text]) -> list[str]:
    return [text.text for text in page if text.font == BOLD and text.size == 13]


@pytest.mark.parametrize("paper", Paper)
@pytest.mark.parametrize(("per_page", "pages"), [(None, 3), (1, 9), (2, 5), (4, 3)])
def test_each_clue_stands_once_in_the_part_of_its_puzzle(per_page: int | None, pages: int, paper: Paper) -> None:
    puzzles = [mini(index, f"Title{index}") for index in range(9)]
    *found, solutions = bind(puzzles, PageStyle(paper=paper), per_page)
    assert len(found) == pages
    width, height = SIZES[paper]
    columns, rows = {1: (1, 1), 2: (1, 2), 4: (2, 2)}[per_page or 4]
    for number, page in enumerate(found):
        assert inside(page, paper)
        first = number * columns * rows
        here = range(first, min(first + columns * rows, 9))
        assert headings(page) == [f"{index + 1}. Title{index}" for index in here]
        for index in here:
            row, column = divmod(index - first, columns)
            clues = [text for text in page if text.text.startswith(f"clue{index}-")]
            assert Counter(text.text for text in clues) == Counter(puzzles[index].clues.values())
            for text in clues:
                assert column * width / columns < text.x < (column + 1) * width / columns
                assert row * height / rows < height - text.y < (row + 1) * height / rows
    assert not any(text.text.startswith("clue") for text in solutions)


def test_solutions_stand_at_the_end_under_their_numbers() -> None:
    *puzzles, solutions = bind([mini(index) for index in range(5)])
    letters = [text.text for page in puzzles for text in page if text.font == SANS and text.text.isalpha()]
    assert letters == []
    assert solutions[0].text == "Solutions"
    drawn = [text.text for text in solutions if text.font == SANS]
    assert drawn == [letter for letter in LETTERS[:5] for _ in range(16)]
    numbers = [text for text in solutions if text.font == BOLD][1:]
    assert [text.text for text in numbers] == ["1", "2", "3", "4", "5"]
    for number, letter in zip(numbers, LETTERS, strict=False):
        grid = [text for text in solutions if text.text == letter]
        assert all(text.y < number.y for text in grid)
        assert min(abs(text.x - number.x) for text in grid) < 12


def test_pages_have_numbers_and_the_copyright_once() -> None:
    pages = bind([mini(index) for index in range(9)])
    feet = [[text.text for text in page if text.y < BOTTOM] for page in pages]
    assert feet == [["1", "© 2027 A Club"], ["2", "© 2027 A Club"], ["3", "© 2027 A Club"], ["4"]]
    assert all("Minis" in [text.text for text in page] for page in pages)


def test_puzzles_of_one_size_look_alike() -> None:
    wordy = replace(mini(0), clues=dict.fromkeys(mini(0).clues, "a clue of many words " * 5))
    *pages, _ = bind([wordy, *(mini(index) for index in range(1, 4))], per_page=4)
    assert len({text.size for page in pages for text in page if text.text.startswith(("clue", "a clue"))}) == 1


def test_what_fits_is_chosen_and_what_does_not_is_named() -> None:
    large = puzzle_of(15, 78)
    assert [headings(page) for page in bind([large, large])[:2]] == [["1. A title"], ["2. A title"]]
    assert [len(headings(page)) for page in bind([mini(0, size=9), mini(1, size=9)])[:1]] == [2]
    with pytest.raises(InputError, match=r"1: expected puzzles of which 4 fit a page, found a larger one"):
        bind([mini(0), puzzle_of(21, 140)], per_page=4)


def test_a_puzzle_of_several_pages_goes_on() -> None:
    long = puzzle_of(21, 140, (200, 200))
    pages = bind([long, mini(1)], PageStyle(letters=False))
    assert len(pages) > 2
    assert "1. A title (continued)" in [text.text for text in pages[1]]
    assert headings(pages[-1]) == ["2"]
    assert [text.text for page in pages for text in page if text.y < BOTTOM and text.text.isdigit()] == [
        str(number) for number in range(1, len(pages) + 1)
    ]


def test_a_booklet_has_puzzles_or_solutions_alone() -> None:
    puzzles = [mini(index) for index in range(5)]
    (solutions,) = bind(puzzles, PageStyle(letters=True))
    assert solutions[0].text == "Solutions"
    assert [len(headings(page)) for page in bind(puzzles, PageStyle(letters=False))] == [4, 1]
    assert len(bind([Puzzle(3, 3, ("",) * 9)] * 4)) == 1  # no letters, no solutions


def test_the_same_puzzles_give_the_same_bytes() -> None:
    named = [(str(index), mini(index)) for index in range(5)]
    assert write_booklet(named, title="Minis") == write_booklet(named, title="Minis")


def test_a_manuscript_is_no_booklet() -> None:
    with pytest.raises(InputError, match="one puzzle for --layout submission"):
        bind([mini(0), mini(1)], PageStyle(layout=PageLayout.SUBMISSION))
