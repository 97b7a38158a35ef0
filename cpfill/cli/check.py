"""`cpfill check`: audit fills against a grid, the lexicon and the rules."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Annotated

import typer

from cpfill.base.errors import Fault, GridError
from cpfill.base.files import display_name
from cpfill.base.texts import say
from cpfill.cli import options as o
from cpfill.cli.exits import Exit
from cpfill.cli.output import emit
from cpfill.cli.problems import make_problems, read_all_templates, share_stdin, shelf
from cpfill.problem.check import violations
from cpfill.problem.fill import Fill
from cpfill.problem.problem import describe_value
from cpfill.questions.records import audit_record
from cpfill.questions.request import Request


@o.request_options(without={"objective", "levels"})
def check(
    grid: Annotated[str, typer.Argument(metavar="GRID", help="A file with one grid; - for standard input; or 5x5.")],
    fill: Annotated[
        str | None, typer.Argument(metavar="FILL", help="A file with fills of it; by default the grid itself.")
    ] = None,
    *,
    request: Request,
    as_json: o.Json = False,
    no_cache: o.NoCache = False,
) -> int:
    """Check fills: print every rule that one breaks, or its value.

    Exit codes: 0 all are right; 1 one breaks a rule; 2 bad input.
    """
    share_stdin([grid, fill] if fill else [grid], request)
    template, *others = read_all_templates(request, [grid])
    if others:
        raise GridError(Fault(path=display_name(grid), expected=say("one grid"), got=f"{1 + len(others)}"))
    fills = [template] if fill is None else read_all_templates(request, [fill])
    if fill is None:  # its letters are the fill; no letter is given
        request = replace(request, strict=True)
    (problem,) = make_problems(request, [template], shelf(cached=not no_cache))
    code = Exit.ANSWERED
    height, width = problem.grid.height, problem.grid.width
    for number, one in enumerate(fills, start=1):
        if (one.grid.height, one.grid.width) != (height, width):
            wanted = say("a fill of {height} x {width} cells", height=height, width=width)
            raise GridError(Fault(path=one.name, expected=wanted, got=f"{one.grid.height} x {one.grid.width}"))
        filled = Fill.of_grid(one.grid)
        broken = violations(problem, filled)
        if broken:
            code = Exit.FAULT
        if as_json:
            record = {"grid": template.name, "fill": number, **audit_record(problem, filled, broken)}
            emit(json.dumps(record, ensure_ascii=False) + "\n")
        else:
            lines = [str(each) for each in broken] or [
                say("right, {value}", value=describe_value(problem.measures, filled.value(problem)))
            ]
            emit("".join(f"{say('fill {number}', number=number)}: {line}\n" for line in lines))
    return code
