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
from tests.property.test_draft import fits
from tests.property.test_generate import blocks_of, every, keeps, rows_of, slots
from tests.support import drain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cpfill.design import Design
    from tests.property.test_generate import Place, Rows

KINDS = [
    (3, "american", "rotate", 2),
    (3, "american", "none", 3),
    (4, "american", "rotate", 2),
    (4, "british", "rotate", 2),
    (3, "french", "none", 2),
    (4, "french", "rotate", 2),
    (4, "french", "mirror", 3),
    (3, "japanese", "none", 2),
    (4, "japanese", "diagonal", 2),
    (3, "free", "none", 2),
    (4, "free", "rotate90", 2),
]
TINY = 1e-9

SCORES = {"A": 80, "B": 20, "C": 50}
"""The scores of words, by their last letter."""

WORDS = st.lists(st.text("ABC", min_size=2, max_size=4), min_size=1, max_size=25, unique=True)


def fill(
    rows: Rows, shortest: int, words: list[str], repeated: frozenset[str] = frozenset()
) -> Iterator[frozenset[str]]:
    """Yield the words of every fill of a pattern; those of `repeated` may stand in several slots."""

    def fill_rest(
        left: list[list[Place]], letters: dict[Place, str], taken: frozenset[str]
    ) -> Iterator[frozenset[str]]:
        if not left:
            yield taken
            return
        for word in words:
            placed = letters | dict(zip(left[0], word, strict=False))
            free = word not in taken or word in repeated
            if free and len(word) == len(left[0]) and all(placed[at] == letters[at] for at in letters):
                yield from fill_rest(left[1:], placed, taken | {word})

    given = {(r, c): cell for r, row in enumerate(rows) for c, cell in enumerate(row) if cell not in "#."}
    yield from fill_rest(slots(rows, shortest), given, frozenset())


def complete(draft: list[str], patterns: Iterable[Rows]) -> list[Rows]:
    """Return the patterns that complete a draft, with its letters."""
    return [
        tuple(
            "".join(b if a == "?" else a for a, b in zip(*pair, strict=True)) for pair in zip(draft, known, strict=True)
        )
        for known in patterns
        if fits(known, draft)
    ]


def improve(demands: Demands, words: list[str], time_s: float) -> tuple[Design | None, StopReason]:
    """Return the last of the grids that get better, checked, and why the search ended."""
    lexicon = Lexicon([parse_word_list("\n".join(f"{word};{SCORES[word[-1]]}" for word in words))])
    found, reason = drain(improve_grids(demands, lexicon, limits=Limits(time_s=time_s)))
    for design in found:
        result = design.result
        assert result.fill is not None
        assert violations(design.problem, result.fill) == []
        assert design.value == (design.value[0],)
        assert design.proved == (result.bound == design.value)
    for one, other in pairwise(found):
        fills = [each.result.fill for each in (one, other)]
        if one.value == other.value and not demands.pool:
            qualities = [fill.quality(one.problem) for fill in fills if fill]
            assert qualities == sorted(qualities), "the last fill is better, with the same blocks"
            assert one.problem.grid == other.problem.grid
    values = [design.value for design in found]
    assert values == sorted(values, reverse=not demands.pool)
    return (found[-1] if found else None), reason


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=4)
@given(words=WORDS, draft=st.none() | st.text(st.sampled_from("????????????????.A#"), min_size=16, max_size=16))
def test_the_fewest_blocks_are_those_of_all_patterns(
    kind: tuple[int, str, str, int], words: list[str], draft: str | None
) -> None:
    height, style, symmetry, shortest = kind
    own = replace(STYLES[style], symmetry=Symmetry(symmetry), min_slot_length=shortest)
    rows = [(draft or "?" * 16)[start : start + height] for start in range(0, height * height, height)]
    try:
        around = read_draft(rows) if draft else None
    except InputError as error:
        assert "at least one slot" in str(error)  # noqa: PT017 - any other is a fault
        return
    patterns = complete(rows, every(height, height, style, symmetry, shortest))
    own_words = sorted({*words, *(around.given_words if around else ())})
    counts = ["".join(known).count("#") for known in patterns if any(fill(known, shortest, own_words))]
    demands = Demands(height, height, own, draft=around)
    best, reason = improve(demands, words, 30)
    assert reason is StopReason.EXHAUSTED
    assert [best.value if best else None] == ([(min(counts),)] if counts else [None])
    if best:
        assert best.proved
        grid = blocks_of(rows_of(best.problem.grid))
        assert fits(grid, rows)
        assert keeps(grid, style, symmetry, shortest)


