"""Makes the runs of a suite, in order of execution.

Engines take turns on one question (A B A B), so that noise on the machine affects all equally. The key of a run hashes
everything that decides what it does; a resumed bench recognises finished runs by their keys.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import MAX_LIST_BYTES, InputError, LexiconError, expected, unknown_name
from cpfill.base.files import read_text
from cpfill.base.texts import say
from cpfill.engines import ENGINES, engine_class, make_engine
from cpfill.engines.requirements import require_features, require_probing
from cpfill.problem.identity import digest, identify
from cpfill.problem.problem import Problem
from cpfill.problem.result import Limits
from cpfill.questions.proof.trees import require_provable
from cpfill.questions.request import to_plain
from cpfill.runs.bench.suite import CANDIDATES, EVERY, RULES, Ask, Entrant
from cpfill.words.lexicon import Lexicon
from cpfill.words.sources import Shelf
from cpfill.words.wordlist import packaged_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cpfill.puzzle.grid import Grid
    from cpfill.runs.bench.suite import Peer, Question, Suite
    from cpfill.words.wordlist import ListSource

_DIGITS = 16
TERMS = ("objective", *RULES)
"""The fields of a request in a record; its lists are in the hash."""


@dataclass(frozen=True)
class Instance:
    """A question about one grid, with the hashes of its grid and lists; `name` is for people."""

    question: Question
    name: str
    number: int
    grid: Grid
    grid_hash: str
    list_hash: str
    shelf: Shelf
    """The lists read so far, shared by all instances of a plan."""

    @property
    def problem(self) -> Problem:
        """The problem; its lists are read on first use."""
        return self.question.request.problems([self.grid], self.shelf)[0]

    @cached_property
    def identity(self) -> dict[str, Any]:
        """The data that identify the problem."""
        return identify(self.problem)


@dataclass(frozen=True)
class Run:
    """One run of one contender on one question with one seed. `twin` distinguishes otherwise identical runs."""

    suite: Suite
    instance: Instance
    contender: Entrant | Peer
    seed: int
    repeat: int
    twin: int = 0

    @property
    def limits(self) -> Limits:
        """The limits for the engine."""
        return limits_of(self.instance.question, self.suite.limit_s, self.workers, self.seed)

    @property
    def workers(self) -> int:
        """Threads to search with."""
        return self.contender.workers if isinstance(self.contender, Entrant) else self.suite.workers

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Everything that decides what the run does, as JSON."""
        question = self.instance.question
        return {
            "suite": self.suite.name,
            "family": question.family,
            "grid_hash": self.instance.grid_hash,
            "list_hash": self.instance.list_hash,
            **{name: to_plain(getattr(question.request, name)) for name in TERMS},
            "ask": question.ask,
            **contender_record(self.contender),
            "workers": self.workers,
            "seed": self.seed,
            "limit_s": self.suite.limit_s,
            "check_limit_s": self.suite.check_s if question.ask is Ask.PROOF else None,
            "repeat": self.repeat,
        }

    @cached_property
    def key(self) -> str:
        """The hash of the identity and of the problem."""
        return digest([self.identity, self.instance.identity, self.twin])[:_DIGITS]


def contender_record(contender: Entrant | Peer) -> dict[str, Any]:
    """Return a contender as JSON."""
    if isinstance(contender, Entrant):
        return {"label": contender.label, "engine": contender.engine, "options": dict(contender.options)}
    patterns = [contender.infeasible, contender.search, contender.count]
    return {"label": contender.label, "peer": contender.template, "patterns": patterns}


def limits_of(question: Question, limit_s: float, workers: int, seed: int) -> Limits:
    """Return the limits of a run."""
    return Limits(time_s=limit_s, fills=None if question.ask in EVERY else 1, workers=workers, seed=seed)


def text_hash(*texts: str) -> str:
    """Return the first digits of the SHA-256 of some texts."""
    digest = hashlib.sha256()
    for text in texts:
        digest.update(hashlib.sha256(text.encode()).digest())
    return digest.hexdigest()[:_DIGITS]


