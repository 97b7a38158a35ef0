// What is asked of the server as the puzzle and the cursor change; what is asked anew ends what was asked before.

import { begin } from "../model/idle.js";
import { LETTER_RULES, fieldsOf, listLeft } from "../model/letter-rules.js";
import { isWhole, listSlots, setLetters, slotAt, turn, without } from "../model/puzzle.js";
import {
  CRISS_CROSS,
  edit,
  isCleared,
  mine,
  NOTHING,
  onEdit,
  ownWords,
  pencil,
  state,
  tellUndoable,
  update,
} from "../model/store.js";
import { t } from "../model/strings.js";
import { listener, oneAtATime } from "../tab/tab.js";
import { changeWord, messageOf } from "./api.js";
import { Asked, filling } from "./asked.js";

/** @import { Answers, Cells, Clock, FillFigures, Judged, Puzzle } from "../../types.d.ts" */
/** @import { Request, Row, Rows, Slot, State, WordChange } from "../../types.d.ts" */
/** @typedef {Answers["solve"]["value"]} Value */

const CANDIDATE_SECONDS = 5;
const LETTERS_SECONDS = 10;
const BEST_SECONDS = 30;
const FIRST_SECONDS = 10;
const FILL_SECONDS = 60;
const EDITS_SECONDS = 15;
const COUNT_SECONDS = 20;
/** How long a good fill is waited for before another is shown. */
const SOON_MS = 2000;
/** How long verdicts wait for a fill that is asked for. */
const HEAD_START_MS = 5000;
/** How many words are listed at first, and how many are judged that have a fill. */
const LISTED = 200;
const JUDGED = 100;
/** For how many words it is asked how good a fill with them can be. */
const BEST_WORDS = 20;
/** The verdict of a word that may have no fill. */
const OPEN = /** @type {const} */ ("open");
const REST_MS = 120;
/** How long nothing is typed before figures are asked for that stand in the status line alone. */
const LONG_REST_MS = 500;

/** What is asked of the puzzle, and of the cursor in it. */
const whether = new Asked(),
  why = new Asked(),
  letters = new Asked(),
  counting = new Asked(),
  rating = new Asked(),
  audit = new Asked(),
  rules = new Asked(),
  crossing = new Asked();

const candidates = Object.assign(new Asked(), {
  /** Of which puzzle, slots and terms they are known, or asked. */
  of: { puzzle: /** @type {Puzzle | null} */ (null), slot: "", terms: "", crossing: "" },
  /** How often as many words as usual are listed, and how many have a verdict. */
  reach: 1,
  askFurther: () => {},
});

/** A good fill, to stand in pencil. */
const first = Object.assign(new Asked(), {
  /** The name of the puzzle in which a fill stands, if any, that is to give way to a good one. */
  rough: /** @type {string | null} */ (""),
});

/** How good a fill with each candidate can be. */
export const best = new Asked();

/** Which blocks would help. */
export const edits = Object.assign(new Asked(), {
  /** What they were asked of. */
  of: "",
});

const figures = Object.assign(new Asked(), {
  /** The timer after which they are asked for. */
  resting: 0,
  /** Notes that they have been asked for, or will not be. */
  rest: () => {},
});

/** Grids that are made. */
export const generating = new Asked();

/** Patterns to begin with, where the grid is empty. */
export const offering = new Asked();

/** Return the clock of a search that begins now. @param {number} seconds @returns {Clock} */
const startClock = (seconds) => ({ since: performance.now(), most: seconds });

/** Return what is asked of every puzzle: lists and rules, but for those over letters. @returns {Request} */
export const request = () => ({
  words: state.words,
  min_score: state.minScore,
  own: ownWords(),
  ...(state.noShared && { no_shared: true }),
  open: state.opened,
  theme: state.pool,
  ...(state.excluded.length && { exclude: state.excluded }),
  ...(!state.personal && { personal: null }),
  ...(state.frank && { taste: /** @type {const} */ ("frank") }),
});

/** Whether verdicts leave out a rule: then a yes would say too much. */
const isLax = () => listLeft(state).length > 0;

/** Return what is asked where words are judged. */
const verdictRequest = () => ({ ...request(), ...fieldsOf(state.letterRules, listLeft(state)) });

/** Return what is asked of a fill: all rules. */
export const fillRequest = () => ({ ...request(), ...fieldsOf(state.letterRules) });

