"""`cpfill generate`: random grids."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cpfill.base.errors import EmptyListError, name_first
from cpfill.base.files import STDIN
from cpfill.base.texts import later, say, say_count
from cpfill.cli import options as o
from cpfill.cli.asking import PacedDesk, ask, print_record
from cpfill.cli.output import Output
from cpfill.cli.problems import (
    check_numbered,
    print_puzzle,
    puzzle_kind,
    read_clue_file,
    share_stdin,
    shelf,
    tell_answers,
    tell_skipped,
    write_answers,
)
from cpfill.cli.render import STOPPED, Ticker
from cpfill.cli.verbs import exit_of, usage_error, warn
from cpfill.design import Symmetry, read_draft
from cpfill.formats.dialects import DIALECTS, NATIVE, get_dialect, write_template
from cpfill.formats.pages.style import PageLayout, PageStyle
from cpfill.formats.registry import get_format, is_size
from cpfill.problem.event import StopReason
from cpfill.problem.result import Status
from cpfill.problem.value import describe_gap, describe_value
from cpfill.puzzle.parts import PuzzlePart
from cpfill.questions.generate import (
    CRISS_CROSS,
    BestSoFar,
    FoundGrid,
    Generate,
    Generated,
    Ranked,
    Tried,
    Unpaired,
)
from cpfill.words.wordlist import THEME_SCORE, read_word_list

if TYPE_CHECKING:
    from cpfill.base.alphabet import Alphabet
    from cpfill.design import Demands, Design, Ranking
    from cpfill.formats.dialects import Dialect
    from cpfill.problem.result import SolveResult
    from cpfill.questions.failures import Failure


_OF_LISTS = (
    "words",
    "min_score",
    "exclude",
    "repeats",
    "no_naticks",
    "either",
    "objective",
    "levels",
    "theme",
    "alphabet",
    "taste",
)


@o.with_page_options
@o.asks(Generate, *_OF_LISTS, without={"clues"})
def generate(
    draft: Annotated[
        str | None, typer.Argument(metavar="[DRAFT]", help="A file with a grid to complete: ? is open or a block.")
    ] = None,
    *,
    question: Generate,
    dialect: Annotated[
        str | None,
        typer.Option(
            "--dialect",
            metavar="NAME",
            help=f"Write grids as {', '.join(reversed(DIALECTS))}.",
            rich_help_panel="Grid",
        ),
    ] = None,
    write_as: o.WriteAs = None,
    page: PageStyle | None,
    clue_file: Annotated[
        str | None,
        typer.Option(
            "--clues",
            metavar="FILE",
            help="Of a criss-cross: its words, each with its clue: WORD, a tab, ; or comma, its clue; or a table.",
            rich_help_panel="Grid",
        ),
    ] = None,
    as_json: o.Json = False,
    output: o.OutputFile = None,
    quiet: o.Quiet = False,
) -> int:
    """Generate random grids in a style; its rules are kept, its numbers are what an option says instead.

    A DRAFT is completed: native text in which ? is undecided. Its blocks, letters and open cells stay; in a barred grid
    its bars.

    american: every cell in two slots of 3 or more, half-turn symmetry. british: a lattice of blocks, half of each
    slot checked (rounded down), never three cells in a row unchecked, slots of 3 or more, half-turn symmetry. french:
    connected, nothing else. japanese: no two blocks adjacent, none in a corner. barred: bars instead of blocks, n // 2
    - 1 cells of a slot of n unchecked at most, never two in a row, slots of 4 or more, half-turn symmetry. arrow (mots
    fléchés): blocks hold clues, one or two each; the first row and column alternate blocks and letters. free: blocks
    anywhere. In all but free the open cells are connected. Within these rules grids like printed ones are preferred:
    no square of blocks, few cheaters, about as many words. With an objective and --fillable or --filled the N designs
    with the best fills are sought till time is over, and printed best first.

    criss-cross: the words of --seed-words or --clues, each once, all connected, and no other word; least cells first,
    then most crossings, with proved bounds.

    Exit codes: 0 a grid; 20 proved that there is none; 124 a limit came first; 130 interrupted; 2 bad input.
    """
    start_s = time.perf_counter()
    filling, request = question.filling, question.request
    for_filling = o.given_options(request, without={"alphabet"})
    for_filling += ["--fill-time"] * (question.fill_time is not None)
    if for_filling and not filling:
        raise usage_error(
            say("{for_filling} with --fillable or --filled", for_filling=for_filling[0]),
            say("{for_filling} alone", for_filling=for_filling[0]),
        )
    share_stdin([*question.seed_words, *filter(None, [draft, clue_file])], request)
    written_as = get_dialect(dialect or NATIVE.name)
    kind = puzzle_kind(output, write_as, page, as_json=as_json)
    if dialect is not None and (kind or as_json):
        raise usage_error(say("--json, --dialect or a puzzle file"), say("two of them"))
    if question.rules.barred and PuzzlePart.BARS not in written_as.keeps:
        raise usage_error(say("a dialect that has bars, native, for a barred grid"), written_as.name)
    if kind is not None:
        check_numbered(output, kind, question.number)
    question = _read_files(question, draft, clue_file)
    question.check()
    if page is None and kind is not None and question.rules.clue_cells:
        page = PageStyle(layout=PageLayout.ARROWS) if PageLayout.ARROWS in get_format(kind, to=True).layouts else None
    with Output(output) as out:
        printer = _Printer(question, out, written_as, kind, page, as_json=as_json, quiet=quiet)
        end: Generated = ask(question, PacedDesk(shelf()), printer.take)
    if not quiet:
        told = printer.told if question.style == CRISS_CROSS else _tell_grids(question, end)
        warn(f"{told or _tell_none(end)} ({time.perf_counter() - start_s:.2f} s)")
        for line in end.failure.lines if end.failure else ():
            warn(line)
    return exit_of(end.result, all_asked=False)


def _read_files(question: Generate, path: str | None, clue_file: str | None) -> Generate:
    """Return the question with the draft, the seed words and the clues that stand in files."""
    if path is not None and is_size(path):
        raise usage_error(
            say("a file with a grid to complete"),
            say("'{draft}' (a size is asked for with --size {draft})", draft=path),
        )
    if path is not None and question.style == CRISS_CROSS:
        raise usage_error(say("the words of a criss-cross in --clues or --seed-words"), f"'{path}'")
    alphabet, least = question.request.alphabet, question.rules.min_slot_length
    draft = read_draft(path, alphabet=alphabet, min_slot_length=least) if path else None
    weighed = question.style == CRISS_CROSS
    seeds = _read_seed_words(question.seed_words, alphabet, weighed=weighed)
    return replace(question, draft=draft, seed_words=seeds, clues=_read_clues(clue_file, alphabet))


def _read_seed_words(given: tuple[str, ...], alphabet: Alphabet, *, weighed: bool) -> tuple[str, ...]:
    """Return the words: those between commas, and those in each file that is named, if asked with their scores."""
    words: list[str] = []
    for text in given:
        if text == STDIN or "." in text or "/" in text or Path(text).is_file():
            with suppress(EmptyListError):
                read = read_word_list(text, alphabet, default_score=THEME_SCORE)
                tell_skipped(read)
                words += [f"{word};{score:g}" if weighed else word for word, score in read.weights.items()]
        else:
            words += text.split(",")
    return tuple(words)


_NAMED = 8
"""The most words without a clue that a warning names."""


def _read_clues(path: str | None, alphabet: Alphabet) -> tuple[tuple[str, str], ...]:
    """Return each word of a file with each of its clues; warn about words with none, or with several."""
    read = read_clue_file(path, alphabet, vocabulary=True)
    if read is None:
        return ()
    pairs = []
    for word, clues in read.words.items():
        if len(clues) > 1:
            several = say_count(len(clues), "clue")
            warn(say("{name}: {word} has {clues}; --seed chooses", name=path, word=word, clues=several))
        pairs += [(word, clue) for clue in clues or ("",)]
    bare = [word for word, clues in read.words.items() if not clues]
    if bare:
        warn(say("{name}: no clue of {words}", name=path, words=name_first(bare, _NAMED)))
    return tuple(pairs)


class _Printer:
    """Takes the parts of the answer, and prints each as JSON, or each grid.

    Args:
        question: the question.
        out: where the grids go.
        dialect: the dialect of grids as text.
        kind: the format of a puzzle file, if one is to be written.
        page: the style of its page.
        as_json: whether to print the parts as JSON.
        quiet: whether to print nothing on standard error.
    """

    def __init__(
        self,
        question: Generate,
        out: Output,
        dialect: Dialect,
        kind: str | None,
        page: PageStyle | None,
        *,
        as_json: bool,
        quiet: bool,
    ) -> None:
        self._question = question
        self._out = out
        self._dialect = dialect
        self._kind = kind
        self._page = page
        self._as_json = as_json
        self._quiet = quiet
        self._ticker = Ticker(quiet=quiet)
        self._start_s = time.monotonic()
        self._ranking: Ranking | None = None
        self.told = ""
        """The worth of a criss-cross, in words."""
        self._count = self._tried = 0
        self._show_progress()

    def take(self, part: FoundGrid | BestSoFar | Ranked | Tried | Unpaired | Generated) -> None:
        """Print a part, or its new content."""
        if not isinstance(part, Tried):
            self._ticker.clear()
        if self._as_json:
            print_record(part, write=self._out.write)
        match part:
            case FoundGrid():
                self._count += 1
                self._write_grid(part)
            case BestSoFar():
                self.told = part.laid.told
            case Ranked():
                self._ranking = part.ranking
            case Tried():
                self._tried = part.grids
            case Unpaired() if not (self._quiet or self._as_json):
                warn(part.text)
            case Generated():
                return
        self._show_progress()

    def _show_progress(self) -> None:
        took_s = time.monotonic() - self._start_s
        if self.told:
            self._ticker.say(say("arranging, {seconds:.0f} s: {told}", seconds=took_s, told=self.told))
        else:
            self._ticker.say(_tell_progress(self._question, self._ranking, self._count, self._tried, took_s))

    def _write_grid(self, found: FoundGrid) -> None:
        """Write a grid, or the fill of it; say the liberties that its theme took."""
        if found.laid:
            self.told = found.laid.told
        if self._as_json:
            return
        if not self._quiet:
            self._tell_grid(found)
        if self._kind is not None:
            print_puzzle(self._out, found.puzzle, self._kind, style=self._page, of=self._question.number)
            return
        if found.filled and self._question.prints_fills:
            text = write_answers(self._dialect, found.filled[1])
        else:
            text = write_template(self._dialect, found.grid)
        self._out.write(text if self._out.empty else f"\n{text}")

    def _tell_grid(self, found: FoundGrid) -> None:
        """Say the worth of a design, and the liberties that its theme took."""
        if found.design and self._ranking:
            said = _describe(found.design, self._question)
            if not self._question.improves:
                number = found.design.number
                said = say("design {number} of {all}: {design}", number=number, all=len(self._ranking.all), design=said)
            warn(said)
        if found.filled and self._question.prints_fills:
            for line in tell_answers(found.filled[1]):
                warn(line)
        if liberties := found.liberties:
            warn(say("the theme: {liberties}", liberties="; ".join(liberties)))


def _describe(design: Design, question: Generate) -> str:
    """Return in words the value of the best fill of a design, and its bound."""
    result = design.result
    if question.fewest_blocks:
        (blocks,), (bound,) = design.value, result.bound or (0,)
        told = later(
            "{blocks}, the fewest possible" if design.proved else "{blocks}; no grid has fewer than {bound:.0f}"
        )
        return say(told, blocks=say_count(int(blocks), "block"), bound=bound)
    if design.proved or result.bound is None or result.bound == result.value:
        said = describe_value(result.measures, design.value)
        best = later("{said}, the best of all grids" if question.improves else "{said}, the best of this grid")
        return say(best, said=said) if design.proved else said
    return describe_gap(result.measures, design.value, result.bound)


def _tell_progress(question: Generate, ranking: Ranking | None, count: int, tried: int, seconds: float) -> str:
    if ranking is None:
        progress = say("generating, {count} so far", count=_grids(count))
        return progress + (say(", {tried:,} tried", tried=tried) if tried else "")
    best = "".join(
        say("\ndesign {number}: {what}", number=design.number, what=_describe(design, question))
        for design in ranking.best
    )
    said = later("generating, {seconds:.0f} s, designs so far: {all}{best}")
    return say(said, seconds=seconds, all=len(ranking.all), best=best)


def _tell_grids(question: Generate, end: Generated) -> str:
    """Return the answer in words, and what to ask for instead of a grid that cannot exist."""
    hint = _hint(question.demands) if end.result.status is Status.UNSATISFIABLE else ""
    return _verdict(end.result, end.failure, filling=question.filling) + hint


def _tell_none(end: Generated) -> str:
    """Return in words why there is no criss-cross."""
    why = end.why or say("try a larger --size, or --most")
    if end.result.status is Status.UNSATISFIABLE:
        return say("UNSATISFIABLE: no such grid exists, proved; {why}", why=why)
    stopped = say(STOPPED[end.result.stop_reason])
    return say("UNKNOWN: no such grid found, {stopped}, none excluded; {why}", stopped=stopped, why=why)


def _verdict(result: SolveResult, failure: Failure | None, *, filling: bool) -> str:
    """Return the answer and its proof in words."""
    proof = say(", proved grid by grid") if filling else say(", proved by CP-SAT")
    if filling and failure and not failure.attempts.tried:
        proof = ""  # there was no grid to try
    fills, stopped = _grids(result.fills), say(_STOPPED.get(result.stop_reason, ""))
    match result.status:
        case Status.UNSATISFIABLE:
            what = say("has a fill") if filling else say("exists")
            return say("UNSATISFIABLE: no such grid {what}{proof}", what=what, proof=proof)
        case Status.UNKNOWN:
            return say("UNKNOWN: no such grid found, {stopped}, none excluded", stopped=stopped)
        case Status.ALL_FILLS:
            return say("{fills}, all there are{proof}", fills=fills, proof=proof)
        case Status.OPTIMAL:
            return say("{fills}, none better{proof}", fills=fills, proof=proof)
        case _ if result.stop_reason is StopReason.FILLS:
            return fills
        case _:
            return say("{fills}, {stopped}; there may be more", fills=fills, stopped=stopped)


def _hint(demands: Demands) -> str:
    """Return what to ask for instead, where lattices of two kinds would have to lie over each other."""
    style, even = demands.style, demands.height % 2 == 0 or demands.width % 2 == 0
    turned = style.symmetry in {Symmetry.ROTATE, Symmetry.ROTATE90, Symmetry.MIRROR}
    return say("; try an odd size, or --symmetry none") if style.lattice and even and turned else ""


_STOPPED = {**STOPPED, StopReason.TRIES: later("the others were not filled in time")}


def _grids(count: int) -> str:
    return say_count(count, "grid")
