"""The man page, made from the program: `python -m cpfill.cli.man > cpfill/cli/cpfill.1`."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption
from typer.main import get_command

import cpfill
from cpfill.cli.app import make_app
from cpfill.cli.reference import list_names, placeholder
from cpfill.cli.verbs import Exit

if TYPE_CHECKING:
    from collections.abc import Iterator

_FILES = {
    "~/.config/cpfill/words.txt": "Your personal list: banned words and your own scores.",
    "~/.cache/cpfill/lists": "Large lists, packed. Safe to remove at any time.",
}


def man() -> str:
    """Return the man page, in roff."""
    program = get_command(make_app())
    assert isinstance(program, TyperGroup)
    return "\n".join(
        [
            f'.TH CPFILL 1 "" "cpfill {cpfill.__version__}" "User Commands"',
            *_section("NAME"),
            f"cpfill \\- {_text('fill crossword grids by constraint programming')}",
            *_section("SYNOPSIS"),
            ".B cpfill",
            ".I VERB",
            "[OPTIONS] [ARGUMENTS]",
            *_section("DESCRIPTION"),
            _text(program.help or ""),
            *_verbs(program, "cpfill"),
            *_section("EXIT STATUS"),
            *(line for code in Exit for line in _entry(str(int(code)), code.meaning)),
            *_section("FILES"),
            *(line for name, meaning in _FILES.items() for line in _entry(name, meaning)),
            "",
        ]
    )


def _verbs(group: TyperGroup, path: str) -> Iterator[str]:
    for name, verb in group.commands.items():
        if isinstance(verb, TyperGroup):
            yield from _verbs(verb, f"{path} {name}")
        elif isinstance(verb, TyperCommand):
            arguments = [placeholder(one) for one in verb.params if isinstance(one, TyperArgument)]
            yield from _section(f"{path} {name}".upper())
            yield f".B {_text(' '.join([path, name, '[OPTIONS]', *arguments]))}"
            for paragraph in (verb.help or "").split("\n\n"):
                yield ".PP"
                yield from _paragraph(paragraph)
            for option in verb.params:
                if isinstance(option, TyperOption):
                    takes = "" if option.is_flag else f" {option.metavar or ''}"
                    yield from _entry(", ".join(list_names(option)) + takes, option.help or "")


def _section(title: str) -> list[str]:
    return [f'.SH "{_text(title)}"']


def _entry(term: str, text: str) -> list[str]:
    return [".TP", f".B {_text(term)}", _text(text)]


def _paragraph(text: str) -> Iterator[str]:
    """Yield the lines of a paragraph; what is indented in it stands as it is."""
    indented = text.startswith("    ")
    if indented:
        yield ".nf"
    yield from map(_text, text.split("\n"))
    if indented:
        yield ".fi"


def _text(text: str) -> str:
    """Return a text in which nothing is a command."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    escaped = re.sub(r"[^ -~]", lambda sign: f"\\[u{ord(sign[0]):04X}]", escaped)
    return re.sub(r"^([.'])", r"\\&\1", escaped)


if __name__ == "__main__":
    sys.stdout.write(man())
