"""`cpfill site`: the page as static files."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads the types of options
from typing import Annotated

import typer

from cpfill.base.errors import Fault, InputError
from cpfill.base.texts import say
from cpfill.cli.exits import Exit
from cpfill.cli.output import emit


def site(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The directory to write: a new one, or an earlier site.")],
    *,
    pyodide: Annotated[
        Path | None, typer.Option("--pyodide", metavar="FILE", help="The package of Pyodide; else npm fetches it.")
    ] = None,
) -> int:
    """Write the page as static files that any web host serves: cpfill then runs in the visitor's browser.

    The folder needs no program on the host and loads nothing from elsewhere. Puzzles stay in the visitor's browser.
    Exit codes: 0 written; 2 bad usage.
    """
    from cpfill.web.site import write_site  # noqa: PLC0415 - slow to import

    try:
        size = write_site(out, pyodide)
    except OSError as exc:
        got = (exc.strerror or str(exc)).lower()
        raise InputError(Fault(say("files that can be read and written"), got, str(exc.filename or out))) from None
    emit(say("{out}: {size:.1f} MB; try it with python -m http.server -d {out}", out=out, size=size / 1e6) + "\n")
    return Exit.ANSWERED
