"""Writes "this grid has a fill from these words" as a formula in DIMACS CNF.

    python fill_to_cnf.py grid.txt words.tsv [arguments] > formula.cnf

It imports only the standard library and two scripts beside it, `read_inputs.py`, which states the form of the inputs,
and `counters.py`: besides a checker of proofs, these are all that has to be trusted.

A word fits a slot if it has one letter for each cell, or all letters of a cell with several; keeps givens and letter
sets, and has one letter in tied cells; scores at least --min-score and more than --above; and has, in each crossing and
tied cell, a letter that some word which fits the other slot has there. With --part 3/5 the formula says that part 3 of
the fills that --cases divides has a fill, and a word fits only if the case allows it.

Variables, numbered from 1:
    x(s, w)  slot s holds word w, for the words that fit: across before down, in the order of first cells; words rising
    y(c, l)  cell c holds letter l, for the letters that words of its slots have there: in reading order, of tied cells
             the first; letters rising
    others   as the clauses need them: r(s, t), o(s), v(s), t(s, k), m(s), u(s, p), n(s, p, l) and those of counters
Models that differ in x are fills that differ in the word of a slot, and every such fill is a model.

Clauses, in this order:
    C2  a slot holds a word: x(s, w1) or x(s, w2) or …; a word has its letters: -x(s, w) or y(c, l); a letter comes from
        a word of each slot of its cell: -y(c, l) or x(s, w1) or x(s, w2) or …, for the words of s with l in c
    C1  a cell has one letter: -y(c, l) or -y(c, m)
    C3  a word stands in at most one slot, unless --repeats: a counter of x(s1, w), x(s2, w), …
    C5  words of two slots share no mark t, with --no-shared: -x(s, w) or r(s, t); a counter of r(s1, t), r(s2, t), …
    C6  at most --at-most words score under --under: -x(s, w) or o(s) for such a word, o(s) or x(s, w1) or … for all
        others; a counter of o(s1), o(s2), …; the pair of options may be repeated
    C7  each word of --required stands in a slot: x(s1, w) or x(s2, w) or …
    C8  a letter l stands as often as --letter-counts says, limit by limit, the least number before the most:
        no times: -y(c, l) for each cell
        once or more: y(c, l) or … or v(s) or …, where v(s) stands for the cells that slot s alone has, if these are
        two or more: -v(s) or x(s, w1) or …, for the words with l in one of these cells; -x(s, w) or v(s) for these
        words, -x(s, w) or -v(s) for all others
        at most once, in up to 33 cells of one letter: y(c, l1) or y(c, l2) or … for each; -y(c, l) or -y(d, l)
        else a word adds 2 for a cell that its slot alone has, and 1 for a cell that two have: -x(s, w) or t(s, k) for
        a word that adds k; -t(s, k) or t(s, j) for the next lower j; t(s, k) or x(s, w1) or … for the words that add
        less; a sum of these is at most twice the limit. For a least number, k is the shortfall of a word: how much less
        it adds than the word of its slot that adds most. Slots are counted, not cells: where each word of a slot has
        the letter, the slot adds something before any cell of it is known
    C9  no two names cross at a letter that others leave open, with --no-naticks: a name leaves letter l open at a
        place if l makes another word of it there that scores at least that. In each slot, m(s) or x(s, w1) or … for
        all words but names. In each crossing, for both slots and the letters l that names in both leave open there:
        u(s, p) or -m(s) or x(s, w1) or … for the names that leave none of them open; -x(s, w) or n(s, p, l) for those
        that leave l open; n(s, p, l) or -u(s, p) or x(s, w1) or … for those that leave others open, but not l. Then
        -n(s, p, l) or -n(t, q, l)
    D   a fill is in its case: x(s, w) or y(c, l) for each choice with =; and in no case before it: for each of these, a
        clause -x(s, w) or y(c, l) or … that denies its choices; a choice without a variable is false
    B   a fill is not in the file --blocked, whose grids blank lines separate: -x(s1, w1) or -x(s2, w2) or …
C4 (cells keep givens, letter sets and ties) is in the definition of which words fit. With --slots, the rules hold only
for these slots, and only crossings of two of them count. Any other slot holds only words of --required, and has no
clauses but -x(s, w) or y(c, l), and its part in C7.
A counter (Sinz 2005) lets at most N literals be true. A clause without literals is written as v and -v of a new
variable.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections import defaultdict
from functools import cached_property
from itertools import accumulate, chain, combinations, count, pairwise
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, BinaryIO

if __package__:
    from cpfill.proofs import read_inputs
    from cpfill.proofs.counters import at_most, at_most_sum, join_literals
else:  # the scripts stand side by side
    import read_inputs  # type: ignore[import-not-found, no-redef]
    from counters import at_most, at_most_sum, join_literals  # type: ignore[import-not-found, no-redef]

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from decimal import Decimal

    from cpfill.proofs.counters import Clause
    from cpfill.proofs.read_inputs import Case, Choice, Grid, LetterLimit, Slot, Word

_FEW_CELLS = 33  # in so many cells the search, too, keeps pairs of cells apart: its lemmas rest on that


class Formula:
    """The formula.

    Attributes:
        grid: the grid, with its ties.
        slots: each slot, in the order of x.
        words: for each slot, the words of x(s, w); `first` has the variable of the first, and the others follow.
        letters: for each cell, the variable of each letter.
    """

    def __init__(
        self, grid: Grid, words: Mapping[str, Word], fills: Sequence[Grid], cases: Sequence[Case], asked: Namespace
    ) -> None:
        grid = read_inputs.with_ties(grid, asked.tie)
        self.grid = grid
        self._listed = words
        self._fills = fills
        self._asked = asked
        self.slots = read_inputs.find_slots(grid, asked.min_length, asked.open)
        read_inputs.check_known("--slots", asked.slots or (), {slot.name for slot in self.slots})
        read_inputs.check_known("--required", asked.required, words)
        self._kept = [s for s, slot in enumerate(self.slots) if asked.slots is None or slot.name in asked.slots]
        self._numbers = {self.slots[s].name: s for s in self._kept}
        self._before, self._case = self._select(cases)
        self.words = self._choose_words()
        while self._narrow():
            pass
        *self.first, following = accumulate(map(len, self.words), initial=1)
        self.letters = self._number_letters(following)
        self._named = sum(map(len, self.words)) + sum(map(len, self.letters.values()))

    @classmethod
    def read(cls, grid: str, words: str, arguments: Sequence[str] = (), folder: Path = Path()) -> Formula:
        """Return the formula of the texts of grid.txt and words.tsv; other files are in `folder`."""
        asked = read_inputs.read_arguments(arguments)
        grids = read_inputs.read_rows(grid, "grid")
        if len(grids) > 1:
            raise read_inputs.RefusedError(f"grid: expected one grid, got {len(grids)}")
        fills: list[Grid] = []
        if asked.blocked:
            fills = read_inputs.read_rows(read_inputs.read_input(folder / asked.blocked), asked.blocked)
        cases: list[Case] = []
        if asked.cases:
            cases = read_inputs.read_cases(read_inputs.read_input(folder / asked.cases))
        return cls(grids[0], read_inputs.read_words(words), fills, cases, asked)

    @cached_property
    def _holders(self) -> Mapping[int | None, set[int]]:
        """The slots of each cell."""
        holders: dict[int | None, set[int]] = defaultdict(set)
        for s, slot in enumerate(self.slots):
            for cell, _ in slot.places:
                holders[cell].add(s)
        return holders

    @cached_property
    def word_variable(self) -> Mapping[tuple[int, str], int]:
        """The variable of each slot and word."""
        variables: dict[tuple[int, str], int] = {}
        for s in range(len(self.slots)):
            for x, word in self._numbered(s):
                variables[s, word] = x
        return variables

    def write(self, stream: BinaryIO, folder: Path | None = None) -> tuple[int, int]:
        """Write the formula, by way of a file in a folder; return the numbers of variables and clauses."""
        clauses = 0
        fresh = count(self._named + 1)
        with TemporaryFile(dir=folder) as body:  # the number of clauses comes first
            for clause in self._clauses(fresh):
                if clause:
                    body.write(f"{clause} 0\n".encode())
                    clauses += 1
                else:
                    variable = next(fresh)
                    body.write(f"{variable} 0\n-{variable} 0\n".encode())
                    clauses += 2
            variables = next(fresh) - 1
            stream.write(b"p cnf %d %d\n" % (variables, clauses))
            body.seek(0)
            shutil.copyfileobj(body, stream)
        return variables, clauses

    def _select(self, cases: Sequence[Case]) -> tuple[Sequence[Case], Case]:
        """Return the cases before that of the formula, and its own; the last part is in no case."""
        number, parts = self._asked.part or (1, 1)
        if parts != len(cases) + 1:
            raise read_inputs.RefusedError(f"--part: expected one of {len(cases) + 1}, got one of {parts}")
        for choice in chain(*cases):
            self._check(choice)
        own = cases[number - 1] if number < parts else []
        return cases[: number - 1], own

    def _choose_words(self) -> list[list[str]]:
        """Return for each slot the words that fit it, without regard to crossings."""
        asked = self._asked
        among: dict[int, list[str]] = defaultdict(list)
        for word, listed in self._listed.items():
            if listed.score >= asked.min_score and (asked.above is None or listed.score > asked.above):
                among[len(word)].append(word)
        return [self._choose(s, among[len(slot.places)]) for s, slot in enumerate(self.slots)]

    def _choose(self, s: int, words: Iterable[str]) -> list[str]:
        """Return the words that fit a slot, without regard to crossings."""
        slot = self.slots[s]
        if s not in self._kept:
            words = [word for word in words if word in self._asked.required]
        pattern = "".join(_look_ahead(choice) for choice in self._case if choice.slot == slot.name)
        fits = re.compile(pattern + _find_pattern(slot)).fullmatch
        return [word for word in words if fits(word)]

    def _narrow(self) -> bool:
        """Drop words with a letter that no word of the crossing slot has; return whether there were any."""
        may: dict[int, set[str]] = {}
        for s in self._kept:
            for at, (cell, _) in enumerate(self.slots[s].places):
                if cell is not None:
                    has = set(map(itemgetter(at), self.words[s]))
                    may[cell] = may.get(cell, has) & has
        before = sum(map(len, self.words))
        signs: dict[int | None, str] = {None: "."}
        for cell, letters in may.items():
            signs[cell] = f"[{''.join(letters)}]" if letters else "(?!)"
        for s in self._kept:
            pattern = "".join(signs[cell] for cell, _ in self.slots[s].places)
            fits = re.compile(pattern).fullmatch
            self.words[s] = [word for word in self.words[s] if fits(word)]
        return sum(map(len, self.words)) < before

    def _number_letters(self, start: int) -> dict[int, dict[str, int]]:
        """Return for each cell the variable of each letter, from a number on."""
        found: dict[int, set[str]] = defaultdict(set)
        for slot, words in zip(self.slots, self.words, strict=True):
            for at, (cell, _) in enumerate(slot.places):
                if cell is not None:
                    found[cell].update(map(itemgetter(at), words))
        fresh = count(start)
        letters: dict[int, dict[str, int]] = {}
        for cell in sorted(found):
            letters[cell] = {letter: next(fresh) for letter in sorted(found[cell])}
        return letters

    def _numbered(self, s: int) -> Iterator[tuple[int, str]]:
        """Yield the variable of each word of a slot, and the word."""
        return enumerate(self.words[s], self.first[s])

    def _clauses(self, fresh: Iterator[int]) -> Iterator[Clause]:
        """Yield every clause; `fresh` yields the numbers of new variables."""
        for s in range(len(self.slots)):
            yield from self._spell(s)
        yield from self._part_letters()
        yield from self._choose_among(fresh)
        for limit in read_inputs.read_limits(self.grid, self._asked.letter_counts):
            yield from self._count(limit, fresh)
        if self._asked.no_naticks is not None:
            yield from self._part_names(self._asked.no_naticks, fresh)
        for choice in self._case:
            yield from self._take(choice)
        for case in self._before:
            yield from self._leave(case)
        for number, fill in enumerate(self._fills, start=1):
            yield self._block(fill, f"{self._asked.blocked}, fill {number}")

    def _choose_among(self, fresh: Iterator[int]) -> Iterator[Clause]:
        """The rules on words: C3, C5, C6 and C7."""
        asked = self._asked
        if not asked.repeats:
            yield from self._tell_apart(fresh)
        if asked.no_shared:
            yield from self._separate(fresh)
        for most, under in zip(asked.at_most, asked.under, strict=True):
            yield from self._limit(most, under, fresh)
        for word in asked.required:
            yield self._place(word)

    def _spell(self, s: int) -> Iterator[Clause]:
        """C2 of one slot."""
        if s in self._kept:
            yield join_literals(x for x, _ in self._numbered(s))
        for at, (cell, _) in enumerate(self.slots[s].places):
            if cell is None:
                continue
            support: dict[int, list[int]] = {y: [-y] for y in self.letters[cell].values()}
            for x, word in self._numbered(s):
                y = self.letters[cell][word[at]]
                yield f"-{x} {y}"
                support[y].append(x)
            if s in self._kept:
                yield from map(join_literals, support.values())

    def _part_letters(self) -> Iterator[Clause]:
        """C1."""
        for numbers in self.letters.values():
            for one, other in combinations(numbers.values(), 2):
                yield f"-{one} -{other}"

    def _tell_apart(self, fresh: Iterator[int]) -> Iterator[Clause]:
        """C3."""
        holding: dict[str, list[int]] = defaultdict(list)
        for s in self._kept:
            for x, word in self._numbered(s):
                holding[word].append(x)
        for word in sorted(holding):
            yield from at_most(1, holding[word], fresh)

    def _separate(self, fresh: Iterator[int]) -> Iterator[Clause]:
        """C5."""
        having: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))  # by mark and slot
        for s in self._kept:
            for x, word in self._numbered(s):
                for mark in self._listed[word].marks:
                    having[mark][s].append(x)
        for mark in sorted(having):
            has = [next(fresh) for _ in having[mark]]
            for r, numbers in zip(has, having[mark].values(), strict=True):
                yield from (f"-{x} {r}" for x in numbers)
            yield from at_most(1, has, fresh)

    def _limit(self, most: int, under: Decimal, fresh: Iterator[int]) -> Iterator[Clause]:
        """C6."""
        counted = [next(fresh) for _ in self._kept]
        for o, s in zip(counted, self._kept, strict=True):
            others = [o]
            for x, word in self._numbered(s):
                if self._listed[word].score < under:
                    yield f"-{x} {o}"
                else:
                    others.append(x)
            yield join_literals(others)
        yield from at_most(most, counted, fresh)

    def _place(self, word: str) -> Clause:
        """C7 of one word."""
        return join_literals(
            self.word_variable[s, word] for s in range(len(self.slots)) if (s, word) in self.word_variable
        )

    def _count(self, limit: LetterLimit, fresh: Iterator[int]) -> Iterator[Clause]:
        """C8 of one letter in some cells."""
        given = list(read_inputs.list_given(self.grid, self.slots, limit.cells)).count(limit.letter)
        weights = read_inputs.weigh_letters(self.grid, self.slots, limit.cells)
        if limit.least - given == 1:
            yield from self._cover(limit.letter, weights, fresh)
        elif limit.least > given:
            yield from self._reach(2 * (limit.least - given), self._add_up(limit.letter, weights), fresh)
        if limit.most == given:
            yield from (f"-{y}" for y in self._list_holders(limit))
        elif limit.most == 1 and self._are_few(limit.cells):
            yield from self._part_cells(limit)
        elif limit.most is not None:
            yield from self._bound(2 * (limit.most - given), self._add_up(limit.letter, weights), fresh)

    def _are_few(self, cells: Sequence[int]) -> bool:
        """Return whether pairs of cells tell how often a letter stands there."""
        return len(cells) <= _FEW_CELLS and all(len(self.grid.cells[cell]) == 1 for cell in cells)

    def _list_holders(self, limit: LetterLimit) -> list[int]:
        """Return the variables that say that a letter is in a cell, for each of some cells that has one."""
        holding: list[int] = []
        for cell in limit.cells:
            y = self.find_letter(cell, limit.letter)
            if y is not None:
                holding.append(y)
        return holding

    def _part_cells(self, limit: LetterLimit) -> Iterator[Clause]:
        """C8: at most one of few cells holds a letter."""
        for cell in limit.cells:
            numbers = self.letters.get(self.grid.find_first(cell))
            if numbers:
                yield join_literals(numbers.values())
        for one, other in combinations(self._list_holders(limit), 2):
            yield f"-{one} -{other}"

    def _cover(self, letter: str, weights: Sequence[Sequence[int]], fresh: Iterator[int]) -> Iterator[Clause]:
        """C8: a letter stands in some place that has a weight."""
        holding: dict[int, None] = {}  # in order
        for s, slot in enumerate(self.slots):
            counted = [at for at, weight in enumerate(weights[s]) if weight]
            own = [at for at in counted if self._holders[slot.places[at][0]] == {s}]
            if len(own) > 1:
                v = next(fresh)
                yield from self._hold(s, own, letter, v)
                holding[v] = None
                counted = sorted({*counted} - {*own})
            for at in counted:
                y = self._find_at(s, at, letter)
                if y is not None:
                    holding[y] = None
        yield join_literals(holding)

    def _hold(self, s: int, places: Collection[int], letter: str, v: int) -> Iterator[Clause]:
        """C8: a variable says whether a slot has a letter in one of some places."""
        having = [-v]
        for x, word in self._numbered(s):
            if letter in map(word.__getitem__, places):
                having.append(x)
                yield f"-{x} {v}"
            else:
                yield f"-{x} -{v}"
        yield join_literals(having)

    def _add_up(self, letter: str, weights: Sequence[Sequence[int]]) -> list[list[int]]:
        """Return how much each word of each slot adds to twice the number of a letter."""
        added: list[list[int]] = []
        for words, of_slot in zip(self.words, weights, strict=True):
            added.append([0] * len(words))
            for at, weight in enumerate(of_slot):
                if not weight:
                    continue
                for number, word in enumerate(words):
                    if word[at] == letter:
                        added[-1][number] += weight
        return added

    def _bound(self, most: int, added: Sequence[Sequence[int]], fresh: Iterator[int]) -> Iterator[Clause]:
        """C8: the numbers that the words of a fill add sum to at most a limit."""
        if most < 0:
            yield ""
        groups: list[list[tuple[int, int]]] = []
        for s, adds in enumerate(added):
            numbers = {amount: next(fresh) for amount in sorted({*adds} - {0})}
            for lower, amount in pairwise(numbers):
                yield f"-{numbers[amount]} {numbers[lower]}"
            adding: dict[int, list[int]] = defaultdict(list)
            for (x, _), amount in zip(self._numbered(s), adds, strict=True):
                adding[amount].append(x)
            less = adding[0]
            for amount, t in numbers.items():
                yield from (f"-{x} {t}" for x in adding[amount])
                yield join_literals([t, *less])
                less = less + adding[amount]
            groups.append(list(numbers.items()))
        yield from at_most_sum(most, groups, fresh)

    def _reach(self, least: int, added: Iterable[Sequence[int]], fresh: Iterator[int]) -> Iterator[Clause]:
        """C8: the numbers that the words of a fill add sum to `least` or more, so that their shortfalls are bounded."""
        greatest = 0
        lacking: list[list[int]] = []
        for adds in added:
            most = max(adds, default=0)
            greatest += most
            lacking.append([most - each for each in adds])
        yield from self._bound(greatest - least, lacking, fresh)

    def _part_names(self, least: Decimal, fresh: Iterator[int]) -> Iterator[Clause]:
        """C9; a letter is open to words that score `least` or more."""
        names = list(map(self._list_names, range(len(self.slots))))
        named = [next(fresh) for _ in self.slots]
        for s in self._kept:
            yield join_literals([named[s], *sorted(dict(self._numbered(s)).keys() - names[s])])
        variants = self._list_variants(least)
        for crossing in self._list_crossings():
            leaving = [self._list_open(s, at, variants) for s, at in crossing]
            letters = sorted(leaving[0].keys() & leaving[1].keys())
            sides: list[list[int]] = []
            for (s, _), by_letter in zip(crossing, leaving, strict=True):
                some = set().union(*map(by_letter.__getitem__, letters))
                u = next(fresh)
                yield join_literals([u, -named[s], *sorted(names[s] - some)])
                sides.append([next(fresh) for _ in letters])
                for letter, n in zip(letters, sides[-1], strict=True):
                    yield from (f"-{x} {n}" for x in sorted(by_letter[letter]))
                    yield join_literals([n, -u, *sorted(some - by_letter[letter])])
            for across, down in zip(*sides, strict=True):
                yield f"-{across} -{down}"

    def _list_crossings(self) -> list[list[tuple[int, int]]]:
        """Return the two slots of each letter that has two, with its places there, in reading order."""
        places: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        for s in self._kept:
            for at, place in enumerate(read_inputs.spell_slot(self.grid, self.slots[s])):
                places[place].append((s, at))
        crossings: list[list[tuple[int, int]]] = []
        for _, held in sorted(places.items()):
            if len(held) > 1:
                crossings.append(held)
        return crossings

    def _list_names(self, s: int) -> set[int]:
        """Return the variables of the names of a slot."""
        names: set[int] = set()
        for x, word in self._numbered(s):
            if self._listed[word].is_name:
                names.add(x)
        return names

    def _list_variants(self, least: Decimal) -> dict[str, set[str]]:
        """Return, for each name without one of its letters, the letters there of words with a least score."""
        variants: dict[str, set[str]] = {}
        for word in set().union(*self.words):
            if self._listed[word].is_name:
                variants.update((_blank(word, at), set()) for at in range(len(word)))
        for word, listed in self._listed.items():
            if listed.score >= least:
                for at, letter in enumerate(word):
                    variants.get(_blank(word, at), set()).add(letter)
        return variants

    def _list_open(self, s: int, at: int, variants: Mapping[str, set[str]]) -> dict[str, set[int]]:
        """Return, for each letter, the variables of the names of a slot that leave it open at a place."""
        leaving: dict[str, set[int]] = defaultdict(set)
        for x, word in self._numbered(s):
            if self._listed[word].is_name:
                for letter in variants[_blank(word, at)] - {word[at]}:
                    leaving[letter].add(x)
        return leaving

    def _take(self, choice: Choice) -> Iterator[Clause]:
        """D of one choice of the case of the formula."""
        if choice.made:
            variable = self._find(choice)
            if variable is not None:
                yield f"{variable}"

    def _leave(self, case: Iterable[Choice]) -> Iterator[Clause]:
        """D of one case before that of the formula."""
        literals: list[int] = []
        for choice in case:
            variable = self._find(choice)
            if variable is not None:
                literals.append(-variable if choice.made else variable)
            elif choice.made:
                return  # no fill is in the case
        yield join_literals(literals)

    def _find(self, choice: Choice) -> int | None:
        """Return the variable of a choice, if it has one."""
        s = self._numbers[choice.slot]
        if read_inputs.is_entry(choice.word):
            return self.word_variable.get((s, choice.word))
        letter = choice.word.strip(".")
        return self._find_at(s, choice.word.index(letter), letter)

    def _find_at(self, s: int, at: int, letter: str) -> int | None:
        """Return the variable of a letter at a place of a slot, if it has one."""
        cell, _ = self.slots[s].places[at]
        return None if cell is None else self.find_letter(cell, letter)

    def find_letter(self, cell: int, letter: str) -> int | None:
        """Return the variable of a letter in a cell, if it has one."""
        return self.letters.get(self.grid.find_first(cell), {}).get(letter)

    def _check(self, choice: Choice) -> None:
        """Check that a choice has a word as long as its slot, or one letter in a cell of one letter."""
        read_inputs.check_known("--cases", [choice.slot], self._numbers)
        places = self.slots[self._numbers[choice.slot]].places
        letter = choice.word.strip(".")
        known = len(choice.word) == len(places) and read_inputs.is_entry(letter)
        if known and letter != choice.word:
            known = len(letter) == 1 and places[choice.word.index(letter)][0] is not None
        if not known:
            raise read_inputs.RefusedError(
                f"--cases: expected a word for {choice.slot}, or a letter of one, got {choice.word}"
            )

    def _block(self, fill: Grid, name: str) -> Clause:
        """B of one fill."""
        if fill.width != self.grid.width or list(map(len, fill.cells)) != list(map(len, self.grid.cells)):
            raise read_inputs.RefusedError(f"{name}: expected the shape of the grid")
        clause: list[int] = []
        for s in self._kept:
            word = "".join("".join(fill.cells[cell]) for cell in self.slots[s].cells)
            read_inputs.check_known(name, [(s, word)], self.word_variable)
            clause.append(-self.word_variable[s, word])
        return join_literals(clause)


def _find_pattern(slot: Slot) -> str:
    """Return a pattern of the words that keep givens and letter sets, and have one letter in tied cells."""
    pattern = ""
    cells = [cell for cell, _ in slot.places]
    for at, (cell, allowed) in enumerate(slot.places):
        sign = f"[{allowed}]" if allowed else "."
        if cell is not None and cell in cells[:at]:
            sign = f"(?P=c{cell})"
        elif cell is not None and cell in cells[at + 1 :]:
            sign = f"(?P<c{cell}>{sign})"
        pattern += sign
    return pattern


def _blank(word: str, at: int) -> str:
    """Return a word without its letter at a place."""
    return f"{word[:at]}.{word[at + 1 :]}"


def _look_ahead(choice: Choice) -> str:
    return f"(?{'=' if choice.made else '!'}{choice.word}$)"


def main() -> None:
    """Write the formula to standard output; report refused input with exit code 2, other failures with 1."""
    try:
        if len(sys.argv) < 3:
            raise read_inputs.RefusedError("expected grid.txt words.tsv [arguments]")
        texts = [read_inputs.read_input(Path(name)) for name in sys.argv[1:3]]
        Formula.read(texts[0], texts[1], sys.argv[3:]).write(sys.stdout.buffer)
    except (OSError, ValueError) as error:
        print(f"fill_to_cnf: {error}", file=sys.stderr)
        sys.exit(read_inputs.REFUSED if isinstance(error, ValueError) else 1)


if __name__ == "__main__":
    main()
