"""The front door: whatever stands for a grid and for words makes the same problem."""

from __future__ import annotations

import gzip
import pickle
import xml.etree.ElementTree as ET
from dataclasses import fields, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

import cpfill
from cpfill import (
    Alphabet,
    Bound,
    Found,
    InputError,
    Lexicon,
    Limits,
    Problem,
    Puzzle,
    Status,
    count_fills,
    enumerate_fills,
    events,
    make_problem,
    parse_word_list,
    read_grids,
    solve,
)
from cpfill.engines.mac.engine import MacEngine
from cpfill.puzzle.parts import PuzzlePart
from cpfill.questions.request import FIELDS, Asked
from cpfill.testing import brute_force
from tests.tables import Case, cases, read_table

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from cpfill.problem.event import Event

ROWS = ("A..", ".#.", "...")
WORDS = {"ABC": 9.0, "ADE": 8.0, "AGE": 7.0, "CXE": 6.0, "EFE": 5.0, "EYE": 4.0, "CUE": 3.0}
TEXT = "\n".join(ROWS)
REFUSED = read_table("unit/questions/refused.toml")["case"]
ASKING = pytest.mark.parametrize("ask", [solve, events, enumerate_fills, count_fills])
SVG = "{http://www.w3.org/2000/svg}"
FILLS = brute_force.solve(brute_force.cells_of(*ROWS), WORDS).fills


def told(grid: Any, words: Any, **asked: Any) -> set[brute_force.Rows]:
    return {tuple(fill.rows) for fill in enumerate_fills(grid, words=words, **asked)}


def native_file(tmp_path: Path) -> Path:
    path = tmp_path / "grid.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def puzzle_file(tmp_path: Path) -> Path:
    path = tmp_path / "grid.ipuz"
    path.write_bytes(cpfill.write_puzzle(puzzle(tmp_path), "ipuz")[0])
    return path


def puzzle(_: Path) -> Puzzle:
    return cpfill.read_puzzle(TEXT.encode())


GRIDS: dict[str, Callable[[Path], Any]] = {
    "rows": lambda _: list(ROWS),
    "text": lambda _: TEXT,
    "grid": lambda _: read_grids(TEXT)[1][0],
    "puzzle": puzzle,
    "path": native_file,
    "name": lambda tmp_path: str(native_file(tmp_path)),
    "puzzle file": puzzle_file,
    "lines of a file": lambda _: [f"{row}\n" for row in ROWS],
    "in another dialect": lambda _: "A11\n101\n111",
}


@pytest.mark.parametrize("grid", GRIDS)
def test_a_grid_comes_in_many_forms(grid: str, tmp_path: Path) -> None:
    assert len(FILLS) > 1
    assert told(GRIDS[grid](tmp_path), WORDS) == FILLS


def word_file(tmp_path: Path) -> Path:
    path = tmp_path / "words.txt.gz"
    path.write_bytes(gzip.compress("".join(f"{word};{score:g}\n" for word, score in WORDS.items()).encode()))
    return path


LISTS: dict[str, Callable[[Path], Any]] = {
    "words": lambda _: list(WORDS),
    "a generator": lambda _: (word.lower() for word in WORDS),
    "scores": lambda _: WORDS,
    "pairs": lambda _: list(WORDS.items()),
    "pairs as they come": lambda _: zip(WORDS, WORDS.values(), strict=True),
    "pairs of JSON": lambda _: [[word, score] for word, score in WORDS.items()],
    "text": lambda _: "\n".join(WORDS),
    "list": lambda _: parse_word_list("\n".join(WORDS)),
    "lexicon": lambda _: Lexicon([parse_word_list(word) for word in WORDS]),
    "path": word_file,
    "paths": lambda tmp_path: [word_file(tmp_path), parse_word_list("abc")],
    "names": lambda tmp_path: [str(word_file(tmp_path))],
    "lists": lambda _: [parse_word_list(word) for word in WORDS],
    "name": lambda tmp_path: str(word_file(tmp_path)),
}


@pytest.mark.parametrize("words", LISTS)
def test_words_come_in_many_forms(words: str, tmp_path: Path) -> None:
    assert told(TEXT, LISTS[words](tmp_path)) == FILLS


