"""What is peculiar to the engine `cpsat`: workers, lexicon cores, shares of work, parameters."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ortools.sat.python import cp_model

from cpfill.base.errors import InputError
from cpfill.engines import FORMULATION, make_engine
from cpfill.engines.cpsat.formulations import FORMULATIONS
from cpfill.engines.options import MAXIMISE
from cpfill.formats.dialects import parse_grids
from cpfill.problem.event import StopReason
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.result import Limits, Status
from cpfill.problem.rules import Rules
from cpfill.testing.questions import questions
from cpfill.testing.test_contract import check_the_best
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import read_word_list
from tests.support import INSTANCES, Question, question, run

formulations = pytest.mark.parametrize("formulation", FORMULATIONS)
WORDS = "ABC CDE ABD BXC CXA AAB BAB CAD BBC DDE CCB BBA AAA ABA"
RING = question("...", ".#.", "...", words=WORDS)
# 15 * 14 * 13 = 2730 fills, more than CP-SAT lists rightly with several workers.
MANY = question(*("...", "###") * 2, "...", words=" ".join(map("".join, itertools.product("ABCDE", "XYZ", "Q"))))


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return the parameters of each run of CP-SAT to come."""
    parameters: list[Any] = []
    solve = cp_model.CpSolver.solve

    def spy(self: cp_model.CpSolver, *args: Any, **options: Any) -> Any:
        parameters.append(self.parameters)
        return solve(self, *args, **options)

    monkeypatch.setattr(cp_model.CpSolver, "solve", spy)
    return parameters


@formulations
@pytest.mark.parametrize(("fills", "work"), [(None, 8.0), (10_000, 8.0), (10_000, 1e-3)])
def test_one_worker_lists_all_fills(
    formulation: str, fills: int | None, work: float, solved: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """CP-SAT 9.15 leaves solutions out, or gives them twice, without a word where it has more than one worker."""
    monkeypatch.setattr("cpfill.engines.cpsat.search.FIRST_WORK", work)
    ran = run("cpsat", MANY.problem(), Limits(fills=fills, workers=8), formulation=formulation, core=6)
    assert len(ran.found) == len(MANY.answer.fills) == 15 * 14 * 13
    assert dict(ran.found) == MANY.answer.values
    assert ran.result.status is Status.ALL_FILLS
    assert {(each.enumerate_all_solutions, each.num_workers) for each in solved} == {(True, 1)}


def test_several_workers_seek_one_fill(solved: list[Any]) -> None:
    assert run("cpsat", RING.problem(), Limits(workers=2)).result.status is Status.SATISFIED
    assert run("cpsat", RING.problem(Objective.MIN), Limits(workers=2)).result.status is Status.OPTIMAL
    assert {(each.enumerate_all_solutions, each.num_workers) for each in solved} == {(False, 2)}


PATCHES = [
    ("search.FIRST_WORK", 1e-9),  # questions are put off and asked again
    ("search.FIRST_WORK", 1e-4),
    ("formulations.MAX_PAIRS", -1),  # each crossing is tied by letters
    ("formulations.MAX_ACTIVITY", 0),  # sums are taken slot by slot
]


@formulations
@given(
    question=questions(sides=True, themed=True, sums=True),
    patched=st.sampled_from(PATCHES),
    objective=st.sampled_from([Objective.MIN, Objective.SUM, Objective.MIN_THEN_SUM, Objective.LEXIMIN]),
    maximise=st.sampled_from(MAXIMISE.choices),
    core=st.sampled_from([1, 3, 300]),
    fills=st.sampled_from([1, 10_000]),
)
@settings(max_examples=100)
def test_tight_limits_change_no_answer(  # noqa: PLR0917 - drawn
    formulation: str,
    question: Question,
    patched: tuple[str, float],
    objective: Objective,
    maximise: str,
    core: int,
    fills: int,
) -> None:
    plain = replace(question, theme={})
    options = {"formulation": formulation, "core": core}
    name, limit = patched
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"cpfill.engines.cpsat.{name}", limit)
        check_the_best("cpsat", question, objective, Limits(), {"maximise": maximise, **options})
        found = run("cpsat", plain.problem(), Limits(fills=fills), **options).found
    assert len(found) == len(dict(found)) == min(fills, len(plain.answer.values))
    assert dict(found).items() <= plain.answer.values.items()


