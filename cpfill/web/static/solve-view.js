// Solve: the puzzle as its solvers will have it.

import { byId } from "./dom.js";
import { listSlots } from "./model.js";
import { play } from "./player.js";
import { state } from "./store.js";
import { t } from "./strings.js";

const panel = byId("panel-solve");
const TEXTS = ["Across", "Down", "check", "reveal", "letter", "word", "all", "empty", "wrong", "solved"];
let shown = "";

/** Draw the panel: what was written in it stays until the puzzle or the language is another. */
export function drawSolve() {
  document.body.classList.toggle("solving", state.mode === "solve");
  if (state.mode !== "solve") {
    shown = "";
    return panel.replaceChildren();
  }
  const { puzzle, language } = state,
    key = JSON.stringify([puzzle, language]);
  if (key === shown) return;
  shown = key;
  const { height, width, cells, givens, circles, shades, bars, clues, metadata } = puzzle;
  const slots = listSlots(puzzle).map((slot) => ({ ...slot, clue: clues[slot.name] ?? "" }));
  const heading = [metadata.title, metadata.author].filter(Boolean).join(" · ");
  const texts = Object.fromEntries(TEXTS.map((name) => [name, t(`player_${name}`)]));
  play(panel, { height, width, cells, givens, circles, shades, bars, slots, heading, texts });
}
