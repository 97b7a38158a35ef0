// What a person can do: each function is one action, whether a key, a button or a finger asks for it.

import * as api from "./api.js";
import {
  cellsBetween, findCell, findSlot, imagesOf, isWhole, listSlots, makePuzzle, moveOf, resize, setBlocks, setClue, setLetters,
  setLetterSets, slotAt, step, toggleBar, toggleMark, toggleShade, turn, turnDrafts,
} from "./model.js";
import { askCandidates, autofill, countLeft, currentSlot, inquire, judge, request } from "./questions.js";
import { findStage, keepStage } from "./stages.js";
import { agree, edit, open, rekey, state, update } from "./store.js";
import { t } from "./strings.js";

/** Put the cursor somewhere. */
export function moveTo(cell, direction = state.direction, anchor = null) {
  update({ cursor: cell, direction, anchor, ghost: state.filling ? state.ghost : null });
  askCandidates();
}

/** An arrow: turn first, move then; over blocks to the next open cell, but in Design, where blocks are drawn. */
export function arrow(direction, by, extend = false) {
  if (extend) {
    const next = step(state.puzzle, state.cursor, direction, by);
    if (next !== null) moveTo(next, state.direction, state.anchor ?? state.cursor);
    return;
  }
  const here = slotAt(state.puzzle, state.cursor, direction);
  if (direction !== state.direction && here) {
    moveTo(state.cursor, direction);
    return;
  }
  let cell = step(state.puzzle, state.cursor, direction, by);
  while (cell !== null && state.puzzle.cells[cell] === null && state.mode !== "design") {
    cell = step(state.puzzle, cell, direction, by);
  }
  if (cell !== null) moveTo(cell, direction);
}

export const turnCursor = () => moveTo(state.cursor, turn(state.direction));

/** Go to the slot after this one, or before; false after the last, where the focus is to leave the grid. */
export function nextSlot(by) {
  const slots = listSlots(state.puzzle), here = currentSlot();
  const next = slots[(here ? slots.indexOf(here) : -1) + by];
  if (!next) return false;
  goToSlot(next);
  return true;
}

/** Go to the first empty cell of a slot. */
export function goToSlot(slot) {
  const empty = slot.cells.find((cell) => !state.puzzle.cells[cell]);
  moveTo(empty ?? slot.cells[0], slot.direction);
}

/** Go to a slot or cell by its name. */
export function goTo(name) {
  const slot = findSlot(state.puzzle, name), cell = findCell(state.puzzle, name);
  if (slot) goToSlot(slot);
  else if (cell !== null) moveTo(cell);
}

/** Go to the slot that has the fewest words left, of those that are not whole. */
export async function goToTightest() {
  const left = await countLeft();
  const open = listSlots(state.puzzle).filter((slot) => left && slot.name in left && !isWhole(state.puzzle, slot));
  if (open.length) goToSlot(open.reduce((one, other) => (left[other.name] < left[one.name] ? other : one)));
}

function advance(by) {
  const slot = currentSlot();
  const at = slot ? slot.cells[slot.cells.indexOf(state.cursor) + by] : undefined;
  if (at !== undefined) moveTo(at, slot.direction);
}

/** Write a letter, or take one out with "". */
export function write(letter, by = 1) {
  const cell = state.cursor;
  if (state.puzzle.cells[cell] === null) {
    if (state.mode === "design" && letter) edit(setBlocks(state.puzzle, imagesOf(state.puzzle, cell, state.symmetry), false));
    else return;
  }
  if (state.locked.has(cell) && state.puzzle.cells[cell] !== letter) {
    update({ message: "locked" });
  } else {
    const pencilled = new Set(state.pencilled);
    pencilled.delete(cell);
    edit(setLetters(state.puzzle, new Map([[cell, letter]])), { pencilled });
  }
  advance(by);
}

/** Take out the letter here, or where there is none the one before. */
export function erase() {
  if (!state.puzzle.cells[state.cursor]) advance(-1);
  write("", 0);
}

