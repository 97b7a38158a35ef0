"""Forged claims: valid ones changed in a file or a field, with formulas, lemmas and hashes made anew to suit.

What is accepted is held against a brute force, which reads the files on its own: plain letters, or not at all.
"""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser
from dataclasses import replace
from io import BytesIO
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.errors import InputError
from cpfill.problem.problem import Objective
from cpfill.problem.result import Deadline
from cpfill.proofs.checkers import ProofVerdict, find_checkers
from cpfill.proofs.fill_to_cnf import Formula
from cpfill.proofs.verify import verify_folder
from tests.fuzz.conftest import campaign  # noqa: F401 - a fixture
from tests.proofs.models import arguments, read_dimacs, refute
from tests.proofs.written import changing, describe, write
from tests.support import question
from tests.tables import read_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.fuzz.campaign import Campaign
    from tests.support import Question

ASKED = question("...", ".[ABD].", words={"AB": 1, "CD": 2, "EF": 3, "CB": 9, "ACE": 5, "BDF": 6, "BDX": 7})
NONE = question("...", "...", "...", words="ACB BAD BBB BCB CAC CBB CBC CCC DBC DBD DCD DDB")
RULED = replace(ASKED, min_score=1.0, max_obscure=1, below=2.0, no_shared=True)
CASES = "1-Across=ACB\n1-Down!=.B. 3-Down=CBC\n"
FILL = "ACE\nBDF\n"
VALID: dict[str, Callable[[Path], Path]] = {
    "no fill": lambda folder: write(folder, NONE, "no fill", []),
    "no fill, in parts": lambda folder: write(
        folder, NONE, "no fill", *(["--cases", "cases.txt", "--part", f"{part}/3"] for part in (1, 2, 3)), cases=CASES
    ),
    "no better fill": lambda folder: write(folder, ASKED, "no better fill", ["--above", "1"], fill=FILL, value=1),
    "no better fill by rules": lambda folder: write(
        folder, RULED, "no better fill", ["--above", "1"], fill=FILL, value=1
    ),
    "no other fill": lambda folder: write(folder, ASKED, "no other fill", ["--blocked", "fill.txt"], fill=FILL),
}
FORGERIES: dict[str, Any] = read_table("proofs/forgeries.json")
LOOK_ALIKES: dict[str, str] = FORGERIES["alike"]
NUMBERS: dict[str, list[str]] = FORGERIES["numbers"]
SIGNS: list[str] = FORGERIES["signs"]
RULES: list[list[str]] = FORGERIES["rules"]
TRIES = 24


def change_text(text: str, chance: Random) -> str:
    """Return a text with one sign as it could look, or another one."""
    if not text or chance.random() < 0.2:
        lines = text.splitlines(keepends=True)
        chance.shuffle(lines)
        return "".join(lines[1:] if chance.random() < 0.7 else lines)
    at = chance.randrange(len(text))
    alike = [*LOOK_ALIKES.get(text[at], ""), *NUMBERS.get(text[at], ()), text[at] + "\u0308", text[at].lower()]
    sign: str = chance.choice(alike if chance.random() < 0.6 else [*SIGNS, ""])
    return text[:at] + sign + text[at + 1 :]


def change_claim(claim: dict[str, Any], chance: Random) -> None:
    """Change what a claim says, or how it is shown."""
    steps = claim["steps"]
    match chance.randrange(7):
        case 0:
            claim["rules"] = claim["rules"] + chance.choice(RULES)
        case 1 if steps:
            step = chance.choice(steps)
            step["arguments"] = step["arguments"] + chance.choice(RULES)
        case 2:
            more = chance.choice(RULES)
            claim["rules"] = claim["rules"] + more
            for step in steps:
                step["arguments"] = step["arguments"] + more
        case 3 if steps:
            steps.remove(chance.choice(steps))
        case 4:
            claim["claim"] = chance.choice(["no fill", "no better fill", "no other fill"])
        case 5:
            claim["alphabet"] = chance.choice(["ABCDEFX", "ABCDEFGHIJKLMNOPQRSTUVWXYZÄ", "ABCDEF", "AÄBCDEFX\u212a"])
        case _:
            key, value = chance.choice([("objective", "leximin"), ("levels", [2]), ("fill", None), ("value", 0.5)])
            if key == "value":
                claim["fill"] = {**(claim["fill"] or {}), "value": value}
            else:
                claim[key] = value


