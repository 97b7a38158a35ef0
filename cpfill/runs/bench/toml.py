"""Tables of a TOML file, read key by key: each key has a type, and one that nobody asked for is a mistake."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from cpfill.base.budgets import MAX_LINE_BYTES, MAX_SUITE_BYTES
from cpfill.base.errors import Fault, InputError, unknown_name
from cpfill.base.ranges import SECONDS, quote_value
from cpfill.base.sources import read_text
from cpfill.problem.limits import parse_seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cpfill.base.ranges import Range

_TOML_PLACE = re.compile(r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)")
_REQUIRED: Any = object()


def read_toml(path: str) -> Table:
    """Return the top table of a TOML file.

    Raises:
        InputError: no such file, or no TOML, or more of it than a suite takes.
    """
    text = read_text(path, most=MAX_SUITE_BYTES)
    for number, size in enumerate(map(len, text.split("\n")), start=1):
        if size > MAX_LINE_BYTES:  # tomllib takes the square of the parts of a dotted key
            raise InputError(Fault(f"a line of at most {MAX_LINE_BYTES} characters", f"{size}", path, number))
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
        raise InputError(Fault("TOML", "brackets within brackets, hundreds deep", path)) from None
    except ValueError:  # Python reads no whole number of over 4300 digits
        raise InputError(Fault("TOML", "a number of thousands of digits", path)) from None


class Table:
    """A table and its place in a file; every reader takes a key and its default, none where the key must be there."""

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
        """Check that no key is left that nobody asked for.

        Raises:
            InputError: there is one.
        """
        for key in self._values:
            if key not in self._asked:
                raise self.fault(unknown_name("a key", key, self._asked))

    def _get(self, key: str, default: Any) -> Any:  # noqa: ANN401
        self._asked.add(key)
        if key not in self._values and default is _REQUIRED:
            raise self.error(f"a key '{key}'", "none")
        return self._values.get(key, default)

    def given(self, keys: Iterable[str]) -> dict[str, Any]:
        """Return those of the keys that are there, as they are."""
        wanted = set(keys)
        self._asked |= wanted
        return {key: value for key, value in self._values.items() if key in wanted}

    def text(self, key: str, default: str = _REQUIRED) -> str:
        """Return a string."""
        value = self._get(key, default)
        if not isinstance(value, str):
            raise self.error(f"a string for '{key}'", quote_value(value))
        return value

    def one_of(self, key: str, default: str | None, known: Iterable[str]) -> str:
        """Return one of the `known` strings."""
        value = self.text(key, _REQUIRED if default is None else default)
        choices = [str(each) for each in known]
        if value not in choices:
            raise self.fault(unknown_name(f"a name for '{key}'", value, choices))
        return value

    def texts(self, key: str, default: tuple[str, ...] = _REQUIRED) -> tuple[str, ...]:
        """Return strings: a list, or one by itself."""
        value = self._get(key, default)
        values = (value,) if isinstance(value, str) else value
        if not isinstance(values, (list, tuple)) or not all(isinstance(each, str) for each in values):
            raise self.error(f"a list of strings for '{key}'", quote_value(value))
        return tuple(values)

    def flag(self, key: str, *, default: bool) -> bool:
        """Return true or false."""
        value = self._get(key, default)
        if not isinstance(value, bool):
            raise self.error(f"true or false for '{key}'", quote_value(value))
        return value

    def number(self, key: str, default: float | None, within: Range) -> Any:  # noqa: ANN401 - whole or not, or None
        """Return a number of that range, or the default."""
        value = self._get(key, default)
        if value is default:
            return default
        if not within.holds(value):
            raise self.error(f"{within} for '{key}'", quote_value(value))
        return value if within.whole else float(value)

    def numbers(self, key: str, default: tuple[int, ...], within: Range) -> tuple[int, ...]:
        """Return different numbers of that range, at least one."""
        value = self._get(key, default)
        if not isinstance(value, (list, tuple)) or not value or not all(map(within.holds, value)):
            raise self.error(
                f"a list of whole numbers for '{key}', each from {within.low} to {within.high}", quote_value(value)
            )
        return tuple(dict.fromkeys(value))

    def seconds(self, key: str, default: float) -> float:
        """Return seconds above 0, written as a number or as `500ms`, `20s`, `2m`."""
        value = self._get(key, default)
        seconds = parse_seconds(value) if isinstance(value, str) else value
        if not (SECONDS.holds(seconds) and seconds):
            raise self.error(f"a time such as '20s', '500ms' or '2m', {SECONDS}, for '{key}'", quote_value(value))
        return float(seconds)

    def mapping(self, key: str) -> dict[str, Any]:
        """Return a table as it is, empty if it is not there."""
        value = self._get(key, {})
        if not isinstance(value, dict):
            raise self.error(f"a table for '{key}'", quote_value(value))
        return value

    def tables(self, key: str) -> list[Table]:
        """Return the tables `[[key]]`, none if there are none."""
        value = self._get(key, [])
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            raise self.error(f"tables [[{key}]]", quote_value(value))
        return [Table(self._path, f"[[{key}]] {number}", each) for number, each in enumerate(value, start=1)]

    def named_tables(self, key: str) -> dict[str, Table]:
        """Return the tables `[key.NAME]` by name, none if there are none."""
        value = self.mapping(key)
        for name, each in value.items():
            if not isinstance(each, dict):
                raise self.error(f"a table [{key}.{name}]", quote_value(each))
        return {name: Table(self._path, f"[{key}.{name}]", each) for name, each in value.items()}
