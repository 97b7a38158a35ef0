"""Estimates: the article's tables, a dense matrix, fills that were counted; draws and their intervals."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpfill import count_fills, make_problem
from cpfill.base.threads import StopToken
from cpfill.engines.audited import search_all, tally
from cpfill.engines.weaving import ScaffoldEngine, WeaveEngine
from cpfill.problem.problem import Problem
from cpfill.problem.result import Limits, Status
from cpfill.questions.estimate import (
    ENOUGH,
    Chain,
    Estimate,
    Sample,
    SquareEstimate,
    Weights,
    expected_steps,
    expected_visits,
    find_median,
    is_doubtful,
    log10_by_beliefs,
    log10_fills,
    measure,
    sample,
    scaffold_chain,
    square_estimate,
    steps_of,
    weave_chain,
    why_no_chain,
)
from cpfill.questions.question import Desk
from cpfill.questions.request import Request
from cpfill.questions.watch import Tries
from cpfill.words.lexicon import Lexicon
from tests.cli.program import words_of
from tests.support import INSTANCES, Question, question
from tests.tables import Case, cases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.words.wordlist import WordList

# J.-S. Gonsette, "De la bonne façon de paver sa grille", 2019. The numbers of words of 5 to 8 letters and the
# probability of coincidence, 7.8 %, stand in the article before it, "La longue voie du backtracking".
WORDS = {5: 6160, 6: 13385, 7: 22596, 8: 31337}
COINCIDENCE = 0.078


def as_published(published: str, number: float) -> bool:
    """Return whether a number is the published one, to its digits."""
    _, _, decimals = published.partition(".")
    unit: float = 10.0 ** -len(decimals)
    return abs(number - float(published)) <= unit / 2


@pytest.mark.parametrize(("size", "published"), [(5, "3.4"), (6, "6.3"), (7, "11"), (8, "17.8")])
def test_the_published_steps_of_weaving(size: int, published: str) -> None:
    assert as_published(published, weave_chain(size, WORDS[size], COINCIDENCE).log10_steps)


@pytest.mark.parametrize(("size", "published"), [(5, "19"), (6, "24.8"), (7, "30.5"), (8, "36.0")])
def test_published_number_of_grids(size: int, published: str) -> None:
    chain = Chain((), 0.0)
    square = SquareEstimate(size, WORDS[size], COINCIDENCE, (), 0.0, chain, chain)
    assert as_published(published, square.log10_grids)


def test_published_steps_follow_from_probabilities() -> None:
    steps = expected_steps([1.0, 1.0, 1.0, 1.0, 0.47, 0.043]) or 0
    assert as_published("3.8", math.log10(steps * 10 * 6))


def test_the_published_probabilities() -> None:
    published = ["1", "1", "1", "1", "1", "0.998", "0.998", "0.39", "0.39", "0.038", "0.038", "0.003"]
    success = weave_chain(6, WORDS[6], COINCIDENCE).success
    assert [as_published(*pair) for pair in zip(published, success, strict=True)] == [True] * 12


def first_row_of_the_fundamental_matrix(success: Sequence[float]) -> list[Fraction]:
    """Return the first row of (I - Q)^-1, inverted as a whole by Gauss and Jordan."""
    size = len(success)
    rows = [[Fraction(int(i == j)) for j in range(size)] * 2 for i in range(size)]
    for state, forward in enumerate(map(Fraction, success)):
        if state + 1 < size:
            rows[state][state + 1] -= forward
        if state > 0:
            rows[state][state - 1] -= 1 - forward
    for pivot in range(size):
        rows[pivot] = [number / rows[pivot][pivot] for number in rows[pivot]]
        for other in set(range(size)) - {pivot}:
            factor = rows[other][pivot]
            rows[other] = [a - factor * b for a, b in zip(rows[other], rows[pivot], strict=True)]
    return rows[0][size:]


@given(st.lists(st.floats(1e-9, 1.0), min_size=1, max_size=7))
def test_the_expected_steps_are_a_row_of_a_matrix(success: list[float]) -> None:
    row = first_row_of_the_fundamental_matrix(success)
    assert expected_visits(success) == row
    assert expected_steps(success) == sum(row)


@pytest.mark.parametrize(
    ("success", "steps"),
    [([1.0, 1.0, 1.0], 3), ([1.0, 0.5], 4), ([1.0, 0.0, 1.0], None)],  # each return costs two steps
)
def test_steps_by_hand(success: list[float], steps: int | None) -> None:
    assert expected_steps(success) == steps


def test_steps_may_be_more_than_a_float_holds() -> None:
    assert (expected_steps([1.0] + [1e-30] * 20) or 0) > 1e300


def test_expected_steps_of_each_word_may_be_huge() -> None:
    words = ["".join(Random(number).choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ", k=18)) for number in range(30)]
    found = [each["log10_expected"] for each in Tries(make_problem("18x18", words=words), "weave").records]
    assert len(found) == 36
    assert all(each is not None for each in found)
    assert max(each or 0 for each in found) > 308


def question_of(case: Case) -> Question:
    return question(*case["rows"], words=case["words"], repeats=case.get("repeats", False))


@cases("unit/questions/cases.toml", "independent")
def test_independent_letters_give_the_number_of_fills(case: Case) -> None:
    asked = question_of(case)
    assert math.isclose(10 ** log10_fills(asked.problem()), len(asked.answer.fills))


@pytest.mark.parametrize(("height", "width", "min_score"), [(3, 3, 50), (3, 4, 45), (4, 4, 50)])
def test_estimates_have_the_right_magnitude(height: int, width: int, min_score: float) -> None:
    words = {
        word: score for word, score in words_of("en-words").items() if len(word) in {height, width} and word.isascii()
    }
    asked = question(*["." * width] * height, words=words, min_score=min_score)
    assert abs(log10_fills(asked.problem()) - math.log10(len(asked.answer.fills))) < 1


def test_beliefs_are_exact_without_cycles() -> None:
    asked = question("...", "#.#", "...", words="ABA ABB BAA AAA AAB BBB", repeats=True)
    assert math.isclose(10 ** log10_by_beliefs(asked.problem()), len(asked.answer.fills), rel_tol=0.02)


def test_beliefs_come_near_the_count() -> None:
    problem = make_problem("4x4", words="en-words")
    counted = math.log10(count_fills("4x4", words="en-words").fills)
    assert abs(log10_by_beliefs(problem) - counted) < 0.5


@pytest.mark.parametrize(("grid", "doubtful"), [("7x7", True), ("5x5", False)])
def test_a_7x7_of_english_words_is_doubtful(grid: str, doubtful: bool) -> None:
    """Another test proves in a minute that no fill exists."""
    problem = make_problem(grid, words="en-words")
    assert is_doubtful(problem, log10_by_beliefs(problem)) is doubtful


@pytest.mark.parametrize("rows", [("ABC", "DEF", "GHI"), ("AB.", "D.F", "GHI"), ("...", "D#F", "GHI")])
def test_a_fill_that_stands_is_not_doubted(rows: tuple[str, ...]) -> None:
    asked = question(*rows, words="ABC DEF GHI ADG BEH CFI")
    assert asked.answer.fills
    problem = asked.problem()
    assert not is_doubtful(problem, log10_by_beliefs(problem))


def test_a_drawn_fill_is_not_doubted() -> None:
    words = ["ABC", "BDE", "CEF", "AAA", "BBB", "DDD", "EEE", "FFF", "FCE"]
    request = Request.of(["...", "...", "..."], words, repeats=True)
    first, *drawn, last = Estimate(request=request, sample=True, draws=200).records(Desk())
    assert (first["doubtful"], last["done"]) == (True, True)
    assert drawn[-1]["sampled"]["found"]
    assert not drawn[-1]["doubtful"]


def test_the_estimate_of_a_square() -> None:
    """2 of the words that score enough begin with A and 1 with B; their letters are A 3 times, B twice and C once."""
    asked = question("..", "..", words={"AA": 9.0, "AB": 9.0, "BC": 9.0, "CC": 1.0, "LONG": 9.0}, min_score=5)
    square = square_estimate(asked.problem())
    assert (square.size, square.words) == (2, 3)
    assert math.isclose(square.coincidence, (9 + 4 + 1) / 36)
    assert square.prefix_means == (3.0, 1.5)
    assert square.weave == weave_chain(2, 3, square.coincidence)
    assert square.scaffold == scaffold_chain(2, 3, square.coincidence, (3.0, 1.5))
    assert math.isclose(square.log10_letters, square.scaffold.log10_steps + math.log10(20))
    column = 1 - (1 - square.coincidence**2) ** 3
    assert math.isclose(square.log10_naive, -2 * math.log10(column))


def test_the_estimate_of_a_square_without_words() -> None:
    square = square_estimate(question("...", "...", "...", words="AB").problem())
    assert square.words == 0
    assert {square.log10_naive, square.weave.log10_steps, square.scaffold.log10_steps} == {math.inf}
    assert {math.copysign(1, chance) for chance in square.weave.success} == {1}


@cases("unit/questions/cases.toml", "chain")
def test_the_chains_are_for_empty_squares(case: Case) -> None:
    why = why_no_chain(question(*case["rows"], words="AA AB BA BB").problem().grid)
    assert case["why"] in (why or "")
    assert (why is None) == (case["why"] == "")


@pytest.mark.parametrize("engine", [WeaveEngine(), ScaffoldEngine()], ids=["weave", "scaffold"])
def test_the_expected_steps_are_near_the_steps_taken(engine: WeaveEngine, english: WordList) -> None:
    grid = question("....", "....", "....", "....", words="AAAA").problem().grid
    problem = Problem(grid, Lexicon([english]))
    square = square_estimate(problem)
    chain = square.scaffold if isinstance(engine, ScaffoldEngine) else square.weave
    *_, measured = measure(problem, engine, None, range(7))
    assert all(run.status is not Status.UNKNOWN for run in measured)
    assert abs(math.log10(steps_of(find_median(measured))) - chain.log10_steps) < 1.5


def test_a_run_without_an_answer_is_the_longest() -> None:
    problem = question("..", "..", words="AB CD BD AC").problem()
    *_, done = measure(problem, WeaveEngine(), None, range(2))
    *_, given_up = measure(problem, WeaveEngine(), 0.0, [0])
    assert [result.status for result in (*done, *given_up)] == [Status.SATISFIED, Status.SATISFIED, Status.UNKNOWN]
    assert find_median((*given_up, *done)) in done
    assert find_median((*given_up, done[0], *given_up)) == given_up[0]


SEEDS = 100
TINY = INSTANCES / "tiny"


def draw(problem: Problem, *, limits: Limits, draws: int | None = None) -> Sample:
    *_, last = sample(problem, limits=limits, draws=draws)
    return last


@pytest.mark.long
@pytest.mark.parametrize("repeats", [False, True])
def test_95_of_100_intervals_hold(repeats: bool) -> None:
    """95 of 100 are expected; 85 or fewer have a chance of under 1 in 10,000."""
    problem = make_problem(TINY / "square.txt", TINY / "three.words.txt", repeats=repeats)
    counted = tally(problem, search_all(problem)).fills
    samples = [draw(problem, limits=Limits(seed=seed), draws=90) for seed in range(SEEDS)]
    exact = math.log10(counted)
    held = sum(each.log10_low <= exact <= each.log10_high for each in samples)
    assert held > 85
    assert all((each.log10_high < math.inf) == (each.effective >= ENOUGH) for each in samples)
    assert sum(each.log10_high < math.inf for each in samples) > SEEDS / 2
    mean = sum(10**each.log10_fills for each in samples) / SEEDS
    assert abs(mean / counted - 1) < 0.1


def test_skewed_draws_are_allowed_for() -> None:
    """Draws whose logarithms are normal, and whose mean is known."""
    sigma, held = 1.5, 0
    for seed in range(200):
        chance, tally = Random(seed), Weights()
        for _ in range(1000):
            tally.add(20 + chance.gauss(-(sigma**2) / 2, sigma))
        low, high = tally.interval()
        assert low < tally.log_mean < high
        held += low <= 20 <= high
    assert held > 170


def test_sums_do_not_overflow() -> None:
    tally = Weights()
    for log in (2000.0, -math.inf, 1000.0, 2000.0, 3000.0):
        tally.add(log)
    assert (tally.draws, tally.found) == (5, 4)
    assert math.isclose(tally.log_mean, 3000 - math.log(5))
    assert math.isclose(tally.effective, 1.0)
    assert tally.interval() == (tally.log_mean - math.log(40), math.inf)


def test_one_draw_of_independent_letters_is_exact() -> None:
    drawn = draw(question("..", "..", words="AA AB BA BB", repeats=True).problem(), limits=Limits(), draws=40)
    assert drawn.found == 40
    assert (drawn.log10_low, drawn.log10_high) == pytest.approx((math.log10(16), math.log10(16)))


@pytest.mark.parametrize(
    "asked", [question("..", "..", words="AB CD"), question("..", "..", words="AA"), question("C.", "..", words="AB")]
)
def test_draws_may_prove_that_there_is_no_fill(asked: Question) -> None:
    drawn = draw(asked.problem(), limits=Limits(time_s=30))
    assert not asked.answer.fills
    assert drawn.refuted
    assert (drawn.found, drawn.fill, drawn.log10_fills) == (0, None, -math.inf)


TRIPLES = question("...", "...", "...", words="ABA BAB AAA BBB ABB BAA").problem()


def test_a_seed_settles_the_draws() -> None:
    first, again = (draw(TRIPLES, limits=Limits(seed=3), draws=50) for _ in range(2))
    assert first == again


def test_limits_end_the_draws() -> None:
    stop = StopToken()
    stop.set()
    assert draw(TRIPLES, limits=Limits(stop=stop)).draws == 0
    assert draw(TRIPLES, limits=Limits(time_s=0)).log10_high == math.inf
