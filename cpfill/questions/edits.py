"""Which edit of a grid's blocks would help: it adds, opens or moves a block, with its images; in a barred grid a bar.

Each edit has a verdict, as a candidate has: *yes* with a fill that shows it, *no* with a proof that the edited grid has
none, *open* if time did not suffice. If the grid itself has no fill, its refutation leaves weights (where it failed)
and a conflict, which is a region of the grid without a fill. Each search of an edited grid starts with the weights,
after an attempt to refute the region around the heaviest crossing alone. A grid that keeps every slot of a conflict has
no fill either, so some edits are refuted without a search. All share one indexed list, and each is searched with the
same nodes, with ten times as many and another seed in the next round, until all are decided or time is over. If every
single edit is refuted, pairs follow.

DECISIONS.md lists extensions of this that were measured and dropped.

If the grid has a fill already, an edit must allow a better one: all words score more than in the best fill of the grid.
"""

from __future__ import annotations

import math
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from cpfill.base.errors import SCORE, InputError, expected
from cpfill.base.reading import TEXTS, Field, asked, asked_time
from cpfill.design.board import STYLE, STYLES, SYMMETRY, Symmetry
from cpfill.design.grids import rate
from cpfill.engines import PROBING_ENGINE, make_engine
from cpfill.engines.audited import audit, settle
from cpfill.engines.requirements import require_probing
from cpfill.formats.registry import read_letters
from cpfill.problem.fill import Fill
from cpfill.problem.problem import Objective
from cpfill.problem.result import Deadline, Outcome, Status
from cpfill.problem.rules import admit
from cpfill.questions.candidates import VERDICTS, Verdict
from cpfill.questions.editor import Edit, Editor, name_walls
from cpfill.questions.question import End, Part, Question
from cpfill.questions.records import rows_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from cpfill.engines.contract import Probe, ProbingEngine
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits
    from cpfill.puzzle.grid import CellId, Grid, SlotId
    from cpfill.questions.question import Desk
    from cpfill.questions.record_types import EditRecord, EditsEnd, StandingRecord
    from cpfill.questions.request import Request
    from cpfill.words.lexicon import Lexicon


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


FIRST_NODES = 1_000
"""Nodes for the first search of an edited grid."""

NODE_GROWTH = 10
"""The factor on the nodes for each further search of an edited grid."""

REGION_STEP = 4
"""By how many slots a region grows until it has no fill."""

REGION_NODES = 6_000
"""Nodes for a search that decides whether a region has a fill."""

CONFLICT_S = 0.5
"""The seconds at most for a conflict of the grid."""

GOOD_S = 0.5
"""The seconds at most for a better fill of each edit that helps."""

_SHARE = 0.7
"""The share of the time for verdicts on single edits if some help; the rest is for better fills."""


