"""No regular expression takes more time than in proportion to a text, whatever the text."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.hygiene.test_imports import modules
from tests.support import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

AT_ONE_PLACE = {"fullmatch", "match"}
ANYWHERE = {"search", "sub", "subn", "split", "findall", "finditer"}
MANY = 64  # a repeat of at most so many is as good as none
SAMPLE = "".join(map(chr, range(0x500))) + "\u2010\u2019\u2028\u3042\uac00"
WORD = set(re.findall(r"\w", SAMPLE))

REPEATS = {_constants.MAX_REPEAT, _constants.MIN_REPEAT}
GROUPS = {_constants.SUBPATTERN, _constants.POSSESSIVE_REPEAT, _constants.ATOMIC_GROUP, *REPEATS}
AT_LINES = [(_constants.AT, _constants.AT_BEGINNING), (_constants.AT, _constants.AT_BEGINNING_LINE)]
WITHOUT_WIDTH = {_constants.AT, _constants.ASSERT, _constants.ASSERT_NOT}

Items = list[tuple[Any, Any]]
"""What follows one another in a pattern, as Python parses it: a kind and its arguments each."""


def slow(pattern: str | bytes, flags: int = 0, *, searched: bool = True) -> str | None:
    """Return what may make a pattern take more time than in proportion to a text, if anything does.

    A repeat is one without end that tries other lengths. Time is lost where one holds another, where what one gives
    back may be taken by the next, and in a search where one runs over places at which the search then begins again.
    """
    items = _without_end(list(_parser.parse(pattern, flags)))
    if any(True for inner, _ in _repeats(items) for _ in _repeats(inner)):
        return "a repeat inside a repeat"
    if any(_may_be_taken(_first(taken), behind) for taken, behind in _repeats(items)):
        return "a repeat behind a repeat"
    branches = _inside(*items[0]) if len(items) == 1 and items[0][0] is _constants.BRANCH else [items]
    for branch in branches if searched else []:
        begins = {"\n"} if branch[0] in AT_LINES else _first(branch)
        if any(_first(taken) & begins and not _may_be_empty(behind) for taken, behind in _repeats(branch)):
            return "a search that begins again within a repeat"
    return None


def _repeats(items: Items, behind: Items | None = None) -> Iterator[tuple[Items, Items]]:
    """Yield what each repeat repeats, however deep it stands, and all that comes behind it."""
    for place, (code, argument) in enumerate(items):
        rest = [*items[place + 1 :], *(behind or [])]
        if _endless(code, argument):
            yield list(argument[2]), rest
        for inner in _inside(code, argument):
            yield from _repeats(inner, rest)


def _without_end(items: Items) -> Items:
    """Return a pattern of lines without a last `.*`, which never fails."""
    if not items or items[-1][0] not in {_constants.SUBPATTERN, _constants.MAX_REPEAT}:
        return items
    *before, (code, argument) = items
    inner = list(argument[-1])
    if _endless(code, argument) and inner == [(_constants.ANY, None)]:
        return before
    return [*before, (code, (*argument[:-1], _without_end(inner)))]


def _endless(code: Any, argument: Any) -> bool:
    return code in REPEATS and argument[1] > MANY


def _inside(code: Any, argument: Any) -> list[Items]:
    """Return what may stand in the place of an item that is made of others."""
    if code is _constants.BRANCH:
        return [list(branch) for branch in argument[1]]
    if code in GROUPS:
        return [list(argument if code is _constants.ATOMIC_GROUP else argument[-1])]
    return []


def _may_be_empty(items: Items) -> bool:
    return all(
        code in WITHOUT_WIDTH
        or (code in GROUPS | {_constants.BRANCH} and any(map(_may_be_empty, _inside(code, argument))))
        or (code in REPEATS | {_constants.POSSESSIVE_REPEAT} and argument[0] == 0)
        for code, argument in items
    )


def _first(items: Items) -> set[str]:
    """Return the characters, of a sample, that a match may begin with."""
    found: set[str] = set()
    for item in items:
        code, argument = item
        if code not in WITHOUT_WIDTH:
            parts = _inside(code, argument)
            found |= set[str]().union(*map(_first, parts)) if parts else _characters(item)
        if not _may_be_empty([item]):
            break
    return found


def _characters(item: tuple[Any, Any]) -> set[str]:
    if item[0] is _constants.GROUPREF:
        return set(SAMPLE)
    state = _parser.State()
    state.str = ""
    one = _compiler.compile(_parser.SubPattern(state, [item]), re.DOTALL)
    return {char for char in SAMPLE if one.fullmatch(char)}


def _may_be_taken(given: set[str], items: Items) -> bool:
    """Return whether a repeat in what follows takes what is given back, and all that stands between the two."""
    at_words = False
    for item in items:
        code, argument = item
        if _endless(code, argument):
            taken = _first(list(argument[2]))
            # Behind the beginning of a word each place has a word of its own to take.
            if given & taken and not (at_words and taken <= WORD):
                return True
        elif any(_may_be_taken(given, inner) for inner in _inside(code, argument)):
            return True
        at_words |= item == (_constants.AT, _constants.AT_BOUNDARY)
        if not _may_be_empty([item]):
            given = given & _first([item])
    return False


class Use(NamedTuple):
    """A pattern where it stands; `searched` if it may begin anywhere in a text."""

    place: str
    pattern: str | bytes
    flags: int
    searched: bool


def uses_in(path: Path) -> Iterator[Use]:
    """Yield the patterns that a module has, those that it puts together while it runs left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    module = vars(import_module(".".join(path.relative_to(ROOT).with_suffix("").parts)))
    asked: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            asked.setdefault(node.value.id, set()).add(node.attr)
        match node:
            case ast.Call(ast.Attribute(ast.Name("re"), name), [ast.Constant(str() | bytes() as pattern), *_]):
                if name in AT_ONE_PLACE | ANYWHERE:
                    yield Use(f"{path.name}:{node.lineno}", pattern, 0, name in ANYWHERE)
    for name, value in module.items():
        if isinstance(value, re.Pattern):
            flags = value.flags & ~re.UNICODE
            yield Use(f"{path.name} {name}", value.pattern, flags, not asked.get(name, set()) <= AT_ONE_PLACE)


