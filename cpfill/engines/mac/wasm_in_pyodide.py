"""The names of the compiled module in Pyodide, from the `kernel.wasm` that `kernel/wasm/build.py` makes.

The module is compiled while Python waits, which browsers allow in workers.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cpfill.engines.mac import MODULE
from cpfill.engines.mac.wasm import Trapped, WasmKernels

if TYPE_CHECKING:
    from collections.abc import Callable


class PyodideInstance:
    """An instance in the JavaScript around Pyodide, without a line of JavaScript."""

    def __init__(self, code: bytes) -> None:
        js, ffi = import_module("js"), import_module("pyodide.ffi")
        web = js.WebAssembly
        module = web.Module.new(ffi.to_js(code))
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
        self._view, self._trap = js.Uint8Array.new, ffi.JsException
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


@cache
def _kernels() -> WasmKernels:
    return WasmKernels(PyodideInstance(MODULE.read_bytes()))


def __getattr__(name: str) -> Any:  # noqa: ANN401 - one of the things that the compiled module has
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(_kernels(), name)
