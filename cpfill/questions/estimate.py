"""The expected number of fills of a grid, and the expected number of backtracking steps.

The steps follow J.-S. Gonsette, "La longue voie du backtracking" and "De la bonne façon de paver sa grille", 2019; the
engines `weave` and `scaffold` are the two better methods of these articles. Filling an empty square of S x S cells from
N words is a Markov chain. Its state is the number of words placed: the next word is placed with a probability that
depends only on the state; otherwise the last word is taken back. The model assumes that letters are independent, so
that two of them agree with the probability of coincidence p, the sum of the squares of their frequencies. The article
takes p over a whole dictionary, this module over the words that fit the square. The result is an order of magnitude;
large numbers are given as decimal logarithms.

The number of fills is also estimated without bias from random draws, with a confidence interval. Each draw has a
weight, the number of fills it stands for; a dead end has weight 0. The expected weight is the number of fills (see
`cpfill.engines.mac.probes`). Draws obey every rule, so a single fill that is drawn proves that one exists.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import COUNT, RUNS, SEED, InputError, expected
from cpfill.base.reading import Field, asked, asked_number, asked_time, read_flag
from cpfill.base.texts import later, say
from cpfill.engines import PROBING_ENGINE, make_engine
from cpfill.engines.audited import audit, settle
from cpfill.engines.contract import SamplingEngine
from cpfill.engines.requirements import require_probing
from cpfill.problem.result import Deadline, Limits, Outcome, SolveResult, Status
from cpfill.questions.question import Done, Part, Question
from cpfill.words.curate.prefixes import prefix_means

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from cpfill.engines.contract import Engine
    from cpfill.problem.fill import Fill
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Grid, SlotId
    from cpfill.questions.question import Desk
    from cpfill.questions.record_types import EstimateRecord, MeasuredRecord, RunRecord

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
        effective: the number of equal draws with the same information: (Σ w)² / Σ w², with the weights w.
        log10_fills: the estimate, the mean of all weights; minus infinity if no draw reached a fill.
        log10_low: the lower end of the interval; minus infinity if it has no lower end.
        log10_high: the upper end; infinity if it has no upper end.
        refuted: whether it is proved that no fill exists.
        fill: the first fill drawn; it proves that one exists.
    """

    draws: int
    found: int
    effective: float
    log10_fills: float
    log10_low: float
    log10_high: float
    refuted: bool
    fill: Fill | None


def sample(problem: Problem, *, limits: Limits, draws: int | None = None) -> Iterator[Sample]:
    """Yield the estimate before the first draw and after each, until `draws` of them or as long as time is left.

    From `limits` it uses the time, the seed and the token; the same seed gives the same draws. A proof that no fill
    exists also ends the draws. A draw cut short by the time limit does not count.

    Raises:
        InvalidFillError: a fill that was drawn breaks a rule.
    """
    engine = make_engine(SAMPLING_ENGINE)
    assert isinstance(engine, SamplingEngine)
    deadline = Deadline(limits.time_s, limits.stop)
    chance = Random(limits.seed)  # noqa: S311
    sampler = engine.sampler(problem)
    weights = Weights()
    first: Fill | None = None
    while True:
        low, high = weights.interval()
        yield Sample(
            draws=weights.draws,
            found=weights.found,
            effective=weights.effective,
            log10_fills=weights.log_mean / math.log(10),
            log10_low=low / math.log(10),
            log10_high=high / math.log(10),
            refuted=sampler.refuted,
            fill=first,
        )
        if sampler.refuted or weights.draws == draws:
            return
        outcome, log, fill = sampler.draw(chance, deadline)
        if outcome is Outcome.UNKNOWN:
            return
        if fill is not None:
            audit(problem, engine.name, fill)
            first = first or fill
        weights.add(log)


class Weights:
    """The sums over draws from which an interval is computed; each weight is given by its natural logarithm.

    The sums are in units of the greatest weight, because weights may overflow floats.
    """

    def __init__(self) -> None:
        self.draws = 0
        self.found = 0
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
        if not self.found:
            return -math.inf
        return self._unit + math.log(self._sums[0] / self.draws)

    @property
    def effective(self) -> float:
        """The number of equal draws with the same information."""
        if not self.found:
            return 0.0
        total, squares, _ = self._sums
        return total**2 / squares

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
        low = self._log(mean - error * _unskew(_Z, skew))
        high = self._log(mean - error * _unskew(-_Z, skew))
        return max(least, low), max(least, high)

    def _log(self, number: float) -> float:
        if number <= 0:
            return -math.inf
        return self._unit + math.log(number)


def _unskew(z: float, skew: float) -> float:
    """Return Hall's inverse transformation: the studentised mean of skewness `skew` that corresponds to a normal z."""
    if abs(skew) < 1e-6:
        return z
    return 3 / skew * (math.cbrt(1 + skew * (z - skew / 6)) - 1)


