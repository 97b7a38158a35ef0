"""Repeats the students' study: forward checking, with and without backjumping and AC-3, over growing lists.

The study is that of the project on crosswords at Université Pierre et Marie Curie in 2016 (D. Héraïz-Bekis and
E. Rhouzlane; R. Adequin and N. Bourdache; and others): grids A, B and C, four algorithms, lists of 850 to 135,000
words, many runs that try words in random order, mean times and box plots. Here a list is a random sample of one list,
and each smaller sample is part of every larger one, so that only the size changes. Nodes are counted in addition to
seconds, because they do not depend on the machine.

The experiment is a normal suite, made here instead of read, and run in the same way. Its seconds are those
of search: they include AC-3, but not reading the list. A run without an answer counts as the limit, as in the study.
`published_times.toml`, next to the grids, has the published times.
"""

from __future__ import annotations

import math
import tempfile
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

import cpfill
from cpfill.base.errors import LETTERS, MAX_SIDE, SECONDS, expected, quote_value
from cpfill.base.imports import draw_plot
from cpfill.base.reading import TEXT, numbers_reader
from cpfill.base.texts import say
from cpfill.engines import ORDER, options_of
from cpfill.problem.problem import Objective
from cpfill.questions.request import Request
from cpfill.runs.bench.results import RunVerdict, decided, search_s
from cpfill.runs.bench.suite import BenchQuestion, Entrant, Suite, WordSource, read_toml
from cpfill.words.curate import entries, sample_words, write_entries
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import read_word_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cpfill.runs.bench.results import Record
    from cpfill.runs.bench.run import Run
    from cpfill.runs.bench.suite import Table

LIMIT_S = 20.0


def _entrant(label: str) -> Entrant:
    engine, plus, _ = label.partition("+")
    return Entrant(label, engine, {"ac3": bool(plus), "shuffle": True}, 1)


ENTRANTS = tuple(map(_entrant, ("fc", "fc+ac3", "fc-cbj", "fc-cbj+ac3")))
PUBLISHED = "published_times.toml"
_ALIKE = 1.25
"""Published times are compared if the size of their list is within this factor of ours."""


def default_grids() -> list[str]:
    """Return grids A, B and C of the checkout that cpfill runs from."""
    for checkout in (Path(cpfill.__file__).resolve().parent.parent, Path()):
        grids = [checkout / "instances" / "assignment" / f"{name}.txt" for name in "ABC"]
        if all(grid.is_file() for grid in grids):
            return list(map(str, grids))
    raise expected("grids, or a checkout of cpfill here, which has A, B and C", say("neither"))


@contextmanager
def growing_lists(source: str, sizes: Sequence[int | None], seed: int) -> Iterator[dict[int, WordSource]]:
    """Yield samples of a list by their number of words; their files exist until the context ends."""
    words = entries(Lexicon([read_word_list(source)]))
    short = [size for size in sizes if size is not None and size > len(words)]
    if short:
        raise expected(
            "sizes of at most {words}, the words of {source}", str(short[0]), words=len(words), source=source
        )
    shuffled = sample_words(words, len(words), seed)
    with tempfile.TemporaryDirectory(prefix="cpfill-lists-") as directory:
        lists = {}
        whole = len(words)
        for size in sorted({whole if size is None else size for size in sizes}):
            path = Path(directory) / f"{size}.txt"
            path.write_text(write_entries(shuffled[:size]), encoding="utf-8")
            lists[size] = WordSource(f"{Path(source).name} {size}", (str(path),))
        yield lists


