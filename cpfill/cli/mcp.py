"""`cpfill mcp`: questions as tools of assistants, over standard input and output (Model Context Protocol)."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import cpfill
from cpfill.aio import iterate
from cpfill.base.errors import CpfillError, InputError, unknown_name
from cpfill.base.imports import load
from cpfill.base.reading import asked_fields
from cpfill.base.texts import later, say
from cpfill.cli.asking import PacedDesk
from cpfill.cli.verbs import Exit
from cpfill.questions.question import question_class
from cpfill.questions.request import Request

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from cpfill.problem.result import Limits
    from cpfill.questions.question import Question, Record

TOOLS = {
    "solve": "Fill a grid, and report the proof.",
    "candidates": "List the words that fit a slot, each with the proof that some fill or no fill has it.",
    "explain": "Say why a grid has no fill, and suggest remedies.",
    "edits": "Say which block to add, open or move.",
    "count": "Count every fill, exactly.",
    "generate": "Make grids, and fill them.",
    "stats": "Judge a grid or a fill: scores, blocks, style.",
    "check": "Name every rule that a fill breaks.",
}
"""The questions that are tools, each with its description."""

_PACKAGE = ("mcp", later("cpfill mcp"))

_GRID = {
    "description": "The path of a grid, its size (5x5), or an array of its rows: '.' open, '#' a block, or a letter.",
    "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}],
}


def mcp() -> int:
    """Answer the questions of an assistant over standard input and output (Model Context Protocol).

    The assistant starts it, and ends it by closing its input. Paths that it names are relative to the working
    directory. Needs the package mcp.

    Exit codes: 0 closed; 130 interrupted.
    """
    types = load("mcp.types", *_PACKAGE, extra="mcp")
    stdio = load("mcp.server.stdio", *_PACKAGE, extra="mcp")
    server_class = load("mcp.server.lowlevel", *_PACKAGE, extra="mcp").Server

    async def list_tools(_context: object, _page: object) -> Any:
        tools = [types.Tool(name=name, description=told, input_schema=schema(name)) for name, told in TOOLS.items()]
        return types.ListToolsResult(tools=tools)

    async def call(context: Any, asked: Any) -> Any:
        try:
            records = await _answer(read(asked.name, asked.arguments or {}), context.session)
        except CpfillError as error:
            return types.CallToolResult(content=[types.TextContent(text=str(error))], is_error=True)
        text = "\n".join(map(json.dumps, records))
        return types.CallToolResult(content=[types.TextContent(text=text)], structured_content={"records": records})

    async def serve() -> None:
        server = server_class("cpfill", version=cpfill.__version__, on_list_tools=list_tools, on_call_tool=call)
        async with stdio.stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    with suppress(KeyboardInterrupt):
        asyncio.run(serve())
        return Exit.ANSWERED
    return Exit.INTERRUPTED


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of the arguments of a tool."""
    asked = {**asked_fields(Request), **asked_fields(question_class(name))}
    fields = {each: about.schema for each, about in asked.items()}
    return {"type": "object", "properties": {"grid": _GRID, **fields}, "additionalProperties": False}


def read(name: str, given: Mapping[str, Any]) -> Question:
    """Return the question of a call of a tool.

    Raises:
        InputError: there is no such tool, or a value is wrong.
    """
    if name not in TOOLS:
        raise InputError(unknown_name(say("a tool"), name, TOOLS))
    asks = question_class(name)
    own = asked_fields(asks)
    said = {each: value for each, value in given.items() if each in own}
    asked = {each: value for each, value in given.items() if each not in own}
    return asks(request=Request().updated(asked), **said)


async def _answer(question: Question, session: Any) -> list[Record]:
    """Return the records of an answer; of those that replace one another, the last. Progress is reported only."""

    def begin(limits: Limits) -> Generator[Record]:
        return replace(question, stop=limits.stop).records(PacedDesk())

    told: list[Record] = []
    count = 0
    async with aclosing(iterate(begin)) as records:
        async for record in records:
            count += 1
            await session.report_progress(count)
            if record.get("event") in {"progress", "arranged"}:
                continue
            if question.IMPROVES and not record.get("done"):
                told.clear()
            told.append(record)
    return told
