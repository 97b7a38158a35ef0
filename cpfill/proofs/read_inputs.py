"""Reads the inputs of `fill_to_cnf.py` and `fill_to_opb.py`, which stand beside it: grid, words, arguments, cases.

It imports only the standard library.

Each line of grid.txt is a row, and each sign a cell: `#` is a block, `.` an empty cell, a letter a given, `[ABC]` a
letter set, `(ABC)` a cell with several letters, all given. Each line of words.tsv is a word, a tab and a score, and may
have another tab and rising marks, a space between them; a third tab and `name` follow a name, whose marks may be
missing. The words rise. A letter is one upper-case character. Letters, words and marks are compared by code point.
Anything else is refused.

A slot is a maximal run of --min-length (2) or more open cells, across or down, unless --open names it. Its name has the
number of its first cell, such as 17-Across. R1C2 is the second cell of the first row. --tie R1C2=R2C1 ties two cells,
which hold the same letter; so do all that are tied to one another.

--letter-counts limits how often a letter stands in the grid: E<=5, E>=1, E=0, or several of these with commas. After
R1C1,R1C2: the limits are of these cells alone. All limits of a letter in the same cells hold. --letter-values A=1 Q=10
has the value of each letter that has one, and #=2 that of a block.

The file --cases divides the fills into parts. Each line is a case, a list of choices: 17-Across=WORD means that the
slot holds the word, 17-Across=.O.. that it has the letter there, and != the opposite. Four cases make five parts, and
each fill is in exactly one: the fills of part 3 are in case 3 and in no case before it, those of part 5 in no case.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError
from collections import Counter
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, NoReturn

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

Cell = tuple[str, ...]  # for each letter its allowed values, in one text; an empty text: any. A block has no letter.
REFUSED = 2  # the exit code that says so
MOST_OPTIONS = 1_000  # reading N options takes time proportional to N squared
_SHOWN = 200  # characters of a complaint
_SIGN = re.compile(r"\[([^][()]{2,})\]|\(([^][()]{2,})\)|([^][()])")
_CHOICE = re.compile("([^!= ]+)(!?)=([^!= ]+)")
_CELL = re.compile("R([1-9][0-9]{0,3})C([1-9][0-9]{0,3})")
_LIMIT = re.compile("(.)(<=|>=|=)([0-9]{1,6})")
_NUMBER = re.compile(r"[0-9]{1,20}(\.[0-9]{1,20})?(e[+-][0-9]{1,3})?")


class RefusedError(ValueError):
    """The input is not of the form that this script reads."""


class Grid(NamedTuple):
    """The cells of a grid, row by row; `tied` has, for each cell in a tie, all that hold its letter, rising."""

    width: int
    cells: list[Cell]
    tied: Mapping[int, tuple[int, ...]] = MappingProxyType({})

    def find_first(self, cell: int) -> int:
        """Return the first of the cells that hold the letter of a cell."""
        return self.tied.get(cell, (cell,))[0]


class Word(NamedTuple):
    """The score of a word, its marks, and whether it is a name."""

    score: Decimal
    marks: tuple[str, ...]
    is_name: bool


class Slot(NamedTuple):
    """A slot.

    `places` has for each letter the cell, of tied ones the first (None if it has several letters), and the allowed
    letters.
    """

    name: str
    cells: tuple[int, ...]
    places: list[tuple[int | None, str]]


class LetterLimit(NamedTuple):
    """How often a letter stands in some cells; without `most`, any number of times from `least` on."""

    cells: tuple[int, ...]
    letter: str
    least: int
    most: int | None

    def narrow(self, sign: str, number: int) -> LetterLimit:
        """Return this and one more limit in one."""
        least = self.least
        most = self.most
        if sign != "<=":
            least = max(least, number)
        if sign != ">=" and (most is None or number < most):
            most = number
        return self._replace(least=least, most=most)


class Choice(NamedTuple):
    """Whether a slot holds a word, or a letter: then the rest of `word` is dots."""

    slot: str
    made: bool
    word: str


Case = list[Choice]


def with_ties(grid: Grid, texts: Iterable[str]) -> Grid:
    """Return the grid with ties such as R1C2=R2C1; tied cells allow the letters that all of them allow."""
    tied: dict[int, tuple[int, ...]] = {}
    for text in texts:
        one, _, other = text.partition("=")
        joined: set[int] = set()
        for cell in (read_cell(grid, one, "--tie"), read_cell(grid, other, "--tie")):
            joined.update(tied.get(cell, (cell,)))
        tied.update(dict.fromkeys(joined, tuple(sorted(joined))))
    cells = list(grid.cells)
    for cell, group in tied.items():
        cells[cell] = (_share([grid.cells[each][0] for each in group]),)
    return Grid(grid.width, cells, tied)


def _share(allowed: Iterable[str]) -> str:
    """Return the letters that are in each of some sets of allowed letters."""
    sets = list(map(set, filter(None, allowed)))
    if not sets:
        return ""
    shared = set.intersection(*sets)
    if not shared:
        raise RefusedError("--tie: expected cells that may hold one letter")
    return "".join(sorted(shared))


def read_cell(grid: Grid, name: str, where: str) -> int:
    """Return the cell with a name such as R1C2, which has one letter."""
    match = _CELL.fullmatch(name)
    if match:
        row, column = map(int, match.groups())
        cell = (row - 1) * grid.width + column - 1
        if column <= grid.width and cell < len(grid.cells) and len(grid.cells[cell]) == 1:
            return cell
    raise RefusedError(f"{where}: expected a cell of one letter such as R1C2, got {name[:60]!r}")


def read_limits(grid: Grid, texts: Iterable[str]) -> list[LetterLimit]:
    """Return the limits on letters of texts such as E<=5,Q>=1 (of all cells) or R1C1,R1C2:E=1."""
    limits: dict[tuple[tuple[int, ...], str], LetterLimit] = {}
    for text in texts:
        where, colon, listed = text.rpartition(":")
        cells = tuple(cell for cell, letters in enumerate(grid.cells) if letters)
        if colon:
            cells = tuple(sorted({read_cell(grid, name, "--letter-counts") for name in where.split(",")}))
        for limit in listed.split(","):
            match = _LIMIT.fullmatch(limit)
            if not match or not is_entry(match[1]):
                raise RefusedError(f"--letter-counts: expected E<=5, E>=5 or E=5, got {limit[:60]!r}")
            letter = match[1]
            known = limits.get((cells, letter), LetterLimit(cells, letter, 0, None))
            limits[cells, letter] = known.narrow(match[2], int(match[3]))
    return list(limits.values())


def spell_slot(grid: Grid, slot: Slot) -> list[tuple[int, int]]:
    """Return for each letter of a slot its cell, and its number among the letters there."""
    return [(cell, at) for cell in slot.cells for at in range(len(grid.cells[cell]))]


def weigh_letters(grid: Grid, slots: Sequence[Slot], cells: Iterable[int]) -> list[list[int]]:
    """Return for each letter of each slot how much it adds to twice the letters of some cells, if each counts once.

    Half of a cell of two slots counts in each. A cell in no slot counts in the first cell of a slot that it is tied to.
    A cell of several letters does not count, because they are given.
    """
    holding = Counter(chain.from_iterable(slot.cells for slot in slots))
    weights: Counter[int] = Counter()
    for cell in cells:
        held = list(filter(holding.__contains__, (cell, *grid.tied.get(cell, ()))))
        if held and len(grid.cells[cell]) == 1:
            weights[held[0]] += 2 // holding[held[0]]
    weighed: list[list[int]] = []
    for slot in slots:
        cells_of_slot = map(itemgetter(0), spell_slot(grid, slot))
        weighed.append(list(map(weights.__getitem__, cells_of_slot)))
    return weighed


def list_given(grid: Grid, slots: Iterable[Slot], cells: Iterable[int]) -> Iterator[str]:
    """Yield the letters of some cells that no place counts: of cells with several, and of cells in no slot."""
    spelled = {grid.find_first(cell) for slot in slots for cell in slot.cells}
    for cell in cells:
        letters = grid.cells[cell]
        if len(letters) == 1 and grid.find_first(cell) in spelled:
            continue
        if set(map(len, letters)) - {1}:
            raise RefusedError("grid: expected a letter in each cell of no slot where letters count")
        yield from letters


def find_slots(grid: Grid, min_length: int, opened: Sequence[str]) -> list[Slot]:
    """Return the slots across, then down, in the order of their first cells."""
    runs = [(direction, run) for direction, run in _find_runs(grid) if len(run) >= min_length]
    starts = sorted({run[0] for _, run in runs})
    numbers = {cell: number for number, cell in enumerate(starts, start=1)}
    slots = [Slot(f"{numbers[run[0]]}-{direction}", run, _list_places(grid, run)) for direction, run in sorted(runs)]
    names = {slot.name for slot in slots}
    check_known("--open", opened, names)
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
        single = grid.find_first(cell) if len(letters) == 1 else None
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
        word, *fields = line.split("\t")
        listed = _read_word(fields)
        if listed is None or not is_entry(word) or word <= last:
            expected = f"a word after '{last}', a tab and a score, which tabs, rising marks and 'name' may follow"
            raise RefusedError(f"words, line {number}: expected {expected}, got {line[:60]!r}")
        words[word] = listed
        last = word
    return words


def _read_word(fields: Sequence[str]) -> Word | None:
    """Return the word that a score, marks and 'name' describe, if they do; marks may be empty before 'name' alone."""
    if not fields or not _NUMBER.fullmatch(fields[0]) or fields[2:] not in ([], ["name"]):
        return None
    marks: tuple[str, ...] = ()
    if len(fields) > 1 and (fields[1] or not fields[2:]):
        marks = tuple(fields[1].split(" "))
        if sorted(set(fields[1].split())) != list(marks):
            return None
    return Word(Decimal(fields[0]), marks, is_name=len(fields) > 2)


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


def check_known(name: str, asked: Sequence[object], known: Collection[object]) -> None:
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
    parser.add_argument("--letter-counts", nargs="+", default=[])
    parser.add_argument("--no-naticks", type=_read_score)
    parser.add_argument("--letter-values", type=_read_value, nargs="+", default=[])
    parser.add_argument("--tie", nargs="+", default=[])
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
    if asked.slots and asked.letter_counts:
        raise RefusedError("expected --letter-counts without --slots: letters may stand in any slot")
    return asked


def _read_score(text: str) -> Decimal:
    if not _NUMBER.fullmatch(text):
        raise ArgumentTypeError(f"expected a score, got {text!r}")
    return Decimal(text)


def _read_value(text: str) -> tuple[str, Decimal]:
    letter, _, value = text.partition("=")
    if letter != "#" and not (len(letter) == 1 and is_entry(letter)):
        raise ArgumentTypeError(f"expected values such as A=1, or #=0 of a block, got {text!r}")
    return letter, _read_score(value)


def _read_whole(text: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", text):
        raise ArgumentTypeError(f"expected a whole number, got {text!r}")
    return int(text)


def _read_part(text: str) -> tuple[int, int]:
    number, _, parts = text.partition("/")
    if not 1 <= _read_whole(number) <= _read_whole(parts):
        raise ArgumentTypeError(f"expected a part, got {text!r}")
    return int(number), int(parts)
