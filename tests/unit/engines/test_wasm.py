"""The kernels of the tab: what passes between Python and WebAssembly. The tests of every kernel run over them too."""

from __future__ import annotations

import gc
from array import array
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pytest

from cpfill.engines.mac.kernels import MacSpec
from cpfill.engines.toolkit.wasm import WasmInstance, call_module
from tests.unit.engines.wasmtime_host import IN_WASM

if TYPE_CHECKING:
    from types import ModuleType

pytestmark = pytest.mark.skipif(IN_WASM is None, reason="needs kernel.wasm, and wasmtime that runs it")


@pytest.fixture(name="module")
def in_wasm() -> ModuleType:
    assert IN_WASM is not None
    return IN_WASM.mac


def the_instance() -> WasmInstance:
    assert IN_WASM is not None
    return IN_WASM._instance


def spec_of(module: ModuleType, **changed: Any) -> MacSpec:
    """Return a specification of one slot, which has one word of two letters."""
    fields: dict[str, Any] = {
        "index": module.Index(26, [(2, b"\0\1")], []),
        "slots": [(0, [], [])],
        "domains": [b"\1"],
        "singles": [b"\1"],
    }
    return MacSpec(**{**fields, **changed})


@pytest.mark.parametrize("cost", [0, 7, 2**15, 2**31 - 1, 2**31, 2**45 + 3, 2**61])
@pytest.mark.parametrize("sign", [1, -1])
def test_whole_numbers_arrive_and_return(module: ModuleType, cost: int, sign: int) -> None:
    costs = module.Costs([array("q", [sign * cost]).tobytes()])
    kernel = module.Kernel(spec_of(module, budgets=[(costs, sign * cost)], seed=2**64 - 1))
    assert kernel.step(9.0, 9) is module.Answer.FOUND
    assert (kernel.words(), kernel.least_cost()) == ([0], sign * cost)


@pytest.mark.parametrize(
    "changed",
    [
        {"seed": 2**64},
        {"seed": -1},
        {"slots": 3},
        {"slots": [(0, [])]},
        {"domains": ["A"]},
        {"by_cell": 1},
        {"dear": ""},
    ],
)
def test_a_value_of_another_type_is_refused(module: ModuleType, changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="another type"):
        module.Kernel(spec_of(module, **changed))


def test_what_is_no_specification_is_refused(module: ModuleType) -> None:
    with pytest.raises(AttributeError):
        module.Kernel(object())
    with pytest.raises(TypeError):
        module.Kernel(Mock())


def test_it_works_after_many_refusals(module: ModuleType) -> None:
    for _ in range(2000):
        with pytest.raises(ValueError, match="1 to 64 letters"):
            module.Index(0, [], [])
    assert module.Kernel(spec_of(module)).step(9.0, 9) is module.Answer.FOUND


def test_what_python_forgets_is_dropped(module: ModuleType) -> None:
    kernel = module.Kernel(spec_of(module))
    words, number = type(kernel).words, kernel.number
    with pytest.raises(ValueError, match="a solution"):
        words(kernel)
    del kernel
    gc.collect()
    with pytest.raises(ValueError, match="objects of its own"):
        words(number)


def test_python_may_forget_in_the_middle_of_a_call(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, instance = module.Kernel(spec_of(module)), the_instance()
    left = [module.Kernel(spec_of(module)) for _ in range(3)]
    read, write = instance.read, instance.write

    def forget_and_read(start: int, size: int) -> bytes:
        del left[-1:]
        return read(start, size)

    def write_and_forget(start: int, data: bytes) -> None:
        write(start, data)
        del left[-1:]

    monkeypatch.setattr(instance, "read", forget_and_read)
    monkeypatch.setattr(instance, "write", write_and_forget)
    assert kernel.step(9.0, 9) is module.Answer.FOUND
    assert kernel.words() == [0]
    assert not left


def test_a_function_that_is_not_there_is_refused() -> None:
    instance = the_instance()
    with pytest.raises(ValueError, match="a function of its own"):
        call_module(instance, 999)
    with pytest.raises(ValueError, match="as many values"):
        call_module(instance, 1)
