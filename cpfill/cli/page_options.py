"""The options of drawings, for the verbs that write puzzle files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from cpfill.base.errors import InputError, unknown_name
from cpfill.cli.options import gather_options
from cpfill.formats.pages.style import Layout, PageStyle, Paper

if TYPE_CHECKING:
    from collections.abc import Callable

_Choice = TypeVar("_Choice", Paper, Layout)

_OPTIONS: dict[str, Any] = {
    "letters": Annotated[
        bool | None,
        typer.Option(
            "--solution/--blank", help="Draw one of the two alone. By itself: blank in svg and png, else both."
        ),
    ],
    "french": Annotated[
        bool, typer.Option("--french", help="Draw in French: rows I, II… and columns 1, 2… instead of numbers.")
    ],
    "paper": Annotated[
        str | None, typer.Option("--paper", metavar="NAME", help=f"Of html, latex, pdf: {' or '.join(Paper)}.")
    ],
    "layout": Annotated[
        str,
        typer.Option(
            "--layout",
            metavar="NAME",
            help="newspaper; arrows (mots fléchés), not latex; submission (manuscript), html, pdf; interactive, html.",
        ),
    ],
}
_USUAL = PageStyle()
_DEFAULTS: dict[str, Any] = {name: getattr(_USUAL, name) for name in _OPTIONS} | {"layout": str(_USUAL.layout)}


def with_page_options(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb the options of drawings; its argument `page` is the style they describe, or `None` without any."""
    options = {name: (annotation, _DEFAULTS[name]) for name, annotation in _OPTIONS.items()}
    return gather_options("page", options, lambda given: None if given == _DEFAULTS else _read(**given))(verb)


def _read(letters: bool | None, french: bool, paper: str | None, layout: str) -> PageStyle:
    return PageStyle(
        letters, french, None if paper is None else _choose("paper", paper, Paper), _choose("layout", layout, Layout)
    )


def _choose(what: str, name: str, choices: type[_Choice]) -> _Choice:
    """Return the choice of that name.

    Raises:
        InputError: there is none.
    """
    if name not in set(choices):
        raise InputError(unknown_name(f"a {what}", name, choices))
    return choices(name)
