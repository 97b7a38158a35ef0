"""Directories with proofs as cpfill writes them; the lemmas are found by trying, and owe nothing to a kernel."""

from __future__ import annotations

import hashlib
import json
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Any

from cpfill.proofs.fill_to_cnf import Formula
from tests.proofs.models import arguments, grid_text, read_dimacs, refute, words_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tests.support import Question


def describe(folder: Path, name: str) -> dict[str, str]:
    return {"file": name, "sha256": hashlib.sha256((folder / name).read_bytes()).hexdigest()}


@contextmanager
def changing(folder: Path) -> Iterator[dict[str, Any]]:
    """Lend the claim of a folder, and write it again."""
    claim: dict[str, Any] = json.loads((folder / "claim.json").read_text())
    yield claim
    (folder / "claim.json").write_text(json.dumps(claim))


def write(
    folder: Path,
    asked: Question,
    claim: str,
    *steps: Sequence[str],
    fill: str = "",
    cases: str = "",
    **more: Any,
) -> Path:
    """Write a proof as cpfill does, the lemmas found by trying; `steps` are arguments beside the rules."""
    grid, words, rules = grid_text(asked), words_text(asked), arguments(asked)
    for name, text in {"grid.txt": grid, "words.tsv": words, "fill.txt": fill, "cases.txt": cases}.items():
        (folder / name).write_text(text)
    records: list[dict[str, Any]] = []
    for number, step in enumerate(steps, start=1):
        formula = Formula.read(grid, words, [*rules, *step], folder)
        stream = BytesIO()
        formula.write(stream)
        (folder / f"formula-{number}.cnf").write_bytes(stream.getvalue())
        lemmas = list(refute(read_dimacs(stream.getvalue().decode()), sorted(formula.word_variable.values())))
        (folder / f"proof-{number}.drat").write_text("".join(f"{' '.join(map(str, [*each, 0]))}\n" for each in lemmas))
        records.append({"arguments": [*rules, *step], "lemmas": len(lemmas)})
        if "--cases" in step:
            records[-1]["cases"] = describe(folder, "cases.txt")
        for kind, name in (("formula", f"formula-{number}.cnf"), ("proof", f"proof-{number}.drat")):
            records[-1] |= {kind: name, f"{kind}_sha256": describe(folder, name)["sha256"]}
    record: dict[str, Any] = {
        "cpfill": "0.1.0",
        "claim": claim,
        "alphabet": asked.alphabet,
        "rules": rules,
        "objective": "min",
        "levels": [],
        "grid": {**describe(folder, "grid.txt"), "source": "a.txt"},
        "words": {**describe(folder, "words.tsv"), "lists": [{"source": "en"}]},
        "fill": None,
        "steps": records,
    }
    if fill:
        record["fill"] = describe(folder, "fill.txt")
    value = more.pop("value", None)
    if value is not None:
        record["fill"]["value"] = value
    (folder / "claim.json").write_text(json.dumps({**record, **more}))
    return folder