@contextmanager
def random_grids(sizes: Sequence[str], seed: int) -> Iterator[list[str]]:
    """Yield grids of some sizes such as `9x9x12`: rows, columns, blocks at random; their files last as long.

    Raises:
        InputError: it is no such size, or no cell would be open.
    """
    with tempfile.TemporaryDirectory(prefix="cpfill-grids-") as directory:
        paths = []
        for size in sizes:
            numbers = [int(part) for part in size.split("x") if part.isdecimal() and len(part) < 6]
            if len(numbers) != 3 or not max(numbers[:2]) <= MAX_SIDE or numbers[2] >= numbers[0] * numbers[1]:
                raise expected("a size such as 9x9x12: rows, columns and blocks, fewer than cells", f"'{size:.40}'")
            height, width, blocks = numbers
            cells = ["."] * (height * width)
            for cell in Random(f"{seed} {size}").sample(range(len(cells)), blocks):  # noqa: S311
                cells[cell] = "#"
            rows = ["".join(cells[row * width : (row + 1) * width]) for row in range(height)]
            paths.append(Path(directory) / f"{size}.txt")
            paths[-1].write_text("\n".join(rows) + "\n", encoding="utf-8")
        yield list(map(str, paths))


def in_orders(suite: Suite, orders: Sequence[str]) -> Suite:
    """Return a suite whose engines, if they can, run once with each way to choose the next slot."""
    entrants = []
    for each in suite.entrants:
        if orders and ORDER in options_of(each.engine).values():
            for order in orders:
                options = {**each.options, "order": ORDER.read_value(order)}
                entrants.append(replace(each, label=f"{each.label} {order}", options=options))
        else:
            entrants.append(each)
    return replace(suite, entrants=tuple(entrants))


def suite(grids: Sequence[str], lists: Mapping[int, WordSource], runs: int) -> Suite:
    """Return the experiment as a suite: a family for each grid, a seed for each run."""
    questions = []
    for index, grid in enumerate(grids):
        path = Path(grid).absolute()
        for source in lists.values():
            request = Request(words=source.words, objective=Objective.ANY)
            questions.append(BenchQuestion(path.stem, path, index, source.name, request))
    name = "experiment"
    return Suite(name, Path(name), tuple(questions), ENTRANTS, seeds=tuple(range(runs)), limit_s=LIMIT_S)


@dataclass(frozen=True, slots=True)
class Published:
    """Published seconds for a grid, an algorithm and a list of about the same size."""

    study: str
    words: int
    mean_s: float
    median_s: float | None


@dataclass(frozen=True, slots=True)
class ExperimentSample:
    """One algorithm on one grid with one list.

    Attributes:
        grid: the name of the grid.
        words: the number of words in the list.
        label: the algorithm.
        seconds: the seconds of search of each run; the limit for a run without an answer.
        nodes: the nodes of each run that reports them.
        no_fill: the number of runs that proved that no fill exists.
        undecided: the number of runs without an answer.
        published: the published times.
    """

    grid: str
    words: int
    label: str
    seconds: tuple[float, ...]
    nodes: tuple[int, ...]
    no_fill: int
    undecided: int
    published: tuple[Published, ...] = ()

    @property
    def algorithm(self) -> str:
        """The label without the order of slots."""
        return self.label.partition(" ")[0]

    @property
    def order(self) -> str:
        """How the next slot is chosen, if it was asked for."""
        return self.label.partition(" ")[2]

    @property
    def refuted(self) -> bool:
        """Whether every run proved that no fill exists: its numbers are those of proofs, not of fills."""
        return self.no_fill == len(self.seconds)

    def as_json(self) -> dict[str, Any]:
        """Return the numbers and their statistics as JSON."""
        summary = {"mean_s": fmean(self.seconds), "median_s": median(self.seconds), "runs": len(self.seconds)}
        if self.nodes:
            summary |= {"mean_nodes": fmean(self.nodes), "median_nodes": median(self.nodes)}
        record = asdict(self)
        studies = record.pop("published")
        return {**record, **summary, "published": studies}


def samples(runs: Iterable[Run], done: Mapping[str, Record], lists: Mapping[int, WordSource]) -> list[ExperimentSample]:
    """Return the samples of the finished runs, in the order of the runs."""
    size_of = {source.name: size for size, source in lists.items()}
    found: dict[tuple[Path, int, str], list[Record]] = {}
    for run in runs:
        if run.key in done:
            question = run.instance.question
            key = (question.grid, size_of[question.list], run.contender.label)
            found.setdefault(key, []).append(done[run.key])
    directories = {grid.parent for grid, _, _ in found}
    studies = {directory: published_times(directory) for directory in directories}
    cells = []
    for (grid, size, label), records in found.items():
        published = _beside(studies[grid.parent], (grid.stem, label.removesuffix(f" {ORDER.default}")), size)
        cells.append(_sample(grid.stem, size, label, records, published))
    return cells