/**
 * Check the rules over letters, each with those before it, and then ask for the candidates. In a full grid, letters that
 * break a rule are its fault.
 */
async function askRules() {
  /** @type {Record<string, string>} */
  const faults = {},
    /** @type {string[]} */ broken = [];
  let held = {};
  for (const [name, chosen] of Object.entries(state.letterRules)) {
    const tried = { ...held, [name]: chosen },
      record = { puzzle: mine(), request: { ...request(), ...fieldsOf(tried) } };
    const fail = (/** @type {string} */ told) => (faults[name] = told);
    const breaks = (/** @type {string} */ told) => {
      broken.push(name);
      fail(told);
    };
    const whole = await rules.ask("check", record, hearBroken(LETTER_RULES[name].number, breaks), fail);
    if (!whole && !faults[name]) return; // another puzzle is judged
    if (!faults[name]) held = tried;
  }
  update({ ruleFaults: faults, brokenRules: broken });
  askAnew();
}

/** Return what hears that a rule is broken. @param {string} number @param {(told: string) => void} tell */
const hearBroken = (number, tell) => (/** @type {Answers["check"]} */ line) => {
  const broken = line.violations?.find(({ rule }) => rule === number);
  if (broken) tell(broken.detail);
};

/** Return the slot under the cursor, across or down as the cursor goes, or the other way where there is none. */
export const currentSlot = () =>
  slotAt(state.puzzle, state.cursor, state.direction) || slotAt(state.puzzle, state.cursor, turn(state.direction));

/**
 * Return the puzzle in which to judge a slot: one's own letters. If the slot is full of them, the unlocked ones are taken
 * out: its candidates are the words that could stand there instead, all others staying.
 * @param {Slot} slot @returns {Puzzle}
 */
function openUp(slot) {
  const own = mine();
  return isWhole(own, slot) ? without(own, new Set(slot.cells.filter((cell) => !state.locked.has(cell)))) : own;
}

/** What fills are to keep to: the letters that stand, but where all keeps still. */
const near = () => (state.still ? {} : { near: rowsOf(state.puzzle.cells, state.puzzle.width) });

/** Return the slot that crosses that one at the cursor, if there is one. */
export function crossingSlot() {
  const slot = currentSlot();
  return slot && slotAt(state.puzzle, state.cursor, turn(slot.direction));
}

/**
 * Ask for the candidates of the two slots at the cursor unless they are known: the first answer also tells whether
 * there is a fill. The letters of cells, which take longest, are asked for when the words have their verdicts.
 */
export function askCandidates() {
  if (state.mode !== "fill" || rules.isWanted) return;
  const slot = currentSlot(),
    name = slot?.name ?? "",
    crossed = crossingSlot()?.name ?? "",
    terms = JSON.stringify([verdictRequest(), state.filter, state.still]);
  const { of } = candidates,
    same = of.puzzle === mine() && of.slot === name && of.terms === terms,
    judged = state.candidates.state === "done",
    known = same && (judged || candidates.isRunning);
  if (same && of.crossing === crossed) return;
  candidates.of = { puzzle: mine(), slot: name, terms, crossing: crossed };
  for (const each of [letters, crossing, ...(known ? [] : [candidates, best])]) each.end();
  if (state.crossing.slot !== crossed) update({ crossing: NOTHING });
  if (oneAtATime) for (const each of [first, why]) each.end(); // candidates would wait for it
  if (known) {
    if (judged) askCrossing(); // else it is asked for when they are
    return;
  }
  if (!slot) {
    update({ candidates: NOTHING });
    askLetters();
    return;
  }
  const sieve = sieveOf(slot);
  const asked = verdictRequest(),
    narrowed = sieve ? { ...asked, slot: [`${slot.name}:${sieve}`] } : asked;
  if ((openUp(slot) !== mine() || sieve) && state.fillable === "none") askWhether();
  askWords("candidates", slot, narrowed, askCrossing);
}

/** Ask for the candidates whether they are known or not. */
function askAnew() {
  candidates.of.puzzle = null;
  askCandidates();
}

/** Ask for the candidates of the slot that crosses that one at the cursor, and then for the letters of cells. */
function askCrossing() {
  const slot = crossingSlot();
  if (slot) askWords("crossing", slot, verdictRequest(), askLetters);
  else askLetters();
}

