// What a person can do: each function is one action, whether a key, a button or a finger asks for it.

import {
  askCandidates,
  autofill,
  countLeft,
  currentSlot,
  generating,
  judge,
  keepFill,
  lettersOf,
  mayPencil,
} from "../ask/questions.js";
import {
  cellsBetween,
  findCell,
  findSlot,
  firstOpen,
  imagesOf,
  isWhole,
  listSlots,
  moveOf,
  rebuild,
  resize,
  setBlocks,
  setClue,
  setLetters,
  setLetterSets,
  slotAt,
  step,
  toggleBar,
  toggleMark,
  toggleShade,
  turn,
  turnDrafts,
  without,
  unmarked,
} from "../model/puzzle.js";
import {
  closeHint,
  dismiss,
  edit,
  mine,
  noteTyped,
  state,
  tellUndoable,
  typedAs,
  typeInto,
  update,
} from "../model/store.js";
import { t } from "../model/strings.js";
import { byId } from "./dom.js";

/** @import { Direction, Generating, GridEdit, Improved, Marking, Mode, Move, NoGridFound, Pattern } from "../../types.d.ts" */
/** @import { Puzzle, Request, Rows, Slot } from "../../types.d.ts" */

/**
 * Put another puzzle in the place of this one, and say so where it is no other.
 * @param {Puzzle} puzzle @param {Marking} [also] @param {Move} [to]
 */
function change(puzzle, also, to) {
  if (puzzle === state.puzzle) update({ message: "nothing_here" });
  else edit(puzzle, also, to);
}

/** Go to a mode. @param {Mode} mode */
export function goToMode(mode) {
  update({ mode, anchor: null, selecting: false, ghost: null });
  dismiss();
  judge(false);
  requestAnimationFrame(() => byId(`tab-${mode}`).scrollIntoView({ block: "nearest", inline: "nearest" }));
}

/**
 * Put the cursor somewhere.
 * @param {number} cell @param {Direction} [direction] @param {number | null} [anchor]
 */
export function moveTo(cell, direction = state.direction, anchor = null) {
  update({ cursor: cell, direction, anchor, ghost: state.filling ? state.ghost : null });
  askCandidates();
}

/**
 * An arrow: turn first, move then; over blocks to the next open cell, but in Design, where blocks are drawn.
 * @param {Direction} direction @param {number} by @param {boolean} [extend]
 */
export function arrow(direction, by, extend = false) {
  if (extend) {
    const next = step(state.puzzle, state.cursor, direction, by);
    if (next !== null) moveTo(next, state.direction, state.anchor ?? state.cursor);
    return;
  }
  const here = slotAt(state.puzzle, state.cursor, direction);
  if (direction !== state.direction && here) {
    moveTo(state.cursor, direction);
    return;
  }
  let cell = step(state.puzzle, state.cursor, direction, by);
  while (cell !== null && state.puzzle.cells[cell] === null && state.mode !== "design") {
    cell = step(state.puzzle, cell, direction, by);
  }
  if (cell !== null) moveTo(cell, direction);
}

/** Go that way to the next word that runs as the cursor does. @param {Direction} direction @param {number} by */
export function jump(direction, by) {
  const { puzzle, cursor } = state,
    here = currentSlot()?.name;
  for (let cell = step(puzzle, cursor, direction, by); cell !== null; cell = step(puzzle, cell, direction, by)) {
    const slot = slotAt(puzzle, cell, state.direction);
    if (slot && slot.name !== here) return moveTo(cell);
  }
}

export function turnCursor() {
  closeHint("keys");
  moveTo(state.cursor, turn(state.direction));
}

/**
 * Go to the slot after this one, or before; false after the last, where the focus is to leave the grid.
 * @param {number} by
 */
export function nextSlot(by) {
  const slots = listSlots(state.puzzle),
    here = currentSlot();
  const next = slots[(here ? slots.indexOf(here) : -1) + by];
  if (!next) return false;
  goToSlot(next);
  return true;
}

/** Go to the first empty cell of a slot. @param {Slot} slot */
export function goToSlot(slot) {
  const empty = slot.cells.find((cell) => !mine().cells[cell]);
  moveTo(empty ?? slot.cells[0], slot.direction);
}

