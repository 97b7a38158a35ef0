// A search watched: the steps that the server tells, where in them the player is, and what the grid is like there.

import { findCell, findSlot, listSlots } from "../model/puzzle.js";
import { mine, onEdit, prefer, state, update } from "../model/store.js";
import { Asked } from "./asked.js";
import { fillRequest, lettersOf, writeFill } from "./questions.js";

/**
 * @import { Position, Search, SearchEngine, SearchOptions, SearchTree, Step, Trial, Watching } from "../../types.d.ts"
 */

const MOST_STEPS = 5000;
const SECONDS = 60;

/** Steps a second, by the speed that is chosen. */
export const RATES = [1, 3, 10, 40, 200];

/**
 * What can be watched, each with the options it has. AC-3 alone is what FC does before it places a word.
 * @type {Record<SearchEngine, (keyof SearchOptions)[]>}
 */
export const SEARCHES = {
  ac3: [],
  fc: ["ac3", "order", "shuffle"],
  "fc-cbj": ["ac3", "order", "shuffle"],
  mac: ["restarts"],
  weave: [],
  scaffold: [],
  letters: [],
};

/** @param {Readonly<Record<string, number>>} sizes @returns {Position} */
const atStart = (sizes) => ({ at: 0, root: { ...sizes }, placed: [] });

/** Return how many words stand after a step, before which some did. @param {Step} step @param {number} before */
function depthAfter(step, before) {
  if (step.step === "restart") return 0;
  if (step.step === "backtrack") return Math.max(0, step.target - 1);
  if (step.step === "no_letter") return step.depth - 1;
  return "depth" in step ? step.depth : before;
}

/** The steps that are counted. @satisfies {Record<string, (step: Step) => boolean>} */
export const KINDS = {
  nodes: (step) => step.step === "assignment" || step.step === "letter",
  backtracks: ({ step }) => step === "backtrack" || step === "refutation" || step === "no_letter",
  jumps: (step) => step.step === "backtrack" && step.jumps,
  restarts: (step) => step.step === "restart",
};

/**
 * What goes to the next step of a kind, or to the one before: its key, its name.
 * @typedef {keyof typeof KINDS} Kind
 * @type {[string, Kind, 1 | -1, string][]}
 */
export const HOPS = [
  ["<", "backtracks", -1, "previous_backtrack"],
  [">", "backtracks", 1, "next_backtrack"],
  ["(", "jumps", -1, "previous_jump"],
  [")", "jumps", 1, "next_jump"],
];

/** Go one step on. @param {Position} position @param {Step} step */
function apply(position, step) {
  const { placed } = position;
  position.at++;
  if (step.step === "revision") {
    position.root[step.slot] = step.after;
  } else if (step.step === "assignment") {
    placed.splice(step.depth - 1, Infinity, { slot: step.slot, word: step.word, sizes: { ...step.sizes } });
  } else if (step.step === "letter") {
    placed.splice(step.depth - 1, Infinity, { cell: step.cell, word: step.letter, sizes: { ...step.sizes } });
  } else if (step.step === "backtrack" || step.step === "no_letter") {
    placed.splice(depthAfter(step, 0));
  } else if (step.step === "refutation") {
    placed.splice(step.depth);
    Object.assign(placed.at(-1)?.sizes ?? position.root, step.sizes);
  } else if (step.step === "restart") {
    placed.length = 0;
  }
}

/** Return a position that may be changed. @param {Watching["position"]} position @returns {Position} */
const copy = ({ at, root, placed }) => ({
  at,
  root: { ...root },
  placed: placed.map((each) => ({ ...each, sizes: { ...each.sizes } })),
});

/** Return what each slot has: its word, or how many words it has left. @param {Position} position */
function listLeft({ root, placed }) {
  const left = { ...root };
  for (const { sizes } of placed)
    for (const [name, size] of Object.entries(sizes)) left[name] = Math.min(left[name], size);
  /** @type {Map<string, string | number>} */
  const told = new Map(Object.entries(left));
  for (const { slot, word } of placed) if (slot) told.set(slot, word);
  return told;
}

/** @param {number} size */
const brief = (size) => (size < 10_000 ? size : `${Math.round(size / 1000)}k`);

/**
 * Return what the grid is to show: letters, the slot at hand, the one that is wiped out, those to blame, and sizes.
 * @param {Position} position @param {Step | undefined} step @returns {Trial}
 */