/** Write a word into the slot under the cursor, and go on to the next that is not whole. */
export function take(word) {
  const slot = currentSlot();
  if (!slot || word.length !== slot.cells.length) return;
  const letters = new Map(slot.cells.map((cell, i) => [cell, word[i]]).filter(([cell, letter]) => state.puzzle.cells[cell] !== letter));
  if ([...letters.keys()].some((cell) => state.locked.has(cell))) return update({ message: "locked" });
  const pencilled = new Set(state.pencilled);
  for (const cell of slot.cells) pencilled.delete(cell);
  edit(setLetters(state.puzzle, letters), { pencilled });
  const slots = listSlots(state.puzzle), at = slots.findIndex((each) => each.name === slot.name);
  const next = [...slots.slice(at + 1), ...slots.slice(0, at)].find((each) => !isWhole(state.puzzle, each));
  if (next) goToSlot(next);
}

export function block() {
  const cells = imagesOf(state.puzzle, state.cursor, state.symmetry);
  const blocks = state.puzzle.cells[state.cursor] !== null;
  if (blocks && cells.some((cell) => state.locked.has(cell))) return update({ message: "locked" });
  edit(setBlocks(state.puzzle, cells, blocks));
  advance(1);
}

/** Give the puzzle another size. */
export const changeSize = (height, width) => edit(resize(state.puzzle, height, width), {}, moveOf(state.puzzle, height, width));

export const bar = (direction) => edit(toggleBar(state.puzzle, state.cursor, direction, state.symmetry));

/** Circle the cells that are selected, or the one under the cursor. */
export const circle = () => edit(toggleMark(state.puzzle, "circles", selectedCells()));

/** Shade the cells that are selected, or the one under the cursor. */
export const shade = () => edit(toggleShade(state.puzzle, selectedCells(), state.shade));

/** Lock the letters of the region, or of the slot, or unlock them. */
export function lock() {
  const cells = (state.anchor === null ? currentSlot()?.cells ?? [] : selectedCells()).filter((cell) => state.puzzle.cells[cell]);
  const on = cells.some((cell) => !state.locked.has(cell));
  if (cells.length) edit(state.puzzle, { locked: new Set([...state.locked, ...cells].filter((cell) => on || !cells.includes(cell))) });
}

/** Give the solver the letters that are selected, or take them back. */
export const give = () => edit(toggleMark(state.puzzle, "givens", selectedCells().filter((cell) => state.puzzle.cells[cell])));

/** Write several letters into the cell. */
export const rebus = (text) => write(text.toUpperCase().replace(/\s/g, ""), 0);

/** Ask which letters the selected cells may hold. */
export function askLimit() {
  document.getElementById("letters-text").value = state.puzzle.letter_sets[state.cursor] ?? "";
  document.getElementById("letters-dialog").showModal();
}

/** Let the empty cells of the selection hold some letters alone, or any. */
export function limit(text) {
  const letters = [...new Set(text.toUpperCase().match(/\p{L}/gu) ?? [])].join("");
  edit(setLetterSets(state.puzzle, selectedCells().filter((cell) => !state.puzzle.cells[cell]), letters));
}

/** Return the open cells of the region, or the cell under the cursor. */
const selectedCells = () =>
  state.anchor === null ? [state.cursor].filter((cell) => state.puzzle.cells[cell] !== null) : cellsBetween(state.puzzle, state.anchor, state.cursor);

/** Fill: the region if there is one, else all that is empty or was pencilled. */
export function fill(objective = "good", another = false) {
  autofill({ objective, another, cells: state.anchor === null ? null : selectedCells() });
}

/** Take out all letters that an autofill wrote, or all that are not locked. */
export function clear(all) {
  const cells = state.puzzle.cells.map((letter, cell) => cell).filter(
    (cell) => state.puzzle.cells[cell] && !state.locked.has(cell) && (all || state.pencilled.has(cell)),
  );
  edit(setLetters(state.puzzle, new Map(cells.map((cell) => [cell, ""]))), { pencilled: new Set() });
}

/** Do what makes a fill possible: a letter is taken out, or a slot need not be a word. */
export function repair(name) {
  const cell = findCell(state.puzzle, name);
  if (cell !== null) edit(setLetters(state.puzzle, new Map([[cell, ""]])));
  else edit(state.puzzle, { opened: [...state.opened, name] });
}

/** Ask for a word again in a slot that need not have been one. */
export const closeSlot = (name) => edit(state.puzzle, { opened: state.opened.filter((each) => each !== name) });

/** Give a slot its clue. */
export const writeClue = (name, text) => edit(setClue(state.puzzle, name, text));

