"""The engines: a registry of names, each imported when it is asked for."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from cpfill.errors import InputError, UnsupportedError, unknown_name

if TYPE_CHECKING:
    from cpfill.engines.contract import Engine

ENGINES = {
    "auto": "cpfill.engines.auto.engine:PortfolioEngine",
    "cpsat": "cpfill.engines.cpsat.engine:CpsatEngine",
    "fc": "cpfill.engines.backtrack.engine:FcEngine",
    "fc-cbj": "cpfill.engines.backtrack.engine:FcCbjEngine",
    "letters": "cpfill.engines.letters.engine:LettersEngine",
    "mac": "cpfill.engines.mac.engine:MacEngine",
    "scaffold": "cpfill.engines.stacking.engine:ScaffoldEngine",
    "weave": "cpfill.engines.stacking.engine:WeaveEngine",
}
"""Where each engine's class stands, by name."""

DEFAULT_ENGINE = "auto"

COUNTING_ENGINE = "letters"
"""The one that counts, if no other is asked for."""


def engine_class(name: str) -> type[Engine]:
    """Return the class of an engine.

    Raises:
        InputError: there is no engine of that name.
    """
    if name not in ENGINES:
        raise InputError(unknown_name("an engine", name, ENGINES))
    module, _, attribute = ENGINES[name].partition(":")
    return cast("type[Engine]", getattr(import_module(module), attribute))


def options_of(name: str) -> frozenset[str]:
    """Return the names of an engine's options."""
    return frozenset(inspect.signature(engine_class(name)).parameters)


def make_engine(name: str, **options: Any) -> Engine:  # noqa: ANN401
    """Return an engine with these options.

    Raises:
        InputError: there is no engine of that name, or an option has a value it does not know.
        UnsupportedError: the engine has no such option.
    """
    cls = engine_class(name)
    for option in options:
        if option not in options_of(name):
            owners = [other for other in ENGINES if option in options_of(other)]
            hint = f"engines that have it: {', '.join(owners)}" if owners else "no engine has it"
            raise UnsupportedError(f"engine {name} has no option --{option.replace('_', '-')}; {hint}")
    return cls(**options)
