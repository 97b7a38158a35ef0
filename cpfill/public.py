"""The names of the library. They are to be had from `cpfill` itself."""

from __future__ import annotations

from cpfill.alphabet import Alphabet
from cpfill.api import count_fills, enumerate_fills, events, make_problem, read_grids, solve
from cpfill.check import Violation, violations
from cpfill.engines import ENGINES, make_engine
from cpfill.errors import (
    CpfillError,
    EngineError,
    EngineUnavailableError,
    Fault,
    FormatError,
    GridError,
    InputError,
    InvalidFillError,
    LexiconError,
    UnsupportedError,
)
from cpfill.event import Bound, Event, Finished, Found, Progress, Started, Stats, StopReason
from cpfill.fill import Fill
from cpfill.formats.dialects import write_fill
from cpfill.formats.puzzles import read_puzzle, write_puzzle
from cpfill.grid import Crossing, Direction, Grid, Slot
from cpfill.lexicon.lexicon import Lexicon
from cpfill.lexicon.wordlist import WordList, parse_word_list, read_word_list
from cpfill.limits import Limits
from cpfill.problem import Objective, Problem, Rules
from cpfill.puzzle import Puzzle
from cpfill.request import Request
from cpfill.result import SolveResult, Status
from cpfill.search import Fills
from cpfill.stop import StopToken

__all__ = [
    "ENGINES",
    "Alphabet",
    "Bound",
    "CpfillError",
    "Crossing",
    "Direction",
    "EngineError",
    "EngineUnavailableError",
    "Event",
    "Fault",
    "Fill",
    "Fills",
    "Finished",
    "FormatError",
    "Found",
    "Grid",
    "GridError",
    "InputError",
    "InvalidFillError",
    "Lexicon",
    "LexiconError",
    "Limits",
    "Objective",
    "Problem",
    "Progress",
    "Puzzle",
    "Request",
    "Rules",
    "Slot",
    "SolveResult",
    "Started",
    "Stats",
    "Status",
    "StopReason",
    "StopToken",
    "UnsupportedError",
    "Violation",
    "WordList",
    "count_fills",
    "enumerate_fills",
    "events",
    "make_engine",
    "make_problem",
    "parse_word_list",
    "read_grids",
    "read_puzzle",
    "read_word_list",
    "solve",
    "violations",
    "write_fill",
    "write_puzzle",
]
