from __future__ import annotations

from typing import TYPE_CHECKING

from cpfill.testing import brute_force

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Run


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
