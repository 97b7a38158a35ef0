from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.testing import brute_force
from tests.cli.program import EMPTY_7X7, INSTANCES, SQUARE, THREE, assert_right, cells_in, packaged_words

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run

WORDS = (SQUARE, "-w", THREE)


def all_fills(run: Run) -> list[str]:
    return ["".join(map("".join, fill)) for fill in run("solve", *WORDS, "--all", "-q").fills]


def test_a_witness_is_a_fill_with_the_word(run: Run) -> None:
    done = run("candidates", *WORDS, "1-Across", "--only", "yes", "--witness", "--json")
    for record in done.parts:
        assert record["witness"][0] == record["word"]
        assert "".join(record["witness"]) in all_fills(run)
    text = run("candidates", *WORDS, "1-Across", "--only", "yes", "--witness", "-n", 1).out.splitlines()
    assert text[0].split()[0] == text[1]


def test_the_best_come_first_and_only_so_many(run: Run) -> None:
    grid = INSTANCES / "classic" / "15.01.txt"
    done = run("candidates", grid, "1-Across", "-n", 5, "--min-score", 20, "--json")
    records = done.parts
    assert len(records) == 5
    scores = [packaged_words("en")[record["word"]] for record in records]
    assert scores == sorted(scores, reverse=True) == [record["score"] for record in records]
    shown = run("candidates", grid, "1-Across", "-n", 1, "--only", "yes", "--witness", "--min-score", 20, "--json")
    words = {word: score for word, score in packaged_words("en").items() if score >= 20}
    assert_right(tuple(shown.parts[0]["witness"]), cells_in(grid), words)


def test_a_word_that_is_like_one_that_stands_says_so(run: Run, tmp_path: Path) -> None:
    grid, words = tmp_path / "grid.txt", tmp_path / "words.txt"
    grid.write_text("AIDE#\n#####\nA....\n")
    words.write_text("AIDE;60\nAIDES;60\nAISLE;60\n")
    asked = ("candidates", grid, "2-Across", "-w", words)
    assert {tuple(line.split()[2:]) for line in run(*asked).out.splitlines()[:2]} == {("yes", "alike"), ("yes",)}
    told = {one["word"]: one.get("reason") for one in run(*asked, "--json").records if "word" in one}
    assert told == {"AIDES": "alike", "AISLE": None}
    ruled = {one["word"]: one["verdict"] for one in run(*asked, "--no-shared", "--json").records if "word" in one}
    assert ruled in ({"AISLE": "yes"}, {"AISLE": "yes", "AIDES": "no"})


def test_a_delicate_word_says_why_it_scores_little(run: Run, tmp_path: Path) -> None:
    grid = tmp_path / "grid.txt"
    grid.write_text("KK.\n")
    asked = ("candidates", grid, "1-Across", "-w", "en")
    line = next(line for line in run(*asked).out.splitlines() if line.startswith("KKK "))
    assert line.split() == ["KKK", "20", "yes", "delicate"]
    (frank,) = (one for one in run(*asked, "--taste", "frank", "--json").parts if one["word"] == "KKK")
    assert frank["score"] > 20
    assert "reason" not in frank
    grid.write_text("KKK\nE#.\nY..\n")
    assert "KKK (delicate) 20" in run("stats", grid, "-w", "en").out
    (told,) = (
        one for one in run("stats", grid, "-w", "en", "--json").records[0]["fill"]["worst"] if one["score"] <= 20
    )
    assert (told["word"], told["reason"]) == ("KKK", "delicate")
    assert "KKK (délicat) 20" in run("--lang", "fr", "stats", grid, "-w", "en").out


def test_no_fill_is_proved(run: Run) -> None:
    for asked in (("1-Across",), ("--letters", "R1C1"), ("--all-letters",)):
        done = run("candidates", *WORDS, *asked, "--min-score", 60)
        assert done.code == 20
        assert done.complaints[-1].startswith("cpfill: UNSATISFIABLE: ")


