from __future__ import annotations

import re
import resource
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import cpfill
from cpfill.base.errors import CpfillError, InputError, UnsupportedError
from cpfill.formats.dialects import parse_grids
from cpfill.problem.event import Finished, Found, Started, StopReason
from cpfill.problem.fill import Fill
from cpfill.problem.result import Outcome
from cpfill.proofs.checkers import CheckerReply, ProofVerdict
from cpfill.runs.bench import child
from cpfill.runs.bench import child as certify
from cpfill.runs.bench.circumstances import compiler, revision
from cpfill.runs.bench.peer import Ended, launch, parse_peer
from cpfill.runs.bench.results import Results, find_disagreements
from cpfill.runs.bench.run import conclude, execute, plan_runs
from cpfill.testing import brute_force
from tests.bench.support import TINY, gone, in_process, records_of, suite_of, tiny
from tests.support import INSTANCES

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from cpfill.problem.event import Event
    from cpfill.problem.problem import Problem
    from cpfill.problem.result import Limits
    from cpfill.runs.bench.results import Record


def test_a_run_in_a_process_of_its_own_is_recorded_whole(tmp_path: Path) -> None:
    run = plan_runs(suite_of(tmp_path))[2]
    ((_, record),) = execute([run])
    assert (record["verdict"], record["status"], record["audited"]) == ("filled", "SATISFIED", True)
    assert (record["grid"], (tmp_path / record["path"]).resolve()) == ("tiny/square", INSTANCES / "tiny" / "square.txt")
    assert (record["label"], record["engine"], record["options"], record["seed"]) == ("fc", "fc", {}, 0)
    assert set(record["versions"]) == {"cpfill", "python"}, "no ortools where it is not used"
    assert record["machine"]["cores"] >= 1
    assert record["compiler"] == compiler()
    assert record["revision"] == revision()
    assert record["nodes"] > 0
    for name in ("import_s", "load_s", "build_s", "search_s", "solve_s", "wall_s", "cpu_s", "peak_mb"):
        assert record[name] > 0, name
    assert record["wall_s"] > record["import_s"] + record["load_s"] + record["solve_s"]
    _, grids = parse_grids(record["fill"])
    assert (grids[0].height, grids[0].width) == (3, 3)


def test_the_compiler_of_the_kernel_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert re.fullmatch(r"none|\w+ \d[\d.]*", compiler())
    monkeypatch.setattr("cpfill.runs.bench.circumstances.KERNEL", "cpfill.engines.mac._none")
    compiler.cache_clear()
    assert compiler() == "none"
    compiler.cache_clear()


def test_the_revision_is_what_git_says_or_else_the_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def revision_at(package: Path) -> str:
        monkeypatch.setattr(cpfill, "__file__", str(package / "__init__.py"))
        revision.cache_clear()
        return revision()

    def git(*words: str) -> str:
        who = ("-c", "user.name=n", "-c", "user.email=e@example.org")
        return subprocess.run(["git", "-C", tmp_path, *who, *words], check=True, capture_output=True, text=True).stdout

    package = tmp_path / "cpfill"
    package.mkdir()
    try:
        assert revision_at(package) == cpfill.__version__
        git("init", "-q")
        (package / "a.py").write_text("1", encoding="utf-8")
        git("add", ".")
        git("commit", "-q", "-m", "first")
        assert git("rev-parse", "HEAD").startswith(revision_at(package))
        (package / "a.py").write_text("2", encoding="utf-8")
        assert revision_at(package).endswith("+")
        git("commit", "-q", "-a", "-m", "second")
        git("tag", "v9.0.0")
        assert revision_at(package) == "v9.0.0"
        deeper = package / "lib" / "cpfill"  # installed into an environment that stands in a checkout of something else
        deeper.mkdir(parents=True)
        assert revision_at(deeper) == cpfill.__version__
    finally:
        revision.cache_clear()


def test_all_runs_of_a_suite_are_audited(tmp_path: Path) -> None:
    suite = suite_of(tmp_path)
    runs = plan_runs(suite, repeats=2)
    records = records_of(suite, repeats=2)
    assert len(records) == len(runs) == 16
    assert {(r["grid"], r["repeats"]): r["verdict"] for r in records} == {
        ("tiny/one-fill", False): "filled",
        ("tiny/square", False): "filled",
        ("tiny/mirror", False): "no fill",
        ("tiny/mirror", True): "filled",
    }
    assert all(r["audited"] is True for r in records if r["verdict"] == "filled")
    counts, faults = conclude(runs, {r["key"]: r for r in records})
    assert (counts, faults) == ({"filled": 12, "no fill": 4}, [])


