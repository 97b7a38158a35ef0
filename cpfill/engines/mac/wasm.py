"""The kernel as a module of WebAssembly, behind the same interface as the compiled one.

Objects stay where they are made, and have a number here; what goes to and fro is a message, as `marshal` writes it in
the version that `kernel/wasm/marshal.hpp` knows. The classes are made of what the module says of itself.
"""

from __future__ import annotations

import marshal
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cpfill.engines.mac.kernels import MacSpec

_VERSION = 2
"""The last version of the format of `marshal` in which no value refers to another."""

_DESCRIBE = 0
"""The number of the function that describes the others."""


class Instance(Protocol):
    """An instance of the WebAssembly module, in whatever runs it."""

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
    """A call did not return; the instance is as it was before, except that some of its memory is lost."""


def ask(instance: Instance, number: int, *values: Any) -> Any:  # noqa: ANN401 - what the function needs, and returns
    """Call a function of the module by its number.

    Raises:
        ValueError: the values are not what it needs.
        TypeError: a value can be sent to no function.
        MemoryError: the module gave up without a word.
    """
    try:
        message = marshal.dumps([list(value) if isinstance(value, range) else value for value in values], _VERSION)
    except ValueError as exc:
        raise TypeError(*exc.args) from None
    try:
        instance.write(instance.call("reserve", len(message)), message)
        size = instance.call("answer", number)
    except Trapped as exc:
        why = instance.read(instance.call("written"), size) if (size := instance.call("complaint")) else b""
        if why:
            raise ValueError(why.decode()) from None
        raise MemoryError from exc
    return marshal.loads(instance.read(instance.call("written"), size))  # noqa: S302 - the module's own words


class _Held:
    """An object of the module.

    Python may forget it in the middle of a call, when the module cannot be asked: the next call drops it.
    """

    def __init__(self, forgotten: list[int], number: int) -> None:
        self._forgotten, self.number = forgotten, number

    def __del__(self) -> None:
        self._forgotten.append(self.number)


class WasmKernels:
    """What the compiled module has: constants, and classes."""

    def __init__(self, instance: Instance) -> None:
        compiler, constants, answers, functions = ask(instance, _DESCRIBE)
        self.COMPILER: str = compiler.strip()
        self.CONSTANTS: dict[str, float] = dict(constants)
        make: Callable[..., Any] = Enum  # which a type checker would want to know the names from
        self.Answer = make("Answer", answers)
        self._instance, self._forgotten = instance, list[int]()
        self._numbers: dict[str, int] = {name: number for number, (name, *_) in enumerate(functions)}
        self._call = {name: partial(self._ask, number) for name, number in self._numbers.items()}
        wraps = {"": lambda value: value, "Answer": self.Answer, "Kernel": self._hold}
        self._spec: Sequence[str] = next(parameters for name, parameters, _ in functions if name == "Kernel")
        methods = {
            name: _make_method(self._call[name], parameters[1:], wraps[wrapped])
            for name, parameters, wrapped in functions
            if "self" in parameters
        }
        self._kernel = type("Kernel", (_Held,), methods)

    def _ask(self, number: int, *values: Any) -> Any:  # noqa: ANN401 - see `ask`
        while self._forgotten:
            ask(self._instance, self._numbers["drop"], self._forgotten.pop())
        return ask(self._instance, number, *values)

    def Index(self, letters: int, tables: Sequence[tuple[int, bytes]], run: int) -> Any:  # noqa: ANN401, N802 - a class there
        """Return the words of all lengths, which kernels share."""
        return _Held(self._forgotten, self._call["Index"](letters, tables, run))

    def Costs(self, tables: Sequence[bytes]) -> Any:  # noqa: ANN401, N802 - likewise
        """Return what each word costs."""
        return _Held(self._forgotten, self._call["Costs"](tables))

    def Kernel(self, spec: MacSpec) -> Any:  # noqa: ANN401, N802 - likewise
        """Return a search."""
        fields = {name: getattr(spec, name) for name in self._spec}
        fields["index"] = fields["index"].number
        fields["budgets"] = [(costs.number, limit) for costs, limit in fields["budgets"]]
        return self._hold(self._call["Kernel"](*fields.values()))

    def _hold(self, number: int) -> Any:  # noqa: ANN401 - likewise
        return self._kernel(self._forgotten, number)


def _make_method(call: Callable[..., Any], parameters: Sequence[str], wrap: Callable[[Any], Any]) -> Callable[..., Any]:
    """Return a method of `_Held` that calls a function of the module."""

    def method(self: _Held, *args: object, **named: object) -> Any:  # noqa: ANN401 - what the function returns
        return wrap(call(self.number, *args, *(named[name] for name in parameters[len(args) :])))

    return method
