"""Writes "this grid has a fill from these words" as a formula in DIMACS CNF.

    python fill_to_cnf.py grid.txt words.tsv [arguments] > formula.cnf

It imports only the standard library: besides a checker of proofs, it is all that has to be trusted.

Each line of grid.txt is a row, and each sign a cell: `#` is a block, `.` an empty cell, a letter a given, `[ABC]` a
letter set, `(ABC)` a cell with several letters, all given. Each line of words.tsv is a word, a tab and a score, and may
have another tab and rising marks, a space between them; the words rise. A letter is one upper-case character. Letters,
words and marks are compared by code point. Anything else is refused.

A slot is a maximal run of --min-length (2) or more open cells, across or down, unless --open names it. Its name has the
number of its first cell, such as 17-Across. A word fits a slot if it has one letter for each cell, or all letters of
a cell with several; keeps givens and letter sets; scores at least --min-score and more than --above; and has, in each
crossing, a letter that some word which fits the other slot has there.

The file --cases divides the fills into parts. Each line is a case, a list of choices: 17-Across=WORD means that the
slot holds the word, 17-Across=.O.. that it has the letter there, and != the opposite. Four cases make five parts, and
each fill is in exactly one: the fills of part 3 are in case 3 and in no case before it, those of part 5 in no case.
With --part 3/5 the formula says that part 3 has a fill, and a word fits only if the case allows it.

Variables, numbered from 1:
    x(s, w)  slot s holds word w, for the words that fit: across before down, in the order of first cells; words rising
    y(c, l)  cell c holds letter l, for the letters that words of its slots have there: in reading order; letters rising
    others   r(s, t), o(s) and those of counters, in the order in which clauses need them
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
    D   a fill is in its case: x(s, w) or y(c, l) for each choice with =; and in no case before it: for each of these, a
        clause -x(s, w) or y(c, l) or … that denies its choices; a choice without a variable is false
    B   a fill is not in the file --blocked, whose grids blank lines separate: -x(s1, w1) or -x(s2, w2) or …
C4 (cells keep givens and letter sets) is in the definition of which words fit. With --slots, the rules hold only for
these slots, and only crossings of two of them count. Any other slot holds only words of --required, and has no clauses
but -x(s, w) or y(c, l), and its part in C7.
A counter (Sinz 2005) lets at most N literals be true. A clause without literals is written as v and -v of a new
variable.
"""

from __future__ import annotations

import re
import shutil
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections import defaultdict
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import chain, combinations, count
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, NoReturn

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

Clause = str  # its literals, a space between them
Cell = tuple[str, ...]  # for each letter what it may be, in one text; an empty text: any. A block has no letter.
_SIGN = re.compile(r"\[([^][()]{2,})\]|\(([^][()]{2,})\)|([^][()])")
REFUSED = 2  # the exit code that says so
MOST_OPTIONS = 1_000  # reading N options takes time proportional to N squared
_SHOWN = 200  # characters of a complaint
_CHOICE = re.compile("([^!= ]+)(!?)=([^!= ]+)")
_NUMBER = re.compile(r"[0-9]{1,20}(\.[0-9]{1,20})?(e[+-][0-9]{1,3})?")


class RefusedError(ValueError):
    """The input is not of the form that this script reads."""


class Grid(NamedTuple):
    """The cells of a grid, row by row."""

    width: int
    cells: list[Cell]


class Word(NamedTuple):
    """The score of a word, and its marks."""

    score: Decimal
    marks: tuple[str, ...]


class Slot(NamedTuple):
    """A slot; `places` has, for each letter, the cell (None if it has several letters) and the allowed letters."""

    name: str
    cells: tuple[int, ...]
    places: list[tuple[int | None, str]]


class Choice(NamedTuple):
    """Whether a slot holds a word, or a letter: then the rest of `word` is dots."""

    slot: str
    made: bool
    word: str


Case = list[Choice]


