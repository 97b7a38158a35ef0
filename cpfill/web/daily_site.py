"""A puzzle for every day as a folder of static files, which any web host serves.

    OUT/
      index.html             leads to the puzzle of the visitor's day, or to the latest before it; the archive, at #all
      2027-01-01/index.html  a puzzle, with the player of interactive files
      feed.xml               the latest days as Atom
      service.js  manifest.webmanifest  icon.png
      daily-DIGEST/          the scripts and styles of these pages

The pages decide by the visitor's clock which days they show. The same puzzles give the same bytes.
"""

from __future__ import annotations

import json
import re
import uuid
from datetime import date, timedelta
from html import escape
from itertools import groupby, pairwise
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree as ET

from cpfill.base.errors import expected
from cpfill.base.texts import say, spoken
from cpfill.formats.pages.html_page import PLAYER, PLAYER_FILES, write_record
from cpfill.formats.registry import guess_format, read_puzzle
from cpfill.puzzle.parts import PuzzlePart
from cpfill.web.site import MANIFEST, SERVICE, clear_site, draw_icon, measure_folder, put_folder, write_service

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cpfill.puzzle.puzzle import Puzzle

_SCRIPTS = Path(__file__).with_name("daily")
_PAGE = "page.html"
_DATE = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")
_DAYS = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]"
"""The names of the folders of days, as a pattern of files."""
_ATOM = "http://www.w3.org/2005/Atom"
_LATEST = 30
"""The days that the feed has."""
_AT_HAND = 6
"""The days before the one that is shown which the browser keeps too, for a journey."""
_XML_LACKS = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""The characters that no XML may have."""


class Day(NamedTuple):
    """A puzzle, its day, and the name of its file."""

    date: date
    puzzle: Puzzle
    name: str

    @property
    def title(self) -> str:
        """The title of the puzzle, empty if it has none."""
        return self.puzzle.metadata.get(PuzzlePart.TITLE, "")


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
    for (before, _), (day, path) in pairwise(days):
        if day == before:
            raise expected("one puzzle a day", say("a second one for {day}", day=day), str(path))
    if until is not None and days[0][0] > until:
        raise expected("a puzzle up to {until}", say("the first for {day}", day=days[0][0]), str(folder), until=until)
    return [Day(day, read_puzzle(path), str(path)) for day, path in days if until is None or day <= until]


def _list_puzzle_files(folder: Path) -> list[Path]:
    """Return one puzzle file of each stem, in their order."""
    paths = [path for path in folder.glob("[!.]*") if guess_format(path.name)]
    paths.sort(key=lambda path: (_split_numbers(path.stem), path.suffix != ".ipuz", path.suffix))
    return [next(alike) for _, alike in groupby(paths, key=lambda path: path.stem)]


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
                raise expected("a date in its name", found[0], str(path)) from None
        elif following is None:
            raise expected("a name such as 2027-01-01.ipuz, or --start DATE", path.name, str(path))
        else:
            yield following, path
            following += timedelta(days=1)


def write_daily_site(out: Path, days: Sequence[Day], title: str, *, until: date, url: str = "") -> int:
    """Write the site of these days, in their order, and return its size in bytes.

    The feed has the days up to `until`; `url`, the address of the site, ends in a slash. The directory is new, empty,
    or holds an earlier site of this kind, which is replaced.
    """
    sources = [*map(PLAYER.joinpath, PLAYER_FILES), _SCRIPTS / "daily.js", _SCRIPTS / "daily.css"]
    assets = {path.name: path.read_bytes() for path in sources}
    names = [str(day.date) for day in days]
    clear_site(out, "daily-*", _DAYS)
    assets_at = put_folder(out, "daily", assets)
    for at, day in enumerate(days):
        (out / names[at]).mkdir()
        own = " · ".join(filter(None, [names[at], day.title, title]))
        page = _write_page(title, own, "../", assets_at, _write_day(day, names, at))
        (out / names[at] / "index.html").write_text(page, "utf-8")
    (out / "index.html").write_text(_write_page(title, title, "./", assets_at, _write_archive(days)), "utf-8")
    (out / "feed.xml").write_bytes(_write_feed(title, url, days, until))
    manifest = {**MANIFEST, "name": title, "short_name": title, "description": title}
    (out / "manifest.webmanifest").write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")
    (out / "icon.png").write_bytes(draw_icon(512))
    kept = [*(f"{assets_at}/{name}" for name in assets), "manifest.webmanifest", "icon.png"]
    (out / Path(SERVICE).name).write_text(write_service(assets_at, kept), "utf-8")
    return measure_folder(out)


def _write_page(site: str, title: str, up: str, assets_at: str, body: str) -> str:
    """Return a page of a site with this title; `up` leads from the page to the start of the site."""
    said = {
        "site": site,
        "title": title,
        "today": say("Today"),
        "archive": say("All puzzles"),
        "script": say("This page needs JavaScript."),
        "feed": say("Feed"),
        "kept": say("This page works without a network."),
    }
    places = {"language": spoken(), "up": up, "assets": f"{up}{assets_at}", "theme": MANIFEST["theme_color"]}
    texts = {name: escape(text) for name, text in said.items()}
    return Template((_SCRIPTS / _PAGE).read_text("utf-8")).substitute(texts, **places, body=body)


def _write_time(day: str) -> str:
    """Return a date, or a month, as the script of the page writes it out."""
    return f'<time datetime="{day}">{day}</time>'


def _write_day(day: Day, names: Sequence[str], at: int) -> str:
    """Return the part of a page that has a puzzle, links to the days beside it, and a word for early visitors."""
    name = names[at]
    links = ""
    for relation, text, beside in (("prev", say("Previous"), at - 1), ("next", say("Next"), at + 1)):
        if 0 <= beside < len(names):
            other = names[beside]
            links += f'<a rel="{relation}" href="../{other}/" data-day="{other}" hidden>{escape(text)}</a>\n'
    before = " ".join(names[max(0, at - _AT_HAND) : at])
    notes = [*day.puzzle.metadata.get(PuzzlePart.NOTES, "").split("\n"), day.puzzle.copyright_line]
    said = "".join(f"<p>{escape(text)}</p>\n" for text in notes if text)
    return (
        f'<main><div class="day"><h1>{_write_time(name)}</h1>\n'
        f'<nav aria-label="{escape(say("Days"))}">{links}</nav></div>\n'
        f'<p data-before="{name}" hidden>{escape(say("This puzzle has not come out yet."))}</p>\n'
        f'<div id="player" data-day="{name}" data-at-hand="{before}" hidden></div>\n'
        f'<div class="notes" data-day="{name}" hidden>{said}</div></main>\n'
        f'<script type="application/json" id="puzzle">{write_record(day.puzzle, [])}</script>'
    )


def _write_archive(days: Sequence[Day]) -> str:
    """Return the part of a page that has a calendar of each month, the latest first, and says when the first day is."""
    first = escape(say("The first puzzle comes on {day}.")).replace("{day}", _write_time(str(days[0].date)))
    texts = {
        "solved": say("solved in {time}"),
        "helped": say("solved with help"),
        "begun": say("begun"),
        "tally": say("Solved: {number} of {all}"),
    }
    data = "".join(f' data-{name}="{escape(text)}"' for name, text in texts.items())
    lines = [f'<main id="archive"{data} hidden>', f"<h1>{escape(say('All puzzles'))}</h1>"]
    lines += [f'<p data-before="{days[0].date}" hidden>{first}</p>', '<p role="status"></p>']
    for month, of_month in groupby(reversed(days), key=lambda day: str(day.date)[:7]):
        listed = [*of_month][::-1]
        lines.append(f'<section data-day="{listed[0].date}" hidden><h2>{_write_time(month)}</h2><ol>')
        for day in listed:
            link = f'<a href="{day.date}/" title="{escape(day.title)}"><b>{day.date.day}</b><span></span></a>'
            lines.append(f'<li data-day="{day.date}" hidden>{link}</li>')
        lines.append("</ol></section>")
    return "\n".join([*lines, "</main>"])


def _write_feed(title: str, url: str, days: Sequence[Day], until: date) -> bytes:
    """Return the Atom feed (RFC 4287) of the latest days; its links are relative if the site has no address."""
    latest = [day for day in reversed(days) if day.date <= until][:_LATEST]
    newest = latest[0] if latest else days[0]
    ET.register_namespace("", _ATOM)
    feed = ET.Element(f"{{{_ATOM}}}feed")
    _add(feed, "title", title)
    _add(feed, "id", url or _make_id(title))
    _add(feed, "updated", f"{newest.date}T00:00:00Z")
    _add(_add(feed, "author"), "name", title)
    _add(feed, "link", href=url or "./")
    if url:
        _add(feed, "link", rel="self", href=f"{url}feed.xml")
    for day in latest:
        link = f"{url}{day.date}/"
        entry = _add(feed, "entry")
        _add(entry, "title", " · ".join(filter(None, [str(day.date), day.title])))
        _add(entry, "id", link if url else _make_id(f"{title} {day.date}"))
        _add(entry, "updated", f"{day.date}T00:00:00Z")
        _add(entry, "link", href=link)
        author = day.puzzle.metadata.get(PuzzlePart.AUTHOR)
        if author:
            _add(_add(entry, "author"), "name", author)
        _add(entry, "summary", f"{day.puzzle.height} x {day.puzzle.width}")
    ET.indent(feed)
    return bytes(ET.tostring(feed, "utf-8", xml_declaration=True)) + b"\n"


def _add(parent: ET.Element, name: str, text: str = "", **attributes: str) -> ET.Element:
    """Add an element of Atom to another, and return it."""
    made = ET.SubElement(parent, f"{{{_ATOM}}}{name}", attributes)
    made.text = _XML_LACKS.sub("\N{REPLACEMENT CHARACTER}", text)
    return made


def _make_id(name: str) -> str:
    return uuid.uuid5(uuid.NAMESPACE_URL, name).urn