@cases("unit/questions/problems.toml")
def test_a_problem_has_the_words_asked_for(case: Case) -> None:
    asked = {"grid": TEXT, "words": WORDS} | case["asked"]
    for name in case.get("without", ()):
        del asked[name]
    problem = make_problem(**asked)
    lexicon = problem.lexicon
    assert {word: lexicon.find(word) for word in case["found"]} == {word: tuple(x) for word, x in case["found"].items()}
    made: dict[str, Any] = {"size": len(lexicon), "skipped": lexicon.lists[0].skipped, "objective": problem.objective}
    made |= {"lists": [one.name for one in lexicon.lists], "theme": problem.theme}
    made["required"] = [*problem.rules.required]
    assert {name: case.get(name, part) for name, part in made.items()} == made


def test_the_rules_asked_for_are_those_of_the_brute_force() -> None:
    rules: dict[str, Any] = {"repeats": True, "min_score": 3.5, "max_obscure": 2, "below": 6.0}
    required = frozenset({"ABC"})
    theme = {"EYE": 2.0, "AGE": 1.0}
    marks = {word: frozenset({word, word[::-1]}) for word in WORDS}
    expected = brute_force.solve(
        brute_force.cells_of(*ROWS),
        WORDS,
        brute_force.Rules(required=required, theme=theme, marks=marks, **rules),
        measures=("theme", "sum"),
    )
    rules["no_shared"] = True
    assert told(TEXT, WORDS, require=["a-b-c"], **rules) == expected.fills
    best = solve(TEXT, words=WORDS, require=required, theme=theme, objective="sum", **rules)
    assert (best.status, best.value) == (Status.OPTIMAL, expected.best)


def test_the_default_list_is_english() -> None:
    assert make_problem(TEXT).lexicon == Lexicon([cpfill.read_word_list("en")])


def test_a_lexicon_is_taken_as_it_is() -> None:
    shared = Lexicon([parse_word_list("abc\nade")])
    assert make_problem(TEXT, shared).lexicon is shared
    assert len(make_problem(TEXT, shared, exclude=["abc"]).lexicon) == 1


def test_a_file_among_words_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own").write_text("abc\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"^expected words, or lists, found 'own', which is a list, among"):
        make_problem(TEXT, ("abc", "own"))


@pytest.mark.parametrize("asked", [{"limits": Limits(time_s=60.0)}, {"objective": "sum"}, {"theme": ["abc"]}])
def test_all_fills_are_listed_with_any_objective(asked: dict[str, Any]) -> None:
    assert told(TEXT, WORDS, **asked) == FILLS
    assert count_fills(TEXT, WORDS, **asked).fills == len(FILLS)


def test_as_many_fills_as_asked_for() -> None:
    assert len(list(enumerate_fills(TEXT, WORDS, limits=Limits(fills=2)))) == 2


@pytest.mark.parametrize("grid", [5, None, 1.5, b"...", [1, 2], {"..": 1}, object()])
@pytest.mark.parametrize("ask", [solve, read_grids])
def test_a_grid_of_another_type_is_refused(ask: Callable[[Any], object], grid: Any) -> None:
    with pytest.raises(cpfill.GridError) as caught:
        ask(grid)
    (fault,) = caught.value.faults
    assert fault.expected == "a grid: a file, rows, a text of several lines or a puzzle"
    assert fault.got == f"{grid!r:.60}"


NO_WORDS = [
    *([1, 2], [None], [("at",)], [("at", 1, 2)], [(1, 2)], ("at", 10), {1: 2}, b"at", [b"at"], ["at", Path("at")], 5),
    ["nope.txt", "tiger"],
]


@pytest.mark.parametrize("words", NO_WORDS)
def test_words_of_another_type_are_a_type_error(words: Any) -> None:
    with pytest.raises(TypeError, match="expected words, a file, or lists of words; got "):
        solve(TEXT, words)


@cases("unit/questions/refused.toml")
def test_a_wrong_argument_is_refused(case: Case) -> None:
    asked = case.get("asked", {}) | dict.fromkeys(case.get("none", ()))
    if "args" not in case:
        asked = {"grid": TEXT, "words": WORDS} | asked
    for name in case.get("calls", ["solve"]):
        with pytest.raises((InputError, TypeError)) as caught:
            getattr(cpfill, name)(*case.get("args", ()), **asked)
        if not isinstance(caught.value, InputError):
            assert case["type"] in str(caught.value)
            continue
        (fault,) = caught.value.faults
        place = ":".join(str(part) for part in (fault.path, fault.line, fault.column) if part is not None)
        assert (place, fault.expected, fault.got) == (case.get("place", ""), case["about"], case["found"])


