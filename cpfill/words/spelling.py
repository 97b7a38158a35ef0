"""What the spelling of an entry tells: its words, and whether it is a phrase or a name.

A spelling has several words if it shows them (`toaster oven`, `well-to-do`). So has an entry in capitals without
spaces, as phrases are written in many lists, if it consists of words of the lists, as ATECROW does.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LONG = 8
"""The least length of an entry that gives a puzzle its character."""


class EntryKind(StrEnum):
    """An entry that is no plain word of a dictionary."""

    PHRASE = "phrase"
    """Several words, such as *toaster oven* and *well-to-do*."""
    NAME = "name"
    """A name or an abbreviation, of one word or of several: *Satie*, *Erik Satie*, *AAA*."""


_SPACE = re.compile(r"[\s-]+")

_LINKS = frozenset(
    re.findall(
        r"\w+",
        "a an and at by de del der di for from in la le les los of on or the to upon van von with "
        "au aux d da das des do du el en et l par pour sous sur un une y",
    )
)
"""Words without a capital in a name of several words; an elided one stands before an apostrophe."""

_ELISION = re.compile(r"[dl]['\u2019](?=.)", re.IGNORECASE)

PART = re.compile(r"[^\W\d_]{3,}")
"""A part of an entry that may have a stem; shorter ones, such as *of* or *de*, make no entries alike."""

COMMON = frozenset(
    re.findall(
        r"\w+",
        "about all and any are but can for from get had has have her him his how into its more not now off one our out "
        "over she than that the their them then there they this too two was were what when who will with you your "
        "avec aux car ces cet dans des elle est eux ils les leur lui mais mes moi mon nos notre nous par pas plus pour "
        "que qui sans ses son sont sous sur tes toi ton tous tout très une vos votre vous",
    )
)
"""Words that phrases share without being alike."""

_JOINED = 7
"""The least length of an entry in capitals that may have several words; shorter ones are mostly names, in which words
occur by chance."""


LEAST_SHORT = {2: 60.0, 3: 55.0}
"""The least score of a word within an entry in capitals, by its length."""

LEAST_LONG = 45.0
"""The same for longer words. Without these limits, most names would consist of rare words."""

NAME = 5
"""The least length of a name within an entry in capitals."""


def split_words(spelling: str) -> list[str]:
    """Return the words that a spelling shows; those of *brother-in-law* are three."""
    return [word for word in _SPACE.split(spelling) if word]


def read_kind(spelling: str) -> EntryKind | None:
    """Return the kind that a spelling shows, where capitals tell names from words."""
    words = [_ELISION.sub("", word) for word in split_words(spelling)]
    if len(words) < 2:
        return EntryKind.NAME if words[0][0].isupper() else None
    telling = [word for word in words if word not in _LINKS]
    if telling and all(word[0].isupper() for word in telling):
        return EntryKind.NAME
    return EntryKind.PHRASE


def may_be_joined(spelling: str) -> bool:
    """Return whether a spelling may consist of words without spaces between them."""
    return len(spelling) >= _JOINED and spelling.isalpha() and spelling.isupper()


def split(text: str, rate: Callable[[str], float | None]) -> tuple[int, float, tuple[str, ...]] | None:
    """Return the two or more words that a text consists of, if it does: the fewest, and of these the best.

    Their number and minus their scores come first. `rate` returns the score of a word, if it may be one of them.
    """
    found = []
    for end in range(2, len(text) - 1):
        head = text[:end]
        rest = text[end:]
        score = rate(head)
        if score is None:
            continue
        last = rate(rest)
        tail = split(rest, rate) if last is None else (1, -last, (rest,))
        if tail is not None:
            found.append((tail[0] + 1, tail[1] - score, (head, *tail[2])))
    return min(found, default=None)


def list_stemmed(spelling: str) -> list[str]:
    """Return the words of a spelling that have stems."""
    words = PART.findall(spelling.lower())
    if len(words) > 1:
        return [word for word in words if word not in COMMON]
    return words


def list_joined(word: str, rate: Callable[[str], float | None]) -> list[str]:
    """Return the words that an entry in capitals consists of, if it does, and that have stems."""
    found = split(word, rate)
    if found is None:
        return []
    words = [part.lower() for part in found[2] if len(part) > 2]
    return [word for word in words if word not in COMMON]
