"""Why there is no fill, in words: one case for each thing there is to say."""

from __future__ import annotations

import re
from collections import Counter
from contextvars import copy_context
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.errors import InvalidFillError, UnsupportedError
from cpfill.base.texts import FRENCH, speak
from cpfill.problem.check import violations
from cpfill.problem.result import Limits, Status
from cpfill.public import solve
from cpfill.puzzle.grid import Direction
from cpfill.questions.explain.conflict import Constraint, Kind
from cpfill.questions.explain.explanation import Explanation, explain, explain_in_steps
from cpfill.questions.explain.wording import draw_conflict, tell, tell_repair
from tests.cli.liars import Scribbler
from tests.support import question

if TYPE_CHECKING:
    from collections.abc import Mapping


NAMES = re.compile(r"`[^`]*`|R\d+C\d+|\d+(?:\.\d+)?|\b(?![AHV]\b)[A-Z]+\b")
ENGLISH = re.compile(r"\b(the|of|or|and|no|not|word|words|slot|fill|letter|helps|scores|works?)\b")


def explained(*rows: str, words: str | Mapping[str, float], **rules: Any) -> Explanation:
    """Return an explanation that says in French what it says in English."""
    explanation = explain(question(*rows, words=words, **rules).problem())
    context = copy_context()
    context.run(speak, FRENCH)
    for english, french in zip(tell(explanation), context.run(tell, explanation), strict=True):
        assert Counter(NAMES.findall(french)) == Counter(NAMES.findall(english))
        assert not ENGLISH.search(NAMES.sub("", french)), french
    return explanation


def text(*rows: str, words: str | Mapping[str, float], **rules: Any) -> str:
    return " ".join(tell(explained(*rows, words=words, **rules)))


def test_one_slot_that_a_rule_leaves_no_word() -> None:
    assert text("..", words={"AB": 10.0}, max_obscure=0, below=20.0).startswith(
        "1-Across `??` cannot be a word, because no word may score under 20."
    )


def test_a_pattern_that_no_word_fits() -> None:
    assert text(".Q.", words="CAT DOG") == (
        "No word of 3 letters fits 1-Across `?Q?`. Freeing R1C2 (Q) helps: A and O work there."
    )


def test_only_the_givens_that_matter_are_named() -> None:
    said = explained("CQT", words="CAT DOG")
    assert tell(said)[0] == "No word of 3 letters fits 1-Across `?Q?`."
    assert said.conflict is not None
    assert said.conflict.subset == {Constraint(Kind.SLOT, 0), Constraint(Kind.GIVEN, 1)}


def test_a_letter_set() -> None:
    said = text("C[XYZ]T", words="CAT DOG")
    assert said.startswith("No word of 3 letters fits 1-Across `?[XYZ]?`. Freeing R1C2 ([XYZ]) helps: A works there.")


def test_a_slot_too_long_for_any_word() -> None:
    assert text("....", words="CAT").startswith("1-Across has 4 cells, longer than any word (3).")
    assert text("...", words="OX HORSE").startswith("1-Across has 3 cells, a length no word has.")


def test_words_that_fit_but_score_too_little() -> None:
    said = text("C..", words={"CAT": 20.0, "COD": 30.5, "DOG": 60.0}, min_score=50)
    assert said.startswith("No word that fits 1-Across `C??` scores 50 or more: the best is COD with 30.5.")
    assert said.endswith("The best minimum score of a fill is 30.5.")
    said = text("...", words={"CAT": 20.0, "COD": 30.5}, min_score=50.0)
    assert said.startswith("No word that fits 1-Across `???` scores 50 or more: the best is COD with 30.5.")


def test_a_word_that_scores_too_little_may_be_allowed_in_one_slot() -> None:
    """No letters are named that are no word, and of the words that help in a slot the best."""
    words = {"CAT": 90.0, "TIP": 30.0, "TOP": 20.0, "TAP": 0.0}
    said = tell(explained("T..", "###", "C..", words=words, min_score=80))
    assert "Allowing one word helps: TIP (30) in 1-Across." in said
    explanation = explained("T..", "###", "C..", words={"CAT": 90.0, "TAP": 0.0}, min_score=80)
    assert {repair.constraint.kind: repair.reads for repair in explanation.repairs} == {Kind.SLOT: ""}


