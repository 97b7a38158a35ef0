"""Definitions of a dictionary made into clues: cut at a clause, or refused."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

MOST = 66
"""The most characters of a clue that is cut from a definition."""

_LEAST = 3
"""The fewest characters of such a clue."""

_LEAST_CUT = 16
"""The fewest characters of a clue that ends within a sentence: shorter ones seldom stand on their own."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How the dictionary of a language words its definitions; its file says what each part is."""

    opening: re.Pattern[str]
    refused: re.Pattern[str]
    synonym: re.Pattern[str]
    clause: re.Pattern[str]
    phrase: re.Pattern[str]
    unfinished: re.Pattern[str]
    last: re.Pattern[str]
    dangling: frozenset[str]
    ordered: bool


class Cut(NamedTuple):
    """A clue that was cut from a definition, and its rank among those of its word: the least comes first."""

    text: str
    rank: int = 0


@cache
def read_wording(file: str) -> Wording:
    """Return the wording in a file of this room."""
    said = tomllib.loads((files(__package__) / file).read_text("utf-8"))["wording"]
    return Wording(
        opening=re.compile(rf"(?:{said['opening']}) +", re.IGNORECASE),
        refused=re.compile(rf"(?:{'|'.join(said['refused'])})\b", re.IGNORECASE),
        synonym=re.compile(rf"(?:{said['synonym']})([^,;.()]+)", re.IGNORECASE),
        clause=re.compile(rf",? (?=(?:{'|'.join(said['clause'])})\b)"),
        phrase=re.compile(rf" (?=(?:{'|'.join(said['phrase'])})\b)"),
        unfinished=re.compile(rf"(?:{said['unfinished']})$"),
        last=re.compile(said["last"], re.IGNORECASE),
        dangling=frozenset(said["dangling"].split()),
        ordered=said["ordered"],
    )


_TYPESET = "\u2019"
"""The apostrophe of print, which not all files of puzzles can store."""

_ASIDE = re.compile(r"[(\[{][^()\[\]{}]*[)\]}]")
_SENTENCE = re.compile(r";|\.(?=\s|$)|:\s|\s[\u2013\u2014-]\s|…")
_PUNCTUATION = " ,;:."
_COMMA = re.compile(r", ")
_DAMAGED = re.compile(r"[\"“”()\[\]{}|=<>«»]|, ?,|'(?: |$)|\b(?:de|du|à) ?,")


def cut(definition: str, wording: Wording) -> Cut:
    """Return the clue that a definition begins with; its text is empty if it has none.

    The clue is the first sentence without asides, and without its last clauses if it is too long. A definition that
    refers to another word is no clue, except if that word is a synonym.
    """
    definition = definition.replace(_TYPESET, "'")
    synonym = wording.synonym.match(definition)
    if synonym:
        return Cut(_finish(synonym[1], wording))
    if wording.refused.match(definition):
        return Cut("")
    whole = " ".join(_ASIDE.sub("", definition).split()).replace(" ,", ",")
    sentence = _SENTENCE.split(whole, maxsplit=1)[0].strip()
    opening = wording.opening.match(sentence)
    if opening:
        sentence = sentence[opening.end() :]
    rank = 0
    if wording.last.search(definition):
        rank = 2
    if len(sentence) > MOST:
        sentence = _shorten(sentence, wording)
        if not wording.ordered:
            rank += 1
    return Cut(_finish(sentence, wording), rank)


def _shorten(sentence: str, wording: Wording) -> str:
    """Return the longest beginning that ends before a clause or at a comma, else before a phrase, or an empty text."""
    clauses = _list_ends(wording.clause, sentence) + _list_ends(_COMMA, sentence)
    phrases = _list_ends(wording.phrase, sentence)
    for end in [*sorted(clauses, reverse=True), *phrases[::-1]]:
        begun = sentence[:end]
        torn = end in phrases and wording.unfinished.search(begun)
        if _LEAST_CUT <= end <= MOST and not torn and not _dangles(begun, wording):
            return begun
    return ""


def _list_ends(part: re.Pattern[str], sentence: str) -> list[int]:
    return [found.start() for found in part.finditer(sentence)]


def _dangles(text: str, wording: Wording) -> bool:
    """Return whether a text ends with a word that another must follow."""
    words = text.lower().strip(_PUNCTUATION).replace("'", " ").split()
    return not words or words[-1] in wording.dangling


def _finish(text: str, wording: Wording) -> str:
    """Return a text as a clue, or an empty text if it is damaged or too short."""
    words = text.split()
    text = " ".join(words).strip(_PUNCTUATION)
    damaged = _DAMAGED.search(text) or any(one == other for one, other in pairwise(words))
    if damaged or not _LEAST <= len(text) <= MOST or _dangles(text, wording):
        return ""
    return text[0].upper() + text[1:]
