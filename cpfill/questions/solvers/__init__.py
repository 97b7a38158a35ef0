"""The formats in which cpfill writes a problem for other solvers, and the module that writes each."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from cpfill.problem.problem import Problem


class DataFormat(NamedTuple):
    """A format: the module and function that write it, and its file suffixes."""

    writer: str
    suffixes: tuple[str, ...] = ()


DATA_FORMATS = {
    "dzn": DataFormat("solvers.minizinc:write_dzn", (".dzn",)),
    "minizinc-json": DataFormat("solvers.minizinc:write_json"),
    "wcsp": DataFormat("solvers.statement:write_wcsp", (".wcsp",)),
    "xcsp3": DataFormat("solvers.statement:write_xcsp3", (".xml",)),
    "opb": DataFormat("solvers.statement:write_opb", (".opb",)),
    "cnf": DataFormat("proof.folder:write_cnf", (".cnf",)),
}


def write_data(problem: Problem, kind: str) -> str:
    """Return the text of a problem in a format of `DATA_FORMATS`.

    Raises:
        InputError: the format cannot express the problem.
    """
    module, _, name = DATA_FORMATS[kind].writer.partition(":")
    write = getattr(import_module(f"cpfill.questions.{module}"), name)
    return cast("Callable[[Problem], str]", write)(problem)
