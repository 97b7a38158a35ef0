// In which order candidates are listed, and which rows keep their places.

/** @import { CandidateOrder, Candidates, Row } from "../../types.d.ts" */

/** @typedef {Candidates["verdicts"]} Verdicts */

const FIRST = { yes: 0, open: 1, undefined: 2, no: 3 };

/** @param {Verdicts} told @param {string} word */
const rankOf = (told, word) => FIRST[told.get(word)?.verdict ?? "undefined"];

const BEST = 6, // levels of ten points, as in `cpfill/questions/candidates.py`, which lists words in this order
  STRONG = 5,
  FAIR = 4,
  LONG = 8;

/** Return the level of a word; a word that is like a given one is weak. @param {Row} row */
const levelOf = ([, score, , reason]) => Math.min(Math.floor(score / 10), reason === "alike" ? FAIR - 1 : BEST);

/** Return the band of a word: 2 if it is strong, 1 if it is fair, 0 if it is weak. @param {Row} row */
const bandOf = (row) => Math.max(0, Math.min(levelOf(row), STRONG) - FAIR + 1);

/** Whether a word is a phrase or a name in a long slot, and not weak. @param {Row} row */
const isLively = (row) => row[0].length >= LONG && bandOf(row) > 0 && (row[3] === "phrase" || row[3] === "name");

/** The order in which a constructor would take words. @param {Row} one @param {Row} other */
const byTaste = (one, other) =>
  bandOf(other) - bandOf(one) ||
  Number(isLively(other)) - Number(isLively(one)) ||
  levelOf(other) - levelOf(one) ||
  other[2] - one[2] ||
  other[1] - one[1];

/**
 * Return the order of two words, each with its score and its support.
 * @type {Record<CandidateOrder, (told: Verdicts) => (one: Row, other: Row) => number>}
 */
const ORDERS = {
  score:
    () =>
    ([, score], [, points]) =>
      points - score,
  verdict: (told) => (one, other) => rankOf(told, one[0]) - rankOf(told, other[0]) || byTaste(one, other),
  best:
    (told) =>
    ([one], [other]) =>
      (told.get(other)?.best ?? -1) - (told.get(one)?.best ?? -1),
  change:
    (told) =>
    ([one], [other]) =>
      (told.get(one)?.changes ?? Infinity) - (told.get(other)?.changes ?? Infinity) || 0,
  word:
    () =>
    ([one], [other]) =>
      one.localeCompare(other),
};

export const ORDER_NAMES = /** @type {CandidateOrder[]} */ (Object.keys(ORDERS));

/**
 * Return the rows of a list, null where nothing stands. Rows that are kept stay where they are: a word that is gone
 * leaves its place empty, and others come last.
 * @param {readonly Row[]} words @param {Verdicts} verdicts @param {CandidateOrder} order
 * @param {readonly (Row | null)[] | null} [kept]
 * @returns {(Row | null)[]}
 */
export function arrange(words, verdicts, order, kept = null) {
  if (!kept) return words.toSorted(ORDERS[order](verdicts));
  const others = new Map(words.map((row) => [row[0], row]));
  const places = kept.map((row) => {
    const now = (row && others.get(row[0])) ?? null;
    if (now) others.delete(now[0]);
    return now;
  });
  return [...places, ...others.values()];
}
