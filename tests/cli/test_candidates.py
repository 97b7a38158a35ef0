from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.testing import brute_force

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run


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
