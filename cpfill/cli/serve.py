"""`cpfill serve`, the page in the browser, and `cpfill site`, the page as static files."""

from __future__ import annotations

import gc
import re
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from cpfill.base.errors import Fault, InputError, Range, expected, tell_reason
from cpfill.base.texts import later, say, say_count
from cpfill.cli import options as o
from cpfill.cli.output import emit
from cpfill.cli.verbs import Exit, usage_error, warn

_PORTS = Range(1, 65535)


def serve(
    where: Annotated[
        str, typer.Argument(metavar="[FILE|DIR]", help="The directory of your puzzles, or one of them.")
    ] = ".",
    *,
    port: Annotated[int | None, o.number(_PORTS, help="Port; by default 8765 or the next free one.")] = None,
    host: Annotated[
        str, typer.Option("--host", metavar="NAME", help="Listen at this name or address of the machine.")
    ] = "127.0.0.1",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Open no browser.")] = False,
) -> int:
    """Serve the page on which grids are designed, filled, judged, clued and exported; end it with Ctrl-C.

    Prints its address, with a token after the #: anyone with this address can read and change the puzzles. Use --host
    to allow other machines. Exit codes: 130 ended; 2 bad usage.
    """
    directory, opened = _split(where)
    from cpfill.web.files import Folder
    from cpfill.web.serve import PageServer, open_browser

    if opened is not None:
        Folder(directory, opened).read(opened)  # the terminal, not the page, reports a file that is no puzzle
    server = PageServer.listen(directory, opened, host=host, port=port)
    emit(f"{server.address}\n")
    if not server.local:
        warn(say("other machines can reach this page: anyone with its address and token can read and change puzzles"))
    if not no_browser:
        open_browser(server.address)
    gc.enable()  # a server may run for days
    with suppress(KeyboardInterrupt):  # Ctrl-C ends the server
        server.run()
    return Exit.INTERRUPTED


def _split(where: str) -> tuple[Path, str | None]:
    """Return the directory to serve, and the puzzle to open in it, which need not exist yet."""
    if not where:
        raise expected("a directory, or a puzzle file", "''")
    path = Path(where)
    try:
        path.absolute()  # the current directory may have been deleted
        if path.is_dir():
            return path, None
        if path.is_file() or (path.suffix == ".ipuz" and path.parent.is_dir()):
            return path.parent, path.name
    except FileNotFoundError:
        raise expected("a directory, or a puzzle file", say("a directory that is gone"), where) from None
    except (OSError, ValueError) as exc:  # a name that is too long, or a NUL in it
        raise expected("a directory, or a puzzle file", tell_reason(exc), where) from None
    raise expected("a directory, or a puzzle file", say("nothing there"), where)


def site(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The directory to write: a new one, or an earlier site.")],
    *,
    pyodide: Annotated[
        Path | None, typer.Option("--pyodide", metavar="FILE", help="The package of Pyodide; else npm fetches it.")
    ] = None,
    daily: Annotated[
        Path | None,
        typer.Option(
            "--daily",
            metavar="DIR",
            help="Write a site of daily puzzles instead: those of this directory, each with its date in its name.",
        ),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option("--start", metavar="DATE", help="With --daily: the day of the first file without a date."),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option("--until", metavar="DATE", help="With --daily: leave later puzzles out of what is written."),
    ] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="With --daily: its title.")] = None,
    url: Annotated[
        str | None, typer.Option("--url", metavar="URL", help="With --daily: its address, for the links of its feed.")
    ] = None,
) -> int:
    """Write the page as static files that any web host serves: cpfill then runs in the visitor's browser.

    The folder needs no program on the host and loads nothing from elsewhere. Puzzles stay in the visitor's browser.
    With --daily it has a puzzle for each day, an archive and a feed instead. Exit codes: 0 written; 2 bad usage.
    """
    of_days = {"--start": start, "--until": until, "--title": title, "--url": url}
    idle = [option for option, given in of_days.items() if given is not None]
    if daily is None and idle:
        raise usage_error(say("--daily with {option}", option=idle[0]), say("no --daily"))
    if daily is not None and pyodide is not None:
        raise usage_error(say("--daily or --pyodide"), say("both"))
    try:
        if daily is None:
            return _write_site(out, pyodide)
        return _write_daily(daily, out, o.parse_date(start), o.parse_date(until), title=title, url=url)
    except OSError as exc:
        fault = Fault(say("files that can be read and written"), tell_reason(exc), str(exc.filename or out))
        raise InputError(fault) from None


def _write_daily(
    folder: Path, out: Path, start: date | None, until: date | None, *, title: str | None, url: str | None
) -> Exit:
    """Write a site of daily puzzles."""
    from cpfill.web.daily_site import read_days, write_daily_site

    if url is not None and not re.fullmatch(r"https?://[\w.:-]+(/[^\s?#]*)?", url):
        raise expected("an address such as https://example.org/daily/ for --url", repr(url))
    address = f"{url.rstrip('/')}/" if url else ""
    days = read_days(folder, start, until)
    for day in days:
        for line in day.puzzle.unread:
            warn(f"{day.name}: {line}")
    latest = until or date.today()  # noqa: DTZ011 - the day where the site is written
    size = write_daily_site(out, days, title or say("Daily crossword"), until=latest, url=address)
    told = later("{out}: {puzzles}, {first} to {last}, {size:.1f} MB; try it with python -m http.server -d {out}")
    figures = {"first": days[0].date, "last": days[-1].date, "size": size / 1e6}
    emit(say(told, out=out, puzzles=say_count(len(days), "puzzle"), **figures) + "\n")
    return Exit.ANSWERED


def _write_site(out: Path, pyodide: Path | None) -> Exit:
    """Write the page without a server."""
    from cpfill.engines.toolkit.wasm import MODULE
    from cpfill.puzzle.clues.definitions import GRAMMARS
    from cpfill.puzzle.clues.dictionaries import find_definitions
    from cpfill.web.site import write_site

    size = write_site(out, pyodide)
    missing = [language for language in GRAMMARS if not find_definitions(language)]
    if missing:
        told = later("no clues can be looked up on this page ({languages}): pip install 'cpfill[clues]' before")
        warn(say(told, languages=", ".join(missing)))
    figures = {"out": out, "size": size / 1e6, "kernel": MODULE}
    emit(say("{out}: {size:.1f} MB, with {kernel}; try it with python -m http.server -d {out}", **figures) + "\n")
    return Exit.ANSWERED
