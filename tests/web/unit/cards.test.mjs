// The cards of exports: what each is written as, whatever was chosen on the others.

import * as assert from "node:assert/strict";
import { test } from "node:test";

import {
  CARDS,
  formatOf,
  GROUPS,
  layoutOf,
  listLayouts,
  OTHER,
  styleOf,
} from "../../../cpfill/web/static/model/cards.js";

const DRAWINGS = {
  pdf: { papers: ["a4", "letter"], layouts: ["newspaper", "submission", "arrows"] },
  html: { papers: ["a4", "letter"], layouts: ["newspaper", "submission", "arrows", "interactive"] },
  svg: { papers: [], layouts: ["newspaper", "arrows"] },
};

/** @param {string} card @param {Record<string, {layout?: string, face?: string, bank?: boolean}>} [options] */
const chosen = (card, options = {}) => ({ card, format: "csv", paper: "letter", options });

/** @param {string} card @param {string} [style] */
const styled = (card, style = "american") => styleOf(chosen(card), DRAWINGS, style, "en");

test("each card stands in one group", () => {
  assert.deepEqual(Object.values(GROUPS).flat().toSorted(), Object.keys(CARDS).toSorted());
});

test("a card is written in its own format, any other by its name", () => {
  assert.equal(formatOf(chosen("print")), "pdf");
  assert.equal(formatOf(chosen(OTHER)), "csv");
  assert.equal(formatOf(chosen("print"), "ipuz"), "ipuz");
});

test("a drawing has what its layout can show", () => {
  const plain = { layout: "newspaper", solution: null, french: false };
  assert.deepEqual(styled("print"), { ...plain, paper: "letter" });
  assert.deepEqual(styled("manuscript"), { layout: "submission", paper: "letter" });
  assert.deepEqual(styled("picture"), { ...plain, paper: undefined, solution: false });
  assert.deepEqual(styled("play"), { layout: "interactive" });
  assert.deepEqual(styled("across_lite"), {});
});

test("a word bank stands beside a blank grid with clues alone", () => {
  /** @param {string} card @param {object} [options] */
  const banked = (card, options) =>
    "word_bank" in styleOf(chosen(card, { [card]: { bank: true, ...options } }), DRAWINGS, "american", "en");
  assert.deepEqual(
    ["print", "web", "play", "picture", "manuscript", "ipuz"].map((card) => banked(card)),
    [...[true, true, true], ...[false, false, false]],
  );
  assert.equal(banked("print", { face: "solution_alone" }), false);
  assert.equal("word_bank" in styled("print"), false);
});

test("an arrowword is laid out as one unless a card says otherwise", () => {
  assert.equal(styled("print", "arrow").layout, "arrows");
  assert.equal(styled("manuscript", "arrow").layout, "submission");
  const options = { print: { layout: "newspaper" } };
  assert.equal(layoutOf(chosen("print", options), DRAWINGS, "arrow"), "newspaper");
  assert.equal(layoutOf(chosen("print", options), DRAWINGS, "arrow", "web"), "arrows");
});

test("a format chosen by its name has all layouts it can draw", () => {
  assert.deepEqual(listLayouts({ ...chosen(OTHER), format: "html" }, DRAWINGS), DRAWINGS.html.layouts);
  assert.deepEqual(listLayouts(chosen(OTHER), DRAWINGS), []);
});

test("a picture stands for pages that no browser shows", () => {
  assert.equal(layoutOf(chosen("manuscript"), DRAWINGS, "american", "manuscript", "svg"), "newspaper");
  assert.equal(layoutOf(chosen("across_lite"), DRAWINGS, "arrow", "across_lite", "svg"), "arrows");
});
