"""Compiled modules, and the pure-Python twins that replace them if nothing was compiled."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import EngineUnavailableError, InputError, unknown_name
from cpfill.base.texts import say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


_waiting: list[Callable[[], None]] = []


def when_missing(tell: Callable[[], None]) -> None:
    """Call `tell` when a twin first replaces a kernel that was not built."""
    _waiting.append(tell)


def load_kernel(kernels: Mapping[str, str], name: str | None = None) -> Any:  # noqa: ANN401 - one of two modules with one interface
    """Return the module of a kernel: by default the compiled one, or its twin if that was not built.

    `kernels` maps `compiled` and `python` to full module names.

    Raises:
        InputError: no kernel has that name.
        EngineUnavailableError: the compiled kernel was asked for, but was not built.
    """
    if name is not None and name not in kernels:
        raise InputError(unknown_name(say("a kernel"), name, kernels))
    try:
        return import_module(kernels[name or "compiled"])
    except ModuleNotFoundError:
        if name is None:
            while _waiting:
                _waiting.pop()()
            return import_module(kernels["python"])
        message = say("the compiled kernel was not built: install cpfill where there is a C++20 compiler")
        raise EngineUnavailableError(message) from None