def forge(folder: Path, chance: Random) -> None:
    """Change a valid claim, and make anew all that shows it."""
    with changing(folder) as claim:
        for _ in range(chance.choice([1, 1, 2])):
            if chance.random() < 0.6:
                path = folder / chance.choice(["grid.txt", "words.tsv", "words.tsv", "fill.txt", "cases.txt"])
                path.write_text(change_text(path.read_text(), chance))
            else:
                change_claim(claim, chance)
        if chance.random() < 0.5:  # the same sign, wherever it stands
            letter = chance.choice([*LOOK_ALIKES])
            names = chance.choice([["grid.txt"], ["words.tsv"], ["grid.txt", "words.tsv", "fill.txt", "cases.txt"]])
            for path in map(folder.joinpath, names):
                path.write_text(path.read_text().replace(letter, LOOK_ALIKES[letter][0]))
        for key in ("grid", "words", "fill"):
            if claim[key]:
                claim[key] |= describe(folder, f"{key}.{'tsv' if key == 'words' else 'txt'}")
        for step in claim["steps"]:
            remake(folder, step)


def remake(folder: Path, step: dict[str, Any]) -> None:
    """Write the formula of a step, as the script has it, and a refutation if there is one."""
    try:
        grid, words = ((folder / name).read_text() for name in ("grid.txt", "words.tsv"))
        formula, stream = Formula.read(grid, words, step["arguments"], folder), BytesIO()
        formula.write(stream)
        (folder / step["formula"]).write_bytes(stream.getvalue())
        lemmas = list(refute(read_dimacs(stream.getvalue().decode()), sorted(formula.word_variable.values())))
    except ValueError:  # it is refused, or there are no cases
        return
    except AssertionError:
        lemmas = [[]]
    (folder / step["proof"]).write_text("".join(f"{' '.join(map(str, [*each, 0]))}\n" for each in lemmas))
    for kind in ("formula", "proof"):
        step[f"{kind}_sha256"] = describe(folder, step[kind])["sha256"]
    if "cases" in step:
        step["cases"] = describe(folder, "cases.txt")


def read_plainly(folder: Path, claim: dict[str, Any]) -> Question | None:
    """Return what a claim is about, if it is written in plain letters and numbers; it owes nothing to cpfill."""
    grid, words = ((folder / name).read_text(encoding="utf-8") for name in ("grid.txt", "words.tsv"))
    letters = re.escape(claim["alphabet"])
    row = rf"(?:[#.{letters}]|\[[{letters}]+\]|\([{letters}]+\))+\n"
    if not (
        re.fullmatch(f"(?:{row})+", grid) and re.fullmatch(rf"(?:[{letters}]+\t[0-9.]+(?:\t\S+(?: \S+)*)?\n)*", words)
    ):
        return None
    parser = ArgumentParser(allow_abbrev=False)
    for name, kind in (("--min-length", int), ("--min-score", float), ("--at-most", int)):
        parser.add_argument(name, type=kind, default=None)
    parser.add_argument("--under", type=float, default=0.0)
    parser.add_argument("--repeats", action="store_true")
    parser.add_argument("--no-shared", action="store_true")
    parser.add_argument("--required", nargs="+", default=[])
    parser.add_argument("--open", nargs="+", default=[])
    rules = vars(parser.parse_args(claim["rules"]))
    if rules.pop("open") or "(" in grid:
        return None
    cells = tuple(
        tuple({"#": "", ".": claim["alphabet"]}.get(sign, sign.strip("[]")) for sign in re.findall(r"\[.*?\]|.", line))
        for line in grid.splitlines()
    )
    listed = [line.split("\t") for line in words.splitlines()]
    scores = {word: float(score) for word, score, *_ in listed}
    asked = replace(
        NONE,
        cells=cells,
        words=scores,
        alphabet=claim["alphabet"],
        min_slot_length=rules.pop("min_length") or 2,
        min_score=rules.pop("min_score") or 0.0,
        required=frozenset(rules.pop("required")),
        max_obscure=rules.pop("at_most"),
        below=rules.pop("under"),
        **rules,
    )
    vars(asked)["marks"] = {word: frozenset(" ".join(marks).split()) for word, _, *marks in listed}
    return asked


