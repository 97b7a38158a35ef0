"""`cpfill bench`: run suites of instances, and report the results.

Modules that only one verb needs are imported when it runs, so that the other verbs start fast.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from functools import reduce
from operator import getitem
from statistics import fmean, median
from textwrap import fill as wrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpfill.base.errors import LETTERS, RUNS, SEED
from cpfill.base.files import STDIN
from cpfill.base.texts import later, say, say_count
from cpfill.cli import options as o
from cpfill.cli.output import emit, json_line
from cpfill.cli.render import on_terminal
from cpfill.cli.tables import room, table
from cpfill.cli.verbs import Exit, Verbs, gravest, usage_error, warn
from cpfill.problem.value import format_value, value_from_json
from cpfill.words.wordlist import DEFAULT_LIST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cpfill.runs.bench.experiment import ExperimentSample, Published
    from cpfill.runs.bench.results import BenchResults, Record, Results, RunVerdict
    from cpfill.runs.bench.run import Run

    _Columns = Sequence[tuple[Callable[[Any], str], Mapping[str, str]]]


bench = Verbs(help="Measure engines, and outside programs, on suites of instances.")


@bench.callback(invoke_without_command=True)
def _bench(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        emit(context.get_help() + "\n")
        raise typer.Exit(Exit.BAD_INPUT)


@bench.command(short_help="Run a suite, each run in a process of its own.")
def run(
    suite: Annotated[str, typer.Argument(metavar="SUITE", help="A TOML file; see instances/suites.")],
    *,
    output: o.ResultsFile = None,
    repeat: Annotated[int, o.number(RUNS, help="Repeat every run N times.")] = 1,
    engine: Annotated[
        list[str] | None,
        typer.Option(
            "--engine", "-e", metavar="NAME", help="Only this label of the suite, or this engine. Repeatable."
        ),
    ] = None,
    time_limit: o.TimeLimit = None,
    peer: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=COMMAND", help="An outside program to run on the same instances. Repeatable."),
    ] = None,
    peer_infeasible: Annotated[
        str,
        typer.Option(metavar="REGEX", help="The text that a peer prints if no fill exists, such as 'unsat'."),
    ] = "",
    peer_search: Annotated[
        str,
        typer.Option(metavar="REGEX", help="Where a peer prints its seconds of search: one group, (?P<ms>...) for ms."),
    ] = "",
    peer_count: Annotated[
        str,
        typer.Option(metavar="REGEX", help="Where a peer prints how many fills there are, all found: one group."),
    ] = "",
    peer_best: Annotated[
        str,
        typer.Option(metavar="REGEX", help="The text that a peer prints if no fill is better than its last one."),
    ] = "",
) -> int:
    """Run a suite: each run in a process of its own, engines taking turns on each instance, every fill audited.

    Without -o the records go to standard output. With -o an interrupted suite continues where it stopped: a run in the
    file with the same grid, list, engine, options, seed and limit is not repeated, even if its revision differs.

    A peer's COMMAND is split as a shell would, and run without one. Placeholders: {grid} (native text), {dict} (a word
    a line), {lower_dict} (in lower case) or {scored_dict} (WORD;SCORE), {min_score}, {threads}, {seed}, {limit}
    (seconds) or {limit_ms}, {index} (the number of the grid in its family, from 0) and {name}; and the formats of
    convert, such as {dzn}, which have the whole question. The fill is read from its output. For example:

        --peer 'fast=./fast {grid} {scored_dict} {min_score} {threads}'

        --peer 'cpfill=cpfill solve {grid} -w {dict} -t {limit}'

        --peer 'gecode=minizinc -i --solver gecode --time-limit {limit_ms} models/letter_values.mzn {dzn}'

    and Gecode's crossword example, for a family of all the grids it has in it, in its order (classic.toml):

        --peer 'gecode=./crossword -file {lower_dict} -time {limit_ms} {index}'

    Exit codes: 0 all ran; 1 an engine was wrong, failed or contradicted another (or did not decide, where the suite
    says that it must); 2 bad input; 130 interrupted, and every run that was finished is in the file.
    """
    from cpfill.runs.bench import peer as peering
    from cpfill.runs.bench.results import BenchResults, encode_record
    from cpfill.runs.bench.run import narrowed, plan_runs
    from cpfill.runs.bench.suite import read_suite

    chosen = narrowed(read_suite(suite), engine, o.parse_time(time_limit))
    patterns = (peer_infeasible, peer_search, peer_count, peer_best)
    peering.check_patterns(*patterns)  # though there be no peer
    peers = [peering.parse_peer(each, *patterns) for each in peer or ()]
    runs = plan_runs(chosen, peers, repeat)
    done: dict[str, Record] = {}
    to_file = output not in {None, STDIN}
    with BenchResults(str(output)) if to_file else nullcontext() as results:
        if results:
            done = results.done
        for each, record in _watched(_outstanding(runs, done, output)):
            if results:
                results.append(record)
            else:
                done[each.key] = record
                emit(encode_record(record).decode())
    return _conclude(runs, done)


def _outstanding(runs: Sequence[Run], done: Mapping[str, Record], output: str | None) -> list[Run]:
    """Return the runs still to do; print how many are done."""
    todo = [each for each in runs if each.key not in done]
    finished = len(runs) - len(todo)
    if finished:
        warn(say("{n} of {runs} runs are in {output} already", n=finished, runs=len(runs), output=output))
    return todo


def _watched(runs: Sequence[Run]) -> Iterator[tuple[Run, Record]]:
    """Carry out runs, with a line on the terminal that says how far they are."""
    from cpfill.runs.bench.run import execute

    if not (on_terminal() and runs):
        yield from execute(runs)
        return
    from rich.console import Console
    from rich.progress import Progress

    columns = Progress.get_default_columns()
    console = Console(file=sys.stderr)
    # Redraw only between runs: a drawing thread would disturb the measurement.
    with Progress(*columns, console=console, transient=True, auto_refresh=False, redirect_stdout=False) as progress:
        task = progress.add_task("starting", total=len(runs))
        progress.refresh()
        for run, record in execute(runs):
            said = f"{run.instance.name} {run.contender.label}: {record['verdict']} {record['wall_s']:.1f} s"
            progress.update(task, advance=1, description=said, refresh=True)
            yield run, record


def _conclude(runs: Sequence[Run], done: dict[str, Record]) -> Exit:
    from cpfill.runs.bench.run import conclude

    counts, faults = conclude(runs, done)
    told = [f"{count} {say(verdict)}" for verdict, count in counts.items()]
    warn(f"{say_count(len(runs), 'run')}: " + ", ".join(told))
    for line in faults:
        warn(line)
    return Exit.FAULT if faults else Exit.ANSWERED


@bench.command(short_help="Repeat the students' study: FC and FC-CBJ, AC-3 or not, growing lists.")
def experiment(
    grids: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GRID]...", help="Files with grids; by default A, B and C of instances/assignment."),
    ] = None,
    *,
    runs: Annotated[int, o.number(RUNS, help="Runs of each, words in an order of their own.")] = 50,
    sizes: Annotated[
        str, typer.Option(metavar="N,...", help="Words in the lists; all is the whole list.")
    ] = "850,22600,58000,all",
    words: Annotated[
        str,
        typer.Option("--words", "-w", metavar="LIST", help="The list to take samples of: a file, or en, en-gb, fr."),
    ] = DEFAULT_LIST,
    seed: Annotated[int, o.number(SEED, help="Of the samples.")] = 0,
    engine: Annotated[
        list[str] | None,
        typer.Option("--engine", "-e", metavar="NAME", help="Only fc, fc+ac3, fc-cbj, fc-cbj+ac3, or any engine."),
    ] = None,
    order: Annotated[
        list[str] | None,
        typer.Option("--order", metavar="NAME", help="How FC chooses the next slot: mrv, degree, ... Repeatable."),
    ] = None,
    random: Annotated[
        list[str] | None,
        typer.Option("--random", metavar="9x9x12", help="A random grid: rows, columns, blocks. Repeatable."),
    ] = None,
    time_limit: o.TimeLimit = None,
    output: o.ResultsFile = None,
    plot: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Draw means as lines, and box plots, of seconds and nodes: .svg, .png or .pdf."
        ),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the table as Markdown.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Repeat a students' study of 2016: forward checking, with and without backjumping and AC-3, over growing lists.

    Lists are random samples of one list, a smaller one part of every larger one. Each run has 20 s unless -t says
    otherwise, and counts as the limit if it comes to no answer (> before a number says that some did). Published times
    of others, for lists of about the same size, stand beside the seconds of search. Ctrl-C keeps finished runs and
    reports them; with -o the same command continues. cpfill bench report reads the file too.

    Exit codes: 0 all ran; 1 an engine was wrong or failed; 2 bad input; 130 interrupted.
    """
    from cpfill.base.imports import check_picture
    from cpfill.runs.bench import experiment as study
    from cpfill.runs.bench.results import BenchResults
    from cpfill.runs.bench.run import narrowed, plan_runs

    if plot is not None:
        check_picture(plot)
    if output == STDIN:
        raise usage_error(say("a file for -o"), "'-'")
    asked = _sizes(sizes)
    limit_s = o.parse_time(time_limit)
    done: dict[str, Record] = {}
    with (
        study.growing_lists(words, asked, seed) as lists,
        study.random_grids(random or [], seed) as drawn,
        nullcontext() if output is None else BenchResults(output) as results,
    ):
        chosen = [*(grids or []), *drawn] or study.default_grids()
        whole = narrowed(study.suite(chosen, lists, runs), engine, limit_s)
        todo = plan_runs(study.in_orders(whole, order or []))
        if results:
            done = results.done
        code = _carry_out(_outstanding(todo, done, output), done, results)
        found = study.samples(todo, done, lists)
    if plot is not None and found:
        study.plot_experiment(found, plot)
    if as_json:
        emit(json_line({"cells": [cell.as_json() for cell in found]}))
    else:
        headings, lines = _experiment_table(found)
        _show(headings, lines, keys=4, markdown=markdown)
        _tell_refuted(found)
    finished = [each for each in todo if each.key in done]
    return gravest([code, _conclude(finished, done)])


