"""Every option that takes a number says which, and refuses any other in one short line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import typer.main

from cpfill.cli.app import make_app

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.program import Run


def numbers(command: Any, *path: str) -> Iterator[tuple[tuple[str, ...], str, str]]:  # noqa: ANN401 - typer's own
    """Yield the verb and the name of every option that takes a number, and whether that is whole."""
    for verb, inner in getattr(command, "commands", {}).items():
        yield from numbers(inner, *path, verb)
    for option in command.params:
        if option.type.name in {"int", "float"}:
            yield path, option.opts[0], option.type.name


OPTIONS = list(numbers(typer.main.get_command(make_app())))


def test_there_are_such_options() -> None:
    assert len(OPTIONS) > 40
    assert {name for _, name, _ in OPTIONS} >= {"--seed", "--workers", "--min-score", "--core", "--runs", "--sample"}


@pytest.mark.parametrize(("path", "option", "kind"), OPTIONS, ids=str)
def test_an_option_has_a_range(run: Run, path: tuple[str, ...], option: str, kind: str) -> None:
    texts = ["-1", "1" + "0" * 30, "9" * 5000, "nan", "-" + "9" * 400, "x" * 5000]
    for text in [*texts, *(["inf", "1e-320", "1e400"] if kind == "float" else ["1.5"])]:
        done = run(*path, option, text)
        (line,) = done.err.splitlines()
        assert (done.code, done.out) == (2, "")
        assert option in line
        assert len(line) < 400
