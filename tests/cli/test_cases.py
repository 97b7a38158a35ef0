"""Every command of `tests/cli/verbs` exits, prints and writes as its case says.

`pytest -n0 tests/cli/test_cases.py --update` writes the cases anew from what the program does; read what changed.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from tests.cli.cases import agrees, describe, files_in, parse, place_files, read_cases, run_command, write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.cases import Case
    from tests.cli.program import Run

pytestmark = pytest.mark.skipif(not find_spec("cpfill.engines.mac._kernel"), reason="cases name the kernel's engine")

CASES = read_cases()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case, run: Run, directory: Path, request: pytest.FixtureRequest) -> None:
    place_files(case, directory)
    told, done = [], []
    for command in case.commands:
        before = files_in(directory)
        lines = describe(run_command(run, command, directory), before, files_in(directory))
        told.append(command.told)
        done.append(command.told if agrees(command.told, lines) else lines)
    if done != told and request.config.option.update:
        rewrite(case, done)
    else:
        assert done == told


def test_a_refusal_is_short_and_writes_nothing() -> None:
    """But `check` prints right fills before it refuses another, and `batch` a record for each job."""
    commands = [command for case in CASES for command in case.commands if "? 2" in command.told]
    refused = [command.told[1:] for command in commands if not command.line.startswith(("$ check", "$ batch"))]
    assert len(refused) > 200
    for said in refused:
        assert said
        assert all(line.startswith("! cpfill: ") for line in said)
        assert max(map(len, said)) < 400


def rewrite(case: Case, done: list[list[str]]) -> None:
    cases = parse(case.path)
    for other in cases:
        if other.name == case.name:
            for command, lines in zip(other.commands, done, strict=True):
                command.told = lines
    write(case.path, cases)
