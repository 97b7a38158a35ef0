"""Makes the problems of a verb from its arguments, warns about skipped words, and writes puzzle files."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from itertools import chain
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import cpfill
from cpfill.base.errors import name_first
from cpfill.base.files import STDIN, display_name
from cpfill.base.texts import later, say
from cpfill.cli.verbs import Exit, gravest, usage_error, warn
from cpfill.formats.dialects import NATIVE, write_fill
from cpfill.formats.registry import FORMATS, check_style, choose_format, get_format, read_templates, write_puzzle
from cpfill.problem.lack import Refusal
from cpfill.problem.value import format_value
from cpfill.questions.question import PosedDesk, Question
from cpfill.questions.records import describe_posing
from cpfill.words.sources import Shelf, personal_path
from cpfill.words.wordlist import describe_skipped

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cpfill.base.alphabet import Alphabet
    from cpfill.cli.output import Output
    from cpfill.cli.proofs import Prover
    from cpfill.formats.dialects import Dialect
    from cpfill.formats.pages.style import PageStyle
    from cpfill.formats.registry import Template
    from cpfill.problem.fill import Fill
    from cpfill.problem.problem import Problem
    from cpfill.puzzle.clues import ClueCollection
    from cpfill.puzzle.clues.dictionaries import Lookup
    from cpfill.puzzle.grid import CellId, Slot
    from cpfill.puzzle.puzzle import Puzzle
    from cpfill.questions.records import Posed
    from cpfill.questions.request import Request
    from cpfill.words.wordlist import WordList


Asked = TypeVar("Asked", bound=Question)


class NamedProblem(NamedTuple):
    """A problem, and where its grid is from."""

    template: Template
    problem: Problem
    several: bool
    """Whether messages must name the grid."""
    lists: Shelf
    locked: frozenset[CellId] | None = None
    """The cells of own entries, as for `Request.find_own`."""

    @property
    def name(self) -> str:
        """The name of the grid."""
        return self.template.name

    def pose(self, question: Asked) -> tuple[Asked, PosedDesk]:
        """Return a question about this grid, and the desk that has its problem."""
        request = replace(question.request, grid=self.template)
        return replace(question, request=request), PosedDesk(self.lists, request, self.problem, self.locked)

    def tell(self, line: str) -> None:
        """Print a line on standard error, which names the grid where there are several."""
        if self.several:
            line = f"{self.name}: {line}"
        warn(line)

    def text_of(self, fill: Fill) -> str:
        """Return a fill in the dialect of the grid."""
        return write_answers(self.template.dialect, fill)


def tell_answers(fill: Fill) -> list[str]:
    """Return the slots that have several words, one line each, with these words."""
    told = []
    for slot in fill.grid.slots:
        words = dict.fromkeys(reading.word_at(slot) for reading in fill.readings)
        if len(words) > 1:
            told.append(f"{slot.name}: {'/'.join(words)}")
    return told


def write_answers(dialect: Dialect, fill: Fill) -> str:
    """Return a fill in a dialect; in the native one if cells have several letters, such as `(C/B)`."""
    if not fill.alternatives:
        return write_fill(dialect, fill.grid, fill.letters)
    from cpfill.puzzle.drawing import show_answer

    drawn = fill.diagram()
    return write_fill(NATIVE, fill.grid, [show_answer(drawn, cell) for cell in range(len(fill.letters))])


def read_problems(request: Request, paths: list[str], *, cached: bool = False) -> tuple[list[NamedProblem], float]:
    """Return a problem for every grid in the files, and the seconds it took to load them all.

    Where `cached`, large lists are kept for the next time.
    """
    start_s = time.perf_counter()
    share_stdin(paths, request)
    read = read_all_templates(request, paths)
    lists = shelf(cached=cached)
    problems = make_problems(request, read, lists)
    several = len(read) > 1
    pairs = zip(read, problems, strict=True)
    named = [NamedProblem(template, problem, several, lists) for template, problem in pairs]
    for one in named:
        _tell_refused(one, request, lists)
    return named, time.perf_counter() - start_s


def each(sources: Sequence[NamedProblem], ask: Callable[[NamedProblem], Exit]) -> Exit:
    """Ask about each grid until an interrupt, and return the exit code of all."""
    codes: list[Exit] = []
    for source in sources:
        codes.append(ask(source))
        if codes[-1] is Exit.INTERRUPTED:
            break
    return gravest(codes)


def make_problems(
    request: Request, read: Sequence[Template], lists: Shelf, *, locked: frozenset[CellId] | None = None
) -> list[Problem]:
    """Return the problem of each template; warn about words that were skipped or accepted.

    `locked` is as for `Request.find_own`.
    """
    problems = request.problems([template.grid for template in read], lists, locked=locked)
    if request.personal not in {None, str(personal_path())}:  # the user knows the usual list
        _tell_personal(lists.word_list(request.personal, request.alphabet), problems)
    for template, problem in zip(read, problems, strict=True):
        _tell_posed(template.name, describe_posing(problem, request, lists))
    return problems


def _tell_posed(name: str, posed: Posed) -> None:
    """Warn about the words that a problem accepts by exception, and the theme words that it skips."""
    if posed.accepted:
        accepted = _name_words(posed.accepted)
        warn(say("{name}: accepted though in no list: {accepted}", name=name, accepted=accepted))
    if posed.exempt:
        low = _name_words([_with_score(word, score) for word, score in posed.exempt.items()])
        warn(say("{name}: accepted though scored too low: {low}; --strict refuses them", name=name, low=low))
    if posed.theme_skipped:
        skipped = later("{name}: {theme_skipped} of {theme} theme words skipped, which no slot can hold")
        warn(say(skipped, name=name, **posed._asdict()))


def _with_score(word: str, score: float) -> str:
    return f"{word} ({format_value((score,))})"


def _tell_personal(personal: WordList, problems: Sequence[Problem]) -> None:
    """Say how many words of the personal list are as long as a slot."""
    lengths = {slot.length for problem in problems for slot in problem.slots}
    scores = [score for word, score in personal.weights.items() if len(word) in lengths]
    if scores:
        banned = scores.count(0)
        n = len(scores) - banned
        warn(say("{name}: {n} scored by your own list, {banned} banned", name=personal.name, n=n, banned=banned))


def _tell_refused(named: NamedProblem, request: Request, lists: Shelf) -> None:
    """Warn about given words that no list has or that score too low: they make the grid unfillable."""
    posed = describe_posing(named.problem, request, lists)
    if not posed.refused:
        return
    said = {
        Refusal.LOW: say("under --min-score {value}", value=format_value((request.min_score,))),
        Refusal.BANNED: say("banned by {value}", value=display_name(str(request.personal))),
        Refusal.UNLISTED: say("in no list (--strict)"),
        Refusal.EXCLUDED: say("excluded"),
    }
    refused: dict[Refusal, list[str]] = {}
    for word, why in posed.refused.items():
        entry = named.problem.lexicon.find(word)
        shown = _with_score(word, entry[0]) if entry else word
        refused.setdefault(why, []).append(shown)
    told = later("{name}: given though {said}: {words}; --open lets a slot keep its letters")
    for why, words in refused.items():
        warn(say(told, name=named.name, said=said[why], words=_name_words(words)))


def _name_words(words: Sequence[str]) -> str:
    """Return the first of some words, and the number of the others."""
    return name_first(words, _NAMED)


_NAMED = 8
"""The maximum number of words that are named."""


def read_all_templates(request: Request, paths: list[str]) -> list[Template]:
    """Return the templates in the files."""
    read: list[Template] = []
    for path in paths:
        read += read_templates(
            path, alphabet=request.alphabet, min_slot_length=request.min_slot_length, dialect=request.dialect
        )
    return read


def shelf(*, cached: bool = False) -> Shelf:
    """Return a reader of lists; it reports the number of skipped lines on standard error."""
    if not cached:
        return Shelf(on_read=tell_skipped)
    from cpfill.words.sources import ListCache

    return Shelf(on_read=tell_skipped, cache=ListCache(cpfill.__version__))


def tell_skipped(words: WordList) -> None:
    """Warn about the lines of a list that were skipped."""
    if words.skipped:
        skipped = describe_skipped(words.skipped)
        warn(say("{name}: {words} words, {skipped}", name=words.name, words=len(words.words), skipped=skipped))


def share_stdin(names: Sequence[str], request: Request | None = None) -> None:
    """Raise if `-` is given more than once among these names and the lists of a request."""
    given: list[object] = [*names]
    if request:
        given += [*request.lists, request.avoid]
    asked = given.count(STDIN)
    if asked > 1:
        raise usage_error(say("standard input for one thing at most"), say("'-' {asked} times", asked=asked))


def make_prover(path: str | None, source: NamedProblem, seed: int, *, every: bool = False) -> Prover | None:
    """Return a `Prover` that writes into a folder, if a folder is given; `every` means that all fills are wanted."""
    if path is None:
        return None
    from cpfill.cli.proofs import Prover

    return Prover(path, source.problem, source.name, seed, every=every)


def one_grid(problems: Sequence[NamedProblem], *, resume: str | None = None, proof: str | None = None) -> None:
    """Raise if a journal or a proof is requested for several grids."""
    for option, given in (("--resume", resume), ("--proof", proof)):
        if given is not None and len(problems) > 1:
            found = say("{problems} grids", problems=len(problems))
            raise usage_error(say("one grid with {option}", option=option), found)


_OF_PUZZLES = {*chain.from_iterable(one.suffixes for one in FORMATS.values())} - {".json", ".txt"}
"""Suffixes for which JSON output would be misleading."""


def puzzle_kind(output: str | None, asked: str | None, page: PageStyle | None, *, as_json: bool) -> str | None:
    """Return the format of the puzzle file to write: the one asked for, or that of its suffix; `None` means text."""
    path = "" if output is None or output == STDIN else output
    suffix = PurePath(path).suffix.lower()
    kind = asked
    if as_json and (asked is not None or suffix in _OF_PUZZLES):
        raise usage_error(say("--json or a puzzle file"), say("both"))
    if not (kind or as_json or suffix in {"", ".txt"}):
        kind = choose_format(path)
    if page is not None:
        check_style(page, kind)
    if kind is not None:
        check_terminal(output or STDIN, kind)
    return kind


def check_terminal(output: str, kind: str) -> None:
    """Raise if a binary file would go to a terminal."""
    if get_format(kind, to=True).binary and output == STDIN and sys.stdout.isatty():
        raise usage_error(say("a file or a pipe for {kind}", kind=kind), say("a terminal"))


def check_numbered(output: str | None, kind: str, of: int | None) -> None:
    """Check that puzzles go to files that can be numbered, if there may be several."""
    if of != 1 and (output in {None, STDIN} or PurePath(output or "").is_relative_to("/dev")):
        raise usage_error(
            say("a file to number, with -o, for several puzzles of format {kind}", kind=kind), output or STDIN
        )


def print_puzzle(
    out: Output,
    puzzle: Puzzle,
    kind: str,
    *,
    source: str = "",
    style: PageStyle | None = None,
    of: int | None = 1,
) -> None:
    """Write a puzzle file; warn about content that was lost when `source` was read or that the format cannot store.

    If there are several puzzles (`of` is their number, or `None` if unknown), the file is numbered.
    """
    if of != 1:
        with out.next_file(of) as own:
            print_puzzle(own, puzzle, kind, source=source, style=style)
        return
    written, losses = write_puzzle(puzzle, kind, style)
    out.write_bytes(written)
    for line in puzzle.unread:
        warn(f"{source}: {line}")
    for line in losses:
        warn(f"{out.name}: {line}")


def read_clue_file(path: str | None, alphabet: Alphabet, *, vocabulary: bool = False) -> ClueCollection | None:
    """Return the clues in a file, if a path is given; `vocabulary` as for `parse_clues`."""
    if path is None:
        return None
    from cpfill.puzzle.clues import read_clues

    return read_clues(path, alphabet, vocabulary=vocabulary)


AUTO = "auto"
"""Stands for draft clues from the installed dictionaries, in place of a file of clues."""


def read_dictionaries(request: Request) -> dict[str, Lookup]:
    """Return the installed dictionaries of the language of a request, by name."""
    from cpfill.puzzle.clues.dictionaries import find_installed
    from cpfill.questions.stats import guess_language

    found = find_installed(guess_language(request))
    return {one.name: one.read(request.alphabet) for one in found}


def count_lost_clues(before: Puzzle, after: Puzzle) -> int:
    """Return the number of clues that were lost; `[no clue]` is not a clue."""
    from cpfill.puzzle.clues import NO_CLUE

    lost = [said for where, said in before.clues.items() if where not in after.clues]
    return len(lost) - lost.count(NO_CLUE)


def add_clues(puzzle: Puzzle, clues: ClueCollection | None, seed: int) -> Puzzle:
    """Return the puzzle with these clues, if there are any; slots without one are counted on standard error."""
    if clues is None:
        return puzzle
    from cpfill.puzzle.clues import place_clues

    return _tell_missing(*place_clues(puzzle, clues, seed))


def add_drafts(puzzle: Puzzle, lookups: Mapping[str, Lookup], alphabet: Alphabet, seed: int) -> Puzzle:
    """Return the puzzle with draft clues from dictionaries; slots without one are counted on standard error."""
    from cpfill.puzzle.clues.drafting import draft_clues

    return _tell_missing(*draft_clues(puzzle, lookups, alphabet, seed))


def _tell_missing(done: Puzzle, missing: Sequence[Slot]) -> Puzzle:
    """Return the puzzle; count the slots without a clue on standard error."""
    from cpfill.puzzle.clues import NO_CLUE

    if missing:
        told = later("{missing} of {slots} slots have no clue, and are marked {no_clue}")
        warn(say(told, missing=len(missing), slots=len(done.slots), no_clue=NO_CLUE))
    return done
