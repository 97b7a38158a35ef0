"""The pages of the project, and what stands in them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
FOLDERS = (".github", "cpfill", "instances", "models", "tests")
PAGES = sorted([*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))])


def text_of(page: Path | str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(text: str, kind: str) -> list[str]:
    """Return the blocks of code of a kind: `sh`, `python`, `console`, `json`."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commands(text: str) -> list[str]:
    """Return the lines of the blocks for a shell."""
    return [line for block in blocks(text, "sh") for line in block.splitlines()]


def outputs(text: str) -> dict[str, list[str]]:
    """Return the lines that a page shows of what a command prints; at most a paragraph stands between the two."""
    pairs = re.findall(r"^```sh\n([^`]*)^```\n\n(?:(?!```).+\n)*\n*```text\n([^`]*)^```$", text, re.MULTILINE)
    return {block.splitlines()[-1]: shown.splitlines() for block, shown in pairs}


def section(text: str, heading: str) -> str:
    """Return what stands under a heading, up to the next one of its level or above."""
    level = len(heading) - len(heading.lstrip("#"))
    (found,) = re.findall(rf"^{heading}\n(.*?)(?=^#{{1,{level}}} |\Z)", text, re.MULTILINE | re.DOTALL)
    return str(found)


def rows(text: str) -> list[list[str]]:
    """Return the rows of all tables, each a list of its cells, without the heads."""
    lines = re.findall(r"^\|.*\|$", re.sub(r"^\|.*\n\|(?:---\|)+$", "", text, flags=re.MULTILINE), re.MULTILINE)
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def quoted(text: str) -> list[str]:
    """Return what stands in backticks."""
    return re.findall(r"`([^`\n]+)`", text)


def anchors(text: str) -> set[str]:
    """Return what a link may have behind its #: the headings, in lower case, without signs, blanks as hyphens."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}
