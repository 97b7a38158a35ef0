"""Rule C8: how often letters stand in some cells.

    E<=5, Q>=1, JX=0              in the whole grid; several letters have the limits of each
    circled: *>=1                 in the circled cells; * is each letter of the alphabet
    R1C1,5-Down: E=2              in these cells, and the cells of these entries

Words count by their letters: a letter in a cell of one slot counts twice, in a cell of two slots once in each, so that
the sums over slots are twice the counts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from itertools import combinations, compress, product
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.errors import expected
from cpfill.base.texts import later, say
from cpfill.problem.constraints import (
    HALVES,
    Apart,
    Budget,
    BudgetStep,
    Cover,
    Domain,
    find_spelled,
    list_unspelled,
    weigh_kinds,
    weigh_places,
)
from cpfill.puzzle.grid import find_cell, find_slot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cpfill.problem.constraints import Constraint
    from cpfill.problem.rules import Rules
    from cpfill.puzzle.grid import CellId, Grid, Place, Slot
    from cpfill.words.lexicon import WordTable

_EXAMPLES = later("limits such as E<=5, Q>=1 or circled: *>=1")
_LIMIT = re.compile(r"(\S+?)\s*(<=|>=|=)\s*(\d{1,6})", re.ASCII)


_NTH = re.compile(r"letter\s+(\d{1,4})\s+of\s+(.+)", re.IGNORECASE | re.ASCII)
_CELL = re.compile(r"r\d+c\d+", re.IGNORECASE | re.ASCII)

_MOST = 8
"""The most limits that take a budget: engines have room for few."""

_FEW_CELLS = 33
"""Up to so many cells, each pair of cells is kept apart: a pangram of 26 circled cells takes 8,450 constraints."""


class LetterCount(NamedTuple):
    """Attributes: cells: the cells; letter: the letter; least, most: how often it stands there."""

    cells: frozenset[CellId]
    letter: str
    least: int
    most: int | None

    @property
    def settles(self) -> bool:
        """Whether it only says that the letter stands there, or that it does not."""
        return self.most == 0 or (self.least <= 1 and self.most is None)

    def narrow(self, sign: str, number: int) -> LetterCount:
        """Return the count within one more limit."""
        least = self.least
        most = self.most
        if sign != "<=":
            least = max(least, number)
        if sign != ">=" and (most is None or number < most):
            most = number
        return self._replace(least=least, most=most)

    def without(self, standing: int) -> LetterCount:
        """Return the count of the cells besides some in which the letter stands."""
        most = None if self.most is None else self.most - standing
        return self._replace(least=self.least - standing, most=most)


def find_named_cells(grid: Grid, where: str) -> tuple[CellId, ...]:
    """Return the cells that a user names: circled, letter 3 of 17-Across, or cells and entries with commas.

    Open slots have names too: a relaxation opens slots that a limit names.

    Raises:
        InputError: the grid has no such cells, or they have several letters.
    """
    if grid.open_slots:
        grid = replace(grid, open_slots=frozenset())
    if where.lower() == "circled":
        if not grid.circled:
            raise expected("a grid with circled cells", say("none"))
        found = sorted(grid.circled)
    else:
        nth = _NTH.fullmatch(where)
        found = []
        if nth:
            for name in nth[2].split(","):
                found.append(_find_nth(find_slot(grid, name), int(nth[1])))
        else:
            for name in where.split(","):
                found += find_cell_or_slot(grid, name)
    for cell in found:
        if cell in grid.rebus:
            raise expected("cells of one letter", say("{cell}, a rebus cell", cell=grid.name_cell(cell)))
    return tuple(found)


def find_cell_or_slot(grid: Grid, name: str) -> tuple[CellId, ...]:
    """Return the cell, or the cells of the slot, that a name names; raises what `find_cell` and `find_slot` do."""
    if _CELL.fullmatch(name.strip()):
        return (find_cell(grid, name),)
    return find_slot(grid, name).cells


def _find_nth(slot: Slot, nth: int) -> CellId:
    if not 1 <= nth <= len(slot.cells):
        raise expected("a letter from 1 to {last} of {name}", str(nth), last=len(slot.cells), name=slot.name)
    return slot.cells[nth - 1]


def read_counts(rules: Rules, grid: Grid) -> tuple[LetterCount, ...]:
    """Return what the rules say of letters, once for each letter in the same cells.

    Raises:
        InputError: a text has another form, names no cells or no letter of the grid, or its limits contradict.
    """
    counts: dict[tuple[frozenset[CellId], str], LetterCount] = {}
    texts = list(rules.letter_counts)
    if rules.pangram:
        texts.append("*>=1")
    for text in texts:
        where, colon, limits = text.rpartition(":")
        cells = _list_open(grid)
        if colon:
            cells = frozenset(find_named_cells(grid, where.strip()))
        for limit in limits.split(","):
            letters, sign, number = _read_limit(limit.strip(), grid)
            for letter in letters:
                count = counts.get((cells, letter), LetterCount(cells, letter, 0, None))
                counts[cells, letter] = count.narrow(sign, number)
    _check_counts(counts.values(), grid)
    return tuple(_hold_once(list(counts.values()), grid))


def _hold_once(counts: Sequence[LetterCount], grid: Grid) -> Iterator[LetterCount]:
    """Yield counts; where cells have only room for the letters that must stand there, each of them stands once."""
    needed: dict[frozenset[CellId], list[int]] = defaultdict(list)
    for count in counts:
        needed[count.cells].append(count.least)
    for count in counts:
        least = needed[count.cells]
        few = len(count.cells) <= _FEW_CELLS and count.cells.isdisjoint(grid.rebus)
        if few and max(least) == 1 and sum(least) == len(count.cells):
            yield count._replace(most=count.least)
        else:
            yield count


def list_count_texts(counts: Iterable[LetterCount], grid: Grid) -> list[str]:
    """Return counts as `fill_to_cnf.py` reads them, those of the same cells in one text."""
    limits: dict[frozenset[CellId], list[str]] = defaultdict(list)
    for cells, letter, least, most in counts:
        if most is not None and most == least:
            limits[cells].append(f"{letter}={most}")
            continue
        if least:
            limits[cells].append(f"{letter}>={least}")
        if most is not None:
            limits[cells].append(f"{letter}<={most}")
    texts = []
    for cells, of_cells in limits.items():
        text = ",".join(of_cells)
        if cells != _list_open(grid):
            text = f"{','.join(map(grid.name_cell, sorted(cells)))}:{text}"
        texts.append(text)
    return texts


def _read_limit(text: str, grid: Grid) -> tuple[str, str, int]:
    """Return the letters of a limit, its sign and its number."""
    match = _LIMIT.fullmatch(text)
    if match is None:
        raise expected(_EXAMPLES, f"'{text:.60}'")
    letters = match[1]
    if letters == "*":
        letters = grid.alphabet.letters
    return grid.alphabet.word(letters), match[2], int(match[3])


def _check_counts(counts: Iterable[LetterCount], grid: Grid) -> None:
    """Check that limits agree, that cells have room for the letters that must stand there, and engines for budgets."""
    needed: dict[frozenset[CellId], int] = defaultdict(int)
    budgets = 0
    for cells, letter, least, most in counts:
        if most is not None and least > most:
            told = say("at least {least}, at most {most}", least=least, most=most)
            raise expected("limits of {letter} that agree", told, letter=letter)
        needed[cells] += least
        budgets += least > 1
        budgets += bool(most) and not _is_apart(LetterCount(cells, letter, least, most), grid)
    if budgets > _MOST:
        raise expected("at most {most} limits other than >=1 and =0", str(budgets), most=_MOST)
    for cells, least in needed.items():
        room = len(grid.list_places(cells))
        if least > room:
            told = say("{least} that must stand there", least=least)
            raise expected("limits for at most {room} letters", told, room=room)


def _list_open(grid: Grid) -> frozenset[CellId]:
    return frozenset(compress(range(len(grid.cells)), grid.cells))


def relax_counts(counts: Iterable[LetterCount], grid: Grid, freed: frozenset[CellId]) -> Iterator[LetterCount]:
    """Yield what counts say of the other cells if some cells may hold any letters."""
    for count in counts:
        kept = count.cells - freed
        least = count.least - len(grid.list_places(count.cells - kept))
        relaxed = count._replace(cells=kept, least=max(0, least))
        if relaxed.least or relaxed.most is not None:
            yield relaxed


def list_scopes(counts: Iterable[LetterCount], grid: Grid) -> list[frozenset[Place]]:
    """Return the different places in which letters are counted, save for all places if no limit weighs them."""
    everywhere = _list_open(grid)
    scopes = {}
    for count in counts:
        if count.cells != everywhere or not count.settles:
            scopes[count.cells] = frozenset(grid.list_places(count.cells))
    return list(scopes.values())


def lower_counts(
    counts: Sequence[LetterCount],
    grid: Grid,
    kinds: Sequence[int],
    tables: Mapping[int, WordTable],
    *,
    pairs: bool,
) -> Iterator[Constraint]:
    """Yield the constraints that counts come to; `kinds` has the kind of each slot, `tables` the table of each kind.

    With `pairs`, letters that may stand once in few cells keep words apart instead of burdening a budget.
    """
    weighed = _weigh(counts, grid, kinds)
    codes = grid.alphabet.codes
    forbidden: dict[int, int] = defaultdict(int)  # by kind, the words with a letter where it may not stand
    for asked in counts:
        count = asked.without(_count_besides(asked, grid))
        code = codes[count.letter]
        if count.most == 0 and count.cells.issuperset(grid.slots_at):
            yield Domain({table.length: _spare(table, code) for table in tables.values()})
            continue
        reaching = _reach(tables, weighed[count.cells], code)
        if count.most == 0:
            _add_words(forbidden, _select(reaching, 1))
        else:
            yield from _bound(reaching, len(grid.slots), count, apart=pairs and _is_apart(asked, grid))
    if pairs:
        yield from _pair_alike(counts, grid, kinds, tables, forbidden)
    if any(forbidden.values()):
        yield Budget.count(forbidden, 0)


def _add_words(sets: dict[int, int], words: Mapping[int, int]) -> None:
    for kind, of_kind in words.items():
        sets[kind] |= of_kind


def _reach(tables: Mapping[int, WordTable], weights: Mapping[int, list[int]], code: int) -> dict[int, list[int]]:
    """Return what `_count_in_words` does for each kind."""
    return {kind: _count_in_words(table, weights[kind], code) for kind, table in tables.items()}


def _count_besides(count: LetterCount, grid: Grid) -> int:
    """Return how often the letter stands in cells that no word spells."""
    besides = count.cells & list_unspelled(grid)
    return sum(grid.first_letters[cell].count(count.letter) for cell in besides)


def _list_apart(counts: Iterable[LetterCount], grid: Grid) -> Iterator[tuple[frozenset[CellId], list[int]]]:
    """Yield cells, and the codes of the letters that stand once there at most."""
    apart = defaultdict(list)
    for count in counts:
        if _is_apart(count, grid):
            apart[count.cells].append(grid.alphabet.codes[count.letter])
    yield from apart.items()


def _is_apart(count: LetterCount, grid: Grid) -> bool:
    """Return whether a letter may stand once in few cells of one letter: each two are kept apart, without a budget."""
    return count.most == 1 and len(count.cells) <= _FEW_CELLS and count.cells.isdisjoint(grid.rebus)


def _pair_alike(
    counts: Iterable[LetterCount],
    grid: Grid,
    kinds: Sequence[int],
    tables: Mapping[int, WordTable],
    forbidden: dict[int, int],
) -> Iterator[Apart]:
    """Yield the words of two slots that hold one letter in two cells, which may hold it once.

    Where the two cells are in one slot alone, the words that do so are added to those that are `forbidden`, by kind.
    """
    spelled = find_spelled(grid)
    for cells, letters in _list_apart(counts, grid):
        held = [grid.slots_at.get(spelled.get(cell, cell), ()) for cell in sorted(cells)]
        for here, there in combinations(held, 2):
            places = list(product(here, there))
            if not places:
                continue
            (slot, pos), (other, other_pos) = min(places, key=lambda each: each[0][0] == each[1][0])
            ones = tables[kinds[slot]].masks(pos)
            others = tables[kinds[other]].masks(other_pos)
            for code in letters:
                if slot == other:
                    forbidden[kinds[slot]] |= ones[code] & others[code]
                else:
                    yield Apart(slot, ones[code], other, others[code])


def _weigh(
    counts: Iterable[LetterCount], grid: Grid, kinds: Sequence[int]
) -> dict[frozenset[CellId], dict[int, list[int]]]:
    """Return the weights of the places in the slots of each kind, for all cells in which letters are counted."""
    weighed = {}
    for cells in {count.cells for count in counts}:
        weights = weigh_places(grid, frozenset(grid.list_places(cells)))
        weighed[cells] = weigh_kinds(weights, grid.slots, kinds)
    return weighed


def _spare(table: WordTable, code: int) -> int:
    """Return the words without a letter."""
    having = 0
    for pos in range(table.length):
        having |= table.masks(pos)[code]
    return table.everything & ~having


def _count_in_words(table: WordTable, weights: Sequence[int], code: int) -> list[int]:
    """Return, for each number from 0 on, the words in which the weights of a letter add up to it or more."""
    reaching = [table.everything]
    for pos, weight in enumerate(weights):
        having = table.masks(pos)[code]
        if not weight or not having:
            continue
        longer = reaching + [0] * weight
        for number in range(1, len(longer)):
            longer[number] |= reaching[max(0, number - weight)] & having
        reaching = longer
    while len(reaching) > 1 and not reaching[-1]:
        reaching.pop()
    return reaching


def _bound(reaching: Mapping[int, list[int]], slots: int, count: LetterCount, *, apart: bool) -> Iterator[Constraint]:
    """Yield the constraints that the weights of a letter in a fill add up to twice its limits.

    Cells that are kept `apart` have the letter once at most.
    """
    if count.most is not None and count.most < 0:
        yield Domain({})
        return
    greatest = max(map(len, reaching.values())) - 1
    if count.least == 1:
        yield Cover(_select(reaching, 1))
    elif count.least * HALVES > greatest * slots:
        yield Domain({})
    elif count.least > 1:
        short = {}
        for kind, words in reaching.items():
            short[kind] = _complement(words, greatest)
        yield Budget(_list_steps(short), greatest * slots - HALVES * count.least)
    if count.most is not None and greatest and not apart:
        yield Budget(_list_steps(reaching), HALVES * count.most)


def _list_steps(reaching: Mapping[int, list[int]]) -> tuple[BudgetStep, ...]:
    """Return the steps of a budget in which words cost what their weights add up to."""
    last = max(map(len, reaching.values()))
    return tuple(BudgetStep(cost, _select(reaching, cost)) for cost in range(1, last))


def _select(reaching: Mapping[int, list[int]], number: int) -> dict[int, int]:
    """Return the words whose weights add up to a number or more, of the kinds that have some."""
    return {kind: words[number] for kind, words in reaching.items() if len(words) > number}


def _complement(reaching: Sequence[int], greatest: int) -> list[int]:
    """Return, for each number from 0 on, the words whose weights are less than the greatest by it or more."""
    everything = reaching[0]
    fewer = [everything] * (1 + greatest)
    for number, words in enumerate(reaching[1:]):
        fewer[greatest - number] = everything & ~words
    return fewer
