"""A series of puzzles: no word twice, the same whenever it is stopped, and no better than the bound."""

from __future__ import annotations

import json
from itertools import combinations, product
from random import Random
from typing import TYPE_CHECKING

import pytest

from cpfill.base.files import save

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Outcome, Run

LETTERS = "ABCD"
THREES = ["".join(letters) for letters in product(LETTERS, repeat=3)]
SCORES = {word: Random(word).randrange(1, 30) for word in THREES}
PUZZLES = 4
SAVE = "cpfill.cli.series.save"


@pytest.fixture
def words(tmp_path: Path) -> Path:
    return write_words(tmp_path / "words.txt", THREES)


def write_words(path: Path, words: list[str]) -> Path:
    path.write_text("".join(f"{word};{SCORES[word]}\n" for word in words))
    return path


def make(run: Run, words: Path, folder: Path, *more: object, count: int = PUZZLES) -> Outcome:
    return run("series", count, "--size", "3x3", "-w", words, "-o", folder, "--start", "2027-01-01", *more)


def entries(file: Path) -> list[str]:
    """Return the entries of an ipuz file, read as JSON."""
    rows = [["#" if cell == "#" else cell for cell in row] for row in json.loads(file.read_text())["solution"]]
    lines = ["".join(row) for row in [*rows, *zip(*rows, strict=True)]]
    return [word for line in lines for word in line.split("#") if len(word) > 1]


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.startswith(".")}


def all_entries(folder: Path) -> list[str]:
    return [word for file in sorted(folder.glob("*.ipuz")) for word in entries(file)]


def test_no_entry_stands_twice(run: Run, words: Path, tmp_path: Path) -> None:
    done = make(run, words, tmp_path / "minis", "--author", "Ada", "--title", "Mini")
    assert done.code == 0
    found = all_entries(tmp_path / "minis")
    assert len(found) == len(set(found)) == 6 * PUZZLES
    assert set(found) <= set(THREES)
    files = contents(tmp_path / "minis")
    assert sorted(files) == [f"2027-01-0{day}.ipuz" for day in range(1, PUZZLES + 1)]
    first = json.loads(files["2027-01-01.ipuz"])
    assert (first["title"], first["author"], first["date"]) == ("Mini 2027-01-01", "Ada", "2027-01-01")


class KilledError(BaseException):
    """Ends the program as a signal that it cannot handle."""