class Poser:
    """Poses the problem of an edited grid: its own entries are admitted anew, because an edit may complete a word.

    Everything else stays. Grids with the same words share one indexed list.
    """

    def __init__(self, request: Request, problem: Problem, lexicon: Lexicon) -> None:
        self._request = request
        self._problem = problem
        self._whole = lexicon
        self._lexicons = {problem.lexicon: problem.lexicon}

    def pose(self, grid: Grid) -> Problem:
        """Return the problem of a grid.

        Raises:
            InputError: a required word has no place.
        """
        request = self._request
        problem = self._problem
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
        self._poser = poser
        self._problem = problem
        self._seed = seed
        self._near = near
        self._above = above
        self._engine: ProbingEngine = require_probing(make_engine(PROBING_ENGINE))
        self._conflicts: list[frozenset[tuple[CellId, ...]]] = []
        """The slots of each known conflict."""
        self._first_nodes = FIRST_NODES
        self._weights: dict[CellId, float] = {}
        """The weights of the crossed cells after the search of the grid itself."""
        self._own_weights: dict[Edit, list[float]] = {}
        """The weights of the crossings of each edited grid after its last search."""
        self._region_size = 0
        """The number of slots of a region of the grid without a fill; 0 if none was found."""

    def refute(self, deadline: Deadline) -> bool | None:
        """Return whether the grid itself has no fill, `None` if that is undecided, and learn its conflicts."""
        (judged,) = self.judge([Edit((), (), self._problem.grid)], deadline)
        return None if judged.verdict is Verdict.OPEN else judged.verdict is Verdict.NO

    def is_refuted(self, grid: Grid) -> bool:
        """Return whether a grid has no place for a required word, or keeps a conflict: then it has no fill."""
        posed = self._pose(grid)
        return posed is None or self._keeps_conflict(posed)

    def _keeps_conflict(self, problem: Problem) -> bool:
        """Return whether an edited grid keeps all slots of a conflict and has the same words."""
        slots = {slot.cells for slot in problem.slots}
        return self._has_same_words(problem) and any(conflict <= slots for conflict in self._conflicts)

    def _has_same_words(self, problem: Problem) -> bool:
        return problem.lexicon is self._problem.lexicon

    def _pose(self, grid: Grid) -> Problem | None:
        """Return the problem of a grid, `None` if a required word has no place."""
        try:
            problem = self._poser.pose(grid)
        except InputError:
            return None
        if self._above is None:
            return problem
        least = max(math.nextafter(self._above, math.inf), SCORE.finest)
        return replace(problem, rules=replace(problem.rules, min_score=least))

    def judge(self, edits: Iterable[Edit], deadline: Deadline, share: float = 1.0) -> Iterator[Judged]:
        """Yield each edit when it is decided, and at the end those that are not.

        Once an edit helps, only a share of the time is used.
        """
        early = _part(deadline, share=share)
        left = list(edits)
        nodes = self._first_nodes
        while left and not deadline.passed:
            undecided: list[Edit] = []
            for edit in left:
                judged = self.ask(edit, nodes, deadline)
                if judged.verdict is Verdict.OPEN:
                    undecided.append(edit)
                    continue
                if judged.verdict is Verdict.YES:
                    deadline = early
                yield judged
            left = undecided
            nodes *= NODE_GROWTH
        yield from (Judged(edit, Verdict.OPEN) for edit in left)

    def ask(self, edit: Edit, nodes: int, deadline: Deadline) -> Judged:
        """Return the verdict that a search of so many nodes finds; learn conflicts, and weights from the grid."""
        if deadline.passed:
            return Judged(edit, Verdict.OPEN)
        problem = self._pose(edit.grid)
        if problem is None or (edit.size and self._keeps_conflict(problem)):
            return Judged(edit, Verdict.NO)
        seed = self._seed + nodes // FIRST_NODES - 1  # a fill may take luck
        weights = self._weigh(edit, problem)
        probe = self._engine.probe(problem, seed, weights)
        if edit.size and self._refute_region(problem, probe, weights, deadline):
            return Judged(edit, Verdict.NO)
        outcome, fill = self._search(edit, problem, probe, nodes, deadline)
        if outcome is Outcome.UNKNOWN:
            self._own_weights[edit] = probe.weigh_crossings()
        if not edit.size:
            self._learn(problem, probe, nodes, outcome, _part(deadline, CONFLICT_S, 1.0))
        return Judged(edit, VERDICTS[outcome], problem, fill)

    def _weigh(self, edit: Edit, problem: Problem) -> list[float]:
        """Return the weights of the crossings to begin with: those of the edit's last search, or of the grid's."""
        own = self._own_weights.pop(edit, None)
        if own is not None:
            return own
        return [self._weights.get(cell, 1.0) for cell in problem.grid.crossed_cells]

    def _search(
        self, edit: Edit, problem: Problem, probe: Probe, nodes: int, deadline: Deadline
    ) -> tuple[Outcome, Fill | None]:
        """Return whether an edited grid has a fill, and one that was audited."""
        if self._near is None:
            outcome, fill = probe.ask(0, probe.domain(0), nodes, deadline)
        else:
            outcome, fill = probe.approach(Fill(self._near.letters, edit.grid), nodes, deadline)
        if fill is not None:
            audit(problem, self._engine.name, fill)
        return outcome, fill

    def _learn(self, problem: Problem, probe: Probe, nodes: int, outcome: Outcome, deadline: Deadline) -> None:
        """Learn from a search of the grid itself: where it failed, and a conflict."""
        weights = probe.weigh_crossings()
        self._weights = dict(zip(problem.grid.crossed_cells, weights, strict=True))
        if outcome is not Outcome.EXHAUSTED:
            return
        self._first_nodes = min(nodes, FIRST_NODES * NODE_GROWTH)  # a fill of another edit is sooner found
        if problem.rules.required or any(count.least for count in problem.counts):  # those may stand elsewhere
            return
        order = _grow_region(problem.grid, weights)
        for size in range(REGION_STEP, len(order), REGION_STEP):
            if probe.refute(order[:size], REGION_NODES, deadline) is Outcome.EXHAUSTED:
                self._region_size = size
                self._conflicts.append(_list_cells(problem, order[:size]))
                break

    def _refute_region(self, problem: Problem, probe: Probe, weights: Sequence[float], deadline: Deadline) -> bool:
        """Return whether a region where the grid itself has no fill has none after an edit; that is a conflict, too."""
        if not self._region_size:
            return False
        region = _grow_region(problem.grid, weights)[: self._region_size + REGION_STEP]
        if probe.refute(region, REGION_NODES, deadline) is not Outcome.EXHAUSTED:
            return False
        if self._has_same_words(problem):
            self._conflicts.append(_list_cells(problem, region))
        return True


