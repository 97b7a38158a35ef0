"""The CP-SAT front end. Apart from `questions/generate`, no other room imports ortools."""

from __future__ import annotations

from cpfill.base.errors import LETTERS
from cpfill.base.reading import Field, choice, flag, number_reader, settings_reader
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
OPTIONS = (FORMULATION, CORE, MAXIMISE, CPSAT_PARAM, VERBOSE)
