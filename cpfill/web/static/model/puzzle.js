// A puzzle and what follows from it: slots, numbers, symmetry, edits. All functions are pure: an edit returns another
// puzzle.

/** @import { Bar, Direction, Letters, Move, Puzzle, Slot, Symmetry } from "../../types.d.ts" */

/**
 * @typedef {{slots: Slot[], at: Map<string, Slot>, numbers: Map<number, number>}} Index  What follows from the cells.
 * @typedef {(there: string | null) => boolean} Test
 */

/** @type {WeakMap<Puzzle, Index>} */
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
    labels: {},
    alternatives: {},
    voids: [],
    letter_sets: {},
    clues: {},
    drafts: {},
    metadata: {},
  };
}

/**
 * Return the neighbour of a cell, or null at the edge.
 * @param {Puzzle} puzzle @param {number} cell @param {Direction} direction @param {number} by @returns {number | null}
 */
export function step(puzzle, cell, direction, by) {
  const row = Math.floor(cell / puzzle.width),
    column = cell % puzzle.width;
  const [r, c] = direction === "Across" ? [row, column + by] : [row + by, column];
  return r >= 0 && r < puzzle.height && c >= 0 && c < puzzle.width ? r * puzzle.width + c : null;
}

/** @param {Puzzle} puzzle @returns {Index} */
function index(puzzle) {
  const found = known.get(puzzle);
  if (found) return found;
  const barred = new Set(puzzle.bars.map(([low, high]) => `${low} ${high}`));
  /** @param {number} cell @param {Direction} direction */
  const joins = (cell, direction) => {
    const next = step(puzzle, cell, direction, 1);
    return next !== null && puzzle.cells[cell] !== null && puzzle.cells[next] !== null && !barred.has(`${cell} ${next}`)
      ? next
      : null;
  };
  const made = /** @type {Index} */ ({ slots: [], at: new Map(), numbers: new Map() }),
    { slots, at, numbers } = made;
  for (let cell = 0; cell < puzzle.cells.length; cell++) {
    for (const direction of /** @type {Direction[]} */ (["Across", "Down"])) {
      const before = step(puzzle, cell, direction, -1);
      if ((before !== null && joins(before, direction) === cell) || joins(cell, direction) === null) continue;
      const number = numbers.get(cell) ?? numbers.size + 1,
        cells = [];
      numbers.set(cell, number);
      for (let each = /** @type {number | null} */ (cell); each !== null; each = joins(each, direction))
        cells.push(each);
      const slot = { name: `${number}-${direction}`, number, direction, cells };
      slots.push(slot);
      for (const each of cells) at.set(`${each} ${direction}`, slot);
    }
  }
  slots.sort((one, other) => one.direction.localeCompare(other.direction) || one.number - other.number);
  known.set(puzzle, made);
  return made;
}

/** Return the slots, across before down. @param {Puzzle} puzzle @returns {readonly Slot[]} */
export const listSlots = (puzzle) => index(puzzle).slots;

/**
 * Return the slot through a cell, if there is one.
 * @param {Puzzle} puzzle @param {number} cell @param {Direction} direction
 */
export const slotAt = (puzzle, cell, direction) => index(puzzle).at.get(`${cell} ${direction}`);

/** Return the slot of a name, if there is one. @param {Puzzle} puzzle @param {string} name */
export const findSlot = (puzzle, name) => listSlots(puzzle).find((slot) => slot.name === name);

/** Return the number of a cell, if it has one. @param {Puzzle} puzzle @param {number} cell */
export const numberOf = (puzzle, cell) => index(puzzle).numbers.get(cell);

/** Return the other direction. @param {Direction} direction @returns {Direction} */
export const turn = (direction) => (direction === "Across" ? "Down" : "Across");

/** Return what stands in a slot, with a mark for empty cells. @param {Puzzle} puzzle @param {Slot} slot */
export const answerOf = (puzzle, slot, empty = "") => slot.cells.map((cell) => puzzle.cells[cell] || empty).join("");

/** Return whether each cell of a slot has a letter. @param {Puzzle} puzzle @param {Slot} slot */
export const isWhole = (puzzle, slot) => slot.cells.every((cell) => puzzle.cells[cell]);

/** Return the cell of a name such as R3C4, or null. @param {Puzzle} puzzle @param {string} name */
export function findCell(puzzle, name) {
  const match = /^R(\d+)C(\d+)$/.exec(name);
  return match ? (Number(match[1]) - 1) * puzzle.width + Number(match[2]) - 1 : null;
}

