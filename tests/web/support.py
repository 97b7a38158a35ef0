"""A server of the page in this process, and a client that shares no code with it."""

from __future__ import annotations

import http.client
import json
import threading
import time
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cpfill
from cpfill.puzzle.grid import split_rows
from cpfill.web.serve import PageServer

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping
    from pathlib import Path

    from uvicorn import Server

HANG_S = 60.0
"""What takes so long hangs, on a machine that is busy too."""


@contextmanager
def answering(page: PageServer) -> Iterator[Server]:
    """Have a server answer from a thread of this process."""
    with closing(page.listening):
        server = page.make()
        thread = threading.Thread(target=server.run, kwargs={"sockets": [page.listening]})
        thread.start()
        try:
            yield server
        finally:
            server.should_exit = True
            thread.join(HANG_S)
        assert not thread.is_alive()


@contextmanager
def serving(folder: Path, port: int = 0, opened: str | None = None) -> Iterator[PageServer]:
    """Serve the puzzles of a directory from a thread of this process."""
    page = PageServer.listen(folder, opened, port=port)
    with answering(page):
        yield page


def await_quiet(page: PageServer, server: Server) -> None:
    """Wait until a server has answered whatever it was asked before, also those who are gone."""
    Client(page.port, page.token).ask("GET", "/api/about")  # what came before has been begun by now
    end_s = time.monotonic() + HANG_S
    while server.server_state.tasks:
        assert time.monotonic() < end_s
        time.sleep(0.01)


def own_rows(path: Path) -> list[str]:
    """Return the letters of its author that stand in the file of a puzzle: those in pencil are the program's."""
    puzzle = cpfill.read_puzzle(path)
    pencilled = puzzle.work.get("pencilled", [])
    cells = ["#" if cell is None else "." if at in pencilled else cell or "." for at, cell in enumerate(puzzle.cells)]
    return list(map("".join, split_rows(cells, puzzle.width)))


@dataclass(frozen=True)
class Answer:
    """What a request was answered."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def record(self) -> dict[str, Any]:
        """The one record of the answer."""
        record = json.loads(self.body)
        assert isinstance(record, dict)
        return record

    @property
    def records(self) -> list[dict[str, Any]]:
        """The lines of a stream."""
        return [json.loads(line) for line in self.body.splitlines()]

    @property
    def error(self) -> str:
        """The one line that says what is wrong."""
        said = self.record["error"]
        assert isinstance(said, str)
        assert "\n" not in said
        return said


@dataclass(frozen=True)
class Client:
    """Asks a server at a port of loopback."""

    port: int
    token: str

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def send(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str | None] | None = None
    ) -> http.client.HTTPConnection:
        """Send a request; a body that is no bytes goes as JSON, and a header that is none does not go."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=HANG_S)
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        asked = {"X-Cpfill-Token": self.token, **(headers or {})}
        try:
            connection.request(method, path, data, {name: value for name, value in asked.items() if value is not None})
        except OSError:  # the server went meanwhile
            connection.close()
            raise
        return connection

    def ask(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str | None] | None = None
    ) -> Answer:
        """Send a request, and return the whole answer."""
        connection = self.send(method, path, body, headers)
        try:
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()

    def stream(self, path: str, body: object) -> Generator[dict[str, Any]]:
        """Yield the lines of an answer as they come; closing it leaves the server."""
        connection = self.send("POST", path, body)
        try:
            response = connection.getresponse()
            assert response.status == 200, response.read()
            for line in response:
                yield json.loads(line)
        finally:
            connection.close()

    @property
    def running(self) -> int:
        """How many searches run, as the server counts them."""
        running = self.ask("GET", "/api/about").record["running"]
        assert isinstance(running, int)
        return running


def puzzle(*rows: str, **more: object) -> dict[str, Any]:
    """Return the record of a puzzle: `#` is a block, `.` an empty cell."""
    cells = [None if cell == "#" else cell.replace(".", "") for row in rows for cell in row]
    return {"height": len(rows), "width": len(rows[0]), "cells": cells, **more}