/** Take a clue that was found; the one before stays as a draft. */
export const takeClue = (name, text) => edit(setClue(state.puzzle, name, text, [state.puzzle.clues[name] ?? "", ...(state.puzzle.drafts[name] ?? [])]));

/** Keep a text among the drafts of a slot; its clue is to be written anew. */
export const setAside = (name, text) => edit(setClue(state.puzzle, name, "", [text, ...(state.puzzle.drafts[name] ?? [])]));

/** Have the draft that comes `by` places after a text as the clue of a slot. */
export const chooseDraft = (name, text, by) => edit(turnDrafts(setClue(state.puzzle, name, text), name, by));

export const removeDraft = (name, draft) => edit(setClue(state.puzzle, name, state.puzzle.clues[name] ?? "", state.puzzle.drafts[name].filter((text) => text !== draft)));

export function setMetadata(key, text) {
  const metadata = { ...state.puzzle.metadata };
  if (text) metadata[key] = text;
  else delete metadata[key];
  if (text !== (state.puzzle.metadata[key] ?? "")) edit({ ...state.puzzle, metadata });
}

// Files

/** What the names of the files end in that are saved. */
const NATIVE = ".ipuz";

let saver = 0, underway = Promise.resolve();

/** Save soon; a burst of edits is saved once. */
export function saveSoon() {
  if (!state.name || state.saving === "conflict") return;
  update({ saving: "unsaved" });
  clearTimeout(saver);
  saver = setTimeout(saveNow, 400);
}

/** Save when the save before has ended: its answer has the tag to show. Resolves to whether it was saved. */
export const saveNow = () => inTurn(save);

function inTurn(work) {
  underway = underway.then(work);
  return underway;
}

async function save() {
  if (!state.name || state.saving === "conflict") return false;
  const puzzle = state.puzzle, before = state.etag, foreign = !state.name.endsWith(NATIVE);
  update({ saving: "saving" });
  try {
    if (foreign) update({ name: await freeName(state.name), etag: null });  // the file it was read from stays as it is
    const name = state.name, etag = await api.save(name, puzzle, state.etag);
    if (state.name === name) {
      update({ etag, saving: state.puzzle === puzzle ? "saved" : "unsaved", message: state.message === "no_server" ? "" : state.message });
      keepStage(etag, before, state);
    }
    if (foreign) await refresh();
    return true;
  } catch (error) {
    if (error.status === 412) update({ saving: "conflict", theirs: error.record });
    else {
      update({ saving: "unsaved", message: error.message });
      saver = setTimeout(saveNow, 3000);  // the server may come back
    }
  }
  return false;
}

/** Settle a conflict: keep what is here, or take what is in the file. */
export function settleConflict(mine) {
  const { puzzle, etag } = state.theirs;
  update({ etag, saving: "saved", theirs: null });
  if (mine) saveNow();
  else if (puzzle) edit(puzzle);
}

/** Save what is not saved yet, and what is written meanwhile. */
async function settle() {
  clearTimeout(saver);
  await underway;
  while (state.saving === "unsaved" && (await saveNow()));
}

/** Save what is not saved yet, before another puzzle takes its place; what cannot be saved stays open. */
async function leave() {
  await settle();
  if (state.name && state.saving !== "saved") throw new Error("stays_open");
}

export async function openPuzzle(name) {
  const { puzzle, etag, told } = await api.load(name);
  await leave();  // at last: what is written until then is saved
  open(puzzle, { name, etag, saving: "saved" }, findStage(etag));
  update({ message: told.join("; ") });
}

/** Save a puzzle under a name that no other has, and open it. */
async function addPuzzle(puzzle, wanted) {
  await leave();
  const name = await freeName(wanted), etag = await api.save(name, puzzle, null);
  open(puzzle, { name, etag, saving: "saved" });
  await refresh();
}

/** Begin a puzzle, with its design: an empty square has no fill, and many words that none has. */
export const newPuzzle = () => tellingErrors(async () => {
  await addPuzzle(makePuzzle(15, 15), "puzzle");
  update({ mode: "design", selecting: false });
  judge();
});

