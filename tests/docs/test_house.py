"""The plan of the house is that of the tree: the way of a solve, and the places for something new."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import fields
from functools import cache
from importlib.util import find_spec

import pytest

from cpfill.cli.app import VERBS
from cpfill.engines import ENGINES
from cpfill.formats.dialects import DIALECTS
from cpfill.formats.registry import FORMATS
from cpfill.problem.rules import RULES
from cpfill.puzzle.puzzle import Puzzle
from tests.cli.program import INSTANCES
from tests.docs.pages import ROOT, quoted, rows, section, text_of

PAGE = text_of("cpfill/README.md")
WAY = section(PAGE, "## The way of a solve")
LISTS = re.findall(r"^```sh\n(.*)\n```\n\n((?:\|.*\n)+)", section(PAGE, "## Something new"), re.MULTILINE)

# Prints the modules of cpfill in the order in which the first function of each is called, what is called while modules
# are imported left out, and what dataclasses make up.
TRACE = """
import inspect, json, sys, threading
from pathlib import Path

entered = {}

def imported(frame):
    while frame:
        if frame.f_code.co_name == "<module>" and frame.f_globals["__name__"] != "__main__":
            return True
        frame = frame.f_back
    return False

def enter(frame, event, _):
    code, name = frame.f_code, frame.f_globals.get("__name__", "")
    if event != "call" or not name.startswith("cpfill") or name in entered or not Path(code.co_filename).is_file():
        return
    if code.co_flags & inspect.CO_OPTIMIZED and not imported(frame):
        entered[name] = code.co_filename

threading.setprofile(enter)
sys.setprofile(enter)
from cpfill.cli import main
try:
    main()
finally:
    sys.setprofile(None)
    print(json.dumps(list(entered.values())), file=sys.stderr)
"""


needs_kernel = pytest.mark.skipif(not find_spec("cpfill.engines.mac._kernel"), reason="the kernel was not compiled")


@cache
def modules_on_the_way() -> list[str]:
    """Return the modules that a solve passes, in the order in which it enters them."""
    solve = ["solve", str(INSTANCES / "classic" / "15.01.txt")]
    done = subprocess.run([sys.executable, "-c", TRACE, *solve], capture_output=True, text=True, cwd=ROOT, check=True)
    package = ROOT / "cpfill"
    return [str((ROOT / path).relative_to(package)) for path in json.loads(done.stderr.splitlines()[-1])]


@needs_kernel
def test_a_solve_goes_the_way_that_is_shown() -> None:
    """Threads work side by side in a step."""
    shown = {module: step for step, row in enumerate(rows(WAY)) for module in quoted(row[1])}
    on_the_way = [module for module in modules_on_the_way() if module in shown]
    assert sorted(on_the_way) == sorted(shown)
    assert on_the_way == sorted(on_the_way, key=lambda module: shown[module])


@pytest.mark.parametrize(("command", "table"), LISTS)
def test_a_list_of_places_is_complete(command: str, table: str) -> None:
    found = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=ROOT, check=True).stdout.split()
    assert sorted(place for row in rows(table) for place in quoted(row[0])) == sorted(found)


def test_there_is_a_list_for_each_kind_of_thing() -> None:
    """Each pattern still finds something: one for what was removed would compare nothing."""
    examples = re.findall(r"^Example: (\S+?)[.,]", PAGE, re.MULTILINE)
    engine, rule, objective, puzzle, dialect, part, verb = (name.strip("`") for name in examples)
    assert len(LISTS) == 7
    assert engine in ENGINES
    assert rule in {each.number for each in RULES}
    assert f"{objective}: " in text_of("cpfill/problem/problem.py")
    assert puzzle in FORMATS
    assert dialect in DIALECTS
    assert part in {field.name for field in fields(Puzzle)}
    assert verb in VERBS
