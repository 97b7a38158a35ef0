"""What is peculiar to the engine `cpsat`: workers, lexicon cores, shares of work, parameters."""

from __future__ import annotations

import itertools
import threading
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ortools.sat.python import cp_model

from cpfill.base.errors import InputError
from cpfill.base.threads import StopToken
from cpfill.engines import FORMULATION, make_engine
from cpfill.engines.audited import search, tally
from cpfill.engines.cpsat.formulations import FORMULATIONS
from cpfill.formats.dialects import parse_grids
from cpfill.problem.event import StopReason
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.result import Limits, Status
from cpfill.problem.rules import Rules
from cpfill.testing.questions import questions
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import read_word_list
from tests.support import INSTANCES, Question, question, run

formulations = pytest.mark.parametrize("formulation", ["boolean", "table"])
WORDS = "ABC CDE ABD BXC CXA AAB BAB CAD BBC DDE CCB BBA AAA ABA"
RING = question("...", ".#.", "...", words=WORDS)
# 15 * 14 * 13 = 2730 fills, more than CP-SAT lists rightly with several workers.
MANY = question(*("...", "###") * 2, "...", words=" ".join(map("".join, itertools.product("ABCDE", "XYZ", "Q"))))
FEWER = replace(MANY, words={word: score for word, score in MANY.words.items() if word < "D"})


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> list[tuple[bool, int]]:
    """Return, for each run of CP-SAT to come, whether it lists all solutions and how many workers it has."""
    runs: list[tuple[bool, int]] = []
    solve = cp_model.CpSolver.solve

    def spy(self: cp_model.CpSolver, *args: Any, **options: Any) -> Any:
        runs.append((self.parameters.enumerate_all_solutions, self.parameters.num_workers))
        return solve(self, *args, **options)

    monkeypatch.setattr(cp_model.CpSolver, "solve", spy)
    return runs


@formulations
@pytest.mark.parametrize("fills", [None, 10_000])
def test_all_fills_are_listed_by_one_worker(
    formulation: str, fills: int | None, workers: list[tuple[bool, int]]
) -> None:
    """CP-SAT 9.15 leaves solutions out, or gives them twice, without a word where it has more than one worker."""
    ran = run("cpsat", MANY.problem(), Limits(fills=fills, workers=8), formulation=formulation)
    assert len(ran.found) == len(MANY.answer.fills) == 15 * 14 * 13
    assert dict(ran.found) == MANY.answer.values
    assert ran.result.status is Status.ALL_FILLS
    assert set(workers) == {(True, 1)}


def test_one_fill_is_sought_by_as_many_workers_as_allowed(workers: list[tuple[bool, int]]) -> None:
    assert run("cpsat", RING.problem(), Limits(workers=2)).result.status is Status.SATISFIED
    assert run("cpsat", RING.problem(Objective.MIN), Limits(workers=2)).result.status is Status.OPTIMAL
    assert set(workers) == {(False, 2)}


