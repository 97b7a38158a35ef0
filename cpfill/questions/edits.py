"""Which edit of a grid's blocks would help: it adds, opens or moves a block, with its images; in a barred grid a bar.

Each edit has a verdict, as a candidate has: *yes* with a fill that shows it, *no* with a proof that the edited grid has
none, *open* if time did not suffice. A grid that keeps every slot of a conflict has no fill either, so some edits are
refuted without a search; the conflict is a region of the grid, where its refutation failed most often. The others share
one indexed list, and each is searched with the same nodes, with ten times as many and another seed in the next round,
until all are decided or time is over. If every single edit is refuted, pairs follow.

DECISIONS.md lists extensions of this that were measured and dropped.

If the grid has a fill already, an edit must allow a better one: all words score more than in the best fill of the grid.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, count, islice, takewhile
from typing import TYPE_CHECKING, Literal, NamedTuple

from cpfill.base.errors import InputError, expected
from cpfill.base.reading import TEXTS, Field, asked, asked_time
from cpfill.base.texts import say
from cpfill.design.board import STYLE, STYLES, SYMMETRY, Board, Style, Symmetry, find_cheaters
from cpfill.design.demands import Demands, obeys
from cpfill.design.figures import CUSTOMS, draw_blocks, find_faults, find_symmetries
from cpfill.design.grids import rate
from cpfill.engines import PROBING_ENGINE, make_engine
from cpfill.engines.audited import audit, settle
from cpfill.engines.requirements import require_probing
from cpfill.problem.problem import Fill, Objective
from cpfill.problem.result import Deadline, Outcome, Status
from cpfill.problem.rules import admit
from cpfill.puzzle.grid import BLOCK
from cpfill.questions.candidates import VERDICTS, Verdict
from cpfill.questions.question import Question
from cpfill.questions.records import rows_of
from cpfill.questions.request import read_letters

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Iterable, Iterator, Sequence

    from cpfill.engines.contract import Probe, ProbingEngine
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits
    from cpfill.puzzle.grid import CellId, Grid, Slot, SlotId
    from cpfill.questions.question import Desk
    from cpfill.questions.record_types import EditRecord, EditsEnd, StandingRecord
    from cpfill.questions.request import Request
    from cpfill.words.lexicon import Lexicon

Wall = tuple["CellId", ...]
"""What ends a slot: a block, as its cell alone, or a bar, as the two cells that it separates."""


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit, with all images.

    Attributes:
        add: the blocks or bars that it adds, in reading order.
        open: those that it takes away.
        grid: the grid after it.
    """

    add: tuple[Wall, ...]
    open: tuple[Wall, ...]
    grid: Grid = field(compare=False)

    @property
    def size(self) -> int:
        """The number of blocks or bars that it adds or takes away."""
        return len(self.add) + len(self.open)

    @property
    def cheaters(self) -> tuple[Wall, ...]:
        """The blocks that it adds without splitting a word."""
        if not self.add or len(self.add[0]) > 1:
            return ()
        board, blocks = draw_blocks(self.grid)
        cheaters = find_cheaters(board, blocks)
        return tuple(wall for wall in self.add if cheaters & board.bit(*divmod(wall[0], self.grid.width)))


