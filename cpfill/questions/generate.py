"""Random grids as a question: any grids, fillable ones, or designs with the best fills."""

from __future__ import annotations

import time
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from cpfill.base.errors import COUNT, SLOT_LENGTH, SLOTS, expected, quote_value
from cpfill.base.reading import (
    TEXTS,
    Field,
    asked,
    asked_number,
    asked_time,
    name_reader,
    pairs_reader,
    read_flag,
    read_some_seconds,
)
from cpfill.base.texts import later, say
from cpfill.design.board import STYLES, SYMMETRY, Symmetry
from cpfill.design.criss_cross import arrange
from cpfill.design.demands import Demands, Draft, find_blocks, read_blocks, read_share
from cpfill.design.designs import Design, Ranking, rank_designs
from cpfill.design.grids import EACH_S, Attempts, fill_grids, fill_in_steps, generate, tell_unpaired
from cpfill.design.improving import improve_grids
from cpfill.design.layouts import list_liberties
from cpfill.problem.either import check_request
from cpfill.problem.event import StopReason
from cpfill.problem.problem import Objective
from cpfill.problem.result import Deadline, Limits, SolveResult, Status
from cpfill.problem.value import value_to_json
from cpfill.puzzle.grid import BLOCK, Grid, parse_size, split_rows
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.criss_cross import Laid, OwnWords, find_strangers
from cpfill.questions.failures import find_failure
from cpfill.questions.question import End, Part, Question
from cpfill.questions.records import fill_record, puzzle_record

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.design.board import Style
    from cpfill.problem.fill import Fill
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Slot
    from cpfill.questions.failures import Failure
    from cpfill.questions.question import Desk
    from cpfill.questions.record_types import (
        ArrangedRecord,
        DesignRecord,
        Drawn,
        DrawnDesign,
        DrawnGrid,
        GenerateEnd,
        TriedRecord,
        UnpairedRecord,
    )
    from cpfill.words.lexicon import Lexicon

T = TypeVar("T")
_Stream: TypeAlias = "Generator[Grid | tuple[Problem, Fill] | None, None, StopReason]"
"""Grids as they are found, or problems with fills; `None` for a grid that has no fill. At last why it ended."""

USUAL_SIZE = "15x15"

CRISS_CROSS = "criss-cross"
"""The style that has no rules for blocks: the words are one's own, and nothing else is in the grid."""

_OF_CRISS_CROSS = {"style", "number", "size", "seed_words", "clues", "most", "time_limit", "seed"}
"""The fields that a criss-cross heeds."""

_USUAL_S, _CRISS_CROSS_S = 60.0, 5.0
"""The time limits by default."""

MOST_THEME = 1000
"""The most theme words of a pool."""

_CLUED = pairs_reader(later("words with clues, such as [['CAT', 'It purrs']],"))


def _read_size(_: str, value: Any) -> tuple[int, int]:
    """Return the rows and columns in a text such as `15x15`, or in an array of two numbers."""
    if isinstance(value, str):
        size = parse_size(value)
        if size is None:
            raise expected("a size such as 15x15, rows and columns", f"'{value}'")
        return size
    if not isinstance(value, list | tuple) or len(value) != 2 or not {*map(type, value)} <= {int}:
        raise expected("two numbers for size: rows and columns", quote_value(value))
    return value[0], value[1]