/** Go to a slot or cell by its name. @param {string} name */
export function goTo(name) {
  const slot = findSlot(state.puzzle, name),
    cell = findCell(state.puzzle, name);
  if (slot) goToSlot(slot);
  else if (cell !== null) moveTo(cell);
}

/** Go to the slot that has the fewest words left, of those that are not whole. */
export async function goToTightest() {
  const left = await countLeft();
  if (!left) return;
  const open = listSlots(state.puzzle).filter((slot) => slot.name in left && !isWhole(mine(), slot));
  if (!open.length) return update({ message: "all_whole" });
  goToSlot(open.reduce((one, other) => (left[other.name] < left[one.name] ? other : one)));
}

/** @param {number} by */
function advance(by) {
  const slot = currentSlot();
  const at = slot?.cells[slot.cells.indexOf(state.cursor) + by];
  if (slot && at !== undefined) moveTo(at, slot.direction);
}

/** Write a letter, or take one out with "". @param {string} letter @param {number} [by] */
export function write(letter, by = 1) {
  const cell = state.cursor,
    typed = typedAs(cell, currentSlot()?.direction ?? state.direction);
  if (state.puzzle.cells[cell] === null) {
    if (state.mode === "design" && letter)
      edit(setBlocks(state.puzzle, imagesOf(state.puzzle, cell, state.symmetry), false));
    else return;
  }
  if (state.locked.has(cell) && state.puzzle.cells[cell] !== letter) {
    update({ message: "locked" });
  } else if (mine().cells[cell] !== letter || (state.pencilled.has(cell) && !mayPencil())) {
    const pencilled = new Set(state.pencilled);
    pencilled.delete(cell);
    edit(setLetters(state.puzzle, new Map([[cell, letter]]), state.pencilled), {
      pencilled,
      types: letter ? [typed] : [],
    });
  } else if (letter) noteTyped(typed);
  advance(by);
}

/** Take out the letter here, or where there is none the one before. */
export function erase() {
  if (!mine().cells[state.cursor]) advance(-1);
  write("", 0);
}

/**
 * Return the letters that come of a fill, where its author has none: the fill that was promised is the one that comes.
 * @param {Rows | null} [fill]
 */
function promised(fill) {
  const letters = new Map();
  for (const [cell, letter] of fill && !state.still ? lettersOf(fill).entries() : [])
    if (letter && !mine().cells[cell]) letters.set(cell, letter);
  return letters;
}

/**
 * Write a word into a slot at the cursor, and go on to the next that is not whole.
 * @param {string} word @param {Slot} [slot]
 */
export function take(word, slot = currentSlot()) {
  if (!slot || word.length !== slot.cells.length) return;
  closeHint("verdicts");
  const letters = new Map(
    slot.cells
      .map((cell, i) => /** @type {const} */ ([cell, word[i]]))
      .filter(([cell, letter]) => state.puzzle.cells[cell] !== letter),
  );
  if ([...letters.keys()].some((cell) => state.locked.has(cell))) return update({ message: "locked" });
  const pencilled = new Set(state.pencilled),
    told = [state.candidates, state.crossing].find((each) => each.slot === slot.name)?.verdicts.get(word);
  for (const cell of slot.cells) pencilled.delete(cell);
  for (const [cell, letter] of promised(told?.witness)) {
    if (slot.cells.includes(cell)) continue;
    letters.set(cell, letter);
    pencilled.add(cell);
  }
  edit(setLetters(state.puzzle, letters, state.pencilled), { pencilled, takes: [slot.name] });
  const slots = listSlots(state.puzzle),
    at = slots.findIndex((each) => each.name === slot.name);
  const next = [...slots.slice(at + 1), ...slots.slice(0, at)].find((each) => !isWhole(mine(), each));
  if (next) goToSlot(next);
}

/** Make the cell under the cursor and its images blocks, or open cells, and go on. */
export function block() {
  const cells = imagesOf(state.puzzle, state.cursor, state.symmetry);
  const blocks = state.puzzle.cells[state.cursor] !== null;
  if (blocks && cells.some((cell) => state.locked.has(cell))) return update({ message: "locked" });
  edit(setBlocks(state.puzzle, cells, blocks));
  advance(1);
}

/**
 * Make a cell and its images blocks, or open cells, unless a locked letter is in the way.
 * @param {number} cell @param {boolean} blocks
 */
