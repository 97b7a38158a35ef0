"""The options that set rules C5 to C7, what is excluded, and what is maximised, against the brute force."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from cpfill.testing import brute_force
from cpfill.testing.brute_force import Rules
from tests.cli.program import TINY, cells_in, words_of

if TYPE_CHECKING:
    from pathlib import Path

    from cpfill.testing.brute_force import Value
    from tests.cli.program import Outcome, Run

SCORED, ONCE = TINY / "scored.txt", TINY / "once.words.txt"
CELLS, WORDS = cells_in(SCORED), words_of(ONCE)

MARKS = {word: frozenset({word, word[::-1]}) for word in (*WORDS, "TEAR")}
"""What makes the words alike: no word is a form of a different one."""

RULES: dict[str, tuple[tuple[object, ...], Rules]] = {
    "none": ((), Rules()),
    "C5": (("--no-shared",), Rules(marks=MARKS)),
    "C6": (("--max-obscure", 1, "--below", 75), Rules(max_obscure=1, below=75.0)),
    "C6, refuses": (("--max-obscure", 0, "--below", 71.5), Rules(max_obscure=0, below=71.5)),
    "C6, below nothing": (("--max-obscure", 0, "--below", 0), Rules(max_obscure=0)),
    "C7": (("--require", "east"), Rules(required=frozenset({"EAST"}))),
    "C7, two": (("--require", "east", "--require", "E-N-D"), Rules(required=frozenset({"EAST", "END"}))),
    "C7, refuses": (("--require", "LAKE"), Rules(required=frozenset({"LAKE"}))),
    "C5 and C7": (("--no-shared", "--require", "TEAR"), Rules(marks=MARKS, required=frozenset({"TEAR"}))),
}


def solved(run: Run, *options: object) -> Outcome:
    return run("solve", SCORED, "-w", ONCE, *options)


@pytest.fixture
def theme(tmp_path: Path) -> Path:
    """Return a list of theme words with weights and without."""
    path = tmp_path / "theme.txt"
    path.write_text("date\nacid;0.5\nEAST;0.25\nhen\n", encoding="utf-8")
    return path


THEME = {"DATE": 1.0, "ACID": 0.5, "EAST": 0.25, "HEN": 1.0}


@pytest.mark.parametrize("name", RULES)
def test_every_fill_under_a_rule(run: Run, name: str) -> None:
    options, rules = RULES[name]
    words = WORDS | ({"TEAR": 50.0} if "TEAR" in rules.required else {})
    expected = brute_force.solve(CELLS, words, rules).fills
    done = solved(run, "-a", *options)
    assert set(done.fills) == expected
    assert done.code == (0 if expected else 20)
    compared = run("compare", SCORED, "-w", ONCE, "-a", "-e", "mac", "-e", "fc", *options)
    assert compared.code == 0, compared


@pytest.mark.parametrize("name", RULES)
def test_check_knows_the_rule(run: Run, name: str) -> None:
    options, rules = RULES[name]
    fills = sorted(brute_force.solve(CELLS, WORDS).fills)
    stdin = "\n\n".join(map("\n".join, fills))
    done = run("check", SCORED, "-", "-w", ONCE, *options, "--json", stdin=stdin)
    right = [brute_force.go_together(used(fill), WORDS, rules) for fill in fills]
    assert [each["valid"] for each in done.parts] == right
    assert done.code == int(not all(right))
    broken = {one["rule"] for each in done.parts for one in each["violations"]}
    assert broken <= set(re.findall(r"C\d", name))


def used(fill: tuple[str, ...]) -> list[str]:
    return brute_force.words_in(fill, 2)


def test_excluded_words_are_not_used(run: Run, tmp_path: Path) -> None:
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    first.write_text("éast;3\n# a comment\nunknown\n", encoding="utf-8")
    second.write_text("TREE\n", encoding="utf-8")
    left = {word: score for word, score in WORDS.items() if word not in {"EAST", "TREE"}}
    expected = brute_force.solve(CELLS, left).fills
    done = solved(run, "-a", "--exclude", first, "--exclude", second)
    assert set(done.fills) == expected != brute_force.solve(CELLS, WORDS).fills


# What is maximised

OBJECTIVES: dict[str, tuple[tuple[str, ...], bool, str]] = {
    "sum": (("sum",), False, "sum of scores {0}"),
    "min-then-sum": (("min", "sum"), False, "minimum score {0}, sum of scores {1}"),
    "leximin": (("leximin",), False, "worst scores {0}, {1}, {2}, {3}"),
    "leximin, themed": (("theme", "leximin"), True, "theme {0}, worst scores {1}, {2}, {3}, {4}"),
    "any, themed": (("theme",), True, "theme {0}"),
    "min, themed": (("theme", "min"), True, "theme {0}, minimum score {1}"),
    "sum, themed": (("theme", "sum"), True, "theme {0}, sum of scores {1}"),
    "min-then-sum, themed": (("theme", "min", "sum"), True, "theme {0}, minimum score {1}, sum of scores {2}"),
}


def asked(name: str, theme: Path) -> tuple[tuple[object, ...], Value, str]:
    """Return the options, the best value and how it is said."""
    measures, themed, said = OBJECTIVES[name]
    rules = Rules(theme=THEME if themed else {})
    best = brute_force.solve(CELLS, WORDS, rules, measures=measures).best
    assert best is not None
    options = ("--objective", name.split(",", maxsplit=1)[0], *(("--theme", theme) if themed else ()))
    return options, best, said.format(*(f"{number:g}" for number in best))


@pytest.mark.parametrize("name", OBJECTIVES)
def test_the_best_value_is_proved_and_said(run: Run, name: str, theme: Path) -> None:
    options, best, said = asked(name, theme)
    done = solved(run, *options)
    assert (done.code, len(done.fills)) == (0, 1)
    assert re.fullmatch(rf"cpfill: optimal: {re.escape(said)}, proved by .+\n", done.err)
    assert brute_force.value_of(used(done.fills[0]), WORDS, Rules(theme=THEME), OBJECTIVES[name][0]) == best


@pytest.mark.parametrize("levels", ["50", "60,20", "99,1,50"])
def test_words_are_counted_under_levels(run: Run, levels: str) -> None:
    rules = Rules(levels=tuple(map(float, levels.split(","))))
    best = brute_force.solve(CELLS, WORDS, rules, measures=("leximin",)).best
    assert best is not None
    done = solved(run, "--objective", "leximin", "--levels", levels)
    counts = ", ".join(f"{-number:g}" for number in best).replace("-0", "0")
    assert re.fullmatch(rf"cpfill: optimal: words under each level {counts}, proved by .+\n", done.err)


@pytest.mark.parametrize("name", OBJECTIVES)
def test_records_have_a_number_for_each_criterion(run: Run, name: str, theme: Path) -> None:
    """A criterion alone is a number, several are a list; a table has them all."""
    options, best, _ = asked(name, theme)
    written: object = list(best)
    if len(best) == 1:
        (written,) = best
    done = solved(run, *options, "--json")
    (last,) = done.ends
    found = [record["value"] for record in done.found]
    assert last["value"] == last["bound"] == found[-1] == written
    assert found == sorted(found)
    compared = ("compare", SCORED, "-w", ONCE, "-e", "mac", *options)
    assert run(*compared, "--json").parts[-1]["value"] == written
    assert run(*compared).out.count(" / ".join(f"{number:g}" for number in best)) == 2
