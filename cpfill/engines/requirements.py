"""Checks, before any search, that an engine has the features of a task. The error names the engines that have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.base.errors import UnsupportedError
from cpfill.base.texts import say
from cpfill.engines.contract import ProbingEngine, required_features
from cpfill.engines.registry import ENGINES, PROBING_ENGINE, engine_class

if TYPE_CHECKING:
    from cpfill.engines.contract import Engine
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits


def require_features(engine: type[Engine] | Engine, problem: Problem, limits: Limits) -> None:
    """Check that an engine has the features that a task needs."""
    features = required_features(problem, limits)
    if not features <= engine.features:
        able = ", ".join(name for name in ENGINES if features <= engine_class(name).features)
        missing = say(" and ").join(say(feature) for feature in sorted(features - engine.features))
        raise UnsupportedError(
            say(
                "engine {name} cannot {missing}; engines that can: {able}",
                name=engine.name,
                missing=missing,
                able=able or say("none"),
            )
        )


def require_probing(engine: Engine) -> ProbingEngine:
    """Return the engine, if it answers questions about parts of a problem."""
    if isinstance(engine, ProbingEngine):
        return engine
    raise UnsupportedError(
        say(
            "engine {name} cannot judge candidates; {probing_engine} can",
            name=engine.name,
            probing_engine=PROBING_ENGINE,
        )
    )
