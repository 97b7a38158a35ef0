"""The options that several verbs share: those of a request, and others."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from enum import StrEnum
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpfill.base.errors import SECONDS, WORKERS, InputError, Range, expected
from cpfill.base.reading import Field, asked_fields, parse_seconds, read_seconds, read_some_seconds
from cpfill.base.texts import say
from cpfill.cli.verbs import ENGINE, RULES, usage_error
from cpfill.engines import list_options
from cpfill.formats.pages.style import PageStyle
from cpfill.formats.registry import WRITABLE
from cpfill.problem.rules import RuleFields
from cpfill.questions.request import Request
from cpfill.words.sources import find_personal

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable

    from cpfill.base.errors import Fault
    from cpfill.questions.question import Question


def number(
    range_: Range,
    *names: str,
    metavar: str = "N",
    help: str,  # noqa: A002 - as typer has it
    section: str | None = None,
) -> Any:
    """Return the declaration of an option that takes a number of this range."""

    def check(option: typer.CallbackParam, given: float | None) -> float | None:
        if given is not None:
            range_.check(given, option.opts[0])
        return given

    return typer.Option(*names, metavar=metavar, callback=check, help=help, rich_help_panel=section)


Grids = Annotated[
    list[str], typer.Argument(metavar="GRID", help="Files with grids; - for standard input; 5x5 for an empty grid.")
]
OneGrid = Annotated[str, typer.Argument(metavar="GRID", help="A file with one grid; - for standard input; or 5x5.")]
TimeLimit = Annotated[
    str | None, typer.Option("--time-limit", "-t", metavar="TIME", help="Stop after 10s, 500ms, 2m, 1h (seconds).")
]
OutputFile = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to this file; with .puz, .ipuz, .svg, .pdf… a puzzle, or each to x-1.ipuz, x-2.ipuz…",
    ),
]
ResultsFile = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE", help="Add JSON lines to this file; finished runs are not repeated."),
]
WriteAs = Annotated[
    str | None,
    typer.Option("--to", "-f", metavar="FORMAT", help=f"By default the suffix tells: {', '.join(WRITABLE)}."),
]
ClueFile = Annotated[
    str | None,
    typer.Option(
        "--clues",
        metavar="FILE",
        help="Clues for slots without one: WORD, a tab, ; or comma, its clue; or a .csv of convert.",
    ),
]
ClueSource = Annotated[
    str | None,
    typer.Option(
        "--clues",
        metavar="FILE",
        help="As in convert --clues; auto: draft clues from the installed dictionaries, each marked ~.",
    ),
]
Proof = Annotated[
    str | None,
    typer.Option(
        "--proof",
        metavar="DIR",
        help="Write a proof for other programs to check into this new folder; -t is for the search before it.",
    ),
]
NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Read large lists again, without the cache in ~/.cache/cpfill/lists.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Leave out the line with the verdict.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON lines.")]
ProcessCount = Annotated[int | None, number(WORKERS, "--workers", "-j", help="Processes, one a processor by default.")]
Scheduler = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="tcp://HOST:PORT", help="Run on a Dask cluster (package distributed)."),
]


_RULES = asked_fields(RuleFields)
_OTHERS = {name: about for name, about in asked_fields(Request).items() if name not in _RULES}
FIELDS = _OTHERS | _RULES
"""The description of each field of a request that has an option, in the order of the options."""


def _none_if_empty(value: Any) -> Any:
    return None if value == () else value


_USUAL = Request()
_DEFAULTS = {name: _none_if_empty(getattr(_USUAL, name)) for name in FIELDS}
_DEFAULTS["alphabet"] = "latin"
GOAL = frozenset({"objective", "levels", "letter_values"})
"""The options that say what to maximise, which verbs that maximise nothing leave out."""

_TIMES = {read_seconds, read_some_seconds}


def _declare(name: str, about: Field) -> Any:
    """Return the declaration of the option of a field. A message about a number or a time names the option."""
    names = [about.flag or _flag_of(name)]
    if about.short:
        names.append(about.short)
    section = RULES if name in _RULES else about.section
    return typer.Option(
        *names, metavar=about.metavar, callback=_checker_of(about), help=about.help, rich_help_panel=section
    )


def _flag_of(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _checker_of(about: Field) -> Callable[[typer.CallbackParam, Any], Any] | None:
    """Return the function that checks a number or a time; `None` if the field has another type."""
    read = about.read
    is_time = read in _TIMES
    if not is_time and about.option not in {int, float}:
        return None

    def check(option: typer.CallbackParam, given: Any) -> Any:
        value = parse_time(given) if is_time else given
        if value is None or read is None:
            return value
        return read(option.opts[0], value)

    return check


def _annotate(name: str, about: Field, usual: object) -> Any:
    kind: Any = about.option
    if kind is list:
        kind = list[str]
    if usual is None:
        kind = kind | None
    return Annotated[kind, _declare(name, about)]


_Option = tuple[Any, Any]
"""The annotation and the default of an option."""


def _list_options(of: type[Any], without: Container[str] = ()) -> dict[str, _Option]:
    """Return the annotation and the default of each field of a dataclass that has a help text."""
    usual = {each.name: _show_usual(each.default) for each in fields(of)}
    options: dict[str, _Option] = {}
    for name, about in asked_fields(of).items():
        if about.help and name not in without:
            options[name] = (_annotate(name, about, usual[name]), usual[name])
    return options


def _show_usual(usual: Any) -> Any:
    """Return a default as the help shows it."""
    if isinstance(usual, StrEnum):
        return str(usual)
    if isinstance(usual, float):
        return f"{usual:g}s"
    return _none_if_empty(usual)


_OPTIONS: dict[str, _Option] = {}
for _name, _about in FIELDS.items():
    _OPTIONS[_name] = (_annotate(_name, _about, _DEFAULTS[_name]), _DEFAULTS[_name])
Words = Annotated[list[str] | None, _declare("words", FIELDS["words"])]
AlphabetName = Annotated[str, _declare("alphabet", FIELDS["alphabet"])]
TasteName = Annotated[str, _declare("taste", FIELDS["taste"])]
MinScore = Annotated[float, _declare("min_score", FIELDS["min_score"])]


def request_options(*names: str, without: Container[str] = ()) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a verb the options of these names, by default all; it gets them together, as its argument `request`."""
    return gather_options("request", _choose(names, without), _make_request)


