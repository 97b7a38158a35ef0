"""Groups of verbs, set up alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperOption

from cpfill.cli.exits import warn

if TYPE_CHECKING:
    from collections.abc import Callable

    from typer._click import Context


class Verbs(typer.Typer):
    """A group of verbs."""

    def __init__(self, help: str) -> None:  # noqa: A002 - as typer has it
        super().__init__(
            help=help,
            add_completion=False,
            pretty_exceptions_enable=False,
            rich_markup_mode=None,
            context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 110},
        )

    def command(self, name: str | None = None, **more: Any) -> Callable[..., Any]:  # noqa: ANN401 - as typer has it
        """Return what makes a verb of a function."""
        return super().command(name, cls=_Verb, **more)


class _Verb(TyperCommand):
    """A verb. Of an option that is given twice the last value counts, as an alias of the shell needs; that is told."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Read the arguments.

        Raises:
            TyperException: they are none of this verb.
        """
        _, _, given = self.make_parser(ctx).parse_args([*args])
        for option in dict.fromkeys(given):
            if isinstance(option, TyperOption) and _takes_one(option) and (count := given.count(option)) > 1:
                names = " or ".join([*option.opts[:1], *option.secondary_opts])
                warn(f"{names} is given {count} times: the last one counts")
        return super().parse_args(ctx, args)


def _takes_one(option: TyperOption) -> bool:
    """Return whether an option that is given again would say another thing, and have only that heard."""
    return not option.multiple and (not option.is_flag or bool(option.secondary_opts))
