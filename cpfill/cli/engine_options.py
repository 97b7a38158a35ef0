"""The options of engines on the command line, as the engines declare them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpfill.base.texts import say
from cpfill.cli.exits import usage_error
from cpfill.cli.options import gather_options, number
from cpfill.cli.verbs import ENGINE
from cpfill.engines import list_options

if TYPE_CHECKING:
    from cpfill.engines.option import EngineOption

EngineOptions = Mapping[str, Any]
"""The options of engines that a verb was given, by name."""


def with_engine_options(*names: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a verb the options of engines, or those of these names; its argument `engine_options` has those given."""
    declared = {
        option.name: (option, engines)
        for option, engines in list_options().items()
        if option.on_command_line and (not names or option.name in names)
    }

    def gather(given: Mapping[str, Any]) -> EngineOptions:
        values = {name: _read(option, given[name]) for name, (option, _) in declared.items()}
        return {name: value for name, value in values.items() if value is not None}

    annotated = {name: (_annotation(*each), None) for name, each in declared.items()}
    return gather_options("engine_options", annotated, gather)


def _annotation(option: EngineOption, engines: list[str]) -> Any:  # noqa: ANN401 - as typer has it
    """Return the annotation of an option that is `None` where it is not given."""
    *most, last = option.choices or [option.help]
    text = say("{most} or {last}", most=", ".join(most), last=last) if most else last
    text = f"{', '.join(engines)}: {text}."
    names = [option.flag, option.short] if option.short else [option.flag]
    if option.type is bool:
        if option.default:
            names[0] += f"/--no-{option.flag.removeprefix('--')}"
        return Annotated[bool | None, typer.Option(*names, help=text, rich_help_panel=ENGINE)]
    if option.range:
        return Annotated[int | None, number(option.range, *names, metavar=option.metavar, help=text, section=ENGINE)]
    if option.type is Mapping:
        return Annotated[
            list[str] | None,
            typer.Option(*names, metavar=option.metavar, help=f"{text} Repeatable.", rich_help_panel=ENGINE),
        ]
    return Annotated[str | None, typer.Option(*names, metavar=option.metavar, help=text, rich_help_panel=ENGINE)]


def _read(option: EngineOption, given: Any) -> Any:  # noqa: ANN401 - of the option's type
    """Return the value of an option as its engine takes it, `None` for none."""
    if option.type is not Mapping:
        return given
    values = {}
    for setting in given or ():
        name, sign, value = setting.partition("=")
        if not (name and sign and value):
            raise usage_error(say("{noun} as name=value", noun=say(option.noun)), f"'{setting}'")
        values[name.strip()] = value.strip()
    return values or None