class Formula:
    """The formula.

    Attributes:
        slots: each slot, in the order of x.
        words: for each slot, the words of x(s, w); `first` has the variable of the first, and the others follow.
        letters: for each cell, the variable of each letter.
    """

    def __init__(
        self, grid: Grid, words: Mapping[str, Word], fills: Sequence[Grid], cases: Sequence[Case], asked: Namespace
    ) -> None:
        self._grid, self._listed, self._fills, self._asked = grid, words, fills, asked
        self.slots = find_slots(grid, asked.min_length, asked.open)
        _check_known("--slots", asked.slots or (), {slot.name for slot in self.slots})
        _check_known("--required", asked.required, words)
        self._kept = [s for s, slot in enumerate(self.slots) if asked.slots is None or slot.name in asked.slots]
        number, parts = asked.part or (1, 1)
        if parts != len(cases) + 1:
            raise RefusedError(f"--part: expected one of {len(cases) + 1}, got one of {parts}")
        self._numbers = {self.slots[s].name: s for s in self._kept}
        for choice in chain(*cases):
            self._check(choice)
        self._before, self._case = cases[: number - 1], list(chain(*cases[number - 1 : number]))
        among: dict[int, list[str]] = defaultdict(list)
        for word, (score, _) in words.items():
            if score >= asked.min_score and (asked.above is None or score > asked.above):
                among[len(word)].append(word)
        self.words = [self._choose(s, among[len(slot.places)]) for s, slot in enumerate(self.slots)]
        while self._narrow():
            pass
        found: dict[int, set[str]] = defaultdict(set)
        self.first: list[int] = []
        self._named = 0
        for s, slot in enumerate(self.slots):
            self.first.append(self._named + 1)
            self._named += len(self.words[s])
            for at, (cell, _) in enumerate(slot.places):
                if cell is not None:
                    found[cell].update({word[at] for word in self.words[s]})
        self.letters: dict[int, dict[str, int]] = {}
        for cell in sorted(found):
            self.letters[cell] = {letter: self._named + nth for nth, letter in enumerate(sorted(found[cell]), start=1)}
            self._named += len(found[cell])

    @classmethod
    def read(cls, grid: str, words: str, arguments: Sequence[str] = (), folder: Path = Path()) -> Formula:
        """Return the formula of the texts of grid.txt and words.tsv; other files are in `folder`."""
        asked = read_arguments(arguments)
        grids = read_grids(grid, "grid")
        if len(grids) > 1:
            raise RefusedError(f"grid: expected one grid, got {len(grids)}")
        fills = read_grids(read_file(folder / asked.blocked), asked.blocked) if asked.blocked else []
        cases = read_cases(read_file(folder / asked.cases)) if asked.cases else []
        return cls(grids[0], read_words(words), fills, cases, asked)

    @cached_property
    def word_variable(self) -> Mapping[tuple[int, str], int]:
        """The variable of each slot and word."""
        return {(s, word): x for s in range(len(self.slots)) for x, word in self._numbered(s)}

    @cached_property
    def letter_variable(self) -> Mapping[tuple[int, str], int]:
        """The variable of each cell and letter."""
        return {(cell, letter): y for cell, numbers in self.letters.items() for letter, y in numbers.items()}

    def write(self, stream: BinaryIO, folder: Path | None = None) -> tuple[int, int]:
        """Write the formula, by way of a file in a folder; return the numbers of variables and clauses."""
        clauses, fresh = 0, count(self._named + 1)
        with TemporaryFile(dir=folder) as body:  # the number of clauses comes first
            for clause in self._clauses(fresh):
                written = clause or "{0} 0\n-{0}".format(next(fresh))
                body.write(f"{written} 0\n".encode())
                clauses += 1 if clause else 2
            variables = next(fresh) - 1
            stream.write(b"p cnf %d %d\n" % (variables, clauses))
            body.seek(0)
            shutil.copyfileobj(body, stream)
        return variables, clauses

    def _choose(self, s: int, words: Iterable[str]) -> list[str]:
        """Return the words that fit a slot, without regard to crossings."""
        slot = self.slots[s]
        chosen = (f"(?{'=' if one.made else '!'}{one.word}$)" for one in self._case if one.slot == slot.name)
        cells = (f"[{allowed}]" if allowed else "." for _, allowed in slot.places)
        fits = re.compile("".join([*chosen, *cells])).fullmatch
        return [word for word in words if fits(word) and (s in self._kept or word in self._asked.required)]

    def _narrow(self) -> bool:
        """Drop words with a letter that no word of the crossing slot has; return whether there were any."""
        may: dict[int, set[str]] = {}
        for s in self._kept:
            for at, (cell, _) in enumerate(self.slots[s].places):
                if cell is not None:
                    has = set(map(itemgetter(at), self.words[s]))
                    may[cell] = may.get(cell, has) & has
        before = sum(map(len, self.words))
        for s in self._kept:
            sets = ("." if cell is None else f"[{''.join(may[cell])}]" for cell, _ in self.slots[s].places)
            fits = re.compile("".join(sets).replace("[]", "(?!)")).fullmatch
            self.words[s] = [word for word in self.words[s] if fits(word)]
        return sum(map(len, self.words)) < before

    def _numbered(self, s: int) -> Iterator[tuple[int, str]]:
        """Yield the variable of each word of a slot, and the word."""
        return enumerate(self.words[s], self.first[s])

    def _clauses(self, fresh: Iterator[int]) -> Iterator[Clause]:
        """Yield every clause; `fresh` yields the numbers of new variables."""
        asked = self._asked
        for s in range(len(self.slots)):
            yield from self._spell(s)
        for numbers in self.letters.values():
            yield from (f"-{one} -{other}" for one, other in combinations(numbers.values(), 2))
        if not asked.repeats:
            yield from self._tell_apart(fresh)
        if asked.no_shared:
            yield from self._separate(fresh)
        for most, under in zip(asked.at_most, asked.under, strict=True):
            yield from self._limit(most, under, fresh)
        for word in asked.required:
            yield _join(self.word_variable[s, word] for s in range(len(self.slots)) if (s, word) in self.word_variable)
        yield from (f"{v}" for v in map(self._find, (choice for choice in self._case if choice.made)) if v is not None)
        for case in self._before:
            yield from self._leave(case)
        for number, fill in enumerate(self._fills, start=1):
            yield self._block(fill, f"{asked.blocked}, fill {number}")

    def _spell(self, s: int) -> Iterator[Clause]:
        """C2 of one slot."""
        if s in self._kept:
            yield _join(x for x, _ in self._numbered(s))
        for at, (cell, _) in enumerate(self.slots[s].places):
            if cell is None:
                continue
            support: dict[int, list[int]] = {y: [-y] for y in self.letters[cell].values()}
            for x, word in self._numbered(s):
                y = self.letters[cell][word[at]]
                yield f"-{x} {y}"
                support[y].append(x)
            if s in self._kept:
                yield from map(_join, support.values())

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
            yield from (f"-{x} {o}" for x, word in self._numbered(s) if self._listed[word].score < under)
            yield _join([o, *(x for x, word in self._numbered(s) if self._listed[word].score >= under)])
        yield from at_most(most, counted, fresh)

    def _leave(self, case: Iterable[Choice]) -> Iterator[Clause]:
        """D of one case."""
        found = [(self._find(choice), choice.made) for choice in case]
        if (None, True) not in found:  # else no fill is in the case
            yield _join(-variable if made else variable for variable, made in found if variable is not None)

    def _find(self, choice: Choice) -> int | None:
        """Return the variable of a choice, if it has one."""
        s = self._numbers[choice.slot]
        if is_word(choice.word):
            return self.word_variable.get((s, choice.word))
        letter = choice.word.strip(".")
        cell, _ = self.slots[s].places[choice.word.index(letter)]
        return self.letters[cell].get(letter) if cell is not None else None

    def _check(self, choice: Choice) -> None:
        """Check that a choice has a word as long as its slot, or one letter in a cell of one letter."""
        _check_known("--cases", [choice.slot], self._numbers)
        places, letter = self.slots[self._numbers[choice.slot]].places, choice.word.strip(".")
        known = len(choice.word) == len(places) and is_word(letter)
        if known and letter != choice.word:
            known = len(letter) == 1 and places[choice.word.index(letter)][0] is not None
        if not known:
            raise RefusedError(f"--cases: expected a word for {choice.slot}, or a letter of one, got {choice.word}")

    def _block(self, fill: Grid, name: str) -> Clause:
        """B of one fill."""
        if fill.width != self._grid.width or list(map(len, fill.cells)) != list(map(len, self._grid.cells)):
            raise RefusedError(f"{name}: expected the shape of the grid")
        clause = []
        for s in self._kept:
            word = "".join(letter for cell in self.slots[s].cells for letter in fill.cells[cell])
            _check_known(name, [(s, word)], self.word_variable)
            clause.append(-self.word_variable[s, word])
        return _join(clause)


