"""The audit of a fill: an oracle that shares no code with any engine.

It reads the rows and columns of letters as strings, blanks out open slots, splits the rest at blocks and bars, and
looks the pieces up as strings. It uses no slots, crossings, ids or bitsets. Rule numbers are those of
`cpfill.problem.rules`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.texts import later, say
from cpfill.problem.problem import Fill, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

UNFILLED = "?"
"""Marks a cell without a letter in a fill that was read from a file."""


class Place(NamedTuple):
    """The first cell of a run of letters, by its name, and where the run goes; nowhere if the cell alone is meant."""

    cell: str
    direction: str = ""

    def __str__(self) -> str:
        return f"{self.cell} {say(self.direction.lower())}" if self.direction else self.cell


class Violation(NamedTuple):
    """A rule that a fill breaks, in the words of an editor, with its place."""

    rule: str
    detail: str
    at: tuple[Place, ...] = ()

    def __str__(self) -> str:
        return f"{self.rule}: {self.detail}" + (f" ({', '.join(map(str, self.at))})" if self.at else "")

    def name_places(self, problem: Problem) -> list[str]:
        """Return the names of the slots and cells in question."""
        grid = problem.grid
        slots = {Place(grid.name_cell(slot.cells[0]), slot.direction): slot.name for slot in grid.slots}
        return [slots.get(place, place.cell) for place in self.at]


def violations(problem: Problem, fill: Fill) -> list[Violation]:
    """Return every violation of C1 to C7 in a fill; the list is empty if the fill is correct.

    Raises:
        TypeError: an argument has another type.
    """
    if not (isinstance(problem, Problem) and isinstance(fill, Fill)):
        raise TypeError(f"expected a problem and a fill; got {problem!r:.60} and {fill!r:.60}")
    grid = problem.grid
    if len(fill.letters) != len(grid.cells):
        return [
            Violation(
                "C1",
                say("the fill has {letters} cells, the grid {cells}", letters=len(fill.letters), cells=len(grid.cells)),
            )
        ]
    return [*cell_violations(problem, fill), *_words(problem, fill), *_narrowed(problem, fill)]


def cell_violations(problem: Problem, fill: Fill) -> Iterator[Violation]:
    """Yield every violation of C1 and C4 in a fill, which must have as many cells as the grid."""
    grid = problem.grid
    bits = {letter: 1 << number for number, letter in enumerate(grid.alphabet.letters)}
    for cell, (letter, allowed) in enumerate(zip(fill.letters, grid.cells, strict=True)):
        if cell not in grid.rebus and (bits.get(letter, 0) & allowed if allowed else not letter):
            continue
        at = (Place(grid.name_cell(cell)),)
        if allowed == 0:
            yield Violation("C1", say("'{letter}' stands on a block", letter=letter), at)
        elif letter in {"", UNFILLED}:
            yield Violation("C1", say("a letter is missing"), at)
        elif cell in grid.rebus:
            if letter != grid.rebus[cell]:
                detail = say("'{rebus}' is given, '{letter}' stands here", rebus=grid.rebus[cell], letter=letter)
                yield Violation("C4", detail, at)
        elif letter not in bits:
            yield Violation("C1", say("'{letter}' is not a letter of the alphabet", letter=letter), at)
        else:
            yield Violation("C4", say("'{letter}' is not allowed here", letter=letter), at)


def _words(problem: Problem, fill: Fill) -> Iterator[Violation]:
    grid = problem.grid
    rules = problem.rules
    used: list[tuple[str, Place]] = []
    obscure = []
    for direction, first, step, line in _lines(problem, fill):
        passed = 0
        for run in "|".join(line).split(" "):  # a cell of several letters is one cell
            cells = run.strip("|")
            start = first + step * (passed + len(run) - len(run.lstrip("|")))
            passed += run.count("|")
            word = cells.replace("|", "")
            if not cells or cells.count("|") + 1 < grid.min_slot_length or UNFILLED in word:
                continue
            where = Place(grid.name_cell(start), direction)
            entry = problem.lexicon.find(word)
            if entry is None:
                yield Violation("C2", say("{word} is not in your lists", word=word), (where,))
            elif word in problem.avoided:
                yield Violation("C2", say("{word} is a word to differ from", word=word), (where,))
            elif entry[0] < rules.min_score:
                told = later("{word} scores {entry:g}, under {min_score:g}")
                detail = say(told, word=word, entry=entry[0], min_score=rules.min_score)
                yield Violation("C2", detail, (where,))
            elif rules.below is not None and entry[0] < rules.below:
                obscure.append((word, where))
            used.append((word, where))
    yield from _pairs(problem, used)
    if rules.below is not None and rules.max_obscure is not None and len(obscure) > rules.max_obscure:
        found = say(
            "{obscure} words score under {below:g}: {obscure2}",
            obscure=len(obscure),
            below=rules.below,
            obscure2=", ".join(sorted(word for word, _ in obscure)),
        )
        detail = say("{found}; at most {max_obscure} may", found=found, max_obscure=rules.max_obscure)
        yield Violation("C6", detail, tuple(where for _, where in obscure))
    for word in sorted(rules.required - {word for word, _ in used}):
        yield Violation("C7", say("{word} is required but is not in the grid", word=word))


def _narrowed(problem: Problem, fill: Fill) -> Iterator[Violation]:
    """Yield the narrowed slots that hold a word they may not hold."""
    grid = problem.grid
    for (direction, start), words in problem.narrowed.items():
        step, end = (
            (1, start - start % grid.width + grid.width) if direction == "Across" else (grid.width, len(grid.cells))
        )
        word = ""
        for cell in range(start, end, step):
            word += fill.letters[cell]
            if (cell, cell + step) in grid.bars or not fill.letters[cell]:
                break
        if word not in words and UNFILLED not in word and (direction, start) not in grid.open_slots:
            detail = say("{word} is not one of the {words} words allowed here", word=word, words=len(words))
            yield Violation("C2", detail, (Place(grid.name_cell(start), direction),))


def _lines(problem: Problem, fill: Fill) -> Iterator[tuple[str, int, int, list[str]]]:
    """Yield each row, then each column: its direction, first cell, step and letters, with a blank after each word."""
    grid = problem.grid
    text = [letter or " " for letter in fill.letters]
    across, down = _parted(text, grid.bars, 1), _parted(text, grid.bars, grid.width)
    for direction, start in grid.open_slots:
        if direction == "Across":
            _blank_run(across, range(start, (start // grid.width + 1) * grid.width))
        else:
            _blank_run(down, range(start, len(down), grid.width))
    for row in range(grid.height):
        yield "Across", row * grid.width, 1, across[row * grid.width : (row + 1) * grid.width]
    for column in range(grid.width):
        yield "Down", column, grid.width, down[column :: grid.width]


def _parted(text: list[str], bars: frozenset[tuple[int, int]], step: int) -> list[str]:
    """Return the letters; a letter gets a trailing blank if a bar separates it from the letter `step` cells on."""
    return [letter + " " if (cell, cell + step) in bars else letter for cell, letter in enumerate(text)]


def _blank_run(parted: list[str], cells: range) -> None:
    """Overwrite the letters of a run with blanks; the run ends with the first letter that has a trailing blank."""
    for cell in cells:
        last = parted[cell].endswith(" ")
        parted[cell] = " "
        if last:
            break


def _pairs(problem: Problem, used: list[tuple[str, Place]]) -> Iterator[Violation]:
    """Yield the violations of C3 and C5 by two words; `used` has each word with its place."""
    alike, lexicon = problem.rules.no_shared, problem.lexicon
    met: dict[str, list[int]] = {}  # maps each word and each mark to the indices in `used` that have it
    pairs: set[tuple[int, int]] = set()
    for number, (word, _) in enumerate(used):
        for part in {f"={word}"} | (lexicon.marks(word) if alike else set()):
            pairs |= {(other, number) for other in met.get(part, ())}
            met.setdefault(part, []).append(number)
    for (one, there), (other, here) in ((used[first], used[second]) for first, second in sorted(pairs)):
        if one == other and (not problem.rules.repeats or one in problem.theme):
            yield Violation("C3", say("{one} stands twice", one=one), (there, here))
        if alike and (shared := lexicon.marks(one) & lexicon.marks(other)):
            detail = say("{one} and {other} are alike ({shared})", one=one, other=other, shared=min(shared))
            yield Violation("C5", detail, (there, here))
