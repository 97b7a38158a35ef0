// Puzzles are saved, opened, renamed and settled: nothing that was typed is lost.

import * as assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { clear, files, put, read, release, server } from "./fake-directory.mjs";
import { settle, wait } from "./fake-page.mjs";

/** @import { Puzzle } from "../../../cpfill/web/types.d.ts" */

const { makePuzzle, setLetters } = await import("../../../cpfill/web/static/model/puzzle.js");
const { edit, keepTab, notePlace, state, travel, update } = await import("../../../cpfill/web/static/model/store.js");
const page = await import("../../../cpfill/web/static/ask/files.js");

const EMPTY = makePuzzle(3, 3);
/** @param {string} word */
const withWord = (word) => setLetters(EMPTY, new Map([...word].map((letter, at) => [at, letter])));
/** @param {string} name */
const wordIn = (name) => read(name).cells.slice(0, 3).join("");

/** Write a word into the open puzzle, as its author. @param {string} word */
function write(word) {
  edit(setLetters(state.puzzle, new Map([...word].map((letter, at) => [at, letter]))));
  page.saveSoon();
}

/** Let the time until the next save go by, and the save end. */
async function save() {
  wait(400);
  await settle();
}

beforeEach(async () => {
  clear();
  update({ name: null, saving: "saved", theirs: null, message: "", offer: null });
  put("one.ipuz", EMPTY);
  await page.openPuzzle("one.ipuz");
});

test("a burst of edits is saved once", async () => {
  const before = files.get("one.ipuz");
  for (const word of ["T", "TE", "TEA"]) write(word);
  assert.deepEqual([state.saving, files.get("one.ipuz")], ["unsaved", before]);
  await save();
  assert.deepEqual([state.saving, wordIn("one.ipuz")], ["saved", "TEA"]);
});

test("a change during a save is saved after it", async () => {
  server.holding = true;
  write("T");
  await save();
  write("TE");
  release();
  await settle();
  assert.equal(wordIn("one.ipuz"), "T");
  await save();
  assert.deepEqual([state.saving, wordIn("one.ipuz")], ["saved", "TE"]);
});

test("a lost answer is no conflict", async () => {
  server.befalls = ["lost"];
  write("TE");
  await save();
  assert.deepEqual([state.saving, state.message, wordIn("one.ipuz")], ["unsaved", "no_server", "TE"]);
  write("TEA");
  await save();
  await save();
  assert.deepEqual([state.saving, wordIn("one.ipuz"), files.size], ["saved", "TEA", 1]);
});

test("a save that fails is tried again", async () => {
  server.befalls = ["full", "full"];
  write("TEA");
  await save();
  assert.equal(state.saving, "unsaved");
  wait(3000); // the second try fails too
  await settle();
  wait(3000);
  await settle();
  assert.deepEqual([state.saving, wordIn("one.ipuz")], ["saved", "TEA"]);
});

test("a puzzle that cannot be saved stays open", async () => {
  put("two.ipuz", EMPTY);
  server.befalls = ["full"];
  write("TEA");
  await page.openPuzzle("two.ipuz").catch(({ message }) => assert.equal(message, "stays_open"));
  assert.deepEqual([state.name, wordIn("one.ipuz")], ["one.ipuz", ""]);
  await page.openPuzzle("two.ipuz");
  assert.deepEqual([state.name, wordIn("one.ipuz")], ["two.ipuz", "TEA"]);
});

test("a puzzle gives way after a long save, with all that is written", async () => {
  put("two.ipuz", EMPTY);
  server.holding = true;
  write("T");
  await save();
  const opening = page.openPuzzle("two.ipuz");
  write("TEA");
  release();
  await opening;
  assert.deepEqual([state.name, wordIn("one.ipuz")], ["two.ipuz", "TEA"]);
});

test("of two puzzles the last that was asked for is opened", async () => {
  put("two.ipuz", EMPTY);
  put("three.ipuz", EMPTY);
  server.holding = true;
  const openings = [page.openPuzzle("two.ipuz"), page.openPuzzle("three.ipuz")];
  await settle();
  release();
  await Promise.all(openings);
  assert.equal(state.name, "three.ipuz");
});