def at_most(most: int, literals: Sequence[int], fresh: Iterator[int]) -> Iterator[Clause]:
    """Yield a counter: the jth number of the ith literal is true if j of the first i literals are."""
    before: list[int] = []
    for literal in literals if most < len(literals) else ():
        if len(before) == most:
            yield _join([-literal, *(-number for number in before[-1:])])
        if literal == literals[-1]:
            return
        counters = [next(fresh) for _ in range(min(most, len(before) + 1))]
        yield from (f"-{literal} {number}" for number in counters[:1])
        for j, number in enumerate(before):
            yield f"-{number} {counters[j]}"
            yield from (f"-{literal} -{number} {following}" for following in counters[j + 1 : j + 2])
        before = counters


def _join(literals: Iterable[int]) -> Clause:
    return " ".join(map(str, literals))


def find_slots(grid: Grid, min_length: int, opened: Sequence[str]) -> list[Slot]:
    """Return the slots across, then down, in the order of their first cells."""
    across = [range(start, start + grid.width) for start in range(0, len(grid.cells), grid.width)]
    runs: list[tuple[str, tuple[int, ...]]] = []
    for direction, lines in ("Across", map(tuple, across)), ("Down", zip(*across, strict=True)):
        for line in lines:
            shape = "".join("x" if grid.cells[cell] else " " for cell in line)
            found = [line[at.start() : at.end()] for at in re.finditer("x+", shape)]
            runs += [(direction, run) for run in found if len(run) >= min_length]
    numbers = {cell: number for number, cell in enumerate(sorted({run[0] for _, run in runs}), start=1)}
    slots = []
    for direction, run in sorted(runs):
        places = [
            (cell if len(grid.cells[cell]) == 1 else None, allowed) for cell in run for allowed in grid.cells[cell]
        ]
        slots.append(Slot(f"{numbers[run[0]]}-{direction}", run, places))
    _check_known("--open", opened, {slot.name for slot in slots})
    left_out = set(opened)
    if not left_out < {slot.name for slot in slots}:
        raise RefusedError("grid: expected a slot, got none")
    return [slot for slot in slots if slot.name not in left_out]


