"""The rules, numbered once, here as in the MiniZinc models, the script of proofs, `check.py` and the tests.

    C1  every open cell holds one letter of the alphabet; a rebus cell holds its given letters
    C2  every slot spells a word of the lexicon
    C3  no word is used twice (`repeats` lifts this, except for theme words)
    C4  given letters stay; a cell's letter set is respected; tied cells hold the same letter (`cpfill.problem.ties`)
    C5  no two words are alike: they share no mark (`Lexicon.marks`), if `no_shared` says so
    C6  at most `max_obscure` words score under `below`
    C7  each required word stands in some slot
    C8  letters stand in cells as often as `letter_counts` says, and `pangram` (`cpfill.problem.counts`)
    C9  no two names cross at a letter that others leave open, if `no_naticks` says so
    C10 cells spell a text, or hide one (`cpfill.problem.texts`)
    C11 a slot has several answers, and every crossing is a word with each (`cpfill.problem.either`)

Each rule that users can set is an object: its fields with their ranges and options, its wording, and the constraints
(`cpfill.problem.constraints`) to which it is lowered. A new rule is an object here, a name in `RuleFields` and one in
`RULES`. The audit, the models and the script of proofs use none of this: they state each rule independently, because a
rule that is lowered wrongly misleads all engines alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from cpfill.base.errors import SCORE, SLOTS, Range, expected
from cpfill.base.reading import Field, asked, asked_number, check_fields, read_flag, texts_reader
from cpfill.base.texts import later, say
from cpfill.problem.constraints import (
    AllDifferent,
    Apart,
    Budget,
    Constraints,
    Cover,
    Domain,
    ExcludedPairs,
    number_marks,
)
from cpfill.words.lexicon import walk_members
from cpfill.words.wordlist import DEFAULT_SCORE, LEAST, Band, format_decimal

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from cpfill.problem.constraints import Constraint
    from cpfill.puzzle.grid import CellId, Grid
    from cpfill.words.lexicon import Lexicon, WordId, WordTable

Asked = TypeVar("Asked")
"""The fields of a rule, as a dataclass that `Rules` inherits from."""

Tables = Mapping[int, "WordTable"]
"""The table of each kind of slot (`Problem.kinds`)."""


def _say_nothing(_: Any) -> None:
    return None


def _yield_nothing(*_: Any) -> Iterator[Any]:
    return iter(())


def _read_nothing(_: Namespace) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class Rule(Generic[Asked]):
    """A rule.

    Attributes:
        number: the number of the rule, as in `cpfill.problem.rules` and the models.
        lower: yields the constraints to which the rule is lowered, over the table of each kind of slot.
        part: yields the words of two slots that the rule keeps apart.
        lifted: the values of the fields that lift the rule; empty if the rule cannot be lifted as a whole.
        check: raises an `InputError` if fields conflict.
        say: returns the rule in words, for messages that blame it if no fill exists.
        list_arguments: returns the arguments of `fill_to_cnf.py` for the rule.
        read_arguments: returns the fields, given the parsed arguments of `fill_to_cnf.py`.
    """

    number: str
    lower: Callable[[Asked, Tables, Lexicon], Iterator[Constraint]] = _yield_nothing
    lifted: Mapping[str, Any] = field(default_factory=dict)
    read_arguments: Callable[[Namespace], dict[str, Any]] = _read_nothing
    check: Callable[[Asked], None] = _say_nothing
    say: Callable[[Asked], str | None] = _say_nothing
    list_arguments: Callable[[Asked], Iterable[str]] = _yield_nothing
    part: Callable[[Asked, Grid, Lexicon], Iterator[Apart]] = _yield_nothing


def write_score(score: float) -> str:
    """Return a score with the fewest digits that identify it, as `fill_to_cnf.py` reads it."""
    return repr(score).removesuffix(".0")


@dataclass(frozen=True, kw_only=True)
class MinScore:
    """Attributes: min_score: the least score of a word."""

    min_score: float = asked_number(SCORE, 0.0, metavar="S", help="Leave out words that score less.")


def _drop_low_scores(asked: MinScore, tables: Tables, _: Lexicon) -> Iterator[Domain]:
    if asked.min_score > 0:
        yield Domain({table.length: table.at_least(asked.min_score) for table in tables.values()})


MIN_SCORE = Rule[MinScore](
    "C2",
    _drop_low_scores,
    lifted={"min_score": 0.0},
    list_arguments=lambda asked: ["--min-score", write_score(asked.min_score)] if asked.min_score else [],
    read_arguments=lambda given: {"min_score": float(given.min_score)},
)


@dataclass(frozen=True, kw_only=True)
class Repeats:
    """Attributes: repeats: whether a word may be used more than once."""

    repeats: bool = asked(Field(read_flag, "Allow a word more than once (lifts rule C3).", option=bool), default=False)


def _forbid_repeats(asked: Repeats, tables: Tables, _: Lexicon) -> Iterator[AllDifferent]:
    if not asked.repeats:
        yield AllDifferent({table.length: table.everything for table in tables.values()})


REPEATS = Rule[Repeats](
    "C3",
    _forbid_repeats,
    lifted={"repeats": True},
    say=lambda _: say("no word may be used twice"),
    list_arguments=lambda asked: ["--repeats"] * asked.repeats,
    read_arguments=lambda given: {"repeats": given.repeats},
)


@dataclass(frozen=True, kw_only=True)
class AlikeWords:
    """Attributes: no_shared: whether no two words may be alike."""

    no_shared: bool = asked(
        Field(
            read_flag,
            "No two words are alike: of one stem, with a word in common, or reversed (C5).",
            option=bool,
        ),
        default=False,
    )


def _exclude_alike_pairs(asked: AlikeWords, tables: Tables, lexicon: Lexicon) -> Iterator[ExcludedPairs]:
    if asked.no_shared:
        yield ExcludedPairs(number_marks({table.length: table for table in tables.values()}, lexicon))


ALIKE_WORDS = Rule[AlikeWords](
    "C5",
    _exclude_alike_pairs,
    lifted={"no_shared": False},
    say=lambda _: say("no two words may be alike"),
    list_arguments=lambda asked: ["--no-shared"] * asked.no_shared,
    read_arguments=lambda given: {"no_shared": given.no_shared},
)


OBSCURE = Range(0, SLOTS.high)
"""The number of obscure words that a fill may have."""


@dataclass(frozen=True, kw_only=True)
class ObscureWords:
    """Attributes: max_obscure: how many words may score under `below`; `None`, as for `below`, lifts the rule."""

    max_obscure: int | None = asked_number(OBSCURE, metavar="K", help="At most K words score under --below (C6).")
    below: float | None = asked_number(SCORE, metavar="S", help="--max-obscure counts words that score under S.")


def _check(asked: ObscureWords) -> None:
    if asked.max_obscure is None and asked.below is not None:
        raise expected("max_obscure and below together", say("below without max_obscure"))
    if asked.max_obscure is not None and asked.below is None:
        raise expected("max_obscure and below together", say("max_obscure without below"))


def _limit_obscure_words(asked: ObscureWords, tables: Tables, _: Lexicon) -> Iterator[Budget]:
    if asked.max_obscure is not None and asked.below is not None:
        obscure = {kind: table.everything & ~table.at_least(asked.below) for kind, table in tables.items()}
        yield Budget.count(obscure, asked.max_obscure)


def _say_obscure_words(asked: ObscureWords) -> str:
    below = format_decimal(asked.below or 0.0)
    if asked.max_obscure:
        return say("at most {most} words may score under {below}", most=asked.max_obscure, below=below)
    return say("no word may score under {below}", below=below)


def _list_obscure_word_arguments(asked: ObscureWords) -> Iterable[str]:
    if asked.max_obscure is not None and asked.below is not None:
        yield from ("--at-most", str(asked.max_obscure), "--under", write_score(asked.below))


def _read_arguments(given: Namespace) -> dict[str, Any]:
    if len(given.under) > 1:
        raise expected("one --at-most among the rules", f"{len(given.under)}")
    below = next(map(float, given.under), None)
    return {"max_obscure": next(iter(given.at_most), None), "below": below}


OBSCURE_WORDS = Rule[ObscureWords](
    "C6",
    _limit_obscure_words,
    lifted={"max_obscure": None, "below": None},
    check=_check,
    say=_say_obscure_words,
    list_arguments=_list_obscure_word_arguments,
    read_arguments=_read_arguments,
)


@dataclass(frozen=True, kw_only=True)
class RequiredWords:
    """Attributes: required: the folded words that the grid must contain; a request has them as the user wrote them."""

    required: frozenset[str] = frozenset()


def _cover_required_words(asked: RequiredWords, tables: Tables, _: Lexicon) -> Iterator[Cover]:
    for word in sorted(asked.required):
        yield Cover({kind: 1 << table.ids[word] for kind, table in tables.items() if table.length == len(word)})


REQUIRED_WORDS = Rule[RequiredWords](
    "C7",
    _cover_required_words,
    lifted={},
    list_arguments=lambda asked: ["--required", *sorted(asked.required)] if asked.required else [],
    read_arguments=lambda given: {"required": frozenset(given.required)},
)


@dataclass(frozen=True, kw_only=True)
class CountedLetters:
    """Attributes: pangram: whether each letter stands somewhere; letter_counts: limits, as the user wrote them."""

    pangram: bool = asked(
        Field(read_flag, "Each letter of the alphabet stands in the grid (C8).", option=bool), default=False
    )
    letter_counts: tuple[str, ...] = asked(
        Field(
            texts_reader(later("limits such as E<=5,Q>=1, or an array of them,")),
            "E<=5,Q>=1,JX=0, or circled:*>=1: how often letters stand there (C8). Repeatable.",
            metavar="LIMITS",
            option=list,
        ),
        (),
    )


def _say_letter_counts(asked: CountedLetters) -> str:
    texts = list(asked.letter_counts)
    if asked.pangram:
        texts.append("*>=1")
    return say("letters are limited: {limits}", limits="; ".join(texts))


LETTER_COUNTS = Rule[CountedLetters](
    "C8",  # `Problem.counts` has them, and their arguments
    lifted={"pangram": False, "letter_counts": ()},
    read_arguments=lambda given: {"letter_counts": tuple(given.letter_counts)},
    say=_say_letter_counts,
)


@dataclass(frozen=True, kw_only=True)
class Naticks:
    """Attributes: no_naticks: whether no two names may cross at a letter that cannot be inferred."""

    no_naticks: bool = asked(
        Field(read_flag, "No two names cross at a letter that others leave open, a natick (C9).", option=bool),
        default=False,
    )


def _part_names(asked: Naticks, grid: Grid, lexicon: Lexicon) -> Iterator[Apart]:
    """Yield, for each crossing and each letter, the names on both sides of which the letter makes other entries."""
    if not asked.no_naticks:
        return
    slots = grid.slots
    for crossing in grid.crossings:
        open_across = _find_open_names(lexicon, slots[crossing.across].length)[crossing.across_pos]
        open_down = _find_open_names(lexicon, slots[crossing.down].length)[crossing.down_pos]
        for ones, others in zip(open_across, open_down, strict=True):
            if ones and others:
                yield Apart(crossing.across, ones, crossing.down, others)


_OPEN_NAMES: WeakKeyDictionary[WordTable, list[list[int]]] = WeakKeyDictionary()
"""The names of tables that letters leave open, which take a tenth of a second for a long list."""


def _find_open_names(lexicon: Lexicon, length: int) -> list[list[int]]:
    """Return, for each position and each letter, the bitset of the names that become other fair entries by the letter.

    One may take such a name for a different entry where only its other letters are known.
    """
    table = lexicon.table(length)
    if table not in _OPEN_NAMES:
        known = lexicon.names(length)
        names = [id_ for id_, word in enumerate(table.words) if word in known]
        _OPEN_NAMES[table] = [_leave_open(lexicon, table, names, pos) for pos in range(length)]
    return _OPEN_NAMES[table]


def _leave_open(lexicon: Lexicon, table: WordTable, names: Sequence[WordId], pos: int) -> list[int]:
    """Return, for each letter, the bitset of the names that become other fair entries by this letter at a position."""
    column = table.codes[pos :: table.length]
    blanked = bytearray(table.codes)
    blanked[pos :: table.length] = bytes(len(table))
    codes = bytes(blanked)
    rests = [codes[start : start + table.length] for start in range(0, len(codes), table.length)]
    fitting: dict[bytes, int] = defaultdict(int)  # the letters that make fair entries of the others
    fair = table.at_least(LEAST[Band.FAIR]).bit_length()
    for rest, code in zip(rests[:fair], column, strict=False):
        fitting[rest] |= 1 << code
    digits = [bytearray(b"0") * (1 + len(table)) for _ in lexicon.alphabet.letters]  # the last word first
    for name in names:
        for code in _list_codes(fitting.get(rests[name], 0) & ~(1 << column[name])):
            digits[code][-1 - name] = 49
    return list(map(partial(int, base=2), digits))


_list_codes = lru_cache(1 << 16)(lambda letters: tuple(walk_members(letters)))


def _read_naticks(given: Namespace) -> dict[str, Any]:
    if given.no_naticks not in {None, LEAST[Band.FAIR]}:
        raise expected("--no-naticks {least}", str(given.no_naticks), least=write_score(LEAST[Band.FAIR]))
    return {"no_naticks": given.no_naticks is not None}


NATICKS = Rule[Naticks](
    "C9",
    lifted={"no_naticks": False},
    say=lambda _: say("no two names may cross at a letter that others leave open"),
    part=_part_names,
    list_arguments=lambda asked: ["--no-naticks", write_score(LEAST[Band.FAIR])] if asked.no_naticks else [],
    read_arguments=_read_naticks,
)


@dataclass(frozen=True, kw_only=True)
class Spelling:
    """Attributes: spell: what cells spell or hide, as the user wrote it; a problem has it as `Problem.texts`."""

    spell: tuple[str, ...] = asked(
        Field(
            texts_reader(later("a text such as circled=PASSPORT, or an array of them,")),
            "circled=PARIS,ROME: cells spell a text, or 17-Across hides OMAN,PERU (C10). Repeatable.",
            metavar="TEXT",
            option=list,
        ),
        (),
    )


class Text(NamedTuple):
    """A text that cells spell or hide (`cpfill.problem.texts`).

    Attributes:
        runs: one sequence of cells that spells one of the words, or several in which words are hidden.
        words: the folded words.
        hidden: whether words are hidden.
        settled: whether the problem is a case, whose givens and narrowed slots imply the text.
    """

    runs: tuple[tuple[CellId, ...], ...]
    words: tuple[str, ...]
    hidden: bool
    settled: bool = False

    @property
    def differ(self) -> bool:
        """Whether each run hides a different word."""
        return len(self.runs) > 1 and len(self.words) > 1


SPELLING = Rule[Spelling]("C10")  # `Problem.texts` has them


@dataclass(frozen=True, kw_only=True)
class Tying:
    """Attributes: tie: cells that hold the same letter, as the user wrote them; a problem has them as `Grid.ties`."""

    tie: tuple[str, ...] = asked(
        Field(
            texts_reader(later("a tie such as R1C2=R2C1, or an array of them,")),
            "R1C2=R2C1, 1-Across=5-Across reversed, diagonal: these cells hold the same letters (C4). Repeatable.",
            metavar="TIE",
            option=list,
        ),
        (),
    )


TYING = Rule[Tying]("C4")


@dataclass(frozen=True, kw_only=True)
class SeveralAnswers:
    """Attributes: either: the answers of a slot, as the user wrote them, for each slot that has several."""

    either: tuple[str, ...] = asked(
        Field(
            texts_reader(later("the answers of a slot, such as CLINTON/BOBDOLE, or an array of them,")),
            "CLINTON/BOBDOLE: some slot has both answers, each crossing a word with either (C11). Repeatable.",
            metavar="A/B",
            option=list,
        ),
        (),
    )


SEVERAL_ANSWERS = Rule[SeveralAnswers]("C11")  # cases have them


RULES: tuple[Rule[Any], ...] = (
    MIN_SCORE,
    REPEATS,
    ALIKE_WORDS,
    OBSCURE_WORDS,
    REQUIRED_WORDS,
    LETTER_COUNTS,
    NATICKS,
    SPELLING,
    TYING,
    SEVERAL_ANSWERS,
)


@dataclass(frozen=True, kw_only=True)
class RuleFields(SeveralAnswers, Tying, Spelling, Naticks, CountedLetters, ObscureWords, AlikeWords, MinScore, Repeats):
    """The fields that requests and `Rules` share; each rule documents its own."""

    def __post_init__(self) -> None:
        check_fields(self)
        for rule in RULES:
            rule.check(self)


@dataclass(frozen=True, kw_only=True)
class Rules(RuleFields, RequiredWords):
    """The rules that are set."""

    @classmethod
    def of_arguments(cls, given: Namespace) -> Rules:
        """Return the rules in the arguments of `fill_to_cnf.py`.

        Raises:
            InputError: no search can have these rules.
        """
        read: dict[str, Any] = {}
        for rule in RULES:
            read |= rule.read_arguments(given)
        return cls(**read)

    @property
    def arguments(self) -> list[str]:
        """The arguments of `fill_to_cnf.py` for the rules."""
        arguments: list[str] = []
        for rule in RULES:
            arguments += rule.list_arguments(self)
        return arguments

    @property
    def each_lifted(self) -> dict[str, Rules]:
        """Maps the number of each rule that is set to the rules without it (C2: without the minimum score)."""
        without: dict[str, Rules] = {rule.number: replace(self, **rule.lifted) for rule in RULES if rule.lifted}
        return {number: rules for number, rules in without.items() if rules != self}

    def say(self, numbers: frozenset[str]) -> list[str]:
        """Return the wording of the rules with these numbers."""
        said = [rule.say(self) for rule in RULES if rule.number in numbers]
        return [each for each in said if each is not None]

    def lower(self, tables: Tables, lexicon: Lexicon, grid: Grid, besides: Iterable[Constraint] = ()) -> Constraints:
        """Return the constraints to which the rules are lowered, and others, over the table of each kind of slot."""
        constraints = list(besides)
        for rule in RULES:
            constraints += rule.lower(self, tables, lexicon)
            constraints += rule.part(self, grid, lexicon)
        return Constraints.unite(constraints, tables.values())


class Admission(NamedTuple):
    """A lexicon with all own entries, and the entries for which it differs from the lists.

    Attributes:
        lexicon: the lists and own entries, each with the score by which a fill is judged.
        accepted: own entries that no list has, in alphabetical order.
        exempt: own entries that score too low, in alphabetical order, each with the score of its list.
        own: all own entries, in alphabetical order, each with its own score.
    """

    lexicon: Lexicon
    accepted: tuple[str, ...]
    exempt: Mapping[str, float]
    own: Mapping[str, float]


def admit(lexicon: Lexicon, own: Collection[str], rules: RuleFields, grid: Grid | None = None) -> Admission:
    """Admit folded words as own entries. Every judgement of own entries uses this rule.

    Own entries are the words of slots that are given whole, required words and seed words. An own entry may be in no
    list and may have any score: no least score counts for it. Excluded and banned words stay out.

    Its own score is the score of its list, or `DEFAULT_SCORE` if no list has it, but then at least the least score that
    the rules ask for. An own entry adds its own score to a sum, and is shown with it.

    A fill is judged by its other words. An own entry is never the worst word of a fill: in the lexicon it has the best
    score of all words that are as long as a slot of `grid`. Where own entries take all slots (`takes_all_slots`), they
    are judged themselves, by their own scores, and those that score too low as if they had the least score. Without a
    grid they are too.
    """
    if not own:
        return Admission(lexicon, (), {}, {})
    least = max(rules.min_score, rules.below or 0.0)
    accepted = lexicon.unlisted(own)
    judged = least
    if grid is not None and not takes_all_slots(grid, own):
        judged = max(least, _find_best_score(lexicon, grid))
    lexicon = lexicon.including(accepted, max(DEFAULT_SCORE, least))
    scores = {}
    for word in sorted(own):
        entry = lexicon.find(word)
        if entry is not None:
            scores[word] = entry[0]
    raised = [word for word, score in scores.items() if score < judged]
    exempt = {word: score for word, score in scores.items() if score < least}
    return Admission(lexicon.lifting(raised, judged), accepted, exempt, scores)


def _find_best_score(lexicon: Lexicon, grid: Grid) -> float:
    """Return the best score of the words that are as long as a slot; 0 if there are no such words."""
    best = 0.0
    for length in {slot.length for slot in grid.slots}:
        scores = lexicon.table(length).scores
        if scores:
            best = max(best, scores[0])
    return best


def takes_all_slots(grid: Grid, own: Collection[str]) -> bool:
    """Return whether own entries take all slots of a grid: those that do not stand there need all slots that are left.

    It does not look at fills that repeat own entries in slots that are left.
    """
    standing = [grid.given_word(slot) for slot in grid.slots]
    left = sum(word is None or word not in own for word in standing)
    return left <= len(set(own).difference(standing))
