"""Candidates believe no engine: a fill that is shown has been audited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, cast

import pytest

from cpfill.base.errors import InputError, InvalidFillError, UnsupportedError
from cpfill.base.threads import StopToken
from cpfill.engines.mac.engine import MacEngine
from cpfill.problem.fill import Fill
from cpfill.problem.result import Limits, Outcome
from cpfill.questions.candidates import Candidates
from tests.support import question

if TYPE_CHECKING:
    from cpfill.engines.contract import Probe
    from cpfill.problem.problem import Problem

ASKED = question("..", "..", words="AB CD AC BD BA AA")


class Scribbler(MacEngine):
    """Says yes to everything, and writes Q everywhere."""

    name: ClassVar[str] = "scribbler"

    def probe(self, problem: Problem, seed: int) -> Any:  # noqa: ANN401
        probe: Probe = super().probe(problem, seed)
        wrong = Fill(("Q",) * len(problem.grid.cells), problem.grid)
        cast("Any", probe).ask = lambda *_: (Outcome.FOUND, wrong)
        return probe


def test_a_witness_is_audited() -> None:
    candidates = Candidates(ASKED.problem(), engine=Scribbler())
    with pytest.raises(InvalidFillError, match="engine scribbler produced a wrong fill: C2: QQ in row 1"):
        next(candidates.judge_words(0))
    with pytest.raises(InvalidFillError):
        next(candidates.judge_letters())


def test_an_engine_that_answers_no_questions() -> None:
    with pytest.raises(UnsupportedError, match="engine fc cannot judge candidates; mac can"):
        Candidates(ASKED.problem(), engine="fc")


def test_a_token_leaves_what_is_not_decided_open() -> None:
    stop = StopToken()
    stop.set()
    judged = Candidates(ASKED.problem(), limits=Limits(stop=stop)).judge_words(0)
    assert {each.verdict for each in judged} == {"open"}


def test_a_cell_in_no_slot() -> None:
    alone = question("..", "#.", "A#", words="AB CD BA BD").problem()
    with pytest.raises(InputError, match="expected a cell in a slot, found R3C1"):
        next(Candidates(alone).judge_letters([4]))