/**
 * Ask for the words of a slot and their verdicts, and then go on; `what` says where they are kept.
 * @param {"candidates" | "crossing"} what @param {Slot} slot @param {Request} request @param {() => void} then
 */
function askWords(what, slot, request, then) {
  const ask = () => judgeWords(what, slot, request, then);
  if (what === "candidates") {
    candidates.reach = 1;
    candidates.askFurther = ask;
  }
  update({ [what]: { ...NOTHING, slot: slot.name, state: "asking" } });
  ask();
}

function far() {
  const { reach } = candidates;
  return reach > 1 ? { listed: reach * LISTED, number: reach * JUDGED } : {};
}

/** List more of the candidates, and judge them. */
export function askMore() {
  const { words, total, state: stage } = state.candidates;
  if (stage !== "done" || words.length >= total) return;
  candidates.reach++;
  candidates.askFurther();
}

/**
 * Ask for words and verdicts beside those that are there.
 * @param {"candidates" | "crossing"} what @param {Slot} slot @param {Request} request @param {() => void} then
 */
function judgeWords(what, slot, request, then) {
  const puzzle = openUp(slot);
  let whole = puzzle === mine() && !request.slot; // so that the answer is about this very puzzle
  const record = { puzzle, request, slot: slot.name, ...near(), ...far(), seconds: CANDIDATE_SECONDS };
  const { cells } = state.puzzle;
  const purpose = what === "candidates" ? candidates : crossing;
  purpose.ask("candidates", record, (line) => {
    if (line.words) {
      const words = withWords(state[what].words, line.words);
      update({ [what]: { ...state[what], words, total: line.total, state: "judging" } });
    } else if (line.fillable !== undefined) {
      if (whole) hearWhether(line, cells);
    } else if (line.dead) {
      if (whole) hearDead(line);
      whole = false; // what comes is about the puzzle without that part
      update({ [what]: { ...state[what], dead: line.dead } });
    } else if (line.word) {
      const judged =
        isLax() && line.verdict === "yes" ? { ...line, verdict: OPEN, witness: null, weakest: undefined } : line;
      learn(what, judged);
      if (judged.verdict === "yes" && whole) update({ fillable: "yes" });
    } else if (line.done) {
      update({ [what]: { ...state[what], state: "done" } });
      then();
    }
  });
}

/** Keep what is known now of a word. @param {"candidates" | "crossing"} what @param {Judged} judged */
function learn(what, judged) {
  const changes = judged.witness ? countChanges(lettersOf(judged.witness), state[what].slot) : undefined,
    verdicts = new Map(state[what].verdicts).set(judged.word, { ...judged, changes });
  const words = withWords(
    state[what].words,
    judged.verdict === "yes" ? [[judged.word, judged.score, judged.support, judged.reason]] : [],
  );
  update({ [what]: { ...state[what], words, verdicts } });
}

/** Return words and those of others that are not among them; the same ones if there is none. @param {readonly Row[]} words @param {readonly Row[]} others */
function withWords(words, others) {
  const there = new Set(words.map(([word]) => word)),
    added = others.filter(([word]) => !there.has(word));
  return added.length ? [...words, ...added] : words;
}

/**
 * Return how many words a fill changes beside that of a slot, if all stand.
 * @param {Cells} letters @param {string} name
 */
function countChanges(letters, name) {
  const { cells } = state.puzzle;
  if (cells.includes("")) return undefined;
  const differs = (/** @type {number} */ cell) => letters[cell] !== "" && letters[cell] !== cells[cell];
  return listSlots(state.puzzle).filter((slot) => slot.name !== name && slot.cells.some(differs)).length;
}

/**
 * List the candidates alone that begin like this.
 * @param {string} text letters, `?` for any; a number is a least score
 */
export function setFilter(text) {
  update({ filter: text.toUpperCase().replace(/[^\p{L}\d?]/gu, "") });
  askCandidates();
}

/** Return what the filter asks of the words of a slot, as `--slot` takes it. @param {Slot} slot */
function sieveOf(slot) {
  const pattern = state.filter.replace(/\d/g, "").slice(0, slot.cells.length),
    least = /\d+/.exec(state.filter)?.[0];
  return [pattern && `pattern=${pattern}*`, least && `min=${Math.min(100, Number(least))}`].filter(Boolean).join();
}

