"""The fewest blocks and the heaviest theme, against all patterns there are and all their fills."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise, product
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cpfill.base.errors import InputError
from cpfill.design import STYLES, Demands, Symmetry, read_draft
from cpfill.design.improving import improve_grids
from cpfill.problem.check import violations
from cpfill.problem.event import StopReason
from cpfill.problem.result import Limits
from cpfill.questions.generate import FoundGrid, Generate, Generated, Ranked
from cpfill.questions.question import Desk
from cpfill.questions.request import Request
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import parse_word_list
from tests.property.patterns import block_count, blocks_of, every, fits, keeps, rows_of, slots, split
from tests.support import drain

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from cpfill.design import Design
    from tests.property.patterns import Rows

KINDS = [
    (3, "american", "none", 3),
    (4, "american", "rotate", 2),
    (4, "british", "rotate", 2),
    (4, "french", "mirror", 3),
    (3, "japanese", "none", 2),
    (4, "free", "rotate90", 2),
]
TINY = 1e-9

SCORES = {"A": 80, "B": 20, "C": 50}
"""The scores of words, by their last letter."""

WORDS = st.lists(st.text("ABC", min_size=2, max_size=4), min_size=1, max_size=25, unique=True)


def fill(
    rows: Rows, shortest: int, words: Collection[str], repeated: frozenset[str] = frozenset()
) -> Iterator[frozenset[str]]:
    """Yield the words of every fill of a pattern; those of `repeated` may stand in several slots."""
    given = {(r, c): cell for r, row in enumerate(rows) for c, cell in enumerate(row) if cell not in "#."}
    todo = [(slots(rows, shortest), given, frozenset[str]())]
    while todo:
        left, letters, taken = todo.pop()
        if not left:
            yield taken
            continue
        for word in words:
            placed = letters | dict(zip(left[0], word, strict=False))
            free = word not in taken or word in repeated
            if free and len(word) == len(left[0]) and all(placed[at] == letters[at] for at in letters):
                todo.append((left[1:], placed, taken | {word}))


def complete(draft: list[str], patterns: Iterable[Rows]) -> list[Rows]:
    """Return the patterns that complete a draft, with its letters."""
    width = len(draft[0])
    completed = []
    for known in patterns:
        if fits(known, draft):
            cells = zip("".join(draft), "".join(known), strict=True)
            text = "".join(sign if sign != "?" else cell for sign, cell in cells)
            completed.append(split(text, width))
    return completed


def improve(demands: Demands, words: list[str]) -> Design | None:
    """Return the best grid, after others that are worse; the search has come to its end."""
    lexicon = Lexicon([parse_word_list("\n".join(f"{word};{SCORES[word[-1]]}" for word in words))])
    found, reason = drain(improve_grids(demands, lexicon, limits=Limits(time_s=30)))
    assert reason is StopReason.EXHAUSTED
    for design in found:
        assert design.result.fill is not None
        assert violations(design.problem, design.result.fill) == []
        assert design.proved == (design.result.bound == design.value)
    for one, other in pairwise(found):
        assert one.value >= other.value
        if one.value == other.value:
            qualities = [each.result.fill.quality(one.problem) for each in (one, other) if each.result.fill]
            assert qualities == sorted(qualities), "the last fill is better, with the same blocks"
            assert one.problem.grid == other.problem.grid
    return found[-1] if found else None


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=4)
@given(words=WORDS, draft=st.text(st.sampled_from("????????????????.A#"), min_size=16, max_size=16))
def test_the_fewest_blocks_are_those_of_all_patterns(
    kind: tuple[int, str, str, int], words: list[str], draft: str
) -> None:
    height, style, symmetry, shortest = kind
    own = replace(STYLES[style], symmetry=Symmetry(symmetry), min_slot_length=shortest)
    rows = list(split(draft[: height * height], height))
    try:
        around = read_draft(rows)
    except InputError as error:
        assert "at least one slot" in str(error)  # noqa: PT017 - any other is a fault
        return
    patterns = complete(rows, every(height, height, style, symmetry, shortest))
    own_words = {*words, *around.given_words}
    counts = [float(block_count(known)) for known in patterns if any(fill(known, shortest, own_words))]
    best = improve(Demands(height, height, own, draft=around), words)
    assert (best.value if best else ()) == tuple(sorted(counts)[:1])
    if best:
        assert best.proved
        grid = blocks_of(rows_of(best.problem.grid))
        assert fits(grid, rows)
        assert keeps(grid, style, symmetry, shortest)


class Themed(NamedTuple):
    """What a grid around a theme is asked for."""

    symmetry: str
    draft: list[str]
    words: dict[str, float]
    theme: dict[str, float]
    seed_words: list[str]
    repeats: bool

    def ask(self) -> Generate:
        return Generate(
            request=Request.of(words=self.words, theme=self.theme, repeats=self.repeats),
            draft=read_draft(self.draft),
            style="free",
            symmetry=Symmetry(self.symmetry),
            seed_words=tuple(self.seed_words),
            filled=True,
        )

    def values(self) -> list[float]:
        """Return the worth of the fills of all patterns."""
        known = {*self.words, *self.theme, *self.seed_words, *filter(str.isalpha, self.draft)}
        repeated = frozenset(known if self.repeats else ()).difference(self.theme)
        patterns = every(len(self.draft), len(self.draft[0]), "free", self.symmetry, 2)
        values = []
        for pattern in complete(self.draft, patterns):
            taken = [each for each in fill(pattern, 2, known, repeated) if each.issuperset(self.seed_words)]
            values += [math.fsum(self.theme.get(word, 0) for word in words) for words in taken]
        return values


PAIRS = [*map("".join, product("ABC", repeat=2))]
DOUBLED: dict[str, float] = {"CC": 20, "DBD": 40, "CD": 30, "CB": 30, "DC": 50, "CBC": 50, "BC": 50}
SEEDED: dict[str, float] = {"EE": 40, "AB": 30, "BA": 20, "EA": 10, "AE": 40}


@example(Themed("diagonal", ["???"] * 3, DOUBLED, {"CB": 1, "CD": 1, "DBD": 1, "BC": 1}, [], repeats=True))
@example(Themed("rotate", ["??"] * 2, SEEDED, {"EA": 1, "AB": 1}, ["EA"], repeats=False))
@example(Themed("none", ["??"] * 2, {"AA": 50, "AB": 50}, {"BA": 2, "AB": 1}, ["BA"], repeats=True))
@example(Themed("none", ["BA", "??"], {"AA": 50, "CA": 50}, {"BA": 2, "CA": 1}, [], repeats=True))
@example(Themed("none", ["AB", "##", ".."], {"AC": 10, "AB": 90}, {"AB": 1}, [], repeats=True))
@example(Themed("none", ["?#?", "?Z?"], {"AZA": 50, "AA": 50, "BA": 50}, {"ABC": 1}, [], repeats=False))
@settings(max_examples=20)
@given(
    st.builds(
        Themed,
        symmetry=st.sampled_from(["none", "rotate", "mirror"]),
        draft=st.sampled_from([["??"] * 2, ["???"] * 2]),
        words=st.dictionaries(
            st.sampled_from(PAIRS) | st.text("ABC", min_size=3, max_size=3), st.sampled_from([10, 50, 90]), min_size=4
        ),
        theme=st.dictionaries(st.sampled_from(PAIRS), st.sampled_from([0.07, 0.1, 0.2, 0.3, 1.1, 7]), min_size=1),
        seed_words=st.lists(st.sampled_from(PAIRS), max_size=1),
        repeats=st.booleans(),
    )
)
def test_the_heaviest_theme_is_that_of_all_grids(asked: Themed) -> None:
    values = asked.values()
    *found, end = asked.ask().answer(Desk())
    assert isinstance(end, Generated)
    assert end.result.stop_reason is StopReason.EXHAUSTED
    for step in found:
        if isinstance(step, Ranked):
            result = step.design.result
            assert result.fill
            assert result.bound
            placed = [result.fill.word_at(slot) for slot in step.design.problem.slots]
            assert step.design.value == pytest.approx((sum(asked.theme.get(word, 0) for word in placed),))
            assert result.bound[0] >= max(values) - TINY
    best = [step.design for step in found if isinstance(step, FoundGrid) and step.design]
    assert len(best) == bool(values)
    for design in best:
        assert design.proved
        assert design.value == pytest.approx((max(values),))


@pytest.mark.parametrize(("height", "symmetry"), [(3, "none"), (4, "mirror")])
def test_lines_are_proved_to_need_a_block_together(height: int, symmetry: str) -> None:
    words = [*map("".join, product("AB", repeat=2)), "ABC", "BCA", "CAB", "ABCA", "BBBC", "CCAC"]
    best = improve(Demands(height, 4, replace(STYLES["french"], symmetry=Symmetry(symmetry))), words)
    patterns = every(height, 4, "french", symmetry, 2)
    counts = [block_count(rows) for rows in patterns if any(fill(rows, 2, words))]
    assert best
    assert best.value == (min(counts),)