def test_the_formulations_are_those_declared() -> None:
    assert tuple(FORMULATIONS) == FORMULATION.choices


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_building_a_model_looks_at_the_clock(formulation: str) -> None:
    """A model over a whole lexicon takes longer to build than a search may go on after its limit."""
    spelt = map("".join, itertools.product("ABC", repeat=4))
    problem = question("....", ".##.", ".##.", "....", words=" ".join(spelt)).problem(Objective.MIN)
    tick = Mock()
    model = FORMULATIONS[formulation](problem, problem.domains, tick)
    built = tick.call_count
    model.maximise_minimum()
    slots = len(problem.slots)
    words = sum(map(len, model.words))
    looks = {"boolean": (words, words), "table": (slots + len(problem.grid.crossings), slots)}
    assert built >= looks[formulation][0]
    assert tick.call_count - built >= looks[formulation][1]


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
def test_it_agrees_with_mac_on_a_real_lexicon(
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
def test_a_solver_that_gives_up_proves_nothing(formulation: str, fills: int | None, name: str, value: str) -> None:
    try:
        engine = make_engine("cpsat", formulation=formulation, cpsat_param={name: value})
    except InputError:
        return  # to refuse the parameter is right as well
    ran = run(engine, RING.problem(), Limits(fills=fills))
    assert dict(ran.found).items() <= RING.answer.values.items()
    if dict(ran.found) != RING.answer.values:
        assert ran.result.status in {Status.SATISFIED, Status.UNKNOWN}
        assert (ran.result.status is Status.SATISFIED) == bool(ran.found)


def test_parameters_reach_the_solver(solved: list[Any]) -> None:
    asked = {
        "linearization_level": "2",
        "random_branches_ratio": "0.25",
        "cp_model_presolve": "false",
        "search_branching": "FIXED_SEARCH",
    }
    assert run("cpsat", RING.problem(), cpsat_param=asked).result.status is Status.SATISFIED
    last = solved[-1]  # those before try the values out
    assert (last.linearization_level, last.random_branches_ratio, last.cp_model_presolve) == (2, 0.25, False)
    assert last.search_branching == cp_model.FIXED_SEARCH


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
        ("relative_gap_limit", "0.9", "what an answer means"),
        ("absolute_gap_limit", "100", "what an answer means"),
        ("keep_all_feasible_solutions_in_presolve", "false", "what an answer means"),
        ("random_polarity_ratio", "1e400", "expected a value"),
        ("max_number_of_conflicts", "9" * 40, "expected a value"),
        ("max_number_of_conflicts", "9" * 5000, "expected a value"),
        ("cp_model_probing_level", str(2**31), "expected a value"),
        ("max_memory_in_mb", "-" + "9" * 25, "expected a value"),
    ],
)
def test_a_wrong_parameter_is_refused(name: str, value: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_engine("cpsat", cpsat_param={name: value})


def test_several_workers_heed_a_limit_of_nodes() -> None:
    """With several workers, CP-SAT overlooks its limit on conflicts and may never end."""
    words = (
        "AAA AAAA ABAA ABEA ACDE ADCA AED AEEE BAA BCC BCEB BDD BECD CCAC CCC CDD CDED CEEE DAA DBD DCED DEAE EAEA "
        "EBD EBDB EDC EEA EEE"
    )
    problem = question("....", "....", "....", words=words, alphabet="ABCDE", min_slot_length=3).problem()
    result = run("cpsat", problem, Limits(nodes=3, workers=2, seed=1)).result
    assert result.stop_reason is StopReason.NODES