@dataclass(frozen=True, slots=True)
class FoundGrid(Part):
    """A grid; its fill, if fills are searched for; its design, if several are compared; the words of a criss-cross."""

    question: Generate
    grid: Grid
    filled: tuple[Problem, Fill] | None = None
    design: Design | None = None
    laid: Laid | None = None

    @property
    def puzzle(self) -> Puzzle:
        """The grid as a puzzle, with its fill if fills are printed; of a criss-cross with the clues."""
        if self.laid:
            return self.laid.puzzle
        shown = self.filled[1] if self.filled and self.question.prints_fills else None
        if shown is None:
            return Puzzle.of_grid(self.grid)
        return replace(Puzzle.of_grid(self.grid, shown.letters), alternatives=shown.alternatives)

    @property
    def liberties(self) -> list[str]:
        """Sentences on the customs that the theme breaks in the grid."""
        return [] if self.laid else list_liberties(self.question.demands, self.grid)

    @property
    def record(self) -> DrawnGrid:
        """The grid as JSON; in `rows` null stands for a block, "" for an empty cell."""
        grid = self.grid
        record: dict[str, Any] = {
            "event": "grid",
            "height": grid.height,
            "width": grid.width,
            "blocks": grid.cells.count(BLOCK),
            "words": len(grid.slots),
            "min_slot_length": grid.min_slot_length,
            "rows": [[*row] for row in split_rows([*grid.diagram().cells], grid.width)],
            "bars": [[grid.name_cell(cell) for cell in bar] for bar in sorted(grid.bars)],
            **self.drawn,
        }
        if liberties := self.liberties:
            record["liberties"] = liberties
        if self.filled:
            problem, fill = self.filled
            record["fill"] = fill_record(problem, fill, fill.value(problem))
        if self.design:
            record |= design_record(self.design)
        return cast("DrawnGrid", record)

    @property
    def drawn(self) -> Drawn:
        """The cells and the words of its seed words and theme words, and the puzzle, as JSON."""
        if self.laid:
            return self.laid.drawn
        theme = {*self.question.demands.seed_words}
        if self.filled:
            theme |= self.filled[0].theme.keys()
        placed = {slot: word for slot in self.grid.slots if (word := self._word_at(slot)) in theme}
        cells = {cell for slot in placed for cell in slot.cells}
        drawn: Drawn = {"theme": sorted(cells), "entries": [*placed.values()]}
        if any(slot.length > 1 for slot in self.grid.slots):  # or else the grid is no puzzle
            drawn["puzzle"] = puzzle_record(self.puzzle)
        return drawn

    def _word_at(self, slot: Slot) -> str | None:
        """Return the word of the fill in a slot, or else the word that is given."""
        return self.filled[1].word_at(slot) if self.filled else self.grid.given_word(slot)


@dataclass(frozen=True, slots=True)
class BestSoFar(Part):
    """The best criss-cross so far."""

    laid: Laid

    @property
    def record(self) -> ArrangedRecord:
        """Its puzzle and its arrangement as JSON."""
        return {"event": "arranged", **self.laid.drawn}


@dataclass(frozen=True, slots=True)
class Ranked(Part):
    """A design that is new or has a better fill, and the ranking of all designs so far."""

    question: Generate
    design: Design
    ranking: Ranking

    @property
    def record(self) -> DrawnDesign:
        """The design as JSON."""
        return {"event": "improved", **design_record(self.design), **_found_of(self.question, self.design).drawn}


@dataclass(frozen=True, slots=True)
class Tried(Part):
    """The number of grids tried so far."""

    grids: int

    @property
    def record(self) -> TriedRecord:
        """The number as JSON."""
        return {"tried": self.grids}


@dataclass(frozen=True, slots=True)
class Unpaired(Part):
    """A sentence on entries that do not pair up by length, so that fills are impossible or rare."""

    text: str

    @property
    def record(self) -> UnpairedRecord:
        """The sentence as JSON."""
        return {"unpaired": self.text}


@dataclass(frozen=True, slots=True)
class Generated(End):
    """The result of the whole search; if no grid was found, also why."""

    result: SolveResult
    failure: Failure | None
    why: str = ""

    @property
    def record(self) -> GenerateEnd:
        """The result as JSON."""
        result = self.result
        record: GenerateEnd = {
            "done": True,
            "status": result.status,
            "reason": result.stop_reason,
            "grids": result.fills,
        }
        if self.why:
            record["why"] = self.why
        return cast("GenerateEnd", {**record, **self.failure.record}) if self.failure else record


