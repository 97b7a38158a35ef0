// What the page's modules hand to each other and to the server. This file is for tsc alone: it stands outside `static`,
// so no browser fetches it, and wheels leave it out. What the server tells is in `records.d.ts`, made from the program.

import type * as told from "./records.d.ts";

/** A value none of whose parts can be written. */
export type Fixed<T> = T extends (...args: never) => unknown
  ? T
  : T extends ReadonlyMap<infer K, infer V>
    ? ReadonlyMap<K, Fixed<V>>
    : T extends ReadonlySet<infer E>
      ? ReadonlySet<E>
      : T extends object
        ? { readonly [K in keyof T]: Fixed<T[K]> }
        : T;

/** One of several records, told apart by the keys it has. */
type OneOf<T, Keys extends PropertyKey = T extends T ? keyof T : never> = T extends T
  ? T & { [K in Exclude<Keys, keyof T>]?: undefined }
  : never;

// The puzzle

export type Direction = "Across" | "Down";
export type Symmetry = "none" | "rotate" | "rotate90" | "mirror" | "updown" | "both" | "diagonal";

/** Row by row: null a block, "" an empty cell, several letters a rebus. */
export type Cells = readonly (string | null)[];
export type Bar = readonly [number, number];
/** The letters of a fill that change, by cell. */
export type Letters = ReadonlyMap<number, string>;
/** Where each cell goes, if it stays. */
export type Move = (cell: number) => number | undefined;

/** A puzzle as the server reads and writes it. Nobody changes one: an edit makes another. */
export type Puzzle = Fixed<{
  height: number;
  width: number;
  cells: Cells;
  /** Cells whose letters the solver is given. */
  givens: number[];
  /** Pairs of neighbouring cells, the lower one first. */
  bars: Bar[];
  circles: number[];
  /** The colours of cells that are shaded, as #rrggbb. */
  shades: Record<string, string>;
  /** Own labels of cells, which are shown in place of all numbers; none if those are. */
  labels?: Record<string, string>;
  /** The letters of a cell in other answers of the puzzle, beside the one that stands there. */
  alternatives?: Record<string, string[]>;
  voids: number[];
  letter_sets: Record<string, string>;
  /** By the name of the slot. */
  clues: Record<string, string>;
  /** What is kept beside the clue, likewise: each text once, none the clue. */
  drafts: Record<string, string[]>;
  metadata: Record<string, string>;
}>;

export type Slot = Fixed<{
  /** Such as 17-Across. */
  name: string;
  number: number;
  direction: Direction;
  cells: number[];
}>;

// What the server tells

/** A word, its score, its support by crossing words, and why one may not want it, or else its kind. */
export type Row = readonly [string, number, number, told.JudgedRecord["reason"]?];
export type Verdict = "yes" | "no" | "open";
/** A fill row by row: lists of letters with null for a block, or texts in the server's own dialect. */
export type Rows = readonly (string | Cells)[];
/** The value of a fill; with a theme there are two, of which the theme's comes first. */
export type Value = number | readonly number[];

/** What is known of a word in a slot. */
export type Judged = Fixed<
  Omit<told.JudgedRecord, "witness"> & {
    witness: Rows | null;
    /** How good a fill with it can be, where it was asked: the best minimum score met, and the most there can be. */
    best?: number;
    bound?: number;
    /** How many other words the fill changes, where all stand. */
    changes?: number;
  }
>;

/** The letters of a cell by their verdicts. */
export type CellLetters = Fixed<Omit<told.LettersOfCell, "forced">>;
export type FillFigures = Fixed<told.FillFiguresRecord>;
/** What several words have in common. */
export type Link = Fixed<told.LinkRecord>;
export type StyleFault = Fixed<told.FaultRecord>;
export type Figures = Fixed<told.FiguresRecord>;
export type Audit = Fixed<told.AuditRecord>;
export type Explanation = Fixed<told.ExplainRecord>;
/** How often each letter stands at each position of the words of one length. */
export type Heat = Fixed<told.PositionsRecord>;
export type FoundClue = Fixed<told.ClueRecord>;
/** An edit of the blocks or bars, its verdict, and a fill that shows it. */
export type GridEdit = Fixed<told.EditRecord>;
export type NoGridFound = Fixed<told.GenerateEnd>;
/** Which entries do not pair up by length, in a sentence; how many grids were tried. */
export type Generating = Fixed<Partial<told.UnpairedRecord & told.TriedRecord>>;

