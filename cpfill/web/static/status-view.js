// The status line: what the grid and its words are like, always in sight.

import { byId, mark, say } from "./dom.js";
import { listSlots } from "./model.js";
import { state } from "./store.js";
import { t } from "./strings.js";

const line = byId("status");

/** Draw the line. */
export function drawStatus() {
  const { puzzle, figures, language } = state,
    slots = listSlots(puzzle),
    fill = figures?.fill;
  const blocks = puzzle.cells.filter((cell) => cell === null).length - puzzle.voids.length;
  const parts = [
    t("status_words", { count: slots.length }),
    t("status_blocks", { count: blocks }),
    t("status_threes", { count: slots.filter((slot) => slot.cells.length === 3).length }),
  ];
  if (fill?.worst?.length) {
    const { word, score } = fill.worst[0];
    parts.push(t("status_scores", { mean: Math.round(fill.mean_score ?? 0).toLocaleString(language), word, score }));
    const alike = [fill.repeats, fill.shared_runs, fill.shared_stems].flat();
    if (alike.length) parts.push(t("status_alike", { texts: alike.map(({ text }) => text).join(", ") }));
  }
  say(line, parts.join(" · "));
  mark(line, "title", line.textContent);
}
