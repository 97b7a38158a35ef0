"""Proofs of what a verb answers, written for other programs to check."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import cpfill
from cpfill.cli.exits import warn
from cpfill.cli.render import Ticker, on_terminal
from cpfill.engines import DEFAULT_ENGINE
from cpfill.errors import UnsupportedError

if TYPE_CHECKING:
    from cpfill.cli.problems import NamedProblem
    from cpfill.fill import Fill
    from cpfill.proof.trees import Tree
    from cpfill.proof.writing import ProofFolder
    from cpfill.result import SolveResult

PROVING_ENGINE = "mac"
"""The engine whose searches are written as proofs."""


class Prover:
    """What writes the proof of one search into a folder.

    Raises:
        UnsupportedError: the engine writes no proofs.
    """

    engine = PROVING_ENGINE

    def __init__(self, folder: str, engine: str, seed: int) -> None:
        if engine not in {DEFAULT_ENGINE, PROVING_ENGINE}:
            raise UnsupportedError(f"engine {engine} writes no proofs; {PROVING_ENGINE} does")
        self._folder, self._seed = folder, seed
        self._writing: ProofFolder | None = None
        self._every = False

    def begin(self, source: NamedProblem, *, every: bool) -> None:
        """Make the folder, before the search; with `every`, all fills are asked for.

        Raises:
            InputError: the folder is not empty, or cannot be made.
            UnsupportedError: what is asked cannot be proved in this way.
        """
        from cpfill.proof.writing import ProofFolder  # noqa: PLC0415 - seldom asked for

        self._writing = ProofFolder(Path(self._folder), source.problem, source.name, cpfill.__version__)
        self._every = every

    def take(self, fill: Fill) -> None:
        """Take a fill that was found."""
        if self._writing and self._every:
            self._writing.tell(fill)

    def finish(self, result: SolveResult) -> bool:
        """Write the proof and say so; return whether it was not interrupted."""
        assert self._writing is not None
        ticker = Ticker(shown=on_terminal())

        def watch(tree: Tree) -> None:
            ticker.say(f"proof: a tree of {tree.size:,} lemmas")

        try:
            lemmas = self._writing.prove(result, seed=self._seed, watch=watch)
        except KeyboardInterrupt:
            warn(f"interrupted: {self._folder} has no proof")
            return False
        finally:
            ticker.clear()
        if lemmas is None:
            warn(f"nothing was proved: {self._folder} has no proof")
        else:
            counted = "1 lemma" if lemmas == 1 else f"{lemmas:,} lemmas"
            warn(f"proof of {counted} in {self._folder}; cpfill verify {self._folder} checks it")
        return True
