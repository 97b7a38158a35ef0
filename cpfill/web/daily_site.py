"""A puzzle for every day as a folder of static files, which any web host serves.

    OUT/
      index.html               leads to the puzzle of the visitor's day, or to the latest before it
      2027-01-01/index.html    a puzzle, with the player of interactive files
      archive/index.html       all days up to the visitor's, by month
      feed.xml                 the latest days as Atom
      service.js  manifest.webmanifest  icon.png
      daily-DIGEST/            the scripts and styles of these pages

The pages decide by the visitor's clock which days they show. `until` leaves later days out of the folder itself: a
program that writes the site each night publishes one more each time. The same puzzles give the same bytes; without
`until` the feed alone depends on the day on which it is written.
"""

from __future__ import annotations

import calendar
import json
import re
import uuid
from collections import defaultdict
from datetime import date, timedelta
from html import escape
from itertools import groupby, pairwise
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

from cpfill.base.errors import FormatError, expected, tell_reason
from cpfill.base.texts import say, spoken
from cpfill.formats.pages.html_page import PLAYER, PLAYER_FILES, write_record
from cpfill.formats.registry import guess_format, read_puzzle
from cpfill.puzzle.parts import PuzzlePart
from cpfill.web.site import MANIFEST, SERVICE, clear_site, draw_icon, list_files, put_folder, write_service

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cpfill.puzzle.puzzle import Puzzle

_SCRIPTS = Path(__file__).with_name("daily")
_SCRIPT_FILES = ("daily.js", "daily.css")
_PAGE = "page.html"

_DATE = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")
_DAYS = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]"
"""The names of the folders of days, as a pattern of files."""
_ARCHIVE = "archive"
_FEED = "feed.xml"
_ATOM = "http://www.w3.org/2005/Atom"
_LATEST = 30
"""The days that the feed has."""
_AT_HAND = 6
"""The days before the one that is shown which the browser keeps too, for a journey."""


class Day(NamedTuple):
    """A puzzle, its day, and the name of its file."""

    date: date
    puzzle: Puzzle
    name: str

    @property
    def title(self) -> str:
        """The title of the puzzle, empty if it has none."""
        return self.puzzle.metadata.get(PuzzlePart.TITLE, "")


class Site(NamedTuple):
    """What holds for the whole site: its title, and its address or an empty text."""

    title: str
    url: str = ""


def read_date(text: str, name: str) -> date:
    """Return the date that an option of this name has.

    Raises:
        InputError: the text is no date.
    """
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise expected("a date such as 2027-01-01 for {name}", repr(text), name=name) from None


