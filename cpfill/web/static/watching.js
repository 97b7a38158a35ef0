// A search watched: the steps that the server tells, where in them the player is, and what the grid is like there.

import { findSlot, listSlots } from "./model.js";
import { end, inquire, lettersOf, request, writeFill } from "./questions.js";
import { onEdit, prefer, state, update } from "./store.js";

/**
 * @typedef {{step: "revision" | "assignment" | "backtrack" | "refutation" | "restart" | "fill"} & Record<string, any>} Step  As the server tells it.
 *
 * @typedef {object} Position  What a search has come to after some of its steps.
 * @property {number} at  How many.
 * @property {Record<string, number>} root  The words of each slot before any is placed.
 * @property {{slot: string, word: string, sizes: Record<string, number>}[]} placed  The words that stand, by depth, each with the domains that are smaller since.
 * @property {number} nodes
 * @property {number} backtracks
 * @property {number} jumps
 * @property {number} restarts
 * @property {number[]} depths  After each step.
 */

const MOST_STEPS = 5000;
const SECONDS = 60;

/** Steps a second, by the speed that is chosen. */
export const RATES = [1, 3, 10, 40, 200];

/** What can be watched, each with the options it has. AC-3 alone is what FC does before it places a word. */
export const SEARCHES = {
  ac3: [],
  fc: ["ac3", "order", "shuffle"],
  "fc-cbj": ["ac3", "order", "shuffle"],
  mac: ["restarts"],
};

/** @returns {Position} */
const atStart = (sizes) => ({
  at: 0,
  root: { ...sizes },
  placed: [],
  nodes: 0,
  backtracks: 0,
  jumps: 0,
  restarts: 0,
  depths: [],
});

/** Go one step on. @param {Position} position @param {Step} step */
function apply(position, step) {
  const { placed } = position;
  position.at++;
  if (step.step === "revision") {
    position.root[step.slot] = step.after;
  } else if (step.step === "assignment") {
    placed.splice(step.depth - 1, Infinity, { slot: step.slot, word: step.word, sizes: { ...step.sizes } });
    position.nodes++;
  } else if (step.step === "backtrack") {
    placed.splice(Math.max(0, step.target - 1));
    position.backtracks++;
    position.jumps += step.jumps ? 1 : 0;
  } else if (step.step === "refutation") {
    placed.splice(step.depth);
    Object.assign(placed.at(-1)?.sizes ?? position.root, step.sizes);
    position.backtracks++;
  } else if (step.step === "restart") {
    placed.length = 0;
    position.restarts++;
  }
  position.depths.push(placed.length);
}

/** Return what each slot has: its word, or how many words it has left. @param {Position} position */
function listLeft({ root, placed }) {
  const left = { ...root };
  for (const { sizes } of placed)
    for (const [name, size] of Object.entries(sizes)) left[name] = Math.min(left[name], size);
  for (const { slot, word } of placed) left[slot] = word;
  return new Map(Object.entries(left));
}

const brief = (size) => (size < 10_000 ? size : `${Math.round(size / 1000)}k`);

/** Return what the grid is to show: letters, the slot at hand, the one that is wiped out, those to blame, and sizes. */
function picture(position, step) {
  const puzzle = state.puzzle,
    left = listLeft(position),
    filled = step?.step === "fill";
  const cellsOf = (names) => new Set(names.flatMap((name) => findSlot(puzzle, name)?.cells ?? []));
  const letters = filled ? lettersOf(step.rows) : Array(puzzle.cells.length).fill(null),
    sizes = new Map();
  for (const { slot, word } of position.placed)
    for (const [i, cell] of (findSlot(puzzle, slot)?.cells ?? []).entries()) letters[cell] = word[i];
  if (filled) for (const { slot, word } of step.words) left.set(slot, word);
  for (const { name, cells, direction } of listSlots(puzzle)) {
    if (typeof left.get(name) !== "number") continue;
    const said = `${direction === "Across" ? "→" : "↓"}${brief(left.get(name))}`;
    sizes.set(cells[0], [sizes.get(cells[0]), said].filter(Boolean).join("\n"));
  }
  const wiped = step?.step === "revision" && !step.after ? step.slot : step?.wipeout;
  return {
    letters,
    sizes,
    left,
    tried: cellsOf(step?.slot ? [step.slot] : []),
    wiped: cellsOf(wiped ? [wiped] : []),
    blamed: cellsOf(step?.step === "backtrack" ? step.conflicts : []),
  };
}

