// The state of the page. A puzzle is immutable, so that undo is a list of puzzles.

import { findSlot, firstOpen, makePuzzle, nameIn } from "./model.js";

/** @import { Marks, Move, Preferences, Puzzle, Settings, Stage, State, Terms } from "../types.d.ts" */

const PREFERENCES = "cpfill";
const DEPTH = 1000;

/** @returns {Preferences} */
function readPreferences() {
  try {
    return { ...JSON.parse(localStorage.getItem(PREFERENCES) || "{}") };
  } catch {
    return {};
  }
}

/** What the browser keeps. */
const preferred = readPreferences();

/** @type {State["candidates"]} */
export const NOTHING = { slot: "", words: [], total: 0, verdicts: new Map(), state: "none" };

/** @type {State} */
const current = {
  puzzle: makePuzzle(15, 15),
  pencilled: new Set(),
  opened: [],
  locked: new Set(),
  past: [],
  future: [],

  name: null,
  etag: null,
  saving: "saved",
  kept: true,
  theirs: null,
  directory: "",
  puzzles: [],
  lists: [],
  clueFiles: [],
  about: null,

  mode: "fill",
  cursor: 0,
  direction: "Across",
  anchor: null,
  selecting: false,
  painting: false,
  flashing: new Set(),

  words: [],
  minScore: 0,
  personal: true,
  pool: [],
  clueSources: [],
  seeds: [],
  symmetry: preferred.symmetry || "rotate",
  style: preferred.style || "american",
  shade: preferred.shade || "#d3d3d3",
  language: preferred.language || (navigator.language.startsWith("fr") ? "fr" : "en"),
  theme: preferred.theme || "auto",
  hintsClosed: preferred.hintsClosed || [],
  tint: preferred.tint || false,
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

  patterns: [],
  candidates: NOTHING,
  crossing: NOTHING,
  filter: "",
  order: preferred.order || "score",
  clueOrder: preferred.clueOrder || "number",
  letters: new Map(),
  fillable: "none",
  left: null,
  explanation: null,
  ghost: null,
  filling: null,
  watching: null,
  trial: null,
  counting: null,
  figures: null,
  audit: null,
  message: "",
  offer: null,
};

/** What there is, part by part as `State` in types.d.ts says; views read it, `update` alone writes it. */
export const state = /** @type {Readonly<State>} */ (current);

/** Drop the message about something earlier; that there is no server stays until it answers. */
export function dismiss() {
  if (state.message !== "no_server") update({ message: "" });
}

/** @typedef {(state: Readonly<State>) => void} Listener */

/** @type {Set<Listener>} */
const views = new Set();
let scheduled = false;

/** Have a function called after each change, once a frame. @param {Listener} view */
export function watch(view) {
  views.add(view);
}

function draw() {
  scheduled = false;
  for (const view of views) view(state);
}

/** Change the state, and have it drawn. @param {Partial<State>} change */
export function update(change) {
  Object.assign(current, change);
  if (!scheduled) {
    scheduled = true;
    requestAnimationFrame(draw);
  }
}

/** Remember what the user prefers. @param {Partial<Settings>} change */
export function prefer(change) {
  update(change);
  remember(change);
}

/** @param {Preferences} change */
function remember(change) {
  Object.assign(preferred, change);
  try {
    localStorage.setItem(PREFERENCES, JSON.stringify(preferred));
  } catch {
    // A browser that stores nothing forgets it.
  }
}

const PUZZLES = 200;

/** Return what is chosen for a new puzzle: the words of the language that the page speaks. @returns {Terms} */
export const usualTerms = () => ({
  words: [state.language],
  minScore: 0,
  personal: true,
  pool: [],
  clueSources: [],
  seeds: [],
});

/** Return what is chosen for this puzzle. @returns {Terms} */
export const termsHere = ({ words, minScore, personal, pool, clueSources, seeds } = state) => ({
  words,
  minScore,
  personal,
  pool,
  clueSources,
  seeds,
});

/** @param {string | null} name */
const keyOf = (name) => `${state.directory}/${name}`;

/** Choose lists and the like for this puzzle. @param {Partial<Terms>} change */
export function agree(change) {
  update(change);
  const others = Object.entries(preferred.puzzles ?? {}).filter(([key]) => key !== keyOf(state.name));
  remember({ puzzles: Object.fromEntries([...others.slice(1 - PUZZLES), [keyOf(state.name), termsHere()]]) });
}

/**
 * Have what was chosen for a puzzle go with its new name, or with null be forgotten.
 * @param {string} name @param {string | null} to
 */
