// The state: who is called when it changes, what can be undone, what the browser keeps.

import * as assert from "node:assert/strict";
import { test } from "node:test";

import { drawFrame, kept } from "./fake-page.mjs";

const { makePuzzle, resize, moveOf, setBlocks, setClue, setLetters } =
  await import("../../../cpfill/web/static/model/puzzle.js");
const { agree, dismiss, edit, here, improve, listOf, mine, noteTyped, onEdit, open, ownWords, pencil, prefer, state } =
  await import("../../../cpfill/web/static/model/store.js");
const { travel, typedAs, typeInto, update, usualTerms, watch, workHere } =
  await import("../../../cpfill/web/static/model/store.js");

/** @import { Puzzle } from "../../../cpfill/web/types.d.ts" */

/** Open an empty puzzle under a name. */
const begin = (name = "one.ipuz", puzzle = makePuzzle(3, 3)) => open(puzzle, { name });

/** @param {number} cell @param {string} letter @param {Puzzle} [puzzle] */
const lettered = (cell, letter, puzzle = state.puzzle) => setLetters(puzzle, new Map([[cell, letter]]));

const settings = () => JSON.parse(kept.get("cpfill") ?? "{}");

test("the settings that the browser kept are those of the state", () => {
  assert.deepEqual([state.style, state.language, state.theme], ["british", "en", "auto"]);
});

test("the words of a new puzzle score 40 at least", () => {
  assert.equal(usualTerms().minScore, 40);
});

test("a barred grid has the British list, as a British one has", () => {
  assert.deepEqual(["american", "british", "barred"].map(listOf), ["en", "en-gb", "en-gb"]);
});

test("views are called once a frame, however many changes there were, and see the last", () => {
  drawFrame();
  /** @type {string[]} */
  const seen = [];
  watch((now) => seen.push(now.message));
  update({ message: "first" });
  update({ message: "second" });
  assert.deepEqual(seen, [], "not before the frame");
  assert.equal(drawFrame(), 1);
  assert.deepEqual(seen, ["second"]);
  assert.equal(drawFrame(), 0, "nothing changed since");
  update({ message: "" });
  drawFrame();
  assert.deepEqual(seen, ["second", ""]);
});

test("an edit is undone and redone, with what is marked", () => {
  begin();
  const before = state.puzzle;
  edit(lettered(4, "A"), { pencilled: new Set([4]) });
  edit(lettered(5, "B"), { locked: new Set([5]) });
  const after = state.puzzle;
  travel("past");
  assert.deepEqual([state.puzzle.cells[4], state.puzzle.cells[5]], ["A", ""]);
  assert.deepEqual([[...state.pencilled], [...state.locked]], [[4], []]);
  travel("past");
  assert.equal(state.puzzle, before);
  travel("past");
  assert.equal(state.puzzle, before, "there is nothing before");
  travel("future");
  travel("future");
  assert.equal(state.puzzle, after);
  assert.deepEqual([...state.locked], [5]);
  assert.equal(state.future.length, 0);
});

test("what was undone is gone after another edit", () => {
  begin();
  edit(lettered(0, "A"));
  travel("past");
  edit(lettered(0, "B"));
  travel("future");
  assert.equal(state.puzzle.cells[0], "B");
  assert.equal(state.past.length, 1);
});

test("the cursor goes to the cell that an undo changes, and stays in the grid", () => {
  begin();
  edit(lettered(7, "A"));
  update({ cursor: 0 });
  travel("past");
  assert.equal(state.cursor, 7);
  update({ cursor: 0 });
  travel("future");
  assert.equal(state.cursor, 7);
  edit(resize(state.puzzle, 2, 2), {}, moveOf(state.puzzle, 2, 2));
  assert.equal(state.cursor, 3, "the last cell of the smaller grid");
  travel("past");
  assert.equal(state.cursor, 3, "of another size no cell is the one that changed");
});

test("an edit that changes nothing cannot be undone", () => {
  begin();
  edit(state.puzzle);
  assert.equal(state.past.length, 0);
  edit(state.puzzle, { opened: ["1-Across"] });
  assert.equal(state.past.length, 1);
});

test("marks follow their cells and slots, and go with them", () => {
  begin();
  edit(lettered(8, "A"), { pencilled: new Set([8]), opened: ["5-Across", "1-Down"] });
  edit(resize(state.puzzle, 3, 4), {}, moveOf(state.puzzle, 3, 4));
  assert.deepEqual([...state.pencilled], [10], "the same letter of a wider grid");
  assert.deepEqual(state.opened, ["1-Down"], "the other is longer now");
  travel("past");
  edit(setBlocks(state.puzzle, [0], true));
  assert.deepEqual(state.opened, ["4-Across"], "1-Down is gone, and the name of its cells is another");
  edit(setBlocks(state.puzzle, [7, 8], true));
  assert.deepEqual([[...state.pencilled], state.opened], [[], []]);
});

