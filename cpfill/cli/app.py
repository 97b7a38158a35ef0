"""The program: its verbs, and what becomes of whatever they raise."""

from __future__ import annotations

import os
import sys

import typer

from cpfill.cli.check import check
from cpfill.cli.compare import compare
from cpfill.cli.exits import Exit, complain, warn
from cpfill.cli.info import info
from cpfill.cli.solve import solve
from cpfill.errors import CpfillError

app = typer.Typer(
    help="Fill crossword grids by constraint programming, and say what was proved.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 110},
)
for verb in (solve, compare, check, info):
    app.command()(verb)


@app.callback(invoke_without_command=True)
def _program(
    *, version: bool = typer.Option(False, "--version", help="Print the version and exit.", is_eager=True)
) -> None:
    if version:
        import cpfill  # noqa: PLC0415 - the version lives at the top, which imports nothing of this room

        print(cpfill.__version__)
        raise typer.Exit


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        code = app(standalone_mode=False)
    except typer.TyperException as exc:
        warn(f"{exc.format_message()} (see cpfill --help)")
        code = exc.exit_code
    except CpfillError as exc:
        code = complain(exc)
    except (KeyboardInterrupt, typer.Abort):
        code = Exit.INTERRUPTED
    except BrokenPipeError:  # whoever read standard output has what they wanted
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = Exit.ANSWERED
    sys.exit(code or Exit.ANSWERED)
