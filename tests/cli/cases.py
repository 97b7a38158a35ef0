"""Reads, runs and rewrites the cases of `tests/cli/verbs`: commands, each with its files, exit code and output.

A case begins with `## ` and its name; text up to the first mark gives a reason. Each line of it begins with a mark:

    > words.txt      a file of the case's directory; its lines follow, each behind `| `
    $ solve …        a command, without `cpfill`; `|` pipes; `cat`, `cp` and `ln` do as a shell's; `fills` and
                     `matches` count those in their input; `lie` makes a liar of the engine fc
    < ABC            a line of its standard input
    ? 20             its exit code, unless that is 0
    | ABC            a line of its standard output
    ! cpfill: …      a line of its standard error
    + out.txt        a file that it adds, `~` changes or `-` removes

A name that the case lacks is a file of `instances/tiny`, `instances` or `tests/golden`. `[TIME]` and `[N]` stand
for seconds and for numbers that a search counts, `[..]` for any text in a line, and `[...]` alone for any lines.
"""

from __future__ import annotations

import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cpfill.engines import ENGINES
from cpfill.testing import brute_force
from tests.cli.program import INSTANCES, ROOT, TINY, Outcome, cells_in, fills_of, words_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.program import Run

VERBS = Path(__file__).parent / "verbs"
PLACES = (TINY, INSTANCES, ROOT / "tests" / "golden")
CASE = re.compile(r"^## ", re.MULTILINE)
COUNTED = {
    r"\b\d+\.\d+ s\b": "[TIME]",
    r'("(?:\w+_s|seconds)": )[\d.e-]+': r"\1[TIME]",
    r'("(?:nodes|backtracks|backjumps|checks)": )\d+': r"\1[N]",
    r'("(?:crc|key)": )"\w+"': r"\1[N]",
    r" +\d+( +\d+\.\d\d){3}$": "  [N]  [TIME]",
    r"\bproof of \d+ lemmas?": "proof of [N] lemmas",
    r'("cpfill": )"[\d.]+"': r"\1[VERSION]",
    r"(%% \w+_s: ).*": r"\1[TIME]",
    r"(%% (?:nodes|backtracks|backjumps|checks): )\d+": r"\1[N]",
}
PASSING = re.compile(r'^\| \{.*("event": "progress"|"finished": false|"tried": )')
"""Records that tell how far a search is: how many come is a matter of time."""


@dataclass
class Command:
    """A command with its standard input, and the lines that say what it does."""

    line: str
    stdin: list[str]
    told: list[str]


@dataclass(frozen=True)
class Case:
    """Commands in a directory of their own."""

    path: Path
    name: str
    head: list[str]
    commands: list[Command]

    def __str__(self) -> str:
        return f"{self.path.stem}: {self.name}"


def read_cases() -> list[Case]:
    """Return all cases."""
    return [case for path in sorted(VERBS.glob("*.txt")) for case in parse(path)]


def parse(path: Path) -> list[Case]:
    """Return the cases of a file."""
    _, *parts = CASE.split(path.read_text("utf-8"))
    return [parse_case(path, part) for part in parts]


def parse_case(path: Path, text: str) -> Case:
    name, *lines = text.strip("\n").split("\n")
    case = Case(path, name, [], [])
    for line in lines:
        if line.startswith("$ "):
            case.commands.append(Command(line, [], []))
        elif not case.commands:
            case.head.append(line)
        elif line.startswith("<"):
            case.commands[-1].stdin.append(line)
        elif line:
            case.commands[-1].told.append(line)
    return case


def write(path: Path, cases: list[Case]) -> None:
    """Write a file of cases anew."""
    preamble, *_ = CASE.split(path.read_text("utf-8"))
    path.write_text(preamble + "\n\n".join(map(show, cases)) + "\n", "utf-8")


def show(case: Case) -> str:
    lines = [f"## {case.name}", *case.head]
    for command in case.commands:
        lines += [command.line, *command.stdin, *command.told]
    return "\n".join(lines)


def agrees(told: list[str], done: list[str]) -> bool:
    """Return whether lines are those that a case tells, where `[..]` and `[...]` leave them open."""
    pattern = ""
    for line in told:
        if line[2:] == "[...]":
            pattern += f"(?:{re.escape(line[0])}.*\n)*"
        else:
            pattern += re.escape(line).replace(r"\[\.\.\]", ".*") + "\n"
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in done)) is not None


