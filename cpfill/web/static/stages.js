// How far the work on a puzzle is: letters that are locked or pencilled, slots that need not be words. No part of the
// puzzle, it stands in no file: the browser keeps it by the etag of the file as it was saved last.

const STAGES = "cpfill stages";
/** How many are kept. */
const MOST = 50;

/** @import { Marks } from "../types.d.ts" */

/** @returns {{etag: string | null, pencilled: number[], locked: number[], opened: readonly string[]}[]} */
function readStages() {
  try {
    return JSON.parse(localStorage.getItem(STAGES) || "[]");
  } catch {
    return [];
  }
}

/**
 * Keep the stage of a file, instead of that of the file before it.
 * @param {string | null} etag @param {string | null} before @param {Marks} stage
 */
export function keepStage(etag, before, { pencilled, locked, opened }) {
  const stages = readStages().filter((each) => each.etag !== etag && each.etag !== before);
  if (pencilled.size || locked.size || opened.length)
    stages.push({ etag, pencilled: [...pencilled], locked: [...locked], opened: [...opened] });
  try {
    localStorage.setItem(STAGES, JSON.stringify(stages.slice(-MOST)));
  } catch {
    // A browser that stores nothing forgets it.
  }
}

/** Return the stage of a file, if it is known. @param {string | null} etag @returns {Marks} */
export function findStage(etag) {
  const { pencilled = [], locked = [], opened = [] } = readStages().find((each) => each.etag === etag) ?? {};
  return { pencilled: new Set(pencilled), locked: new Set(locked), opened };
}
