// Made by `python .ci/record_types.py`; do not edit.
// The records that the program tells, and which of them answer which question.

export type DoneRecord = {
  done: true;
};

export type StatsRecord = {
  nodes: number;
  backtracks: number;
  backjumps: number;
  checks: number;
  build_s: number;
  search_s: number;
};

export type ResultRecord = {
  status: "SATISFIED" | "OPTIMAL" | "ALL_FILLS" | "UNSATISFIABLE" | "NO_OTHER" | "UNKNOWN";
  reason: "exhausted" | "fills" | "time" | "nodes" | "solver" | "tries" | "alike" | "interrupted";
  engine: string;
  fills: number;
  value: number | number[] | null;
  bound: number | number[] | null;
  proof: string | null;
  wipeout: string | null;
  stats: StatsRecord;
};

export type PosingRecord = {
  accepted: string[];
  exempt: Record<string, number>;
  refused: Record<string, "low" | "banned" | "unlisted" | "excluded">;
  theme_skipped: number;
};

export type SlotWord = {
  slot: string;
  word: string;
  spelling: string | null;
  score: number | null;
  theme?: boolean;
};

export type FillRecord = {
  value: number | number[] | null;
  rows: (string | null)[][];
  words: SlotWord[];
  alternatives?: Record<string, string[]>;
};

export type StartedRecord = {
  event: "started";
  engine: string;
};

export type ProgressRecord = {
  event: "progress";
  note: string;
  stats: StatsRecord;
};

export type ChangeRecord = {
  slot: string;
  old: string;
  new: string;
};

export type FoundRecord = {
  value: number | number[] | null;
  rows: (string | null)[][];
  words: SlotWord[];
  alternatives?: Record<string, string[]>;
  event: "found";
  better: boolean;
  changed?: ChangeRecord[];
};

export type BoundRecord = {
  event: "bound";
  value: number | number[] | null;
};

export type SolveEnd = {
  done: true;
  status: "SATISFIED" | "OPTIMAL" | "ALL_FILLS" | "UNSATISFIABLE" | "NO_OTHER" | "UNKNOWN";
  reason: "exhausted" | "fills" | "time" | "nodes" | "solver" | "tries" | "alike" | "interrupted";
  engine: string;
  fills: number;
  value: number | number[] | null;
  bound: number | number[] | null;
  proof: string | null;
  wipeout: string | null;
  stats: StatsRecord;
  accepted: string[];
  exempt: Record<string, number>;
  refused: Record<string, "low" | "banned" | "unlisted" | "excluded">;
  theme_skipped: number;
};

export type Counted = {
  counted: number;
};

export type CountEnd = {
  done: true;
  status: "SATISFIED" | "OPTIMAL" | "ALL_FILLS" | "UNSATISFIABLE" | "NO_OTHER" | "UNKNOWN";
  reason: "exhausted" | "fills" | "time" | "nodes" | "solver" | "tries" | "alike" | "interrupted";
  engine: string;
  fills: number;
  value: number | number[] | null;
  bound: number | number[] | null;
  proof: string | null;
  wipeout: string | null;
  stats: StatsRecord;
  exact: boolean;
};

export type ChainRecord = {
  success: number[];
  log10_steps: number | null;
};

export type SquareRecord = {
  size: number;
  words: number;
  coincidence: number;
  prefix_means: number[];
  log10_naive: number | null;
  weave: ChainRecord;
  scaffold: ChainRecord;
  log10_grids: number | null;
  log10_letters: number | null;
};

export type SampledRecord = {
  draws: number;
  found: number;
  effective: number;
  log10_fills: number | null;
  log10_low: number | null;
  log10_high: number | null;
  refuted: boolean;
};

export type RunRecord = {
  status: "SATISFIED" | "OPTIMAL" | "ALL_FILLS" | "UNSATISFIABLE" | "NO_OTHER" | "UNKNOWN";
  steps: number;
  letters: number;
  search_s?: number;
};

export type MeasuredRecord = {
  settled: number;
  median: RunRecord;
  runs: RunRecord[];
};

export type EstimateRecord = {
  height: number;
  width: number;
  slots: number;
  crossings: number;
  log10_fills: number | null;
  log10_by_beliefs: number | null;
  doubtful: boolean;
  square: SquareRecord | null;
  why_no_square: string | null;
  sampled?: SampledRecord;
  measured?: Record<string, MeasuredRecord>;
};