function picture(position, step) {
  const puzzle = mine(),
    left = listLeft(position),
    fill = step?.step === "fill" ? step : null;
  /** @param {readonly string[]} names */
  const cellsOf = (names) => new Set(names.flatMap((name) => findSlot(puzzle, name)?.cells ?? []));
  const letters = fill ? lettersOf(fill.rows).slice() : Array(puzzle.cells.length).fill(null),
    sizes = new Map();
  for (const { slot, cell: at, word } of position.placed) {
    if (at) letters[findCell(puzzle, at) ?? -1] = word;
    for (const [i, cell] of ((slot && findSlot(puzzle, slot)?.cells) || []).entries()) letters[cell] = word[i];
  }
  for (const { slot, word } of fill?.words ?? []) left.set(slot, word);
  for (const { name, cells, direction } of listSlots(puzzle)) {
    const size = left.get(name);
    if (typeof size !== "number") continue;
    const said = `${direction === "Across" ? "→" : "↓"}${brief(size)}`;
    sizes.set(cells[0], [sizes.get(cells[0]), said].filter(Boolean).join("\n"));
  }
  const wiped = wipedBy(step);
  return {
    letters,
    sizes,
    left,
    tried:
      step && "cell" in step
        ? new Set([findCell(puzzle, step.cell) ?? -1])
        : cellsOf(step && "slot" in step ? [step.slot] : []),
    wiped: cellsOf(wiped ? [wiped] : []),
    blamed: cellsOf(
      step?.step === "backtrack" ? step.conflicts : step?.step === "revision" ? [step.support ?? ""] : [],
    ),
  };
}

/** Return the slot that a step leaves without a word. @param {Step | undefined} step */
function wipedBy(step) {
  if (step?.step === "revision") return step.after ? null : step.slot;
  return step && "wipeout" in step ? step.wipeout : null;
}

/** Change what is watched. @param {Partial<Watching>} change */
function change(change) {
  if (state.watching) update({ watching: { ...state.watching, ...change } });
}

/** Go to a step, forwards from where it is or else from the start, and have the grid show it. @param {number} at */
function go(at) {
  if (!state.watching) return;
  const { sizes, steps, position: before } = state.watching;
  const position = at < before.at ? atStart(sizes) : copy(before);
  for (const step of steps.slice(position.at, at)) apply(position, step);
  change({ position });
  update({ trial: picture(position, lastStep()) });
}

/** Return the step that was done last. */
export const lastStep = () => state.watching?.steps[state.watching.position.at - 1];

/** Whether the last step is done, and no other will come. */
export const ended = () => Boolean(state.watching?.done) && !waiting();

/** Return how many steps are there and not done. */
const waiting = () => (state.watching ? state.watching.steps.length - state.watching.position.at : 0);

const START = { at: 0, playing: false, hurried: false };

const search = Object.assign(new Asked(), {
  /** Where to go in the steps that are asked for, and whether to play on from there. */
  sought: START,
});

/** When the last frame was, and how many steps are due since. */
const clock = { before: 0, due: 0 };

/** Go to the step that is sought, or to the last if there are fewer. */
function arrive() {
  const { at, playing, hurried } = search.sought;
  search.sought = START;
  go(at);
  if (playing && !ended()) start(hurried);
}

const MOST_NODES = 500;

/**
 * Add a step to a tree: a node below the last one of the depth before, in its column if it is the first there.
 * @param {SearchTree} tree @param {Step} step @param {number[]} path @param {number} at
 */
function growTree(tree, step, path, at) {
  if (step.step === "restart") path.length = 0;
  if (step.step !== "assignment" && step.step !== "letter") return;
  tree.edges++;
  if (step.wipeout) tree.pruned++;
  if (tree.nodes.length === MOST_NODES) return;
  const above = path[step.depth - 2] ?? -1,
    isFirst = above >= 0 ? above === tree.nodes.length - 1 : !tree.nodes.length,
    column = isFirst ? (tree.nodes[above]?.column ?? 0) : Math.max(...tree.nodes.map((node) => node.column)) + 1;
  path.splice(step.depth - 1, Infinity, tree.nodes.length);
  tree.nodes.push({ at, column, depth: step.depth, above, dead: Boolean(step.wipeout) });
}

