// In which order candidates are listed, and which rows keep their places.

import * as assert from "node:assert/strict";
import { test } from "node:test";

import { ORDER_NAMES, arrange } from "../../../cpfill/web/static/model/order.js";

/** @import { Candidates, Judged, Row } from "../../../cpfill/web/types.d.ts" */

/** @type {readonly Row[]} */
const WORDS = [["DOG", 60, 5], ["CAT", 50, 6], ["APE", 40, 5], ["BEE", 30, 9]]; // prettier-ignore

/** @param {string} word @param {Partial<Judged>} more @returns {[string, Judged]} */
const judged = (word, more) => [word, { word, score: 0, support: 0, verdict: "yes", witness: null, ...more }];

/** @type {Candidates["verdicts"]} */
const VERDICTS = new Map([
  judged("DOG", { verdict: "no" }),
  judged("CAT", { verdict: "open" }),
  judged("BEE", { best: 20, changes: 3 }),
  judged("APE", { best: 30, changes: 5 }),
]);

/** @param {readonly (Row | null)[]} rows */
const texts = (rows) => rows.map((row) => row?.[0] ?? "");

test("each order sorts by its column", () => {
  const sorted = ORDER_NAMES.map((name) => [name, texts(arrange(WORDS, VERDICTS, name)).join(" ")]);
  assert.deepEqual(Object.fromEntries(sorted), {
    score: "DOG CAT APE BEE",
    verdict: "APE BEE CAT DOG",
    best: "APE BEE DOG CAT",
    change: "BEE APE DOG CAT",
    word: "APE BEE CAT DOG",
  });
});

test("strong words come first, then lively long ones, then those with more support", () => {
  /** @type {Row[]} */
  const rows = [
    ["TOASTEROVEN", 50, 1, "phrase"],
    ["ERIKSATIE", 55, 0, "name"],
    ["CORRESPONDING", 99, 8],
    ["ABUNDANTLY", 60, 7],
    ["GENERALLY", 51, 9],
    ["WELLTODO", 49, 9, "phrase"],
    ["OVERALLS", 90, 9, "alike"],
    ["WEAKPHRASE", 39, 8, "phrase"],
  ];
  assert.deepEqual(arrange(rows.toReversed(), new Map(), "verdict"), rows);
  const short = /** @type {Row[]} */ ([["THAT", 60, 9], ["ERIE", 70, 8, "name"], ["TODO", 90, 7, "phrase"]]); // prettier-ignore
  assert.deepEqual(arrange(short.toReversed(), new Map(), "verdict"), short);
});

test("a kept row stays where it is, whatever its verdict", () => {
  assert.deepEqual(arrange(WORDS, VERDICTS, "verdict", WORDS), WORDS);
});

test("a word that goes leaves its place empty, and new ones come last", () => {
  const kept = arrange(WORDS, VERDICTS, "score");
  const now = arrange([["EEL", 70, 5], ...WORDS.filter(([word]) => word !== "CAT")], VERDICTS, "score", kept);
  assert.deepEqual(texts(now), ["DOG", "", "APE", "BEE", "EEL"]);
});

test("a kept row has the score that its word has now", () => {
  assert.deepEqual(arrange([["DOG", 7, 5]], new Map(), "score", [["DOG", 60, 5]]), [["DOG", 7, 5]]);
});
