// The state of the page. A puzzle is immutable, so that undo is a list of puzzles.

import { findSlot, makePuzzle } from "./model.js";

/** @typedef {import("./model.js").Puzzle} Puzzle */

const PREFERENCES = "cpfill";
const DEPTH = 1000;

const preferred = (() => {
  try {
    return JSON.parse(localStorage.getItem(PREFERENCES) || "{}");
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
  puzzles: [],
  lists: [],
  about: null,

  mode: "fill",
  cursor: 0,
  /** @type {import("./model.js").Direction} */
  direction: "Across",
  /** The other corner of the region that is selected, beside the cursor. @type {number | null} */
  anchor: null,
  flashing: new Set(),

  words: preferred.words || ["en"],
  minScore: preferred.minScore ?? 0,
  symmetry: preferred.symmetry || "rotate",
  style: preferred.style || "american",
  /** The colour in which cells are shaded. */
  shade: preferred.shade || "#d3d3d3",
  language: preferred.language || (navigator.language.startsWith("fr") ? "fr" : "en"),
  theme: preferred.theme || "auto",
  /** The search that is watched: its engine and options, and how fast it is played. */
  search: { engine: "fc-cbj", ac3: true, order: "mrv", shuffle: false, restarts: true, seed: 0, speed: 1, ...preferred.search },

  /** What is known of the slot under the cursor. */
  candidates: { slot: "", words: [], verdicts: new Map(), state: "none" },
  /** What is known of each cell: {yes, forced, none}. @type {Map<number, {yes: string, open: string}>} */
  letters: new Map(),
  /** @type {{verdict: "yes" | "no" | "open" | "none", witness: string[][] | null}} */
  fillable: { verdict: "none", witness: null },
  explanation: null,
  /** Letters to be drawn where there are none. @type {(string | null)[] | null} */
  ghost: null,
  filling: null,
  /** The search that is watched, and where it is; what the grid shows of it. */
  watching: null,
  trial: null,
  counting: null,
  figures: null,
  message: "",
};

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

/** Remember what the user prefers; the browser stores nothing else. */
export function prefer(change) {
  update(change);
  Object.assign(preferred, change);
  try {
    localStorage.setItem(PREFERENCES, JSON.stringify(preferred));
  } catch {
    // A browser that stores nothing forgets it.
  }
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
 * Put another puzzle in the place of this one, or mark its letters otherwise; it can be undone.
 * @param {Puzzle} puzzle @param {Partial<Stage>} [also]
 */
export function edit(puzzle, also = {}) {
  if (puzzle === state.puzzle && !also.locked && !also.opened) return;
  put({ ...here(), ...also, puzzle }, [...state.past.slice(-DEPTH), here()], []);
}

/** Open another puzzle: nothing before it can be undone. */
export function open(puzzle, change) {
  Object.assign(state, { cursor: Math.max(0, puzzle.cells.findIndex((cell) => cell !== null)), direction: "Across", anchor: null, ...change });
  put({ puzzle, pencilled: new Set(), locked: new Set(), opened: [] }, [], []);
}

/** Go back one edit, or forward. @param {"past" | "future"} way */
export function travel(way) {
  const [from, to] = way === "past" ? [state.past, state.future] : [state.future, state.past];
  if (!from.length) return;
  const rest = from.slice(0, -1), [past, future] = way === "past" ? [rest, [...to, here()]] : [[...to, here()], rest];
  const there = from[from.length - 1], cells = there.puzzle.cells;
  const changed = cells.length === state.puzzle.cells.length ? cells.findIndex((cell, at) => cell !== state.puzzle.cells[at]) : -1;
  if (changed >= 0) state.cursor = changed;
  put(there, past, future);
}

/** @param {Stage} stage */
function put({ puzzle, pencilled, locked, opened }, past, future) {
  const lettered = (cells) => new Set([...cells].filter((cell) => puzzle.cells[cell]));
  const cursor = Math.min(state.cursor, puzzle.cells.length - 1);
  update({ puzzle, pencilled: lettered(pencilled), locked: lettered(locked), opened: opened.filter((name) => findSlot(puzzle, name)), past, future, cursor, anchor: null, ghost: null });
  for (const listener of edited) listener(state);
}
