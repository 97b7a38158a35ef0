"""Every command and example of every page runs, and every link leads somewhere."""

from __future__ import annotations

import gzip
import pkgutil
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cpfill.puzzle.clues import dictionaries as dictionary
from cpfill.words.wordlist import read_word_list
from tests.dictionaries import write_wordnet
from tests.docs.pages import PAGES, ROOT, anchors, blocks, commands, outputs, quoted, text_of

if TYPE_CHECKING:
    from tests.cli.program import Run

COMMANDS = [(page, line) for page in PAGES for line in commands(text_of(page))]
TUTORIAL = ROOT / "cpfill" / "TUTORIAL.md"
"""The one page whose blocks go on from one another."""
BLOCKS = [block.splitlines() for page in PAGES if page != TUTORIAL for block in blocks(text_of(page), "sh")]
BLOCKS.append(commands(text_of(TUTORIAL)))
PROGRAM = list(dict.fromkeys(tuple(line for line in block if line.startswith("cpfill ")) for block in BLOCKS))
MODELS = list(dict.fromkeys(line for _, line in COMMANDS if line.startswith("minizinc ")))
EXAMPLES = [example for page in PAGES for example in blocks(text_of(page), "python")]
# Set-up, checks of the whole tree, and commands that other tests of this folder run.
OTHERS = (
    "pip install ",
    "python3 -m venv ",
    "pytest",
    "ruff check",
    "grep ",
    "bash .ci/task",
    "python -m tests.",
)
SUITE = """name = "two"
limit = "20s"
objective = "good"
lists.three.words = ["instances/tiny/three.words.txt"]
families = [{name = "two", grids = ["instances/tiny/square.txt"], lists = ["three"]}]
engines = [{engine = "mac"}, {engine = "fc-cbj"}]
"""
SHORTER = {
    r"instances/suites/(?:quality|smoke)\.toml": "two.toml",
    r"(?<=-t )5s": "3s",
    r"(?<=--sample -t )2": "1",
    r"(?<=cpfill words )(info|heatmap|filter|diff|tree) (?:en|fr)": r"\1 few.txt",
    r"(?<=few\.txt )fr": "fewer.txt",
    r"(?<=once\.words\.txt )en": "few.txt",
    r"(?<=--sizes )850": "850 -w few.txt",
    r"(?<=edits instances/classic/)15": "05",
    r"(?<=--style criss-cross )": "-t 1s ",
    r"(?<=instances/styles --seeds )0-1": "0",
}
"""What stands in for a suite of fifty fills, for seconds of search and for whole lists: verbs treat it alike."""
SHOWN = {command: lines for page in PAGES for command, lines in outputs(text_of(page)).items()}
PICTURE, DRAWN = ROOT / ".github" / "podium.svg", "podium.ipuz"
"""The fill that the tutorial shows, and the file that its first command writes."""
SILENT = ("-o ", "cpfill convert", "cpfill words ban", "cpfill words rescore")
"""What prints nothing: it writes to a file."""
PROVES_THAT_THERE_IS_NONE = "cpfill explain"


