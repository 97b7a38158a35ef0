"""`cpfill check`: audit fills against a grid, the lexicon and the rules."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from cpfill.check import violations
from cpfill.cli import options as o
from cpfill.cli.exits import Exit, usage_error
from cpfill.cli.render import number
from cpfill.errors import Fault, GridError
from cpfill.fill import Fill
from cpfill.problem import Objective
from cpfill.sources import STDIN


def check(
    grid: Annotated[str, typer.Argument(metavar="GRID", help="A file with one grid; - for standard input.")],
    fill: Annotated[
        str | None, typer.Argument(metavar="[FILL]", help="A file with fills of it; by default the grid itself.")
    ] = None,
    *,
    words: o.Words = None,
    weighted: o.Weighted = None,
    repeats: o.Repeats = False,
    min_slot_length: o.MinSlotLength = 2,
    min_score: o.MinScore = 0.0,
    dialect: o.DialectName = None,
    alphabet: o.AlphabetName = "latin",
    as_json: o.Json = False,
) -> int:
    """Check fills: print every rule that one breaks, or its minimum score.

    Exit codes: 0 all are right; 1 one breaks a rule; 2 bad input.
    """
    setting = o.Setting.of(words, weighted, Objective.ANY, repeats, min_slot_length, min_score, dialect, alphabet)
    if fill == STDIN == grid:
        raise usage_error("a grid or fills from standard input, not both", "'-' twice")
    sources, _ = setting.read([grid])
    if len(sources) > 1:
        raise GridError(Fault(path=grid, expected="one grid", got=f"{len(sources)}"))
    problem = sources[0].problem
    filled = [problem.grid] if fill is None else setting.read_grids(fill)[1]
    code = Exit.ANSWERED
    for place, one in enumerate(filled, start=1):
        size, wanted = (one.height, one.width), (problem.grid.height, problem.grid.width)
        if size != wanted:
            raise GridError(
                Fault(path=fill, expected=f"fills of {wanted[0]} x {wanted[1]} cells", got=f"{size[0]} x {size[1]}")
            )
        letters = Fill.of_grid(one)
        broken = violations(problem, letters)
        if broken:
            code = Exit.FAULT
        value = None if broken else letters.value(problem)
        if as_json:
            rules = [{"rule": each.rule, "detail": each.detail} for each in broken]
            print(json.dumps({"fill": place, "valid": not broken, "value": value, "violations": rules}))
        else:
            lines = [str(each) for each in broken] or [f"right, minimum score {number(value or 0.0)}"]
            print("\n".join(f"fill {place}: {line}" for line in lines))
    return code
