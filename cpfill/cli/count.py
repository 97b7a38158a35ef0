"""`cpfill count`: how many fills there are, exactly."""

from __future__ import annotations

import contextlib
import json
import time
from typing import TYPE_CHECKING, Annotated

import typer

from cpfill.base.ranges import WORKERS
from cpfill.cli import options as o
from cpfill.cli.engine_options import EngineOptions, with_engine_options
from cpfill.cli.exits import Exit, exit_of, gravest, warn
from cpfill.cli.output import emit
from cpfill.cli.problems import NamedProblem, one_grid, read_problems
from cpfill.cli.render import Ticker, on_terminal, verdict
from cpfill.engines import COUNTING_ENGINE, make_engine
from cpfill.engines.search import Tally
from cpfill.engines.search import count as count_all
from cpfill.problem.event import Found
from cpfill.problem.limits import Limits
from cpfill.problem.result import Status
from cpfill.questions.records import result_record
from cpfill.questions.request import Request

if TYPE_CHECKING:
    from cpfill.engines.contract import Engine


@with_engine_options("resume", "scheduler")
@o.request_options(without={"weighted", "theme", "objective", "levels"})
def count(
    grid: o.Grids,
    *,
    request: Request,
    engine: Annotated[
        str | None,
        typer.Option(
            "--engine",
            "-e",
            metavar="NAME",
            help="By default letters, or mac where that meets no fill in 2 s; with --proof mac.",
        ),
    ] = None,
    time_limit: o.TimeLimit = None,
    workers: Annotated[int, o.number(WORKERS, "--workers", "-j", help="letters: threads to count with.")] = 1,
    engine_options: EngineOptions,
    as_json: o.Json = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Leave out the line that says what was proved.")] = False,
    proof: o.Proof = None,
) -> int:
    """Count the fills of grids, each once, without keeping them.

    Exit codes: 0 the number is exact; 20 there is no fill; 124 a limit came first, and there may be more; 130
    interrupted; 2 bad input.
    """
    if proof is not None:
        from cpfill.cli.proofs import require_proving  # noqa: PLC0415 - seldom asked for

        engine = require_proving(engine)
    chosen = make_engine(engine or COUNTING_ENGINE, **engine_options) if engine or engine_options else None
    limits = Limits(time_s=o.parse_time(time_limit), fills=None, workers=workers)
    sources, load_s = read_problems(request, grid)
    one_grid(sources, resume=engine_options.get("resume"), proof=proof)
    codes: list[Exit] = []
    for source in sources:
        codes.append(
            _count_one(
                source,
                chosen,
                limits,
                load_s=load_s,
                as_json=as_json,
                quiet=quiet,
                several=len(sources) > 1,
                proof=proof,
            )
        )
        if codes[-1] is Exit.INTERRUPTED:
            break
    return gravest(codes)


def _count_one(
    source: NamedProblem,
    engine: Engine | None,
    limits: Limits,
    *,
    load_s: float,
    as_json: bool,
    quiet: bool,
    several: bool,
    proof: str | None,
) -> Exit:
    """Count, print the number, and return the exit code."""
    prover = None
    if proof is not None:
        from cpfill.cli.proofs import Prover  # noqa: PLC0415 - seldom asked for

        prover = Prover(proof, source, limits.seed, every=True)
    start_s = time.perf_counter()
    tally, ticker, interrupted = Tally(source.problem), Ticker(shown=on_terminal() and not quiet), False
    try:
        with contextlib.closing(count_all(source.problem, engine=engine, limits=limits)) as stream:
            for event in stream:
                tally.add(event)
                if isinstance(event, Found) and prover:
                    prover.take(event.fill)
                ticker.show(tally.result, event)
    except KeyboardInterrupt:
        interrupted = True  # the tally says so where the search had not ended
    finally:
        ticker.clear()
    result = tally.result
    if as_json:
        exact = result.status in {Status.ALL_FILLS, Status.UNSATISFIABLE}
        record = {"grid": source.name, "exact": exact, **result_record(source.problem, result), "load_s": load_s}
        emit(json.dumps(record, ensure_ascii=False) + "\n")
    else:
        emit(f"{source.name}: {result.fills}\n" if several else f"{result.fills}\n")
    if not quiet:
        said = verdict(source.problem, result, time.perf_counter() - start_s, all_asked=True)
        warn(f"{source.name}: {said}" if several else said)
    if prover and not prover.prove(result, interrupted=interrupted):
        return Exit.INTERRUPTED
    return exit_of(result, all_asked=True)