// Two versions

/** Have another version in the file, and write here. */
async function clash(theirs = /** @type {object | string} */ (withWord("RUM"))) {
  put("one.ipuz", theirs);
  write("TEA");
  await save();
  assert.equal(state.saving, "conflict");
}

test("mine goes on, and theirs is kept beside it", async () => {
  await clash();
  await page.settleConflict(true);
  assert.deepEqual([state.saving, wordIn("one.ipuz"), wordIn("version_theirs.ipuz")], ["saved", "TEA", "RUM"]);
  write("TE-");
  await save();
  assert.equal(wordIn("one.ipuz"), "TE-");
});

test("theirs goes on, mine is kept beside it, and undo brings mine back", async () => {
  await clash();
  await page.settleConflict(false);
  assert.deepEqual([wordIn("one.ipuz"), wordIn("version_mine.ipuz")], ["RUM", "TEA"]);
  assert.deepEqual(state.puzzle.cells.slice(0, 3), [..."RUM"]);
  travel("past");
  assert.deepEqual(state.puzzle.cells.slice(0, 3), [..."TEA"]);
});

test("a version that changes while it is asked is asked about anew", async () => {
  await clash();
  put("one.ipuz", withWord("GIN"));
  await page.settleConflict(true);
  assert.deepEqual([state.saving, wordIn("one.ipuz")], ["conflict", "GIN"]);
  await page.settleConflict(true);
  assert.deepEqual([wordIn("one.ipuz"), wordIn("version_theirs.ipuz")], ["TEA", "GIN"]);
});

test("nothing is saved while it is asked which version stays", async () => {
  await clash();
  write("TEE");
  await save();
  assert.deepEqual([state.saving, wordIn("one.ipuz")], ["conflict", "RUM"]);
});

test("a file that is gone is written again", async () => {
  write("TEA");
  files.delete("one.ipuz");
  await save();
  assert.equal(state.theirs?.etag, null);
  await page.settleConflict(true);
  assert.deepEqual([state.saving, wordIn("one.ipuz")], ["saved", "TEA"]);
});

test("a puzzle whose file is gone is closed, and had back", async () => {
  put("two.ipuz", EMPTY);
  write("TEA");
  files.delete("one.ipuz");
  await save();
  await page.settleConflict(false);
  assert.deepEqual([state.name, files.has("one.ipuz")], ["two.ipuz", false]);
  state.offer?.act();
  await settle();
  assert.deepEqual([state.name, wordIn("one.ipuz")], ["one.ipuz", "TEA"]);
});

test("a file that holds no puzzle any more is kept either way", async () => {
  await clash("{}");
  await page.settleConflict(true);
  assert.deepEqual([wordIn("one.ipuz"), read("version_theirs.ipuz")], ["TEA", {}]);
  await clash("{}");
  await page.settleConflict(false);
  assert.deepEqual([read("one.ipuz"), wordIn("version_mine.ipuz")], [{}, "TEA"]);
});

// A newer file, in a tab that somebody comes back to

test("a newer file is taken, and undo brings back what was here", async () => {
  put("one.ipuz", withWord("N"));
  await page.takeNewer();
  assert.deepEqual([state.puzzle.cells[0], state.saving], ["N", "saved"]);
  travel("past");
  assert.equal(state.puzzle.cells[0], "");
});

test("a file that is no other changes nothing, and is no step", async () => {
  const { puzzle, past } = state;
  await page.takeNewer();
  assert.deepEqual([state.puzzle, state.past.length], [puzzle, past.length]);
});

test("what is written while a newer file is read stays", async () => {
  put("one.ipuz", withWord("N"));
  server.holding = true;
  const taking = page.takeNewer();
  update({ saving: "unsaved" });
  release();
  await taking;
  assert.equal(state.puzzle.cells[0], "");
});

// Which puzzle is opened

/**
 * Open the page over the directory; return the name that is open then.
 * @param {string[]} names @param {{opened?: string, recent?: string}} [named]
 */
