// The keys, in groups, to be searched: what those of other programs have in their fingers is among them.

import { state, update } from "../model/store.js";
import { t } from "../model/strings.js";
import { track } from "../model/tracked.js";
import { byId, fillWith, make } from "./dom.js";

const dialog = byId("help-dialog", HTMLDialogElement);

/** What keys.js hears: keys, and the text that says what they do. @type {Record<string, [string, string][]>} */
const KEYS = {
  help_grid: [
    ["← ↑ → ↓", "key_arrows"],
    ["Ctrl ← ↑ → ↓", "key_far"],
    ["Shift ← ↑ → ↓", "key_shift_arrows"],
    ["␣", "key_space"],
    ["Tab, PgDn", "key_tab"],
    ["Shift-Tab, PgUp", "key_tab_back"],
    ["Home, End", "key_edges"],
    ["Ctrl-Home, Ctrl-End", "key_corners"],
    ["Backspace", "key_erase"],
    ["Del", "key_delete"],
    [".", "toggle_block"],
    [",", "toggle_bar_right"],
    ["_", "toggle_bar_below"],
    ["@", "toggle_circle"],
    ["`", "toggle_shade"],
    ["+, Ins", "toggle_rebus"],
    ["[", "limit_letters"],
    ["=", "key_lock"],
    ["!", "key_bang"],
    [";", "key_keep"],
    [":", "keep_all"],
    ["-", "key_bare"],
    ["*", "tint"],
    ["Enter", "key_enter"],
    ["1–9", "key_number"],
  ],
  help_words: [
    ["↑ ↓", "key_word"],
    ["Enter", "key_take"],
    ["Del", "ban"],
    ["s", "rescore"],
  ],
  help_clues: [
    ["Enter ↓ ↑", "key_clue"],
    ["Alt-Enter", "key_aside"],
    ["Alt-L", "key_look_up"],
    ["Alt ↓ ↑", "key_drafts"],
  ],
  help_everywhere: [
    ["Ctrl-Enter", "key_fill"],
    ["Ctrl-Z, Ctrl-Y", "key_undo"],
    ["Ctrl-S", "key_save"],
    ["< >", "key_backtrack"],
    ["( )", "key_jump"],
    ["Esc", "key_escape"],
    ["?", "key_help"],
  ],
};
const own = track({ sought: "" });

/** Draw the dialog; the keys of what one is doing come first. */
export function drawHelp() {
  fillWith(dialog, () => [
    make("h2", {}, t("help")),
    make("input", {
      id: "find-key",
      type: "search",
      value: own.sought,
      placeholder: t("find_key"),
      "aria-label": t("find_key"),
      autocomplete: "off",
      oninput: (event) => {
        own.sought = event.currentTarget.value.trim().toLowerCase();
        update({});
      },
    }),
    make("div", { class: "key-groups" }, listGroups().map(group)),
    make("form", { method: "dialog" }, make("button", { id: "close-help" }, t("close"))),
  ]);
}

const listGroups = () => Object.keys(KEYS).toSorted((one, other) => rank(one) - rank(other));

/** @param {string} group */
const rank = (group) => Number(group !== (state.mode === "clues" ? "help_clues" : "help_grid"));

/** Return what is sought of a group. @param {string} name */
function group(name) {
  const found = KEYS[name].filter(([keys, what]) => `${keys} ${t(what)}`.toLowerCase().includes(own.sought));
  return (
    found.length > 0 &&
    make(
      "section",
      {},
      make("h3", {}, t(name)),
      make(
        "dl",
        { class: "keys" },
        found.map(([keys, what]) => [
          make(
            "dt",
            {},
            keys.split(", ").map((key) => make("kbd", {}, key)),
          ),
          make("dd", {}, t(what)),
        ]),
      ),
    )
  );
}

dialog.addEventListener("close", () => {
  own.sought = "";
  update({});
});
