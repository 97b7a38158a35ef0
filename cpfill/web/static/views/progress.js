// How a search gets on, in one look wherever the page waits.

import { t, tellSeconds } from "../model/strings.js";
import { derived } from "../model/tracked.js";
import { make } from "./dom.js";

/** @import { Clock } from "../../types.d.ts" */

/**
 * Return how a search gets on: a button that stops it, what is tried, its seconds, and a bar where a share is known. It
 * changes by the second, so screen readers pass over all but the button: its owner says what is to be heard.
 * @param {object} how
 * @param {string} how.id  The id of the button.
 * @param {() => void} how.stop
 * @param {string | null} [how.tried]
 * @param {Clock | null} [how.clock]
 * @param {{done: number, of: number} | null} [how.share]
 */
export function makeProgress({ id, stop, tried, clock, share }) {
  const told = [tried, clock && derived(() => tellSeconds(clock))].filter(Boolean).join(" · ");
  return make(
    "div",
    { class: "waiting" },
    make("button", { id, onclick: stop }, t("stop")),
    make(
      "div",
      { class: "progress", "aria-hidden": "true" },
      make("span", {}, told),
      share && make("progress", { max: String(share.of), value: String(share.done) }),
    ),
  );
}
