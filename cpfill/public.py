"""The names of the library. They are to be had from `cpfill` itself."""

from __future__ import annotations

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import (
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
from cpfill.base.threads import StopToken
from cpfill.engines import ENGINES, make_engine
from cpfill.engines.audited import Fills
from cpfill.formats.dialects import write_fill
from cpfill.formats.registry import read_puzzle, write_puzzle
from cpfill.problem.check import Violation, violations
from cpfill.problem.event import Bound, Event, Finished, Found, Progress, Started, Stats, StopReason
from cpfill.problem.problem import Fill, Objective, Problem
from cpfill.problem.result import Limits, SolveResult, Status
from cpfill.problem.rules import Rules
from cpfill.puzzle.grid import Crossing, Direction, Grid, Slot
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.api import count_fills, enumerate_fills, events, make_problem, read_grids, solve
from cpfill.questions.request import Request
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import WordList, parse_word_list, read_word_list

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