export type WordsListed = {
  words: ([string, number, number] | [string, number, number, "delicate" | "alike" | "phrase" | "name"])[];
  total: number;
};

export type FillableRecord = {
  fillable: boolean | null;
  witness: string[] | null;
  left: Record<string, number>;
  accepted: string[];
};

export type DeadRecord = {
  dead: string[];
  required: string[];
  left: Record<string, number>;
};

export type WeakestRecord = {
  word: string;
  score: number;
};

export type JudgedRecord = {
  word: string;
  score: number;
  support: number;
  verdict: "yes" | "no" | "open";
  witness: string[] | null;
  reason?: "delicate" | "alike" | "phrase" | "name";
  weakest?: WeakestRecord;
};

export type JudgedEnd = {
  done: true;
  yes: number;
  no: number;
  open: number;
  accepted: string[];
};

export type LettersOfCell = {
  cell: number;
  yes: string;
  no: string;
  open: string;
  forced: string | null;
};

export type BestRecord = {
  word: string;
  value: number;
  bound: number;
};

export type BrokenRule = {
  rule: string;
  detail: string;
  at: string[];
};

export type Remark = {
  detail: string;
  at: string[];
};

export type AuditRecord = {
  valid: boolean;
  value: number | number[] | null;
  violations: BrokenRule[];
  remarks: Remark[];
};

export type AuditedRecord = {
  valid: boolean;
  value: number | number[] | null;
  violations: BrokenRule[];
  remarks: Remark[];
  fill: number;
};

export type ElementRecord = {
  kind: "slot" | "given" | "required";
  slot?: string;
  pattern?: string;
  cells?: string[];
  cell?: string;
  letters?: string;
  word?: string;
  needed: true | null;
  repairs: boolean | null;
  works?: string;
  undecided?: string;
  reads?: string;
};

export type CeilingRecord = {
  score: number;
  bound: number;
  next: number;
  elements: string[] | null;
  minimal: boolean;
};

export type RepairRecord = {
  free: string;
  kind: "slot" | "given" | "required";
  reads: string;
  text: string;
  works?: string;
  undecided?: string;
};

export type ExplainRecord = {
  status: "SATISFIED" | "OPTIMAL" | "ALL_FILLS" | "UNSATISFIABLE" | "NO_OTHER" | "UNKNOWN";
  finished: boolean;
  reason: string | null;
  text: string[];
  minimal: boolean | null;
  rules: string[];
  elements: ElementRecord[];
  best: CeilingRecord | null;
  cells: number[];
  repairs: RepairRecord[];
  witness: string[] | null;
};

export type ExplainEnd = {
  done: true;
  status: "SATISFIED" | "OPTIMAL" | "ALL_FILLS" | "UNSATISFIABLE" | "NO_OTHER" | "UNKNOWN";
  finished: boolean;
};

export type StandingRecord = {
  style: string;
  symmetry: "rotate" | "rotate90" | "mirror" | "diagonal" | "none";
  edits: number;
  fillable: boolean | null;
  value: number | null;
  proved: boolean;
};

export type EditRecord = {
  add: string[];
  open: string[];
  cheaters: string[];
  verdict: "yes" | "no" | "open";
  value: number | null;
  bound: number | null;
  changed: number | null;
  rank: number[] | null;
  fill: string[] | null;
};

export type EditsEnd = {
  done: true;
  yes: number;
  no: number;
  open: number;
};

export type SlotRecord = {
  slot: string;
  at: string;
  length: number;
  crossings: number;
  pattern: string;
  fitting?: number;
  consistent?: number;
};

export type InfoRecord = {
  dialect: string;
  height: number;
  width: number;
  cells: Record<string, number>;
  slots: SlotRecord[];
  crossings: number;
  lengths: Record<string, number>;
  components: number[];
};

export type FaultRecord = {
  fault:
    | "short word"
    | "unchecked cell"
    | "word crossed by one letter alone"
    | "word with fewer than half its cells checked"
    | "three unchecked cells in a row"
    | "word with too many unchecked cells"
    | "two unchecked cells in a row"
    | "no lattice of blocks"
    | "block"
    | "adjacent blocks"
    | "block in a corner"
    | "clue cells and letters do not alternate"
    | "block without a clue"
    | "word without a clue cell"
    | "part of its own"
    | "cell in no word"
    | "no counterpart by symmetry"
    | "two by two blocks"
    | "more words than usual"
    | "fewer words than usual"
    | "words shorter than usual"
    | "more checked cells than usual";
  at: string;
};

