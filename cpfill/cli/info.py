"""`cpfill info`: what a grid consists of."""

from __future__ import annotations

import platform
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpfill.base.errors import InputError
from cpfill.base.imports import load_kernel
from cpfill.base.texts import later, say
from cpfill.cli import options as o
from cpfill.cli.output import emit, json_line
from cpfill.cli.problems import read_all_templates, share_stdin, shelf
from cpfill.cli.tables import table
from cpfill.cli.verbs import usage_error, warn
from cpfill.engines import ENGINES
from cpfill.engines.mac import KERNELS
from cpfill.engines.toolkit.propagation import Wipeout, ac3
from cpfill.problem.problem import Problem
from cpfill.questions.request import Request

if TYPE_CHECKING:
    from cpfill.formats.templates import Template


@o.request_options("words", "min_slot_length", "min_score", "dialect", "alphabet", "uncensored")
def info(
    grid: Annotated[
        list[str] | None,
        typer.Argument(metavar="GRID", help="Files with grids; - for standard input; 5x5 for an empty grid."),
    ] = None,
    *,
    request: Request,
    as_json: o.Json = False,
    build: Annotated[
        bool, typer.Option("--build", help="Describe this installation: versions, kernel, engines.")
    ] = False,
) -> int:
    """Describe grids: dialect, cells, slots, crossings, word lengths, connectivity.

    With -w, for each slot also the words that fit it, and those that arc consistency leaves.
    """
    if build:
        record = describe_build()
        text = "".join(f"{say(name)}: {say(value)}\n" for name, value in record.items())
        emit(json_line(record) if as_json else text)
    elif not grid:
        raise usage_error(say("a grid, or --build"), say("neither"))
    share_stdin(grid or [], request)
    templates = read_all_templates(request, grid or [])
    lexicon = request.lexicon(shelf()) if request.words else None
    for template in templates:
        problem = Problem(template.grid, lexicon, request.rules) if lexicon else None
        description = _describe(template, problem)
        emit(json_line(description) if as_json else _text(description))
    return 0


def describe_build() -> dict[str, str]:
    """Return the versions in use, the kernel and the engines; warn of a faulty engine of another package."""
    from importlib.metadata import version  # noqa: PLC0415 - slow to import

    from cpfill.engines.contract import list_plugins  # noqa: PLC0415 - likewise

    kernel = load_kernel(KERNELS)
    built = kernel.__name__ == KERNELS["compiled"]
    engines = [*ENGINES]
    for name, plugin in list_plugins(ENGINES).items():
        try:
            plugin.load()
        except InputError as fault:
            warn(str(fault))
        else:
            engines.append(f"{name} ({plugin.package})")
    return {
        "cpfill": version("cpfill"),
        "engines": ", ".join(engines),
        "kernel": "compiled" if built else later("python (no compiled kernel was built)"),
        **({"compiler": kernel.COMPILER} if built else {}),
        "ortools": version("ortools"),
        "python": platform.python_version(),
    }


def _describe(template: Template, problem: Problem | None) -> dict[str, Any]:
    grid, full = template.grid, template.grid.alphabet.full
    open_cells = [cell for cell in grid.cells if cell]
    kinds = Counter(
        "given" if given else "empty" if letters == full else "letter set"
        for given, letters in zip(grid.givens, grid.cells, strict=True)
        if letters
    )
    slot_counts = Counter(len(at) for at in grid.slots_at.values())
    slots: list[dict[str, Any]] = [
        {
            "slot": slot.name,
            "at": grid.name_cell(slot.cells[0]),
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
        "grid": template.name,
        "dialect": template.dialect.name,
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


def _text(record: dict[str, Any]) -> str:
    cells = say(
        "{block} block, {open} open, {empty} empty, {given} given, {letter_set} letter set, {checked} checked, "
        "{unchecked} unchecked, {in_no_slot} in no slot",
        **{kind.replace(" ", "_"): count for kind, count in record["cells"].items()},
    )
    parts = record["components"]
    several = say("{parts} components of {parts2} slots", parts=len(parts), parts2=", ".join(map(str, parts)))
    figures = {**record, "slots": len(record["slots"]), "connected": say("connected") if len(parts) == 1 else several}
    lengths = [say("{count} of {length}", count=count, length=n) for n, count in record["lengths"].items()]
    lines = [
        say("{grid}: {height} x {width}, {dialect} dialect", **record),
        say("cells: {cells}", cells=cells),
        say("slots: {slots}, crossings: {crossings}, {connected}", **figures),
        say("lengths: ") + ", ".join(lengths),
    ]
    columns = list(record["slots"][0])
    rows = [[str(slot[column]) for column in columns] for slot in record["slots"]]
    return "\n".join(lines) + "\n" + table(columns, rows, left=("slot", "at", "pattern"))
