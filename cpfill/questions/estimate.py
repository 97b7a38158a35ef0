"""The expected number of fills of a grid, and the expected number of backtracking steps.

The steps follow J.-S. Gonsette, "La longue voie du backtracking" and "De la bonne façon de paver sa grille", 2019; the
engines `weave` and `scaffold` are the two better methods of these articles. Filling an empty square of S x S cells from
N words is a Markov chain. Its state is the number of words placed: the next word is placed with a probability that
depends only on the state; otherwise the last word is taken back. The model assumes that letters are independent, so
that two of them agree with the probability of coincidence p, the sum of the squares of their frequencies. The article
takes p over a whole dictionary, this module over the words that fit the square. The result is an order of magnitude;
large numbers are given as decimal logarithms.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from statistics import median_low
from typing import TYPE_CHECKING

from cpfill.base.texts import say
from cpfill.engines import PROBING_ENGINE
from cpfill.engines.requirements import require_probing
from cpfill.engines.search import resolve_engine, settle
from cpfill.problem.limits import Limits
from cpfill.problem.result import SolveResult, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cpfill.engines.contract import Engine
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.grid import Grid


def log10_fills(problem: Problem) -> float:
    """Return log10 of the expected number of fills if letters are independent.

    The number is the product of each slot's words and each crossing's chance.

    The chance that two slots agree on a cell comes from letter frequencies by position, among the words that fit their
    givens, letter sets and minimum score. Minus infinity if no fill can exist. C3 and the other rules on words that do
    not cross are ignored.
    """
    tables, domains = problem.tables, problem.domains
    logs = [_log10(domain.bit_count()) for domain in domains]
    for x in problem.grid.crossings:
        across, down = domains[x.across], domains[x.down]
        pairs = zip(tables[x.across].masks(x.across_pos), tables[x.down].masks(x.down_pos), strict=True)
        agree = sum((across & a).bit_count() * (down & d).bit_count() for a, d in pairs)
        if not agree:
            return -math.inf
        logs.append(_log10(Fraction(agree, across.bit_count() * down.bit_count())))
    return math.fsum(logs)


DOUBT = 0.1
"""The possible excess of `log10_by_beliefs`, in orders of magnitude per slot."""


def log10_by_beliefs(problem: Problem) -> float:
    """Return log10 of the expected number of fills by belief propagation, which models dependent letters.

    It may be off by orders of magnitude, and more so on larger grids. Minus infinity if arc consistency proves that no
    fill exists.
    """
    chosen = require_probing(resolve_engine(PROBING_ENGINE))
    return chosen.probe(problem, 0).expect()


def is_doubtful(problem: Problem, log10: float) -> bool:
    """Return whether a fill is unlikely, given the log10 from belief propagation; this proves nothing.

    Among a hundred real 15x15 grids, those that no engine decided had 10^-18 to 10^8 expected fills, ordinary ones
    10^30.
    """
    return log10 < DOUBT * len(problem.slots)


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
    def log10_letters(self) -> float:
        """The letters that scaffolding tries, by the article's rule of thumb: 10 S per step."""
        return self.scaffold.log10_steps + math.log10(10 * self.size)


def why_no_chain(grid: Grid) -> str | None:
    """Return why the chains do not apply to a grid; they need an empty square with one slot per line."""
    if grid.height != grid.width:
        return say("it is {height} x {width}, not square", height=grid.height, width=grid.width)
    if any(cell == 0 for cell in grid.cells):
        return say("it has blocks")
    if grid.bars:
        return say("it has bars")
    if grid.open_slots:
        return say("it has open slots")
    if grid.rebus or any(cell != grid.alphabet.full for cell in grid.cells):
        return say("it has givens or letter sets")
    return None