/** Go to a step, forwards from where it is or else from the start, and have the grid show it. */
function go(at) {
  const { watching } = state;
  if (at < watching.position.at) watching.position = atStart(watching.sizes);
  while (watching.position.at < Math.min(at, watching.steps.length))
    apply(watching.position, watching.steps[watching.position.at]);
  update({ trial: picture(watching.position, lastStep()) });
}

/** Return the step that was done last. @returns {Step | undefined} */
export const lastStep = () => state.watching?.steps[state.watching.position.at - 1];

/** Whether the last step is done, and no other will come. */
export const ended = () => Boolean(state.watching?.done) && state.watching.position.at === state.watching.steps.length;

/** Ask for the steps of the search that is chosen. */
function ask() {
  const { engine, seed } = state.search;
  const how =
    engine === "ac3"
      ? { engine: "fc", revisions: true }
      : { engine, ...Object.fromEntries(SEARCHES[engine].map((name) => [name, state.search[name]])) };
  const watching = { steps: [], sizes: {}, position: atStart({}), done: null, playing: false, hurried: false };
  update({ watching, trial: null });
  const record = { puzzle: state.puzzle, request: request(), ...how, seed, steps: MOST_STEPS, seconds: SECONDS };
  inquire("watching", "watch", record, (line) => {
    if (line.sizes && !line.step) {
      Object.assign(watching, { sizes: line.sizes, position: atStart(line.sizes) });
      go(0);
    } else if (line.step) {
      watching.steps.push(line);
    } else if (line.done) {
      watching.done = line;
      update({});
    }
  }).then((told) => {
    if (!told && state.watching === watching) stop();
  });
}

let before = 0,
  due = 0;

/** Do as many steps as are due since the last frame. */
function tick(now) {
  const { watching } = state;
  if (!watching?.playing) return;
  due += ((now - before) / 1000) * RATES[state.search.speed];
  before = now;
  const steps = watching.hurried ? Infinity : Math.floor(due),
    last = watching.position.at;
  if (steps > 0 && last < watching.steps.length) go(last + steps);
  due = watching.steps.length > watching.position.at ? due % 1 : Math.min(due, 1); // what is late is not made up for
  if (ended()) pause();
  else requestAnimationFrame(tick);
}

function start(hurried) {
  if (!state.watching) ask();
  else if (ended()) go(hurried ? Infinity : 0);
  const { playing } = state.watching;
  Object.assign(state.watching, { playing: true, hurried });
  [before, due] = [performance.now(), 1];
  update({});
  if (!playing) requestAnimationFrame(tick);
}

/** Play, from the start if it has come to the end. */
export const play = () => start(false);

/** Do all steps that are left. */
export const playToEnd = () => start(true);

/** Stay where it is. */
export function pause() {
  state.watching.playing = false;
  update({});
}

/** Do a step, or take one back. */
export function stepBy(by) {
  if (!state.watching) return ask();
  pause();
  go(Math.max(0, state.watching.position.at + by));
}

/** Go back to the start. */
export function rewind() {
  pause();
  go(0);
}

/** Write the fill that was found into the puzzle. */
export const takeFill = () => writeFill(lettersOf(lastStep().rows), state.puzzle.cells, state.puzzle.cells);

/** Choose another search, or another speed. */
export function choose(change) {
  prefer({ search: { ...state.search, ...change } });
  if (!("speed" in change)) stop();
}

/** End it, and leave the grid as the puzzle has it. */
export function stop() {
  end("watching");
  if (state.watching) update({ watching: null, trial: null });
}

onEdit(stop);
