"""Proofs verified: right ones are, each kind of damage is found, and nothing is called checked that was not."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.alphabet import LATIN
from cpfill.base.errors import InputError
from cpfill.problem.problem import Objective
from cpfill.problem.result import Deadline
from cpfill.proofs import checkers, fill_to_cnf
from cpfill.proofs.checkers import ProofVerdict
from cpfill.proofs.claim import find_gap, hash_source, read_claim
from cpfill.proofs.fill_to_cnf import Formula
from cpfill.proofs.read_inputs import find_slots, read_rows
from cpfill.proofs.verify import verify_folder
from tests.cli.program import SQUARE, THREE
from tests.fuzz.ceilings import ceilings
from tests.proofs.models import arguments, grid_text, words_text
from tests.proofs.written import changing, describe, write
from tests.support import INSTANCES, question
from tests.tables import cases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.cli.program import Run

CHECKERS = [name for name in (checkers.DRAT_TRIM, checkers.DRATIFY) if name in checkers.find_checkers()]


def verdicts(folder: Path, deadline: Deadline | None = None) -> dict[ProofVerdict, str]:
    """Return what is found, joined by verdict, save which checkers are not installed."""
    found: dict[ProofVerdict, str] = {}
    for finding in verify_folder(folder, deadline or Deadline(60)):
        if finding.verdict is ProofVerdict.NOT_RUN:
            assert finding.text.endswith("cake_lpr: not installed")
            continue
        found[finding.verdict] = f"{found.get(finding.verdict, '')}{finding.text}\n"
    return found


HARD = question("...", "...", "...", words="ACB BAD BBB BCB CAC CBB CBC CCC DBC DBD DCD DDB")
"""Without a fill, which takes 47 lemmas."""
QUESTIONS = {
    "hard": HARD,
    "scored": replace(HARD, min_score=10.0),
    "over 60": replace(HARD, min_score=60.0),
    "few": question("...", "...", words={"AB": 1, "CD": 2, "EF": 3, "CB": 9, "ACE": 5, "BDF": 6, "BDX": 7}),
    "apart": question("..#", "##.", words="AB CD"),
    "leximin": question(
        "..", "..", words={"AB": 1, "CD": 4, "AC": 3, "BD": 3, "AD": 1, "CB": 2, "DB": 2, "BA": 2}, repeats=True
    ),
}
PARTS = [["--cases", "cases.txt", "--part", f"{number}/3"] for number in (1, 2, 3)]
CASES = "1-Across=ACB\n1-Down!=.B. 3-Down=CBC\n"
table = partial(cases, "proofs/cases.json")


@pytest.fixture(params=CHECKERS)
def checker(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Have one checker at a time."""
    name: str = request.param
    monkeypatch.setattr(checkers, "find_checkers", lambda: [name])
    return name


@table("verified")
def test_claims_are_checked_or_refused(case: dict[str, Any], tmp_path: Path) -> None:
    found = verdicts(write_claim(tmp_path, **case))
    if "refused" in case:
        assert case["refused"] in found[ProofVerdict.REFUSED]
    else:
        assert set(found) == {ProofVerdict.CHECKED, ProofVerdict.TRUSTED}
        assert case.get("checked", "") in found[ProofVerdict.CHECKED]
        assert "not compared: a.txt is neither a file" in found[ProofVerdict.TRUSTED]


def write_claim(folder: Path, *, asked: str, claim: str, steps: Sequence[str], **more: Any) -> Path:
    """Write the claim of a case; with `levels`, the best fill by leximin is claimed to be the best."""
    more.pop("refused", None)
    more.pop("checked", None)
    posed = QUESTIONS[asked]
    if "levels" in more:
        answer = replace(posed, levels=tuple(more["levels"])).answer_to(Objective.LEXIMIN)
        fill = min(answer.best_fills)
        more |= {"fill": "".join(f"{row}\n" for row in fill), "value": answer.best, "objective": "leximin"}
    return write(folder, posed, claim, *(step.split() for step in steps), **more)


def write_parts(folder: Path) -> Path:
    return write(folder, HARD, "no fill", *PARTS, cases=CASES)


def test_parts_are_checked_side_by_side_and_told_in_order(tmp_path: Path) -> None:
    folder = write_parts(tmp_path)
    alone, together = (
        [re.sub(r"[0-9.]+ s\b", "", f"{one}") for one in verify_folder(folder, Deadline(60), n)] for n in (1, 3)
    )
    assert alone == together
    assert sum("regenerated, it is identical" in one for one in alone) == 3


