"""Every engine, on every task, comes to what the brute force comes to, also in turns as many as large problems take.

A search that turns to something else after thousands of nodes never does so on a small problem, and several searches at
once never meet there. So the constants that say when are drawn small.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, groupby
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import Phase, given, note, seed, settings
from hypothesis import strategies as st

from cpfill.engines import make_engine
from cpfill.engines.audited import drop_objective, search, tally
from cpfill.problem.event import Bound, Event, Found, StopReason
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.result import Limits, SolveResult, Status
from cpfill.problem.value import exceeds
from cpfill.public import count_fills
from cpfill.questions.candidates import Candidates, Verdict
from cpfill.questions.diverse import Difference, choose_fills, diverse_fills, find_another
from cpfill.questions.explain.explanation import explain
from cpfill.testing.questions import ADDERS, HANG_S, MAXIMISERS, UNPROVED, options_for, questions
from tests.support import ENGINE_NAMES, Question, rows_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from cpfill.engines.contract import Engine
    from cpfill.problem.problem import Fill
    from tests.fuzz.campaign import Campaign

QUESTIONS = 10
"""For a task, in a run without seconds; with seconds, a tenth of those between two looks at the clock."""

SMALL: dict[str, tuple[float, ...]] = {
    "engines.audited.BARREN_S": (0.0,),
    "engines.auto.FIRST_NODES": (1, 2, 5),
    "engines.auto.FIRST_NODES_OF_SUMS": (1, 2, 5),
    "engines.mac.search.TURN_NODES": (1, 3),
    "engines.mac.engine.FIRST_RESTART": (1, 3),
    "engines.mac.kernels.SLICE_S": (0.0, 1e-5),
    "engines.mac.search.NARROWED_NODES": (1, 5),
    "engines.mac.sum_optimum.EASY_NODES": (1, 3),
    "engines.mac.sum_optimum.HARD_NODES": (2, 6),
    "engines.mac.sum_optimum.START_NODES": (1, 3),
    "engines.mac.sum_optimum.FIRST_NODES": (1, 3),
    "engines.mac.sum_optimum.PATIENCE": (1,),
    "engines.mac.sum_optimum.NEIGHBOURHOOD": (1, 2),
    "engines.mac.sum_optimum.NEIGHBOURHOOD_NODES": (1, 3),
    "engines.mac.sum_optimum.WHOLE_SLOTS": (1, 3),
    "engines.mac.sum_optimum.PART_SLOTS": (1, 2),
    "engines.mac.good_fill.LEVEL_NODES": (1, 5),
    "engines.mac.good_fill.NEIGHBOURHOOD": (1, 2, 3),
    "engines.mac.good_fill.NEIGHBOURHOOD_NODES": (1, 5),
    "engines.mac.refill.REPAIR_NODES": (1, 2),
    "engines.mac.refill.LEAST_FREED": (1, 2),
    "engines.mac.refill.FIRST_SIZE": (1.0, 2.0),
    "engines.cpsat.search.FIRST_WORK": (1e-6, 1e-3),
    "engines.letters.cubes.BATCH": (1, 2),
    "engines.letters.engine.WORTHWHILE_S": (0.0,),
    "engines.letters.engine.CUBES_A_WORKER": (1, 3),
    "questions.diverse.TRY_NODES": (1, 3),
    "questions.candidates.QUESTION_NODES": (1, 5),
    "questions.explain.conflict.WHOLE_NODES": (10, 30),
    "questions.explain.conflict.SUBSET_NODES": (10, 30),
}
"""Values for the constants that say when a search turns to something else."""

SHORT = st.sampled_from((True, True, False)).flatmap(
    lambda short: st.fixed_dictionaries({name: st.sampled_from(values) for name, values in SMALL.items() if short})
)
RULED = questions(sides=True, opened=True, rebus=True)
THEMED = questions(sides=True, themed=True, sums=True, opened=True, rebus=True)


class Asked(NamedTuple):
    """A question, put to an engine."""

    question: Question
    engine: Engine
    limits: Limits
    data: st.DataObject

    @property
    def fills(self) -> frozenset[tuple[str, ...]]:
        return self.question.answer.fills

    def every_fill(self) -> list[Fill]:
        """Return the fills that the brute force lists."""
        problem = drop_objective(self.question.problem())
        stream = search(problem, engine="fc", limits=Limits(fills=None))
        every = {rows_of(problem, event.fill): event.fill for event in stream if isinstance(event, Found)}
        return [every[rows] for rows in sorted(self.fills)]

    def run(self, problem: Problem, stream: Generator[Event]) -> tuple[list[Fill], list[Event], SolveResult]:
        """Return the fills that are reported, all events, and what they come to."""
        told = list(stream)
        found = [event.fill for event in told if isinstance(event, Found)]
        assert {rows_of(problem, fill) for fill in found} <= self.fills
        return found, told, tally(problem, told)


def find_one(asked: Asked) -> str:
    objective = asked.data.draw(st.sampled_from((Objective.ANY, Objective.GOOD)))
    problem = asked.question.problem(objective)
    found, _, result = asked.run(problem, search(problem, engine=asked.engine, limits=asked.limits))
    assert result.status is (Status.SATISFIED if asked.fills else Status.UNSATISFIABLE)
    scores = [asked.question.answer_to(Objective.LEXIMIN).values[rows_of(problem, fill)] for fill in found]
    assert scores == sorted(set(scores))
    return objective


def find_several(asked: Asked) -> str:
    problem, wanted = asked.question.problem(), asked.data.draw(st.sampled_from((2, 3, 9, None)))
    there_are = len(asked.fills)
    limits = replace(asked.limits, fills=wanted)
    found, _, result = asked.run(problem, search(problem, engine=asked.engine, limits=limits))
    assert len(set(found)) == len(found) == result.fills == min(there_are, wanted or there_are)
    if wanted is None or there_are < wanted:
        assert result.status is (Status.ALL_FILLS if there_are else Status.UNSATISFIABLE)
    return "several" if wanted else "all"


def count(asked: Asked) -> str:
    engine = asked.data.draw(st.sampled_from((asked.engine, None)))
    result = count_fills(asked.question.problem(), engine=engine, limits=asked.limits)
    assert result.fills == len(asked.fills)
    assert result.status is (Status.ALL_FILLS if asked.fills else Status.UNSATISFIABLE)
    return "count" if engine else "count by default"


def find_the_best(asked: Asked) -> str:
    maximising = [goal for goal in Objective if asked.question.theme or goal not in UNPROVED]
    objective = asked.data.draw(st.sampled_from(maximising))
    problem, answer = asked.question.problem(objective), asked.question.answer_to(objective)
    found, told, result = asked.run(problem, search(problem, engine=asked.engine, limits=asked.limits))
    assert result.status is (Status.UNSATISFIABLE if answer.best is None else Status.OPTIMAL)
    assert result.value == answer.best
    assert bool(found) == bool(asked.fills)
    bounds = [event.value for event in told if isinstance(event, Bound)]
    assert answer.best is None or not any(exceeds(answer.best, bound) for bound in bounds)
    return ", ".join(problem.criteria)


def find_other(asked: Asked) -> str:
    problem = asked.question.problem(Objective.GOOD)
    for before in asked.every_fill()[:2]:
        stream = find_another(problem, before, engine=asked.engine, limits=asked.limits)
        found, _, result = asked.run(problem, stream)
        assert before not in found
        assert result.status is (Status.SATISFIED if len(asked.fills) > 1 else Status.NO_OTHER)
    return "another"


def find_diverse(asked: Asked) -> str:
    problem, every = asked.question.problem(), asked.every_fill()
    stream = diverse_fills(problem, engine=asked.engine, limits=replace(asked.limits, fills=4))
    found, _, result = asked.run(problem, stream)
    differ = Difference(problem).holds
    assert all(differ(one, other) for one, other in combinations(found, 2))
    assert bool(found) == bool(every) == (result.status is not Status.UNSATISFIABLE)
    if result.stop_reason in {StopReason.ALIKE, StopReason.EXHAUSTED}:
        assert not any(all(differ(one, other) for other in found) for one in every)
    return "diverse"


def choose(asked: Asked) -> str:
    problem = asked.question.problem(Objective.GOOD)
    stream = choose_fills(problem, engine=asked.engine, limits=replace(asked.limits, fills=5))
    _, told, result = asked.run(problem, stream)
    kept: list[Fill] = []
    for event in told:
        if isinstance(event, Found):
            kept[len(kept) - event.better :] = [event.fill]
    assert len(set(kept)) == len(kept) == result.fills == min(5, len(asked.fills))
    assert (result.status is Status.UNSATISFIABLE) == (not asked.fills)
    return "choose"


def judge(asked: Asked) -> str:
    problem, every = asked.question.problem(), asked.every_fill()
    candidates = Candidates(problem, limits=asked.limits)
    for slot in problem.slots:
        standing, judged = {fill.word_at(slot) for fill in every}, list(candidates.judge_words(slot.id))
        assert {each.word for each in judged if each.verdict is Verdict.YES} <= standing
        assert {each.word for each in judged if each.verdict is not Verdict.NO} >= standing
    return "judge"


def explain_why(asked: Asked) -> str:
    explanation = explain(asked.question.problem(), asked.engine, asked.limits)
    assert explanation.status is (Status.SATISFIED if asked.fills else Status.UNSATISFIABLE)
    return "explain"


TASKS: list[tuple[Callable[[Asked], str], st.SearchStrategy[Question], list[str]]] = [
    (find_one, RULED, ENGINE_NAMES),
    (find_several, RULED, ENGINE_NAMES),
    (count, RULED, ENGINE_NAMES),
    (find_the_best, THEMED, ADDERS),
    (find_other, THEMED, ADDERS),
    (find_other, RULED, ENGINE_NAMES),
    (find_diverse, RULED, ENGINE_NAMES),
    (choose, RULED, ENGINE_NAMES),
    (judge, RULED, ["mac"]),
    (explain_why, RULED, MAXIMISERS),
]
"""What is asked, about which questions, and of which engines; each returns what it counts as."""


@pytest.mark.parametrize(("task", "strategy", "engines"), TASKS, ids=[task.__name__ for task, *_ in TASKS])
def test_every_engine_comes_to_what_the_brute_force_comes_to(
    task: Callable[[Asked], str], strategy: st.SearchStrategy[Question], engines: list[str], campaign: Campaign
) -> None:
    runs = Counter[tuple[str, int, str]]()

    def check(question: Question, data: st.DataObject) -> None:
        with pytest.MonkeyPatch.context() as patch:
            shorten(patch, data)
            for name in engines:
                engine = make_engine(name, **data.draw(options_for(name), label=f"options of {name}"))
                workers = data.draw(st.sampled_from((1, 2, 3)), label="workers")
                limits = Limits(time_s=HANG_S, workers=workers, seed=data.draw(st.integers(0, 99), label="seed"))
                note(f"asked of {name}")
                runs[task(Asked(question, engine, limits, data)), workers, name] += 1

    for batch in campaign.rounds(1):
        examples = QUESTIONS if campaign.seconds is None else 10 * QUESTIONS
        bounded = settings(max_examples=examples, database=None, derandomize=False, phases=(Phase.generate,))
        asked = bounded(given(strategy, st.data())(check))
        seed(f"{campaign.seed} {task.__name__} {batch}")(asked)()
    for (done, workers), counted in groupby(sorted(runs.items()), lambda each: each[0][:2]):
        print(f"{done} -j {workers}:", ", ".join(f"{name} {number}" for (*_, name), number in counted))


def shorten(patch: pytest.MonkeyPatch, data: st.DataObject) -> None:
    """Draw whether constants are small, and how small; let the third of several searches take no process of its own."""

    def search_here(name: str, _: object, problem: Problem, limits: Limits) -> Generator[Event]:
        return make_engine(name).search(problem, limits)

    patch.setattr("cpfill.engines.toolkit.process.search_in_process", search_here)
    for name, value in data.draw(SHORT, label="short turns").items():
        patch.setattr(f"cpfill.{name}", value)
