"""The options that several verbs share: those of a request, and others."""

from __future__ import annotations

import inspect
import re
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpfill.base.errors import InputError
from cpfill.base.ranges import OBSCURE, SCORE, SECONDS, SEED, SLOT_LENGTH, WORKERS, Range
from cpfill.cli.exits import usage_error
from cpfill.formats.dialects import DIALECTS
from cpfill.formats.registry import WRITABLE
from cpfill.problem.limits import parse_seconds
from cpfill.questions.request import Request
from cpfill.words.personal import find_personal

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping


def number(range_: Range, *names: str, metavar: str = "N", help: str) -> Any:  # noqa: A002, ANN401 - as typer has it
    """Return what declares an option that takes a number of this range."""

    def check(option: typer.CallbackParam, given: float | None) -> float | None:
        if given is not None:
            range_.check(given, option.opts[0])
        return given

    return typer.Option(*names, metavar=metavar, callback=check, help=help)


Grids = Annotated[
    list[str], typer.Argument(metavar="GRID", help="Files with grids; - for standard input; 5x5 for an empty grid.")
]
Words = Annotated[
    list[str] | None,
    typer.Option("--words", "-w", metavar="LIST", help="Word list: a file, - or packaged (en, en-gb, fr). Repeatable."),
]
Weighted = Annotated[
    str | None,
    typer.Option(metavar="LIST", help="Maximise the least score by this list; words of -w alone then score 0."),
]
AlphabetName = Annotated[
    str, typer.Option("--alphabet", metavar="NAME", help="latin, es, de, sv, fi, da, nb, or the letters themselves.")
]
DialectName = Annotated[
    str | None, typer.Option("--dialect", metavar="NAME", help=f"Read the grid as {', '.join(reversed(DIALECTS))}.")
]
Repeats = Annotated[bool, typer.Option("--repeats", help="Allow a word more than once (lifts rule C3).")]
MinSlotLength = Annotated[int, number(SLOT_LENGTH, help="Shorter runs of open cells are no slots.")]
MinScore = Annotated[float, number(SCORE, metavar="S", help="Leave out words that score less.")]
ObjectiveName = Annotated[
    str | None,
    typer.Option(
        "--objective", metavar="NAME", help="good (the default), any, or maximise min, sum, min-then-sum or leximin."
    ),
]
Levels = Annotated[
    str | None,
    typer.Option("--levels", metavar="S,S", help="For leximin: the fewest words under each of these scores."),
]
NoShared = Annotated[
    int | None, number(SLOT_LENGTH, "--no-shared", metavar="LEN", help="No two words share a run of LEN letters (C5).")
]
MaxObscure = Annotated[
    int | None, number(OBSCURE, "--max-obscure", metavar="K", help="At most K words score under --below (C6).")
]
Below = Annotated[float | None, number(SCORE, "--below", metavar="S", help="What --max-obscure counts is under this.")]
Require = Annotated[
    list[str] | None, typer.Option("--require", metavar="WORD", help="This word stands in the fill (C7). Repeatable.")
]
Exclude = Annotated[
    list[str] | None,
    typer.Option("--exclude", metavar="WORD", help="A word, or a list of words, that is not used. Repeatable."),
]
Theme = Annotated[
    str | None,
    typer.Option("--theme", metavar="LIST", help="Place as many of these words as can be, or of their scores."),
]
Clear = Annotated[
    str | None,
    typer.Option(
        "--clear", metavar="REGION", help="Fill this anew, keep the rest: 17-Across,R1C9:R5C15,NE (a quadrant)."
    ),
]
Keep = Annotated[
    str | None,
    typer.Option("--keep", metavar="REGION", help="Keep the letters here; clear all others, or those of --clear."),
]
DifferentFrom = Annotated[
    str | None,
    typer.Option("--different-from", metavar="FILE", help="Where not all is given, no word of the fills in this file."),
]
Strict = Annotated[bool, typer.Option("--strict", help="Words that are given whole must be in a list too.")]
Open = Annotated[
    list[str] | None,
    typer.Option("--open", metavar="SLOT", help="This slot (17-Across) need not be a word. Repeatable."),
]
SlotNarrowed = Annotated[
    list[str] | None,
    typer.Option("--slot", metavar="SLOT:…", help="17-Across:min=60,list=mine.txt,pattern=S* narrows it. Repeatable."),
]
Uncensored = Annotated[bool, typer.Option("--uncensored", help="Packaged lists have their offensive words too.")]
Personal = Annotated[
    str | None,
    typer.Option(
        "--personal",
        metavar="LIST",
        help="Its scores win, 0 bans a word; none: no such list. By default ~/.config/cpfill/words.txt.",
    ),
]
TimeLimit = Annotated[
    str | None, typer.Option("--time-limit", "-t", metavar="TIME", help="Stop after 10s, 500ms, 2m, 1h (seconds).")
]
Workers = Annotated[int, number(WORKERS, "--workers", "-j", help="Threads to search with.")]
Seed = Annotated[int, number(SEED, help="The same seed and one worker give the same answer.")]
AllFills = Annotated[bool, typer.Option("--all", "-a", help="Every fill; or every better one, with an objective.")]
OutputFile = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Write to this file; .puz, .ipuz, .svg, .pdf… make a puzzle of one."
    ),
]
WriteAs = Annotated[
    str | None,
    typer.Option(
        "--to",
        "-f",
        metavar="FORMAT",
        help=f"By default the suffix tells: {', '.join(WRITABLE)}.",
    ),
]
ClueFile = Annotated[
    str | None,
    typer.Option(
        "--clues",
        metavar="FILE",
        help="Clues for slots without one: WORD, a tab, ; or comma, its clue; or a .csv of convert.",
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
    bool, typer.Option("--no-cache", help="Read large lists anew, and keep none in ~/.cache/cpfill/lists.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON lines.")]


_REQUEST_OPTIONS: dict[str, Any] = {
    "words": Words,
    "weighted": Weighted,
    "objective": ObjectiveName,
    "levels": Levels,
    "repeats": Repeats,
    "min_slot_length": MinSlotLength,
    "min_score": MinScore,
    "no_shared": NoShared,
    "max_obscure": MaxObscure,
    "below": Below,
    "require": Require,
    "exclude": Exclude,
    "theme": Theme,
    "dialect": DialectName,
    "alphabet": AlphabetName,
    "clear": Clear,
    "keep": Keep,
    "different_from": DifferentFrom,
    "strict": Strict,
    "open": Open,
    "personal": Personal,
    "slot": SlotNarrowed,
    "uncensored": Uncensored,
}
_USUAL = Request()
_DEFAULTS = {name: value if (value := getattr(_USUAL, name)) != () else None for name in _REQUEST_OPTIONS}
_DEFAULTS["alphabet"] = "latin"


def request_options(*names: str, without: Container[str] = ()) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a verb the options of these names, by default all; it gets them together, as its argument `request`."""
    chosen = [name for name in names or _REQUEST_OPTIONS if name not in without]

    def gather(given: Mapping[str, object]) -> Request:
        asked = {name: value for name, value in given.items() if value != _DEFAULTS[name]}
        if "personal" in chosen and (asked.get("personal") or "none") == "none":
            usual = None if "personal" in asked else find_personal()
            asked["personal"] = None if usual is None else str(usual)
        try:
            return Request().updated(asked)
        except InputError as exc:
            faults = (
                each._replace(expected=_say_options(each.expected), got=_say_options(each.got)) for each in exc.faults
            )
            raise type(exc)(*faults) from None

    return gather_options("request", {name: (_REQUEST_OPTIONS[name], _DEFAULTS[name]) for name in chosen}, gather)


def _say_options(text: str) -> str:
    """Return a message with the options for the fields of a request that it names; what is quoted was typed."""
    return re.sub(r"(?<!['-])\b(max_obscure|below|levels)\b", lambda match: f"--{match[0].replace('_', '-')}", text)


def gather_options(
    name: str, options: Mapping[str, tuple[Any, Any]], gather: Callable[[dict[str, Any]], object]
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a verb some options, each an annotation and a default; its argument `name` is what is gathered of them."""

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
        def command(**given: Any) -> int:  # noqa: ANN401 - what typer read
            return verb(**{name: gather({option: given.pop(option) for option in options})}, **given)

        command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {}  # the signature has them, evaluated; typer need not evaluate them again
        return command

    return decorate


def given_options(request: Request, *, without: Container[str] = ()) -> list[str]:
    """Return the options of a request that have another value than their default."""
    return [f"--{name.replace('_', '-')}" for name in request.plain if name not in without]


def parse_time(text: str | None) -> float | None:
    """Return the seconds of a time limit, if one is given."""
    if text is None:
        return None
    seconds = parse_seconds(text)
    if not SECONDS.holds(seconds):
        raise usage_error(f"a time limit such as 10s, 500ms or 2m, {SECONDS}", f"'{text:.40}'")
    return seconds
