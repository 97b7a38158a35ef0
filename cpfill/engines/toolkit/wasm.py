"""The kernels as one module of WebAssembly, behind the interface of the compiled ones; a browser's tab runs them so.

Objects stay in the module, and are numbers here; calls and answers are messages, as `marshal` writes them in the
version that `kernel/wasm/marshal.hpp` knows. The classes are made from the module's own description.
"""

from __future__ import annotations

import marshal
import sys
from enum import Enum
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, Self

from cpfill.words.packing import twin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MODULE = Path(__file__).parent.with_name("kernel.wasm")
"""The module, which is built with cpfill (`.ci/kernel_wasm.py`), unless there was no `ziglang`."""

_VERSION = 2
"""The last version of the format of `marshal` in which no value refers to another."""

_DESCRIBE, _DROP = 0, 1
"""The numbers of the function that describes the others, and of the function that drops an object."""


class WasmInstance(Protocol):
    """An instance of the WebAssembly module, in any runtime."""

    def call(self, name: str, *args: int) -> int:
        """Call an exported function.

        Raises:
            Trapped: it gave up.
        """

    def read(self, start: int, size: int) -> bytes:
        """Return a part of its memory."""

    def write(self, start: int, data: bytes) -> None:
        """Overwrite a part of its memory."""


class Trapped(Exception):  # noqa: N818
    """A call did not return; the instance is unchanged, except that some of its memory is lost."""


class _Held(bytes):
    """An object of the module: the bytes of its number, which `marshal` writes wherever it stands in a message.

    Python may forget it in the middle of a call, when the module cannot be asked: the next call drops it.
    """

    _forgotten: list[bytes]

    def __new__(cls, forgotten: list[bytes], number: bytes) -> Self:
        held = super().__new__(cls, number)
        held._forgotten = forgotten
        return held

    def __del__(self) -> None:
        self._forgotten.append(bytes(self))


def call_module(instance: WasmInstance, number: int, *values: Any) -> Any:
    """Call a function of the module by its number.

    Raises:
        ValueError: the values do not suit the function.
        TypeError: a value can be sent to no function.
        MemoryError: the module gave up and gave no reason.
    """
    try:
        message = marshal.dumps(values, _VERSION)
    except ValueError as exc:
        raise TypeError(*exc.args) from None
    try:
        instance.write(instance.call("reserve", len(message)), message)
        size = instance.call("answer", number)
    except Trapped as exc:
        size = instance.call("complaint")
        if size:
            why = instance.read(instance.call("written"), size)
            raise ValueError(why.decode()) from None
        raise MemoryError from exc
    return marshal.loads(instance.read(instance.call("written"), size))  # noqa: S302 - the module's own words


class WasmKernels:
    """The kernels `mac` and `letters`, and of the packing its marks, each with the names of its compiled module."""

    def __init__(self, instance: WasmInstance) -> None:
        self._instance = instance
        self._forgotten = list[bytes]()
        compiler, answers, self._functions = call_module(instance, _DESCRIBE)
        make: Callable[..., Any] = Enum  # which a type checker would want to know the names from
        self._common = {"COMPILER": compiler.strip(), "Answer": make("Answer", answers)}
        self.mac = self._gather("mac")
        self.letters = self._gather("letters")
        self.packing = self._gather("packing")

    def _gather(self, engine: str) -> ModuleType:
        module = ModuleType(engine)
        vars(module).update(self._common)
        kernel: type[_Held] = type("Kernel", (_Held,), {})
        wraps: dict[str, Callable[..., Any]] = {
            "": lambda value: value,
            "Answer": self._common["Answer"],
            "Held": partial(_Held, self._forgotten),
            "Kernel": partial(kernel, self._forgotten),
        }
        for number, (name, parameters, wrapped) in enumerate(self._functions):
            owner, _, own = name.partition(".")
            if owner == engine:
                made = _make_function(partial(self._ask, number), parameters, wraps[wrapped], of_spec=own == "Kernel")
                holder = kernel if "self" in parameters else module
                setattr(holder, own, made)
        return module

    def _ask(self, number: int, *values: Any) -> Any:
        while self._forgotten:
            call_module(self._instance, _DROP, self._forgotten.pop())
        return call_module(self._instance, number, *values)


def _make_function(
    call: Callable[..., Any], parameters: Sequence[str], wrap: Callable[[Any], Any], *, of_spec: bool
) -> Callable[..., Any]:
    """Return a function or method that calls one of the module; its parameters may be the attributes of one object."""

    def function(*args: object, **named: object) -> Any:
        return wrap(call(*args, *(named[name] for name in parameters[len(args) :])))

    def function_of_spec(spec: object) -> Any:
        return wrap(call(*(getattr(spec, name) for name in parameters)))

    return function_of_spec if of_spec else function


class _PyodideInstance:
    """An instance in the JavaScript around Pyodide, without a line of JavaScript.

    The module is compiled while Python waits, which browsers allow in workers.
    """

    def __init__(self, code: bytes) -> None:
        js = import_module("js")
        ffi = import_module("pyodide.ffi")
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
        self._view = js.Uint8Array.new
        self._trap = ffi.JsException
        self.call("_initialize")

    def call(self, name: str, *args: int) -> int:
        function = self._functions.get(name) or self._functions.setdefault(name, getattr(self._exports, name))
        try:
            return function(*args)
        except self._trap as exc:
            self._stack.value = self._base
            raise Trapped from exc

    def read(self, start: int, size: int) -> bytes:
        data: bytes = self._view(self._exports.memory.buffer, start, size).to_bytes()
        return data

    def write(self, start: int, data: bytes) -> None:
        self._view(self._exports.memory.buffer, start, len(data)).assign(data)


def install() -> None:
    """Let Python find the kernels in Pyodide, under the names of the compiled modules."""
    kernels = WasmKernels(_PyodideInstance(MODULE.read_bytes()))
    sys.modules["cpfill.engines.mac._kernel"] = kernels.mac
    sys.modules["cpfill.engines.letters._letters"] = kernels.letters
    vars(kernels.packing).update(parse=twin.parse, rank=twin.rank, spread=twin.spread)
    sys.modules["cpfill.words.packing._packing"] = kernels.packing