def _tell_refuted(found: Sequence[ExperimentSample]) -> None:
    """Say which numbers are those of proofs that no fill exists, so that nobody compares them with those of fills."""
    told = later(
        "{grid}, {words} words: every run ends in no fill; its numbers are those of a refutation, not of a fill"
    )
    for grid, words in dict.fromkeys((cell.grid, cell.words) for cell in found):
        if all(cell.refuted for cell in found if (cell.grid, cell.words) == (grid, words)):
            emit(wrap(say(told, grid=grid, words=words), room()) + "\n")


def _carry_out(todo: Sequence[Run], done: dict[str, Record], results: BenchResults | None) -> Exit:
    """Carry out runs, and add their records to those of the runs that are done, until an interrupt."""
    try:
        for each, record in _watched(todo):
            if results:
                results.append(record)
            done[each.key] = record
    except KeyboardInterrupt:
        warn(say("interrupted"))
        return Exit.INTERRUPTED
    return Exit.ANSWERED


def _sizes(text: str) -> list[int | None]:
    """Return the numbers in `850,22600,all`; `None` stands for the whole list."""
    parts = map(str.strip, text.split(","))
    sizes = {part: LETTERS.read(part) for part in parts}
    if any(size is None and part != "all" for part, size in sizes.items()):
        raise usage_error(say("numbers of words for --sizes, such as 850,22600,all"), f"'{text:.40}'")
    return list(sizes.values())


