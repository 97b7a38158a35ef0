// The puzzles and lists of the directory: saved, opened, renamed, imported.

import { begin, whileBusy } from "../model/idle.js";
import { makePuzzle } from "../model/puzzle.js";
import {
  LASTING,
  agree,
  edit,
  here,
  listNoted,
  marksOf,
  open,
  pastOf,
  state,
  tellUndoable,
  update,
  usualTerms,
  withLimits,
  workHere,
} from "../model/store.js";
import { t } from "../model/strings.js";
import { readFolder } from "../tab/tab.js";
import * as api from "./api.js";
import { judge } from "./questions.js";

/** @import { Directory, Place, Puzzle, Saved, State, Work } from "../../types.d.ts" */

/** What the names of the files end in that are saved. */
const NATIVE = ".ipuz";

const saving = {
  /** The timer of the next save. */
  timer: 0,
  /** Notes that a save which is due soon has begun, or will not come. */
  begun: () => {},
  /** What is under way: one thing is done at a time. @type {Promise<unknown>} */
  underway: Promise.resolve(),
  /**
   * The puzzle whose last save got no answer: the file may hold it or not.
   * @type {{name: string, etag: string | null, puzzle: Puzzle, work: Work} | null}
   */
  unanswered: null,
};

/** Save soon; a burst of edits is saved once. */
export function saveSoon() {
  if (!state.name || state.saving === "conflict") return;
  update({ saving: "unsaved" });
  clearTimeout(saving.timer);
  saving.begun();
  saving.begun = begin();
  saving.timer = setTimeout(saveNow, 400);
}

/** Save when the save before has ended: its answer has the tag to show. Resolves to whether it was saved. */
export const saveNow = () => inTurn(save);

/**
 * Do something when what is under way has ended.
 * @template T @param {() => T | Promise<T>} work @returns {Promise<T>}
 */
function inTurn(work) {
  const done = saving.underway.then(work);
  saving.underway = done;
  return whileBusy(done);
}

async function save() {
  clearTimeout(saving.timer);
  saving.begun();
  if (!state.name || state.saving === "conflict") return false;
  const foreign = !state.name.endsWith(NATIVE);
  update({ saving: "saving" });
  try {
    if (foreign) update({ name: await freeName(state.name), etag: null }); // the file it was read from stays as it is
    const { name, etag: old } = state;
    // Send that one again first: a newer one would conflict with it.
    const sent =
      saving.unanswered?.name === name && saving.unanswered.etag === old
        ? saving.unanswered
        : { name, etag: old, puzzle: state.puzzle, work: workHere() };
    saving.unanswered = sent;
    const etag = await api.save(name, { ...sent.puzzle, work: sent.work }, old);
    saving.unanswered = null;
    if (state.name === name) {
      update({ etag, saving: "saved", message: LASTING.includes(state.message) ? "" : state.message });
      if (state.puzzle !== sent.puzzle || JSON.stringify(workHere()) !== JSON.stringify(sent.work)) saveSoon();
    }
    if (foreign) await refresh();
    return true;
  } catch (error) {
    if (error instanceof api.Refused) saving.unanswered = null;
    if (isConflict(error)) {
      const { puzzle = null, etag = null } = error.record;
      update({ saving: "conflict", theirs: { puzzle, etag } });
    } else {
      update({ saving: "unsaved", message: api.messageOf(error) });
      saving.timer = setTimeout(saveNow, 3000); // the server may come back
    }
  }
  return false;
}

/** @param {unknown} error @returns {error is api.Refused} */
const isConflict = (error) => error instanceof api.Refused && error.status === 412;

/** Save now what is not saved yet, because the page may be about to close. */
export function flush() {
  if (state.saving === "unsaved") saveNow();
}

/**
 * Settle a conflict: the file gets what is here, or what is here becomes what the file has. The other version is kept
 * beside it, as a file of its own. Where the file is gone there is no other: what is here is written again, or closed.
 * @param {boolean} mine
 */
export const settleConflict = (mine) =>
  tellingErrors(async () => {
    const { theirs, name } = state;
    if (!theirs || name === null) return;
    const { puzzle, etag } = theirs;
    if (!etag && !mine) return closeFile(name, state.puzzle, t("closed", { name }));
    const beside = await freeName(t(mine ? "version_theirs" : "version_mine", { name: stemOf(name) }));
    if (mine) {
      const known = !etag || (await isKept(name, beside, etag)); // else the file changed again: ask about that version
      await goOn(known ? { etag } : {});
    } else if (puzzle) {
      await keepMine(beside);
      update({ etag, saving: "saved", theirs: null });
      const { work = {}, ...kept } = puzzle;
      edit(withLimits(kept, work), marksOf(kept, work));
    } else await goOn({ name: beside, etag: null });
    if (!etag || state.saving === "conflict") return;
    await refresh();
    update({ message: t(mine || puzzle ? "version_kept" : "version_saved", { name: beside }) });
  });

