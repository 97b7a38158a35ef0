// Solve: the puzzle as its solvers will have it.

import { listSlots } from "../model/puzzle.js";
import { state } from "../model/store.js";
import { t } from "../model/strings.js";
import { derived, noteReads } from "../model/tracked.js";
import { play } from "../player.js";
import { TEXTS } from "../texts.js";
import { byId } from "./dom.js";

const panel = byId("panel-solve");
const PREFIX = "player_";
/** What is there to be solved, and what tells whether it is the puzzle as it stands. */
const shown = {
  player: /** @type {ReturnType<typeof play> | null} */ (null),
  isCurrent: /** @type {(() => boolean) | null} */ (null),
};

/** Draw the panel: whoever comes to it can write at once. */
export function drawSolve() {
  document.body.classList.toggle("solving", state.mode === "solve");
  if (state.mode !== "solve") {
    shown.player?.leave();
    shown.isCurrent = null;
    return panel.replaceChildren();
  }
  if (shown.isCurrent?.()) return;
  const coming = !shown.isCurrent;
  shown.player?.leave();
  const { result, isCurrent } = noteReads(makePlayer);
  Object.assign(shown, { player: result, isCurrent });
  if (coming) result.focus();
}

function makePlayer() {
  const puzzle = derived(() => state.puzzle),
    { height, width, cells, givens, circles, shades, labels = {}, alternatives, bars, clues, metadata } = puzzle;
  const slots = listSlots(puzzle).map((slot) => ({ ...slot, clue: clues[slot.name] ?? "" }));
  const heading = [metadata.title, metadata.author].filter(Boolean).join(" · ");
  const names = Object.keys(TEXTS).filter((name) => name.startsWith(PREFIX)),
    texts = Object.fromEntries(names.map((name) => [name.slice(PREFIX.length), t(name)]));
  const looks = { givens, circles, shades, labels, bars };
  return play(panel, { height, width, cells, alternatives, ...looks, slots, heading, texts });
}