async function openOver(names, { opened = "", recent = "" } = {}) {
  update({ name: null, saving: "saved" });
  Object.assign(server, { opened, recent });
  await page.openFirst({ directory: "d", opened, recent, puzzles: names, lists: [], clues: [] });
  return state.name;
}

test("the file that is named is opened, or begun; else the last", async () => {
  for (const name of ["a.ipuz", "b.ipuz"]) put(name, EMPTY);
  const names = ["a.ipuz", "b.ipuz"];
  keepTab();
  assert.equal(await openOver(names, { opened: "b.ipuz" }), "b.ipuz");
  assert.equal(await openOver(names, { opened: "new.ipuz" }), "new.ipuz");
  assert.ok(files.has("new.ipuz"));
});

test("a visit goes on with the puzzle of the last, where that stood", async () => {
  for (const name of ["a.ipuz", "b.ipuz"]) put(name, EMPTY);
  await page.openPuzzle("a.ipuz");
  update({ cursor: 4, direction: "Down" });
  notePlace();
  const reloaded = await openOver(["a.ipuz", "b.ipuz"], { opened: "b.ipuz" });
  assert.equal(reloaded, "a.ipuz", "so does a tab that is reloaded, whatever the address names");
  Object.assign(history, { state: null });
  update({ cursor: 0, direction: "Across" });
  assert.equal(await openOver(["a.ipuz", "b.ipuz"], { recent: "b.ipuz" }), "a.ipuz");
  assert.deepEqual([state.cursor, state.direction], [4, "Down"]);
});

test("a file that cannot be read is told, and the next is opened", async () => {
  put("a.ipuz", "{}");
  put("b.ipuz", EMPTY);
  assert.equal(await openOver(["a.ipuz", "b.ipuz"], { opened: "a.ipuz" }), "b.ipuz");
  assert.ok(state.message.includes("a.ipuz"));
});

test("a puzzle is begun where there is none", async () => {
  clear();
  assert.equal(await openOver([]), "puzzle.ipuz");
  assert.deepEqual([state.mode, read("puzzle.ipuz").cells.length], ["design", 225]);
});

// Imports and names

test("files of one name are imported beside one another", async () => {
  server.reads = { "g.txt": EMPTY };
  await page.importFiles([new File(["AB"], "g.txt"), new File(["CD"], "g.txt"), new File(["?"], "h.txt")]);
  assert.deepEqual([...files.keys()].sort(), ["g 2.ipuz", "g.ipuz", "one.ipuz"]);
  assert.equal(state.message.split("h.txt").length, 2, "a fault names its file once");
});

test("a puzzle is renamed, and goes on under its new name", async () => {
  write("TEA");
  await page.renamePuzzle("été 1");
  assert.deepEqual([state.name, [...files.keys()], wordIn("été 1.ipuz")], ["été 1.ipuz", ["été 1.ipuz"], "TEA"]);
  write("TEE");
  await save();
  assert.equal(wordIn("été 1.ipuz"), "TEE");
});

test("a name that a file has is refused", async () => {
  put("two.ipuz", EMPTY);
  await page.renamePuzzle("two");
  assert.deepEqual([state.name, files.size], ["one.ipuz", 2]);
  assert.ok(state.message.includes("a name that no file has"));
});

test("a copy is opened, and the first is saved before", async () => {
  write("TEA");
  await page.duplicatePuzzle();
  assert.deepEqual([state.name, wordIn("one.ipuz"), wordIn("one 2.ipuz")], ["one 2.ipuz", "TEA", "TEA"]);
});

test("a puzzle that is deleted is had back", async () => {
  put("two.ipuz", EMPTY);
  write("TEA");
  await page.deletePuzzle();
  assert.deepEqual([state.name, files.has("one.ipuz")], ["two.ipuz", false]);
  state.offer?.act();
  await settle();
  assert.deepEqual([state.name, wordIn("one.ipuz")], ["one.ipuz", "TEA"]);
});

test("a file of another format stays, and is saved beside", async () => {
  put("b.exolve", EMPTY);
  await page.openPuzzle("b.exolve");
  write("TEA");
  await save();
  assert.deepEqual([state.name, wordIn("b.exolve"), wordIn("b.ipuz")], ["b.ipuz", "", "TEA"]);
});