/** Ask for the steps of the search that is chosen, and seek a place in them. */
function ask(place = START) {
  search.sought = place;
  const { engine, seed } = state.search;
  const how =
    engine === "ac3"
      ? { engine: "fc", revisions: true }
      : { engine, ...Object.fromEntries(SEARCHES[engine].map((name) => [name, state.search[name]])) };
  /** The steps so far, in a list that grows: to replace it for each of thousands takes too long. @type {Step[]} */
  const steps = [],
    /** @type {number[]} */
    depths = [],
    /** @type {number[]} */
    path = [],
    /** @type {SearchTree} */
    tree = {
      engine,
      order: SEARCHES[engine].includes("order") ? state.search.order : "",
      nodes: [],
      edges: 0,
      pruned: 0,
    },
    before = state.watching?.tree.edges ? state.watching.tree : (state.watching?.before ?? null);
  update({
    watching: {
      steps,
      depths,
      tree,
      before,
      sizes: {},
      position: atStart({}),
      done: null,
      playing: false,
      hurried: false,
    },
    trial: search.sought.at ? state.trial : null,
  });
  const record = { puzzle: mine(), request: fillRequest(), ...how, seed, steps: MOST_STEPS, seconds: SECONDS };
  return search
    .ask("watch", record, (line) => {
      if (line.sizes && !line.step) {
        change({ sizes: line.sizes, position: atStart(line.sizes) });
        if (!search.sought.at) arrive();
      } else if (line.step) {
        steps.push(line);
        growTree(tree, line, path, steps.length);
        depths.push(depthAfter(line, depths.at(-1) ?? 0));
        if (search.sought.at === steps.length) arrive();
      } else if (line.done) {
        change({ done: line });
        if (search.sought.at) arrive();
      }
    })
    .then((told) => {
      if (!told && !search.isRunning) stop();
    });
}

/** Do as many steps as are due since the last frame. @param {number} now */
function tick(now) {
  const { watching } = state;
  if (!watching?.playing) return;
  clock.due += ((now - clock.before) / 1000) * RATES[state.search.speed];
  clock.before = now;
  const steps = watching.hurried ? Infinity : Math.floor(clock.due),
    last = watching.position.at;
  if (steps > 0 && waiting()) go(last + steps);
  clock.due = waiting() ? clock.due % 1 : Math.min(clock.due, 1); // what is late is not made up for
  if (ended()) pause();
  else requestAnimationFrame(tick);
}

/** @param {boolean} hurried */
function start(hurried) {
  if (!state.watching) ask();
  else if (ended()) go(hurried ? Infinity : 0);
  const playing = state.watching?.playing;
  change({ playing: true, hurried });
  Object.assign(clock, { before: performance.now(), due: 1 });
  if (!playing) requestAnimationFrame(tick);
}

/** Play, from the start if it has come to the end. */
export const play = () => start(false);

/** Do all steps that are left. */
export const playToEnd = () => start(true);

/** Stay where it is. */
export const pause = () => change({ playing: false });

/** Do a step, or take one back. @param {number} by */
export function stepBy(by) {
  if (!state.watching) return ask();
  jumpTo(state.watching.position.at + by);
}

/** Go to a step, and stay there. @param {number} at */
export function jumpTo(at) {
  search.sought = START;
  pause();
  go(Math.max(0, at));
}

/** Return the next step of a kind, or the one before; 0 if there is none. @param {Kind} kind @param {1 | -1} way */
export function find(kind, way) {
  const { steps, position } = state.watching ?? { steps: [], position: { at: 0 } };
  for (let at = position.at + way; at > 0 && at <= steps.length; at += way) if (KINDS[kind](steps[at - 1])) return at;
  return 0;
}

/** Go there; where there is no search yet, it is asked for. @param {Kind} kind @param {1 | -1} way */
export async function hop(kind, way) {
  if (!state.watching) await ask();
  const at = find(kind, way);
  if (at) jumpTo(at);
  else update({ message: "no_hop" });
}

/** Write the fill that was found into the puzzle. */
export function takeFill() {
  const last = lastStep();
  if (last?.step === "fill") writeFill(lettersOf(last.rows), state.puzzle.cells, mine().cells);
  stop(); // also where the page had pencilled that very fill
}

/** Choose another search, or another speed. @param {Partial<Search>} other */
export function choose(other) {
  prefer({ search: { ...state.search, ...other } });
  const { watching } = state;
  if (watching && !("speed" in other))
    ask(search.sought.at ? search.sought : { ...watching, at: watching.position.at });
}

/** End it, and leave the grid as the puzzle has it. */
export function stop() {
  search.end();
  search.sought = START;
  if (state.watching) update({ watching: null, trial: null });
}

onEdit(stop);
