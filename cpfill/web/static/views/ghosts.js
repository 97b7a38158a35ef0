// The edits that are judged, as the grid shows them: each as a ghost on its cells, which can be taken.

import { lettersOf } from "../ask/questions.js";
import { findCell } from "../model/puzzle.js";
import { state, update } from "../model/store.js";
import { t } from "../model/strings.js";
import { takeEdit } from "./actions.js";

/** @import { GridEdit } from "../../types.d.ts" */

/** @typedef {{helpful: [string, GridEdit][], ghosts: Map<number, GridEdit>}} Found */

/** What follows of what is known. @type {WeakMap<object, Found>} */
const known = new WeakMap();

/** Compare two edits that help: the better one has the lower rank. @param {GridEdit} one @param {GridEdit} other */
const compare = ({ rank }, other) =>
  rank?.map((number, at) => number - (other.rank?.[at] ?? 0)).find((difference) => difference) ?? 0;

/** Return the edits that help, by name and best first, and the edit that each cell shows. */
export function findEdits() {
  const { edits } = state,
    made = /** @type {Found} */ ((edits && known.get(edits)) ?? { helpful: [], ghosts: new Map() });
  if (!edits || known.has(edits)) return made;
  known.set(edits, made);
  const all = [...edits.judged],
    useless = all.filter(([, { verdict, open }]) => verdict === "no" && !open.length);
  made.helpful = all.filter(([, { verdict }]) => verdict === "yes").sort(([, one], [, other]) => compare(one, other));
  for (const [, edit] of [...made.helpful, ...useless])
    for (const name of [...edit.add, ...edit.open]) {
      const cell = findCell(state.puzzle, name);
      if (cell !== null && !made.ghosts.has(cell)) made.ghosts.set(cell, edit);
    }
  return made;
}

/** Return the edit that each cell shows. */
export const ghosts = () => findEdits().ghosts;

/** Draw the fill of an edit, unless a search draws its own. @param {GridEdit} [edit] */
export function preview(edit) {
  if (!state.filling) update({ ghost: edit?.fill ? lettersOf(edit.fill) : null });
}

/** Take an edit that helps; return whether it is one. @param {GridEdit} [edit] */
export function take(edit) {
  if (edit?.verdict !== "yes") return false;
  takeEdit(edit);
  return true;
}

/** Return what an edit does, and what its fill is like. @param {GridEdit} edit */
export function tellEdit({ add, open, cheaters, verdict, value, changed }) {
  if (verdict === "no") return t("edit_no");
  const list = new Intl.ListFormat(state.language === "fr" ? "fr" : "en-GB"),
    [added, opened] = [add, open].map((names) => list.format([...names]));
  const parts = [
    value !== null && t("edit_value", { value: value.toLocaleString(state.language) }),
    changed !== null && t(changed === 1 ? "edit_changes_one" : "edit_changes", { words: changed }),
    cheaters.length && t(cheaters.length === 1 ? "edit_cheater" : "edit_cheaters"),
  ];
  const what = !opened ? "edit_add" : added ? "edit_move" : "edit_open";
  return t(what, { add: added, open: opened, told: parts.filter(Boolean).join(", ") });
}
