"""`cpfill count`: how many fills there are, exactly."""

from __future__ import annotations

import contextlib
import json
import time
from dataclasses import replace
from typing import Annotated

import typer

from cpfill.cli import options as o
from cpfill.cli.exits import Exit, exit_of, warn
from cpfill.cli.output import emit
from cpfill.cli.problems import NamedProblem, each, one_grid, read_problems
from cpfill.cli.render import Ticker, on_terminal, verdict
from cpfill.engines.audited import Tally
from cpfill.problem.event import Found
from cpfill.questions.count import Count, count_record


@o.with_engine_options("resume", "scheduler")
@o.asks(Count, without={"seed", "weighted", "theme", "objective", "levels"})
def count(
    grid: o.Grids,
    *,
    question: Count,
    engine_options: o.EngineOptions,
    as_json: o.Json = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Leave out the line that says what was proved.")] = False,
    proof: o.Proof = None,
) -> int:
    """Count the fills of grids, each once, without keeping them.

    Exit codes: 0 the number is exact; 20 there is no fill; 124 a limit came first, and there may be more; 130
    interrupted; 2 bad input.
    """
    question = replace(question, options=engine_options)
    if proof is not None:
        from cpfill.cli.proofs import to_prove  # noqa: PLC0415 - seldom asked for

        question = to_prove(question)
    question.make_engine()
    sources, load_s = read_problems(question.request, grid)
    several = len(sources) > 1
    one_grid(sources, resume=engine_options.get("resume"), proof=proof)

    def ask(source: NamedProblem) -> Exit:
        prover = None
        if proof is not None:
            from cpfill.cli.proofs import Prover  # noqa: PLC0415 - seldom asked for

            prover = Prover(proof, source, question.seed, every=True)
        start_s = time.perf_counter()
        tally, ticker, interrupted = Tally(source.problem), Ticker(shown=on_terminal() and not quiet), False
        try:
            with contextlib.closing(question.events(source.problem)) as stream:
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
            record = {"grid": source.name, **count_record(source.problem, result), "load_s": load_s}
            emit(json.dumps(record, ensure_ascii=False) + "\n")
        else:
            emit(f"{source.name}: {result.fills}\n" if several else f"{result.fills}\n")
        if not quiet:
            said = verdict(source.problem, result, time.perf_counter() - start_s, all_asked=True)
            warn(f"{source.name}: {said}" if several else said)
        if prover and not prover.prove(result, interrupted=interrupted):
            return Exit.INTERRUPTED
        return exit_of(result, all_asked=True)

    return each(sources, ask)
