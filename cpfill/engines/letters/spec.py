"""The specification from which a kernel is made (the compiled one reads its attributes), and counts without a search.

If no rule compares the words of slots that do not cross, fills are counted without a search. The count goes cell by
cell. A partial fill affects the rest of the grid only by what can follow in the open slots. So a state is what can
follow in each open slot, and it is enough to count the ways to reach each state. Word beginnings with the same
continuations are merged (as in a word graph), so there may be far more fills than could be listed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, groupby
from typing import TYPE_CHECKING

from cpfill.base.imports import load_kernel
from cpfill.engines.letters import KERNEL
from cpfill.puzzle.grid import Direction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cpfill.engines.letters._letters import Kernel
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Grid, Place, SlotId
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

    def make_kernel(self) -> Kernel:
        """Return a kernel with its tries built."""
        kernel: Kernel = load_kernel(KERNEL).Kernel(self)
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


MAX_STATES = 2**19
"""The limit on states at once, of some hundred bytes each; beyond it, the engine searches for fills."""

STATES_BETWEEN_LOOKS = 4096

MAX_WIDTH = 6
"""The limit on open slots at once: with more there are usually too many states."""


def count_by_states(problem: Problem, check: Callable[[], None]) -> int | None:
    """Return the number of fills of a problem that `may_count_by_states`; `None` if there are too many states.

    `check` is called regularly.
    """
    width = problem.grid.width
    orders = [
        sorted({place for slot in problem.slots for place in slot.places}, key=key)
        for key in (lambda place: place, lambda place: (place[0] % width, place))
    ]
    order = min(orders, key=lambda order: _find_width(problem, order))
    return _Count(problem, order).count(check) if _find_width(problem, order) <= MAX_WIDTH else None


def may_count_by_states(problem: Problem) -> bool:
    """Return whether no constraint on the possible words compares slots that do not cross."""
    return not problem.constraints.tie_components and not any(
        problem.domains[one.id] & problem.domains[other.id] & problem.singles[one.length]
        for one, other in combinations(problem.slots, 2)
        if one.length == other.length
    )


def _find_width(problem: Problem, order: Sequence[Place]) -> int:
    """Return the greatest number of slots that are open at once."""
    turns = {place: turn for turn, place in enumerate(order)}
    begun = [0] * (len(order) + 1)
    for slot in problem.slots:
        begun[turns[slot.places[0]]] += 1
        begun[turns[slot.places[-1]]] -= 1
    width = most = 0
    for change in begun:
        width += change
        most = max(most, width)
    return most


class _Count:
    """One count. A number stands for what can follow in a slot; `_follows` maps it to the number after each letter."""

    def __init__(self, problem: Problem, order: Sequence[Place]) -> None:
        self._order = order
        self._slots_at: dict[Place, list[SlotId]] = {place: [] for place in order}
        self._last = [slot.places[-1] for slot in problem.slots]
        self._follows: list[dict[int, int]] = [{}]  # 0: nothing follows, the word is complete
        self._numbers: dict[tuple[tuple[int, int], ...], int] = {}
        roots: dict[tuple[int, int], int] = {}
        self._roots = []
        for slot, table, domain in zip(problem.slots, problem.tables, problem.domains, strict=True):
            for place in slot.places:
                self._slots_at[place].append(slot.id)
            if (slot.length, domain) not in roots:
                codes, length = table.codes, slot.length
                fitting = (word for word in range(len(table)) if domain >> word & 1)
                words = sorted(codes[word * length : (word + 1) * length] for word in fitting)
                roots[slot.length, domain] = self._number(words, 0)
            self._roots.append(roots[slot.length, domain])

    def _number(self, words: Sequence[bytes], pos: int) -> int:
        """Return the number for what follows `pos` in sorted words that agree before it."""
        if words and pos == len(words[0]):
            return 0
        groups = groupby(words, key=lambda word: word[pos])
        follows = tuple((letter, self._number(list(group), pos + 1)) for letter, group in groups)
        if follows not in self._numbers:
            self._numbers[follows] = len(self._follows)
            self._follows.append(dict(follows))
        return self._numbers[follows]

    def count(self, check: Callable[[], None]) -> int | None:
        """Return the number of fills, or `None` if there are too many states."""
        under_way: list[SlotId] = []
        ways: dict[tuple[int, ...], int] = {(): 1}  # state -> ways; a state: what can follow in each open slot
        for place in self._order:
            here = self._slots_at[place]
            going_on = [slot for slot in here if self._last[slot] != place]
            ways = self._go_on(ways, under_way, here, going_on, check)
            under_way = [slot for slot in under_way if slot not in here] + going_on
            if len(ways) > MAX_STATES:
                return None
        return sum(ways.values())

    def _go_on(
        self,
        ways: dict[tuple[int, ...], int],
        under_way: Sequence[SlotId],
        here: Sequence[SlotId],
        going_on: Sequence[SlotId],
        check: Callable[[], None],
    ) -> dict[tuple[int, ...], int]:
        """Return the ways after a cell in these slots, some of which continue."""
        others = [index for index, slot in enumerate(under_way) if slot not in here]
        begun = [under_way.index(slot) if slot in under_way else None for slot in here]
        kept = [slot in going_on for slot in here]
        after: dict[tuple[int, ...], int] = {}
        for done, (state, number) in enumerate(ways.items()):
            if done % STATES_BETWEEN_LOOKS == 0:
                check()
            rest = tuple([state[index] for index in others])
            at = [
                self._follows[self._roots[slot] if index is None else state[index]]
                for slot, index in zip(here, begun, strict=True)
            ]
            for letter in at[0]:
                if len(at) == 1 or letter in at[1]:
                    new = rest + tuple([follows[letter] for follows, keep in zip(at, kept, strict=True) if keep])
                    after[new] = after.get(new, 0) + number
            if len(after) > MAX_STATES:
                break
        return after
