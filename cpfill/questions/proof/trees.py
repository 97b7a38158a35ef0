"""Search trees that refute: of several the smallest, for checking a proof takes far longer than finding it.

Trees differ in whether words or letters are decided on, in the seed, and in the weights that they begin with, which are
those that another one came to. No one knows beforehand which is small; none grows beyond the smallest so far.
"""

from __future__ import annotations

import time
from array import array
from collections import deque
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from itertools import count
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from cpfill.base.errors import SEED, EngineError
from cpfill.base.imports import load_kernel
from cpfill.base.texts import say
from cpfill.engines.mac import KERNELS
from cpfill.engines.mac.kernels import SLICE_S, KernelMaker
from cpfill.questions.proof.cutting import CutTree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from cpfill.questions.proof.refutations import Refutation

TURN_NODES = 1_000
"""Nodes of a tree before another one has its turn."""

CHECK_S = 0.005
"""About how long a checker takes for a lemma."""

SHARE = 0.2
"""The share of the checker's time that may be spent on further trees."""

PATIENCE = 12
"""After so many further trees, none of which is smaller, no other is grown."""

OTHER_KIND = 3
"""Every so many trees one decides on what the smallest does not: on words, or on letters."""

UNLIMITED = 2**63


class Tree:
    """A tree that refutes; its log is kept in a file of a folder that has no name.

    Raises:
        OSError: the disk is full.
    """

    def __init__(
        self,
        refutation: Refutation,
        kernels: KernelMaker,
        folder: Path,
        seed: int,
        *,
        by_cell: bool,
        weights: Sequence[float] = (),
    ) -> None:
        self.refutation, self.by_cell = refutation, by_cell
        self._slots = refutation.slots or range(len(refutation.problem.slots))
        self._kernel = kernels.make(
            refutation.domains,
            slots=self._slots,
            seed=seed,
            by_cell=by_cell,
            quotas=refutation.quotas,
            weights=weights,
            logged=True,
        )
        self._log = TemporaryFile(dir=folder)  # noqa: SIM115 - `close` does
        self._fills = 0
        self.finished = False

    def close(self) -> None:
        """Drop the log."""
        self._log.close()

    @property
    def size(self) -> int:
        """How many decisions there were. In the end each is refuted, and that makes a lemma."""
        return self._kernel.counters()[0]

    @property
    def weights(self) -> list[float]:
        """Weights for another tree of the same slots to begin with, as heavy as they have become."""
        return self._kernel.weights()

    def grow(self, size: int) -> bool:
        """Grow for a moment, up to about this size; false if it cannot refute: there are more fills than are listed."""
        answer = self._kernel.step(SLICE_S, size)
        self._log.write(self._kernel.log())
        self._fills += answer.name == "FOUND"
        self.finished = answer.name == "EXHAUSTED"
        if self.finished and self._fills < self.refutation.fills:
            raise EngineError(
                say(
                    "engine mac told {fills} fills, and finds {fills2} of them again",
                    fills=self.refutation.fills,
                    fills2=self._fills,
                )
            )
        return self._fills <= self.refutation.fills

    def cut(self) -> CutTree:
        """Return the finished tree in parts; in one where fills are left out, each of which is in some part."""
        self._log.seek(0)
        log = array("i")
        log.frombytes(self._log.read())
        return CutTree(log, self._slots, whole=self.refutation.fills > 0)


@dataclass(frozen=True)
class Grower:
    """Grows the trees of refutations.

    Attributes:
        kernel: the name of the kernel, by default the compiled one.
        seed: of the first trees.
        watch: gets each tree again and again while it grows.
    """

    kernel: str | None = None
    seed: int = 0
    watch: Callable[[Tree], None] = lambda _: None

    @contextmanager
    def grow(self, refutation: Refutation, folder: Path) -> Iterator[Tree]:
        """Yield the smallest of some trees, whose logs are kept in a folder; it may be of a part of the refutation.

        Raises:
            EngineError: there are more fills than were listed, or fewer.
            OSError: the disk is full.
        """
        kernels = KernelMaker(refutation.problem, load_kernel(KERNELS, self.kernel))
        with ExitStack() as trees:

            def plant(
                part: Refutation, number: int = 0, *, by_cell: bool = False, weights: Sequence[float] = ()
            ) -> Tree:
                tree = Tree(part, kernels, folder, SEED.after(self.seed, number), by_cell=by_cell, weights=weights)
                return trees.enter_context(closing(tree))

            part = self._find_part(refutation, plant)
            words, letters = (plant(part, by_cell=by_cell) for by_cell in (False, True))
            best = self._race([words, letters])
            weights = {False: words.weights, True: letters.weights}
            end_s = time.monotonic() + SHARE * CHECK_S * best.size
            in_vain = 0
            for number in count(1):
                if in_vain == PATIENCE or time.monotonic() >= end_s:
                    break
                by_cell = best.by_cell ^ (number % OTHER_KIND == 0)
                tree = plant(part, number, by_cell=by_cell, weights=weights[by_cell])
                best = self._race([best, tree])
                weights[by_cell] = tree.weights
                in_vain = 0 if best is tree else in_vain + 1
            yield best

    def _find_part(self, refutation: Refutation, plant: Callable[[Refutation], Tree]) -> Refutation:
        """Return the refutation of a component that has no fill even alone, or else the whole.

        Not where rules tie the components together; that a word stands in one slot alone (C3) is in no proof of a part.
        """
        problem = refutation.problem
        parts = problem.grid.components
        if (
            len(parts) == 1
            or refutation.slots
            or refutation.quotas
            or refutation.fills
            or problem.constraints.tie_components
        ):
            return refutation
        alone = [plant(replace(refutation, slots=part)) for part in parts]
        for limit in (0, UNLIMITED):  # propagation alone shows most
            for tree in alone:
                while tree.grow(limit) and not tree.finished and tree.size < limit:
                    self.watch(tree)
                if tree.finished:
                    return tree.refutation
        return refutation

    def _race(self, trees: Sequence[Tree]) -> Tree:
        """Return the smallest of some trees, which grow by turns, none beyond the smallest; the others are closed."""
        best = next((tree for tree in trees if tree.finished), None)
        growing = deque(tree for tree in trees if not tree.finished)
        while growing:
            tree = growing.popleft()
            least = UNLIMITED if best is None else best.size
            end = min(tree.size + TURN_NODES, least)
            while not tree.finished and tree.size < end:
                if not tree.grow(end):
                    raise EngineError(say("engine mac proved that there is no (other, better) fill, and there is one"))
                self.watch(tree)
            if tree.size >= least:
                tree.close()
            elif not tree.finished:
                growing.append(tree)
            else:
                if best is not None:
                    best.close()
                best = tree
        assert best is not None
        return best
