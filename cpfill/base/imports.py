"""Modules that may be missing: packages that few features need, such as matplotlib, and compiled ones.

A package is imported on use; if it is missing, one line says how to install it. A compiled module may have a twin in
Python, which replaces it if nothing was compiled.
"""

from __future__ import annotations

from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import CpfillError, EngineUnavailableError, InputError, expected, tell_reason, unknown_name
from cpfill.base.texts import hear, later, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def load(module: str, package: str, purpose: str, *, extra: str = "") -> Any:
    """Return a module of a package that `purpose` needs, and that an `extra` of cpfill may name."""
    try:
        return import_module(module)
    except ImportError as exc:
        raise CpfillError(
            say(
                "{purpose} needs {package} ({exc}): pip install {wanted}",
                purpose=say(purpose),
                package=package,
                exc=hear(str(exc)),
                wanted=f"'cpfill[{extra}]'" if extra else package,
            )
        ) from None


_waiting: set[Callable[[], None]] = set()


def when_missing(act: Callable[[], None]) -> None:
    """Call `act`, which may install them, when a kernel that was not built is first asked for; once in all."""
    _waiting.add(act)


def load_kernel(module: str, twin: str | None = None) -> Any:
    """Return a compiled module, or its twin in Python if it has one and was not built."""
    try:
        return import_module(module)
    except ModuleNotFoundError:
        if _waiting:
            _waiting.pop()()
            return load_kernel(module, twin)
        if twin is not None:
            return import_module(twin)
    raise EngineUnavailableError(
        say(
            "this needs the compiled kernel, which this installation lacks: install cpfill again from a wheel, "
            "or where there is a C++20 compiler; engines without it: cpsat, fc, fc-cbj"
        )
    )


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