/** Ask how good a fill can be with each of the words that have one, the first of the list before others. */
export async function askBest() {
  const slot = currentSlot();
  if (!slot) return;
  const { words, verdicts } = state.candidates;
  const told = words.map(([word]) => word).filter((word) => verdicts.get(word)?.verdict === "yes");
  const asked = told.slice(0, BEST_WORDS),
    record = { puzzle: openUp(slot), request: verdictRequest(), slot: slot.name, words: asked },
    known = new Set();
  const tell = () => update({ weighing: { ...clock, done: known.size, of: asked.length } }),
    clock = startClock(BEST_SECONDS);
  tell();
  await best.ask("best", { ...record, seconds: BEST_SECONDS }, (line) => {
    if (line.word) known.add(line.word);
    tell();
    const judged = line.word && state.candidates.verdicts.get(line.word);
    if (judged) learn("candidates", { ...judged, best: line.value, bound: line.bound });
  });
  if (!best.isRunning) update({ weighing: null });
}

/** Ask whether there is a fill, and how many words each slot has left; resolves with the answer. */
function askWhether() {
  const { cells } = state.puzzle,
    record = { puzzle: mine(), request: verdictRequest(), cells: [], ...near(), seconds: LETTERS_SECONDS };
  return whether.ask("letters", record, (line) => hearWhether(line, cells));
}

/**
 * Hear whether there is a fill; one near letters that no longer stand is not wanted.
 * @param {Answers["candidates" | "letters"]} line @param {Cells} cells those that stood when it was asked
 */
function hearWhether(line, cells) {
  const { fillable, left, witness, accepted } = line;
  if (line.dead) return hearDead(line);
  if (fillable === undefined || left === undefined) return;
  update({
    left: { puzzle: mine(), words: left },
    unlisted: accepted ?? [],
    fillable: fillable === false ? "no" : fillable && !isLax() ? "yes" : "open",
  });
  if (witness && cells === state.puzzle.cells) {
    if (state.pencilled.size) refill(lettersOf(witness));
    if ((!state.pencilled.size || first.rough === state.name) && !first.isRunning) askFirst(witness);
  }
  if (fillable === false && !state.explanation && !why.isRunning) askWhy();
}

/**
 * Hear how many words each slot has left without the part that has no fill.
 * @param {Answers["candidates" | "letters"]} line
 */
function hearDead({ left }) {
  if (left) update({ left: { puzzle: mine(), words: left } });
}

/** Whether the program may write unasked where its author has not; a fill that was asked for comes over none. */
export const mayPencil = () =>
  !state.still &&
  !state.filling &&
  !isCleared() &&
  !isLax() &&
  (state.mode === "fill" || (state.mode === "design" && state.pencilled.size > 0));

/** Have a fill stand in pencil wherever its author has no letter. @param {Cells} letters */
function refill(letters) {
  if (!mayPencil()) return;
  const { cells: own } = mine(),
    changed = new Map();
  for (const [cell, letter] of letters.entries())
    if (letter && own[cell] === "" && state.puzzle.cells[cell] !== letter) changed.set(cell, letter);
  if (changed.size) pencil(changed);
}

/** Have the fill that stands give way to none: it was asked for. */
export function keepFill() {
  first.rough = "";
}

/** Ask for a good fill, and show what there is where it does not come soon. @param {Rows} witness */
async function askFirst(witness) {
  if (!mayPencil() || !mine().cells.includes("")) return;
  first.rough = state.name;
  let letters = lettersOf(witness);
  const record = { puzzle: mine(), request: { ...verdictRequest(), objective: "good" }, seconds: FIRST_SECONDS };
  const waiting = setTimeout(() => refill(letters), SOON_MS);
  const whole = await first.ask("solve", record, (line) => {
    if (line.event === "found") letters = lettersOf(line.rows);
  });
  clearTimeout(waiting);
  if (!whole) return;
  first.rough = "";
  refill(letters);
  if (state.candidates.state !== "none") candidates.askFurther(); // what a word changes is to be told of the fill that stands
}

/** Return how many words each slot has left, by its name, or null where that is not known. */
export async function countLeft() {
  if (state.left?.puzzle !== mine()) await askWhether();
  return state.left?.puzzle === mine() ? state.left.words : null;
}

