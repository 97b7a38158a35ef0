"""Clues set in narrow cells."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpfill.formats.pages.arrows import LEADING, ArrowType, break_clue, find_breaks, fit_clues
from tests.tables import read_table

HYPHENS = read_table("unit/formats/typography.toml")["hyphens"]
WORDS = st.text("aeioubcdlrnst-é", min_size=1, max_size=25)
TEXTS = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)


def half(text: str) -> float:
    return len(text) / 2


HALF, WHOLE = ArrowType(half, 1.0, "fr"), ArrowType(len, 1.0, "fr")


@pytest.mark.parametrize("language", HYPHENS)
def test_words_are_broken_as_their_language_breaks_them(language: str) -> None:
    for word, parts in HYPHENS[language].items():
        ends = [0, *find_breaks(word, language), len(word)]
        assert "-".join(word[start:end] for start, end in pairwise(ends)) == parts


@given(TEXTS, st.integers(2, 40))
def test_only_words_too_long_get_a_hyphen(text: str, room: int) -> None:
    lines, parted = break_clue(text, room, WHOLE)
    assert all(len(line) <= room for line in lines)
    pieces = re.sub(r"-+", r"\g<0> ", text).split()  # a line may end after hyphens, not between them
    assert parted == any(len(piece) > room for piece in pieces)
    bare = "".join(lines).replace("-", "").replace(" ", "")
    assert bare == text.replace("-", "").replace(" ", "")
    if not parted:
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@given(st.lists(TEXTS, min_size=1, max_size=2), st.sampled_from([5.0, 9.0, 14.0]))
def test_texts_fit_their_room_as_large_as_can_be(texts: list[str], least: float) -> None:
    room = (44.0, 40.0)
    setting = fit_clues(texts, room, HALF, 8.0, least)
    assert len(setting.lines) == len(texts)
    assert setting.size <= 8.0
    assert sum(map(len, setting.lines)) * LEADING * setting.size <= room[1]
    assert all(half(line) * setting.size <= room[0] for lines in setting.lines for line in lines)
    larger = setting.size * 1.05
    broken = [break_clue(text, room[0] / larger, HALF) for text in texts]
    fits = sum(len(lines) for lines, _ in broken) * LEADING * larger <= room[1]
    assert larger > 8.0 or not fits or any(parted for _, parted in broken)


def test_a_word_is_left_whole_where_that_costs_little() -> None:
    assert fit_clues(["a vigoureusement"], (44.0, 40.0), HALF, 6.5, 1.0).lines == [["a", "vigoureusement"]]
    assert fit_clues(["a vigoureusement"], (44.0, 40.0), HALF, 9.0, 1.0).lines == [["a", "vigoureu-", "sement"]]


@pytest.mark.parametrize("text", ["", "x" * 10_000, "ab " * 5_000])
def test_any_text_is_set(text: str) -> None:
    assert math.isfinite(fit_clues([text], (44.0, 40.0), HALF, 8.0, 4.5).size)