def check_url(url: str) -> str:
    """Return the address of a site with a slash at its end.

    Raises:
        InputError: it is no address of a web host.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in {"http", "https"} or not parts.netloc or parts.query or parts.fragment:
        raise expected("an address such as https://example.org/daily/ for --url", repr(url))
    return f"{url.rstrip('/')}/"


def read_days(folder: Path, start: date | None = None, until: date | None = None) -> list[Day]:
    """Return the puzzles in a folder by their days, up to `until`; files of other kinds are passed over.

    A file with a date in its name is of that day. The others follow one another from `start`, in the order of their
    names, numbers by their values. Where files differ in their suffix alone, the `.ipuz` is read.

    Raises:
        InputError: there is no puzzle, or none up to `until`; a file has no day, or another's; or one cannot be read.
    """
    days = sorted(_date_files(_list_puzzle_files(folder), start))
    if not days:
        raise expected("puzzle files", say("none"), str(folder))
    first = days[0][0]
    if start is not None and all(_DATE.search(path.stem) for _, path in days):
        raise expected("files without a date in their names for --start", say("none"), str(folder))
    for (before, _), (day, path) in pairwise(days):
        if day == before:
            raise expected("one puzzle a day", say("a second one for {day}", day=day), str(path))
    days = [(day, path) for day, path in days if until is None or day <= until]
    if not days:
        raise expected("a puzzle up to {until}", say("the first for {first}", first=first), str(folder), until=until)
    return [Day(day, read_puzzle(path), str(path)) for day, path in days]


def _list_puzzle_files(folder: Path) -> list[Path]:
    """Return one puzzle file of each stem, in the order of their names."""
    stems: dict[str, list[Path]] = defaultdict(list)
    try:
        paths = sorted(folder.iterdir())
    except FileNotFoundError:
        raise expected("a directory with puzzles", say("nothing there"), str(folder)) from None
    except OSError as exc:
        raise expected("a directory with puzzles", tell_reason(exc), str(folder)) from None
    for path in paths:
        if path.is_file() and not path.name.startswith(".") and guess_format(path.name):
            stems[path.stem].append(path)
    chosen = [min(paths, key=lambda path: path.suffix != ".ipuz") for paths in stems.values()]
    return sorted(chosen, key=lambda path: _split_numbers(path.stem))


def _split_numbers(name: str) -> list[tuple[str, int]]:
    """Return the texts of a name, each with the number after it."""
    return [(text, int(number or 0)) for text, number in re.findall(r"(\D*)(\d*)", name)]


def _date_files(paths: Sequence[Path], start: date | None) -> Iterator[tuple[date, Path]]:
    """Yield each file with its day."""
    following = start
    for path in paths:
        found = _DATE.search(path.stem)
        if found:
            try:
                yield date.fromisoformat(found[0]), path
            except ValueError:
                raise expected("a date in its name", found[0], str(path), error=FormatError) from None
        elif following is None:
            raise expected("a name such as 2027-01-01.ipuz, or --start DATE", path.name, str(path))
        else:
            yield following, path
            following += timedelta(days=1)


def write_daily_site(out: Path, days: Sequence[Day], site: Site, until: date) -> int:
    """Write the site of these days, in their order, and return its size in bytes; the feed has those up to `until`.

    The directory is new, empty, or holds an earlier site of this kind, which is replaced.
    """
    names = [str(day.date) for day in days]
    assets = {name: (PLAYER / name).read_bytes() for name in PLAYER_FILES}
    assets |= {name: (_SCRIPTS / name).read_bytes() for name in _SCRIPT_FILES}
    feed = _write_feed(site, days, until)
    clear_site(out, "daily-*", _ARCHIVE, _DAYS)
    assets_at = put_folder(out, "daily", assets)

    def put(name: str, title: str, body: str) -> None:
        path = out / name / "index.html"
        path.parent.mkdir(exist_ok=True)
        path.write_text(_write_page(site, "../" if name else "", assets_at, title, body), "utf-8")

    for at, day in enumerate(days):
        title = " · ".join(filter(None, [names[at], day.title, site.title]))
        put(names[at], title, _write_day(day, names, at))
    put(_ARCHIVE, " · ".join([say("All puzzles"), site.title]), _write_archive(days))
    put("", site.title, _write_start(names))
    (out / _FEED).write_bytes(feed)
    manifest = {**MANIFEST, "name": site.title, "short_name": site.title, "description": site.title}
    (out / "manifest.webmanifest").write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")
    (out / "icon.png").write_bytes(draw_icon(512))
    lasting = [f"{assets_at}/{name}" for name in assets]
    kept = [*lasting, f"{_ARCHIVE}/", "manifest.webmanifest", "icon.png"]
    (out / Path(SERVICE).name).write_text(write_service(assets_at, kept), "utf-8")
    return sum(path.stat().st_size for path in list_files(out))


def _write_page(site: Site, up: str, assets_at: str, title: str, body: str) -> str:
    """Return a page; `up` leads from it to the start of the site."""
    texts = {
        "language": spoken(),
        "up": up,
        "start": up or "./",
        "assets": f"{up}{assets_at}",
        "theme": MANIFEST["theme_color"],
        "title": escape(title),
        "site": escape(site.title),
        "today": escape(say("Today")),
        "archive": escape(say("All puzzles")),
        "script": escape(say("This page needs JavaScript.")),
        "feed": escape(say("Feed")),
        "kept": escape(say("This page works without a network.")),
        "body": body,
    }
    return Template((_SCRIPTS / _PAGE).read_text("utf-8")).substitute(texts)


def _write_time(day: str, kind: str = "") -> str:
    """Return a date as the script of the page writes it out."""
    return f'<time{kind} datetime="{day}">{day}</time>'


def _write_link(name: str, relation: str, text: str) -> str:
    return f'<a rel="{relation}" href="../{name}/" data-day="{name}" hidden>{escape(text)}</a>\n'


def _write_day(day: Day, names: Sequence[str], at: int) -> str:
    """Return the part of a page that has a puzzle, links to the days beside it, and a word for early visitors."""
    name = names[at]
    links = ""
    if at > 0:
        links += _write_link(names[at - 1], "prev", say("Previous"))
    if at + 1 < len(names):
        links += _write_link(names[at + 1], "next", say("Next"))
    before = " ".join(names[max(0, at - _AT_HAND) : at])
    notes = day.puzzle.metadata.get(PuzzlePart.NOTES, "").split("\n")
    days = escape(say("Days"))
    said = "".join(f"<p>{escape(text)}</p>\n" for text in (*notes, day.puzzle.copyright_line) if text)
    footer = f'<footer data-day="{name}" hidden>{said}</footer>\n' if said else ""
    return (
        f'<main><div class="day"><h1>{_write_time(name)}</h1>\n<nav aria-label="{days}">{links}</nav></div>\n'
        f'<p data-before="{name}" hidden>{escape(say("This puzzle has not come out yet."))}</p>\n'
        f'<div id="player" data-day="{name}" data-at-hand="{before}" hidden></div>\n'
        f"{footer}</main>\n"
        f'<script type="application/json" id="puzzle">{write_record(day.puzzle)}</script>'
    )


def _write_start(names: Sequence[str]) -> str:
    """Return the part of the first page that leads on, and says when the first puzzle comes."""
    first = say("The first puzzle comes on {day}.")
    told = escape(first).replace("{day}", _write_time(names[0]))
    return f'<main id="start" data-days="{" ".join(names)}"><p data-before="{names[0]}" hidden>{told}</p></main>'


def _write_archive(days: Sequence[Day]) -> str:
    """Return the part of a page that has a calendar of each month, the latest first."""
    texts = {
        "solved": say("solved in {time}"),
        "helped": say("solved with help"),
        "begun": say("begun"),
        "tally": say("Solved: {count} of {all}"),
    }
    data = "".join(f' data-{name}="{escape(text)}"' for name, text in texts.items())
    lines = [f'<main id="archive"{data}>', f"<h1>{escape(say('All puzzles'))}</h1>", '<p role="status"></p>']
    for month, of_month in groupby(reversed(days), key=lambda day: str(day.date)[:7]):
        listed = sorted(of_month, key=lambda day: day.date)
        lines.append(f'<section data-day="{listed[0].date}" hidden><h2>{_write_time(month)}</h2><ol>')
        lines += map(_write_entry, listed)
        lines.append("</ol></section>")
    return "\n".join([*lines, "</main>"])


def _write_entry(day: Day) -> str:
    """Return a day of the calendar, in the column of its weekday."""
    weekday = calendar.weekday(*day.date.timetuple()[:3])
    return (
        f'<li class="on-{weekday}" data-day="{day.date}" hidden><a href="../{day.date}/" title="{escape(day.title)}">'
        f"<b>{day.date.day}</b><span></span></a></li>"
    )


def _write_feed(site: Site, days: Sequence[Day], until: date) -> bytes:
    """Return the Atom feed (RFC 4287) of the latest days; its links are relative if the site has no address."""
    latest = [day for day in reversed(days) if day.date <= until][:_LATEST]
    newest = latest[0] if latest else days[0]
    ET.register_namespace("", _ATOM)
    feed = ET.Element(f"{{{_ATOM}}}feed")
    _add(feed, "title", site.title)
    _add(feed, "id", site.url or _make_id(site.title))
    _add(feed, "updated", _stamp(newest.date))
    _add(_add(feed, "author"), "name", site.title)
    _add(feed, "link", href=site.url or "./")
    if site.url:
        _add(feed, "link", rel="self", href=f"{site.url}{_FEED}")
    for day in latest:
        link = f"{site.url}{day.date}/"
        entry = _add(feed, "entry")
        _add(entry, "title", " · ".join(filter(None, [str(day.date), day.title])))
        _add(entry, "id", link if site.url else _make_id(f"{site.title} {day.date}"))
        _add(entry, "updated", _stamp(day.date))
        author = day.puzzle.metadata.get(PuzzlePart.AUTHOR)
        if author:
            _add(_add(entry, "author"), "name", author)
        _add(entry, "link", href=link)
        _add(entry, "summary", f"{day.puzzle.height} x {day.puzzle.width}")
    ET.indent(feed)
    return bytes(ET.tostring(feed, "utf-8", xml_declaration=True)) + b"\n"


def _add(parent: ET.Element, name: str, text: str = "", **attributes: str) -> ET.Element:
    """Add an element of Atom to another, and return it."""
    made = ET.SubElement(parent, f"{{{_ATOM}}}{name}", attributes)
    made.text = _XML_LACKS.sub("\N{REPLACEMENT CHARACTER}", text)
    return made


_XML_LACKS = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""The characters that no XML may have."""


def _make_id(name: str) -> str:
    return uuid.uuid5(uuid.NAMESPACE_URL, name).urn


def _stamp(day: date) -> str:
    return f"{day}T00:00:00Z"
