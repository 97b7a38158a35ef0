"""Answers that contradict one another."""

from __future__ import annotations

import pytest

from cpfill.problem.result import Clash, Evidence, find_clash


@pytest.mark.parametrize(
    ("shown", "said", "clash"),
    [
        (Evidence(filled=True), Evidence(refuted=True), Clash.REFUTED),
        (Evidence(fills=3), Evidence(most=2), Clash.MOST),
        (Evidence(fills=3), Evidence(most=3), None),
        (Evidence(value=(5.0, 1.0)), Evidence(bound=(4.0,)), Clash.BOUND),
        (Evidence(value=(4.0, 9.0)), Evidence(bound=(4.0,)), None),
        (Evidence(refuted=True), Evidence(filled=True), None),
        (Evidence(), Evidence(refuted=True, most=0, bound=(1.0,)), None),
    ],
)
def test_fills_refute_claims(shown: Evidence, said: Evidence, clash: Clash | None) -> None:
    assert find_clash(shown, said) is clash
