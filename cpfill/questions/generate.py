"""Random grids as a question: any grids, fillable ones, or designs with the best fills; why there is none.

To find out what would help, it drops one demand at a time and searches briefly for a grid, or for one that can be
filled.
"""

from __future__ import annotations

import math
import re
import time
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from cpfill.base.errors import COUNT, SLOT_LENGTH, SLOTS, Range, expected, quote_value
from cpfill.base.reading import TEXTS, Field, asked, asked_number, asked_time, check_text, read_flag, read_some_seconds
from cpfill.base.texts import later, say, say_count
from cpfill.design.board import STYLE, STYLES, SYMMETRY, Symmetry
from cpfill.design.demands import Demands, Draft
from cpfill.design.grids import (
    EACH_S,
    Attempts,
    Design,
    Ranking,
    fill_grids,
    fill_in_steps,
    generate,
    rank_designs,
    tell_unpaired,
)
from cpfill.design.growth import list_liberties
from cpfill.design.improving import improve_grids
from cpfill.problem.event import StopReason
from cpfill.problem.problem import Objective, value_to_json
from cpfill.problem.result import Deadline, Limits, SolveResult, Status
from cpfill.puzzle.grid import BLOCK, Grid, parse_size, split_rows
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.question import Question
from cpfill.questions.records import fill_record, puzzle_record

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from cpfill.design.board import Style
    from cpfill.problem.problem import Fill, Problem
    from cpfill.problem.rules import Rules
    from cpfill.puzzle.grid import Slot
    from cpfill.questions.question import Desk, Record
    from cpfill.questions.record_types import (
        DesignRecord,
        DrawnDesign,
        DrawnGrid,
        GenerateEnd,
        GenerateRecord,
        GridRecord,
    )
    from cpfill.words.lexicon import Lexicon

T = TypeVar("T")

USUAL_SIZE = "15x15"

MOST_THEME = 1000
"""The most theme words of a pool."""

_COUNTED = Range(0, SLOTS.high)
_BLOCKS = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")
_HALF_PER_CENT = 0.005


def _read_size(_: str, value: Any) -> tuple[int, int]:  # noqa: ANN401 - any JSON
    """Return the rows and columns in a text such as `15x15`, or in an array of two numbers."""
    if isinstance(value, str):
        size = parse_size(value)
        if size is None:
            raise expected("a size such as 15x15, rows and columns", f"'{value}'")
        return size
    if not isinstance(value, list | tuple) or len(value) != 2 or not {*map(type, value)} <= {int}:
        raise expected("two numbers for size: rows and columns", quote_value(value))
    return value[0], value[1]


def _read_blocks(name: str, value: Any) -> tuple[int, int]:  # noqa: ANN401 - any JSON
    """Return the least and the greatest number in a text such as `36-40`, in an array of both, or a number alone."""
    if isinstance(value, str):
        match = _BLOCKS.fullmatch(value)
        if not match or int(match[1]) > int(match[2] or match[1]):
            raise expected("a number of blocks such as 38, or a range such as 36-40", f"'{value}'")
        return int(match[1]), int(match[2] or match[1])
    ends = value if isinstance(value, list | tuple) else [value, value]
    if len(ends) != 2:
        raise expected("a number of blocks, or the least and the greatest", quote_value(value))
    for end in ends:
        _COUNTED.check(end, name)
    return ends[0], ends[1]


def _read_share(name: str, value: object) -> float:
    """Return the share in a text such as `0.16` or `16%`, or a number."""
    text = check_text(say("a density from 0 to 1, or 0% to 100%"), name, str(value))
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = math.nan
    if not 0 <= share <= 1:
        hint = say(" (is it {text}%?)", text=text) if 1 < share <= 100 and not text.endswith("%") else ""
        raise expected("a density from 0 to 1, or 0% to 100%", f"'{text}'{hint}")
    return share