def test_what_checks_is_ended_with_the_verification(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And no other is begun."""
    folder = write_parts(tmp_path)
    begun = tmp_path / "begun"
    begun.mkdir()
    script = tmp_path / "script.py"
    script.write_text(f"import os, time\nopen({str(begun)!r} + f'/{{os.getpid()}}', 'w')\ntime.sleep(600)\n")
    monkeypatch.setattr(fill_to_cnf, "__file__", str(script))
    going = verify_folder(folder, Deadline(60), 2)
    next(going)
    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(next, going)
        while len(list(begun.iterdir())) < 2:
            time.sleep(0.02)
        assert not waiting.done()
        monkeypatch.setattr("cpfill.problem.result.Deadline.passed", True)
        assert "the time ran out" in waiting.result(60).text
    going.close()
    assert len(list(begun.iterdir())) == 2
    for each in begun.iterdir():
        with pytest.raises(ProcessLookupError):
            os.kill(int(each.name), 0)


def test_parts_by_other_cases_are_refused(tmp_path: Path) -> None:
    """With the case of 1-Across=ACB missing, the two that are left are not all the fills."""
    folder = write_parts(tmp_path)

    def refused(cases: str) -> str:
        (folder / "cases.txt").write_text(cases)
        assert "cases.txt: it does not match the claim" in verdicts(folder)[ProofVerdict.REFUSED]
        with changing(folder) as claim:
            for step in claim["steps"]:
                step["cases"] = describe(folder, "cases.txt")
        return verdicts(folder)[ProofVerdict.REFUSED]

    few = refused(CASES.split("\n", maxsplit=1)[0] + "\n")
    assert few.count("--part: expected one of 2, got one of 3") == len(PARTS)
    assert "formula-1.cnf: regenerated, it is a different formula" in refused("1-Across=BAD\n1-Down=ACB\n")


def reseal(folder: Path, **files: str) -> None:
    """Write files anew, a byte for each letter, and into the claim that they are so."""
    with changing(folder) as claim:
        (step,) = claim["steps"]
        for kind, text in files.items():
            (folder / step[kind]).write_bytes(text.encode("latin-1"))
            step[f"{kind}_sha256"] = describe(folder, step[kind])["sha256"]


def test_no_proof_is_accepted_of_what_is_not_so(tmp_path: Path, checker: str) -> None:
    """The formula has a model, and the lemmas are those of another one, whole or in part."""
    lemmas = (write(tmp_path, HARD, "no fill", []) / "proof-1.drat").read_text().splitlines(keepends=True)
    feasible = replace(HARD, words={**HARD.words, "DDD": 50.0}, repeats=True)
    assert feasible.answer.fills
    formula = Formula.read(grid_text(feasible), words_text(feasible), arguments(feasible))
    stream = BytesIO()
    formula.write(stream)
    for some in (lemmas, lemmas[::2], lemmas[-1:], []):
        (tmp_path / "feasible.cnf").write_bytes(stream.getvalue())
        (tmp_path / "feasible.drat").write_text("".join(some))
        (reply,) = checkers.check_proof(tmp_path / "feasible.cnf", tmp_path / "feasible.drat", Deadline(60))
        assert (reply.checker, reply.verdict is ProofVerdict.CHECKED) == (checker, False)


def test_a_proof_with_many_lemmas_missing_is_refused(tmp_path: Path, checker: str) -> None:
    folder = write(tmp_path, HARD, "no fill", [])
    lemmas = (folder / "proof-1.drat").read_text().splitlines(keepends=True)
    reseal(folder, proof="".join(lemmas[-1:]))
    found = verdicts(folder)
    assert f"proof-1.drat: refused by {checker}" in found[ProofVerdict.REFUSED]


@pytest.mark.parametrize("text", ["\0", "a\x02\x04\0", "\xff\xfe\n", "one 0\n", "1 2", "- 0\n", "1 " * (1 << 20)])
def test_what_is_no_lemma_is_shown_to_no_checker(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`drat-trim` reads some of these for ever."""
    folder = write(tmp_path, HARD, "no fill", [])
    reseal(folder, proof=f"-1 0\nd -1 0\n{text}")
    monkeypatch.setattr(checkers, "find_checkers", lambda: pytest.fail("a checker is looked for"))
    monkeypatch.setattr("cpfill.proofs.verify.list_missing", list)
    found = verdicts(folder)[ProofVerdict.REFUSED]
    assert found.startswith("proof-1.drat, line 3: expected a lemma such as '-1 2 0', found ")
    assert len(found) < 160


def test_another_formula_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path, HARD, "no fill", [])
    formula = (folder / "formula-1.cnf").read_text().splitlines(keepends=True)
    header = formula[0].split()
    more = f"p cnf {header[2]} {int(header[3]) + 1}\n"
    reseal(folder, formula="".join([more, *formula[1:], "-1 0\n"]))
    found = verdicts(folder)
    assert found[ProofVerdict.REFUSED] == "formula-1.cnf: regenerated, it is a different formula\n"
    assert "proof-1.drat" not in found[ProofVerdict.CHECKED]


