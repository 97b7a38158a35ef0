// In which order candidates are listed, and which rows keep their places.

/** @import { CandidateOrder, Candidates, Row } from "../../types.d.ts" */

/** @typedef {Candidates["verdicts"]} Verdicts */

const FIRST = { yes: 0, open: 1, undefined: 2, no: 3 };

/** @param {Verdicts} told @param {string} word */
const rankOf = (told, word) => FIRST[told.get(word)?.verdict ?? "undefined"];

/**
 * Return the order of two words, which are pairs with their scores.
 * @type {Record<CandidateOrder, (told: Verdicts) => (one: Row, other: Row) => number>}
 */
const ORDERS = {
  score:
    () =>
    ([, score], [, points]) =>
      points - score,
  verdict:
    (told) =>
    ([one, score], [other, points]) =>
      rankOf(told, one) - rankOf(told, other) || points - score,
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
