"""The kernels as every test of a kernel meets them: compiled, and `kernel.wasm` if it was built, run by wasmtime."""

from __future__ import annotations

import importlib
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from cpfill.engines.toolkit.wasm import MODULE, Trapped, WasmKernels

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType


class WasmtimeInstance:
    """An instance in wasmtime."""

    def __init__(self, path: Path) -> None:
        wasmtime = importlib.import_module("wasmtime")
        engine = wasmtime.Engine()
        self._store = wasmtime.Store(engine)
        module, linker = wasmtime.Module.from_file(engine, str(path)), wasmtime.Linker(engine)
        clock = wasmtime.FuncType([], [wasmtime.ValType.f64()])
        linker.define_func("host", "now", clock, lambda: 1000 * time.perf_counter())
        linker.define_unknown_imports_as_traps(module)
        self._exports = linker.instantiate(self._store, module).exports(self._store)
        self._base = self._exports["__stack_pointer"].value(self._store)
        self._trap = wasmtime.Trap
        self.call("_initialize")

    def call(self, name: str, *args: int) -> Any:
        try:
            return self._exports[name](self._store, *args)
        except self._trap as exc:
            self._exports["__stack_pointer"].set_value(self._store, self._base)
            raise Trapped from exc

    def read(self, start: int, size: int) -> bytes:
        return bytes(self._exports["memory"].read(self._store, start, start + size))

    def write(self, start: int, data: bytes) -> None:
        self._exports["memory"].write(self._store, data, start)


def wasm_kernels() -> WasmKernels | None:
    """Return what the compiled module has, or nothing where it cannot run."""
    try:
        return WasmKernels(WasmtimeInstance(MODULE)) if MODULE.exists() else None
    except ModuleNotFoundError:
        return None


def modules_of(engine: str, compiled: str) -> dict[str, ModuleType]:
    """Return the kernels of an engine that this installation has, by name."""
    found: dict[str, ModuleType] = {}
    with suppress(ModuleNotFoundError):
        found["compiled"] = importlib.import_module(compiled)
    if IN_WASM is not None:
        found["wasm"] = getattr(IN_WASM, engine)
    return found


IN_WASM = wasm_kernels()
