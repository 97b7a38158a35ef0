"""Compiled modules and their pure-Python twins, which do the same where nothing was compiled."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import EngineUnavailableError, InputError, unknown_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


_waiting: list[Callable[[], None]] = []


def when_missing(tell: Callable[[], None]) -> None:
    """Have `tell` called when a twin first does the work of a kernel that was not built."""
    _waiting.append(tell)


def load_kernel(kernels: Mapping[str, str], name: str | None = None) -> Any:  # noqa: ANN401 - one of two modules with one interface
    """Return the module of a kernel, by default the compiled one where it was built.

    `kernels` has the full names of the modules `compiled` and `python`.

    Raises:
        InputError: there is no kernel of that name.
        EngineUnavailableError: it was not built.
    """
    if name is not None and name not in kernels:
        raise InputError(unknown_name("a kernel", name, kernels))
    try:
        return import_module(kernels[name or "compiled"])
    except ModuleNotFoundError:
        if name is None:
            while _waiting:
                _waiting.pop()()
            return import_module(kernels["python"])
        message = "the compiled kernel was not built: install cpfill where there is a C++20 compiler"
        raise EngineUnavailableError(message) from None
