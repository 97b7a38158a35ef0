// The grid: cells as elements of a table that screen readers know, redrawn where they changed.

import { currentSlot } from "../ask/questions.js";
import {
  cellsBetween,
  findCell,
  findSlot,
  imagesOf,
  isWhole,
  listSlots,
  numberOf,
  placesIn,
  slotAt,
  turn,
} from "../model/puzzle.js";
import { mine, state, update } from "../model/store.js";
import { t } from "../model/strings.js";
import { moveTo, paint as paintBlock, place, turnCursor } from "./actions.js";
import { DRAGGED_WORD, byId, closest, make, mark, say } from "./dom.js";
import { ghosts, preview, take, tellEdit } from "./ghosts.js";

/** @import { Puzzle } from "../../types.d.ts" */

const root = byId("grid");
/**
 * @typedef {object} DrawnCell
 * @property {HTMLElement} cell
 * @property {HTMLElement} number
 * @property {HTMLElement} letter
 * @property {HTMLElement} left
 * @property {string} shade
 * @property {string} key  What it was drawn from.
 */

/** The cells as they are drawn, of which size, and the one under the pointer. */
const own = {
  cells: /** @type {DrawnCell[]} */ ([]),
  size: "",
  hovered: /** @type {number | null} */ (null),
};

/** Make the cells anew, none of them drawn. @param {Puzzle} puzzle */
function build({ height, width }) {
  own.cells = [];
  const rows = Array.from({ length: height }, (_, row) =>
    make(
      "div",
      { role: "row" },
      Array.from({ length: width }, (_, column) => {
        const at = row * width + column;
        const number = make("span", { class: "number", "aria-hidden": "true" });
        const letter = make("span", { class: "letter", "aria-hidden": "true" });
        const left = make("span", { class: "left", "aria-hidden": "true" });
        const cell = make(
          "div",
          { role: "gridcell", "data-cell": String(at), tabindex: "-1" },
          number,
          " ",
          letter,
          " ",
          left,
        );
        own.cells.push({ cell, number, letter, left, shade: "", key: "" });
        return cell;
      }),
    ),
  );
  root.replaceChildren(...rows);
  root.style.setProperty("--columns", String(width));
  root.style.setProperty("--rows", String(height));
}

