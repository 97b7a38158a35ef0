// Lists of own words with clues: how a text is read, and which fault is told first.

import * as assert from "node:assert/strict";
import { test } from "node:test";

import { findFault, foreignIn, lettersIn, readWords } from "../../../cpfill/web/static/model/own-words.js";

/** @param {string} text */
const pairs = (text) => readWords(text).map(({ word, clue }) => [word, clue]);

/** @param {string} text @param {{rows?: string, columns?: string, most?: boolean}} [how] */
const fault = (text, how = {}) => findFault(readWords(text), { rows: "", columns: "", most: false, ...how });

test("a word stands before a semicolon, a tab or a comma, its clue behind", () => {
  for (const sign of [";", "; ", "\t", ", "])
    assert.deepEqual(pairs(`cat${sign}It purrs\r\ndog`), [
      ["cat", "It purrs"],
      ["dog", ""],
    ]);
  assert.deepEqual(pairs("cat; Ears, tail\ndog; Barks"), [
    ["cat", "Ears, tail"],
    ["dog", "Barks"],
  ]);
  assert.deepEqual(pairs('cat,"Purrs, and ""meows"""'), [["cat", 'Purrs, and "meows"']]);
});

test("blank lines, comments and the heads of a table do not count", () => {
  const [only] = readWords("Word\tClue\n\n# animals\n cat \tIt purrs");
  assert.deepEqual(only, { word: "cat", letters: "CAT", clue: "It purrs", line: 4 });
  assert.deepEqual(pairs("mot;indice\nété;Saison"), [["été", "Saison"]]);
  assert.deepEqual(pairs("word\nterm"), [
    ["word", ""],
    ["term", ""],
  ]);
});

test("letters are counted without accents and what stands between words", () => {
  assert.equal(readWords("crème brûlée")[0].letters, "CREMEBRULEE");
  assert.equal(lettersIn("jack-o'-lantern"), "JACKOLANTERN");
  assert.equal(foreignIn("R2-D2"), "2 2");
});

test("the first line with a fault is named", () => {
  assert.equal(fault(" \n")?.name, "own_none");
  assert.deepEqual(fault("cat\nR2D2\nx"), { name: "own_signs", values: { line: 2, word: "R2D2", signs: "2 2" } });
  assert.deepEqual(fault("cat\n; Purrs"), { name: "own_short", values: { line: 2, word: "" } });
  assert.deepEqual(fault("été\ntea\nETE"), { name: "own_twice", values: { line: 3, word: "ETE", first: 1 } });
  assert.equal(fault("cat\ntea"), null);
});

test("words without a letter in common are named, unless they may be left out", () => {
  assert.deepEqual(fault("tea\ndog\neat\nfin"), { name: "own_strangers", values: { words: "dog, fin" } });
  assert.equal(fault("ab\ncd\nbc"), null, "the third hangs together with both");
  assert.equal(fault("tea\ndog", { most: true }), null);
  const strangers = [..."bcdfghjkl"].map((letter) => letter + letter);
  assert.equal(fault(["aa", "ba", ...strangers].join("\n"))?.values.words, "cc, dd, ff, gg, hh, jj, kk, ll");
  assert.equal(fault(["aa", ...strangers].join("\n"))?.values.words, "aa, bb, cc, dd, ff, gg, hh, jj, …");
});

test("a size has both sides, and room for the longest word", () => {
  assert.equal(fault("cat", { rows: "5" })?.name, "own_half_size");
  assert.deepEqual(fault("tiger\ntea", { rows: "3", columns: "4" }), {
    name: "own_long",
    values: { word: "tiger", length: 5 },
  });
  assert.equal(fault("tiger\ntea", { rows: "3", columns: "4", most: true }), null);
  assert.equal(fault("tiger\ntea", { rows: "3", columns: "5" }), null);
});
