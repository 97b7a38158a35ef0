"""Small random questions: few letters and few words, so that words meet."""

from __future__ import annotations

from hypothesis import assume
from hypothesis import strategies as st

from tests.brute_force import Rows, TooManyError, words_in
from tests.support import Options, Question, configurations

LETTERS = "ABCDEF"
SCORES = (0.0, 0.1, 0.2, 0.30000000000000004, 1.0, 7.5, 50.0, 50.0, 50.0, 99.0, 1e300)
MAX_FILLS = 250


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """Return a question with few enough fills to list."""
    alphabet = LETTERS[: draw(st.sampled_from([3, 3, 4, 5, 6]), label="letters")]
    height = draw(st.sampled_from([4, 3, 2, 1, 4, 3, 5]), label="height")
    width = draw(st.sampled_from([4, 3, 2, 1, 4, 3, 5]), label="width")
    blocks = draw(st.integers(0, 3), label="blocks in ten") if max(height, width) < 5 else 3
    letters = st.sampled_from(alphabet)
    letter_sets = st.sets(letters, min_size=1).map(lambda s: "".join(sorted(s)))
    kinds = st.sampled_from([""] * blocks + [alphabet] * (13 - blocks) + ["given", "set"])
    planted: list[list[str]] = []
    cells: list[tuple[str, ...]] = []
    for _ in range(height):
        row, text = [], []
        for _ in range(width):
            kind, letter = draw(kinds), draw(letters)
            cell = {"given": letter, "set": ""}.get(kind, kind)
            if kind == "set":
                cell = draw(letter_sets)
            row.append(cell)
            text.append((letter if letter in cell else cell[0]) if cell else "#")
        cells.append(tuple(row))
        planted.append(text)
    min_slot_length = draw(st.sampled_from([2, 2, 1, 3]), label="min_slot_length")
    rows: Rows = tuple("".join(text) for text in planted)
    runs = words_in(rows, min_slot_length)
    base = set(runs) if draw(st.integers(0, 4), label="planted") else set()  # mostly: all the words of one fill
    lengths = sorted({len(run) for run in runs}) or [2]
    others = draw(st.integers(0, 12) | st.integers(0, 40), label="other words")
    for place in range(others):
        size = lengths[place % len(lengths)]
        base.add("".join(draw(st.lists(letters, min_size=size, max_size=size))))
    words = sorted(base) or [alphabet[:2]]
    scores = draw(st.lists(st.sampled_from(SCORES), min_size=len(words), max_size=len(words)), label="scores")
    result = Question(
        tuple(cells),
        dict(zip(words, scores, strict=True)),
        alphabet,
        min_slot_length,
        repeats=draw(st.booleans(), label="repeats"),
        min_score=draw(st.sampled_from([0.0, 0.0, 0.0, 0.0, 0.2, 50.0]), label="min_score"),
        max_fills=MAX_FILLS,
    )
    assume(result.has_slot)
    try:
        assert result.answer is not None
    except TooManyError:
        assume(False)
    return result


def options_for(engine: str) -> st.SearchStrategy[Options]:
    return st.sampled_from(configurations(engine))
