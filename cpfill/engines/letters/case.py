"""A problem as the kernels of this package take it: plain numbers and bytes, which also travel to other processes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpfill.compiled import load_kernel
from cpfill.engines.letters import KERNELS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cpfill.engines.letters._letters import Kernel
    from cpfill.lexicon.table import WordId, WordTable
    from cpfill.problem import Problem


@dataclass(frozen=True)
class Case:
    """What a kernel is made of. Cells are numbered in the order in which they are visited.

    Attributes:
        letters: the size of the alphabet.
        cells: how many cells are in a slot; no others are visited.
        tables: for each word length, the length; the letter codes of all words, each written in the order of visit;
            the bitsets (little-endian) of the words that may stand in one slot only (C3), of the obscure ones (C6)
            and of the required ones (C7).
        tries: for each different domain, its table and its bitset. Slots with one length and one domain share a trie.
        slots: for each slot, its trie and its cells, rising.
        no_shared: C5, 0 where it is lifted.
        max_obscure: C6, -1 where it is lifted.
    """

    letters: int
    cells: int
    tables: tuple[tuple[int, bytes, bytes, bytes, bytes], ...]
    tries: tuple[tuple[int, bytes], ...]
    slots: tuple[tuple[int, tuple[int, ...]], ...]
    no_shared: int
    max_obscure: int

    @classmethod
    def of(cls, problem: Problem, *, reverse: bool) -> Case:
        """Return the case of a problem, its cells in reading order or from the last to the first."""
        place = {cell: number for number, cell in enumerate(visited(problem, reverse=reverse))}
        tables = {table.length: table for table in problem.tables}
        numbers = {length: number for number, length in enumerate(tables)}
        tries: dict[tuple[int, int], int] = {}
        slots = []
        for slot, domain in zip(problem.slots, problem.domains, strict=True):
            trie = tries.setdefault((numbers[slot.length], domain), len(tries))
            slots.append((trie, tuple(sorted(place[cell] for cell in slot.cells))))
        rules = problem.rules
        return cls(
            letters=len(problem.grid.alphabet.letters),
            cells=len(place),
            tables=tuple(_table(problem, table, reverse=reverse) for table in tables.values()),
            tries=tuple((table, _bytes(domain)) for table, domain in tries),
            slots=tuple(slots),
            no_shared=rules.no_shared or 0,
            max_obscure=-1 if rules.max_obscure is None else rules.max_obscure,
        )

    def kernel(self, name: str | None) -> Kernel:
        """Build a kernel: make the tries."""
        kernel: Kernel = load_kernel(KERNELS, name).Kernel(
            self.letters, self.cells, self.tables, self.tries, self.slots, self.no_shared, self.max_obscure
        )
        return kernel


def visited(problem: Problem, *, reverse: bool) -> list[int]:
    """Return the cells that are in a slot in the order of visit, which is that of the letters of every slot."""
    return sorted(problem.grid.slots_at, reverse=reverse)


def _table(problem: Problem, table: WordTable, *, reverse: bool) -> tuple[int, bytes, bytes, bytes, bytes]:
    codes, length = table.codes, table.length
    if reverse:
        turned = bytearray(codes)
        for pos in range(length):
            turned[pos::length] = codes[length - 1 - pos :: length]
        codes = bytes(turned)
    obscure = table.everything & ~table.at_least(problem.rules.below)
    required = sum(1 << table.ids[word] for word in problem.rules.required if len(word) == length)
    return length, codes, _bytes(problem.singles[length]), _bytes(obscure), _bytes(required)


def _bytes(bitset: int) -> bytes:
    return bitset.to_bytes((bitset.bit_length() + 7) // 8, "little")


class Reader:
    """Reads the texts that a kernel finds: one letter code a visited cell."""

    def __init__(self, problem: Problem, *, reverse: bool) -> None:
        place = {cell: number for number, cell in enumerate(visited(problem, reverse=reverse))}
        self.cells = len(place)
        self._slots = [
            (table.ids, [place[cell] for cell in slot.cells])
            for slot, table in zip(problem.slots, problem.tables, strict=True)
        ]
        self._letters = dict(enumerate(problem.grid.alphabet.letters))

    def letters(self, codes: bytes) -> str:
        """Return codes as letters."""
        return codes.decode("latin-1").translate(self._letters)

    def texts(self, letters: str) -> Iterator[str]:
        """Yield the texts that stand one after another."""
        for start in range(0, len(letters), self.cells):
            yield letters[start : start + self.cells]

    def words(self, text: str) -> Sequence[WordId]:
        """Return the word ids that a text spells, one a slot.

        Raises:
            KeyError: it spells something that is no word.
        """
        return [ids["".join([text[place] for place in places])] for ids, places in self._slots]
