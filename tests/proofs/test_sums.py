"""Proofs that no fill has a greater sum: written, checked, and forged."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

import pytest

from cpfill.problem.problem import Objective
from cpfill.problem.result import Deadline, Limits, Status
from cpfill.proofs.check_pbp import WrongError, check
from cpfill.proofs.fill_to_opb import SumFormula
from cpfill.proofs.verify import ProofVerdict, verify_folder
from tests.proofs.models import grid_text, words_text
from tests.proofs.test_solve_proof import write_proof
from tests.proofs.written import changing, describe
from tests.support import question

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support import Question

GRIDS = [("...", "...", "..."), ("....", "....", "....", "...."), (".A..", "....", "..#.", "....")]
FORGERIES = 200


def draw(seed: int) -> Question:
    """Return a grid with words that fill it in many ways, their scores with a decimal."""
    chance = Random(seed)
    rows = chance.choice(GRIDS)
    words = {"".join(chance.choices("ABC", k=chance.choice([1, 2, 3, 3, 4, 4, 4]))): 0.0 for _ in range(160)}
    scores = {word: chance.randrange(200) / 2 for word in words if len(word) > 1}
    return question(*rows, words=scores)


def prove(folder: Path, asked: Question) -> Status:
    return write_proof(folder, asked.problem(Objective.SUM), Limits())


def verdicts(folder: Path) -> set[ProofVerdict]:
    return {finding.verdict for finding in verify_folder(folder, Deadline(60))}


def read(folder: Path) -> tuple[list[str], list[str]]:
    formula, proof = ((folder / name).read_text().splitlines() for name in ("formula.opb", "proof.pbp"))
    return formula, proof


@pytest.mark.parametrize("seed", range(12))
def test_the_greatest_sum_is_proved(seed: int, tmp_path: Path) -> None:
    asked = draw(seed)
    answer = asked.answer_to(Objective.SUM)
    status = prove(tmp_path, asked)
    assert status is (Status.OPTIMAL if answer.fills else Status.UNSATISFIABLE)
    if answer.fills:
        assert json.loads((tmp_path / "claim.json").read_text())["fill"]["value"] == answer.best[0]
        check(*read(tmp_path))


def find_hard(folder: Path) -> Question:
    """Prove the answer of a question that takes many steps, and return the question."""
    asked = max((draw(seed) for seed in range(12)), key=lambda asked: len(asked.answer.fills))
    prove(folder, asked)
    return asked


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


def test_no_forged_proof_denies_a_fill_that_exists(tmp_path: Path) -> None:
    """The formula asks for the best sum itself, which a fill has; the proof is that of more, changed up to five times."""
    asked = find_hard(tmp_path)
    chance = Random(0)
    formula, proof = read(tmp_path)
    first, _, _ = formula[1].rpartition(" >= ")
    _, _, least = formula[1].removesuffix(" ;").rpartition(" ")
    formula[1] = f"{first} >= {int(least) - chance.choice([1, 2, 5])} ;"
    assert asked.answer.fills
    for number in range(FORGERIES):
        forged = proof
        for _ in range(number % 6):
            forged = change(forged, chance)
        with pytest.raises(WrongError):
            check(formula, forged)


def test_no_proof_that_lacks_a_needed_step_is_accepted(tmp_path: Path) -> None:
    find_hard(tmp_path)
    formula, proof = read(tmp_path)
    for ending in (proof[:-1], proof[:-4] + proof[-3:], [*proof, "pol 1 ;"], proof[1:], ["rup >= 1 ;"], []):
        with pytest.raises(WrongError):
            check(formula, ending)
    for line in (
        "red 1 x1 >= 1 ;",
        "pol 1 0 * ;",
        "pol 999999 ;",
        "rup 2 x1 >= 1 ;",
        "rup 1 x99999 >= 1 ;",
        "del id 1 ;",
    ):
        with pytest.raises(WrongError):
            check(formula, [*proof[:2], line, *proof[2:]])


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
def test_a_forged_claim_of_a_sum_is_refused(forge: Callable[[Path], None], tmp_path: Path) -> None:
    find_hard(tmp_path)
    assert ProofVerdict.REFUSED not in verdicts(tmp_path)
    forge(tmp_path)
    assert ProofVerdict.REFUSED in verdicts(tmp_path)


def test_the_formula_is_of_the_grid_and_the_words() -> None:
    asked = question("..", "..", words={"AB": 1.5, "CD": 2.0, "AC": 1.0, "BD": 3.0})
    formula = SumFormula(grid_text(asked), words_text(asked), "7")
    objective, *_ = formula.list_rows()
    assert (formula.scale, objective.least) == (10, 71)
    assert sorted(gain for gain, _ in objective.terms) == sorted([15, 20, 10, 30] * 2)
