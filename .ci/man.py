"""The man page, in roff, made of the reference: `python .ci/man.py > cpfill.1`. CMake calls it at every build."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]


def man() -> str:
    """Return the man page."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    *_introduction, reference = (ROOT / "cpfill/cli/README.md").read_text("utf-8").split("\n\n", 3)
    head = [
        f'.TH CPFILL 1 "" "cpfill {version}" "User Commands"',
        *('.SH "NAME"', r"cpfill \- fill crossword grids by constraint programming"),
        *('.SH "SYNOPSIS"', ".B cpfill", ".I VERB", "[OPTIONS] [ARGUMENTS]"),
        '.SH "DESCRIPTION"',
    ]
    return "\n".join([*head, *_set(reference), ""])


def _set(markdown: str) -> Iterator[str]:
    """Yield the lines of a page: headings, tables, paragraphs, and indented text unchanged."""
    for block in markdown.strip().split("\n\n"):
        first, *more = block.split("\n")
        if first.startswith("#"):
            yield f'.S{"S" if first.startswith("###") else "H"} "{_text(first.lstrip("# ")).upper()}"'
        elif first.startswith("|"):
            for row in more[1:]:
                term, *cells = (_text(cell.strip()) for cell in re.split(r"(?<!\\)\|", row)[1:-1])
                yield from (".TP", f".B {term}", cells[-1], *(f"Default: {cell}." for cell in cells[:-1] if cell))
        elif first.startswith("    "):
            yield from (".PP", ".nf", *map(_text, block.split("\n")), ".fi")
        else:
            yield from (".PP", *map(_text, block.split("\n")))


def _text(markdown: str) -> str:
    """Return a line of Markdown as one of roff, in which nothing is a command: without links, marks and escapes."""
    plain = re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", markdown).replace("`", "")
    plain = re.sub(r"\\(\W)", r"\1", plain)
    escaped = plain.replace("\\", "\\e").replace("-", "\\-")
    escaped = re.sub(r"[^ -~]", lambda sign: f"\\[u{ord(sign[0]):04X}]", escaped)
    return re.sub(r"^([.'])", r"\\&\1", escaped)


if __name__ == "__main__":
    sys.stdout.write(man())