/** Return the names of slots and cells that stand in a text. @param {string} text @returns {string[]} */
export const placesIn = (text) => text.match(/R\d+C\d+|\d+-(?:Across|Down)/g) ?? [];

/**
 * The symmetries: where each takes a row and a column. A puzzle that is not square has no diagonal ones.
 * @type {Record<Symmetry, (h: number, w: number, r: number, c: number) => [number, number][]>}
 */
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
export const SYMMETRIES = /** @type {Symmetry[]} */ (Object.keys(IMAGES));

/**
 * Return a cell and its images under a symmetry.
 * @param {Puzzle} puzzle @param {number} cell @param {Symmetry} symmetry @returns {number[]}
 */
export function imagesOf(puzzle, cell, symmetry) {
  const { height, width } = puzzle;
  const images = IMAGES[symmetry](height, width, Math.floor(cell / width), cell % width);
  return [...new Set([cell, ...images.map(([row, column]) => row * width + column)])];
}

/**
 * Return what a slot is called where numbers, or its cells, have moved, if there is a slot of just its cells.
 * @param {Puzzle} puzzle @param {Slot} slot @param {Move} [to]
 */
export function nameIn(puzzle, slot, to = (cell) => cell) {
  const cells = slot.cells.map(to),
    now = cells[0] === undefined ? undefined : slotAt(puzzle, cells[0], slot.direction);
  return String(now?.cells) === String(cells) ? now?.name : undefined;
}

/** Return the first cell that is no block, or the very first. @param {Puzzle} puzzle */
export const firstOpen = ({ cells }) => Math.max(0, cells.findIndex(isOpen));

/** @param {number[]} ends @returns {ends is [number, number]} */
const isBar = (ends) => ends.length === 2;

/** @type {Test} */
const isOpen = (there) => there !== null;

/**
 * Return a puzzle with other cells or bars, where `to` says each cell goes if it stays. Numbers move, so each clue
 * follows the slot of just its cells with its drafts, and goes where there is none; what is marked on blocks goes too.
 * @param {Puzzle} puzzle @param {Partial<Puzzle>} change @param {Move} [to] @returns {Puzzle}
 */
function reshape(puzzle, change, to = (cell) => cell) {
  const { cells, givens, circles, voids, shades, labels = {}, letter_sets, bars } = { ...puzzle, ...change },
    { alternatives = {} } = puzzle;
  /** Return the cells that stay, if what is there is right. @param {readonly number[]} old @param {Test} stays */
  const cellsOf = (old, stays) =>
    old.flatMap((cell) => {
      const now = to(cell);
      return now !== undefined && stays(cells[now]) ? [now] : [];
    });
  /** @template T @param {Readonly<Record<string, T>>} texts @param {Test} stays */
  const textsOf = (texts, stays) =>
    Object.fromEntries(
      Object.entries(texts).flatMap(([cell, text]) => cellsOf([Number(cell)], stays).map((now) => [now, text])),
    );
  const next = {
    ...puzzle,
    ...change,
    givens: cellsOf(givens, (there) => Boolean(there)),
    circles: cellsOf(circles, isOpen),
    voids: cellsOf(voids, (there) => there === null),
    shades: textsOf(shades, isOpen),
    labels: textsOf(labels, isOpen),
    alternatives: textsOf(alternatives, Boolean),
    letter_sets: textsOf(letter_sets, (there) => there === ""),
    bars: bars.map((bar) => cellsOf(bar, isOpen)).filter(isBar),
    clues: /** @type {Record<string, string>} */ ({}),
    drafts: /** @type {Record<string, readonly string[]>} */ ({}),
  };
  for (const slot of listSlots(puzzle)) {
    const name = nameIn(next, slot, to),
      clue = puzzle.clues[slot.name],
      drafts = puzzle.drafts[slot.name];
    if (name && clue) next.clues[name] = clue;
    if (name && drafts) next.drafts[name] = drafts;
  }
  return next;
}

/**
 * Return a puzzle with these cells as blocks, or open.
 * @param {Puzzle} puzzle @param {readonly number[]} cells @param {boolean} blocks
 */
export function setBlocks(puzzle, cells, blocks) {
  const next = puzzle.cells.slice();
  for (const cell of cells) next[cell] = blocks ? null : (next[cell] ?? "");
  return reshape(puzzle, { cells: next });
}

/**
 * Return a puzzle with some blocks or bars added and others taken away, all by their names: R3C4, R3C4-R3C5.
 * @param {Puzzle} puzzle @param {readonly string[]} add @param {readonly string[]} open
 */