export function rekey(name, to) {
  const { [keyOf(name)]: terms, ...puzzles } = preferred.puzzles ?? {};
  remember({ puzzles: terms && to ? { ...puzzles, [keyOf(to)]: terms } : puzzles });
}

/** Return what was chosen for a puzzle, less the lists that are gone. @param {string | null} name @returns {Terms} */
function termsOf(name) {
  const usual = usualTerms(),
    terms = { ...usual, ...preferred.puzzles?.[keyOf(name)] };
  const there = new Set([...(state.about?.lists ?? []), ...state.lists]),
    files = new Set(state.clueFiles);
  const words = terms.words.filter((list) => there.has(list));
  const pool = terms.pool.filter((each) => there.has(each) || !/[./]/.test(each));
  return {
    ...terms,
    words: words.length ? words : usual.words,
    pool,
    clueSources: terms.clueSources.filter((file) => files.has(file)),
    seeds: terms.seeds.filter(Boolean),
  };
}

/**
 * Note which puzzle is open: this tab opens it after a reload, and this browser at its next visit to the directory.
 * @param {string} name
 */
export function noteOpen(name) {
  history.replaceState({ puzzle: name }, "");
  remember({ last: { ...preferred.last, [state.directory]: name } });
}

/** Return the puzzle this tab had before a reload, and the one this browser opened last in the directory. */
export const listNoted = () => [history.state?.puzzle, preferred.last?.[state.directory]];

/** @typedef {(state: Readonly<State>, typed: boolean) => void} EditListener */

/** @type {Set<EditListener>} */
const edited = new Set();

/**
 * Call a function after each change of the puzzle. Its second argument says whether a text alone was typed.
 * @param {EditListener} listener
 */
export function onEdit(listener) {
  edited.add(listener);
}

/** @returns {Stage} */
const here = () => ({ puzzle: state.puzzle, pencilled: state.pencilled, locked: state.locked, opened: state.opened });

/**
 * Put another puzzle in the place of this one, or mark its letters otherwise; it can be undone. What is marked follows
 * its cells, which go where `to` says.
 * @param {Puzzle} puzzle @param {Partial<Marks>} [also] @param {Move} [to]
 */
export function edit(puzzle, also = {}, to = (cell) => cell) {
  if (puzzle === state.puzzle && !also.locked && !also.opened) return;
  const [pencilled, locked] = [state.pencilled, state.locked].map((cells) => new Set(present([...cells].map(to))));
  const opened = present(
    state.opened.map((name) => {
      const slot = findSlot(state.puzzle, name);
      return slot && nameIn(puzzle, slot, to);
    }),
  );
  put({ pencilled, locked, opened, ...also, puzzle }, [...state.past.slice(-DEPTH), here()], []);
}

/** A longer pause ends a burst of typing. */
const PAUSE_MS = 2000;
/** The last key in a text: its field, the puzzle it made, and when. */
let typing = { field: "", puzzle: state.puzzle, at_ms: 0 };

/**
 * Change a text of the puzzle as it is typed, at each key: one undo takes back a burst of typing in one field.
 * @param {string} field @param {Puzzle} puzzle
 */
export function typeInto(field, puzzle) {
  if (puzzle === state.puzzle) return;
  const now_ms = performance.now();
  const goesOn = typing.field === field && typing.puzzle === state.puzzle && now_ms - typing.at_ms < PAUSE_MS;
  update({ puzzle, past: goesOn ? state.past : [...state.past.slice(-DEPTH), here()], future: [] });
  typing = { field, puzzle, at_ms: now_ms };
  dismiss();
  for (const listener of edited) listener(state, true);
}

/**
 * Open another puzzle, at a stage if one is known: nothing before it can be undone.
 * @param {Puzzle} puzzle @param {Partial<State> & {name: string}} change @param {Marks} [stage]
 */
export function open(puzzle, change, stage = { pencilled: new Set(), locked: new Set(), opened: [] }) {
  update({
    cursor: firstOpen(puzzle),
    direction: "Across",
    anchor: null,
    patterns: [],
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
  put(there, past, future, changed >= 0 ? changed : state.cursor);
}

/** @template T @param {(T | undefined)[]} list */
const present = (list) => list.filter((each) => each !== undefined);

/**
 * A region stays as long as the cells do.
 * @param {Stage} stage @param {readonly Stage[]} past @param {readonly Stage[]} future @param {number} [at]
 */
function put({ puzzle, pencilled, locked, opened }, past, future, at = state.cursor) {
  /** @param {ReadonlySet<number>} cells */
  const lettered = (cells) => new Set([...cells].filter((cell) => puzzle.cells[cell]));
  const cursor = Math.min(at, puzzle.cells.length - 1),
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
  for (const listener of edited) listener(state, false);
}
