"""Questions that are no searches for a fill: what a puzzle and its lists are like, other grids, clues of words."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from cpfill.base.errors import Fault, InputError
from cpfill.base.input_limits import MAX_SIDE
from cpfill.base.ranges import COUNT, SEED, SLOTS, Range, quote_value
from cpfill.base.reading import TEXT, TEXTS, number_reader, read_flag
from cpfill.base.texts import later, say
from cpfill.problem.check import violations
from cpfill.problem.event import StopReason
from cpfill.problem.fill import Fill
from cpfill.problem.limits import Deadline
from cpfill.problem.problem import Objective
from cpfill.problem.result import Status
from cpfill.puzzle.clues.dictionary import find_installed, look_up
from cpfill.puzzle.grid import Grid
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.as_json.figures import fill_figures_record, grid_figures_record, positions_record
from cpfill.questions.as_json.searches import audit_record
from cpfill.questions.generate import STYLES, Demands, Draft
from cpfill.questions.generate import generate as generate_grids
from cpfill.questions.generate.demands import choose_style
from cpfill.questions.generate.failing import WHY_S, find_failure, keep_time
from cpfill.questions.generate.fillable import Attempts, fill_in_steps, tell_unpaired
from cpfill.questions.stats import LANGUAGES, describe_fill, describe_grid, find_faults, take_answers
from cpfill.questions.stats.fill import find_words
from cpfill.questions.stats.languages import guess_language
from cpfill.web.asked import PULSE_S
from cpfill.web.wire import check_list, puzzle_record
from cpfill.words.curate.position import positions

if TYPE_CHECKING:
    from collections.abc import Generator

    from cpfill.problem.limits import Limits
    from cpfill.problem.problem import Problem
    from cpfill.questions.generate import Style
    from cpfill.web.asked import Asked, Record

    _Grids = Generator[Grid | tuple[Problem, Fill] | None, None, StopReason]

_CLUED = Range(0, 1000, later("a number"))
"""How many words are looked up at once."""

_SIDE = Range(1, MAX_SIDE)


def ask_stats(asked: Asked, _: Limits) -> Generator[Record]:
    """Tell what the grid is like, and what stands in it, as `stats --json` does."""
    request = asked.request
    style = asked.more.get("style")
    styles = STYLES if style is None else {style: choose_style(asked.read("style", TEXT, ""))}
    assert asked.puzzle is not None
    fill = take_answers(asked.puzzle, request.alphabet, request.min_slot_length)
    faults = {name: find_faults(fill.grid, rules) for name, rules in styles.items()}
    words = None
    if find_words(fill):
        spoken = LANGUAGES[guess_language(request)]
        words = describe_fill(fill, asked.memory.lists.lexicon_of(request), language=spoken)
    record = grid_figures_record(fill.grid, describe_grid(fill.grid), faults)
    yield {**record, "fill": fill_figures_record(words) if words else None}
    yield {"done": True}


def ask_check(asked: Asked, _: Limits) -> Generator[Record]:
    """Tell which rules the letters of the puzzle break, or what they are worth, as `check --json` does of the grid."""
    problem = asked.pose_all(replace(asked.request, strict=True))
    fill = Fill.of_grid(problem.grid)
    yield audit_record(problem, fill, violations(problem, fill))
    yield {"done": True}


def ask_heatmap(asked: Asked, _: Limits) -> Generator[Record]:
    """Tell of each length which letters stand where in the words of the lists, as `words heatmap --json` does."""
    lexicon = asked.memory.lists.lexicon_of(asked.request)
    for length in lexicon.lengths:
        yield positions_record(positions(lexicon, length))
    yield {"done": True}


def ask_generate(asked: Asked, limits: Limits) -> Generator[Record]:
    """Tell random grids, with `fillable` those that have a fill, with `filled` filled, `around` the puzzle."""
    limits = replace(
        limits, fills=asked.read("number", number_reader(COUNT), 1), seed=asked.read("seed", number_reader(SEED), 0)
    )
    height, width = _sides(asked)
    symmetry = asked.read("symmetry", TEXT)
    style = choose_style(asked.read("style", TEXT, "american"), symmetry)
    demands = Demands(
        height,
        width,
        style=style,
        blocks=_blocks(asked),
        max_words=asked.read("max_words", number_reader(SLOTS)),
        seed_words=tuple(map(asked.request.alphabet.word, asked.read("seed_words", TEXTS, ()))),
        alphabet=asked.request.alphabet,
        draft=_take_draft(asked, style) if asked.read("around", read_flag, False) else None,
    )
    filling = asked.read("filled", read_flag, False) or asked.read("fillable", read_flag, False)
    lexicon = asked.memory.lists.lexicon_of(asked.request) if filling else None
    rules, attempts, deadline = asked.request.rules, Attempts(), Deadline(limits.time_s, limits.stop)
    grids: _Grids
    if lexicon is None:
        grids = generate_grids(demands, limits=limits)
    else:
        if unpaired := tell_unpaired(demands, lexicon, rules):
            yield {"unpaired": unpaired}
        good = asked.request.goal is Objective.GOOD
        grids = fill_in_steps(demands, lexicon, rules, good=good, limits=keep_time(limits), attempts=attempts)
    for record in _tell_grids(asked, demands, grids, attempts):
        proved = record.get("status") is Status.UNSATISFIABLE
        if record.get("grids") == 0 and (filling or proved) and not limits.stopped:
            why = replace(limits, time_s=deadline.remaining_s(WHY_S))
            yield {**record, **find_failure(demands, lexicon, rules, why, proved=proved, attempts=attempts).record}
        else:
            yield record


def _tell_grids(asked: Asked, demands: Demands, stream: _Grids, attempts: Attempts) -> Generator[Record]:
    """Tell grids as they are found with the cells of their seed words, how many were tried, and then how many came."""
    count, due_s = 0, 0.0
    with closing(stream):
        while True:
            try:
                found = next(stream)
            except StopIteration as end:
                reason = end.value
                break
            if found is None:
                if time.monotonic() >= due_s:
                    due_s = time.monotonic() + PULSE_S
                    yield {"tried": attempts.tried}
                continue
            count += 1
            grid = found if isinstance(found, Grid) else found[0].grid
            theme = {cell for slot in grid.slots if grid.given_word(slot) in demands.seed_words for cell in slot.cells}
            puzzle = _puzzle_of(found, filled=asked.read("filled", read_flag, False))
            yield {"puzzle": puzzle_record(puzzle), "theme": sorted(theme)}
    status = Status.of(found=count > 0, exhausted=reason is StopReason.EXHAUSTED, optimising=False)
    yield {"done": True, "status": status, "reason": reason, "grids": count}


def _take_draft(asked: Asked, style: Style) -> Draft:
    """Return the puzzle as a draft: its letters, blocks and bars stay, and cells without a letter may become blocks."""
    if asked.puzzle is None:
        raise InputError(Fault(say("a puzzle to complete"), say("none")))
    grid = asked.puzzle.grid(asked.request.alphabet, style.min_slot_length)
    empty = (cell for cell, answer in enumerate(asked.puzzle.cells) if answer == "")
    return Draft(grid, frozenset(empty))


def _puzzle_of(found: Grid | tuple[Problem, Fill], *, filled: bool) -> Puzzle:
    if isinstance(found, Grid):
        return Puzzle.of_grid(found)
    problem, fill = found
    return Puzzle.of_grid(problem.grid, fill.letters if filled else None)


def _sides(asked: Asked) -> tuple[int, int]:
    """Return the rows and columns that are asked for, by default those of the puzzle."""
    if "size" not in asked.more and asked.puzzle is not None:
        return asked.puzzle.height, asked.puzzle.width
    size = asked.more.get("size", [15, 15])
    if not isinstance(size, list) or len(size) != 2:
        raise InputError(Fault(say("two numbers for size: rows and columns"), quote_value(size)))
    for side in size:
        _SIDE.check(side, "size")
    return size[0], size[1]


def _blocks(asked: Asked) -> tuple[int, int] | None:
    """Return the least and the greatest number of blocks, if anything is asked."""
    blocks = asked.more.get("blocks")
    if blocks is None:
        return None
    ends = blocks if isinstance(blocks, list) else [blocks, blocks]
    if len(ends) != 2:
        raise InputError(Fault(say("a number of blocks, or the least and the greatest"), quote_value(blocks)))
    for end in ends:
        Range(0, SLOTS.high).check(end, "blocks")
    return ends[0], ends[1]


def ask_clues(asked: Asked, _: Limits) -> Generator[Record]:
    """Tell the clues of words: of the files of one's own that are named, then of the installed dictionaries."""
    alphabet = asked.request.alphabet
    _CLUED.check(len(check_list("words", asked.more.get("words", []))), "the number of words")
    words = dict.fromkeys(map(alphabet.word, asked.read("words", TEXTS, ())))
    found: dict[str, list[Record]] = {word: [] for word in words}
    own = [
        (name, asked.memory.clues.read_file(asked.folder.find_clues(name), alphabet))
        for name in asked.read("files", TEXTS, ())
    ]
    try:
        dictionaries = find_installed(guess_language(asked.request))
    except InputError:
        if not own:
            raise
        dictionaries = []
    lookups = [(each.name, asked.memory.clues.read_dictionary(each, alphabet)) for each in dictionaries]
    sources = [*own, *((name, look_up(words, [lookup], alphabet)) for name, lookup in lookups)]
    for source, clues in sources:
        for word in words:
            found[word] += [{"text": text, "source": source} for text in clues.words.get(word, ())]
    for word, clues_of_word in found.items():
        yield {"word": word, "clues": clues_of_word}
    yield {"done": True}