def test_out_of_time_is_open(run: Run) -> None:
    done = run("candidates", EMPTY_7X7, "1-Across", "-t", "0", "--json", "-n", 3)
    assert done.code == 124
    assert {record["verdict"] for record in done.parts} == {"open"}
    assert done.ends == [{"done": True, "yes": 0, "no": 0, "open": 3, "accepted": []}]


def test_how_good_a_fill_with_each_word_can_be(run: Run, tmp_path: Path) -> None:
    """Against the best minimum score of all fills with it by brute force."""
    words = {"ABC": 9.0, "ADE": 8.0, "AGE": 7.0, "CXE": 6.0, "EFE": 5.0, "EYE": 4.0, "CUE": 3.0}
    listed, grid = tmp_path / "words.txt", tmp_path / "grid.txt"
    listed.write_text("".join(f"{word};{score:g}\n" for word, score in words.items()))
    grid.write_text("...\n.#.\n...\n")
    fills = brute_force.solve(brute_force.cells_of("...", ".#.", "..."), words, brute_force.Rules()).fills
    best: dict[str, float] = {}
    for fill in fills:
        least = min(words[word] for word in brute_force.words_in(fill, 2))
        best[fill[0]] = max(least, best.get(fill[0], 0.0))
    done = run("candidates", grid, "1-Across", "-w", listed, "--best")
    assert (done.code, dict(line.split() for line in done.out.splitlines())) == (
        0,
        {word: f"{score:g}" for word, score in best.items()},
    )
    told = run("candidates", grid, "1-Across", "-w", listed, "--best", "--json").parts
    assert {each["word"]: (each["value"], each["bound"]) for each in told} == {
        word: (score, score) for word, score in best.items()
    }


def test_one_dead_corner_silences_no_other(run: Run, tmp_path: Path) -> None:
    """No word begins with Z: nothing goes down from QZ, but the other corner has its two fills."""
    grid, words = tmp_path / "grid.txt", tmp_path / "words.txt"
    grid.write_text("QZ##\n..##\n####\n##..\n##..\n")
    words.write_text("QZ;50\nQA;50\nAE;50\nAB;60\nCD;50\nAC;50\nBD;50\n")
    asked = ("candidates", grid, "4-Across", "-w", words)
    done = run(*asked, "--json")
    dead, *told = done.parts
    assert done.code == 20
    assert dead["dead"] == ["2-Down"]
    assert dead["left"]["4-Across"] == len(told)
    assert {one["word"] for one in told if one["verdict"] == "yes"} == {"AB", "AC"}
    shown = run(*asked, "--only", "yes", "--witness")
    assert "no fill because of 2-Down" in shown.err
    assert {row[:2] for row in shown.out.splitlines() if row.endswith("##") and "#" not in row[:2]} == {"QZ", "AE"}
    best = run(*asked, "--best")
    assert {line.split()[0] for line in best.out.splitlines()} == {"AB", "AC"}
    assert "no fill because of 2-Down" in best.err
    first, *rated = run(*asked, "--best", "--json").parts
    assert (best.code, first) == (20, dead)
    assert {one["word"] for one in rated} == {"AB", "AC"}
    silent = run("candidates", grid, "2-Down", "-w", words)
    assert (silent.out, silent.code) == ("", 20)


def test_cells_are_numbers_in_json_and_names_in_text(run: Run) -> None:
    """A line of text is about one letter if one cell is asked about."""
    (cell,) = run("candidates", *WORDS, "--letters", "R2C1", "--json").parts
    cells = run("candidates", *WORDS, "--all-letters", "--json")
    assert [each["cell"] for each in cells.parts] == list(range(9))
    assert cell == cells.parts[3]
    shown = {each["cell"]: each["yes"] for each in cells.parts}
    fills = all_fills(run)
    assert shown == {at: "".join(sorted({fill[at] for fill in fills})) for at in range(9)}
    assert cells.ends[0]["yes"] == sum(map(len, shown.values()))
    text = run("candidates", *WORDS, "--all-letters").out.splitlines()
    assert text[3] == f"R2C1  {cell['yes']}"
    letters = run("candidates", *WORDS, "--letters", "R2C1").out.splitlines()
    assert "".join(line[0] for line in letters if line.endswith("yes")) == cell["yes"]
