"""Every command and example of the README runs, and ends as it says."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cpfill.clues import dictionary
from tests.cli.program import SQUARE, THREE, Run, assert_right, cells_in, fills_of, words_of
from tests.dictionaries import write_wordnet

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
LINES = [line for kind, block in BLOCKS if kind == "sh" for line in block.splitlines()]
SETUP = [line for line in LINES if line.startswith("pip install")]
COMMANDS = [line for line in LINES if line not in SETUP]
SHOWN = re.findall(r"^    cpfill (.*?)(?: +#.*)?$", README, re.MULTILINE)
((SOLVED, OUTPUT),) = re.findall(r"^    \$ cpfill (.*)\n((?:    .*\n)+)", README, re.MULTILINE)
EXAMPLES = [block for kind, block in BLOCKS if kind == "python"]


def test_there_are_two_set_up_commands_and_the_rest_are_cpfills() -> None:
    assert len(SETUP) == 2
    assert COMMANDS
    assert all(line.startswith("cpfill ") for line in COMMANDS)


@pytest.mark.parametrize("command", [*COMMANDS, SETUP[0].partition("&& ")[2]])
def test_command_runs(command: str, tmp_path: Path) -> None:
    if not shutil.which("minizinc"):
        command = command.partition(" && minizinc")[0]
    for name in ("instances", "models"):
        (tmp_path / name).symlink_to(ROOT / name)
    scripts = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": os.pathsep.join([scripts, os.environ["PATH"]])}
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == (20 if command.startswith("cpfill explain") else 0), done.stderr
    assert done.stdout or "-o " in command or command.startswith("cpfill convert")


def test_the_output_shown_is_what_a_command_prints(run: Run) -> None:
    """The fill may be another; its value and the proof are the same."""
    shown = OUTPUT.replace("    ", "")
    done = run(*shlex.split(SOLVED))
    assert done.code == 0
    for text in (shown, done.out):
        (fill,) = fills_of("\n".join(line for line in text.splitlines() if not line.startswith("cpfill:")))
        assert_right(fill, cells_in(ROOT / "instances" / "assignment" / "A.txt"), words_of("en"))
    assert re.sub(r"[\d.]+ s", "", done.err.strip()) == re.sub(r"[\d.]+ s", "", shown.splitlines()[-1])


def test_the_commands_for_clues_run(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "words.txt").write_text("cat\ndog\n", encoding="utf-8")
    (tmp_path / "fill.txt").write_text("CAT\n#E#\n#N#\n", encoding="utf-8")
    monkeypatch.setattr(dictionary, "WORDNET_AT", write_wordnet(tmp_path / "wordnet", {"cat": ["a pet"]}, {}))
    monkeypatch.chdir(tmp_path)
    for command in SHOWN:
        assert run(*shlex.split(command)).code == 0
    assert len(SHOWN) == 2
    assert "a pet" in (tmp_path / "puzzle.ipuz").read_text(encoding="utf-8")


@pytest.mark.parametrize("example", EXAMPLES)
def test_example_runs(example: str) -> None:
    subprocess.run([sys.executable, "-W", "error", "-c", example], check=True, timeout=60, cwd=ROOT)


def test_the_exit_codes_are_those_of_the_program() -> None:
    from cpfill.cli.exits import Exit  # noqa: PLC0415

    listed = {int(code) for code in re.findall(r"^\| (\d+) \|", README, re.MULTILINE)}
    assert listed == {int(code) for code in Exit}


RECORDS = re.findall(r"^\| `([\w -]+)`[^|]* \| [^|]+ \| `([\w ]+)` \|$", README, re.MULTILINE)


@pytest.mark.parametrize(("verb", "keys"), RECORDS)
def test_json_has_the_keys_that_are_listed(run: Run, verb: str, keys: str) -> None:
    """The last line of `generate` says how it ended, the one before is a grid."""
    words, _, _ = verb.partition(" ")
    about: dict[str, list[object]] = {"generate": [], "words": [THREE]}
    given = about.get(words, [SQUARE, "-w", THREE])
    done = run(*verb.split(), *given, *([] if verb == "batch" else ["--json"]))
    records = [json.loads(line) for line in done.out.splitlines()]
    assert list(records[-2 if words == "generate" else -1]) == keys.split()


def test_every_verb_that_prints_json_is_listed() -> None:
    verbs = {
        path.stem for path in (ROOT / "cpfill" / "cli").glob("*.py") if "as_json: o.Json" in path.read_text("utf-8")
    }
    assert {verb.split()[0] for verb, _ in RECORDS} == {*verbs, "batch"}


def test_every_engine_and_dialect_is_described() -> None:
    from cpfill.engines import ENGINES  # noqa: PLC0415
    from cpfill.formats.dialects import DIALECTS  # noqa: PLC0415

    assert set(ENGINES) <= set(re.findall(r"^\| `([\w-]+)` \|", README, re.MULTILINE))
    assert set(DIALECTS) <= set(re.findall(r"^\| `([\w-]+)` \|", README, re.MULTILINE))