/** Draw the grid. Every cell is looked at, and only what changed is touched. */
export function drawGrid() {
  const { puzzle, cursor, anchor, letters, trial, explanation, mode } = state,
    ghost = trial?.letters ?? state.ghost;
  const focused = root.contains(document.activeElement);
  if (own.size !== `${puzzle.height}x${puzzle.width}`) {
    own.size = `${puzzle.height}x${puzzle.width}`;
    build(puzzle);
  }
  const slot = trial ? null : currentSlot(),
    inSlot = new Set(slot?.cells);
  const region = new Set(anchor === null ? [] : cellsBetween(puzzle, anchor, cursor));
  const conflict = new Set(state.edits && ghost ? [] : explanation?.cells); // a fill is seen without it
  root.classList.toggle("selecting", state.selecting || (state.painting && mode === "design"));
  root.classList.toggle("voided", puzzle.voids.length > 0);
  const images = new Set(
    mode === "design" && own.hovered !== null ? imagesOf(puzzle, own.hovered, state.symmetry) : [],
  );
  const bars = new Set(puzzle.bars.map(([low, high]) => `${low} ${high}`));
  const givens = new Set(puzzle.givens),
    circles = new Set(puzzle.circles),
    voids = new Set(puzzle.voids);
  const tight = state.tint && mode === "fill" ? tightness() : new Map(),
    quality = mode === "fill" || mode === "check" ? scoreBands() : new Map();
  const edits = ghosts();
  const faults = mode === "design" || mode === "check" ? faultCells() : new Set();
  const shared = `|${state.language}|${state.fillable === "no"}|`; // what the texts of all cells hang on
  for (let at = 0; at < own.cells.length; at++) {
    const { cell, number, letter, left } = own.cells[at];
    const theirs = state.pencilled.has(at),
      stands = puzzle.cells[at],
      answer = theirs && (state.bare || trial) ? "" : stands,
      written = [...new Set([answer ?? "", ...((answer && puzzle.alternatives?.[at]) || [])])].join("/"),
      open = answer !== null,
      known = letters.get(at),
      built = edits.get(at);
    const shown = ghost && (open ? !answer || theirs : built) ? ghost[at] : "",
      ghosted = shown === answer ? "" : shown;
    const possible = known ? known.yes + known.open : "";
    const forced = open && !answer && known && !known.open && known.yes.length === 1 ? known.yes : "";
    const limited = known || !open || answer ? "" : (puzzle.letter_sets[at] ?? "");
    const few =
      open && !answer && !ghosted && !forced && possible.length > 1 && possible.length < 10 ? possible : limited;
    const classes = [
      !open && (voids.has(at) ? "void" : "block"),
      inSlot.has(at) && "in-slot",
      at === cursor && "cursor",
      region.has(at) && "selected",
      open && theirs && "pencilled",
      givens.has(at) && "given",
      state.locked.has(at) && "locked",
      circles.has(at) && "circled",
      puzzle.shades[at] && "shaded",
      conflict.has(at) && "conflict",
      built && (built.verdict === "no" ? "edit-no" : open ? "edit-add" : "edit-open"),
      built && state.ghost && (state.ghost[at] === null) === open && "edit-shown",
      images.has(at) && "image",
      faults.has(at) && "fault",
      open && !answer && known && !possible && state.fillable !== "no" && "impossible",
      tight.get(at),
      answer && quality.get(at),
      ghosted && "ghost",
      !ghosted && forced && "forced",
      few && "few",
      state.flashing.has(at) && "flash",
      bars.has(`${at} ${at + 1}`) && "bar-right",
      bars.has(`${at} ${at + puzzle.width}`) && "bar-below",
      written.length > 1 && "rebus",
      open && (!answer || theirs) && puzzle.letter_sets[at] && "limited",
      trial?.tried.has(at) && "tried",
      trial?.wiped.has(at) && "wiped",
      trial?.blamed.has(at) && "blamed",
    ];
    const looks = classes.filter(Boolean).join(" "),
      numbered = open ? (numberOf(puzzle, at) ?? "") : "",
      tried = trial?.letters[at];
    const key = [
      looks,
      puzzle.shades[at],
      numbered,
      written,
      ghosted,
      forced,
      few,
      possible,
      limited,
      built && [built.add, built.value, built.changed],
      tried,
      trial?.sizes.get(at),
    ].join("|");
    if (own.cells[at].key === key + shared) continue;
    own.cells[at].key = key + shared;
    mark(cell, "class", looks);
    paint(own.cells[at], puzzle.shades[at] ?? "");
    say(number, String(numbered));
    // What a cell is called begins with what stands in it, so that whoever speaks to the page can say what they see.
    const seen = ghosted || written || forced || [...shorten(few)].join(" "),
      size = trial?.sizes.get(at) ?? "";
    say(letter, seen);
    say(left, size);
    const first = open ? [numbered, seen || t("empty"), size] : [t("block")];
    mark(cell, "aria-label", label(at, first, few || forced, tried || ghosted));
    mark(cell, "aria-selected", String(inSlot.has(at)));
    mark(cell, "tabindex", at === cursor ? "0" : "-1");
  }
  if (focused) own.cells[cursor].cell.focus({ preventScroll: true });
}

/** Give a cell its shade, a colour or "". @param {DrawnCell} one @param {string} shade */
function paint(one, shade) {
  if (one.shade === shade) return;
  one.shade = shade;
  one.cell.style.setProperty("--shade", shade);
}

/** @param {string} letters */
const shorten = (letters) => (letters.length < 10 ? letters : `${letters.slice(0, 8)}…`);

/**
 * Return what a cell is called: what is seen in it, and what that is.
 * @param {number} at @param {(string | number)[]} seen @param {string} few  The letters that it may have, if they are few.
 * @param {string | null | undefined} tried  A letter that is not written.
 */
function label(at, seen, few, tried) {
  const { puzzle, trial, letters } = state,
    known = letters.get(at),
    edit = ghosts().get(at);
  const remarks = [
    !tried && few && t(few.length > 1 ? "one_of" : "only_one"),
    !trial && tried && t("proposed"),
    state.locked.has(at) && t("locked_letter"),
    !tried && !trial && puzzle.cells[at] && state.pencilled.has(at) && t("pencilled_letter"),
    puzzle.givens.includes(at) && t("given_letter"),
    puzzle.shades[at] && t("shaded"),
    !puzzle.cells[at] && known && !(known.yes + known.open) && state.fillable !== "no" && t("impossible"),
    edit && tellEdit(edit),
  ];
  return [...seen, ...remarks].filter(Boolean).join(", ");
}

/** Return a class for each cell whose tightest open slot has few words left. */
function tightness() {
  /** @type {Map<number, string>} */
  const cells = new Map();
  if (state.left?.puzzle !== mine()) return cells;
  for (const slot of listSlots(state.puzzle)) {
    const left = state.left.words[slot.name];
    const step = TIGHT.findIndex((most) => left <= most);
    if (left === undefined || step < 0 || isWhole(mine(), slot)) continue;
    for (const cell of slot.cells) {
      const before = cells.get(cell);
      if (!before || before > `tight-${step}`) cells.set(cell, `tight-${step}`);
    }
  }
  return cells;
}