def stop_after(files: int, how: type[BaseException], monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the program end instead of saving another file after so many."""
    left = [files]

    def save_some(path: Path, data: bytes) -> None:
        if not left[0]:
            monkeypatch.setattr(SAVE, save)
            raise how
        left[0] -= 1
        save(path, data)

    monkeypatch.setattr(SAVE, save_some)


@pytest.mark.parametrize("kept", range(2 * PUZZLES + 1))
def test_a_killed_series_goes_on_as_if_undisturbed(
    kept: int, run: Run, words: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("--formats", "ipuz,puz", "--used")
    make(run, words, tmp_path / "whole", *options, tmp_path / "whole.txt")
    stop_after(kept, KilledError, monkeypatch)
    with pytest.raises(KilledError):
        make(run, words, tmp_path / "minis", *options, tmp_path / "used.txt")
    assert make(run, words, tmp_path / "minis", *options, tmp_path / "used.txt").code == 0
    assert contents(tmp_path / "minis") == contents(tmp_path / "whole")
    assert (tmp_path / "used.txt").read_text() == (tmp_path / "whole.txt").read_text()


def test_an_interrupt_keeps_puzzles_and_words(
    run: Run, words: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = tmp_path / "used.txt"
    stop_after(2, KeyboardInterrupt, monkeypatch)
    done = make(run, words, tmp_path / "minis", "--used", used)
    assert done.code == 130
    assert done.complaints[-1] == "cpfill: 2 puzzles left: the same command goes on"
    assert used.read_text().split() == sorted(all_entries(tmp_path / "minis"))


def test_the_number_of_processes_changes_nothing(run: Run, words: Path, tmp_path: Path) -> None:
    for processes in (1, 2):
        assert make(run, words, tmp_path / str(processes), "-j", processes, "--seed", 7, count=2).code == 0
    assert contents(tmp_path / "1") == contents(tmp_path / "2")


def test_another_seed_gives_another_series(run: Run, words: Path, tmp_path: Path) -> None:
    for seed in (1, 2):
        make(run, words, tmp_path / str(seed), "--seed", seed)
    assert contents(tmp_path / "1") != contents(tmp_path / "2")


def test_the_order_of_the_list_changes_no_bound(run: Run, words: Path, tmp_path: Path) -> None:
    ends = []
    shuffled = write_words(tmp_path / "shuffled.txt", Random(1).sample(THREES, len(THREES)))
    for number, each in enumerate((words, shuffled)):
        ends.append(make(run, each, tmp_path / str(number), "--json").records[-1])
    assert ends[0]["bound"] == ends[1]["bound"]
    assert ends[0]["puzzles"] == ends[1]["puzzles"] == PUZZLES


def squares(words: list[str]) -> list[frozenset[str]]:
    """Return the six words of each 3x3 grid without a block, where they differ."""
    known = set(words)
    found = []
    for rows in product(words, repeat=3):
        columns = ["".join(column) for column in zip(*rows, strict=True)]
        each = frozenset([*rows, *columns])
        if known.issuperset(columns) and len(each) == 6:
            found.append(each)
    return found


def best_of_two(words: list[str]) -> int | None:
    """Return the greatest least score of two grids without a common word."""
    for least in sorted({SCORES[word] for word in words}, reverse=True):
        fills = set(squares([word for word in words if SCORES[word] >= least]))
        if any(one.isdisjoint(other) for one, other in combinations(fills, 2)):
            return least
    return None


@pytest.mark.parametrize("seed", range(6))
def test_no_series_is_better_than_the_bound(seed: int, run: Run, tmp_path: Path) -> None:
    chosen = Random(seed).sample(THREES, 36)
    best = best_of_two(chosen)
    done = make(run, write_words(tmp_path / "few.txt", chosen), tmp_path / "minis", "--json", count=2)
    end = done.records[-1]
    found = all_entries(tmp_path / "minis")
    if best is None:
        assert (done.code, found) == (124, [])
        return
    assert end["least"] == min(SCORES[word] for word in found) <= best <= end["bound"]


def test_used_words_are_not_used_again(run: Run, words: Path, tmp_path: Path) -> None:
    used = tmp_path / "used.txt"
    used.write_text("AAA\naab\n")
    make(run, words, tmp_path / "one", "--used", used, count=3)
    make(run, words, tmp_path / "two", "--used", used, count=3)
    one, two = all_entries(tmp_path / "one"), all_entries(tmp_path / "two")
    assert not {"AAA", "AAB"} & {*one, *two}
    assert len({*one, *two}) == 36
    assert used.read_text().split() == sorted({"AAA", "AAB", *one, *two})


def test_a_longer_series_keeps_what_there_is(run: Run, words: Path, tmp_path: Path) -> None:
    make(run, words, tmp_path / "minis", count=2)
    before = contents(tmp_path / "minis")
    assert make(run, words, tmp_path / "minis", count=4).code == 0
    after = contents(tmp_path / "minis")
    assert before.items() <= after.items()
    assert len(set(all_entries(tmp_path / "minis"))) == 24


def test_each_puzzle_has_its_theme(run: Run, words: Path, tmp_path: Path) -> None:
    themes = tmp_path / "themes.txt"
    themes.write_text("aab, bba\n\nccd\nddc\n")
    assert make(run, words, tmp_path / "minis", "--seed-words", themes, count=3).code == 0
    found = all_entries(tmp_path / "minis")
    assert len(found) == len(set(found))
    first, second, third = (entries(file) for file in sorted((tmp_path / "minis").iterdir()))
    assert {"AAB", "BBA"} <= set(first)
    assert "CCD" in second
    assert "DDC" in third


def test_days_become_harder(run: Run, words: Path, tmp_path: Path) -> None:
    make(run, words, tmp_path / "minis", "--harder", "--start", "2027-01-04", count=6)
    files = sorted((tmp_path / "minis").iterdir())
    least = [min(SCORES[word] for word in entries(file)) for file in files]
    assert least[0] > least[-1]
    ranked = sorted(THREES, key=lambda word: -SCORES[word])
    fair = SCORES[ranked[len(ranked) // 2]]
    assert least[0] >= fair


def test_a_list_with_too_few_words_is_told(run: Run, words: Path, tmp_path: Path) -> None:
    done = make(run, words, tmp_path / "minis", count=11)
    assert done.code == 20
    assert done.complaints == [
        "cpfill: UNSATISFIABLE: 11 puzzles need 66 different words of 3 letters, and there are 64"
    ]


def test_clues_and_formats(run: Run, words: Path, tmp_path: Path) -> None:
    clues = tmp_path / "clues.csv"
    clues.write_text("".join(f"{word},Clue of {word}\n" for word in THREES))
    make(run, words, tmp_path / "minis", "--clues", clues, "--formats", "ipuz,svg", count=2)
    assert sorted(contents(tmp_path / "minis")) == [
        f"2027-01-0{day}.{suffix}" for day in (1, 2) for suffix in ("ipuz", "svg")
    ]
    (across, _) = json.loads((tmp_path / "minis/2027-01-01.ipuz").read_text())["clues"].values()
    assert across[0][1].startswith("Clue of ")


BAD = {
    "a date": ("--start", "2027-02-30"),
    "a format": ("--formats", "svg"),
    "an unknown format": ("--formats", "ipuz,odt"),
    "a size": ("--size", "2x2"),
    "a theme too few": ("--seed-words", "THEMES"),
    "no readable list of used words": ("--used", "."),
    "two ways to run": ("-j", "2", "--scheduler", "tcp://127.0.0.1:1"),
    "harder themes": ("--harder", "--seed-words", "THEMES"),
}


@pytest.mark.parametrize("more", BAD.values(), ids=BAD)
def test_bad_input_is_one_line(more: tuple[str, ...], run: Run, words: Path, tmp_path: Path) -> None:
    themes = tmp_path / "themes.txt"
    themes.write_text("AAB\n")
    done = make(run, words, tmp_path / "minis", *(themes if one == "THEMES" else one for one in more))
    assert done.code == 2
    assert len([line for line in done.complaints if "is given 2 times" not in line]) == 1


def test_a_folder_with_other_files_is_refused(run: Run, words: Path, tmp_path: Path) -> None:
    assert make(run, words, tmp_path).code == 2


@pytest.mark.parametrize("count", [0, 10_001])
def test_the_number_has_a_range(count: int, run: Run, words: Path, tmp_path: Path) -> None:
    done = make(run, words, tmp_path / "minis", count=count)
    assert (done.code, len(done.complaints)) == (2, 1)
