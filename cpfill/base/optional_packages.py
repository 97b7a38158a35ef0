"""Packages that only some features need: imported on use; if one is missing, one line says how to install it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from cpfill.base.errors import CpfillError
from cpfill.base.texts import say


def load(module: str, package: str, purpose: str) -> Any:  # noqa: ANN401 - perhaps not even there to be type-checked
    """Return a module of a package that `purpose` needs.

    Raises:
        CpfillError: the package is not installed.
    """
    try:
        return import_module(module)
    except ImportError as exc:
        raise CpfillError(
            say(
                "{purpose} needs {package} ({exc}): pip install {package}",
                purpose=say(purpose),
                package=package,
                exc=exc,
            )
        ) from None
