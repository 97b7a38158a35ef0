"""The application without a server: in a browser's tab, a worker hands it requests and gets its answers.

`static/engine.js` runs this under Pyodide. It asks the same application that `serve` does, over ASGI instead of HTTP;
nothing is decided here.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import unquote

from cpfill.base.imports import when_missing
from cpfill.base.tasks import REQUEST
from cpfill.engines.toolkit.wasm import install as install_kernels
from cpfill.web.app import make_app
from cpfill.web.guard import TOKEN_HEADER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import Message

_ANSWERS = 8
"""The least number of answers between two full garbage collections, which run while nothing is asked."""

_HOST = "tab.invalid"
_TOKEN = "tab"  # noqa: S105 - code in the tab may ask


# The automatic collector follows the frames of suspended tasks, whose stacks Pyodide moves, and crashes (issue 6464 of
# Pyodide). Collections that are asked for do not look at frames.
if sys.platform == "emscripten":
    gc.disable()
    when_missing(install_kernels)


class Reply(Protocol):
    """A receiver of an answer: a function of JavaScript."""

    def __call__(self, kind: str, status: int, headers: str, body: bytes) -> None:
        """Receive `start`, with the headers as a JSON list of pairs, then each `part`."""


class Tab:
    """The application on a directory of the browser's storage, which holds the puzzles."""

    def __init__(self, directory: str) -> None:
        Path(directory).mkdir(parents=True, exist_ok=True)  # in memory, where the browser keeps no files
        self._app = make_app(Path(directory), _TOKEN, [f"https://{_HOST}"])
        self._gone: dict[int, asyncio.Event] = {}
        self._answers = 0

    async def answer(self, asked: Mapping[str, Any], body: bytes, reply: Reply) -> None:
        """Answer a request: `id` is for `abort`; if it is `heard`, the service worker knows when it is to end."""
        body = bytes(body)  # a buffer of JavaScript's
        REQUEST.set(asked["id"] if asked["heard"] else 0)
        path, _, query = asked["path"].partition("?")
        own = {"Host": _HOST, TOKEN_HEADER: _TOKEN, "Content-Length": str(len(body))}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": asked["method"],
            "scheme": "https",
            "path": f"/{unquote(path)}",
            "raw_path": f"/{path}".encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in {**asked["headers"], **own}.items()],
        }
        gone = self._gone[asked["id"]] = asyncio.Event()
        messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            if messages:
                return messages.pop()
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                pairs = [[name.decode(), value.decode("latin-1")] for name, value in message["headers"]]
                reply("start", message["status"], json.dumps(pairs), b"")
            elif message.get("body"):
                reply("part", 0, "", message["body"])

        try:
            await self._app(scope, receive, send)
        finally:
            del self._gone[asked["id"]]
            self._answers += 1
            if self._gone or self._answers < _ANSWERS:
                gc.collect(0)
            else:
                self._answers = 0
                gc.collect()

    def abort(self, id_: int) -> None:
        """End the answer to a request, if it is still being given."""
        if id_ in self._gone:
            self._gone[id_].set()
