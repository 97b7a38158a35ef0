"""The question what a grid consists of."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpfill.engines.toolkit.propagation import Wipeout, ac3
from cpfill.problem.problem import Problem
from cpfill.questions.question import Question

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.puzzle.grid import Grid
    from cpfill.questions.question import Desk
    from cpfill.questions.record_types import Done, InfoRecord, SlotRecord


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Info(Question):
    """What a grid consists of; if word lists are named, also how many words fit each slot."""

    def records(self, desk: Desk) -> Generator[InfoRecord | Done]:
        (template,) = self.request.templates()
        yield self.describe(template.grid, desk)
        yield {"done": True}

    def describe(self, grid: Grid, desk: Desk) -> InfoRecord:
        """Return the description of a grid as JSON."""
        full = grid.alphabet.full
        open_cells = [cell for cell in grid.cells if cell]
        kinds = Counter(
            "given" if given else "empty" if letters == full else "letter set"
            for given, letters in zip(grid.givens, grid.cells, strict=True)
            if letters
        )
        slot_counts = Counter(len(at) for at in grid.slots_at.values())
        slots: list[SlotRecord] = [
            {
                "slot": slot.name,
                "at": grid.name_cell(slot.cells[0]),
                "length": slot.length,
                "crossings": len(grid.neighbours[slot.id]),
                "pattern": grid.pattern(slot),
            }
            for slot in grid.slots
        ]
        if self.request.words:
            problem = Problem(grid, desk.lexicon_of(self.request), self.request.rules)
            try:
                consistent = [domain.bit_count() for domain in ac3(problem, problem.domains)]
            except Wipeout:
                consistent = [0] * len(slots)
            for row, domain, left in zip(slots, problem.domains, consistent, strict=True):
                row |= {"fitting": domain.bit_count(), "consistent": left}
        return {
            "height": grid.height,
            "width": grid.width,
            "cells": {
                "block": len(grid.cells) - len(open_cells),
                "open": len(open_cells),
                **{kind: kinds[kind] for kind in ("empty", "given", "letter set")},
                "checked": slot_counts[2],
                "unchecked": slot_counts[1],
                "in no slot": len(open_cells) - len(grid.slots_at),
            },
            "slots": slots,
            "crossings": len(grid.crossings),
            "lengths": {str(n): count for n, count in sorted(Counter(len(slot.cells) for slot in grid.slots).items())},
            "components": [len(component) for component in grid.components],
        }
