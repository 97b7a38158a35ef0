"""Pictures: where one can be written, the figure to draw on, the file. matplotlib comes with `cpfill[bench]`."""

from __future__ import annotations

from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpfill.errors import CpfillError, Fault, InputError, unknown_name

if TYPE_CHECKING:
    from collections.abc import Iterator

SUFFIXES = (".png", ".svg", ".pdf")


def check_picture(path: str) -> None:
    """Check that a picture can be drawn there before anything else is done.

    Raises:
        InputError: the suffix is none that can be drawn, or there is no such directory.
        CpfillError: matplotlib is not installed.
    """
    if Path(path).suffix not in SUFFIXES:
        raise InputError(unknown_name("a file for the plot that ends in", Path(path).suffix, SUFFIXES))
    if not Path(path).absolute().parent.is_dir():
        raise InputError(Fault("a directory to draw in", "nothing there", str(Path(path).parent)))
    _matplotlib("figure")


def _matplotlib(module: str) -> Any:  # noqa: ANN401 - may not be installed, not even to be type-checked
    try:
        return import_module(f"matplotlib.{module}")
    except ImportError as exc:
        raise CpfillError(f"a plot needs matplotlib ({exc}): pip install 'cpfill[bench]'") from None


@contextmanager
def picture(path: str, width_in: float, height_in: float) -> Iterator[Any]:
    """Give a matplotlib figure of that size in inches to draw on, and write it to the file at the end.

    The same drawing gives the same bytes: text stays text, ids and dates do not change.

    Raises:
        CpfillError: matplotlib is not installed.
        InputError: the file cannot be written.
    """
    figure_class, rc_context = _matplotlib("figure").Figure, import_module("matplotlib").rc_context
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "cpfill"}):
        figure = figure_class(figsize=(width_in, height_in), layout="constrained")
        yield figure
        try:
            figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None, dpi=150)
        except OSError as exc:
            raise InputError(Fault("a file that can be written", (exc.strerror or str(exc)).lower(), path)) from None
