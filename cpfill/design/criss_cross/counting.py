"""Bounds by counting: the words that can hang together, and the crossings that they can have."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def find_groups(words: Sequence[str]) -> list[list[str]]:
    """Return the words in groups: words of two groups share no letter, so that they never hang together."""
    groups: list[list[str]] = []
    for word in words:
        touched = [group for group in groups if set(word) & set("".join(group))]
        groups = [group for group in groups if group not in touched]
        groups.append([word, *(each for group in touched for each in group)])
    return groups


def count_most_crossings(words: Sequence[str]) -> int:
    """Return a number of crossings that words standing together cannot exceed: two words cross once at most.

    A word crosses at most as many others as it has letters, and each of them must share a letter with it; the words
    across cross those down alone.
    """
    met = 0
    for word in words:
        sharing = sum(1 for other in words if other != word and set(word) & set(other))
        met += min(len(word), sharing)
    return min(met // 2, len(words) ** 2 // 4)
