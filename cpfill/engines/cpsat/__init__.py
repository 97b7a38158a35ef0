"""The CP-SAT front end. Apart from `questions/generate`, no other room imports ortools."""

from __future__ import annotations

from collections.abc import Mapping

from cpfill.base.ranges import LETTERS
from cpfill.engines.option import EngineOption

FORMULATION = EngineOption(
    "formulation",
    "how the problem is stated",
    noun="a formulation",
    type=str,
    default="boolean",
    choices=("boolean", "table"),
    metavar="NAME",
    compared=True,
)
CORE = EngineOption("core", "words per slot in the first core", type=int, default=500, range=LETTERS, metavar="N")
MAXIMISE = EngineOption(
    "maximise",
    "how the best minimum score is found",
    noun="a way to maximise",
    type=str,
    default="descent",
    choices=("descent", "objective"),
    metavar="WAY",
)
CPSAT_PARAM = EngineOption(
    "cpsat_param", "set a parameter of CP-SAT", noun="a CP-SAT parameter", type=Mapping, metavar="NAME=VALUE"
)
VERBOSE = EngineOption("verbose", "print the solver's log on standard error", default=False, short="-v")
OPTIONS = (FORMULATION, CORE, MAXIMISE, CPSAT_PARAM, VERBOSE)
