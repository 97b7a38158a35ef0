"""The records of questions, for type checkers alone. `web/records.d.ts` is made from them."""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from cpfill.design.board import Symmetry
from cpfill.design.figures import FaultKind
from cpfill.problem.event import StopReason
from cpfill.problem.lack import Refusal
from cpfill.problem.result import Status
from cpfill.questions.candidates import Reason, Verdict
from cpfill.questions.explain.conflict import Kind

Cells: TypeAlias = list[str | None]
Value: TypeAlias = float | list[float] | None


class DoneRecord(TypedDict):
    done: Literal[True]


class StatsRecord(TypedDict):
    nodes: int
    backtracks: int
    backjumps: int
    checks: int
    build_s: float
    search_s: float


class ResultRecord(TypedDict):
    status: Status
    reason: StopReason
    engine: str
    fills: int
    value: Value
    bound: Value
    proof: str | None
    wipeout: str | None
    stats: StatsRecord


class PosingRecord(TypedDict):
    accepted: list[str]
    exempt: dict[str, float]
    refused: dict[str, Refusal]
    theme_skipped: int


class SlotWord(TypedDict):
    slot: str
    word: str
    spelling: str | None
    score: float | None
    theme: NotRequired[bool]


class FillRecord(TypedDict):
    value: Value
    rows: list[Cells]
    words: list[SlotWord]
    alternatives: NotRequired[dict[str, list[str]]]


class StartedRecord(TypedDict):
    event: Literal["started"]
    engine: str


class ProgressRecord(TypedDict):
    event: Literal["progress"]
    note: str
    stats: StatsRecord


class ChangeRecord(TypedDict):
    slot: str
    old: str
    new: str


class FoundRecord(FillRecord):
    event: Literal["found"]
    better: bool
    changed: NotRequired[list[ChangeRecord]]


class BoundRecord(TypedDict):
    event: Literal["bound"]
    value: Value


EventRecord: TypeAlias = StartedRecord | ProgressRecord | FoundRecord | BoundRecord


class SolveEnd(DoneRecord, ResultRecord, PosingRecord): ...


class Counted(TypedDict):
    counted: int


class CountEnd(DoneRecord, ResultRecord):
    exact: bool


class ChainRecord(TypedDict):
    success: list[float]
    log10_steps: float | None


class SquareRecord(TypedDict):
    size: int
    words: int
    coincidence: float
    prefix_means: list[float]
    log10_naive: float | None
    weave: ChainRecord
    scaffold: ChainRecord
    log10_grids: float | None
    log10_letters: float | None


class SampledRecord(TypedDict):
    draws: int
    found: int
    effective: float
    log10_fills: float | None
    log10_low: float | None
    log10_high: float | None
    refuted: bool


class RunRecord(TypedDict):
    status: Status
    steps: int
    letters: int
    search_s: NotRequired[float]


class MeasuredRecord(TypedDict):
    settled: int
    median: RunRecord
    runs: list[RunRecord]


class EstimateRecord(TypedDict):
    height: int
    width: int
    slots: int
    crossings: int
    log10_fills: float | None
    log10_by_beliefs: float | None
    doubtful: bool
    square: SquareRecord | None
    why_no_square: str | None
    sampled: NotRequired[SampledRecord]
    measured: NotRequired[dict[str, MeasuredRecord]]


ListedWord = tuple[str, float, int] | tuple[str, float, int, Reason]


class WordsListed(TypedDict):
    words: list[ListedWord]
    total: int


class FillableRecord(TypedDict):
    fillable: bool | None
    witness: list[str] | None
    left: dict[str, int]
    accepted: list[str]


class DeadRecord(TypedDict):
    dead: list[str]
    required: list[str]
    left: dict[str, int]


class WeakestRecord(TypedDict):
    word: str
    score: float


class JudgedRecord(TypedDict):
    word: str
    score: float
    support: int
    verdict: Verdict
    witness: list[str] | None
    reason: NotRequired[Reason]
    weakest: NotRequired[WeakestRecord]


