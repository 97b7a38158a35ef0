// Hints for the first minutes, one at a time, over the status line: none takes room from the grid. A hint goes for good
// once its reader does what it says (`closeHint` of the store), or closes it.

import { CRISS_CROSS, closeHint, state } from "../model/store.js";
import { t } from "../model/strings.js";
import { derived } from "../model/tracked.js";
import { inTab } from "../tab/tab.js";
import { byId, fillWith, make, makeIcon, mark } from "./dom.js";

/** In which modes each has its place. @type {Record<string, string[]>} */
const HINTS = { seeds: ["design"], keys: ["design", "fill"], verdicts: ["fill"] };
/** What is said in other words to those who touch the grid. */
const TOUCHED = ["keys", "verdicts"];

const touch = matchMedia("(pointer: coarse)");
const element = make("p", { class: "hint" });
byId("status").after(element);

/** Draw the first that has its place here and is not closed. */
export function drawHints() {
  const name = nameHint();
  element.hidden = !name;
  mark(element, "id", name ? `hint-${name}` : null);
  fillWith(element, () => {
    const name = derived(nameHint),
      text = name && t(`hint_${name}${touch.matches && TOUCHED.includes(name) ? "_touch" : ""}`);
    const close = { "aria-label": `${t("close")}: ${text}`, onclick: () => closeHint(name) };
    return [text, make("button", { class: "icon small", ...close }, makeIcon("close"))];
  });
}

/** Return the first hint that has its place here and is not closed, if there is one. */
function nameHint() {
  const isIdle = (/** @type {string} */ name) => name === "seeds" && state.style === CRISS_CROSS,
    here = Object.keys(HINTS).filter((name) => HINTS[name].includes(state.mode) && !isIdle(name)),
    names = inTab ? [state.kept ? "tab" : "unkept", ...here] : here;
  return names.find((each) => !state.hintsClosed.includes(each)) ?? "";
}
