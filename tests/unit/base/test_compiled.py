"""The compiled modules go by the same numbers as their twins."""

from __future__ import annotations

import subprocess
import sys
from typing import Any
from unittest.mock import Mock

import pytest

from cpfill.base.errors import SCORE, EngineUnavailableError
from cpfill.base.imports import load_kernel
from cpfill.engines import letters, mac
from cpfill.engines.letters import twin as letters_twin
from cpfill.engines.mac import twin, twin_model, twin_propagator
from cpfill.words import packing
from cpfill.words import packing as packed


def compiled(kernels: dict[str, str]) -> Any:  # noqa: ANN401 - see `load_kernel`
    try:
        return load_kernel(kernels, "compiled")
    except EngineUnavailableError:
        pytest.skip("it was not compiled")


PYTHON = {
    "mac": (mac.KERNELS, vars(twin) | vars(twin_model) | vars(twin_propagator)),
    "letters": (letters.KERNELS, vars(letters_twin)),
    "packing": (packing.KERNELS, vars(packed)),
}


@pytest.mark.parametrize("name", PYTHON)
def test_constants_are_those_of_the_twin(name: str) -> None:
    kernels, own = PYTHON[name]
    constants = compiled(kernels).CONSTANTS
    assert constants
    assert constants == {constant: own[constant] for constant in constants}


def test_what_the_compiled_reader_takes_for_a_score_is_one() -> None:
    digits = compiled(packing.KERNELS).EXACT_DIGITS
    assert SCORE.holds(10.0**digits)
    assert SCORE.holds(10.0**-digits)


def test_answers_have_the_same_names() -> None:
    theirs, own = ([(each.name, each.value) for each in of] for of in (compiled(mac.KERNELS).Answer, twin.Answer))
    assert theirs == own


@pytest.mark.parametrize("kernels", [mac.KERNELS, letters.KERNELS], ids=["mac", "letters"])
def test_what_is_no_specification_is_refused(kernels: dict[str, str]) -> None:
    with pytest.raises(AttributeError):
        compiled(kernels).Kernel(object())
    with pytest.raises(TypeError):
        compiled(kernels).Kernel(Mock())


_LEFT = """
import atexit, gc
from cpfill import Lexicon, parse_word_list, read_grids
from cpfill.base.imports import load_kernel
from cpfill.engines import mac
from cpfill.engines.letters.spec import LettersSpec
from cpfill.engines.mac.kernels import KernelMaker
from cpfill.problem.problem import Problem

gc.disable()
atexit.register(gc.freeze)
problem = Problem(read_grids([".."])[1][0], Lexicon([parse_word_list("AB")]))
left = [LettersSpec.of(problem, reverse=False).make_kernel(None)]
left.append(KernelMaker(problem, load_kernel(mac.KERNELS, None)).make(problem.domains))
left.append(left)
del left
"""


def test_kernels_that_are_left_at_the_end_of_a_program_are_no_complaint() -> None:
    done = subprocess.run([sys.executable, "-c", _LEFT], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
