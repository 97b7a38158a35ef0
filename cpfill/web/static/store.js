// The state of the page. A puzzle is immutable, so that undo is a list of puzzles.

import { findSlot, makePuzzle, nameIn } from "./model.js";

/** @typedef {import("./model.js").Puzzle} Puzzle */

const PREFERENCES = "cpfill";
const DEPTH = 1000;

const preferred = (() => {
  try {
    return { ...JSON.parse(localStorage.getItem(PREFERENCES) || "{}") };
  } catch {
    return {};
  }
})();

/** What there is; views read it, `update` alone writes it. */
export const state = {
  /** @type {Puzzle} */
  puzzle: makePuzzle(15, 15),
  /** Cells whose letters an autofill wrote: the next one may write others. @type {ReadonlySet<number>} */
  pencilled: new Set(),
  /** Slots that need not be words. @type {readonly string[]} */
  opened: [],
  /** Cells whose letters nothing but an unlocking changes. @type {ReadonlySet<number>} */
  locked: new Set(),
  past: [],
  future: [],

  /** @type {string | null} the file it is saved in */
  name: null,
  etag: null,
  /** @type {"saved" | "saving" | "unsaved" | "conflict"} */
  saving: "saved",
  /** What stands in the file, where it was changed elsewhere. @type {{puzzle: Puzzle | null, etag: string | null} | null} */
  theirs: null,
  directory: "",
  puzzles: [],
  /** Files of the directory: word lists, and clues. */
  lists: [],
  clueFiles: [],
  about: null,

  mode: "fill",
  cursor: 0,
  /** @type {import("./model.js").Direction} */
  direction: "Across",
  /** The other corner of the region that is selected, beside the cursor. @type {number | null} */
  anchor: null,
  /** Whether a finger on the grid selects a region; else it scrolls the page. */
  selecting: false,
  /** Whether a press in the design paints blocks, or takes them away, as far as it is drawn. */
  painting: false,
  flashing: new Set(),

  /** What words a fill may have: each puzzle keeps what was chosen for it, and a new one begins with the last choice. */
  words: [],
  minScore: 0,
  personal: true,
  /** Words and lists of which as many as can be are to stand in the grid. @type {readonly string[]} */
  pool: [],
  /** Files where clues are looked up, beside the dictionaries. @type {readonly string[]} */
  clueSources: [],
  symmetry: preferred.symmetry || "rotate",
  style: preferred.style || "american",
  /** The colour in which cells are shaded. */
  shade: preferred.shade || "#d3d3d3",
  language: preferred.language || (navigator.language.startsWith("fr") ? "fr" : "en"),
  theme: preferred.theme || "auto",
  /** The hints that were closed. @type {readonly string[]} */
  hintsClosed: preferred.hintsClosed || [],
  /** Whether cells are tinted by how few words their slots have left. */
  tint: preferred.tint || false,
  /** The search that is watched: its engine and options, and how fast it is played. */
  search: {
    engine: "fc-cbj",
    ac3: true,
    order: "mrv",
    shuffle: false,
    restarts: true,
    seed: 0,
    speed: 1,
    ...preferred.search,
  },

  /** What is known of the slot under the cursor. */
  candidates: { slot: "", words: [], total: 0, verdicts: new Map(), state: "none" },
  /** The same of the slot that crosses it there. */
  crossing: { slot: "", words: [], total: 0, verdicts: new Map(), state: "none" },
  /** The beginning of the candidates that are listed; `?` is any letter. */
  filter: "",
  /** @type {"score" | "verdict" | "best" | "word"} */
  order: preferred.order || "score",
  /** @type {"number" | "missing" | "score" | "length" | "word"} */
  clueOrder: preferred.clueOrder || "number",
  /** The letters that cells can hold, and those that are not decided. @type {Map<number, {yes: string, open: string}>} */
  letters: new Map(),
  /** Whether there is a fill. @type {"yes" | "no" | "open" | "none"} */
  fillable: "none",
  /** How many words propagation leaves each slot of a puzzle. @type {{puzzle: Puzzle, words: Record<string, number>} | null} */
  left: null,
  explanation: null,
  /** Letters to be drawn where there are none. @type {(string | null)[] | null} */
  ghost: null,
  filling: null,
  /** The search that is watched, and where it is; what the grid shows of it. */
  watching: null,
  trial: null,
  counting: null,
  figures: null,
  /** The rules that the letters break. @type {{violations: {rule: string, detail: string}[]} | null} */
  audit: null,
  message: "",
  /** What can be done about a message. @type {{message: string, name: string, act: () => void} | null} */
  offer: null,
};

/** Drop the message about something earlier; that there is no server stays until it answers. */
export function dismiss() {
  if (state.message !== "no_server") update({ message: "" });
}

const views = new Set();
let scheduled = false;

/** Have a function called after each change, once a frame. */
export function watch(view) {
  views.add(view);
}

function draw() {
  scheduled = false;
  for (const view of views) view(state);
}

/** Change the state, and have it drawn. @param {Partial<typeof state>} change */
export function update(change) {
  Object.assign(state, change);
  if (!scheduled) {
    scheduled = true;
    requestAnimationFrame(draw);
  }
}

