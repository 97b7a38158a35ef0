// The list of puzzles: its order, its search, and the progress of a puzzle.

/** @import { Listed, Preview } from "../../types.d.ts" */

/**
 * Return the puzzles of a new answer in the order of the last one: no puzzle moves from under the pointer.
 * @param {readonly Listed[]} now @param {readonly Listed[]} before
 */
export function inPlace(now, before) {
  const found = new Map(now.map((each) => [each.name, each]));
  const names = new Set([...before, ...now].map(({ name }) => name));
  return [...names].flatMap((name) => found.get(name) ?? []);
}

/** Return the puzzles that have a text in their title or file name. @param {readonly Listed[]} listed @param {string} sought */
export const findListed = (listed, sought) =>
  listed.filter(({ name, preview }) =>
    `${preview?.title ?? ""} ${name}`.toLowerCase().includes(sought.trim().toLowerCase()),
  );

/** Return how much of the letters and clues is there, in per cent. @param {Preview} preview */
export const shareOf = ({ cells, letters, slots, clues }) => (100 * (letters + clues)) / (cells + slots || 1);