def _experiment_table(found: Sequence[ExperimentSample]) -> tuple[list[str], list[list[str]]]:
    """Return the headings and lines of the table; each study that is published has a column."""
    studies: dict[str, None] = {}
    for cell in found:
        studies |= dict.fromkeys(each.study for each in cell.published)
    headings = ["family", "words", "engine", "order", "runs", say("no fill"), "undecided"]
    headings += [say("mean s"), say("median s"), say("mean nodes"), say("median nodes")]
    headings += [say("{study}: mean / median s", study=study) for study in studies]
    return headings, [_cell_line(cell, studies) for cell in found]


def _cell_line(cell: ExperimentSample, studies: Iterable[str]) -> list[str]:
    """Return the line of a grid, a list and an engine."""
    least = ">" if cell.undecided else ""
    beside = {each.study: _published(each, cell.words) for each in cell.published}
    line = [cell.grid, str(cell.words), cell.algorithm, cell.order or "-"]
    line += [str(len(cell.seconds)), str(cell.no_fill), str(cell.undecided)]
    line += [least + _seconds(fmean(cell.seconds)), _seconds(median(cell.seconds))]
    if cell.nodes:
        line += [f"{least}{fmean(cell.nodes):.0f}", f"{least}{median(cell.nodes):.0f}"]
    else:
        line += ["-", "-"]
    return line + [beside.get(study, "-") for study in studies]


