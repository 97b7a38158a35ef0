"""Fixtures, and a check that the engine under test obeys its limits; the tests of the tree use them too."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, settings

from cpfill.testing.probe import describe_fault, pose_hard_problem
from cpfill.testing.questions import CHOSEN
from cpfill.words.wordlist import WordList, read_word_list

if TYPE_CHECKING:
    from cpfill.problem.problem import Problem

settings.register_profile(
    "cpfill",
    max_examples=50,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
# For a long look by hand: HYPOTHESIS_PROFILE=deep
settings.register_profile("deep", settings.get_profile("cpfill"), max_examples=5000)
# For a first look: HYPOTHESIS_PROFILE=brief
settings.register_profile("brief", settings.get_profile("cpfill"), max_examples=8)
# For an engine that is known to be wrong: HYPOTHESIS_PROFILE=unshrunk
settings.register_profile("unshrunk", settings.get_profile("cpfill"), phases=[Phase.generate])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "cpfill"))


@pytest.fixture(scope="session", autouse=True)
def _engine_heeds_its_limits() -> None:
    """Fail every test of an engine that would hang the first of them."""
    if CHOSEN and (fault := describe_fault(CHOSEN)):
        pytest.fail(fault, pytrace=False)


@pytest.fixture(scope="session")
def english() -> WordList:
    return read_word_list("en-words")


@pytest.fixture(scope="session")
def hard_problem() -> Problem:
    """Return a problem that no engine settles soon."""
    return pose_hard_problem()
