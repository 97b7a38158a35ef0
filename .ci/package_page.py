"""The README as a package index shows it, where nothing stands beside it: its links lead to the project's home."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

_LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)\s]+)")
_IMAGE = re.compile(r'(?<=src=")(?![a-z]+:)([^"]+)')


def dynamic_metadata(field: str, settings: object = None, project: object = None) -> dict[str, Any]:  # noqa: ARG001 - as the build backend calls it
    """Return the field `readme` of the project whose root is the working directory."""
    project_table = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]
    home, tag = project_table["urls"]["Source"], f"v{project_table['version']}"
    text = Path("README.md").read_text("utf-8")
    text = _IMAGE.sub(rf"{home}/raw/{tag}/\1", _LINK.sub(rf"{home}/blob/{tag}/\1", text))
    return {"content-type": "text/markdown", "text": text}
