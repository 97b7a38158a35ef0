// Rules over letters: what is read of a file, asked for and left out.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fieldsOf, listLeft, readRules } from "../../../cpfill/web/static/model/letter-rules.js";

test("of what a file says, rules that hold are read", () => {
  assert.deepEqual(readRules({ spell: "tea", other: "x" }), { spell: "tea" });
  for (const said of [undefined, null, 7, "spell", ["tea"], { spell: "" }, { spell: ["tea"] }, { spell: false }])
    assert.deepEqual(readRules(said), {});
});

test("a request has the fields of the rules that are not left out", () => {
  assert.deepEqual(fieldsOf({ spell: "tea, ear" }), { spell: ["circled=tea, ear"] });
  assert.deepEqual(fieldsOf({ spell: "tea" }, ["spell"]), {});
});

test("verdicts leave out a rule with a fault, or of several words", () => {
  const listOf = (/** @type {string} */ spell, ruleFaults = {}) => listLeft({ letterRules: { spell }, ruleFaults });
  assert.deepEqual(listOf("tea"), []);
  for (const several of ["tea, ear", "@teas.txt"]) assert.deepEqual(listOf(several), ["spell"]);
  assert.deepEqual(listOf("tea", { spell: "too long" }), ["spell"]);
  assert.deepEqual(listLeft({ letterRules: {}, ruleFaults: { spell: "of another puzzle" } }), []);
});
