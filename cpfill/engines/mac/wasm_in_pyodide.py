"""The compiled kernel of Pyodide, if there is a `kernel.wasm` beside this file: `kernel/wasm/build.py` makes it.

The module is compiled while Python waits, which browsers allow in workers.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import js
from pyodide.ffi import JsException, to_js

from cpfill.engines.mac.wasm import Trapped, WasmKernels

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["COMPILER", "CONSTANTS", "Answer", "Costs", "Index", "Kernel"]


class PyodideInstance:
    """An instance in the JavaScript around Pyodide, without a line of JavaScript."""

    def __init__(self, code: bytes) -> None:
        web = js.WebAssembly
        module = web.Module.new(to_js(code))
        now = js.performance.now.bind(js.performance)
        imports = js.Object.new()
        for each in web.Module.imports(module):
            if not hasattr(imports, each.module):
                setattr(imports, each.module, js.Object.new())
            setattr(getattr(imports, each.module), each.name, now)
        self._exports = web.Instance.new(module, imports).exports
        self._functions: dict[str, Callable[..., int]] = {}
        self._stack = getattr(self._exports, "__stack_pointer")
        self._base: int = self._stack.value
        self._view, self._trap = js.Uint8Array.new, JsException
        self.call("_initialize")

    def call(self, name: str, *args: int) -> int:
        """Call an exported function.

        Raises:
            Trapped: it gave up.
        """
        function = self._functions.get(name) or self._functions.setdefault(name, getattr(self._exports, name))
        try:
            return function(*args)
        except self._trap as exc:
            self._stack.value = self._base
            raise Trapped from exc

    def read(self, start: int, size: int) -> bytes:
        """Return a part of its memory."""
        data: bytes = self._view(self._exports.memory.buffer, start, size).to_bytes()
        return data

    def write(self, start: int, data: bytes) -> None:
        """Overwrite a part of its memory."""
        self._view(self._exports.memory.buffer, start, len(data)).assign(data)


def _read_module(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise ModuleNotFoundError(str(path)) from None


_KERNELS = WasmKernels(PyodideInstance(_read_module(Path(__file__).with_name("kernel.wasm"))))
CONSTANTS, COMPILER, Answer = _KERNELS.CONSTANTS, _KERNELS.COMPILER, _KERNELS.Answer
Index, Costs, Kernel = _KERNELS.Index, _KERNELS.Costs, _KERNELS.Kernel
