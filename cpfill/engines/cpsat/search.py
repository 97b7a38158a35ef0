"""The search of `cpsat`: CP-SAT on lexicon cores, and finally on the whole lexicon.

Only a result on the whole lexicon is a proof. The criteria are maximised one after another; the value reached for one
becomes a rule for the later ones. CP-SAT maximises criteria that add up by itself, in one model after another: it
shares no bound with other engines. For V1 there are two ways:

descent    questions about score thresholds; see `cpfill.engines.toolkit.propagation`.
objective  one model that maximises the minimum, on the best-scored and the friendliest words of each slot. A fill with
           a word outside this core is worth at most the best score outside the core. So on the whole lexicon: value ≤
           max(value on the core, best score outside the core).
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from cpfill.base.texts import say
from cpfill.engines.cpsat.formulations import GROWTH, choose_core
from cpfill.engines.toolkit.propagation import Descent, IntervalEnd, Quota, Wipeout, ac3, bound_sum, restrict
from cpfill.problem.fill import Fill
from cpfill.problem.result import Outcome
from cpfill.problem.value import Criterion

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ortools.sat.python.cp_model import LinearExpr

    from cpfill.engines.cpsat.formulations import Formulation
    from cpfill.engines.cpsat.solver import Solver
    from cpfill.engines.toolkit.propagation import ThresholdQuery
    from cpfill.engines.toolkit.worker import Control
    from cpfill.problem.problem import Problem
    from cpfill.problem.value import Value
    from cpfill.words.lexicon import WordId

FIRST_WORK = 8.0
"""Deterministic time for the first core; a core that is `GROWTH` times larger gets `GROWTH` times as much."""

WHOLE = "CP-SAT on the whole lexicon"
CONSISTENCY = "arc consistency"
"""The bases of a proof."""

EXACT = 2.0**52
"""CP-SAT reports bounds as floats, which represent whole numbers exactly up to here."""


class CpsatSearch:
    """Solves one problem; each method of solving returns the basis of its proof, or raises.

    Attributes:
        best: the value of the best fill so far, if there is an objective.
        best_words: the words of that fill.
    """

    def __init__(
        self,
        problem: Problem,
        domains: list[int],
        control: Control,
        solver: Solver,
        *,
        formulation: type[Formulation],
        core: int,
    ) -> None:
        self.problem = problem
        self.control = control
        self.solver = solver
        self.core = core
        self.best: Value | None = None
        self.best_words: list[WordId] = []
        self._domains = domains
        self._formulation = formulation
        self._floors: dict[Criterion, int] = {}
        self._seen: set[tuple[WordId, ...]] = set()

    def enumerate(self) -> str:
        """Report every fill."""
        self.solver.run(self.make_model(self._domains), self._report, every=True)
        return WHOLE

    def satisfy(self) -> str:
        """Report the requested number of fills, from one core after another."""
        several = self.control.limits.fills != 1
        self.search_cores(self._domains, self._report, work=None, every=several)
        return WHOLE

    def maximise(self, way: str) -> str:
        """Report ever better fills until no fill is better, one criterion after another; `way` is the method for V1."""
        problem = self.problem
        proof = WHOLE
        for stage, criterion in enumerate(problem.criteria):
            if criterion.adds_up:
                proof = self._maximise_sum(criterion)
            elif criterion is Criterion.MIN and way == "objective":
                proof = self._optimise()
            else:
                proof = self._descend()
            if self.best is None:
                break
            if criterion is Criterion.MIN:
                self._domains, _ = restrict(problem, self._domains, [Quota(self.best[stage], 0)], self.control)
            elif criterion.adds_up:
                self._floors[criterion] = round(self.best[stage] * problem.gains(criterion).per_unit)
        return proof

    def _descend(self) -> str:
        """Maximise the minimum, or V5, by questions about score thresholds, until no question is left."""
        descent = Descent(self.problem, self._domains, self.control, self._make_query, best=self.best)
        descent.run()
        self.best = descent.best
        if descent.by_consistency:
            return CONSISTENCY
        return WHOLE

    def _make_query(self, domains: list[int], quotas: list[Quota], end: IntervalEnd) -> ThresholdQuery:
        """Return the question whether the domains have a fill within the quotas; refutations use no core."""
        turns = count()

        def ask() -> tuple[Outcome, list[WordId]]:
            answers: list[list[WordId]] = []
            times = GROWTH ** next(turns)
            if end is IntervalEnd.ABOVE:
                note = self.describe(domains)
                model = self.make_model(domains, quotas)
                outcome = self.solver.run(model, answers.append, work=FIRST_WORK * times, note=note)
            else:
                outcome = self.search_cores(
                    domains, answers.append, quotas=quotas, times=times, work=FIRST_WORK * times, every=False
                )
            if not answers:
                return outcome, []
            self.best_words = answers[-1]
            return Outcome.FOUND, answers[-1]

        return ask

    def _optimise(self) -> str:
        """Maximise the minimum by models with an objective, until no fill on the whole lexicon is better."""
        control = self.control
        stage = self.problem.criteria.index(Criterion.MIN)
        settled = self._list_settled(stage)
        bound = min(self._list_best_scores(self._domains))
        control.report_bound((*settled, bound))
        size = self.core
        work = FIRST_WORK
        domains = self._domains
        while self.best is None or self.best[stage] < bound:
            if self.best is not None:
                try:
                    domains = self._keep_better(domains, self.best[stage])
                except Wipeout:
                    control.report_bound(self.best[: stage + 1])
                    return CONSISTENCY
            core = self._choose_best_core(domains, size)
            whole = core == domains
            formulation = self.make_model(core)
            formulation.maximise_minimum()
            most_work = None if whole else work
            outcome = self.solver.run(formulation, self.report_better, work=most_work, note=self.describe(core))
            if outcome is Outcome.EXHAUSTED:
                bound = min(bound, self._bound_outside(domains, core, stage))
                if bound >= 0:
                    control.report_bound((*settled, bound))
                if whole:
                    break
            size *= GROWTH
            work *= GROWTH
        return WHOLE

    def _list_settled(self, stage: int) -> Value:
        """Return the values of the criteria before one."""
        if self.best is None:
            return ()
        return self.best[:stage]

    def _keep_better(self, domains: Sequence[int], score: float) -> list[int]:
        """Return the arc-consistent domains of the words above a score.

        Raises:
            Wipeout: a slot has no such word.
        """
        better = [domain & table.above(score) for domain, table in zip(domains, self.problem.tables, strict=True)]
        return ac3(self.problem, better, self.control.check)

    def _bound_outside(self, domains: Sequence[int], core: Sequence[int], stage: int) -> float:
        """Return the greatest minimum score that a fill outside a core may have, or that the best fill has."""
        left_out = [domain & ~kept for domain, kept in zip(domains, core, strict=True)]
        most = max(self._list_best_scores(left_out))
        if self.best is None:
            return most
        return max(most, self.best[stage])

    def _list_best_scores(self, domains: Sequence[int]) -> list[float]:
        """Return the best score in each domain; -1 for an empty one."""
        scores = []
        for table, domain in zip(self.problem.tables, domains, strict=True):
            score = -1.0
            if domain:
                score = table.scores[(domain & -domain).bit_length() - 1]
            scores.append(score)
        return scores

    def _maximise_sum(self, criterion: Criterion) -> str:
        """Maximise a criterion that adds up, on cores and finally on the whole lexicon, which alone gives bounds.

        A plain search settles small models soonest; once it fails to, subsolvers take turns.
        """
        stage = self.problem.criteria.index(criterion)
        unit = self.problem.gains(criterion).per_unit
        settled = self._list_settled(stage)
        domains = self._domains
        size = self.core
        plain = True
        self.control.report_bound((*settled, bound_sum(self.problem, criterion, domains) / unit))
        if self.best is None:
            self.search_cores(domains, self.report_better, work=None, every=False)
        while self.best is not None:
            value = round(self.best[stage] * unit)
            domains, slack = self._keep_reaching(domains, criterion, value)
            if not slack:
                self.control.report_bound(self.best[: stage + 1])
                return CONSISTENCY
            core = self._choose_best_core(domains, size)
            for slot, word in enumerate(self.best_words):
                core[slot] |= 1 << word
            whole = core == domains
            outcome = self._improve_sum(criterion, core, settled, value, whole=whole, plain=plain)
            if whole and outcome is Outcome.EXHAUSTED:
                self.control.report_bound(self.best[: stage + 1])
                break
            if outcome is Outcome.EXHAUSTED or not plain:
                size *= GROWTH
            plain = plain and outcome is Outcome.EXHAUSTED
        return WHOLE

    def _keep_reaching(self, domains: Sequence[int], criterion: Criterion, value: int) -> tuple[list[int], int]:
        """Return the arc-consistent domains of fills that reach a value, and how far their bound exceeds it.

        The best fill stays in the domains.
        """
        problem = self.problem
        gains = problem.gains(criterion)
        best = list(map(gains.find_best, problem.kinds, domains))
        slack = sum(best) - value
        reaching = list(domains)
        for slot, (kind, most) in enumerate(zip(problem.kinds, best, strict=True)):
            if most > slack:
                reaching[slot] &= gains.select(kind, most - slack)
        return ac3(problem, reaching, self.control.check), slack

    def _improve_sum(
        self, criterion: Criterion, core: Sequence[int], settled: Value, value: int, *, whole: bool, plain: bool
    ) -> Outcome:
        """Look for a fill of a core that exceeds a value; the bounds of a `whole` lexicon are reported."""
        formulation = self.make_model(core)
        formulation.hint(self.best_words)
        formulation.model.maximize(self._express_total(formulation, criterion))
        gains = self.problem.gains(criterion)

        def take_bound(most: float) -> None:
            if most < EXACT:
                # It is a whole number, but CP-SAT scales it, and 102 becomes 101.99999999999999.
                bound = round(most)
                bound -= bound % gains.step
                self.control.report_bound((*settled, max(bound, value) / gains.per_unit))

        work: float | None = FIRST_WORK
        if plain:
            work = FIRST_WORK / 4
        elif whole:
            work = None
        return self.solver.run(
            formulation,
            self.report_better,
            work=work,
            note=self.describe(core),
            on_bound=take_bound if whole else None,
            alternate=not plain,
        )

    def _choose_best_core(self, domains: Sequence[int], size: int) -> list[int]:
        """Return the `size` friendliest and the `size` best-scored words of each domain."""
        friendly = choose_core(self.problem, domains, size, self.control.check)
        return [mine | _take_first(domain, size) for mine, domain in zip(friendly, domains, strict=True)]

    def _express_total(self, formulation: Formulation, criterion: Criterion) -> LinearExpr:
        """Return the total gain of a fill as an expression."""
        by_kind = self.problem.gains(criterion).by_kind
        gains = []
        for kind, words in zip(self.problem.kinds, formulation.words, strict=True):
            of_kind = by_kind[kind]
            gains.append([of_kind[word] for word in words])
        return formulation.express_total(gains)

    def search_cores(
        self,
        domains: list[int],
        on_words: Callable[[list[WordId]], None],
        *,
        quotas: Sequence[Quota] = (),
        work: float | None,
        every: bool,
        times: int = 1,
    ) -> Outcome:
        """Ask for one solution, or for all, of one core after another; the last core is the whole lexicon.

        The first core is `times` as large as by default. If a core has no solution, or takes more than its share of
        work, the next core follows; `work` bounds the run on the whole lexicon.
        """
        size = self.core * times
        share = FIRST_WORK * times
        while True:
            core = choose_core(self.problem, domains, size, self.control.check)
            whole = core == domains
            if not whole:
                try:
                    core = ac3(self.problem, core, self.control.check)
                except Wipeout:
                    size *= GROWTH
                    share *= GROWTH
                    continue
            model = self.make_model(core, quotas)
            most_work = work if whole else share
            outcome = self.solver.run(model, on_words, work=most_work, every=every, note=self.describe(core))
            if whole or (outcome is Outcome.FOUND and not every):
                return outcome
            size *= GROWTH
            share *= GROWTH

    def describe(self, core: Sequence[int]) -> str:
        """Describe the size of a model."""
        words = sum(domain.bit_count() for domain in core)
        return say("CP-SAT on {words} words in {slots} slots", words=words, slots=len(core))

    def make_model(self, domains: Sequence[int], quotas: Sequence[Quota] = ()) -> Formulation:
        """Return the model of the problem within some domains, with the values reached for earlier criteria."""
        self.solver.note("building the model")
        formulation = self._formulation(self.problem, domains, self.control.check)
        for criterion, least in self._floors.items():
            formulation.model.add(self._express_total(formulation, criterion) >= least)
        for quota in quotas:
            formulation.limit_words(quota.under, quota.most)
        return formulation

    def report_better(self, words: list[WordId]) -> None:
        """Report a fill of a task with an objective if it is better than the best one."""
        value = self.problem.score(words)
        if self.best is None or value > self.best:
            self.best = value
            self.best_words = words
            self.control.report_fill(Fill.of_words(self.problem, words), value, counts=False)

    def _report(self, words: list[WordId]) -> None:
        """Report a fill of a task without an objective, unless a smaller core already gave it."""
        if self.control.limits.fills is not None:
            key = tuple(words)
            if key in self._seen:
                return
            self._seen.add(key)
        self.control.report_fill(Fill.of_words(self.problem, words), self.problem.score(words))


def _take_first(domain: int, size: int) -> int:
    """Return the `size` lowest members of a bitset: the best-scored words of a domain."""
    if domain.bit_count() <= size:
        return domain
    low = size
    high = domain.bit_length()
    while low < high:
        middle = (low + high) // 2
        if (domain & ((1 << middle) - 1)).bit_count() >= size:
            high = middle
        else:
            low = middle + 1
    return domain & ((1 << low) - 1)
