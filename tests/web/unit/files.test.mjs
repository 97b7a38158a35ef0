// A file that changed elsewhere, in a tab that somebody comes back to.

import * as assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { asked, last, settle } from "./fake-page.mjs";

const { makePuzzle, setLetters } = await import("../../../cpfill/web/static/model/puzzle.js");
const { open, state, travel, update } = await import("../../../cpfill/web/static/model/store.js");
const { takeNewer } = await import("../../../cpfill/web/static/ask/files.js");

const older = makePuzzle(3, 3),
  newer = setLetters(older, new Map([[0, "N"]]));
const FILE = "puzzles/one.ipuz";

beforeEach(() => {
  open(older, { name: "one.ipuz", etag: "a", saving: "saved", kept: true });
});

/** Answer what is in the file. @param {string} etag */
async function tellFile(etag) {
  last(FILE).refuse(200, newer, { ETag: etag });
  await settle();
}

test("a newer file is taken, and undo brings back what was here", async () => {
  takeNewer();
  await tellFile("b");
  assert.deepEqual([state.puzzle.cells[0], state.etag, state.saving], ["N", "b", "saved"]);
  travel("past");
  assert.equal(state.puzzle.cells[0], "");
});

test("a file that is no other changes nothing, and is no step", async () => {
  takeNewer();
  await tellFile("a");
  assert.deepEqual([state.puzzle, state.past.length], [older, 0]);
});

test("what was written while the file was read stays", async () => {
  takeNewer();
  update({ saving: "unsaved" });
  await tellFile("b");
  assert.deepEqual([state.puzzle, state.etag], [older, "a"]);
});

test("no file is read while it is asked which version is to stay", () => {
  const before = asked(FILE).length;
  update({ saving: "conflict" });
  takeNewer();
  assert.equal(asked(FILE).length, before);
});