def of_square(directory: Path, terms: str, *engines: str) -> dict[str, Record]:
    """Return the record of each engine for the square, of which more is asked."""
    records = records_of(suite_of(directory, tiny(terms, *engines)))
    return {each["label"]: each for each in records if each["grid"] == "tiny/square" and not each["repeats"]}


@pytest.mark.parametrize(
    ("terms", "status", "fills"),
    [('ask = "all"', "ALL_FILLS", 4), ('objective = "min"', "OPTIMAL", 1), ('ask = "number"', "ALL_FILLS", 4)],
)
def test_terms_decide_which_answer_counts(tmp_path: Path, terms: str, status: str, fills: int) -> None:
    found = of_square(tmp_path, terms, "fc", "cpsat")
    assert {(r["verdict"], r["status"], r["value"], r["fills"]) for r in found.values()} == {
        ("filled", status, 50.0, fills)
    }
    assert "ortools" in found["cpsat"]["versions"]


def test_an_engine_that_counts_tells_no_fill(tmp_path: Path) -> None:
    found = of_square(tmp_path, 'ask = "number"', "letters")["letters"]
    assert (found["verdict"], found["fills"], found["fill"]) == ("filled", 4, None)


def test_verdicts_are_those_of_the_brute_force(tmp_path: Path) -> None:
    lines = (INSTANCES / "tiny" / "three.words.txt").read_text(encoding="utf-8").split()
    fills = brute_force.solve(brute_force.cells_of("...", "...", "..."), dict.fromkeys(lines, 50.0)).fills
    letters = {(cell, letter) for rows in fills for cell, letter in enumerate("".join(rows))}
    words = {(slot, word) for rows in fills for slot, word in enumerate(brute_force.words_in(rows, 2))}
    for ask, shown in (("letters", letters), ("words", words)):
        found = of_square(tmp_path, f'ask = "{ask}"', "mac")["mac"]
        assert (found["verdict"], found["yes"], found["open"]) == ("filled", len(shown), 0)
        assert found["no"] > 0


def test_verdicts_on_edits_do_not_contradict_that_the_grid_has_a_fill(tmp_path: Path) -> None:
    """All words score the same, so no edit allows a better fill."""
    (tmp_path / "ring.txt").write_text("...#...\n.#...#.\n...#...\n", encoding="utf-8")
    family = '[[families]]\nname = "{ask}"\ngrids = ["ring.txt"]\nlists = ["three"]\nask = "{ask}"\n'
    lists = "[lists.three]" + TINY.partition("[lists.three]")[2].partition("[[engines]]")[0]
    families = "".join(family.format(ask=ask) for ask in ("fill", "edits"))
    fill, edits = found = records_of(suite_of(tmp_path, families + lists + '[[engines]]\nengine = "mac"\n'))
    assert (fill["verdict"], edits["verdict"]) == ("filled", "filled")
    assert (edits["yes"], edits["no"] > 0, edits["open"]) == (0, True, 0)
    assert find_disagreements(Results.of([("", found)])) == []


def test_a_wrong_witness_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, *_ = plan_runs(suite_of(tmp_path, tiny('ask = "words"', "mac")))
    grid = run.instance.grid
    wrong = Fill(("Q",) * len(grid.cells), grid)
    monkeypatch.setattr("cpfill.engines.mac.probes.MacProbe.ask", lambda *_: (Outcome.FOUND, wrong))
    ((_, record),) = execute([run], in_process)
    assert record["verdict"] == "wrong"
    assert "wrong fill" in record["detail"]


PROVING = tiny('ask = "proof"\nobjective = "min"', "fc")


def test_proofs_are_put_to_a_checker(tmp_path: Path) -> None:
    runs = plan_runs(suite_of(tmp_path, PROVING))
    records = [record for _, record in (*execute(runs, in_process), *execute(runs[:1]))]
    assert {(r["grid"], r["repeats"], r["verdict"], r["value"]) for r in records} == {
        ("tiny/one-fill", False, "filled", 50.0),
        ("tiny/square", False, "filled", 50.0),
        ("tiny/mirror", False, "no fill", None),
        ("tiny/mirror", True, "filled", 50.0),
    }
    for each in records:
        assert min(each["lemmas"], each["write_s"], each["check_s"]) > 0
        assert (each["detail"], bool(each["checker"])) == ("", True)


