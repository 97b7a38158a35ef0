"""Edits that help: all edits of small grids, by the checker of styles and a brute force over all fills."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations, product, starmap
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.errors import InputError
from cpfill.design import Demands, generate
from cpfill.design.board import STYLES, Board, Style, Symmetry
from cpfill.design.figures import CUSTOMS, find_faults
from cpfill.engines.audited import search
from cpfill.problem.event import Found
from cpfill.problem.result import Deadline, Limits
from cpfill.puzzle.grid import BLOCK, Grid
from cpfill.questions.editor import Editor
from cpfill.questions.edits import (
    Edits,
    Judge,
    Judged,
    JudgedEdit,
    JudgedEdits,
    Poser,
    Standing,
    count_changed,
)
from cpfill.questions.question import Desk
from cpfill.questions.request import Request
from cpfill.testing import brute_force
from tests.tables import Case, cases

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cpfill.questions.editor import Edit
    from cpfill.words.lexicon import Lexicon

Rows = tuple[str, ...]
SEEDS = range(14)


def rows_of(grid: Grid) -> Rows:
    return tuple(str(grid).splitlines())


def judge(rows: Any, words: Mapping[str, float], **asked: Any) -> tuple[Standing, list[Any]]:
    """Return what is said of a grid, and the latest of each edit."""
    own = {name: asked.pop(name) for name in ("style", "symmetry", "near") if name in asked}
    request = Request.of(rows, dict(words), **asked)
    *_, end = Edits(request=request, time_limit=60, **own).answer(Desk())
    assert isinstance(end, JudgedEdits)
    assert end.standing is not None
    return end.standing, end.ranked


def singles(judged: Sequence[Judged]) -> dict[Rows, Judged]:
    """Return the edits that add, open or move one orbit under half a turn, by the rows that they lead to."""
    return {rows_of(each.edit.grid): each for each in judged if len(each.edit.add) <= 2 and len(each.edit.open) <= 2}


def follows(rows: Rows, style: Style) -> bool:
    """Return whether a grid has a slot and, by the checker of styles, no fault."""
    if not brute_force.runs_in(rows, 2):
        return False
    (template,) = Request.of(list(rows)).templates()
    return all(fault.kind in CUSTOMS for fault in find_faults(template.grid, style))


def draw(chance: random.Random, side: int) -> tuple[Rows, dict[str, float]]:
    """Return a grid with half-turn symmetry, and words of which few fills can be made."""
    rows: Rows = ()
    while not rows or not follows(rows, STYLES["french"]):
        cells = [["."] * side for _ in range(side)]
        for _ in range(chance.randint(0, 2)):
            row, column = chance.randrange(side), chance.randrange(side)
            cells[row][column] = cells[-1 - row][-1 - column] = "#"
        rows = tuple(map("".join, cells))
    words = {"".join(chance.choices("ABC", k=n)) for n in range(2, side + 1) for _ in range(7 * n)}
    return rows, {word: float(chance.randrange(10, 90, 10)) for word in sorted(words)}


def best_of(rows: Rows, words: Mapping[str, float], least: float) -> float | None:
    """Return the best least score of any fill, by brute force."""
    rules = brute_force.Rules(min_score=least)
    best = brute_force.solve(brute_force.cells_of(*rows), words, rules, max_fills=10**6, max_steps=10**7).best
    return None if best is None else best[0]


def neighbours(rows: Rows, style: Style) -> set[Rows]:
    """Return the grids one edit away that obey a style, by flipping and sliding blocks naively."""
    board = Board(len(rows), len(rows[0]))

    def put(cells: Rows, place: tuple[int, int], sign: str) -> Rows:
        drawn = [list(line) for line in cells]
        for row, column in board.images(*place, style.symmetry):
            drawn[row][column] = sign
        return tuple(map("".join, drawn))

    places = set(product(range(len(rows)), range(len(rows[0]))))
    blocks = {(row, column) for row, column in places if rows[row][column] == "#"}
    found = {put(rows, place, "#") for place in places - blocks}
    for row, column in blocks:
        opened = put(rows, (row, column), ".")
        found.add(opened)
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            place = row + down, column + right
            while place in places - blocks:
                found.add(put(opened, place, "#"))
                place = place[0] + down, place[1] + right
    return {each for each in found - {rows} if follows(each, style)}


@pytest.mark.parametrize("seed", SEEDS)
def test_edits_and_verdicts_are_those_of_a_brute_force(seed: int) -> None:
    rows, words = draw(random.Random(seed), 3 + seed % 2)
    standing, judged = judge(rows, words, min_score=30.0, style="french", objective="min")
    assert standing.symmetry in Symmetry
    found = {rows_of(each.edit.grid): each for each in judged}
    if standing.symmetry is Symmetry.ROTATE:
        found = singles(judged)
    expected = neighbours(rows, Style(standing.symmetry, STYLES["french"].usual))
    assert expected <= found.keys()
    if "yes" in {each.verdict for each in found.values()} or standing.symmetry is Symmetry.ROTATE:
        assert len(found) >= standing.edits == len(expected)
    own = best_of(rows, words, 30.0)
    assert (standing.fillable, standing.value) == (own is not None, own)
    assert own is None or standing.proved
    rules = brute_force.Rules(min_score=30.0)
    for edited, each in found.items():
        best = best_of(edited, words, 30.0)
        helps = best is not None and (own is None or best > own)
        assert each.verdict == ("yes" if helps else "no"), edited
        if helps:
            assert each.value == each.bound == best
        if each.fill is not None:
            assert brute_force.is_fill(brute_force.cells_of(*edited), each.fill.rows, words, rules)


def draw_refuted(seeds: Iterable[int]) -> Iterator[tuple[Judge, Editor, dict[str, float]]]:
    """Yield the judge, the editor and the words of each drawn grid that has no fill."""
    for seed in seeds:
        rows, words = draw(random.Random(seed), 4)
        request = Request.of(list(rows), words, min_score=60.0)
        problem = request.problem(every=True)
        judge = Judge(Poser(request, problem, problem.lexicon), problem)
        if judge.refute(Deadline(60)):
            yield judge, Editor(problem, "french"), words


def count_pruned(judge: Judge, edits: Iterable[Edit], words: dict[str, float]) -> int:
    """Return how many edits are refuted without a search; none of them has a fill."""
    pruned = [each for each in edits if judge.is_refuted(each.grid)]
    assert all(best_of(rows_of(each.grid), words, 60.0) is None for each in pruned)
    return len(pruned)


def test_a_refuted_edit_has_no_fill() -> None:
    refuted = 0
    for judge, editor, words in draw_refuted(range(1000, 1100)):
        refuted += count_pruned(judge, editor.list_single(), words)
    assert refuted > 10


def test_a_conflict_of_an_edit_holds_for_pairs() -> None:
    refuted = 0
    for judge, editor, words in draw_refuted(range(2000, 2020)):
        edits = editor.list_single()
        for each in judge.judge(edits, Deadline(60)):
            best = best_of(rows_of(each.edit.grid), words, 60.0)
            assert each.verdict == ("no" if best is None else "yes")
        pairs = filter(None, starmap(editor.combine, combinations(edits, 2)))
        refuted += count_pruned(judge, pairs, words)
    assert refuted > 10


@pytest.mark.parametrize("rows", [["(AB)(BC)(CA)#", "...#", "...."], ["..(ABC)", "#..", "..."]])
@pytest.mark.parametrize("lists", ["ABBCCA BA CB AC AAB", "ABBCCA ABCC AA BB AC CB ABA ABBB CAB BAC"])
def test_edits_of_grids_with_rebus_cells_are_judged(rows: list[str], lists: str) -> None:
    words = dict.fromkeys(lists.split(), 50.0)
    request = Request.of(rows, words, dialect="native")
    problem = request.problem(every=True)
    poser = Poser(request, problem, problem.lexicon)
    judge = Judge(poser, problem)
    judge.refute(Deadline(60))
    for each in judge.judge(Editor(problem, "free", Symmetry.NONE).list_single(), Deadline(60)):
        filled = any(isinstance(event, Found) for event in search(poser.pose(each.edit.grid), engine="fc"))
        assert each.verdict == ("yes" if filled else "no")


@pytest.mark.parametrize("rows", [["CAT", "...", "..."], ["CA#", "...", "#.."]])
def test_letters_and_whole_entries_stay(rows: list[str]) -> None:
    """An opened block would lengthen CA."""
    words = dict.fromkeys(["CAT", "ART", "TAR", "CA", "AR", "AT", "RT", "TA"], 50.0)
    _, judged = judge(rows, words, style="free")
    assert {rows_of(each.edit.grid)[0] for each in judged} == {rows[0]}


def test_bars_are_edited_in_a_barred_grid() -> None:
    chance = random.Random(5)
    words = {"".join(chance.choices("AB", k=n)): 50.0 for n in range(2, 9) for _ in range(60)}
    grid = next(generate(Demands(8, 8, STYLES["barred"]), limits=Limits(fills=1)))
    standing, judged = judge(grid, words, style="barred")
    assert standing.edits > 0
    kept = replace(STYLES["barred"], symmetry=standing.symmetry)
    for each in judged:
        assert each.edit.grid.cells.count(BLOCK) == 0
        assert all(fault.kind in CUSTOMS for fault in find_faults(each.edit.grid, kept))
        assert {len(wall) for wall in (*each.edit.add, *each.edit.open)} == {2}


def test_pairs_follow_if_no_single_edit_helps() -> None:
    """No word has more than two letters, so that each of the two long rows needs its own block."""
    words = {one + other: 50.0 for one in "ABCDEFGH" for other in "ABCDEFGH"}
    standing, judged = judge(["#####", ".....", "#####", ".....", "#####"], words, style="free", symmetry="none")
    assert not standing.fillable
    assert {each.verdict for each in judged if each.edit.size == 1} == {"no"}
    assert (judged[0].verdict, judged[0].edit.size) == ("yes", 2)


def test_words_changed_are_new_or_have_other_letters() -> None:
    words = {"CAT": 10, "DOG": 50, "CA": 50, "DO": 50, "COT": 50}
    rows = ("CAT", "###", "...")
    before = {start: len(run) for start, run in brute_force.runs_in(rows, 2).items()}
    standing, judged = judge(rows, words, style="free", symmetry="none")
    for each in filter(lambda each: each.fill is not None, judged):
        runs = brute_force.runs_in(each.fill.rows, 2)
        assert count_changed(each, standing) == sum(before.get(start) != len(run) for start, run in runs.items())


@pytest.mark.parametrize(
    ("rows", "style"),
    [(["...", "...", "..."], "american"), (["...", ".#.", "..."], "british"), (["..", ".."], "french")],
)
def test_the_style_is_the_first_that_the_grid_follows(rows: list[str], style: str) -> None:
    assert judge(rows, {"ABC": 50.0, "AB": 1.0})[0].style == style


@cases("unit/questions/cases.toml", "edits")
def test_bad_input_is_one_fault(case: Case) -> None:
    with pytest.raises(InputError) as caught:
        judge(case["rows"], {"AB": 1.0, "ABC": 1.0}, **case["asked"])
    (fault,) = caught.value.faults
    assert fault.expected.startswith(case["about"])


def test_a_grid_without_any_edit() -> None:
    """Every cell has a letter that stays."""
    standing, judged = judge(["AB", "BA"], {"AB": 1.0, "BA": 1.0, "BB": 5.0})
    assert standing.edits == 0
    assert judged == []


def test_records_are_those_of_the_last_line() -> None:
    question = Edits(request=Request.of(["...", "...", "..."], {"CAT": 5.0, "AB": 5.0}), style="free", time_limit=60)
    records: list[dict[str, Any]] = [{**each} for each in question.records(Desk())]
    first, *edits, last = records
    assert first["fillable"] is False
    assert last["done"] is True
    latest = {(*each["add"], "", *each["open"]): each["verdict"] for each in edits}
    for verdict in ("yes", "no", "open"):
        assert list(latest.values()).count(verdict) == last[verdict]


def test_records_have_the_ranks_of_edits() -> None:
    rows, words = draw(random.Random(2), 4)
    standing, judged = judge(rows, words, style="french")
    ranks = [rank for each in judged if (rank := JudgedEdit(each, standing).record["rank"])]
    assert ranks == sorted(ranks) != []
    assert len(ranks) == sum(each.verdict == "yes" for each in judged)


@pytest.mark.parametrize("parts", [0, 1, 3])
def test_an_interrupt_keeps_the_edits_judged(parts: int) -> None:
    question = Edits(request=Request.of(["...", "...", "..."], {"CAT": 5.0, "AB": 5.0}), style="free", time_limit=60)
    answer = question.answer(Stopped() if parts == 0 else Desk())
    for _ in range(parts):
        next(answer)
    end = next(answer) if parts == 0 else answer.throw(KeyboardInterrupt)
    assert isinstance(end, JudgedEdits)
    assert end.interrupted
    assert (end.standing is None) == (parts == 0)
    assert len(end.ranked) == max(0, parts - 1)
    assert list(answer) == []


class Stopped(Desk):
    """Meets an interrupt before the problem is posed."""

    def lexicon_of(self, request: Request) -> Lexicon:  # noqa: ARG002 - as `Desk` has it
        raise KeyboardInterrupt
