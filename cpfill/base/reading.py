"""Strict readers of plain data: a wrong value gets the same message from options, JSON, TOML and programs.

A reader takes the name of a value and the value, and returns the checked value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple

from cpfill.base.errors import SECONDS, Fault, InputError, Range, quote_value, unknown_name
from cpfill.base.texts import later, say

if TYPE_CHECKING:
    from enum import StrEnum

Reader = Callable[[str, Any], Any]

_SCHEMAS: dict[type, dict[str, Any]] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    list: {"anyOf": [{"type": "string"}, {"type": "array"}]},
}

_UNITS_S = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def parse_seconds(text: str) -> float | None:
    """Return the seconds that `10s`, `500ms`, `2m`, `1h` or a bare number means; `None` for any other text."""
    match = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)\s*([a-z]*)", text.strip())
    if not match or match[2] not in _UNITS_S:
        return None
    return float(match[1]) * _UNITS_S[match[2]]


def wrong(expected: str, name: str, value: object) -> InputError:
    """Return the error of a value that differs from the expected one."""
    return InputError(Fault(say("{expected} for {name}", expected=say(expected), name=name), quote_value(value)))


def check_text(expected: str, name: str, value: object) -> str:
    """Return `value`, which must be a text."""
    if not isinstance(value, str):
        raise wrong(expected, name, value)
    return value


def check_texts(expected: str, name: str, value: object) -> tuple[str, ...]:
    """Return the texts of `value`, which is one text or an array of texts."""
    texts = [value] if isinstance(value, str) else list(value) if isinstance(value, list | tuple) else []
    if not texts or not all(isinstance(each, str) for each in texts):
        raise wrong(expected, name, value)
    return tuple(texts)


def read_flag(name: str, value: object) -> bool:
    """Return `value`, which must be true or false."""
    if not isinstance(value, bool):
        raise wrong(say("true or false"), name, value)
    return value


def read_seconds(name: str, value: object) -> float:
    """Return the seconds of a time written as a number or as `500ms`, `20s`, `2m`."""
    seconds = parse_seconds(value) if isinstance(value, str) else value
    if not SECONDS.holds(seconds):
        raise wrong(say("a time such as '20s', '500ms' or '2m', {seconds},", seconds=SECONDS), name, value)
    return float(seconds)  # type: ignore[arg-type]  # a number, as its range says


def read_some_seconds(name: str, value: object) -> float:
    """Return the seconds of such a time, which must be above 0."""
    seconds = read_seconds(name, value)
    if not seconds:
        raise wrong(say("a time such as '20s', above 0,"), name, value)
    return seconds


def text_reader(expected: str) -> Reader:
    """Return a reader of a text."""
    return lambda name, value: check_text(expected, name, value)


def texts_reader(expected: str) -> Reader:
    """Return a reader of one text or any number of texts, including zero."""

    def read(name: str, value: object) -> tuple[str, ...]:
        several = isinstance(value, Iterable) and not isinstance(value, str | bytes)
        texts = tuple(value) if several and isinstance(value, Iterable) else value
        if texts == ():
            return ()
        return check_texts(expected, name, texts)

    return read


TEXT = text_reader(later("a text"))
TEXTS = texts_reader(later("a text, or an array of them,"))


def number_reader(within: Range) -> Reader:
    """Return a reader of a number in a range."""

    def read(name: str, value: Any) -> float:
        within.check(value, name)
        if within.whole:
            return int(value)
        return float(value)

    return read


def numbers_reader(within: Range) -> Reader:
    """Return a reader of one or more whole numbers in a range; duplicates are dropped."""

    def read(name: str, value: object) -> tuple[int, ...]:
        if not isinstance(value, list | tuple) or not value or not all(map(within.holds, value)):
            raise wrong(
                say("a list of whole numbers, each from {low} to {high},", low=within.low, high=within.high),
                name,
                value,
            )
        return tuple(dict.fromkeys(value))

    return read


def settings_reader(what: str) -> Reader:
    """Return a reader of values by name: a table of texts, or texts such as `name=value`."""

    def read(name: str, value: object) -> dict[str, str]:
        if isinstance(value, Mapping) and all(isinstance(each, str) for each in value.values()):
            return dict(value)
        if not isinstance(value, list):
            raise wrong(what, name, value)
        settings = {}
        for setting in value:
            key, sign, text = setting.partition("=")
            if not (key and sign and text):
                raise InputError(Fault(say("{noun} as name=value", noun=say(what)), f"'{setting}'"))
            settings[key.strip()] = text.strip()
        return settings

    return read


def pairs_reader(expected: str) -> Reader:
    """Return a reader of pairs of texts: an array of pairs, or a table of texts by name."""

    def read(name: str, value: object) -> tuple[tuple[str, str], ...]:
        pairs = list(value.items()) if isinstance(value, Mapping) else value
        if not isinstance(pairs, list | tuple):
            raise wrong(expected, name, value)
        for pair in pairs:
            if not isinstance(pair, list | tuple) or [*map(type, pair)] != [str, str]:
                raise wrong(expected, name, pair)
        return tuple((first, second) for first, second in pairs)

    return read


def name_reader(what: str, known: Iterable[str]) -> Reader:
    """Return a reader of one of the `known` names."""
    names = [str(each) for each in known]

    def read(name: str, value: object) -> str:
        text = check_text(say("the name of {what}", what=what), name, value)
        if text not in names:
            raise InputError(unknown_name(what, text, names))
        return text

    return read


def choice_reader(what: str, choices: type[StrEnum]) -> Reader:
    """Return a reader of one of some choices, given as such or by its name."""
    read = name_reader(what, choices)
    return lambda name, value: choices(read(name, value))


class Field(NamedTuple):
    """A value that a request, a question, a drawing or an engine takes, described once for every face.

    Attributes:
        read: the reader that checks the value; `None` if the check needs more than the value.
        help: the help text of the option; a field without it has no option.
        metavar: the placeholder for the value in the help.
        short: the short name of the option.
        option: the type of the option's value: `str`, `int`, `float`, `bool`, or a `list` of texts.
        decides_lexicon: whether the lexicon of a problem depends on it.
        section: the section of the help in which the option stands.
        flag: the long name of the option, where it is not that of the field.
        name: the name, where no dataclass has the field: of an engine's option, an argument of its constructor. Its
            help text is in lower case and without a full stop.
        default: likewise the default value; `None` if the default is not one of the values.
        choices: the choices, the default first if it is one of them.
        range: the range of a number.
        on_command_line: if false, only programs, jobs and suites can set the option.
        compared: `cpfill compare` runs the engine with each choice, because each states the problem differently.
    """

    read: Reader | None = None
    help: str = ""
    metavar: str | None = None
    short: str | None = None
    option: type = str
    decides_lexicon: bool = False
    section: str | None = None
    flag: str | None = None
    name: str = ""
    default: Any = None
    choices: tuple[str, ...] = ()
    range: Range | None = None
    on_command_line: bool = True
    compared: bool = False

    def check(self, value: object) -> None:
        """Check a value; `None` is one where it is the default."""
        if not (value is None and self.default is None):
            self.read_value(value)

    def read_value(self, value: object) -> Any:
        """Return a value as the reader of a named field does; raises the same."""
        if self.read is None:
            return value
        return self.read(self.name, value)

    @property
    def long_flag(self) -> str:
        """The name on the command line."""
        return self.flag or f"--{self.name.replace('_', '-')}"

    @property
    def schema(self) -> dict[str, Any]:
        """The value as JSON Schema describes it."""
        kind = bool if self.read is read_flag else self.option
        described = {"description": self.help} if self.help else {}
        return {**described, **_SCHEMAS.get(kind, {})}

    @property
    def values(self) -> str:
        """The possible values and the default, for a table."""
        if self.choices:
            return ", ".join(self.choices)
        if self.range:
            return f"{self.range}, by default {self.default}"
        return ("on" if self.default else "off") + " by default" if self.option is bool else self.metavar or ""


def flag(name: str, help: str, *, default: bool, **more: Any) -> Field:  # noqa: A002 - as `Field`
    """Return an option that is on or off."""
    return Field(read_flag, help, option=bool, name=name, default=default, **more)


def choice(name: str, help: str, what: str, choices: tuple[str, ...], **more: Any) -> Field:  # noqa: A002
    """Return an option that takes one of some choices."""
    return Field(name_reader(what, choices), help, name=name, choices=choices, **more)


def asked(about: Field, default: Any = None, default_factory: Any = MISSING) -> Any:
    """Return a dataclass field that requests can set."""
    if default_factory is not MISSING:
        return field(default_factory=default_factory, metadata={Field: about})
    return field(default=default, metadata={Field: about})


def asked_number(
    within: Range,
    default: float | None = None,
    *,
    metavar: str = "N",
    short: str | None = None,
    help: str,  # noqa: A002 - as typer has it
    section: str | None = None,
) -> Any:
    """Return a dataclass field that requests can set to a number in a range."""
    option = int if within.whole else float
    return asked(Field(number_reader(within), help, metavar, short, option, section=section), default)


def asked_time(default: float | None = None, *, help: str = "Stop after 10s, 500ms, 2m, 1h (seconds).") -> Any:  # noqa: A002
    """Return a dataclass field that requests can set to a time limit."""
    return asked(Field(read_seconds, help, "TIME", "-t", section="Limits"), default)


def asked_fields(of: type[Any]) -> dict[str, Field]:
    """Return the `Field` of each dataclass field that requests can set, by its name."""
    return {each.name: each.metadata[Field] for each in fields(of) if Field in each.metadata}


def check_fields(one: Any) -> None:
    """Check each field of a new object and store the result of its reader; a field may keep a default of `None`."""
    for each in fields(one):
        about = each.metadata.get(Field)
        value = getattr(one, each.name)
        if about is not None and about.read is not None and not (value is None and each.default is None):
            object.__setattr__(one, each.name, about.read(each.name, value))
