"""The registry of engines by name. An engine is imported when it is used; `contract` finds those of other packages."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from cpfill.base.errors import InputError, UnsupportedError, check_type, unknown_name
from cpfill.base.texts import say
from cpfill.engines.options import OPTIONS

if TYPE_CHECKING:
    from cpfill.base.reading import Field
    from cpfill.engines.contract import Engine, Plugin

ENGINES = {
    "auto": "cpfill.engines.auto:PortfolioEngine",
    "cpsat": "cpfill.engines.cpsat.engine:CpsatEngine",
    "fc": "cpfill.engines.backtrack.engine:FcEngine",
    "fc-cbj": "cpfill.engines.backtrack.engine:FcCbjEngine",
    "letters": "cpfill.engines.letters.engine:LettersEngine",
    "mac": "cpfill.engines.mac.engine:MacEngine",
    "scaffold": "cpfill.engines.weaving:ScaffoldEngine",
    "weave": "cpfill.engines.weaving:WeaveEngine",
}
"""The module and class of each engine, by name."""

DEFAULT_ENGINE = "auto"

COUNTING_ENGINE = "letters"
"""The engine that counts fills by default."""


PROBING_ENGINE = "mac"
"""The engine that answers questions about slots and cells."""


def engine_class(name: str) -> type[Engine]:
    """Return the class of an engine of cpfill or of another package.

    Raises:
        InputError: no engine has that name, or it cannot be loaded.
    """
    if name not in ENGINES:
        return _find_plugin(name).load()
    module, _, attribute = ENGINES[name].partition(":")
    return cast("type[Engine]", getattr(import_module(module), attribute))


def options_of(name: str) -> dict[str, Field]:
    """Return the options of an engine by name, without importing it.

    For an engine of another package, import its class and return the class's `OPTIONS`.

    Raises:
        InputError: no engine has that name, or it cannot be loaded.
    """
    return {option.name: option for option in _declared_by(name)}


def _declared_by(name: str) -> tuple[Field, ...]:
    if name in ENGINES:
        return OPTIONS.get(name, ())
    declared: tuple[Field, ...] = getattr(engine_class(name), "OPTIONS", ())
    return declared


def list_options() -> dict[Field, list[str]]:
    """Return every option with the engines that have it."""
    owners: dict[Field, list[str]] = {}
    for engine in ENGINES:
        for option in options_of(engine).values():
            owners.setdefault(option, []).append(engine)
    return owners


def tabulate_options() -> list[tuple[str, str, str, str]]:
    """Return the rows of a table of all options: the engines, the option, its values, its help text.

    The name of an option is its flag, or the argument of `make_engine` if the option is not on the command line.
    """
    table = []
    for option, engines in list_options().items():
        name = option.name
        if option.on_command_line:
            name = option.long_flag
        table.append((", ".join(engines), name, option.values, option.help))
    return table


def make_engine(name: str, **options: Any) -> Engine:
    """Return an engine with these options.

    Raises:
        InputError: no engine has that name, or an option does not take its value.
        UnsupportedError: the engine has no such option.
        TypeError: the name is not a string.
        EngineError: the constructor of an engine of another package raised an exception.
    """
    check_type(name, str, "the name of an engine")
    known = options_of(name)
    for option, value in options.items():
        if option not in known:
            raise _refuse_option(name, option)
        known[option].check(value)
    chosen = engine_class(name)
    if name in ENGINES:
        return chosen(**options)
    from cpfill.engines.contract import blaming

    with blaming(chosen):
        return chosen(**options)


def _refuse_option(name: str, option: str) -> UnsupportedError:
    """Return the error for an option that an engine lacks; it names the engines that have the option."""
    owners = [other for other in ENGINES if option in options_of(other)]
    hint = say("no engine has it")
    if owners:
        hint = say("engines that have it: {owners}", owners=", ".join(owners))
    flag = option.replace("_", "-")
    return UnsupportedError(say("engine {name} has no option --{value}; {hint}", name=name, value=flag, hint=hint))


def _find_plugin(name: str) -> Plugin:
    """Return the engine of another package."""
    from cpfill.engines.contract import list_plugins

    plugins = list_plugins(ENGINES)
    if name not in plugins:
        raise InputError(unknown_name(say("an engine"), name, [*ENGINES, *plugins]))
    return plugins[name]
