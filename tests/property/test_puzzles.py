"""What a format writes it reads again, up to what it says it drops; and any bytes are a puzzle or an error."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

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
from tests.tables import read_table

BOTH_WAYS = [name for name, one in FORMATS.items() if one.reads and one.writes]
WRITABLE = [name for name, one in FORMATS.items() if one.writes]

PIECES: dict[str, Any] = read_table("property/puzzle_pieces.json")
# What formats use as signs of their own stands in texts and cells; markup, which .xd has no way to write, does not.
SIGNS = st.sampled_from("aZ é~œŁ#.,;:!?&<>()[]|_*@^'\"-/=%$1;÷\u2028\t\n")
TEXTS = st.text(SIGNS, max_size=12) | st.sampled_from(PIECES["texts"])
# Among them are a cell's own letter, several letters, and signs that are no letters.
ALTERNATIVES = st.lists(st.sampled_from(["A", "B", "É", "AB", "", "&", "7"]), max_size=3).map(tuple)
ANSWERS = st.sampled_from(PIECES["answers"])


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    height, width = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    count = height * width
    places = st.frozensets(st.integers(0, count - 1), max_size=4)
    names = st.tuples(st.sampled_from(Direction), st.integers(1, 12))
    drafts: dict[ClueId, list[str]] = draw(st.dictionaries(names, st.lists(TEXTS, max_size=3), max_size=8))
    letter_sets = {}
    for cell in draw(places):
        letters = draw(st.sets(st.sampled_from("BCD"), min_size=2))
        letter_sets[cell] = "".join(sorted(letters))
    try:
        return Puzzle(
            height,
            width,
            tuple(draw(st.lists(ANSWERS, min_size=count, max_size=count))),
            draw(st.dictionaries(names, TEXTS, max_size=8)),
            draw(st.dictionaries(st.sampled_from(sorted(METADATA)), TEXTS, max_size=4)),
            draw(draw_bars(width, count)),
            draw(places),
            draw(places),
            letter_sets,
            givens=draw(places),
            shades={cell: draw(st.sampled_from([SHADE, "#fd0", "#00ff7f"])) for cell in draw(places)},
            labels={cell: draw(st.sampled_from(["A", "7", "#", "0", "■", "é & <i>"])) for cell in draw(places)},
            alternatives=draw(st.dictionaries(st.integers(0, count - 1), ALTERNATIVES, max_size=4)),
            drafts={clue: tuple(texts) for clue, texts in drafts.items()},
        )
    except InputError:  # no slot
        assume(False)
        raise


def draw_bars(width: int, count: int) -> st.SearchStrategy[frozenset[tuple[int, int]]]:
    places = [(cell, cell + 1) for cell in range(count - 1) if (cell + 1) % width]
    places += [(cell, cell + width) for cell in range(count - width)]
    if not places:
        return st.just(frozenset())
    return st.frozensets(st.sampled_from(places), max_size=4)


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
        stays = (kept if name == "puz" else written) == puzzle  # for which another line names simpler signs
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
