"""`cpfill solve`: fill grids."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cpfill.base.texts import later, say, say_count
from cpfill.cli import options as o
from cpfill.cli.asking import ask, print_record
from cpfill.cli.output import Output
from cpfill.cli.problems import (
    AUTO,
    NamedProblem,
    add_clues,
    add_drafts,
    check_numbered,
    count_lost_clues,
    each,
    make_prover,
    one_grid,
    print_puzzle,
    puzzle_kind,
    read_all_templates,
    read_clue_file,
    read_dictionaries,
    read_problems,
    share_stdin,
    tell_answers,
)
from cpfill.cli.render import Ticker, stats_lines, verdict
from cpfill.cli.verbs import Exit, exit_of, usage_error, warn
from cpfill.engines.audited import drop_objective, settle
from cpfill.formats.pages.style import PageStyle
from cpfill.problem.event import Found, StopReason
from cpfill.problem.fill import Fill
from cpfill.problem.problem import Objective
from cpfill.problem.result import Limits, SolveResult, Status
from cpfill.problem.value import format_value
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.diverse import Likeness
from cpfill.questions.solve import Searched, Solve, Solved

if TYPE_CHECKING:
    from cpfill.cli.proofs import Prover
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.clues import ClueCollection
    from cpfill.puzzle.clues.dictionaries import Lookup


class _Task(NamedTuple):
    """The question about each grid, and the form of the answer."""

    question: Solve
    explained: bool
    statistics: bool
    as_json: bool
    quiet: bool
    kind: str | None
    """The format of the puzzle file to write, `None` for text."""
    of: int | None
    """The maximum number of puzzles to write, `None` for no limit."""
    page: PageStyle | None
    clues: ClueCollection | None
    dictionaries: dict[str, Lookup] | None
    """Dictionaries for draft clues, if requested."""
    proof: str | None
    """The folder for a proof, if requested."""


_REACH_NODES = 20_000
"""Node limit for finding a minimum score that can be reached."""

_ALIKE = later("some of these fills share over half of their words; with --diverse each two differ in half or more")


@o.with_engine_options()
@o.with_page_options
@o.asks(Solve)
def solve(
    grid: o.Grids,
    *,
    question: Solve,
    output: o.OutputFile = None,
    write_as: o.WriteAs = None,
    clue_file: o.ClueSource = None,
    page: PageStyle | None,
    as_json: o.Json = False,
    statistics: Annotated[bool, typer.Option("--statistics", "-s", help="Print statistics on standard error.")] = False,
    no_cache: o.NoCache = False,
    explained: Annotated[bool, typer.Option("--explain", help="If no fill exists, say why.")] = False,
    quiet: o.Quiet = False,
    proof: o.Proof = None,
    engine_options: o.EngineOptions,
) -> int:
    """Fill grids: print a fill of each, or with an objective the best fill, and the verdict.

    Exit codes: 0 a fill, or the complete answer asked for; 20 proved that no fill exists; 124 a limit came first;
    130 interrupted; 2 bad input; 1 a fault.
    """
    question = replace(question, options=engine_options)
    if question.another is not None:
        share_stdin([*grid, *question.another], question.request)
        fill = _read_different(question)
        question = replace(question, another=tuple(fill.rows))
    if proof is not None:
        from cpfill.cli.proofs import to_prove

        if question.diverse:
            raise usage_error(say("--diverse with -n 2 or more, and no --proof"), "--proof")
        question = to_prove(question)
    question.make_engine()
    limits = question.limits
    kind = puzzle_kind(output, write_as, page, as_json=as_json)
    if clue_file is not None and kind is None:
        raise usage_error(say("a puzzle file for --clues, by -o x.ipuz or --to"), say("none"))
    with Output(output) as out:
        sources, load_s = read_problems(question.request, grid, cached=not no_cache)
        of = None if limits.fills is None else limits.fills * len(sources)
        if kind:
            check_numbered(output, kind, of)
        one_grid(sources, resume=engine_options.get("resume"), proof=proof)
        clues = None
        dictionaries = None
        if clue_file == AUTO:
            dictionaries = read_dictionaries(question.request)
        else:
            clues = read_clue_file(clue_file, question.request.alphabet)
        task = _Task(question, explained, statistics, as_json, quiet, kind, of, page, clues, dictionaries, proof)
        return each(sources, lambda source: _solve_one(source, task, out, load_s))


def _read_different(question: Solve) -> Fill:
    """Return the fill to differ from."""
    before, *_ = read_all_templates(question.request, list(question.another or ()))
    if not all(before.grid.givens[cell] for cell in before.grid.slots_at):
        raise usage_error(say("a fill to differ from"), say("a grid with empty cells"))
    return Fill.of_grid(before.grid)


def _solve_one(source: NamedProblem, task: _Task, out: Output, load_s: float) -> Exit:
    """Search, print the fills and the verdict, and return the exit code."""
    problem = source.problem
    if task.explained:
        problem.require_case()
    every = task.question.limits.fills != 1 and not problem.criteria
    prover = make_prover(task.proof, source, task.question.seed, every=every)
    start_s = time.perf_counter()
    telling = _Telling(source, task, out, prover)
    posed, desk = source.pose(task.question)
    ask(posed, desk, telling.take)
    result = telling.result
    if not task.quiet:
        said = [verdict(problem, result, time.perf_counter() - start_s, all_asked=task.question.all_asked)]
        said += _advise_of(telling, task)
        for line in said:
            source.tell(line)
    if task.statistics:
        sys.stderr.write(stats_lines(result, load_s))
    code = exit_of(result, all_asked=task.question.all_asked)
    if prover and not prover.prove(result, interrupted=telling.interrupted):
        code = Exit.INTERRUPTED
    if code is Exit.NO_FILL and task.explained:
        return _explain(source, task)
    return code


def _advise_of(telling: _Telling, task: _Task) -> list[str]:
    """Return advice about an answer: that its fills are alike, or about a fill that was not found."""
    result = telling.result
    said = _advise(telling.problem, result, task.question.limits)
    if telling.likeness.alike and result.status is Status.SATISFIED:
        said.insert(0, say(_ALIKE))
    return said


def _explain(source: NamedProblem, task: _Task) -> Exit:
    """Explain why there is no fill, within the time limit of the search, and return the exit code."""
    from cpfill.cli.explain import explain_one
    from cpfill.questions.explain import Explain

    asked = Explain(request=task.question.request, seed=task.question.seed)
    if task.question.time_limit:
        asked = replace(asked, time_limit=task.question.time_limit)
    return explain_one(source, asked, as_json=task.as_json)


def _lock_givens(filled: Puzzle, source: NamedProblem, task: _Task) -> Puzzle:
    """Return a filled puzzle that locks the letters of its grid, so that `check` judges own entries as the search did.

    A puzzle that keeps the work on it has its own locks, and letters that `--clear` leaves were chosen by a search.
    """
    given = [cell for cell, letter in enumerate(source.template.grid.givens) if letter]
    if not given or filled.work or task.question.request.refills:
        return filled
    return replace(filled, work={"locked": given})


class _Telling:
    """Takes the parts of the answer about one grid, and prints each as JSON, or each fill.

    A fill is held back while a better one may take its place; where something is maximised only the last is printed.
    """

    def __init__(self, source: NamedProblem, task: _Task, out: Output, prover: Prover | None) -> None:
        problem = source.problem
        self.problem = problem
        self.result = SolveResult(Status.UNKNOWN, StopReason.INTERRUPTED, engine="", measures=problem.measures)
        self.interrupted = False
        self.likeness = Likeness(problem)
        self._source = source
        self._task = task
        self._out = out
        self._prover = prover
        self._best_alone = bool(problem.criteria) and not task.question.every
        self._replaceable = problem.wants_good or self._best_alone
        self._ticker = Ticker(quiet=task.quiet, best=self._replaceable)
        self._held: Fill | None = None

    def take(self, part: Searched | Solved) -> None:
        """Print a part, or its new content."""
        self.result = part.result
        if self._task.as_json:
            print_record(part, self._source.name, self._out.write)
        if isinstance(part, Solved):
            self.interrupted = part.interrupted
            self._ticker.clear()
            self._let_go()
            return
        self._ticker.show(part.result, part.event)
        if isinstance(part.event, Found):
            self._hold(part.event)

    def _hold(self, event: Found) -> None:
        if not (event.better or self._best_alone):
            self._let_go()
        self._held = event.fill
        if self._prover:
            self._prover.take(event.fill)
        if not self._replaceable:
            self._let_go()

    def _let_go(self) -> None:
        """Print the fill that is held."""
        fill = self._held
        if fill is None:
            return
        self._held = None
        if (self._task.question.number or 1) > 1:
            self.likeness.add(fill)
        if not self._task.as_json:
            self._ticker.clear()
            self._show(fill)

    def _show(self, fill: Fill) -> None:
        source, task, out = self._source, self._task, self._out
        if task.question.request.refills and not task.question.every:
            for change in fill.list_changes(source.template.grid):
                warn(f"{source.name}: {change}")
        if not task.quiet:
            for line in tell_answers(fill):
                source.tell(line)
        if task.kind is None:
            text = source.text_of(fill)
            out.write(text if out.empty else f"\n{text}")
            return
        filled = _lock_givens(self._fill_puzzle(fill), source, task)
        if task.dictionaries is None:
            clued = add_clues(filled, task.clues, task.question.seed)
        else:
            alphabet = task.question.request.alphabet
            clued = add_drafts(filled, task.dictionaries, alphabet, task.question.seed)
        print_puzzle(out, clued, task.kind, source=source.name, style=task.page, of=task.of)

    def _fill_puzzle(self, fill: Fill) -> Puzzle:
        """Return the puzzle of the grid with a fill; warn about clues that were lost."""
        given = self._source.template.puzzle
        if not given:
            return replace(Puzzle.of_grid(fill.grid, fill.letters), alternatives=fill.alternatives)
        filled = given.fill(fill.letters)
        if fill.alternatives:
            filled = replace(filled, alternatives=fill.alternatives)
        lost = count_lost_clues(given, filled)
        if lost:
            clues = say_count(lost, "clue")
            warn(say("{name}: dropped {clues} of words that stood there before", name=self._source.name, clues=clues))
        return filled


def _advise(problem: Problem, result: SolveResult, limits: Limits) -> list[str]:
    """Return advice if no fill was found: a minimum score that can be reached, or that no fill is to be expected."""
    if problem.undecided and result.status is Status.UNKNOWN:
        return []
    if result.status is Status.UNKNOWN and result.stop_reason is not StopReason.INTERRUPTED:
        from cpfill.questions.estimate import is_doubtful, log10_by_beliefs

        if not is_doubtful(problem, log10_by_beliefs(problem)):
            return []
        return [
            say("a fill is hardly to be expected, by an estimate: more blocks, fewer givens or more words would help")
        ]
    if not (result.status.refuted and problem.rules.min_score):
        return []
    rules = replace(problem.rules, min_score=0.0)
    lower = replace(drop_objective(problem), rules=rules, objective=Objective.GOOD)
    few = Limits(time_s=limits.time_s, nodes=_REACH_NODES, seed=limits.seed)
    reached = settle(lower, limits=few).value
    if reached is None:
        return []
    said = later("a fill with minimum score {value} exists; --objective min proves which is the best")
    if problem.rules.either:
        said = later("a fill with minimum score {value} exists")
    return [say(said, value=format_value(reached))]
