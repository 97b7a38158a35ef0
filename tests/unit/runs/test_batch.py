"""Jobs, their records and where these are kept; jobs side by side, some of which end their process."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.records import unseal
from cpfill.engines.toolkit.process import Child
from cpfill.questions.solve import Solve
from cpfill.runs import tasks
from cpfill.runs.batch import FAILED, INVALID, Defaults, Plan, answer_job, encode_line, plan
from cpfill.runs.tasks import Processes
from cpfill.testing import brute_force
from cpfill.words.sources import ListFinder, Shelf
from tests.support import INSTANCES
from tests.tables import Case, cases, read_table
from tests.unit.runs import deadly

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.runs.batch import Job

SQUARE = ["...", "...", "..."]
THREE = INSTANCES / "tiny" / "three.words.txt"
SEVEN = ["......."] * 7


def planned(source: Path | str, *seeds: int, glob: str = "*.txt", **terms: Any) -> Plan:
    lists = ListFinder()
    own = Solve().updated({"words": str(THREE), **terms}, lambda name: lists.find(name, Path()))
    return plan(str(source), Defaults(own, seeds or (0,), lists), glob)


def lines(tmp_path: Path, *given: object) -> Path:
    path = tmp_path / "jobs.jsonl"
    path.write_text("".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in given), encoding="utf-8")
    return path


def job_of(tmp_path: Path, **given: object) -> Job:
    made = planned(lines(tmp_path, {"grid": SQUARE, **given}))
    assert not made.refused
    (job,) = made.jobs
    return job


def ids(made: Plan) -> list[str | int]:
    return [job.id for job in made.jobs]


def test_a_directory_is_its_grids_in_order(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", "sub/a.txt", "a.grid", ".hidden/a.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("...\n...\n")
    (tmp_path / "two.txt").write_text("..\n..\n\n...\n...\n")
    made = planned(tmp_path)
    assert ids(made) == ["a.txt", "b.txt", "sub/a.txt", "two.txt#1", "two.txt#2"]
    assert [job.name for job in made.jobs][::4] == [f"{tmp_path}/a.txt", f"{tmp_path}/two.txt#2"]
    assert ids(planned(tmp_path, 1, 5, glob="b.*")) == ["b.txt@1", "b.txt@5"]
    assert ids(planned(tmp_path / "two.txt", 7)) == ["two.txt#1", "two.txt#2"]


def test_a_line_has_the_last_word(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("ab\nba\n")
    (tmp_path / "grid.txt").write_text("..\n..\n")
    made = planned(
        lines(
            tmp_path,
            {"id": 7, "grid": "grid.txt", "words": "own.txt", "repeats": True, "time_limit": "2m", "seed": 3},
            "",
            {"grid": SQUARE, "time_limit": None, "max_obscure": 1, "below": 20, "require": "añb"},
        ),
        1,
        2,
        time_limit=5.0,
    )
    assert not made.refused
    assert ids(made) == [7, "jobs.jsonl:3@1", "jobs.jsonl:3@2"]
    own, other = made.jobs[0].question, made.jobs[1].question
    assert (own.seed, own.request.repeats, own.limits.time_s) == (3, True, 120.0)
    assert own.request.plain["words"] == [f"{tmp_path}/own.txt"]
    assert (other.seed, other.limits.time_s, other.request.plain["words"]) == (1, None, [str(THREE)])
    rules = other.request.rules
    assert (rules.max_obscure, rules.below, *rules.required) == (1, 20.0, "ANB")


BAD_LINES = read_table("unit/runs/bad_lines.toml")
BAD_LINES["[" * 100_000] = "found brackets nested over 50 deep"


@pytest.mark.parametrize("line", BAD_LINES, ids=lambda line: line[:80])
def test_a_bad_line_is_refused_and_the_others_are_jobs(tmp_path: Path, line: str) -> None:
    path = lines(tmp_path, {"id": "first", "grid": SQUARE}, line, {"id": "last", "grid": SQUARE})
    made = planned(path)
    assert ids(made) == ["first", "last"]
    (record,) = made.refused
    assert (record["id"], record["status"]) == ("mine" if '"mine"' in line else "jobs.jsonl:2", INVALID)
    assert BAD_LINES[line] in record["error"]
    assert str(tmp_path) in record["error"]
    assert len(record["error"]) < 600


def test_the_key_is_the_question_and_not_its_place(tmp_path: Path) -> None:
    mine, same = tmp_path / "mine.txt", tmp_path / "same.txt"
    mine.write_text("abc\n")
    same.write_text("abc\n")
    asked: dict[str, object] = {"id": 1, "words": str(mine)}
    key = job_of(tmp_path, **asked).key
    assert job_of(tmp_path, id=1, words=str(same), seed=0).key == key
    same.write_text("abd\n")
    changes: list[dict[str, object]] = [{"id": "1"}, {"words": str(same)}, {"seed": 1}, {"grid": [*SQUARE, "..."]}]
    changes += [{"min_slot_length": 3}, {"require": ["abc"]}, {"ask": "count"}, {"ask": "explain"}]
    assert len({key, *(job_of(tmp_path, **asked | change).key for change in changes)}) == 1 + len(changes)


def words_of(path: Path) -> dict[str, float]:
    return dict.fromkeys(path.read_text(encoding="utf-8").upper().split(), 50.0)


def test_the_record_of_an_answer(tmp_path: Path) -> None:
    record = answer_job(job_of(tmp_path, id="x", seed=4, objective="sum"))
    fills = brute_force.solve(brute_force.cells_of(*SQUARE), words_of(THREE), brute_force.Rules()).fills
    assert unseal(encode_line(record)) == record
    assert (record["id"], record["status"], record["reason"], record["seed"]) == ("x", "OPTIMAL", "exhausted", 4)
    assert tuple(record["fill"]) in fills
    assert record["value"] == record["bound"] == 300.0
    assert record["seconds"] >= record["stats"]["search_s"] >= 0


def test_a_record_says_which_words_are_accepted(tmp_path: Path) -> None:
    (tmp_path / "theme.txt").write_text("COG\nROBOT\nCOTE\n")
    theme = str(tmp_path / "theme.txt")
    record = answer_job(job_of(tmp_path, grid=["QXZ", "###", "..."], words="en", theme=theme))
    assert (record["accepted"], record["theme_skipped"]) == (["QXZ"], 2)
    assert unseal(encode_line(record)) == record
    assert not {"accepted", "theme_skipped"} & answer_job(job_of(tmp_path)).keys()


def test_a_record_says_which_words_are_refused(tmp_path: Path) -> None:
    grid = ["QXZ", "###", "DOG", "###", "CAT"]
    record = answer_job(job_of(tmp_path, grid=grid, words="en", strict=True, exclude="dog"))
    assert record["refused"] == {"QXZ": "unlisted", "DOG": "excluded"}


@pytest.mark.parametrize("grid", [["(STAR)....", ".####"], ["##..", "....", "..##"]], ids=["rebus", "blocks"])
def test_a_fill_is_a_grid_again(grid: list[str], tmp_path: Path) -> None:
    record = answer_job(job_of(tmp_path, grid=grid, words="en"))
    assert record["fill"] is not None
    for row, filled in zip(grid, record["fill"], strict=True):
        assert re.fullmatch(re.sub(r"([()])", r"\\\1", row.replace(".", "[A-Z]")), filled)
    assert answer_job(job_of(tmp_path, grid=record["fill"], words="en"))["fill"] == record["fill"]


def test_a_rebus_cell_is_another_question(tmp_path: Path) -> None:
    keys = {job_of(tmp_path, grid=[row, ".####"], words="en").key for row in ("(STAR)....", "S....")}
    assert len(keys) == 2


@cases("unit/runs/jobs.toml", "end")
def test_no_fill_and_no_time_are_answers(tmp_path: Path, case: Case) -> None:
    record = answer_job(job_of(tmp_path, **{"grid": SEVEN} | case["asked"]))
    assert (record["status"], record["reason"], record["fill"]) == (case["status"], case["reason"], None)
    assert "error" not in record


def test_an_unsupported_objective_is_bad_input(tmp_path: Path) -> None:
    record = answer_job(job_of(tmp_path, engine="letters", objective="min"))
    assert record["status"] == INVALID
    assert "engines that can" in record["error"]


def test_a_fault_of_an_engine_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("cpfill.questions.solve.search", broken)
    record = answer_job(job_of(tmp_path))
    assert (record["status"], record["error"]) == (FAILED, "ZeroDivisionError: by zero")


def test_a_job_ends_when_it_is_stopped(tmp_path: Path) -> None:
    record = answer_job(job_of(tmp_path, grid=SEVEN, words="en", engine="fc"), stopped=lambda: True)
    assert (record["status"], record["reason"]) == ("UNKNOWN", "interrupted")


def test_jobs_share_a_shelf_of_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr("cpfill.runs.batch._SHELF", Shelf(on_read=lambda words: read.append(words.name)))
    (tmp_path / "mine.txt").write_text("cat\ndog\n")
    for words in ("mine.txt", ["mine.txt", str(THREE)], "mine.txt"):
        assert answer_job(job_of(tmp_path, grid=["..."], words=words))["status"] == "SATISFIED"
    assert read == [str(tmp_path / "mine.txt"), str(THREE)]


def test_an_id_that_is_no_text_of_ours(tmp_path: Path) -> None:
    path = lines(tmp_path, r'{"id": "\ud800\n\u00e9", "grid": ["..."]}')
    (job,) = planned(path).jobs
    line = encode_line(answer_job(job))
    assert json.loads(line)["id"] == job.id == "\ud800\n\u00e9"
    assert line.count(b"\n") == 1


@pytest.fixture
def children(monkeypatch: pytest.MonkeyPatch) -> list[Child]:
    """The processes that are started, by which a job may die."""
    started: list[Child] = []

    class Watched(Child):
        def __init__(self, function: str) -> None:
            super().__init__(function)
            started.append(self)

    monkeypatch.setattr(tasks, "Child", Watched)
    monkeypatch.setattr(tasks, "_SERVE", f"{deadly.__name__}:serve")
    return started


def ended(children: Sequence[Child]) -> bool:
    return all(child.process.returncode is not None for child in children)


def test_jobs_that_end_their_process_stop_no_other(tmp_path: Path, children: list[Child]) -> None:
    names = ["a", "kill-1", "b", "exit-1", "c", "kill-last"]
    made = planned(lines(tmp_path, *({"id": name, "grid": SQUARE} for name in names)))
    records = {record["id"]: record for record in Processes(2).run(made.jobs)}
    assert set(records) == set(names)
    assert {name for name in names if records[name]["status"] == "SATISFIED"} == {"a", "b", "c"}
    assert "the process of this job was killed by signal 9" in records["kill-1"]["error"]
    assert records["exit-1"]["error"] == "the process of this job ended with 3"
    assert records["kill-last"]["status"] == FAILED
    assert len(children) in {2, 3, 4}
    assert ended(children)


def test_no_more_processes_than_jobs(tmp_path: Path, children: list[Child]) -> None:
    assert len(list(Processes(5).run(planned(lines(tmp_path, {"grid": SQUARE})).jobs))) == 1
    assert list(Processes(5).run([])) == []
    assert len(children) == 1
    assert ended(children)


def test_closing_ends_the_processes(tmp_path: Path, children: list[Child]) -> None:
    hard = {"grid": SEVEN, "words": "en", "engine": "fc"}
    made = planned(lines(tmp_path, {"id": 1, "grid": SQUARE}, {"id": 2, **hard}, {"id": 3, **hard}))
    stream = Processes(2).run(made.jobs)
    assert next(stream)["id"] == 1
    assert not ended(children)
    stream.close()
    assert len(children) == 2
    assert ended(children)


def test_processes_answer_as_one_does(tmp_path: Path) -> None:
    made = planned(lines(tmp_path, {"grid": SQUARE}, {"grid": ["...."], "words": "en"}), *range(4))
    told = {record["id"]: record["fill"] for record in Processes(2).run(made.jobs)}
    assert told == {job.id: answer_job(job)["fill"] for job in made.jobs}


FIELDS = [
    *("id", "grid", "words", "weighted", "exclude", "theme", "objective", "engine", "seed", "time_limit", "node_limit"),
    *("min_slot_length", "alphabet", "dialect", "min_score", "repeats", "no_shared", "max_obscure", "below", "require"),
    *("clear", "keep", "avoid", "strict", "open", "personal", "slot", "taste"),
]
VALUES = [
    *("1" + "0" * 400, "-1" + "0" * 400, "9" * 5000, "1e400", "NaN", "1e-320", "-1", "0", "0.5", str(10**15), "1e16"),
    *("null", "true", "[]", "{}", "[null]", "[[]]", "[1]", "[" * 950 + "]" * 950, '{"a":' * 950 + "1" + "}" * 950),
    *('""', '"-"', '" "', '"\\u0000"', '"\\ud800"', '["\\ud800"]', '"nan"', '"1e400s"', f'"{"9" * 400}s"'),
    *(f'"{"A" * 10_000}"', f'["{"a" * 5000}"]'),
]


@pytest.mark.parametrize("field", FIELDS)
def test_no_value_of_a_field_ends_a_batch(tmp_path: Path, field: str) -> None:
    path = tmp_path / "jobs.jsonl"
    beside = {"grid": ["..", ".."], "max_obscure": 3, "below": 2.5, "time_limit": "5s", "words": str(THREE)}
    rest = "".join(f', "{name}": {json.dumps(value)}' for name, value in beside.items() if name != field)
    path.write_text("".join(f'{{"{field}": {value}{rest}}}\n' for value in VALUES), encoding="utf-8")
    made = planned(path)
    assert len(made.jobs) + len(made.refused) == len(VALUES)
    assert len(made.refused) > len(VALUES) / 3
    records = [*made.refused, *map(answer_job, made.jobs)]
    assert {record["status"] for record in records} <= {INVALID, "SATISFIED", "UNSATISFIABLE", "OPTIMAL", "UNKNOWN"}
    assert all(json.loads(encode_line(record)) for record in records)


def test_a_line_asks_any_question(tmp_path: Path) -> None:
    """Against the fills of the grid by brute force."""

    def ask(name: str, **asked: object) -> Any:
        return answer_job(job_of(tmp_path, ask=name, **asked))

    fills = brute_force.solve(brute_force.cells_of(*SQUARE), words_of(THREE), brute_force.Rules()).fills
    first = {fill[0] for fill in fills}
    counted = ask("count")
    assert (counted["status"], counted["fills"], counted["exact"]) == ("ALL_FILLS", len(fills), True)
    candidates = ask("candidates", slot="1-Across", only="yes")
    assert {each["word"] for each in candidates["records"]} == first
    explained = ask("explain")
    assert explained["status"] == "SATISFIED"
    assert tuple(explained["records"][0]["witness"]) in fills
    judged = ask("stats", style="free")
    assert (judged["status"], judged["records"][0]["words"]) == ("ANSWERED", 6)
    (described,) = ask("info")["records"]
    threes = sum(len(word) == 3 for word in words_of(THREE))
    assert [(slot["length"], slot["fitting"]) for slot in described["slots"]] == [(3, threes)] * 6
    solved = ask("solve", every=True, engine="letters")
    assert {tuple(rows) for rows in solved["fills"]} == fills
    best = ask("best", slot="1-Across", words=sorted(first))
    assert [(each["value"], each["bound"]) for each in best["records"]] == [(50, 50)] * len(first)


@pytest.mark.parametrize(
    ("asked", "said"),
    [({"ask": "cuont"}, "did you mean 'count'?"), ({"ask": "count", "diverse": True}, "a field of a job")],
)
def test_a_line_of_another_question_is_refused(tmp_path: Path, asked: dict[str, object], said: str) -> None:
    made = planned(lines(tmp_path, {"grid": SQUARE, **asked}))
    assert said in made.refused[0]["error"]
