// The keyboard: every action has a key. In the grid letters write; in texts no key of ours is heard but Escape.

import * as actions from "./actions.js";
import { focusGrid } from "./grid-view.js";
import { stopFilling } from "./questions.js";
import { state, travel, update } from "./store.js";
import { stop as stopWatching } from "./watching.js";

const ARROWS = { ArrowLeft: ["Across", -1], ArrowRight: ["Across", 1], ArrowUp: ["Down", -1], ArrowDown: ["Down", 1] };

/** What the keys of the grid do. */
const GRID_KEYS = {
  " ": actions.turnCursor,
  ".": actions.block,
  ",": () => actions.bar("Across"),
  _: () => actions.bar("Down"),
  "@": actions.circle,
  "`": actions.shade,
  "=": actions.lock,
  "!": actions.goToTightest,
  "+": () => document.getElementById("rebus-dialog").showModal(),
  Backspace: actions.erase,
  Delete: () => actions.write("", 0),
  Home: () => edge(0),
  End: () => edge(-1),
  Enter: () => document.querySelector("#words [data-word]")?.parentElement.focus(),
};

function edge(which) {
  const row = Math.floor(state.cursor / state.puzzle.width) * state.puzzle.width;
  actions.moveTo(which ? row + state.puzzle.width - 1 : row);
}

/** Hear the keys of the grid. @param {HTMLElement} grid */
export function hearGrid(grid) {
  grid.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (ARROWS[event.key]) actions.arrow(...ARROWS[event.key], event.shiftKey);
    else if (event.key === "Tab") {
      if (!actions.nextSlot(event.shiftKey ? -1 : 1)) return;  // the focus leaves the grid
    } else if (GRID_KEYS[event.key]) GRID_KEYS[event.key]();
    else if (/^\p{L}$/u.test(event.key)) actions.write(event.key.toUpperCase());
    else if (/^[1-9]$/.test(event.key)) takeNumber(Number(event.key));
    else return;
    event.preventDefault();
  });
}

/** Take one of the first words of the list. */
function takeNumber(number) {
  const row = document.querySelectorAll("#words [data-word]")[number - 1];
  if (row) actions.take(row.dataset.word);
}

const inText = (target) => target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Hear the keys that work everywhere. */
export function hearAll() {
  document.addEventListener("keydown", (event) => {
    const control = event.ctrlKey || event.metaKey;
    if (event.key === "Escape") {
      if (state.filling) stopFilling();
      stopWatching();
      if (state.anchor !== null) update({ anchor: null });
      if (!document.querySelector("dialog[open]")) focusGrid();
      return;
    }
    if (control && event.key === "Enter") actions.fill();
    else if (control && event.key.toLowerCase() === "z" && !inText(event.target)) travel(event.shiftKey ? "future" : "past");
    else if (control && event.key.toLowerCase() === "y" && !inText(event.target)) travel("future");
    else if (control && event.key.toLowerCase() === "s") actions.saveNow();
    else if (event.key === "?" && !inText(event.target)) document.getElementById("help-dialog").showModal();
    else return;
    event.preventDefault();
  });
}
