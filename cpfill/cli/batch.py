"""`cpfill batch`: many grids, lists or seeds at once."""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cpfill.base.errors import SEED, WORKERS
from cpfill.base.files import STDIN
from cpfill.base.texts import say, say_count
from cpfill.cli import options as o
from cpfill.cli.interrupts import HOLD
from cpfill.cli.output import emit
from cpfill.cli.render import on_terminal
from cpfill.cli.verbs import Exit, gravest, usage_error, warn
from cpfill.engines.cluster import Cluster
from cpfill.problem.result import Status
from cpfill.questions.solve import Solve
from cpfill.runs.batch import FAILED, INVALID, BatchResults, Defaults, JobOutcome, encode_line, plan
from cpfill.runs.tasks import Processes, Workers
from cpfill.words.sources import ListFinder
from cpfill.words.wordlist import ListFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cpfill.runs.batch import Plan
    from cpfill.runs.tasks import Record

_MOST_SEEDS = 1_000_000


@o.asks(Solve, without={"workers", "seed", "another"})
def batch(
    source: Annotated[
        str,
        typer.Argument(
            metavar="DIR|FILE", help="A directory of grids, a file of jobs (.jsonl, -), or of grids; or a size."
        ),
    ],
    *,
    glob: Annotated[str, typer.Option(metavar="PATTERN", help="The files of a directory that hold grids.")] = "*.txt",
    question: Solve,
    seeds: Annotated[str, typer.Option(metavar="N-M,...", help="Each grid once for each of these seeds: 0-9.")] = "0",
    workers: o.ProcessCount = None,
    scheduler: o.Scheduler = None,
    output: o.ResultsFile = None,
    retry: Annotated[bool, typer.Option("--retry", help="With -o: repeat runs that FAILED.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Leave out progress and the line at the end.")] = False,
) -> int:
    """Fill many grids at once, and print a JSON line for each when it is finished.

    In a directory each file that matches --glob holds grids, those in its subdirectories too. A file of jobs has a JSON
    object a line: "grid" is a path, an array of rows or a size; "id" ties the record to it; "engine", "seed",
    "time_limit", "node_limit" and the options that describe a problem, by their names with _ for -, replace those of
    the command. Files are seen from the directory that the file of jobs stands in.

    A record has the status, and the fill (rows, # for a block) with its value, bound and statistics, at its end "crc",
    a checksum. A job that cannot be run is INVALID, one whose engine or process fell over FAILED; "error" says why, and
    the others go on. With -o a run that was stopped goes on: a job that is in the file, of the same grid, lists and
    terms, is not run again.

    Exit codes: 0 every job has a fill, or the proof that no fill exists; 1 some FAILED; 2 bad usage, or some are
    INVALID; 124 a limit came first for some; 130 interrupted, and the records of all that was finished are written.
    """
    check_executor(workers, scheduler)
    if retry and output in {None, STDIN}:
        raise usage_error(say("--retry with -o FILE"), say("no file"))
    lists = ListFinder()
    found = question.request.updated(question.request.plain, lambda name: lists.find(name, Path()))
    if isinstance(found.personal, ListFile):
        warn(say("{name}: scores of your own list, in every job that names no other", name=found.personal.name))
    defaults = Defaults(replace(question, request=found), _seeds(seeds), lists)
    planned = plan(source, defaults, glob)
    executor = executor_of(workers, scheduler)
    with _open_results(output) as results:
        batch_run = _Run(planned, results, retry=retry)
        if not quiet:
            batch_run.tell_done(output)
        interrupted = batch_run.carry_out(executor, quiet=quiet)
    return batch_run.conclude(interrupted=interrupted, quiet=quiet)


def _open_results(output: str | None) -> BatchResults | nullcontext[None]:
    """Return the file of results; nothing if they go to standard output."""
    if output is None or output == STDIN:
        return nullcontext()
    return BatchResults(output)


def _seeds(text: str) -> list[int]:
    """Return the numbers in `0-9,20`."""
    seeds: dict[int, None] = {}
    for part in text.split(","):
        first, dash, last = (each.strip() for each in part.partition("-"))
        least = SEED.read(first)
        most = SEED.read(last if dash else first)
        if least is None or most is None:
            raise usage_error(say("seeds such as 0-9 or 1,5,7, each {seed}, for --seeds", seed=SEED), f"'{text:.40}'")
        span = range(least, most + 1)
        if not span or len(seeds) + len(span) > _MOST_SEEDS:
            raise usage_error(
                say("1 to {most_seeds:,} seeds, the least first, for --seeds", most_seeds=_MOST_SEEDS), f"'{text:.40}'"
            )
        seeds |= dict.fromkeys(span)
    return list(seeds)