def instances(suite: Suite) -> list[Instance]:
    """Return the instances of a suite.

    Raises:
        InputError: a grid or a list cannot be read.
    """
    shelf = Shelf()
    hashes: dict[tuple[tuple[ListSource, ...], bool], str] = {}
    found = []
    for question in suite.questions:
        request = replace(question.request, grid=str(question.grid))
        words = (request.lists, request.uncensored)
        if words not in hashes:
            hashes[words] = _list_hash(*words)
        templates = request.templates()
        for number, template in enumerate(templates):
            bare = f"{question.grid.parent.name}/{question.grid.stem}"
            name = f"{bare}#{number + 1}" if len(templates) > 1 else bare
            grid_hash = text_hash(f"{template.grid}\n")
            found.append(Instance(question, name, number, template.grid, grid_hash, hashes[words], shelf))
    return found


def _list_hash(sources: Iterable[ListSource], uncensored: bool) -> str:
    texts = []
    for name in map(str, sources):
        if Path(name).is_absolute():
            texts.append(read_text(name, LexiconError, MAX_LIST_BYTES))
        else:
            texts.append(packaged_text(name, uncensored=uncensored))
    return text_hash(*texts)


def narrowed(suite: Suite, engines: Sequence[str] | None, limit_s: float | None) -> Suite:
    """Return a suite with a different limit, or with only these engines, given by label or by registry name.

    Raises:
        InputError: an engine does not exist, or the limit is not positive.
    """
    if limit_s is not None:
        if limit_s <= 0:
            raise expected("a time limit above 0", f"{limit_s:g} s")
        suite = replace(suite, limit_s=limit_s)
    if engines is None:
        return suite
    labels = {entrant.label: entrant for entrant in suite.entrants}
    for name in engines:
        if name not in labels and name not in ENGINES:
            raise InputError(unknown_name(say("an engine"), name, {*labels, *ENGINES}))
    chosen = (labels.get(name) or Entrant(name, name, {}, suite.workers) for name in dict.fromkeys(engines))
    return replace(suite, entrants=tuple(chosen))


def plan(suite: Suite, peers: Sequence[Peer] = (), repeats: int = 1) -> list[Run]:
    """Return the runs in order.

    Raises:
        InputError: a grid or a list cannot be read, an engine does not take the value of an option, or there is nothing
            to run.
        UnsupportedError: an engine lacks an option or the feature that a question needs, or no such proof exists.
    """
    contenders: list[Entrant | Peer] = [*suite.entrants, *peers]
    labels = [contender.label for contender in contenders]
    twice = [label for label, count in Counter(labels).items() if count > 1]
    if twice:
        raise expected(
            "a name of its own for each engine and peer", say("'{twice}' twice", twice=twice[0]), str(suite.path)
        )
    asked = instances(suite)
    if not labels or not asked:
        raise expected("engines and families", say("none") if not asked else say("no engine"), str(suite.path))
    if peers and any(question.ask in {*CANDIDATES, Ask.PROOF} for question in suite.questions):
        raise expected("fills to ask of a peer", say("words, letters or proofs"), str(suite.path))
    for entrant in suite.entrants:
        engine = make_engine(entrant.engine, **entrant.options)
        for question in {(one.question.request.goal, one.question.ask): one.question for one in asked}.values():
            if question.ask in CANDIDATES:
                require_probing(engine)
            # The features that a task needs depend only on the objective and the limits.
            able = _without_words(asked[0].grid, question)
            require_features(engine_class(entrant.engine), able, limits_of(question, suite.limit_s, entrant.workers, 0))
    for one in asked:
        if one.question.ask is Ask.PROOF:
            require_provable(_without_words(one.grid, one.question))
    return list(_runs(suite, asked, contenders, repeats))


def _without_words(grid: Grid, question: Question) -> Problem:
    return Problem(grid, Lexicon([], grid.alphabet), objective=question.request.goal)


def _runs(suite: Suite, asked: Sequence[Instance], contenders: Sequence[Entrant | Peer], repeats: int) -> Iterator[Run]:
    twins: Counter[str] = Counter()
    for instance in asked:
        for seed in suite.seeds:
            for repeat in range(repeats):
                for contender in contenders:
                    run = Run(suite, instance, contender, seed, repeat)
                    twin = twins[run.key]
                    twins[run.key] += 1
                    yield Run(suite, instance, contender, seed, repeat, twin) if twin else run
