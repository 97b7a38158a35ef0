"""Words too alike to stand in one grid: repeated, with a common run of letters, or with a common stem."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from cpfill.puzzle.grid import Slot
    from cpfill.questions.stats.languages import Language


@dataclass(frozen=True, slots=True)
class Link:
    """Slots whose words have something in common.

    Attributes:
        text: the common part: a word, a run of letters, or a stem.
        slots: two or more slots, in the order of the grid.
    """

    text: str
    slots: tuple[Slot, ...]


def find_repeats(words: Mapping[Slot, str]) -> tuple[Link, ...]:
    """Return the words in two or more slots."""
    return tuple(Link(word, tuple(slots)) for word, slots in _group(words).items() if len(slots) > 1)


def find_shared_runs(words: Mapping[Slot, str], length: int) -> tuple[Link, ...]:
    """Return the runs of `length` or more letters that several different words share, longest first.

    A run within a longer shared run counts only if further words share it.
    """
    by_word = _group(words)
    shared: dict[str, frozenset[str]] = {}
    for size in count(length):
        found = _share(by_word, partial(_list_runs, size))
        for run, sharers in found.items():
            for part in (run[:-1], run[1:]):  # if a longer run has the same words, so has one that is longer by one
                if shared.get(part) == sharers:
                    del shared[part]
        shared |= found
        if not found:
            break
    return _link(shared, by_word)


def find_shared_stems(
    words: Mapping[Slot, str], language: Language, spellings: Mapping[str, str] | None = None
) -> tuple[Link, ...]:
    """Return the stems that several different words share, as RUN and RUNNING do.

    Args:
        words: the words.
        language: the language of the stems.
        spellings: the spellings of words, with accents and blanks; by default lower case.
    """
    by_word, spelt = _group(words), spellings or {}
    return _link(_share(by_word, lambda word: language.find_stems(spelt.get(word, word))), by_word)


def _list_runs(length: int, word: str) -> set[str]:
    return {word[at : at + length] for at in range(len(word) - length + 1)}


def _group(words: Mapping[Slot, str]) -> dict[str, list[Slot]]:
    """Return the slots of each word."""
    by_word: dict[str, list[Slot]] = defaultdict(list)
    for slot, word in words.items():
        by_word[word].append(slot)
    return by_word


def _share(words: Iterable[str], parts_of: Callable[[str], Iterable[str]]) -> dict[str, frozenset[str]]:
    """Return the parts that several words share, with these words."""
    sharers: dict[str, set[str]] = defaultdict(set)
    for word in words:
        for part in parts_of(word):
            sharers[part].add(word)
    return {part: frozenset(having) for part, having in sharers.items() if len(having) > 1}


def _link(shared: Mapping[str, Iterable[str]], by_word: Mapping[str, list[Slot]]) -> tuple[Link, ...]:
    links = [
        Link(part, tuple(sorted((slot for word in having for slot in by_word[word]), key=lambda slot: slot.id)))
        for part, having in shared.items()
    ]
    return tuple(sorted(links, key=lambda link: (-len(link.text), link.text)))
