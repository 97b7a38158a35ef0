// The puzzles and lists of the directory: saved, opened, renamed, imported.

import * as api from "./api.js";
import { hand } from "./dom.js";
import { makePuzzle } from "./model.js";
import { judge } from "./questions.js";
import { findStage, keepStage } from "./stages.js";
import { agree, edit, open, rekey, state, update } from "./store.js";
import { t } from "./strings.js";
import { useFolder } from "./tab.js";

/** @import { Puzzle } from "../types.d.ts" */

/** What the names of the files end in that are saved. */
const NATIVE = ".ipuz";

let saver = 0;
/** @type {Promise<unknown>} */
let underway = Promise.resolve();

/** Save soon; a burst of edits is saved once. */
export function saveSoon() {
  if (!state.name || state.saving === "conflict") return;
  update({ saving: "unsaved" });
  clearTimeout(saver);
  saver = setTimeout(saveNow, 400);
}

/** Save when the save before has ended: its answer has the tag to show. Resolves to whether it was saved. */
export const saveNow = () => inTurn(save);

/**
 * Do something when what is under way has ended.
 * @template T @param {() => T | Promise<T>} work @returns {Promise<T>}
 */
function inTurn(work) {
  const done = underway.then(work);
  underway = done;
  return done;
}

async function save() {
  if (!state.name || state.saving === "conflict") return false;
  const puzzle = state.puzzle,
    before = state.etag,
    foreign = !state.name.endsWith(NATIVE);
  update({ saving: "saving" });
  try {
    if (foreign) update({ name: await freeName(state.name), etag: null }); // the file it was read from stays as it is
    const name = state.name,
      etag = await api.save(name, puzzle, state.etag);
    if (state.name === name) {
      update({
        etag,
        saving: state.puzzle === puzzle ? "saved" : "unsaved",
        message: state.message === "no_server" ? "" : state.message,
      });
      keepStage(etag, before, state);
    }
    if (foreign) await refresh();
    return true;
  } catch (error) {
    if (error instanceof api.Refused && error.status === 412) {
      const { puzzle = null, etag = null } = error.record;
      update({ saving: "conflict", theirs: { puzzle, etag } });
    } else {
      update({ saving: "unsaved", message: api.messageOf(error) });
      saver = setTimeout(saveNow, 3000); // the server may come back
    }
  }
  return false;
}

/**
 * Settle a conflict: keep what is here, or take what is in the file. Where the file holds no puzzle, what is here goes
 * into another; where it is gone, so does what is here.
 * @param {boolean} mine
 */
export function settleConflict(mine) {
  if (!state.theirs) return;
  const { puzzle, etag } = state.theirs;
  update({ etag, saving: "saved", theirs: null });
  if (mine) saveNow();
  else if (puzzle) edit(puzzle);
  else if (etag) tellingErrors(() => addPuzzle(state.puzzle, state.name ?? ""));
  else tellingErrors(openAnother);
}

/** Open another puzzle than this one, which is no more, or a new one where there is none. */
async function openAnother() {
  update({ name: null, saving: "saved" });
  await refresh();
  if (state.puzzles.length) await openPuzzle(state.puzzles[0]);
  else await newPuzzle();
}

/** Have the puzzles of a folder of the user's own instead of the browser's, until the tab is closed. */
export const openFolder = () =>
  tellingErrors(async () => {
    const folder = await window.showDirectoryPicker?.({ id: "cpfill", mode: "readwrite" }).catch(giveUp);
    if (!folder) return;
    await leave();
    await useFolder(folder);
    await openAnother();
  });

