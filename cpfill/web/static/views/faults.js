// What the style does not allow in the grid, in Design and in Check: each fault leads to its place.

import { placesIn } from "../model/puzzle.js";
import { state } from "../model/store.js";
import { t, tellFault } from "../model/strings.js";
import { goTo } from "./actions.js";
import { make } from "./dom.js";

/** Return the faults, or that there are none; as long as they are not known, a sign of it. */
export function listFaults() {
  const found = state.figures?.faults[state.style];
  if (!found?.length) return make("p", { class: "summary" }, found ? t("no_faults") : "…");
  return make(
    "ul",
    {},
    found.map((fault) =>
      make("li", {}, make("button", { class: "link", onclick: () => goTo(placesIn(fault.at)[0]) }, tellFault(fault))),
    ),
  );
}