class Found(NamedTuple):
    """A grid; its fill, if fills are searched for; its design, if several are compared."""

    grid: Grid
    filled: tuple[Problem, Fill] | None = None
    design: Design | None = None

    @property
    def entries(self) -> dict[Slot, str | None]:
        """The words of its slots: those of the fill, or else those that are given."""
        fill = self.filled and self.filled[1]
        return {slot: fill.word_at(slot) if fill else self.grid.given_word(slot) for slot in self.grid.slots}


class Ranked(NamedTuple):
    """A design that is new or has a better fill, and the ranking of all designs so far."""

    design: Design
    ranking: Ranking


class Tried(NamedTuple):
    """The number of grids tried so far."""

    grids: int


class Unpaired(NamedTuple):
    """A sentence on entries that do not pair up by length, so that fills are impossible or rare."""

    text: str


class End(NamedTuple):
    """The result of the whole search; if no grid was found, also why."""

    result: SolveResult
    failure: Failure | None


Step = Found | Ranked | Tried | Unpaired | End


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Generate(Question):
    """Random grids. The lists, the least score and the objective of the request matter only if grids are filled.

    Attributes:
        draft: a grid to complete.
        around: whether the puzzle of the request is that draft: its cells without a letter may become blocks.
    """

    draft: Draft | None = None
    around: bool = asked(Field(read_flag), default=False)
    size: tuple[int, int] | None = asked(
        Field(_read_size, f"Rows and columns; {USUAL_SIZE}, or those of DRAFT.", "HxW")
    )
    style: str = asked(Field(STYLE, f"{', '.join(STYLES)}.", metavar="NAME"), "american")
    number: int = asked_number(COUNT, 1, short="-n", help="N grids, no two alike.", section="Goal")
    blocks: tuple[int, int] | None = asked(
        Field(_read_blocks, "N blocks, or a range such as 36-40; by default the usual number.", metavar="N")
    )
    density: float | None = asked(Field(_read_share, "Their share, 0.16 or 16%, to half a per cent.", metavar="P"))
    symmetry: Symmetry | None = asked(Field(SYMMETRY, f"{', '.join(Symmetry)}; the style has its own.", metavar="NAME"))
    min_slot_length: int | None = asked_number(
        SLOT_LENGTH, help="No slot is shorter; the style has its own.", section="Grid"
    )
    max_words: int | None = asked_number(SLOTS, help="At most N slots.")
    seed_words: tuple[str, ...] = asked(
        Field(TEXTS, "Words that the grid must contain, or a file of them. Repeatable.", metavar="WORD,…", option=list),
        (),
    )
    time_limit: float | None = asked_time(60.0)
    fillable: bool = asked(Field(read_flag, "Only grids for which a fill is found.", option=bool), default=False)
    filled: bool = asked(Field(read_flag, "As --fillable, but print the fills.", option=bool), default=False)
    fewest_blocks: bool = asked(
        Field(read_flag, "As --filled, with as few blocks as possible, and a proved bound.", option=bool), default=False
    )
    fill_time: float | None = asked(
        Field(read_some_seconds, "With --fillable: pass over grids not filled by then; 2s by default.", metavar="TIME")
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.blocks is not None and self.density is not None:
            raise expected("--blocks or --density", say("both"))
        self._check_improving()

    def _check_improving(self) -> None:
        if not self.improves:
            return
        name = "--theme" if self.request.theme else "--fewest-blocks"
        if self.request.theme and self.fewest_blocks:
            raise expected("--theme or --fewest-blocks", say("both"))
        if self.request.goal.criteria:
            raise expected("{name} without an objective", self.request.goal, name=name)
        if self.number != 1:
            raise expected("one grid with {name}", str(self.number), name=name)
        if self.rules.barred:
            raise expected("a style with blocks, for {name}", self.style, name=name)

    @property
    def improves(self) -> bool:
        """Whether a single grid is improved: its blocks, or its words of a theme."""
        return self.fewest_blocks or (bool(self.request.theme) and self.filling)

    @property
    def prints_fills(self) -> bool:
        """Whether grids are shown with their fills."""
        return self.filled or self.fewest_blocks

    @property
    def filling(self) -> bool:
        """Whether grids are filled."""
        return self.fillable or self.filled or self.fewest_blocks

    def pool(self, desk: Desk, lexicon: Lexicon) -> tuple[tuple[str, float], ...]:
        """Return the theme words that may stand in the grid, each with its weight."""
        weights, demands = self.request.pool(desk.lists), self.demands
        if len(weights) > MOST_THEME:
            raise expected("at most {most:,} theme words", f"{len(weights):,}", most=MOST_THEME)
        sides = range(max(2, demands.style.min_slot_length), max(demands.height, demands.width) + 1)
        least = self.request.min_score
        own = demands.own_words
        entries = ((word, lexicon.find(word)) for word in weights if len(word) in sides and weights[word] > 0)
        allowed = [word for word, entry in entries if word in own or (entry and entry[0] >= least)]
        if weights and not allowed:
            raise expected("a theme word that fits the grid", say("none in {theme}", theme=len(weights)))
        return tuple((word, weights[word]) for word in allowed)

    @property
    def limits(self) -> Limits:
        """The limits of the search."""
        return replace(super().limits, fills=self.number)

    @property
    def rules(self) -> Style:
        """The rules of the style, as the other fields change them."""
        style = STYLES[self.style]
        return replace(
            style,
            symmetry=self.symmetry or style.symmetry,
            min_slot_length=self.min_slot_length or style.min_slot_length,
        )

    @cached_property
    def demands(self) -> Demands:
        """The demands on a grid; raises InputError if they contradict each other."""
        style, draft = self.rules, self.draft or self._take_draft()
        height, width = self.size or self._own_size(draft)
        return Demands(
            height,
            width,
            style=style,
            blocks=self.blocks if self.density is None else _blocks_of(self.density, height * width),
            max_words=self.max_words,
            seed_words=tuple(map(self.request.alphabet.fold, self.seed_words)),
            alphabet=self.request.alphabet,
            draft=draft,
        )

    def _own_size(self, draft: Draft | None) -> tuple[int, int]:
        at_hand = draft.grid if draft else self.request.grid
        return (at_hand.height, at_hand.width) if isinstance(at_hand, Grid | Puzzle) else _read_size("size", USUAL_SIZE)

    def _take_draft(self) -> Draft | None:
        """Return the puzzle as a draft, if it is to be completed: its letters, blocks and bars stay."""
        if not self.around:
            return None
        puzzle = self.request.grid
        if not isinstance(puzzle, Puzzle):
            raise expected("a puzzle to complete", say("none"))
        empty = (cell for cell, answer in enumerate(puzzle.cells) if answer == "")
        return Draft(puzzle.grid(self.request.alphabet, self.rules.min_slot_length), frozenset(empty))

    def steps(self, desk: Desk) -> Generator[Step]:
        """Yield grids as they are found; with an objective, designs as they get better, and at last the best ones.

        An interrupt ends the search; grids found until then count. If no grid is found, some of the time goes to
        finding out why.
        """
        demands, goal, rules = self.demands, self.request.goal, self.request.rules
        attempts, deadline = Attempts(), Deadline(self.time_limit, self.stop)
        lexicon, limits, each_s = None, self.limits, self.fill_time or EACH_S
        count, reason = 0, StopReason.INTERRUPTED  # unless the stream says otherwise

        def follow(stream: Generator[T, None, StopReason]) -> Generator[T]:
            nonlocal reason
            reason = yield from stream

        if self.filling:
            lexicon, limits = desk.lexicon_of(self.request), self.limits if self.improves else keep_time(limits)
            demands = replace(demands, pool=self.pool(desk, lexicon))
            if unpaired := tell_unpaired(demands, lexicon, rules):
                yield Unpaired(unpaired)
        optimising = lexicon is not None and (self.improves or bool(goal.criteria))
        if lexicon is not None and optimising:
            ranking, ranked = Ranking(self.number), self._rank(demands, lexicon, limits, attempts)
            with suppress(KeyboardInterrupt), closing(follow(ranked)) as designs:
                for design in designs:
                    ranking.add(design)
                    yield Ranked(design, ranking)
            for design in ranking.best:
                count += 1
                yield _found_of(design)
        else:
            stream: Generator[Grid | tuple[Problem, Fill] | None, None, StopReason] = generate(demands, limits=limits)
            if lexicon is not None:
                good = goal is Objective.GOOD
                stream = fill_in_steps(
                    demands, lexicon, rules, good=good, limits=limits, each_s=each_s, attempts=attempts
                )
            with suppress(KeyboardInterrupt), closing(follow(stream)) as grids:
                for found in grids:
                    count += found is not None
                    yield _step_of(found, attempts)
        status = Status.of(found=count > 0, exhausted=reason is StopReason.EXHAUSTED, optimising=optimising)
        failure, proved = None, status is Status.UNSATISFIABLE
        if not count and reason is not StopReason.INTERRUPTED and (proved or lexicon is not None):
            why = replace(limits, time_s=deadline.remaining_s(WHY_S))
            failure = find_failure(self.demands, lexicon, rules, why, proved=proved, attempts=attempts)
        yield End(SolveResult(status, reason, engine="generate", fills=count), failure)

    def _rank(
        self, demands: Demands, lexicon: Lexicon, limits: Limits, attempts: Attempts
    ) -> Generator[Design, None, StopReason]:
        """Yield designs whenever more is known about them."""
        request, rules, each_s = self.request, self.request.rules, self.fill_time or EACH_S
        if self.improves:
            return improve_grids(demands, lexicon, rules, limits=limits, attempts=attempts)
        every = replace(limits, fills=None)
        filled = fill_grids(demands, lexicon, rules, limits=every, each_s=each_s, attempts=attempts)
        return rank_designs(filled, request.goal, request.levels, limits=limits, each_s=each_s)

    def list_liberties(self, grid: Grid) -> list[str]:
        """Return sentences on the customs that the theme breaks in a grid."""
        return list_liberties(self.demands, grid)

    def records(self, desk: Desk) -> Generator[DrawnGrid | DrawnDesign | GenerateRecord]:
        """Yield grids as they are found, each with its seed words and theme words; at last their number."""
        due_s, words = 0.0, self.demands.seed_words
        with closing(self.steps(desk)) as steps:
            for step in steps:
                if isinstance(step, Tried):
                    if time.monotonic() < due_s:
                        continue
                    due_s = time.monotonic() + desk.pulse_s
                record: Record = self.record(step)
                if isinstance(step, Found | Ranked):
                    found = step if isinstance(step, Found) else _found_of(step.design)
                    theme = {*words, *(found.filled[0].theme if found.filled else ())}
                    placed = {slot: word for slot, word in found.entries.items() if word in theme}
                    cells = sorted({cell for slot in placed for cell in slot.cells})
                    drawn = {"puzzle": puzzle_record(self.draw(found)), "theme": cells, "entries": [*placed.values()]}
                    record = {**record, **drawn}
                yield cast("DrawnGrid | DrawnDesign | GenerateRecord", record)

    def draw(self, found: Found) -> Puzzle:
        """Return a grid as a puzzle, with its fill if fills are printed."""
        return Puzzle.of_grid(found.grid, found.filled[1].letters if found.filled and self.prints_fills else None)

    def record(self, step: Step) -> GridRecord | GenerateRecord:
        """Return a step as JSON; in `rows` null stands for a block, "" for an empty cell."""
        match step:
            case End(result, failure):
                told = {"done": True, "status": result.status, "reason": result.stop_reason, "grids": result.fills}
                return cast("GenerateEnd", told | (failure.record if failure else {}))
            case Ranked(design):
                return {"event": "improved", **design_record(design)}
            case Tried(grids):
                return {"tried": grids}
            case Unpaired(text):
                return {"unpaired": text}
        grid = step.grid
        record: GridRecord = {
            "event": "grid",
            "height": grid.height,
            "width": grid.width,
            "blocks": grid.cells.count(BLOCK),
            "words": len(grid.slots),
            "min_slot_length": grid.min_slot_length,
            "rows": [[*row] for row in split_rows([*grid.diagram().cells], grid.width)],
            "bars": [[grid.name_cell(cell) for cell in bar] for bar in sorted(grid.bars)],
        }
        if liberties := self.list_liberties(grid):
            record["liberties"] = liberties
        if step.filled:
            problem, fill = step.filled
            record["fill"] = fill_record(problem, fill, fill.value(problem))
        return {**record, **design_record(step.design)} if step.design else record


def _found_of(design: Design) -> Found:
    assert design.result.fill is not None
    return Found(design.problem.grid, (design.problem, design.result.fill), design)


def _step_of(found: Grid | tuple[Problem, Fill] | None, attempts: Attempts) -> Found | Tried:
    if found is None:
        return Tried(attempts.tried)
    return Found(found) if isinstance(found, Grid) else Found(found[0].grid, found)


def design_record(design: Design) -> DesignRecord:
    """Return what is known of a design as JSON."""
    value, bound = value_to_json(design.result.value), value_to_json(design.result.bound)
    return {"design": design.number, "value": value, "bound": bound, "proved": design.proved}


def _blocks_of(share: float, cells: int) -> tuple[int, int]:
    """Return the least and the greatest number of blocks that are this share of the cells."""
    least, most = math.ceil((share - _HALF_PER_CENT) * cells), math.floor((share + _HALF_PER_CENT) * cells)
    return max(0, min(least, math.floor(share * cells))), min(cells, max(most, math.ceil(share * cells)))


WHY_SHARE, WHY_S = 0.2, 8.0
"""The share of the time reserved for explaining a failure, and its greatest number of seconds."""

BLAMED = 3
"""The number of words named as most to blame."""


def keep_time(limits: Limits) -> Limits:
    """Return the limits of a search that leaves time to explain its failure."""
    if limits.time_s is None:
        return limits
    return replace(limits, time_s=limits.time_s - min(WHY_S, WHY_SHARE * limits.time_s))


_WITHOUT, _WITH = later("without {what}"), later("with {what}")


@dataclass(frozen=True, slots=True)
class Change:
    """Changed demands, and the word or option that names the change."""

    how: str
    what: str
    demands: Demands
    rules: Rules


@dataclass(frozen=True, slots=True)
class Failure:
    """The failed attempts, and the changes with which a grid was found.

    Attributes:
        proved: whether it is proved that there is no grid.
        filling: whether grids were to be filled.
        unpaired: which entries do not pair up, as `tell_unpaired` says it.
    """

    demands: Demands
    proved: bool
    filling: bool
    attempts: Attempts
    unpaired: str
    changes: list[Change]

    @property
    def lines(self) -> list[str]:
        """The failure in words, one sentence per line."""
        helps = "; ".join(say(one.how, what=one.what) for one in self.changes)
        held = say("proved for {demands}", demands=_describe_demands(self.demands))
        found = say("it can be filled {helps}", helps=helps) if self.filling else say("it exists {helps}", helps=helps)
        return [
            *([held] if self.proved else []),
            *([] if self.proved and not self.attempts.tried else _describe_attempts(self.demands, self.attempts)),
            found if helps else say("no single change helped in the time left"),
        ]

    @property
    def record(self) -> dict[str, Any]:
        """The failure as JSON."""
        words = {word: round(self.attempts.blame[word], 3) for word in self.demands.seed_words}
        return {
            "refuted": self.attempts.refuted,
            "undecided": self.attempts.undecided,
            "blame": words,
            "helps": [one.how.format(what=one.what) for one in self.changes],
            **({"unpaired": self.unpaired} if self.unpaired else {}),
        }


def find_failure(
    demands: Demands,
    lexicon: Lexicon | None,
    rules: Rules,
    limits: Limits,
    *,
    proved: bool,
    attempts: Attempts,
) -> Failure:
    """Return why no grid was found, and which changes help; each is tried for an equal share of the time.

    There is a lexicon if grids were to be filled.
    """
    deadline = Deadline(limits.time_s, limits.stop)
    changes, helping = list(_list_changes(demands, rules, attempts)), []
    for left, change in zip(range(len(changes), 0, -1), changes, strict=True):
        share = replace(limits, fills=1, time_s=deadline.remaining_s() / left)
        found = (
            next(generate(change.demands, limits=share), None)
            if lexicon is None
            else next(fill_grids(change.demands, lexicon, change.rules, limits=share), None)
        )
        if found:
            helping.append(change)
    unpaired = "" if lexicon is None else tell_unpaired(demands, lexicon, rules)
    return Failure(demands, proved, lexicon is not None, attempts, unpaired, helping)


def _list_changes(demands: Demands, rules: Rules, attempts: Attempts) -> Iterator[Change]:
    """Yield the changes to try, beginning with the words most to blame."""
    if len(demands.seed_words) > 1:
        for word in sorted(demands.seed_words, key=lambda word: -attempts.blame[word]):
            others = tuple(other for other in demands.seed_words if other != word)
            yield Change(_WITHOUT, word, replace(demands, seed_words=others), rules)
    if rules.min_score:
        yield Change(_WITHOUT, "--min-score", demands, replace(rules, min_score=0.0))
    if demands.blocks is not None:
        yield Change(_WITHOUT, "--blocks", replace(demands, blocks=None), rules)
    if demands.max_words is not None:
        yield Change(_WITHOUT, "--max-words", replace(demands, max_words=None), rules)
    for symmetry in (Symmetry.MIRROR, Symmetry.NONE):
        if demands.style.symmetry not in {symmetry, Symmetry.NONE}:
            style = replace(demands.style, symmetry=symmetry)
            yield Change(_WITH, f"--symmetry {symmetry}", replace(demands, style=style), rules)


def _describe_demands(demands: Demands) -> str:
    """Return what a proof that there is no grid holds for."""
    style = demands.style
    said = [
        demands.size,
        say("symmetry {symmetry}", symmetry=style.symmetry),
        say("slots of {least} or more", least=style.min_slot_length),
    ]
    if demands.blocks is not None:
        fewest, most = demands.blocks
        said.append(say("{range} blocks", range=fewest if fewest == most else f"{fewest}-{most}"))
    if demands.max_words is not None:
        said.append(say("at most {most} words", most=demands.max_words))
    if demands.seed_words:
        said.append(say("the entries {words}", words=", ".join(demands.seed_words)))
    if demands.draft is not None:
        said.append(say("the draft"))
    return "; ".join(said)


def _describe_attempts(demands: Demands, attempts: Attempts) -> list[str]:
    """Return sentences about the failed attempts and the words most to blame."""
    tried = attempts.refuted + attempts.undecided
    if not tried:
        at = say("{size} with symmetry {symmetry}", size=demands.size, symmetry=demands.style.symmetry)
        words = ", ".join(demands.seed_words)
        what = say("holds {words}", words=words) if words else say("meets the demands")
        return [say("no grid of {at} was found that {what}", at=at, what=what)]
    grids = say_count(tried, "grid", ",")
    said = [
        say(
            "{grids} tried: {refuted:,} proved to have no fill, {undecided:,} not decided in time",
            grids=grids,
            refuted=attempts.refuted,
            undecided=attempts.undecided,
        )
    ]
    total = sum(attempts.blame[word] for word in demands.seed_words)
    if total:
        worst = sorted(demands.seed_words, key=lambda word: -attempts.blame[word])[:BLAMED]
        shares = ", ".join(f"{word} ({attempts.blame[word] / total:.0%})" for word in worst if attempts.blame[word])
        said.append(say("most to blame are the words that cross {shares}", shares=shares))
    if attempts.furthest is not None and attempts.worst is not None:
        at = _describe_slot(attempts.furthest, attempts.worst)
        said.append(say("the grid that came furthest fails at {at}", at=at))
    return said


def _describe_slot(grid: Grid, slot: Slot) -> str:
    """Return the name and pattern of a slot: 17-Across (?LX??)."""
    return f"{slot.name} ({''.join(grid.givens[cell] or '?' for cell in slot.cells)})"
