"""Translations. English is in the code, French in the catalogues of this folder.

A message's id is its English text, as in gettext: `say("at most {most} lines", most=9)`. `messages.toml` has the French
of each, `page.toml` both texts of each line of the page by a name. The language belongs to a context (`contextvars`):
a command chooses it at its start, the page with each request.
"""

from __future__ import annotations

import functools
import re
from contextvars import ContextVar
from pathlib import Path
from typing import Any

ENGLISH = "en"
FRENCH = "fr"

LANGUAGES = (ENGLISH, FRENCH)

_CATALOGUE = Path(__file__).with_name("messages.toml")
_PAGE = Path(__file__).with_name("page.toml")

_THINGS = "things"
"""The table of the catalogue with the singular and the plural of countable things."""

_FOREIGN = "foreign"
"""The table of the catalogue with messages of the system, Python and typer."""

_PREPOSITION = re.compile(r" (?:of|outside) ")

_spoken = ContextVar("language", default=ENGLISH)


def speak(language: str) -> None:
    """Choose the language of this context; languages without a catalogue become English.

    `language` is a code (`fr`), a locale (`fr_CA.UTF-8`) or the value of a header (`fr-CH, en;q=0.5`).
    """
    _spoken.set(FRENCH if language[:2].lower() == FRENCH else ENGLISH)


def spoken() -> str:
    """Return the code of the language of this context."""
    return _spoken.get()


def say(text: str, /, **values: object) -> str:
    """Return a message in the language of this context, each `{name}` replaced by its value.

    A text that the catalogue lacks stays English; a test compares the catalogue with the code.
    """
    if _spoken.get() != ENGLISH:
        text = _load_messages().get(text, text)
    if values:
        return text.format(**values)
    return text


def say_count(number: int, thing: str, /, form: str = "") -> str:
    """Return a number of things, `1 cell of several letters`, `3 clues`, the number in a format; French has its own.

    The catalogue has both forms of a thing; in French the singular goes with 0 as well.
    """
    if _spoken.get() == ENGLISH:
        counted = thing if number == 1 else _pluralise(thing)
    else:
        one, many = _load_things().get(thing, (thing, _pluralise(thing)))
        counted = one if number < 2 else many
    return f"{number:{form}} {counted}"


def _pluralise(thing: str) -> str:
    """Return the English plural of a thing: its noun is the word before a preposition, or the last word."""
    found = _PREPOSITION.search(thing)
    at = found.start() if found else len(thing)
    return f"{thing[:at]}s{thing[at:]}"


def hear(text: str, /) -> str:
    """Translate a message of the system, Python or typer.

    The table `foreign` of the catalogue has such texts; other texts stay English.
    """
    if _spoken.get() != ENGLISH:
        for pattern, french in _load_foreign():
            if found := pattern.fullmatch(text):
                return french.format(**found.groupdict())
    return text


def later(text: str, /) -> str:
    """Mark a text for translation (gettext's `N_`): return it unchanged; `say` translates it later."""
    return text


def load_page() -> dict[str, tuple[str, str]]:
    """Return the lines of the page, and the names of values that it shows: the English and the French of each."""
    names = {name: (name, french) for name, french in _load(_CATALOGUE)["names"].items()}
    return names | {name: (english, french) for name, (english, french) in _load(_PAGE).items()}


@functools.cache
def _load_messages() -> dict[str, str]:
    messages: dict[str, str] = {}
    for room, texts in _load(_CATALOGUE).items():
        if room not in {_THINGS, _FOREIGN}:
            messages |= texts
    return messages


@functools.cache
def _load_things() -> dict[str, list[str]]:
    things: dict[str, list[str]] = _load(_CATALOGUE)[_THINGS]
    return things


@functools.cache
def _load_foreign() -> list[tuple[re.Pattern[str], str]]:
    """Return a pattern for each text, its values as groups, and its French."""
    texts: dict[str, str] = _load(_CATALOGUE)[_FOREIGN]
    return [(re.compile(_write_pattern(english)), french) for english, french in texts.items()]


def _write_pattern(text: str) -> str:
    """Return the regular expression of the messages that a text with values may stand for."""
    pattern = ""
    for at, part in enumerate(re.split(r"\{(\w+)\}", text)):
        if at % 2:
            pattern += f"(?P<{part}>.*)"
        else:
            pattern += re.escape(part)
    return pattern


def _load(path: Path) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(path.read_text(encoding="utf-8"))
