// The status line: what the grid and its words are like, always in sight.

import { listSlots } from "../model/puzzle.js";
import { state } from "../model/store.js";
import { t } from "../model/strings.js";
import { goToMode } from "./actions.js";
import { byId, fillWith, make } from "./dom.js";

const line = byId("status");
/** How many characters of words that are alike fit; Check has the others. */
const ROOM = 60;

/** Draw the line. */
export const drawStatus = () => fillWith(line, listFigures);

function listFigures() {
  const { puzzle, figures, language } = state,
    slots = listSlots(puzzle),
    fill = figures?.fill,
    more = /** @type {string[]} */ ([]);
  const blocks = puzzle.cells.filter((cell) => cell === null).length - puzzle.voids.length;
  const parts = [
    t("status_words", { count: slots.length }),
    t("status_blocks", { count: blocks }),
    t("status_threes", { count: slots.filter((slot) => slot.cells.length === 3).length }),
  ];
  if (fill?.worst?.length) {
    const { word, score } = fill.worst[0];
    parts.push(t("status_scores", { mean: Math.round(fill.mean_score ?? 0).toLocaleString(language), word, score }));
    const groups = [...fill.repeats, ...fill.alike].map(({ slots }) => slots);
    const alike = [...new Set(groups.map((names) => names.map((name) => fill.words[name]).join("/")))];
    const shown = alike.filter((_, at) => !at || alike.slice(0, at + 1).join(" · ").length <= ROOM);
    if (alike.length) parts.push(t("status_alike", { texts: shown.join(" · ") }));
    more.push(...alike.slice(shown.length));
  }
  return [
    parts.join(" · "),
    more.length > 0 && [
      " · ",
      make(
        "button",
        { id: "status-more", class: "link", title: more.join(" · "), onclick: () => goToMode("check") },
        `+${more.length}`,
      ),
    ],
  ];
}