/** Ask which letters each cell can hold, which takes long. */
function askLetters() {
  if (listener() && state.filling) return; // that would wait for them
  const record = { puzzle: mine(), request: verdictRequest(), cells: null, ...near(), seconds: LETTERS_SECONDS };
  const { cells } = state.puzzle;
  letters.ask("letters", record, (line) => {
    if (line.cell === undefined) return hearWhether(line, cells);
    update({ letters: new Map(state.letters).set(line.cell, line) });
  });
}

/** Ask why there is no fill. */
function askWhy() {
  why.ask("explain", { puzzle: mine(), request: verdictRequest(), seconds: 10 }, (line) => {
    if (!line.done) update({ explanation: line });
  });
}

/** Ask which blocks or bars to add, open or move for there to be a fill, or a better one. */
export async function askEdits() {
  /** @type {NonNullable<State["edits"]>} */
  let found = { standing: null, judged: new Map(), running: true, ...startClock(EDITS_SECONDS) };
  const tell = (/** @type {Partial<typeof found>} */ change) => update({ edits: (found = { ...found, ...change }) });
  edits.of = gridHere();
  const kept = state.figures?.faults[state.style]?.length === 0 && { style: state.style };
  const record = { puzzle: mine(), request: fillRequest(), seconds: EDITS_SECONDS, ...kept };
  tell({});
  await edits.ask("edits", { ...record, ...(state.pencilled.size && near()) }, (line) => {
    if (line.edits !== undefined) tell({ standing: line });
    else if (line.add) tell({ judged: new Map(found.judged).set([...line.add, "", ...line.open].join(" "), line) });
  });
  if (state.edits === found) update({ edits: found.standing && { ...found, running: false } });
}

const gridHere = () => JSON.stringify([mine().cells, mine().bars, mine().letter_sets, fillRequest(), state.style]);

/**
 * Judge the puzzle anew: another was put in its place, or lists or rules changed; or else the mode, where the edits of a
 * grid that stands are kept.
 */
export function judge(anew = true) {
  filling.endWaiting();
  const keeps = !anew && edits.of === gridHere();
  const asked = [candidates, crossing, best, letters, whether, first, why, filling, counting, figures, audit, rules];
  for (const each of asked) each.end();
  const keepsRules = Object.keys(state.letterRules).length > 0;
  if (!keeps) edits.end();
  update({
    letters: new Map(),
    explanation: null,
    edits: keeps ? state.edits : null,
    fillable: "none",
    ruleFaults: keepsRules ? state.ruleFaults : {},
    unlisted: [],
    figures: null,
    audit: null,
    counting: null,
    left: null,
  });
  if (keepsRules) askRules();
  else askAnew();
  if (state.mode === "design" && mayPencil()) askWhether();
  askAtRest();
}

/** Ask what the grid is like when nothing changes for a while. */
function askAtRest() {
  clearTimeout(figures.resting);
  figures.rest();
  figures.rest = begin();
  figures.resting = setTimeout(
    () => {
      figures.rest();
      askFigures();
      if (state.mode === "check") askAudit();
    },
    state.mode === "check" || state.mode === "design" ? REST_MS : LONG_REST_MS,
  );
}

/** Return the puzzle as it stands, with what is locked: locked entries are their author's, and not judged. */
const withLocked = () => ({ ...state.puzzle, work: { locked: [...state.locked] } });

/** Ask what the grid and its words are like, and what the style does not allow. */
export function askFigures() {
  const rules = state.style !== CRISS_CROSS && { style: state.style };
  figures.ask("stats", { puzzle: withLocked(), request: request(), ...rules }, (line) => {
    if (line.done === undefined) update({ figures: line });
  });
}

/** Ask what is wrong with the fill. */
function askAudit() {
  const unread = Object.keys(state.ruleFaults).filter((name) => !state.brokenRules.includes(name)),
    ruled = { ...request(), ...fieldsOf(state.letterRules, unread) };
  audit.ask("check", { puzzle: withLocked(), request: ruled }, (line) => {
    if (line.done === undefined) update({ audit: line });
  });
}

/**
 * Fill what is empty or was pencilled, or a region anew. The best fill so far is shown as a ghost, and written when the
 * search ends or is stopped.
 * Another fill has as few words of this one as can be found, and at least one slot with a different word.
 * @param {{objective?: string, another?: boolean, cells?: number[] | null}} how
 */
