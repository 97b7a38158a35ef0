"""What the page alone asks, or keeps from one question to the next; the questions themselves have tests of their own.

tests/golden has what each of them answers, record for record.
"""

from __future__ import annotations

import json
import runpy
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.formats.registry import write_puzzle
from cpfill.puzzle.clues import NO_CLUE
from cpfill.puzzle.grid import Direction
from cpfill.puzzle.puzzle import Puzzle
from cpfill.questions.question import QUESTIONS
from cpfill.testing import brute_force
from tests.dictionaries import write_wordnet
from tests.support import ROOT
from tests.web.support import puzzle

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.support import Client

WORDS = {"ABC": 9.0, "ADE": 8.0, "AGE": 7.0, "CXE": 6.0, "EFE": 5.0, "EYE": 4.0, "CUE": 3.0}
ROWS = ("A..", ".#.", "...")
CELLS = brute_force.cells_of(*ROWS)
FILLS = brute_force.solve(CELLS, WORDS, brute_force.Rules()).fills
ASKED = {"puzzle": puzzle(*ROWS), "request": {"words": ["mine.txt"]}}


def ask(client: Client, name: str, **more: object) -> list[dict[str, Any]]:
    answer = client.ask("POST", f"/api/{name}", {**ASKED, **more})
    assert answer.status == 200, answer.body
    assert answer.headers["Content-Type"] == "application/x-ndjson"
    records = answer.records
    assert records[-1]["done"]
    assert not any("done" in record for record in records[:-1])
    return records


def row_at(fill: tuple[str, ...], cells: range) -> str:
    return "".join("".join(fill)[cell] for cell in cells)


def test_there_are_fills_to_compare_with() -> None:
    assert 1 < len(FILLS) < 100


def test_each_answer_of_a_slot_is_told(client: Client) -> None:
    rows = ("ABC", "D#X", "EFE")
    (figures, _) = ask(client, "stats", puzzle=puzzle(*rows, alternatives={"0": ["Q"], "7": ["", "Y"]}))
    readings = {"1-Across": ["ABC", "QBC"], "1-Down": ["ADE", "QDE"], "3-Across": ["EFE", "EYE"]}
    assert figures["readings"] == readings
    (figures, _) = ask(client, "stats", puzzle=puzzle(*rows))
    assert "readings" not in figures


def test_words_are_judged_where_cells_have_several_letters(client: Client) -> None:
    first, *_ = ask(client, "letters", puzzle=puzzle("ABC", "D#X", "EFE", alternatives={"0": ["Q"]}, givens=[0, 1]))
    assert first["fillable"] is True


def test_a_fill_that_still_matches_is_one(client: Client) -> None:
    """With no time to search: what was found for the sparser grid shows it."""
    first, *_ = ask(client, "letters")
    rows = first["witness"]
    fuller = puzzle(rows[0], ".#.", "...")
    again, *_ = ask(client, "letters", puzzle=fuller, seconds=0)
    assert again["fillable"] is True
    assert again["witness"][0] == rows[0]
    other, *_ = ask(client, "letters", puzzle=puzzle(rows[0], ".#.", "..."), seconds=0, request={"words": ["en"]})
    assert other["fillable"] is not False


def test_that_there_is_no_other_fill_is_not_that_there_is_none(client: Client) -> None:
    whole = min(FILLS)
    first, *_, done = ask(client, "solve", another=list(whole))
    assert first == {"event": "started", "engine": "auto"}
    assert (done["status"], done["reason"], done["fills"]) == ("SATISFIED", "fills", 1)
    given = puzzle(*whole)
    *events, done = ask(client, "solve", puzzle=given, another=list(whole))
    assert not [event for event in events if event["event"] == "found"]
    assert (done["status"], done["reason"]) == ("NO_OTHER", "alike")
    assert done["proof"]
    assert ask(client, "solve", puzzle=given)[-1]["status"] == "SATISFIED"
    *_, done = ask(client, "solve", puzzle=puzzle("AB.", ".#.", "C.."), another=["...", ".#.", "..."])
    assert done["status"] == "UNSATISFIABLE"


