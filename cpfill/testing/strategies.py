"""Small random questions: few letters and few words, so that words meet."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

from hypothesis import assume
from hypothesis import strategies as st

from cpfill.testing.brute_force import Rows, TooManyError, runs_in, words_in
from cpfill.testing.questions import REBUS, Options, Question, configurations

if TYPE_CHECKING:
    from collections.abc import Sequence

LETTERS = "ABCDEF"
SCORES = (0.0, 0.1, 0.2, 0.30000000000000004, 1.0, 7.5, 50.0, 50.0, 50.0, 99.0, 1e16)
# What can be added up. As binary numbers 0.1 + 0.2 is not 0.3, and 0.1 + 0.7 is not 0.8.
DECIMALS = (0.0, 0.1, 0.2, 0.25, 0.3, 0.7, 1.0, 7.5, 50.0, 50.0, 50.0, 99.0)
WEIGHTS = (1.0, 1.0, 1.0, 0.1, 0.2, 0.3, 0.25, 2.0, 0.0)
LEVELS = st.sampled_from([(), (), (), (0.2,), (7.5,), (50.0,), (0.25, 50.0), (0.1, 1.0, 60.0), (1.0, 7.5, 99.0, 100.0)])
# Which of C5 to C7 a question has: most often none.
SIDES = ("", "", "", "C5", "C6", "C7", "C6 C7", "C5 C7")
MAX_FILLS = 250
BOOLEANS = st.booleans()
OTHERS = st.integers(0, 12) | st.integers(0, 40)


# To draw takes as long whatever is drawn, and to check a new strategy longer: letters are drawn a word at a time, and
# each strategy is made once.
of = cache(st.sampled_from)
whole = cache(st.integers)
words_of = cache(lambda alphabet, size: of(tuple(map("".join, product(alphabet, repeat=size)))))
so_many = cache(lambda items, size: st.lists(items, min_size=size, max_size=size))
subset = cache(lambda alphabet: st.sets(of(alphabet), min_size=1).map(lambda letters: "".join(sorted(letters))))


@st.composite
def questions(
    draw: st.DrawFn,
    *,
    sides: bool = False,
    themed: bool = False,
    sums: bool = False,
    opened: bool = False,
    rebus: bool = False,
) -> Question:
    """Return a question with few enough fills to list.

    Args:
        draw: draws.
        sides: some have rules of C5 to C7.
        themed: some have a theme.
        sums: the scores can be added up.
        opened: some have slots that need not be words.
        rebus: some have rebus cells.
    """
    alphabet = LETTERS[: draw(of((3, 3, 4, 5, 6)), label="letters")]
    height = draw(of((4, 3, 2, 1, 4, 3, 5)), label="height")
    width = draw(of((4, 3, 2, 1, 4, 3, 5)), label="width")
    blocks = draw(whole(0, 3), label="blocks in ten") if max(height, width) < 5 else 3
    kinds = ("",) * blocks + (alphabet,) * (13 - blocks) + ("given", "set") + ("rebus",) * rebus
    kinds_and_letters = of(tuple(product(kinds, alphabet)))
    planted: list[list[str]] = []
    cells: list[tuple[str, ...]] = []
    for _ in range(height):
        row, text = [], []
        for _ in range(width):
            kind, letter = draw(kinds_and_letters)
            cell = {"given": letter, "set": ""}.get(kind, kind)
            if kind == "set":
                cell = draw(subset(alphabet))
            elif kind == "rebus":
                cell = letter = draw(of(tuple(REBUS)))
            row.append(cell)
            text.append((letter if letter in cell else cell[0]) if cell else "#")
        cells.append(tuple(row))
        planted.append(text)
    min_slot_length = draw(of((2, 2, 1, 3)), label="min_slot_length")
    rows: Rows = tuple("".join(text) for text in planted)
    starts = sorted(runs_in(rows, min_slot_length))
    open_slots = (
        frozenset(draw(st.sets(of(tuple(starts)), max_size=4), label="open")) if opened and starts else frozenset()
    )
    runs = words_in(rows, min_slot_length, open_slots, REBUS)
    base = set(runs) if draw(whole(0, 4), label="planted") else set()  # mostly: all the words of one fill
    # What is to be filled in a slot, a dot for each letter.
    shapes = sorted({re.sub("[A-Z]", ".", run) for run in words_in(rows, min_slot_length, open_slots)}) or [".."]
    others = draw(OTHERS, label="other words")
    for place in range(others):
        shape = shapes[place % len(shapes)]
        letters = iter(draw(words_of(alphabet, shape.count("."))))
        base.add("".join(next(letters) if sign == "." else REBUS[sign] for sign in shape))
    words = sorted(base) or [alphabet[:2]]
    pool = DECIMALS if sums else SCORES
    scores = draw(so_many(of(pool), len(words)), label="scores")
    result = Question(
        tuple(cells),
        dict(zip(words, scores, strict=True)),
        alphabet,
        min_slot_length,
        repeats=draw(BOOLEANS, label="repeats"),
        min_score=draw(of((0.0, 0.0, 0.0, 0.0, 0.2, 50.0)), label="min_score"),
        max_fills=MAX_FILLS,
        **(draw(_sides(words, runs)) if sides else {}),
        theme=draw(_themes(words, runs)) if themed else {},
        levels=draw(LEVELS, label="levels") if sums else (),
        open_slots=open_slots,
        rebus=REBUS if rebus else {},
    )
    assume(result.has_slot)
    try:
        assert result.answer is not None
    except TooManyError:
        assume(False)
    return result


@st.composite
def _sides(draw: st.DrawFn, words: Sequence[str], runs: Sequence[str]) -> dict[str, Any]:
    """Return rules of C5 to C7 over words, for a grid with as many slots as `runs`, and as long."""
    chosen = draw(of(SIDES), label="sides")
    rules: dict[str, Any] = {}
    if "C5" in chosen:
        rules["no_shared"] = draw(of((3, 4, 2, 3, 1)), label="no_shared")
    if "C6" in chosen:
        rules["max_obscure"] = draw(whole(0, 4), label="max_obscure")
        rules["below"] = draw(of((50.0, 1.0, 0.2, 7.6, 60.0, 0.0)), label="below")
    if "C7" in chosen:
        rules["required"] = frozenset(draw(_some(words, runs, 2), label="required"))
    return rules


@st.composite
def _themes(draw: st.DrawFn, words: Sequence[str], runs: Sequence[str]) -> dict[str, float]:
    """Return the weights of some words, or of none."""
    chosen = draw(_some(words, runs, 5), label="theme")
    return dict(zip(chosen, draw(so_many(of(WEIGHTS), 5)), strict=False))


def _some(words: Sequence[str], runs: Sequence[str], most: int) -> st.SearchStrategy[list[str]]:
    """Return different words that are as long as a slot, the words of the planted fill more often than others."""
    fitting = [word for word in words if len(word) in set(map(len, runs))]
    planted = [word for word in fitting if word in runs]
    return st.lists(st.sampled_from(planted * 3 + fitting), max_size=most, unique=True) if fitting else st.just([])


def options_for(engine: str) -> st.SearchStrategy[Options]:
    return st.sampled_from(configurations(engine))
