"""The kernels of the tab: what passes between Python and WebAssembly. The tests of every kernel run over them too."""

from __future__ import annotations

import gc
from array import array
from typing import TYPE_CHECKING, Any
from unittest.mock import DEFAULT, Mock

import pytest

from cpfill.engines.toolkit.wasm import WasmInstance, call_module
from tests.unit.engines.test_mac_kernel import build
from tests.unit.engines.wasmtime_host import IN_WASM

if TYPE_CHECKING:
    from types import ModuleType

pytestmark = pytest.mark.skipif(IN_WASM is None, reason="needs kernel.wasm, and wasmtime that runs it")


@pytest.fixture
def module() -> Any:
    assert IN_WASM is not None
    return IN_WASM.mac


@pytest.fixture
def instance() -> WasmInstance:
    assert IN_WASM is not None
    return IN_WASM._instance


def kernel_of(module: ModuleType, **changed: Any) -> Any:
    """Return a kernel for one slot, which has one word of two letters."""
    fields = {"slots": [(0, 0, [], [])], "domains": [b"\1"]} | changed
    return build(module, 26, [(2, b"\0\1")], **fields)


@pytest.mark.parametrize("cost", [0, 7, 2**15, 2**31 - 1, 2**31, 2**45 + 3, 2**61])
@pytest.mark.parametrize("sign", [1, -1])
def test_whole_numbers_arrive_and_return(module: ModuleType, cost: int, sign: int) -> None:
    costs = module.Costs([array("q", [sign * cost]).tobytes()])
    kernel = kernel_of(module, budgets=[(costs, sign * cost)], seed=2**64 - 1)
    assert kernel.step(9.0, 9) is module.Answer.FOUND
    assert (kernel.words(), kernel.least_cost()) == ([0], sign * cost)


@pytest.mark.parametrize(
    "changed",
    [
        {"seed": 2**64},
        {"seed": -1},
        {"slots": 3},
        {"slots": [(0, 0, [])]},
        {"domains": ["A"]},
        {"by_cell": 1},
        {"dear": ""},
    ],
)
def test_a_value_of_another_type_is_refused(module: ModuleType, changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="another type"):
        kernel_of(module, **changed)


@pytest.mark.parametrize(("wrong", "error"), [(object(), AttributeError), (Mock(), TypeError)], ids=["object", "mock"])
def test_other_objects_are_no_specifications(module: ModuleType, wrong: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        module.Kernel(wrong)


def test_it_works_after_many_refusals(module: ModuleType) -> None:
    for _ in range(2000):
        with pytest.raises(ValueError, match="1 to 64 letters"):
            module.Index(0, [], [])
    assert kernel_of(module).step(9.0, 9) is module.Answer.FOUND


def test_forgotten_objects_are_dropped(module: ModuleType) -> None:
    kernel = kernel_of(module)
    words, number = type(kernel).words, bytes(kernel)
    with pytest.raises(ValueError, match="a solution"):
        words(kernel)
    del kernel
    gc.collect()
    with pytest.raises(ValueError, match="objects of its own"):
        words(number)


def test_python_may_forget_in_a_call(
    module: ModuleType, instance: WasmInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = kernel_of(module)
    left = [kernel_of(module) for _ in range(3)]

    def forget(*_: object) -> Any:
        del left[-1:]
        return DEFAULT

    monkeypatch.setattr(instance, "read", Mock(wraps=instance.read, side_effect=forget))
    monkeypatch.setattr(instance, "write", Mock(wraps=instance.write, side_effect=forget))
    assert kernel.step(9.0, 9) is module.Answer.FOUND
    assert kernel.words() == [0]
    assert not left


@pytest.mark.parametrize(("function", "message"), [(999, "a function of its own"), (1, "as many values")])
def test_a_wrong_call_is_refused(instance: WasmInstance, function: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call_module(instance, function)