def test_a_formula_that_cannot_be_made_anew_is_not_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path, HARD, "no fill", [])
    (tmp_path / "full.py").write_text("import sys\nsys.exit('[Errno 28] No space left on device')\n")
    monkeypatch.setattr(fill_to_cnf, "__file__", str(tmp_path / "full.py"))
    found = verdicts(folder)
    assert found[ProofVerdict.NOT_CHECKED] == "formula-1.cnf: [Errno 28] No space left on device\n"
    assert ProofVerdict.REFUSED not in found


def test_a_claim_of_other_inputs_is_refused(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "other")]
    for folder, asked in zip(folders, (HARD, replace(HARD, min_score=60.0)), strict=True):
        folder.mkdir()
        write(folder, asked, "no fill", [])
    shutil.copy(folders[1] / "claim.json", folders[0])
    found = verdicts(folders[0])
    assert set(found) == {ProofVerdict.REFUSED}
    assert "formula-1.cnf: it does not match the claim" in found[ProofVerdict.REFUSED]


@table("unread")
def test_what_the_script_does_not_read_is_refused(case: dict[str, Any], proof: Path) -> None:
    name = case["name"]
    (proof / name).write_text(case["text"])
    with changing(proof) as claim:
        claim[name.partition(".")[0]] |= describe(proof, name)
    found = verdicts(proof)[ProofVerdict.REFUSED]
    assert case["says"] in found
    assert "grid.txt and words.tsv, read by cpfill" in found


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    return write(tmp_path, question("...", "...", words="AB CD ACE BDF BDX"), "no fill", [])


@pytest.mark.parametrize("name", ["grid.txt", "words.tsv", "formula-1.cnf", "proof-1.drat"])
def test_files_that_changed_are_refused(name: str, proof: Path) -> None:
    with (proof / name).open("r+b") as file:
        file.truncate(3)
    (finding,) = verify_folder(proof, Deadline(60))
    assert str(finding).startswith(f"refused: {name}: it does not match the claim")
    (proof / name).unlink()
    (finding,) = verify_folder(proof, Deadline(60))
    assert str(finding) == f"refused: {name}: expected a file, found none"
    (proof / name).symlink_to("/dev/zero")
    (finding,) = verify_folder(proof, Deadline(60))
    assert str(finding) == f"refused: {name}: expected a file, found a link"


@table("bad claims")
def test_bad_claims_get_one_line(case: dict[str, Any], proof: Path) -> None:
    with changing(proof) as claim:
        claim[case["key"]] = case["value"]
        if "times" in case:
            claim[case["key"]] *= case["times"]
    with pytest.raises(InputError, match=f"^{re.escape(str(proof))}.*{re.escape(case['says'])}[^\n]{{,250}}$"):
        list(verify_folder(proof, Deadline(60)))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--blocked", "../x"], "the plain name of a file"),
        (["other.txt"], "arguments of fill_to_cnf.py"),
        (["--blocked", "other.txt"], "no formula excludes every fill"),
    ],
)
def test_arguments_name_no_other_file(arguments: list[str], says: str, proof: Path) -> None:
    with changing(proof) as claim:
        claim["steps"][0]["arguments"] = arguments
    (proof / "other.txt").write_text("ACE\nBDF\n")
    try:
        said = verdicts(proof)[ProofVerdict.REFUSED]
    except InputError as error:
        said = str(error)
    assert says in said


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 100_000, "\0", '{"a": ' + "1" * 5000 + "}", "x" * (5 << 20)])
def test_what_is_no_claim_gets_one_line(text: str, tmp_path: Path) -> None:
    (tmp_path / "claim.json").write_text(text)
    with pytest.raises(InputError, match=r"^[^\n]*claim.json[^\n]*$"):
        list(verify_folder(tmp_path, Deadline(60)))


