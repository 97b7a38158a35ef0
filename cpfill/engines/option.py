"""How an engine declares its options. The command line, tables and tests know an option from its declaration alone.

The options of an engine are `OPTIONS` of its package, and arguments of its constructor. To declare them, a package does
not import its search, so that listing options stays fast.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from cpfill.base.errors import Fault, InputError, unknown_name
from cpfill.base.ranges import quote_value
from cpfill.base.texts import say

if TYPE_CHECKING:
    from cpfill.base.ranges import Range


class EngineOption(NamedTuple):
    """An option. It takes one of `choices`, or a number in `range`, or else a value of `type`.

    Attributes:
        name: the name of the constructor's argument.
        help: the help text, in lower case and without a full stop.
        noun: how messages name a value.
        type: `bool` makes a flag; `Mapping` takes name=value, several times.
        default: the default value; `None` if the default is not one of the values.
        choices: the choices, the default first if it is one of them.
        range: the range of a whole number.
        metavar: the placeholder for a value in the help of the command line.
        short: a short name on the command line, such as `-v`.
        on_command_line: if false, only programs, jobs and suites can set the option.
        compared: `cpfill compare` runs the engine with each choice, because each states the problem differently.
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
            InputError: this option does not take the value.
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
            raise InputError(Fault(say("{noun} for {name}", noun=say(self.noun), name=self.name), quote_value(value)))

    @property
    def flag(self) -> str:
        """The name on the command line."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def values(self) -> str:
        """The possible values and the default, for a table."""
        if self.choices:
            return ", ".join(self.choices)
        if self.range:
            return f"{self.range}, by default {self.default}"
        return ("on" if self.default else "off") + " by default" if self.type is bool else self.metavar


TRACE = EngineOption("trace", "report each step of the search", default=False, on_command_line=False)
"""The option of engines that report their work in the steps of `cpfill.problem.event`."""


def choose_kernel(kernels: Mapping[str, str]) -> EngineOption:
    """Return the option that chooses one of an engine's kernels, which `compiled.load_kernel` takes."""
    return EngineOption(
        "kernel",
        "by default the compiled kernel if it was built",
        noun="a kernel",
        type=str,
        choices=tuple(kernels),
        on_command_line=False,
    )
