"""Proofs that no fill has a greater sum: written, checked, and forged."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from cpfill.base.errors import UnsupportedError
from cpfill.problem.problem import Objective
from cpfill.problem.result import Deadline, Limits, Status
from cpfill.problem.rules import admit
from cpfill.proofs.check_pbp import WrongError, check_refutation
from cpfill.proofs.checkers import ProofVerdict
from cpfill.proofs.fill_to_opb import SumFormula
from cpfill.proofs.verify import verify_folder
from cpfill.testing.questions import questions
from tests.proofs.models import grid_text, words_text
from tests.proofs.test_solve_proof import write_proof
from tests.proofs.written import changing, describe
from tests.support import Question, question

if TYPE_CHECKING:
    from collections.abc import Callable

    from cpfill.problem.problem import Problem

FORGERIES = 200
EXAMPLES = 40


def write(folder: Path, asked: Question) -> Status:
    return write_proof(folder, pose(asked, Objective.SUM), Limits())


def pose(asked: Question, objective: Objective) -> Problem:
    """Return the problem in which words that are given whole are own entries, as they are where a user asks."""
    problem = asked.problem(objective)
    given = problem.grid.given_words.intersection(asked.words)
    lexicon, accepted, exempt, own = admit(problem.lexicon, given, problem.rules, problem.grid)
    return replace(problem, lexicon=lexicon, accepted=accepted, exempt=exempt, own=own)


def verdicts(folder: Path) -> set[ProofVerdict]:
    return {finding.verdict for finding in verify_folder(folder, Deadline(60))}


def read(folder: Path) -> tuple[list[str], list[str]]:
    formula, proof = ((folder / name).read_text().splitlines() for name in ("formula.opb", "proof.pbp"))
    return formula, proof


@pytest.mark.parametrize("objective", [Objective.SUM, Objective.LETTER_VALUES])
@settings(max_examples=EXAMPLES)
@given(asked=questions(sums=True, opened=True, rebus=True))
def test_the_greatest_sum_is_proved(objective: Objective, asked: Question) -> None:
    best = asked.answer_to(objective).best
    with TemporaryDirectory() as name:
        folder = Path(name)
        try:
            status = write_proof(folder / "proof", pose(asked, objective), Limits())
        except UnsupportedError:
            return
        assert status is (Status.UNSATISFIABLE if best is None else Status.OPTIMAL)
        if best is not None:
            claim = json.loads((folder / "proof" / "claim.json").read_text())
            assert claim["fill"]["value"] == best[0]
            check_refutation(*read(folder / "proof"))


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A proof of some 150 steps."""
    chance = Random(1)
    words = ["".join(chance.choices("ABCD", k=4)) for _ in range(120)]
    folder = tmp_path_factory.mktemp("sum") / "proof"
    asked = question(*["...."] * 4, words={word: chance.randrange(200) / 2 for word in words})
    assert write(folder, asked) is Status.OPTIMAL
    assert len(read(folder)[1]) > 100
    return folder


def change(lines: list[str], chance: Random) -> list[str]:
    """Return a proof with a step left out, repeated or moved, or with another number."""
    lines = list(lines)
    at = chance.randrange(2, len(lines))
    match chance.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(chance.randrange(2, len(lines)), lines[at])
        case _:
            words = lines[at].split(" ")
            numbers = [place for place, word in enumerate(words) if word.strip("~x").isdigit()]
            if numbers:
                place = chance.choice(numbers)
                sign = words[place].rstrip("0123456789")
                words[place] = (
                    f"{sign}{max(1, int(words[place].strip('~x')) + chance.choice([-64, -2, -1, 1, 2, 640]))}"
                )
            lines[at] = " ".join(words)
    return lines


def test_no_forged_proof_denies_a_fill_that_exists(proved: Path) -> None:
    """The formula asks for the best sum or a little less, which a fill has; the proof is that of more, changed."""
    chance = Random(0)
    formula, proof = read(proved)
    terms, _, least = formula[1].removesuffix(" ;").rpartition(" ")
    for number in range(FORGERIES):
        formula[1] = f"{terms} {int(least) - chance.choice([1, 2, 5])} ;"
        forged = proof
        for _ in range(number % 6):
            forged = change(forged, chance)
        with pytest.raises(WrongError):
            check_refutation(formula, forged)


def test_a_proof_that_is_cut_or_strange_is_refused(proved: Path) -> None:
    formula, proof = read(proved)
    check_refutation(formula, proof)
    for ending in (proof[:-1], proof[:-4] + proof[-3:], [*proof, "pol 1 ;"], proof[1:], ["rup >= 1 ;"], []):
        with pytest.raises(WrongError):
            check_refutation(formula, ending)
    for line in (
        "red 1 x1 >= 1 ;",
        "pol 1 0 * ;",
        "pol 999999 ;",
        "rup 2 x1 >= 1 ;",
        "rup 1 x9999 >= 1 ;",
        "del id 1 ;",
    ):
        with pytest.raises(WrongError):
            check_refutation(formula, [*proof[:2], line, *proof[2:]])


def lower_value(folder: Path) -> None:
    with changing(folder) as claim:
        claim["fill"]["value"] -= 0.5


def lower_sum(folder: Path) -> None:
    with changing(folder) as claim:
        claim["steps"][0]["sum_above"] = "1"


def raise_sum(folder: Path) -> None:
    """Prove less than is claimed: that no sum is above a greater number."""
    with changing(folder) as claim:
        step = claim["steps"][0]
        step["sum_above"] = "9999"
        formula = SumFormula((folder / "grid.txt").read_text(), (folder / "words.tsv").read_text(), "9999")
        with (folder / "formula.opb").open("wb") as file:
            formula.write(file)
        step["formula_sha256"] = describe(folder, "formula.opb")["sha256"]


