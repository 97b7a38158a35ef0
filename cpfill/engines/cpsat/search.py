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

from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from cpfill.base.texts import say
from cpfill.engines.cpsat.formulations import GROWTH, choose_core
from cpfill.engines.toolkit.propagation import Descent, IntervalEnd, Quota, Wipeout, ac3, bound_sum, restrict
from cpfill.problem.problem import Criterion, Fill
from cpfill.problem.result import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ortools.sat.python.cp_model import LinearExpr

    from cpfill.engines.cpsat.formulations import Formulation
    from cpfill.engines.cpsat.solver import Solver
    from cpfill.engines.toolkit.propagation import ThresholdQuery
    from cpfill.engines.toolkit.worker import Control
    from cpfill.problem.problem import Problem, Value
    from cpfill.words.lexicon import WordId

FIRST_WORK = 8.0
"""Deterministic time for the first core; a core that is `GROWTH` times larger gets `GROWTH` times as much."""

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
            else:
                proof = self._optimise() if way == "objective" and criterion is Criterion.MIN else self._descend()
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
        return "arc consistency" if descent.by_consistency else WHOLE

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
        problem = self.problem
        control = self.control
        stage = problem.criteria.index(Criterion.MIN)
        settled = self.best[:stage] if self.best else ()
        firsts = zip(problem.tables, self._domains, strict=True)
        bound = min(table.scores[(domain & -domain).bit_length() - 1] for table, domain in firsts)
        control.report_bound((*settled, bound))
        size = self.core
        work = FIRST_WORK
        domains = self._domains
        while self.best is None or self.best[stage] < bound:
            if self.best is not None:
                least = self.best[stage]
                better = [domain & table.above(least) for domain, table in zip(domains, problem.tables, strict=True)]
                try:
                    domains = ac3(problem, better, control.check)
                except Wipeout:
                    control.report_bound(self.best[: stage + 1])
                    return "arc consistency"
            core = self._choose_best_core(domains, size)
            whole = core == domains
            formulation = self.make_model(core)
            formulation.maximise_minimum()
            outcome = self.solver.run(
                formulation, self.report_better, work=None if whole else work, note=self.describe(core)
            )
            if outcome is Outcome.EXHAUSTED:
                left_out = max(self._find_best_left_out(domains, core), self.best[stage] if self.best else -1.0)
                bound = min(bound, left_out)
                if bound >= 0:
                    control.report_bound((*settled, bound))
                if whole:
                    break
            size *= GROWTH
            work *= GROWTH
        return WHOLE

    def _maximise_sum(self, criterion: Criterion) -> str:
        """Maximise a criterion that adds up, on cores and finally on the whole lexicon, which alone gives bounds.

        A plain search settles small models soonest; once it fails to, subsolvers take turns.
        """
        problem = self.problem
        control = self.control
        gains = self.problem.gains(criterion)
        stage = problem.criteria.index(criterion)
        settled = self.best[:stage] if self.best else ()
        domains = self._domains
        size = self.core
        plain = True
        control.report_bound((*settled, bound_sum(problem, criterion, domains) / gains.per_unit))
        if self.best is None:
            self.search_cores(domains, self.report_better, work=None, every=False)
        while self.best is not None:
            value = round(self.best[stage] * gains.per_unit)
            best = [gains.find_best(slot.length, domain) for slot, domain in zip(problem.slots, domains, strict=True)]
            slack = sum(best) - value
            reaching = [
                domain & gains.select(slot.length, most - slack) if most > slack else domain
                for slot, domain, most in zip(problem.slots, domains, best, strict=True)
            ]
            domains = ac3(problem, reaching, control.check)  # the best fill stays
            if not slack:
                control.report_bound(self.best[: stage + 1])
                return "arc consistency"
            cores = zip(self._choose_best_core(domains, size), self.best_words, strict=True)
            core = [words | 1 << word for words, word in cores]
            whole = core == domains
            formulation = self.make_model(core)
            formulation.hint(self.best_words)
            formulation.model.maximize(self._express_total(formulation, criterion))

            def take_bound(most: float, value: int = value) -> None:
                if most < EXACT:
                    # It is a whole number, but CP-SAT scales it, and 102 becomes 101.99999999999999.
                    control.report_bound((*settled, max(round(most), value) / gains.per_unit))

            outcome = self.solver.run(
                formulation,
                self.report_better,
                work=FIRST_WORK / 4 if plain else None if whole else FIRST_WORK,
                note=self.describe(core),
                on_bound=take_bound if whole else None,
                alternate=not plain,
            )
            if whole and outcome is Outcome.EXHAUSTED:
                control.report_bound(self.best[: stage + 1])
                break
            if outcome is Outcome.EXHAUSTED or not plain:
                size *= GROWTH
            plain = plain and outcome is Outcome.EXHAUSTED
        return WHOLE

    def _choose_best_core(self, domains: Sequence[int], size: int) -> list[int]:
        """Return the `size` friendliest and the `size` best-scored words of each domain."""
        friendly = choose_core(self.problem, domains, size, self.control.check)
        return [mine | _take_first(domain, size) for mine, domain in zip(friendly, domains, strict=True)]

    def _express_total(self, formulation: Formulation, criterion: Criterion) -> LinearExpr:
        """Return the total gain of a fill as an expression."""
        gains = self.problem.gains(criterion).by_length
        of_slots = zip(self.problem.slots, formulation.words, strict=True)
        return formulation.express_total([[gains[slot.length][word] for word in words] for slot, words in of_slots])

    def _find_best_left_out(self, domains: Sequence[int], core: Sequence[int]) -> float:
        """Return the best score among the words of the domains outside the core; -1 if there are no such words."""
        left_out = [domain & ~kept for domain, kept in zip(domains, core, strict=True)]
        return max(
            table.scores[(words & -words).bit_length() - 1] if words else -1.0
            for words, table in zip(left_out, self.problem.tables, strict=True)
        )

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
            ask = partial(self.solver.run, model, on_words, every=every, note=self.describe(core))
            outcome = ask(work=work if whole else share)
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


WHOLE = "CP-SAT on the whole lexicon"


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
