from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

import pytest

from cpfill import make_engine, make_problem
from cpfill.base.errors import InputError
from cpfill.engines.audited import settle
from cpfill.problem.result import Limits
from cpfill.runs.bench import experiment
from cpfill.runs.bench import run as running
from cpfill.runs.bench.run import execute, plan_runs
from tests.bench.support import in_process, record
from tests.cli.program import words_of
from tests.support import INSTANCES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpfill.runs.bench.peer import Ended
    from tests.bench.conftest import Program

SQUARE, THREE = INSTANCES / "tiny" / "square.txt", INSTANCES / "tiny" / "three.words.txt"
LABELS = ["fc", "fc+ac3", "fc-cbj", "fc-cbj+ac3"]


def test_lists_grow_and_are_the_same_each_time(tmp_path: Path) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text("".join(f"{a}{b};{ord(a)}\n" for a in "abcdefghij" for b in "abcdefghij"), encoding="utf-8")
    read = []
    for seed in (1, 1, 2):
        with experiment.growing_lists(str(path), (None, 5, 50), seed) as lists:
            assert {size: source.name for size, source in lists.items()} == {
                5: "pairs.txt 5",
                50: "pairs.txt 50",
                100: "pairs.txt 100",
            }
            read.append([words_of(Path(source.words[0])) for source in lists.values()])
        assert not any(Path(source.words[0]).exists() for source in lists.values())
    small, large, whole = read[0]
    assert (len(small), len(large)) == (5, 50)
    assert small.items() < large.items() < whole.items()
    assert whole == words_of(path)
    assert read[1] == read[0]
    assert read[2][0] != small


def test_every_algorithm_runs_every_seed_and_is_summed_up() -> None:
    with experiment.growing_lists(str(THREE), (3, None), 0) as lists:
        runs = plan_runs(experiment.suite([str(SQUARE)], lists, 2))
        done = {run.key: made for run, made in execute(runs, in_process)}
        found = experiment.samples(runs, done, lists)
    assert len(runs) == len(done) == 2 * 4 * 2
    assert [cell.label for cell in found] == LABELS * 2
    assert {(record["options"]["ac3"], record["options"]["shuffle"]) for record in done.values()} == {
        (False, True),
        (True, True),
    }
    for cell in found:
        own = [r for r in done.values() if r["label"] == cell.label and r["list"] == f"{THREE.name} {cell.words}"]
        assert cell.grid == "square"
        assert sorted(cell.seconds) == sorted(r["solve_s"] for r in own)
        assert sorted(cell.nodes) == sorted(r["nodes"] for r in own)
        assert cell.no_fill == sum(r["verdict"] == "no fill" for r in own)
        assert cell.undecided == 0
        written = cell.as_json()
        assert written["mean_s"] == fmean(cell.seconds)
        assert written["median_nodes"] == median(cell.nodes)
    assert {cell.no_fill for cell in found if cell.words == 3} == {2}, "three words fill no square of six"


def test_a_run_without_an_answer_counts_as_the_limit() -> None:
    with experiment.growing_lists(str(THREE), (None,), 0) as lists:
        runs = [run for run in plan_runs(experiment.suite([str(SQUARE)], lists, 2)) if run.contender.label == "fc"]
        done = {runs[0].key: record("fc", "square", 1.0, nodes=7), runs[1].key: record("fc", "square", None)}
        (cell,) = experiment.samples(runs, done, lists)
    assert (cell.seconds, cell.nodes, cell.undecided) == ((1.0, 20.0), (7,), 1)


def test_published_times_are_whole_and_possible() -> None:
    studies = experiment.published_times(INSTANCES / "assignment")
    assert studies
    assert set(studies) <= {(grid, label) for grid in "ABC" for label in LABELS}
    for found in studies.values():
        assert [each.words for each in found] == [850, 22600, 58000, 133000, 135000]
        assert all(0 < each.mean_s <= 300 for each in found)
    assert experiment.published_times(INSTANCES / "tiny") == {}


def beside(directory: Path) -> dict[int, list[tuple[str, int]]]:
    """Return which published lists stand beside lists of some sizes."""
    grid = directory / "A.txt"
    grid.write_text("..\n..\n", encoding="utf-8")
    sizes = dict.fromkeys((850, 1000, 30_000, 111_838, 134_500))
    with experiment.growing_lists(str(THREE), (None,), 0) as lists:
        (source,) = lists.values()
        sources = {size: replace(source, name=str(size)) for size in sizes}
        runs = [run for run in plan_runs(experiment.suite([str(grid)], sources, 1)) if run.contender.label == "fc+ac3"]
        done = {run.key: record("fc+ac3", "A", 1.0) for run in runs}
        found = experiment.samples(runs, done, sources)
    return {cell.words: [(each.study, each.words) for each in cell.published] for cell in found}


