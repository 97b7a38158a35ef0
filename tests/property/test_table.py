"""The promises of the property table, each for all questions for which it holds, and all engines that answer them.

A search that turns to something else after thousands of nodes never does so on a small problem, and several searches at
once never meet there. So the constants that say when are drawn small.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from cpfill.base.errors import InvalidFillError
from cpfill.engines import make_engine
from cpfill.problem.fill import Fill
from cpfill.questions.question import question_class
from cpfill.testing.questions import options_for
from tests.property.table import TABLE, Asked, Promise, Row
from tests.support import ROOT
from tests.tables import read_table

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from cpfill.problem.event import Event
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits

SMALL: dict[str, list[float]] = read_table("property/short_turns.json")
"""Values for the constants that say when a search turns to something else."""
SHORT = st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in SMALL.items()})
SCHEMA = json.loads((ROOT / "cpfill" / "questions" / "records.schema.json").read_text(encoding="utf-8"))


def promised(promise: Promise) -> pytest.MarkDecorator:
    rows = [row for row in TABLE if promise in row.promises]
    return pytest.mark.parametrize("row", rows, ids=lambda row: row.name.replace(" ", "-"))


def some(share: int) -> settings:
    """Return a share of the examples of the profile."""
    return settings(max_examples=max(1, settings().max_examples // share))


def ask(row: Row, data: st.DataObject) -> Iterator[Asked]:
    """Yield a drawn question for each engine, with some of its options."""
    question = data.draw(row.problems, label="problem")
    objective = data.draw(st.sampled_from(row.objectives), label="objective")
    fields = row.fields(data, question)
    for engine in row.engines:
        given = dict(fields)
        if engine:
            given["engine"] = engine
        if engine and row.ask != "watch":
            given["options"] = data.draw(options_for(engine), label=f"options of {engine}")
        yield Asked(question, objective, row.ask, given)


def shorten(patch: pytest.MonkeyPatch, data: st.DataObject) -> None:
    """Draw which constants are small, and how small; the third of several searches takes no process of its own."""

    def search_here(name: str, _: object, problem: Problem, limits: Limits) -> Generator[Event]:
        return make_engine(name).search(problem, limits)

    patch.setattr("cpfill.engines.toolkit.process.search_in_process", search_here)
    for name, value in data.draw(SHORT, label="short turns").items():
        patch.setattr(f"cpfill.{name}", value)


@promised(Promise.AGREES)
@some(4)
@given(data=st.data())
def test_answers_agree_with_the_brute_force(row: Row, data: st.DataObject) -> None:
    with pytest.MonkeyPatch.context() as patch:
        shorten(patch, data)
        for asked in ask(row, data):
            row.check(asked, asked.answer(seed=data.draw(st.integers(0, 99), label="seed")))


@promised(Promise.THREADS)
@some(6)
@given(data=st.data())
def test_threads_give_the_same_answer(row: Row, data: st.DataObject) -> None:
    with pytest.MonkeyPatch.context() as patch:
        shorten(patch, data)
        for asked in ask(row, data):
            row.check(asked, asked.answer(workers=data.draw(st.sampled_from([2, 3]), label="workers")))


@promised(Promise.AUDITED)
@some(10)
@given(data=st.data())
def test_a_wrong_fill_is_refused(row: Row, data: st.DataObject) -> None:
    for asked in ask(row, data):
        assume(asked.fills)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Fill, "of_words", lambda problem, _: Fill(("Q",) * len(problem.grid.cells), problem.grid))
            with pytest.raises(InvalidFillError):
                asked.answer()


@promised(Promise.RESUMES)
@some(6)
@given(data=st.data())
def test_an_answer_cut_short_is_gone_on_with(row: Row, data: st.DataObject) -> None:
    """A journal is cut anywhere; candidates keep at the desk what is known of them."""
    *_, asked = [each for each in ask(row, data) if each.fields.get("engine", "letters") == "letters"]
    if row.ask in {"candidates", "letters"}:
        asked.answer(node_limit=1)
        row.check(asked, asked.answer())
        return
    with TemporaryDirectory() as folder:
        journal = Path(folder) / "journal"
        journal.touch()
        options = {**asked.fields.get("options", {}), "resume": str(journal)}
        row.check(asked, asked.answer(engine="letters", options=options))
        written = journal.read_bytes()
        journal.write_bytes(written[: data.draw(st.integers(0, len(written)), label="kept")])
        row.check(asked, asked.answer(engine="letters", options=options))


@cache
def validator(name: str) -> Any:
    return Draft202012Validator({**SCHEMA, **SCHEMA["questions"][name]})


@promised(Promise.JSON)
@some(10)
@given(data=st.data())
def test_a_question_and_its_answer_survive_json(row: Row, data: st.DataObject) -> None:
    for asked in ask(row, data):
        for record in asked.answer():
            validator(row.ask).validate(record)
        put = question_class(row.ask)(request=asked.request, **asked.fields)
        told = json.loads(json.dumps({"ask": row.ask, **put.plain}))
        again = type(put)(request=asked.request).updated(told, str)
        assert type(again) is type(put)
        assert again.plain == put.plain