def text_of(lines: list[str]) -> str:
    """Return the text behind the marks of lines."""
    return "".join(f"{line[2:]}\n" for line in lines)


def place_files(case: Case, folder: Path) -> None:
    """Write the files of a case into a directory."""
    for line in case.head:
        if line.startswith("> "):
            path = folder / line[2:]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        elif line.startswith("|"):
            path.write_bytes(path.read_bytes() + text_of([line]).encode())


def run_command(run: Run, command: Command, folder: Path) -> Outcome:
    """Run a command in a directory; a pipe fails as its last part that fails."""
    words = shlex.split(command.line[2:])
    for word in re.split(r"[\s=,]", command.line):
        link(word, folder)
    code, out, err = 0, text_of(command.stdin), ""
    while words:
        end = words.index("|") if "|" in words else len(words)
        done = OWN.get(words[0], run)(*words[:end], stdin=out)
        code = done.code or code
        out = done.out
        err += done.err
        words = words[end + 1 :]
    return Outcome(code, out.replace(f"{folder}/", ""), err.replace(f"{folder}/", ""))


def link(name: str, folder: Path) -> None:
    """Have a file of the instances stand in a directory if a command names it."""
    path = folder / name
    found = [place / name for place in PLACES if re.match(r"\w", name) and (place / name).exists()]
    if found and not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(found[0])


def describe(done: Outcome, before: dict[str, bytes], after: dict[str, bytes]) -> list[str]:
    """Return the lines that tell in a case what a command did, and to which files."""
    lines = [f"? {done.code}"] if done.code else []
    lines += [f"| {line}" if line else "|" for line in done.out.splitlines()]
    lines += [f"! {line}" if line else "!" for line in done.err.splitlines()]
    lines += sorted(f"+ {name}" for name in after.keys() - before.keys())
    lines += sorted(f"- {name}" for name in before.keys() - after.keys())
    lines += sorted(f"~ {name}" for name in after.keys() & before.keys() if after[name] != before[name])
    return [mask(line) for line in lines if not PASSING.match(line)]


def mask(line: str) -> str:
    """Return a line without numbers that differ from run to run, and without the last digits of sums."""
    for number, name in COUNTED.items():
        line = re.sub(number, name, line)
    return re.sub(r"\d+\.\d{7,}", lambda found: f"{float(found[0]):.6g}", line)


def files_in(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def cat(_verb: object, *names: object, stdin: object) -> Outcome:  # noqa: ARG001
    """Print files."""
    return Outcome(0, "".join(Path(str(name)).read_text("utf-8") for name in names), "")


def cp(_verb: object, source: str, target: str, stdin: object) -> Outcome:  # noqa: ARG001
    """Copy a file."""
    shutil.copy(source, target)
    return Outcome(0, "", "")


def ln(_verb: object, target: str, name: str, stdin: object) -> Outcome:  # noqa: ARG001
    """Make a symbolic link."""
    Path(name).symlink_to(target)
    return Outcome(0, "", "")


def count_fills(_verb: object, grid: str, *lists: str, stdin: str) -> Outcome:
    """Print how many fills of a grid there are on standard input, of how many there are by the brute force."""
    words = words_of(*[Path(name) for name in lists if name != "--repeats"])
    rules = brute_force.Rules(repeats="--repeats" in lists)
    right = brute_force.solve(cells_in(Path(grid)), words, rules).fills
    found = fills_of(stdin)
    wrong = [fill for fill in found if fill not in right]
    return Outcome(0, f"{len(set(found))} of {len(right)} fills, {len(wrong)} wrong\n", "")


def count_matches(_verb: object, pattern: str, stdin: str) -> Outcome:
    """Print how often standard input has a pattern."""
    return Outcome(0, f"{len(re.findall(pattern, stdin))}\n", "")


def lie(_verb: object, liar: str, stdin: object) -> Outcome:  # noqa: ARG001
    """Put a liar in the place of the engine fc; the fixture `directory` takes it away."""
    ENGINES["fc"] = f"tests.cli.liars:{liar}"
    return Outcome(0, "", "")


OWN: dict[str, Callable[..., Outcome]] = {
    "cat": cat,
    "cp": cp,
    "ln": ln,
    "lie": lie,
    "fills": count_fills,
    "matches": count_matches,
}
