"""Describes the routes as OpenAPI 3.1: each handler names its request, its answer and its errors.

The schemas of puzzles and answers are those of `questions/records.schema.json`, and the fields of a question are those
that its class declares.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from starlette.schemas import BaseSchemaGenerator

import cpfill
from cpfill.base.reading import asked_fields
from cpfill.questions.question import question_class
from cpfill.questions.request import Request
from cpfill.web.guard import API, TOKEN_HEADER
from cpfill.web.streams import MEDIA_TYPE as JSON_LINES
from cpfill.web.wire import ASKED, NEEDED, OF_NO_PUZZLE, SECONDS, own_fields

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

Schema = Mapping[str, Any]
T = TypeVar("T", bound=Callable[..., Any])

JSON = "application/json"
BYTES = "application/octet-stream"

TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
NUMBER: Schema = {"type": "integer"}
TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
FLAG_OR_NULL: Schema = {"type": ["boolean", "null"]}
TEXTS: Schema = {"type": "array", "items": TEXT}

_TABLES = "#/$defs/"
_SCHEMAS = "#/components/schemas/"
_DESCRIBED = "described"

_NOT_MODIFIED = 304
_ERRORS = {
    _NOT_MODIFIED: "The client has the file already",
    400: "A value is wrong, or a file cannot be read or written",
    401: "The token is missing or wrong",
    403: "The request comes from another host, origin or site",
    404: "There is no such file or route",
    408: "The client sends or reads too slowly",
    412: "The file differs from the one that was read, or the name is taken",
    413: "The request is too long",
    429: "As many searches run as may run at once",
    500: "cpfill failed",
}
_GUARDED = (403, 500)
_WITH_TOKEN = (401, 403, 500)
_WITH_BODY = (400, 408, 413)
_CONFLICT = 412


def refer(name: str) -> Schema:
    """Return a reference to a schema."""
    return {"$ref": f"{_SCHEMAS}{name}"}


def record(optional: Iterable[str] = (), **properties: Schema) -> Schema:
    """Return the schema of an object with exactly these keys."""
    needed = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}


def map_of(values: Schema) -> Schema:
    """Return the schema of an object with any keys."""
    return {"type": "object", "additionalProperties": values}


def _header(name: str, told: str) -> Schema:
    return {"name": name, "in": "header", "description": told, "schema": TEXT}


_ETAG = "The ETag of the file that was read"
TAGGED = {"ETag": "The tag of the file"}
IF_MATCH = _header("If-Match", _ETAG)
IF_NEW = _header("If-None-Match", "* if the file is new, in place of If-Match")
IF_CHANGED = _header("If-None-Match", "The ETag of the file that the client has")


def query(name: str, told: str) -> Schema:
    """Return a parameter of the address."""
    return {"name": name, "in": "query", "description": told, "schema": TEXT, "allowEmptyValue": True}


class Operation(NamedTuple):
    """A handler's request, answer and errors.

    Attributes:
        answers: the schema of each media type of the answer.
        body: the schema of each media type of the request.
        errors: the statuses of its other answers, besides those of the guard and of every body.
        parameters: the headers and the parameters of the address; those of the path are known.
        headers: the headers of the answer, each with its meaning.
        summary: the text that replaces the docstring.
        name: the name that replaces that of the function.
    """

    answers: Mapping[str, Schema]
    body: Mapping[str, Schema] | None = None
    errors: tuple[int, ...] = ()
    parameters: tuple[Schema, ...] = ()
    headers: Mapping[str, str] = {}
    summary: str = ""
    name: str = ""


def described(operation: Operation) -> Callable[[T], T]:
    """Return a decorator that describes a handler."""

    def describe(handler: T) -> T:
        setattr(handler, _DESCRIBED, operation)
        return handler

    return describe


def describe_question(name: str) -> Operation:
    """Return the operation of a question."""
    line = {"anyOf": [refer(f"{name}.answer"), refer("Error")], "description": "Each line; the last has done or error"}
    return Operation(
        {JSON_LINES: line},
        {JSON: refer(f"{name}.question")},
        (429,),
        summary=f"Ask the question {name}, and stream its answer.",
        name=name,
    )


class Describer(BaseSchemaGenerator):
    """Describes the routes of an application, except those that are not part of its schema."""

    def get_schema(self, routes: list[BaseRoute]) -> dict[str, Any]:
        """Return the description.

        Raises:
            AttributeError: a handler is not described.
        """
        paths: dict[str, dict[str, Any]] = {}
        for path, method, handler in self.get_endpoints(routes):
            paths.setdefault(path, {})[method] = _describe(path, handler)
        return {
            "openapi": "3.1.0",
            "info": {
                "title": "cpfill",
                "version": cpfill.__version__,
                "description": "The routes of `cpfill serve`. Texts in answers are in the language of Accept-Language.",
            },
            "paths": paths,
            "components": {
                "schemas": _list_schemas(),
                "securitySchemes": {"token": {"type": "apiKey", "in": "header", "name": TOKEN_HEADER}},
            },
        }


def _describe(path: str, handler: Callable[..., Any]) -> dict[str, Any]:
    """Return the description of a route with one method."""
    operation: Operation = getattr(handler, _DESCRIBED)
    in_api = path.startswith(API)
    errors = {*(_WITH_TOKEN if in_api else _GUARDED), *operation.errors}
    found: dict[str, Any] = {
        "operationId": operation.name or handler.__name__,
        "summary": (operation.summary or handler.__doc__ or "").partition("\n")[0],
        "parameters": [*_list_path(path), *operation.parameters],
    }
    if operation.body is not None:
        errors.update(_WITH_BODY)
        found["requestBody"] = {"required": True, "content": _content(operation.body)}
    headers = {name: {"description": told, "schema": TEXT} for name, told in operation.headers.items()}
    answered = {"description": "The answer", "headers": headers, "content": _content(operation.answers)}
    found["responses"] = {"200": answered, **{str(status): _describe_error(status) for status in sorted(errors)}}
    if in_api:
        found["security"] = [{"token": []}]
    return found


def _content(schemas: Mapping[str, Schema]) -> dict[str, Any]:
    return {media_type: {"schema": schema} for media_type, schema in schemas.items()}


def _describe_error(status: int) -> dict[str, Any]:
    described = {"description": _ERRORS[status]}
    if status == _NOT_MODIFIED:
        return described
    schema = refer("Conflict" if status == _CONFLICT else "Error")
    return {**described, "content": _content({JSON: schema})}


def _list_path(path: str) -> list[Schema]:
    """Return the parameters in a path."""
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    return [{"name": name, "in": "path", "required": True, "schema": TEXT} for name in names]


def _list_schemas() -> dict[str, Any]:
    """Return all schemas, by name."""
    text = files(cpfill).joinpath("questions", "records.schema.json").read_text("utf-8")
    recorded = json.loads(text.replace(_TABLES, _SCHEMAS))
    schemas: dict[str, Any] = dict(recorded["$defs"])
    schemas["Puzzle"] = {**schemas["PuzzleRecord"], "required": list(NEEDED)}
    schemas["Request"] = _of_fields({name: asked_fields(Request)[name].schema for name in ASKED})
    schemas["Error"] = record(error=TEXT)
    found = {"anyOf": [refer("PuzzleRecord"), {"type": "null"}]}
    schemas["Conflict"] = record(error=TEXT, puzzle=found, etag=TEXT_OR_NULL)
    for name, answer in recorded["questions"].items():
        schemas[f"{name}.question"] = _describe_fields(name)
        schemas[f"{name}.answer"] = answer
    return schemas


def _describe_fields(name: str) -> dict[str, Any]:
    """Return the schema of a question."""
    asks = question_class(name)
    about = asked_fields(asks)
    own = own_fields(asks)
    described = _of_fields({each: about[each].schema for each in sorted(own & about.keys())})
    described["properties"] |= {
        "puzzle": refer("Puzzle"),
        "request": refer("Request"),
        "seconds": {"type": "number", "minimum": SECONDS.low, "maximum": SECONDS.high},
    }
    if name not in OF_NO_PUZZLE:
        described["required"] = ["puzzle"]
    return described


def _of_fields(fields: Mapping[str, Schema]) -> dict[str, Any]:
    """Return the schema of an object with some of these fields; null stands for a default."""
    properties = {name: _or_null(schema) for name, schema in fields.items()}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _or_null(schema: Schema) -> Schema:
    if "type" in schema:
        return {**schema, "type": [schema["type"], "null"]}
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], {"type": "null"}]}
    return schema
