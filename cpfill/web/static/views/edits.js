// Which block would help: the list beside why there is no fill, and in Design.

import { askEdits, edits as asked } from "../ask/questions.js";
import { state } from "../model/store.js";
import { t } from "../model/strings.js";
import { derived } from "../model/tracked.js";
import { fillWith, isHeld, make } from "./dom.js";
import { findEdits, preview, take, tellEdit } from "./ghosts.js";
import { focusGrid } from "./grid.js";
import { makeProgress } from "./progress.js";

/** @import { GridEdit, State } from "../../types.d.ts" */

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

/** Return how many edits are judged, as long as it is known how many there are. @param {NonNullable<State["edits"]>} edits */
function shareOf({ judged, standing }) {
  const of = standing?.edits ?? 0;
  return of && judged.size <= of ? { done: judged.size, of } : null;
}

/** Take an edit, and go on in the grid. @param {GridEdit} edit */
function choose(edit) {
  if (take(edit)) focusGrid();
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
    return make("li", {}, make("button", { ...hears, onclick: () => choose(edit) }, tellEdit(edit)));
  };

  /** Return the names of the edits that help. Under the pointer, or among the keys, no button becomes another's. */
  function order() {
    const names = findEdits().helpful.map(([name]) => name),
      held = isHeld(element) ? shown.filter((name) => names.includes(name)) : [];
    return [...new Set([...held, ...names])];
  }

  function list() {
    const { edits } = state,
      helpful = new Map(findEdits().helpful),
      summary = tellState(edits);
    shown = derived(order);
    const list = shown.map((name) => /** @type {GridEdit} */ (helpful.get(name))),
      barred = derived(() => state.puzzle.bars.length > 0),
      ask = barred ? "ask_edits_bars" : "ask_edits",
      value = edits?.standing?.fillable ? edits.standing.value : null;
    return [
      make(
        "div",
        { class: "row" },
        edits?.running
          ? makeProgress({ id, stop: () => asked.stop(), tried: summary, clock: edits, share: shareOf(edits) })
          : make("button", { id, onclick: askEdits }, t(ask)),
        make("span", { class: "progress", role: "status" }, edits?.running ? "" : summary),
      ),
      value !== null && make("p", {}, t("edits_better", { value })),
      list.length > 0 && make("ul", { class: "repairs" }, list.map(choice)),
    ];
  }
  return { element, draw: () => fillWith(element, list) };
}
