from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

from cpfill.lexicon import WordList, read_word_list

settings.register_profile(
    "cpfill",
    max_examples=80,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
# For a long look by hand: HYPOTHESIS_PROFILE=deep
settings.register_profile("deep", settings.get_profile("cpfill"), max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "cpfill"))


@pytest.fixture(scope="session")
def english() -> WordList:
    return read_word_list("en")


@pytest.fixture(scope="session")
def french() -> WordList:
    return read_word_list("fr")