test("a region stays as long as the cells do", () => {
  begin();
  update({ cursor: 0, anchor: 4 });
  edit(setClue(state.puzzle, "1-Across", "a clue"));
  assert.equal(state.anchor, 4);
  edit(lettered(0, "A"));
  assert.equal(state.anchor, null);
});

test("who listens for edits hears of each, and a message about something earlier goes", () => {
  begin();
  let heard = 0;
  onEdit(() => heard++);
  update({ message: "locked" });
  edit(lettered(0, "A"));
  assert.deepEqual([heard, state.message], [1, ""]);
  travel("past");
  assert.equal(heard, 2);
  update({ message: "no_server" });
  dismiss();
  assert.equal(state.message, "no_server", "it stays until the server answers");
  update({ message: "" });
});

test("another puzzle begins at its first open cell, and nothing before it can be undone", () => {
  begin();
  edit(lettered(0, "A"));
  update({ direction: "Down", anchor: 3 });
  begin("two.ipuz", setBlocks(makePuzzle(3, 3), [0, 1], true));
  assert.deepEqual([state.name, state.cursor, state.direction, state.anchor], ["two.ipuz", 2, "Across", null]);
  travel("past");
  assert.equal(state.puzzle.cells[0], null);
  open(makePuzzle(3, 3), { name: "three.ipuz" }, { pencilled: [1], opened: ["1-Down", "9-Down"] });
  assert.deepEqual([[...state.pencilled], state.opened], [[], ["1-Down"]], "of the work what the puzzle has");
});

test("a preference is kept beside those before it", () => {
  prefer({ theme: "dark" });
  prefer({ tint: true });
  const { theme, tint, style } = settings();
  assert.deepEqual([state.theme, theme, tint, style], ["dark", "dark", true, "british"]);
});

test("a browser that stores nothing loses nothing else", () => {
  const { setItem } = localStorage;
  localStorage.setItem = () => {
    throw new Error("full");
  };
  prefer({ theme: "light" });
  localStorage.setItem = setItem;
  assert.equal(state.theme, "light");
});

test("each puzzle has the terms that were chosen for it, and another one the usual ones", () => {
  update({ lists: ["a.txt", "b.txt"], clueFiles: ["c.tsv"] });
  begin("one.ipuz");
  agree({ words: ["a.txt"], pool: ["FISH"], clueSources: ["c.tsv"], seeds: ["tea time", "", "stone", ""] });
  const { puzzle } = state,
    work = JSON.parse(JSON.stringify(workHere()));
  begin("two.ipuz");
  assert.deepEqual([state.words, state.pool, state.clueSources, state.seeds], [["en"], [], [], []]);
  prefer({ language: "fr" });
  begin("three.ipuz");
  assert.deepEqual([state.words, state.minScore], [["fr"], 0], "those of the language that the page speaks now");
  prefer({ language: "en" });
  open(puzzle, { name: "one.ipuz" }, work);
  assert.deepEqual([state.words, state.pool, state.minScore], [["a.txt"], ["FISH"], 0]);
  assert.deepEqual(state.seeds, ["tea time", "stone"]);
  update({ lists: [] });
  open(puzzle, { name: "one.ipuz" }, work);
  assert.deepEqual(state.words, ["en"], "the words of the page's language stand in for a list that is gone");
});

test("a file may say anything of the work on its puzzle", () => {
  const odd = { pencilled: "no list", locked: [99, -1, null, "x"], opened: [7], terms: { words: 5, minScore: {} } };
  open(lettered(0, "A"), { name: "odd.ipuz" }, /** @type {any} */ (odd));
  assert.deepEqual([state.pencilled.size, state.locked.size, state.opened], [0, 0, []]);
  assert.deepEqual([state.words, state.minScore], [["en"], 0]);
});

test("the letters of the program are part of the step before, and are not its author's", () => {
  begin();
  edit(lettered(0, "A"));
  const own = mine();
  pencil(new Map([[1, "B"]])); // prettier-ignore
  assert.deepEqual([state.puzzle.cells[1], [...state.pencilled]], ["B", [1]]);
  assert.equal(mine(), own, "what is asked of one's own letters is the same question");
  edit(lettered(2, "C"));
  travel("past");
  assert.deepEqual(state.puzzle.cells.slice(0, 3), ["A", "B", ""]);
  travel("past");
  assert.deepEqual([state.puzzle.cells.slice(0, 3), state.pencilled.size], [["", "", ""], 0]);
});