def test_a_word_that_a_slot_may_not_hold_may_be_allowed_there() -> None:
    narrowed = {(Direction.ACROSS, 0): frozenset({"DOG"})}
    explanation = explain(replace(question("C..", words="CAT DOG").problem(), narrowed=narrowed))
    assert "Allowing one word helps: CAT (50) in 1-Across." in tell(explanation)
    (given, slot) = explanation.repairs
    assert tell_repair(explanation.problem, slot) == "Allowing CAT (50) in 1-Across helps."
    assert (given.constraint.kind, given.reads) == (Kind.GIVEN, "D")


def test_a_slot_is_left_open_only_where_nothing_else_helps() -> None:
    explanation = explained("..", "..", words="AB CD AC")
    opened = [repair.constraint for repair in explanation.repairs]
    assert opened
    assert {(kind, explanation.problem.slots[id_].name) for kind, id_ in opened} <= {
        (Kind.SLOT, name) for name in ("1-Across", "3-Across", "1-Down", "2-Down")
    }
    (said,) = [line for line in tell(explanation) if line.startswith("Leaving one slot open helps: ")]
    assert said.endswith(". It is then no listed word, so try other blocks there.")
    assert tell_repair(explanation.problem, explanation.repairs[0]).endswith(
        " open helps, but it is then no listed word."
    )


def test_two_slots_that_cross() -> None:
    said = text("..", ".#", words="AB CD EF")
    assert said.startswith("1-Across `??` and 1-Down `??` cannot both be words, because no word may be used twice.")
    said = text("K..", ".##", "..#", words="KEY KIT AX BX")
    assert said.startswith(
        "2-Across `??` and 1-Down `???` cannot both be words: at R3C1 2-Across can have A or B, 1-Down T or Y."
    )
    everywhere = {f"{letter}A": 50.0 for letter in "ABCDEFGHIJKLMNOPQRSTUVWY"} | {"XYZ": 50.0}
    said = text("...", ".##", words=everywhere)
    assert "at R1C1 1-Across can have only X, 1-Down any letter but X and Z." in said


def test_two_slots_that_can_only_be_one_word() -> None:
    said = text("C..", "###", "..T", words="CAT DOG PIG")
    assert said.startswith("1-Across `C??` and 2-Across `??T` can both only be CAT, because no word may be used twice.")
    assert "Freeing R1C1 (C) helps: D and P work there." in said
    assert "Freeing R3C3 (T) helps: G works there." in said


def test_more_slots() -> None:
    said = text("..", "..", words="AB CD EF", repeats=True)
    assert "cannot" in said
    assert "be words" in said


def test_two_reasons() -> None:
    said = text("Q..", "###", "..Q", words="CAT DOG")
    assert said.endswith("No single one of these changes is enough: there are other reasons as well.")


def test_the_slots_that_hold_the_score_down() -> None:
    words = {"CAT": 90.0, "COD": 70.0, "DOG": 40.0, "TIP": 30.0, "TOP": 20.0}
    said = explained("T..", "###", "C..", words=words, min_score=80)
    assert tell(said)[-2:] == [
        "The best minimum score of a fill is 30.",
        "At 70: No word that fits 1-Across `T??` scores 70 or more: the best is TIP with 30.",
    ]
    said = explained("..P", "###", "D..", words=words | {"PIP": 95.0}, min_score=98)
    assert tell(said)[-2:] == [
        "The best minimum score of a fill is 40.",
        "At 95: No word that fits 2-Across `D??` scores 95 or more: the best is DOG with 40.",
    ]


def test_required_words() -> None:
    said = text("C..", "###", "D..", words="CAT DOG PIG", required=frozenset({"PIG"}))
    assert said.startswith(
        "The required word PIG fits no slot, because the givens R1C1 (C) and R3C1 (D) are in the way."
    )
    assert "Leaving out the required word PIG helps." in said
    said = text("...", words="CAT DOG", required=frozenset({"CAT", "DOG"}))
    assert said.startswith("The required words CAT and DOG do not all fit in the grid.")
    said = text("...", ".##", words="CAT PIG PO", required=frozenset({"CAT"}))
    assert said.startswith("The required word CAT cannot stand in the grid if 1-Down `??` is a word.")


