"""All options of a problem: stated once, checked once, and made into a `Problem` in one place.

The fields have the same names everywhere: keyword arguments of the library, options of the command line, a JSON object
of a batch job, a TOML table of a suite. Each states its reader, its option with the help text, and whether the lexicon
depends on it; those of the rules are in `cpfill.problem.rules`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypedDict

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import SCORE, SLOT_LENGTH, GridError, InputError, LexiconError, expected, unknown_name
from cpfill.base.reading import (
    Field,
    asked,
    asked_fields,
    asked_number,
    check_text,
    check_texts,
    choice_reader,
    read_flag,
    text_reader,
    texts_reader,
    wrong,
)
from cpfill.base.texts import later, say
from cpfill.formats.dialects import DIALECTS, get_dialect
from cpfill.formats.registry import GridLike, check_size, templates_of
from cpfill.problem.problem import Objective, Problem
from cpfill.problem.rules import RuleFields, Rules, admit
from cpfill.problem.value import SCRABBLE, LetterValues
from cpfill.puzzle.grid import Grid, clear_cells, find_region, find_slot, open_slots
from cpfill.words.lexicon import Lexicon
from cpfill.words.sources import Shelf, WordsLike, is_word, list_source, list_sources
from cpfill.words.wordlist import DEFAULT_LIST, DEFAULT_SCORE, THEME_SCORE, ListFile, ListSource, Taste, WordList

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cpfill.formats.registry import Template
    from cpfill.puzzle.grid import CellId, RunStart, Slot


class Asked(TypedDict, total=False):
    """The keyword arguments besides grid and words; their names are those of the fields of a `Request`."""

    weighted: WordsLike | None
    objective: Objective | str | None
    levels: Iterable[float] | str
    theme: WordsLike | None
    exclude: WordsLike | None
    require: Iterable[str]
    repeats: bool
    min_score: float
    no_shared: bool
    no_naticks: bool
    pangram: bool
    letter_counts: Iterable[str]
    max_obscure: int | None
    below: float | None
    spell: Iterable[str]
    tie: Iterable[str]
    either: Iterable[str]
    alphabet: Alphabet | str | None
    min_slot_length: int
    dialect: str | None
    clear: str | None
    keep: str | None
    avoid: GridLike | None
    strict: bool
    own: Iterable[str] | None
    open: Iterable[str]
    personal: WordsLike | None
    slot: Iterable[str]
    taste: Taste | str
    letter_values: WordsLike | None


def read_alphabet(name: str, value: object) -> Alphabet:
    """Return an alphabet, given as such, by its name or by its letters."""
    if isinstance(value, Alphabet):
        return value
    return Alphabet.named(check_text(say("an alphabet, its letters or its name,"), name, value))


def _read_dialect(name: str, value: object) -> str:
    return get_dialect(check_text(say("the name of a dialect"), name, value)).name


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
    return tuple(sorted(set(map(float, given))))


_of_words = partial(Field, decides_lexicon=True, section="Words")
_of_grid = partial(Field, section="Grid")
_SLOTS = texts_reader(later("a slot such as 17-Across, or an array of them,"))
_WORDS = texts_reader(later("a word, or an array of them,"))
_REGION = text_reader(later("a region, such as 17-Across, R1C9:R5C15 or NE,"))


@dataclass(frozen=True)
class Request(RuleFields):
    """All options of a problem: those of the rules, and these.

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
        require: words that must stand in the grid (C7), as the user wrote them.
        alphabet: the letters.
        min_slot_length: runs of fewer open cells are ignored; a `Grid` has its own.
        dialect: the dialect of a text or file; by default it is recognised.
        clear: the region to clear and fill anew, as `find_region` takes it: `3-Down,NE`. All other letters stay, and so
            do letters that a puzzle gives its solver.
        keep: the region whose letters stay; all others are cleared, or with `clear` only those of that region.
        avoid: fills of the grid, whose words in slots that are not completely given are not used, save required ones.
        strict: whether completely given and required words must obey lists and minimum scores like all others. By
            default they are own entries: the lexicon gains those that no list has, and neither `min_score` nor `below`
            counts for them.
        own: which completely given words are own entries; by default all are. All others must be in a list.
        open: the names of slots that need not be words: they take any letters.
        personal: a list whose scores override those of all others; 0 bans a word.
        slot: conditions on single slots: `17-Across:min=60,list=mine.txt,pattern=S*`.
        taste: which words of the packaged lists a puzzle may have.
        letter_values: a list with the value of each letter for the objective letter-values, and of a block as BLOCK.

    Raises:
        InputError: a value has the wrong type, is out of range, or contradicts another value.
    """

    grid: GridLike | None = None
    words: tuple[ListSource, ...] | Lexicon = asked(
        _of_words(None, "Word list: a file, - or packaged (en, en-gb, fr). Repeatable.", "LIST", "-w", list), ()
    )
    weighted: ListSource | None = asked(
        _of_words(help="Maximise the minimum score by this list; words only in -w score 0.", metavar="LIST")
    )
    objective: Objective | None = asked(
        Field(
            choice_reader(later("an objective"), Objective),
            "good (the default), any, or maximise min, sum, min-then-sum, leximin or letter-values.",
            metavar="NAME",
            section="Goal",
        )
    )
    levels: tuple[float, ...] = asked(
        Field(_read_levels, "For leximin: as few words as possible under each score.", "S,S", section="Goal"), ()
    )
    theme: tuple[ListSource, ...] = asked(
        _of_words(help="Place as many of these words, or of their scores, as possible.", metavar="LIST"), ()
    )
    exclude: tuple[ListSource, ...] = asked(
        _of_words(help="Leave out this word, or the words of this list. Repeatable.", metavar="WORD", option=list),
        (),
    )
    require: tuple[str, ...] = asked(
        _of_words(_WORDS, "The fill must contain this word (C7). Repeatable.", "WORD", option=list, section="Rules"), ()
    )
    alphabet: Alphabet = asked(
        _of_words(read_alphabet, "latin, es, de, sv, fi, da, nb, or the letters and digits.", metavar="NAME"),
        default_factory=Alphabet,
    )
    min_slot_length: int = asked_number(SLOT_LENGTH, 2, help="Ignore runs of fewer open cells.", section="Grid")
    dialect: str | None = asked(
        _of_grid(_read_dialect, f"Read the grid as {', '.join(reversed(DIALECTS))}.", metavar="NAME")
    )
    clear: str | None = asked(
        _of_grid(_REGION, "Clear and refill this region: 17-Across,R1C9:R5C15,NE (a quadrant).", metavar="REGION")
    )
    keep: str | None = asked(
        _of_grid(_REGION, "Keep the letters here; clear all others, or only those of --clear.", metavar="REGION")
    )
    avoid: GridLike | None = asked(
        _of_grid(help="In slots that may change, avoid the words of the fills in FILE.", metavar="FILE")
    )
    strict: bool = asked(
        _of_grid(read_flag, "Own entries must also be in a list and score enough.", option=bool), default=False
    )
    own: tuple[str, ...] | None = asked(_of_grid(_WORDS, "Only this given word is an own entry.", "WORD", option=list))
    open: tuple[str, ...] = asked(
        _of_grid(_SLOTS, "This slot (17-Across) takes any letters. Repeatable.", metavar="SLOT", option=list), ()
    )
    personal: ListSource | None = asked(
        _of_words(
            help="Scores here win, 0 bans a word; none reads no list. By default ~/.config/cpfill/words.txt.",
            metavar="LIST",
        )
    )
    slot: tuple[str, ...] = asked(
        _of_grid(
            _SLOTS,
            "Narrow a slot: 17-Across:min=60,list=mine.txt,pattern=S*. Repeatable.",
            metavar="SLOT:…",
            option=list,
        ),
        (),
    )
    taste: Taste = asked(
        _of_words(
            choice_reader(later("a taste"), Taste),
            "breakfast; frank scores delicate words (sex, drugs, crimes) by use; uncensored adds offensive ones.",
            metavar="NAME",
        ),
        Taste.BREAKFAST,
    )
    letter_values: ListSource | None = asked(
        Field(None, "For letter-values: lines Q;10, and BLOCK;1. By default Scrabble's.", "LIST", section="Goal")
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.levels and self.goal is not Objective.LEXIMIN:
            raise expected("levels with the objective leximin", say("with {goal}", goal=self.goal))
        if self.letter_values is not None and self.goal is not Objective.LETTER_VALUES:
            raise expected("letter_values with the objective letter-values", say("with {goal}", goal=self.goal))
        if isinstance(self.words, Lexicon) and self.weighted is not None:
            raise expected("one word list beside a weighted one", say("a lexicon"))
        _ = self.rules  # the words to require
        if self.slot:
            from cpfill.questions.narrowing import check_narrowings

            check_narrowings(self.slot, self.alphabet)
        _ = self.answers
        for source in self.exclude:
            if is_word(source):
                self.alphabet.word(source)

    @property
    def answers(self) -> frozenset[str]:
        """The folded answers of slots that have several (C11)."""
        if not self.either:
            return frozenset()
        from cpfill.problem.either import list_answers

        return list_answers(self.either, self.alphabet)

    @classmethod
    def of(
        cls,
        grid: GridLike | None = None,
        words: WordsLike | Lexicon | None = None,
        **asked: Any,
    ) -> Self:
        """Return the request for a program's values: lists may be anything `WordsLike`, and words may be a lexicon.

        The default alphabet is that of a given `Grid` or `Lexicon`.

        Raises:
            InputError: a value is out of range or contradicts another value.
            TypeError: an argument does not exist, or a list has an unsupported type.
        """
        for name in asked.keys() - Asked.__annotations__.keys():
            raise TypeError(f"unexpected argument: {unknown_name('an argument', name, Asked.__annotations__)}")
        given: dict[str, Any] = dict(asked)
        if given.get("alphabet") is None:
            own = (one.alphabet for one in (grid, words) if isinstance(one, Grid | Lexicon | WordList))
            given["alphabet"] = next(own, Alphabet())
        letters = given["alphabet"] = read_alphabet("alphabet", given["alphabet"])
        for name in _LIST:
            if given.get(name) is not None:
                given[name] = list_source(given[name], letters)
        given["theme"] = list_sources(given.get("theme"), letters, THEME_SCORE)
        given["exclude"] = list_sources(given.get("exclude"), letters)
        lists = words if isinstance(words, Lexicon) else list_sources(words, letters)
        if words is not None and lists == ():
            raise expected("a list with at least one usable word", say("none"), "words", error=LexiconError)
        return cls(grid, lists, **given)

    def updated(self, given: Mapping[str, Any], find: Callable[[str], ListSource] = str) -> Self:
        """Return the request with some fields replaced by values from options, JSON or TOML.

        Takes and raises the same as `read`.
        """
        return replace(self, **self.read(given, find))

    @staticmethod
    def read(given: Mapping[str, Any], find: Callable[[str], ListSource] = str) -> dict[str, Any]:
        """Return the values of some fields, converted from options, JSON or TOML.

        A list is given by its name; `find` turns the name into a source. A field of several values also takes a single
        one.

        Raises:
            InputError: a field does not exist, or a value has the wrong type.
        """
        values: dict[str, Any] = {}
        for name, value in given.items():
            if name not in FIELDS:
                raise InputError(unknown_name(say("a field"), name, FIELDS))
            values[name] = _read_field(name, value, find)
        return values

    @property
    def goal(self) -> Objective:
        """The objective, with its default filled in."""
        usual = Objective.GOOD if self.weighted is None else Objective.MIN
        return self.objective or usual

    @property
    def rules(self) -> Rules:
        """The rules."""
        required = frozenset(map(self.alphabet.word, self.require))
        return Rules(required=required, **{name: getattr(self, name) for name in asked_fields(RuleFields)})

    @property
    def refills(self) -> bool:
        """Whether letters in the grid are cleared and filled again."""
        return self.clear is not None or self.keep is not None

    @property
    def lists(self) -> tuple[ListSource, ...]:
        """All lists that are read, except the packaged list that is the default."""
        words = () if isinstance(self.words, Lexicon) else self.words
        single = [one for one in (self.weighted, self.personal, self.letter_values) if one is not None]
        return (*words, *single, *self.exclude, *self.theme)

    @property
    def plain(self) -> dict[str, Any]:
        """The request as JSON, for `updated` in a different process.

        Raises:
            TypeError: the grid or a list is in memory, and has no name.
        """
        usual = Request()
        plain: dict[str, Any] = {}
        for name in FIELDS:
            value = getattr(self, name)
            if value != getattr(usual, name):
                plain[name] = to_plain(value)
        return plain

    def templates(self) -> list[Template]:
        """Return the templates of the grid; a file may have several.

        Raises:
            InputError: no grid is given, the file does not exist, or it holds no grid or an invalid one.
        """
        return self._read(self.grid, self.alphabet)

    @property
    def locked(self) -> frozenset[CellId]:
        """The cells that the puzzle keeps locked."""
        puzzle = self.templates()[0].puzzle
        return frozenset() if puzzle is None else puzzle.locked

    def _read(self, grid: Any, alphabet: Alphabet) -> list[Template]:
        return templates_of(grid, alphabet=alphabet, min_slot_length=self.min_slot_length, dialect=self.dialect)

    def problem(
        self,
        shelf: Shelf | None = None,
        *,
        lexicon: Lexicon | None = None,
        every: bool = False,
        locked: frozenset[CellId] | None = None,
    ) -> Problem:
        """Return the problem of the only grid; takes and raises the same as `problems`."""
        templates = self.templates()
        if len(templates) > 1:
            name = str(self.grid) if templates[0].name != "grid" else "grid"
            several = say("{templates}; `read_grids` reads them all", templates=len(templates))
            raise expected("one grid", several, name, error=GridError)
        return self.problems([templates[0].grid], shelf or Shelf(), lexicon=lexicon, every=every, locked=locked)[0]

    def problems(
        self,
        grids: Sequence[Grid],
        shelf: Shelf,
        *,
        lexicon: Lexicon | None = None,
        every: bool = False,
        locked: frozenset[CellId] | None = None,
    ) -> list[Problem]:
        """Return the problem of each grid, with one lexicon.

        Args:
            grids: the grids.
            shelf: where lists are read from.
            lexicon: the result of `united`, if the caller has it already.
            every: whether to ignore the objective; theme words are then ordinary words.
            locked: as for `find_own`.

        Raises:
            InputError: a grid or a list cannot be read, or the fields contradict each other.
        """
        theme = {} if every else self.pool(shelf)
        united = self.united(shelf) if lexicon is None else lexicon
        posed = [self._pose(self._shape(grid), united, theme, shelf, every=every, locked=locked) for grid in grids]
        if self.either:
            from cpfill.problem.either import check_request

            check_request(self, grids)
        if self.spell:
            from cpfill.problem.texts import add_texts

            return [add_texts(each, self.spell, lambda name: self._word_list(name, shelf).words) for each in posed]
        return posed

    def united(self, shelf: Shelf) -> Lexicon:
        """Return the lexicon, with the theme words added.

        Raises:
            LexiconError: a list cannot be read, or a theme word or a required word is excluded.
        """
        lexicon = self.lexicon(shelf)
        lexicon.refuse_excluded(self.rules.required | self.answers)
        return lexicon.including(self.pool(shelf))

    def find_own(self, words: Mapping[Slot, str | None], locked: frozenset[CellId] | None = None) -> frozenset[str]:
        """Return the own entries, which `admit` admits: the words that stand whole, required words and several answers.

        Args:
            words: the word that stands whole in each slot, if any.
            locked: the cells of slots whose words are own entries; `None` if all words are.
        """
        if self.strict:
            return frozenset()
        chosen: set[str] = set()
        for slot, word in words.items():
            if word is not None and (locked is None or locked.issuperset(slot.cells)):
                chosen.add(word)
        if self.own is not None:
            chosen.intersection_update(map(self.alphabet.fold, self.own))
        return self.rules.required.union(chosen, self.answers)

    def pool(self, shelf: Shelf) -> dict[str, float]:
        """Return the theme words with their weights, including words that fit no slot.

        Raises:
            LexiconError: a list cannot be read.
        """
        pool: dict[str, float] = {}
        for source in self.theme:
            pool |= self._word_list(source, shelf, THEME_SCORE).weights
        return pool

    def _pose(
        self,
        grid: Grid,
        lexicon: Lexicon,
        theme: Mapping[str, float],
        shelf: Shelf,
        *,
        every: bool,
        locked: frozenset[CellId] | None,
    ) -> Problem:
        """Return the problem of a template: own entries are admitted, words to avoid left out."""
        lexicon = lexicon.widened(grid.alphabet)
        goal = Objective.ANY if every else self.goal
        standing = {slot: grid.given_word(slot) for slot in grid.slots}
        avoided = frozenset(filter(lexicon.find, self._avoided(grid)))
        if avoided:
            lexicon = lexicon.without(avoided)
        lexicon, accepted, exempt, own = admit(lexicon, self.find_own(standing, locked), self, grid)
        placeable = {word: weight for word, weight in theme.items() if grid.can_hold(word)}
        if theme and not placeable:
            raise expected("a theme word that a slot of the grid can hold", say("none in {theme}", theme=len(theme)))
        values = SCRABBLE
        if self.letter_values is not None and not every:
            values = LetterValues.of_list(self._word_list(self.letter_values, shelf).weights, grid.alphabet)
        return Problem(
            grid,
            lexicon,
            self.rules,
            goal,
            {word: weight for word, weight in placeable.items() if word not in avoided},
            () if every else self.levels,
            accepted=accepted,
            exempt=exempt,
            own=own,
            avoided=avoided,
            narrowed=self._narrowed(grid, lexicon, shelf),
            letter_values=values,
        )

    def _narrowed(self, grid: Grid, lexicon: Lexicon, shelf: Shelf) -> dict[RunStart, frozenset[str]]:
        if not self.slot:
            return {}
        from cpfill.questions.narrowing import narrow_slots

        return narrow_slots(self.slot, grid, lexicon, shelf, self.taste)

    def _avoided(self, grid: Grid) -> frozenset[str]:
        """Return the words of `avoid` in slots that are not completely given, except required words."""
        if self.avoid is None:
            return frozenset()
        words: set[str] = set()
        for template in self._read(self.avoid, grid.alphabet):
            check_size(template.grid, grid)
            for slot in grid.slots:
                word = template.grid.given_word(slot)
                if word is not None and grid.given_word(slot) is None:
                    words.add(word)
        return frozenset(words.difference(grid.given_words, self.rules.required))

    def _shape(self, grid: Grid) -> Grid:
        """Return the template of a grid: without the letters to refill, and with some slots opened."""
        shaped = grid
        if self.refills:
            everywhere = frozenset(range(len(grid.cells)))
            cleared = everywhere if self.clear is None else find_region(grid, self.clear)
            if self.keep is not None:
                cleared -= find_region(grid, self.keep)
            shaped = clear_cells(grid, cleared)
        if self.open:
            shaped = open_slots(shaped, [find_slot(grid, name) for name in self.open])
        if self.tie:
            from cpfill.problem.ties import add_ties

            return add_ties(shaped, self.tie, repeats=self.repeats)
        return shaped

    def lexicon(self, shelf: Shelf) -> Lexicon:
        """Return the union of the lists without the excluded words, with the scores of the personal list.

        Raises:
            LexiconError: a list cannot be read.
        """
        if isinstance(self.words, Lexicon):
            excluded = shelf.words(self.exclude, self.alphabet, taste=self.taste)
            lexicon = self.words.without(excluded) if excluded else self.words
        else:
            usual = (DEFAULT_LIST,) if self.weighted is None else ()
            lexicon = shelf.lexicon(self.words or usual, self.weighted, self.exclude, self.alphabet, self.taste)
        if self.personal is None:
            return lexicon
        return lexicon.corrected(self._word_list(self.personal, shelf))

    def _word_list(self, source: ListSource, shelf: Shelf, default_score: float = DEFAULT_SCORE) -> WordList:
        return shelf.word_list(source, self.alphabet, default_score, taste=self.taste)


FIELDS = tuple(each.name for each in fields(Request))
"""The names of the fields."""

SINGLE = tuple(each.name for each in fields(Request) if each.default != ())
"""The names of the fields with a single value."""

_LIST = ("weighted", "personal", "letter_values")


def _read_field(name: str, value: object, find: Callable[[str], ListSource]) -> object:
    """Return the value of a field, converted from options, JSON or TOML."""
    if value is None and name not in {"words", "exclude"}:
        return () if name == "theme" else None
    if name in _LIST:
        return find(check_text(say("a word list"), name, value))
    if name in {"words", "theme"}:
        return tuple(map(find, check_texts(say("a word list, or an array of them,"), name, value)))
    if name == "exclude":
        named = check_texts(say("a word or a word list, or an array of them,"), name, value)
        return tuple(_word_or_list(one, find) for one in named)
    if name in {"grid", "avoid"} and not (isinstance(value, str) and value):
        return check_texts(say("the path of a grid, its size, or an array of its rows,"), name, value)
    return value


def _word_or_list(name: str, find: Callable[[str], ListSource]) -> ListSource:
    """Return the list with this name; without such a list, return the name if it can be a word."""
    try:
        return find(name)
    except LexiconError:
        if is_word(name):
            return name
        raise


def to_plain(value: object) -> object:
    """Return the value of a field as JSON; raise TypeError for a grid or list in memory, which has no name."""
    match value:
        case tuple() | list():
            return [to_plain(each) for each in value]
        case ListFile():
            return value.name
        case Alphabet():
            return value.letters
        case None | str() | int() | float():
            return value
        case _:
            raise TypeError(f"expected a name; got {value!r:.60}")
