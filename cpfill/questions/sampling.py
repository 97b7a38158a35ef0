"""The number of fills, estimated without bias from random draws, with a confidence interval.

Each draw has a weight, the number of fills it stands for; a dead end has weight 0. The expected weight is the number of
fills (see `cpfill.engines.mac.probes`). Draws obey every rule, so a single fill that is drawn proves that one exists.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from cpfill.engines import make_engine
from cpfill.engines.audited import audit
from cpfill.engines.contract import SamplingEngine
from cpfill.problem.result import Deadline, Limits, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.problem.fill import Fill
    from cpfill.problem.problem import Problem

SAMPLING_ENGINE = "mac"
"""The engine that draws."""

ENOUGH = 30.0
"""The effective draws (`Sample.effective`) that an interval needs to have an upper end."""

_Z = 1.959963984540054  # 2.5 % of a normal distribution lie beyond it on either side
_TAIL = 0.025
_EVEN = 1e-12  # of the squared mean: a smaller variance is rounding error


@dataclass(frozen=True, slots=True)
class Sample:
    """An estimate of the number of fills from some draws.

    The interval is for 95 %: P. Hall's transformation of the studentised mean, which allows for skewness ("On the
    removal of skewness by transformation", 1992). Weights may differ by many powers of ten, and no interval accounts
    for heavy draws that did not occur. So if the mean rests on fewer than `ENOUGH` effective draws, the interval has no
    upper end. Even with more draws it can be too low: with log-normal weights of standard deviation 2.5 (natural
    logarithm), 87 of 100 intervals contained the truth.
    The lower end is at least 1, because a fill was found, and at least 1/40 of the mean: by Markov's inequality,
    unbiased draws exceed 40 times the truth with a probability of at most 2.5 %, however skewed they are.

    Attributes:
        draws: the number of draws.
        found: the number of draws that reached a fill.
        log10_fills: the estimate, the mean of all weights; minus infinity if no draw reached a fill.
        log10_low: the lower end of the interval; minus infinity if it has no lower end.
        log10_high: the upper end; infinity if it has no upper end.
        effective: the number of equal draws with the same information: (Σ w)² / Σ w², with the weights w.
        fill: the first fill drawn; it proves that one exists.
        refuted: whether it is proved that no fill exists.
    """

    draws: int
    found: int
    log10_fills: float
    log10_low: float
    log10_high: float
    effective: float
    fill: Fill | None
    refuted: bool


def sample(problem: Problem, *, limits: Limits, draws: int | None = None) -> Sample:
    """Return the estimate from `draws` draws, or from as many as the time limit allows.

    From `limits` it uses the time, the seed and the token; the same seed gives the same draws. A proof that no fill
    exists also ends the draws. A draw cut short by the time limit does not count.

    Raises:
        InvalidFillError: a fill that was drawn breaks a rule.
    """
    (last,) = deque(sample_in_steps(problem, limits=limits, draws=draws), maxlen=1)
    return last


def sample_in_steps(problem: Problem, *, limits: Limits, draws: int | None = None) -> Iterator[Sample]:
    """Yield the estimate so far, before the first draw and after each; the last one is the result of `sample`.

    Raises:
        InvalidFillError: a fill that was drawn breaks a rule.
    """
    engine = make_engine(SAMPLING_ENGINE)
    assert isinstance(engine, SamplingEngine)
    deadline, chance = Deadline(limits.time_s, limits.stop), Random(limits.seed)  # noqa: S311
    sampler, tally, first = engine.sampler(problem), Tally(), None
    while True:
        low, high = tally.interval()
        yield Sample(
            draws=tally.draws,
            found=tally.found,
            log10_fills=tally.log_mean / math.log(10),
            log10_low=low / math.log(10),
            log10_high=high / math.log(10),
            effective=tally.effective,
            fill=first,
            refuted=sampler.refuted,
        )
        if sampler.refuted or (draws is not None and tally.draws >= draws):
            return
        outcome, log, fill = sampler.draw(chance, deadline)
        if outcome is Outcome.UNKNOWN:
            return
        if fill is not None:
            audit(problem, engine.name, fill)
            first = first or fill
        tally.add(log)


class Tally:
    """The sums over draws from which an interval is computed; each weight is given by its natural logarithm.

    The sums are in units of the greatest weight, because weights may overflow floats.
    """

    def __init__(self) -> None:
        self.draws = self.found = 0
        self._unit = -math.inf
        self._sums = [0.0, 0.0, 0.0]  # of the weights, their squares, their cubes

    def add(self, log: float) -> None:
        """Add the weight of a draw; minus infinity is a dead end."""
        self.draws += 1
        if log == -math.inf:
            return
        self.found += 1
        if log > self._unit:
            self._sums = [total * math.exp(power * (self._unit - log)) for power, total in enumerate(self._sums, 1)]
            self._unit = log
        self._sums = [total + math.exp(power * (log - self._unit)) for power, total in enumerate(self._sums, 1)]

    @property
    def log_mean(self) -> float:
        """The natural logarithm of the mean; minus infinity if no draw reached a fill."""
        return self._unit + math.log(self._sums[0] / self.draws) if self.found else -math.inf

    @property
    def effective(self) -> float:
        """The number of equal draws with the same information."""
        return self._sums[0] ** 2 / self._sums[1] if self.found else 0.0

    def interval(self) -> tuple[float, float]:
        """Return the natural logarithms of the ends of the interval for 95 %; see `Sample`."""
        if not self.found:
            return -math.inf, math.inf
        least = max(0.0, self.log_mean + math.log(_TAIL))
        if self.effective < ENOUGH:
            return least, math.inf
        mean, square, cube = (total / self.draws for total in self._sums)
        variance = square - mean**2
        if variance <= _EVEN * mean**2:
            return self.log_mean, self.log_mean
        skew = (cube - 3 * mean * square + 2 * mean**3) / variance**1.5 / math.sqrt(self.draws)
        error = math.sqrt(variance / (self.draws - 1))
        low, high = (mean - error * _unskew(z, skew) for z in (_Z, -_Z))
        return max(least, self._log(low)), max(least, self._log(high))

    def _log(self, number: float) -> float:
        return self._unit + math.log(number) if number > 0 else -math.inf


def _unskew(z: float, skew: float) -> float:
    """Return Hall's inverse transformation: the studentised mean of skewness `skew` that corresponds to a normal z."""
    if abs(skew) < 1e-6:
        return z
    return 3 / skew * (math.cbrt(1 + skew * (z - skew / 6)) - 1)