/** A step of a search that is watched. */
export type Step = Fixed<
  | told.RevisionStep
  | told.PlacedStep
  | told.BacktrackStep
  | told.RestartStep
  | told.LetterStep
  | told.NoLetterStep
  | told.FillStep
>;
export type WatchEnd = Fixed<told.WatchEnd>;

/** The lines of the answer to each question, by its path. */
export type Answers = { [P in keyof told.Told]: OneOf<Fixed<told.Told[P]>> };
export type Path = keyof Answers;

export type About = Fixed<{
  lists: string[];
  formats: string[];
  /** What drawings there are, by format. */
  drawings: Record<string, { papers: string[]; layouts: string[] }>;
  /** The symmetry of each style. */
  styles: Record<string, Symmetry>;
  symmetries: string[];
  /** Whether there are any to look clues up in. */
  dictionaries: boolean;
  /** Their sources, with authors and licences. */
  notices: string[];
  /** Where the personal list is. */
  personal: string;
}>;

/** What the directory has. */
export type Directory = Fixed<{
  directory: string;
  puzzles: string[];
  lists: string[];
  clues: string[];
  /** The puzzle that the user named at the start. */
  opened: string | null;
  /** The puzzle that was saved last. */
  recent: string | null;
}>;

/** What a list shows of a puzzle: the rows of its picture, where x is a letter of its author; what there is, and is done. */
export type Preview = Fixed<{
  title: string;
  picture: string[];
  bars: Bar[];
  cells: number;
  letters: number;
  slots: number;
  clues: number;
}>;
/** A puzzle of the directory, and when it was saved; nothing more of one that is not read yet, or cannot be. */
export type Listed = Fixed<{ name: string; saved: number; preview: Preview | null }>;
export type Previews = Fixed<{ puzzles: Listed[]; unread: number }>;

/** Another puzzle under the same name: the server tells it with a 412. There is none where the file holds no puzzle. */
export type Theirs = Fixed<{ puzzle: Saved | null; etag: string | null }>;
/** What the server says instead of an answer. */
export type Refusal = { error?: string } & Partial<Theirs>;

/** What is asked of every puzzle. */
export type Request = Fixed<{
  words: string[];
  min_score: number;
  own: string[];
  no_shared?: boolean;
  open: string[];
  theme: string[];
  personal?: null;
  taste?: "frank";
  objective?: string;
  slot?: string[];
  spell?: string[];
  letter_counts?: string[];
  pangram?: boolean;
  no_naticks?: boolean;
}>;
/** A word banned, or given a score, in the personal list. */
export type WordChange = { ban: string } | { rescore: string; score: number };

// The state

export type Mode = "design" | "fill" | "clues" | "check" | "solve" | "watch" | "export";
export type CandidateOrder = "score" | "verdict" | "best" | "change" | "word";
export type ClueOrder = "number" | "missing" | "score" | "length" | "word";

/** What undo goes back to. */
export type Stage = Fixed<{
  puzzle: Puzzle;
  pencilled: ReadonlySet<number>;
  locked: ReadonlySet<number>;
  opened: string[];
  /** Slots whose words were taken, or are kept otherwise, by their names. */
  taken: string[];
  /** What was typed along a slot: cells with its direction, as `12 Across`. */
  typed: ReadonlySet<string>;
}>;
/** A stage without its puzzle. */
export type Marks = Omit<Stage, "puzzle">;
/** What an edit says of marks: those it replaces, and what it adds to the words of one's own. */
export type Marking = Partial<Marks> & { readonly takes?: readonly string[]; readonly types?: readonly string[] };

/** What is chosen for each puzzle: what words a fill may have, where clues are looked up, what a grid is made around. */
export type Terms = Fixed<{
  words: string[];
  minScore: number;
  /** Whether no two words may be alike. */
  noShared: boolean;
  personal: boolean;
  /** Whether delicate words of the packaged lists count by their own scores. */
  frank: boolean;
  /** Words and lists of which as many as can be are to stand in the grid. */
  pool: string[];
  /** Files where clues are looked up, beside the dictionaries. */
  clueSources: string[];
  /** The entries around which a grid is made, as they are typed. */
  seeds: string[];
  /** The words that this puzzle may not have. */
  excluded: string[];
  crissCross: CrissCross;
  /** The rules over letters that hold, each with its text or choice. */
  letterRules: Record<string, string | true>;
}>;
/** The words and clues of a criss-cross, and its size if that matters, as they are typed; whether words may be left out. */
export type CrissCross = Fixed<{ text: string; rows: string; columns: string; most: boolean }>;