/** Remember what the user prefers. */
export function prefer(change) {
  update(change);
  remember(change);
}

function remember(change) {
  Object.assign(preferred, change);
  try {
    localStorage.setItem(PREFERENCES, JSON.stringify(preferred));
  } catch {
    // A browser that stores nothing forgets it.
  }
}

/** What is chosen at first: the words of the language that the page begins in. */
const TERMS = { words: [state.language], minScore: 0, personal: true, pool: [], clueSources: [] };
const PUZZLES = 200;

const keyOf = (name) => `${state.directory}/${name}`;

/** Choose lists and the like for this puzzle, and for those that are new. @param {Partial<typeof TERMS>} change */
export function agree(change) {
  update(change);
  const terms = Object.fromEntries(Object.keys(TERMS).map((name) => [name, state[name]]));
  const others = Object.entries(preferred.puzzles ?? {}).filter(([key]) => key !== keyOf(state.name));
  remember({
    terms: { ...terms, pool: [] },
    puzzles: Object.fromEntries([...others.slice(1 - PUZZLES), [keyOf(state.name), terms]]),
  });
}

/** Have what was chosen for a puzzle go with its new name, or with null be forgotten. */
export function rekey(name, to) {
  const { [keyOf(name)]: terms, ...puzzles } = preferred.puzzles ?? {};
  remember({ puzzles: terms && to ? { ...puzzles, [keyOf(to)]: terms } : puzzles });
}

/** Return what was chosen for a puzzle, less the lists that are gone. @returns {typeof TERMS} */
function termsOf(name) {
  const terms = { ...TERMS, ...preferred.terms, ...preferred.puzzles?.[keyOf(name)] };
  const there = new Set([...(state.about?.lists ?? []), ...state.lists]),
    files = new Set(state.clueFiles);
  const words = terms.words.filter((list) => there.has(list));
  const pool = terms.pool.filter((each) => there.has(each) || !/[./]/.test(each));
  return {
    ...terms,
    words: words.length ? words : TERMS.words,
    pool,
    clueSources: terms.clueSources.filter((file) => files.has(file)),
  };
}

const edited = new Set();

/** Have a function called when the puzzle is another. */
export function onEdit(listener) {
  edited.add(listener);
}

/** @typedef {{puzzle: Puzzle, pencilled: ReadonlySet<number>, locked: ReadonlySet<number>, opened: readonly string[]}} Stage  What undo goes back to. */

/** @returns {Stage} */
const here = () => ({ puzzle: state.puzzle, pencilled: state.pencilled, locked: state.locked, opened: state.opened });

/**
 * Put another puzzle in the place of this one, or mark its letters otherwise; it can be undone. What is marked follows its
 * cells, which go where `to` says.
 * @param {Puzzle} puzzle @param {Partial<Stage>} [also] @param {(cell: number) => number | undefined} [to]
 */
export function edit(puzzle, also = {}, to = (cell) => cell) {
  if (puzzle === state.puzzle && !also.locked && !also.opened) return;
  const [pencilled, locked] = [state.pencilled, state.locked].map((cells) => new Set([...cells].map(to)));
  const opened = state.opened.map((name) => nameIn(puzzle, findSlot(state.puzzle, name), to));
  put({ pencilled, locked, opened, ...also, puzzle }, [...state.past.slice(-DEPTH), here()], []);
}

/** Open another puzzle, at a stage if one is known: nothing before it can be undone. */
export function open(puzzle, change, stage = { pencilled: new Set(), locked: new Set(), opened: [] }) {
  Object.assign(state, {
    cursor: Math.max(
      0,
      puzzle.cells.findIndex((cell) => cell !== null),
    ),
    direction: "Across",
    anchor: null,
    ...termsOf(change.name),
    ...change,
  });
  put({ puzzle, ...stage }, [], []);
}

/** Go back one edit, or forward. @param {"past" | "future"} way */
export function travel(way) {
  const [from, to] = way === "past" ? [state.past, state.future] : [state.future, state.past];
  if (!from.length) return;
  const rest = from.slice(0, -1),
    [past, future] = way === "past" ? [rest, [...to, here()]] : [[...to, here()], rest];
  const there = from[from.length - 1],
    cells = there.puzzle.cells;
  const changed =
    cells.length === state.puzzle.cells.length ? cells.findIndex((cell, at) => cell !== state.puzzle.cells[at]) : -1;
  if (changed >= 0) state.cursor = changed;
  put(there, past, future);
}

/** A region stays as long as the cells do. @param {Stage} stage */
function put({ puzzle, pencilled, locked, opened }, past, future) {
  const lettered = (cells) => new Set([...cells].filter((cell) => puzzle.cells[cell]));
  const cursor = Math.min(state.cursor, puzzle.cells.length - 1),
    anchor = puzzle.cells === state.puzzle.cells ? state.anchor : null;
  update({
    puzzle,
    pencilled: lettered(pencilled),
    locked: lettered(locked),
    opened: opened.filter((name) => findSlot(puzzle, name)),
    past,
    future,
    cursor,
    anchor,
    ghost: null,
  });
  dismiss();
  for (const listener of edited) listener(state);
}
