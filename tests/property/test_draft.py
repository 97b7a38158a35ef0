"""Drafts completed, against all patterns there are, and what becomes of their letters, blocks and bars."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import InputError
from cpfill.design import STYLES, Demands, Draft, Symmetry, grids, read_draft
from cpfill.problem.event import StopReason
from cpfill.puzzle.grid import Grid
from tests.property.patterns import block_count, blocks_of, cells_of, every, fits, slots, split, take, take_grids
from tests.property.test_barred import barred, bars_of
from tests.property.test_barred import every as every_barred

KINDS = [
    (3, "american", "none", 2),
    (4, "american", "rotate", 2),
    (4, "american", "diagonal", 3),
    (3, "japanese", "none", 2),
    (4, "japanese", "mirror", 2),
    (4, "french", "rotate90", 2),
    (4, "french", "rotate", 3),
    (3, "british", "none", 2),
    (4, "free", "rotate90", 2),
    (4, "free", "rotate", 3),
]


@pytest.mark.parametrize("grows", [True, False], ids=["grown", "from the model"])
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=5)
@given(text=st.text(st.sampled_from("??????????.A#"), min_size=16, max_size=16))
def test_every_completion_of_a_draft_is_found(kind: tuple[int, str, str, int], grows: bool, text: str) -> None:
    height, style, symmetry, shortest = kind
    rows = list(split(text[: 4 * height], 4))
    try:
        draft = read_draft(rows, min_slot_length=2)
    except InputError as error:
        assert "at least one slot" in str(error)  # noqa: PT017 - any other is a fault
        assert not any(fits(known, rows) for known in every(height, 4, style, symmetry, shortest))
        return
    own = replace(STYLES[style], symmetry=Symmetry(symmetry), min_slot_length=shortest)
    with pytest.MonkeyPatch.context() as patch:
        if not grows:
            patch.setattr(grids, "grow_patterns", lambda *_: iter(()))
        found, reason = take(Demands(height, 4, own, (0, 4 * height), draft=draft), 25)
    known = {one for one in every(height, 4, style, symmetry, shortest) if fits(one, rows)}
    assert len(found) == min(25, len(known))
    assert {blocks_of(one) for one in found} <= known
    assert reason is (StopReason.FILLS if len(known) >= 25 else StopReason.EXHAUSTED)
    for one in found:
        pairs = zip("".join(one), "".join(rows), strict=True)
        assert all(cell == "A" if sign == "A" else cell in ".#" for cell, sign in pairs)


@settings(max_examples=15)
@given(st.data())
def test_every_completion_of_a_barred_draft_is_found(data: st.DataObject) -> None:
    symmetry = data.draw(st.sampled_from(["none", "rotate90"]))
    places = [(cell, cell + 1) for cell in range(16) if cell % 4 < 3] + [(cell, cell + 4) for cell in range(12)]
    bars = data.draw(st.frozensets(st.sampled_from(places), max_size=3))
    letters = data.draw(st.lists(st.sampled_from([0b1, 0b110, *[Alphabet().full] * 6]), min_size=16, max_size=16))
    grid = Grid(4, 4, tuple(letters), Alphabet(), 3, bars=bars)
    asked = replace(barred(symmetry, 3), height=4, width=4, draft=Draft(grid, frozenset()))
    found, reason = take_grids(asked, None)
    known = {each for each in every_barred(4, 4, symmetry, 3) if each >= bars_of(grid)}
    assert reason is StopReason.EXHAUSTED
    assert len(found) == len(known)
    assert {bars_of(each) for each in found} == known
    assert all(each.cells == grid.cells for each in found)


def test_seed_words_stand_where_a_draft_lets_them() -> None:
    rows = ["?B??", "????", "#???"]
    style = replace(STYLES["french"], symmetry=Symmetry.NONE)
    found, reason = take(Demands(3, 4, style, (0, 4), seed_words=("ABC",), draft=read_draft(rows)), None)
    assert reason is StopReason.EXHAUSTED
    expected = set()
    for known in every(3, 4, "french", "none", 2):
        if block_count(known) > 4 or not fits(known, rows):
            continue
        for slot in slots(known, 2):
            shown = cells_of(known) | dict(zip(slot, "ABC", strict=False))
            if len(slot) == 3 and shown[0, 1] in ".B":
                expected.add(split("".join((shown | {(0, 1): "B"}).values()), 4))
    assert expected
    assert set(found) == expected


@pytest.mark.parametrize(
    ("style", "text", "complaint"),
    [
        ("american", "....\n....\n", "a draft of 4x4, the size of the grid, found 2x4"),
        (
            "american",
            ". .|. .\n. . . .\n. . . .\n. . . .\n",
            "a draft without bars, for a grid with blocks, found 1",
        ),
        ("barred", "....\n.#..\n....\n....\n", "a draft without blocks, for a barred grid, found 1"),
    ],
)
def test_a_draft_of_another_kind_is_refused(style: str, text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Demands(4, 4, replace(STYLES[style], min_slot_length=2), draft=read_draft(text))


@given(text=st.text(st.sampled_from("?.#A[]| -\n"), max_size=30))
def test_any_text_is_a_draft_or_refused(text: str) -> None:
    try:
        draft = read_draft(text + "\n")
    except InputError:
        return
    assert len(draft.undecided) == text.count("?")
    assert all(draft.grid.cells[cell] == Alphabet().full for cell in draft.undecided)


def test_a_draft_is_one_grid() -> None:
    with pytest.raises(InputError, match="one grid, found 2"):
        read_draft("??\n??\n\n??\n??\n")
    with pytest.raises(InputError, match=r"2:2: expected '#', '.', a letter or '\[letters\]', found '!'"):
        read_draft("??\n?!\n")