/** What is kept with a puzzle in its file, beside what its solvers see: whose letters are whose, and the terms. */
export type Work = Fixed<{
  pencilled?: number[];
  limits?: Record<string, string>;
  locked?: number[];
  opened?: string[];
  /** The slots whose words are one's own; where this is missing, all words that stand are. */
  taken?: string[];
  terms?: Partial<Terms>;
}>;
/** A puzzle as its file has it. */
export type Saved = Puzzle & { readonly work?: Work };

/**
 * A grid that was made, the cells of its theme entries, and what a good fill of it scores, null where none was found;
 * whether it was made around what stands; how good it is, if it gets better.
 */
export type Pattern = Fixed<{
  puzzle: Puzzle;
  theme: number[];
  scores?: FillFigures | null;
  around?: boolean;
  told?: string;
}>;
/** A grid that was made, its theme entries, and what is proved of it. */
export type Improved = Fixed<Required<Omit<told.Drawn, "arrangement">> & Partial<told.DesignRecord>> & Pattern;

/** What is known of the words of a slot. */
export type Candidates = Fixed<{
  slot: string;
  words: Row[];
  total: number;
  verdicts: ReadonlyMap<string, Judged>;
  state: "none" | "asking" | "judging" | "done";
  /** The slots without which words are judged, where there is no fill. */
  dead: string[];
}>;

export type SearchEngine = "ac3" | "fc" | "fc-cbj" | "mac" | "weave" | "scaffold" | "letters";
/** The options of an engine that is watched. */
export type SearchOptions = { ac3: boolean; order: string; shuffle: boolean; restarts: boolean };
/** The search that is watched: its engine and options, and how fast it is played. */
export type Search = Fixed<SearchOptions & { engine: SearchEngine; seed: number; speed: number }>;

/** What a search has come to after some of its steps. */
export type Position = {
  /** How many. */
  at: number;
  /** The words of each slot before any is placed. */
  root: Record<string, number>;
  /** The words or letters that stand, by depth, each with the domains that are smaller since. */
  placed: { slot?: string; cell?: string; word: string; sizes: Record<string, number> }[];
};
/** A word or letter placed: the step that places it, its column and depth, the node above, and if it is taken back. */
export type TreeNode = { at: number; column: number; depth: number; above: number; dead: boolean };
/** The search tree, its first nodes, in a list that grows; how many nodes there are, and how many are dead ends. */
export type SearchTree = { engine: SearchEngine; order: string; nodes: TreeNode[]; edges: number; pruned: number };
export type Watching = Fixed<{
  steps: Step[];
  tree: SearchTree;
  /** The tree of the search before, to hold against it. */
  before: SearchTree | null;
  /** How many words stand after each step. */
  depths: number[];
  /** How many words each slot begins with. */
  sizes: Record<string, number>;
  position: Position;
  done: WatchEnd | null;
  playing: boolean;
  /** Whether all steps are to be done as soon as they are there. */
  hurried: boolean;
}>;
/** What the grid shows of a search that is watched. */
export type Trial = Fixed<{
  letters: Cells;
  sizes: ReadonlyMap<number, string>;
  /** The word of each slot, or how many it has left. */
  left: ReadonlyMap<string, string | number>;
  tried: ReadonlySet<number>;
  wiped: ReadonlySet<number>;
  blamed: ReadonlySet<number>;
}>;

/** The settings that the browser keeps for every puzzle. */
export type Settings = Fixed<{
  symmetry: Symmetry;
  style: string;
  /** The colour in which cells are shaded. */
  shade: string;
  language: string;
  theme: string;
  /** The hints that were closed. */
  hintsClosed: string[];
  /** Whether cells are tinted by how few words their slots have left. */
  tint: boolean;
  /** Whether the program writes nothing unasked. */
  still: boolean;
  search: Search;
  order: CandidateOrder;
  clueOrder: ClueOrder;
}>;
/** Where a visit ended. */
export type Place = Fixed<{ name: string; cursor: number; direction: Direction; mode: Mode }>;
/** All that the browser keeps: the settings, and where the last visit of each place ended. */
export type Preferences = Partial<Settings & { last: Readonly<Record<string, Place>> }>;