def _choose(names: Iterable[str], without: Container[str]) -> dict[str, _Option]:
    """Return the options of a request of these names, by default all."""
    return {name: _OPTIONS[name] for name in names or _OPTIONS if name not in without}


def asks(
    question: type[Question], *names: str, without: Container[str] = ()
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a verb the options of a question, and of its request those of these names, by default all.

    It gets them together, as its argument `question`.
    """
    own = _list_options(question, without)
    options = own | _choose(names, without) | own  # its own options come first, and replace those of the request

    def gather(given: dict[str, Any]) -> Question:
        values = {name: given.pop(name) for name in own}
        more = {name: value for name, value in values.items() if value is not None}
        return question(request=_make_request(given), **more)

    return gather_options("question", options, gather)


def with_page_options(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb the options of drawings; its argument `page` is the style they describe, or `None` without any."""
    options = _list_options(PageStyle)
    usual = {name: default for name, (_, default) in options.items()}

    def gather(given: dict[str, Any]) -> PageStyle | None:
        return None if given == usual else PageStyle(**given)

    return gather_options("page", options, gather)(verb)


EngineOptions = Mapping[str, Any]
"""The options of engines that a verb was given, by name."""


def with_engine_options(*names: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a verb the options of engines, or those of these names; its argument `engine_options` has those given."""
    declared: dict[str, Field] = {}
    options: dict[str, _Option] = {}
    for option, engines in list_options().items():
        name = option.name
        if option.on_command_line and (not names or name in names):
            declared[name] = option
            options[name] = (_annotate(name, _describe(option, engines), None), None)

    def gather(given: Mapping[str, Any]) -> EngineOptions:
        chosen = {name: value for name, value in given.items() if value not in (None, [])}
        for name, value in chosen.items():
            if declared[name].option is list:
                chosen[name] = declared[name].read_value(value)
        return chosen

    return gather_options("engine_options", options, gather)


def _describe(option: Field, engines: list[str]) -> Field:
    """Return an option of engines as the help shows it."""
    *most, text = option.choices or [option.help]
    if most:
        text = say("{most} or {last}", most=", ".join(most), last=text)
    text = f"{', '.join(engines)}: {text}."
    if option.option is list:
        text += " Repeatable."
    flag = option.long_flag
    if option.option is bool and option.default:
        flag += f"/--no-{flag.removeprefix('--')}"
    return option._replace(help=text, section=ENGINE, flag=flag)


def _make_request(given: Mapping[str, object]) -> Request:
    asked = {name: value for name, value in given.items() if value != _DEFAULTS[name]}
    if "personal" in given:
        asked["personal"] = _find_personal(asked)
    try:
        return Request().updated(asked)
    except InputError as exc:
        raise type(exc)(*map(_name_options, exc.faults)) from None


def _name_options(fault: Fault) -> Fault:
    return fault._replace(expected=_say_options(fault.expected), got=_say_options(fault.got))


def _find_personal(asked: Mapping[str, object]) -> object:
    """Return the personal list: the list that was asked for, or by default the user's, if it exists."""
    if "personal" in asked:
        named = asked["personal"]
        return None if named == "none" else named or None
    usual = find_personal()
    return None if usual is None else str(usual)


_NAMED = "|".join(["levels", "letter_values", *(name for name in _RULES if name != "repeats")])
"""The fields that messages name; the others are words that messages have anyway."""


def _say_options(text: str) -> str:
    """Replace the names of request fields in a message by their options; quoted text is user input and stays."""
    return re.sub(rf"(?<!['-])\b({_NAMED})\b", lambda match: _flag_of(match[0]), text)


def gather_options(
    name: str, options: Mapping[str, _Option], gather: Callable[[dict[str, Any]], object]
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a verb some options; its argument `name` gets an object made of them."""

    def decorate(verb: Callable[..., int]) -> Callable[..., int]:
        parameters: list[inspect.Parameter] = []
        for parameter in inspect.signature(verb, eval_str=True).parameters.values():
            if parameter.name != name:
                parameters.append(parameter)
                continue
            for option, (annotation, default) in options.items():
                kind = inspect.Parameter.KEYWORD_ONLY
                parameters.append(inspect.Parameter(option, kind, default=default, annotation=annotation))

        @wraps(verb)
        def command(**given: Any) -> int:
            own = {option: given.pop(option) for option in options}
            given[name] = gather(own)
            return verb(**given)

        command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {}  # the signature has them, evaluated; typer need not evaluate them again
        return command

    return decorate


def given_options(request: Request, *, without: Container[str] = ()) -> list[str]:
    """Return the options of a request that have another value than their default."""
    return [_flag_of(name) for name in request.plain if name not in without]


def parse_date(text: str | None) -> date | None:
    """Return the day that an option names, if it is given."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise expected("a date such as 2027-01-01", f"'{text:.40}'") from None


def parse_time(text: str | None) -> float | None:
    """Return a time limit in seconds, or `None` if there is no limit."""
    if text is None:
        return None
    seconds = parse_seconds(text)
    if not SECONDS.holds(seconds):
        raise usage_error(say("a time limit such as 10s, 500ms or 2m, {seconds}", seconds=SECONDS), f"'{text:.40}'")
    return seconds
