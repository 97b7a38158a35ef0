"""What a shell offers to type next, and how it learns to ask."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from typing import TYPE_CHECKING

import pytest

from cpfill.cli.app import VERBS
from tests.cli.program import COMMAND, environment, program

if TYPE_CHECKING:
    from pathlib import Path

CALL = "import sys; sys.argv[0] = 'cpfill'; from cpfill.cli import main; main()"


def offered(words: str) -> set[str]:
    """Return what bash is offered for the last of some words."""
    env = {
        **environment(),
        "_CPFILL_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
    }
    done = subprocess.run([COMMAND[0], "-c", CALL], env=env, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return set(done.stdout.split())


def test_every_verb_is_offered() -> None:
    assert set(VERBS) <= offered("cpfill ")
    assert offered("cpfill conv") == {"convert"}


@pytest.mark.parametrize("verb", ["solve", "count", "words ban"])
def test_the_options_of_the_help_are_offered(verb: str) -> None:
    shown = set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", program(*verb.split(), "--help").out, flags=re.MULTILINE))
    assert shown
    assert shown - {"--help"} <= offered(f"cpfill {verb} --")


def test_a_shell_learns_to_ask(tmp_path: Path) -> None:
    inner = shlex.join([COMMAND[0], "-c", CALL, "--install-completion"])
    env = {**environment(), "HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    done = subprocess.run(["bash", "-c", f"{inner}; :"], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "completion for bash is in" in done.stdout, done.stderr
    assert "_CPFILL_COMPLETE" in "".join(path.read_text("utf-8") for path in tmp_path.rglob("*.sh"))
