// The keys that a screen has none of: letters and what else the grid hears, below it where a finger may touch.

import { state, update } from "../model/store.js";
import { t } from "../model/strings.js";
import * as actions from "./actions.js";
import { byId, fillWith, make, makeIcon, mark } from "./dom.js";

const root = byId("keypad");
/** Draw the keys: three rows as on a keyboard, for they leave more of a small screen to the candidates. */
export function drawKeypad() {
  root.hidden = state.mode !== "design" && state.mode !== "fill";
  mark(root, "aria-label", t("keypad"));
  fillWith(root, () => {
    const [top, middle, bottom] = t("keypad_rows").split(" ");
    return [
      letters(top),
      make("button", { tabindex: "-1", "aria-label": t("erase"), onclick: actions.erase }, "⌫"),
      letters(middle),
      make("button", { id: "turn", "aria-label": t("key_space"), onclick: actions.turnCursor }, "⤭"),
      make(
        "button",
        {
          id: "select-region",
          class: "icon",
          "aria-label": t("key_shift_arrows"),
          title: t("key_shift_arrows"),
          onclick: () => update({ selecting: !state.selecting, anchor: null }),
        },
        makeIcon("region"),
      ),
      letters(bottom),
      word("before", "◂", -1),
      word("after", "▸", 1),
    ];
  });
  mark(byId("select-region"), "aria-pressed", String(state.selecting));
}

/** @param {string} row */
const letters = (row) =>
  [...row].map((letter) => make("button", { tabindex: "-1", onclick: () => actions.write(letter) }, letter));

/** @param {string} where @param {string} sign @param {number} by */
const word = (where, sign, by) =>
  make(
    "button",
    { id: `word-${where}`, class: "wide", "aria-label": t(`word_${where}`), onclick: () => actions.nextSlot(by) },
    sign,
  );
