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
from itertools import accumulate, chain, combinations, count
from operator import itemgetter, neg
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, NoReturn

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

Clause = str  # its literals, a space between them
Cell = tuple[str, ...]  # for each letter its allowed values, in one text; an empty text: any. A block has no letter.
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
        self._grid = grid
        self._listed = words
        self._fills = fills
        self._asked = asked
        self.slots = find_slots(grid, asked.min_length, asked.open)
        _check_known("--slots", asked.slots or (), {slot.name for slot in self.slots})
        _check_known("--required", asked.required, words)
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
        asked = read_arguments(arguments)
        grids = read_rows(grid, "grid")
        if len(grids) > 1:
            raise RefusedError(f"grid: expected one grid, got {len(grids)}")
        fills = read_rows(read_input(folder / asked.blocked), asked.blocked) if asked.blocked else []
        cases = read_cases(read_input(folder / asked.cases)) if asked.cases else []
        return cls(grids[0], read_words(words), fills, cases, asked)

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
            raise RefusedError(f"--part: expected one of {len(cases) + 1}, got one of {parts}")
        for choice in chain(*cases):
            self._check(choice)
        own = cases[number - 1] if number < parts else []
        return cases[: number - 1], own

    def _choose_words(self) -> list[list[str]]:
        """Return for each slot the words that fit it, without regard to crossings."""
        asked = self._asked
        among: dict[int, list[str]] = defaultdict(list)
        for word, (score, _) in self._listed.items():
            if score >= asked.min_score and (asked.above is None or score > asked.above):
                among[len(word)].append(word)
        return [self._choose(s, among[len(slot.places)]) for s, slot in enumerate(self.slots)]

    def _choose(self, s: int, words: Iterable[str]) -> list[str]:
        """Return the words that fit a slot, without regard to crossings."""
        slot = self.slots[s]
        pattern = "".join(_look_ahead(choice) for choice in self._case if choice.slot == slot.name)
        pattern += "".join(f"[{allowed}]" if allowed else "." for _, allowed in slot.places)
        if s not in self._kept:
            words = [word for word in words if word in self._asked.required]
        fits = re.compile(pattern).fullmatch
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
        asked = self._asked
        for s in range(len(self.slots)):
            yield from self._spell(s)
        yield from self._part_letters()
        if not asked.repeats:
            yield from self._tell_apart(fresh)
        if asked.no_shared:
            yield from self._separate(fresh)
        for most, under in zip(asked.at_most, asked.under, strict=True):
            yield from self._limit(most, under, fresh)
        for word in asked.required:
            yield self._place(word)
        for choice in self._case:
            yield from self._take(choice)
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
            yield _join(others)
        yield from at_most(most, counted, fresh)

    def _place(self, word: str) -> Clause:
        """C7 of one word."""
        return _join(self.word_variable[s, word] for s in range(len(self.slots)) if (s, word) in self.word_variable)

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
        yield _join(literals)

    def _find(self, choice: Choice) -> int | None:
        """Return the variable of a choice, if it has one."""
        s = self._numbers[choice.slot]
        if is_entry(choice.word):
            return self.word_variable.get((s, choice.word))
        letter = choice.word.strip(".")
        cell, _ = self.slots[s].places[choice.word.index(letter)]
        if cell is None:
            return None
        return self.letters[cell].get(letter)

    def _check(self, choice: Choice) -> None:
        """Check that a choice has a word as long as its slot, or one letter in a cell of one letter."""
        _check_known("--cases", [choice.slot], self._numbers)
        places = self.slots[self._numbers[choice.slot]].places
        letter = choice.word.strip(".")
        known = len(choice.word) == len(places) and is_entry(letter)
        if known and letter != choice.word:
            known = len(letter) == 1 and places[choice.word.index(letter)][0] is not None
        if not known:
            raise RefusedError(f"--cases: expected a word for {choice.slot}, or a letter of one, got {choice.word}")

    def _block(self, fill: Grid, name: str) -> Clause:
        """B of one fill."""
        if fill.width != self._grid.width or list(map(len, fill.cells)) != list(map(len, self._grid.cells)):
            raise RefusedError(f"{name}: expected the shape of the grid")
        clause: list[int] = []
        for s in self._kept:
            word = "".join("".join(fill.cells[cell]) for cell in self.slots[s].cells)
            _check_known(name, [(s, word)], self.word_variable)
            clause.append(-self.word_variable[s, word])
        return _join(clause)


def _look_ahead(choice: Choice) -> str:
    return f"(?{'=' if choice.made else '!'}{choice.word}$)"