@pytest.mark.long
@pytest.mark.parametrize("kind", [(3, "american", "rotate", 2), (3, "french", "none", 2), (4, "french", "rotate", 3)])
@settings(max_examples=4)
@given(words=WORDS, weights=st.lists(st.sampled_from([1.0, 2.5, 7.0]), min_size=4, max_size=4), data=st.data())
def test_the_heaviest_theme_is_within_its_bound(
    kind: tuple[int, str, str, int], words: list[str], weights: list[float], data: st.DataObject
) -> None:
    height, style, symmetry, shortest = kind
    fitting = [word for word in words if shortest <= len(word) <= height]
    pool = dict(zip(data.draw(st.permutations(fitting)), weights, strict=False))
    if not pool:
        return
    own = replace(STYLES[style], symmetry=Symmetry(symmetry), min_slot_length=shortest)
    known = every(height, height, style, symmetry, shortest)
    values = [sum(pool.get(word, 0) for word in taken) for rows in known for taken in fill(rows, shortest, words)]
    demands = Demands(height, height, own, pool=tuple(pool.items()))
    best, _ = improve(demands, words, 1)
    assert bool(best) <= bool(values)
    if best:
        assert best.result.bound is not None
        assert best.value <= (max(values),) <= best.result.bound
        assert keeps(blocks_of(rows_of(best.problem.grid)), style, symmetry, shortest)


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

    def values(self) -> set[float]:
        """Return what the fills of all patterns are worth."""
        known = sorted({*self.words, *self.theme, *self.seed_words, *filter(str.isalpha, self.draft)})
        repeated = frozenset(known if self.repeats else ()).difference(self.theme)
        patterns = every(len(self.draft), len(self.draft[0]), "free", self.symmetry, 2)
        return {
            math.fsum(self.theme.get(word, 0) for word in taken)
            for pattern in complete(self.draft, patterns)
            for taken in fill(pattern, 2, known, repeated)
            if taken.issuperset(self.seed_words)
        }


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
    values, pool = asked.values(), asked.theme
    *found, end = asked.ask().answer(Desk())
    assert isinstance(end, Generated)
    assert end.result.stop_reason is StopReason.EXHAUSTED
    for step in found:
        if isinstance(step, Ranked):
            fill, bound = step.design.result.fill, step.design.result.bound
            assert fill
            assert bound
            placed = [fill.word_at(slot) for slot in step.design.problem.slots]
            assert step.design.value == pytest.approx((sum(pool.get(word, 0) for word in placed),))
            assert bound[0] >= max(values) - TINY
    best = [step.design for step in found if isinstance(step, FoundGrid) and step.design]
    assert len(best) == bool(values)
    for design in best:
        assert design.proved
        assert design.value == pytest.approx((max(values),))


@pytest.mark.long
@pytest.mark.parametrize("themed", [False, True])
@pytest.mark.parametrize(("style", "symmetry"), [("french", "rotate"), ("japanese", "none"), ("free", "diagonal")])
@settings(max_examples=3)
@given(words=WORDS, more=WORDS)
def test_no_grid_is_better_than_the_bound_with_more_words_or_mirrored_ones(
    style: str, symmetry: str, themed: bool, words: list[str], more: list[str]
) -> None:
    demands = Demands(4, 4, replace(STYLES[style], symmetry=Symmetry(symmetry)))

    def search(words: list[str], pool: list[str]) -> tuple[Design | None, StopReason]:
        weights = tuple((word, float(len(word))) for word in pool)
        return improve(replace(demands, pool=weights if themed else ()), words, 1)

    best, _ = search(words, words[:3])
    others = (
        search(sorted({*words, *more}), words[:3]),
        search([each[::-1] for each in words], [w[::-1] for w in words[:3]]),
    )
    for other, reason in others if best else ():
        assert other or reason is not StopReason.EXHAUSTED
        if best and other and other.result.bound:
            pair = best.value, other.result.bound
            assert pair == tuple(sorted(pair, reverse=not themed))


@pytest.mark.parametrize(("height", "symmetry"), [(3, "none"), (4, "rotate"), (4, "mirror")])
def test_lines_are_proved_to_need_a_block_together(height: int, symmetry: str) -> None:
    words = ["".join(letters) for letters in product("AB", repeat=2)] + ["ABC", "BCA", "CAB", "ABCA", "BBBC", "CCAC"]
    demands = Demands(height, 4, replace(STYLES["french"], symmetry=Symmetry(symmetry)))
    patterns = ["".join(rows) for rows in every(height, 4, "french", symmetry, 2) if any(fill(rows, 2, words))]
    best, reason = improve(demands, words, 30)
    assert reason is StopReason.EXHAUSTED
    assert (best.value[0] if best else None) == min((rows.count("#") for rows in patterns), default=None)