export function paint(cell, blocks) {
  const cells = imagesOf(state.puzzle, cell, state.symmetry);
  if ((state.puzzle.cells[cell] === null) === blocks || cells.some((each) => state.locked.has(each))) return;
  edit(setBlocks(state.puzzle, cells, blocks));
}

/** Give the puzzle another size. @param {number} height @param {number} width */
export const changeSize = (height, width) =>
  change(resize(state.puzzle, height, width), {}, moveOf(state.puzzle, height, width));

/** Put a bar after the cell under the cursor, or take it away. @param {Direction} direction */
export const bar = (direction) => change(toggleBar(state.puzzle, state.cursor, direction, state.symmetry));

/** Circle the cells that are selected, or the one under the cursor. */
export const circle = () => change(toggleMark(state.puzzle, "circles", selectedCells()));

/** Shade the cells that are selected, or the one under the cursor. */
export const shade = () => change(toggleShade(state.puzzle, selectedCells(), state.shade));

/** Lock the letters of the region, or of the slot, or unlock them. */
export function lock() {
  const cells = (state.anchor === null ? (currentSlot()?.cells ?? []) : selectedCells()).filter(
    (cell) => state.puzzle.cells[cell],
  );
  const on = cells.some((cell) => !state.locked.has(cell));
  if (!cells.length) return update({ message: "nothing_here" });
  edit(
    state.puzzle,
    on
      ? { locked: new Set([...state.locked, ...cells]), pencilled: minus(state.pencilled, cells) }
      : { locked: minus(state.locked, cells) },
  );
}

/** @param {ReadonlySet<number>} cells @param {readonly number[]} [gone] */
const minus = (cells, gone = []) => new Set([...cells].filter((cell) => !gone.includes(cell)));

/** Take the program's letters as one's own: all, or those of the region, or of the slot. @param {boolean} all */
export function keep(all) {
  const { puzzle, pencilled, anchor } = state;
  const here = all ? [...puzzle.cells.keys()] : anchor === null ? (currentSlot()?.cells ?? []) : selectedCells();
  const takes = listSlots(puzzle)
    .filter((slot) => isWhole(puzzle, slot) && slot.cells.every((cell) => here.includes(cell)))
    .map(({ name }) => name);
  if (!here.some((cell) => pencilled.has(cell))) return update({ message: "nothing_here" });
  edit(puzzle, { pencilled: minus(pencilled, here), takes });
}

/** Have the word of a slot as one's own, whatever lists say. @param {Slot} slot */
export const adopt = (slot) => edit(state.puzzle, { takes: [slot.name] });

/** Give the solver the letters that are selected, or take them back. */
export const give = () =>
  change(
    toggleMark(
      state.puzzle,
      "givens",
      selectedCells().filter((cell) => state.puzzle.cells[cell]),
    ),
  );

/** Write several letters into the cell. @param {string} text */
export const rebus = (text) => write(text.toUpperCase().replace(/\s/g, ""), 0);

/** Ask which letters the selected cells may hold. */
export function askLimit() {
  byId("letters-text", HTMLInputElement).value = state.puzzle.letter_sets[state.cursor] ?? "";
  byId("letters-dialog", HTMLDialogElement).showModal();
}

/** Let the empty cells of the selection hold some letters alone, or any. @param {string} text */
export function limit(text) {
  const letters = [...new Set(text.toUpperCase().match(/\p{L}/gu) ?? [])].join("");
  const cells = selectedCells().filter((cell) => !mine().cells[cell]),
    emptied = without(state.puzzle, new Set(cells));
  change(setLetterSets(cells.length ? emptied : state.puzzle, cells, letters), {
    pencilled: minus(state.pencilled, cells),
  });
}

/** Return the open cells of the region, or the cell under the cursor. */
const selectedCells = () =>
  state.anchor === null
    ? [state.cursor].filter((cell) => state.puzzle.cells[cell] !== null)
    : cellsBetween(state.puzzle, state.anchor, state.cursor);

/** Fill: the region if there is one, else all that is empty or was pencilled. */
export function fill(objective = "good", another = false) {
  autofill({ objective, another, cells: state.anchor === null ? null : selectedCells() });
}

