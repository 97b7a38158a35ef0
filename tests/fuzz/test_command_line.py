"""Whatever its options are given, a verb answers, or says in a line what is wrong; a long run ends at Ctrl-C."""

from __future__ import annotations

import gc
import os
import signal
import threading
from contextlib import chdir, contextmanager
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from typer.main import get_command

from cpfill.cli.app import make_command
from cpfill.cli.verbs import Exit
from cpfill.engines import ENGINES
from cpfill.engines.toolkit.wasm import MODULE
from tests.cli.program import ROOT, SQUARE, THREE, Outcome, Run, program
from tests.fuzz import corpus
from tests.fuzz.campaign import Campaign, Target
from tests.fuzz.ceilings import ceilings, check_refusal
from tests.fuzz.mutations import NUMBERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


MEMORY_BYTES = 1 << 31
"""With what is imported for a verb, such as the solver."""
PATIENCE_S = 1.0
"""How long a run may work before it is interrupted; some are asked for more than a life is long."""
CPU_S = 12.0
"""What a run may take that is interrupted."""
PROCESSES = 6
"""Runs of the program in a process of its own, as most are not."""

FILES: dict[str, Callable[[], bytes]] = {
    "square.txt": SQUARE.read_bytes,
    "three.txt": THREE.read_bytes,
    "draft.txt": lambda: b"????\n?.??\n??A?\n????\n",
    "text.txt": lambda: corpus.texts()[0],
    "suite.toml": lambda: corpus.suites()[0],
    "results.jsonl": lambda: corpus.bench_results()[0],
    "jobs.jsonl": lambda: corpus.jobs()[0],
    "thesaurus.dat": lambda: corpus.thesauri()[0],
    **{path.name: path.read_bytes for path in corpus.GOLDEN.glob("mini.*")},
    **{f"proof/{name}": partial(corpus.proof().__getitem__, name) for name in corpus.proof()},
}
"""What stands in the directory of a run. No path leads out of it: any may be taken for a file to write."""

ARGUMENTS = {
    **dict.fromkeys(("GRID", "FILL", "IN", "DIR|FILE"), "square.txt"),
    **dict.fromkeys(("LIST", "FIRST", "SECOND"), "three.txt"),
    "DRAFT": "draft.txt",
    "DIR": "proof",
    "OUT": "out.ipuz",
    "SUITE": "suite.toml",
    "RESULTS": "results.jsonl",
    "FILE": "text.txt",
    "PATTERN": "C?T",
    "WORD": "cat",
    "SLOT": "1-Across",
    "SCORE": "70",
    "N": "2",
}
"""What an argument is given, by its metavar."""

OPTIONS = {
    **dict.fromkeys(("--words", "--frequencies"), "three.txt"),
    **dict.fromkeys(("--runs", "--workers"), "1"),
    "--thesaurus": "thesaurus.dat",
    "--engine": "fc",
    "--time-limit": "1s",
    "--size": "4x4",
    "--sizes": "5",
}
"""What these options are given where nothing else is: enough to answer, and soon."""

FLAGS = {"--fillable", "--measure"}
"""What other options mean nothing without."""

TEXTS = (
    *("", " ", "-", "--", "-x", "--help", "a", "all", "auto", "en", "min", "fc", "letters", "cpsat", "ipuz", "\n", "'"),
    *(
        "[",
        "(",
        "*",
        "?",
        "%s",
        "{}",
        "\\",
        "x" * 5000,
        "\u00e9" * 300,
        "\u202e",
        "\U0001f600",
        "a=b",
        "a,b",
        "5x5x5",
        "/",
    ),
    *("/dev/null", "x.puz", "x.svg", "tcp://", "tcp://[::1]:1"),
)
BEHIND = ("", "", "", "s", "ms", "h", "%", ".puz")
BETWEEN = ("-", "x", ",", "=", ":")
EDGES = ("-1", "0", "9" * 20, "nan", "")
"""What every option is given in every run, at one verb or another."""


@cache
def verbs() -> dict[str, Any]:
    found = {}

    def walk(command: Any, names: tuple[str, ...]) -> None:
        for name, under in getattr(command, "commands", {"": command}).items():
            if name:
                walk(under, (*names, name))
            else:
                found[" ".join(names)] = under

    walk(get_command(make_command()), ())
    return found


def ending() -> list[str]:
    """Return the names of the commands that come to an end; a server does not, and has tests of its own."""
    return [verb for verb in verbs() if verb not in {"serve", "mcp"}]


def valued(verb: str) -> list[Any]:
    return [one for one in verbs()[verb].params if one.param_type_name == "option" and not one.is_flag]


def command_line(verb: str, *given: tuple[str, ...]) -> bytes:
    """Return the arguments of a run, each ended by a NUL: the usual ones, with these options and their values."""
    asked = {name for name, *_ in given}
    asked |= {"--words"} if verb == "convert" else set()  # which takes lists for the data of a model alone
    usual = [(name, OPTIONS[name]) for one in valued(verb) for name in one.opts if name in OPTIONS.keys() - asked]
    usual += [(one.opts[0], "made") for one in valued(verb) if one.required and asked.isdisjoint(one.opts)]
    arguments = [one.metavar.strip("[].") for one in verbs()[verb].params if one.param_type_name == "argument"]
    flags = FLAGS.intersection(name for one in verbs()[verb].params for name in one.opts)
    parts = [*verb.split(), *sorted(flags), *(part for option in (*usual, *given) for part in option)]
    return "".join(f"{part}\0" for part in (*parts, *(ARGUMENTS[name] for name in arguments))).encode()