def test_every_field_is_refused_once() -> None:
    refused = {name for case in REFUSED for name in case.get("asked", ())}
    assert refused >= {*FIELDS} == {*Asked.__annotations__, "grid", "words"}


def test_required_bytes_are_no_word() -> None:
    with pytest.raises(InputError, match=r" for require, found b'abc'$"):
        solve(TEXT, WORDS, require=cast("Any", b"abc"))


def test_numbers_of_any_type_are_numbers() -> None:
    numbers: dict[str, Any] = {"min_score": Fraction(7, 2), "min_slot_length": np.int8(2)}
    assert make_problem(TEXT, WORDS, **numbers).rules == make_problem(TEXT, WORDS, min_score=3.5).rules


@pytest.mark.parametrize("time_s", ["3s", "3", [3], 3j])
def test_a_time_is_a_number_of_seconds(time_s: Any) -> None:
    with pytest.raises(InputError, match="expected seconds from 0 to 31622400 for time_s, found "):
        Limits(time_s=time_s)
    assert Limits(time_s=cast("Any", np.float32(1.5))).time_s == 1.5


@cases("unit/questions/cases.toml", "limits")
@ASKING
def test_limits_go_by_the_names_of_options(ask: Callable[..., Any], case: Case) -> None:
    """The same limits reach the engine."""
    reached: list[Limits] = []

    class Noting(MacEngine):
        def search(self, problem: Problem, limits: Limits) -> Generator[Event]:
            reached.append(limits)
            return super().search(problem, limits)

    options = case.get("options", {}) | dict.fromkeys(case.get("none", ()))
    answer = ask(TEXT, WORDS, engine=Noting(), objective="any", **options)
    if ask in {events, enumerate_fills}:
        list(answer)
    (limits,) = reached
    assert limits == Limits(**{"fills": limits.fills} | case["limits"])


@ASKING
def test_limits_come_in_one_way(ask: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match="'seed' beside limits, which have their own"):
        ask(TEXT, WORDS, seed=1, limits=Limits())


def test_a_puzzle_is_read_from_its_path(tmp_path: Path) -> None:
    path = puzzle_file(tmp_path)
    assert cpfill.read_puzzle(path) == cpfill.read_puzzle(str(path)) == cpfill.read_puzzle(path.read_bytes())
    with pytest.raises(InputError, match=r"nowhere\.puz: expected a file, found nothing there"):
        cpfill.read_puzzle("nowhere.puz")


def test_grids_are_read_from_a_file(tmp_path: Path) -> None:
    text = "A.\n..\n\n.B\n..\n"
    path = tmp_path / "two.txt"
    path.write_text(text, encoding="utf-8")
    dialect, grids = read_grids(path)
    assert (dialect.name, len(grids)) == ("native", 2)
    assert read_grids(text) == read_grids(str(path)) == (dialect, grids)
    assert read_grids(puzzle_file(tmp_path))[1] == read_grids(TEXT)[1]


@pytest.mark.parametrize(
    ("grid", "rows"),
    [("2x3", ["...", "..."]), (["TEA"], ["TEA"]), ("GRID.TXT\n", ["GRID.TXT"]), ("10\n11\n", [".#", ".."])],
)
def test_a_grid_is_read_from_its_text(grid: Any, rows: list[str]) -> None:
    ((only,),) = read_grids(grid)[1:]
    assert str(only).splitlines() == rows


def test_grids_are_read_in_an_alphabet() -> None:
    assert read_grids("10\n11\n", alphabet=Alphabet("AB"))[1][0].alphabet.letters == "AB"


@pytest.mark.parametrize(
    ("grid", "place"),
    [
        (Path("nowhere.txt"), "nowhere.txt:"),
        ("TEA", "TEA:"),
        (".?\n", "grid:1:2:"),
        (Path("nowhere.puz"), "nowhere.puz:"),
    ],
)
def test_a_fault_of_a_grid_has_its_place(grid: Any, place: str) -> None:
    with pytest.raises(InputError, match=f"^{place} expected"):
        read_grids(grid)