/** Return a name like the one that is wanted which no file has. */
async function freeName(wanted, suffix = NATIVE) {
  await refresh();
  const stem = stemOf(wanted) || "puzzle", there = new Set([...state.puzzles.map((each) => each.name), ...state.lists]);
  let name = stem + suffix;
  for (let n = 2; there.has(name); n++) name = `${stem} ${n}${suffix}`;
  return name;
}

/** Return a file name without its suffix, and without what no file name has. */
export const stemOf = (name) => name.replace(/\.[^.\s]*$/, "").replace(/[^\p{L}\p{N} ._-]/gu, "").replace(/^\.+/, "").trim();

/** Save this puzzle under another name, with what was chosen for it, and open that. */
export const duplicatePuzzle = () => tellingErrors(async () => {
  const { words, minScore, personal, pool, clueSources } = state;
  await addPuzzle(state.puzzle, state.name);
  agree({ words, minScore, personal, pool, clueSources });
  judge();
});

/** Give this puzzle another name; its file keeps its suffix. */
export async function renamePuzzle(wanted) {
  await settle();
  await inTurn(() => tellingErrors(() => rename(wanted)));
}

async function rename(wanted) {
  const { name, etag } = state, suffix = /(\.[^.]*)?$/.exec(name)[0];
  const stem = stemOf(wanted.endsWith(suffix) ? wanted : wanted + suffix), to = stem + suffix;
  if (!stem || to === name) return;
  await api.rename(name, to, etag);
  rekey(name, to);
  update({ name: to });
  await refresh();
}

/** Delete this puzzle, and open another, or a new one where there is none. */
export const deletePuzzle = () => tellingErrors(async () => {
  await settle();
  const { name, etag } = state;
  await api.remove(name, etag);
  rekey(name, null);
  update({ name: null, saving: "saved" });
  await refresh();
  if (state.puzzles.length) await openPuzzle(state.puzzles[0].name);
  else await newPuzzle();
});

/** Add a word list to the directory, and have words from it; no file is overwritten. */
export async function addList(file) {
  try {
    const name = await freeName(file.name, /\.tsv$/i.test(file.name) ? ".tsv" : ".txt");
    const { words, told } = await api.addList(name, file);
    await refresh();
    agree({ words: [...state.words, name] });
    update({ message: [t("list_added", { name, words: words.toLocaleString(state.language) }), ...told].join("; ") });
    judge();
  } catch (error) {
    blame(file.name, error);
  }
}

/** Say what is wrong with a file: the server may have named it. */
function blame(name, { message }) {
  update({ message: message === "no_server" || message.startsWith(`${name}:`) ? message : `${name}: ${message}` });
}

async function tellingErrors(work) {
  try {
    await work();
  } catch (error) {
    update({ message: error.message });
  }
}

/**
 * Read files of any format as new puzzles, none of which takes the place of another: one after the other, that two of
 * one name find different ones.
 */
export async function importFiles(files) {
  for (const file of files) {
    try {
      const { puzzle, told } = await api.read(file);
      await addPuzzle(puzzle, file.name);
      update({ message: told.join("; ") });
    } catch (error) {
      blame(file.name, error);
    }
  }
}

export async function refresh() {
  const { directory, puzzles, lists, clues, opened } = await api.get("puzzles");
  update({ directory, puzzles, lists, clueFiles: clues });
  return opened;
}

/** What no grid was found for: the theme word that is most to blame, and those without which there is one. */
function tellNoGrid({ status, blame = {}, helps = [] }) {
  const [worst] = Object.entries(blame).sort(([, one], [, other]) => other - one);
  const without = Object.keys(blame).filter((word) => helps.includes(`without ${word}`));
  const found = t(status === "UNSATISFIABLE" ? "no_grid" : "no_grid_found");
  return [found, worst?.[1] && t("no_grid_blame", { word: worst[0] }), without.length && t("no_grid_without", { words: without.join(", ") })].filter(Boolean).join(" ");
}

/** Ask for a grid in the place of this one, or with `around` for one that has its letters. */
export function generate(options) {
  const stage = { pencilled: new Set(), ...(!options.around && { locked: new Set(), opened: [] }) };
  return inquire("generating", "generate", { ...options, request: request(), puzzle: state.puzzle, seconds: 60 }, (line) => {
    if (line.puzzle) edit({ ...line.puzzle, metadata: state.puzzle.metadata }, stage);
    else if (line.done && !line.grids) update({ message: tellNoGrid(line) });
  });
}
