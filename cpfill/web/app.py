"""The application: its routes, conversion from and to files, and the personal list."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import Route

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import SCORE, CpfillError, FormatError, expected, quote_value
from cpfill.base.files import decode
from cpfill.base.reading import check_text, read_flag
from cpfill.base.records import parse_object
from cpfill.base.texts import say
from cpfill.design import STYLES, Symmetry
from cpfill.formats.dialects import parse_grids
from cpfill.formats.pages.style import PageLayout, PageStyle, Paper
from cpfill.formats.registry import (
    FORMATS,
    WRITABLE,
    Family,
    FileFormat,
    guess_format,
    read_puzzle,
    recognise,
    write_puzzle,
)
from cpfill.puzzle.clues.dictionaries import is_installed, list_notices
from cpfill.puzzle.parts import IN_GRID
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.question import QUESTIONS
from cpfill.questions.records import puzzle_record
from cpfill.questions.stats import LANGUAGES
from cpfill.solvers.data import DATA_FORMATS, write_data
from cpfill.web.assets import serve_file
from cpfill.web.files import ConflictError, Folder
from cpfill.web.guard import MAX_FILE_BYTES, Guard, check_origin, read_body
from cpfill.web.memory import Memory, find_trim
from cpfill.web.openapi import (
    BYTES,
    FLAG,
    FLAG_OR_NULL,
    IF_MATCH,
    IF_NEW,
    JSON,
    NUMBER,
    TAGGED,
    TEXT,
    TEXT_OR_NULL,
    TEXTS,
    Describer,
    Operation,
    describe_question,
    described,
    map_of,
    query,
    record,
    refer,
)
from cpfill.web.previews import Previews
from cpfill.web.streams import JsonLines, Searches, answer, answer_fault
from cpfill.web.wire import begin, check_object, parse_puzzle, parse_request
from cpfill.words.sources import delete_personal, personal_path, read_personal, set_score
from cpfill.words.wordlist import PACKAGED, describe_skipped, format_decimal

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection
    from pathlib import Path

    from starlette.requests import Request

_FILE_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".pdf": "application/pdf",
    ".json": "application/json",
    ".csv": "text/csv; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".tex": "text/plain; charset=utf-8",
}

_SUFFIX = ".txt"
"""The media type of formats without their own."""


@dataclass(frozen=True, slots=True)
class Written:
    """A file of a puzzle: its content, its name, its media type, and the losses that the format caused."""

    data: bytes
    name: str
    media_type: str
    told: tuple[str, ...]


def read_file(data: bytes, name: str) -> dict[str, Any]:
    """Return the puzzle in a file of any format, or the first grid of a text in any dialect, and warnings."""
    kind = guess_format(name) or recognise(data)
    if FORMATS[kind].family is not Family.DIALECT:
        puzzle = read_puzzle(data, name, kind)
        return {"puzzle": puzzle_record(puzzle), "told": list(puzzle.unread)}
    _, grids = parse_grids(decode(data, name, FormatError), name=name)
    told = []
    if len(grids) > 1:
        told.append(say("the first of {grids} grids", grids=len(grids)))
    return {"puzzle": puzzle_record(Puzzle.of_grid(grids[0])), "told": told}


def convert_puzzle(body: bytes, memory: Memory) -> Written:
    """Return the file of a puzzle in the requested format."""
    given = check_object(say("a conversion"), parse_object(body), ("puzzle", "to", "options", "name", "request"))
    if "puzzle" not in given:
        raise expected("a puzzle to convert", say("none"))
    puzzle = parse_puzzle(given["puzzle"])
    to = check_text(say("a format"), "to", given.get("to"))
    name = check_text(say("a name"), "name", given.get("name", "puzzle"))
    stem = PurePath(name).stem or "puzzle"
    if to in DATA_FORMATS:
        lists = memory.lists
        request = parse_request(given.get("request", {}), puzzle, lists.find, lists.find_personal)
        data = write_data(memory.pose(request), to).encode()
        told = puzzle.tell_losses(puzzle.keep(IN_GRID))
        suffixes = DATA_FORMATS[to].suffixes
    else:
        data, told = write_puzzle(puzzle, to, _style(given.get("options", {})))
        suffixes = FORMATS[to].suffixes
    suffix = next(iter(suffixes), _SUFFIX)
    return Written(data, f"{stem}{suffix}", _FILE_TYPES.get(suffix, BYTES), tuple(told))


def _style(value: object) -> PageStyle | None:
    """Return the style of a drawing; `None` if the request has none."""
    options = dict(check_object("options", value, ("solution", "french", "paper", "layout", "word_bank")))
    if "solution" in options:
        options["letters"] = options.pop("solution")
    given = {name: one for name, one in options.items() if one is not None}
    style = PageStyle(**given)
    return None if style == PageStyle() else style


def _describe_drawing(one: FileFormat) -> dict[str, list[str]]:
    """Return the papers and layouts that a drawing can have."""
    return {
        "papers": list(Paper) if one.has_pages else [],
        "layouts": [layout for layout in PageLayout if layout in one.layouts],
    }


def change_score(body: bytes) -> dict[str, Any]:
    """Give a word a score in the personal list, or ban it, and return the messages to show."""
    given = check_object(say("a change"), parse_object(body), ("ban", "rescore", "score", "alphabet"))
    if ("ban" in given) == ("rescore" in given) or ("rescore" in given) != ("score" in given):
        raise expected("a word to ban, or one to rescore and its score", ", ".join(given) or say("nothing"))
    word = check_text(say("a word"), "word", given.get("ban", given.get("rescore")))
    if not word.isprintable():
        raise expected("a word that can be written", quote_value(word))
    score = given.get("score", 0)
    SCORE.check(score, "score")
    alphabet = Alphabet.named(check_text(say("a name"), "alphabet", given.get("alphabet", "latin")))
    path = set_score(word, float(score), alphabet=alphabet)
    said = say("scores {value}", value=format_decimal(float(score)))
    if "ban" in given:
        said = say("is banned")
    return {"told": f"{path}: {word} {said}"}


def _draws_png() -> bool:
    if sys.platform == "emscripten":
        return True
    return find_spec("PIL") is not None and find_spec("PIL.ImageDraw") is not None


def describe_program() -> dict[str, Any]:
    """Return the abilities of the program; PNG needs Pillow, or the browser if the program runs in its tab."""
    formats = [*WRITABLE, *DATA_FORMATS]
    if not _draws_png():
        formats.remove("png")
    return {
        "lists": list(PACKAGED),
        "formats": formats,
        "drawings": {name: _describe_drawing(one) for name, one in FORMATS.items() if one.draws},
        "styles": {name: style.symmetry for name, style in STYLES.items()},
        "symmetries": list(Symmetry),
        "dictionaries": any(map(is_installed, LANGUAGES)),
        "notices": list_notices(LANGUAGES),
        "personal": str(personal_path()),
    }


_ZIP = "application/zip"
_PLAIN = "text/plain"
_TOLD = "X-Cpfill-Told"
_LOSSES = "The losses of the reader: an array of texts, as JSON in percent encoding"

_ABOUT = record(
    lists=TEXTS,
    formats=TEXTS,
    drawings=map_of(record(papers=TEXTS, layouts=TEXTS)),
    styles=map_of(TEXT),
    symmetries=TEXTS,
    dictionaries=FLAG,
    notices=TEXTS,
    personal=TEXT,
    running=NUMBER,
)
_FOLDER = record(directory=TEXT, opened=TEXT_OR_NULL, recent=TEXT_OR_NULL, puzzles=TEXTS, lists=TEXTS, clues=TEXTS)
_BAR = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}
_PREVIEW = record(
    title=TEXT,
    picture=TEXTS,
    bars={"type": "array", "items": _BAR},
    cells=NUMBER,
    letters=NUMBER,
    slots=NUMBER,
    clues=NUMBER,
)
_LISTED = record(name=TEXT, saved=NUMBER, preview={"anyOf": [_PREVIEW, {"type": "null"}]})
_PREVIEWS = record(puzzles={"type": "array", "items": _LISTED}, unread=NUMBER)
_SAVED = record(name=TEXT, etag=TEXT)
_READ = record(puzzle=refer("PuzzleRecord"), told=TEXTS)
_RENAMING = record(("keep",), to=TEXT, keep=FLAG)
_STYLE = record(
    ("solution", "french", "paper", "layout", "word_bank"),
    solution=FLAG_OR_NULL,
    french=FLAG_OR_NULL,
    paper=TEXT_OR_NULL,
    layout=TEXT_OR_NULL,
    word_bank=FLAG_OR_NULL,
)
_CONVERSION = record(
    ("options", "name", "request"),
    puzzle=refer("Puzzle"),
    to=TEXT,
    options=_STYLE,
    name=TEXT,
    request=refer("Request"),
)
_ASKS_LOSSES = query("losses", "With any value, list the losses only")
_CHANGE = {
    "oneOf": [
        record(("alphabet",), ban=TEXT, alphabet=TEXT),
        record(("alphabet",), rescore=TEXT, score={"type": "number"}, alphabet=TEXT),
    ]
}


def make_app(directory: Path, token: str, origins: Collection[str], opened: str | None = None) -> Starlette:
    """Return the application that serves the puzzles of a directory to requests with the token.

    `origins` are the addresses of the page, such as `http://127.0.0.1:8765`; `opened` names the puzzle to begin with.
    """
    origins = {check_origin(origin) for origin in origins}  # at once: the first request makes the middleware
    routes = _list_routes(_Routes(Folder(directory, opened)))
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, token=token, origins=origins)],
        exception_handlers={
            HTTPException: _tell_http_error,
            ConflictError: _tell_conflict,
            CpfillError: _tell_error,
            Exception: _tell_error,
        },
    )


def _list_routes(routes: _Routes) -> list[Route]:
    asked = [Route(f"/api/{name}", routes.ask(name), methods=["POST"]) for name in QUESTIONS]
    return [
        Route("/openapi.json", _serve_description),
        Route("/api/about", routes.describe),
        Route("/api/puzzles", routes.list_puzzles),
        Route("/api/previews", routes.preview_puzzles),
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
        *asked,
        Route("/api/{rest:path}", _no_route, methods=["GET", "POST", "PUT", "DELETE"], include_in_schema=False),
        Route("/{name:path}", serve_file),
    ]


class _Routes:
    """The routes of `/api/`: each reads its request, works in a thread, and answers."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._previews = Previews(folder)
        self._memory = Memory(folder)
        self._searches = Searches(rest=find_trim())

    @described(Operation({JSON: _ABOUT}))
    async def describe(self, _: Request) -> Response:
        """List the abilities of the program and the number of running searches."""
        return answer({**describe_program(), "running": self._searches.running})

    @described(Operation({JSON: _FOLDER}))
    async def list_puzzles(self, _: Request) -> Response:
        """List the puzzles, word lists and clue files of the directory."""
        return answer(await asyncio.to_thread(self._folder.describe))

    @described(Operation({JSON: _PREVIEWS}))
    async def preview_puzzles(self, _: Request) -> Response:
        """Preview the puzzles, the last saved first; read some that are new or changed, and count the others."""
        return answer(await asyncio.to_thread(self._previews.describe))

    @described(Operation({_ZIP: {}}, errors=(400,)))
    async def archive(self, _: Request) -> Response:
        """Pack all files of the directory into an archive."""
        data = await asyncio.to_thread(self._folder.archive)
        return Response(data, headers={"Content-Disposition": "attachment; filename=puzzles.zip"}, media_type=_ZIP)

    @described(Operation({JSON: refer("PuzzleRecord")}, errors=(400, 404), headers={**TAGGED, _TOLD: _LOSSES}))
    async def read_puzzle(self, request: Request) -> Response:
        """Read a puzzle."""
        name = request.path_params["name"]
        saved = await asyncio.to_thread(self._folder.read, name)
        if saved is None:
            raise HTTPException(404, say("{name}: expected a puzzle of the directory, found none", name=name))
        return answer(puzzle_record(saved.puzzle), headers={"ETag": saved.tag, **_tell(saved.puzzle.unread)})

    @described(Operation({JSON: _SAVED}, {JSON: refer("Puzzle")}, (412,), (IF_MATCH, IF_NEW), TAGGED))
    async def save_puzzle(self, request: Request) -> Response:
        """Save a puzzle."""
        name = request.path_params["name"]
        tag = _expected_tag(request)
        body = await read_body(request)
        saved = await asyncio.to_thread(lambda: self._folder.save(name, parse_puzzle(parse_object(body)), tag))
        return answer({"name": name, "etag": saved}, headers={"ETag": saved})

    @described(Operation({JSON: _SAVED}, {JSON: _RENAMING}, (412,), (IF_MATCH,), TAGGED))
    async def rename_puzzle(self, request: Request) -> Response:
        """Rename a puzzle, or copy it with `keep`."""
        name = request.path_params["name"]
        tag = _tag_that_was_read(request)
        given = check_object(say("a renaming"), parse_object(await read_body(request)), ("to", "keep"))
        to = check_text(say("a file name"), "to", given.get("to"))
        keep = read_flag("keep", given.get("keep", False))
        await asyncio.to_thread(partial(self._folder.rename, name, to, tag, keep=keep))
        return answer({"name": to, "etag": tag}, headers={"ETag": tag})

    @described(Operation({JSON: record(name=TEXT)}, errors=(400, 412), parameters=(IF_MATCH,)))
    async def delete_puzzle(self, request: Request) -> Response:
        """Delete a puzzle."""
        name = request.path_params["name"]
        await asyncio.to_thread(self._folder.delete, name, _tag_that_was_read(request))
        return answer({"name": name})

    @described(Operation({JSON: record(name=TEXT, words=NUMBER, told=TEXTS)}, {BYTES: {}}, (412,)))
    async def add_list(self, request: Request) -> Response:
        """Save a word list under a new name."""
        name = request.path_params["name"]
        words = await asyncio.to_thread(self._folder.add_list, name, await read_body(request, MAX_FILE_BYTES))
        told = [describe_skipped(words.skipped)] if words.skipped else []
        return answer({"name": name, "words": len(words.words), "told": told})

    @described(Operation({JSON: _READ}, {BYTES: {}}, parameters=(query("name", "The name of the file"),)))
    async def read_file(self, request: Request) -> Response:
        """Read a file of any format, which the request contains; write nothing."""
        name = request.query_params.get("name", "puzzle")
        return answer(await asyncio.to_thread(read_file, await read_body(request, MAX_FILE_BYTES), name))

    @described(Operation({BYTES: {}, JSON: record(told=TEXTS)}, {JSON: _CONVERSION}, parameters=(_ASKS_LOSSES,)))
    async def convert(self, request: Request) -> Response:
        """Write a puzzle in any format; with `losses`, list the content that this format would drop."""
        written = await asyncio.to_thread(convert_puzzle, await read_body(request), self._memory)
        if "losses" in request.query_params:
            return answer({"told": list(written.told)})
        named = f"attachment; filename*=UTF-8''{quote(written.name, safe='', errors='replace')}"
        return Response(written.data, headers={"Content-Disposition": named}, media_type=written.media_type)

    @described(Operation({_PLAIN: TEXT}, errors=(400, 404)))
    async def read_personal(self, _: Request) -> Response:
        """Read the personal list, damaged or not."""
        data = await asyncio.to_thread(read_personal)
        if data is None:
            raise HTTPException(404, say("expected the personal list, found none"))
        return Response(data, media_type=_PLAIN)

    @described(Operation({JSON: record()}, errors=(400,)))
    async def delete_personal(self, _: Request) -> Response:
        """Delete the personal list."""
        await asyncio.to_thread(delete_personal)
        return answer({})

    @described(Operation({JSON: record(told=TEXT)}, {JSON: _CHANGE}))
    async def change_score(self, request: Request) -> Response:
        """Ban or rescore a word in the personal list."""
        return answer(await asyncio.to_thread(change_score, await read_body(request)))

    def ask(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        """Return the handler of a question."""

        @described(describe_question(name))
        async def ask(request: Request) -> Response:
            return JsonLines(begin(name, await read_body(request), self._memory), self._searches)

        return ask


def _expected_tag(request: Request) -> str | None:
    """Return the tag of the file that the client expects; `None` if it expects no file."""
    if request.headers.get("If-None-Match") == "*":
        return None
    return _tag_that_was_read(request)


def _tag_that_was_read(request: Request) -> str:
    """Return the tag of the file to rename or delete."""
    if "If-Match" not in request.headers:
        raise expected("If-Match with the ETag that was read, or for a new file If-None-Match: *", say("neither"))
    return request.headers["If-Match"]


def _tell(lines: Collection[str]) -> dict[str, str]:
    """Return the header that lists the losses."""
    return {_TOLD: quote(json.dumps(list(lines)))} if lines else {}


@described(Operation({JSON: {"type": "object"}}))
async def _serve_description(request: Request) -> Response:
    """Describe all routes."""
    described_routes = await asyncio.to_thread(Describer().get_schema, request.app.routes)
    return answer(described_routes)


async def _no_route(_: Request) -> Response:
    raise HTTPException(404, say("expected a route of the page, found another"))


async def _tell_conflict(_: Request, error: Exception) -> Response:
    assert isinstance(error, ConflictError)
    found = error.found and puzzle_record(error.found.puzzle)
    return answer({"error": str(error), "puzzle": found, "etag": error.tag}, 412)


async def _tell_error(_: Request, error: Exception) -> Response:
    return answer_fault(error)


async def _tell_http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return answer({"error": error.detail}, error.status_code, error.headers)
