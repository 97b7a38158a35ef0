"""Programs killed at any moment, and asked another question next: what is kept belongs to the question it answers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir
from http.client import HTTPException
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.records import unseal
from cpfill.problem.check import violations
from cpfill.problem.fill import Fill
from cpfill.public import count_fills
from cpfill.questions.request import Request
from cpfill.questions.solve import Solve
from cpfill.runs.batch import Defaults, plan
from cpfill.runs.bench.run import plan_runs as bench_plan
from cpfill.runs.bench.suite import read_suite
from cpfill.words.sources import ListFinder, Shelf
from tests.web.support import Client

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.fuzz.campaign import Campaign

pytestmark = pytest.mark.long

KILLS = 6
"""Kills of a program, before it runs to its end; a round has so many."""
SERVERS = 3
"""Kills of a server in a round."""
LONGEST_S = 0.8
"""A program is killed within: by then most have begun to write."""

THREES = [a + b + c for a in "ABCD" for b in "ABCD" for c in "ABCD"]
VARIANTS: list[dict[str, Any]] = [
    {},
    {"slot": ["1-Across:pattern=A*"]},
    {"slot": ["1-Across:list=LIST"]},
    {"slot": ["1-Down:min=5"]},
    {"exclude": ["LIST"]},
    {"avoid": "FILL"},
    {"min_score": 3},
    {"repeats": True},
    {"no_shared": True},
    {"open": ["1-Down"]},
]


def write_lists(folder: Path, chance: Random) -> None:
    """Write what questions may name, which is another each time."""
    (folder / "LIST").write_text("".join(f"{word}\n" for word in chance.sample(THREES, 30)))
    (folder / "FILL").write_text("".join(f"{word}\n" for word in chance.sample(THREES, 3)))


def killed(folder: Path, arguments: Sequence[object], chance: Random) -> None:
    command = [sys.executable, "-m", "cpfill", *map(str, arguments)]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as one:
        time.sleep(chance.uniform(0.1, LONGEST_S))
        one.send_signal(chance.choice([signal.SIGKILL, signal.SIGTERM]))
        one.wait(60)


def ended(folder: Path, arguments: Sequence[object]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cpfill", *map(str, arguments)], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode in {0, 20}, done.stderr


def records(path: Path) -> list[dict[str, Any]]:
    found = [unseal(line) for line in path.read_bytes().splitlines(keepends=True)]
    assert None not in found
    return [record for record in found if record is not None]


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "words.txt"
    chance = Random(5)
    path.write_text("".join(f"{word};{chance.randrange(1, 10)}\n" for word in THREES))
    return path


def rounds(campaign: Campaign, kills: int = KILLS) -> Iterator[tuple[Path, Random]]:
    """Yield the working directory of each round, and what it draws from; tell how many rounds there were."""
    number = 0
    for number in campaign.rounds(1):
        folder = campaign.directory / f"round {number}"
        folder.mkdir()
        with chdir(folder):
            yield folder, Random(f"{campaign.seed} {number}")
    print(f"{number + 1} rounds of {kills} kills")


def test_a_batch_that_is_killed_has_no_answer_to_another_question(words: Path, campaign: Campaign) -> None:
    for folder, chance in rounds(campaign):
        kill_batches(words, folder, chance)


def kill_batches(words: Path, folder: Path, chance: Random) -> None:
    asked = ("batch", "jobs.jsonl", "-w", words, "-o", "out.jsonl", "-q", "-j", 2)
    for number in range(KILLS + 1):
        write_lists(folder, chance)
        jobs = [{"id": id_, "grid": ["...", "...", "..."], **chance.choice(VARIANTS)} for id_ in range(10)]
        (folder / "jobs.jsonl").write_text("".join(f"{json.dumps(job)}\n" for job in jobs))
        if number < KILLS:
            killed(folder, asked, chance)
    ended(folder, asked)
    told = {record["key"]: record for record in records(folder / "out.jsonl")}
    finder = ListFinder()
    own = Solve().updated({"words": str(words)}, lambda name: finder.find(name, Path()))
    shelf = Shelf()
    for job in plan("jobs.jsonl", Defaults(own, (0,), finder)).jobs:
        assert job.grid is not None
        (problem,) = job.question.request.problems([job.grid], shelf)
        record = told[job.key]
        there = bool(count_fills(problem).fills)
        none = "NO_OTHER" if problem.avoided else "UNSATISFIABLE"
        assert record["status"] == ("SATISFIED" if there else none)
        if there:
            assert not list(violations(problem, Fill(tuple("".join(record["fill"])), problem.grid)))


def test_a_series_that_is_killed_is_the_same_series(words: Path, campaign: Campaign) -> None:
    for folder, chance in rounds(campaign):
        kill_series(words, folder, chance)


def kill_series(words: Path, folder: Path, chance: Random) -> None:
    asked = ["series", 8, "--size", "3x3", "-w", words, "-q", "--seed", chance.randrange(100), "--used"]
    for _ in range(KILLS):
        killed(folder, [*asked, "used.txt", "-o", "minis", "-j", chance.choice([1, 2])], chance)
    ended(folder, [*asked, "used.txt", "-o", "minis"])
    ended(folder, [*asked, "whole.txt", "-o", "whole"])
    for file in (folder / "whole").iterdir():
        assert (folder / "minis" / file.name).read_bytes() == file.read_bytes()
    assert (folder / "used.txt").read_text() == (folder / "whole.txt").read_text()


def test_a_bench_that_is_killed_has_no_record_of_another_question(words: Path, campaign: Campaign) -> None:
    for folder, chance in rounds(campaign):
        kill_benches(words, folder, chance)


def kill_benches(words: Path, folder: Path, chance: Random) -> None:
    (folder / "grid.txt").write_text("..#\n...\n#..\n")
    (folder / "words.txt").write_text(words.read_text() + "AB;3\nBC;4\nCD;5\nBA;9\nCB;8\n")
    asked = ("bench", "run", "suite.toml", "-o", "out.jsonl")
    rules = ["", "min_score = 4", "no_shared = true", "min_slot_length = 3", "repeats = true"]
    for number in range(KILLS + 1):
        write_lists(folder, chance)
        rule = chance.choice(rules)
        lists = '[lists.mine]\nwords = ["words.txt"]\n'
        family = f'[[families]]\nname = "one"\ngrids = ["grid.txt"]\nlists = ["mine"]\nask = "all"\n{rule}\n'
        engines = '[[engines]]\nengine = "mac"\n[[engines]]\nengine = "fc"\n'
        suite = f'name = "killed"\nlimit = "20s"\n{lists}{family}{engines}'
        (folder / "suite.toml").write_text(suite)
        if number < KILLS:
            killed(folder, asked, chance)
    ended(folder, asked)
    terms: dict[str, Any] = {}
    if rule:
        name, _, value = rule.partition(" = ")
        terms[name] = json.loads(value)
    problem = Request(grid="grid.txt", words=("words.txt",)).updated(terms).problem()
    told = {record["key"]: record["fills"] for record in records(folder / "out.jsonl")}
    fills = count_fills(problem).fills
    assert [told[run.key] for run in bench_plan(read_suite("suite.toml"))] == [fills, fills]


def test_a_server_that_is_killed_keeps_every_ban_that_it_told(campaign: Campaign) -> None:
    for folder, chance in rounds(campaign, SERVERS):
        kill_servers(folder, chance)


def kill_servers(folder: Path, chance: Random) -> None:
    told = set[str]()
    path = folder / "config" / "cpfill" / "words.txt"
    environment = {**os.environ, "XDG_CONFIG_HOME": str(folder / "config")}
    for number in range(SERVERS):
        command = [sys.executable, "-m", "cpfill", "serve", "--no-browser", str(folder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
            assert server.stdout is not None
            address, _, token = server.stdout.readline().strip().partition("/#token=")
            client = Client(int(address.rpartition(":")[2]), token)

            def ban(word: str, client: Client = client) -> None:
                try:
                    if client.ask("POST", "/api/words", {"ban": word}).status == 200:
                        told.add(word)
                except (OSError, HTTPException):
                    pass  # it was killed meanwhile

            before = len(told)
            with ThreadPoolExecutor(6) as threads:
                for word in THREES:
                    threads.submit(ban, word + "ABC"[number])
                while len(told) == before:
                    time.sleep(0.01)
                time.sleep(chance.uniform(0.0, 0.3))
                server.send_signal(chance.choice([signal.SIGKILL, signal.SIGTERM]))
            server.wait(60)
    banned = set(path.read_text().splitlines())
    assert {f"{word};0" for word in told} <= banned
    assert all(len(line) == 6 and line.endswith(";0") for line in banned)