/** Type letters from a cell on, across or down. @param {string} letters @param {number} from @param {"Across" | "Down"} way */
function type(letters, from, way) {
  for (const [at, letter] of [...letters].entries()) {
    const cell = from + at * (way === "Across" ? 1 : 3);
    if (state.puzzle.cells[cell] === letter) noteTyped(typedAs(cell, way));
    else edit(lettered(cell, letter), { types: [typedAs(cell, way)] });
  }
}

test("a word is one's own when it was typed along its slot, not because others that cross it were", () => {
  begin();
  type("ABC", 0, "Across");
  type("DEF", 3, "Across");
  type("GHI", 6, "Across");
  assert.deepEqual(ownWords(), ["ABC", "DEF", "GHI"]);
  type("ADG", 0, "Down");
  assert.deepEqual(ownWords(), ["ABC", "DEF", "GHI", "ADG"], "the same letters, typed again");
  type("X", 0, "Across");
  assert.deepEqual(ownWords(), ["XBC", "DEF", "GHI"], "a letter that is put right leaves a word typed whole");
  travel("past");
  assert.deepEqual(ownWords(), ["ABC", "DEF", "GHI", "ADG"]);
});

test("a word that was taken, or has a clue, is one's own until a letter of it changes", () => {
  const whole = setLetters(makePuzzle(3, 3), new Map([..."ABCDEF"].entries()));
  open(whole, { name: "one.ipuz" }, { taken: [] });
  assert.deepEqual(ownWords(), []);
  edit(state.puzzle, { takes: ["1-Across"] });
  typeInto("clue 4-Across", setClue(state.puzzle, "4-Across", "D, E, F"), { takes: ["4-Across"] });
  assert.deepEqual(ownWords(), ["ABC", "DEF"]);
  type("Q", 1, "Across");
  type("Q", 4, "Down");
  assert.deepEqual(ownWords(), []);
  edit(lettered(0, "Z"), { locked: new Set([0, 1, 2]) });
  assert.deepEqual(ownWords(), ["ZQC"], "and one that is locked");
  edit(state.puzzle, { locked: new Set([0, 1]) });
  assert.deepEqual(ownWords(), [], "which one that is locked in part is not");
});

test("what is pencilled makes no word one's own", () => {
  begin();
  type("QQ", 0, "Across");
  pencil(new Map([[2, "R"]])); // prettier-ignore
  assert.deepEqual(ownWords(), []);
  assert.deepEqual(workHere().taken, []);
});

test("the words of one's own follow their cells, and are kept in the file; where it says nothing, they are all that stand", () => {
  begin();
  type("ABC", 3, "Across");
  edit(resize(state.puzzle, 4, 4), {}, moveOf(state.puzzle, 4, 4));
  assert.deepEqual(ownWords(), [], "it is longer now");
  begin();
  type("ABC", 3, "Across");
  edit(lettered(6, "D"));
  const { puzzle } = state,
    work = workHere();
  assert.deepEqual(work.taken, ["4-Across"]);
  open(puzzle, { name: "one.ipuz" }, work);
  assert.deepEqual(ownWords(), ["ABC"]);
  open(setLetters(puzzle, new Map([[0, "A"]])), { name: "one.ipuz" }, { pencilled: [3] }); // prettier-ignore
  assert.deepEqual(ownWords(), []);
  open(puzzle, { name: "one.ipuz" });
  assert.deepEqual(ownWords(), ["ABC"]);
});

test("grids of one search are one step of undo, and their words their author's own", () => {
  begin();
  edit(lettered(0, "A"));
  const past = [...state.past, here()];
  /** @type {boolean[]} */
  const unasked = [];
  onEdit((_, __, found) => unasked.push(Boolean(found)));
  for (const letters of ["TEA", "EAT"]) improve({ ...makePuzzle(1, 3), cells: [...letters] }, past);
  assert.deepEqual([ownWords(), unasked], [["EAT"], [true, true]]);
  travel("past");
  assert.deepEqual([state.puzzle.cells[0], state.puzzle.cells.length, state.past.length], ["A", 9, 1]);
  travel("future");
  assert.deepEqual(state.puzzle.cells, ["E", "A", "T"]);
});

test("the words of a criss-cross are kept with their puzzle, whatever its file says", () => {
  const written = { text: "cat; It purrs", rows: "5", columns: "", most: true };
  begin();
  agree({ crissCross: written });
  open(makePuzzle(3, 3), { name: "two.ipuz" });
  assert.equal(state.crissCross.text, "");
  open(makePuzzle(3, 3), { name: "one.ipuz" }, { terms: { crissCross: written } });
  assert.deepEqual(workHere().terms?.crissCross, written);
  const odd = /** @type {any} */ ({ crissCross: { text: 1, rows: "x", most: "no" } });
  open(makePuzzle(3, 3), { name: "odd.ipuz" }, { terms: odd });
  assert.deepEqual(state.crissCross, { text: "", rows: "", columns: "", most: false });
});
