"""Lexicon cores: the few hundred words per slot that cross most easily.

CP-SAT takes minutes for a model of a whole lexicon, but seconds for the few hundred friendliest words per slot, and a
fill found among them is a fill. A core without a fill proves nothing, so the search continues with larger cores and
finally the whole lexicon.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from cpfill.problem.problem import Problem
    from cpfill.words.lexicon import WordId

_Item = TypeVar("_Item")

GROWTH = 3
"""The ratio of the size of a core to that of the one before."""


def choose_core(problem: Problem, domains: Sequence[int], size: int, tick: Callable[[], None]) -> list[int]:
    """Return the `size` friendliest words of each domain, or all if there are fewer.

    A word's friendliness is the sum, over crossed positions, of log(words of the crossing slot that have this letter
    there). Ties go to the better score. Friendliness comes before score because the best-scored words of a list scored
    by frequency cross badly: on 15.01 with `en`, 900 words per slot by score are undecided after 30 s, 300 by
    friendliness give a fill in 1.5 s. For good words, set a minimum score or an objective. Words that cost much in a
    budget come last; the words of a cover or a theme are in every core.
    """
    wanted = dict.fromkeys((table.length for table in problem.tables), 0)
    for length, word in (*problem.constraints.cover, *list_word_ids(problem, problem.theme)):
        wanted[length] |= 1 << word
    core = []
    for slot, domain in enumerate(tick_through(tick, domains)):
        table = problem.tables[slot]
        if domain.bit_count() > size:
            words = list_members(domain)
            friendliness = _rate_friendliness(problem, domains, slot)[words]
            for budget in problem.constraints.budgets:
                costs = np.frombuffer(budget.list_costs(table.length, len(table)), dtype=np.int64)[words]
                friendliness -= costs / budget.steps[-1].cost * (friendliness.max() + 1.0)
            friendliest = np.argsort(-friendliness, kind="stable")[:size]
            domain = make_bitset(words[friendliest]) | domain & wanted[table.length]  # noqa: PLW2901
        core.append(domain)
    return core


def list_word_ids(problem: Problem, words: Iterable[str]) -> list[tuple[int, WordId]]:
    """Return the length and the id of each word that the lexicon has, in alphabetical order."""
    return [(len(word), problem.lexicon.table(len(word)).ids[word]) for word in sorted(words)]


def _rate_friendliness(problem: Problem, domains: Sequence[int], slot: int) -> NDArray[np.float64]:
    """Return the friendliness of every word in the table of a slot."""
    table = problem.tables[slot]
    codes = np.frombuffer(table.codes, dtype=np.uint8).reshape(len(table), table.length)
    total = np.zeros(len(table))
    for pos, other, other_pos in problem.grid.neighbours[slot]:
        counts = [(domains[other] & mask).bit_count() for mask in problem.tables[other].masks(other_pos)]
        total += np.log(np.maximum(counts, 1))[codes[:, pos]]
    return total


def tick_through(tick: Callable[[], None], items: Iterable[_Item]) -> Iterator[_Item]:
    """Yield items, calling `tick` before each; `tick` may raise to stop."""
    for item in items:
        tick()
        yield item


def list_members(domain: int) -> NDArray[np.intp]:
    """Return the members of a bitset, lowest first."""
    data = domain.to_bytes((domain.bit_length() + 7) // 8, "little")
    return np.flatnonzero(np.unpackbits(np.frombuffer(data, dtype=np.uint8), bitorder="little"))


def make_bitset(words: NDArray[np.intp]) -> int:
    """Return the bitset of these members."""
    flags = np.zeros(int(words.max(initial=-1)) + 1, dtype=np.uint8)
    flags[words] = 1
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")
