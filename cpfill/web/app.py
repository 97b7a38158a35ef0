"""The application: which route leads where."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import Route

from cpfill.base.errors import CpfillError, Fault, InputError
from cpfill.base.reading import check_text, read_flag
from cpfill.base.records import parse_object
from cpfill.base.texts import say
from cpfill.questions.question import QUESTIONS
from cpfill.questions.records import puzzle_record
from cpfill.web.asking import begin
from cpfill.web.exchange import change_score, convert, describe_program, read_file
from cpfill.web.files import ConflictError, Folder
from cpfill.web.guard import MAX_FILE_BYTES, Guard, check_origin, read_body
from cpfill.web.memory import Memory
from cpfill.web.static_files import serve_file
from cpfill.web.streams import JsonLines, Searches, answer, describe_error
from cpfill.web.wire import check_object, parse_puzzle
from cpfill.words.sources import delete_personal, read_personal
from cpfill.words.wordlist import describe_skipped

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from starlette.requests import Request

_ZIP = "application/zip"
_TOLD = "X-Cpfill-Told"


def make_app(directory: Path, token: str, origins: Collection[str], opened: str | None = None) -> Starlette:
    """Return the application that serves the puzzles of a directory to whoever shows the token.

    Args:
        directory: where the puzzles are, and word lists of one's own.
        token: what every request to `/api/` has to show.
        origins: where the page is reached, such as `http://127.0.0.1:8765`.
        opened: the name of the puzzle to begin with.

    Raises:
        InputError: an origin is none.
    """
    origins = {check_origin(origin) for origin in origins}  # now, for the middleware is made with the first request
    routes = _Routes(Folder(directory, opened))
    return Starlette(
        routes=[
            Route("/api/about", routes.describe),
            Route("/api/puzzles", routes.list_puzzles),
            Route("/api/puzzles/{name}", routes.read_puzzle, methods=["GET"]),
            Route("/api/puzzles/{name}", routes.save_puzzle, methods=["PUT"]),
            Route("/api/puzzles/{name}", routes.rename_puzzle, methods=["POST"]),
            Route("/api/puzzles/{name}", routes.delete_puzzle, methods=["DELETE"]),
            Route("/api/archive", routes.archive),
            Route("/api/lists/{name}", routes.add_list, methods=["PUT"]),
            Route("/api/read", routes.read_file, methods=["POST"]),
            Route("/api/convert", routes.convert, methods=["POST"]),
            Route("/api/words", routes.read_personal, methods=["GET"]),
            Route("/api/words", routes.change_score, methods=["POST"]),
            Route("/api/words", routes.delete_personal, methods=["DELETE"]),
            Route("/api/{name}", routes.ask, methods=["POST"]),
            Route("/api/{rest:path}", _no_route, methods=["GET", "POST", "PUT", "DELETE"]),
            Route("/{name:path}", serve_file),
        ],
        middleware=[Middleware(Guard, token=token, origins=origins)],
        exception_handlers={
            HTTPException: _tell_http_error,
            ConflictError: _tell_conflict,
            CpfillError: _tell_error,
            Exception: _tell_error,
        },
    )


class _Routes:
    """The routes of `/api/`: each reads its request, has the work done in a thread, and answers."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._memory = Memory(folder)
        self._searches = Searches()

    async def describe(self, _: Request) -> Response:
        return answer({**describe_program(), "running": self._searches.running})

    async def list_puzzles(self, _: Request) -> Response:
        folder = self._folder
        puzzles = await asyncio.to_thread(folder.list_puzzles)
        lists = await asyncio.to_thread(folder.list_words)
        clues = await asyncio.to_thread(folder.list_clues)
        recent = await asyncio.to_thread(folder.find_recent, puzzles)
        where = {"directory": str(folder.directory), "opened": folder.opened, "recent": recent}
        return answer({**where, "puzzles": puzzles, "lists": lists, "clues": clues})

    async def archive(self, _: Request) -> Response:
        data = await asyncio.to_thread(self._folder.archive)
        return Response(data, headers={"Content-Disposition": "attachment; filename=puzzles.zip"}, media_type=_ZIP)

    async def read_puzzle(self, request: Request) -> Response:
        name = request.path_params["name"]
        saved = await asyncio.to_thread(self._folder.read, name)
        if saved is None:
            raise HTTPException(404, say("{name}: expected a puzzle of the directory, found none", name=name))
        return answer(puzzle_record(saved.puzzle), headers={"ETag": saved.tag, **_tell(saved.puzzle.unread)})

    async def save_puzzle(self, request: Request) -> Response:
        name, tag = request.path_params["name"], _expected_tag(request)
        body = await read_body(request)
        saved = await asyncio.to_thread(lambda: self._folder.save(name, parse_puzzle(parse_object(body)), tag))
        return answer({"name": name, "etag": saved}, headers={"ETag": saved})

    async def rename_puzzle(self, request: Request) -> Response:
        name, tag = request.path_params["name"], _tag_that_was_read(request)
        given = check_object(say("a renaming"), parse_object(await read_body(request)), ("to", "keep"))
        to = check_text(say("a file name"), "to", given.get("to"))
        keep = read_flag("keep", given.get("keep", False))
        await asyncio.to_thread(partial(self._folder.rename, name, to, tag, keep=keep))
        return answer({"name": to, "etag": tag}, headers={"ETag": tag})

    async def delete_puzzle(self, request: Request) -> Response:
        name = request.path_params["name"]
        await asyncio.to_thread(self._folder.delete, name, _tag_that_was_read(request))
        return answer({"name": name})

    async def add_list(self, request: Request) -> Response:
        name = request.path_params["name"]
        words = await asyncio.to_thread(self._folder.add_list, name, await read_body(request, MAX_FILE_BYTES))
        told = [describe_skipped(words.skipped)] if words.skipped else []
        return answer({"name": name, "words": len(words.words), "told": told})

    async def read_file(self, request: Request) -> Response:
        name = request.query_params.get("name", "puzzle")
        return answer(await asyncio.to_thread(read_file, await read_body(request, MAX_FILE_BYTES), name))

    async def convert(self, request: Request) -> Response:
        written = await asyncio.to_thread(convert, await read_body(request), self._memory)
        if "losses" in request.query_params:
            return answer({"told": list(written.told)})
        named = f"attachment; filename*=UTF-8''{quote(written.name, safe='', errors='replace')}"
        return Response(written.data, headers={"Content-Disposition": named}, media_type=written.media_type)

    async def read_personal(self, _: Request) -> Response:
        data = await asyncio.to_thread(read_personal)
        if data is None:
            raise HTTPException(404, say("expected the personal list, found none"))
        return Response(data, media_type="text/plain")

    async def delete_personal(self, _: Request) -> Response:
        await asyncio.to_thread(delete_personal)
        return answer({})

    async def change_score(self, request: Request) -> Response:
        return answer(await asyncio.to_thread(change_score, await read_body(request)))

    async def ask(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in QUESTIONS:
            return await _no_route(request)
        return JsonLines(begin(name, await read_body(request), self._memory), self._searches)


def _expected_tag(request: Request) -> str | None:
    """Return the tag of the file that a saver expects, none if there is to be none.

    Raises:
        InputError: the request says neither.
    """
    if request.headers.get("If-None-Match") == "*":
        return None
    return _tag_that_was_read(request)


def _tag_that_was_read(request: Request) -> str:
    """Return the tag of the file that is to be another's.

    Raises:
        InputError: the request does not say it.
    """
    if "If-Match" not in request.headers:
        raise InputError(
            Fault(say("If-Match with the ETag that was read, or for a new file If-None-Match: *"), say("neither"))
        )
    return request.headers["If-Match"]


def _tell(lines: Collection[str]) -> dict[str, str]:
    """Return the header that tells of what was left out."""
    return {_TOLD: quote(json.dumps(list(lines)))} if lines else {}


async def _no_route(_: Request) -> Response:
    raise HTTPException(404, say("expected a route of the page, found another"))


async def _tell_conflict(_: Request, error: Exception) -> Response:
    assert isinstance(error, ConflictError)
    found = error.found and puzzle_record(error.found.puzzle)
    return answer({"error": str(error), "puzzle": found, "etag": error.tag}, 412)


async def _tell_error(_: Request, error: Exception) -> Response:
    return describe_error(error)


async def _tell_http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return answer({"error": error.detail}, error.status_code, error.headers)
