// The progress of a search, in one look wherever the page waits.

import { t, tellSeconds } from "../model/strings.js";
import { derived } from "../model/tracked.js";
import { make } from "./dom.js";

/** @import { Clock } from "../../types.d.ts" */

/**
 * Return the progress of a search: a button that stops it, what is tried, its seconds, and a bar where a share is known.
 * The text changes every second, so screen readers get the button alone; its owner announces the result.
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