def every_option(verb: str) -> list[bytes]:
    """Return a run without any option, and for every option runs with values at the edge.

    Verbs that share an option share the edges out among them: it is read at one place.
    """
    runs = [command_line(verb)]
    for one in valued(verb):
        sharing = [other for other in ending() if any(same(one, each) for each in valued(other))]
        edges = EDGES[sharing.index(verb) % len(EDGES) :: len(sharing)]
        runs += [command_line(verb, (one.opts[0], *[edge] * one.nargs)) for edge in edges]
    return runs


def same(one: Any, other: Any) -> bool:
    return (one.opts, one.help) == (other.opts, other.help)


def some_options(rng: Random, verb: str) -> bytes:
    """Return a run with a few options, whose values are anything."""
    chosen = rng.choices(valued(verb), k=rng.choice((1, 1, 2, 4)))
    given = [(rng.choice(one.opts), *(value(rng, one) for _ in range(one.nargs))) for one in chosen]
    engine = [("--engine", rng.choice(list(ENGINES)))] if any("--engine" in one.opts for one in valued(verb)) else []
    return command_line(verb, *engine, *given)


def value(rng: Random, option: Any) -> str:
    if "=" in (option.metavar or "") and rng.random() < 0.5:
        return f"random_seed={rng.choice(NUMBERS)}"
    kind = rng.random()
    if kind < 0.1:
        return rng.choice(list(FILES))
    if kind < 0.4:
        return rng.choice(TEXTS)
    number = rng.choice(NUMBERS) + rng.choice(BEHIND)
    return number if kind < 0.8 else number + rng.choice(BETWEEN) + rng.choice(NUMBERS)


@contextmanager
def directory() -> Iterator[Path]:
    """Work in a new directory with what the arguments name; any of it may be written over."""
    with TemporaryDirectory() as name, chdir(name):
        Path("proof").mkdir()
        for file, data in FILES.items():
            Path(file).write_bytes(data())
        yield Path(name)


@contextmanager
def interrupted() -> Iterator[None]:
    """Interrupt what takes long, as Ctrl-C does, and put back what a run of the program leaves changed."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)
    handlers = [signal.getsignal(number) for number in numbers]
    came = threading.Event()

    def interrupt() -> None:
        came.set()
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(PATIENCE_S, interrupt)
    timer.start()
    try:
        yield
    except KeyboardInterrupt:  # as the run ended
        if not came.is_set():
            raise
    finally:
        timer.cancel()
        timer.join()
        for number, handler in zip(numbers, handlers, strict=True):
            signal.signal(number, handler)
        if came.is_set():
            gc.collect()  # warnings about what it left behind belong to this run


def answered(path: Path, run: Run) -> None:
    arguments = path.read_text(encoding="utf-8").split("\0")[:-1]
    done = Outcome(Exit.INTERRUPTED, "", "")
    with directory(), interrupted():
        done = run(*arguments)
    check_answer(arguments, done)


def check_answer(arguments: Sequence[str], done: Outcome) -> None:
    assert "Traceback" not in done.err, done.err
    allowed = set(Exit) if arguments[0] in {"check", "bench"} else set(Exit) - {Exit.FAULT}
    assert done.code in allowed, done
    if done.code == Exit.BAD_INPUT and done.err:
        check_refusal(done.err.removesuffix("\n"), str(ROOT))


# The process that `bench` measures in ends on its own when it is interrupted, now and then after its parent looked.
@pytest.mark.filterwarnings("ignore:subprocess .* is still running:ResourceWarning")
@pytest.mark.long
@pytest.mark.parametrize("verb", ending())
def test_a_verb_answers_or_refuses(campaign: Campaign, run: Run, verb: str) -> None:
    seeds, make = partial(every_option, verb), partial(some_options, verb=verb)
    inputs = len(valued(verb)) // 2
    campaign.run(Target(verb, "arguments", seeds, partial(answered, run=run), make, inputs, CPU_S, MEMORY_BYTES))


@pytest.mark.parametrize("verb", ending())
def test_the_usual_arguments_of_a_verb_are_right(run: Run, verb: str) -> None:
    if verb == "site" and not MODULE.exists():
        pytest.skip("needs kernel.wasm: python .ci/kernel_wasm.py")
    with directory():
        done = run(*command_line(verb).decode().split("\0")[:-1])
    assert done.code != Exit.BAD_INPUT, done.err


def test_so_does_the_program(campaign: Campaign) -> None:
    rng = Random(campaign.seed)
    for _ in range(PROCESSES):
        arguments = some_options(rng, rng.choice(ending())).decode().split("\0")[:-1]
        with directory() as cwd, ceilings(CPU_S, MEMORY_BYTES):  # a process inherits how much memory it may have
            done = program(*arguments, cwd=cwd)
        check_answer(arguments, done)
