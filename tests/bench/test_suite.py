from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cpfill.base.errors import CpfillError, InputError, UnsupportedError
from cpfill.runs.bench.run import narrowed, plan_runs
from cpfill.runs.bench.suite import read_suite
from tests.bench.support import CASES, TINY, suite_of
from tests.support import INSTANCES
from tests.tables import cases

if TYPE_CHECKING:
    from pathlib import Path

SHIPPED = sorted((INSTANCES / "suites").glob("*.toml"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_suites_parse(path: Path) -> None:
    suite = read_suite(str(path))
    assert suite.name == path.stem
    assert plan_runs(suite)


def test_the_classic_suite_has_each_grid_once_in_gecodes_order() -> None:
    questions = read_suite(str(INSTANCES / "suites" / "classic.toml")).questions
    assert len(questions) == 72
    assert [q.index for q in questions] == list(range(72))
    assert [questions[i].grid.stem for i in (0, 10, 50, 71)] == ["05.01", "15.01", "puzzle01", "puzzle22"]
    assert all(q.known is None or q.known.satisfiable for q in questions if q.grid.stem.startswith("05"))


def test_everything_is_read(tmp_path: Path) -> None:
    suite = suite_of(
        tmp_path,
        TINY.replace('limit = "20s"', 'limit = "1.5m"\ngrace = 3\nworkers = 2\nseeds = [3, 1]\nmust_decide = true')
        .replace('name = "squares"', 'name = "squares"\nobjective = "min"\nmin_slot_length = 3\nrepeats = true')
        .replace("[[engines]]\nengine", "[[engines]]\nworkers = 1\nengine", 1),
    )
    assert (suite.limit_s, suite.grace_s, suite.seeds, suite.must_decide) == (90.0, 3.0, (3, 1), True)
    assert [(e.label, e.engine, e.workers) for e in suite.entrants] == [("fc", "fc", 1), ("random", "fc-cbj", 2)]
    assert suite.entrants[1].options == {"order": "random"}
    square = suite.questions[1]
    assert (square.request.objective, square.request.min_slot_length, square.request.repeats) == ("min", 3, True)


def test_known_answers_make_a_family(tmp_path: Path) -> None:
    mirror = [q for q in suite_of(tmp_path).questions if q.family == "mirror"]
    assert [(q.request.repeats, q.known and q.known.satisfiable) for q in mirror] == [(False, False), (True, True)]
    assert mirror[1].known
    assert (mirror[1].known.fills, mirror[1].known.best) == (1, 50.0)


def test_known_answers_are_found_for_lists(tmp_path: Path) -> None:
    answers = f'lists = ["three"]\nanswers = "{INSTANCES}/tiny/known_answers.toml"'
    suite = suite_of(tmp_path, TINY.replace('lists = ["three"]', answers))
    assert {q.grid.stem: q.known.fills for q in suite.questions if q.known and q.family == "squares"} == {
        "square": 4,
        "one-fill": 1,
    }


def test_globs_are_relative_and_can_exclude(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt", "b.words.txt"):
        (tmp_path / name).write_text("..\n..\n", encoding="utf-8")
    place = tmp_path / "suites"
    place.mkdir()
    text = '[[families]]\nname = "f"\ngrids = ["../*.txt", "!../*.words.txt"]\nlists = ["en"]\n'
    assert [q.grid for q in suite_of(place, text).questions] == [tmp_path / "a.txt", tmp_path / "b.txt"]


@cases(CASES, "wrong suites")
def test_a_wrong_suite_is_refused_in_one_line(tmp_path: Path, case: dict[str, str]) -> None:
    with pytest.raises(InputError) as caught:
        suite_of(tmp_path, case["text"])
    assert case["said"] in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_place_of_a_fault_of_toml_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"suite\.toml:2:8: expected TOML, found invalid value"):
        suite_of(tmp_path, "\nname = x\n")


PLANS = {
    "an option": (TINY.replace("order", "ordre"), UnsupportedError, "no option .*ordre"),
    "a value": (TINY.replace('"random" }', '"rndom" }'), InputError, "did you mean 'random'"),
    "a value of another type": (TINY.replace('order = "random"', "order = []"), InputError, "the name of an order"),
    "two of one label": (TINY.replace('"random"\nengine', '"fc"\nengine'), InputError, "'fc' twice"),
    "no engines": (TINY.partition("[[engines]]")[0], InputError, "no engine"),
    "a proof of a sum": (
        'ask = "proof"\nobjective = "min-then-sum"\n'
        + TINY.replace('"fc"', '"mac"').partition("[[engines]]\nlabel")[0],
        UnsupportedError,
        "no proof is written for the objective",
    ),
    "no families": ('[[engines]]\nengine = "fc"', InputError, "expected engines and families"),
    "a missing list": (TINY.replace("three.words.txt", "no.txt"), InputError, "nothing there"),
    "no grid": (TINY.replace("tiny/square.txt", "malformed/ragged-long.txt"), InputError, r"ragged-long\.txt:\d"),
}


@pytest.mark.parametrize(("text", "error", "said"), PLANS.values(), ids=PLANS)
def test_what_cannot_run_is_refused_before_anything_runs(
    tmp_path: Path, text: str, error: type[CpfillError], said: str
) -> None:
    with pytest.raises(error, match=said):
        plan_runs(suite_of(tmp_path, text))


def test_engines_take_turns_and_every_run_has_its_own_key(tmp_path: Path) -> None:
    runs = plan_runs(suite_of(tmp_path, TINY.replace('limit = "20s"', "seeds = [0, 1]")), repeats=2)
    assert len(runs) == 4 * 2 * 2 * 2
    assert [run.contender.label for run in runs[:4]] == ["fc", "random", "fc", "random"]
    assert [(run.seed, run.repeat) for run in runs[:8:2]] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert len({run.key for run in runs}) == len(runs)


def test_the_key_depends_on_what_decides_the_run(tmp_path: Path) -> None:
    def keys(text: str) -> list[str]:
        return [run.key for run in plan_runs(suite_of(tmp_path, text))]

    assert keys(TINY) == keys(TINY)
    changes = [("20s", "21s"), ('"random" }', '"static" }'), ('"fc-cbj"', '"fc"'), ('"random"\n', '"r"\n')]
    for old, new in changes:
        assert keys(TINY)[1] != keys(TINY.replace(old, new))[1]


def test_the_key_depends_on_the_grid_and_the_words(tmp_path: Path) -> None:
    (tmp_path / "g.txt").write_text("...\n", encoding="utf-8")
    (tmp_path / "w.txt").write_text("ABC\n", encoding="utf-8")
    text = '[[families]]\nname = "f"\ngrids = "g.txt"\nlists = "w"\n[lists.w]\nwords = "w.txt"\n'
    text += '[[engines]]\nengine = "fc"\n'
    first = plan_runs(suite_of(tmp_path, text))[0].key
    (tmp_path / "w.txt").write_text("ABD\n", encoding="utf-8")
    second = plan_runs(suite_of(tmp_path, text))[0].key
    (tmp_path / "g.txt").write_text("..A\n", encoding="utf-8")
    third = plan_runs(suite_of(tmp_path, text))[0].key
    assert len({first, second, third}) == 3


def test_several_grids_of_one_file_are_several_instances(tmp_path: Path) -> None:
    (tmp_path / "g.txt").write_text("..\n\n...\n\n..\n", encoding="utf-8")
    text = '[[families]]\nname = "f"\ngrids = "g.txt"\nlists = "en"\n[[engines]]\nengine = "fc"\n'
    runs = plan_runs(suite_of(tmp_path, text))
    assert [run.instance.name.rpartition("/")[2] for run in runs] == ["g#1", "g#2", "g#3"]
    assert len({run.key for run in runs}) == 3, "the first and the last grid are the same"


def test_a_loop_of_links_is_no_grid(tmp_path: Path) -> None:
    (tmp_path / "g.txt").symlink_to("g.txt")
    with pytest.raises(InputError, match=r"loop|links"):
        plan_runs(
            suite_of(tmp_path, '[[families]]\nname = "f"\ngrids = "*.txt"\nlists = "en"\n[[engines]]\nengine = "fc"')
        )


def test_a_suite_can_be_narrowed(tmp_path: Path) -> None:
    suite = narrowed(suite_of(tmp_path), ["random", "fc-cbj"], 5.0)
    assert [(e.label, dict(e.options)) for e in suite.entrants] == [("random", {"order": "random"}), ("fc-cbj", {})]
    assert suite.limit_s == 5.0
    with pytest.raises(InputError, match="did you mean 'random'"):
        narrowed(suite, ["rando"], None)


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "[" * 900 + "]" * 900,
        "x = " + "{a=" * 900 + "1" + "}" * 900,
        "workers = " + "9" * 5000,
        "workers = 0x" + "f" * 50_000,
        "workers = " + "9" * 400,
        "seeds = [" + "9" * 30 + "]",
        "seeds = [0x" + "f" * 50_000 + "]",
        "limit = " + "9" * 400,
        "limit = inf",
        "limit = nan",
        "limit = '1e9'",
        "limit = '" + "9" * 400 + "s'",
        "min_slot_length = 256",
        "[lists.x]\nwords = 'en'\nmin_score = 1e-320",
        "[lists.x]\nwords = 'en'\nmin_score = 0x" + "f" * 50_000,
        "[[engines]]\nengine = 'mac'\noptions = { core = 0x" + "f" * 50_000 + " }",
        "[[engines]]\nengine = 'mac'\nworkers = 257",
        "name = 0x" + "f" * 50_000,
    ],
    ids=lambda text: text[-20:],
)
def test_a_number_or_a_nesting_beyond_what_is_read_is_one_short_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError) as caught:
        suite_of(tmp_path, text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < len(str(tmp_path)) + 250
