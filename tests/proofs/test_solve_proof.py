"""Proofs of what a search proved, put to a checker that shares no code with cpfill."""

from __future__ import annotations

import json
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from dratify import check_proof, parse_dimacs
from hypothesis import given, settings
from hypothesis import strategies as st

from cpfill.base.errors import InputError, UnsupportedError
from cpfill.base.imports import load_kernel
from cpfill.engines.audited import Tally, search
from cpfill.engines.mac import KERNEL, kernels
from cpfill.engines.mac.kernels import KernelMaker, find_room
from cpfill.problem.event import Found
from cpfill.problem.problem import Objective
from cpfill.problem.result import Deadline, Limits, Status
from cpfill.problem.value import value_from_json
from cpfill.proofs import claim
from cpfill.proofs import trees as cutting
from cpfill.proofs.checkers import ProofVerdict
from cpfill.proofs.claim import find_gap
from cpfill.proofs.folder import ProofFolder
from cpfill.proofs.trees import UNLIMITED, Grower, Tree
from cpfill.proofs.verify import verify_folder
from cpfill.testing.questions import questions
from tests.property.problems import MANY_FILLS, PLAIN, Known
from tests.support import Question, question
from tests.unit.engines.test_mac_kernel import each_kernel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cpfill.problem.problem import Problem
    from cpfill.proofs.trees import RefutationTree


NO_LIMIT = Deadline(None)
GOALS = [Objective.ANY, Objective.MIN, Objective.LEXIMIN]
PROBLEMS = 400
"""The promises of a proof hang on rare turns of a search: they are worth some seconds."""


def write_proof(folder: Path, problem: Problem, limits: Limits, grower: Grower | None = None) -> Status:
    """Search, prove what came of it, and return that."""
    proof, tally = ProofFolder(folder, problem, "grid", "0"), Tally(problem)
    for event in search(problem, engine="mac", limits=limits):
        tally.add(event)
        if isinstance(event, Found) and not problem.criteria and limits.fills != 1:
            proof.tell(event.fill)
    lemmas = proof.prove(tally.result, grower or Grower(limits.seed))
    assert (lemmas is None) == (tally.result.status is Status.SATISFIED)
    return tally.result.status


def read_claim(folder: Path) -> dict[str, Any]:
    claim: dict[str, Any] = json.loads((folder / "claim.json").read_text(encoding="utf-8"))
    return claim


def is_accepted(folder: Path) -> bool:
    """Whether a checker accepts each proof of a folder, for the formula that the script makes."""
    for step in read_claim(folder)["steps"]:
        formula = (folder / step["formula"]).read_text(encoding="ascii")
        if not check_proof(parse_dimacs(formula), (folder / step["proof"]).read_text(encoding="ascii")).ok:
            return False
    return True


