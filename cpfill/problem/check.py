"""The audit of a fill: an oracle that shares no code with any engine.

It reads the rows and columns of letters as strings, blanks out open slots, splits the rest at blocks and bars, and
looks the pieces up as strings. It uses no slots, crossings, ids or bitsets, save for the crossings of names (C9). Rule
numbers are those of `cpfill.problem.rules`.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from cpfill.base.texts import later, say
from cpfill.problem.fill import Fill
from cpfill.problem.problem import Problem, list_naticks

if TYPE_CHECKING:
    from collections.abc import Iterator

UNFILLED = "?"
"""Marks a cell without a letter in a fill that was read from a file."""


class Place(NamedTuple):
    """The first cell of a run of letters, by its name, and where the run goes; nowhere if the cell alone is meant."""

    cell: str
    direction: str = ""

    def __str__(self) -> str:
        if not self.direction:
            return self.cell
        return f"{self.cell} {say(self.direction.lower())}"


class Violation(NamedTuple):
    """A rule that a fill breaks, in the words of an editor, with its place."""

    rule: str
    detail: str
    at: tuple[Place, ...] = ()

    def __str__(self) -> str:
        text = f"{self.rule}: {self.detail}"
        if self.at:
            places = ", ".join(map(str, self.at))
            text += f" ({places})"
        return text

    def name_places(self, problem: Problem) -> list[str]:
        """Return the names of the slots and cells in question."""
        grid = problem.grid
        slots = {Place(grid.name_cell(slot.cells[0]), slot.direction): slot.name for slot in grid.slots}
        return [slots.get(place, place.cell) for place in self.at]


def violations(problem: Problem, fill: Fill) -> list[Violation]:
    """Return every violation of C1 to C11 in a fill; the list is empty if the fill is correct.

    Raises:
        TypeError: an argument has another type.
    """
    if not (isinstance(problem, Problem) and isinstance(fill, Fill)):
        raise TypeError(f"expected a problem and a fill; got {problem!r:.60} and {fill!r:.60}")
    grid = problem.grid
    if len(fill.letters) != len(grid.cells):
        detail = say("the fill has {letters} cells, the grid {cells}", letters=len(fill.letters), cells=len(grid.cells))
        return [Violation("C1", detail)]
    if problem.rules.either:
        return _read_answers(problem, fill)
    others = [*_narrowed(problem, fill), *_counts(problem, fill), *_naticks(problem, fill), *_texts(problem, fill)]
    return [*cell_violations(problem, fill), *_words(problem, fill), *others]


def cell_violations(problem: Problem, fill: Fill) -> Iterator[Violation]:
    """Yield every violation of C1 and C4 in a fill, which must have as many cells as the grid."""
    grid = problem.grid
    bits = {letter: 1 << number for number, letter in enumerate(grid.alphabet.letters)}
    for cell, (letter, allowed) in enumerate(zip(fill.letters, grid.cells, strict=True)):
        if cell in grid.rebus:
            right = letter == grid.rebus[cell]
        elif allowed:
            right = bool(bits.get(letter, 0) & allowed)
        else:
            right = not letter
        if not right:
            yield _describe_cell(problem, cell, letter)
    for one, other in sorted(grid.ties):
        letters = fill.letters[one], fill.letters[other]
        if letters[0] != letters[1] and UNFILLED not in letters:
            at = (Place(grid.name_cell(one)), Place(grid.name_cell(other)))
            yield Violation("C4", say("'{one}' and '{other}' are in tied cells", one=letters[0], other=letters[1]), at)


def _describe_cell(problem: Problem, cell: int, letter: str) -> Violation:
    """Return the violation by a letter that a cell may not hold."""
    grid = problem.grid
    at = (Place(grid.name_cell(cell)),)
    if grid.cells[cell] == 0:
        return Violation("C1", say("'{letter}' stands on a block", letter=letter), at)
    if letter in {"", UNFILLED}:
        return Violation("C1", say("a letter is missing"), at)
    if cell in grid.rebus:
        detail = say("'{rebus}' is given, '{letter}' stands here", rebus=grid.rebus[cell], letter=letter)
        return Violation("C4", detail, at)
    if letter not in list(grid.alphabet.letters):
        return Violation("C1", say("'{letter}' is not a letter of the alphabet", letter=letter), at)
    return Violation("C4", say("'{letter}' is not allowed here", letter=letter), at)


def _words(problem: Problem, fill: Fill) -> Iterator[Violation]:
    used: list[tuple[str, Place]] = []
    for line in _lines(problem, fill):
        for word, where in _pieces(problem, *line):
            yield from _judge(problem, word, where)
            used.append((word, where))
    yield from _pairs(problem, used)
    yield from _obscure(problem, used)
    for word in sorted(problem.rules.required - {word for word, _ in used}):
        yield Violation("C7", say("{word} is required but is not in the grid", word=word))


def _pieces(problem: Problem, direction: str, first: int, step: int, line: list[str]) -> Iterator[tuple[str, Place]]:
    """Yield the complete words of a line with their places."""
    grid = problem.grid
    passed = 0
    for run in "|".join(line).split(" "):  # a cell of several letters is one cell
        cells = run.strip("|")
        skipped = len(run) - len(run.lstrip("|"))
        start = first + step * (passed + skipped)
        passed += run.count("|")
        length = cells.count("|") + 1
        word = cells.replace("|", "")
        if cells and length >= grid.min_slot_length and UNFILLED not in word:
            yield word, Place(grid.name_cell(start), direction)


def _judge(problem: Problem, word: str, where: Place) -> Iterator[Violation]:
    """Yield the violation of C2 by a word."""
    entry = problem.lexicon.find(word)
    min_score = problem.rules.min_score
    if entry is None:
        yield Violation("C2", say("{word} is not in your lists", word=word), (where,))
    elif word in problem.avoided:
        yield Violation("C2", say("{word} is a word to differ from", word=word), (where,))
    elif entry[0] < min_score:
        text = later("{word} scores {entry:g}, under {min_score:g}")
        detail = say(text, word=word, entry=entry[0], min_score=min_score)
        yield Violation("C2", detail, (where,))


def _obscure(problem: Problem, used: list[tuple[str, Place]]) -> Iterator[Violation]:
    """Yield the violation of C6; words that break C2 do not count."""
    below = problem.rules.below
    most = problem.rules.max_obscure
    if below is None or most is None:
        return
    obscure = []
    for word, where in used:
        entry = problem.lexicon.find(word)
        if entry is None or word in problem.avoided:
            continue
        if problem.rules.min_score <= entry[0] < below:
            obscure.append((word, where))
    if len(obscure) > most:
        words = ", ".join(sorted(word for word, _ in obscure))
        found = say(
            "{obscure} words score under {below:g}: {obscure2}", obscure=len(obscure), below=below, obscure2=words
        )
        detail = say("{found}; at most {max_obscure} may", found=found, max_obscure=most)
        yield Violation("C6", detail, tuple(where for _, where in obscure))


def _narrowed(problem: Problem, fill: Fill) -> Iterator[Violation]:
    """Yield the narrowed slots that hold a word they may not hold."""
    grid = problem.grid
    for (direction, start), words in problem.narrowed.items():
        if (direction, start) in grid.open_slots:
            continue
        word = _read_run(problem, fill, direction, start)
        if word not in words and UNFILLED not in word:
            detail = say("{word} is not one of the {words} words allowed here", word=word, words=len(words))
            yield Violation("C2", detail, (Place(grid.name_cell(start), direction),))


def _counts(problem: Problem, fill: Fill) -> Iterator[Violation]:
    """Yield the letters that stand too seldom or too often (C8)."""
    for count in problem.counts:
        letters = "".join(fill.letters[cell] for cell in count.cells)
        found = letters.count(count.letter)
        least = count.least
        if UNFILLED in letters:
            least = 0
        most = len(letters) if count.most is None else count.most
        if not least <= found <= most:
            told = later("{letter} stands {found} times, not {least} to {most}")
            yield Violation("C8", say(told, letter=count.letter, found=found, least=count.least, most=most))


def _naticks(problem: Problem, fill: Fill) -> Iterator[Violation]:
    """Yield the crossings of two names at a letter that cannot be inferred (C9)."""
    if not problem.rules.no_naticks:
        return
    words = list(map(fill.word_at, problem.slots))
    for crossing in list_naticks(problem.grid, words, problem.lexicon):
        slots = [problem.slots[crossing.across], problem.slots[crossing.down]]
        at = tuple(Place(problem.grid.name_cell(slot.cells[0]), slot.direction) for slot in slots)
        one, other = map(fill.word_at, slots)
        detail = say("{one} and {other} are names, and another letter fits both", one=one, other=other)
        yield Violation("C9", detail, at)


def _texts(problem: Problem, fill: Fill) -> Iterator[Violation]:
    """Yield the texts that no cells spell or hide (C10)."""
    for text in problem.texts:
        spelled = ["".join(fill.letters[cell] for cell in run) for run in text.runs]
        if UNFILLED in "".join(spelled):
            continue
        words = ", ".join(text.words[:_SHOWN])
        at = tuple(Place(problem.grid.name_cell(run[0])) for run in text.runs)
        if not text.hidden and spelled[0] not in text.words:
            yield Violation("C10", say("{spelled} is spelled, not {words}", spelled=spelled[0], words=words), at)
        elif text.hidden and not _hide(spelled, text.words, differ=text.differ):
            detail = say("{entries} do not each hide one of {words}", entries=", ".join(spelled), words=words)
            yield Violation("C10", detail, at)


Run = tuple[int, ...]
"""The cells of a word."""


def _read_answers(problem: Problem, fill: Fill) -> list[Violation]:
    """Return the violations of a fill in each of its readings (C11), where slots have several answers."""
    plain = replace(problem, rules=replace(problem.rules, either=()))
    broken = violations(plain, fill)
    groups = []
    found = []
    for text in problem.rules.either:
        groups.append([*map(problem.grid.alphabet.fold, text.split("/"))])
        found.append(_find_runs(plain, fill, groups[-1][0]))
        if not found[-1]:
            broken.append(Violation("C11", say("no slot has the answer {word}", word=groups[-1][0])))
    if broken:
        return broken
    return min((_read_each(plain, fill, groups, runs) for runs in product(*found)), key=len)


def _find_runs(problem: Problem, fill: Fill, word: str) -> list[Run]:
    """Return the cells of each place where a word stands."""
    grid = problem.grid
    cells = {grid.name_cell(cell): cell for cell in range(len(grid.cells))}
    found = []
    for direction, first, step, line in _lines(problem, fill):
        for piece, where in _pieces(problem, direction, first, step, line):
            run = [cells[where.cell]]
            while piece == word and len("".join(map(fill.letters.__getitem__, run))) < len(word):
                run.append(run[-1] + step)
            if piece == word:
                found.append(tuple(run))
    return found


def _read_each(problem: Problem, fill: Fill, groups: list[list[str]], runs: tuple[Run, ...]) -> list[Violation]:
    """Return the violations of all readings, where these cells hold the first answers."""
    broken = []
    readings = []
    for answers in product(*groups):
        letters = [*fill.letters]
        for run, answer in zip(runs, answers, strict=True):
            rest = answer
            for cell in run:
                letters[cell], rest = rest[: len(letters[cell])], rest[len(letters[cell]) :]
        reading = Fill(tuple(letters), fill.grid)
        told = "/".join(answers)
        if any("".join(map(letters.__getitem__, run)) != answer for run, answer in zip(runs, answers, strict=True)):
            broken.append(Violation("C11", say("{answers} contradict each other", answers=told)))
        for each in violations(problem, reading):
            detail = say("with {answers}, {detail}", answers=told, detail=each.detail)
            broken += [each._replace(detail=detail)]
        readings.append(reading)
    if fill.alternatives and readings != fill.readings:
        broken.append(Violation("C11", say("the letters of the other readings are not those of the answers")))
    return broken


def _hide(entries: list[str], words: tuple[str, ...], *, differ: bool) -> bool:
    """Return whether each entry hides a word, and if words `differ` each a different one."""
    if not entries:
        return True
    for word in words:
        others = tuple(each for each in words if not differ or each != word)
        if word in entries[0] and _hide(entries[1:], others, differ=differ):
            return True
    return False


_SHOWN = 5
"""The most words of a text that a violation names."""


def _read_run(problem: Problem, fill: Fill, direction: str, start: int) -> str:
    """Return the letters from a cell to the next block, bar or border."""
    grid = problem.grid
    step = grid.width
    end = len(grid.cells)
    if direction == "Across":
        step = 1
        end = start - start % grid.width + grid.width
    word = ""
    for cell in range(start, end, step):
        word += fill.letters[cell]
        if (cell, cell + step) in grid.bars or not fill.letters[cell]:
            break
    return word


def _lines(problem: Problem, fill: Fill) -> Iterator[tuple[str, int, int, list[str]]]:
    """Yield each row, then each column: its direction, first cell, step and letters, with a blank after each word."""
    grid = problem.grid
    text = [letter or " " for letter in fill.letters]
    across = _parted(text, grid.bars, 1)
    down = _parted(text, grid.bars, grid.width)
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
    for (one, there), (other, here) in _meetings(problem, used):
        if one == other and (not problem.rules.repeats or one in problem.theme):
            yield Violation("C3", say("{one} stands twice", one=one), (there, here))
        if not problem.rules.no_shared:
            continue
        shared = problem.lexicon.marks(one) & problem.lexicon.marks(other)
        if shared:
            detail = say("{one} and {other} are alike ({shared})", one=one, other=other, shared=min(shared))
            yield Violation("C5", detail, (there, here))


def _meetings(problem: Problem, used: list[tuple[str, Place]]) -> Iterator[tuple[tuple[str, Place], tuple[str, Place]]]:
    """Yield the pairs of equal words, and with C5 of words that share a mark."""
    met: dict[str, list[int]] = {}  # maps each word and each mark to the indices in `used` that have it
    pairs: set[tuple[int, int]] = set()
    for number, (word, _) in enumerate(used):
        parts = {f"={word}"}
        if problem.rules.no_shared:
            parts |= problem.lexicon.marks(word)
        for part in parts:
            others = met.setdefault(part, [])
            pairs.update((other, number) for other in others)
            others.append(number)
    for first, second in sorted(pairs):
        yield used[first], used[second]
