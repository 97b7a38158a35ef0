"""A problem (grid, lexicon, rules, objective), validated before an engine receives it.

The rules have numbers (`cpfill.problem.rules`), and so do the values that are maximised:

    V1  the value of a fill is the minimum of its word scores, own entries apart; maximise it
    V2  the value is the sum of its word scores; maximise it
    V3  V1 first, then V2 among the fills that reach it
    V4  the value is the sum of the weights of the theme words in it; maximise it before anything else
    V5  the value is the sorted scores, worst first; maximise it in lexicographic order. With `levels`, it is minus the
        number of words that score under each level, the lowest level first
    V6  the value is the sum of the values of its letters, each cell once, and of its blocks; maximise it

A cell in no slot that is not given gets the first letter of its letter set: fills never differ in such cells alone.

A value has one number per criterion, and is compared in their order. The gain of a word is the whole number that it
adds to a criterion that adds up.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import compress, pairwise
from typing import TYPE_CHECKING

from cpfill.base.errors import SCORE, Fault, InputError, UnsupportedError, expected
from cpfill.base.texts import say
from cpfill.problem.constraints import find_agreeing, find_kinds, weigh_places
from cpfill.problem.rules import Rules
from cpfill.problem.value import (
    SCRABBLE,
    Criterion,
    Gains,
    LetterValues,
    Value,
    count_units,
    find_letter_gains,
    format_value,
)
from cpfill.puzzle.grid import Pictured
from cpfill.words.spelling import LONG, EntryKind
from cpfill.words.wordlist import LEAST, Band, count_decimals

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cpfill.problem.constraints import Apart, Constraint, Constraints
    from cpfill.problem.counts import LetterCount
    from cpfill.problem.rules import Text
    from cpfill.puzzle.drawing import Diagram
    from cpfill.puzzle.grid import CellId, Crossing, Grid, Place, RunStart, Slot, SlotId
    from cpfill.words.lexicon import Lexicon, WordId, WordTable


class Objective(StrEnum):
    """The requirements on a fill beyond the rules."""

    GOOD = "good"
    """A fill whose weakest words are as good as a short search can make them, in the order of V5; each fill that it
    reports is better than the one before. Not a criterion: it proves nothing."""
    ANY = "any"
    """The first fill found."""
    MIN = "min"
    """V1: the greatest minimum word score."""
    SUM = "sum"
    """V2: the greatest sum of word scores."""
    MIN_THEN_SUM = "min-then-sum"
    """V3: the greatest minimum, then the greatest sum."""
    LEXIMIN = "leximin"
    """V5: the greatest minimum, then the greatest second worst score, and so on."""
    LETTER_VALUES = "letter-values"
    """V6: the greatest sum of letter values."""

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """The criteria that are maximised, the first before the second."""
        return _CRITERIA[self]


_CRITERIA = {
    Objective.GOOD: (),
    Objective.ANY: (),
    Objective.MIN: (Criterion.MIN,),
    Objective.SUM: (Criterion.SUM,),
    Objective.MIN_THEN_SUM: (Criterion.MIN, Criterion.SUM),
    Objective.LEXIMIN: (Criterion.LEXIMIN,),
    Objective.LETTER_VALUES: (Criterion.LETTERS,),
}


@dataclass(frozen=True)
class Problem(Pictured):
    """The input of an engine.

    Attributes:
        grid: the grid to fill.
        lexicon: the words.
        rules: the rules.
        objective: the criteria to maximise.
        theme: maps each folded theme word to its weight (V4); a theme word is placed at most once.
        levels: the levels of V5 in ascending order; empty if the scores themselves count.
        accepted: the words that are in the lexicon only because they are completely given in the grid.
        exempt: maps each own entry that its list scores too low to that score.
        own: maps each own entry to its own score; in the lexicon it has the one that it is judged by
            (`cpfill.problem.rules.admit`).
        avoided: the words that no slot may hold because fills are to differ from given ones.
        narrowed: maps a slot, identified by its direction and first cell, to the words that it may hold; a slot that
            is not a key may hold every word.
        texts: the texts that cells spell (C10); `Request` settles them if they come to one case.
        letter_values: the values of V6.
        parted: words of two slots that do not stand together, beside those of the rules.
        alternatives: of a case in which slots have several answers (C11), the letters of cells in the other readings.
        freed: the cells of slots that a relaxation drops, which may hold any letters; none are counted there (C8).

    Raises:
        InputError: the grid has no slot, grid and lexicon have different alphabets, a theme word or a required word
            fits no slot or is not in the lexicon, scores cannot be summed exactly, levels do not ascend, the
            objective takes no levels, or names may not cross (C9) and no list tells names from words.
    """

    grid: Grid
    lexicon: Lexicon
    rules: Rules = Rules()
    objective: Objective = Objective.ANY
    theme: Mapping[str, float] = field(default_factory=dict, hash=False)
    levels: tuple[float, ...] = ()
    accepted: tuple[str, ...] = field(default=(), kw_only=True)
    exempt: Mapping[str, float] = field(default_factory=dict, hash=False, kw_only=True)
    own: Mapping[str, float] = field(default_factory=dict, hash=False, kw_only=True)
    avoided: frozenset[str] = field(default=frozenset(), kw_only=True)
    narrowed: Mapping[RunStart, frozenset[str]] = field(default_factory=dict, hash=False, kw_only=True)
    texts: tuple[Text, ...] = field(default=(), kw_only=True)
    letter_values: LetterValues = field(default=SCRABBLE, hash=False, kw_only=True)
    parted: tuple[Apart, ...] = field(default=(), kw_only=True)
    alternatives: Mapping[CellId, tuple[str, ...]] = field(default_factory=dict, hash=False, kw_only=True)
    freed: frozenset[CellId] = field(default=frozenset(), kw_only=True)

    def __post_init__(self) -> None:
        if not self.grid.slots:
            raise expected(
                "a grid with a slot of {min_slot_length} cells", say("none"), min_slot_length=self.grid.min_slot_length
            )
        if self.grid.alphabet != self.lexicon.alphabet:
            raise expected(
                "a lexicon over the grid's alphabet {letters}",
                self.lexicon.alphabet.letters,
                letters=self.grid.alphabet.letters,
            )
        for word, weight in self.theme.items():
            SCORE.check(weight, say("the theme word {word}", word=word))
        self._check_words(say("theme word"), self.theme)
        self._check_words(say("required word"), self.rules.required)
        self._check_levels()
        _ = self.counts
        if self.rules.no_naticks and not self.lexicon.tells_kinds:
            raise expected("a list whose capitals tell names from words, for no_naticks", say("none"))
        for criterion in self.criteria:
            if criterion.adds_up:
                self.gains(criterion)

    def _check_levels(self) -> None:
        for level in self.levels:
            SCORE.check(level, "levels")
        if any(lower >= level for lower, level in pairwise(self.levels)):
            raise expected("levels in ascending order", format_value(self.levels))
        if self.levels and self.objective is not Objective.LEXIMIN:
            raise expected("levels with the objective leximin", say("with {objective}", objective=self.objective))

    def _check_words(self, kind: str, words: Iterable[str]) -> None:
        lengths = {slot.length for slot in self.slots}
        for word in sorted(words):
            if len(word) not in lengths:
                has = ", ".join(map(str, sorted(lengths)))
                got = say("{word}, of {word2}", word=word, word2=len(word))
                raise expected("a {kind} as long as a slot of the grid ({has})", got, kind=kind, has=has)
            if self.lexicon.find(word) is None:
                raise expected("a {kind} of the lexicon", word, kind=kind)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The grid's slots."""
        return self.grid.slots

    def word_id(self, word: str) -> WordId:
        """Return the id of a word of the lexicon."""
        return self.lexicon.table(len(word)).ids[word]

    def find_score(self, word: str) -> float | None:
        """Return the own score of an own entry, and the score of any other word of the lexicon."""
        entry = self.lexicon.find(word)
        if entry is None:
            return None
        return self.own.get(word, entry[0])

    def diagram(self) -> Diagram:
        """Return the diagram of the grid."""
        return self.grid.diagram()

    @cached_property
    def tables(self) -> tuple[WordTable, ...]:
        """For each slot, the table its word ids refer to."""
        return tuple(self.lexicon.table(slot.length) for slot in self.slots)

    @cached_property
    def kinds(self) -> tuple[int, ...]:
        """For each slot, its kind: slots of one kind have the same length, and their words count alike.

        The kind is the length, unless a rule or a criterion counts letters: each place of the grid counts once.
        """
        return find_kinds(self.slots, self._counted, Criterion.LETTERS in self.criteria)

    @cached_property
    def kind_tables(self) -> Mapping[int, WordTable]:
        """The table of each kind of slot, shortest words first."""
        return dict(sorted(zip(self.kinds, self.tables, strict=True), key=lambda pair: (pair[1].length, pair[0])))

    @cached_property
    def _counted(self) -> list[Mapping[Place, int]]:
        """The weights of places, for everything that counts letters."""
        counted: list[Mapping[Place, int]] = []
        if Criterion.LETTERS in self.criteria:
            counted.append(weigh_places(self.grid))
        if self.counts:
            from cpfill.problem.counts import list_scopes

            counted += [weigh_places(self.grid, places) for places in list_scopes(self.counts, self.grid)]
        return counted

    @cached_property
    def counts(self) -> tuple[LetterCount, ...]:
        """How often letters may stand in some cells (C8)."""
        if not self.rules.pangram and not self.rules.letter_counts:
            return ()
        from cpfill.problem.counts import read_counts, relax_counts

        counts = read_counts(self.rules, self.grid)
        return tuple(relax_counts(counts, self.grid, self.freed))

    @cached_property
    def peers(self) -> tuple[tuple[SlotId, ...], ...]:
        """For each slot, the slots that may not hold its word (C3): the others of its length.

        With `repeats`, this applies only to theme words (`singles`); without a theme, slots then have no peers.
        """
        by_length: dict[int, list[SlotId]] = defaultdict(list)
        if any(self.singles.values()):
            for slot in self.slots:
                by_length[slot.length].append(slot.id)
        peers = []
        for slot in self.slots:
            others = by_length[slot.length]
            peers.append(tuple(other for other in others if other != slot.id))
        return tuple(peers)

    @property
    def undecided(self) -> bool:
        """Whether it has several cases, or none, of which an engine searches each (`cpfill.engines.cases`)."""
        return bool(self.rules.either) or not all(text.settled for text in self.texts)

    @property
    def constraints(self) -> Constraints:
        """The constraints to which the rules are lowered, for engines.

        Raises:
            UnsupportedError: the problem has several cases.
        """
        self.require_case()
        return self.lowered

    def require_case(self) -> None:
        """Check that the problem is a single case.

        Raises:
            UnsupportedError: it has several, or none.
        """
        if self.undecided:
            raise UnsupportedError(say("only solve, count, compare and check take texts of several cases, or --either"))

    @cached_property
    def lowered(self) -> Constraints:
        """The constraints to which the rules are lowered, except texts."""
        return self.lower()

    def lower(self, *, pairs: bool = True) -> Constraints:
        """Return the constraints to which the rules are lowered, except texts.

        Letters that may stand once in few cells keep words apart, pair by pair; without `pairs` each has a budget,
        which takes far fewer words to write.
        """
        besides: list[Constraint] = list(self.parted)
        if self.counts:
            from cpfill.problem.counts import lower_counts

            besides += lower_counts(self.counts, self.grid, self.kinds, self.kind_tables, pairs=pairs)
        return self.rules.lower(self.kind_tables, self.lexicon, self.grid, besides)

    @cached_property
    def singles(self) -> Mapping[int, int]:
        """For each word length of the grid, the bitset of the words that may stand in only one slot (C3)."""
        singles = dict(self.constraints.singles)
        for word in self.theme:
            singles[len(word)] |= 1 << self.word_id(word)
        return singles

    @cached_property
    def domains(self) -> tuple[int, ...]:
        """For each slot, the bitset of the words that its cells and rules on single words allow (node consistency)."""
        full = self.grid.alphabet.full
        allowed = dict(self.lowered.words)
        for word in self.avoided:
            if len(word) in allowed and self.lexicon.find(word):
                allowed[len(word)] &= ~(1 << self.word_id(word))
        domains = []
        for slot, table in zip(self.slots, self.tables, strict=True):
            domain = allowed[slot.length]
            for pos, letters in enumerate(map(self.grid.letter_set, slot.places)):
                if letters != full:
                    domain &= table.having(pos, letters)
            domain &= find_agreeing(self.grid, slot, table)
            kept = self.narrowed.get((slot.direction, slot.cells[0]))
            if kept is not None:
                domain &= sum(1 << table.ids[word] for word in kept if word in table.ids)
            domains.append(domain)
        return tuple(domains)

    @cached_property
    def ranking(self) -> tuple[float, ...]:
        """The distinct scores of the words in `domains`, ascending: the words of a fill can have no other scores."""
        fitting: dict[WordTable, int] = defaultdict(int)
        for table, domain in zip(self.tables, self.domains, strict=True):
            fitting[table] |= domain
        scores: set[float] = set()
        for table, domain in fitting.items():
            digits = f"{domain:b}"[::-1]
            scores.update(compress(table.scores, map("1".__eq__, digits)))
        return tuple(sorted(scores))

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """The criteria that are maximised, the first before the second."""
        criteria = self.objective.criteria
        if self.levels:
            criteria = (Criterion.LEVELS,)
        if self.theme:
            criteria = (Criterion.THEME, *criteria)
        return criteria

    @property
    def wants_good(self) -> bool:
        """Whether the objective is a good fill and fills can differ in their scores; an engine may ignore this."""
        return self.objective is Objective.GOOD and len(self.ranking) > 1

    @property
    def measures(self) -> tuple[Criterion, ...]:
        """The meaning of the numbers of a value: the criteria, or the minimum score if nothing is maximised."""
        return self.criteria or (Criterion.MIN,)

    def gains(self, criterion: Criterion) -> Gains:
        """Return the gain of each word for a criterion that adds up: V2, V4 or V6.

        Raises:
            InputError: a sum could have more than 15 digits, which floats cannot represent exactly.
        """
        if criterion not in self._gains:
            gains = self._find_gains(criterion)
            self._gains[criterion] = gains
            self._check_exact(gains)
        return self._gains[criterion]

    def _check_exact(self, gains: Gains) -> None:
        best = [max(each, default=0) for each in gains.by_kind.values()]
        most = max(best, default=0)
        if most * len(self.slots) > _EXACT:
            expected = say(
                "scores whose sum over {slots} slots is exact: smaller or with fewer decimals", slots=len(self.slots)
            )
            got = say("{n:g}, in units of 1/{per_unit}", n=most / gains.per_unit, per_unit=gains.per_unit)
            raise InputError(Fault(expected=expected, got=got))

    @cached_property
    def _gains(self) -> dict[Criterion, Gains]:
        return {}

    def _find_gains(self, criterion: Criterion) -> Gains:
        if criterion is Criterion.THEME:
            return self._theme_gains()
        if criterion is Criterion.SUM:
            return self._score_gains()
        return find_letter_gains(self.letter_values, self.grid, self.kinds, self.kind_tables, self._counted[0])

    def _score_gains(self) -> Gains:
        tables = {table.length: table for table in self.tables}
        own = {word: score for word, score in self.own.items() if len(word) in tables}
        decimals = max([self.lexicon.decimals(tables), *map(count_decimals, own.values())])
        by_length = {length: [*table.units(decimals)] for length, table in tables.items()}
        by_score = True
        for word, score in own.items():
            gains = by_length[len(word)]
            id_ = self.word_id(word)
            units = count_units(score, decimals)
            by_score = by_score and gains[id_] == units
            gains[id_] = units
        return Gains(self._spread(by_length), 10**decimals, by_score=by_score)

    def _theme_gains(self) -> Gains:
        decimals = max(count_decimals(weight) for weight in self.theme.values())
        by_length: dict[int, list[int]] = {}
        for table in set(self.tables):
            by_length[table.length] = [0] * len(table)
        for word, weight in self.theme.items():
            by_length[len(word)][self.word_id(word)] = count_units(weight, decimals)
        return Gains(self._spread(by_length), 10**decimals, by_score=False)

    def _spread(self, by_length: Mapping[int, Sequence[int]]) -> dict[int, Sequence[int]]:
        """Return the gains of the words of each length for each kind."""
        return {kind: by_length[table.length] for kind, table in self.kind_tables.items()}

    def score(self, words: Sequence[WordId]) -> Value:
        """Return the value of a fill, given one word id per slot."""
        value: Value = ()
        for criterion in self.measures:
            value += self._measure(criterion, words)
        return value

    def _measure(self, criterion: Criterion, words: Sequence[WordId]) -> Value:
        if criterion.adds_up:
            gains = self.gains(criterion)
            placed = zip(self.kinds, words, strict=True)
            units = sum(gains.by_kind[kind][word] for kind, word in placed)
            return (units / gains.per_unit,)
        scores = sorted(table.scores[word] for table, word in zip(self.tables, words, strict=True))
        if criterion.is_vector:
            return self.order(scores)
        return (scores[0],)

    def judge(self, words: Sequence[str], scores: Sequence[float]) -> list[float]:
        """Return the scores of a fill's words as a good fill counts them.

        A word that is like another one is fair at best, and so is a name that crosses another one where a different
        letter would do. If all words are strong, a plain word in a long slot is barely so.
        """
        faulty: set[str] = set()
        for alike in self.lexicon.find_alike(words).values():
            faulty |= alike
        for each in list_naticks(self.grid, words, self.lexicon):
            faulty |= {words[each.across], words[each.down]}
        judged = []
        for word, score in zip(words, scores, strict=True):
            if word in faulty:
                judged.append(min(score, LEAST[Band.FAIR]))
            else:
                judged.append(score)
        return self._prefer_lively(words, judged)

    def _prefer_lively(self, words: Sequence[str], judged: list[float]) -> list[float]:
        """Return the judged scores of strong words, where plain words in long slots are barely strong."""
        strong = LEAST[Band.STRONG]
        if min(judged, default=strong) < strong:
            return judged
        pairs = zip(words, judged, strict=True)
        return [strong + (score - strong) * _PLAIN if self._is_plain(word) else score for word, score in pairs]

    def _is_plain(self, word: str) -> bool:
        """Return whether a long word is neither phrase nor name, though the lexicon has such words of its length."""
        lexicon = self.lexicon
        return len(word) >= LONG and lexicon.kind(word) is None and lexicon.lively(len(word)) != 0

    def order(self, scores: Sequence[float]) -> Value:
        """Return V5, given the scores of all words in ascending order."""
        if not self.levels:
            return tuple(scores)
        return tuple(0.0 - bisect_left(scores, level) for level in self.levels)


def list_naticks(grid: Grid, words: Sequence[str], lexicon: Lexicon) -> list[Crossing]:
    """Return the crossings of two names whose letter cannot be inferred: a different letter makes two fair entries.

    Constructors call such a crossing a natick (Michael Sharp, 2008). `words` has the word of each slot, or no letters.
    """
    names = {word for word in words if lexicon.kind(word) is EntryKind.NAME}
    naticks: list[Crossing] = []
    if not names:
        return naticks
    for each in grid.crossings:
        across = words[each.across]
        down = words[each.down]
        crossing_names = across in names and down in names
        if crossing_names and lexicon.are_confusable((across, each.across_pos), (down, each.down_pos)):
            naticks.append(each)
    return naticks


_PLAIN = 0.01
"""What a point beyond strong counts of a plain word in a long slot."""

_EXACT = 10**15
"""Distinct whole numbers up to 10^15 stay distinct as floats after division by any power of ten."""