def test_what_no_checker_accepts_is_undecided_or_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suite = suite_of(tmp_path, PROVING.replace('ask = "proof"', 'ask = "proof"\ncheck = "1ms"'))
    assert {(r["verdict"], r["checker"]) for r in records_of(suite)} == {("undecided", None)}
    monkeypatch.setattr(certify, "check_proof", lambda *_: [CheckerReply("none", ProofVerdict.REFUSED, "0.1 s")])
    assert {(r["verdict"], r["detail"]) for r in records_of(suite)} == {
        ("wrong", "its proof is refused by none (0.1 s)")
    }


def test_an_engine_without_verdicts_is_refused(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, tiny('ask = "letters"'))
    with pytest.raises(UnsupportedError, match="engine fc cannot judge candidates; mac can"):
        plan_runs(suite)
    with pytest.raises(InputError, match="expected fills to ask of a peer, found words, letters, edits or proofs"):
        plan_runs(suite, [parse_peer("x=cat {grid}", "", "")])


def test_an_unfinished_count_is_undecided(tmp_path: Path) -> None:
    text = (
        f'limit = "1ms"\nask = "all"\n[[families]]\nname = "f"\ngrids = "{INSTANCES}/squares/5x5.txt"\nlists = "en"\n'
    )
    suite = suite_of(tmp_path, text + '[[engines]]\nengine = "fc"\n')
    runs = plan_runs(suite)
    records = {run.key: record for run, record in execute(runs, in_process)}
    assert {r["verdict"] for r in records.values()} == {"undecided"}
    assert conclude(runs, records)[1] == []


def test_known_answers_are_held_against_engines(tmp_path: Path) -> None:
    answers = tmp_path / "answers.toml"
    question = f'[[answer]]\ngrid = "{INSTANCES}/tiny/square.txt"\nwords = ["{INSTANCES}/tiny/three.words.txt"]\n'

    def said(answer: str, terms: str) -> set[tuple[str, str]]:
        answers.write_text(question + answer, encoding="utf-8")
        text = f'{terms}\n[[families]]\nname = "f"\nanswers = "answers.toml"\n[[engines]]\nengine = "fc"\n'
        return {(r["verdict"], r["detail"]) for r in records_of(suite_of(tmp_path, text))}

    right = 'status = "SATISFIABLE"\nfills = 4\nbest_min_score = 50.0\n'
    above = right.replace("50.0", "60.0")
    below = right.replace("50.0", "40.0")
    told = [
        (right, "", ""),
        (right, "ask = 'all'", ""),
        (right, 'objective = "min"', ""),
        (above, "", ""),
        ('status = "UNSATISFIABLE"', "", "has a fill, but none exists"),
        (right.replace("4", "5"), "ask = 'all'", "has 4 fills, all, and there are 5"),
        (right.replace("4", "3"), "ask = 'all'", "has 4 fills, all, and there are 3"),
        (above, 'objective = "min"', "has 50.0 as the best value, and it is 60.0"),
        (below, 'objective = "min"', "has 50.0 as the best value, and it is 40.0"),
    ]
    for answer, terms, detail in told:
        assert said(answer, terms) == {("wrong" if detail else "filled", detail)}


def test_a_false_proof_is_wrong(tmp_path: Path) -> None:
    run = plan_runs(suite_of(tmp_path))[-1]

    def liar(argv: Sequence[str], timeout_s: float) -> Ended:
        del argv, timeout_s
        return _ended('{"status": "UNSATISFIABLE", "proof": "hope", "fills": 0}')

    ((_, record),) = execute([run], liar)
    assert (record["verdict"], record["detail"]) == ("wrong", "says that no fill exists, but one does")


def _ended(stdout: str = "", stderr: str = "", exit_code: int = 0, *, timed_out: bool = False) -> Ended:
    return Ended(exit_code, timed_out=timed_out, wall_s=1.0, cpu_s=1.0, peak_mb=1.0, stdout=stdout, stderr=stderr)


