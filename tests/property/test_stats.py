"""The figures of random grids against rows of text, read plainly."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hypothesis import assume, given
from hypothesis import strategies as st

from cpfill.base.alphabet import Alphabet
from cpfill.design import STYLES
from cpfill.design.figures import CUSTOMS, FaultKind
from cpfill.puzzle.grid import Direction, Grid, Slot
from cpfill.questions.stats import describe_grid, find_alike, find_faults, find_repeats
from cpfill.testing.brute_force import runs_in, words_in
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import parse_word_list
from tests.property.patterns import (
    BLOCKED,
    Place,
    Rows,
    cells_of,
    connected,
    count_slots,
    image,
    keeps,
    runs,
    split,
    squares,
    transposed,
)

if TYPE_CHECKING:
    from collections.abc import Callable

LATIN = Alphabet()
SYMMETRIES = ("rotate", "rotate90", "mirror", "diagonal")


def grid_of(rows: Rows, min_slot_length: int = 2) -> Grid:
    cells = tuple(0 if cell == "#" else LATIN.full for row in rows for cell in row)
    return Grid(len(rows), len(rows[0]), cells, LATIN, min_slot_length)


@st.composite
def patterns(draw: st.DrawFn, most: int = 7) -> Rows:
    """Return rows of `#` and `.`, often symmetric."""
    height, width = draw(st.integers(1, most)), draw(st.integers(1, most))
    line = st.lists(st.sampled_from("#..."), min_size=width, max_size=width).map("".join)
    rows: Rows = tuple(draw(st.lists(line, min_size=height, max_size=height)))
    symmetry = draw(st.sampled_from(("none", "none", "rotate", "mirror", *(SYMMETRIES if height == width else ()))))
    for _ in range(3 if symmetry == "rotate90" else 1 if symmetry != "none" else 0):
        pairs = zip(rows, image(rows, symmetry), strict=True)
        rows = tuple("".join("#" if "#" in pair else "." for pair in zip(*both, strict=True)) for both in pairs)
    return rows


def counterparts(rows: Rows, place: Place, symmetry: str) -> set[Place]:
    """Return the places onto which a movement brings one, found by moving rows of numbers."""
    width = len(rows[0])
    moved = split("".join(map(chr, range(1000, 1000 + len(rows) * width))), width)
    found = {place}
    for _ in range(3):
        moved = image(moved, symmetry)
        found.add(divmod(ord(moved[place[0]][place[1]]) - 1000, width))
    return found


@given(patterns(), st.integers(1, 4))
def test_the_figures_of_a_grid(rows: Rows, shortest: int) -> None:
    grid = grid_of(rows, shortest)
    figures = describe_grid(grid)
    text, words = "".join(rows), words_in(rows, shortest)
    assert (figures.height, figures.width) == (len(rows), len(rows[0]))
    assert figures.words == len(words)
    assert figures.lengths == dict(sorted(Counter(map(len, words)).items()))
    assert figures.average_length == (sum(map(len, words)) / len(words) if words else None)
    assert (figures.blocks, figures.open_cells) == (text.count("#"), text.count("."))
    assert figures.block_share == text.count("#") / len(text)
    assert figures.symmetries == tuple(
        each
        for each in SYMMETRIES
        if (len(rows) == len(rows[0]) or each in {"rotate", "mirror"}) and image(rows, each) == rows
    )
    fenced = ["." * (len(rows[0]) + 2), *(f".{row}." for row in rows), "." * (len(rows[0]) + 2)]
    around = [[fenced[r + i][c : c + 3] for i in range(3)] for r in range(len(rows)) for c in range(len(rows[0]))]
    assert figures.clear_cells == sum("#" not in "".join(square) for square in around)
    times = Counter(place for run in runs(rows) if len(run) >= shortest for place in run)
    assert figures.checked_cells == list(times.values()).count(2)


@given(patterns(), st.integers(1, 4))
def test_a_cheater_and_its_counterparts_can_go_without_the_number_of_words_changing(rows: Rows, shortest: int) -> None:
    grid, count = grid_of(rows, shortest), len(words_in(rows, shortest))
    figures = describe_grid(grid)
    symmetry = figures.symmetries[0] if figures.symmetries else "none"
    cheaters = []
    for place, cell in cells_of(rows).items():
        moved = counterparts(rows, place, symmetry)
        opened = "".join("." if other in moved else sign for other, sign in cells_of(rows).items())
        if cell == "#" and len(words_in(split(opened, grid.width), shortest)) == count:
            cheaters.append(place[0] * grid.width + place[1])
    assert list(figures.cheaters) == cheaters


@given(patterns())
def test_the_parts_of_a_grid(rows: Rows) -> None:
    parts = describe_grid(grid_of(rows)).parts
    assert sum(parts) == "".join(rows).count(".")
    assert (len(parts) <= 1) == connected(rows)
    assert list(parts) == sorted(parts, reverse=True)


@given(patterns(9), st.sampled_from(BLOCKED))
def test_a_grid_keeps_the_rules_of_a_style_just_if_it_has_no_fault_but_against_customs(rows: Rows, style: str) -> None:
    grid, rules = grid_of(rows), STYLES[style]
    assume(grid.slots)
    faults = {fault.kind for fault in find_faults(grid, rules)}
    assert (not faults - CUSTOMS) == keeps(rows, style, rules.symmetry, rules.min_slot_length)


@given(patterns(9))
def test_faults_are_counted_and_placed(rows: Rows) -> None:
    grid = grid_of(rows)

    def places(style: str, kind: FaultKind) -> list[str]:
        return [fault.at for fault in find_faults(grid, STYLES[style]) if fault.kind is kind]

    twos = [start for start, run in runs_in(rows, 2).items() if len(run) == 2]
    starts = {slot.name: divmod(slot.cells[0], grid.width) for slot in grid.slots}
    for style in ("american", "british"):
        short = places(style, FaultKind.SHORT)
        assert len(short) == len(twos)
        assert {(name.partition("-")[2], *starts[name]) for name in short} == set(twos)
    times = count_slots(rows, 2)
    assert places("american", FaultKind.UNCHECKED) == name_cells(rows, lambda at, cell: cell == "." and times[at] < 2)
    assert len(places("french", FaultKind.SQUARE)) == squares(rows)
    lines = [*rows, *transposed(rows)]
    pairs = sum(line[at : at + 2] == "##" for line in lines for at in range(len(line)))
    assert len(places("japanese", FaultKind.ADJACENT)) == pairs
    moved = cells_of(image(rows, "rotate"))
    alone = name_cells(rows, lambda at, cell: cell == "#" != moved[at])
    assert places("british", FaultKind.ASYMMETRIC) == alone
    assert find_faults(grid, STYLES["free"]) == ()


def name_cells(rows: Rows, chosen: Callable[[Place, str], bool]) -> list[str]:
    return [f"R{r + 1}C{c + 1}" for (r, c), cell in cells_of(rows).items() if chosen((r, c), cell)]


@given(st.lists(st.text("AB", min_size=1, max_size=9), max_size=6))
def test_words_repeated_and_reversed(words: list[str]) -> None:
    slots = [Slot(id_, Direction.ACROSS, (id_,), id_ + 1, ((id_, 0),)) for id_ in range(len(words))]
    standing = dict(zip(slots, words, strict=True))
    repeats = {link.text: len(link.slots) for link in find_repeats(standing)}
    assert repeats == {word: count for word, count in Counter(words).items() if count > 1}
    links = find_alike(standing, Lexicon([parse_word_list("none")]))
    reversals = {frozenset({one, one[::-1]}) for one in words if len(one) > 2 and one != one[::-1] in words}
    assert reversals <= {frozenset(standing[slot] for slot in link.slots) for link in links}