def test_a_list_that_changed_is_another_list(client: Client, folder: Path) -> None:
    ask(client, "candidates", slot="1-Across")
    (folder / "mine.txt").write_text("ABC;9\nADE;8\nCXE;6\nEYE;4\nEFE;3\nAXE;77\n")
    first, *_ = ask(client, "candidates", slot="1-Across")
    scores = {word: score for word, score, _ in first["words"]}
    assert scores["AXE"] == 77
    assert "AGE" not in scores


def test_solve_differs(client: Client) -> None:
    fill = ["".join(row) for row in min(FILLS)]
    words = set(brute_force.words_in(tuple(fill), 2))
    found = [each for each in ask(client, "solve", another=fill) if each.get("event") == "found"]
    others = [set(brute_force.words_in(rows, 2)) for rows in FILLS]
    assert bool(found) == any(words - other for other in others)
    if not all(words & other for other in others):
        assert not words & {one["word"] for one in found[-1]["words"]}


def test_a_theme_is_words_and_lists(client: Client, folder: Path) -> None:
    """Its words are used though no list has them, and as many stand in the fill as in any."""
    (folder / "theme.txt").write_text("CXE\nAXE\nTOOLONG\n")
    theme, words = {"CXE", "AXE", "EVE"}, {**WORDS, "AXE": 50.0, "EVE": 50.0}
    fills = brute_force.solve(CELLS, words, brute_force.Rules()).fills
    most = max(len(theme & set(brute_force.words_in(fill, 2))) for fill in fills)
    asked = {"words": ["mine.txt"], "theme": ["theme.txt", "eve"]}
    assert ask(client, "solve", request=asked)[-1]["value"] == most
    first, *_ = ask(client, "candidates", slot="1-Across", request=asked)
    assert {word for word, *_ in first["words"]} == {word for word in words if word.startswith("A")}
    assert ask(client, "count", request=asked)[-1]["fills"] == len(fills)
    far = {"words": ["mine.txt"], "theme": ["toolong"]}
    assert ask(client, "count", request=far)[-1]["fills"] == len(FILLS), "though no slot can hold a word of the theme"
    refused = client.ask("POST", "/api/solve", {**ASKED, "request": far})
    assert (refused.status, "a theme word that a slot" in refused.error) == (400, True)