class JudgedEnd(DoneRecord):
    yes: int
    no: int
    open: int
    accepted: list[str]


class LettersOfCell(TypedDict):
    cell: int
    yes: str
    no: str
    open: str
    forced: str | None


class BestRecord(TypedDict):
    word: str
    value: float
    bound: float


class BrokenRule(TypedDict):
    rule: str
    detail: str
    at: list[str]


class Remark(TypedDict):
    detail: str
    at: list[str]


class AuditRecord(TypedDict):
    valid: bool
    value: Value
    violations: list[BrokenRule]
    remarks: list[Remark]


class AuditedRecord(AuditRecord):
    fill: int


class ElementRecord(TypedDict):
    kind: Kind
    slot: NotRequired[str]
    pattern: NotRequired[str]
    cells: NotRequired[list[str]]
    cell: NotRequired[str]
    letters: NotRequired[str]
    word: NotRequired[str]
    needed: Literal[True] | None
    repairs: bool | None
    works: NotRequired[str]
    undecided: NotRequired[str]
    reads: NotRequired[str]


class CeilingRecord(TypedDict):
    score: float
    bound: float
    next: float
    elements: list[str] | None
    minimal: bool


class RepairRecord(TypedDict):
    free: str
    kind: Kind
    reads: str
    text: str
    works: NotRequired[str]
    undecided: NotRequired[str]


class ExplainRecord(TypedDict):
    status: Status
    finished: bool
    reason: str | None
    text: list[str]
    minimal: bool | None
    rules: list[str]
    elements: list[ElementRecord]
    best: CeilingRecord | None
    cells: list[int]
    repairs: list[RepairRecord]
    witness: list[str] | None


class ExplainEnd(DoneRecord):
    status: Status
    finished: bool


class StandingRecord(TypedDict):
    style: str
    symmetry: Symmetry
    edits: int
    fillable: bool | None
    value: float | None
    proved: bool


class EditRecord(TypedDict):
    add: list[str]
    open: list[str]
    cheaters: list[str]
    verdict: Verdict
    value: float | None
    bound: float | None
    changed: int | None
    rank: list[float] | None
    fill: list[str] | None


class EditsEnd(DoneRecord):
    yes: int
    no: int
    open: int


class SlotRecord(TypedDict):
    slot: str
    at: str
    length: int
    crossings: int
    pattern: str
    fitting: NotRequired[int]
    consistent: NotRequired[int]


class InfoRecord(TypedDict):
    dialect: str
    height: int
    width: int
    cells: dict[str, int]
    slots: list[SlotRecord]
    crossings: int
    lengths: dict[str, int]
    components: list[int]


class FaultRecord(TypedDict):
    fault: FaultKind
    at: str


class ScoredWord(TypedDict):
    slot: str
    word: str
    score: float
    reason: NotRequired[Reason]


class BinRecord(TypedDict):
    low: float
    high: float
    words: int


class LinkRecord(TypedDict):
    text: str
    slots: list[str]


class LongRecord(TypedDict):
    words: int
    phrases: int
    names: int
    published: float | None


class FillFiguresRecord(TypedDict):
    words: dict[str, str]
    scores: dict[str, float]
    mean_score: float | None
    median_score: float | None
    bands: dict[str, int]
    worst: list[ScoredWord]
    histogram: list[BinRecord]
    unlisted: list[str]
    own: list[str]
    letters: dict[str, int]
    pangram: bool
    scrabble: float | None
    repeats: list[LinkRecord]
    alike: list[LinkRecord]
    naticks: list[LinkRecord]
    long: LongRecord | None
    calibrated: list[str]


class GridFiguresRecord(TypedDict):
    height: int
    width: int
    words: int
    average_length: float | None
    lengths: dict[str, int]
    blocks: int
    block_share: float
    open: int
    clear: int
    checked: int
    checked_share: float | None
    cheaters: list[str]
    symmetries: list[str]
    parts: list[int]
    faults: dict[str, list[FaultRecord]]
    readings: NotRequired[dict[str, list[str]]]