def _sample(
    grid: str, size: int, label: str, records: Sequence[Record], published: tuple[Published, ...]
) -> ExperimentSample:
    verdicts = [record["verdict"] for record in records]
    nodes = [record.get("nodes") for record in records]
    return ExperimentSample(
        grid=grid,
        words=size,
        label=label,
        seconds=tuple(map(_search_or_limit_s, records)),
        nodes=tuple(number for number in nodes if number is not None),
        no_fill=verdicts.count(RunVerdict.NO_FILL),
        undecided=list(map(decided, records)).count(False),
        published=published,
    )


def _search_or_limit_s(record: Record) -> float:
    seconds = search_s(record)
    if seconds is None or not decided(record):
        return record["limit_s"]  # type: ignore[no-any-return]
    return seconds


Studies = dict[tuple[str, str], list[Published]]
"""The published times, by grid and algorithm."""


def published_times(directory: Path) -> Studies:
    """Return the content of the file of published times beside the grids; empty if the file does not exist."""
    path = directory / PUBLISHED
    studies: Studies = {}
    if not path.is_file():
        return studies
    top = read_toml(str(path))
    for table in top.tables("study"):
        name = table.read("name", TEXT)
        sizes = table.read("sizes", numbers_reader(LETTERS), ())
        means = _times(table, "mean_s", len(sizes))
        medians = _times(table, "median_s", len(sizes))
        for key, seconds in means.items():
            own_medians = medians.get(key, [None] * len(sizes))
            for size, mean_s, median_s in zip(sizes, seconds, own_medians, strict=True):
                studies.setdefault(key, []).append(Published(name, size, mean_s, median_s))
    return studies


def _times(table: Table, key: str, count: int) -> dict[tuple[str, str], list[float]]:
    """Return the seconds for each grid and algorithm in a table of tables of lists."""
    found = {}
    for grid, given in table.mapping(key).items():
        rows = given if isinstance(given, dict) else {"": given}
        for label, seconds in rows.items():
            if not (isinstance(seconds, list) and len(seconds) == count and all(map(SECONDS.holds, seconds))):
                what = say("a list of {count} decimal numbers for '{name}'", count=count, name=f"{key}.{grid}.{label}")
                raise table.error(what, quote_value(seconds))
            found[grid, label] = seconds
    return found


def _beside(studies: Studies, key: tuple[str, str], size: int) -> tuple[Published, ...]:
    """Return the times of each study for the list nearest in size, if it is near enough."""

    def distance(each: Published) -> float:
        return abs(math.log(each.words / size))

    nearest: dict[str, Published] = {}
    for each in sorted(studies.get(key, ()), key=distance):
        if distance(each) <= math.log(_ALIKE):
            nearest.setdefault(each.study, each)
    return tuple(nearest.values())


_PANEL_INCHES = (6.0, 4.0)
_LEAST_S = 1e-4
_COLOURS = "tab:blue", "tab:cyan", "tab:red", "tab:orange", "tab:green", "tab:purple"


def plot_experiment(found: Sequence[ExperimentSample], path: str) -> None:
    """Draw two columns for each grid, means as lines and box plots: seconds above, nodes below.

    Crosses are published means.
    """
    grids = list(dict.fromkeys(cell.grid for cell in found))
    width, height = _PANEL_INCHES
    with draw_plot(path, 2 * width * len(grids), height * 2) as figure:
        axes = figure.subplots(2, 2 * len(grids), squeeze=False)
        for number, grid in enumerate(grids):
            own = [cell for cell in found if cell.grid == grid]
            name = grid.encode(errors="backslashreplace").decode()  # fonts lack invalid UTF-8
            seconds = [list(cell.seconds) for cell in own]
            nodes = [list(cell.nodes) for cell in own]
            lines, boxes = [axes[:, column] for column in (2 * number, 2 * number + 1)]
            _lines(lines[0], own, seconds, _LEAST_S)
            _boxes(boxes[0], own, seconds, _LEAST_S)
            _lines(lines[1], own, nodes, 1)
            _boxes(boxes[1], own, nodes, 1)
            _crosses(boxes[0], own)
            lines[0].set(title=f"grid {name}: means", ylabel="seconds of search")
            lines[1].set(xlabel="words in the list", ylabel="nodes")
            boxes[0].set(title=f"grid {name}: each run", ylabel="seconds of search")
            boxes[1].set(xlabel="words in the list", ylabel="nodes")
        handles, names = _legend(axes[0], found)
        figure.legend(handles, names, loc="outside upper center", ncols=min(6, len(names)))


