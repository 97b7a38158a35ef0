"""The property table: the questions, the promises that hold for their answers, and the engines that answer.

A question is asked as the page asks it, by its fields as JSON, and answered by records. Each row has a check of the
records against the brute force; `test_table.py` has one test for each promise.
"""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from hypothesis import assume
from hypothesis import strategies as st

from cpfill.problem.problem import Objective
from cpfill.problem.value import exceeds, value_from_json
from cpfill.questions.candidates import Candidates
from cpfill.questions.diverse import Difference
from cpfill.questions.question import PosedDesk, question_class
from cpfill.questions.request import Request
from cpfill.testing.brute_force import is_fill, runs_in
from cpfill.testing.questions import ADDERS, UNPROVED, questions, shape_of
from cpfill.words.sources import Shelf
from tests.property.fills import every_fill, spell
from tests.support import ENGINE_NAMES, HANG_S, REBUS, Question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits
    from cpfill.testing.brute_force import Rows

Record = dict[str, Any]


class Promise(StrEnum):
    """What holds for the answer to a question."""

    AGREES = "agrees with the brute force"
    AUDITED = "audited"
    THREADS = "same with threads"
    RESUMES = "resumes"
    JSON = "survives JSON"


class Here(PosedDesk):
    """A desk that has one problem, and keeps what candidates have learnt."""

    state: Candidates | None = None

    @contextmanager
    def candidates(self, problem: Problem, limits: Limits) -> Iterator[Candidates]:
        if self.state is None:
            self.state = Candidates(problem, limits=limits)
        self.state.renew(limits)
        yield self.state


@dataclass
class Asked:
    """A question about a problem: its name and fields."""

    question: Question
    objective: Objective
    name: str
    fields: Record

    def __post_init__(self) -> None:
        self.problem = self.question.problem(self.objective)
        self.request = Request.of(self.problem.grid, self.problem.lexicon, objective=self.objective)
        self.desk = Here(Shelf(), self.request, self.problem)

    @property
    def fills(self) -> frozenset[Rows]:
        return self.question.answer.fills

    def answer(self, **fields: object) -> list[Record]:
        """Return the records of the answer, read from their JSON; `fields` are changed."""
        asked = {"time_limit": HANG_S, **self.fields, **fields}
        put = question_class(self.name)(request=self.request, **asked)
        return [json.loads(json.dumps(record)) for record in put.records(self.desk)]

    def read(self, rows: list[str]) -> Rows:
        """Return the rows of a fill as the brute force writes them."""
        signs = {letters: sign for sign, letters in REBUS.items()}
        return tuple(re.sub(r"\((\w+)\)", lambda match: signs[match[1]], row) for row in rows)

    def found(self, records: list[Record]) -> list[Rows]:
        """Return the fills that are reported, each of which is one of the brute force."""
        signs = {letters: sign for sign, letters in REBUS.items()}
        fills = []
        for record in records:
            if "rows" in record:
                rows = [[signs.get(cell, cell) or "#" for cell in row] for row in record["rows"]]
                fills.append(tuple(map("".join, rows)))
        assert self.fills.issuperset(fills)
        return fills


def check_one(asked: Asked, records: list[Record]) -> None:
    found = asked.found(records)
    assert records[-1]["status"] == ("SATISFIED" if asked.fills else "UNSATISFIABLE")
    assert bool(found) == bool(asked.fills)
    scores = [asked.question.judge(rows) for rows in found]
    assert scores == sorted(set(scores))


def check_number(asked: Asked, records: list[Record]) -> None:
    found = asked.found(records)
    wanted = asked.fields.get("number") or len(asked.fills)
    assert len(set(found)) == len(found) == records[-1]["fills"] == min(len(asked.fills), wanted)
    if asked.fields.get("every") or len(asked.fills) < wanted:
        check_count(asked, records)


def check_count(asked: Asked, records: list[Record]) -> None:
    assert records[-1]["fills"] == len(asked.fills)
    assert records[-1]["status"] == ("ALL_FILLS" if asked.fills else "UNSATISFIABLE")


def check_best(asked: Asked, records: list[Record]) -> None:
    best = asked.question.answer_to(asked.objective).best
    found = asked.found(records)
    assert records[-1]["status"] == ("UNSATISFIABLE" if best is None else "OPTIMAL")
    assert value_from_json(records[-1]["value"]) == best
    assert bool(found) == bool(asked.fills)
    if best is not None:
        bounds = [value_from_json(record["value"]) for record in records if record.get("event") == "bound"]
        assert value_from_json(records[-1]["bound"]) == best
        assert not any(exceeds(best, bound) for bound in bounds if bound)


def check_another(asked: Asked, records: list[Record]) -> None:
    assert asked.read(asked.fields["another"]) not in asked.found(records)
    assert records[-1]["status"] == ("SATISFIED" if len(asked.fills) > 1 else "NO_OTHER")


