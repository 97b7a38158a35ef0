// Where clues are looked up: files of the directory, beside the dictionaries of the system.

import { agree, state } from "../model/store.js";
import { t } from "../model/strings.js";
import { fillWith, make } from "./dom.js";

export const sources = make("div", { class: "terms" });

/** Draw the files that there are. */
export function drawSources() {
  fillWith(sources, () => {
    const { clueFiles } = state;
    if (!clueFiles.length) return [];
    return [make("fieldset", {}, make("legend", {}, t("clue_sources")), clueFiles.map(makeBox))];
  });
}

/** @param {string} name */
const makeBox = (name) =>
  make(
    "label",
    {},
    make("input", {
      type: "checkbox",
      id: `clues-${name}`,
      checked: state.clueSources.includes(name),
      onchange: (event) => choose(name, event.currentTarget.checked),
    }),
    ` ${name}`,
  );

/** @param {string} name @param {boolean} on */
const choose = (name, on) =>
  agree({ clueSources: on ? [...state.clueSources, name] : state.clueSources.filter((each) => each !== name) });
