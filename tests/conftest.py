from __future__ import annotations

import gc
import io
import os
import signal
import subprocess
import sys
from contextlib import suppress
from contextvars import copy_context
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.main import get_command

from cpfill.cli import main
from cpfill.cli.app import make_command
from cpfill.testing.conftest import english, hard_problem  # noqa: F401 - fixtures
from cpfill.words.sources import Shelf
from cpfill.words.wordlist import WordList, read_word_list
from tests.cli.program import Outcome

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from cpfill.runs.tasks import Record, Task
    from tests.cli.program import Run

# No list of whoever runs the tests has a say in them, in this process or another.
os.environ |= dict.fromkeys(("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"), str(Path(__file__).resolve()))
# What threads free, other threads may take: a worker keeps the memory of one heap, not that of many.
os.environ.setdefault("MALLOC_ARENA_MAX", "1")
os.environ.setdefault("MALLOC_TRIM_THRESHOLD_", "65536")
# What one process compiles serves the next: else each of hundreds would compile the program anew, for a third of its
# time, and each run of the tests all of them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

CHARACTERS = """
from hypothesis import given, settings, strategies
settings(max_examples=1, database=None)(given(strategies.text())(lambda _: None))()
"""
PEAKS_KB: dict[str, int] = {}
"""The greatest memory that each worker had, as the controller heard when it ended."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options of tests/fuzz; pytest sees those of a conftest further down only when it is named."""
    options = parser.getgroup("fuzz")
    options.addoption("--fuzz-seed", type=int, default=0, help="Makes the inputs of tests/fuzz.")
    options.addoption("--fuzz-seconds", type=float, help="Fuzz for so long, all tests together.")
    options.addoption("--fuzz-input", help="Put this file to the tests instead.")
    parser.addoption("--update", action="store_true", help="Write the cases of tests/cli and tests/golden anew.")


def pytest_configure(config: pytest.Config) -> None:
    """Have `pytest` alone leave out what is marked `long`; who names a path, or `-m long`, gets what was asked for.

    Hypothesis makes its table of all characters before the workers start: it takes each of them 200 MB otherwise.
    """
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.markexpr:
        config.option.markexpr = "not long"
    if not hasattr(config, "workerinput") and not (config.rootpath / ".hypothesis" / "unicode_data").is_dir():
        subprocess.run([sys.executable, "-c", CHARACTERS], cwd=config.rootpath, check=True)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Have workers that run all tests compile them for one another: each begins with other modules.

    In a new checkout nothing is compiled, and they would keep step, each compiling every module.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker and session.config.args == session.config.getini("testpaths"):
        modules = sorted(Path(__file__).parent.rglob("test_*.py"))
        for path in modules[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
            with suppress(Exception, pytest.skip.Exception):  # collecting them reports it
                import_module(".".join(path.relative_to(session.config.rootpath).with_suffix("").parts))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what takes a cluster, a browser or the built site as long; put the first two first, as they are drawn.

    One worker then uses whatever starts programs: no other worker starts its own, and nothing stays until the end.
    """
    for item in items:
        if not {"dask", "driver", "site"}.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker("long")
    items.sort(key=lambda item: [name not in getattr(item, "fixturenames", ()) for name in ("dask", "driver")])


def pytest_collection_finish() -> None:
    """Have the collector of garbage pass over the tests and what they import, most of what there is: they stay."""
    gc.freeze()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Have a worker say how much memory it took at its peak, in kilobytes."""
    if hasattr(session.config, "workeroutput") and sys.platform != "win32":
        import resource

        session.config.workeroutput["peak_kb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    PEAKS_KB[node.gateway.id] = getattr(node, "workeroutput", {}).get("peak_kb", 0)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if PEAKS_KB:
        told = ", ".join(f"{worker} {peak // 1024} MB" for worker, peak in sorted(PEAKS_KB.items()))
        terminalreporter.write_line(f"peak memory of the workers: {told}")


@pytest.hookimpl(wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Have one more worker than processors: many a test waits, for a process, a browser or the end of its time."""
    return (yield) + 1


@pytest.fixture(scope="session", autouse=True)
def _no_power_cut() -> Iterator[None]:
    """Have nothing in this process wait for the disk: that what is saved outlives a power cut is beyond a test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda _handle: None)
        yield


@pytest.fixture(scope="session")
def french() -> WordList:
    return read_word_list("fr")


@cache
def command(asked: str) -> Any:
    """Return the program with one verb; to make it takes longer than most runs, and runs leave it as it is."""
    return get_command(make_command({asked}))


def answer_jobs_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a batch or a series answer its jobs one after another in this process, with lists as in a new one."""

    class Here:
        def run(self, jobs: Iterable[Task]) -> Generator[Record]:
            for job in jobs:
                yield job.answer(lambda: False)

    monkeypatch.setattr("cpfill.runs.batch._SHELF", Shelf())
    monkeypatch.setattr("cpfill.cli.batch.executor_of", lambda *_: Here())
    monkeypatch.setattr("cpfill.cli.series.executor_of", lambda *_: Here())


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the program in this process, and without `-j` many jobs too: much faster, and engines can be replaced."""

    def run_here(*args: object, stdin: str | bytes = b"") -> Outcome:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr("cpfill.cli.app.make_command", lambda verbs: command(*verbs))
        if {"batch", "series"} & {*args} and not {"-j", "--scheduler"} & {*args}:
            answer_jobs_here(monkeypatch)
        monkeypatch.setattr(sys, "argv", ["cpfill", *map(str, args)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
        capsys.readouterr()
        listening = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            with pytest.raises(SystemExit) as stopped:
                copy_context().run(main)  # the language that it speaks is its own
        finally:
            for number, handler in listening.items():
                signal.signal(number, handler)
            gc.enable()  # a program that ends needs no collector; the worker goes on
        printed = capsys.readouterr()
        code = stopped.value.code
        assert isinstance(code, int)
        return Outcome(code, printed.out, printed.err)

    return run_here
