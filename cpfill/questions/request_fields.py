"""The one table of what can be asked of a problem.

Each field says what there is to know of it: its reader, what its option is and says, whether the lexicon depends on it.
Options, JSON, TOML, the page and programs have the fields from here, those of the rules from `cpfill.problem.rules`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cpfill.base.alphabet import Alphabet
from cpfill.base.ranges import SCORE, SLOT_LENGTH
from cpfill.base.reading import (
    Field,
    asked,
    asked_number,
    check_text,
    name_reader,
    read_flag,
    text_reader,
    texts_reader,
    wrong,
)
from cpfill.formats.dialects import DIALECTS, get_dialect
from cpfill.problem.problem import Objective
from cpfill.problem.rules import RuleFields

if TYPE_CHECKING:
    from cpfill.formats.grid_like import GridLike
    from cpfill.words.lexicon import Lexicon
    from cpfill.words.wordlist import ListSource


def _read_objective(name: str, value: object) -> Objective:
    return Objective(name_reader("an objective", Objective)(name, value))


def read_alphabet(name: str, value: object) -> Alphabet:
    """Return an alphabet, or the one of a name or of letters.

    Raises:
        InputError: it is none of all that.
    """
    if isinstance(value, Alphabet):
        return value
    return Alphabet.named(check_text("an alphabet, its letters or its name,", name, value))


def _read_dialect(name: str, value: object) -> str:
    return get_dialect(check_text("the name of a dialect", name, value)).NAME


def _read_levels(name: str, value: object) -> tuple[float, ...]:
    """Return scores, which may be a text with commas, rising."""
    if isinstance(value, str):
        try:
            value = [float(text) for text in value.split(",")]
        except ValueError:
            raise wrong("scores, with commas between them,", name, value) from None
    given: list[Any] = list(value) if isinstance(value, Iterable) else [value]
    for level in given:
        SCORE.check(level, name)
    return tuple(sorted({float(level) for level in given}))


_SLOTS = texts_reader("a slot such as 17-Across, or an array of them,")
_REGION = text_reader("a region, such as 17-Across, R1C9:R5C15 or NE,")


@dataclass(frozen=True)
class RequestFields(RuleFields):
    """What can be asked.

    Attributes:
        grid: what is to be filled: a file or an empty grid (`5x5`) by name, rows, a text of several lines, a puzzle, a
            grid.
        words: the lists whose union counts, or a lexicon made before. None is the packaged English list, unless there
            is a weighted one.
        weighted: a list whose scores count; words that are in `words` alone score 0.
        objective: what is maximised; by default the minimum score with a weighted list, else nothing.
        theme: lists of words to place as many of as can be, before anything else is maximised (V4); words that no slot
            can hold are left out.
        exclude: words that are not used: lists, or the words themselves.
        levels: with the objective leximin, scores under each of which the fewest words are sought (V5).
        require: words that must stand in the grid (C7), as they were written.
        alphabet: the letters.
        min_slot_length: shorter runs of open cells are no slots; a `Grid` has its own.
        dialect: what a text or file is written in, if it is not to be recognised.
        clear: the region whose letters are cleared and filled anew, as `find_region` takes it: `3-Down,NE`; all other
            letters stay, and those that a puzzle gives its solver.
        keep: the region whose letters stay; those of `clear`, or without it all others, are cleared.
        different_from: a fill of the grid, or several: none of the words that they have in slots that are not given
            whole is used.
        strict: whether words that are given whole or required obey lists and least scores as others do. Else they are
            entries of one's own: such a word joins the lexicon where no list has it, and neither `min_score` nor
            `below` counts for it.
        open: slots by name that need not be words: any letters may stand there.
        personal: a list that has the last word on the scores of its words; 0 bans a word.
        slot: what narrows single slots: `17-Across:min=60,list=mine.txt,pattern=S*`.
        uncensored: whether packaged lists have their offensive words, which they leave out.
    """

    grid: GridLike | None = None
    words: tuple[ListSource, ...] | Lexicon = asked(
        Field(
            help="Word list: a file, - or packaged (en, en-gb, fr). Repeatable.",
            metavar="LIST",
            short="-w",
            option=list,
            decides_lexicon=True,
        ),
        (),
    )
    weighted: ListSource | None = asked(
        Field(
            help="Maximise the least score by this list; words of -w alone then score 0.",
            metavar="LIST",
            decides_lexicon=True,
        )
    )
    objective: Objective | None = asked(
        Field(
            _read_objective,
            "good (the default), any, or maximise min, sum, min-then-sum or leximin.",
            metavar="NAME",
        )
    )
    levels: tuple[float, ...] = asked(
        Field(_read_levels, "For leximin: the fewest words under each of these scores.", metavar="S,S"), ()
    )
    theme: tuple[ListSource, ...] = asked(
        Field(help="Place as many of these words as can be, or of their scores.", metavar="LIST", decides_lexicon=True),
        (),
    )
    exclude: tuple[ListSource, ...] = asked(
        Field(
            help="A word, or a list of words, that is not used. Repeatable.",
            metavar="WORD",
            option=list,
            decides_lexicon=True,
        ),
        (),
    )
    require: tuple[str, ...] = asked(
        Field(
            texts_reader("a word, or an array of them,"),
            "This word stands in the fill (C7). Repeatable.",
            metavar="WORD",
            option=list,
            decides_lexicon=True,
        ),
        (),
    )
    alphabet: Alphabet = asked(
        Field(
            read_alphabet,
            "latin, es, de, sv, fi, da, nb, or the letters themselves.",
            metavar="NAME",
            decides_lexicon=True,
        ),
        default_factory=Alphabet,
    )
    min_slot_length: int = asked_number(SLOT_LENGTH, 2, help="Shorter runs of open cells are no slots.")
    dialect: str | None = asked(
        Field(_read_dialect, f"Read the grid as {', '.join(reversed(DIALECTS))}.", metavar="NAME")
    )
    clear: str | None = asked(
        Field(_REGION, "Fill this anew, keep the rest: 17-Across,R1C9:R5C15,NE (a quadrant).", metavar="REGION")
    )
    keep: str | None = asked(
        Field(_REGION, "Keep the letters here; clear all others, or those of --clear.", metavar="REGION")
    )
    different_from: GridLike | None = asked(
        Field(help="Where not all is given, no word of the fills in this file.", metavar="FILE")
    )
    strict: bool = asked(
        Field(read_flag, "Own entries, too, must be in a list and score enough.", option=bool), default=False
    )
    open: tuple[str, ...] = asked(
        Field(_SLOTS, "This slot (17-Across) need not be a word. Repeatable.", metavar="SLOT", option=list), ()
    )
    personal: ListSource | None = asked(
        Field(
            help="Its scores win, 0 bans a word; none: no such list. By default ~/.config/cpfill/words.txt.",
            metavar="LIST",
            decides_lexicon=True,
        )
    )
    slot: tuple[str, ...] = asked(
        Field(
            _SLOTS,
            "17-Across:min=60,list=mine.txt,pattern=S* narrows it. Repeatable.",
            metavar="SLOT:…",
            option=list,
        ),
        (),
    )
    uncensored: bool = asked(
        Field(read_flag, "Packaged lists have their offensive words too.", option=bool, decides_lexicon=True),
        default=False,
    )
