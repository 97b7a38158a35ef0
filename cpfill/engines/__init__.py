"""The searches. The names here are those of the registry and of the options; an engine is imported when it is used."""

from __future__ import annotations

from cpfill.engines.options import AC3, FORMULATION, ORDER, RESTARTS, SHUFFLE
from cpfill.engines.registry import (
    COUNTING_ENGINE,
    DEFAULT_ENGINE,
    ENGINES,
    PROBING_ENGINE,
    engine_class,
    list_options,
    make_engine,
    options_of,
    tabulate_options,
)

__all__ = [
    "AC3",
    "COUNTING_ENGINE",
    "DEFAULT_ENGINE",
    "ENGINES",
    "FORMULATION",
    "ORDER",
    "PROBING_ENGINE",
    "RESTARTS",
    "SHUFFLE",
    "engine_class",
    "list_options",
    "make_engine",
    "options_of",
    "tabulate_options",
]