def read_grids(text: str, name: str) -> list[Grid]:
    """Return the grids of a text; blank lines separate them."""
    grids = [Grid(0, [])]
    for number, line in enumerate(_split_lines(text, name), start=1):
        row, last = list(_read_row(line, f"{name}, line {number}")), grids[-1]
        if row and last.width in {0, len(row)}:
            grids[-1] = Grid(len(row), last.cells + row)
        elif last.width and not row:
            grids.append(Grid(0, []))
        else:
            raise RefusedError(f"{name}, line {number}: expected {last.width or 'some'} cells, got {len(row)}")
    if not grids[-1].width:
        raise RefusedError(f"{name}: expected a row after the last blank line, got none")
    return grids


def _read_row(line: str, where: str) -> Iterator[Cell]:
    at = 0
    while at < len(line):
        sign = _SIGN.match(line, at)
        some, every, one = sign.groups() if sign else (None, None, " ")
        if one not in {"#", "."} and not is_word(some or every or one):
            raise RefusedError(f"{where}, column {at + 1}: expected '#', '.', a letter, '[ABC]' or '(ABC)'")
        at += len(sign[0]) if sign else 0
        yield () if one == "#" else ("",) if one == "." else tuple(every or [some or one])


@lru_cache(1)  # a proof in parts reads the same words for each formula
def read_words(text: str) -> dict[str, Word]:
    """Return the words, which rise."""
    words: dict[str, Word] = {}
    last = ""
    for number, line in enumerate(_split_lines(text, "words") if text else (), start=1):
        word, _, rest = line.partition("\t")
        score, tab, listed = rest.partition("\t")
        marks = tuple(listed.split(" ")) if tab else ()
        if not (is_word(word) and word > last and _NUMBER.fullmatch(score) and sorted({*listed.split()}) == [*marks]):
            expected = f"a word after '{last}', a tab and a score, or these, a tab and rising marks"
            raise RefusedError(f"words, line {number}: expected {expected}, got {line[:60]!r}")
        words[word] = Word(Decimal(score), marks)
        last = word
    return words


