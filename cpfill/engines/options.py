"""The options of the engines. They are declared here, not with the engines, so that listing them imports no search."""

from __future__ import annotations

import os
from typing import Literal, get_args

from cpfill.base.errors import LETTERS
from cpfill.base.reading import Field, choice, flag, number_reader, settings_reader, text_reader, wrong
from cpfill.base.texts import later

FORMULATION = choice(
    "formulation",
    "how the problem is stated",
    later("a formulation"),
    ("boolean", "table"),
    default="boolean",
    metavar="NAME",
    compared=True,
)
CORE = Field(
    number_reader(LETTERS), "words per slot in the first core", "N", option=int, name="core", default=500, range=LETTERS
)
MAXIMISE = choice(
    "maximise",
    "how the best minimum score is found",
    later("a way to maximise"),
    ("descent", "objective"),
    default="descent",
    metavar="WAY",
)
CPSAT_PARAM = Field(
    settings_reader(later("a CP-SAT parameter")),
    "set a parameter of CP-SAT",
    "NAME=VALUE",
    option=list,
    name="cpsat_param",
)
VERBOSE = flag("verbose", "print the solver's log on standard error", default=False, short="-v")
SlotOrder = Literal["mrv", "degree", "bound-degree", "static", "random"]
"""How the next slot is chosen; see `backtrack.search.Ordering`."""

ORDER = choice(
    "order", "how the next slot is chosen", later("an order"), get_args(SlotOrder), default="mrv", metavar="NAME"
)
AC3 = flag("ac3", "make the domains arc consistent before the search", default=True)
SHUFFLE = flag("shuffle", "try words in random order", default=False)
TRACE = flag("trace", "report each step of the search", default=False, on_command_line=False)
"""The option of engines that report their work in the steps of `cpfill.problem.event`."""
RESTARTS = flag("restarts", "restart the search for one fill from time to time", default=True, on_command_line=False)


def _read_path(name: str, value: object) -> str | os.PathLike[str]:
    if not isinstance(value, str | os.PathLike):
        raise wrong(later("a file"), name, value)
    return value


REVERSE = flag("reverse", "search from the last cell to the first", default=False)
RESUME = Field(_read_path, "keep a journal; the same command continues from it", "FILE", name="resume")
SCHEDULER = Field(
    text_reader(later("the address of a Dask scheduler")),
    "search on a Dask cluster (package distributed)",
    "tcp://HOST:PORT",
    name="scheduler",
)

OPTIONS: dict[str, tuple[Field, ...]] = {
    "cpsat": (FORMULATION, CORE, MAXIMISE, CPSAT_PARAM, VERBOSE),
    "fc": (ORDER, AC3, SHUFFLE, TRACE),
    "fc-cbj": (ORDER, AC3, SHUFFLE, TRACE),
    "letters": (REVERSE, RESUME, SCHEDULER, TRACE),
    "mac": (RESTARTS, TRACE),
    "scaffold": (TRACE,),
    "weave": (TRACE,),
}
"""The options of each engine that has some."""
