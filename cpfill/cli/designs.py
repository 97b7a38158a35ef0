"""Designs as `cpfill generate` shows them: what is found on the way, and the best ones in the end."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from cpfill.base.texts import say
from cpfill.cli.exits import warn
from cpfill.cli.interrupts import HOLD
from cpfill.cli.render import Ticker, on_terminal
from cpfill.problem.criteria import describe_gap, describe_value, value_to_json
from cpfill.problem.event import StopReason
from cpfill.problem.result import SolveResult, Status
from cpfill.questions.generate import Ranking

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from cpfill.cli.output import Output
    from cpfill.problem.fill import Fill
    from cpfill.problem.problem import Problem
    from cpfill.questions.generate import Design

    Write = Callable[[tuple[Problem, Fill], dict[str, Any]], None]
    """Prints a grid with its fill; a JSON line has some more keys."""


def follow_designs(
    stream: Generator[Design, None, StopReason], most: int, write: Write, out: Output, *, as_json: bool, quiet: bool
) -> SolveResult:
    """Follow the search for designs, then print the best `most` of them, and return what it all comes to."""
    ranking, ticker, start_s = Ranking(most), Ticker(shown=on_terminal() and not quiet), time.monotonic()
    reason = StopReason.INTERRUPTED
    try:
        while True:
            ticker.say(_tell_progress(ranking, time.monotonic() - start_s))
            design = next(stream)
            with HOLD:
                ranking.add(design)
                if as_json:
                    out.write(json.dumps({"event": "improved", **_record(design)}) + "\n")
    except StopIteration as end:
        reason = end.value
    except KeyboardInterrupt:
        pass  # the best of what was found are printed
    finally:
        ticker.clear()
        stream.close()
    with HOLD:
        for design in ranking.best:
            if not (quiet or as_json):
                warn(
                    say(
                        "design {number} of {all}: {design}",
                        number=design.number,
                        all=len(ranking.all),
                        design=_describe(design),
                    )
                )
            assert design.result.fill is not None
            write((design.problem, design.result.fill), _record(design))
    status = Status.of(found=bool(ranking.best), exhausted=reason is StopReason.EXHAUSTED, optimising=True)
    return SolveResult(status, reason, engine="generate", fills=len(ranking.best))


def _record(design: Design) -> dict[str, Any]:
    """Return what is known of a design as JSON has it."""
    result = design.result
    values = {"value": value_to_json(result.value), "bound": value_to_json(result.bound)}
    return {"design": design.number, **values, "proved": design.proved}


def _describe(design: Design) -> str:
    """Return in words what the best fill of a design is worth, and whether a better one is possible."""
    result = design.result
    if design.proved or result.bound is None or result.bound == result.value:
        said = describe_value(result.measures, design.value)
        return say("{said}, the best of this grid", said=said) if design.proved else said
    return describe_gap(result.measures, design.value, result.bound)


def _tell_progress(ranking: Ranking, seconds: float) -> str:
    best = "".join(f"\ndesign {design.number}: {_describe(design)}" for design in ranking.best)
    return say(
        "generating, {seconds:.0f} s, designs so far: {all}{best}", seconds=seconds, all=len(ranking.all), best=best
    )
