// The keyboard: every action has a key. In the grid letters write; in texts no key of ours is heard but Escape.

import * as files from "../ask/files.js";
import { currentSlot, stopFilling } from "../ask/questions.js";
import { hop, HOPS, stop as stopWatching } from "../ask/watching.js";
import { dismiss, prefer, state, travel, update } from "../model/store.js";
import * as actions from "./actions.js";
import { byId } from "./dom.js";
import { ghosts, take } from "./ghosts.js";
import { focusGrid } from "./grid.js";

/** @import { Direction } from "../../types.d.ts" */

/** @type {Record<string, [Direction, number]>} */
const ARROWS = { ArrowLeft: ["Across", -1], ArrowRight: ["Across", 1], ArrowUp: ["Down", -1], ArrowDown: ["Down", 1] };

/** What the keys of the grid do. @type {Record<string, () => void>} */
const GRID_KEYS = {
  " ": actions.turnCursor,
  ".": actions.block,
  ",": () => actions.bar("Across"),
  _: () => actions.bar("Down"),
  "@": actions.circle,
  "`": actions.shade,
  "=": actions.lock,
  "!": actions.goToTightest,
  ";": () => actions.keep(false),
  ":": () => actions.keep(true),
  "-": () => update({ bare: !state.bare }),
  "*": () => prefer({ tint: !state.tint }),
  "+": askRebus,
  Insert: askRebus,
  Backspace: actions.erase,
  Delete: () => actions.write("", 0),
  Home: () => goInWord(0),
  End: () => goInWord(-1),
  "[": actions.askLimit,
  Enter: enter,
};

function askRebus() {
  byId("rebus-dialog", HTMLDialogElement).showModal();
}

/** Go to a cell of the word at the cursor, counted from its end if negative. @param {number} at */
function goInWord(at) {
  const cell = currentSlot()?.cells.at(at);
  if (cell !== undefined) actions.moveTo(cell);
}

/** What the keys do with Ctrl. @param {string} key */
function goFar(key) {
  if (ARROWS[key]) return actions.jump(...ARROWS[key]);
  const open = [...state.puzzle.cells.keys()].filter((cell) => state.puzzle.cells[cell] !== null),
    cell = open.at(key === "Home" ? 0 : -1);
  if (cell !== undefined) actions.moveTo(cell);
}

/** Take the edit that is offered here, or go where the slot has its words, or its clue. */
function enter() {
  if (take(ghosts().get(state.cursor))) return;
  if (state.mode === "fill") document.querySelector("#words [data-word]")?.parentElement?.focus();
  else if (state.mode === "clues") document.getElementById(`clue-${currentSlot()?.name}`)?.focus();
}

/**
 * Whether a key writes a sign: AltGr is Ctrl and Alt on some systems, and Option makes signs on others.
 * @param {KeyboardEvent} event
 */
const writes = (event) =>
  event.getModifierState("AltGraph") ||
  (!event.ctrlKey && !event.metaKey && (!event.altKey || (/^[^ \p{L}]$/u.test(event.key) && event.key in GRID_KEYS)));

/** Whether the last Escape cleared the program's letters. */
let cleared = false;

/** Hear the keys of the grid. @param {HTMLElement} grid */
export function hearGrid(grid) {
  let leaving = false; // after Escape, Tab leaves the grid from wherever it is
  grid.addEventListener("keydown", (event) => {
    const escaped = leaving;
    if (event.key !== "Shift") leaving = event.key === "Escape";
    const leaves = escaped && event.key === "Tab";
    if (leaves && cleared) travel("past"); // whoever leaves the grid did not mean to clear it
    if (event.key !== "Shift" && !leaving) cleared = false;
    const far = event.ctrlKey && !event.altKey && (event.key in ARROWS || /^(Home|End)$/.test(event.key)),
      { key } = event;
    if (!far && !writes(event)) return;
    if (far) goFar(key);
    else if (ARROWS[key]) actions.arrow(...ARROWS[key], event.shiftKey);
    else if (key === "Tab" || key === "PageDown" || key === "PageUp") {
      if (leaves || !actions.nextSlot(event.shiftKey || key === "PageUp" ? -1 : 1)) return; // the focus leaves the grid
    } else if (GRID_KEYS[key]) GRID_KEYS[key]();
    else if (/^\p{L}$/u.test(key)) actions.write(unaccented(key));
    else if (/^[1-9]$/.test(key)) takeNumber(Number(key));
    else return;
    event.preventDefault();
  });
}

/**
 * Return a letter as grids have it: an accented one has a key of its own where the grid wants the plain one.
 * @param {string} letter
 */
const unaccented = (letter) => letter.normalize("NFD")[0].toUpperCase();

/** Take one of the first words of the list. @param {number} number */
function takeNumber(number) {
  const row = state.mode === "fill" && document.querySelectorAll("#words [data-word]")[number - 1],
    word = row && row.getAttribute("data-word");
  if (word) actions.take(word);
}

const TEXTS = "textarea, [contenteditable], input:not([type=checkbox], [type=radio], [type=range], [type=file])";
/** @param {EventTarget | null} target @returns {target is HTMLElement} */
const inText = (target) => target instanceof HTMLElement && target.matches(TEXTS);

/** @param {EventTarget | null} target */
const inGrid = (target) => target instanceof Node && byId("grid").contains(target);

/** Have what was typed into a text heard, as when the focus leaves it. @param {EventTarget | null} target */
function commit(target) {
  if (!inText(target)) return;
  target.blur();
  document.getElementById(target.id)?.focus();
}

/** Hear the keys that work everywhere. */
export function hearAll() {
  document.addEventListener("keydown", (event) => {
    const hops = state.mode === "watch" && !inText(event.target) && HOPS.find(([key]) => key === event.key);
    const control = (event.ctrlKey || event.metaKey) && !event.getModifierState("AltGraph");
    if (event.key === "Escape") {
      const idle = !state.message && !state.filling && state.anchor === null && state.mode === "fill";
      dismiss();
      if (state.filling) stopFilling();
      stopWatching();
      if (idle && !state.still && state.pencilled.size && inGrid(event.target)) {
        actions.clear(false);
        cleared = true;
      }
      if (state.anchor !== null) update({ anchor: null });
      if (!document.querySelector("dialog:modal")) focusGrid();
      return;
    }
    if (control && event.key === "Enter") {
      commit(event.target);
      actions.fill();
    } else if (hops) hop(hops[1], hops[2]);
    else if (control && event.key.toLowerCase() === "z" && !inText(event.target))
      travel(event.shiftKey ? "future" : "past");
    else if (control && event.key.toLowerCase() === "y" && !inText(event.target)) travel("future");
    else if (control && event.key.toLowerCase() === "s") files.saveNow();
    else if (event.key === "?" && !inText(event.target)) byId("help-dialog", HTMLDialogElement).showModal();
    else return;
    event.preventDefault();
  });
}