@dataclass(slots=True)
class _Outcome:
    """The number of grids found, and why the search ended; an interrupt ended it unless the stream says otherwise."""

    grids: int = 0
    reason: StopReason = StopReason.INTERRUPTED

    def follow(self, stream: Generator[T, None, StopReason]) -> Generator[T]:
        self.reason = yield from stream


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
    style: str = asked(
        Field(name_reader(later("a style"), [*STYLES, CRISS_CROSS]), f"{', '.join(STYLES)}, {CRISS_CROSS}.", "NAME"),
        "american",
    )
    number: int = asked_number(
        COUNT,
        1,
        short="-n",
        help="N grids, no two alike; with --filled several fills of a grid, once all grids are used.",
        section="Goal",
    )
    blocks: tuple[int, int] | None = asked(
        Field(read_blocks, "N blocks, or a range such as 36-40; by default the usual number.", metavar="N")
    )
    density: float | None = asked(Field(read_share, "Their share, 0.16 or 16%, to half a per cent.", metavar="P"))
    symmetry: Symmetry | None = asked(Field(SYMMETRY, f"{', '.join(Symmetry)}; the style has its own.", metavar="NAME"))
    min_slot_length: int | None = asked_number(
        SLOT_LENGTH, help="No slot is shorter; the style has its own.", section="Grid"
    )
    max_words: int | None = asked_number(SLOTS, help="At most N slots.")
    seed_words: tuple[str, ...] = asked(
        Field(TEXTS, "Words that the grid must contain, or a file of them. Repeatable.", metavar="WORD,…", option=list),
        (),
    )
    clues: tuple[tuple[str, str], ...] = asked(
        Field(_CLUED, "Of a criss-cross: words, each with its clue; seed words choose among them.", option=list), ()
    )
    most: bool = asked(
        Field(read_flag, "Of a criss-cross: as many words as fit, the heaviest first.", option=bool, section="Goal"),
        default=False,
    )
    time_limit: float | None = asked_time(
        help=f"Stop after 10s, 500ms, 2m, 1h (seconds); by default {_USUAL_S:g}s, {CRISS_CROSS} {_CRISS_CROSS_S:g}s."
    )
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
        placed = self.request.spell + self.request.tie
        if placed:
            raise expected("no text to spell and no tie in a grid that is generated", placed[0])
        check_request(self.request, filling=self.filling and not self.fewest_blocks)
        self._check_improving()
        self._check_style()

    def _check_style(self) -> None:
        """Check that fields of a criss-cross come with that style, and no other fields."""
        if self.style != CRISS_CROSS:
            if self.clues or self.most:
                raise expected("--style criss-cross, for --clues or --most", self.style)
            return
        for name in self.plain:
            if name not in _OF_CRISS_CROSS:
                option = f"--{name.replace('_', '-')}"
                raise expected("a style with blocks of its own, for {name}", self.style, name=option)
        if self.number != 1:
            raise expected("one criss-cross (a different --seed gives a different one)", str(self.number))

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

    def _pool(self, desk: Desk, lexicon: Lexicon) -> tuple[tuple[str, float], ...]:
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
    def needs_grid(self) -> bool:
        """Whether the grid of the request says its size, or is completed."""
        return self.style != CRISS_CROSS

    @property
    def limits(self) -> Limits:
        """The limits of the search."""
        return replace(super().limits, fills=self.number, time_s=self._time_s)

    @property
    def _time_s(self) -> float:
        if self.time_limit is not None:
            return self.time_limit
        return _CRISS_CROSS_S if self.style == CRISS_CROSS else _USUAL_S

    def check(self) -> None:
        """Raise InputError if the words or the demands on the grid contradict each other."""
        _ = self.own_words if self.style == CRISS_CROSS else self.demands

    @cached_property
    def own_words(self) -> OwnWords:
        """The words of a criss-cross, and their clues; raises InputError if they cannot stand in one."""
        return OwnWords.of(self.seed_words, self.clues, self.request.alphabet, self.size, most=self.most)

    @property
    def rules(self) -> Style:
        """The rules of the style, as the other fields change them."""
        style = STYLES.get(self.style, STYLES["free"])  # a criss-cross has none
        return replace(
            style,
            symmetry=self.symmetry or style.symmetry,
            min_slot_length=self.min_slot_length or style.min_slot_length,
        )

    def _fold_seed(self, word: str) -> str:
        alphabet = self.request.alphabet
        folded = alphabet.fold(word)
        if word and not folded:
            raise expected("a seed word over the alphabet {letters}", quote_value(word), letters=alphabet.letters)
        return folded

    @cached_property
    def demands(self) -> Demands:
        """The demands on a grid; raises InputError if they contradict each other."""
        style, draft = self.rules, self.draft or self._take_draft()
        height, width = self.size or self._own_size(draft)
        return Demands(
            height,
            width,
            style=style,
            blocks=self.blocks if self.density is None else find_blocks(self.density, height * width),
            max_words=self.max_words,
            seed_words=tuple(map(self._fold_seed, self.seed_words)),
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

    def answer(self, desk: Desk) -> Generator[FoundGrid | BestSoFar | Ranked | Tried | Unpaired | Generated]:
        """Yield grids as they are found; with an objective, designs as they get better, and at last the best ones.

        An interrupt ends the search; grids found until then count. If no grid is found, some of the time goes to
        finding out why.
        """
        if self.style == CRISS_CROSS:
            yield from self._arrange(desk)
            return
        deadline = Deadline(self._time_s, self.stop)
        lexicon = desk.lexicon_of(self.request) if self.filling else None
        demands = self.demands
        unpaired = ""
        if lexicon is not None:
            demands = replace(demands, pool=self._pool(desk, lexicon))
            unpaired = tell_unpaired(demands, lexicon, self.request.rules)
        attempts = Attempts()
        ranking = Ranking(self.number)
        outcome = _Outcome()
        with suppress(KeyboardInterrupt):
            if unpaired:
                yield Unpaired(unpaired)
            if lexicon is not None and self._optimises:
                yield from self._find_best(outcome, ranking, self._rank(demands, lexicon, attempts))
            else:
                stream = self._search(demands, lexicon, attempts)
                yield from self._find(outcome, stream, attempts, pulse_s=desk.pulse_s)
        for design in ranking.best:
            outcome.grids += 1
            with suppress(KeyboardInterrupt):
                yield _found_of(self, design)
        yield self._end(outcome, lexicon, attempts, deadline)

    def _arrange(self, desk: Desk) -> Generator[BestSoFar | FoundGrid | Generated]:
        """Yield better arrangements of own words, and at last the best one."""
        own = self.own_words
        why = find_strangers(own.wanted)
        if why:
            yield Generated(SolveResult(Status.UNSATISFIABLE, StopReason.EXHAUSTED, engine="generate"), None, why)
            return
        outcome = _Outcome()
        best: Laid | None = None
        due_s = 0.0
        with suppress(KeyboardInterrupt), closing(outcome.follow(arrange(own.wanted, self.limits))) as stream:
            for arrangement, bounds in stream:
                if arrangement is None:
                    continue
                best = Laid(own, arrangement, bounds, self.seed)
                if time.monotonic() >= due_s:
                    due_s = time.monotonic() + desk.pulse_s
                    yield BestSoFar(best)
        if best:
            outcome.grids = 1
            with suppress(KeyboardInterrupt):
                yield FoundGrid(self, best.grid, laid=best)
        exhausted = outcome.reason is StopReason.EXHAUSTED
        status = Status.of(found=best is not None, exhausted=exhausted, optimising=True)
        result = SolveResult(status, outcome.reason, engine="generate", fills=outcome.grids)
        yield Generated(result, None)

    @property
    def _optimises(self) -> bool:
        """Whether designs are compared."""
        return self.improves or (self.filling and bool(self.request.goal.criteria))

    def _end(self, outcome: _Outcome, lexicon: Lexicon | None, attempts: Attempts, deadline: Deadline) -> Generated:
        """Return the result; if no grid was found, first find out why."""
        exhausted = outcome.reason is StopReason.EXHAUSTED
        status = Status.of(found=outcome.grids > 0, exhausted=exhausted, optimising=self._optimises)
        proved = status is Status.UNSATISFIABLE
        result = SolveResult(status, outcome.reason, engine="generate", fills=outcome.grids)
        if outcome.grids or outcome.reason is StopReason.INTERRUPTED or not (proved or self.filling):
            return Generated(result, None)
        limits = replace(self.limits, time_s=deadline.remaining_s(WHY_S))
        try:
            failure = find_failure(self.demands, lexicon, self.request.rules, limits, proved=proved, attempts=attempts)
        except KeyboardInterrupt:
            return Generated(result if proved else replace(result, stop_reason=StopReason.INTERRUPTED), None)
        return Generated(result, failure)

    def _find(
        self, outcome: _Outcome, stream: _Stream, attempts: Attempts, *, pulse_s: float
    ) -> Generator[FoundGrid | Tried]:
        """Yield grids as they are found, and from time to time the number of grids tried."""
        due_s = 0.0
        with closing(outcome.follow(stream)) as grids:
            for found in grids:
                if found is not None:
                    outcome.grids += 1
                    yield FoundGrid(self, found) if isinstance(found, Grid) else FoundGrid(self, found[0].grid, found)
                elif time.monotonic() >= due_s:
                    due_s = time.monotonic() + pulse_s
                    yield Tried(attempts.tried)

    def _find_best(
        self, outcome: _Outcome, ranking: Ranking, stream: Generator[Design, None, StopReason]
    ) -> Generator[Ranked]:
        """Yield designs as they get better, and rank them."""
        with closing(outcome.follow(stream)) as designs:
            for design in designs:
                ranking.add(design)
                yield Ranked(self, design, ranking)

    @property
    def _search_limits(self) -> Limits:
        """The limits of the search, which leaves time to explain its failure if grids are filled."""
        return keep_time(self.limits) if self.filling and not self.improves else self.limits

    def _search(self, demands: Demands, lexicon: Lexicon | None, attempts: Attempts) -> _Stream:
        """Return the stream of grids; with a lexicon, of grids with fills, and `None` for each grid without one."""
        limits = self._search_limits
        if lexicon is None:
            return generate(demands, limits=limits)
        return fill_in_steps(
            demands,
            lexicon,
            self.request.rules,
            good=self.request.goal is Objective.GOOD,
            limits=limits,
            each_s=self.fill_time or EACH_S,
            attempts=attempts,
            again=self.filled,
        )

    def _rank(self, demands: Demands, lexicon: Lexicon, attempts: Attempts) -> Generator[Design, None, StopReason]:
        """Yield designs whenever more is known about them."""
        request = self.request
        limits = self._search_limits
        if self.improves:
            return improve_grids(demands, lexicon, request.rules, limits=limits, attempts=attempts)
        each_s = self.fill_time or EACH_S
        every = replace(limits, fills=None)
        filled = fill_grids(demands, lexicon, request.rules, limits=every, each_s=each_s, attempts=attempts)
        return rank_designs(filled, request.goal, request.levels, limits=limits, each_s=each_s)


def _found_of(question: Generate, design: Design) -> FoundGrid:
    assert design.result.fill is not None
    return FoundGrid(question, design.problem.grid, (design.problem, design.result.fill), design)


def design_record(design: Design) -> DesignRecord:
    """Return what is known of a design as JSON."""
    value, bound = value_to_json(design.result.value), value_to_json(design.result.bound)
    return {"design": design.number, "value": value, "bound": bound, "proved": design.proved}


WHY_SHARE, WHY_S = 0.2, 8.0
"""The share of the time reserved for explaining a failure, and its greatest number of seconds."""


def keep_time(limits: Limits) -> Limits:
    """Return the limits of a search that leaves time to explain its failure."""
    if limits.time_s is None:
        return limits
    return replace(limits, time_s=limits.time_s - min(WHY_S, WHY_SHARE * limits.time_s))
