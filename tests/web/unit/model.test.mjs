// A puzzle and what follows from it, against what is counted by hand.

import * as assert from "node:assert/strict";
import { test } from "node:test";

import {
  cellsBetween,
  imagesOf,
  isDraft,
  isWhole,
  listSlots,
  makePuzzle,
  moveOf,
  numberOf,
  pairLengths,
  placesIn,
  resize,
  setBlocks,
  setClue,
  setLetters,
  slotAt,
  SYMMETRIES,
  toggleBar,
  turnDrafts,
  unmarked,
} from "../../../cpfill/web/static/model/puzzle.js";

/** @import { Puzzle } from "../../../cpfill/web/types.d.ts" */

/** @param {Puzzle} puzzle */
const named = (puzzle) => listSlots(puzzle).map((slot) => [slot.name, ...slot.cells].join(" "));

test("slots are runs of two open cells or more, numbered in reading order", () => {
  const puzzle = setBlocks(makePuzzle(3, 3), [4], true);
  assert.deepEqual(named(puzzle).sort(), ["1-Across 0 1 2", "1-Down 0 3 6", "2-Down 2 5 8", "3-Across 6 7 8"]);
  assert.equal(numberOf(puzzle, 6), 3);
  assert.equal(slotAt(puzzle, 3, "Across"), undefined);
});

test("an edit returns another puzzle, and leaves the one before as it was", () => {
  const before = makePuzzle(2, 2),
    after = setLetters(before, new Map([[0, "A"]]));
  assert.deepEqual(before.cells, ["", "", "", ""]);
  assert.deepEqual(after.cells, ["A", "", "", ""]);
  const slot = slotAt(after, 0, "Across");
  assert.ok(slot);
  assert.equal(isWhole(after, slot), false);
});

test("other letters stay with their words", () => {
  const [a, b] = [new Map([[0, "A"], [1, "B"]]), new Map([[1, "C"]])]; // prettier-ignore
  const puzzle = { ...setLetters(makePuzzle(2, 2), a), alternatives: { 0: ["X"] } };
  assert.deepEqual(setLetters(puzzle, a).alternatives, puzzle.alternatives);
  assert.deepEqual(setLetters(puzzle, new Map([[3, "D"]])).alternatives, puzzle.alternatives);
  assert.deepEqual(setLetters(puzzle, b).alternatives, {});
  assert.deepEqual(resize(puzzle, 3, 3).alternatives, puzzle.alternatives);
});

test("a bar parts a run", () => {
  const puzzle = toggleBar(makePuzzle(1, 4), 1, "Across", "none");
  assert.deepEqual(named(puzzle), ["1-Across 0 1", "2-Across 2 3"]);
  assert.deepEqual(toggleBar(puzzle, 1, "Across", "none").bars, []);
});

test("the images of a cell under each symmetry are as many as the turns and mirrors have, and have it as theirs", () => {
  const puzzle = makePuzzle(5, 5),
    orders = { none: 1, rotate: 2, rotate90: 4, mirror: 2, updown: 2, both: 4, diagonal: 2 };
  for (const symmetry of SYMMETRIES) {
    const images = new Set(imagesOf(puzzle, 1, symmetry));
    assert.equal(images.size, orders[symmetry], symmetry);
    for (const image of images) assert.deepEqual(new Set(imagesOf(puzzle, image, symmetry)), images, symmetry);
  }
});

test("what is resized keeps its letters where both have room", () => {
  const before = setLetters(makePuzzle(2, 3), new Map([[0, "A"], [5, "B"]])); // prettier-ignore
  const after = resize(before, 3, 2),
    move = moveOf(before, 3, 2);
  assert.deepEqual([after.height, after.width, after.cells.length], [3, 2, 6]);
  assert.equal(after.cells[move(0) ?? NaN], "A");
  assert.ok(!after.cells.includes("B"), "its column is gone");
});

test("a region is the rectangle between two corners", () => {
  assert.deepEqual(new Set(cellsBetween(makePuzzle(3, 3), 8, 4)), new Set([4, 5, 7, 8]));
});

test("drafts are turned: the clue goes to its drafts, and one of them takes its place", () => {
  const puzzle = setClue(makePuzzle(1, 3), "1-Across", "one", ["two", "three"]);
  /** @param {Puzzle} each */
  const texts = (each) => new Set([each.clues["1-Across"], ...each.drafts["1-Across"]]);
  const turned = turnDrafts(puzzle, "1-Across", 1);
  assert.notEqual(turned.clues["1-Across"], "one");
  assert.deepEqual(texts(turned), texts(puzzle));
  assert.equal(turnDrafts(turned, "1-Across", -1).clues["1-Across"], "one");
});

test("places are found in a sentence", () => {
  assert.deepEqual(placesIn("R1C2 and 17-Across, not X9"), ["R1C2", "17-Across"]);
});

test("entries of one length pair up under a half turn, and one that is left stands in the middle", () => {
  assert.deepEqual(pairLengths([13, 15, 13], 15, 15), { pairs: [13], middle: 15, alone: [] });
  assert.deepEqual(pairLengths([9, 9, 11, 9, 9], 15, 15), { pairs: [9, 9], middle: 11, alone: [] });
  assert.deepEqual(pairLengths([12, 9, 11], 15, 15), { pairs: [], middle: 11, alone: [9, 12] });
});

test("an entry is in the middle only if as much room is left on both of its sides", () => {
  assert.equal(pairLengths([4], 5, 6).middle, 4);
  assert.equal(pairLengths([4], 6, 5).middle, 4, "down the middle column");
  assert.equal(pairLengths([5], 6, 6).middle, 0);
  assert.equal(pairLengths([4], 7, 7).middle, 0);
  assert.equal(pairLengths([9], 7, 7).middle, 0);
});

test("a draft clue is known by its mark", () => {
  const texts = ["~ A pet", "A pet", "~A pet", ""];
  assert.deepEqual(texts.map(isDraft), [true, false, false, false]);
  assert.deepEqual(texts.map(unmarked), ["A pet", "A pet", "~A pet", ""]);
});
