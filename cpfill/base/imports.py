"""Modules that may be missing: packages that few features need, such as matplotlib, and compiled ones with their twins.

A package is imported on use; if it is missing, one line says how to install it. The pure-Python twin of a compiled
module replaces it if nothing was compiled.
"""

from __future__ import annotations

from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import CpfillError, EngineUnavailableError, InputError, expected, tell_reason, unknown_name
from cpfill.base.texts import hear, later, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


def load(module: str, package: str, purpose: str) -> Any:  # noqa: ANN401 - perhaps not even there to be type-checked
    """Return a module of a package that `purpose` needs."""
    try:
        return import_module(module)
    except ImportError as exc:
        raise CpfillError(
            say(
                "{purpose} needs {package} ({exc}): pip install {package}",
                purpose=say(purpose),
                package=package,
                exc=hear(str(exc)),
            )
        ) from None


_waiting: list[Callable[[], None]] = []


def when_missing(tell: Callable[[], None]) -> None:
    """Call `tell` when a twin first replaces a kernel that was not built."""
    _waiting.append(tell)


def load_kernel(kernels: Mapping[str, str], name: str | None = None) -> Any:  # noqa: ANN401 - one of two modules with one interface
    """Return the module of a kernel: by default the compiled one, or its twin if that was not built.

    `kernels` maps `compiled` and `python` to full module names.
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


SUFFIXES = (".png", ".svg", ".pdf")

_MATPLOTLIB = ("matplotlib", later("a plot"))


def check_picture(path: str) -> None:
    """Check, before any other work, that a plot can be written to `path`."""
    if Path(path).suffix not in SUFFIXES:
        raise InputError(unknown_name(say("a file for the plot that ends in"), Path(path).suffix, SUFFIXES))
    if not Path(path).absolute().parent.is_dir():
        raise expected("a directory to draw in", say("nothing there"), str(Path(path).parent))
    load("matplotlib.figure", *_MATPLOTLIB)


@contextmanager
def draw_plot(path: str, width_in: float, height_in: float) -> Iterator[Any]:
    """Yield a matplotlib figure of the given size in inches, and write it to the file at the end.

    The same drawing gives the same bytes: text stays text, ids are fixed, and dates are left out.
    """
    figure_class = load("matplotlib.figure", *_MATPLOTLIB).Figure
    rc_context = load("matplotlib", *_MATPLOTLIB).rc_context
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "cpfill"}):
        figure = figure_class(figsize=(width_in, height_in), layout="constrained")
        yield figure
        try:
            figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None, dpi=150)
        except OSError as exc:
            raise expected("a file that can be written", tell_reason(exc), path) from None