def _list_cells(problem: Problem, slots: Iterable[SlotId]) -> frozenset[tuple[CellId, ...]]:
    """Return the cells of some slots."""
    return frozenset(problem.slots[slot].cells for slot in slots)


def _grow_region(grid: Grid, weights: Sequence[float]) -> list[SlotId]:
    """Return slots from the heaviest crossing outwards: each crosses those before it with the most weight."""
    links: dict[SlotId, dict[SlotId, float]] = {slot.id: {} for slot in grid.slots}
    for crossing, weight in zip(grid.crossings, weights, strict=True):
        links[crossing.across][crossing.down] = weight - 1
        links[crossing.down][crossing.across] = weight - 1
    heaviest = max(links, key=lambda slot: max(links[slot].values(), default=-1.0))
    order: list[SlotId] = []
    pull = {heaviest: 0.0}
    while pull:
        slot = max(pull, key=pull.__getitem__)
        order.append(slot)
        del pull[slot]
        for other, weight in links[slot].items():
            if other not in order:
                pull[other] = pull.get(other, 0.0) + weight
    return order


def _raise_fill(judged: Judged, objective: Objective, limits: Limits) -> Judged:
    """Return an edit that helps with the best fill found within the limits, and the bound that was proved."""
    assert judged.problem is not None
    result = settle(replace(judged.problem, objective=objective), limits=limits)
    better = replace(judged, fill=result.fill or judged.fill)
    best = max(judged, better, key=lambda each: each.quality)
    return replace(best, bound=result.bound[0]) if objective is Objective.MIN and result.bound else best


@dataclass(frozen=True, slots=True)
class Standing(Part):
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

    @property
    def record(self) -> StandingRecord:
        """What is known of the grid, as JSON."""
        return {
            "style": self.style,
            "symmetry": self.symmetry,
            "edits": self.edits,
            "fillable": self.fillable,
            "value": self.value,
            "proved": self.proved,
        }


def count_changed(judged: Judged, standing: Standing) -> int:
    """Return how many words of the fill of an edit are in slots that the grid lacks, or differ from its letters."""
    grid = standing.grid
    stood = standing.near.letters if standing.near else grid.givens
    letters = judged.fill.letters if judged.fill else stood
    slots = {slot.cells for slot in grid.slots}
    changed = 0
    for slot in judged.edit.grid.slots:
        if slot.cells not in slots or any(stood[cell] not in {"", "?", letters[cell]} for cell in slot.cells):
            changed += 1
    return changed


def _rank(judged: Judged, standing: Standing) -> list[float]:
    """Return by which numbers edits that help are sorted: by their fills, then by how little they change."""
    return [*(-number for number in judged.quality), count_changed(judged, standing), judged.edit.size]


@dataclass(frozen=True, slots=True)
class JudgedEdit(Part):
    """An edit that is decided, or that has a better fill than before."""

    judged: Judged
    standing: Standing

    @property
    def record(self) -> EditRecord:
        """The edit as JSON: blocks by their cells, bars by the two that each separates."""
        judged = self.judged
        edit = judged.edit
        grid = self.standing.grid
        return {
            "add": name_walls(grid, edit.add),
            "open": name_walls(grid, edit.open),
            "cheaters": name_walls(grid, edit.cheaters),
            "verdict": judged.verdict,
            "value": judged.value,
            "bound": judged.bound,
            "changed": count_changed(judged, self.standing) if judged.fill else None,
            "rank": _rank(judged, self.standing) if judged.fill else None,
            "fill": rows_of(judged.fill),
        }


