"""`cpfill info`: what a grid consists of."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from cpfill.cli import options as o
from cpfill.engines.ac3 import Wipeout, ac3
from cpfill.problem import Objective, Problem

if TYPE_CHECKING:
    from cpfill.formats import Dialect
    from cpfill.grid import Grid


def info(
    grid: o.Grids,
    *,
    words: o.Words = None,
    min_slot_length: o.MinSlotLength = 2,
    min_score: o.MinScore = 0.0,
    dialect: o.DialectName = None,
    alphabet: o.AlphabetName = "latin",
    as_json: o.Json = False,
) -> int:
    """Describe grids: dialect, cells, slots, crossings, word lengths, connectivity.

    With -w, for each slot also the words that fit it, and those that arc consistency leaves.
    """
    setting = o.Setting.of(words, None, Objective.ANY, False, min_slot_length, min_score, dialect, alphabet)
    grids = [(path, *setting.read_grids(path)) for path in grid]
    lexicon = setting.lexicon() if words else None
    for path, read_as, found in grids:
        for one in found:
            problem = Problem(one, lexicon, setting.rules) if lexicon else None
            record = _describe(path, read_as, one, problem)
            print(json.dumps(record, ensure_ascii=False) if as_json else _text(record), end="\n" if as_json else "")
    return 0


def _describe(path: str, dialect: Dialect, grid: Grid, problem: Problem | None) -> dict[str, Any]:
    full = grid.alphabet.full
    open_cells = [cell for cell in grid.cells if cell]
    kinds = Counter("given" if c.bit_count() == 1 else "empty" if c == full else "letter set" for c in open_cells)
    places = Counter(len(at) for at in grid.slots_at.values())
    slots: list[dict[str, Any]] = [
        {
            "slot": slot.name,
            "at": grid.place(slot.cells[0]),
            "length": slot.length,
            "crossings": len(grid.neighbours[slot.id]),
            "pattern": grid.pattern(slot),
        }
        for slot in grid.slots
    ]
    if problem:
        try:
            consistent = [domain.bit_count() for domain in ac3(problem, problem.domains)]
        except Wipeout:
            consistent = [0] * len(slots)
        for row, domain, left in zip(slots, problem.domains, consistent, strict=True):
            row |= {"fitting": domain.bit_count(), "consistent": left}
    return {
        "grid": path,
        "dialect": dialect.NAME,
        "height": grid.height,
        "width": grid.width,
        "cells": {
            "block": len(grid.cells) - len(open_cells),
            "open": len(open_cells),
            **{kind: kinds[kind] for kind in ("empty", "given", "letter set")},
            "checked": places[2],
            "unchecked": places[1],
            "in no slot": len(open_cells) - len(grid.slots_at),
        },
        "slots": slots,
        "crossings": len(grid.crossings),
        "lengths": {str(n): count for n, count in sorted(Counter(slot.length for slot in grid.slots).items())},
        "components": [len(component) for component in grid.components],
    }


def _text(record: dict[str, Any]) -> str:
    cells = ", ".join(f"{count} {kind}" for kind, count in record["cells"].items())
    parts = record["components"]
    connected = "connected" if len(parts) == 1 else f"{len(parts)} components of {', '.join(map(str, parts))} slots"
    lines = [
        f"{record['grid']}: {record['height']} x {record['width']}, {record['dialect']} dialect",
        f"cells: {cells}",
        f"slots: {len(record['slots'])}, {record['crossings']} crossings, {connected}",
        "lengths: " + ", ".join(f"{count} of {n}" for n, count in record["lengths"].items()),
    ]
    columns = list(record["slots"][0])
    rows = [columns, *([str(slot[column]) for column in columns] for slot in record["slots"])]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines += ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join(lines) + "\n"