/** Take out all letters that an autofill wrote, or all that are not locked. @param {boolean} all */
export function clear(all) {
  const cells = state.puzzle.cells
    .map((letter, cell) => cell)
    .filter((cell) => state.puzzle.cells[cell] && !state.locked.has(cell) && (all || state.pencilled.has(cell)));
  if (!cells.length) return update({ message: all ? "nothing_to_clear" : "nothing_pencilled" });
  edit(setLetters(state.puzzle, new Map(cells.map((cell) => [cell, ""]))), { pencilled: new Set() });
  tellUndoable(t(cells.length === 1 ? "cleared_one" : "cleared", { count: cells.length }));
}

/**
 * Do what makes a fill possible: a letter is taken out, a slot takes a word, or need not be one.
 * @param {string} name @param {string} [word]
 */
export function repair(name, word = "") {
  const cell = findCell(state.puzzle, name);
  if (cell !== null) edit(setLetters(state.puzzle, new Map([[cell, ""]])));
  else if (word) take(word, findSlot(state.puzzle, name));
  else edit(state.puzzle, { opened: [...state.opened, name] });
}

/**
 * Change blocks or bars, and pencil the fill that shows what that is good for.
 * @param {GridEdit} change
 */
export function takeEdit({ add, open, fill }) {
  const puzzle = rebuild(state.puzzle, add, open),
    letters = promised(fill);
  edit(setLetters(puzzle, letters, state.pencilled), { pencilled: new Set([...state.pencilled, ...letters.keys()]) });
  if (puzzle.cells[state.cursor] === null) arrow(state.direction, 1);
}

/** Ask for a word again in a slot that need not have been one. @param {string} name */
export const closeSlot = (name) => edit(state.puzzle, { opened: state.opened.filter((each) => each !== name) });

/** Return what a clue marks: the word of its slot stays from then on, and is one's own. @param {string} name */
function markWord(name) {
  const slot = findSlot(state.puzzle, name);
  return {
    pencilled: minus(state.pencilled, slot?.cells),
    takes: slot && isWhole(state.puzzle, slot) ? [name] : [],
  };
}

/** Give a slot its clue, as it is typed. @param {string} name @param {string} text */
export const writeClue = (name, text) => typeInto(`clue ${name}`, setClue(state.puzzle, name, text), markWord(name));

/** Take a clue that was found; the one before stays as a draft. @param {string} name @param {string} text */
export const takeClue = (name, text) =>
  edit(
    setClue(state.puzzle, name, text, [unmarked(state.puzzle.clues[name] ?? ""), ...(state.puzzle.drafts[name] ?? [])]),
    markWord(name),
  );

/** Keep a text among the drafts of a slot; its clue is to be written anew. @param {string} name @param {string} text */
export const setAside = (name, text) =>
  edit(setClue(state.puzzle, name, "", [text, ...(state.puzzle.drafts[name] ?? [])]));

/**
 * Have the draft that comes `by` places after a text as the clue of a slot.
 * @param {string} name @param {string} text @param {number} by
 */
export const chooseDraft = (name, text, by) =>
  edit(turnDrafts(setClue(state.puzzle, name, text), name, by), markWord(name));

/** Drop a draft of a slot. @param {string} name @param {string} draft */
export const removeDraft = (name, draft) =>
  edit(
    setClue(
      state.puzzle,
      name,
      state.puzzle.clues[name] ?? "",
      state.puzzle.drafts[name].filter((text) => text !== draft),
    ),
  );

/** Give the puzzle a title, an author and the like, as it is typed. @param {string} key @param {string} text */
export function setMetadata(key, text) {
  const metadata = { ...state.puzzle.metadata };
  if (text) metadata[key] = text;
  else delete metadata[key];
  if (text !== (state.puzzle.metadata[key] ?? "")) typeInto(key, { ...state.puzzle, metadata });
}

/**
 * What no grid was found for, and what a proof of that hangs on: the theme words that do not pair up, or the one that is
 * most to blame; and what to give up for there to be one.
 * @param {NoGridFound} end @param {readonly string[]} demands
 */
