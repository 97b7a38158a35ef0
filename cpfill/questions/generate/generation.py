"""Grids one after another, each once: first by growth, then by annealing, then from the model."""

from __future__ import annotations

from importlib.util import find_spec
from random import Random
from typing import TYPE_CHECKING

from cpfill.base.errors import UnsupportedError
from cpfill.base.texts import say
from cpfill.engines.audited import check_limits
from cpfill.problem.event import StopReason
from cpfill.problem.result import Deadline
from cpfill.puzzle.grid import BLOCK, Grid
from cpfill.questions.generate.annealing import anneal_patterns
from cpfill.questions.generate.board import Symmetry
from cpfill.questions.generate.growing import grow_patterns

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from cpfill.problem.result import Limits
    from cpfill.questions.generate.board import Blame, BlockPattern
    from cpfill.questions.generate.demands import Demands

    Grids = Generator[Grid, Blame | None, StopReason]
    """Grids one after another. Send the slots to blame if the last one has no fill; the next grids avoid them."""
    _Patterns = Generator[BlockPattern, Blame | None, bool]

TALLEST = 23
"""The greatest height of a grid made column by column: a column of 15 rows has 451 arrangements, of 23 rows 9,600."""


def generate(demands: Demands, *, limits: Limits | None = None) -> Grids:
    """Yield different random grids that meet the demands: `limits.fills` of them, or all with `None`.

    The mirror image of a grid is a different grid, because its words read the other way. The same seed gives the same
    grids as long as the time does not run out. From `limits` it also uses the time and the token. If the slots to blame
    for a failure are sent, later grids around a theme avoid them; `keep_fillable` sends them.

    Returns:
        FILLS if `limits.fills` grids were found, EXHAUSTED if it is proved that there are no others, TIME if the time
        ran out, INTERRUPTED if the token was set.
    """
    return _generate(demands, check_limits(limits))


def _generate(demands: Demands, limits: Limits) -> Grids:
    seen: dict[BlockPattern, None] = {}
    deadline = Deadline(limits.time_s, limits.stop)
    patterns = _find_patterns(demands, seen, Random(limits.seed), deadline)  # noqa: S311 - variety, not secrecy
    blame = None
    while len(seen) != limits.fills:
        try:
            pattern = patterns.send(blame)
        except StopIteration as end:
            if end.value:
                return StopReason.EXHAUSTED
            return StopReason.INTERRUPTED if limits.stopped else StopReason.TIME
        seen[pattern] = None
        blame = yield _make_grid(demands, pattern)
    return StopReason.FILLS


def _find_patterns(
    demands: Demands, seen: Mapping[BlockPattern, None], chance: Random, deadline: Deadline
) -> _Patterns:
    """Yield patterns that are not in `seen`; return True if there are no others, False if time is over."""
    if not demands.longest:
        return True
    if demands.style.barred:
        return (yield from _find_barred(demands, seen, chance, deadline))
    for blocks in demands.block_ranges:
        if not (demands.draft and demands.seed_words):
            if _has_columns(demands):
                from cpfill.questions.generate.design import design_patterns  # noqa: PLC0415 - loads numpy

                yield from design_patterns(demands, blocks, seen, chance, deadline)
            else:
                yield from (one for one in grow_patterns(demands, blocks, chance, deadline) if one not in seen)
            yield from (one for one in anneal_patterns(demands, blocks, chance, deadline) if one not in seen)
        if deadline.passed or not find_spec("ortools"):
            return False
        from cpfill.questions.generate.model import PatternModel  # noqa: PLC0415 - loads ortools, which growth does without

        model = PatternModel(demands, blocks)
        for pattern in seen:
            model.forbid(pattern)
        if not (yield from model.find_patterns(chance, deadline)):
            return False
    return True


def _find_barred(demands: Demands, seen: Mapping[BlockPattern, None], chance: Random, deadline: Deadline) -> _Patterns:
    """Yield barred patterns as `_find_patterns` does: first those that follow the customs, then any."""
    if not find_spec("ortools"):
        raise UnsupportedError(say("barred grids take OR-Tools, which is not installed"))
    from cpfill.questions.generate.bar_model import BarModel  # noqa: PLC0415 - loads ortools

    for customary in (True, False):
        model = BarModel(demands, deadline, customary=customary)
        if deadline.passed:
            return False
        for pattern in seen:
            model.forbid(pattern)
        if not (yield from model.find_patterns(chance, deadline)):
            return False
    return True


def _has_columns(demands: Demands) -> bool:
    """Return whether patterns can be built column by column around a theme: words are known, and columns mirror."""
    if demands.count_words is None or not demands.seed_words or demands.height > TALLEST or not find_spec("numpy"):
        return False
    return demands.style.checked and demands.style.symmetry in {Symmetry.ROTATE, Symmetry.MIRROR, Symmetry.NONE}


def _make_grid(demands: Demands, pattern: BlockPattern) -> Grid:
    """Return the grid of a pattern: its blocks and bars, the letters of its words and of a draft as givens."""
    board, alphabet = demands.board, demands.alphabet
    cells = {row * board.stride + column: alphabet.full for row in range(board.height) for column in range(board.width)}
    cells |= demands.given
    for cell in cells:
        if pattern.blocks >> cell & 1:
            cells[cell] = BLOCK
    for word, run in pattern.placed:
        for cell, letter in zip(run, word, strict=True):
            cells[cell] = alphabet.letter_set(letter)
    ids = {cell: id_ for id_, cell in enumerate(cells)}
    bars = frozenset((ids[one], ids[other]) for one, other in pattern.bars)
    shortest = demands.style.min_slot_length
    return Grid(demands.height, demands.width, tuple(cells.values()), alphabet, shortest, bars=bars)
