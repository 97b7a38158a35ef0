"""Texts as printers set them: quotes and apostrophes that curl; in French « » and the spaces that allow no break."""

from __future__ import annotations

import re

_THIN, _WIDE = "\u202f", "\u00a0"
"""Spaces that allow no break."""
_BLANK = f"[ {_THIN}{_WIDE}]{{0,9}}"

_QUOTED = re.compile(r'(?<!\w)"([^"]*)"')
_SAID = re.compile(r"(?<!\w)'((?:[^']|(?<=\w)'(?=\w)){1,60})'(?!\w)")
_LONE_N = re.compile(r"(?<!\w)'([Nn])'(?!\w)")
_APOSTROPHE = re.compile(r"(?<=[^\W\d])'|(?<!\w)'(?=\w)")

_OPENED, _CLOSED = re.compile(f"«{_BLANK}"), re.compile(f"{_BLANK}»")
_HIGH = re.compile(rf"(?<=[^\s(\[«]){_BLANK}([;?!]{{1,9}})(?![\w;?!])")
_COLON = re.compile(rf"(?<=[^\s(\[«]){_BLANK}:(?=\s|$)")
_LENGTHS = re.compile(r"(?<=\S) (\(\d[\d,-]*\))")
"""The lengths of the words of an answer, which no line begins with."""


def set_english(text: str) -> str:
    """Return a text with its straight quotes curled; what may be feet and inches stays."""
    text = _QUOTED.sub("“\\1”", text)
    text = _SAID.sub("\u2018\\1\u2019", _LONE_N.sub("\u2019\\1\u2019", text))
    return _LENGTHS.sub(rf"{_WIDE}\1", _APOSTROPHE.sub("\u2019", text))


def set_french(text: str) -> str:
    """Return a text with « » for straight quotes, and with its spaces: before : ; ? ! and within « »."""
    text = _QUOTED.sub(r"«\1»", _APOSTROPHE.sub("\u2019", text))
    text = _CLOSED.sub(f"{_THIN}»", _OPENED.sub(f"«{_THIN}", text))
    text = _COLON.sub(f"{_WIDE}:", _HIGH.sub(rf"{_THIN}\1", text))
    return _LENGTHS.sub(rf"{_WIDE}\1", text)
