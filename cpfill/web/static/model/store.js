// The state of the page. A puzzle is immutable, so that undo is a list of puzzles.

import { begin } from "./idle.js";
import { readRules } from "./letter-rules.js";
import {
  answerOf,
  findSlot,
  firstOpen,
  isWhole,
  listSlots,
  makePuzzle,
  nameIn,
  setLetters,
  without,
} from "./puzzle.js";
import { track } from "./tracked.js";

/** @import { Cells, Direction, Letters, Marking, Marks, Move, Place, Preferences, Puzzle } from "../../types.d.ts" */
/** @import { Settings, Slot, Stage, State, Terms, Work } from "../../types.d.ts" */

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

/** The style whose grid has one's own words alone, and no rules for blocks. */
export const CRISS_CROSS = "criss-cross";

/** @type {State["crissCross"]} */
const NO_WORDS = { text: "", rows: "", columns: "", most: false };

/** @type {State["candidates"]} */
export const NOTHING = { slot: "", words: [], total: 0, verdicts: new Map(), state: "none", dead: [] };

/** @type {State} */
const current = {
  puzzle: makePuzzle(15, 15),
  pencilled: new Set(),
  opened: [],
  locked: new Set(),
  taken: [],
  typed: new Set(),
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
  noShared: false,
  personal: true,
  frank: false,
  pool: [],
  clueSources: [],
  seeds: [],
  excluded: [],
  crissCross: NO_WORDS,
  letterRules: {},
  symmetry: preferred.symmetry || "rotate",
  style: preferred.style || "american",
  shade: preferred.shade || "#d3d3d3",
  language: preferred.language || (navigator.language.startsWith("fr") ? "fr" : "en"),
  theme: preferred.theme || "auto",
  hintsClosed: preferred.hintsClosed || [],
  tint: preferred.tint || false,
  still: preferred.still || false,
  bare: false,
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
  order: preferred.order || "verdict",
  clueOrder: preferred.clueOrder || "number",
  letters: new Map(),
  fillable: "none",
  unlisted: [],
  left: null,
  ruleFaults: {},
  brokenRules: [],
  explanation: null,
  edits: null,
  ghost: null,
  filling: null,
  weighing: null,
  watching: null,
  trial: null,
  counting: null,
  figures: null,
  audit: null,
  message: "",
  offer: null,
};

/** What there is, part by part as `State` in types.d.ts says; views read it, `update` alone writes it. */
export const state = /** @type {Readonly<State>} */ (track(current));

/** That nothing is saved is said until something is. */
export const LASTING = ["no_server", "no_space"];

/** Drop the message about something earlier. */
export function dismiss() {
  if (!LASTING.includes(state.message)) update({ message: "" });
}

/** Say what an edit did, and offer to undo it. @param {string} message */
export const tellUndoable = (message) =>
  update({ message, offer: { message, name: "undo", act: () => travel("past") } });

/** @typedef {(state: Readonly<State>) => void} Listener */

/** @type {Set<Listener>} */
const views = new Set();
/** Whether the next frame draws, and what notes that it has. */
const drawing = { scheduled: false, end: () => {} };

/** Have a function called after each change, once a frame. @param {Listener} view */
export function watch(view) {
  views.add(view);
}

function draw() {
  const { end } = drawing;
  drawing.scheduled = false;
  for (const view of views) view(state);
  end();
}

/** Change the state, and have it drawn. @param {Partial<State>} change */
export function update(change) {
  Object.assign(current, change);
  if (drawing.scheduled) return;
  Object.assign(drawing, { scheduled: true, end: begin() });
  requestAnimationFrame(draw);
}

/** Remember what the user prefers. @param {Partial<Settings>} change */
export function prefer(change) {
  update(change);
  remember(change);
}