def is_true(folder: Path, claim: dict[str, Any], asked: Question) -> bool:
    """Return whether what is claimed is so."""
    if claim["claim"] == "no fill":
        return not asked.answer.fills
    told = {tuple(fill.split()) for fill in re.split("\n\n", (folder / "fill.txt").read_text())}
    if claim["claim"] == "no other fill":
        return told == set(asked.answer.fills)
    answer = asked.answer_to(Objective(claim["objective"]))
    value = claim["fill"]["value"]
    return told <= set(answer.fills) and answer.best == tuple(value if isinstance(value, list) else [value])


def findings(folder: Path) -> Iterator[ProofVerdict]:
    try:
        yield from (finding.verdict for finding in verify_folder(folder, Deadline(60)))
    except InputError:
        yield ProofVerdict.REFUSED


@pytest.mark.long
@pytest.mark.skipif(not find_checkers(), reason="no checker is installed")
@pytest.mark.parametrize("name", VALID)
def test_no_forged_claim_is_accepted_that_is_false(name: str, campaign: Campaign, tmp_path: Path) -> None:  # noqa: F811
    chance, accepted, number = Random(f"{name} {campaign.seed}"), 0, 0
    for number in campaign.rounds(TRIES):
        folder = tmp_path / str(number)
        folder.mkdir()
        VALID[name](folder)
        if number:  # the first is left as it is, and accepted
            forge(folder, chance)
        found = set(findings(folder))
        if ProofVerdict.CHECKED not in found or found & {ProofVerdict.REFUSED, ProofVerdict.NOT_CHECKED}:
            continue
        claim = json.loads((folder / "claim.json").read_text())
        asked = read_plainly(folder, claim)
        assert asked is not None or "(" in (folder / "grid.txt").read_text() or "--open" in claim["rules"], folder
        assert asked is None or is_true(folder, claim, asked), folder
        accepted += 1
    assert accepted
    print(f"{name}: {number + 1} claims, {accepted} of them accepted and true")


@pytest.mark.parametrize(
    ("letter", "alike"), [("A", "Ä"), ("A", "\uff21"), ("A", "A\u0308"), ("A", "\u0410"), ("K", "\u212a")]
)
def test_a_letter_that_only_cpfill_reads_is_refused(letter: str, alike: str, tmp_path: Path) -> None:
    """The script has no word with it and refutes its formula at once; cpfill may fold it onto one that words have."""
    asked = question(f"{letter}..", "...", words={f"{letter}B": 1, "CD": 2, "EF": 3, f"{letter}CE": 5, "BDF": 6})
    assert asked.answer.fills
    forged = replace(asked, words={word: score for word, score in asked.words.items() if word[0] != letter})
    write(tmp_path, forged, "no fill", [])
    (tmp_path / "grid.txt").write_text(f"{alike}..\n...\n")
    words = "".join(f"{word}\t{score!r}\n" for word, score in sorted(asked.words.items()))
    (tmp_path / "words.tsv").write_text(words)
    with changing(tmp_path) as claim:
        claim["grid"] |= describe(tmp_path, "grid.txt")
        claim["words"] |= describe(tmp_path, "words.tsv")
        remake(tmp_path, claim["steps"][0])
    assert ProofVerdict.REFUSED in set(findings(tmp_path))


@pytest.mark.parametrize("number", ["1.00000000000000001", "0.99999999999999999999"])
def test_a_number_that_cpfill_would_round_is_refused(number: str, tmp_path: Path) -> None:
    asked = question("..", "..", words={"AB": 1, "CD": 1, "AC": 1, "BD": 1})
    write(tmp_path, asked, "no fill", ["--min-score", "2"])
    with changing(tmp_path) as claim:
        claim["rules"] = [*arguments(asked), "--min-score", number]
        claim["steps"][0]["arguments"] = claim["rules"]
        remake(tmp_path, claim["steps"][0])
    assert ProofVerdict.REFUSED in set(findings(tmp_path))