class Editor:
    """The edits of a grid that its style allows.

    Raises:
        InputError: the grid does not follow the style.
    """

    def __init__(self, problem: Problem, style: str | None = None, symmetry: Symmetry | None = None) -> None:
        self._problem, self._grid = problem, problem.grid
        self.name, self.style = _choose_style(problem.grid, style, symmetry)
        self._board = Board(problem.grid.height, problem.grid.width)
        self._barred = self.style.barred
        self._walls = self._list_walls()
        self._kept = {(slot.direction, slot.cells) for slot in problem.slots if self._must_stay(slot)}

    def _list_walls(self) -> frozenset[Wall]:
        cells = enumerate(self._grid.cells)
        return frozenset(self._grid.bars if self._barred else ((cell,) for cell, letters in cells if letters == BLOCK))

    def _must_stay(self, slot: Slot) -> bool:
        """Return whether a slot is an entry that stands, or one with conditions of its own."""
        return (slot.direction, slot.cells[0]) in self._problem.narrowed or self._grid.given_word(slot) is not None

    def list_single(self) -> list[Edit]:
        """Return all single edits, each once: blocks or bars are added, taken away, or moved along their line."""
        places = dict.fromkeys(self._close(wall) for wall in self._list_places())
        changed = [self._walls ^ orbit for orbit in places if orbit <= self._walls or not orbit & self._walls]
        for wall in sorted(self._walls):
            rest = self._walls - self._close(wall)
            changed += [rest | orbit for to in self._slide(wall) if not (orbit := self._close(to)) & rest]
        return [edit for walls in dict.fromkeys(changed) if walls != self._walls and (edit := self.edit(walls))]

    def combine(self, one: Edit, other: Edit) -> Edit | None:
        """Return the edit that does both, if they do not touch the same blocks and the style allows it."""
        parts = [*one.add, *one.open, *other.add, *other.open]
        if len({*parts}) < len(parts):
            return None
        return self.edit(self._walls.union(one.add, other.add).difference(one.open, other.open))

    def edit(self, walls: frozenset[Wall]) -> Edit | None:
        """Return the edit that leads to these blocks or bars; `None` if letters that stand, or the style, forbid it."""
        grid, added = self._grid, sorted(walls - self._walls)
        if not self._barred and any(grid.cells[cell] != grid.alphabet.full or cell in grid.rebus for (cell,) in added):
            return None  # letters stand there
        if not self._barred and not obeys(self._demands, sum(1 << self._demands.find_bit(cell) for (cell,) in walls)):
            return None
        try:
            edited = self._build(walls)
        except InputError:
            return None  # an open slot has no place
        if self._barred and not _follows(edited, self.style):
            return None
        stay = {(slot.direction, slot.cells) for slot in edited.slots} if self._kept else self._kept
        return Edit(tuple(added), tuple(sorted(self._walls - walls)), edited) if self._kept <= stay else None

    def _build(self, walls: frozenset[Wall]) -> Grid:
        grid = self._grid
        if self._barred:
            return replace(grid, bars=frozenset((one, other) for one, other in walls))
        letters = enumerate(grid.cells)
        return replace(
            grid, cells=tuple(BLOCK if (cell,) in walls else each or grid.alphabet.full for cell, each in letters)
        )

    @cached_property
    def _demands(self) -> Demands:
        return Demands(self._grid.height, self._grid.width, style=self.style)

    def _list_places(self) -> Iterator[Wall]:
        """Yield all places of a block or bar."""
        width = self._grid.width
        for cell in range(len(self._grid.cells)):
            if not self._barred:
                yield (cell,)
                continue
            if (cell + 1) % width:
                yield cell, cell + 1
            if cell + width < len(self._grid.cells):
                yield cell, cell + width

    def _close(self, wall: Wall) -> frozenset[Wall]:
        """Return a block or bar with its images."""
        width, symmetry = self._grid.width, self.style.symmetry
        images = zip(*(self._board.images(*divmod(cell, width), symmetry) for cell in wall), strict=True)
        return frozenset(tuple(sorted(row * width + column for row, column in image)) for image in images)

    def _slide(self, wall: Wall) -> Iterator[Wall]:
        """Yield where a block or bar can move along its line without passing another."""
        height, width = self._grid.height, self._grid.width
        ways = [(0, 1), (1, 0)] if not self._barred else [(0, 1)] if wall[1] == wall[0] + 1 else [(1, 0)]
        for down, right in (way for row, column in ways for way in ((row, column), (-row, -column))):
            for step in count(1):
                moved = [(cell // width + step * down, cell % width + step * right) for cell in wall]
                to = tuple(row * width + column for row, column in moved)
                if not all(0 <= row < height and 0 <= column < width for row, column in moved) or to in self._walls:
                    break
                yield to


def _follows(grid: Grid, style: Style) -> bool:
    """Return whether a grid obeys the rules of a style."""
    if style.barred:
        return all(fault.kind in CUSTOMS for fault in find_faults(grid, style))
    if grid.bars or style.min_slot_length > max(grid.height, grid.width):
        return False
    return obeys(Demands(grid.height, grid.width, style=style), draw_blocks(grid)[1])


def _choose_style(grid: Grid, name: str | None, symmetry: Symmetry | None) -> tuple[str, Style]:
    """Return the style with this name, or else the first that a grid follows, with the symmetry that the grid has."""
    own = (*find_symmetries(grid), Symmetry.NONE)
    if symmetry is not None and symmetry not in own:
        raise expected("a grid with the symmetry {symmetry}", ", ".join(own), symmetry=symmetry)
    for each, style in STYLES.items() if name is None else [(name, STYLES[name])]:
        kept = symmetry or (style.symmetry if style.symmetry in own else own[0])
        if _follows(grid, chosen := replace(style, symmetry=kept)):
            return each, chosen
    faults = (fault for fault in find_faults(grid, chosen) if fault.kind not in CUSTOMS)
    found = "; ".join(f"{fault.at}: {say(fault.kind)}" for fault in islice(faults, _NAMED_FAULTS))
    raise expected("a grid that follows the style {style} (`cpfill stats` lists all faults)", found, style=each)


_NAMED_FAULTS = 3


@dataclass(frozen=True)
class Judged:
    """An edit with its verdict.

    Attributes:
        edit: the edit.
        verdict: whether the edited grid has a fill; with a least score to beat, one that beats it.
        problem: the problem of the edited grid.
        fill: a fill of it, if one was found; the best so far.
        bound: no fill of it has a greater least score; `None` if no bound is known.
    """

    edit: Edit
    verdict: Verdict
    problem: Problem | None = None
    fill: Fill | None = None
    bound: float | None = None

    @cached_property
    def quality(self) -> tuple[float, ...]:
        """The minimum, the tenth percentile and the mean of the scores by which the fill is judged."""
        return rate(self.problem, self.fill) if self.problem and self.fill else ()

    @property
    def value(self) -> float | None:
        """The least score of such a word."""
        return self.quality[0] if self.quality else None


FIRST_NODES, NODE_GROWTH = 1_000, 10
"""Nodes for the first search of an edited grid, and the factor for each further one."""

REGION_STEP, REGION_NODES = 4, 3_000
"""By how many slots a region grows until it has no fill, and the nodes for finding out whether it has one."""

CONFLICT_S, GOOD_S = 0.5, 0.5
"""The seconds at most for a conflict of the grid, and for a better fill of each edit that helps."""

_SHARE = 0.7
"""The share of the time for verdicts on single edits; the rest is for better fills, or for pairs."""


class Poser:
    """Poses the problem of an edited grid: its own entries are admitted anew, because an edit may complete a word.

    Everything else stays. Grids with the same words share one indexed list.
    """

    def __init__(self, request: Request, problem: Problem, lexicon: Lexicon) -> None:
        self._request, self._problem, self._whole = request, problem, lexicon
        self._lexicons = {problem.lexicon: problem.lexicon}

    def pose(self, grid: Grid) -> Problem:
        """Return the problem of a grid.

        Raises:
            InputError: a required word has no place.
        """
        request, problem = self._request, self._problem
        own = request.find_own({slot: grid.given_word(slot) for slot in grid.slots})
        avoided = problem.avoided - own
        lexicon, accepted, exempt, scores = admit(self._leave_out(avoided), own, request, grid)
        lexicon = self._lexicons.setdefault(lexicon, lexicon)
        return replace(
            problem, grid=grid, lexicon=lexicon, accepted=accepted, exempt=exempt, own=scores, avoided=avoided
        )

    def _leave_out(self, avoided: frozenset[str]) -> Lexicon:
        lexicon = self._whole.without(avoided) if avoided else self._whole
        return self._lexicons.setdefault(lexicon, lexicon)


class Judge:
    """Gives edits of a problem's grid their verdicts.

    Args:
        poser: poses the problems of edited grids.
        problem: the problem of the grid.
        seed: the seed of the first search.
        near: letters that fills keep as far as they can.
        above: the minimum score that a fill must exceed, if there is one.
    """

    def __init__(
        self, poser: Poser, problem: Problem, seed: int = 0, near: Fill | None = None, above: float | None = None
    ) -> None:
        self._poser, self._problem, self._seed, self._near, self._above = poser, problem, seed, near, above
        self._engine: ProbingEngine = require_probing(make_engine(PROBING_ENGINE))
        self._conflicts: list[frozenset[tuple[CellId, ...]]] = []
        """The slots of each known conflict."""

    def refute(self, deadline: Deadline) -> bool | None:
        """Return whether the grid itself has no fill, `None` if that is undecided, and learn its conflicts."""
        (judged,) = self.judge([Edit((), (), self._problem.grid)], deadline)
        return None if judged.verdict is Verdict.OPEN else judged.verdict is Verdict.NO

    def is_refuted(self, grid: Grid) -> bool:
        """Return whether a grid keeps all slots of a conflict and has the same words: then it has no fill."""
        slots = {slot.cells for slot in grid.slots}
        if not any(conflict <= slots for conflict in self._conflicts):
            return False
        posed = self._pose(grid)
        return posed is None or posed.lexicon is self._problem.lexicon

    def _pose(self, grid: Grid) -> Problem | None:
        """Return the problem of a grid, `None` if a required word has no place."""
        try:
            problem = self._poser.pose(grid)
        except InputError:
            return None
        if self._above is None:
            return problem
        return replace(problem, rules=replace(problem.rules, min_score=math.nextafter(self._above, math.inf)))

    def judge(self, edits: Iterable[Edit], deadline: Deadline) -> Iterator[Judged]:
        """Yield each edit when it is decided, and at the end those that are not."""
        left: list[Edit] = []
        for edit in edits:
            if self.is_refuted(edit.grid):
                yield Judged(edit, Verdict.NO)
            else:
                left.append(edit)
        nodes = FIRST_NODES
        while left and not deadline.passed:
            undecided: list[Edit] = []
            for edit in left:
                judged = self.ask(edit, nodes, deadline)
                if judged.verdict is Verdict.OPEN:
                    undecided.append(edit)
                else:
                    yield judged
            left, nodes = undecided, NODE_GROWTH * nodes
        yield from (Judged(edit, Verdict.OPEN) for edit in left)

    def ask(self, edit: Edit, nodes: int, deadline: Deadline) -> Judged:
        """Return the verdict that a search of so many nodes finds; of the grid itself, learn a conflict."""
        if deadline.passed:
            return Judged(edit, Verdict.OPEN)
        problem = self._pose(edit.grid)
        if problem is None:
            return Judged(edit, Verdict.NO)
        probe = self._engine.probe(problem, self._seed + nodes // FIRST_NODES - 1)  # a fill may take luck
        if self._near is None:
            outcome, fill = probe.ask(0, probe.domain(0), nodes, deadline)
        else:
            outcome, fill = probe.approach(Fill(self._near.letters, edit.grid), nodes, deadline)
        if fill is not None:
            audit(problem, self._engine.name, fill)
        if not edit.size and outcome is Outcome.EXHAUSTED and not problem.rules.required:  # those may stand elsewhere
            self._conflicts += _find_conflict(problem, probe, _part(deadline, CONFLICT_S, 1.0))
        return Judged(edit, VERDICTS[outcome], problem, fill)


def _find_conflict(problem: Problem, probe: Probe, deadline: Deadline) -> Iterator[frozenset[tuple[CellId, ...]]]:
    """Yield the slots of a region without a fill if one is soon found; it grows from where a refutation failed most."""

    def refuted(slots: list[SlotId]) -> bool:
        return bool(slots) and probe.refute(slots, REGION_NODES, deadline) is Outcome.EXHAUSTED

    order, step = _grow_region(problem.grid, probe.weigh_crossings()), REGION_STEP
    core = next((order[:size] for size in range(step, len(order), step) if refuted(order[:size])), [])
    end = len(core)
    while end > 0 and not deadline.passed:  # leave out what it can do without, the last first
        start = max(0, end - step)
        if refuted(core[:start] + core[end:]):
            core[start:end], end, step = [], start, 2 * step
        elif step > 1:
            step = 1
        else:
            end -= 1
    if core:
        yield frozenset(problem.slots[slot].cells for slot in core)


def _grow_region(grid: Grid, weights: Sequence[float]) -> list[SlotId]:
    """Return slots from the heaviest crossing outwards: each crosses those before it with the most weight."""
    links: dict[SlotId, dict[SlotId, float]] = {slot.id: {} for slot in grid.slots}
    for crossing, weight in zip(grid.crossings, weights, strict=True):
        links[crossing.across][crossing.down] = links[crossing.down][crossing.across] = weight - 1
    heaviest = max(links, key=lambda slot: max(links[slot].values(), default=-1.0))
    order: list[SlotId] = []
    pull = {heaviest: 0.0}
    while pull:
        order.append(slot := max(pull, key=pull.__getitem__))
        del pull[slot]
        for other, weight in links[slot].items():
            if other not in order:
                pull[other] = pull.get(other, 0.0) + weight
    return order


def raise_fill(judged: Judged, objective: Objective, limits: Limits) -> Judged:
    """Return an edit that helps with the best fill found within the limits, and the bound that was proved."""
    assert judged.problem is not None
    result = settle(replace(judged.problem, objective=objective), limits=limits)
    better = replace(judged, fill=result.fill or judged.fill)
    best = max(judged, better, key=lambda each: each.quality)
    return replace(best, bound=result.bound[0]) if objective is Objective.MIN and result.bound else best


def rank_edits(judged: Iterable[Judged], standing: Standing) -> list[Judged]:
    """Return the latest state of each edit: those that help first, in the order of their ranks."""
    latest = {each.edit: each for each in judged}.values()
    helpful = sorted((each for each in latest if each.verdict is Verdict.YES), key=lambda each: rank(each, standing))
    return helpful + [each for verdict in (Verdict.OPEN, Verdict.NO) for each in latest if each.verdict is verdict]


def rank(judged: Judged, standing: Standing) -> list[float]:
    """Return by which numbers edits that help are sorted: by their fills, then by how little they change."""
    return [*(-number for number in judged.quality), count_changed(judged, standing), judged.edit.size]


def count_changed(judged: Judged, standing: Standing) -> int:
    """Return how many words of the fill of an edit are in slots that the grid lacks, or differ from its letters."""
    grid, near = standing.grid, standing.near
    stood, slots = near.letters if near else grid.givens, {slot.cells for slot in grid.slots}
    letters = judged.fill.letters if judged.fill else stood
    return sum(
        slot.cells not in slots or any(stood[cell] not in {"", "?", letters[cell]} for cell in slot.cells)
        for slot in judged.edit.grid.slots
    )


class Standing(NamedTuple):
    """What is known of the grid itself.

    Attributes:
        grid: the grid.
        style: the name of the style whose rules edits keep.
        symmetry: the symmetry that they keep.
        edits: the number of single edits.
        fillable: whether the grid has a fill; `None` if that is undecided.
        value: the least score of its best fill, if it has one: an edit helps if it allows a better one.
        proved: whether it is proved that the grid has no better fill.
        near: the letters that stand, which fills keep as far as they can, if they are not its givens alone.
    """

    grid: Grid
    style: str
    symmetry: Symmetry
    edits: int
    fillable: bool | None
    value: float | None = None
    proved: bool = False
    near: Fill | None = None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Edits(Question):
    """Which edits of the blocks make the grid fillable, or its best fill better."""

    time_limit: float | None = asked_time(15.0, help="For all edits together.")
    style: str | None = asked(
        Field(
            STYLE,
            f"Keep its rules: {', '.join(STYLES)}; by default the first that the grid follows.",
            metavar="NAME",
            section="Grid",
        )
    )
    symmetry: Symmetry | None = asked(
        Field(
            SYMMETRY,
            f"Keep this one: {', '.join(Symmetry)}; by default one that the grid has.",
            metavar="NAME",
            section="Grid",
        )
    )
    near: tuple[str, ...] | None = asked(Field(TEXTS))
    """The rows of letters of which fills keep what they can; they need be no words."""

    def steps(self, desk: Desk) -> Generator[Standing | Judged]:
        """Yield what is known of the grid, then each edit when it is decided; one that helps again with a better fill.

        Pairs of edits follow if all single ones are proved useless.
        """
        whole, problem = Deadline(self.time_limit, self.stop), desk.pose(self.request, every=True)
        editor = Editor(problem, self.style, self.symmetry)
        near = None if self.near is None else read_letters(self.near, problem.grid)
        poser = Poser(self.request, problem, desk.lexicon_of(self.request))
        edits, judge = editor.list_single(), Judge(poser, problem, self.seed, near)
        refuted = judge.refute(_part(whole))
        fillable = None if refuted is None else not refuted
        standing = Standing(problem.grid, editor.name, editor.style.symmetry, len(edits), fillable, near=near)
        if refuted is False:
            limits = replace(self.limits, time_s=_part(whole).time_s)
            best = settle(replace(problem, objective=Objective.MIN), limits=limits)
            if best.value is not None:
                standing = standing._replace(value=best.value[0], proved=best.status is Status.OPTIMAL)
                judge = Judge(poser, problem, self.seed, near, above=best.value[0])
                judge.refute(_part(whole))
        yield standing
        judged: list[Judged] = []
        for each in judge.judge(edits, _part(whole, share=_SHARE)):
            judged.append(each)
            yield each
        if all(each.verdict is Verdict.NO for each in judged):
            in_time = takewhile(lambda _: not whole.passed, combinations(edits, 2))
            pairs = (both for pair in in_time if (both := editor.combine(*pair)))
            for each in judge.judge(pairs, whole):
                judged.append(each)
                yield each
        helpful = [each for each in judged if each.verdict is Verdict.YES]
        maximising = bool(self.request.goal.criteria)
        # A fill near letters that stand has few weak words among few that changed; a better one would change more.
        for left, each in zip(range(len(helpful), 0, -1), helpful, strict=True):
            if whole.passed or (near is not None and not maximising):
                return
            limits = replace(self.limits, time_s=_part(whole, GOOD_S, 1 / left).time_s)
            yield raise_fill(each, Objective.MIN if maximising else Objective.GOOD, limits)

    def records(self, desk: Desk) -> Generator[StandingRecord | EditRecord | EditsEnd]:
        """Yield what is known of the grid; the edits, one of which may come again with a better fill; their counts."""
        last: dict[Edit, Verdict] = {}
        standing: Standing | None = None
        for step in self.steps(desk):
            if isinstance(step, Standing):
                standing = step
                yield standing_record(step)
            elif standing is not None:
                last[step.edit] = step.verdict
                yield edit_record(step, standing)
        yield edits_end(last.values())


def _part(deadline: Deadline, most_s: float = math.inf, share: float = 0.2) -> Deadline:
    """Return a deadline after a share of the time that is left, and at most so many seconds."""
    return deadline.share(share, most_s)


def standing_record(standing: Standing) -> StandingRecord:
    """Return what is known of a grid as JSON."""
    return {
        "style": standing.style,
        "symmetry": standing.symmetry,
        "edits": standing.edits,
        "fillable": standing.fillable,
        "value": standing.value,
        "proved": standing.proved,
    }


def edit_record(judged: Judged, standing: Standing) -> EditRecord:
    """Return an edit as JSON: blocks by their cells, bars by the two that each separates."""
    edit, grid = judged.edit, standing.grid
    return {
        "add": name_walls(grid, edit.add),
        "open": name_walls(grid, edit.open),
        "cheaters": name_walls(grid, edit.cheaters),
        "verdict": _TOLD[judged.verdict],
        "value": judged.value,
        "bound": judged.bound,
        "changed": count_changed(judged, standing) if judged.fill else None,
        "rank": rank(judged, standing) if judged.fill else None,
        "fill": rows_of(judged.fill),
    }


def edits_end(verdicts: Collection[Verdict]) -> EditsEnd:
    """Return the counts of all verdicts as JSON."""
    yes, no, undecided = map([*verdicts].count, Verdict)
    return {"done": True, "yes": yes, "no": no, "unknown": undecided}


_TOLD: dict[Verdict, Literal["yes", "no", "unknown"]] = {
    Verdict.YES: "yes",
    Verdict.NO: "no",
    Verdict.OPEN: "unknown",
}


def name_walls(grid: Grid, walls: Iterable[Wall]) -> list[str]:
    """Return the names of blocks (`R3C4`) or bars (`R3C4-R3C5`)."""
    return ["-".join(map(grid.name_cell, wall)) for wall in walls]
