// A puzzle and what follows from it: slots, numbers, symmetry, edits. All functions are pure: an edit returns a new puzzle.

/**
 * @typedef {"Across" | "Down"} Direction
 *
 * @typedef {object} Puzzle  As the server reads and writes it.
 * @property {number} height
 * @property {number} width
 * @property {(string | null)[]} cells  Row by row: null a block, "" an empty cell, several letters a rebus.
 * @property {number[]} givens  Cells whose letters the solver is given.
 * @property {[number, number][]} bars  Pairs of neighbouring cells, the lower one first.
 * @property {number[]} circles
 * @property {Record<string, string>} shades  The colours of cells that are shaded, as #rrggbb.
 * @property {number[]} voids
 * @property {Record<string, string>} letter_sets
 * @property {Record<string, string>} clues  By the name of the slot.
 * @property {Record<string, string[]>} drafts  What is kept beside the clue, likewise: each text once, none the clue.
 * @property {Record<string, string>} metadata
 *
 * @typedef {object} Slot
 * @property {string} name  Such as 17-Across.
 * @property {number} number
 * @property {Direction} direction
 * @property {number[]} cells
 */

/** @type {WeakMap<Puzzle, {slots: Slot[], at: Map<string, Slot>, numbers: Map<number, number>}>} */
const known = new WeakMap();

/** Return an empty puzzle. @param {number} height @param {number} width @returns {Puzzle} */
export function makePuzzle(height, width) {
  return {
    height,
    width,
    cells: Array(height * width).fill(""),
    givens: [],
    bars: [],
    circles: [],
    shades: {},
    voids: [],
    letter_sets: {},
    clues: {},
    drafts: {},
    metadata: {},
  };
}

/** Return the neighbour of a cell, or null at the edge. @returns {number | null} */
export function step(puzzle, cell, direction, by) {
  const row = Math.floor(cell / puzzle.width),
    column = cell % puzzle.width;
  const [r, c] = direction === "Across" ? [row, column + by] : [row + by, column];
  return r >= 0 && r < puzzle.height && c >= 0 && c < puzzle.width ? r * puzzle.width + c : null;
}

function index(puzzle) {
  let found = known.get(puzzle);
  if (found) return found;
  const barred = new Set(puzzle.bars.map(([low, high]) => `${low} ${high}`));
  const joins = (cell, direction) => {
    const next = step(puzzle, cell, direction, 1);
    return next !== null && puzzle.cells[cell] !== null && puzzle.cells[next] !== null && !barred.has(`${cell} ${next}`)
      ? next
      : null;
  };
  const numbers = new Map(),
    slots = [],
    at = new Map();
  for (let cell = 0; cell < puzzle.cells.length; cell++) {
    for (const direction of /** @type {Direction[]} */ (["Across", "Down"])) {
      const before = step(puzzle, cell, direction, -1);
      if ((before !== null && joins(before, direction) === cell) || joins(cell, direction) === null) continue;
      if (!numbers.has(cell)) numbers.set(cell, numbers.size + 1);
      const number = numbers.get(cell),
        slot = { name: `${number}-${direction}`, number, direction, cells: [] };
      for (let each = cell; each !== null; each = joins(each, direction)) slot.cells.push(each);
      slots.push(slot);
      for (const each of slot.cells) at.set(`${each} ${direction}`, slot);
    }
  }
  slots.sort((one, other) => one.direction.localeCompare(other.direction) || one.number - other.number);
  found = { slots, at, numbers };
  known.set(puzzle, found);
  return found;
}

/** Return the slots, across before down. @returns {Slot[]} */
export const listSlots = (puzzle) => index(puzzle).slots;

/** Return the slot through a cell, if there is one. @returns {Slot | undefined} */
export const slotAt = (puzzle, cell, direction) => index(puzzle).at.get(`${cell} ${direction}`);

/** Return the slot of a name. @returns {Slot | undefined} */
export const findSlot = (puzzle, name) => listSlots(puzzle).find((slot) => slot.name === name);

/** Return the number of a cell, if it has one. */
export const numberOf = (puzzle, cell) => index(puzzle).numbers.get(cell);

/** Return the other direction. @returns {Direction} */
export const turn = (direction) => (direction === "Across" ? "Down" : "Across");

/** Return what stands in a slot, with a mark for empty cells. */
export const answerOf = (puzzle, slot, empty = "") => slot.cells.map((cell) => puzzle.cells[cell] || empty).join("");

/** Return whether each cell of a slot has a letter. */
export const isWhole = (puzzle, slot) => slot.cells.every((cell) => puzzle.cells[cell]);

