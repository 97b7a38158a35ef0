"""The one table of the fields of a request.

Each field defines its reader, its option with the help text, and whether the lexicon depends on it. The command line,
JSON, TOML, the page and the library all take their fields from here; the rules come from `cpfill.problem.rules`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import SCORE, SLOT_LENGTH
from cpfill.base.reading import (
    Field,
    asked,
    asked_number,
    check_text,
    choice_reader,
    read_flag,
    text_reader,
    texts_reader,
    wrong,
)
from cpfill.base.texts import later, say
from cpfill.formats.dialects import DIALECTS, get_dialect
from cpfill.problem.problem import Objective
from cpfill.problem.rules import RuleFields

if TYPE_CHECKING:
    from cpfill.formats.templates import GridLike
    from cpfill.words.lexicon import Lexicon
    from cpfill.words.wordlist import ListSource


def read_alphabet(name: str, value: object) -> Alphabet:
    """Return an alphabet, given as such, by its name or by its letters.

    Raises:
        InputError: the value is no alphabet.
    """
    if isinstance(value, Alphabet):
        return value
    return Alphabet.named(check_text(say("an alphabet, its letters or its name,"), name, value))


def _read_dialect(name: str, value: object) -> str:
    return get_dialect(check_text(say("the name of a dialect"), name, value)).NAME


def _read_levels(name: str, value: object) -> tuple[float, ...]:
    """Return scores in rising order; a text has commas between them."""
    if isinstance(value, str):
        try:
            value = [float(text) for text in value.split(",")]
        except ValueError:
            raise wrong(say("scores, with commas between them,"), name, value) from None
    given: list[Any] = list(value) if isinstance(value, Iterable) else [value]
    for level in given:
        SCORE.check(level, name)
    return tuple(sorted({float(level) for level in given}))


_SLOTS = texts_reader(later("a slot such as 17-Across, or an array of them,"))
_REGION = text_reader(later("a region, such as 17-Across, R1C9:R5C15 or NE,"))


@dataclass(frozen=True)
class RequestFields(RuleFields):
    """The fields of a request, besides those of the rules.

    Attributes:
        grid: the grid to fill: the name of a file or of an empty grid (`5x5`), rows, a text of several lines, a puzzle
            or a `Grid`.
        words: the lists to unite, or a lexicon. If empty, the packaged English list is used, unless a weighted list is
            given.
        weighted: a list whose scores count; words only in `words` score 0.
        objective: what to maximise; by default the minimum score with a weighted list, else nothing.
        theme: lists of which the fill places as many words as possible, before anything else is maximised (V4); words
            that fit no slot are left out.
        exclude: words that may not be used: lists, or the words themselves.
        levels: with the objective leximin, scores; as few words as possible score under each (V5).
        require: words that must stand in the grid (C7), as they were written.
        alphabet: the letters.
        min_slot_length: runs of fewer open cells are ignored; a `Grid` has its own.
        dialect: the dialect of a text or file; by default it is recognised.
        clear: the region to clear and fill anew, as `find_region` takes it: `3-Down,NE`. All other letters stay, and so
            do letters that a puzzle gives its solver.
        keep: the region whose letters stay; all others are cleared, or with `clear` only those of that region.
        different_from: one or more fills of the grid; their words in slots that are not completely given are not used,
            except required words.
        strict: whether completely given and required words must obey lists and minimum scores like all others. By
            default they are own entries: the lexicon gains those that no list has, and neither `min_score` nor `below`
            counts for them.
        open: the names of slots that need not be words: they take any letters.
        personal: a list whose scores override those of all others; 0 bans a word.
        slot: conditions on single slots: `17-Across:min=60,list=mine.txt,pattern=S*`.
        uncensored: whether to use the offensive words that packaged lists leave out by default.
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
            help="Maximise the minimum score by this list; words only in -w score 0.",
            metavar="LIST",
            decides_lexicon=True,
        )
    )
    objective: Objective | None = asked(
        Field(
            choice_reader(later("an objective"), Objective),
            "good (the default), any, or maximise min, sum, min-then-sum or leximin.",
            metavar="NAME",
        )
    )
    levels: tuple[float, ...] = asked(
        Field(_read_levels, "For leximin: as few words as possible under each score.", metavar="S,S"), ()
    )
    theme: tuple[ListSource, ...] = asked(
        Field(
            help="Place as many of these words, or of their scores, as possible.", metavar="LIST", decides_lexicon=True
        ),
        (),
    )
    exclude: tuple[ListSource, ...] = asked(
        Field(
            help="Leave out this word, or the words of this list. Repeatable.",
            metavar="WORD",
            option=list,
            decides_lexicon=True,
        ),
        (),
    )
    require: tuple[str, ...] = asked(
        Field(
            texts_reader("a word, or an array of them,"),
            "The fill must contain this word (C7). Repeatable.",
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
    min_slot_length: int = asked_number(SLOT_LENGTH, 2, help="Ignore runs of fewer open cells.")
    dialect: str | None = asked(
        Field(_read_dialect, f"Read the grid as {', '.join(reversed(DIALECTS))}.", metavar="NAME")
    )
    clear: str | None = asked(
        Field(_REGION, "Clear and refill this region: 17-Across,R1C9:R5C15,NE (a quadrant).", metavar="REGION")
    )
    keep: str | None = asked(
        Field(_REGION, "Keep the letters here; clear all others, or only those of --clear.", metavar="REGION")
    )
    different_from: GridLike | None = asked(
        Field(help="In slots that may change, avoid the words of the fills in FILE.", metavar="FILE")
    )
    strict: bool = asked(
        Field(read_flag, "Own entries, too, must be in a list and score enough.", option=bool), default=False
    )
    open: tuple[str, ...] = asked(
        Field(_SLOTS, "This slot (17-Across) takes any letters. Repeatable.", metavar="SLOT", option=list), ()
    )
    personal: ListSource | None = asked(
        Field(
            help="Scores here win, 0 bans a word; none reads no list. By default ~/.config/cpfill/words.txt.",
            metavar="LIST",
            decides_lexicon=True,
        )
    )
    slot: tuple[str, ...] = asked(
        Field(
            _SLOTS,
            "Narrow a slot: 17-Across:min=60,list=mine.txt,pattern=S*. Repeatable.",
            metavar="SLOT:…",
            option=list,
        ),
        (),
    )
    uncensored: bool = asked(
        Field(read_flag, "Use the offensive words that packaged lists leave out.", option=bool, decides_lexicon=True),
        default=False,
    )