/** Show a hint no more: its reader closed it, or does what it says. @param {string} name */
export function closeHint(name) {
  if (!state.hintsClosed.includes(name)) prefer({ hintsClosed: [...state.hintsClosed, name] });
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

/** The lists of styles that have their own, by the language that the page speaks. @type {Record<string, string>} */
const STYLE_LISTS = { "en british": "en-gb", "en barred": "en-gb", "en french": "fr" };

/** Return the word list that a style brings, by default that of the language which the page speaks. */
export const listOf = (style = state.style) => STYLE_LISTS[`${state.language} ${style}`] ?? state.language;

/** The least score in a new puzzle: each packaged list has thousands of words from it on. */
const USUAL_SCORE = 40;

/** Return what is chosen for a new puzzle. @returns {Terms} */
export const usualTerms = () => ({
  words: [listOf()],
  minScore: USUAL_SCORE,
  noShared: false,
  personal: true,
  frank: false,
  pool: [],
  clueSources: [],
  seeds: [],
  excluded: [],
  crissCross: NO_WORDS,
  letterRules: {},
});

/** Return what is chosen for this puzzle. @returns {Terms} */
function termsHere() {
  const names = /** @type {(keyof Terms)[]} */ (Object.keys(usualTerms()));
  return /** @type {Terms} */ (Object.fromEntries(names.map((name) => [name, state[name]])));
}

/** Choose lists and the like for this puzzle, in whose file they stand. @param {Partial<Terms>} change */
export function agree(change) {
  update(change);
  for (const listener of edited) listener(state, true);
}

/** Return what is kept with the puzzle that is open. @returns {Work} */
export const workHere = () => ({
  ...(state.pencilled.size && { pencilled: [...state.pencilled], limits: state.puzzle.letter_sets }),
  ...(state.locked.size && { locked: [...state.locked] }),
  ...(state.opened.length && { opened: state.opened }),
  taken: listOwn().map(({ name }) => name),
  terms: termsHere(),
});

/**
 * Return a puzzle with the sets of letters that are kept beside it: in a puzzle, cells with a letter have none.
 * @param {Puzzle} puzzle @param {Work} work @returns {Puzzle}
 */
export function withLimits(puzzle, { limits = {} }) {
  const kept = Object.entries(limits).filter(
    ([cell, set]) => puzzle.cells[Number(cell)] && set && typeof set === "string",
  );
  return { ...puzzle, letter_sets: { ...puzzle.letter_sets, ...Object.fromEntries(kept) } };
}

/**
 * Return the marks that are kept with a puzzle; a file may say anything.
 * @param {Puzzle} puzzle @param {Work} work @returns {Marks}
 */
export function marksOf(puzzle, { pencilled, locked, opened, taken }) {
  /** @param {unknown} list */
  const lettered = (list) => new Set(Array.isArray(list) ? list.filter((cell) => puzzle.cells[cell]) : []);
  const theirs = lettered(pencilled),
    whole = () => listSlots(puzzle).filter((slot) => isWhole(without(puzzle, theirs), slot));
  return {
    pencilled: theirs,
    locked: lettered(locked),
    opened: textsOf(opened) ?? [],
    taken: textsOf(taken) ?? whole().map(({ name }) => name),
    typed: new Set(),
  };
}

/** @param {unknown} list @returns {string[] | undefined} */
const textsOf = (list) =>
  Array.isArray(list) && list.every((each) => typeof each === "string") ? list.filter(Boolean) : undefined;

/** Return the terms that are kept with a puzzle, less the lists that are gone. @param {Work["terms"]} said @returns {Terms} */
function termsOf(said = {}) {
  const there = new Set([...(state.about?.lists ?? []), ...state.lists]),
    files = new Set(state.clueFiles),
    words = (textsOf(said.words) ?? []).filter((list) => there.has(list));
  return {
    words: words.length ? words : [state.language],
    minScore: Number(said.minScore) || 0,
    noShared: said.noShared === true,
    personal: said.personal !== false,
    frank: said.frank === true,
    pool: (textsOf(said.pool) ?? []).filter((each) => there.has(each) || !/[./]/.test(each)),
    clueSources: (textsOf(said.clueSources) ?? []).filter((file) => files.has(file)),
    seeds: textsOf(said.seeds) ?? [],
    excluded: (textsOf(said.excluded) ?? []).filter((word) => !/[./]/.test(word)),
    crissCross: crissCrossOf(said.crissCross),
    letterRules: readRules(said.letterRules),
  };
}

/** Return the words of a criss-cross that are kept with a puzzle; a file may say anything. @param {Partial<State["crissCross"]>} [said] */
function crissCrossOf(said) {
  const { text, rows, columns, most } = said ?? {};
  return {
    text: typeof text === "string" ? text : "",
    rows: Number(rows) ? String(rows) : "",
    columns: Number(columns) ? String(columns) : "",
    most: most === true,
  };
}

/** Note where this tab is: this browser goes on there at its next visit to the directory, and this tab after a reload. */
export function notePlace() {
  const { name, cursor, direction, mode, directory } = state;
  if (name === null) return;
  if (history.state?.name !== name) history.replaceState({ name }, "");
  remember({ last: { ...preferred.last, [directory]: { name, cursor, direction, mode } } });
}

/**
 * Return where this tab was before a reload, and where this browser was last in the directory.
 * @returns {(Partial<Place> | undefined)[]}
 */
export function listNoted() {
  const { place } = readTab(),
    reloaded = history.state ?? undefined;
  return [place?.name === reloaded?.name ? place : reloaded, preferred.last?.[state.directory]];
}

/** @typedef {(state: Readonly<State>, typed: boolean, unasked?: boolean) => void} EditListener */

/** @type {Set<EditListener>} */
const edited = new Set();

/**
 * Call a function after each change of the puzzle. Its second argument says whether a text alone was typed, the third
 * whether the program pencilled letters.
 * @param {EditListener} listener
 */
export function onEdit(listener) {
  edited.add(listener);
}

/** Return what undo goes back to. @returns {Stage} */
export const here = () => {
  const { puzzle, pencilled, locked, opened, taken, typed } = state;
  return { puzzle, pencilled, locked, opened, taken, typed };
};

/**
 * Put another puzzle in the place of this one, or mark its letters otherwise; it can be undone. What is marked follows
 * its cells, which go where `to` says; a word is one's own no longer when a letter of it changes.
 * @param {Puzzle} puzzle @param {Marking} [also] @param {Move} [to]
 */
export function edit(puzzle, also = {}, to = (cell) => cell) {
  if (puzzle === state.puzzle && !Object.keys(also).length) return;
  const { takes = [], types = [], ...marks } = also;
  const [pencilled, locked] = [state.pencilled, state.locked].map((cells) => new Set(present([...cells].map(to))));
  const opened = present(
    state.opened.map((name) => {
      const slot = findSlot(state.puzzle, name);
      return slot && nameIn(puzzle, slot, to);
    }),
  );
  const taken = [...new Set([...keepTaken(puzzle, to), ...takes])],
    typed = new Set([...keepTyped(puzzle, to), ...types]);
  put({ pencilled, locked, opened, taken, typed, ...marks, puzzle }, [...state.past.slice(-DEPTH), here()], []);
}

/** Return what tells whether a cell has the same letter in another puzzle. @param {Puzzle} puzzle @param {Move} to */
const stays = (puzzle, to) => (/** @type {number} */ cell) => {
  const now = to(cell);
  return now !== undefined && puzzle.cells[now] === state.puzzle.cells[cell];
};

/** Return the slots whose words stay taken in another puzzle. @param {Puzzle} puzzle @param {Move} to */
const keepTaken = (puzzle, to) =>
  present(
    state.taken.map((name) => {
      const slot = findSlot(state.puzzle, name);
      return slot?.cells.every(stays(puzzle, to)) ? nameIn(puzzle, slot, to) : undefined;
    }),
  );

/** Return what stays typed in another puzzle. @param {Puzzle} puzzle @param {Move} to */
const keepTyped = (puzzle, to) =>
  [...state.typed].flatMap((key) => {
    const [cell, direction] = key.split(" "),
      at = Number(cell);
    return stays(puzzle, to)(at) ? [typedAs(/** @type {number} */ (to(at)), direction)] : [];
  });

/** Return how it is noted that a letter was typed along a slot. @param {number} cell @param {string} direction */
export const typedAs = (cell, direction) => `${cell} ${direction}`;

/** Note that a letter which stands was typed along a slot: nothing that undo could take back. @param {string} key */
export function noteTyped(key) {
  if (!state.typed.has(key)) update({ typed: new Set(state.typed).add(key) });
}

/** Whether the word of a slot is its author's own: typed whole, taken or locked. @param {Slot} slot */
export const isOwn = (slot) =>
  isWhole(mine(), slot) &&
  (state.taken.includes(slot.name) ||
    slot.cells.every((cell) => state.locked.has(cell)) ||
    slot.cells.every((cell) => state.typed.has(typedAs(cell, slot.direction))));

/** Return the slots with a word of their author's own. */
export const listOwn = () => listSlots(state.puzzle).filter(isOwn);

/** Return the words of one's own. */
export const ownWords = () => listOwn().map((slot) => answerOf(state.puzzle, slot));

/** The puzzle without what is pencilled, and what it was made of. */
const own = {
  puzzle: state.puzzle,
  pencilled: state.pencilled,
  mine: state.puzzle,
};

/** Return the puzzle with the letters of its author alone: those that are pencilled are the program's. */
export function mine() {
  const { puzzle, pencilled } = state;
  if (own.puzzle !== puzzle || own.pencilled !== pencilled)
    Object.assign(own, { puzzle, pencilled, mine: without(puzzle, pencilled) });
  return own.mine;
}

/** Whether the last step took letters out, all that were pencilled among them: then the cells are to stay empty. */
export function isCleared() {
  const last = state.past.at(-1);
  if (!last?.pencilled.size || state.pencilled.size) return false;
  const { cells } = last.puzzle;
  return state.puzzle.cells.every((now, cell) => now === "" || (now === cells[cell] && !last.pencilled.has(cell)));
}

/**
 * Have other letters of the program stand in the puzzle. They are a part of the last step, which undo takes back with
 * them, and are saved as soon as there was one.
 * @param {Letters} letters
 */
export function pencil(letters) {
  const kept = mine();
  update({
    puzzle: setLetters(state.puzzle, letters, state.pencilled),
    pencilled: new Set([...state.pencilled, ...letters.keys()]),
  });
  Object.assign(own, { puzzle: state.puzzle, pencilled: state.pencilled, mine: kept }); // what is asked of it is the same question
  if (state.past.length) for (const listener of edited) listener(state, true, true);
}

/**
 * Put a grid that a search found in the place of this one, its words their author's own. A better one that it finds later
 * belongs to the same step, which undo takes back as a whole.
 * @param {Puzzle} puzzle @param {readonly Stage[]} past  What could be undone when the search began, and what stood then.
 */
export function improve(puzzle, past) {
  const taken = listSlots(puzzle).map(({ name }) => name),
    nothing = /** @type {ReadonlySet<never>} */ (new Set());
  const stage = { puzzle, taken, pencilled: nothing, locked: nothing, opened: [], typed: nothing };
  put(stage, past.slice(-DEPTH), [], state.cursor, true);
}

/** A longer pause ends a burst of typing. */
const PAUSE_MS = 2000;
/** The last key in a text: its field, the puzzle it made, and when. */
const typing = { field: "", puzzle: state.puzzle, at_ms: 0 };

/**
 * Change a text of the puzzle as it is typed, at each key: one undo takes back a burst of typing in one field.
 * @param {string} field @param {Puzzle} puzzle @param {Marking} [also]
 */
export function typeInto(field, puzzle, { pencilled = state.pencilled, takes = [] } = {}) {
  if (puzzle === state.puzzle) return;
  const now_ms = performance.now();
  const goesOn = typing.field === field && typing.puzzle === state.puzzle && now_ms - typing.at_ms < PAUSE_MS;
  const taken = takes.every((name) => state.taken.includes(name)) ? state.taken : [...state.taken, ...takes];
  update({ puzzle, pencilled, taken, past: goesOn ? state.past : [...state.past.slice(-DEPTH), here()], future: [] });
  Object.assign(typing, { field, puzzle, at_ms: now_ms });
  dismiss();
  for (const listener of edited) listener(state, true);
}

const TAB = "cpfill tab";
/** How many steps a reload keeps. */
const KEPT = 100;

/** Keep where this tab is, and what can be undone, for after a reload: `history` forgets what it hears by then. */
export function keepTab() {
  const { directory, puzzle, past } = state;
  const stages = past
    .slice(-KEPT)
    .map((each) => ({ ...each, pencilled: [...each.pencilled], locked: [...each.locked], typed: undefined }));
  try {
    sessionStorage.setItem(TAB, JSON.stringify({ place: preferred.last?.[directory], cells: puzzle.cells, stages }));
  } catch {
    // A browser that stores nothing forgets it.
  }
}

/**
 * Return what `keepTab` kept.
 * @returns {{place?: Place, cells?: Cells, stages?: (Omit<Stage, "pencilled" | "locked" | "typed"> & Work)[]}}
 */
function readTab() {
  try {
    return JSON.parse(sessionStorage.getItem(TAB) || "{}");
  } catch {
    return {};
  }
}

/** Return what could be undone in a puzzle before a reload. @param {string} name @param {Puzzle} puzzle @returns {Stage[]} */
export function pastOf(name, { cells }) {
  const { place, cells: before, stages = [] } = readTab();
  if (place?.name !== name || String(before) !== String(cells)) return [];
  return stages.map((each) => ({ ...each, ...marksOf(each.puzzle, each) }));
}

/**
 * Open another puzzle, with what is kept of the work on it, and what can be undone.
 * @param {Puzzle} puzzle @param {Partial<State> & {name: string}} change @param {Work} [work] @param {Stage[]} [past]
 */
export function open(puzzle, change, work = {}, past = []) {
  update({
    cursor: firstOpen(puzzle),
    direction: "Across",
    anchor: null,
    patterns: [],
    ...termsOf(work.terms),
    ...change,
  });
  put({ puzzle: withLimits(puzzle, work), ...marksOf(puzzle, work) }, [], []);
  update({ past }); // later: nothing has changed yet
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
 * @param {boolean} [unasked]  Whether a search goes on that found it.
 */
function put({ puzzle, pencilled, locked, opened, taken, typed }, past, future, at = state.cursor, unasked = false) {
  /** @param {ReadonlySet<number>} cells */
  const lettered = (cells) => new Set([...cells].filter((cell) => puzzle.cells[cell]));
  const cursor = Math.min(at, puzzle.cells.length - 1),
    anchor = puzzle.cells === state.puzzle.cells ? state.anchor : null;
  update({
    puzzle,
    pencilled: lettered(pencilled),
    locked: lettered(locked),
    opened: opened.filter((name) => findSlot(puzzle, name)),
    taken: taken.filter((name) => findSlot(puzzle, name)),
    typed,
    past,
    future,
    cursor,
    anchor,
    ghost: null,
  });
  dismiss();
  for (const listener of edited) listener(state, false, unasked);
}
