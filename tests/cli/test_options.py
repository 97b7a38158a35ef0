from __future__ import annotations

import pytest

from tests.cli.program import SQUARE, THREE, TINY, Run, assert_right, cells_in, program, words_of

SOLVE = ("solve", SQUARE, "-w", THREE)
CPSAT = (*SOLVE, "-e", "cpsat")


def refusal(run: Run, *args: object) -> str:
    """Return the one line with which the program refuses."""
    done = run(*args)
    assert (done.code, done.out) == (2, ""), done
    (line,) = done.complaints
    assert line.startswith("cpfill: ")
    return line


@pytest.mark.parametrize("order", ["mrv", "degree", "bound-degree", "static", "random"])
@pytest.mark.parametrize("engine", ["fc", "fc-cbj"])
@pytest.mark.parametrize("more", [(), ("--no-ac3",), ("--ac3", "--shuffle"), ("--no-ac3", "--shuffle", "--seed", 3)])
def test_options_of_the_backtracker(run: Run, engine: str, order: str, more: tuple[object, ...]) -> None:
    done = run(*SOLVE, "-a", "-e", engine, "--order", order, *more)
    assert (done.code, len(set(done.fills))) == (0, 4)
    for fill in done.fills:
        assert_right(fill, cells_in(SQUARE), words_of(THREE))


def test_without_arc_consistency_the_proof_rests_on_the_search(run: Run) -> None:
    grid, words = TINY / "crossing.txt", TINY / "crossing.words.txt"
    done = run("solve", grid, "-w", words, "--repeats", "-e", "fc", "--no-ac3")
    assert done.code == 20
    assert "proved by exhaustive search" in done.err


@pytest.mark.parametrize(
    "options", [("--formulation", "table"), ("--formulation", "boolean"), ("--core", 1), ("-j", 2)]
)
def test_options_of_cpsat(run: Run, options: tuple[object, ...]) -> None:
    done = run(*CPSAT, *options)
    (fill,) = done.fills
    assert_right(fill, cells_in(SQUARE), words_of(THREE))


@pytest.mark.parametrize(
    ("engine", "option", "owners"),
    [
        ("fc", ("--formulation", "table"), "cpsat"),
        ("fc", ("--core", 5), "cpsat"),
        ("fc-cbj", ("--maximise", "descent"), "cpsat"),
        ("fc", ("--cpsat-param", "linearization_level=1"), "cpsat"),
        ("cpsat", ("--order", "mrv"), "fc, fc-cbj"),
        ("cpsat", ("--no-ac3",), "fc, fc-cbj"),
        ("cpsat", ("--shuffle",), "fc, fc-cbj"),
    ],
)
def test_an_option_of_another_engine(run: Run, engine: str, option: tuple[object, ...], owners: str) -> None:
    line = refusal(run, *SOLVE, "-e", engine, *option)
    name = str(option[0]).removeprefix("--").removeprefix("no-")
    assert f"engine {engine} has no option" in line
    assert name in line  # the option as the user wrote it, not as the code calls it
    assert all(owner in line for owner in owners.split(", "))


@pytest.mark.parametrize(
    "setting",
    [
        "cp_model_probing_level=2",
        "search_branching=FIXED_SEARCH",
        "cp_model_presolve=false",
        "random_branches_ratio=0.1",
    ],
)
def test_a_good_parameter(run: Run, setting: str) -> None:
    done = run(*CPSAT, "--cpsat-param", setting)
    (fill,) = done.fills
    assert_right(fill, cells_in(SQUARE), words_of(THREE))


def test_verbose_shows_the_solver_s_log_on_standard_error(run: Run) -> None:
    done = run(*CPSAT, "-v")
    assert len(done.fills) == 1
    assert "CpSolverResponse" in done.err or "Starting CP-SAT" in done.err


@pytest.mark.parametrize("text", ["10", "10s", "0.5m", "500ms", ".5s", "1h", "2min"])
def test_a_time(run: Run, text: str) -> None:
    assert run(*SOLVE, "-e", "fc", "-t", text).code == 0


@pytest.mark.parametrize(
    "args", [("solve", SQUARE, "-w"), ("solve", SQUARE, "--engin", "fc"), ("solve",), ("solve", SQUARE, "-n", "x")]
)
def test_bad_usage_points_to_the_help_of_the_verb(run: Run, args: tuple[object, ...]) -> None:
    assert refusal(run, *args).endswith("(see cpfill solve --help)")


def test_nothing_at_all_shows_the_help() -> None:
    done = program()
    text = done.out + done.err
    assert done.code in {0, 2}
    assert text.lstrip().startswith("Usage: ")
    assert "(see cpfill --help)" not in text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--clear", "NW", "--clear", "SE"), "--clear is given 2 times"),
        (("--seed", "1", "--seed=2", "--seed", "3"), "--seed is given 3 times"),
        (("--ac3", "-e", "fc", "--no-ac3"), "--ac3 or --no-ac3 is given 2 times"),
    ],
)
def test_of_an_option_that_is_given_again_the_last_counts_and_that_is_told(
    run: Run, options: tuple[object, ...], said: str
) -> None:
    """An alias of the shell may have the first one."""
    done = run(*SOLVE, *options)
    assert [line for line in done.complaints if "last one" in line] == [f"cpfill: {said}: the last one counts"]
    last = {"--clear": ("--clear", "SE"), "--seed": ("--seed", "3"), "--ac3": ("-e", "fc", "--no-ac3")}
    assert done.fills == run(*SOLVE, *last[str(options[0])]).fills


def test_lists_and_flags_are_given_again(run: Run) -> None:
    assert run(*SOLVE, "-w", TINY / "crossing.words.txt", "-q", "-q").code == 0
    twice = run("words", "merge", THREE, "--sort", "word", "--sort", "score")
    assert twice.complaints[0] == "cpfill: --sort is given 2 times: the last one counts"
    assert twice.out == run("words", "merge", THREE, "--sort", "score").out