@dataclass(frozen=True, slots=True)
class JudgedEdits(End):
    """The latest state of each edit: those that help come first, in the order of their ranks."""

    standing: Standing | None
    """What is known of the grid; `None` if an interrupt came first."""
    ranked: list[Judged]
    interrupted: bool

    @property
    def helpful(self) -> list[Judged]:
        """The edits that help, the best first."""
        return [each for each in self.ranked if each.verdict is Verdict.YES]

    @property
    def counts(self) -> Counter[Verdict]:
        """The number of edits with each verdict."""
        return Counter(each.verdict for each in self.ranked)

    @property
    def record(self) -> EditsEnd:
        """The number of edits with each verdict, as JSON."""
        counts = self.counts
        return {"done": True, "yes": counts[Verdict.YES], "no": counts[Verdict.NO], "open": counts[Verdict.OPEN]}


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

    def answer(self, desk: Desk) -> Generator[Standing | JudgedEdit | JudgedEdits]:
        """Yield what is known of the grid, then each edit when it is decided, and again with a better fill; the counts.

        Pairs of edits follow if all single ones are proved useless.
        """
        standing: Standing | None = None
        latest: dict[Edit, Judged] = {}
        ended = False
        with suppress(KeyboardInterrupt), closing(self._judge(desk)) as steps:
            for step in steps:
                if isinstance(step, Standing):
                    standing = step
                    yield step
                elif standing is not None:
                    latest[step.edit] = step
                    yield JudgedEdit(step, standing)
            ended = True
        yield JudgedEdits(standing, _sort(latest.values(), standing), interrupted=not ended)

    def _judge(self, desk: Desk) -> Generator[Standing | Judged]:
        """Yield what is known of the grid, and the edits as `answer` does."""
        whole = Deadline(self.time_limit, self.stop)
        problem = desk.pose(self.request, every=True)
        problem.require_case()
        if self.request.spell:
            raise expected("no text to spell in a grid whose blocks change", self.request.spell[0])
        if self.request.tie:
            raise expected("no ties in a grid whose blocks change", self.request.tie[0])
        editor = Editor(problem, self.style, self.symmetry)
        near = None if self.near is None else Fill.of_grid(read_letters(self.near, problem.grid))
        poser = Poser(self.request, problem, desk.lexicon_of(self.request))
        edits = sorted(editor.list_single(), key=lambda edit: not edit.add)  # an opened block seldom helps
        judge = Judge(poser, problem, self.seed, near)
        refuted = judge.refute(_part(whole))
        fillable = None if refuted is None else not refuted
        standing = Standing(problem.grid, editor.name, editor.style.symmetry, len(edits), fillable, near=near)
        if fillable:
            standing = self._settle(standing, problem, whole)
        if standing.value is not None:
            judge = Judge(poser, problem, self.seed, near, above=standing.value)
            judge.refute(_part(whole))
        yield standing
        helpful: list[Judged] = []
        for each in _judge_all(judge, editor, edits, whole):
            yield each
            if each.verdict is Verdict.YES:
                helpful.append(each)
        yield from self._improve(helpful, whole)

    def _settle(self, standing: Standing, problem: Problem, whole: Deadline) -> Standing:
        """Return what is known of a grid, with the least score of its best fill."""
        limits = replace(self.limits, time_s=_part(whole).time_s)
        best = settle(replace(problem, objective=Objective.MIN), limits=limits)
        if best.value is None:
            return standing
        return replace(standing, value=best.value[0], proved=best.status is Status.OPTIMAL)

    def _improve(self, helpful: Sequence[Judged], whole: Deadline) -> Iterator[Judged]:
        """Yield edits that help with better fills."""
        objective = Objective.MIN if self.request.goal.criteria else Objective.GOOD
        # A fill near letters that stand has few weak words among few that changed; a better one would change more.
        if self.near is not None and objective is Objective.GOOD:
            return
        for done, each in enumerate(helpful):
            if whole.passed:
                return
            share = 1 / (len(helpful) - done)
            limits = replace(self.limits, time_s=_part(whole, GOOD_S, share).time_s)
            yield _raise_fill(each, objective, limits)


def _judge_all(judge: Judge, editor: Editor, edits: Sequence[Edit], whole: Deadline) -> Iterator[Judged]:
    """Yield each single edit when it is decided; then pairs, if all single ones are proved useless."""
    useless = True
    for each in judge.judge(edits, whole, _SHARE):
        useless = useless and each.verdict is Verdict.NO
        yield each
    if useless:
        yield from judge.judge(_pair(editor, edits, whole), whole)


def _pair(editor: Editor, edits: Sequence[Edit], deadline: Deadline) -> Iterator[Edit]:
    """Yield the pairs of edits that the style allows, until a deadline."""
    for one, other in combinations(edits, 2):
        if deadline.passed:
            return
        both = editor.combine(one, other)
        if both is not None:
            yield both


def _sort(latest: Iterable[Judged], standing: Standing | None) -> list[Judged]:
    """Return edits that help first, in the order of their ranks, then those that are open, then the useless ones."""
    if standing is None:
        return []
    by_verdict: dict[Verdict, list[Judged]] = {verdict: [] for verdict in Verdict}
    for each in latest:
        by_verdict[each.verdict].append(each)
    helpful = sorted(by_verdict[Verdict.YES], key=lambda each: _rank(each, standing))
    return helpful + by_verdict[Verdict.OPEN] + by_verdict[Verdict.NO]


def _part(deadline: Deadline, most_s: float = math.inf, share: float = 0.2) -> Deadline:
    """Return a deadline after a share of the time that is left, and at most so many seconds."""
    return deadline.share(share, most_s)