@formulations
@pytest.mark.parametrize("work", [1e-9, 1e-4, 1e-3, 1e-2])
def test_a_core_that_takes_too_long_is_not_the_end(
    formulation: str, work: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cpfill.engines.cpsat.search.FIRST_WORK", work)
    ran = run("cpsat", FEWER.problem(), Limits(fills=10_000), core=6, formulation=formulation)
    assert dict(ran.found) == FEWER.answer.values
    assert len(ran.found) == len(FEWER.answer.fills)
    assert ran.result.status is Status.ALL_FILLS


@formulations
@pytest.mark.parametrize("maximise", ["descent", "objective"])
@given(question=questions(), work=st.sampled_from([1e-9, 1e-5, 1e-4, 1e-3]), core=st.integers(1, 3))
def test_questions_that_are_put_off_are_asked_again(
    formulation: str, maximise: str, question: Question, work: float, core: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cpfill.engines.cpsat.search.FIRST_WORK", work)
        ran = run("cpsat", question.problem(Objective.MIN), formulation=formulation, maximise=maximise, core=core)
        one = run("cpsat", question.problem(), formulation=formulation, core=core)
    best = question.answer.best
    assert ran.result.status is (Status.UNSATISFIABLE if best is None else Status.OPTIMAL)
    assert ran.result.value == best
    assert one.result.status is (Status.UNSATISFIABLE if best is None else Status.SATISFIED)


@given(question=questions())
def test_both_ways_to_state_a_crossing_by_tables_are_right(question: Question) -> None:
    """Few pairs of words stand in one table, many are tied by a letter; here no choice is small."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cpfill.engines.cpsat.formulations.MAX_PAIRS", -1)
        every = run("cpsat", question.problem(), Limits(fills=None), formulation="table")
        best = run("cpsat", question.problem(Objective.MIN), formulation="table", maximise="objective")
    assert dict(every.found) == question.answer.values
    assert best.result.value == question.answer.best


# Sums, themes, and the rules that are more than crossings.


@formulations
@given(
    question=questions(sides=True, themed=True, sums=True),
    objective=st.sampled_from(Objective),
    work=st.sampled_from([1e-9, 1e-4, 8.0]),
    core=st.sampled_from([1, 3, 300]),
)
def test_one_criterion_is_maximised_after_another(
    formulation: str, question: Question, objective: Objective, work: float, core: int
) -> None:
    problem = question.problem(objective)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cpfill.engines.cpsat.search.FIRST_WORK", work)
        ran = run("cpsat", problem, Limits(), formulation=formulation, core=core)
    best = question.answer_to(objective).best
    if problem.criteria:
        assert ran.result.status is (Status.UNSATISFIABLE if best is None else Status.OPTIMAL)
        assert ran.result.value == best
        assert best is None or all(bound >= best[: len(bound)] for bound in ran.bounds)
    else:
        assert ran.result.status is (Status.UNSATISFIABLE if best is None else Status.SATISFIED)


@formulations
@given(question=questions(sides=True))
def test_fills_are_listed_once_under_every_rule(formulation: str, question: Question) -> None:
    """A literal that a solution leaves open would list it twice."""
    found = run("cpsat", question.problem(), Limits(fills=None), formulation=formulation).found
    assert len(found) == len(question.answer.fills)
    assert dict(found) == question.answer.values


@given(question=questions(sums=True))
def test_sums_too_large_for_one_constraint_are_taken_slot_by_slot(question: Question) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cpfill.engines.cpsat.formulations.MAX_ACTIVITY", 0)
        ran = run("cpsat", question.problem(Objective.SUM))
    assert ran.result.value == question.answer_to(Objective.SUM).best


class Clock:
    """Counts the looks at it."""

    def __init__(self) -> None:
        self.looks = 0

    def tick(self) -> None:
        self.looks += 1


def test_the_formulations_are_those_that_are_declared() -> None:
    assert tuple(FORMULATIONS) == FORMULATION.choices


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_building_a_model_looks_at_the_clock_all_along(formulation: str) -> None:
    """A model over a whole lexicon takes longer to build than a search may go on after its limit."""
    spelt = ["".join(letters) for letters in itertools.product("ABC", repeat=4)]
    problem = question("....", ".##.", ".##.", "....", words=" ".join(spelt)).problem(Objective.MIN)
    clock = Clock()
    model = FORMULATIONS[formulation](problem, problem.domains, clock.tick)
    built = clock.looks
    model.maximise_minimum()
    boolean = formulation == "boolean"
    assert built >= (sum(map(len, model.words)) if boolean else len(problem.slots) + len(problem.grid.crossings))
    assert clock.looks - built >= (sum(map(len, model.words)) if boolean else len(problem.slots))


@pytest.fixture(scope="module")
def english() -> Lexicon:
    return Lexicon([read_word_list("en-words")])


@pytest.mark.parametrize(
    ("objective", "rules", "theme"),
    [
        (Objective.SUM, Rules(min_score=54.0), {}),
        (Objective.MIN_THEN_SUM, Rules(min_score=53.0, no_shared=True), {}),
        (Objective.SUM, Rules(min_score=52.0, max_obscure=2, below=54.0, required=frozenset({"MEDIA"})), {}),
        (Objective.SUM, Rules(min_score=54.0), {"OCEAN": 2.0, "OTHER": 2.0, "AREAS": 1.0, "SET": 0.5, "TEA": 0.5}),
    ],
)
def test_it_agrees_with_the_kernel_on_a_real_lexicon(
    objective: Objective, rules: Rules, theme: dict[str, float], english: Lexicon
) -> None:
    _, (grid, *_) = parse_grids((INSTANCES / "assignment" / "A.txt").read_text())
    problem = Problem(grid, english, rules, objective, theme)
    ours, theirs = run("cpsat", problem).result, run("mac", problem).result
    assert ours.status is theirs.status is Status.OPTIMAL
    assert ours.value == theirs.value


@pytest.mark.parametrize(("nodes", "most"), [(1, 500), (200, 10_000)])
def test_branches_are_limited_within_a_run(nodes: int, most: int, english: Lexicon) -> None:
    _, (grid, *_) = parse_grids((INSTANCES / "assignment" / "A.txt").read_text())
    problem = Problem(grid, english, objective=Objective.SUM)
    result = run("cpsat", problem, Limits(nodes=nodes)).result
    assert result.stop_reason is StopReason.NODES
    assert result.stats.nodes < most


# A parameter that makes CP-SAT give up proves nothing.


@formulations
@pytest.mark.parametrize("fills", [1, None, 1000])
@pytest.mark.parametrize(
    ("name", "value"),
    [("max_deterministic_time", "1e-9"), ("max_number_of_conflicts", "0"), ("stop_after_presolve", "true"),
     ("stop_after_first_solution", "true")],
)  # fmt: skip
def test_a_solver_that_gives_up_has_proved_nothing(formulation: str, fills: int | None, name: str, value: str) -> None:
    try:
        engine = make_engine("cpsat", formulation=formulation, cpsat_param={name: value})
    except InputError:
        return  # to refuse the parameter is right as well
    ran = run(engine, RING.problem(), Limits(fills=fills))
    assert dict(ran.found).items() <= RING.answer.values.items()
    if dict(ran.found) != RING.answer.values:
        assert ran.result.status is (Status.SATISFIED if ran.found else Status.UNKNOWN)


def test_parameters_reach_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, float, bool, int]] = []
    solve = cp_model.CpSolver.solve

    def spy(self: cp_model.CpSolver, *args: Any, **options: Any) -> Any:
        p = self.parameters
        seen.append((p.linearization_level, p.random_branches_ratio, p.cp_model_presolve, int(p.search_branching)))
        return solve(self, *args, **options)

    monkeypatch.setattr(cp_model.CpSolver, "solve", spy)
    settings = {
        "linearization_level": "2",
        "random_branches_ratio": "0.25",
        "cp_model_presolve": "false",
        "search_branching": "FIXED_SEARCH",
    }
    assert run("cpsat", RING.problem(), cpsat_param=settings).result.status is Status.SATISFIED
    assert seen[-1] == (2, 0.25, False, int(cp_model.FIXED_SEARCH))  # those before try the values out


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("linearisation_level", "1", "did you mean 'linearization_level'"),
        ("linearization_level", "one", "type int"),
        ("cp_model_presolve", "maybe", "type bool"),
        ("random_branches_ratio", "much", "type float"),
        ("search_branching", "BEST", "search_branching"),
        ("num_workers", "8", "-j"),
        ("num_search_workers", "8", "-j"),
        ("random_seed", "8", "--seed"),
        ("max_time_in_seconds", "8", "-t"),
        ("log_search_progress", "true", "-v"),
        ("copy_from", "1", "a CP-SAT parameter"),
        ("", "1", "a CP-SAT parameter"),
    ],
)
def test_a_wrong_parameter_is_refused(name: str, value: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_engine("cpsat", cpsat_param={name: value})


@pytest.mark.parametrize(
    "setting", ["relative_gap_limit=0.9", "absolute_gap_limit=100", "keep_all_feasible_solutions_in_presolve=false"]
)
def test_a_parameter_that_would_make_proofs_false_is_refused(setting: str) -> None:
    name, _, value = setting.partition("=")
    with pytest.raises(InputError, match="what an answer means"):
        make_engine("cpsat", cpsat_param={name: value})


def test_several_workers_heed_a_limit_of_nodes() -> None:
    """With several workers, CP-SAT overlooks its limit on conflicts and may never end."""
    words = (
        "AAA AAAA ABAA ABEA ACDE ADCA AED AEEE BAA BCC BCEB BDD BECD CCAC CCC CDD CDED CEEE DAA DBD DCED DEAE EAEA "
        "EBD EBDB EDC EEA EEE"
    )
    problem = question("....", "....", "....", words=words, alphabet="ABCDE", min_slot_length=3).problem()
    stop = StopToken()
    alarm = threading.Timer(15.0, stop.set)
    alarm.start()
    limits = Limits(nodes=3, workers=2, seed=1, stop=stop)
    result = tally(problem, search(problem, engine="cpsat", limits=limits))
    alarm.cancel()
    assert result.stop_reason is StopReason.NODES