@pytest.mark.parametrize("number", [float, np.float64, np.float32, Decimal, Fraction])
def test_scores_may_be_any_number(number: Callable[[float], Any]) -> None:
    pairs: list[Any] = [(word, number(score)) for word, score in WORDS.items()]
    assert make_problem(TEXT, pairs).lexicon == make_problem(TEXT, WORDS).lexicon


def test_a_grid_travels_without_its_caches() -> None:
    problem = make_problem(TEXT, WORDS)
    size = len(pickle.dumps(problem.grid))
    fill = solve(problem).fill
    assert problem.grid.neighbours
    assert len(pickle.dumps(problem.grid)) == size
    again = pickle.loads(pickle.dumps(fill))  # noqa: S301 - our own
    assert (again, again.grid) == (fill, problem.grid)
    assert again.words == (fill and fill.words)


def test_objects_that_travel_stay_equal() -> None:
    asked: dict[str, Any] = {"theme": ["eye"], "require": ["age"], "exclude": ["cue"], "min_score": 3.0}
    problem = make_problem(TEXT, WORDS, objective="min", **asked)
    result = solve(problem, limits=Limits(seed=3))
    sent = [problem, problem.lexicon, problem.lexicon.lists[0], problem.grid, problem.rules, Limits(time_s=1.0)]
    sent += [result, result.fill, result.stats, *events(problem), puzzle(Path()), Alphabet.named("es")]
    again = pickle.loads(pickle.dumps(sent))  # noqa: S301 - our own
    assert again == sent
    assert solve(again[0]).value == result.value
    assert len({problem, again[0], make_problem(TEXT, WORDS)}) == 2
    fault = cpfill.InputError(cpfill.Fault("this", "that", "here", 1, 2))
    assert pickle.loads(pickle.dumps(fault)).faults == fault.faults  # noqa: S301 - likewise


def test_the_alphabet_is_that_of_lists_and_grids() -> None:
    spanish = Alphabet.named("es")
    assert make_problem("...\n...", parse_word_list("año", alphabet=spanish)).grid.alphabet == spanish
    grid = read_grids(["Ñ.."], alphabet=spanish)[1][0]
    assert make_problem(grid, ["ñandu", "ñus"]).lexicon.find("ÑUS")


def test_events_come_one_by_one() -> None:
    stream = list(events(TEXT, words=WORDS, objective="min"))
    found = [event for event in stream if isinstance(event, Found)]
    assert any(isinstance(event, Bound) for event in stream)
    assert tuple(found[-1].fill.rows) in FILLS
    assert [event.value for event in found] == sorted(event.value for event in found)


def test_a_problem_is_taken_as_it_is() -> None:
    problem = make_problem(TEXT, WORDS)
    assert count_fills(problem, engine="letters").fills == len(FILLS)
    assert count_fills(TEXT, words=WORDS, objective="sum").fills == len(FILLS)
    with pytest.raises(InputError, match="expected words, repeats with a grid, found a problem"):
        solve(problem, words=WORDS, repeats=True)