def test_lists_of_about_the_same_size_stand_beside_each_other(tmp_path: Path) -> None:
    text = (INSTANCES / "assignment" / experiment.PUBLISHED).read_text(encoding="utf-8")
    (tmp_path / experiment.PUBLISHED).write_text(text, encoding="utf-8")
    sizes = {850: 850, 1000: 850, 111_838: 133_000, 134_500: 135_000}
    expected = {size: [("Greige, Gigant", near)] for size, near in sizes.items()}
    assert beside(tmp_path) == {**expected, 30_000: []}


@pytest.mark.parametrize("rows", ["A = 3", "A.fc = [1.0]", "A.fc = [1.0, 'x']", "A.fc = 'x'", "A.fc = [1.0, 2.0"])
def test_published_times_that_are_none_are_told_with_their_file(rows: str, tmp_path: Path) -> None:
    text = f"[[study]]\nname = 's'\nsizes = [1, 2]\n[study.mean_s]\n{rows}\n"
    (tmp_path / experiment.PUBLISHED).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=experiment.PUBLISHED) as caught:
        experiment.published_times(tmp_path)
    assert len(caught.value.faults) == 1


def test_a_grid_with_a_name_that_is_not_utf_8_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    cell = experiment.ExperimentSample("\udcff", 5, "fc", (0.1,), (7,), no_fill=0, undecided=0)
    experiment.plot_experiment([cell], str(tmp_path / "plot.svg"))
    assert r"grid \udcff" in (tmp_path / "plot.svg").read_text(encoding="utf-8")


def test_nothing_is_drawn_at_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    axes = pytest.importorskip("matplotlib.axes").Axes
    boxplot, drawn = axes.boxplot, []

    def recorded(self: Any, numbers: Any, **how: Any) -> Any:
        drawn.append((self, [list(each) for each in numbers]))
        return boxplot(self, numbers, **how)

    monkeypatch.setattr(axes, "boxplot", recorded)
    cell = experiment.ExperimentSample("A", 5, "fc", (0.0, 0.5), (0, 7), no_fill=0, undecided=0)
    experiment.plot_experiment([cell], str(tmp_path / "plot.svg"))
    assert [numbers for _, numbers in drawn] == [[[0.0, 0.5]], [[0, 7]]]
    for axis, _ in drawn:
        assert axis.get_ylim()[0] == 0
        assert axis.figure.axes[0].get_title() == "grid A: means"
        zero, least, more = (axis.transData.transform((0, y))[1] for y in (0.0, 1.0, 10.0))
        assert zero < least < more