def check_diverse(asked: Asked, records: list[Record]) -> None:
    every = every_fill(asked.question)
    found = [every[rows] for rows in asked.found(records)]
    differ = Difference(asked.problem).holds
    assert len(found) == records[-1]["fills"] <= asked.fields["number"]
    assert all(differ(one, other) for one, other in combinations(found, 2))
    assert bool(found) == bool(every) == (records[-1]["status"] != "UNSATISFIABLE")
    if records[-1]["reason"] in {"alike", "exhausted"}:
        for one in every.values():
            assert not all(differ(one, other) for other in found)


def check_choice(asked: Asked, records: list[Record]) -> None:
    asked.found(records)
    kept: list[Rows] = []
    for record in records:
        if "rows" in record:
            kept[len(kept) - record["better"] :] = asked.found([record])
    assert len(set(kept)) == len(kept) == records[-1]["fills"] == min(asked.fields["number"], len(asked.fills))
    assert (records[-1]["status"] == "UNSATISFIABLE") == (not asked.fills)


def place_of(score: float, support: int, reason: str | None, *, is_long: bool = False) -> tuple[float, ...]:
    """Return the place of a word among candidates: by band, liveliness, tens of its score, and support."""
    level = min(score // 10, 6)
    if reason == "alike":
        level = min(level, 3)
    lively = is_long and reason in {"phrase", "name"} and level > 3
    return -min(max(level, 3), 5), not lively, -level, -support


def check_words(asked: Asked, records: list[Record]) -> None:
    """The words of a slot, judged; where there is no fill, a part of the grid is said to be dead."""
    (slot,) = [slot for slot in asked.problem.slots if slot.name == asked.fields["slot"]]
    held = {spell(rows, slot.cells) for rows in asked.fills}
    judged = [record for record in records if "verdict" in record]
    places = [place_of(record["score"], record["support"], record.get("reason")) for record in judged]
    assert places == sorted(places)
    assert any("dead" in record for record in records) == (not held)
    if held:
        assert {each["word"] for each in judged if each["verdict"] == "yes"} == held
    for each in judged:
        assert each["verdict"] != "open"
        assert each["score"] == asked.question.words[each["word"]]
        if held and each["verdict"] == "yes":
            shown = asked.read(each["witness"])
            assert shown in asked.fills
            assert spell(shown, slot.cells) == each["word"]
            words = [spell(shown, other.cells) for other in asked.problem.slots]
            listed = [asked.question.words[word] for word in words if word not in asked.problem.own]
            assert each.get("weakest", {}).get("score") == min(listed, default=None)


def check_letters(asked: Asked, records: list[Record]) -> None:
    judged = {record["cell"]: record for record in records if "cell" in record}
    assert any("dead" in record for record in records) == (not asked.fills)
    for cell, letters in judged.items():
        held = {"".join(rows)[cell] for rows in asked.fills}
        assert letters["open"] == ""
        if held:
            assert set(letters["yes"]) == held
            assert letters["forced"] == (held.pop() if len(held) == 1 else None)
            row, column = divmod(cell, asked.problem.grid.width)
            assert set(letters["yes"] + letters["no"]) == set(asked.question.cells[row][column])


def check_reason(asked: Asked, records: list[Record]) -> None:
    """Whether there is a fill; `test_explain.py` has the reasons."""
    assert records[-1]["status"] == ("SATISFIED" if asked.fills else "UNSATISFIABLE")
    witness = records[-2]["witness"]
    assert witness is None or asked.read(witness) in asked.fills


def check_draws(asked: Asked, records: list[Record]) -> None:
    """The numbers that are drawn; `test_sampling.py` has all ways to draw."""
    drawn = records[-2]["sampled"]
    assert drawn["found"] <= drawn["draws"]
    assert not (drawn["refuted"] and asked.fills)
    assert not (drawn["found"] and not asked.fills)


def check_audit(asked: Asked, records: list[Record]) -> None:
    """Right fills are valid, and have their values."""
    for fill, record in zip(asked.fields["fills"], records, strict=False):
        rows = asked.read(fill)
        question = asked.question
        assert record["valid"] == is_fill(question.cells, rows, question.words, question.rules)
        if rows in asked.fills:  # a cell in no slot may hold any letter, and has the first in a listed fill
            assert value_from_json(record["value"]) == asked.question.answer_to(Objective.MIN).values[rows]


def check_agreement(asked: Asked, records: list[Record]) -> None:
    answers = [record for record in records if "label" in record]
    assert len(answers) > len(ENGINE_NAMES)
    assert records[-1]["disagreements"] == []
    for answer in answers:
        check_count(asked, [answer])
        assert answer["fault"] is None


def check_steps(asked: Asked, records: list[Record]) -> None:
    check_one(asked, [record for record in records if "rows" in record] + records[-1:])
    assert records[-1]["steps"] == sum("step" in record and record["step"] != "fill" for record in records)


def native(rows: Rows) -> list[str]:
    """Return rows of the brute force in the native dialect."""
    return ["".join(f"({REBUS[sign]})" if sign in REBUS else sign for sign in row) for row in rows]


def no_fields(_data: st.DataObject, _question: Question) -> Record:
    return {}


def draw_number(data: st.DataObject, _question: Question) -> Record:
    return {"number": data.draw(st.sampled_from([2, 3, 9]))}


def ask_every(_data: st.DataObject, _question: Question) -> Record:
    return {"every": True}


def ask_diverse(_data: st.DataObject, _question: Question) -> Record:
    return {"number": 4, "diverse": True}


def draw_fill(data: st.DataObject, question: Question) -> Record:
    fills = sorted(question.answer.fills)
    assume(fills)
    return {"another": native(data.draw(st.sampled_from(fills)))}


def draw_slot(data: st.DataObject, question: Question) -> Record:
    return {"slot": data.draw(st.sampled_from(question.problem().slots)).name}


def ask_draws(_data: st.DataObject, _question: Question) -> Record:
    return {"sample": True, "draws": 40}


def draw_fills(data: st.DataObject, question: Question) -> Record:
    """Draw right fills, and random letters; rows without a run of two cells are no grid."""
    assume(runs_in([shape_of(row) for row in question.cells], 2))
    fills = [native(rows) for rows in sorted(question.answer.fills)[:4]]
    letters = [data.draw(st.sampled_from(cell or "#")) for row in question.cells for cell in row]
    width = len(question.cells[0])
    rows = ["".join(letters[start : start + width]) for start in range(0, len(letters), width)]
    return {"fills": [*fills, native(tuple(rows))]}


RULED = questions(sides=True, opened=True, rebus=True)
THEMED = questions(sides=True, themed=True, sums=True, opened=True, rebus=True)
BOTH = {Promise.AGREES, Promise.JSON}
FOUND = {*BOTH, Promise.AUDITED}
SEARCHED = {*FOUND, Promise.THREADS}
KEPT = {*SEARCHED, Promise.RESUMES}
ALONE = [""]
"""For questions of which the user chooses no engine."""


class Row(NamedTuple):
    """A row of the table: how a question is asked, how its answer is checked, who answers, and what is promised."""

    name: str
    ask: str
    fields: Callable[[st.DataObject, Question], Record]
    check: Callable[[Asked, list[Record]], None]
    engines: list[str]
    promises: set[Promise]
    objectives: tuple[Objective, ...] = (Objective.ANY,)
    problems: st.SearchStrategy[Question] = RULED


ANY, GOOD = (Objective.ANY,), (Objective.GOOD,)
PROVED = tuple(goal for goal in Objective if goal not in UNPROVED)
TRACED = ["fc", "fc-cbj"]
TABLE = [
    Row("a fill", "solve", no_fields, check_one, ENGINE_NAMES, SEARCHED, ANY),
    Row("a good fill", "solve", no_fields, check_one, ENGINE_NAMES, SEARCHED, GOOD),
    Row("several fills", "solve", draw_number, check_number, ENGINE_NAMES, SEARCHED, ANY),
    Row("every fill", "solve", ask_every, check_number, ENGINE_NAMES, KEPT, ANY),
    Row("the best fill", "solve", no_fields, check_best, ADDERS, SEARCHED, PROVED, THEMED),
    Row("another fill", "solve", draw_fill, check_another, ENGINE_NAMES, SEARCHED, GOOD),
    Row("another fill with a theme", "solve", draw_fill, check_another, ADDERS, {Promise.AGREES}, GOOD, THEMED),
    Row("fills that differ", "solve", ask_diverse, check_diverse, ENGINE_NAMES, SEARCHED, ANY),
    Row("fills to choose from", "solve", draw_number, check_choice, ENGINE_NAMES, SEARCHED, GOOD),
    Row("the number of fills", "count", no_fields, check_count, [*ENGINE_NAMES, ""], KEPT - {Promise.AUDITED}, ANY),
    Row("the words of a slot", "candidates", draw_slot, check_words, ALONE, {*FOUND, Promise.RESUMES}, ANY),
    Row("the letters of cells", "letters", no_fields, check_letters, ALONE, {*FOUND, Promise.RESUMES}, ANY),
    Row("why there is no fill", "explain", no_fields, check_reason, ALONE, FOUND, ANY),
    Row("an estimate", "estimate", ask_draws, check_draws, ALONE, FOUND, ANY),
    Row("whether a fill is right", "check", draw_fills, check_audit, ALONE, BOTH, ANY),
    Row("whether engines agree", "compare", ask_every, check_agreement, ALONE, BOTH, ANY),
    Row("the steps of a search", "watch", no_fields, check_steps, TRACED, FOUND, ANY),
]