def log10_fills(problem: Problem) -> float:
    """Return log10 of the expected number of fills if letters are independent.

    The number is the product of each slot's words and each crossing's chance.

    The chance that two slots agree on a cell comes from letter frequencies by position, among the words that fit their
    givens, letter sets and minimum score. Minus infinity if no fill can exist. C3 and the other rules on words that do
    not cross are ignored.
    """
    tables = problem.tables
    domains = problem.domains
    logs = [take_log10(domain.bit_count()) for domain in domains]
    for x in problem.grid.agreements:
        across = domains[x.across]
        down = domains[x.down]
        pairs = zip(tables[x.across].masks(x.across_pos), tables[x.down].masks(x.down_pos), strict=True)
        agree = sum((across & a).bit_count() * (down & d).bit_count() for a, d in pairs)
        if not agree:
            return -math.inf
        logs.append(take_log10(Fraction(agree, across.bit_count() * down.bit_count())))
    return math.fsum(logs)


DOUBT = 0.1
"""The possible excess of `log10_by_beliefs`, in orders of magnitude per slot."""


def log10_by_beliefs(problem: Problem) -> float:
    """Return log10 of the expected number of fills by belief propagation, which models dependent letters.

    It may be off by orders of magnitude, and more so on larger grids. Minus infinity if arc consistency proves that no
    fill exists.
    """
    return require_probing(make_engine(PROBING_ENGINE)).probe(problem, 0).expect()


def is_doubtful(problem: Problem, log10: float) -> bool:
    """Return whether a fill is unlikely, given the log10 from belief propagation; this proves nothing.

    Only slots on cycles of empty cells add to the excess.

    Among a hundred real 15x15 grids, those that no engine decided had 10^-18 to 10^8 expected fills, ordinary ones
    10^30.
    """
    return log10 < DOUBT * len(_find_cyclic(problem.grid))


def _find_cyclic(grid: Grid) -> set[SlotId]:
    """Return the slots that are left when no slot is that crosses fewer than two others at empty cells."""
    crossed: dict[SlotId, set[SlotId]] = {slot.id: set() for slot in grid.slots}
    for cell, each in zip(grid.crossed_cells, grid.crossings, strict=True):
        if not grid.givens[cell]:
            crossed[each.across].add(each.down)
            crossed[each.down].add(each.across)
    left = set(crossed)
    loose = set(crossed)
    while loose:
        loose = {slot for slot in left if len(crossed[slot] & left) < 2}
        left -= loose
    return left


@dataclass(frozen=True, slots=True)
class Chain:
    """One method as a Markov chain: the probability that each word can be placed, and the expected steps.

    A step is a word placed or taken back. `log10_steps` is infinite if some word can never be placed.
    """

    success: tuple[float, ...]
    log10_steps: float


@dataclass(frozen=True, slots=True)
class SquareEstimate:
    """The estimate for an empty square.

    Attributes:
        size: S, the cells of a row.
        words: N, the words that fit a row.
        coincidence: p, the chance that two letters of these words agree.
        prefix_means: M(S, i), for i from 0 to S - 1 the mean number of words with the same first i letters.
        log10_naive: the expected number of random choices of S rows until the columns are words, too.
        weave: the chain that places rows and columns in turn.
        scaffold: the chain that places rows only, each of which leaves every column a word.
    """

    size: int
    words: int
    coincidence: float
    prefix_means: tuple[float, ...]
    log10_naive: float
    weave: Chain
    scaffold: Chain

    @property
    def log10_grids(self) -> float:
        """The ways to choose S words, one for each row."""
        return self.size * take_log10(self.words)

    @property
    def log10_letters(self) -> float:
        """The letters that scaffolding tries, by the article's rule of thumb: 10 S per step."""
        return self.scaffold.log10_steps + math.log10(10 * self.size)


def why_no_chain(grid: Grid) -> str | None:
    """Return why the chains do not apply to a grid; they need an empty square with one slot per line."""
    if grid.height != grid.width:
        return say("it is {height} x {width}, not square", height=grid.height, width=grid.width)
    reasons = {
        later("it has blocks"): 0 in grid.cells,
        later("it has bars"): grid.bars,
        later("it has open slots"): grid.open_slots,
        later("it has tied cells"): grid.ties,
        later("it has givens or letter sets"): grid.rebus or set(grid.cells) != {grid.alphabet.full},
    }
    return next((say(reason) for reason, holds in reasons.items() if holds), None)


