// The list of puzzles: its order, what is found in it, and how much of a puzzle is done.

import * as assert from "node:assert/strict";
import { test } from "node:test";

import { findListed, inPlace, placesToDraw, shareOf } from "../../../cpfill/web/static/model/previews.js";

/** @import { Listed, Preview } from "../../../cpfill/web/types.d.ts" */

/** @type {Preview} */
const PREVIEW = { title: "Été", picture: ["x.", ".#"], bars: [], cells: 3, letters: 1, slots: 1, clues: 1 };
/** @param {string} name @param {Preview | null} [preview] @returns {Listed} */
const listed = (name, preview = null) => ({ name, saved: 0, preview });
/** @param {readonly Listed[]} list */
const names = (list) => list.map(({ name }) => name);

test("puzzles keep their places; new ones follow, and those that are gone leave", () => {
  const before = [listed("a"), listed("b"), listed("c")],
    now = inPlace([listed("d"), listed("c", PREVIEW), listed("a")], before);
  assert.deepEqual(names(now), ["a", "c", "d"]);
  assert.equal(now[1].preview, PREVIEW);
});

test("a puzzle that nobody saved meanwhile remains the same object", () => {
  const before = [listed("a", PREVIEW), listed("b", PREVIEW), listed("c")],
    now = inPlace([listed("a", PREVIEW), { ...listed("b", PREVIEW), saved: 1 }, listed("c", PREVIEW)], before);
  assert.deepEqual(
    now.map((each, at) => each === before[at]),
    [true, false, false],
  );
});

test("the cards in sight are drawn, some around them, and the one that Tab leads to", () => {
  assert.deepEqual(placesToDraw({ top: 0, height: 2 }, 9, 1), [0, 1, 2, 3]);
  assert.deepEqual(placesToDraw({ top: 4, height: 1 }, 9, 0), [0, 3, 4, 5]);
  assert.deepEqual(placesToDraw({ top: 4, height: 1 }, 9, 8), [3, 4, 5, 8]);
  assert.deepEqual(placesToDraw({ top: 7, height: 3 }, 8, 5), [4, 5, 6, 7]);
  assert.deepEqual(placesToDraw({ top: 40, height: 3 }, 2, 0), [0], "the list has become shorter");
  assert.deepEqual(placesToDraw({ top: 0, height: 0 }, 3, 2), [2], "nothing is in sight");
});

test("a puzzle is found by its title or its file, in any case", () => {
  const list = [listed("one.ipuz", PREVIEW), listed("two.ipuz")];
  assert.deepEqual(names(findListed(list, " éTÉ")), ["one.ipuz"]);
  assert.deepEqual(names(findListed(list, "TWO")), ["two.ipuz"]);
  assert.deepEqual(names(findListed(list, "")), ["one.ipuz", "two.ipuz"]);
});

test("letters and clues count alike in the share that is done", () => {
  assert.equal(shareOf(PREVIEW), 50);
  assert.equal(shareOf({ ...PREVIEW, letters: 3 }), 100);
  assert.equal(shareOf({ ...PREVIEW, cells: 0, letters: 0, slots: 0, clues: 0 }), 0);
});
