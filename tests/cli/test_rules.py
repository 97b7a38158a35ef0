"""The options that set rules C5 to C7, what is excluded, and what is maximised, against the brute force."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from cpfill.testing import brute_force
from cpfill.testing.brute_force import Rules
from tests.cli.program import SQUARE, TINY, cells_in, words_of

if TYPE_CHECKING:
    from pathlib import Path

    from cpfill.testing.brute_force import Value
    from tests.cli.program import Outcome, Run

SCORED, ONCE = TINY / "scored.txt", TINY / "once.words.txt"
CELLS, WORDS = cells_in(SCORED), words_of(ONCE)
VERBS = ("solve", "compare", "check")

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
    done = run("check", SCORED, "-", "-w", ONCE, *options, stdin="\n\n".join(map("\n".join, fills)))
    json = run("check", SCORED, "-", "-w", ONCE, *options, "--json", stdin="\n\n".join(map("\n".join, fills)))
    said = [line.split(": ", 1) for line in done.out.splitlines()]
    for place, fill in enumerate(fills, start=1):
        lines = [what for which, what in said if which == f"fill {place}"]
        broken = json.records[place - 1]["violations"]
        if brute_force.go_together(used(fill), WORDS, rules):
            assert lines == [f"right, minimum score {min(WORDS[word] for word in used(fill)):g}"]
        else:
            assert {each["rule"] for each in broken} <= set(re.findall(r"C\d", name))
            assert [", ".join(each["at"]) + ": " * bool(each["at"]) + each["detail"] for each in broken] == lines
            assert lines
    assert done.code == json.code == int(any(not what.startswith("right") for _, what in said))


def used(fill: tuple[str, ...]) -> list[str]:
    return brute_force.words_in(fill, 2)


def test_a_required_word_may_be_new(run: Run) -> None:
    done = run("solve", "-", "-w", ONCE, "--require", "Zébu", "--json", "-q", stdin="....\n")
    (found,) = done.found
    assert [(each["word"], each["score"]) for each in found["words"]] == [("ZEBU", 50)]


def test_excluded_words_are_not_used(run: Run, tmp_path: Path) -> None:
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    first.write_text("éast;3\n# a comment\nunknown\n", encoding="utf-8")
    second.write_text("TREE\n", encoding="utf-8")
    left = {word: score for word, score in WORDS.items() if word not in {"EAST", "TREE"}}
    expected = brute_force.solve(CELLS, left).fills
    done = solved(run, "-a", "--exclude", first, "--exclude", second)
    assert set(done.fills) == expected != brute_force.solve(CELLS, WORDS).fills
    fill = "ARCH\nR##A\nEAST\n"
    assert run("check", SCORED, "-", "-w", ONCE, stdin=fill).code == 0
    wrong = run("check", SCORED, "-", "-w", ONCE, "--exclude", first, stdin=fill)
    assert (wrong.code, wrong.out) == (1, "fill 1: 3-Across: EAST is not in your lists\n")


@pytest.mark.parametrize("name", ["banned.txt", "lists/banned", "banned.lst", "banned.xd"])
def test_what_looks_like_a_list_that_is_not_there_is_no_word(run: Run, name: str) -> None:
    done = run("solve", SCORED, "-w", ONCE, "--exclude", name)
    assert (done.code, done.complaints) == (2, [f"cpfill: {name}: expected a file, found nothing there"])


@pytest.mark.parametrize("word", ["U.S.A", "St. Louis", "Dr.No", "mr."])
def test_a_word_with_a_full_stop_is_a_word(run: Run, word: str) -> None:
    assert run("solve", SCORED, "-w", ONCE, "--exclude", word).code == 0


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
def test_json_has_a_number_or_one_for_each_criterion(run: Run, name: str, theme: Path) -> None:
    options, best, _ = asked(name, theme)
    written = best[0] if len(best) == 1 else list(best)
    records = solved(run, *options, "--json").records
    assert records[-1]["value"] == records[-1]["bound"] == written
    found = [record["value"] for record in records if record.get("event") == "found"]
    assert found[-1] == written
    assert found == sorted(found)
    done = run("compare", SCORED, "-w", ONCE, "-e", "mac", "-e", "auto", *options, "--json")
    assert [record["value"] for record in done.parts if "label" in record] == [written] * 2


@pytest.mark.parametrize("name", OBJECTIVES)
def test_compare_shows_every_number(run: Run, name: str, theme: Path) -> None:
    options, best, _ = asked(name, theme)
    done = run("compare", SCORED, "-w", ONCE, "-e", "mac", *options)
    assert done.code == 0
    assert done.out.count(" / ".join(f"{number:g}" for number in best)) == 2


def test_check_says_the_theme_as_well(run: Run, theme: Path) -> None:
    fill = "EAST\nN##O\nDATE\n"
    done = run("check", SCORED, "-", "-w", ONCE, "--theme", theme, stdin=fill)
    assert (done.code, done.out) == (0, "fill 1: right, theme 1.25\n")
    record = run("check", SCORED, "-", "-w", ONCE, "--theme", theme, "--json", stdin=fill).records[0]
    assert (record["valid"], record["value"]) == (True, 1.25)


def test_a_theme_word_stands_once_even_with_repeats(run: Run, tmp_path: Path) -> None:
    (tmp_path / "theme.txt").write_text("BIT\n", encoding="utf-8")
    options = ("-w", TINY / "mirror.words.txt", "--repeats")
    fill = "BIT\nICE\nTEN\n"
    assert run("check", SQUARE, "-", *options, stdin=fill).code == 0
    done = run("check", SQUARE, "-", *options, "--theme", tmp_path / "theme.txt", stdin=fill)
    assert (done.code, done.out) == (1, "fill 1: 1-Across, 1-Down: BIT stands twice\n")
    assert run("solve", SQUARE, *options, "--theme", tmp_path / "theme.txt").code == 20


def test_a_theme_is_placed_beside_a_weighted_list(run: Run, theme: Path) -> None:
    done = run("solve", SCORED, "--weighted", ONCE, "--theme", theme)
    best = brute_force.solve(CELLS, WORDS, Rules(theme=THEME), measures=("theme", "min")).best
    assert best is not None
    assert f"optimal: theme {best[0]:g}, minimum score {best[1]:g}, proved by" in done.err