def _published(each: Published, words: int) -> str:
    """Return published results of others; name the size of their list if it differs from ours."""
    told = f"{_seconds(each.mean_s)} / {_seconds(each.median_s)}"
    if each.words != words:
        told += say(" ({words} words)", words=each.words)
    return told


def _require_alone(**others: object) -> None:
    """Raise if --csv is combined with another form of report."""
    given = [f"--{name}" for name, value in others.items() if value]
    if given:
        raise usage_error(say("--csv without --{others}", others=", --".join(others)), " ".join(given))


@bench.command(short_help="Compare engines: how much each decided, how fast, and contradictions.")
def report(
    results: Annotated[list[str], typer.Argument(metavar="RESULTS...", help="Files of cpfill bench run -o.")],
    *,
    against: Annotated[
        tuple[str, str] | None, typer.Option(metavar="A B", help="How much faster A is than B, and which decides more.")
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Draw a cactus plot, and a scatter plot of A and B: .svg or .png."),
    ] = None,
    quality: Annotated[bool, typer.Option("--quality", help="Tell how good fills are, grid by grid.")] = False,
    judge: Annotated[
        str | None, typer.Option(metavar="LIST", help="Tell it by the scores of this list, not of the one filled from.")
    ] = None,
    best: Annotated[bool, typer.Option("--best", help="Only print each grid's best value and bound.")] = False,
    own_clock: Annotated[
        bool, typer.Option("--own-clock", help="Count only the engine's search, without model building.")
    ] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print tables as Markdown.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print the runs themselves as CSV, a row each.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Report on results: runs decided, times, and contradictions.

    PAR2 is the mean of seconds, twice the limit where nothing was decided. Medians and geometric means are over the
    runs that every engine of the family decided. Search is from the call of the engine to its answer; CPU the processor
    time of the whole process, which other work on the machine disturbs least; wall the time by the clock. If several
    files use a label for the same run, it becomes LABEL@FILE. Proofs have a table of their own: lemmas, seconds of
    search, of writing, and of the checker (processor time), and the checker that accepted them. The quality of a fill
    is that of its entries that are not completely given: the minimum and mean score, the tenth percentile, and how many
    are strong (50 or more), weak (under 40) or not in the list, where they count 0.

    Exit codes: 0 reported; 1 two answers contradict each other, or one of cpfill's engines was wrong; 2 bad input.
    """
    from cpfill.base.imports import check_picture
    from cpfill.runs.bench import results as found

    if as_csv:
        _require_alone(against=against, quality=quality, judge=judge, best=best, markdown=markdown, json=as_json)
    if plot:
        check_picture(plot)
    read = found.Results.of(found.read_results(results), own_clock=own_clock)
    from cpfill.runs.bench import report as figures

    if best:
        _show_records(figures.list_best(read), _BEST, keys=2, markdown=markdown)
        return Exit.ANSWERED
    tables = {
        "rows": figures.rows(read),
        "against": [],
        "values": figures.list_values(read),
        "certificates": figures.certificates(read),
        "quality": [],
    }
    if against:
        tables["against"] = figures.against(read, *against)
    if quality or judge:
        tables["quality"] = _judge_fills(read, judge)
    denied = found.find_disagreements(read)
    wrong = found.wrong_answers(read)
    if plot:
        figures.plot(read, plot, against)
    if as_csv:
        emit(figures.as_csv(read))
    elif as_json:
        emit(json_line({**tables, "wrong": wrong, "disagreements": denied}))
    else:
        _show_report(tables, judge, markdown=markdown)
    _tell_faults(wrong, denied)
    return Exit.FAULT if denied or found.own_faults(read) else Exit.ANSWERED


def _tell_faults(wrong: Iterable[str], denied: Iterable[str]) -> None:
    for line in wrong:
        warn(f"WRONG: {line}")
    for line in denied:
        warn(f"DISAGREEMENT: {line}")


def _show_report(tables: Mapping[str, Sequence[Record]], judge: str | None, *, markdown: bool) -> None:
    """Print the tables of a report, those without rows left out."""
    _show_records(tables["rows"], _ROWS, keys=2, markdown=markdown)
    _show_comparison(tables["against"], markdown=markdown)
    if tables["values"]:
        emit(say("\nBest values:\n\n"))
        _show_records(tables["values"], _VALUES, keys=3, markdown=markdown)
    if tables["certificates"]:
        emit(say("\nProofs:\n\n"))
        _show_records(tables["certificates"], _PROOFS, keys=3, markdown=markdown)
    if tables["quality"]:
        emit(say("\nHow good the fills are, by {judge}:\n\n", judge=judge or say("the lists they are filled from")))
        _show_records(tables["quality"], _QUALITY, keys=3, markdown=markdown)


def _judge_fills(read: Results, judge: str | None) -> list[Record]:
    """Return the quality of the fills, by a list of that name if it is given."""
    from cpfill.runs.bench.report import qualities
    from cpfill.words.wordlist import read_word_list

    judged = qualities(read, read_word_list(judge) if judge else None)
    if not judged:
        raise usage_error(say("results with a fill each, of a suite that asks for fills"), say("none"))
    return judged


def _seconds(value: float | None) -> str:
    """Return seconds in text, with three digits that say something."""
    if value is None:
        return "-"
    for least, digits in ((100, 1), (1, 2), (0.01, 3)):
        if value >= least:
            return f"{value:.{digits}f}"
    return f"{value:.5f}"


def _ratio(ratio: Record) -> str:
    if ratio["faster"] is None:
        return "-"
    return f"{ratio['faster']:.2f}x ({ratio['runs']})"


def _value(value: float | list[float] | None) -> str:
    read = value_from_json(value)
    if read is None:
        return "-"
    return format_value(read)


def _score(score: float) -> str:
    return f"{score:.1f}".removesuffix(".0")


def _lemmas(number: int | None) -> str:
    if number is None:
        return "-"
    return f"{number:,}"


def _tenths(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    return f"{seconds:.1f}"


def _proved(verdict: RunVerdict) -> str:
    """Return what a run proved of the best value."""
    from cpfill.runs.bench.results import RunVerdict

    if verdict == RunVerdict.FILLED:
        return "yes"
    if verdict == RunVerdict.UNDECIDED:
        return "no"
    return verdict


def _number_of(names: Sequence[str]) -> str:
    return str(len(names))


_MEGABYTES = "{:.0f}".format
_SHARE = "{:.1%}".format
_COUNTS = {"runs": "runs", "filled": "filled", "no fill": "no_fill", "wrong": "wrong", "failed": "failed"}
_ROWS: _Columns = (
    (str, {"family": "family", "engine": "label", **_COUNTS}),
    (_seconds, {"PAR2 search": "par2_search_s", "PAR2 wall": "par2_wall_s"}),
    (str, {"common": "common"}),
    (_seconds, {"search med": "search.median_s", "search geo": "search.mean_s"}),
    (_seconds, {"CPU med": "cpu.median_s", "CPU geo": "cpu.mean_s"}),
    (_seconds, {"wall med": "wall.median_s", "wall geo": "wall.mean_s"}),
    (_MEGABYTES, {"peak MB": "peak_mb"}),
)
_AGAINST: _Columns = (
    (str, {"family": "family"}),
    (_ratio, {"search": "search", "search > 0.1 s": "search_hard", "CPU": "cpu", "CPU > 0.1 s": "cpu_hard"}),
    (_ratio, {"wall": "wall", "wall > 0.1 s": "wall_hard"}),
    (_number_of, {"decided by the first alone": "only_one", "by the second alone": "only_other"}),
    (str, {"by neither": "neither"}),
)
_PROOFS: _Columns = (
    (str, {"grid": "grid", "list": "words", "engine": "label"}),
    (_value, {"value": "value"}),
    (_lemmas, {"lemmas": "lemmas"}),
    (_seconds, {"search s": "search_s", "write s": "write_s", "check s": "check_s"}),
    (_MEGABYTES, {"peak MB": "peak_mb"}),
    (lambda proof: proof["checker"] or proof["detail"], {"accepted by": ""}),
)
_VALUES: _Columns = (
    (str, {"family": "family", "grid": "grid", "engine": "label"}),
    (_value, {"value": "value", "bound": "bound"}),
    (_proved, {"proved": "verdict"}),
    (_tenths, {"CPU s": "cpu_s", "wall s": "wall_s"}),
)
_QUALITY: _Columns = (
    (str, {"family": "family", "grid": "grid", "engine": "label", "entries": "entries"}),
    (_score, {"minimum": "minimum", "tenth": "tenth", "mean": "mean"}),
    (_SHARE, {"strong": "strong", "weak": "weak", "unlisted": "unlisted"}),
)
_BEST: _Columns = (
    (str, {"grid": "grid", "objective": "objective"}),
    (_value, {"value": "value", "bound": "bound"}),
    (lambda best: "yes" if best["value"] == best["bound"] else "no", {"proved": ""}),
    (_tenths, {"s": "search_s"}),
    ("`{}`".format, {"command": "command"}),
)
_NAMES = ("family", "engine", "order")


def _show_records(records: Iterable[Record], columns: _Columns, *, keys: int, markdown: bool) -> None:
    """Print a table of records: columns share one format; each has the key of its value, nested keys joined by dots."""
    headings: list[str] = []
    for _, paths in columns:
        headings += paths
    _show(headings, [_cells_of(each, columns) for each in records], keys=keys, markdown=markdown)


def _cells_of(record: Record, columns: _Columns) -> list[str]:
    """Return the row of a record."""
    cells = []
    for form, paths in columns:
        for path in paths.values():
            keys = path.split(".") if path else []
            value = reduce(getitem, keys, record)
            cells.append(form(value))
    return cells


def _show_comparison(compared: Sequence[Record], *, markdown: bool) -> None:
    """Print the speed-up between two contenders by family, and the runs that only one of them decided."""
    if not compared:
        return
    last = compared[-1]
    title = later("\nHow many times faster {one} is than {other} (and over how many runs):\n\n")
    emit(say(title, one=last["one"], other=last["other"]))
    _show_records(compared, _AGAINST, keys=1, markdown=markdown)
    _show_alone(last["one"], last["only_one"])
    _show_alone(last["other"], last["only_other"])


def _show_alone(label: str, names: Sequence[str]) -> None:
    if names:
        distinct = "; ".join(dict.fromkeys(names))
        emit(say("\nDecided by {label} alone: {names}\n", label=label, names=distinct))


def _show(headings: Sequence[str], lines: Iterable[Sequence[str]], *, keys: int, markdown: bool) -> None:
    """Print a table, whose first `keys` columns name the rows."""
    if not markdown:
        emit(table(headings, lines, keys=keys, left=_NAMES))
        return
    numbers = ["---:"] * (len(headings) - 1)
    for line in (list(map(say, headings)), ["---", *numbers], *lines):
        cells = [cell.replace("|", "\\|") for cell in line]
        emit("| " + " | ".join(cells) + " |\n")
