"""Compiled modules: what they take and leave, and what becomes of an installation without them."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from typing import TYPE_CHECKING
from unittest.mock import Mock

import pytest

from cpfill.base.errors import SCORE, EngineUnavailableError
from cpfill.base.imports import load_kernel, when_missing
from cpfill.engines import letters, mac, make_engine
from cpfill.problem.result import Status
from cpfill.public import count_fills, solve
from cpfill.words import packing

if TYPE_CHECKING:
    from types import ModuleType


def compiled(module: str) -> ModuleType:
    try:
        return import_module(module)
    except ModuleNotFoundError:
        pytest.skip("it was not compiled")


def test_the_reader_has_the_constants_of_its_twin() -> None:
    reader = compiled(packing.KERNELS[0])
    assert reader.CONSTANTS
    assert reader.CONSTANTS.items() <= vars(packing).items()
    assert SCORE.holds(10.0**reader.EXACT_DIGITS)
    assert SCORE.holds(10.0**-reader.EXACT_DIGITS)


@pytest.mark.parametrize("kernel", [mac.KERNEL, letters.KERNEL], ids=["mac", "letters"])
@pytest.mark.parametrize(("wrong", "error"), [(object(), AttributeError), (Mock(), TypeError)], ids=str)
def test_other_objects_are_no_specifications(kernel: str, wrong: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        compiled(kernel).Kernel(wrong)


@pytest.fixture
def without_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (mac.KERNEL, letters.KERNEL, packing.KERNELS[0]):
        monkeypatch.setitem(sys.modules, module, None)


@pytest.mark.usefixtures("without_kernels")
def test_a_missing_kernel_is_told_once() -> None:
    act = Mock()
    for _ in range(sys.getrecursionlimit()):
        when_missing(act)
    with pytest.raises(EngineUnavailableError):
        load_kernel(mac.KERNEL)
    act.assert_called_once()


@pytest.mark.usefixtures("without_kernels")
@pytest.mark.parametrize("engine", ["mac", "letters"])
def test_an_engine_without_its_kernel_says_what_to_do(engine: str) -> None:
    with pytest.raises(EngineUnavailableError, match=r"lacks: install cpfill again.*cpsat, fc, fc-cbj"):
        make_engine(engine)


@pytest.mark.usefixtures("without_kernels")
def test_without_kernels_grids_are_filled_and_fills_are_counted() -> None:
    """AD crosses none of the other words: AB over CD, and AC over BD, are all the squares there are."""
    words = ["AB", "AC", "BD", "CD", "AD"]
    result = solve(["..", ".."], words)
    assert (result.engine, result.status) == ("auto", Status.SATISFIED)
    assert result.fill is not None
    assert set(result.fill.words.values()) == {"AB", "AC", "BD", "CD"}
    assert count_fills(["..", ".."], words).fills == 2
    assert solve(["..", ".."], words, objective="sum").status is Status.OPTIMAL


_LEFT = """
import atexit, gc
from cpfill import Lexicon, parse_word_list, read_grids
from cpfill.base.imports import load_kernel
from cpfill.engines import mac
from cpfill.engines.letters.cubes import LettersSpec
from cpfill.engines.mac.kernels import KernelMaker
from cpfill.problem.problem import Problem

gc.disable()
atexit.register(gc.freeze)
problem = Problem(read_grids([".."])[1][0], Lexicon([parse_word_list("AB")]))
left = [LettersSpec.of(problem, reverse=False).make_kernel()]
left.append(KernelMaker(problem, load_kernel(mac.KERNEL)).make(problem.domains))
left.append(left)
del left
"""


def test_kernels_may_outlive_a_program() -> None:
    done = subprocess.run([sys.executable, "-c", _LEFT], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
