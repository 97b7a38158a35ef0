"""Groups of verbs, their exit codes, and lines on standard error."""

from __future__ import annotations

import sys
from contextlib import suppress
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from cpfill.base.errors import CpfillError, EngineError, Fault, InputError
from cpfill.base.texts import hear, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from typer._click import Context, HelpFormatter, Parameter

    from cpfill.problem.result import SolveResult


class Exit(IntEnum):
    """The exit codes of a run, each with its meaning."""

    meaning: str

    def __new__(cls, code: int, meaning: str = "") -> Self:
        """Return the exit code of that number; `Exit(20)` needs no meaning."""
        exit_ = int.__new__(cls, code)
        exit_._value_ = code
        exit_.meaning = meaning
        return exit_

    ANSWERED = 0, "a fill, or the complete answer asked for"
    FAULT = 1, "a fault; engines that disagree, a fill that breaks a rule, a proof that is refused, a job that failed"
    BAD_INPUT = 2, "bad usage or bad input: a line for each fault gives its place, the expected text and the text found"
    NO_FILL = 20, "proved: no fill exists, or none without the words of --avoid"
    LIMIT = 124, "a limit was reached before an answer; `verify`: something was not checked"
    INTERRUPTED = 130, "interrupted; the answers found so far are printed"


_GRAVEST_FIRST = (Exit.INTERRUPTED, Exit.FAULT, Exit.BAD_INPUT, Exit.LIMIT, Exit.NO_FILL, Exit.ANSWERED)


def exit_of(result: SolveResult, *, all_asked: bool) -> Exit:
    """Return the exit code of one search; `all_asked` if nothing less than every fill is the answer."""
    from cpfill.problem.event import StopReason
    from cpfill.problem.result import Status

    if result.status.refuted:
        return Exit.NO_FILL
    if result.stop_reason is StopReason.INTERRUPTED:
        return Exit.INTERRUPTED
    if result.status is Status.UNKNOWN or (all_asked and result.status is Status.SATISFIED):
        return Exit.LIMIT
    return Exit.ANSWERED


def gravest(codes: Iterable[Exit]) -> Exit:
    """Return the exit code of several runs together."""
    return min(codes, key=_GRAVEST_FIRST.index, default=Exit.ANSWERED)


def complain(error: CpfillError) -> Exit:
    """Print an error, a line for each thing wrong, and return its exit code."""
    for line in str(error).split("\n"):
        warn(line)
    return Exit.FAULT if isinstance(error, EngineError) else Exit.BAD_INPUT


def warn(message: str) -> None:
    """Print a line on standard error, if there is one: a terminal may just have been closed."""
    with suppress(OSError):
        print(say("cpfill: {message}", message=message), file=sys.stderr)


def usage_error(expected: str, got: str) -> InputError:
    """Return the error of an option that makes no sense."""
    return InputError(Fault(expected=expected, got=got))


RULES = "Rules"
ENGINE = "Engine"

SECTIONS = {
    **dict.fromkeys(("Words", "Grid", "Goal", RULES), ""),
    "Limits": "time_limit node_limit workers seed",
    "Output": "output write_as clue_file letters french paper layout as_json statistics explained proof quiet no_cache",
    ENGINE: "engine",
}
"""The sections of a verb's options, in their order, with the names of those that verbs declare alike; all other options
say their section where they are declared, or stand under "Options"."""

_SECTION_OF = {name: section for section, names in SECTIONS.items() for name in names.split()}


class Summary(NamedTuple):
    """A verb in the list of verbs: group, description, example, and its module if the name differs."""

    group: str
    text: str
    example: str
    module: str = ""


class Verbs(typer.Typer):
    """A group of verbs."""

    def __init__(self, help: str) -> None:  # noqa: A002 - as typer has it
        super().__init__(
            help=help,
            cls=_Group,
            add_completion=False,
            pretty_exceptions_enable=False,
            rich_markup_mode=None,
            context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 110},
        )

    def command(self, name: str | None = None, **more: Any) -> Callable[..., Any]:
        """Return a decorator that makes a function a verb."""
        return super().command(name, cls=_Verb, **more)


class _Verb(TyperCommand):
    """A verb. If an option is given twice, the last value counts, as shell aliases need, and a warning says so."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Read the arguments."""
        _, _, given = self.make_parser(ctx).parse_args([*args])
        for option in dict.fromkeys(given):
            if isinstance(option, TyperOption) and _takes_one(option) and (count := given.count(option)) > 1:
                names = say(" or ").join([*option.opts[:1], *option.secondary_opts])
                warn(say("{names} is given {count} times: the last one counts", names=names, count=count))
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the help."""
        _write_help(self, ctx, formatter)


class _Group(TyperGroup):
    """Verbs, listed group by group."""

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the help, then the verbs."""
        _write_help(self, ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the verbs."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            verb = self.commands[name]
            group = getattr(verb, "rich_help_panel", None) or "Commands"
            groups.setdefault(group, []).append((name, say(verb.short_help or "")))
        for group, records in groups.items():
            with formatter.section(say(group)):
                formatter.write_dl(records)


def _write_help(command: TyperCommand | TyperGroup, ctx: Context, formatter: HelpFormatter) -> None:
    """Write usage, example, description and options (by section) of a command, in the language of this context."""
    formatter.write_usage(ctx.command_path, " ".join(command.collect_usage_pieces(ctx)), say("Usage: "))
    if command.epilog:
        formatter.write("\n" + say("Example: {command}", command=command.epilog) + "\n")
    command.help = say(command.help or "")
    command.format_help_text(ctx, formatter)
    sections: dict[str, list[tuple[str, str]]] = {name: [] for name in ("Arguments", "Options", *SECTIONS)}
    for param in command.get_params(ctx):
        if isinstance(param, TyperOption | TyperArgument):
            param.help = say(param.help or "")
        record = param.get_help_record(ctx)
        if record:
            sections[find_section(param)].append((record[0], hear(record[1])))
    for section, records in sections.items():
        if records:
            with formatter.section(say(section)):
                formatter.write_dl(records)


def find_section(param: Parameter) -> str:
    """Return the section of an argument or an option."""
    if param.param_type_name == "argument":
        return "Arguments"
    return getattr(param, "rich_help_panel", None) or _SECTION_OF.get(param.name or "", "Options")


def _takes_one(option: TyperOption) -> bool:
    """Return whether an option that is given twice would replace its first value."""
    return not option.multiple and (not option.is_flag or bool(option.secondary_opts))