export async function autofill(how) {
  const { objective = "good", another = false, cells: within = null } = how;
  const puzzle = state.puzzle,
    before = puzzle.cells.slice();
  const cells = before.slice();
  for (const cell of within ?? state.pencilled) if (cells[cell] !== null && !state.locked.has(cell)) cells[cell] = "";
  if (!cells.includes("")) return update({ message: "nothing_to_fill" });
  const record = {
    puzzle: { ...puzzle, cells },
    request: { ...fillRequest(), objective },
    ...(another && { seed: Math.floor(Math.random() * 2 ** 31), another: rowsOf(before, puzzle.width) }),
  };
  let fill = /** @type {Cells | null} */ (null),
    theme = /** @type {string[]} */ ([]),
    last = /** @type {Answers["solve"] | null} */ (null);
  let progress = /** @type {NonNullable<State["filling"]>} */ ({
    value: null,
    bound: null,
    objective,
    ...startClock(FILL_SECONDS),
  });
  /** @param {Partial<typeof progress>} change */
  const tell = (change) => update({ filling: (progress = { ...progress, ...change }) });
  first.end(); // or that fill would come over this one
  filling.endWaiting();
  const hushed = objective === "good" ? [candidates, crossing, letters].filter((each) => each.isRunning) : [];
  for (const each of hushed) each.end(); // the fill would wait for them, or go half as fast
  const askAgain = () => {
    if (hushed.length) askAnew();
  };
  const waiting = setTimeout(askAgain, HEAD_START_MS);
  update({ filling: progress, message: "", ghost: null });
  let left_s = FILL_SECONDS,
    reached = /** @type {Value} */ (null);
  const seek = () =>
    filling.ask("solve", { ...record, seconds: left_s }, (line) => {
      if (line.event === "found") {
        if (reached !== null && !exceeds(line.value, reached)) return;
        fill = lettersOf(line.rows);
        theme = line.words.filter((each) => each.theme).map(({ slot }) => slot);
        update({ ghost: fill });
        tell({ value: line.value });
      } else if (line.event === "bound") {
        tell({ bound: line.value });
      } else if (line.done) {
        last = line;
      }
    });
  do {
    const begun_ms = performance.now();
    filling.hasGivenWay = false;
    await seek();
    left_s -= (performance.now() - begun_ms) / 1000;
    reached = progress.value;
    await filling.awaitTurn();
  } while (filling.hasGivenWay && left_s > 0);
  clearTimeout(waiting);
  if (filling.isRunning) return askAgain(); // another began in its place
  update({ filling: null, ghost: null });
  if (state.puzzle.cells !== puzzle.cells) return;
  if (fill) {
    keepFill();
    if (!writeFill(fill, before, cells, within, theme)) return askAgain();
    const own = [...(last?.accepted ?? []), ...Object.keys(last?.exempt ?? {})];
    if (state.pool.length) tellUndoable(t("pool_placed", { value: [progress.value].flat()[0] }));
    else if (own.length) tellUndoable(t("own_entries", { words: own.join(", ") }));
  } else if (last) {
    const { status } = last;
    update({ message: status === "NO_OTHER" ? "no_other" : status === "UNSATISFIABLE" ? "no_fill" : "none_found" });
  }
  if (!fill) askAgain();
}

const RATING_SECONDS = 3;

/**
 * Return the scores of a good fill of a pattern, null where time runs out before one, or undefined where another
 * question took its place.
 * @param {Puzzle} pattern @returns {Promise<FillFigures | null | undefined>}
 */
export async function rate(pattern) {
  let letters = /** @type {Cells | null} */ (null),
    scores = /** @type {FillFigures | null} */ (null);
  const asked = { puzzle: pattern, request: { ...request(), objective: "good" }, seconds: RATING_SECONDS };
  const whole = await rating.ask("solve", asked, (line) => {
    if (line.event === "found") letters = lettersOf(line.rows);
  });
  if (!whole || !letters) return whole ? null : undefined;
  const filled = { puzzle: { ...pattern, cells: letters }, request: request() };
  const told = await rating.ask("stats", filled, (line) => (scores = line.fill ?? scores));
  return told ? scores : undefined;
}