/** How many words are few: the tightest first. */
const TIGHT = [5, 25, 100];

/** Return a class for each cell in a word that scores low. */
function scoreBands() {
  /** @type {Map<number, string>} */
  const cells = new Map();
  for (const [name, score] of Object.entries(state.figures?.fill?.scores ?? {})) {
    const band = score < 40 ? "weak" : score < 50 ? "fair" : null;
    if (band === null) continue;
    for (const cell of findSlot(state.puzzle, name)?.cells ?? []) if (cells.get(cell) !== "weak") cells.set(cell, band);
  }
  return cells;
}

function faultCells() {
  const cells = new Set();
  for (const fault of state.figures?.faults?.[state.style] ?? []) {
    for (const name of placesIn(fault.at)) {
      const slot = findSlot(state.puzzle, name),
        cell = findCell(state.puzzle, name);
      for (const each of slot ? slot.cells : cell === null ? [] : [cell]) cells.add(each);
    }
  }
  return cells;
}

/** Return the cell that an event happened in, if it did. @param {Event} event */
const cellOf = (event) => {
  const element = closest(event, "[data-cell]");
  return element ? Number(element.dataset.cell) : null;
};

const hand = {
  /** The cell where a press began. */
  pressed: /** @type {number | null} */ (null),
  /** Whether it was a finger's. */
  touched: false,
  /** What a press paints: true blocks, false open cells, null nothing. */
  painted: /** @type {boolean | null} */ (null),
};

/** Put the cursor on a cell, or turn it where it stands. @param {number} cell @param {MouseEvent} event */
function press(cell, event) {
  const region = event.shiftKey
    ? (state.anchor ?? state.cursor)
    : state.selecting
      ? state.anchor === state.cursor
        ? state.anchor
        : cell
      : null;
  if (region === null && take(ghosts().get(cell))) return;
  if (region !== null) moveTo(cell, state.direction, region);
  else if (cell === state.cursor && root.contains(document.activeElement)) turnCursor();
  else moveTo(cell, slotAt(state.puzzle, cell, state.direction) ? state.direction : turn(state.direction));
  hand.pressed = region ?? cell;
  focusGrid();
}

// A finger that is put on the grid may be about to scroll the page, so that only its tap counts; where it is to select
// a region, it draws one, or taps the two corners.
root.addEventListener("pointerdown", (event) => {
  const cell = cellOf(event);
  hand.touched = event.pointerType === "touch" && !state.selecting && !state.painting;
  if (cell === null || hand.touched) return;
  event.preventDefault();
  if (event.target instanceof Element) event.target.releasePointerCapture(event.pointerId);
  if (state.painting && state.mode === "design") {
    hand.painted = state.puzzle.cells[cell] !== null;
    paintBlock(cell, hand.painted);
    return;
  }
  press(cell, event);
});
root.addEventListener("click", (event) => {
  const cell = cellOf(event);
  if (cell === null || !hand.touched) return;
  press(cell, event);
  hand.pressed = null;
});
root.addEventListener("pointermove", (event) => {
  const cell = cellOf(event);
  if (cell !== own.hovered && (state.mode === "design" || state.edits) && event.pointerType !== "touch") {
    own.hovered = cell;
    update({});
    if (state.edits) preview(ghosts().get(cell ?? -1));
  }
  if (hand.painted !== null && cell !== null && event.buttons === 1) paintBlock(cell, hand.painted);
  if (hand.pressed !== null && cell !== null && event.buttons === 1 && cell !== state.cursor)
    moveTo(cell, state.direction, hand.pressed);
});
root.addEventListener("pointerleave", () => {
  if (own.hovered === null) return;
  own.hovered = null;
  update({});
  if (state.edits) preview();
});
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, () => {
    hand.pressed = hand.painted = null;
  });
}

// A seed entry is dropped where it begins; what else is dropped are files, which the page takes anywhere.
root.addEventListener("drop", (event) => {
  const cell = cellOf(event),
    word = event.dataTransfer?.getData(DRAGGED_WORD);
  if (cell === null || !word) return;
  event.preventDefault();
  event.stopPropagation();
  moveTo(cell);
  place(word);
});

/** Put the focus on the cell under the cursor. */
export function focusGrid() {
  own.cells[state.cursor]?.cell.focus({ preventScroll: true });
}