def _lines(axes: Any, own: Sequence[ExperimentSample], numbers: Sequence[Sequence[float]], least: float) -> None:
    """Draw the mean of each algorithm by the size of the list; sizes stand apart by as much."""
    sizes = sorted({cell.words for cell in own})
    labels = list(dict.fromkeys(cell.label for cell in own))
    for index, label in enumerate(labels):
        points = []
        for cell, each in zip(own, numbers, strict=True):
            if cell.label == label and each:
                points.append((sizes.index(cell.words), fmean(each)))
        if points:
            axes.plot(*zip(*sorted(points), strict=True), marker="o", color=_COLOURS[index % len(_COLOURS)])
    axes.set_xticks(range(len(sizes)), [f"{size:,}" for size in sizes])
    _scale(axes, least)


def _scale(axes: Any, least: float) -> None:
    """Make an axis logarithmic from `least` up, and linear from there down to 0, where it begins."""
    axes.set_yscale("symlog", linthresh=least)
    axes.set_ylim(bottom=0)
    axes.grid(visible=True, axis="y", alpha=0.3)


def _place(cell: ExperimentSample, own: Sequence[ExperimentSample]) -> float:
    """Return the position of a box: the algorithms of one size stand together, with a gap between sizes."""
    sizes = sorted({each.words for each in own})
    labels = list(dict.fromkeys(each.label for each in own))
    return sizes.index(cell.words) * (len(labels) + 1) + labels.index(cell.label)


def _boxes(axes: Any, own: Sequence[ExperimentSample], numbers: Sequence[Sequence[float]], least: float) -> None:
    """Draw a box per cell."""
    labels = list(dict.fromkeys(cell.label for cell in own))
    drawn = axes.boxplot(
        numbers,
        positions=[_place(cell, own) for cell in own],
        widths=0.8,
        patch_artist=True,
        showmeans=True,
        manage_ticks=False,
        meanprops={"marker": ".", "markerfacecolor": "black", "markeredgecolor": "black"},
        medianprops={"color": "black"},
        flierprops={"markersize": 2},
    )
    for box, cell in zip(drawn["boxes"], own, strict=True):
        box.set_facecolor(_COLOURS[labels.index(cell.label) % len(_COLOURS)])
    sizes = sorted({cell.words for cell in own})
    step = len(labels) + 1
    middle = (len(labels) - 1) / 2
    ticks = [group * step + middle for group in range(len(sizes))]
    axes.set_xticks(ticks, [f"{size:,}" for size in sizes])
    _scale(axes, least)


def _crosses(axes: Any, own: Sequence[ExperimentSample]) -> None:
    points: dict[str, list[tuple[float, float]]] = {}
    for cell in own:
        for each in cell.published:
            points.setdefault(each.study, []).append((_place(cell, own), each.mean_s))
    for marker, study in zip("x+1234", points, strict=False):
        places, means = zip(*points[study], strict=True)
        axes.plot(places, means, marker, color="black", label=f"{study}, mean")


def _legend(row: Sequence[Any], found: Sequence[ExperimentSample]) -> tuple[list[Any], list[str]]:
    """Return the handles and names of a legend: the colour of each algorithm, the mark of each study."""
    labels = list(dict.fromkeys(cell.label for cell in found))
    named = dict(zip(labels, row[1].patches, strict=False))
    for axes in row:
        handles, studies = axes.get_legend_handles_labels()
        named |= dict(zip(studies, handles, strict=True))
    return list(named.values()), list(named)
