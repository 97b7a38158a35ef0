"""A problem stated for other solvers: a variable for each letter and each slot, and sums of the costs of words.

    letters   for each place of the grid, in reading order: the index of its letter in the alphabet, from 0. A cell in
              no slot holds the first letter allowed there
    words     for each slot, in the order of the grid: the number of its word among those of its length, from 0

Each slot's word spells its letters. Words in no arc-consistent domain are left out and have no number. Every other rule
is a sum over the words of slots: `most` bounds such sums from above, `cover` lists the words that must stand.

Pseudo-Boolean problems (`.opb`) are in the format of the solver competitions. The variables, numbered from 1, with an
alphabet of n letters:
    x(n·p + l + 1)   place p holds letter l, both from 0; unmentioned numbers have no variable
    the next         slot s holds word w: slot by slot, words by their numbers; a comment says where each slot begins
    the last         if the minimum score is maximised: for each slot, whether its word has at least a score, for each
                     score except the lowest, rising; then the same for all slots together

In cost function networks for toulbar2 (`.wcsp`), the cost of a fill is its distance from the best imaginable fill. The
variables, numbered from 0: the letters, then the words. If the minimum score is maximised, the rank of each slot's
score follows, and last a rank that no slot falls below. Assignments with a cost below the upper bound are fills. The
name in the head gives the formula from the cost of a fill to its value.

Constraint networks (`.xml`) are in XCSP3-core, the format of the solver competitions.

    c[p]   the index of the letter of place p in the alphabet, from 0
    w[s]   the number of the word in slot s: words of the shortest length first, then those of the next
    v[s]   the gain of the word in slot s, in whole units, if there is an objective
    b[k][s]  its cost in budget k

One table per slot links these variables.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, count, pairwise
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.errors import expected
from cpfill.base.texts import say
from cpfill.engines.toolkit.propagation import Wipeout, ac3
from cpfill.problem.problem import Criterion
from cpfill.solvers.data import list_places
from cpfill.words.lexicon import walk_members

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Place, Slot, SlotId
    from cpfill.words.lexicon import WordId

Choice = tuple["SlotId", int]
"""A slot, and the number of a word in its domain."""


class Most(NamedTuple):
    """The costs of these choices add up to `limit` at most; there are some, and no cost is 0."""

    limit: int
    costs: Mapping[Choice, int]


@dataclass(frozen=True)
class Statement:
    """The statement of a problem with at most one criterion: the minimum score, or a sum."""

    problem: Problem

    def __post_init__(self) -> None:
        criteria = self.problem.criteria
        if len(criteria) > 1 or any(each.is_vector for each in criteria):
            raise expected(
                "an objective of one number for another solver: any, min or sum, or a theme and any",
                say(" and then ").join(criteria),
            )

    @property
    def criterion(self) -> Criterion | None:
        return next(iter(self.problem.criteria), None)

    @property
    def slots(self) -> Sequence[Slot]:
        return self.problem.slots

    @property
    def n_letters(self) -> int:
        return len(self.problem.grid.alphabet.letters)

    @cached_property
    def numbers(self) -> dict[Place, int]:
        """The number of each place, in reading order, from 0."""
        return {place: number for number, place in enumerate(list_places(self.problem.grid))}

    @cached_property
    def alone(self) -> dict[int, int]:
        """The letter of each place in no slot, by its number."""
        grid = self.problem.grid
        spelt = {place for slot in self.slots for place in slot.places}
        alone = {}
        for place, number in self.numbers.items():
            if place not in spelt:
                letters = grid.letter_set(place)
                alone[number] = (letters & -letters).bit_length() - 1
        return alone

    @cached_property
    def _domains(self) -> Sequence[int]:
        try:
            return ac3(self.problem, self.problem.domains)
        except Wipeout:  # leave the proof to the other solver
            return self.problem.domains

    @cached_property
    def ids(self) -> dict[int, list[WordId]]:
        """For each length, the ids of the words that some slot may hold; the index of a word is its number."""
        united: dict[int, int] = defaultdict(int)
        for slot, domain in zip(self.slots, self._domains, strict=True):
            united[slot.length] |= domain
        return {length: list(walk_members(domain)) for length, domain in sorted(united.items())}

    @cached_property
    def fitting(self) -> list[list[int]]:
        """For each slot, the numbers of the words that it may hold, in rising order."""
        number = {length: {id_: number for number, id_ in enumerate(ids)} for length, ids in self.ids.items()}
        return [
            [number[slot.length][id_] for id_ in walk_members(domain)]
            for slot, domain in zip(self.slots, self._domains, strict=True)
        ]

    @cached_property
    def groups(self) -> list[list[SlotId]]:
        """The slots of each length that two or more slots have."""
        by_length: dict[int, list[SlotId]] = defaultdict(list)
        for slot in self.slots:
            by_length[slot.length].append(slot.id)
        return [slots for _, slots in sorted(by_length.items()) if len(slots) > 1]

    def spell(self, slot: Slot, number: int) -> bytes:
        """Return the letters of a word, by its number."""
        start = self.ids[slot.length][number] * slot.length
        return self.problem.tables[slot.id].codes[start : start + slot.length]

    @cached_property
    def gains(self) -> list[dict[int, int]]:
        """For each slot, the gains of its words by their numbers, in units; empty without a criterion."""
        if self.criterion is None:
            return [{} for _ in self.slots]
        by_length = self.problem.gains(self._measured).by_length
        return [
            {number: by_length[slot.length][self.ids[slot.length][number]] for number in fitting}
            for slot, fitting in zip(self.slots, self.fitting, strict=True)
        ]

    @property
    def per_unit(self) -> int:
        """The number of units in a score of 1, or in a weight of 1."""
        return 1 if self.criterion is None else self.problem.gains(self._measured).per_unit

    @property
    def _measured(self) -> Criterion:
        """The criterion that `gains` measure: the minimum score is given in the units of sums."""
        return Criterion.THEME if self.criterion is Criterion.THEME else Criterion.SUM

    @cached_property
    def worths(self) -> list[int]:
        """The different gains of words, in rising order."""
        return sorted({gain for gains in self.gains for gain in gains.values()})

    @cached_property
    def all_different(self) -> bool:
        """Whether every word is barred from standing twice; otherwise `most` lists the words that are."""
        tables = self.problem.tables
        singles = self.problem.singles
        return all(singles[table.length] == table.everything for table in tables)

    @cached_property
    def most(self) -> list[Most]:
        """The sums with a limit: words that may stand once (unless all words may), excluded pairs, budgets."""
        return [*self._tell_apart(), *self._separate(), *self._limit()]

    @cached_property
    def cover(self) -> list[list[Choice]]:
        """For each word that must stand somewhere, the choices of which at least one is made; there may be none."""
        required = [(each.length, each.word) for each in self.problem.constraints.cover]
        return [
            [(slot.id, number) for slot, number, id_ in self._choices() if (slot.length, id_) == (length, word)]
            for length, word in required
        ]

    def _choices(self) -> Iterator[tuple[Slot, int, WordId]]:
        """Yield each slot with the number and the id of each of its words."""
        for slot, fitting in zip(self.slots, self.fitting, strict=True):
            for number in fitting:
                yield slot, number, self.ids[slot.length][number]

    def _tell_apart(self) -> Iterator[Most]:
        holding: dict[tuple[int, int], dict[Choice, int]] = defaultdict(dict)
        for slot, number, id_ in () if self.all_different else self._choices():
            if self.problem.singles[slot.length] >> id_ & 1:
                holding[slot.length, number][slot.id, number] = 1
        return (Most(1, costs) for costs in holding.values() if len(costs) > 1)

    def _separate(self) -> Iterator[Most]:
        marks = self.problem.constraints.marks
        having: dict[int, dict[Choice, int]] = defaultdict(dict)
        for slot, number, id_ in self._choices():
            for mark in marks.of[slot.length][id_] if marks else ():
                having[mark][slot.id, number] = 1
        return (Most(1, costs) for costs in having.values() if len({slot for slot, _ in costs}) > 1)

    def _limit(self) -> Iterator[Most]:
        sizes = {table.length: len(table) for table in self.problem.tables}
        for budget in self.problem.constraints.budgets:
            costs = {length: budget.list_costs(length, size) for length, size in sizes.items()}
            found = {(slot.id, number): costs[slot.length][id_] for slot, number, id_ in self._choices()}
            if dear := {choice: cost for choice, cost in found.items() if cost}:
                yield Most(budget.limit, dear)


Term = tuple[int, int]
"""A coefficient and a variable."""


def write_opb(problem: Problem) -> str:
    said = Statement(problem)
    fresh = count(said.n_letters * len(said.numbers) + 1)
    words = [dict(zip(fitting, fresh, strict=False)) for fitting in said.fitting]
    constraints = [*_spell(said, words), *_bound_sums(said, words)]
    named = [f"* {slot.name} from x{min(held.values())}" for slot, held in zip(said.slots, words, strict=True) if held]
    goals: list[str] = []
    if said.criterion:
        base = 0
        if said.criterion is Criterion.MIN:
            base = min(said.worths, default=0)
            objective = list(_raise_least(said, words, fresh, constraints))
        else:
            objective = list(_add_gains(said, words))
        named.append(f"* value = ({base} - objective) / {said.per_unit}")
        goals.append(f"min: {_add_up(objective)} ;")
    head = f"* #variable= {next(fresh) - 1} #constraint= {len(constraints)}"
    return "".join(f"{line}\n" for line in (head, *named, *goals, *constraints))


def _bound_sums(said: Statement, words: Sequence[Mapping[int, int]]) -> Iterator[str]:
    """Yield the constraints on words in several slots: sums with a limit, words at most once, words that must stand."""
    for limited in said.most:
        costs = [(-cost, words[slot][number]) for (slot, number), cost in limited.costs.items()]
        yield _constrain(costs, ">=", -limited.limit)
    if said.all_different:
        for group in said.groups:
            yield from _use_once(said, group, words)
    for choices in said.cover:
        yield _constrain([(1, words[slot][number]) for slot, number in choices], ">=", 1)


def _use_once(said: Statement, group: Sequence[SlotId], words: Sequence[Mapping[int, int]]) -> Iterator[str]:
    """Yield the constraints that no word stands in two slots of a group of one length."""
    length = said.slots[group[0]].length
    for number in range(len(said.ids[length])):
        holding = [(-1, words[slot][number]) for slot in group if number in words[slot]]
        if len(holding) > 1:
            yield _constrain(holding, ">=", -1)


def _add_gains(said: Statement, words: Sequence[Mapping[int, int]]) -> Iterator[Term]:
    for gains, held in zip(said.gains, words, strict=True):
        for number, gain in gains.items():
            if gain:
                yield -gain, held[number]


def _spell(said: Statement, words: Sequence[Mapping[int, int]]) -> Iterator[str]:
    """Yield the constraints that each slot holds one word, each place one letter, and that the two agree."""
    for held in words:
        yield _constrain([(1, x) for x in held.values()], "=", 1)
    letters: dict[int, dict[int, int]] = {number: {} for number in said.numbers.values()}
    for place, letter in said.alone.items():
        letters[place][letter] = said.n_letters * place + letter + 1
    for slot, held in zip(said.slots, words, strict=True):
        for at, place in enumerate(map(said.numbers.__getitem__, slot.places)):
            spelt: dict[int, list[Term]] = defaultdict(list)
            for number, x in held.items():
                spelt[said.spell(slot, number)[at]].append((1, x))
            for letter, terms in sorted(spelt.items()):
                y = letters[place].setdefault(letter, said.n_letters * place + letter + 1)
                yield _constrain([*terms, (-1, y)], "=", 0)
    for numbers in letters.values():
        yield _constrain([(1, y) for y in numbers.values()], "=", 1)


def _raise_least(
    said: Statement, words: Sequence[Mapping[int, int]], fresh: Iterator[int], constraints: list[str]
) -> Iterator[Term]:
    """Add constraints for the scores that each slot reaches; yield the gain of each score that all slots reach."""
    higher = said.worths[1:]
    reached: list[list[int]] = []
    for held, gains in zip(words, said.gains, strict=True):
        reaches = [next(fresh) for _ in higher]
        reached.append(reaches)
        for rank, worth in enumerate(higher):
            terms = [(1, held[number]) for number, gain in gains.items() if gain == worth]
            terms += [(1, more) for more in reaches[rank + 1 : rank + 2]]
            terms.append((-1, reaches[rank]))
            constraints.append(_constrain(terms, "=", 0))
    for rank, (lower, worth) in enumerate(pairwise(said.worths)):
        all_reach = next(fresh)
        constraints += [_constrain([(1, reaches[rank]), (-1, all_reach)], ">=", 0) for reaches in reached]
        yield lower - worth, all_reach


def _constrain(terms: Sequence[Term], sign: str, number: int) -> str:
    """Return a constraint; without terms, one that is never satisfied, because the format has no empty sum."""
    return f"{_add_up(terms)} {sign} {number} ;" if terms else "+1 x1 >= 2 ;"


def _add_up(terms: Iterable[Term]) -> str:
    return " ".join(f"{coefficient:+} x{variable}" for coefficient, variable in terms)


def write_wcsp(problem: Problem) -> str:
    said = Statement(problem)
    most = max(said.worths, default=0)
    if not _has_ranks(said):
        most *= len(said.slots)
    top = most + 1
    sizes = [said.n_letters] * len(said.numbers)
    sizes += [max(1, len(said.ids[slot.length])) for slot in said.slots]
    functions = [_extend([number], top, [[letter, 0]]) for number, letter in said.alone.items()]
    for slot in said.slots:
        functions += _spell_in_rows(said, slot, top)
        functions += _rate_word(said, slot, top)
    if _has_ranks(said):
        sizes += [len(said.worths)] * (len(said.slots) + 1)
        losses = [[rank, most - worth] for rank, worth in enumerate(said.worths[:-1])]
        functions.append(_extend([len(sizes) - 1], 0, losses))
    functions += _bind_words(said, top)
    name = f"value:({most}-cost)/{said.per_unit}" if said.criterion else "fill"
    head = [f"{name} {len(sizes)} {max(sizes)} {len(functions)} {top}", _join(sizes)]
    return "".join(f"{line}\n" for line in (*head, *functions))


def _has_ranks(said: Statement) -> bool:
    """Return whether variables hold the ranks of scores."""
    return said.criterion is Criterion.MIN and bool(said.worths)


def _spell_in_rows(said: Statement, slot: Slot, top: int) -> Iterator[str]:
    """Yield the functions that link the word of a slot to its letters."""
    spelt = [(number, said.spell(slot, number)) for number in said.fitting[slot.id]]
    word = len(said.numbers) + slot.id
    for at, place in enumerate(slot.places):
        rows = [[number, codes[at], 0] for number, codes in spelt]
        yield _extend([word, said.numbers[place]], top, rows)


def _rate_word(said: Statement, slot: Slot, top: int) -> Iterator[str]:
    """Yield the functions that give the word of a slot its rank or its cost."""
    worths = said.worths
    gains = said.gains[slot.id]
    first = len(said.numbers)
    slots = len(said.slots)
    word = first + slot.id
    if _has_ranks(said):
        ranks = [[number, worths.index(gain), 0] for number, gain in gains.items()]
        yield _extend([word, word + slots], top, ranks)
        yield f"2 {word + slots} {first + 2 * slots} -1 >= 0 0"
    elif gains:
        losses = [[number, worths[-1] - gain] for number, gain in gains.items() if gain < worths[-1]]
        yield _extend([word], 0, losses)


def _bind_words(said: Statement, top: int) -> Iterator[str]:
    """Yield the functions on words in several slots: words at most once, sums with a limit, words that must stand."""
    first = len(said.numbers)
    if said.all_different:  # toulbar2 takes minutes to read the older `salldiff` with a large list
        for group in said.groups:
            scope = [first + slot for slot in group]
            yield f"{_join([len(group), *scope])} -1 alldiff 0 0"
    for limited in said.most:
        costs = [(choice, -cost) for choice, cost in limited.costs.items()]
        yield _weigh(first, -limited.limit, costs)
    for choices in said.cover:
        if choices:
            yield _weigh(first, 1, [(choice, 1) for choice in choices])
        else:  # toulbar2 takes a sum of no terms for met, whatever its least
            yield _extend([0], top, [])


def _extend(scope: Sequence[int], default: int, rows: Sequence[Sequence[int]]) -> str:
    """Return a cost function in extension: the last number of each row is its cost."""
    return "\n".join(map(_join, ([len(scope), *scope, default, len(rows)], *rows)))


def _weigh(letters: int, least: int, weights: Sequence[tuple[Choice, int]]) -> str:
    """Return the constraint that the weights of the chosen choices add up to `least` or more."""
    scope = sorted({letters + slot for (slot, _), _ in weights})
    terms = chain.from_iterable((letters + slot, number, weight) for (slot, number), weight in weights)
    return f"{_join([len(scope), *scope])} -1 knapsackv {least} {len(weights)} {_join(terms)}"


def _join(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def write_xcsp3(problem: Problem) -> str:
    return _Writer(Statement(problem)).write()


class _Writer:
    def __init__(self, said: Statement) -> None:
        self._said = said
        sizes = [len(ids) for ids in said.ids.values()]
        self._first = dict(zip(said.ids, accumulate(sizes, initial=0), strict=False))
        self._sums = [each for each in said.most if not _counts(each)]

    def write(self) -> str:
        said = self._said
        slots = said.slots
        constraints = [f"<intension> eq(c[{place}],{letter}) </intension>" for place, letter in said.alone.items()]
        constraints += [self._tabulate(slot) for slot in range(len(slots))]
        if said.all_different:
            constraints += [f"<allDifferent> {_list('w', group)} </allDifferent>" for group in said.groups]
        constraints += [self._count(each.costs, _compare("le", each.limit)) for each in said.most if _counts(each)]
        constraints += [
            f"<sum> <list> {_list(f'b{k}', range(len(slots)))} </list> {_compare('le', each.limit)} </sum>"
            for k, each in enumerate(self._sums)
        ]
        constraints += [self._count(dict.fromkeys(choices, 1), _compare("ge", 1)) for choices in said.cover]
        arrays = [f'<array id="c" size="[{len(said.numbers)}]"> 0..{said.n_letters - 1} </array>']
        # A slot's domain, unlike its table, includes words that do not fit: ACE 2.6 fails at allDifferent over gaps.
        arrays.append(self._declare("w", [self._number(slot.id, range(len(said.ids[slot.length]))) for slot in slots]))
        if said.criterion:
            arrays.append(self._declare("v", [gains.values() for gains in said.gains]))
        for k, each in enumerate(self._sums):
            costs = [[each.costs.get((slot.id, n), 0) for n in said.fitting[slot.id]] for slot in slots]
            arrays.append(self._declare(f"b{k}", costs))
        lines = [f'<instance format="XCSP3" type="{"COP" if said.criterion else "CSP"}">']
        lines += ["<variables>", *arrays, "</variables>", "<constraints>", *constraints, "</constraints>"]
        if said.criterion:
            kind = "minimum" if said.criterion is Criterion.MIN else "sum"
            values = _list("v", range(len(slots)))
            lines.append(f'<objectives> <maximize type="{kind}"> <list> {values} </list> </maximize> </objectives>')
            lines.append(f"<!-- value = objective / {said.per_unit} -->")
        return "".join(f"{line}\n" for line in (*lines, "</instance>"))

    def _number(self, slot: int, numbers: Iterable[int]) -> list[int]:
        """Return the numbers of words counted over all lengths."""
        first = self._first[self._said.slots[slot].length]
        return [first + number for number in numbers]

    def _declare(self, name: str, values: Iterable[Iterable[int]]) -> str:
        """Return an array with a variable for each slot; one without values gets 0, because no domain may be empty."""
        same: dict[str, list[int]] = defaultdict(list)
        for slot, each in enumerate(values):
            found = sorted(set(each)) or [0]
            whole = found[-1] - found[0] == len(found) - 1 > 1
            same[f"{found[0]}..{found[-1]}" if whole else " ".join(map(str, found))].append(slot)
        domains = [f'<domain for="{_list(name, slots)}"> {values} </domain>' for values, slots in same.items()]
        return f'<array id="{name}" size="[{len(self._said.slots)}]"> {" ".join(domains)} </array>'

    def _tabulate(self, slot: int) -> str:
        said = self._said
        numbers = said.fitting[slot]
        if not numbers:  # the format has no empty table
            return "<intension> lt(c[0],0) </intension>"
        variables = [f"w[{slot}]", *([f"v[{slot}]"] if said.criterion else [])]
        variables += [f"b{k}[{slot}]" for k in range(len(self._sums))]
        variables += [f"c[{said.numbers[place]}]" for place in said.slots[slot].places]
        rows = []
        for number, word in zip(numbers, self._number(slot, numbers), strict=True):
            row = [word, *([said.gains[slot][number]] if said.criterion else [])]
            row += [each.costs.get((slot, number), 0) for each in self._sums]
            row += said.spell(said.slots[slot], number)
            rows.append(f"({','.join(map(str, row))})")
        return f"<extension> <list> {' '.join(variables)} </list> <supports> {''.join(rows)} </supports> </extension>"

    def _count(self, choices: Iterable[Choice], condition: str) -> str:
        """Return the constraint that the number of slots with one of these choices meets a condition."""
        made: dict[int, set[int]] = defaultdict(set)
        for slot, number in choices:
            made[slot].update(self._number(slot, [number]))
        if not made:
            return "<intension> lt(c[0],0) </intension>"
        values = " ".join(map(str, sorted(set[int]().union(*made.values()))))
        return f"<count> <list> {_list('w', made)} </list> <values> {values} </values> {condition} </count>"


def _counts(limited: Most) -> bool:
    """Return whether a sum counts choices of which at most one may be made."""
    return limited.limit == 1 and set(limited.costs.values()) <= {1}


def _list(name: str, slots: Iterable[int]) -> str:
    return " ".join(f"{name}[{slot}]" for slot in slots)


def _compare(sign: str, number: int) -> str:
    return f"<condition> ({sign},{number}) </condition>"
