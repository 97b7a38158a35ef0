"""The parts of answers with verdicts: the last is an end, also after an interrupt; fills to check come as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.errors import GridError, InputError
from cpfill.questions.candidates import Verdict
from cpfill.questions.check import Audited, Check
from cpfill.questions.question import Desk, Done, End, question_class
from cpfill.questions.request import Request
from cpfill.questions.verdicts import JudgedAll, JudgedWord, RatedAll, Words

if TYPE_CHECKING:
    from pathlib import Path

ROWS = ["A..", ".#.", "..."]
WORDS = {"abc": 9.0, "ade": 8.0, "age": 7.0, "cxe": 6.0, "efe": 5.0, "eye": 4.0, "cue": 3.0}
FILL = ("ABC", "D#U", "EFE")
ASKED: list[tuple[str, dict[str, Any]]] = [
    ("candidates", {"slot": "1-Across"}),
    ("candidates", {"slot": "1-Across", "overview": True}),
    ("letters", {}),
    ("best", {"slot": "1-Across"}),
    ("check", {"fills": [FILL, FILL]}),
]


def request(rows: object = ROWS, **more: object) -> Request:
    return Request.of(rows, WORDS, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "asked"), ASKED)
def test_an_interrupt_ends_the_answer_with_its_end(name: str, asked: dict[str, Any]) -> None:
    question = question_class(name)(request=request(), **asked)
    *whole, last = question.answer(Desk())
    assert isinstance(last, JudgedAll | RatedAll | Done)
    assert not last.interrupted
    assert not any(isinstance(part, End) for part in whole)
    parts = question.answer(Desk())
    assert next(parts).record == whole[0].record
    end = parts.throw(KeyboardInterrupt)
    assert isinstance(end, JudgedAll | RatedAll | Done)
    assert end.interrupted
    assert isinstance(end, Done) or not end.refuted
    assert list(parts) == []


def test_only_all_words_refute_a_fill() -> None:
    """An end says so only if every word was judged."""
    for number, refuted in ((None, True), (1, False)):
        words = Words(request=request(min_score=8.0), slot="1-Across", number=number)
        *_, end = words.answer(Desk())
        assert isinstance(end, JudgedAll)
        assert end.refuted or not refuted
    *parts, end = Words(request=request(), slot="1-Across", only="no").answer(Desk())
    assert isinstance(end, JudgedAll)
    assert (parts, end.refuted, end.verdicts[Verdict.YES] > 0) == ([], False, True)


def test_each_word_comes_with_a_fill_that_shows_it() -> None:
    for part in Words(request=request(), slot="1-Across").answer(Desk()):
        if isinstance(part, JudgedWord):
            assert part.record["witness"] is not None
            assert part.record["witness"][0] == part.record["word"]


def test_fills_are_checked_in_their_order() -> None:
    fills = [FILL, ("ABC", "D#U", "ABC"), ["A..", ".#.", "..."]]
    first, second, third, done = Check(request=request(), fills=fills).records(Desk())  # type: ignore[arg-type]
    assert (first["fill"], first["valid"], first["value"]) == (1, True, 3)
    assert (second["fill"], {each["rule"] for each in second["violations"]}) == (2, {"C2", "C3"})
    assert {each["rule"] for each in third["violations"]} == {"C1"}
    assert done == {"done": True}


def test_a_fill_of_another_size_is_refused() -> None:
    parts = Check(request=request(), fills=(FILL, ("AB", "CD"))).answer(Desk())
    first = next(parts)
    assert isinstance(first, Audited)
    assert first.violations == []
    with pytest.raises(GridError, match="a fill of 3 x 3 cells, found 2 x 2"):
        next(parts)


@pytest.mark.parametrize("fills", [[], "ABC", 7, [7], [[7]], {"a": 1}])
def test_fills_are_arrays_of_rows(fills: Any) -> None:
    with pytest.raises(InputError, match="fills"):
        Check(request=request(), fills=fills)


def test_no_file_is_read_as_a_fill(tmp_path: Path) -> None:
    path = tmp_path / "fill.txt"
    path.write_text("\n".join(FILL))
    for given in (str(path), [str(path)]):
        with pytest.raises(InputError):
            list(Check(request=request(), fills=(given,)).answer(Desk()))  # type: ignore[arg-type]


def test_a_theme_that_no_slot_holds_counts_for_nothing() -> None:
    for theme, value in ((["abc"], 1), (["toolong"], 3)):
        audit, _ = Check(request=request(list(FILL), theme=theme)).records(Desk())
        assert (audit["valid"], audit["value"]) == (True, value)
