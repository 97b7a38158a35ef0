"""Reads, runs and rewrites the cases of `tests/cli/verbs`: commands, each with its files, exit code and output.

A case begins with `## ` and its name; text up to the first mark gives a reason. Each line of it begins with a mark:

    > words.txt      a file of the case's directory; its lines follow, each behind `| `
    $ solve …        a command, without `cpfill`; `|` pipes, `cat`, `cp` and `ln` do as a shell's, `fills` counts
    < ABC            a line of its standard input
    ? 20             its exit code, unless that is 0
    | ABC            a line of its standard output; behind `\\ `, a last line that does not end
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
from typing import TYPE_CHECKING, NamedTuple

from cpfill.testing import brute_force
from tests.cli.program import INSTANCES, ROOT, TINY, Outcome, cells_in, fills_of, words_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.program import Run

VERBS = Path(__file__).parent / "verbs"
PLACES = (TINY, INSTANCES, ROOT / "tests" / "golden")
COUNTED = {
    r"\b\d+\.\d+ s\b": "[TIME]",
    r'("(?:\w+_s|seconds)": )[\d.e-]+': r"\1[TIME]",
    r'("(?:nodes|backtracks|backjumps|checks)": )\d+': r"\1[N]",
    r'("(?:crc|key)": )"\w+"': r"\1[N]",
    r" +\d+( +\d+\.\d\d){3}$": "  [N]  [TIME]",
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
    files: dict[str, str]
    commands: list[Command]

    def __str__(self) -> str:
        return f"{self.path.stem}: {self.name}"


class Ran(NamedTuple):
    """A command as it went."""

    outcome: Outcome
    changes: list[str]

    def describe(self) -> list[str]:
        """Return the lines that tell it in a case."""
        lines = [f"? {self.outcome.code}"] if self.outcome.code else []
        lines += mark("| ", self.outcome.out)
        lines += mark("! ", self.outcome.err)
        return [mask(line) for line in lines + self.changes if not PASSING.match(line)]


def mark(sign: str, text: str) -> list[str]:
    """Return the lines of a text behind a mark, the last behind `\\ ` if it does not end."""
    *lines, rest = text.split("\n")
    marked = [f"{sign}{line}".rstrip() if not line else f"{sign}{line}" for line in lines]
    if rest:
        marked.append(f"\\ {rest}")
    return marked


def mask(line: str) -> str:
    """Return a line without numbers that differ from run to run, and without the last digits of sums."""
    for number, name in COUNTED.items():
        line = re.sub(number, name, line)
    return re.sub(r"\d+\.\d{7,}", lambda found: f"{float(found[0]):.6g}", line)


def text_of(lines: list[str]) -> str:
    """Return the text behind the marks of lines."""
    text = "".join(f"{line[2:]}\n" for line in lines)
    return text.removesuffix("\n") if lines and lines[-1].startswith("\\") else text


def read_cases() -> list[Case]:
    """Return all cases."""
    return [case for path in sorted(VERBS.glob("*.txt")) for case in parse(path)]


def parse(path: Path) -> list[Case]:
    """Return the cases of a file."""
    _, *parts = re.split(r"^## ", path.read_text("utf-8"), flags=re.MULTILINE)
    return [parse_case(path, part) for part in parts]


def parse_case(path: Path, text: str) -> Case:
    name, *lines = text.rstrip("\n").split("\n")
    starts = [place for place, line in enumerate(lines) if line.startswith("$ ")]
    head = lines[: starts[0]]
    ends = [*starts[1:], len(lines)]
    commands = [parse_command(lines[start:end]) for start, end in zip(starts, ends, strict=True)]
    return Case(path, name, head, parse_files(head), commands)


def parse_files(head: list[str]) -> dict[str, str]:
    files: dict[str, list[str]] = {}
    for line in head:
        if line.startswith("> "):
            name = line[2:]
            files[name] = []
        elif line.startswith(("|", "\\ ")):
            files[name].append(line)
    return {name: text_of(lines) for name, lines in files.items()}


def parse_command(lines: list[str]) -> Command:
    line, *others = [line for line in lines if line]
    stdin = [each for each in others if each.startswith("<")]
    return Command(line, stdin, others[len(stdin) :])


def write(path: Path, cases: list[Case]) -> None:
    """Write a file of cases anew."""
    preamble, *_ = re.split(r"^## ", path.read_text("utf-8"), maxsplit=1, flags=re.MULTILINE)
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
            pattern += f"(?:{re.escape(line[:2])}.*\n|{re.escape(line[:1])}\n)*"
        else:
            pattern += re.escape(line).replace(r"\[\.\.\]", ".*") + "\n"
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in done)) is not None


def place_files(case: Case, folder: Path) -> None:
    for name, text in case.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def run_command(run: Run, command: Command, folder: Path) -> Ran:
    """Run a command in a directory."""
    words = shlex.split(command.line[2:])
    for word in words:
        for name in re.split("[=,]", word):
            link(name, folder)
    before = files_in(folder)
    text = text_of(command.stdin).encode()
    code, err = 0, ""
    while words:
        end = words.index("|") if "|" in words else len(words)
        done = OWN.get(words[0], run)(*words[:end], stdin=text)
        code = done.code or code
        err += done.err
        text = done.out.encode()
        words = words[end + 1 :]
    out = done.out.replace(f"{folder}/", "")
    return Ran(Outcome(code, out, err.replace(f"{folder}/", "")), compare(before, files_in(folder)))


def link(name: str, folder: Path) -> None:
    """Have a file of the instances stand in a directory if a command names it."""
    path = folder / name
    found = [place / name for place in PLACES if re.match(r"\w", name) and (place / name).exists()]
    if found and not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(found[0])


def files_in(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def compare(before: dict[str, bytes], after: dict[str, bytes]) -> list[str]:
    """Return a line for each file that was added, changed or removed."""
    added = [f"+ {name}" for name in after.keys() - before.keys()]
    removed = [f"- {name}" for name in before.keys() - after.keys()]
    changed = [f"~ {name}" for name in after.keys() & before.keys() if after[name] != before[name]]
    return sorted(added) + sorted(removed) + sorted(changed)


def cat(_verb: object, *names: object, stdin: str | bytes = b"") -> Outcome:  # noqa: ARG001
    """Print files."""
    return Outcome(0, "".join(Path(str(name)).read_text("utf-8") for name in names), "")


def cp(_verb: object, source: object, target: object, stdin: str | bytes = b"") -> Outcome:  # noqa: ARG001
    """Copy a file."""
    shutil.copy(str(source), str(target))
    return Outcome(0, "", "")


def ln(_verb: object, target: object, name: object, stdin: str | bytes = b"") -> Outcome:  # noqa: ARG001
    """Make a symbolic link."""
    Path(str(name)).symlink_to(str(target))
    return Outcome(0, "", "")


def judge(_verb: object, grid: object, *lists: object, stdin: str | bytes = b"") -> Outcome:
    """Print how many fills of a grid there are on standard input, of how many there are by the brute force."""
    words = words_of(*[Path(str(name)) for name in lists if name != "--repeats"])
    rules = brute_force.Rules(repeats="--repeats" in lists)
    right = brute_force.solve(cells_in(Path(str(grid))), words, rules).fills
    found = fills_of(bytes(stdin).decode() if isinstance(stdin, bytes) else stdin)
    wrong = [fill for fill in found if fill not in right]
    text = f"{len(set(found))} of {len(right)} fills, {len(wrong)} wrong\n"
    return Outcome(0, text, "")


OWN: dict[str, Callable[..., Outcome]] = {"cat": cat, "cp": cp, "ln": ln, "fills": judge}
