"""The files of the page: those of `static/`, and the two that are made, its index and its texts."""

from __future__ import annotations

import asyncio
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import Response

from cpfill.base.texts import load_page, say
from cpfill.formats.pages.html_page import PLAYER, PLAYER_FILES
from cpfill.web.openapi import IF_CHANGED, TAGGED, Operation, described

if TYPE_CHECKING:
    from starlette.requests import Request

STATIC = Path(__file__).parent / "static"

INDEX = "index.html"

TEXTS = "texts.js"
"""The module made from the catalogue."""

ALONE = {"tab/engine.js", "tab/service.js"}
"""Scripts that run by themselves, in workers of a page without a server."""

_MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".woff2": "font/woff2",
}
"""The page has no files of other kinds. The system's own table is ignored: it may map `.js` to anything."""


@described(Operation({"*/*": {}}, errors=(304, 404), parameters=(IF_CHANGED,), headers=TAGGED))
async def serve_file(request: Request) -> Response:
    """Return a file of the page, or no content if the browser has it already.

    Two files are made, so the content is the tag; Starlette's static files are tagged by date and size.
    """
    name = request.path_params["name"] or INDEX
    path = (PLAYER if name in PLAYER_FILES else STATIC) / name
    media_type = _MEDIA_TYPES.get(path.suffix)
    parts = name.split("/")
    if media_type is None or not all(parts) or any(part.startswith(".") or "\0" in part for part in parts):
        raise HTTPException(404, say("expected a file of the page, found none"))
    try:
        data = await asyncio.to_thread(_read, path)
    except OSError:
        raise HTTPException(404, say("expected a file of the page, found none")) from None
    tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if tag in request.headers.get("If-None-Match", ""):
        return Response(status_code=304, headers=headers)
    return Response(data, headers=headers, media_type=media_type)


def _read(path: Path) -> bytes:
    if path.name == TEXTS:
        return write_texts()
    if path.name == INDEX:
        return write_index()
    return path.read_bytes()


def write_index() -> bytes:
    """Return the page, which names all of its modules: a browser fetches them at once, not import by import."""
    own = {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js")}
    players = {name for name in PLAYER_FILES if name.endswith(".js")}
    names = sorted(own - ALONE | players | {TEXTS})
    links = "".join(f'    <link rel="modulepreload" href="{name}" />\n' for name in names)
    head, rest = (STATIC / INDEX).read_text("utf-8").split("  </head>")
    return f"{head}{links}  </head>{rest}".encode()


def write_texts() -> bytes:
    """Return the module with the page's texts: `TEXTS` maps the name of each to its English and its French."""
    return f"export const TEXTS = {json.dumps(load_page(), ensure_ascii=False)};\n".encode()
