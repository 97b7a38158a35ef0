"""Groups of verbs, set up alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from cpfill.base.texts import say
from cpfill.cli.exits import warn

if TYPE_CHECKING:
    from collections.abc import Callable

    from typer._click import Context, HelpFormatter, Parameter


RULES, ENGINE = "Rules", "Engine"

SECTIONS = {
    "Words": "words weighted theme personal exclude alphabet uncensored",
    "Grid": "clear keep different_from open slot strict min_slot_length dialect",
    "Goal": "objective levels number every diverse different",
    RULES: "require",
    "Limits": "time_limit node_limit workers seed",
    "Output": "output write_as clue_file letters french paper layout as_json statistics explained proof quiet no_cache",
    ENGINE: "engine",
}
"""The sections of a verb's options. Rules and engines put theirs into sections where they are declared; the others that
are not here stand under "Options"."""

_SECTION_OF = {name: section for section, names in SECTIONS.items() for name in names.split()}


class Summary(NamedTuple):
    """A verb in the list of all: its group, what it does, an example."""

    group: str
    text: str
    example: str


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

    def command(self, name: str | None = None, **more: Any) -> Callable[..., Any]:  # noqa: ANN401 - as typer has it
        """Return what makes a verb of a function."""
        return super().command(name, cls=_Verb, **more)


class _Verb(TyperCommand):
    """A verb. If an option is given twice, the last value counts, as shell aliases need, and a warning says so."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Read the arguments.

        Raises:
            TyperException: they are none of this verb.
        """
        _, _, given = self.make_parser(ctx).parse_args([*args])
        for option in dict.fromkeys(given):
            if isinstance(option, TyperOption) and _takes_one(option) and (count := given.count(option)) > 1:
                names = " or ".join([*option.opts[:1], *option.secondary_opts])
                warn(say("{names} is given {count} times: the last one counts", names=names, count=count))
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the help in the language of this context."""
        _translate(self, ctx)
        super().format_help(ctx, formatter)

    def format_usage(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the usage, then an example."""
        super().format_usage(ctx, formatter)
        if self.epilog:
            formatter.write("\n" + say("Example: {command}", command=self.epilog) + "\n")

    def format_epilog(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write nothing: the example stands at the top."""

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the arguments, then the options section by section."""
        sections: dict[str, list[tuple[str, str]]] = {name: [] for name in ("Arguments", "Options", *SECTIONS)}
        for param in self.get_params(ctx):
            if record := param.get_help_record(ctx):
                sections[find_section(param)].append(record)
        for section, records in sections.items():
            if records:
                with formatter.section(say(section)):
                    formatter.write_dl(records)


class _Group(TyperGroup):
    """Verbs, listed group by group."""

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the help in the language of this context."""
        _translate(self, ctx)
        super().format_help(ctx, formatter)

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


def _translate(command: TyperCommand | TyperGroup, ctx: Context) -> None:
    """Say the help of a command and of its options in the language of this context."""
    command.help = say(command.help or "")
    for param in command.get_params(ctx):
        if isinstance(param, TyperOption | TyperArgument):
            param.help = say(param.help or "")


def find_section(param: Parameter) -> str:
    """Return the section of an argument or an option."""
    if param.param_type_name == "argument":
        return "Arguments"
    return getattr(param, "rich_help_panel", None) or _SECTION_OF.get(param.name or "", "Options")


def _takes_one(option: TyperOption) -> bool:
    """Return whether an option that is given again would say another thing, and have only that heard."""
    return not option.multiple and (not option.is_flag or bool(option.secondary_opts))
