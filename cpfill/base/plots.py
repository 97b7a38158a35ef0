"""Plots: check the file name early, draw on a figure, write the file. matplotlib is not a dependency of cpfill."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import Fault, InputError, unknown_name
from cpfill.base.optional_packages import load
from cpfill.base.texts import later, say

if TYPE_CHECKING:
    from collections.abc import Iterator

SUFFIXES = (".png", ".svg", ".pdf")

_MATPLOTLIB = ("matplotlib", later("a plot"))


def check_picture(path: str) -> None:
    """Check, before any other work, that a plot can be written to `path`.

    Raises:
        InputError: the suffix is not one of SUFFIXES, or the directory does not exist.
        CpfillError: matplotlib is not installed.
    """
    if Path(path).suffix not in SUFFIXES:
        raise InputError(unknown_name(say("a file for the plot that ends in"), Path(path).suffix, SUFFIXES))
    if not Path(path).absolute().parent.is_dir():
        raise InputError(Fault(say("a directory to draw in"), say("nothing there"), str(Path(path).parent)))
    load("matplotlib.figure", *_MATPLOTLIB)


@contextmanager
def draw_plot(path: str, width_in: float, height_in: float) -> Iterator[Any]:
    """Yield a matplotlib figure of the given size in inches, and write it to the file at the end.

    The same drawing gives the same bytes: text stays text, ids are fixed, and dates are left out.

    Raises:
        CpfillError: matplotlib is not installed.
        InputError: the file cannot be written.
    """
    figure_class = load("matplotlib.figure", *_MATPLOTLIB).Figure
    rc_context = load("matplotlib", *_MATPLOTLIB).rc_context
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "cpfill"}):
        figure = figure_class(figsize=(width_in, height_in), layout="constrained")
        yield figure
        try:
            figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None, dpi=150)
        except OSError as exc:
            raise InputError(
                Fault(say("a file that can be written"), (exc.strerror or str(exc)).lower(), path)
            ) from None
