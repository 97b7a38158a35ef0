"""The README: short, two set-up commands, a picture that cpfill drew, a table of engines that is true."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from cpfill.engines import ENGINES, engine_class
from cpfill.engines.contract import Feature
from cpfill.testing.brute_force import BLOCK
from tests.cli.program import assert_right, cells_in, fills_of, words_of
from tests.docs.pages import README, ROOT, blocks, commands, rows, section, text_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run

TEXT = text_of(README)
MAX_LINES = 150
YES = {True: "yes", False: "no"}


def test_it_is_short() -> None:
    assert len(TEXT.splitlines()) <= MAX_LINES


def test_there_are_two_set_up_commands_and_the_rest_are_cpfills() -> None:
    first, *others, second = commands(TEXT)
    assert first.startswith("pip install . && cpfill ")
    assert second.startswith("pip install -e ")
    assert others
    assert all(line.startswith("cpfill ") for line in others)
    assert re.findall(r"^pip install.*", TEXT, re.MULTILINE) == [first, second]


def test_the_first_command_fills_a_grid(run: Run) -> None:
    *_, verb, grid = shlex.split(commands(TEXT)[0])
    (fill,) = run(verb, ROOT / grid).fills
    assert_right(fill, cells_in(ROOT / grid), words_of("en"))


def test_the_picture_is_a_fill_as_cpfill_draws_it(run: Run, tmp_path: Path) -> None:
    """Its letters are a fill of the grid that the command beside it names; drawn anew they are the same picture."""
    (picture,) = re.findall(r'<img src="([^"]+\.svg)"', TEXT)
    (command,) = [line for line in commands(text_of(".github/CONTRIBUTING.md")) if picture in line]
    cells = cells_in(ROOT / shlex.split(command)[2])
    elements = ET.fromstring((ROOT / picture).read_bytes()).iter()  # noqa: S314 - a file of this tree
    letters = iter([one.text or "" for one in elements if one.get("text-anchor") == "middle"])
    fill = tuple("".join(next(letters) if cell else BLOCK for cell in row) for row in cells)
    assert next(letters, None) is None
    assert_right(fill, cells, words_of("en"))
    drawn = tmp_path / "fill.svg"
    assert run("convert", "-", drawn, "--solution", stdin="\n".join(fill)).code == 0
    assert drawn.read_bytes() == (ROOT / picture).read_bytes()


def test_the_output_shown_is_what_a_command_prints(run: Run) -> None:
    """The fill may be another; its value and the proof are the same."""
    ((command, shown),) = [block.split("\n", 1) for block in blocks(TEXT, "console")]
    _, program, *asked = shlex.split(command)
    assert program == "cpfill"
    done = run(*asked)
    assert done.code == 0
    for text in (shown, done.out):
        (fill,) = fills_of("\n".join(line for line in text.splitlines() if not line.startswith("cpfill:")))
        assert_right(fill, cells_in(ROOT / "instances" / "assignment" / "A.txt"), words_of("en"))
    assert re.sub(r"[\d.]+ s", "", done.err.strip()) == re.sub(r"[\d.]+ s", "", shown.splitlines()[-1])


def test_the_table_of_engines_is_true() -> None:
    """What an engine can prove follows from its features; that there is no fill, each of them can."""
    told = {name.strip("`"): answers for name, _, *answers in rows(section(TEXT, "## Engines"))}
    features = {name: engine_class(name).features for name in ENGINES}
    assert told == {
        name: [YES[Feature.ENUMERATE in able], "yes", YES[Feature.MAXIMISE_MIN in able]]
        for name, able in features.items()
    }