export function rebuild(puzzle, add, open) {
  const cells = puzzle.cells.slice(),
    bars = new Map(puzzle.bars.map((bar) => [String(bar), bar]));
  for (const name of [...add, ...open]) {
    const ends = placesIn(name).map((each) => /** @type {number} */ (findCell(puzzle, each)));
    if (!isBar(ends)) cells[ends[0]] = add.includes(name) ? null : "";
    else if (add.includes(name)) bars.set(String(ends), ends);
    else bars.delete(String(ends));
  }
  return reshape(puzzle, { cells, bars: [...bars.values()] });
}

/**
 * Return a puzzle with the bar after a cell put there, or taken away, and its images with it.
 * @param {Puzzle} puzzle @param {number} cell @param {Direction} direction @param {Symmetry} symmetry
 */
export function toggleBar(puzzle, cell, direction, symmetry) {
  const next = step(puzzle, cell, direction, 1);
  if (next === null || puzzle.cells[cell] === null || puzzle.cells[next] === null) return puzzle;
  const ends = [imagesOf(puzzle, cell, symmetry), imagesOf(puzzle, next, symmetry)];
  // The images of both ends come in the same order, unless one lies on an axis; then there are fewer, and one will do.
  const pairs = ends[0].length === ends[1].length ? ends[0].map((one, i) => [one, ends[1][i]]) : [[cell, next]];
  const bars = pairs.map(([one, other]) => /** @type {Bar} */ (one < other ? [one, other] : [other, one]));
  const key = String,
    there = new Set(puzzle.bars.map((bar) => key(bar))),
    gone = there.has(key(bars[0]));
  const rest = puzzle.bars.filter((bar) => !bars.some((each) => key(each) === key(bar)));
  return reshape(puzzle, { bars: gone ? rest : [...rest, ...bars] });
}

/**
 * Return a puzzle with letters in some cells. A clue stays with its word; it belongs to none as long as letters of the
 * slot are missing, or are `pencilled`. Alternative letters stay if no letter of their words changes.
 * @param {Puzzle} puzzle @param {Letters} letters @param {ReadonlySet<number>} [pencilled]
 */
export function setLetters(puzzle, letters, pencilled = new Set()) {
  const cells = puzzle.cells.slice();
  for (const [cell, letter] of letters) if (cells[cell] !== null) cells[cell] = letter;
  const stale = listSlots(puzzle).filter(
    (slot) =>
      slot.cells.every((cell) => puzzle.cells[cell] && !pencilled.has(cell)) &&
      slot.cells.some((cell) => cells[cell] && cells[cell] !== puzzle.cells[cell]),
  );
  const { alternatives = {} } = puzzle,
    split = listSlots(puzzle).filter((slot) => slot.cells.some((cell) => alternatives[cell])),
    changed = split.some((slot) => slot.cells.some((cell) => cells[cell] !== puzzle.cells[cell]));
  const clues = { ...puzzle.clues },
    drafts = { ...puzzle.drafts };
  for (const { name } of stale) for (const texts of [clues, drafts]) delete texts[name];
  const givens = puzzle.givens.filter((cell) => cells[cell]);
  return { ...puzzle, cells, clues, drafts, givens, alternatives: changed ? {} : alternatives };
}

/** Return a puzzle with some cells empty. @param {Puzzle} puzzle @param {ReadonlySet<number>} emptied @returns {Puzzle} */
export const without = (puzzle, emptied) =>
  emptied.size
    ? {
        ...puzzle,
        cells: puzzle.cells.map((letter, cell) => (emptied.has(cell) ? "" : letter)),
      }
    : puzzle;

/**
 * Return a puzzle some empty cells of which may hold these letters alone; any where there are none.
 * @param {Puzzle} puzzle @param {readonly number[]} cells @param {string} letters
 */
export function setLetterSets(puzzle, cells, letters) {
  const sets = { ...puzzle.letter_sets };
  for (const cell of cells) {
    if (letters) sets[cell] = letters;
    else delete sets[cell];
  }
  return cells.length ? { ...puzzle, letter_sets: sets } : puzzle;
}

/**
 * Return a puzzle with cells put on a list of marks, or taken off if all of them were on it.
 * @param {Puzzle} puzzle @param {"circles" | "givens"} mark @param {readonly number[]} cells
 */