def square_estimate(problem: Problem) -> SquareEstimate:
    """Return the estimate for an empty square, one for which `why_no_chain` returns `None`."""
    size = problem.grid.width
    table = problem.tables[0]
    words = table.words[: problem.domains[0].bit_count()]  # a minimum score keeps the first words of the table
    count = len(words)
    letters = "".join(words)
    coincidence = sum((letters.count(letter) / len(letters)) ** 2 for letter in set(letters))
    means = prefix_means(words, size)
    column = _any(coincidence**size, count)
    return SquareEstimate(
        size=size,
        words=count,
        coincidence=coincidence,
        prefix_means=means,
        log10_naive=-size * take_log10(column),
        weave=weave_chain(size, count, coincidence),
        scaffold=scaffold_chain(size, count, coincidence, means),
    )


def weave_chain(size: int, words: int, coincidence: float) -> Chain:
    """Return the chain of weaving: 2 S words; row i has i given letters, and column i has i + 1."""
    success: list[float] = []
    for i in range(size):
        success.append(_any(coincidence**i, words))
        success.append(_any(coincidence ** (i + 1), words))
    return _chain(success)


def scaffold_chain(size: int, words: int, coincidence: float, prefix_means: Sequence[float]) -> Chain:
    """Return the chain of scaffolding: row i fits if each letter agrees with one of the M(S, i) words of its column."""
    fits = [_any(coincidence, mean) ** size for mean in prefix_means]
    return _chain([_any(fit, words) for fit in fits])


def _any(chance: float, tries: float) -> float:
    """Return 1 - (1 - chance)^tries, the probability that one of the tries succeeds, exact for the smallest chances."""
    if chance >= 1:
        return float(tries > 0)
    return abs(math.expm1(tries * math.log1p(-chance)))


def _chain(success: Sequence[float]) -> Chain:
    steps = expected_steps(success)
    return Chain(tuple(success), math.inf if steps is None else take_log10(steps))


def expected_steps(success: Sequence[float]) -> Fraction | None:
    """Return the mean number of steps from no word to the last one; `None` if that state is never reached.

    `success[i]` is the probability of going from i words to i + 1; otherwise the chain goes back to i - 1, and from 0
    it ends without a fill. Let Q be the transitions between the states before the last. The mean is the sum of the
    first row of the fundamental matrix (I - Q)^-1 (C. M. Grinstead and J. L. Snell, Introduction to Probability, 1997,
    theorem 11.5). It is computed as the first unknown of (I - Q) t = 1, by elimination in exact numbers, because it may
    be any power of ten.
    """
    if not all(success):
        return None
    # After elimination row i says: t[i] = constants[i] + factors[i] * t[i + 1].
    constants = [Fraction(0)]
    factors = [Fraction(0)]
    for forward in map(Fraction, success):
        back = 1 - forward
        pivot = 1 - back * factors[-1]
        constants.append((1 + back * constants[-1]) / pivot)
        factors.append(forward / pivot)
    steps = Fraction(0)
    for constant, factor in zip(reversed(constants[1:]), reversed(factors[1:]), strict=True):
        steps = constant + factor * steps
    return steps


def expected_visits(success: Sequence[float]) -> list[Fraction] | None:
    """Return how often each state of such a chain is visited; `None` if the last word is never placed.

    These are the first row of the fundamental matrix. The flow from a state to the next, less the flow back, is the
    same for all states: the probability of an end with all words.
    """
    if not all(success):
        return None
    chances = list(map(Fraction, success))
    shares: list[Fraction] = []  # the visits of each state, last to first, per end with all words
    returns = [Fraction(0)]  # likewise, the moves back to each state
    for forward in reversed(chances):
        shares.append((1 + returns[-1]) / forward)
        returns.append(shares[-1] * (1 - forward))
    return [share / (shares[-1] - returns[-2]) for share in reversed(shares)]


def steps_of(result: SolveResult) -> int:
    """Return the steps of a search as the chains count them: words placed and words taken back."""
    return result.stats.nodes + result.stats.backtracks