/** Since when something is sought, as `performance.now` has it, and for how many seconds at most. */
export type Clock = { since: number; most: number };

/** The state of the page, whose parts are replaced and never changed; only `update` in store.js replaces them. */
export type State = Settings &
  Terms &
  Stage &
  Fixed<{
    past: Stage[];
    future: Stage[];

    /** The file it is saved in. */
    name: string | null;
    etag: string | null;
    saving: "saved" | "saving" | "unsaved" | "conflict";
    /** Whether files stay when the tab is closed. */
    kept: boolean;
    /** What stands in the file, where it was changed elsewhere. */
    theirs: Theirs | null;
    directory: string;
    puzzles: Directory["puzzles"];
    /** Files of the directory: word lists, and clues. */
    lists: string[];
    clueFiles: string[];
    about: About | null;

    mode: Mode;
    /** Whether the program's letters are hidden. */
    bare: boolean;
    cursor: number;
    direction: Direction;
    /** The other corner of the region that is selected, beside the cursor. */
    anchor: number | null;
    /** Whether a finger on the grid selects a region; else it scrolls the page. */
    selecting: boolean;
    /** Whether a press in the design paints blocks, or takes them away, as far as it is drawn. */
    painting: boolean;
    flashing: ReadonlySet<number>;

    /** The patterns that are offered for this puzzle. */
    patterns: Pattern[];
    /** What is known of the slot under the cursor. */
    candidates: Candidates;
    /** The same of the slot that crosses it there. */
    crossing: Candidates;
    /** The beginning of the candidates that are listed; `?` is any letter. */
    filter: string;
    /** The letters that cells can hold, and those that are not decided. */
    letters: ReadonlyMap<number, CellLetters>;
    /** Whether there is a fill. */
    fillable: Verdict | "none";
    /** The words of one's own that no list has. */
    unlisted: string[];
    /** How many words propagation leaves each slot of a puzzle. */
    left: { puzzle: Puzzle; words: Record<string, number> } | null;
    /** What is wrong with rules over letters. */
    ruleFaults: Record<string, string>;
    /** Those of them that the letters of a full grid break. */
    brokenRules: string[];
    explanation: Explanation | null;
    /** Which blocks to change: what the grid itself is like, and the latest of each edit, by its cells. */
    edits:
      | ({ standing: told.StandingRecord | null; judged: ReadonlyMap<string, GridEdit>; running: boolean } & Clock)
      | null;
    /** Letters to be drawn where there are none. */
    ghost: Cells | null;
    filling: ({ value: Value | null; bound: Value | null; objective: string } & Clock) | null;
    /** Since when it is asked how good a fill with each word can be, of how many words, and of how many it is known. */
    weighing: (Clock & { done: number; of: number }) | null;
    /** The search that is watched, and where it is; what the grid shows of it. */
    watching: Watching | null;
    trial: Trial | null;
    counting: ({ fills: number; exact: boolean; running: boolean } & Clock) | null;
    figures: Figures | null;
    /** The rules that the letters break. */
    audit: Audit | null;
    message: string;
    /** What can be done about a message. */
    offer: { message: string; name: string; act: () => void } | null;
  }>;

// Elements, as dom.js makes them

export type Child = Node | string | false | null | undefined | readonly Child[];
type Text = string | false | null | undefined;
type Flag = boolean | null | undefined;
type Listeners<E> = {
  [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K] & { currentTarget: E }) => void;
};
type Texts =
  | ("id" | "class" | "title" | "role" | "tabindex" | "draggable" | "name")
  | ("for" | "href" | "download" | "method" | "scope" | "rows")
  | ("type" | "value" | "min" | "max" | "step" | "maxlength" | "placeholder" | "autocomplete" | "accept")
  | (`aria-${string}` | `data-${string}`);
type Flags = "hidden" | "disabled" | "checked" | "selected" | "multiple" | "required" | "readonly" | "autofocus";
type Style = { style?: Record<string, string> };
export type Attributes<E = HTMLElement> = Listeners<E> & { [K in Texts]?: Text } & { [K in Flags]?: Flag } & Style;

declare global {
  interface Window {
    /** Not in all browsers. */
    showDirectoryPicker?(options: { id: string; mode: "readwrite" }): Promise<FileSystemDirectoryHandle>;
  }
}