/** Save what is here as a file of this name, until all of it is there. @param {string} name */
async function keepMine(name) {
  let puzzle = null,
    etag = null;
  while (puzzle !== state.puzzle) {
    puzzle = state.puzzle;
    etag = await api.save(name, { ...puzzle, work: workHere() }, etag);
  }
}

/**
 * Copy a file beside itself. Resolves to whether it was still the one with this etag.
 * @param {string} name @param {string} beside @param {string} etag
 */
async function isKept(name, beside, etag) {
  try {
    await api.rename(name, beside, etag, true);
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}

/** End the conflict, and save. @param {{name?: string, etag?: string | null}} change */
function goOn(change) {
  update({ ...change, saving: "unsaved", theirs: null });
  return saveNow();
}

/** Open another puzzle than this one, which is no more, or a new one where there is none. */
async function openAnother() {
  update({ name: null, saving: "saved", theirs: null });
  const { recent } = await refresh();
  if (recent) await openPuzzle(recent);
  else await newPuzzle();
}

/** Close a puzzle whose file is gone, say so, and offer to have it back. @param {string} name @param {Puzzle} puzzle @param {string} message */
async function closeFile(name, puzzle, message) {
  const saved = { ...puzzle, work: workHere() };
  await openAnother();
  update({ message, offer: { message, name: "undo", act: () => tellingErrors(() => addPuzzle(saved, name)) } });
}

/**
 * Open the puzzle that this tab had before a reload; else the one that was named at the start, which need not be there
 * yet; else the one that was worked on last. If it cannot be read, say why and open the next.
 * @param {Directory} directory
 */
export async function openFirst({ opened, recent, puzzles }) {
  const [reloaded, last] = listNoted();
  let fault = "";
  for (const name of new Set([reloaded?.name, opened, last?.name, recent, ...puzzles])) {
    try {
      const place = [reloaded, last].find((each) => each?.name === name);
      if (puzzles.includes(name ?? "")) await openPuzzle(name ?? "", place);
      else if (name && name === opened) await beginPuzzle(name);
      else continue;
      if (fault) update({ message: fault });
      return;
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      fault ||= error.message;
    }
  }
  await newPuzzle();
}

/** Have the puzzles of a folder of the user's own instead of the browser's, until the tab is closed. */
export const openFolder = () =>
  tellingErrors(async () => {
    const folder = await window.showDirectoryPicker?.({ id: "cpfill", mode: "readwrite" }).catch(giveUp);
    if (!folder) return;
    const use = await readFolder(folder);
    await leave();
    use();
    await openAnother();
  });

/** Whoever shuts the dialog without a choice wants nothing. @param {Error} error @returns {null} */
function giveUp(error) {
  if (error.name === "AbortError") return null;
  throw error;
}

/** Save what is not saved yet, and what is written meanwhile, until no save is under way. */
async function settle() {
  let ended;
  do {
    await (ended = saving.underway);
    if (state.saving === "unsaved" && !(await saveNow())) return;
  } while (ended !== saving.underway);
}

/** Save what is not saved yet, before another puzzle takes its place; what cannot be saved stays open. */
async function leave() {
  await settle();
  if (state.name && state.saving !== "saved") throw new Error("stays_open");
}

/** The mode in which the page begins: whoever goes to another before a puzzle is there stays in it. */
const FIRST = state.mode;
/** How many puzzles were asked for: the last one is opened. */
const openings = { count: 0 };

/** Open none of the puzzles that were asked for and are not there yet. */
export const stay = () => void openings.count++;

/**
 * Open a puzzle, unless another is asked for before it is there.
 * @param {string} name @param {Partial<Place>} [place]  Where work on it goes on.
 */
export async function openPuzzle(name, { cursor, direction, mode } = {}) {
  const own = ++openings.count,
    { puzzle: saved, etag, told } = await api.load(name),
    { work, ...puzzle } = saved;
  if (own !== openings.count) return;
  await leave(); // at last: what is written until then is saved
  if (own !== openings.count) return;
  const there = puzzle.cells[cursor ?? -1] === undefined ? {} : { cursor, direction };
  open(
    puzzle,
    { name, etag, saving: "saved", ...there, ...(mode && state.mode === FIRST && { mode }) },
    work,
    pastOf(name, puzzle),
  );
  update({ message: told.join("; ") });
}

/**
 * Save a puzzle under a name that no other has, and open it.
 * @param {Saved} saved @param {string} wanted @param {Partial<State>} [change]
 */
async function addPuzzle({ work = { terms: usualTerms() }, ...puzzle }, wanted, change) {
  await leave();
  const name = await freeName(wanted),
    etag = await api.save(name, { ...puzzle, work }, null);
  open(puzzle, { ...change, name, etag, saving: "saved" }, work);
  await refresh();
}

/**
 * Save a puzzle under a name that no listed file has, and return this name.
 * @param {Saved} saved @param {string} wanted
 */
async function keepPuzzle({ work = { terms: usualTerms() }, ...puzzle }, wanted) {
  const name = nameLike(wanted);
  await api.save(name, { ...puzzle, work }, null);
  update({ puzzles: [...state.puzzles, name] });
  return name;
}

/** Begin a puzzle. */
export const newPuzzle = () => tellingErrors(() => beginPuzzle("puzzle"));

/** Begin a puzzle, with its design: an empty square has no fill, and many words that none has. @param {string} wanted */
const beginPuzzle = (wanted) => addPuzzle(makePuzzle(15, 15), wanted, { mode: "design", selecting: false });

/** Return a name like the one that is wanted which no file has. @param {string} wanted @param {string} [suffix] */
async function freeName(wanted, suffix = NATIVE) {
  await refresh();
  return nameLike(wanted, suffix);
}

/** Return a name like the one that is wanted which no listed file has. @param {string} wanted @param {string} [suffix] */
function nameLike(wanted, suffix = NATIVE) {
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
  tellingErrors(() => addPuzzle({ ...state.puzzle, work: workHere() }, state.name ?? ""));

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
    await closeFile(name, puzzle, t("deleted", { name }));
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

/** Say what is wrong with a file. @param {string} name @param {unknown} error */
function blame(name, error) {
  update({ message: nameFault(name, error) });
}

/** Return what is wrong with a file: the server may have named it. @param {string} name @param {unknown} error */
function nameFault(name, error) {
  const message = api.messageOf(error);
  return message === "no_server" || message.startsWith(`${name}:`) ? message : `${name}: ${message}`;
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
 * one name find different ones. The last one that can be read is opened.
 * @param {readonly File[]} files
 */
export const importFiles = (files) => (files.length > 1 ? importMany(files) : importOne(files[0]));

/** @param {File | undefined} file */
async function importOne(file) {
  if (!file) return;
  try {
    const { puzzle, told } = await api.read(file);
    await addPuzzle(puzzle, file.name);
    update({ message: told.join("; ") });
  } catch (error) {
    blame(file.name, error);
  }
}

/** @param {readonly File[]} files */
async function importMany(files) {
  const notes = [];
  let last = null;
  await tellingErrors(async () => void (await refresh()));
  for (const [at, file] of files.entries()) {
    update({ message: t("importing", { number: at + 1, of: files.length }) });
    try {
      const { puzzle, told } = await api.read(file);
      last = await keepPuzzle(puzzle, file.name);
      notes.push(...told);
    } catch (error) {
      notes.push(nameFault(file.name, error));
    }
  }
  if (last !== null) await tellingErrors(() => openPuzzle(last));
  update({ message: notes.join("; ") });
}

/** Take what the file of this puzzle has now, if it is another and nothing here is unsaved; undo brings back what was here. */
export async function takeNewer() {
  const { name, etag, saving, past } = state;
  if (saving === "unsaved") return void saveNow(); // asks which one is to stay
  if (!name || saving !== "saved") return;
  const { puzzle: saved, etag: newer } = await api.load(name),
    { work = {}, ...kept } = saved;
  if (newer === etag || state.etag !== etag || state.saving !== "saved" || state.name !== name) return;
  const there = kept.cells[state.cursor] === undefined ? {} : { cursor: state.cursor, direction: state.direction };
  open(kept, { name, etag: newer, ...there }, work, [...past, here()]);
  tellUndoable(t("newer_taken", { name }));
}

/** Look what the directory has now. */
export async function refresh() {
  const found = await api.get("puzzles"),
    { directory, puzzles, lists, clues } = found;
  update({ directory, puzzles, lists, clueFiles: clues });
  return found;
}

/** Hand all files of the directory to the user, in one archive. */
export const downloadAll = () => tellingErrors(async () => hand(await api.archive(), "puzzles.zip"));

/** Hand a file to the user, as a download. @param {Blob} blob @param {string} name */
export function hand(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // a busy browser is late
}