export type ScoredWord = {
  slot: string;
  word: string;
  score: number;
  reason?: "delicate" | "alike" | "phrase" | "name";
};

export type BinRecord = {
  low: number;
  high: number;
  words: number;
};

export type LinkRecord = {
  text: string;
  slots: string[];
};

export type LongRecord = {
  words: number;
  phrases: number;
  names: number;
  published: number | null;
};

export type FillFiguresRecord = {
  words: Record<string, string>;
  scores: Record<string, number>;
  mean_score: number | null;
  median_score: number | null;
  bands: Record<string, number>;
  worst: ScoredWord[];
  histogram: BinRecord[];
  unlisted: string[];
  own: string[];
  letters: Record<string, number>;
  pangram: boolean;
  scrabble: number | null;
  repeats: LinkRecord[];
  alike: LinkRecord[];
  naticks: LinkRecord[];
  long: LongRecord | null;
  calibrated: string[];
};

export type GridFiguresRecord = {
  height: number;
  width: number;
  words: number;
  average_length: number | null;
  lengths: Record<string, number>;
  blocks: number;
  block_share: number;
  open: number;
  clear: number;
  checked: number;
  checked_share: number | null;
  cheaters: string[];
  symmetries: string[];
  parts: number[];
  faults: Record<string, FaultRecord[]>;
  readings?: Record<string, string[]>;
};

export type FiguresRecord = {
  height: number;
  width: number;
  words: number;
  average_length: number | null;
  lengths: Record<string, number>;
  blocks: number;
  block_share: number;
  open: number;
  clear: number;
  checked: number;
  checked_share: number | null;
  cheaters: string[];
  symmetries: string[];
  parts: number[];
  faults: Record<string, FaultRecord[]>;
  readings?: Record<string, string[]>;
  fill: FillFiguresRecord | null;
};

export type PositionsRecord = {
  length: number;
  words: number;
  counts: Record<string, number[]>;
  preferred_position: Record<string, number | null>;
  preferred_letters: string[];
};

export type ClueRecord = {
  text: string;
  source: string;
};

export type CluesRecord = {
  word: string;
  clues: ClueRecord[];
};

export type PuzzleRecord = {
  height: number;
  width: number;
  cells: (string | null)[];
  givens: number[];
  bars: [number, number][];
  circles: number[];
  shades: Record<string, string>;
  labels: Record<string, string>;
  alternatives: Record<string, string[]>;
  voids: number[];
  letter_sets: Record<string, string>;
  clues: Record<string, string>;
  drafts: Record<string, string[]>;
  metadata: Record<string, string>;
  work: Record<string, unknown>;
};

export type DesignRecord = {
  design: number;
  value: number | number[] | null;
  bound: number | number[] | null;
  proved: boolean;
};

export type ArrangementRecord = {
  unplaced: string[];
  crossings: number;
  least_cells: number;
  most_crossings: number | null;
  told: string;
};

export type Drawn = {
  theme: number[];
  entries: string[];
  puzzle?: PuzzleRecord;
  arrangement?: ArrangementRecord;
};

export type DrawnGrid = {
  theme: number[];
  entries: string[];
  puzzle?: PuzzleRecord;
  arrangement?: ArrangementRecord;
  event: "grid";
  height: number;
  width: number;
  blocks: number;
  words: number;
  min_slot_length: number;
  rows: (string | null)[][];
  bars: string[][];
  liberties?: string[];
  fill?: FillRecord;
  design?: number;
  value?: number | number[] | null;
  bound?: number | number[] | null;
  proved?: boolean;
};

export type DrawnDesign = {
  design: number;
  value: number | number[] | null;
  bound: number | number[] | null;
  proved: boolean;
  theme: number[];
  entries: string[];
  puzzle?: PuzzleRecord;
  arrangement?: ArrangementRecord;
  event: "improved";
};

export type ArrangedRecord = {
  theme: number[];
  entries: string[];
  puzzle?: PuzzleRecord;
  arrangement?: ArrangementRecord;
  event: "arranged";
};