/** Return whether a value is better than another. @param {Value} value @param {Value} other */
function exceeds(value, other) {
  const [ours, theirs] = [value, other].map((each) => [each ?? 0].flat()),
    at = ours.findIndex((each, place) => each !== theirs[place]);
  return at >= 0 && ours[at] > theirs[at];
}

/** Stop the autofill, whose best fill so far is written, and the count. */
export function stopFilling() {
  filling.endWaiting();
  filling.stop();
  counting.stop();
  if (state.counting) update({ counting: { ...state.counting, running: false } });
}

/**
 * Write a fill into the puzzle, into some cells alone if such are given: what changes flashes, what was empty is
 * pencilled, but theme entries are locked. Returns whether anything changes, and says so where nothing does.
 * @param {Cells} letters @param {Cells} before @param {Cells} emptied @param {readonly number[] | null} [within]
 * @param {readonly string[]} [theme]
 */
export function writeFill(letters, before, emptied, within, theme = []) {
  const pencilled = new Set(state.pencilled),
    changed = new Map();
  for (const [cell, old] of before.entries()) {
    if (old === null || (within && !within.includes(cell))) continue;
    if (emptied[cell] === "") pencilled.add(cell);
    const letter = letters[cell] ?? old;
    if (letter !== old) changed.set(cell, letter);
  }
  if (!changed.size) {
    update({ message: "same_fill" });
    return false;
  }
  update({ flashing: new Set(changed.keys()) });
  setTimeout(() => update({ flashing: new Set() }), 900);
  const own = listSlots(state.puzzle).flatMap(({ name, cells }) => (theme.includes(name) ? cells : []));
  for (const cell of own) pencilled.delete(cell);
  edit(setLetters(state.puzzle, changed, state.pencilled), { pencilled, locked: new Set([...state.locked, ...own]) });
  return true;
}

/** Count the fills. */
export async function count() {
  const clock = startClock(COUNT_SECONDS),
    record = { puzzle: mine(), request: fillRequest(), seconds: COUNT_SECONDS };
  const tell = (/** @type {{fills: number, exact: boolean, running: boolean}} */ counted) =>
    update({ counting: { ...counted, ...clock } });
  tell({ fills: 0, exact: false, running: true });
  const whole = await counting.ask("count", record, (line) => {
    if (line.done) tell({ fills: line.fills, exact: line.exact, running: false });
    else if (line.counted !== undefined) tell({ fills: line.counted, exact: false, running: true });
  });
  if (!whole && state.counting?.running && !counting.isRunning) update({ counting: null });
}

/**
 * Ban a word from all fills, or give it another score; the one that it had can be given back.
 * @param {WordChange} change @param {number} [before]
 */
export async function judgeWord(change, before) {
  try {
    const { told } = await changeWord(change),
      word = "ban" in change ? change.ban : change.rescore,
      undo = () => judgeWord({ rescore: word, score: before ?? 0 });
    update({ message: told, offer: before === undefined ? null : { message: told, name: "undo", act: undo } });
    judge();
  } catch (error) {
    update({ message: messageOf(error) });
  }
}

/**
 * Return the letters of a fill cell by cell; its rows are lists, or texts where a cell of several letters is (STAR), and
 * one whose letter means nothing a dot.
 * @param {Rows} rows @returns {Cells}
 */
export const lettersOf = (rows) =>
  rows.flatMap((row) =>
    typeof row === "string"
      ? Array.from(
          row.matchAll(/\(([^)]*)\)|./gu),
          ([sign, several]) => several ?? (sign === "#" ? null : sign === "." ? "" : sign),
        )
      : row,
  );

/** Return a fill row by row, as the server takes it. @param {Cells} cells @param {number} width */
const rowsOf = (cells, width) =>
  Array.from({ length: cells.length / width }, (_, row) =>
    cells
      .slice(row * width, (row + 1) * width)
      .map((letter) => (letter === null ? "#" : letter.length > 1 ? `(${letter})` : letter || "."))
      .join(""),
  );

onEdit((_, typed, unasked) => {
  if (!unasked) generating.end(); // or its grid would take the place of what was written, or opened, meanwhile
  if (!typed) judge();
  if (!unasked) return;
  update({ figures: state.figures && { ...state.figures, fill: null } }); // the scores were those of other letters
  askAtRest();
});