def square_estimate(problem: Problem) -> SquareEstimate:
    """Return the estimate for an empty square, one for which `why_no_chain` returns `None`."""
    size, table = problem.grid.width, problem.tables[0]
    words = table.words[: problem.domains[0].bit_count()]  # a minimum score keeps the first words of the table
    letters = "".join(words)
    counts = [letters.count(letter) for letter in set(letters)]
    coincidence = sum((count / len(letters)) ** 2 for count in counts)
    means = tuple(len(words) / max(1, len({word[:end] for word in words})) for end in range(size))
    column = _any(coincidence**size, len(words))
    return SquareEstimate(
        size,
        len(words),
        coincidence,
        means,
        -size * _log10(column),
        weave_chain(size, len(words), coincidence),
        scaffold_chain(size, len(words), coincidence, means),
    )


def weave_chain(size: int, words: int, coincidence: float) -> Chain:
    """Return the chain of weaving: 2 S words; row i has i given letters, and column i has i + 1."""
    given = [count for i in range(size) for count in (i, i + 1)]
    return _chain([_any(coincidence**count, words) for count in given])


def scaffold_chain(size: int, words: int, coincidence: float, prefix_means: Sequence[float]) -> Chain:
    """Return the chain of scaffolding: row i fits if each letter agrees with one of the M(S, i) words of its column."""
    fits = [_any(coincidence, mean) ** size for mean in prefix_means]
    return _chain([_any(fit, words) for fit in fits])


def _any(chance: float, tries: float) -> float:
    """Return 1 - (1 - chance)^tries, the probability that one of the tries succeeds, exact for the smallest chances."""
    return float(tries > 0) if chance >= 1 else abs(math.expm1(tries * math.log1p(-chance)))


def _chain(success: Sequence[float]) -> Chain:
    steps = expected_steps(success)
    return Chain(tuple(success), math.inf if steps is None else _log10(steps))


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
    constants, factors = [Fraction(0)], [Fraction(0)]
    for forward in map(Fraction, success):
        back = 1 - forward
        pivot = 1 - back * factors[-1]
        constants.append((1 + back * constants[-1]) / pivot)
        factors.append(forward / pivot)
    steps = Fraction(0)
    for constant, factor in zip(reversed(constants[1:]), reversed(factors[1:]), strict=True):
        steps = constant + factor * steps
    return steps


@dataclass(frozen=True, slots=True)
class Measurement:
    """The actual effort of an engine: one result per seed."""

    results: tuple[SolveResult, ...]

    @property
    def settled(self) -> int:
        """The number of runs that found a fill or proved that no fill exists."""
        return sum(result.status is not Status.UNKNOWN for result in self.results)

    @property
    def median(self) -> SolveResult:
        """The median run by steps, the lower of two; an unsettled run ranks above all settled ones."""
        order = [(r.status is Status.UNKNOWN, steps_of(r), index) for index, r in enumerate(self.results)]
        return self.results[median_low(order)[-1]]


def steps_of(result: SolveResult) -> int:
    """Return the steps of a search as the chains count them: words placed and words taken back."""
    return result.stats.nodes + result.stats.backtracks


def measure(problem: Problem, engine: Engine | str, time_s: float | None, seeds: Iterable[int]) -> Measurement:
    """Fill the grid once per seed, within `time_s` seconds each."""
    return [Measurement(()), *measure_in_steps(problem, engine, time_s, seeds)][-1]


def measure_in_steps(
    problem: Problem, engine: Engine | str, time_s: float | None, seeds: Iterable[int]
) -> Iterator[Measurement]:
    """Yield the measurement after each run of `measure`."""
    results: tuple[SolveResult, ...] = ()
    for seed in seeds:
        results += (settle(problem, engine=engine, limits=Limits(time_s=time_s, seed=seed)),)
        yield Measurement(results)


def _log10(number: Fraction | float) -> float:
    """Return the decimal logarithm, even of a ratio of numbers too large for floats."""
    if not number:
        return -math.inf
    ratio = Fraction(number)
    return math.log10(ratio.numerator) - math.log10(ratio.denominator)