def test_no_pattern_is_slow() -> None:
    uses = [use for path in modules() if path.name != "__main__.py" for use in uses_in(path)]
    assert len(uses) > 30
    assert {use.searched for use in uses} == {True, False}
    found = {use: slow(use.pattern, use.flags, searched=use.searched) for use in uses}
    assert {use: why for use, why in found.items() if why} == {}


INSIDE, BEHIND = "a repeat inside a repeat", "a repeat behind a repeat"
AGAIN = "a search that begins again within a repeat"
SLOW = {
    INSIDE: [r"(a+)+b", r"(?:a|b*)*", r"(?:\w+\s?)*$", r"(?:x(?:ab*)?)+", r"(a{2,})*", r"(?:[^()]|\([^()]*\))*"],
    BEHIND: [r"\s*\s*x", r"\s*[^;]*?\s*;", r"a*(?:b?)\w+c", r".*,.*,x", r"(?:\s+|x)?\s+y", r"(a|b+)(?:[bc]*)d"],
    AGAIN: [r"\s+\(", r"\[[^\]]*\]", r"a.*b", r"(?:x|\s*)y", r"\w*qu'", r"[.]|<.*>", r"(?m)^\s*x"],
}
NOT_SLOW = [
    *(r"\s+", r"\[[^\[\]]*\]", r"(?:ab){0,9}c", r"[a-z]+(?:-[a-z]+)*+"),
    *(r"x(?>a*)b", r";[^;]*;[^;]+", r"[;:]\s*x", r",\s*(.*)"),
]
NOT_AT_ONE_PLACE = [r"\s*\d+\s*", r"\S+:\d+", r"(?:[a-z]+-)*+", r"(?>a*)b", r"(.*)~(.*)", *SLOW[AGAIN]]


@pytest.mark.parametrize(("why", "pattern"), [(why, pattern) for why, patterns in SLOW.items() for pattern in patterns])
def test_a_slow_pattern_would_be_seen(why: str, pattern: str) -> None:
    assert slow(pattern, searched=why == AGAIN) == why


@pytest.mark.parametrize("pattern", NOT_SLOW)
def test_a_pattern_that_is_not_slow_passes(pattern: str) -> None:
    assert slow(pattern) is None


@pytest.mark.parametrize("pattern", NOT_AT_ONE_PLACE)
def test_a_pattern_that_is_not_slow_at_one_place_passes(pattern: str) -> None:
    assert slow(pattern, searched=False) is None
