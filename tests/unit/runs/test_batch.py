"""Jobs, their records and where these are kept; jobs side by side, some of which end their process."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import cpfill.runs.batch as executors
from cpfill.base.records import unseal
from cpfill.engines.toolkit.process import Child
from cpfill.questions.solve import Solve
from cpfill.runs.batch import FAILED, INVALID, Defaults, Plan, Processes, answer_job, encode_line, plan
from cpfill.testing import brute_force
from cpfill.words.sources import ListFinder
from cpfill.words.wordlist import parse_word_list
from tests.support import INSTANCES
from tests.unit.runs import deadly

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.runs.batch import Job, Record

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


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", 'expected a JSON object such as {"grid": "a.txt"}, found invalid JSON: '),
        ("[1]", 'expected a JSON object such as {"grid": "a.txt"}, found [1]'),
        ("[" * 100_000, "found brackets nested over 50 deep"),
        ("{}", "for 'grid', found none"),
        ({"grid": "nowhere.txt"}, "nowhere.txt: expected a file, found nothing there"),
        ({"grid": ["..", "."]}, "expected"),
        ({"grid": "-"}, "for 'grid', found \"-\""),
        (
            {"grid": SQUARE, "id": True},
            "expected a text or a whole number for 'id', 1000 characters at most, found true",
        ),
        ({"grid": SQUARE, "sed": 1}, "found 'sed' (did you mean 'seed'?)"),
        ({"grid": SQUARE, "seed": 1.5}, "expected a whole number from 0 to 10^18 for seed, found 1.5"),
        ({"grid": SQUARE, "seed": None}, "expected a whole number from 0 to 10^18 for seed, found None"),
        ({"grid": SQUARE, "repeats": 1}, "expected true or false for repeats, found 1"),
        ({"grid": SQUARE, "time_limit": "soon"}, "for time_limit, found 'soon'"),
        (
            {"grid": SQUARE, "time_limit": -1},
            "expected a time such as '20s', '500ms' or '2m', seconds from 0 to 31622400, for time_limit, found -1",
        ),
        ({"grid": SQUARE, "engine": "fcc"}, "expected an engine"),
        ({"grid": SQUARE, "objective": "max"}, "expected an objective"),
        ({"grid": SQUARE, "words": ["nowhere.txt"]}, "nowhere.txt: expected a file, found nothing there"),
        ({"grid": SQUARE, "words": "-"}, "expected a word list"),
        ({"grid": SQUARE, "below": 3}, "expected max_obscure and below together"),
        ('{"grid": ["..."], "min_score": NaN}', "for min_score, found nan"),
        ({"grid": SQUARE, "require": "a1"}, "a word over the alphabet ABCDEFGHIJKLMNOPQRSTUVWXYZ, found 'a1'"),
        ({"grid": SQUARE, "alphabet": "xx"}, "expected an alphabet"),
        ({"grid": SQUARE, "dialect": "x"}, "expected a dialect"),
        (
            {"grid": SQUARE, "min_slot_length": 0},
            "expected a whole number from 1 to 255 for min_slot_length, found 0",
        ),
        ({"grid": SQUARE, "id": "first"}, "expected an id of its own, found 'first', which"),
        ({"grid": ["..", "."], "id": "mine"}, "expected"),
        ({"grid": SQUARE, "id": "mine", "sed": 1}, "found 'sed' (did you mean 'seed'?)"),
        ({"grid": SQUARE, "words": []}, "expected a word list, or an array of them, for words, found []"),
        ('{"grid": ["\\u0000"]}\0', "expected a JSON object"),
    ],
)
def test_a_bad_line_is_refused_and_the_others_are_jobs(tmp_path: Path, line: object, said: str) -> None:
    path = lines(tmp_path, {"id": "first", "grid": SQUARE}, line, {"id": "last", "grid": SQUARE})
    made = planned(path)
    assert ids(made) == ["first", "last"]
    (record,) = made.refused
    own = line.get("id") if isinstance(line, dict) else None
    named = isinstance(own, str) and own != "first"
    assert (record["id"], record["status"]) == (own if named else "jobs.jsonl:2", INVALID)
    assert said in record["error"]
    assert str(tmp_path) in record["error"]
    assert len(record["error"]) < 500


def test_the_key_is_the_question_not_where_it_stands(tmp_path: Path) -> None:
    mine, same = tmp_path / "mine.txt", tmp_path / "same.txt"
    for path in (mine, same):
        path.write_text("abc\n")
    key = job_of(tmp_path, id=1, words=str(mine)).key
    assert job_of(tmp_path, id=1, words=str(same), seed=0).key == key
    same.write_text("abd\n")
    others: list[dict[str, object]] = [
        {"id": "1", "words": str(mine)},
        {"id": 1, "words": str(same)},
        {"id": 1, "words": str(mine), "seed": 1},
        {"id": 1, "words": str(mine), "grid": [*SQUARE, "..."]},
        {"id": 1, "words": str(mine), "min_slot_length": 3},
        {"id": 1, "words": str(mine), "require": ["abc"]},
    ]
    assert len({key, *(job_of(tmp_path, **given).key for given in others)}) == 1 + len(others)


def words_of(path: Path) -> dict[str, float]:
    return dict.fromkeys(path.read_text(encoding="utf-8").upper().split(), 50.0)


def test_the_record_of_an_answer(tmp_path: Path) -> None:
    record = answer_job(job_of(tmp_path, id="x", seed=4, objective="sum"))
    answer = brute_force.solve(brute_force.cells_of(*SQUARE), words_of(THREE), brute_force.Rules())
    assert unseal(encode_line(record)) == record
    assert (record["id"], record["status"], record["reason"], record["seed"]) == ("x", "OPTIMAL", "exhausted", 4)
    assert tuple(record["fill"]) in answer.fills
    assert record["value"] == record["bound"] == 300.0
    assert record["seconds"] >= record["stats"]["search_s"] >= 0
    assert answer_job(replace(job_of(tmp_path), id="again", question=job_of(tmp_path).question))["fill"] in [
        list(rows) for rows in answer.fills
    ]


def test_what_became_of_words_is_in_the_record(tmp_path: Path) -> None:
    given = {"grid": ["QXZ", "###", "..."], "words": "en", "theme": str(tmp_path / "theme.txt")}
    (tmp_path / "theme.txt").write_text("COG\nROBOT\nCOTE\n")
    record = answer_job(job_of(tmp_path, **given))
    assert (record["accepted"], record["theme_skipped"]) == (["QXZ"], 2)
    assert unseal(encode_line(record)) == record
    refused = answer_job(
        job_of(tmp_path, grid=["QXZ", "###", "DOG", "###", "CAT"], words="en", strict=True, exclude="dog")
    )
    assert refused["refused"] == {"QXZ": "unlisted", "DOG": "excluded"}
    assert not {"accepted", "theme_skipped"} & answer_job(job_of(tmp_path)).keys()


def test_a_rebus_cell_is_kept_in_the_fill(tmp_path: Path) -> None:
    job = job_of(tmp_path, grid=["(STAR)....", ".####"], words="en")
    record = answer_job(job)
    assert record["fill"][0].startswith("(STAR)")
    assert answer_job(job_of(tmp_path, grid=record["fill"], words="en"))["fill"] == record["fill"]
    assert job.key != job_of(tmp_path, grid=["S....", ".####"], words="en").key


def test_a_fill_has_its_blocks_and_is_a_grid_again(tmp_path: Path) -> None:
    record = answer_job(job_of(tmp_path, grid=["##..", "....", "..##"], words="en"))
    again = answer_job(job_of(tmp_path, grid=record["fill"], words="en"))
    assert again["fill"] == record["fill"]
    assert [row.count("#") for row in record["fill"]] == [2, 0, 2]


@pytest.mark.parametrize(
    ("given", "status", "reason"),
    [
        ({"grid": ["....."]}, "UNSATISFIABLE", "exhausted"),
        ({"grid": SEVEN, "words": "en", "engine": "fc", "node_limit": 1}, "UNKNOWN", "nodes"),
        ({"grid": SEVEN, "words": "en", "time_limit": 0}, "UNKNOWN", "time"),
    ],
)
def test_no_fill_and_no_time_are_answers(tmp_path: Path, given: dict[str, object], status: str, reason: str) -> None:
    record = answer_job(job_of(tmp_path, **given))
    assert (record["status"], record["reason"], record["fill"]) == (status, reason, None)
    assert "error" not in record


def test_what_an_engine_cannot_do_is_bad_input(tmp_path: Path) -> None:
    record = answer_job(job_of(tmp_path, engine="letters", objective="min"))
    assert record["status"] == INVALID
    assert "engines that can" in record["error"]


def test_a_fault_of_an_engine_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("cpfill.questions.solve.search", broken)
    record = answer_job(job_of(tmp_path))
    assert (record["status"], record["error"]) == (FAILED, "ZeroDivisionError: by zero")


def test_a_job_ends_when_it_is_stopped(tmp_path: Path) -> None:
    record = answer_job(job_of(tmp_path, grid=SEVEN, words="en", engine="fc"), stopped=lambda: True)
    assert (record["status"], record["reason"]) == ("UNKNOWN", "interrupted")


def test_a_list_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read, real = list[str](), parse_word_list

    def counted(text: str, name: str, *args: Any, **options: Any) -> object:
        read.append(name)
        return real(text, name, *args, **options)

    monkeypatch.setattr("cpfill.words.sources.parse_word_file", counted)
    mine = tmp_path / "mine.txt"
    mine.write_text("cat\ndog\n")
    for seed in range(3):
        assert answer_job(job_of(tmp_path, grid=["..."], words=str(mine), seed=seed))["status"] == "SATISFIED"
        assert answer_job(job_of(tmp_path, grid=["..."], words=[str(mine), str(THREE)]))["status"] == "SATISFIED"
    assert read.count(str(mine)) == 1


def test_a_list_that_changed_meanwhile_is_another_question(tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("cat\n")
    job = job_of(tmp_path, grid=["..."], words=str(mine))
    mine.write_text("dog\n")
    record = answer_job(job)
    assert record["status"] == INVALID
    assert "expected the list as it was when the job was made" in record["error"]


def test_lists_and_words_come_together(tmp_path: Path) -> None:
    for name, text in {"all": "cat;9\ndog;8\nemu;7\n", "best": "emu;3\n", "theme": "dog\nyak\n", "no": "cat\n"}.items():
        (tmp_path / name).write_text(text)
    grid = ["..."]
    best = answer_job(job_of(tmp_path, grid=grid, words="all", weighted="best"))
    assert (best["status"], best["fill"], best["value"]) == ("OPTIMAL", ["EMU"], 3.0)
    theme = answer_job(job_of(tmp_path, grid=grid, words="all", theme="theme", objective="min"))
    assert (theme["fill"], theme["value"]) == (["YAK"], [1.0, 50.0])
    without = answer_job(job_of(tmp_path, grid=grid, words="all", exclude="no", objective="min"))
    assert (without["fill"], without["value"]) == (["DOG"], 8.0)
    assert answer_job(job_of(tmp_path, grid=grid, words="all", require="gnu"))["fill"] == ["GNU"]
    both = answer_job(job_of(tmp_path, grid=grid, words="all", require="cat", exclude="no"))
    assert both["status"] == INVALID
    assert "that are not excluded, found CAT" in both["error"]


RECORDS: list[Record] = [{"id": n, "key": f"k{n}", "grid": "g", "status": "SATISFIED"} for n in range(3)]


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

    monkeypatch.setattr(executors, "Child", Watched)
    monkeypatch.setattr(executors, "_SERVE", f"{deadly.__name__}:serve")
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


def test_the_processes_give_what_one_gives(tmp_path: Path) -> None:
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
    """Against what the fills of the grid are by brute force."""
    fills = brute_force.solve(brute_force.cells_of(*SQUARE), words_of(THREE), brute_force.Rules()).fills
    told = [
        answer_job(job_of(tmp_path, **asked))
        for asked in (
            {"ask": "count"},
            {"ask": "candidates", "slot": "1-Across", "only": "yes"},
            {"ask": "explain"},
            {"ask": "stats", "style": "free"},
            {"ask": "info"},
            {"ask": "solve", "every": True, "engine": "letters"},
            {"ask": "best", "slot": "1-Across", "words": sorted({fill[0] for fill in fills})},
        )
    ]
    counted, candidates, explained, judged, described, solved, best = told
    assert (counted["status"], counted["fills"], counted["exact"]) == ("ALL_FILLS", len(fills), True)
    assert {each["word"] for each in candidates["records"]} == {fill[0] for fill in fills}
    assert (explained["status"], explained["finished"]) == ("SATISFIED", True)
    assert tuple(explained["records"][0]["witness"]) in fills
    assert (judged["status"], judged["records"][0]["words"]) == ("ANSWERED", 6)
    (described,) = described["records"]
    threes = [word for word in words_of(THREE) if len(word) == 3]
    assert [(slot["length"], slot["fitting"]) for slot in described["slots"]] == [(3, len(threes))] * 6
    assert {tuple(rows) for rows in solved["fills"]} == {*fills}
    assert [(each["value"], each["bound"]) for each in best["records"]] == [(50, 50)] * len({fill[0] for fill in fills})
    assert len({job_of(tmp_path, **asked).key for asked in ({}, {"ask": "count"}, {"ask": "explain"})}) == 3


@pytest.mark.parametrize(
    ("asked", "said"),
    [({"ask": "cuont"}, "did you mean 'count'?"), ({"ask": "count", "diverse": True}, "a field of a job")],
)
def test_a_line_that_asks_what_is_no_question_is_refused(tmp_path: Path, asked: dict[str, object], said: str) -> None:
    made = planned(lines(tmp_path, {"grid": SQUARE, **asked}))
    assert said in made.refused[0]["error"]