ENDS = {
    "killed": (_ended(exit_code=-9, timed_out=True), "timeout", "killed after 1.0 s"),
    "crashed": (_ended(stderr="Traceback\nBoom: no\n", exit_code=1), "crash", "exit code 1: Boom: no"),
    "a signal": (_ended(exit_code=-11), "crash", "exit code -11"),
    "a fault": (_ended('{"error": "EngineError: worse than before"}'), "crash", "EngineError: worse than before"),
    "silence": (_ended(), "undecided", ""),
    "noise": (_ended("what\n3\n"), "undecided", ""),
    "unknown": (_ended('noise\n{"status": "UNKNOWN"}'), "undecided", ""),
    "an audit that failed": (_ended('{"status": "SATISFIED", "wrong": "C3: twice"}'), "wrong", "C3: twice"),
}


@pytest.mark.parametrize(("ended", "verdict", "detail"), ENDS.values(), ids=ENDS)
def test_how_a_process_ends_decides_the_verdict(tmp_path: Path, ended: Ended, verdict: str, detail: str) -> None:
    runs = plan_runs(suite_of(tmp_path, TINY.replace('limit = "20s"', "must_decide = true")))[:1]
    ((_, record),) = execute(runs, lambda _argv, _timeout: ended)
    assert (record["verdict"], record["detail"]) == (verdict, detail)
    assert len(conclude(runs, {record["key"]: record})[1]) == 1


class _Liar:
    """An engine whose fill is wrong, or is worth less than it says."""

    name = "liar"

    def __init__(self, letters: str, value: float) -> None:
        self._letters, self._value = letters, value

    def search(self, problem: Problem, limits: Limits) -> Generator[Event]:
        del limits
        yield Started("liar")
        yield Found(Fill(tuple(self._letters), problem.grid), (self._value,))
        yield Finished(StopReason.FILLS)


@pytest.mark.parametrize(
    ("letters", "value", "said"),
    [("AAAAAAAAA", 50.0, "C2: AAA is not in your lists (R1C1 across)"), ("", 50.0, "C1: "), (None, 60.0, "said to")],
)
def test_the_child_audits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, letters: str | None, value: float, said: str
) -> None:
    run = next(run for run in plan_runs(suite_of(tmp_path)) if run.instance.name == "tiny/square")
    if letters is None:
        ((_, record),) = execute([run], in_process)
        letters = record["fill"].replace("\n", "")
    monkeypatch.setattr(child, "make_engine", lambda _name, **_options: _Liar(letters or "", value))
    ((_, record),) = execute([run], in_process)
    assert record["verdict"] == "wrong"
    assert record["detail"].startswith(said)
    assert record["audited"] is False


def test_a_fault_of_an_engine_is_an_answer(tmp_path: Path) -> None:
    run = plan_runs(suite_of(tmp_path))[0]

    def spoil(argv: Sequence[str], timeout_s: float) -> Ended:
        return in_process([*argv[:-1], argv[-1].replace('"fc"', '"no"')], timeout_s)

    ((_, record),) = execute([run], spoil)
    assert record["verdict"] == "crash"
    assert record["detail"].startswith("InputError: ")


# The launcher


def test_a_process_is_measured() -> None:
    ended = launch([sys.executable, "-c", "x = bytearray(60_000_000); print('out'); raise SystemExit('err')"], 30)
    assert (ended.exit_code, ended.timed_out, ended.stdout, ended.stderr) == (1, False, "out\n", "err\n")
    assert ended.wall_s > 0
    assert 60 < ended.peak_mb < 120


def test_our_own_memory_is_not_counted() -> None:
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > 100 << 10
    assert launch([sys.executable, "-S", "-c", ""], 30).peak_mb < 50


def test_a_process_that_hangs_is_killed_with_its_children(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    script = "import subprocess as s; c = s.Popen(['sleep', '600']); open(PID, 'w').write(str(c.pid)); c.wait()"
    script = script.replace("PID", repr(str(pid)))
    ended = launch([sys.executable, "-S", "-c", script], 1.5)
    assert ended.timed_out
    assert ended.exit_code == -9
    assert gone(int(pid.read_text()))


def test_what_a_process_leaves_in_the_directory_for_temporary_files_is_removed() -> None:
    ended = launch(["mktemp", "-d"], 30)
    left = Path(ended.stdout.rstrip())
    assert left.is_absolute()
    assert not left.exists()


def test_what_cannot_be_started_is_told() -> None:
    with pytest.raises(CpfillError, match="cannot run /no/such/program: no such file"):
        launch(["/no/such/program"], 5)