def test_words_that_are_alike() -> None:
    said = text("...", "###", "...", words="TEN NET", no_shared=True)
    assert "cannot both be words, because no two words may be alike." in said


def test_words_that_score_little() -> None:
    few = {"CAT": 90.0, "DOG": 10.0, "PIG": 20.0}
    said = text("...", "###", "...", words=few, max_obscure=0, below=50.0)
    assert "because no word may be used twice and no word may score under 50." in said
    said = text("...", "###", "...", "###", "...", words=few, max_obscure=1, below=50.0)
    assert "cannot all be words, because no word may be used twice and at most 1 words may score under 50." in said


def test_there_is_a_fill() -> None:
    said = explained("...", words="CAT")
    assert said.status is Status.SATISFIED
    assert tell(said) == ["There is a fill: nothing to explain."]


def test_no_time() -> None:
    said = explain(question("..", "..", words="AB CD").problem(), limits=Limits(time_s=0))
    assert said.status in {Status.UNKNOWN, Status.UNSATISFIABLE}
    assert not said.minimal
    assert not said.finished
    undecided = explain(question("...", "...", words="ABC DEF AD BE CF").problem(), limits=Limits(time_s=0))
    assert undecided.status is Status.UNKNOWN
    assert tell(undecided) == []


def test_every_step_is_right_and_no_larger_than_the_one_before() -> None:
    problem = question("C..A", "....", "....", "Z..B", words="ABCD EFGH CAAA CBBB").problem()
    sizes = [len(step.conflict.subset) for step in explain_in_steps(problem) if step.conflict]
    assert sizes == sorted(sizes, reverse=True)


def test_the_drawing() -> None:
    said = explained("CQT#", "#[AB]#.", words="CAT DOG", min_slot_length=3)
    assert said.conflict is not None
    rows = draw_conflict(said.problem, said.conflict.subset)
    assert ["".join(sign for sign, _ in row) for row in rows] == ["?Q?#", "#.#."]
    assert [[marked for _, marked in row] for row in rows] == [[True, True, True, False], [False] * 4]
    sets = explained("C[XYZ]T", words="CAT")
    assert sets.conflict is not None
    assert [sign for sign, _ in draw_conflict(sets.problem, sets.conflict.subset)[0]] == ["?", "*", "?"]


def test_what_is_undecided_is_said() -> None:
    said = explained(".Q.", words="CAT DOG")
    assert said.conflict is not None
    doubtful = replace(
        said,
        conflict=replace(said.conflict, undecided=frozenset({Constraint(Kind.GIVEN, 1)})),
        repairs=said.repairs[1:],
    )
    assert not doubtful.minimal
    assert "Not proved minimal: this reason may not need R1C2 (Q)." in tell(doubtful)
    assert "Undecided: it may be enough to change R1C2 (Q)." in tell(doubtful)


def test_a_fill_keeps_the_givens_in_no_slot() -> None:
    said = explained("...", "###", "Z##", words="CAT")
    assert said.fill is not None
    assert said.fill.rows == ["CAT", "###", "Z##"]
    assert violations(said.problem, said.fill) == []


@pytest.mark.parametrize("rows", [("...", "###", "..."), ("QQX",)])
def test_an_engine_that_lies_is_caught_as_by_a_solve(rows: tuple[str, ...]) -> None:
    problem = question(*rows, words="CAT DOG").problem()
    with pytest.raises(InvalidFillError, match="engine fc produced a wrong fill"):
        solve(problem, engine=Scribbler())
    with pytest.raises(InvalidFillError, match="engine fc produced a wrong fill"):
        explain(problem, engine=Scribbler())


def test_theme_words_with_repeats() -> None:
    problem = question("...", words="CAT", repeats=True, theme={"CAT": 1.0}).problem()
    with pytest.raises(UnsupportedError, match="theme words and repeats"):
        explain(problem)