/** Return the cell of a name such as R3C4, or null. */
export function findCell(puzzle, name) {
  const match = /^R(\d+)C(\d+)$/.exec(name);
  return match ? (Number(match[1]) - 1) * puzzle.width + Number(match[2]) - 1 : null;
}

/** Return the names of slots and cells that stand in a text. @returns {string[]} */
export const placesIn = (text) => text.match(/R\d+C\d+|\d+-(?:Across|Down)/g) ?? [];

/** The symmetries: where each takes a row and a column. A puzzle that is not square has no diagonal ones. */
const IMAGES = {
  none: () => [],
  rotate: (h, w, r, c) => [[h - 1 - r, w - 1 - c]],
  rotate90: (h, w, r, c) =>
    h === w
      ? [
          [c, h - 1 - r],
          [h - 1 - r, w - 1 - c],
          [w - 1 - c, r],
        ]
      : [[h - 1 - r, w - 1 - c]],
  mirror: (h, w, r, c) => [[r, w - 1 - c]],
  updown: (h, w, r, c) => [[h - 1 - r, c]],
  both: (h, w, r, c) => [
    [r, w - 1 - c],
    [h - 1 - r, c],
    [h - 1 - r, w - 1 - c],
  ],
  diagonal: (h, w, r, c) => (h === w ? [[c, r]] : []),
};
export const SYMMETRIES = Object.keys(IMAGES);

/** Return a cell and its images under a symmetry. @returns {number[]} */
export function imagesOf(puzzle, cell, symmetry) {
  const { height, width } = puzzle;
  const images = IMAGES[symmetry](height, width, Math.floor(cell / width), cell % width);
  return [...new Set([cell, ...images.map(([row, column]) => row * width + column)])];
}

/** Return what a slot is called where numbers, or its cells, have moved, if there is a slot of just its cells. */
export function nameIn(puzzle, slot, to = (cell) => cell) {
  const cells = slot.cells.map(to),
    now = slotAt(puzzle, cells[0], slot.direction);
  return String(now?.cells) === String(cells) ? now.name : undefined;
}

/**
 * Return a puzzle with other cells or bars, where `to` says each cell goes if it stays. Numbers move, so each clue follows
 * the slot of just its cells with its drafts, and goes where there is none; what is marked on blocks goes too.
 * @param {Puzzle} puzzle @param {Partial<Puzzle>} change @param {(cell: number) => number | undefined} to @returns {Puzzle}
 */
function reshape(puzzle, change, to = (cell) => cell) {
  const next = { ...puzzle, ...change };
  const open = (cell) => typeof next.cells[cell] === "string";
  const textsOf = (texts, stays) =>
    Object.fromEntries(
      Object.entries(texts)
        .map(([cell, text]) => [to(Number(cell)), text])
        .filter(([cell]) => stays(cell)),
    );
  next.givens = next.givens.map(to).filter((cell) => next.cells[cell]);
  next.circles = next.circles.map(to).filter(open);
  next.voids = next.voids.map(to).filter((cell) => next.cells[cell] === null);
  next.shades = textsOf(next.shades, open);
  next.letter_sets = textsOf(next.letter_sets, (cell) => next.cells[cell] === "");
  next.bars = next.bars.map((bar) => bar.map(to)).filter((bar) => bar.every(open));
  Object.assign(next, { clues: {}, drafts: {} });
  for (const slot of listSlots(puzzle)) {
    const name = nameIn(next, slot, to);
    for (const texts of ["clues", "drafts"])
      if (name && puzzle[texts][slot.name]) next[texts][name] = puzzle[texts][slot.name];
  }
  return next;
}

/** Return a puzzle with these cells as blocks, or open. @param {number[]} cells @param {boolean} blocks */
export function setBlocks(puzzle, cells, blocks) {
  const next = puzzle.cells.slice();
  for (const cell of cells) next[cell] = blocks ? null : (next[cell] ?? "");
  return reshape(puzzle, { cells: next });
}

/** Return a puzzle with the bar after a cell put there, or taken away, and its images with it. */
export function toggleBar(puzzle, cell, direction, symmetry) {
  const next = step(puzzle, cell, direction, 1);
  if (next === null || puzzle.cells[cell] === null || puzzle.cells[next] === null) return puzzle;
  const ends = [imagesOf(puzzle, cell, symmetry), imagesOf(puzzle, next, symmetry)];
  // The images of both ends come in the same order, unless one lies on an axis; then there are fewer, and one will do.
  const pairs = ends[0].length === ends[1].length ? ends[0].map((one, i) => [one, ends[1][i]]) : [[cell, next]];
  const bars = pairs.map(([one, other]) => (one < other ? [one, other] : [other, one]));
  const key = String,
    there = new Set(puzzle.bars.map(key)),
    gone = there.has(key(bars[0]));
  const rest = puzzle.bars.filter((bar) => !bars.some((each) => key(each) === key(bar)));
  return reshape(puzzle, { bars: gone ? rest : [...rest, ...bars] });
}