@pytest.mark.parametrize("goal", GOALS)
@settings(max_examples=max(PROBLEMS // len(GOALS), settings().max_examples))
@given(
    asked=questions(sides=True, opened=True, rebus=True, sums=True),
    every=st.booleans(),
    least=st.sampled_from([1, cutting.LEAST]),
)
def test_what_is_proved_is_accepted(goal: Objective, asked: Question, every: bool, least: int) -> None:
    with TemporaryDirectory() as parent, pytest.MonkeyPatch.context() as patch:
        patch.setattr(cutting, "LEAST", least)
        folder = Path(parent) / "proof"
        problem = asked.problem(goal)
        status = write_proof(folder, problem, Limits(fills=None if every else 1))
        assert (folder / "claim.json").exists() == (status is not Status.SATISFIED)
        assert status is Status.SATISFIED or is_accepted(folder)
        assert (
            status is Status.SATISFIED
            or find_gap(claim.read_claim(folder, NO_LIMIT), problem.ranking, NO_LIMIT) is None
        )


@pytest.mark.parametrize("known", PLAIN, ids=str)
def test_the_proof_of_a_known_answer_is_accepted(known: Known, tmp_path: Path) -> None:
    best = write_proof(tmp_path / "best", known.problem(Objective.MIN), Limits())
    assert best is (Status.OPTIMAL if known.best else Status.UNSATISFIABLE)
    assert is_accepted(tmp_path / "best")
    if known.best:
        assert value_from_json(read_claim(tmp_path / "best")["fill"]["value"]) == known.best
    if 0 < known.data["fills"] <= MANY_FILLS:
        assert write_proof(tmp_path / "all", known.problem(), Limits(fills=None)) is Status.ALL_FILLS
        assert is_accepted(tmp_path / "all")
        told = (tmp_path / "all" / "fill.txt").read_text(encoding="utf-8").split("\n\n")
        assert len(set(told)) == len(told) == known.data["fills"]


@pytest.mark.parametrize(("seed", "levels"), [(7, ()), (14, tuple(map(float, range(25, 96, 5))))])
def test_a_value_of_more_numbers_than_a_kernel_has_budgets_is_proved(
    seed: int, levels: tuple[float, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A budget weighs several of the numbers, and where costs must be small there are several such budgets."""
    monkeypatch.setattr(kernels, "GREATEST_COST", 360)
    draw = Random(seed)
    words = {"".join(draw.choices("ABC", k=draw.choice([4, 5]))): float(draw.randrange(100)) for _ in range(90)}
    problem = question(".....", ".....", ".....", ".....", words=words, levels=levels).problem(Objective.LEXIMIN)
    assert write_proof(tmp_path / "proof", problem, Limits()) is Status.OPTIMAL
    assert len(read_claim(tmp_path / "proof")["steps"]) > find_room(0)
    assert is_accepted(tmp_path / "proof")


LETTERS = "ABCDE"


class OneTree(Grower):
    """Grows one tree alone, by letters."""

    @contextmanager
    def grow(self, refutation: RefutationTree, folder: Path) -> Iterator[Tree]:
        kernels = KernelMaker(refutation.problem, load_kernel(KERNEL))
        with closing(Tree(refutation, kernels, folder, self.seed, by_cell=True)) as tree:
            while not tree.finished:
                tree.grow(UNLIMITED)
            yield tree


@pytest.mark.parametrize("grower", [Grower(), OneTree()])
def test_a_tree_is_cut_where_its_parts_are_large(
    grower: Grower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In parts there are as many lemmas, and one more for each part within: that no fill is in its case.

    Drawn so that it takes what the formula of a part says of its own case, where letters are decided.
    """
    draw = Random(6)
    words = {"".join(draw.choices(LETTERS, k=length)): float(draw.randrange(100)) for length in [4] * 60 + [5] * 60}
    problem = question(".....", ".....", ".....", ".....", words=words, alphabet=LETTERS).problem(Objective.MIN)
    monkeypatch.setattr(cutting, "SHARE", 0.0)  # otherwise the number of trees that compete depends on the time
    lemmas = {}
    whole = cutting.LEAST
    for least in (whole, 1, 5):
        monkeypatch.setattr(cutting, "LEAST", least)
        folder = tmp_path / str(least)
        assert write_proof(folder, problem, Limits(), grower=grower) is Status.OPTIMAL
        assert is_accepted(folder)
        assert find_gap(claim.read_claim(folder, NO_LIMIT), problem.ranking, NO_LIMIT) is None
        lemmas[least] = [step["lemmas"] for step in read_claim(folder)["steps"]]
        assert sum(lemmas[least]) - len(lemmas[least]) + 1 == sum(lemmas[whole])
    assert len(lemmas[1]) > len(lemmas[5]) > len(lemmas[whole]) == 1


def test_a_proof_takes_no_room_but_in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error of a full disk names the folder, so no other folder may be needed."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    best = write_proof(tmp_path / "proof", question("..", words="AB").problem(Objective.MIN), Limits())
    assert best is Status.OPTIMAL


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").touch()
    with pytest.raises(InputError, match=r"an empty folder for a proof, or none, found mine\.txt"):
        ProofFolder(tmp_path, question("..", words="AB").problem(), "grid", "0")


NO_FILL = question("...", "...", "...", words="ACB BAD BBB BCB CAC CBB CBC CCC DBC DBD DCD DDB").problem()


@pytest.mark.parametrize("other", [NO_FILL, question("...", words="ABC BAD").problem(Objective.MIN)])
def test_two_runs_do_not_share_a_new_folder(other: Problem, tmp_path: Path) -> None:
    """The other ends while the first writes, with no fill or with a best one."""
    first, second = (ProofFolder(tmp_path, problem, "grid", "0") for problem in (NO_FILL, other))
    results = []
    for problem in (NO_FILL, other):
        tally = Tally(problem)
        for event in search(problem, engine="mac", limits=Limits()):
            tally.add(event)
        results.append(tally.result)
    refused: list[pytest.ExceptionInfo[InputError]] = []

    def meanwhile(_: object) -> None:
        there = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        if not refused:
            with pytest.raises(InputError, match=r"an empty folder for a proof, or none, found grid\.txt") as caught:
                second.prove(results[1], Grower())
            second.clear()
            refused.append(caught)
        assert there == {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    assert first.prove(results[0], Grower(watch=meanwhile))
    assert refused
    assert is_accepted(tmp_path)
    assert {finding.verdict for finding in verify_folder(tmp_path, Deadline(60))} <= {
        ProofVerdict.CHECKED,
        ProofVerdict.TRUSTED,
        ProofVerdict.NOT_RUN,
    }


@pytest.mark.parametrize(
    ("asked", "goal", "said"),
    [
        (question("..", words="AB", max_obscure=1), Objective.SUM, "if a sum is maximised with --at-most"),
        (question("..", words="AB"), Objective.MIN_THEN_SUM, "for the objective min-then-sum"),
        (question("..", words="AB", theme={"AB": 1.0}), Objective.ANY, "for the objective any with a theme"),
    ],
)
def test_what_cannot_be_proved_is_refused_before_anything_is_written(
    asked: Question, goal: Objective, said: str, tmp_path: Path
) -> None:
    with pytest.raises(UnsupportedError, match=said):
        ProofFolder(tmp_path / "proof", asked.problem(goal), "grid", "0")
    assert not (tmp_path / "proof").exists()


@each_kernel
def test_a_kernel_logs_only_on_request(module: Any) -> None:
    """What it logs is put to a checker by the other tests."""
    problem = question("...", "...", "...", words="ABC BAD CAB ADA BAA DAB CCC").problem()
    for logged in (False, True):
        kernel = KernelMaker(problem, module).make(problem.domains, logged=logged)
        kernel.step(60.0, 10**9)
        assert kernel.counters()[0] > 0
        assert bool(kernel.log()) == logged
