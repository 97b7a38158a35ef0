"""What an engine declares of each of its options: all that the command line, tables and tests know of it.

The options of an engine are `OPTIONS` of its package, and arguments of its constructor. A package imports no search to
declare them, so that options can be listed without one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from cpfill.base.errors import Fault, InputError, unknown_name
from cpfill.base.ranges import quote_value

if TYPE_CHECKING:
    from cpfill.base.ranges import Range


class EngineOption(NamedTuple):
    """An option: it takes one of `choices`, or a number of `range`, or else a value of `type`.

    Attributes:
        name: that of the constructor's argument.
        help: what it says, in small letters and without a full stop.
        noun: what a value is, in messages.
        type: `bool` makes a flag, `Mapping` takes name=value several times.
        default: the value if none is given; `None` if that is none of the values.
        choices: the default first, if it is one of them.
        range: of a whole number.
        metavar: what stands for a value in the help of the command line.
        short: another name on the command line, such as `-v`.
        on_command_line: or else it is for programs, jobs and suites alone.
        compared: `cpfill compare` runs the engine with each choice, for it is another way to state the problem.
    """

    name: str
    help: str
    noun: str = "true or false"
    type: Any = bool
    default: Any = None
    choices: tuple[str, ...] = ()
    range: Range | None = None
    metavar: str = ""
    short: str = ""
    on_command_line: bool = True
    compared: bool = False

    def check(self, value: object) -> None:
        """Check a value.

        Raises:
            InputError: this option does not take it.
        """
        if value is None and self.default is None:
            return
        if self.choices:
            if value not in self.choices:
                raise InputError(
                    unknown_name(self.noun, value if isinstance(value, str) else quote_value(value), self.choices)
                )
        elif self.range:
            self.range.check(value, self.name)
        elif not isinstance(value, self.type) or (
            isinstance(value, Mapping) and not all(isinstance(each, str) for each in value.values())
        ):
            raise InputError(Fault(f"{self.noun} for {self.name}", quote_value(value)))

    @property
    def flag(self) -> str:
        """Its name on the command line."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def values(self) -> str:
        """What it takes, and what it is by default, for a table."""
        if self.choices:
            return ", ".join(self.choices)
        if self.range:
            return f"{self.range}, by default {self.default}"
        return ("on" if self.default else "off") + " by default" if self.type is bool else self.metavar


TRACE = EngineOption("trace", "each step of the search is told", default=False, on_command_line=False)
"""Of an engine that tells what it does in the steps of `cpfill.problem.event`."""


def choose_kernel(kernels: Mapping[str, str]) -> EngineOption:
    """Return the option that chooses one of an engine's kernels, which `compiled.load_kernel` takes."""
    return EngineOption(
        "kernel",
        "by default the compiled one where it was built",
        noun="a kernel",
        type=str,
        choices=tuple(kernels),
        on_command_line=False,
    )
