// The list of puzzles: its order, its search, and the progress of a puzzle.

/** @import { Listed, Preview } from "../../types.d.ts" */

/**
 * Return the puzzles of a new answer in the order of the last one: no puzzle moves from under the pointer, and those that
 * nobody saved meanwhile remain the same objects.
 * @param {readonly Listed[]} now @param {readonly Listed[]} before
 */
export function inPlace(now, before) {
  const found = new Map(now.map((each) => [each.name, each]));
  for (const each of before) if (each.preview && found.get(each.name)?.saved === each.saved) found.set(each.name, each);
  const names = new Set([...before, ...now].map(({ name }) => name));
  return [...names].flatMap((name) => found.get(name) ?? []);
}

/** Return the puzzles that have a text in their title or file name. @param {readonly Listed[]} listed @param {string} sought */
export const findListed = (listed, sought) =>
  listed.filter(({ name, preview }) =>
    `${preview?.title ?? ""} ${name}`.toLowerCase().includes(sought.trim().toLowerCase()),
  );

/**
 * Return the places of the cards to draw in a list: those in sight, as many again on either side, and the one that Tab
 * leads to.
 * @param {{top: number, height: number}} sight  The part of the list that is in sight, in cards.
 * @param {number} count @param {number} entry
 */
export function placesToDraw({ top, height }, count, entry) {
  const from = Math.max(0, Math.floor(top - height)),
    to = Math.min(count, Math.ceil(top + 2 * height)),
    places = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
  if (entry < from) return [entry, ...places];
  return entry < to ? places : [...places, entry];
}

/** Return how much of the letters and clues is there, in per cent. @param {Preview} preview */
export const shareOf = ({ cells, letters, slots, clues }) => (100 * (letters + clues)) / (cells + slots || 1);
