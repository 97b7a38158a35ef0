// Which block would help: beside why there is no fill, in Design, and on the grid, where the edits stand as ghosts.

import { takeEdit } from "./actions.js";
import { fillWith, isHeld, make } from "./dom.js";
import { focusGrid } from "./grid-view.js";
import { findCell } from "./model.js";
import { askEdits, edits as asked, lettersOf } from "./questions.js";
import { state, update } from "./store.js";
import { t } from "./strings.js";
import { derived } from "./tracked.js";

/** @import { GridEdit, State } from "../types.d.ts" */

/** @typedef {{helpful: [string, GridEdit][], ghosts: Map<number, GridEdit>}} Found */

/** What follows of what is known. @type {WeakMap<object, Found>} */
const known = new WeakMap();

/** Compare two edits that help: the better one has the lower rank. @param {GridEdit} one @param {GridEdit} other */
const compare = ({ rank }, other) =>
  rank?.map((number, at) => number - (other.rank?.[at] ?? 0)).find((difference) => difference) ?? 0;

/** Return the edits that help, by name and best first, and the edit that each cell shows. */
function find() {
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
export const ghosts = () => find().ghosts;

/** Draw the fill of an edit, unless a search draws its own. @param {GridEdit} [edit] */
export function preview(edit) {
  if (!state.filling) update({ ghost: edit?.fill ? lettersOf(edit.fill) : null });
}

/** Take an edit that helps, and go on in the grid; return whether it is one. @param {GridEdit} [edit] */
export function take(edit) {
  if (edit?.verdict !== "yes") return false;
  takeEdit(edit);
  focusGrid();
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

/** Return how far the question is, or its answer. @param {State["edits"]} edits */
function tellState(edits) {
  if (!edits) return "";
  const all = [...edits.judged.values()].map(({ verdict }) => verdict),
    of = edits.standing?.edits ?? 0;
  if (edits.running)
    return all.length > of
      ? t("edits_pairs", { pairs: all.length - of })
      : t("edits_judged", { judged: all.length, of });
  const [yes, no] = ["yes", "no"].map((which) => all.filter((each) => each === which).length);
  return of ? t("edits_counts", { yes, no, unknown: Math.max(of, all.length) - yes - no }) : t("edits_none");
}

/** Return the panel of the edits: its `element`, and `draw`. @param {string} id */
export function makeEdits(id) {
  const element = make("section");
  let shown = /** @type {string[]} */ ([]);
  /** What a pointer moved to: what comes under one at rest proposes nothing, and takes nothing from the keys. */
  let pointed = /** @type {GridEdit | null} */ (null);

  /** @param {GridEdit} edit */
  const choice = (edit) => {
    const hears = {
      onpointermove: () => {
        if (pointed !== edit) preview(edit);
        pointed = edit;
      },
      onpointerleave: () => {
        if (pointed) preview();
        pointed = null;
      },
      onfocus: () => preview(edit),
      onblur: () => preview(),
    };
    return make("li", {}, make("button", { ...hears, onclick: () => void take(edit) }, tellEdit(edit)));
  };

  /** Return the names of the edits that help. Under the pointer, or among the keys, no button becomes another's. */
  function order() {
    const names = find().helpful.map(([name]) => name),
      held = isHeld(element) ? shown.filter((name) => names.includes(name)) : [];
    return [...new Set([...held, ...names])];
  }

  function list() {
    const { edits } = state,
      helpful = new Map(find().helpful),
      summary = tellState(edits);
    shown = derived(order);
    const list = shown.map((name) => /** @type {GridEdit} */ (helpful.get(name))),
      barred = derived(() => state.puzzle.bars.length > 0),
      ask = edits?.running ? "stop" : barred ? "ask_edits_bars" : "ask_edits",
      value = edits?.standing?.fillable ? edits.standing.value : null;
    return [
      make(
        "div",
        { class: "row" },
        make("button", { id, onclick: () => (edits?.running ? asked.stop() : askEdits()) }, t(ask)),
        make("span", { class: "progress", "aria-hidden": "true" }, edits?.running ? summary : ""),
        make("span", { class: "progress", role: "status" }, edits?.running ? "" : summary),
      ),
      value !== null && make("p", {}, t("edits_better", { value })),
      list.length > 0 && make("ul", { class: "repairs" }, list.map(choice)),
    ];
  }
  return { element, draw: () => fillWith(element, list) };
}