function tellNoGrid({ status, unpaired, blame = {}, helps = [] }, demands) {
  const [worst] = Object.entries(blame).sort(([, one], [, other]) => other - one);
  const without = Object.keys(blame).filter((word) => helps.includes(`without ${word}`));
  const symmetry = helps.flatMap((help) => /--symmetry (\w+)/.exec(help)?.[1] ?? []).at(-1);
  const found = t(status === "UNSATISFIABLE" ? "no_grid" : "no_grid_found", { demands: demands.join(", ") });
  return [
    found,
    unpaired ? `${unpaired}.` : worst?.[1] && t("no_grid_blame", { word: worst[0] }),
    without.length && t("no_grid_without", { words: without.join(", ") }),
    symmetry && t(symmetry === "none" ? "no_grid_symmetric" : "no_grid_symmetry", { symmetry: t(symmetry) }),
  ]
    .filter(Boolean)
    .join(" ");
}

/**
 * @typedef {object} Asked  What grid is wanted, as the server takes it.
 * @property {Request} request
 * @property {number} seconds
 * @property {[number, number]} size
 * @property {string} style
 * @property {string} [symmetry]
 * @property {string[]} seed_words
 * @property {number} seed
 * @property {number} number
 * @property {boolean} [filled]
 * @property {boolean} [fillable]
 * @property {boolean} [fewest_blocks]
 * @property {boolean} [around]
 */

/**
 * Put a pattern in the place of the grid, its theme entries locked and its other letters pencilled; `around` the letters
 * that stand, whose marks stay.
 * @param {Pattern} pattern
 */
export function takePattern({ puzzle, theme, around = false, told = "" }) {
  closeHint("seeds");
  const stood = around ? mine().cells : [],
    found = [...puzzle.cells.keys()].filter((cell) => puzzle.cells[cell] && !stood[cell] && !theme.includes(cell));
  edit(
    { ...puzzle, metadata: state.puzzle.metadata },
    {
      pencilled: new Set(around ? [...state.pencilled, ...found] : found),
      locked: new Set(around ? [...state.locked, ...theme] : theme),
      ...(!around && { opened: [] }),
    },
  );
  keepFill();
  if (puzzle.cells[state.cursor] === null) update({ cursor: firstOpen(puzzle) });
  const words = listSlots(puzzle).length,
    blocks = puzzle.cells.filter((cell) => cell === null).length;
  tellUndoable(told || t("new_grid", { words, blocks }));
  byId("grid").scrollIntoView({ block: "nearest" }); // a phone has it above what was pressed
}

/**
 * Ask for a grid in the place of this one, or with `around` for one that has its letters; `each` is called instead with
 * each grid that comes, `tell` with what is known meanwhile.
 * @param {Asked} options @param {((pattern: Improved) => void) | undefined} each @param {(line: Generating) => void} tell
 */
export function generate(options, each, tell) {
  const { size, style, seed_words } = options,
    symmetry = options.symmetry ?? state.about?.styles[style] ?? "none",
    demands = [size.join("×"), t(style), ...(symmetry === "none" ? [] : [t(symmetry)]), ...seed_words];
  return generating.ask("generate", { ...options, puzzle: mine() }, (line) => {
    const { puzzle } = line;
    if (puzzle && each) each({ ...line, puzzle });
    else if (puzzle) takePattern({ ...line, puzzle, around: options.around });
    else if (line.done && !line.grids) update({ message: tellNoGrid(line, demands) });
    else if (!line.done) tell(line);
  });
}

/**
 * Write a word from the cursor on, across or down as the cursor goes, and lock it; blocks in its way go.
 * @param {string} word
 */
export function place(word) {
  const { puzzle, cursor, direction } = state;
  const by = direction === "Across" ? 1 : puzzle.width,
    along = direction === "Across" ? cursor % puzzle.width : Math.floor(cursor / puzzle.width),
    room = (direction === "Across" ? puzzle.width : puzzle.height) - along;
  if (word.length > room) return update({ message: "no_room" });
  const cells = Array.from(word, (_, at) => cursor + at * by);
  if (cells.some((cell) => state.locked.has(cell))) return update({ message: "locked" });
  const blocks = cells
    .filter((cell) => puzzle.cells[cell] === null)
    .flatMap((cell) => imagesOf(puzzle, cell, state.symmetry));
  const letters = new Map(cells.map((cell, at) => [cell, word[at]]));
  edit(setLetters(setBlocks(puzzle, blocks, false), letters, state.pencilled), {
    locked: new Set([...state.locked, ...cells]),
    pencilled: minus(state.pencilled, cells),
  });
}