def at_most(most: int, literals: Sequence[int], fresh: Iterator[int]) -> Iterator[Clause]:
    """Yield a counter: the jth number of the ith literal is true if j of the first i literals are."""
    if most >= len(literals):
        return
    before: list[int] = []
    for literal in literals:
        if len(before) == most:
            yield _join([-literal, *map(neg, before[-1:])])
        if literal == literals[-1]:
            return
        counters = [next(fresh) for _ in range(min(most, len(before) + 1))]
        if counters:
            yield f"-{literal} {counters[0]}"
        for j, number in enumerate(before):
            yield f"-{number} {counters[j]}"
            if j + 1 < len(counters):
                yield f"-{literal} -{number} {counters[j + 1]}"
        before = counters


def _join(literals: Iterable[int]) -> Clause:
    return " ".join(map(str, literals))


def find_slots(grid: Grid, min_length: int, opened: Sequence[str]) -> list[Slot]:
    """Return the slots across, then down, in the order of their first cells."""
    runs = [(direction, run) for direction, run in _find_runs(grid) if len(run) >= min_length]
    starts = sorted({run[0] for _, run in runs})
    numbers = {cell: number for number, cell in enumerate(starts, start=1)}
    slots = [Slot(f"{numbers[run[0]]}-{direction}", run, _list_places(grid, run)) for direction, run in sorted(runs)]
    names = {slot.name for slot in slots}
    _check_known("--open", opened, names)
    left_out = set(opened)
    if left_out == names:
        raise RefusedError("grid: expected a slot, got none")
    return [slot for slot in slots if slot.name not in left_out]


def _find_runs(grid: Grid) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the direction and the cells of each run of open cells."""
    rows = [tuple(range(start, start + grid.width)) for start in range(0, len(grid.cells), grid.width)]
    for direction, lines in (("Across", rows), ("Down", list(zip(*rows, strict=True)))):
        for line in lines:
            shape = "".join("x" if grid.cells[cell] else " " for cell in line)
            for at in re.finditer("x+", shape):
                yield direction, line[at.start() : at.end()]


def _list_places(grid: Grid, run: Iterable[int]) -> list[tuple[int | None, str]]:
    """Return the places of the slot of a run; see `Slot`."""
    places: list[tuple[int | None, str]] = []
    for cell in run:
        letters = grid.cells[cell]
        single = cell if len(letters) == 1 else None
        places += [(single, allowed) for allowed in letters]
    return places


def read_rows(text: str, name: str) -> list[Grid]:
    """Return the grids of a text; blank lines separate them."""
    grids = [Grid(0, [])]
    for number, line in enumerate(_split_lines(text, name), start=1):
        row = list(_read_row(line, f"{name}, line {number}"))
        last = grids[-1]
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
        cell = _read_sign(sign) if sign else None
        if sign is None or cell is None:
            raise RefusedError(f"{where}, column {at + 1}: expected '#', '.', a letter, '[ABC]' or '(ABC)'")
        at = sign.end()
        yield cell


def _read_sign(sign: re.Match[str]) -> Cell | None:
    """Return the cell that a sign stands for, if it stands for one."""
    some, every, one = sign.groups()
    if one == "#":
        return ()
    if one == ".":
        return ("",)
    letters: str = some or every or one
    if not is_entry(letters):
        return None
    return tuple(every or [letters])


@lru_cache(1)  # a proof in parts reads the same words for each formula
def read_words(text: str) -> dict[str, Word]:
    """Return the words, which rise."""
    words: dict[str, Word] = {}
    last = ""
    lines = _split_lines(text, "words") if text else []
    for number, line in enumerate(lines, start=1):
        word, _, rest = line.partition("\t")
        score, tab, listed = rest.partition("\t")
        marks = tuple(listed.split(" ")) if tab else ()
        rising = sorted(set(listed.split())) == list(marks)
        if not (is_entry(word) and word > last and _NUMBER.fullmatch(score) and rising):
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


def is_entry(text: str) -> bool:
    """Return whether a text consists of one or more upper-case letters and digits."""
    return text.isalnum() and text == text.upper()


def read_input(path: Path) -> str:
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
        texts = [read_input(Path(name)) for name in sys.argv[1:3]]
        Formula.read(texts[0], texts[1], sys.argv[3:]).write(sys.stdout.buffer)
    except (OSError, ValueError) as error:
        print(f"fill_to_cnf: {error}", file=sys.stderr)
        sys.exit(REFUSED if isinstance(error, ValueError) else 1)


if __name__ == "__main__":
    main()