class FiguresRecord(GridFiguresRecord):
    fill: FillFiguresRecord | None


class PositionsRecord(TypedDict):
    length: int
    words: int
    counts: dict[str, list[int]]
    preferred_position: dict[str, int | None]
    preferred_letters: list[str]


class ClueRecord(TypedDict):
    text: str
    source: str


class CluesRecord(TypedDict):
    word: str
    clues: list[ClueRecord]


class PuzzleRecord(TypedDict):
    height: int
    width: int
    cells: Cells
    givens: list[int]
    bars: list[tuple[int, int]]
    circles: list[int]
    shades: dict[str, str]
    labels: dict[str, str]
    alternatives: dict[str, list[str]]
    voids: list[int]
    letter_sets: dict[str, str]
    clues: dict[str, str]
    drafts: dict[str, list[str]]
    metadata: dict[str, str]
    work: dict[str, Any]


class DesignRecord(TypedDict):
    design: int
    value: Value
    bound: Value
    proved: bool


class ArrangementRecord(TypedDict):
    unplaced: list[str]
    crossings: int
    least_cells: int
    most_crossings: float | None
    told: str


class Drawn(TypedDict):
    theme: list[int]
    entries: list[str]
    puzzle: NotRequired[PuzzleRecord]
    arrangement: NotRequired[ArrangementRecord]


class DrawnGrid(Drawn):
    event: Literal["grid"]
    height: int
    width: int
    blocks: int
    words: int
    min_slot_length: int
    rows: list[Cells]
    bars: list[list[str]]
    liberties: NotRequired[list[str]]
    fill: NotRequired[FillRecord]
    design: NotRequired[int]
    value: NotRequired[Value]
    bound: NotRequired[Value]
    proved: NotRequired[bool]


class DrawnDesign(DesignRecord, Drawn):
    event: Literal["improved"]


class ArrangedRecord(Drawn):
    event: Literal["arranged"]


class TriedRecord(TypedDict):
    tried: int


class UnpairedRecord(TypedDict):
    unpaired: str


class GenerateEnd(DoneRecord):
    status: Status
    reason: StopReason
    grids: int
    refuted: NotRequired[int]
    undecided: NotRequired[int]
    blame: NotRequired[dict[str, float]]
    helps: NotRequired[list[str]]
    unpaired: NotRequired[str]
    why: NotRequired[str]


class Sizes(TypedDict):
    sizes: dict[str, int]


class RevisionStep(TypedDict):
    step: Literal["revision"]
    slot: str
    support: str | None
    before: int
    after: int
    removed: list[str]
    queue: list[str]


class PlacedStep(Sizes):
    step: Literal["assignment", "refutation"]
    slot: str
    word: str
    depth: int
    wipeout: str | None


class BacktrackStep(TypedDict):
    step: Literal["backtrack"]
    slot: str
    depth: int
    target: int
    jumps: bool
    conflicts: list[str]


class RestartStep(TypedDict):
    step: Literal["restart"]
    number: int


class LetterStep(Sizes):
    step: Literal["letter"]
    cell: str
    letter: str
    allowed: str
    depth: int
    wipeout: str | None


class NoLetterStep(TypedDict):
    step: Literal["no_letter"]
    cell: str
    depth: int


class FillStep(FillRecord):
    step: Literal["fill"]


StepRecord: TypeAlias = RevisionStep | PlacedStep | BacktrackStep | RestartStep | LetterStep | NoLetterStep


class TriesRecord(TypedDict):
    log10_expected: float | None
    steps: int
    tried: int


class WatchEnd(DoneRecord, ResultRecord):
    steps: int
    tries: list[TriesRecord] | None


class ContestRecord(TypedDict):
    begins: str


class EngineRecord(ResultRecord):
    label: str
    fault: str | None


class DisagreementRecord(TypedDict):
    claim: str
    against: str


class CompareEnd(DoneRecord):
    disagreements: list[DisagreementRecord]