@pytest.mark.parametrize("barren_s", [0.0, 2.0])
def test_count_is_exact(client: Client, barren_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the engine that counts best has time to meet a fill, or another goes on."""
    monkeypatch.setattr("cpfill.engines.audited.BARREN_S", barren_s)
    *_, done = ask(client, "count")
    assert (done["fills"], done["exact"]) == (len(FILLS), True)


def test_how_good_a_fill_with_each_word_can_be(client: Client) -> None:
    words = sorted({row_at(fill, range(3)) for fill in FILLS})
    *told, _ = ask(client, "best", slot="1-Across", words=words)
    assert [each["word"] for each in told] == words
    for each in told:
        scores = [
            min(WORDS[row_at(fill, cells)] for cells in (range(3), range(6, 9), range(0, 9, 3), range(2, 9, 3)))
            for fill in FILLS
            if row_at(fill, range(3)) == each["word"]
        ]
        assert each["value"] == each["bound"] == max(scores)
    *listed, _ = ask(client, "best", slot="1-Across")
    assert sorted(listed, key=lambda each: each["word"]) == told
    assert [each["word"] for each in ask(client, "best", slot="1-Across", number=1)[:-1]] == [listed[0]["word"]]


def test_a_question_is_answered_in_the_language_of_its_header(client: Client) -> None:
    asked = {**ASKED, "puzzle": puzzle("AB.", ".#.", "C..")}
    english, french = (
        client.ask("POST", "/api/explain", asked, {"Accept-Language": accepted}).records[-2]
        for accepted in ("en", "fr-CH, en;q=0.5")
    )
    assert french["elements"] == english["elements"] != []
    assert not {*french["text"]} & {*english["text"]}
    assert "attendu : une clé" in client.ask("POST", "/api/explain", {**ASKED, "x": 1}, {"Accept-Language": "fr"}).error


def test_a_word_that_helps_is_accepted_once_it_stands_there(client: Client) -> None:
    request = {"words": ["mine.txt"], "min_score": 7}
    last = ask(client, "explain", puzzle=puzzle("C.."), request=request)[-2]
    (slot,) = [each for each in last["repairs"] if each["kind"] == "slot"]
    assert (slot["free"], slot["reads"]) == ("1-Across", "CXE")
    assert ask(client, "explain", puzzle=puzzle(slot["reads"]), request=request)[-2]["status"] == "SATISFIED"


def test_a_grid_is_generated_around_the_letters_of_a_puzzle(client: Client) -> None:
    begun = {**puzzle(".......", ".......", "..CAT..", *["......."] * 4), "clues": {}}
    (made, _) = ask(client, "generate", puzzle=begun, style="american", around=True)
    assert [made["puzzle"]["cells"][at] for at in (16, 17, 18)] == ["C", "A", "T"]
    assert made["puzzle"]["cells"][30:33] == ["", "", ""], "half a turn away"


def test_what_is_generated_has_fills_of_the_lists(client: Client) -> None:
    """Few grids can be filled from a small list, and with its least score no grid can."""
    begun, asked = puzzle("A..", "...", "..."), {"style": "free", "symmetry": "none", "blocks": [1, 1], "around": True}
    *_, open_, done = ask(client, "generate", puzzle=begun, fillable=True, **asked)
    assert done["status"] == "SATISFIED"
    assert open_["theme"] == []  # its letter is the draft's
    assert open_["puzzle"]["cells"][0] == "A"
    assert [cell for cell in open_["puzzle"]["cells"][1:] if cell is not None] == [""] * 7
    rows = [
        "".join("#" if cell is None else cell or "." for cell in open_["puzzle"]["cells"][at : at + 3])
        for at in (0, 3, 6)
    ]
    assert brute_force.solve(brute_force.cells_of(*rows), WORDS, brute_force.Rules()).fills
    none = {"words": ["mine.txt"], "min_score": 9}
    *progress, done = ask(client, "generate", puzzle=begun, fillable=True, request=none, **asked)
    assert (done["grids"], done["status"]) == (0, "UNSATISFIABLE")
    tried = [each["tried"] for each in progress]
    assert tried[0] == 1
    assert tried == sorted(tried) <= [done["refuted"]] * len(tried)


def test_the_seed_words_of_a_grid_are_told_and_what_forbids_them(client: Client) -> None:
    asked = {"size": [5, 5], "seed_words": ["crate"], "filled": True, "request": {"words": ["en"]}}
    *_, made, done = ask(client, "generate", **asked)
    assert [made["puzzle"]["cells"][cell] for cell in made["theme"]] == [*"CRATE"]
    assert done["grids"] == 1
    asked = {"size": [4, 4], "seed_words": ["dear"], "style": "free", "symmetry": "rotate", "filled": True}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cpfill.questions.generate.WHY_S", 0.1)  # what else would help is asked below
        first, *_, done = ask(client, "generate", **asked, request={"words": ["mine.txt"]})
    assert first["unpaired"].startswith("no grid with this symmetry holds DEAR (4)")
    assert (done["status"], done["unpaired"]) == ("UNSATISFIABLE", first["unpaired"])
    asked = {"size": [9, 9], "style": "arrow", "symmetry": "rotate"}
    (done,) = ask(client, "generate", **asked)
    assert (done["status"], done["helps"]) == ("UNSATISFIABLE", ["with --symmetry none"])


def test_a_rebus_keeps_its_letters_where_fills_are_remembered(client: Client) -> None:
    asked = {"request": {"words": ["en"]}, "cells": None}

    def begin(first: str, *rest: str) -> dict[str, object]:
        return {**puzzle("....."), "cells": [first, *rest, *[""] * (4 - len(rest))]}

    empty, *_ = ask(client, "letters", puzzle=begin("STAR"), **asked)
    assert empty["witness"][0].startswith("(STAR)")
    letter = empty["witness"][0].removeprefix("(STAR)")[0]
    changed, *_ = ask(client, "letters", puzzle=begin("STAR", letter), **asked)
    assert changed["witness"] == empty["witness"]
    other, *_ = ask(client, "letters", puzzle=begin("CAT"), **asked)
    assert other["witness"] != empty["witness"]


def test_clues_come_from_ones_own_files_and_dictionaries(
    client: Client, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "clues.tsv").write_text("cat\ta pet of mine\n")
    at = write_wordnet(tmp_path / "wordnet", {"cat": ["a feline"]}, {})
    monkeypatch.setattr("cpfill.puzzle.clues.dictionaries.WORDNET_AT", at)
    monkeypatch.setattr("cpfill.puzzle.clues.dictionaries.THESAURI_AT", tmp_path)
    monkeypatch.setattr("cpfill.puzzle.clues.dictionaries.find_definitions", lambda _: [])
    cat, none, _ = ask(client, "clues", words=["cat", "zzz"], files=["clues.tsv"])
    assert cat["word"] == "CAT"
    told = [(each["source"], each["text"]) for each in cat["clues"]]
    assert told == [("clues.tsv", "a pet of mine"), ("WordNet", "a feline")]
    assert none == {"word": "ZZZ", "clues": []}
    (folder / "clues.tsv").write_text("cat\tit purrs\n")
    (folder / "old.csv").write_text("answer,clue\nCAT,mouser\n")
    cat, _ = ask(client, "clues", words=["cat"], files=["old.csv", "clues.tsv"])
    assert [each["text"] for each in cat["clues"]] == ["mouser", "it purrs", "a feline"]
    listed = client.ask("GET", "/api/puzzles").record
    assert (listed["clues"], listed["lists"]) == (["clues.tsv", "old.csv"], ["mine.txt"])


def test_clues_of_ones_own_puzzles_come_first(client: Client, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpfill.puzzle.clues.dictionaries._find", lambda _: [])
    clues = {(Direction.ACROSS, 1): "It purrs", (Direction.DOWN, 1): NO_CLUE, (Direction.DOWN, 2): "~ Still a draft"}
    old = Puzzle(2, 3, tuple("CATOXE"), clues)
    (folder / "old.ipuz").write_bytes(write_puzzle(old, "ipuz")[0])
    (folder / "broken.ipuz").write_bytes(b"{")
    (folder / "clues.tsv").write_text("cat\ta pet of mine\n")
    asked = {"words": ["cat", "co", "ax"]}
    cat, none, draft, _ = ask(client, "clues", files=["clues.tsv"], **asked)
    told = [(each["text"], each["source"]) for each in cat["clues"]]
    assert told == [("It purrs", "you clued this before, in old.ipuz"), ("a pet of mine", "clues.tsv")]
    assert none["clues"] == draft["clues"] == []
    cat, *_ = ask(client, "clues", **asked)
    assert [each["text"] for each in cat["clues"]] == ["It purrs"], "no dictionary is needed"
    (folder / "old.ipuz").unlink()
    refused = client.ask("POST", "/api/clues", asked)
    assert refused.status == 400
    assert "pip install 'cpfill[clues]'" in refused.record["error"]


def test_what_goes_wrong_later_is_the_last_line(client: Client) -> None:
    answer = client.ask("POST", "/api/letters", {**ASKED, "cells": [0, 4]})
    assert answer.status == 200
    *before, last = answer.records
    assert [each.get("cell") for each in before] == [None, 0]
    assert last == {"error": "expected a cell in a slot, found R2C2"}


@pytest.mark.parametrize(
    ("name", "more", "said"),
    [
        ("candidates", {"slot": "9-Across"}, "expected a slot of the grid (across: 1, "),
        ("candidates", {"solt": "1-Across"}, "did you mean 'slot'?"),
        ("letters", {"cells": [99]}, "for cells, found 99"),
        ("letters", {"seconds": 601}, "for seconds, found 601"),
        ("letters", {"puzzle": None}, "expected a JSON object for a puzzle"),
        ("letters", {"puzzle": puzzle("A", "#")}, "expected at least one slot"),
        ("letters", {"puzzle": {**puzzle("AB"), "cells": ["A"]}}, "expected 2 texts or nulls for cells"),
        ("letters", {"puzzle": {**puzzle("AB"), "height": True}}, "for height, found True"),
        ("letters", {"puzzle": {**puzzle("AB"), "height": 256}}, "for height, found 256"),
        ("letters", {"puzzle": puzzle("AB", bars=[[0, 5]])}, "for a bar"),
        ("letters", {"puzzle": puzzle("AB", "CD", bars=[[1, 2]])}, "expected a bar"),
        ("letters", {"puzzle": puzzle("AB", clues={"first": "x"})}, "expected a slot such as 17-Across for clues"),
        ("letters", {"puzzle": puzzle("AB", metadata={"titel": "x"})}, "did you mean 'title'?"),
        ("letters", {"puzzle": puzzle("AB", letter_sets={"0": "?"})}, "letters for letter_sets"),
        ("letters", {"puzzle": puzzle("AB", shades={"0": "red"})}, "a colour such as #d3d3d3 for shades, found 'red'"),
        ("letters", {"puzzle": puzzle("AB", alternatives={"9": ["C"]})}, "the number of a cell for alternatives"),
        ("letters", {"puzzle": puzzle("AB", alternatives={"0": "C"})}, "an array for alternatives"),
        ("letters", {"puzzle": puzzle("AB", shades={"9": "#ddd"})}, "the number of a cell for shades"),
        ("letters", {"puzzle": puzzle("AB", drafts={"1-Across": ["a", 1]})}, "arrays of texts for drafts"),
        ("letters", {"puzzle": puzzle("AB", drafts={"1-Up": []})}, "a slot such as 17-Across for drafts"),
        ("letters", {"puzzle": puzzle("AB", shade=[0])}, "expected a key of a puzzle"),
        ("letters", {"request": {"min_score": "much"}}, "min_score"),
        ("letters", {"request": {"grid": "5x5"}}, "expected a key of a request"),
        ("letters", {"request": {"avoid": "a.txt"}}, "expected a key of a request"),
        ("letters", {"request": {"words": ["/etc/passwd"]}}, "of the directory, found '/etc/passwd'"),
        ("letters", {"request": {"words": ["../mine.txt"]}}, "of the directory, found '../mine.txt'"),
        ("letters", {"request": {"exclude": ["../mine.txt"]}}, "of the directory, found '../mine.txt'"),
        ("letters", {"request": {"slot": ["1-Across:list=/etc/passwd"]}}, "of the directory, found '/etc/passwd'"),
        ("solve", {"another": [["AB"]]}, "expected a text, or an array of them, for another"),
        ("solve", {"another": [1]}, "expected a text, or an array of them, for another"),
        ("solve", {"request": {"theme": ["/etc/passwd"]}}, "of the directory, found '/etc/passwd'"),
        ("solve", {"request": {"theme": [1]}}, "expected a word or a word list for theme, found 1"),
        ("solve", {"engine": "no such"}, "expected an engine"),
        ("solve", {"seed": -1}, "for seed, found -1"),
        ("solve", {"engine": "letters", "options": {"resume": "journal"}}, "expected a key of the question"),
        ("count", {"workers": 64}, "expected a key of the question"),
        ("stats", {"style": "nose"}, "expected a style"),
        ("generate", {"size": [5]}, "two numbers for size"),
        ("generate", {"fillable": 1}, "expected true or false for fillable"),
        ("generate", {"symmetry": "odd"}, "expected a symmetry"),
        ("generate", {"blocks": [1, 2, 3]}, "expected a number of blocks"),
        ("clues", {"words": ["c4t"]}, "word over the alphabet"),
        ("clues", {"words": [], "files": ["../x.txt"]}, "of the directory, found '../x.txt'"),
    ],
)
def test_what_makes_no_sense_is_refused(client: Client, name: str, more: dict[str, object], said: str) -> None:
    answer = client.ask("POST", f"/api/{name}", {**ASKED, **more})
    assert answer.status == 400
    assert said in answer.error


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff", b'{"puzzle": ' + b"[" * 100_000, b'{"seconds": 1e999}'])
def test_what_is_no_question_is_refused(client: Client, body: bytes) -> None:
    for name in ("letters", "generate"):
        answer = client.ask("POST", f"/api/{name}", body)
        assert answer.status == 400
        assert answer.error


def test_the_types_of_records_are_made_from_the_program() -> None:
    made = runpy.run_path(str(ROOT / ".ci" / "record_types.py"))
    assert (ROOT / "cpfill" / "web" / "records.d.ts").read_text(encoding="utf-8") == made["write"]()
    told = (ROOT / "cpfill" / "questions" / "records.schema.json").read_text(encoding="utf-8")
    assert told == made["write_schema"]()
    assert json.loads(told)["questions"].keys() == QUESTIONS.keys()