def test_a_proof_not_written_to_its_end_has_no_claim(proof: Path, run: Run) -> None:
    (proof / "claim.json").unlink()
    done = run("verify", proof)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "without one the proof was not written to its end" in done.err


def test_nothing_is_checked_without_a_checker(proof: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkers, "find_checkers", list)
    done = run("verify", proof, "--json")
    (left,) = [each["text"] for each in map(json.loads, done.out.splitlines()) if each["verdict"] == "not checked"]
    assert left.startswith("proof-1.drat: not answered by any checker (no checker is installed")
    assert done.code == 124


def test_nothing_is_checked_without_time(proof: Path, run: Run) -> None:
    done = run("verify", proof, "-t", "1ms")
    assert (done.code, "refused" in done.out) == (124, False)
    assert "not checked" in done.out


def test_a_claim_is_not_read_to_its_end_without_time(proof: Path) -> None:
    (finding,) = verify_folder(proof, Deadline(0))
    assert f"{finding}" == "not checked: claim.json: time limit reached"


@pytest.mark.parametrize(
    ("meanwhile", "left"),
    [
        (
            "run_program",
            ["formula-1.cnf: the time ran out before it was regenerated", "claim.json: time limit reached"],
        ),
        ("find_gap", ["proof-1.drat: time limit reached"]),
    ],
)
def test_nothing_is_read_when_the_time_is_over(
    meanwhile: str, left: list[str], proof: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends while the formula is made anew, or while the formulas are held against the claim."""
    passed: list[None] = []
    monkeypatch.setattr("cpfill.proofs.verify._TURN", 1)
    monkeypatch.setattr(Deadline, "passed", property(lambda _: bool(passed)))
    monkeypatch.setattr(f"cpfill.proofs.verify.{meanwhile}", lambda *_, **__: passed.append(None))
    found = [
        finding.text for finding in verify_folder(proof, Deadline(None)) if finding.verdict is ProofVerdict.NOT_CHECKED
    ]
    assert found == left


def test_more_arguments_than_a_program_may_have_are_not_checked(proof: Path) -> None:
    with changing(proof) as claim:
        claim["steps"][0]["arguments"] = ["--slots", *["1-Across"] * 300_000]
    assert verdicts(proof)[ProofVerdict.NOT_CHECKED].startswith(
        "formula-1.cnf: it cannot be regenerated: argument list"
    )


def test_the_ways_to_be_better_take_no_longer_than_there_is_time(proof: Path) -> None:
    with pytest.raises(TimeoutError):
        find_gap(read_claim(proof, Deadline(None)), [1.0], Deadline(0))


def test_slots_opened_many_times_take_no_longer() -> None:
    (grid,) = read_rows(f"{'..#' * 85}\n" * 200, "grid")
    with ceilings():
        assert "1-Across" not in {slot.name for slot in find_slots(grid, 2, ["1-Across"] * 300_000)}


def test_sources_are_compared_where_they_are_as_they_were(proof: Path) -> None:
    sources = {"a.grid.txt": "...\n...\n", "a.words.txt": "ab\ncd\nace\nbdf\nb-d-x\nabcdefgh\n"}
    for name, text in sources.items():
        (proof / name).write_text(text)
    grid, words = (str(proof / name) for name in sources)
    with changing(proof) as claim:
        claim["grid"] |= {"source": grid, "source_sha256": hash_source(grid)}
        claim["words"]["lists"] = [{"source": words, "sha256": hash_source(words)}]
        claim["alphabet"] = LATIN
    assert verdicts(proof)[ProofVerdict.CHECKED].count("read again\n") == 2
    (proof / "a.words.txt").write_text("ab\n")
    assert f"not compared: {words} is missing or has changed" in verdicts(proof)[ProofVerdict.TRUSTED]
    with changing(proof) as claim:
        claim["words"]["lists"] = [{"source": words, "sha256": hash_source(words)}]
    assert (
        "words.tsv has the words of its lists, read with options that the claim"
        in verdicts(proof)[ProofVerdict.TRUSTED]
    )


FAKE = """#!{python}
import sys
{body}
"""


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ("print('c a line', end='\\r'); print('s VERIFIED')", ProofVerdict.CHECKED),
        ("print('s VERIFIED'); sys.exit(1)", ProofVerdict.NOT_CHECKED),
        ("print('c MEMOUT')", ProofVerdict.NOT_CHECKED),
        ("print('not s VERIFIED')", ProofVerdict.NOT_CHECKED),
        ("print('s NOT VERIFIED'); sys.exit(1)", ProofVerdict.REFUSED),
        ("import time; print('s VERIFIED', flush=True); time.sleep(60)", ProofVerdict.NOT_CHECKED),
    ],
)
def test_only_what_a_checker_says_in_so_many_words_accepts(
    body: str, answer: ProofVerdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (checkers.DRAT_TRIM, checkers.CAKE_LPR):
        said = body if name == checkers.DRAT_TRIM else "print('s VERIFIED UNSAT')"
        (tmp_path / name).write_text(FAKE.format(python=sys.executable, body=said))
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    replies = list(checkers.check_proof(tmp_path / "a.cnf", tmp_path / "a.drat", Deadline(3)))
    both = answer is ProofVerdict.CHECKED
    assert [(reply.checker, reply.verdict) for reply in replies] == [
        (checkers.DRAT_TRIM, answer),
        *[(checkers.CAKE_LPR, answer)] * both,
    ]


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (["--objective", "min"], "no better fill (min)"),
        (["--objective", "leximin"], "no better fill (leximin)"),
        (["--objective", "leximin", "--levels", "40,60"], "no better fill by these levels"),
        (["--all", "--repeats"], "no other fill"),
        (["--min-score", "99"], "no fill"),
        (["--max-obscure", "2", "--below", "40", "--objective", "min"], "no better fill (min)"),
        (["--letter-counts", "A<=2"], "no fill"),
        (["--letter-counts", "S<=1,E>=2", "--objective", "min"], "no better fill (min)"),
        (["--tie", "diagonal", "--repeats", "--objective", "min"], "no better fill (min)"),
        (["--objective", "letter-values"], "no better fill (letter-values)"),
    ],
)
def test_what_solve_writes_is_verified(asked: list[str], says: str, run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "proof"
    assert run("solve", SQUARE, "-w", THREE, "-e", "mac", *asked, "--proof", folder).code in {0, 20}
    done = run("verify", folder)
    assert f"checked: the formulas together say: {says} of grid.txt from words.tsv" in done.out
    assert f"checked: grid.txt is the grid of {SQUARE}" in done.out
    assert f"checked: words.tsv has the words of its lists: {THREE}" in done.out
    assert done.code == (0 if CHECKERS else 124)


@pytest.mark.skipif(checkers.DRAT_TRIM not in CHECKERS, reason="drat-trim is not installed")
def test_the_commands_of_a_claim_check_it(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "proof"
    run("solve", SQUARE, "-w", THREE, "--objective", "min", "--proof", folder)
    for name in ("read_inputs.py", "counters.py", "fill_to_cnf.py"):
        shutil.copy(Path(fill_to_cnf.__file__).with_name(name), folder)
    for command in json.loads((folder / "claim.json").read_text())["commands"]:
        subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, capture_output=True, check=True)


@pytest.mark.parametrize("checker", [checkers.DRATIFY, checkers.DRAT_TRIM])
def test_an_optimum_is_certified_from_end_to_end(
    checker: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if checker not in checkers.find_checkers():
        pytest.skip(f"{checker} is not installed")
    monkeypatch.setattr(checkers, "find_checkers", lambda: [checker])
    certify(run, tmp_path / "proof", "squares/4x4.txt", 58, "--min-score", "50")


@pytest.mark.skipif(checkers.DRAT_TRIM not in checkers.find_checkers(), reason="drat-trim is not installed")
@pytest.mark.parametrize(("grid", "best"), [("assignment/B.txt", 49), ("classic/15.05.txt", 37)])
def test_the_best_minimum_score_is_certified(grid: str, best: int, run: Run, tmp_path: Path) -> None:
    certify(run, tmp_path / "proof", grid, best, "-e", "mac")


def certify(run: Run, folder: Path, grid: str, best: int, *more: str) -> None:
    asked = [INSTANCES / grid, "-w", "en-words", "--objective", "min", *more]
    assert run("solve", *asked, "--proof", folder).code == 0
    done = run("verify", folder)
    assert f"checked: fill.txt: it is a fill, minimum score {best}\n" in done.out
    assert "checked: proof.drat: accepted by " in done.out
    assert done.code == 0
