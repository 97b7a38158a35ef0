"""The kernel of Pyodide: what passes between Python and WebAssembly. The tests of every kernel run over it too."""

from __future__ import annotations

import gc
from array import array
from typing import Any
from unittest.mock import Mock

import pytest

from cpfill.engines.mac import twin, twin_model, twin_propagator
from cpfill.engines.mac.kernels import MacSpec
from cpfill.engines.mac.wasm import WasmKernels, ask
from tests.unit.engines.wasmtime_host import wasm_kernels

made = wasm_kernels()
pytestmark = pytest.mark.skipif(made is None, reason="needs kernel.wasm, and wasmtime that runs it")


@pytest.fixture(name="module")
def in_wasm() -> WasmKernels:
    assert made is not None
    return made


def spec_of(module: WasmKernels, **changed: Any) -> MacSpec:  # noqa: ANN401
    """Return a specification of one slot, which has one word of two letters."""
    fields: dict[str, Any] = {
        "index": module.Index(26, [(2, b"\0\1")], 0),
        "slots": [(0, [], [])],
        "domains": [b"\1"],
        "singles": [b"\1"],
    }
    return MacSpec(**{**fields, **changed})


def test_it_goes_by_the_numbers_of_the_twin(module: WasmKernels) -> None:
    own = vars(twin) | vars(twin_model) | vars(twin_propagator)
    assert {constant: own[constant] for constant in module.CONSTANTS} == module.CONSTANTS
    assert len(module.CONSTANTS) > 10
    answers, others = ([(each.name, each.value) for each in of] for of in (module.Answer, twin.Answer))
    assert answers == others


@pytest.mark.parametrize("cost", [0, 7, 2**15, 2**31 - 1, 2**31, 2**45 + 3, 2**61])
@pytest.mark.parametrize("sign", [1, -1])
def test_whole_numbers_arrive_and_return(module: WasmKernels, cost: int, sign: int) -> None:
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
def test_a_value_of_another_type_is_refused(module: WasmKernels, changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="another type"):
        module.Kernel(spec_of(module, **changed))


def test_what_is_no_specification_is_refused(module: WasmKernels) -> None:
    with pytest.raises(AttributeError):
        module.Kernel(object())  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        module.Kernel(Mock())


def test_it_works_after_many_refusals(module: WasmKernels) -> None:
    for _ in range(2000):
        with pytest.raises(ValueError, match="1 to 64 letters"):
            module.Index(0, [], 0)
    assert module.Kernel(spec_of(module)).step(9.0, 9) is module.Answer.FOUND


def test_what_python_forgets_is_dropped(module: WasmKernels) -> None:
    kernel = module.Kernel(spec_of(module))
    number, words = kernel.number, module._call["words"]
    with pytest.raises(ValueError, match="a solution"):
        words(number)
    del kernel
    gc.collect()
    with pytest.raises(ValueError, match="objects of its own"):
        words(number)


def test_python_may_forget_in_the_middle_of_a_call(module: WasmKernels, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, instance = module.Kernel(spec_of(module)), module._instance
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


def test_a_function_that_is_not_there_is_refused(module: WasmKernels) -> None:
    instance = module._instance
    with pytest.raises(ValueError, match="a function of its own"):
        ask(instance, 999)
    with pytest.raises(ValueError, match="as many values"):
        ask(instance, 1)