/** Whoever shuts the dialog without a choice wants nothing. @param {Error} error @returns {null} */
function giveUp(error) {
  if (error.name === "AbortError") return null;
  throw error;
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

let openings = 0;

/** Open a puzzle, unless another is asked for before it is there. @param {string} name */
export async function openPuzzle(name) {
  const own = ++openings,
    { puzzle, etag, told } = await api.load(name);
  if (own !== openings) return;
  await leave(); // at last: what is written until then is saved
  if (own !== openings) return;
  open(puzzle, { name, etag, saving: "saved" }, findStage(etag));
  update({ message: told.join("; ") });
}

/** Save a puzzle under a name that no other has, and open it. @param {Puzzle} puzzle @param {string} wanted */
async function addPuzzle(puzzle, wanted) {
  await leave();
  const name = await freeName(wanted),
    etag = await api.save(name, puzzle, null);
  open(puzzle, { name, etag, saving: "saved" });
  await refresh();
}

/** Begin a puzzle, with its design: an empty square has no fill, and many words that none has. */
export const newPuzzle = () =>
  tellingErrors(async () => {
    await addPuzzle(makePuzzle(15, 15), "puzzle");
    update({ mode: "design", selecting: false });
    judge();
  });

/** Return a name like the one that is wanted which no file has. @param {string} wanted @param {string} [suffix] */
async function freeName(wanted, suffix = NATIVE) {
  await refresh();
  const stem = stemOf(wanted) || "puzzle",
    there = new Set([...state.puzzles, ...state.lists]);
  let name = stem + suffix;
  for (let n = 2; there.has(name); n++) name = `${stem} ${n}${suffix}`;
  return name;
}

/** Return a file name without its suffix, and without what no file name has. @param {string} name */
export const stemOf = (name) =>
  name
    .replace(/\.[^.\s]*$/, "")
    .replace(/[^\p{L}\p{N} ._-]/gu, "")
    .replace(/^\.+/, "")
    .trim();

/** Save this puzzle under another name, with what was chosen for it, and open that. */
export const duplicatePuzzle = () =>
  tellingErrors(async () => {
    const { words, minScore, personal, pool, clueSources } = state;
    await addPuzzle(state.puzzle, state.name ?? "");
    agree({ words, minScore, personal, pool, clueSources });
    judge();
  });

/** Give this puzzle another name; its file keeps its suffix. @param {string} wanted */
export async function renamePuzzle(wanted) {
  await settle();
  await inTurn(() => tellingErrors(() => rename(wanted)));
}

/** @param {string} wanted */
async function rename(wanted) {
  const { name, etag } = state;
  if (name === null) return;
  const suffix = /(\.[^.]*)?$/.exec(name)?.[0] ?? "";
  const stem = stemOf(wanted.endsWith(suffix) ? wanted : wanted + suffix),
    to = stem + suffix;
  if (!stem || to === name) return;
  await api.rename(name, to, etag);
  rekey(name, to);
  update({ name: to });
  await refresh();
}

/** Delete this puzzle, open another, and offer to have it back. */
export const deletePuzzle = () =>
  tellingErrors(async () => {
    await settle();
    const { name, etag, puzzle } = state;
    if (name === null) return;
    await api.remove(name, etag);
    rekey(name, null);
    await openAnother();
    const message = t("deleted", { name });
    update({ message, offer: { message, name: "undo", act: () => tellingErrors(() => addPuzzle(puzzle, name)) } });
  });

/** Add a word list to the directory, and have words from it; no file is overwritten. @param {File} file */
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

/** Say what is wrong with a file: the server may have named it. @param {string} name @param {unknown} error */
function blame(name, error) {
  const message = api.messageOf(error);
  update({ message: message === "no_server" || message.startsWith(`${name}:`) ? message : `${name}: ${message}` });
}

/** Do something, and say what goes wrong. @param {() => Promise<void>} work */
async function tellingErrors(work) {
  try {
    await work();
  } catch (error) {
    update({ message: api.messageOf(error) });
  }
}

/**
 * Read files of any format as new puzzles, none of which takes the place of another: one after the other, that two of
 * one name find different ones.
 * @param {Iterable<File>} files
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

/** Look what the directory has now. Resolves to the puzzle that the user named at the start. */
export async function refresh() {
  const { directory, puzzles, lists, clues, opened } = await api.get("puzzles");
  update({ directory, puzzles, lists, clueFiles: clues });
  return opened;
}

/** Hand all files of the directory to the user, in one archive. */
export const downloadAll = () => tellingErrors(async () => hand(await api.archive(), "puzzles.zip"));
