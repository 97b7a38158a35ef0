// Solve: the puzzle as its solvers will have it.

import { byId } from "./dom.js";
import { listSlots } from "./model.js";
import { play } from "./player.js";
import { state } from "./store.js";
import { t } from "./strings.js";
import { TEXTS } from "./texts.js";

const panel = byId("panel-solve");
const PREFIX = "player_";
let shown = "",
  player = /** @type {ReturnType<typeof play> | null} */ (null);

/** Draw the panel: whoever comes to it can write at once. */
export function drawSolve() {
  document.body.classList.toggle("solving", state.mode === "solve");
  if (state.mode !== "solve") {
    player?.leave();
    shown = "";
    return panel.replaceChildren();
  }
  const { puzzle, language } = state,
    key = JSON.stringify([puzzle, language]);
  if (key === shown) return;
  const coming = !shown;
  shown = key;
  const { height, width, cells, givens, circles, shades, labels = {}, bars, clues, metadata } = puzzle;
  const slots = listSlots(puzzle).map((slot) => ({ ...slot, clue: clues[slot.name] ?? "" }));
  const heading = [metadata.title, metadata.author].filter(Boolean).join(" · ");
  const names = Object.keys(TEXTS).filter((name) => name.startsWith(PREFIX)),
    texts = Object.fromEntries(names.map((name) => [name.slice(PREFIX.length), t(name)]));
  player?.leave();
  player = play(panel, { height, width, cells, givens, circles, shades, labels, bars, slots, heading, texts });
  if (coming) player.focus();
}
