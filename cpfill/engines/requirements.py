"""What a task takes of an engine, checked before any search; who lacks it names the engines that have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.base.errors import UnsupportedError
from cpfill.engines import ENGINES, PROBING_ENGINE, engine_class
from cpfill.engines.contract import ProbingEngine, required_features

if TYPE_CHECKING:
    from cpfill.engines.contract import Engine
    from cpfill.problem.limits import Limits
    from cpfill.problem.problem import Problem


def require_features(engine: type[Engine] | Engine, problem: Problem, limits: Limits) -> None:
    """Check that an engine has the features a task takes.

    Raises:
        UnsupportedError: it has not.
    """
    features = required_features(problem, limits)
    if not features <= engine.features:
        able = ", ".join(name for name in ENGINES if features <= engine_class(name).features)
        missing = " and ".join(sorted(features - engine.features))
        raise UnsupportedError(f"engine {engine.name} cannot {missing}; engines that can: {able or 'none'}")


def require_probing(engine: Engine) -> ProbingEngine:
    """Return an engine that answers questions about parts of a problem.

    Raises:
        UnsupportedError: this one does not.
    """
    if isinstance(engine, ProbingEngine):
        return engine
    raise UnsupportedError(f"engine {engine.name} tells no candidates; {PROBING_ENGINE} does")