@pytest.fixture
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder that has what the commands name."""
    for name in ("instances", "models"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / ".github").mkdir()
    (tmp_path / "two.toml").write_text(SUITE, encoding="utf-8")
    packed = gzip.decompress((ROOT / "cpfill" / "words" / "packaged" / "en.txt.gz").read_bytes())
    for name, step in (("few.txt", 100), ("fewer.txt", 200)):
        (tmp_path / name).write_bytes(b"".join(packed.splitlines(keepends=True)[::step]))
    monkeypatch.chdir(tmp_path)


def steps(command: str) -> list[tuple[str, list[str]]]:
    """Return what a shell runs one after another, each with what stands before it: | or &&."""
    signs = shlex.shlex(command, posix=True, punctuation_chars="|&")
    signs.whitespace_split = True
    found: list[tuple[str, list[str]]] = [("&&", [])]
    for sign in signs:
        if sign in {"|", "&&"}:
            found.append((sign, []))
        else:
            found[-1][1].append(sign)
    return found


def minizinc(*args: str) -> str:
    done = subprocess.run(["minizinc", *args], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.usefixtures("_folder")
@pytest.mark.parametrize("block", [one for one in PROGRAM if one], ids="\n".join)
def test_commands_run(block: tuple[str, ...], run: Run) -> None:
    """One after another, as a reader types them, and in this process: to start the program takes longer than most."""
    for command in block:
        for pattern, other in SHORTER.items():
            command = re.sub(pattern, other, command)  # noqa: PLW2901 - shorter
        check_command(command, run)


@pytest.mark.usefixtures("_folder")
@pytest.mark.parametrize("name", ["tree.svg", "trie.svg"])
def test_pictures_of_lessons_are_drawn_anew(name: str, run: Run) -> None:
    (command,) = [line for line in commands(text_of("cpfill/TEACHING.md")) if line.endswith(f" -o {name}")]
    check_command(command, run)
    assert Path(name).read_bytes() == (ROOT / ".github" / name).read_bytes()


def check_command(command: str, run: Run) -> None:
    expected = 20 if command.startswith(PROVES_THAT_THERE_IS_NONE) else 0
    printed = ""
    for before, (program, *args) in steps(command):
        if program == "minizinc":
            printed = minizinc(*args) if shutil.which("minizinc") else printed
            continue
        done = run(*args, stdin=printed if before == "|" else "")
        assert (program, done.code) == ("cpfill", expected), done.err
        printed = done.out
    assert printed or any(silent in command for silent in SILENT)
    if command in SHOWN:
        same = not Path(DRAWN).exists() or shows_its_fill(run)
        check_shown(SHOWN[command], (printed + done.err).splitlines(), same=same)


def shows_its_fill(run: Run) -> bool:
    """Return whether the fill of the tutorial is the one in its picture; a search may come to another one."""
    assert run("convert", DRAWN, PICTURE.name, "--solution").code == 0
    return Path(PICTURE.name).read_bytes() == PICTURE.read_bytes()


def check_shown(shown: list[str], printed: list[str], *, same: bool) -> None:
    """Compare what a page shows with what is printed: but for times, and for words and numbers of another fill.

    What stands for … is anything; a word of the list beside a number has that score.
    """
    own = r"\d+\.\d+ s" if same else r"\d+\.\d+ s|[A-Z]{2,}|\d+| +"
    found = [re.sub(own, "_", line) for line in printed]
    scores = {word: scored for word, (scored, _) in read_word_list("en").words.items()}
    for line in shown:
        wanted = ".*".join(map(re.escape, re.sub(own, "_", line).split("…")))
        assert any(re.fullmatch(wanted, one) for one in found), (line, printed)
        for word, number in re.findall(r"\b([A-Z]{2,}) +(\d+)", line):
            assert scores.get(word, float(number)) == float(number)


@pytest.mark.usefixtures("_folder")
@pytest.mark.skipif(not shutil.which("minizinc"), reason="minizinc is not installed")
@pytest.mark.parametrize("command", MODELS)
def test_model_runs(command: str) -> None:
    assert "----------" in minizinc(*shlex.split(command)[1:])


def test_there_are_no_commands_that_nobody_runs() -> None:
    known = ("cpfill ", "minizinc ", *OTHERS)
    assert [line for _, line in COMMANDS if not line.startswith(known)] == []


@pytest.mark.parametrize("command", list(dict.fromkeys(line for _, line in COMMANDS if line.startswith("pytest"))))
def test_what_pytest_is_to_run_is_there(command: str) -> None:
    for path in re.findall(r"tests/[\w/.]*", command):
        assert (ROOT / path).exists()
    for path, name in re.findall(r"(tests/\S+\.py)(?:::| -k )(\w+)", command):
        assert name in text_of(path)


@pytest.mark.parametrize("example", EXAMPLES)
def test_example_runs(example: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    exec(example, {"__name__": "__main__"})  # noqa: S102 - ours; a warning is an error in all tests


def test_the_commands_for_clues_run(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are no block for a shell: they need dictionaries, and files of the reader's."""
    shown = re.findall(r"^    cpfill (.*?)(?: +#.*)?$", text_of("cpfill/puzzle/clues/README.md"), re.MULTILINE)
    (tmp_path / "words.txt").write_text("cat\ndog\n", encoding="utf-8")
    (tmp_path / "fill.txt").write_text("CAT\n#E#\n#N#\n", encoding="utf-8")
    (tmp_path / "grid.txt").write_text("CAT\n", encoding="utf-8")
    monkeypatch.setattr(dictionary, "find_definitions", lambda _: [])
    monkeypatch.setattr(dictionary, "WORDNET_AT", write_wordnet(tmp_path / "wordnet", {"cat": ["a pet"]}, {}))
    monkeypatch.chdir(tmp_path)
    assert len(shown) == 3
    for command in shown:
        assert run(*command.split()).code == 0
    assert "a pet" in (tmp_path / "puzzle.ipuz").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", text_of(page), flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"", text)
    for link in (one or other for one, other in links):
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert target.is_relative_to(ROOT), link
        assert not anchor or anchor in anchors(text_of(target)), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_module_and_folder_that_is_named_is_there(page: Path) -> None:
    """A path is seen from the page, the top or the package; a name of Python is a module, or something in one."""
    for name in quoted(text_of(page)):
        if re.fullmatch(r"[\w/-]+(?:\.(?:py|pyi|mzn|hpp|cpp|toml)|/)", name):
            seen_from = [page.parent, ROOT, ROOT / "cpfill", ROOT / "instances"]
            assert any(any(folder.rglob(name)) for folder in seen_from), name
        elif match := re.fullmatch(r"(cpfill(?:\.[a-z_]+)*)(?:\.([A-Z]\w*))?", name):
            assert pkgutil.resolve_name(match[1])
            assert not match[2] or hasattr(pkgutil.resolve_name(match[1]), match[2])


def test_every_page_is_linked_from_another() -> None:
    """But those at the top, which are seen as they are."""
    linked = {page for page in PAGES if page.parent == ROOT}
    for page in PAGES:
        names = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text_of(page))
        linked |= {(page.parent / name).resolve() for name in names}
    assert set(PAGES) - linked == set()