export type TriedRecord = {
  tried: number;
};

export type UnpairedRecord = {
  unpaired: string;
};

export type GenerateEnd = {
  done: true;
  status: "SATISFIED" | "OPTIMAL" | "ALL_FILLS" | "UNSATISFIABLE" | "NO_OTHER" | "UNKNOWN";
  reason: "exhausted" | "fills" | "time" | "nodes" | "solver" | "tries" | "alike" | "interrupted";
  grids: number;
  refuted?: number;
  undecided?: number;
  blame?: Record<string, number>;
  helps?: string[];
  unpaired?: string;
  why?: string;
};

export type Sizes = {
  sizes: Record<string, number>;
};

export type RevisionStep = {
  step: "revision";
  slot: string;
  support: string | null;
  before: number;
  after: number;
  removed: string[];
  queue: string[];
};

export type PlacedStep = {
  sizes: Record<string, number>;
  step: "assignment" | "refutation";
  slot: string;
  word: string;
  depth: number;
  wipeout: string | null;
};

export type BacktrackStep = {
  step: "backtrack";
  slot: string;
  depth: number;
  target: number;
  jumps: boolean;
  conflicts: string[];
};

export type RestartStep = {
  step: "restart";
  number: number;
};

export type LetterStep = {
  sizes: Record<string, number>;
  step: "letter";
  cell: string;
  letter: string;
  allowed: string;
  depth: number;
  wipeout: string | null;
};

export type NoLetterStep = {
  step: "no_letter";
  cell: string;
  depth: number;
};

export type FillStep = {
  value: number | number[] | null;
  rows: (string | null)[][];
  words: SlotWord[];
  alternatives?: Record<string, string[]>;
  step: "fill";
};

export type TriesRecord = {
  log10_expected: number | null;
  steps: number;
  tried: number;
};

export type WatchEnd = {
  done: true;
  status: "SATISFIED" | "OPTIMAL" | "ALL_FILLS" | "UNSATISFIABLE" | "NO_OTHER" | "UNKNOWN";
  reason: "exhausted" | "fills" | "time" | "nodes" | "solver" | "tries" | "alike" | "interrupted";
  engine: string;
  fills: number;
  value: number | number[] | null;
  bound: number | number[] | null;
  proof: string | null;
  wipeout: string | null;
  stats: StatsRecord;
  steps: number;
  tries: TriesRecord[] | null;
};

export type ContestRecord = {
  begins: string;
};

export type EngineRecord = {
  status: "SATISFIED" | "OPTIMAL" | "ALL_FILLS" | "UNSATISFIABLE" | "NO_OTHER" | "UNKNOWN";
  reason: "exhausted" | "fills" | "time" | "nodes" | "solver" | "tries" | "alike" | "interrupted";
  engine: string;
  fills: number;
  value: number | number[] | null;
  bound: number | number[] | null;
  proof: string | null;
  wipeout: string | null;
  stats: StatsRecord;
  label: string;
  fault: string | null;
};

export type DisagreementRecord = {
  claim: string;
  against: string;
};

export type CompareEnd = {
  done: true;
  disagreements: DisagreementRecord[];
};

export interface Told {
  best: DeadRecord | BestRecord | DoneRecord;
  candidates: WordsListed | FillableRecord | DeadRecord | JudgedRecord | JudgedEnd;
  check: AuditedRecord | DoneRecord;
  compare: ContestRecord | EngineRecord | CompareEnd;
  clues: CluesRecord | DoneRecord;
  count: Counted | CountEnd;
  edits: StandingRecord | EditRecord | EditsEnd;
  estimate: EstimateRecord | DoneRecord;
  explain: ExplainRecord | ExplainEnd;
  generate: DrawnGrid | ArrangedRecord | DrawnDesign | TriedRecord | UnpairedRecord | GenerateEnd;
  heatmap: PositionsRecord | DoneRecord;
  info: InfoRecord | DoneRecord;
  letters: FillableRecord | DeadRecord | LettersOfCell | JudgedEnd;
  solve: StartedRecord | ProgressRecord | FoundRecord | BoundRecord | SolveEnd;
  stats: FiguresRecord | DoneRecord;
  watch:
    Sizes | RevisionStep | PlacedStep | BacktrackStep | RestartStep | LetterStep | NoLetterStep | FillStep | WatchEnd;
}
