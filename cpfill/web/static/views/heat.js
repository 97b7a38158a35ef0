// The heat map of the lists: which letters stand where in words of one length, in numbers on a ground as strong.

import { Asked } from "../ask/asked.js";
import { request } from "../ask/questions.js";
import { state, update } from "../model/store.js";
import { t } from "../model/strings.js";
import { derived, track, whenChanged } from "../model/tracked.js";
import { byId, fillWith, make, makeSelect } from "./dom.js";

/** @import { Heat } from "../../types.d.ts" */

const map = make("section", { id: "heat" });
byId("panel-check").append(map);

const heat = new Asked();
const own = track({
  /** What each length has. @type {Heat[]} */
  heats: [],
  length: 0,
  share: "letter",
});

/** Draw the map. */
export function drawHeat() {
  ask();
  fillWith(map, () => {
    const { heats, length, share } = own,
      shown = heats.find((each) => each.length === length) ?? heats[0];
    if (!shown) return [];
    const lengths = heats.map((each) => each.length);
    return [
      make("h2", { id: "heat-heading" }, t("heat")),
      make(
        "div",
        { class: "row" },
        choice("heat-length", lengths, shown.length, tellLength, (value) => (own.length = Number(value))),
        choice("heat-share", ["letter", "position"], share, tellShare, (value) => (own.share = value)),
      ),
      make("p", { class: "summary" }, t("heat_words", { words: shown.words.toLocaleString(state.language) })),
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-labelledby": "heat-heading" }, table(shown)),
    ];
  });
}

const tellLength = (/** @type {number} */ length) => t("heat_letters", { length });
const tellShare = (/** @type {string} */ share) => t(`heat_${share}`);

/** Ask what the lists are like, anew when they are others. */
const ask = whenChanged(() => derived(() => [state.words, state.personal, state.pool]), askHeat);

function askHeat() {
  own.heats = []; // what other lists have is drawn no longer
  /** @type {Heat[]} */
  const found = [];
  heat.ask("heatmap", { request: request() }, (line) => {
    if (line.done) {
      own.heats = found;
      if (!found.some((each) => each.length === own.length)) own.length = 5;
      update({});
    } else {
      found.push(line);
    }
  });
}

/**
 * @template {string | number} V @param {string} id @param {readonly V[]} values @param {V} chosen
 * @param {(value: V) => string} name @param {(value: string) => void} choose
 */
function choice(id, values, chosen, name, choose) {
  return makeSelect({ id, "aria-label": t(id.replace("-", "_")) }, values, chosen, name, (value) => {
    choose(value);
    update({});
  });
}

/**
 * Return a row for each letter that occurs, a column for each position; the greatest share of each is marked.
 * @param {Heat} heat
 */
function table({ counts, words, length: columns }) {
  const rows = Object.entries(counts).filter(([, each]) => each.some(Boolean));
  const positions = Array.from({ length: columns }, (_, at) => at);
  /** @param {readonly number[]} each */
  const whole = (each) => (own.share === "letter" ? each.reduce((sum, count) => sum + count, 0) : words);
  const best = Math.max(...rows.map(([, each]) => Math.max(...each) / whole(each)));
  const top = positions.map((at) => Math.max(...rows.map(([, each]) => each[at])));
  return make(
    "table",
    { class: "heat" },
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        make("td", {}),
        positions.map((at) => make("th", { scope: "col" }, String(at + 1))),
      ),
    ),
    make(
      "tbody",
      {},
      rows.map(([letter, each]) =>
        make(
          "tr",
          {},
          make("th", { scope: "row" }, letter),
          positions.map((at) => {
            const part = each[at] / whole(each),
              first = own.share === "letter" ? each[at] === Math.max(...each) : each[at] === top[at];
            const style = { "--heat": `${Math.round((100 * part) / best)}%` };
            return make("td", { class: first && "first", style }, each[at] ? percent(part) : "");
          }),
        ),
      ),
    ),
  );
}

/** Return a share in whole per cents, or that it is less than one. @param {number} part */
const percent = (part) => (part < 0.005 ? "·" : String(Math.round(100 * part)));
