// The keys that a screen has none of: letters and what else the grid hears, below it where a finger may touch.

import * as actions from "./actions.js";
import { byId, fillWith, make, mark } from "./dom.js";
import { state, update } from "./store.js";
import { t } from "./strings.js";

const root = byId("keypad");
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Draw the keys. */
export function drawKeypad() {
  root.hidden = state.mode !== "design" && state.mode !== "fill";
  mark(root, "aria-label", t("keypad"));
  fillWith(root, state.language, () => [
    [...LETTERS].map((letter) => make("button", { tabindex: "-1", onclick: () => actions.write(letter) }, letter)),
    make("button", { tabindex: "-1", "aria-label": t("erase"), onclick: actions.erase }, "⌫"),
    make("button", { id: "turn", "aria-label": t("key_space"), onclick: actions.turnCursor }, "⤭"),
    make("button", { id: "word-before", "aria-label": t("word_before"), onclick: () => actions.nextSlot(-1) }, "◂"),
    make("button", { id: "word-after", "aria-label": t("word_after"), onclick: () => actions.nextSlot(1) }, "▸"),
    make(
      "button",
      { id: "select-region", class: "wide", onclick: () => update({ selecting: !state.selecting, anchor: null }) },
      t("key_shift_arrows"),
    ),
  ]);
  mark(byId("select-region"), "aria-pressed", String(state.selecting));
}
