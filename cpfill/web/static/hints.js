// Three hints for the first minutes, each at the place it is about, and gone for good when it is closed.

import { fillWith, make } from "./dom.js";
import { prefer, state } from "./store.js";
import { t } from "./strings.js";
import { inTab } from "./tab.js";

/** Where each stands: before this element. */
const PLACES = { ...(inTab && { tab: ".board" }), seeds: "#seeds", verdicts: ".both", keys: "#status" };

const hints = Object.entries(PLACES).map(([name, place]) => {
  const element = make("p", { class: "hint", id: `hint-${name}` });
  document.querySelector(place)?.before(element);
  return { name, element };
});

/** Draw those that are not closed. */
export function drawHints() {
  for (const { name: usual, element } of hints) {
    const name = usual === "tab" && !state.kept ? "unkept" : usual;
    element.hidden = state.hintsClosed.includes(name);
    fillWith(element, name + state.language, () => [
      t(`hint_${name}`),
      make(
        "button",
        {
          class: "small",
          "aria-label": `${t("close")}: ${t(`hint_${name}`)}`,
          onclick: () => prefer({ hintsClosed: [...state.hintsClosed, name] }),
        },
        "✕",
      ),
    ]);
  }
}
