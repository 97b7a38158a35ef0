"""Sound files to start from, by kind: those of the tree, and those that the program writes."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from cpfill.formats.dialects import DIALECTS, parse_grids, write_template
from cpfill.formats.registry import FORMATS, write_puzzle
from cpfill.puzzle.parts import PuzzlePart
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.solve import Solve
from cpfill.runs.batch import BatchResults as BatchFile
from cpfill.runs.batch import Defaults, answer_job, plan
from cpfill.runs.bench.results import BenchResults as BenchFile
from cpfill.words.sources import ListFinder
from tests.bench.support import TINY, no_fill, record
from tests.cli.program import SQUARE, THREE
from tests.dictionaries import write_thesaurus, write_wordnet
from tests.golden.mini import MINI
from tests.proofs.written import write
from tests.support import INSTANCES, PACKAGED_LISTS, ROOT, question

if TYPE_CHECKING:
    from collections.abc import Iterable

GOLDEN = ROOT / "tests" / "golden"
MOST_SEED_BYTES = 20_000
"""A file that is greater than any to start from."""

WORDS = {"CAT": ["a feline: soft", 'a whip; "the cat"'], "DOG": ["a canine"], "ICE CREAM": ["frozen | sweet"]}
"""The entries of the dictionaries."""


@cache
def grid_files() -> list[bytes]:
    """Return files of grids in any dialect, some of them malformed."""
    others = (".words.txt", "LICENSE.txt")
    return [path.read_bytes() for path in sorted(INSTANCES.rglob("*.txt")) if not path.name.endswith(others)]


@cache
def grids(dialect: str) -> list[bytes]:
    found = []
    for path in sorted([*(INSTANCES / "styles").glob("*.txt"), *(INSTANCES / "tiny").glob("[!d-z]*.txt")]):
        if not path.name.endswith(".words.txt"):
            made, (grid, *_) = parse_grids(path.read_text(encoding="utf-8"))
            found.append(
                path.read_bytes() if dialect == made.name else write_template(DIALECTS[dialect], grid).encode()
            )
    return found


@cache
def puzzles(kind: str) -> list[bytes]:
    """Return puzzles in a format: the golden file, and what the program writes; of one without either, all others."""
    found = [path.read_bytes() for path in sorted(GOLDEN.glob("mini.*")) if _is_of(path, kind)]
    if FORMATS[kind].writes:
        found += [write_puzzle(puzzle, kind)[0] for puzzle in _puzzles()]
    return found or [path.read_bytes() for path in sorted(GOLDEN.glob("mini.*"))]


def _is_of(path: Path, kind: str) -> bool:
    return path.name == f"mini.{kind}.txt" or path.suffix in {s for s in FORMATS[kind].suffixes if s != ".txt"}


def _puzzles() -> Iterable[Puzzle]:
    yield MINI
    for name in ("american-9", "letter-sets", "givens"):
        _, (grid, *_) = parse_grids((INSTANCES / "styles" / f"{name}.txt").read_text(encoding="utf-8"))
        puzzle = Puzzle.of_grid(grid)
        clues = {(slot.direction, slot.number): f"Clue of {slot.name}, & <more>" for slot in puzzle.slots}
        yield replace(
            puzzle, clues=clues, metadata={PuzzlePart.TITLE: name, PuzzlePart.NOTES: "a 2\nb"}, circles=frozenset({0})
        )


@cache
def lists() -> list[bytes]:
    english = gzip.decompress((PACKAGED_LISTS / "en.txt.gz").read_bytes()).splitlines(keepends=True)
    some = b"".join(english[::2000])
    odd = (
        "# list\nété;7\nœuvre,3.5\nNew York\t50\nporte-clés 12\nstraße; 1e2\nto be; or not\n\nl'île\n2CV;4\ncat\nCAT;2"
    )
    plain = [path.read_bytes() for path in sorted(INSTANCES.rglob("*.words.txt"))]
    table = '# list\nscore,notes,word\n50%,"a ""pet"", as\nwe say",cat\n7,,"veni, vidi"\n40,x,e\u0301te\u0301\n'
    encoded = [gzip.compress(some), odd.encode(), odd.encode("utf-16"), table.encode()]
    return [*plain, some, *encoded]


@cache
def clues() -> list[bytes]:
    rows = ['CAT,"a feline, soft"', "DOG,a canine", "# what is next", "ÉTÉ,hot"]
    tabbed = [row.replace(",", sign, 1) for row in rows for sign in "\t;"]
    return [(GOLDEN / "mini.csv").read_bytes(), *("\n".join(each).encode() for each in (rows, tabbed))]


@cache
def texts() -> list[bytes]:
    written = (ROOT / "README.md").read_bytes()
    return [written[:2000], "L'été, qu'aujourd'hui l'on n'a pas; the cat's ice-cream -- porte-clés.".encode()]


@cache
def jobs() -> list[bytes]:
    """Return files of jobs that name every field there is."""
    list_, grid = str(THREE), str(SQUARE)
    asked = [
        {"id": "a", "grid": ["...", "...", "..."], "words": [list_], "seed": 3, "time_limit": "10s", "engine": "fc"},
        {"id": 7, "grid": grid, "weighted": list_, "objective": "min", "min_score": 2.5, "repeats": True},
        {"grid": ["..", ".."], "exclude": list_, "theme": list_, "node_limit": 10, "min_slot_length": 2},
        {"grid": ["0 0", "0 0"], "dialect": "upmc", "alphabet": "latin", "time_limit": 1.5, "no_shared": True},
        {"grid": ["..."], "max_obscure": 2, "below": 50, "require": ["tiger"], "objective": None},
    ]
    return ["\n".join(map(json.dumps, each)).encode() for each in (asked, asked[:1], asked[1:2])]


@cache
def suites() -> list[bytes]:
    """Return suites of benchmarks; the first is one run, the last has every key."""
    every = (
        'name = "s"\nlimit = "20s"\ngrace = 1.5\nobjective = "min"\nask = "all"\nworkers = 2\nseeds = [0, 1]\n'
        'must_decide = true\nrepeats = true\nmin_slot_length = 3\nalphabet = "es"\n'
    )
    one = '[[families]]\nname = "f"\ngrids = ["square.txt"]\nlists = ["en"]\n[[engines]]\nengine = "fc"\n'
    return [each.encode() for each in (one, TINY, every + TINY.partition('limit = "20s"')[2])]


@cache
def wordnet(file: str) -> list[bytes]:
    with TemporaryDirectory() as directory:
        write_wordnet(Path(directory), {word.lower().replace(" ", "_"): each for word, each in WORDS.items()}, {})
        return [(Path(directory) / file).read_bytes()]


@cache
def thesauri() -> list[bytes]:
    meanings = {"cat": ["(noun)|feline|felid (generic term)|dog (antonym)"], "été": ["-|saison", "(nom)|chaleur|"]}
    with TemporaryDirectory() as directory:
        path = Path(directory) / "th.dat"
        return [write_thesaurus(path, meanings, charset).read_bytes() for charset in ("UTF-8", "ISO8859-1")]


def patterns() -> list[bytes]:
    return [each.encode() for each in ("?A??[EI]", "*ING", "[!AEI]*[A-F]?", "T.G*R", "œ[é-ï]*", "[^Q]??-*?", "***")]


@cache
def batch_results() -> list[bytes]:
    jobs = plan(str(SQUARE), Defaults(Solve(engine="fc"), range(4), ListFinder())).jobs
    return [_written(BatchFile, [answer_job(job) for job in jobs])]


@cache
def bench_results() -> list[bytes]:
    runs = [record("fc", "a", 1.5), record("mac", "a", 0.2), no_fill("fc", "b", 2), record("mac", "b", None)]
    return [_written(BenchFile, runs)]


def _written(kind: type[BatchFile | BenchFile], records: Iterable[dict[str, Any]]) -> bytes:
    with TemporaryDirectory() as directory:
        path = Path(directory) / "records"
        with kind(str(path)) as file:
            for each in records:
                file.append(each)
        return path.read_bytes()


@cache
def foreign() -> list[bytes]:
    golden = [path.read_bytes() for path in sorted(GOLDEN.glob("mini.*")) if path.suffix != ".py"]
    return [*golden, *(each()[0] for each in (lists, clues, jobs, suites, thesauri)), b"", b"\n", bytes(range(256))]


@cache
def proof() -> dict[str, bytes]:
    with TemporaryDirectory() as directory:
        folder = write(Path(directory), question("...", "...", words="AB CD ACE BDF BDX"), "no fill", [])
        return {path.name: path.read_bytes() for path in folder.iterdir()}


def claims() -> list[bytes]:
    return [proof()["claim.json"]]
