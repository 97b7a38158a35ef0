"""The reference of the command line, made from the program: `python .ci/reference.py > cpfill/cli/README.md`."""

from __future__ import annotations

import re
import sys
from collections import Counter
from typing import TYPE_CHECKING

from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption
from typer.main import get_command

from cpfill.cli.app import make_command
from cpfill.cli.verbs import Exit, find_section

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

_INTRODUCTION = """# The commands

<!-- Made by `python .ci/reference.py > cpfill/cli/README.md`; do not edit. -->

Each verb has `--help` (`-h`), which says what stands here; `cpfill --version` prints the version, `cpfill
--install-completion` has the shell complete verbs and options. [What can be
asked](GUIDE.md) shows the verbs at work, [JSON](JSON.md) says what `--json` prints.
"""

_FILES = {
    "~/.config/cpfill/words.txt": "Your personal list: banned words and your own scores.",
    "~/.cache/cpfill/lists": "Large lists, packed. Safe to remove at any time.",
}

_SHARED = 4
"""Options that at least this many verbs share are described once."""

_SPECIAL = re.compile(r"[\\|*_<>\[\]`]")
"""Characters that Markdown would not show."""


def reference() -> str:
    """Return the page: the verbs, each with its arguments and options; shared options; exit codes; files."""
    program = get_command(make_command())
    assert isinstance(program, TyperGroup)
    shared = _find_shared(program)
    codes = (f"| {code} | {code.meaning} |" for code in Exit)
    return "\n".join(
        [
            _INTRODUCTION,
            *_verbs(program, "cpfill", shared),
            *_describe_shared(shared.values()),
            "## Exit codes\n",
            *_table("exit code | means", codes),
            "## Files\n",
            *_table("file | is", (f"| `{name}` | {meaning} |" for name, meaning in _FILES.items())),
        ]
    )


def _list_leaves(group: TyperGroup) -> Iterator[TyperCommand]:
    """Yield the verbs that are no groups."""
    for verb in group.commands.values():
        if isinstance(verb, TyperGroup):
            yield from _list_leaves(verb)
        elif isinstance(verb, TyperCommand):
            yield verb


def _find_shared(program: TyperGroup) -> dict[str, TyperOption]:
    """Return the options that `_SHARED` verbs or more share, by their description."""
    options = [one for verb in _list_leaves(program) for one in verb.params if isinstance(one, TyperOption)]
    counts = Counter(map(_row, options))
    return {row: one for one in options if counts[row := _row(one)] >= _SHARED}


def _describe_shared(shared: Iterable[TyperOption]) -> Iterator[str]:
    yield "## Shared options\n"
    by_section: dict[str, list[str]] = {}
    for option in shared:
        by_section.setdefault(find_section(option), []).append(_row(option))
    for section, rows in sorted(by_section.items()):
        yield f"### {section}\n"
        yield from _table("option | default | means", rows)


def _verbs(group: TyperGroup, path: str, shared: Container[str]) -> Iterator[str]:
    """Yield the table of the verbs of a group, then the description of each."""
    named = {f"{path} {name}": verb for name, verb in group.commands.items()}
    links = {name: f"[`{name}`](#{name.replace(' ', '-')})" for name in named}
    summaries = {name: _escaped(verb.get_short_help_str(limit=1000)) for name, verb in named.items()}
    yield from _table("verb | does", (f"| {links[name]} | {summaries[name]} |" for name in named))
    for name, verb in named.items():
        yield f"{'#' * len(name.split())} {name}\n"
        if isinstance(verb, TyperGroup):
            yield _text(verb.help)
            yield from _verbs(verb, name, shared)
        elif isinstance(verb, TyperCommand):
            yield from _verb(verb, name, shared)


def _verb(verb: TyperCommand, name: str, shared: Container[str]) -> Iterator[str]:
    arguments = [one for one in verb.params if isinstance(one, TyperArgument)]
    options = [one for one in verb.params if isinstance(one, TyperOption)]
    yield "    " + " ".join([name, "[OPTIONS]", *map(_placeholder, arguments)])
    yield f"    {verb.epilog}\n" if verb.epilog else ""
    yield _text(verb.help)
    if arguments:
        given = ((_placeholder(one).replace("|", r"\|"), _escaped(one.help or "")) for one in arguments)
        yield from _table("argument | is", (f"| `{placeholder}` | {help_} |" for placeholder, help_ in given))
    own = [row for one in options if (row := _row(one)) not in shared]
    if own:
        yield from _table("option | default | means", own)
    if others := [f"`{_longest(one)}`" for one in options if _row(one) in shared]:
        yield f"[Shared options](#shared-options): {', '.join(others)}.\n"


def _row(option: TyperOption) -> str:
    return f"| {_names(option)} | {_default(option)} | {_escaped(option.help or '')} |"


def _longest(option: TyperOption) -> str:
    return max(option.opts, key=len)


def _placeholder(argument: TyperArgument) -> str:
    """Return the placeholder of an argument: in brackets if it is optional, with dots if it may be repeated."""
    name = (argument.metavar or "").strip("[].") + "..." * (argument.nargs != 1)
    return name if argument.required else f"[{name}]"


def _names(option: TyperOption) -> str:
    takes = "" if option.is_flag else f" {_escaped(option.metavar or '')}"
    return ", ".join(f"`{name}`" for name in _list_names(option)) + takes


def _list_names(option: TyperOption) -> list[str]:
    """Return the names of an option, the long ones first, those that lift it too."""
    return sorted([*option.opts, *option.secondary_opts], key=lambda name: not name.startswith("--"))


def _default(option: TyperOption) -> str:
    given = option.default
    if given is None or given is False or given == "":
        return ""
    return f"`{given:g}`" if isinstance(given, float) else f"`{given}`"


def _text(help_: str | None) -> str:
    """Return a text of the program in Markdown; indented text stays preformatted."""
    lines = (help_ or "").split("\n")
    return "\n".join(line if line.startswith("    ") else _escaped(line) for line in lines) + "\n"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda found: f"\\{found[0]}", text)


def _table(heads: str, rows: Iterable[str]) -> Iterator[str]:
    yield f"| {heads} |\n|{'---|' * len(heads.split('|'))}"
    yield from rows
    yield ""


if __name__ == "__main__":
    sys.stdout.write(reference())
