"""`cpfill info`: what a grid consists of."""

from __future__ import annotations

import platform
from typing import Annotated, Any

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
from cpfill.questions.info import Info
from cpfill.questions.question import Desk


@o.asks(
    Info, "words", "min_slot_length", "min_score", "dialect", "alphabet", "uncensored", without={"time_limit", "seed"}
)
def info(
    grid: Annotated[
        list[str] | None,
        typer.Argument(metavar="GRID", help="Files with grids; - for standard input; 5x5 for an empty grid."),
    ] = None,
    *,
    question: Info,
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
    share_stdin(grid or [], question.request)
    templates = read_all_templates(question.request, grid or [])
    desk = Desk(shelf())
    for template in templates:
        description = {"grid": template.name, **question.describe(template, desk)}
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