export function toggleMark(puzzle, mark, cells) {
  if (!cells.length) return puzzle;
  const on = cells.some((cell) => !puzzle[mark].includes(cell));
  const rest = puzzle[mark].filter((cell) => !cells.includes(cell));
  return { ...puzzle, [mark]: on ? [...rest, ...cells].sort((a, b) => a - b) : rest };
}

/**
 * Return a puzzle with cells shaded in a colour, or no longer if all of them were.
 * @param {Puzzle} puzzle @param {readonly number[]} cells @param {string} colour
 */
export function toggleShade(puzzle, cells, colour) {
  if (!cells.length) return puzzle;
  const on = cells.some((cell) => puzzle.shades[cell] !== colour),
    shades = { ...puzzle.shades };
  for (const cell of cells)
    if (on) shades[cell] = colour;
    else delete shades[cell];
  return { ...puzzle, shades };
}

/** The beginning of a clue that a dictionary gave and nobody has edited yet; files have it too. */
export const DRAFT = "~ ";

/** Whether a clue is such a draft. @param {string} text */
export const isDraft = (text) => text.startsWith(DRAFT);

/** Return a clue without the mark of a draft. @param {string} text */
export const unmarked = (text) => (isDraft(text) ? text.slice(DRAFT.length) : text);

/**
 * Return a puzzle with another clue of a slot, and other drafts beside it.
 * @param {Puzzle} puzzle @param {string} name @param {string} text @param {readonly string[]} [drafts]
 */
export function setClue(puzzle, name, text, drafts = puzzle.drafts[name] ?? []) {
  const others = [...new Set(drafts)].filter((draft) => draft && draft !== text);
  if (text === (puzzle.clues[name] ?? "") && JSON.stringify(others) === JSON.stringify(puzzle.drafts[name] ?? []))
    return puzzle;
  const next = { ...puzzle, clues: { ...puzzle.clues, [name]: text }, drafts: { ...puzzle.drafts, [name]: others } };
  if (!text) delete next.clues[name];
  if (!others.length) delete next.drafts[name];
  return next;
}

/**
 * Return a puzzle with the draft that comes `by` places after the clue of a slot as the clue; they stand in a ring.
 * @param {Puzzle} puzzle @param {string} name @param {number} by
 */
export function turnDrafts(puzzle, name, by) {
  const ring = [puzzle.clues[name] ?? "", ...(puzzle.drafts[name] ?? [])],
    at = (by + ring.length) % ring.length;
  const [text, ...drafts] = [...ring.slice(at), ...ring.slice(0, at)];
  return setClue(puzzle, name, text, drafts);
}

/**
 * Return where each cell goes in another size, the top left corner kept, if it stays.
 * @type {(puzzle: Puzzle, height: number, width: number) => Move}
 */
export const moveOf = (puzzle, height, width) => (cell) => {
  const row = Math.floor(cell / puzzle.width),
    column = cell % puzzle.width;
  return row < height && column < width ? row * width + column : undefined;
};

/** Return a puzzle of another size. @param {Puzzle} puzzle @param {number} height @param {number} width */
export function resize(puzzle, height, width) {
  if (height === puzzle.height && width === puzzle.width) return puzzle;
  const cells = makePuzzle(height, width).cells.slice(),
    to = moveOf(puzzle, height, width);
  for (const [cell, letter] of puzzle.cells.entries()) {
    const now = to(cell);
    if (now !== undefined) cells[now] = letter;
  }
  return reshape(puzzle, { height, width, cells }, to);
}

/**
 * Return the open cells of the rectangle that two cells span.
 * @param {Puzzle} puzzle @param {number} one @param {number} other
 */
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

/**
 * Return how entries of these lengths pair up under a half turn: the lengths of the pairs, the length of the entry that
 * is its own image in the middle row or column, 0 for none, and the lengths of those that are left.
 * @param {readonly number[]} lengths @param {number} height @param {number} width
 */
export function pairLengths(lengths, height, width) {
  const sorted = lengths.toSorted((one, other) => one - other),
    pairs = /** @type {number[]} */ ([]),
    alone = /** @type {number[]} */ ([]);
  for (const length of sorted)
    if (alone.at(-1) === length) pairs.push(/** @type {number} */ (alone.pop()));
    else alone.push(length);
  const isCentred = (/** @type {number} */ length) =>
    (height % 2 === 1 && length <= width && (width - length) % 2 === 0) ||
    (width % 2 === 1 && length <= height && (height - length) % 2 === 0);
  const middle = alone.findLast(isCentred) ?? 0;
  return { pairs, middle, alone: alone.filter((length) => length !== middle) };
}
