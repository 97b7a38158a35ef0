"""What a format writes it reads again, up to what it says it drops; and any bytes are a puzzle or an error."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cpfill.base.errors import InputError
from cpfill.base.records import parse_object
from cpfill.formats.dialects import DIALECTS
from cpfill.formats.registry import FORMATS, read_puzzle, write_puzzle
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.parts import METADATA, SHADE, ClueId, PuzzlePart, clean
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.records import puzzle_record
from cpfill.web.wire import encode, parse_puzzle

BOTH_WAYS = [name for name, one in FORMATS.items() if one.reads and one.writes]
READABLE = [name for name, one in FORMATS.items() if one.reads]
WRITABLE = [name for name, one in FORMATS.items() if one.writes]

# What formats use as signs of their own stands in texts and cells; what .xd has no way to write (markup) does not.
TEXTS = st.text(st.sampled_from("aZ é~œŁ#.,;:!?&<>()[]|_*@^'\"-/=%$1;÷\u2028\t\n"), max_size=12) | st.sampled_from(
    [
        "<b>bold</b>",
        "R&amp;D",
        "two (3,4) words",
        "see [ABC] (5) after",
        " ~ ",
        "~",
        "A1. x ~ Y",
        "D1. x ~ Y\nD2. z",
        "1,2d linked",
        "1/3 linked",
        "See 1",
        "l\u2019\u00e9t\u00e9\u00a0: quoi\u202f?",
        "می\u200cرود",
        "this & not <that>",
        "5, 6 down",
        "& 3",
        "<GRID>",
        "<NOTEPAD>",
        "exolve-grid:",
        "exolve-end",
        "# comment",
        "## Grid",
        "phone # 5",
        "Title: x",
        "MARK;",
        "© 2024",
        "(4)*",
        "[]",
    ]
)
ANSWERS = st.sampled_from(
    [None, None, "", "", *"ABCXYZ", "É", "Ł", "HEART", "ÆON", "AB", "1", "&", "A1", "LLAMA", "@", "A,B"]
)


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    height, width = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    count = height * width
    cells = tuple(draw(st.lists(ANSWERS, min_size=count, max_size=count)))
    places = st.frozensets(st.integers(0, count - 1), max_size=4)
    beside = [(cell, cell + 1) for cell in range(count - 1) if (cell + 1) % width]
    below = [(cell, cell + width) for cell in range(count - width)]
    bars = draw(st.frozensets(st.sampled_from(beside + below), max_size=4)) if count > 1 else frozenset()
    numbers = st.integers(1, 12)
    names = st.tuples(st.sampled_from(Direction), numbers)
    clues: dict[ClueId, str] = draw(st.dictionaries(names, TEXTS, max_size=8))
    drafts: dict[ClueId, list[str]] = draw(st.dictionaries(names, st.lists(TEXTS, max_size=3), max_size=8))
    try:
        puzzle = Puzzle(
            height,
            width,
            cells,
            clues,
            draw(st.dictionaries(st.sampled_from(sorted(METADATA)), TEXTS, max_size=4)),
            bars,
            draw(places),
            draw(places),
            {cell: "".join(draw(st.sets(st.sampled_from("BCD"), min_size=2))) for cell in draw(places)},
            givens=draw(places),
            shades={cell: draw(st.sampled_from([SHADE, "#fd0", "#00ff7f"])) for cell in draw(places)},
            labels={cell: draw(st.sampled_from(["A", "7", "#", "0", "■", "é & <i>"])) for cell in draw(places)},
            drafts={clue: tuple(texts) for clue, texts in drafts.items()},
        )
    except InputError:  # no slot
        assume(False)
        raise
    letter_sets = {cell: "".join(sorted(letters)) for cell, letters in puzzle.letter_sets.items()}
    return replace(puzzle, letter_sets=letter_sets)


def kept_by(name: str, puzzle: Puzzle) -> Puzzle:
    return puzzle.keep(FORMATS[name].load().keeps)


def simplified(name: str, puzzle: Puzzle) -> Puzzle:
    return FORMATS[name].load().simplify(puzzle)[0]


@settings(max_examples=40)
@given(puzzle=puzzles())
def test_what_is_written_is_read_again_up_to_declared_losses(puzzle: Puzzle) -> None:
    for name in BOTH_WAYS:
        kept = kept_by(name, puzzle)
        if name in {"puz", "across-lite"} and {answer for answer in kept.cells if answer} == {"X"}:
            continue  # X in every cell says that there is no solution
        data, losses = write_puzzle(puzzle, name)
        again = read_puzzle(data, kind=name)
        written = simplified(name, kept)
        assert again == written, name
        assert all("of no slot" in line for line in again.unread), name
        stays = (written if name == "ipuz" else kept) == puzzle  # which goes by labels, if cells have some
        assert stays == all(line.startswith("wrote version ") for line in losses), name
        if name not in DIALECTS:  # which may look alike
            assert read_puzzle(data) == written, name


@settings(max_examples=40)
@given(puzzle=puzzles())
def test_the_page_has_all_of_a_puzzle(puzzle: Puzzle) -> None:
    assert parse_puzzle(parse_object(encode(puzzle_record(puzzle)))) == puzzle


@settings(max_examples=40)
@given(puzzle=puzzles(), parts=st.frozensets(st.sampled_from(PuzzlePart)))
def test_a_part_that_is_not_kept_is_told_and_no_other(puzzle: Puzzle, parts: frozenset[PuzzlePart]) -> None:
    kept = puzzle.keep(parts)
    assert not set(kept.parts) - parts
    assert kept.keep(parts) == kept
    assert len(puzzle.tell_losses(kept)) == len(puzzle.parts - kept.parts)
    assert puzzle.keep(frozenset(PuzzlePart)) == puzzle
    if PuzzlePart.BARS in parts and PuzzlePart.CLUES in parts:
        assert {clue: kept.clues.get(clue) for clue in kept.slot_of} == {
            clue: puzzle.clues.get(clue) for clue in puzzle.slot_of
        }


@settings(max_examples=40)
@given(puzzle=puzzles())
def test_a_clue_stands_with_its_answer_in_every_format(puzzle: Puzzle) -> None:
    clued = replace(puzzle, clues={clue: " ".join(map(str, slot.cells)) for clue, slot in puzzle.slot_of.items()})
    for name in WRITABLE:
        if FORMATS[name].draws or PuzzlePart.CLUES not in FORMATS[name].load().keeps:
            continue
        written, losses = write_puzzle(clued, name)
        kept = read_puzzle(written, kind=name) if name in BOTH_WAYS else kept_by(name, clued)
        for clue, said in kept.clues.items():
            assert said == " ".join(map(str, kept.slot_of[clue].cells)), name
        lost = len(clued.clues) - len(kept.clues)
        assert lost == next((int(line.split()[1]) for line in losses if line.split()[2] in {"clue", "clues"}), 0), name


@given(text=TEXTS | st.text(max_size=20))
def test_a_clean_text_stays_as_it_is(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@pytest.mark.parametrize("name", READABLE)
@given(data=st.binary(max_size=80) | st.text('{["puzle:#0123]}.,\n<ACROS >/&;AB=x-', max_size=60).map(str.encode))
def test_any_bytes_are_a_puzzle_or_an_error(name: str, data: bytes) -> None:
    read_or_refused(data, name)


def read_or_refused(data: bytes, name: str | None) -> None:
    """Read; an error names the file once in each of its lines."""
    try:
        read_puzzle(data, "some.file", name)
    except InputError as error:
        lines = str(error).splitlines()
        assert lines
        assert all(line.startswith("some.file:") for line in lines)