def test_the_experiment_is_run_resumed_and_drawn(program: Program, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path, pictures = tmp_path / "results.jsonl", [tmp_path / "a.svg", tmp_path / "b.svg"]
    words = ("experiment", SQUARE, "-w", THREE, "--sizes", "4,all", "-o", path)
    assert program(*words, "--runs", 1, "--plot", pictures[0]) == 0
    assert program.out.count("fc-cbj+ac3") == 2
    assert program.lines[-1].startswith("cpfill: 8 runs: ")
    assert program(*words, "--runs", 2, "-e", "fc", "-e", "fc-cbj+ac3", "--json") == 0
    assert program.lines[0] == f"cpfill: 4 of 8 runs are in {path} already"
    found = json.loads(program.out)["cells"]
    assert [(cell["words"], cell["label"], cell["runs"]) for cell in found] == [
        (words, label, 2) for words in (4, len(words_of(THREE))) for label in ("fc", "fc-cbj+ac3")
    ]
    assert len(path.read_bytes().splitlines()) == 12
    assert program(*words, "--runs", 1, "--markdown", "--plot", pictures[1]) == 0
    assert program.out.startswith("| family | words | engine |")
    assert pictures[0].read_bytes() == pictures[1].read_bytes()
    assert program("report", path) == 0


def test_each_order_is_a_row_and_a_line(program: Program, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "a.svg"
    words = ("experiment", SQUARE, "-w", THREE, "--sizes", "all", "--runs", 2, "-e", "fc", "-e", "mac")
    assert program(*words, "--order", "mrv", "--order", "static", "--json", "--plot", path) == 0
    cells = json.loads(program.out)["cells"]
    assert [cell["label"] for cell in cells] == ["fc mrv", "fc static", "mac"]
    nodes = {order: cell["nodes"] for order, cell in zip(("mrv", "static"), cells, strict=False)}
    for order, found in nodes.items():
        engine = make_engine("fc", order=order, ac3=False, shuffle=True)
        problem = make_problem(SQUARE, words=str(THREE))
        assert found == [
            settle(problem, engine=engine, limits=Limits(seed=seed, fills=1)).stats.nodes for seed in (0, 1)
        ]
    assert ">fc static<" in path.read_text("utf-8")
    assert program(*words, "--order", "odd") == 2
    assert "an order" in program.err


def test_random_grids_have_their_blocks_and_stay_the_same(program: Program) -> None:
    rows = []
    for seed in (1, 1, 2):
        with experiment.random_grids(["5x7x9"], seed) as (path,):
            rows.append(Path(path).read_text("utf-8").split())
    assert [len(row) for row in rows[0]] == [7] * 5
    assert "".join(rows[0]).count("#") == 9
    assert rows[0] == rows[1] != rows[2]
    assert program("experiment", "--random", "3x3x0", "-w", THREE, "--sizes", "3", "--runs", 1, "-e", "fc") == 0
    assert "3x3x0, 3 words: every run ends in no fill" in program.out


def test_fills_are_not_told_as_refutations(program: Program) -> None:
    assert program("experiment", SQUARE, "-w", THREE, "--sizes", "all", "--runs", 1, "-e", "fc") == 0
    assert "refutation" not in program.out


def test_grids_a_b_and_c_are_there_by_default(program: Program) -> None:
    assert program("experiment", "--runs", 1, "--sizes", 850, "-e", "fc+ac3") == 0
    assert program.lines == ["cpfill: 3 runs: 3 no fill"]
    assert "Greige, Gigant" in program.out


def test_an_interrupt_keeps_what_was_measured(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = []

    def interrupted(argv: Sequence[str], timeout_s: float) -> Ended:
        started.append(argv)
        if len(started) > 3:
            raise KeyboardInterrupt
        return in_process(argv, timeout_s)

    monkeypatch.setattr(running.execute, "__defaults__", (interrupted,))
    path = tmp_path / "results.jsonl"
    assert program("experiment", SQUARE, "-w", THREE, "--sizes", "all", "--runs", 2, "-o", path) == 130
    assert [json.loads(line)["label"] for line in path.read_bytes().splitlines()] == LABELS[:3]
    assert "fc-cbj" in program.out
    assert "fc-cbj+ac3" not in program.out
    monkeypatch.setattr(running.execute, "__defaults__", (interrupted,))
    assert program("experiment", SQUARE, "-w", THREE, "--sizes", "all", "--runs", 1) == 130
    assert "cpfill: interrupted" in program.lines
    assert program.lines[-1].startswith("cpfill: 0 runs")


BAD: dict[str, tuple[tuple[object, ...], str]] = {
    "sizes": (("--sizes", "850,many"), "numbers of words for --sizes"),
    "no size": (("--sizes", "0"), "numbers of words for --sizes"),
    "too great a size": (("--sizes", "999999999"), "sizes of at most"),
    "no run": (("--runs", "0"), "from 1 to 100000 for --runs"),
    "a list": (("-w", "enn"), "did you mean 'en'"),
    "an engine": (("-e", "fc+ac4"), "did you mean 'fc+ac3'"),
    "a random grid": (("--random", "9x9"), "a size such as 9x9x12"),
    "a random grid of blocks": (("--random", "3x3x9"), "fewer than cells"),
    "a limit": (("-t", "soon"), "a time limit"),
    "a grid": (("no.txt",), "no.txt: expected a file"),
    "a plot": (("--plot", "x.gif"), "a file for the plot"),
    "standard output": (("-o", "-"), "a file for -o"),
    "results of something else": (("-o", __file__), "a line of results"),
}


@pytest.mark.parametrize(("words", "said"), BAD.values(), ids=BAD)
def test_bad_input_is_told_in_one_line(program: Program, words: tuple[object, ...], said: str) -> None:
    small = () if "-w" in words or "--sizes" in words else ("-w", THREE, "--sizes", "all")
    assert program("experiment", *words, *small) == 2
    assert len(program.lines) == 1
    assert said in program.err
    assert program.out == ""