OTHERS: dict[str, tuple[dict[str, Any], str]] = {
    "a name too long": ({"words": "a" * 5000}, "expected a word list"),
    "too large a grid": ({"grid": "." * 256 + "\n"}, "a grid of at most 255 rows and columns, found 256 columns"),
    "two alphabets": ({"alphabet": "es", "words": parse_word_list("abc")}, "expected a list over the alphabet"),
    "a lexicon beside a list": ({"words": Lexicon([]), "weighted": WORDS}, "one word list beside a weighted one"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_bad_input_is_one_line(name: str) -> None:
    asked, message = OTHERS[name]
    with pytest.raises(InputError, match=message) as caught:
        solve(**{"grid": TEXT, "words": WORDS, **asked})
    assert "\n" not in str(caught.value)


PROBLEM = make_problem(TEXT, WORDS, objective="min")
RESULT = solve(PROBLEM)
PUZZLE = puzzle(Path())
SHOWN: dict[str, tuple[object, str]] = {
    "<SolveResult OPTIMAL: minimum score 5, proved by ": (RESULT, ">"),
    "<SolveResult UNKNOWN: 0 fills, ended by time": (solve(PROBLEM, engine="fc", limits=Limits(time_s=0.0)), ">"),
    "<SolveResult UNSATISFIABLE: 0 fills, proved by ": (solve(["AB", "#."], words=["XY"]), ">"),
    "<Fill 3x3: ": (RESULT.fill, f"{' '.join(RESULT.fill.words.values() if RESULT.fill else '')}>"),
    "<Grid 3x3: 4 slots, 1 blocks>": (PROBLEM.grid, ""),
    "<Lexicon of <WordList words: 7 words>>": (PROBLEM.lexicon, ""),
    "<WordTable: 7 words of 3 letters>": (PROBLEM.tables[0], ""),
    "<Puzzle 3x3: 4 slots, 0 clues>": (PUZZLE, ""),
}


@pytest.mark.parametrize("start", SHOWN)
def test_an_object_describes_itself(start: str) -> None:
    shown, end = SHOWN[start]
    assert repr(shown).startswith(start)
    assert repr(shown).endswith(end)


def test_a_result_is_printed_below_its_fill() -> None:
    *rows, last = str(RESULT).splitlines()
    assert rows == (RESULT.fill and RESULT.fill.rows)
    assert repr(RESULT) == f"<SolveResult {last}>"


@pytest.mark.parametrize("rows", [list(ROWS), ["A[BC]#.."]])
def test_a_grid_is_printed_as_its_text(rows: list[str]) -> None:
    assert str(make_problem(rows, WORDS).grid) == "\n".join(rows)


def test_equal_puzzles_have_one_hash() -> None:
    assert hash(PUZZLE) == hash(puzzle(Path()))


@pytest.mark.parametrize("shown", [PROBLEM.grid, RESULT.fill, RESULT, PUZZLE], ids=["grid", "fill", "result", "puzzle"])
def test_a_notebook_draws_it(shown: Any) -> None:
    svg = ET.fromstring(shown._repr_svg_())  # noqa: S314 - our own
    assert svg.tag == f"{SVG}svg"
    letters = "A"
    if shown in {RESULT, RESULT.fill}:
        letters = "".join(RESULT.fill.letters if RESULT.fill else "")
    assert sorted(text.text or "" for text in svg.iter(f"{SVG}text")) == sorted(f"123{letters}")
    squares = [square.get("fill") for square in svg.iter(f"{SVG}rect")]
    assert (squares.count("currentColor"), squares.count("none")) == (1, 8)
    assert (svg.get("color"), squares[0]) == ("black", "white")  # whatever the colours of the notebook


@pytest.mark.parametrize(("words", "drawn"), [(["ab", "cd"], True), (["abc"], False)])
def test_a_fill_is_drawn_with_its_bars(words: list[str], drawn: bool) -> None:
    barred = cpfill.Grid(1, 4, (Alphabet().full,) * 4, Alphabet(), bars=frozenset({(1, 2)}))
    assert ("<line" in str(solve(barred, words=words)._repr_svg_())) is drawn


def test_a_fill_of_another_type_is_refused() -> None:
    with pytest.raises(TypeError, match=r"expected a problem and a fill; got .* and 'x'$"):
        cpfill.violations(PROBLEM, cast("Any", "x"))


def test_a_style_of_another_type_is_refused() -> None:
    with pytest.raises(TypeError, match=r"expected a PageStyle for style; got \{\}$"):
        cpfill.write_puzzle(PUZZLE, "svg", cast("Any", {}))


def test_a_dialect_of_another_type_is_refused() -> None:
    with pytest.raises(TypeError, match=r"expected a dialect, .*; got 'native'$"):
        cpfill.write_fill(cast("Any", "native"), PROBLEM.grid, [])


@pytest.mark.parametrize("name", [each.name for each in fields(Puzzle)])
@pytest.mark.parametrize("wrong", [5, object(), {1: 2}, {"title": "x"}, {PuzzlePart.TITLE: 5}, [None, ("a",)]])
def test_a_part_of_another_type_is_refused(name: str, wrong: Any) -> None:
    puzzle = Puzzle(1, 2, ("A", "B"))
    if (name in {"height", "width"} and wrong == 5) or (name == "work" and isinstance(wrong, dict)):
        return
    with pytest.raises(TypeError, match=rf"^expected .* for {name}; got "):
        replace(puzzle, **{name: wrong})
