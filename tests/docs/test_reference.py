"""The reference is made from the docstrings, by the command that the page on the library has for it."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import cpfill

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "cpfill" / "LIBRARY.md").read_text(encoding="utf-8")
(COMMAND,) = re.findall(r"^    pdoc (.*) -o reference", PAGE, re.MULTILINE)
PAGES = COMMAND.split()


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("reference")
    # A question has fields from its base class, whose module alone knows their types.
    allowed = ["-W", "error", "-W", "ignore:Error parsing type annotation"]
    command = [sys.executable, *allowed, "-m", "pdoc", "--no-show-source", *PAGES, "-o", target]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # sources take half of its time
    assert (done.returncode, done.stderr) == (0, "")
    return target


@pytest.mark.long  # what hygiene/test_tree.py asks of the docstrings breaks sooner
def test_everything_public_is_in_the_reference_and_documented(reference: Path) -> None:
    """A name has a section, which holds its docstring before those of its members begin."""
    found: dict[str, set[str]] = {}
    for path in reference.rglob("*.html"):
        name = ".".join(path.relative_to(reference).with_suffix("").parts)
        if name == "index":
            continue
        sections = dict(
            re.findall(r'<section id="([^"]+)"(.*?)(?=<section id=|</main>)', path.read_text("utf-8"), re.DOTALL)
        )
        found[name] = {each for each in sections if "." not in each}
        # What says what a constant is stands where it is defined.
        described = {each for each in found[name] if callable(getattr(import_module(name), each))}
        assert [each for each in described if 'class="docstring' not in sections[each]] == [], name
    assert set(PAGES) <= found.keys()
    assert found["cpfill"] == set(cpfill.__all__)
    assert all(names for page, names in found.items() if page not in {"cpfill.words.curate", "cpfill.puzzle.clues"})


def test_the_example_of_the_package_runs() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", cpfill.__doc__ or "", re.DOTALL)
    done = subprocess.run([sys.executable, "-W", "error", "-c", example], capture_output=True, text=True, check=True)
    assert "SATISFIED" in done.stdout
