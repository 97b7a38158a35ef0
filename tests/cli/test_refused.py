"""Numbers out of their range: each verb refuses each of them in one line; other refusals are cases of `verbs`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import typer.main

from cpfill.cli.app import make_command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.program import Run


def numbers(command: Any, *path: str) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Yield the verb and the name of every option that takes a number, and whether that is whole."""
    for verb, inner in getattr(command, "commands", {}).items():
        yield from numbers(inner, *path, verb)
    for option in command.params:
        if option.param_type_name == "option" and option.type.name in {"int", "float"}:
            yield path, option.opts[0], option.type.name


OPTIONS = list(numbers(typer.main.get_command(make_command())))


def test_many_options_take_numbers() -> None:
    assert len(OPTIONS) > 40
    assert {name for _, name, _ in OPTIONS} >= {"--seed", "--workers", "--min-score", "--core", "--runs", "--sample"}


@pytest.mark.parametrize(("path", "option", "kind"), OPTIONS, ids=str)
def test_a_number_out_of_its_range_is_refused(run: Run, path: tuple[str, ...], option: str, kind: str) -> None:
    texts = ["-1", "1" + "0" * 30, "9" * 5000, "nan", "-" + "9" * 400, "x" * 5000]
    for text in [*texts, *(["inf", "1e-320", "1e400"] if kind == "float" else ["1.5"])]:
        done = run(*path, option, text)
        (line,) = done.err.splitlines()
        assert (done.code, done.out) == (2, "")
        assert option in line
        assert len(line) < 400