def swap_grid(folder: Path) -> None:
    rows = (folder / "grid.txt").read_text().splitlines()
    (folder / "grid.txt").write_text("\n".join([*rows[1:], rows[0].replace(".", "A", 1)]) + "\n")
    with changing(folder) as claim:
        claim["grid"] |= describe(folder, "grid.txt")


def swap_words(folder: Path) -> None:
    lines = (folder / "words.tsv").read_text().splitlines(keepends=True)
    (folder / "words.tsv").write_text("".join(lines[1:]))
    with changing(folder) as claim:
        claim["words"] |= describe(folder, "words.tsv")


def drop_rule(folder: Path) -> None:
    with changing(folder) as claim:
        claim["rules"] = [*claim["rules"], "--repeats"]


def drop_step(folder: Path) -> None:
    with changing(folder) as claim:
        claim["steps"] = []


def change_formula(folder: Path) -> None:
    lines = (folder / "formula.opb").read_text().splitlines(keepends=True)
    (folder / "formula.opb").write_text("".join([*lines[:2], "+1 x1 >= 1 ;\n", *lines[3:]]))
    with changing(folder) as claim:
        claim["steps"][0]["formula_sha256"] = describe(folder, "formula.opb")["sha256"]


def claim_no_fill(folder: Path) -> None:
    with changing(folder) as claim:
        claim |= {"claim": "no fill", "fill": None}


def claim_minimum(folder: Path) -> None:
    with changing(folder) as claim:
        claim["objective"] = "min"


def cut_proof(folder: Path) -> None:
    lines = (folder / "proof.pbp").read_text().splitlines(keepends=True)
    (folder / "proof.pbp").write_text("".join(lines[:2] + lines[3:]))
    with changing(folder) as claim:
        claim["steps"][0]["proof_sha256"] = describe(folder, "proof.pbp")["sha256"]


FORGERS: list[Callable[[Path], None]] = [
    lower_value,
    lower_sum,
    raise_sum,
    swap_grid,
    swap_words,
    drop_rule,
    drop_step,
    change_formula,
    claim_no_fill,
    claim_minimum,
    cut_proof,
]


@pytest.mark.parametrize("forge", FORGERS)
def test_a_forged_claim_of_a_sum_is_refused(forge: Callable[[Path], None], proved: Path, tmp_path: Path) -> None:
    folder = tmp_path / "forged"
    copytree(proved, folder)
    forge(folder)
    assert ProofVerdict.REFUSED in verdicts(folder)


def test_a_proof_of_a_sum_is_accepted(proved: Path) -> None:
    assert verdicts(proved) == {ProofVerdict.CHECKED, ProofVerdict.NOT_RUN, ProofVerdict.TRUSTED}


def test_the_formula_is_of_the_grid_and_the_words() -> None:
    asked = question("..", "..", words={"AB": 1.5, "CD": 2.0, "AC": 1.0, "BD": 3.0})
    formula = SumFormula(grid_text(asked), words_text(asked), "7")
    objective, *_ = formula.list_rows()
    assert (formula.scale, objective.least) == (10, 71)
    assert sorted(gain for gain, _ in objective.terms) == sorted([15, 20, 10, 30] * 2)


GIVEN = question("AB", "..", words={"AB": 2.0, "AC": 3.0, "BD": 5.0, "CD": 4.0, "AE": 9.0, "BE": 1.0, "EE": 9.0})
"""A word that is given whole, and scores less than the best one."""


@pytest.mark.parametrize("objective", [Objective.MIN, Objective.SUM, Objective.LEXIMIN])
def test_a_word_given_whole_is_proved_with(objective: Objective, tmp_path: Path) -> None:
    problem = pose(GIVEN, objective)
    assert write_proof(tmp_path / "proof", problem, Limits()) is Status.OPTIMAL
    assert ProofVerdict.REFUSED not in verdicts(tmp_path / "proof")
    judged = {Objective.SUM: "AB\t2\n"}.get(objective, "AB\t9\n")
    assert judged in (tmp_path / "proof" / "words.tsv").read_text()


def test_a_sum_with_a_required_word_is_proved(tmp_path: Path) -> None:
    words = {"AB": 9.0, "CD": 9.0, "AC": 9.0, "BD": 9.0, "EF": 1.0, "GH": 1.0, "EG": 1.0, "FH": 1.0}
    asked = question("..", "..", words=words, required=frozenset({"EF"}))
    assert write(tmp_path / "proof", asked) is Status.OPTIMAL
    claim = json.loads((tmp_path / "proof" / "claim.json").read_text())
    assert (claim["fill"]["value"], claim["rules"]) == (4.0, ["--required", "EF"])
    assert ProofVerdict.REFUSED not in verdicts(tmp_path / "proof")


@pytest.mark.parametrize("required", [frozenset(), frozenset({"EF"})])
def test_a_sum_of_words_that_do_not_cross_is_proved(required: frozenset[str], tmp_path: Path) -> None:
    words = {"AB": 9.0, "CD": 8.0, "EF": 3.0, "GH": 2.0, "IJ": 2.0}
    asked = question("..", "##", "..", "##", "..", words=words, required=required)
    assert write(tmp_path / "proof", asked) is Status.OPTIMAL
    assert json.loads((tmp_path / "proof" / "claim.json").read_text())["fill"]["value"] == 20.0
    assert ProofVerdict.REFUSED not in verdicts(tmp_path / "proof")


def test_a_sum_with_a_given_word_below_the_least_score(tmp_path: Path) -> None:
    asked = replace(GIVEN, min_score=3.0)
    with pytest.raises(UnsupportedError, match="with given words that score too low: AB"):
        write(tmp_path / "proof", asked)
    assert not (tmp_path / "proof").exists()