def find_median(results: Sequence[SolveResult]) -> SolveResult:
    """Return the run with the median number of steps, the lower of two; unsettled runs rank above all settled ones."""
    ranked = sorted(results, key=lambda result: (result.status is Status.UNKNOWN, steps_of(result)))
    return ranked[(len(ranked) - 1) // 2]


def measure(
    problem: Problem, engine: Engine | str, time_s: float | None, seeds: Iterable[int]
) -> Iterator[tuple[SolveResult, ...]]:
    """Fill the grid once per seed, within `time_s` seconds each; yield the results so far after each run."""
    results: tuple[SolveResult, ...] = ()
    for seed in seeds:
        results += (settle(problem, engine=engine, limits=Limits(time_s=time_s, seed=seed)),)
        yield results


def take_log10(number: Fraction | float) -> float:
    """Return the decimal logarithm, even of a ratio of numbers too large for floats."""
    if not number:
        return -math.inf
    ratio = Fraction(number)
    return math.log10(ratio.numerator) - math.log10(ratio.denominator)


_TIME_S = 10.0
_RUNS = 5
METHODS = ("weave", "scaffold")
"""The engines whose steps the chains estimate."""


@dataclass(frozen=True, slots=True)
class Estimated(Part):
    """The estimate so far; it replaces the one before."""

    record: EstimateRecord


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Estimate(Question):
    """The expected number of fills; for an empty square, also the expected steps of backtracking."""

    IMPROVES = True

    measure: bool = asked(
        Field(read_flag, "Also run the engines weave and scaffold, and count their steps.", option=bool), default=False
    )
    sample: bool = asked(
        Field(read_flag, "Also draw fills at random under all rules, for a confidence interval.", option=bool),
        default=False,
    )
    time_limit: float | None = asked_time(
        help=f"With --measure: for each run; --sample: for each grid; {_TIME_S:g}s by default."
    )
    runs: int | None = asked_number(RUNS, help=f"With --measure: runs of each engine; {_RUNS} by default.")
    draws: int | None = asked_number(COUNT, help="With --sample: at most N draws.")
    seed: int = asked_number(
        SEED, 0, help="For the draws and the first run; one more for each further run.", section="Limits"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.draws is not None and not self.sample:
            raise _needs("--draws", "--sample")
        if self.runs is not None and not self.measure:
            raise _needs("--runs", "--measure")

    def answer(self, desk: Desk) -> Generator[Estimated | Done]:
        """Yield the estimate, then repeatedly with the results of draws and runs so far."""
        finished = False
        with suppress(KeyboardInterrupt):
            for record in self._estimate(desk.pose(self.request, every=True)):
                yield Estimated(record)
            finished = True
        yield Done(interrupted=not finished)

    def _estimate(self, problem: Problem) -> Iterator[EstimateRecord]:
        """Yield the estimate as JSON, then repeatedly with the results of draws and runs so far."""
        record = _estimated(problem)
        yield record
        if self.sample:
            for sampled in self._sample(problem, record):
                yield sampled
                record = sampled
        if self.measure:
            yield from self._measure(problem, record)

    @property
    def _time_s(self) -> float:
        return _TIME_S if self.time_limit is None else self.time_limit

    def _sample(self, problem: Problem, record: EstimateRecord) -> Iterator[EstimateRecord]:
        """Yield the estimate before the first draw and after each."""
        limits = Limits(time_s=self._time_s, seed=self.seed, stop=self.stop)
        for drawn in sample(problem, limits=limits, draws=self.draws):
            sampled = asdict(replace(drawn, fill=None))
            del sampled["fill"]
            doubtful = record["doubtful"] and not drawn.found
            record = {**record, "sampled": _finite(sampled), "doubtful": doubtful}
            yield record

    def _measure(self, problem: Problem, record: EstimateRecord) -> Iterator[EstimateRecord]:
        """Yield the estimate before the first run and after each."""
        measured: dict[str, MeasuredRecord] = {}
        record = {**record, "measured": measured}
        yield record
        runs = _RUNS if self.runs is None else self.runs
        seeds = [SEED.after(self.seed, run) for run in range(runs)]
        for method in METHODS:
            for found in measure(problem, method, self._time_s, seeds):
                measured = {**measured, method: _measured(found)}
                filled = any(run.fill for run in found)
                record = {**record, "measured": measured, "doubtful": record["doubtful"] and not filled}
                yield record


def _needs(option: str, needed: str) -> InputError:
    """Return the error of an option without the option that it needs."""
    return expected("{option} with {needed}", say("{option} alone", option=option), option=option, needed=needed)


def _estimated(problem: Problem) -> EstimateRecord:
    """Return the estimate as JSON."""
    grid = problem.grid
    believed = log10_by_beliefs(problem)
    why = why_no_chain(grid)
    record: EstimateRecord = _finite(
        {
            "height": grid.height,
            "width": grid.width,
            "slots": len(grid.slots),
            "crossings": len(grid.crossings),
            "log10_fills": log10_fills(problem),
            "log10_by_beliefs": believed,
            "doubtful": is_doubtful(problem, believed),
            "square": None if why else _square_record(square_estimate(problem)),
            "why_no_square": why,
        }
    )
    return record


def _square_record(square: SquareEstimate) -> dict[str, Any]:
    return {**asdict(square), "log10_grids": square.log10_grids, "log10_letters": square.log10_letters}


def _measured(results: Sequence[SolveResult]) -> MeasuredRecord:
    """Return some runs as JSON."""
    return {
        "settled": sum(run.status is not Status.UNKNOWN for run in results),
        "median": _run_record(find_median(results)),
        "runs": [{**_run_record(run), "search_s": run.stats.search_s} for run in results],
    }


def _run_record(run: SolveResult) -> RunRecord:
    return {"status": run.status, "steps": steps_of(run), "letters": run.stats.checks}


def _finite(value: Any) -> Any:
    """Return a value with null for numbers that are not finite."""
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