/** Return a puzzle with letters in some cells. @param {Map<number, string>} letters */
export function setLetters(puzzle, letters) {
  const cells = puzzle.cells.slice();
  for (const [cell, letter] of letters) if (cells[cell] !== null) cells[cell] = letter;
  const stale = listSlots(puzzle).filter(
    (slot) => isWhole(puzzle, slot) && slot.cells.some((cell) => cells[cell] && cells[cell] !== puzzle.cells[cell]),
  );
  const clues = { ...puzzle.clues },
    drafts = { ...puzzle.drafts };
  for (const { name } of stale) for (const texts of [clues, drafts]) delete texts[name]; // a clue stays with its word alone
  return { ...puzzle, cells, clues, drafts, givens: puzzle.givens.filter((cell) => cells[cell]) };
}

/** Return a puzzle some empty cells of which may hold these letters alone; any where there are none. */
export function setLetterSets(puzzle, cells, letters) {
  const sets = { ...puzzle.letter_sets };
  for (const cell of cells) {
    if (letters) sets[cell] = letters;
    else delete sets[cell];
  }
  return cells.length ? { ...puzzle, letter_sets: sets } : puzzle;
}

/** Return a puzzle with a cell put on a list of marks, such as `circles`, or taken off. */
export function toggleMark(puzzle, mark, cells) {
  const on = cells.some((cell) => !puzzle[mark].includes(cell));
  const rest = puzzle[mark].filter((cell) => !cells.includes(cell));
  return { ...puzzle, [mark]: on ? [...rest, ...cells].sort((a, b) => a - b) : rest };
}

/** Return a puzzle with cells shaded in a colour, or no longer if all of them were. @param {string} colour */
export function toggleShade(puzzle, cells, colour) {
  const on = cells.some((cell) => puzzle.shades[cell] !== colour),
    shades = { ...puzzle.shades };
  for (const cell of cells)
    if (on) shades[cell] = colour;
    else delete shades[cell];
  return { ...puzzle, shades };
}

/** Return a puzzle with another clue of a slot, and other drafts beside it. @param {string[]} drafts */
export function setClue(puzzle, name, text, drafts = puzzle.drafts[name] ?? []) {
  const others = [...new Set(drafts)].filter((draft) => draft && draft !== text);
  if (text === (puzzle.clues[name] ?? "") && JSON.stringify(others) === JSON.stringify(puzzle.drafts[name] ?? []))
    return puzzle;
  const next = { ...puzzle, clues: { ...puzzle.clues, [name]: text }, drafts: { ...puzzle.drafts, [name]: others } };
  if (!text) delete next.clues[name];
  if (!others.length) delete next.drafts[name];
  return next;
}

/** Return a puzzle with the draft that comes `by` places after the clue of a slot as the clue; they stand in a ring. */
export function turnDrafts(puzzle, name, by) {
  const ring = [puzzle.clues[name] ?? "", ...(puzzle.drafts[name] ?? [])],
    at = (by + ring.length) % ring.length;
  const [text, ...drafts] = [...ring.slice(at), ...ring.slice(0, at)];
  return setClue(puzzle, name, text, drafts);
}

/** Return where each cell goes in another size, the top left corner kept, if it stays. @returns {(cell: number) => number | undefined} */
export const moveOf = (puzzle, height, width) => (cell) => {
  const row = Math.floor(cell / puzzle.width),
    column = cell % puzzle.width;
  return row < height && column < width ? row * width + column : undefined;
};

/** Return a puzzle of another size. */
export function resize(puzzle, height, width) {
  const { cells } = makePuzzle(height, width),
    to = moveOf(puzzle, height, width);
  for (const [cell, letter] of puzzle.cells.entries()) if (to(cell) !== undefined) cells[to(cell)] = letter;
  return reshape(puzzle, { height, width, cells }, to);
}

/** Return the open cells of the rectangle that two cells span. @returns {number[]} */
export function cellsBetween(puzzle, one, other) {
  const rows = [one, other].map((cell) => Math.floor(cell / puzzle.width)).sort((a, b) => a - b);
  const columns = [one, other].map((cell) => cell % puzzle.width).sort((a, b) => a - b);
  const found = [];
  for (let row = rows[0]; row <= rows[1]; row++) {
    for (let column = columns[0]; column <= columns[1]; column++) {
      const cell = row * puzzle.width + column;
      if (puzzle.cells[cell] !== null) found.push(cell);
    }
  }
  return found;
}
