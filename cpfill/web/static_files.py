"""The files of the page itself, which come with cpfill: HTML, CSS, ES modules."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import Response

if TYPE_CHECKING:
    from starlette.requests import Request

STATIC = Path(__file__).parent / "static"

_MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
}
"""Files of other kinds are none of the page's. The system's own table is not asked: it may say anything of `.js`."""


async def serve_file(request: Request) -> Response:
    """Return a file of the page, or nothing if the browser has it already.

    Raises:
        HTTPException: there is no such file.
    """
    name = request.path_params["name"] or "index.html"
    path = STATIC / name
    media_type = _MEDIA_TYPES.get(path.suffix)
    parts = name.split("/")
    if media_type is None or not all(parts) or any(part.startswith(".") or "\0" in part for part in parts):
        raise HTTPException(404, "expected a file of the page, found none")
    try:
        data = await asyncio.to_thread(path.read_bytes)
    except OSError:
        raise HTTPException(404, "expected a file of the page, found none") from None
    tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if tag in request.headers.get("If-None-Match", ""):
        return Response(status_code=304, headers=headers)
    return Response(data, headers=headers, media_type=media_type)
