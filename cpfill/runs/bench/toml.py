"""Reads tables of a TOML file key by key, each with its reader; a key that is never read is an error."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from cpfill.base.errors import MAX_LINE_BYTES, MAX_SUITE_BYTES, Fault, InputError, unknown_name
from cpfill.base.files import read_text
from cpfill.base.reading import wrong
from cpfill.base.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cpfill.base.reading import Reader

_TOML_PLACE = re.compile(r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)")
_REQUIRED: Any = object()


def read_toml(path: str) -> Table:
    """Return the top table of a TOML file.

    Raises:
        InputError: the file does not exist, is not TOML, or is too large.
    """
    text = read_text(path, most=MAX_SUITE_BYTES)
    for number, size in enumerate(map(len, text.split("\n")), start=1):
        if size > MAX_LINE_BYTES:  # tomllib takes the square of the parts of a dotted key
            raise InputError(
                Fault(say("a line of at most {most} characters", most=MAX_LINE_BYTES), f"{size}", path, number)
            )
    try:
        return Table(path, "", tomllib.loads(text))
    except tomllib.TOMLDecodeError as exc:
        place = _TOML_PLACE.search(str(exc))
        line, column = (place["line"], place["column"]) if place else (None, None)
        got = _TOML_PLACE.sub("", str(exc)).lower()
        raise InputError(
            Fault("TOML", got, path, int(line) if line else None, int(column) if column else None)
        ) from None
    except RecursionError:
        raise InputError(Fault("TOML", say("brackets within brackets, hundreds deep"), path)) from None
    except ValueError:  # Python reads no whole number of over 4300 digits
        raise InputError(Fault("TOML", say("a number of thousands of digits"), path)) from None


def _read_table(name: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise wrong(say("a table"), name, value)
    return value


def _read_tables(name: str, value: object) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise wrong(say("tables [[{name}]]", name=name), name, value)
    return value


class Table:
    """A table and its place in a file."""

    def __init__(self, path: str, place: str, values: Mapping[str, Any]) -> None:
        self._path = path
        self._place = place
        self._values = values
        self._asked: set[str] = set()

    def fault(self, fault: Fault) -> InputError:
        """Return the error of a fault in this table."""
        place = f"{self._place}: " if self._place else ""
        return InputError(Fault(f"{place}{fault.expected}", fault.got, self._path))

    def error(self, expected: str, got: str) -> InputError:
        """Return the error of this table."""
        return self.fault(Fault(expected, got))

    def finish(self) -> None:
        """Check that every key was read.

        Raises:
            InputError: a key was not.
        """
        for key in self._values:
            if key not in self._asked:
                raise self.fault(unknown_name(say("a key"), key, self._asked))

    def given(self, keys: Iterable[str]) -> dict[str, Any]:
        """Return the given keys that the table has, with unparsed values."""
        wanted = set(keys)
        self._asked |= wanted
        return {key: value for key, value in self._values.items() if key in wanted}

    def read(self, key: str, reader: Reader, default: Any = _REQUIRED) -> Any:  # noqa: ANN401 - what the reader returns
        """Return the value of a key, parsed by a reader; the default if the table does not have it."""
        self._asked.add(key)
        if key not in self._values:
            if default is _REQUIRED:
                raise self.error(say("a key '{key}'", key=key), "none")
            return default
        return self._checked(reader, key, self._values[key])

    def _checked(self, reader: Reader, name: str, value: object) -> Any:  # noqa: ANN401
        try:
            return reader(name, value)
        except InputError as exc:
            raise self.fault(exc.faults[0]) from None

    def mapping(self, key: str) -> dict[str, Any]:
        """Return a table as it is, empty if it is not there."""
        return dict(self.read(key, _read_table, {}))

    def tables(self, key: str) -> list[Table]:
        """Return the tables `[[key]]`, empty if the table does not have the key."""
        tables = self.read(key, _read_tables, [])
        return [Table(self._path, f"[[{key}]] {number}", each) for number, each in enumerate(tables, start=1)]

    def named_tables(self, key: str) -> dict[str, Table]:
        """Return the tables `[key.NAME]` by name, none if there are none."""
        return {
            name: Table(self._path, f"[{key}.{name}]", self._checked(_read_table, f"[{key}.{name}]", each))
            for name, each in self.mapping(key).items()
        }
