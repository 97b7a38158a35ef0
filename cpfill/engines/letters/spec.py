"""The specification from which a kernel is made (the compiled one reads its attributes), and the decoder of fills."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpfill.base.imports import load_kernel
from cpfill.engines.letters import KERNELS
from cpfill.puzzle.grid import Direction

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cpfill.engines.letters._letters import Kernel
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Grid, Place
    from cpfill.words.lexicon import WordId, WordTable


@dataclass(frozen=True)
class LettersSpec:
    """A problem as plain numbers and bytes, so that it can be sent to other machines.

    Cells are numbered in the order of visit. A rebus cell counts as one cell per letter.

    Attributes:
        letters: the size of the alphabet.
        cells: the number of cells that are in a slot; other cells are not visited.
        tables: for each word length, the length; the letter codes of all words, each written in the order of visit;
            the little-endian bitsets of the words that may occur only once, and of the required words.
        budgets: for each budget, its limit, and for each table the costs of its words as 64-bit integers.
        tries: for each different domain, its table and its bitset. Slots with the same length and domain share a trie.
        across: the number of slots across, which come first; the cells of each are consecutive.
        slots: for each slot, its trie and its cells, rising.
        run: the length of letter runs that no two words may share, 0 if they may share any.
        mirror: for each cell, its reflection in the diagonal through the first cell of the grid, if the reflection of
            every fill is a fill: the kernel finds only the first fill of each pair, and counts it twice. Else empty.
    """

    letters: int
    cells: int
    tables: tuple[tuple[int, bytes, bytes, bytes], ...]
    budgets: tuple[tuple[int, tuple[bytes, ...]], ...]
    tries: tuple[tuple[int, bytes], ...]
    across: int
    slots: tuple[tuple[int, tuple[int, ...]], ...]
    run: int
    mirror: tuple[int, ...] = ()

    @classmethod
    def of(cls, problem: Problem, *, reverse: bool, halved: bool = False) -> LettersSpec:
        """Return the specification of a problem, its cells in reading order, or from the last to the first.

        With `halved`, set `mirror` if the problem allows it; the kernel can then count fills but not list them all.
        """
        turns = _list_turns(problem, reverse=reverse)
        tables = {table.length: table for table in problem.tables}
        numbers = {length: number for number, length in enumerate(tables)}
        tries: dict[tuple[int, int], int] = {}
        slots = []
        for slot, domain in zip(problem.slots, problem.domains, strict=True):
            trie = tries.setdefault((numbers[slot.length], domain), len(tries))
            slots.append((trie, tuple(sorted(turns[place] for place in slot.places))))
        constraints = problem.constraints
        return cls(
            letters=len(problem.grid.alphabet.letters),
            cells=len(turns),
            tables=tuple(_pack_table(problem, table, reverse=reverse) for table in tables.values()),
            budgets=tuple(
                (
                    budget.limit,
                    tuple(budget.list_costs(length, len(table)).tobytes() for length, table in tables.items()),
                )
                for budget in constraints.budgets
            ),
            tries=tuple((table, _pack(domain)) for table, domain in tries),
            across=sum(slot.direction is Direction.ACROSS for slot in problem.slots),
            slots=tuple(slots),
            run=constraints.run or 0,
            mirror=_find_mirror(problem.grid, turns, slots) if halved else (),
        )

    def make_kernel(self, name: str | None) -> Kernel:
        """Return a kernel of that name with its tries built."""
        kernel: Kernel = load_kernel(KERNELS, name).Kernel(self)
        return kernel


def _list_turns(problem: Problem, *, reverse: bool) -> dict[Place, int]:
    """Return the turn, from 0, at which each place of a slot is visited; a slot's letters follow this order."""
    places = {place for slot in problem.slots for place in slot.places}
    return {place: turn for turn, place in enumerate(sorted(places, reverse=reverse))}


def _find_mirror(
    grid: Grid, turns: Mapping[Place, int], slots: Sequence[tuple[int, tuple[int, ...]]]
) -> tuple[int, ...]:
    """Return the image of each turn if every slot reflects to a slot with the same words; else nothing."""
    size = grid.width
    images = {turn: turns.get((cell % size * size + cell // size, letter)) for (cell, letter), turn in turns.items()}
    reflected = {(trie, tuple(images[turn] for turn in cells)) for trie, cells in slots}
    if grid.height != grid.width or reflected != set(slots):
        return ()
    return tuple(image for _, image in sorted(images.items()) if image is not None)


def _pack_table(problem: Problem, table: WordTable, *, reverse: bool) -> tuple[int, bytes, bytes, bytes]:
    codes, length = table.codes, table.length
    if reverse:
        turned = bytearray(codes)
        for pos in range(length):
            turned[pos::length] = codes[length - 1 - pos :: length]
        codes = bytes(turned)
    required = sum(1 << word for of_length, word in problem.constraints.cover if of_length == length)
    return length, codes, _pack(problem.singles[length]), _pack(required)


def _pack(bitset: int) -> bytes:
    return bitset.to_bytes((bitset.bit_length() + 7) // 8, "little")


class FillDecoder:
    """Decodes the texts that a kernel finds: one letter code per visited cell."""

    def __init__(self, problem: Problem, *, reverse: bool) -> None:
        turns = _list_turns(problem, reverse=reverse)
        self.cells = len(turns)
        self._slots = [
            (table.ids, [turns[place] for place in slot.places])
            for slot, table in zip(problem.slots, problem.tables, strict=True)
        ]
        self._letters = dict(enumerate(problem.grid.alphabet.letters))

    def decode(self, codes: bytes) -> str:
        """Return the letters of codes."""
        return codes.decode("latin-1").translate(self._letters)

    def split(self, letters: str) -> Iterator[str]:
        """Split concatenated texts."""
        for start in range(0, len(letters), self.cells):
            yield letters[start : start + self.cells]

    def find_words(self, text: str) -> Sequence[WordId]:
        """Return the word ids that a text spells, one per slot.

        Raises:
            KeyError: the text spells something that is not a word.
        """
        return [ids["".join([text[turn] for turn in turns])] for ids, turns in self._slots]
