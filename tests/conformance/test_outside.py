"""Engines of other packages: found by their entry points, told when they are faulty, and held to the contract."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.cli.program import program
from tests.support import INSTANCES, ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.cli.program import Run

    Install = Callable[..., dict[str, str]]

PAGE = (ROOT / "cpfill" / "engines" / "README.md").read_text(encoding="utf-8")
(SMALL,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
(DECLARED,) = re.findall(r"```toml\n\[project.entry-points.\"(.*?)\"\]\n(.*?)```", PAGE, re.DOTALL)
GRID = (INSTANCES / "assignment" / "A.txt", "-w", INSTANCES / "assignment" / "A.words.txt")


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Give what makes a package installed here: its code, and its entry points; it returns what a process needs."""
    monkeypatch.syspath_prepend(tmp_path)

    def make(code: str, entries: str = DECLARED[1].replace('"', ""), package: str = "small") -> dict[str, str]:
        (tmp_path / "small_engine.py").write_text(code, encoding="utf-8")
        record = tmp_path / f"{package}-1.0.dist-info"
        record.mkdir()
        (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (record / "entry_points.txt").write_text(f"[{DECLARED[0]}]\n{entries}")
        importlib.invalidate_caches()
        return {"PYTHONPATH": str(tmp_path)}

    yield make
    sys.modules.pop("small_engine", None)


def conformance(environment: dict[str, str], *options: str) -> subprocess.CompletedProcess[str]:
    """Hold the engine `small` to the contract, away from this tree and its options of pytest."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-c", os.devnull, "-p", "no:cacheprovider", *options]
    there = environment["PYTHONPATH"]
    asked = {**os.environ, **environment, "CPFILL_ENGINE": "small"}
    done = subprocess.run(
        [*command, "--rootdir", there, "--pyargs", "cpfill.testing"],
        env=asked,
        cwd=there,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert " passed" in done.stdout or "ERROR" in done.stdout or "FAILED" in done.stdout, done.stdout + done.stderr
    return done


def test_it_is_on_the_command_line(run: Run, install: Install) -> None:
    environment = install(SMALL)
    solved = program("solve", *GRID, "-q", "-e", "small", PYTHONPATH=environment["PYTHONPATH"])
    assert (solved.code, solved.err) == (0, "")
    for engine in ("mac", "small"):
        assert run("count", *GRID, "-e", engine, "--json").records[-1]["fills"] == 2
    compared = run("compare", *GRID, "-a", "-e", "small", "-e", "mac")
    assert compared.code == 0
    assert re.search(r"small +ALL_FILLS +2 ", compared.out)
    assert ", small (small 1.0)\n" in run("info", "--build").out


@pytest.mark.parametrize(
    ("entry", "asked", "said"),
    [
        ("bad = no_such_module:Engine", "bad", "found ModuleNotFoundError: No module named 'no_such_module'"),
        ("bad = small_engine:NoSuchEngine", "bad", "found AttributeError: .*NoSuchEngine"),
        ("bad = small_engine:SmallEngine", "bad", "found the name 'small'"),
        ("bad = os:path", "bad", "found no class with name, features, search"),
        (
            "mac = small_engine:SmallEngine",
            "mac of other 1.0",
            "a name that is free for the engine of other 1.0",
        ),
        ("small = other_engine:Engine", "small", "expected one package that has an engine small, found several"),
    ],
)
def test_a_faulty_one_is_one_line_and_stops_no_other(
    run: Run, install: Install, entry: str, asked: str, said: str
) -> None:
    install(SMALL, f"{entry}\n", "other")
    install(SMALL)
    done = run("solve", *GRID, "-q", "-e", asked)
    assert (done.code, done.out) == (2, "")
    (line,) = done.complaints
    assert re.search(said, line)
    for other in {"mac", "small"} - {asked}:
        assert run("solve", *GRID, "-q", "-e", other).code == 0
    told = run("info", "--build")
    assert told.code == 0
    assert re.search(said, told.err)


@pytest.mark.long
def test_the_engine_of_the_page_keeps_the_contract(install: Install) -> None:
    done = conformance({**install(SMALL), "HYPOTHESIS_PROFILE": "brief"})
    assert done.returncode == 0, done.stdout
    assert re.search(r"\b\d\d passed", done.stdout)


def test_an_engine_that_drops_rules_fails(install: Install) -> None:
    """It tells every fill that has the words of the lexicon, each once, whatever the other constraints say."""
    code = SMALL.replace("SideConstraints(problem)", "Lax(problem)") + (
        "\n\nclass Lax(SideConstraints):\n"
        "    def __init__(self, problem):\n"
        "        super().__init__(problem)\n"
        "        self._run, self.partners = 0, problem.peers\n"
        "\n"
        "    def find_narrowings(self, domains):\n"
        "        return iter(())\n"
    )
    environment = {**install(code), "HYPOTHESIS_PROFILE": "unshrunk"}
    chosen = ("test_they_find_every_fill", "test_all_fills_are_found")
    done = conformance(environment, "--maxfail=2", "-k", " or ".join(chosen))
    assert done.returncode == 1
    assert all(re.search(rf"FAILED .*{each}", done.stdout) for each in chosen)


@pytest.mark.parametrize("asked", [("-n", "9"), ("-n", "9", "--diverse"), ("--all",)])
@pytest.mark.parametrize(
    ("times", "said"),
    [
        ("name != 'Finished'", "expected one Finished, last, found none"),
        ("1 + (name == 'Found')", "expected each fill once, found "),
    ],
)
def test_an_engine_that_breaks_its_contract_is_named_and_proves_nothing(
    run: Run, install: Install, asked: tuple[str, ...], times: str, said: str
) -> None:
    stream = "run_in_thread(self.name, limits, lambda control: Search(problem, control).run())"
    assert f"return {stream}" in SMALL
    broken = f"(event for event in {stream} for name in [type(event).__name__] for _ in range({times}))"
    install(SMALL.replace(stream, broken))
    done = run("solve", *GRID, "-q", "-e", "small", *asked)
    assert done.code == 1
    (line,) = done.complaints
    assert line.startswith(f"cpfill: engine small of small 1.0: {said}")


@pytest.mark.long
@pytest.mark.parametrize(
    ("look", "blind"),
    [
        ("            self.control.check()  # raises if the time is over or the stream was closed\n", ""),
        ("        require_features(self, problem, limits)\n", "        while True:\n            pass\n"),
    ],
)
def test_an_engine_that_never_looks_at_its_limits_fails_soon(install: Install, look: str, blind: str) -> None:
    assert look in SMALL
    done = conformance({**install(SMALL.replace(look, blind)), "CPFILL_PATIENCE_S": "4"})
    assert done.returncode == 1
    assert "engine small did not come back within 4 s when it" in done.stdout
    assert "look at its limits often" in done.stdout
    assert " passed" not in done.stdout


def test_ours_need_no_look_at_other_packages() -> None:
    """Whoever asks for one of cpfill's engines does not wait for the list of all that is installed."""
    code = (
        "import sys; from cpfill.engines import make_engine; make_engine('mac'); "
        "assert 'importlib.metadata' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=INSTANCES)