def read_cases(text: str) -> list[Case]:
    """Return the cases of a file."""
    cases: list[Case] = []
    for number, line in enumerate(_split_lines(text, "cases"), start=1):
        cases.append([])
        for choice in map(_CHOICE.fullmatch, line.split(" ")):
            if not choice:
                raise RefusedError(f"cases, line {number}: expected 17-Across=WORD, 17-Across!=.O.. and the like")
            cases[-1].append(Choice(choice[1], not choice[2], choice[3]))
    return cases


def is_word(text: str) -> bool:
    """Return whether a text consists of one or more upper-case letters and digits."""
    return text.isalnum() and text == text.upper()


def read_file(path: Path) -> str:
    """Return the text of a file, with its line ends unchanged."""
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()


def _split_lines(text: str, name: str) -> list[str]:
    if not text.endswith("\n"):
        raise RefusedError(f"{name}: expected a line feed after the last line")
    return text[:-1].split("\n")


def _check_known(name: str, asked: Sequence[object], known: Collection[object]) -> None:
    for each in asked:
        if each not in known:
            raise RefusedError(f"{name}: expected what the grid and the words have, got {each}")


class _Arguments(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise RefusedError(message[:_SHOWN])


def read_arguments(arguments: Sequence[str]) -> Namespace:
    """Return the arguments that follow the two files."""
    if sum(each.startswith("--") for each in arguments) > MOST_OPTIONS:
        raise RefusedError(f"expected at most {MOST_OPTIONS} options, got more")
    parser = _Arguments(add_help=False, allow_abbrev=False)
    parser.add_argument("--above", type=_read_score)
    parser.add_argument("--min-score", type=_read_score, default=Decimal(0))
    parser.add_argument("--repeats", action="store_true")
    parser.add_argument("--min-length", type=_read_whole, default=2)
    parser.add_argument("--no-shared", action="store_true")
    parser.add_argument("--at-most", type=_read_whole, action="append", default=[])
    parser.add_argument("--under", type=_read_score, action="append", default=[])
    parser.add_argument("--required", nargs="+", default=[])
    parser.add_argument("--open", nargs="+", default=[])
    parser.add_argument("--slots", nargs="+")
    parser.add_argument("--blocked")
    parser.add_argument("--cases")
    parser.add_argument("--part", type=_read_part)
    asked = parser.parse_args(arguments)
    if len(asked.at_most) != len(asked.under) or not asked.min_length:
        raise RefusedError("expected --under with each --at-most, and 1 or more after --min-length")
    if (asked.cases is None) != (asked.part is None):
        raise RefusedError("expected --part with --cases")
    if asked.blocked and (asked.cases, asked.slots) != (None, None):
        raise RefusedError("expected --blocked without --cases and --slots: fills are blocked as a whole")
    return asked


def _read_score(text: str) -> Decimal:
    if not _NUMBER.fullmatch(text):
        raise ArgumentTypeError(f"expected a score, got {text!r}")
    return Decimal(text)


def _read_whole(text: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", text):
        raise ArgumentTypeError(f"expected a whole number, got {text!r}")
    return int(text)


def _read_part(text: str) -> tuple[int, int]:
    number, _, parts = text.partition("/")
    if not 1 <= _read_whole(number) <= _read_whole(parts):
        raise ArgumentTypeError(f"expected a part, got {text!r}")
    return int(number), int(parts)


def main() -> None:
    """Write the formula to standard output; report refused input with exit code 2, other failures with 1."""
    try:
        if len(sys.argv) < 3:
            raise RefusedError("expected grid.txt words.tsv [arguments]")
        texts = [read_file(Path(name)) for name in sys.argv[1:3]]
        Formula.read(texts[0], texts[1], sys.argv[3:]).write(sys.stdout.buffer)
    except (OSError, ValueError) as error:
        print(f"fill_to_cnf: {error}", file=sys.stderr)
        sys.exit(REFUSED if isinstance(error, ValueError) else 1)


if __name__ == "__main__":
    main()