def check_executor(workers: int | None, scheduler: str | None) -> None:
    """Raise if the options name both processes and a cluster."""
    if workers is not None and scheduler is not None:
        raise usage_error(say("-j or --scheduler"), say("-j {workers} and --scheduler", workers=workers))


def executor_of(workers: int | None, scheduler: str | None) -> Processes | Workers:
    if scheduler is None:
        return Processes(workers or min(os.cpu_count() or 1, WORKERS.high))
    return Workers(Cluster(scheduler))


class _Run:
    """The run of a plan, and the outcomes so far; records go to a file of results, or to standard output."""

    def __init__(self, planned: Plan, results: BatchResults | None, *, retry: bool) -> None:
        self._planned = planned
        self._results = results
        self._done: dict[str, JobOutcome] = results.done if results else {}
        again = {key for key, outcome in self._done.items() if retry and outcome.status == FAILED}
        self._todo = [job for job in planned.jobs if job.key not in self._done or job.key in again]

    def tell_done(self, output: str | None) -> None:
        """Say how many jobs are in the file already."""
        jobs = len(self._planned.jobs)
        done = jobs - len(self._todo)
        if done:
            warn(say("{n} of {jobs} jobs are in {output} already", n=done, jobs=jobs, output=output))

    def carry_out(self, executor: Processes | Workers, *, quiet: bool) -> bool:
        """Run the jobs and write each record; return whether an interrupt ended the run."""
        # Records that go to a terminal are progress enough.
        seen = bool(self._results) or not sys.stdout.isatty()
        shown = on_terminal() and bool(self._todo) and not quiet and seen
        try:
            for record in self._planned.refused:
                if record["key"] not in self._done:
                    self._write(record)
            with show_progress(len(self._todo), shown=shown) as tick, closing(executor.run(self._todo)) as records:
                for record in records:
                    self._write(record)
                    tick()
        except KeyboardInterrupt:
            return True
        return False

    def _write(self, record: Record) -> None:
        with HOLD:
            if self._results:
                self._results.append(record)
            else:
                emit(encode_line(record).decode())
                self._done[record["key"]] = JobOutcome.of(record)

    def conclude(self, *, interrupted: bool, quiet: bool) -> Exit:
        """Summarise the jobs, and return the exit code."""
        keys = [record["key"] for record in self._planned.refused]
        keys += [job.key for job in self._planned.jobs]
        outcomes = [self._done[key] for key in keys if key in self._done]
        if not quiet:
            _summarise(outcomes, len(keys), interrupted=interrupted)
        codes = [_exit_of(one.status) for one in outcomes]
        if interrupted:
            codes.append(Exit.INTERRUPTED)
        return gravest(codes)


@contextmanager
def show_progress(total: int, *, shown: bool) -> Iterator[Callable[[], None]]:
    """Give the function to call after each job: it moves a bar, with the jobs a second and the time left."""
    if not shown:
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn())
    start_s = time.perf_counter()
    count = 0
    # Standard output may be a file: it is not for rich to send its lines to the terminal.
    with Progress(
        *columns, console=Console(file=sys.stderr), transient=True, redirect_stdout=False, refresh_per_second=4
    ) as bar:
        task = bar.add_task("", total=total, rate="")

        def tick() -> None:
            nonlocal count
            count += 1
            rate = count / (time.perf_counter() - start_s)
            bar.update(task, advance=1, rate=f"{rate:.1f}/s")

        yield tick


def _exit_of(status: str) -> Exit:
    """Return the exit code of one job: a fill counts as an answer, and so does the proof that no fill exists."""
    return {FAILED: Exit.FAULT, INVALID: Exit.BAD_INPUT, Status.UNKNOWN: Exit.LIMIT}.get(status, Exit.ANSWERED)


def _summarise(outcomes: Sequence[JobOutcome], total: int, *, interrupted: bool) -> None:
    """Say how many jobs ended in which status, and the fault of the first without an answer."""
    counts = Counter(one.status for one in outcomes).most_common()
    said = ", ".join(f"{count} {status}" for status, count in counts) or say("none done")
    if interrupted:
        said += say("; interrupted, {n} left", n=total - len(outcomes))
    warn(f"{say_count(total, 'job')}: {said}")
    fault = next((one for one in outcomes if one.error), None)
    if fault is not None:
        _tell_fault(fault)


def _tell_fault(outcome: JobOutcome) -> None:
    """Print the error of a job, with its id."""
    name = str(outcome.id)
    if not name.isprintable():  # an id from a file must not break the line or command the terminal
        name = json.dumps(outcome.id)
    said = outcome.error.splitlines()[0]
    if name not in said:
        said = f"{name}: {said}"
    warn(said)
