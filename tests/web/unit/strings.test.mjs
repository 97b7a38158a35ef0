// What the page says: messages without paths, and how the grid stands.

import * as assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import "./fake-page.mjs";

const { makePuzzle, setLetters } = await import("../../../cpfill/web/static/model/puzzle.js");
const { edit, open, state, tellUndoable, update } = await import("../../../cpfill/web/static/model/store.js");
const { tell, tellStanding } = await import("../../../cpfill/web/static/model/strings.js");

const ABOUT = { lists: [], formats: [], drawings: {}, styles: {}, symmetries: [], dictionaries: false, notices: [] };

beforeEach(() => {
  open(makePuzzle(1, 2), { name: "one.ipuz" });
  update({ about: null, fillable: "none", unlisted: [], explanation: null });
});

test("a message names files without their folders", () => {
  assert.equal(tell("/home/ann/my.words/a.txt:3: expected a score"), "a.txt:3: expected a score");
  assert.equal(tell("C:\\Users\\ann\\a.txt: no word"), "a.txt: no word");
  for (const said of ["one.ipuz: left out 2 clues", "AC/DC is 1/2 as good as a / b", "see https://example.org/a/b"])
    assert.equal(tell(said), said);
});

test("the personal list has no path but a name", () => {
  update({ about: { ...ABOUT, personal: "/home/ann/words.txt" } });
  assert.equal(tell("/home/ann/words.txt: DOG is banned"), "list_named: DOG is banned");
});

test("an edit that was told can be undone", () => {
  edit(setLetters(state.puzzle, new Map([[0, "A"]])));
  tellUndoable("done");
  assert.equal(state.offer?.message, state.message);
  state.offer?.act();
  assert.deepEqual([state.puzzle.cells[0], state.message], ["", ""]);
});

test("it is said in words how the grid stands", () => {
  assert.equal(tellStanding(), "fillable_none");
  update({ fillable: "yes" });
  assert.equal(tellStanding(), "fillable_yes");
  update({ unlisted: ["QZ"] });
  assert.equal(tellStanding(), "fillable_yes; entry_unlisted");
  edit(setLetters(state.puzzle, new Map([[0, "Q"], [1, "Z"]]))); // prettier-ignore
  assert.equal(tellStanding(), "fillable_full; entry_unlisted");
  update({ unlisted: ["QZ", "ZQ"] });
  assert.equal(tellStanding(), "fillable_full; entries_unlisted");
});

test("that no fill exists is said before the reason is known", () => {
  update({ fillable: "no", unlisted: ["QZ"] });
  assert.equal(tellStanding(), "fillable_no; why_asked");
});
