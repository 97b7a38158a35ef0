// A puzzle to solve: the grid, its clues, checks and a clock. This file and player.css are all that it needs.
// The browser keeps the letters and the clock, by puzzle.

/**
 * @typedef {"Across" | "Down"} Direction
 * @typedef {{number: number, direction: Direction, cells: readonly number[], clue: string}} Entry
 *
 * @typedef {object} Play
 * @property {number} height
 * @property {number} width
 * @property {readonly (string | null)[]} cells  The answers, row by row; null is a block.
 * @property {readonly number[]} givens  Cells whose letters stand there from the start.
 * @property {readonly number[]} circles
 * @property {Readonly<Record<string, string>>} shades  Colours by cell.
 * @property {Readonly<Record<string, string>>} labels  What cells show in place of all numbers; empty if they show those.
 * @property {Readonly<Record<string, readonly string[]>>} [alternatives]  Other letters that are right, by cell.
 * @property {readonly (readonly [number, number])[]} bars  Pairs of neighbouring cells.
 * @property {readonly number[]} [voids]  Blocks that are not drawn.
 * @property {Entry[]} slots
 * @property {readonly string[]} [bank]  Words that are listed beside the clues.
 * @property {string} heading
 * @property {Record<string, string>} texts  What buttons and headings say.
 *
 * @typedef {{letters?: unknown[], marks?: unknown[], seconds?: unknown}} Work  What was done; storage may say anything.
 * @typedef {{begun: boolean, solved: boolean, helped: boolean, seconds: number}} Progress  How far the solver has come.
 */

/** @type {Record<Direction, Direction>} */
const TURNED = { Across: "Down", Down: "Across" };
/** @type {Record<string, [Direction, number]>} */
const ARROWS = { ArrowLeft: ["Across", -1], ArrowRight: ["Across", 1], ArrowUp: ["Down", -1], ArrowDown: ["Down", 1] };
const MARKS = ["wrong", "revealed"];
/** What takes keys of its own. */
const TAKES_KEYS = "input, textarea, select, dialog, [contenteditable]";
/** Where choices are kept that hold for each puzzle. */
const CHOICES = "cpfill player";

/**
 * Have a puzzle solved in an element, from where its solver left it. `heed` hears of the progress, at the start and after
 * each change. Returns what puts the focus into the grid, and what ends all that goes on.
 * @param {HTMLElement} root @param {Play} puzzle @param {(progress: Progress) => void} [heed]
 */
export function play(root, puzzle, heed) {
  const { width, cells, alternatives = {}, slots, texts } = puzzle,
    givens = new Set(puzzle.givens),
    key = `cpfill solving ${fingerprint(puzzle)}`;
  const letters = cells.map((answer, at) => (givens.has(at) && answer) || ""),
    marks = cells.map(() => "");
  let cursor = slots[0]?.cells[0] ?? cells.findIndex((answer) => answer !== null),
    direction = slots[0]?.direction ?? "Across",
    appending = false, // letters are added to those of the cell, until the cursor leaves it
    came = /** @type {[number, Direction] | null} */ (null), // from where the end of a word led here
    cleared = /** @type {Work | null} */ (null), // what was done before it was begun anew
    fresh = true, // the cursor stands where nobody put it: a click there does not turn it
    leaving = false, // after Escape, Tab leaves the grid from wherever it is
    seconds = 0,
    running = false,
    paused = false, // the clock stands, and letters and clues are covered
    solved = false;

  const signs = new Set(cells.join(""));
  /**
   * Return a typed sign as the answers have it: a capital, and without its accent unless they have that; "" if it writes
   * nothing. Letters and digits write in any puzzle, or what is refused would tell of the answers.
   * @param {string} sign
   */
  const signOf = (sign) => {
    if ([...sign].length !== 1) return ""; // the name of a key
    const capital = sign.toUpperCase(),
      plain = [...capital.normalize("NFD")][0];
    return [sign, capital].find((each) => signs.has(each)) ?? (/[\p{L}\p{N}]/u.test(plain) ? plain : "");
  };
  /** @param {number} cell @param {Direction} way */
  const slotAt = (cell, way) => slots.find((slot) => slot.direction === way && slot.cells.includes(cell));
  const current = () => slotAt(cursor, direction) ?? slotAt(cursor, TURNED[direction]);
  const numbers = new Map(slots.map((slot) => [slot.cells[0], slot.number]));
  const labelled = Object.keys(puzzle.labels).length > 0;
  /** Return what stands in the corner of a cell. @param {number} cell */
  const caption = (cell) => (labelled ? puzzle.labels[cell] : numbers.get(cell)) ?? "";
  const barred = new Set(puzzle.bars.map(([low, high]) => `${low} ${high}`));

  // What is typed goes to a field that nobody sees: keyboards on glass write to nothing else.
  const field = element("input", "field", { type: "text", autocapitalize: "characters", autocomplete: "off" });
  const grid = element("div", "grid", { "aria-hidden": "true" });
  const bar = element("p", "bar", { "aria-live": "polite" });
  const clock = element("span", "clock");
  const told = element("p", "told", { role: "status" });
  const unkept = element("p", "unkept", { role: "status" });
  const lists = element("div", "lists");
  const shown = cells.map((answer, at) => {
    const cell = element("div", answer === null ? "block" : "cell", { "data-cell": String(at) }),
      letter = element("span", "letter");
    if (puzzle.voids?.includes(at)) cell.classList.add("void");
    if (answer !== null) cell.append(element("span", "number", {}, String(caption(at))), letter);
    if (puzzle.shades[at]) {
      cell.classList.add("shaded");
      cell.style.setProperty("--shade", puzzle.shades[at]);
    }
    if (puzzle.circles.includes(at)) cell.classList.add("circled");
    if (barred.has(`${at} ${at + 1}`)) cell.classList.add("bar-right");
    if (barred.has(`${at} ${at + width}`)) cell.classList.add("bar-below");
    return { cell, letter };
  });
  grid.append(...shown.map(({ cell }) => cell));
  grid.style.setProperty("--columns", String(width));
  grid.style.setProperty("--rows", String(puzzle.height));

  /** @type {Map<Entry, HTMLElement>} */
  const clues = new Map();
  for (const way of /** @type {Direction[]} */ (["Across", "Down"])) {
    const list = element("ol", "clues");
    for (const slot of slots.filter((each) => each.direction === way)) {
      const button = element("button", "clue", { type: "button" });
      button.append(element("b", "", {}, String(caption(slot.cells[0]))), ` ${slot.clue}`);
      button.addEventListener("click", () => go(firstOf(slot), way));
      clues.set(slot, button);
      list.append(element("li", "", {}, button));
    }
    lists.append(element("section", "", {}, element("h2", "", {}, texts[way]), list));
  }

  const bank = (puzzle.bank ?? []).map((each) => element("li", "", {}, each));
  if (bank.length) {
    const list = element("ul", "", {}, ...bank);
    lists.prepend(element("section", "bank", {}, element("h2", "", {}, texts.bank), list));
  }

  const word = () => current()?.cells ?? [cursor],
    all = () => [...cells.keys()].filter((cell) => cells[cell] !== null);
  const scopes = { letter: () => [cursor], word, all };
  const tools = element("div", "tools", {}, clock);
  const whole = all().every((cell) => cells[cell]); // else there is nothing to check against
  /** @param {string} name @param {string} text @param {() => void} act */
  const makeButton = (name, text, act) => {
    const button = element("button", "", { type: "button", "data-do": name }, text);
    button.addEventListener("click", () => {
      act();
      focus();
    });
    return button;
  };
  for (const [what, act] of Object.entries({ check, reveal })) {
    const group = element("span", "group", { role: "group", "aria-label": texts[what] }, texts[what]);
    for (const [scope, list] of Object.entries(scopes))
      group.append(makeButton(`${what}-${scope}`, texts[scope], () => act(list())));
    if (whole) tools.append(group);
  }
  const rebus = makeButton("rebus", texts.rebus, () => append(!appending));
  const again = makeButton("again", texts.again, startAgain);
  const pausing = makeButton("pause", texts.pause, () => pause(!paused));
  clock.after(pausing);
  const skip = element("input", "", { type: "checkbox", "data-do": "skip" });
  skip.checked = recall(CHOICES)?.skip === true;
  skip.addEventListener("change", () => {
    keep(CHOICES, { skip: skip.checked });
    focus();
  });
  const more = element("div", "tools", {}, rebus, again, element("label", "", {}, skip, ` ${texts.skip}`));

  root.classList.add("player");
  root.replaceChildren(
    ...(puzzle.heading ? [element("h1", "", {}, puzzle.heading)] : []),
    tools,
    told,
    unkept,
    element("div", "table", {}, element("div", "board", {}, bar, grid, field, more), lists),
  );

  /** @param {number} cell */
  const right = (cell) => {
    const answers = [cells[cell] ?? "", ...(alternatives[cell] ?? [])];
    return answers.some((answer) => letters[cell] === answer || (answer.length > 1 && letters[cell] === answer[0]));
  };

  /** @param {number} cell */
  const isFixed = (cell) => givens.has(cell) || marks[cell] === "revealed";
  /** @param {number} cell */
  const isEmpty = (cell) => !letters[cell];

  /** Mark the letters that are wrong. @param {readonly number[]} list */
  function check(list) {
    const wrong = list.filter((cell) => letters[cell] && !right(cell));
    for (const cell of wrong) marks[cell] = "wrong";
    told.textContent = texts.wrong.replace("{count}", String(wrong.length));
    keepWork();
    draw();
  }

  /** @param {readonly number[]} list */
  function reveal(list) {
    cleared = null;
    for (const cell of list) {
      if (alternatives[cell]?.includes(letters[cell])) continue;
      if (!right(cell)) marks[cell] = "revealed";
      letters[cell] = cells[cell] ?? "";
    }
    settle(texts.shown);
  }

  /** Keep what was done, and say, once, that all is right. @param {string} [said] */
  function settle(said) {
    if (whole && !solved && all().every(right)) {
      solved = true;
      running = false;
      const count = marks.filter((mark) => mark === "revealed").length;
      const text = said ?? (count ? texts.helped : texts.solved);
      told.textContent = text.replace("{time}", tellTime(seconds)).replace("{count}", String(count));
    } else if (whole && !solved && !all().some(isEmpty)) told.textContent = texts.amiss;
    keepWork();
    draw();
  }

  /** Have the clock stand still, or go on. @param {boolean} on */
  function pause(on) {
    paused = on;
    draw();
  }

  /** Have letters stand in the cell, or none. @param {string} text */
  function write(text) {
    if (paused) return pause(false); // a hand that writes blindly changes nothing
    const wasEmpty = isEmpty(cursor);
    fresh = false;
    came = null;
    cleared = null;
    running ||= !solved;
    told.textContent = "";
    if (!isFixed(cursor)) {
      letters[cursor] = text;
      marks[cursor] = "";
    }
    if (text && !appending) goOn(skip.checked && wasEmpty);
    settle();
  }

  /** Take the last letter out, or go back to the one before. */
  function erase() {
    if (appending && !isFixed(cursor)) return write([...letters[cursor]].slice(0, -1).join(""));
    if (isEmpty(cursor) || isFixed(cursor)) {
      if (came) stand(...came);
      else walk(-1);
    }
    write("");
  }

  /** Have letters added to those of the cell, or no longer. @param {boolean} on */
  function append(on) {
    appending = on;
    draw();
  }

  /** Take out all letters; or bring them back, as long as nothing else was written. */
  function startAgain() {
    const before = cleared;
    cleared = before ? null : { letters: [...letters], marks: [...marks], seconds };
    told.textContent = "";
    take(before ?? {});
    keepWork();
    draw();
  }

  /** Have what was done stand in the grid. @param {Work} work */
  function take(work) {
    for (const cell of all().filter((each) => !givens.has(each))) {
      const letter = work.letters?.[cell],
        mark = work.marks?.[cell];
      letters[cell] = typeof letter === "string" ? letter : "";
      marks[cell] = letter && typeof mark === "string" && MARKS.includes(mark) ? mark : "";
    }
    seconds = Number.isSafeInteger(work.seconds) ? Math.max(0, Number(work.seconds)) : 0;
    solved = whole && all().every(right);
    running = seconds > 0 && !solved;
    tellProgress();
  }

  /** Have the browser keep what was done, or say that it does not. */
  function keepWork() {
    unkept.textContent = keep(key, { letters, marks, seconds }) ? "" : texts.unkept;
    tellProgress();
  }

  function tellProgress() {
    const begun = all().some((cell) => letters[cell] && !givens.has(cell));
    heed?.({ begun, solved, helped: marks.includes("revealed"), seconds });
  }

  /** Put the cursor somewhere. @param {number} cell @param {Direction} [way] */
  function stand(cell, way = direction) {
    cursor = cell;
    direction = way;
    appending = false;
    came = null;
  }

  /** Go on within the word. @param {number} by */
  function walk(by) {
    const list = word(),
      next = list[list.indexOf(cursor) + by];
    if (next !== undefined) stand(next);
  }

  /** Go to the next cell of the word; from its end, to the next word that is not full. @param {boolean} skipping */
  function goOn(skipping) {
    const list = word(),
      rest = list.slice(list.indexOf(cursor) + 1),
      next = skipping ? [...rest, ...list].find(isEmpty) : rest[0];
    if (next !== undefined) return stand(next);
    const from = place() + 1,
      slot = [...slots.slice(from), ...slots.slice(0, from)].find((each) => each.cells.some(isEmpty)),
      end = /** @type {[number, Direction]} */ ([cursor, direction]);
    if (slot) stand(firstOf(slot), slot.direction);
    if (slot) came = end;
  }

  /** Return where a word is gone on with. @param {Entry} slot */
  const firstOf = ({ cells: list }) => list.find(isEmpty) ?? list[0];

  /** @param {number} cell @param {Direction} [way] */
  function go(cell, way = direction) {
    fresh = false;
    stand(cell, slotAt(cell, way) ? way : TURNED[way]);
    draw();
    focus();
  }

  const focus = () => field.focus({ preventScroll: true });

  /** Return the place of the current word among all, or -1. */
  const place = () => slots.findIndex((slot) => slot === current());

  /** @param {number} by */
  function goToSlot(by) {
    const next = slots[(place() + by + slots.length) % slots.length];
    go(firstOf(next), next.direction);
  }

  /** Turn first, move then. @param {[Direction, number]} arrow */
  function move([way, by]) {
    if (way !== direction && slotAt(cursor, way)) return go(cursor, way);
    const step = way === "Across" ? by : by * width;
    for (let cell = cursor + step; cell >= 0 && cell < cells.length; cell += step) {
      if (way === "Across" && Math.floor(cell / width) !== Math.floor(cursor / width)) return;
      if (cells[cell] !== null) return go(cell, way);
    }
  }

  field.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const escaped = leaving;
    if (event.key !== "Shift") leaving = event.key === "Escape";
    if (ARROWS[event.key]) move(ARROWS[event.key]);
    else if (event.key === "Enter" && appending) {
      goOn(false);
      draw();
    } else if (event.key === "Tab" || event.key === "Enter") {
      const by = event.shiftKey ? -1 : 1;
      if (event.key === "Tab" && (escaped || !slots[place() + by])) return; // the focus leaves the grid
      goToSlot(by);
    } else if (event.key === "Insert") append(!appending);
    else if (event.key === " ") go(cursor, TURNED[direction]);
    else if (event.key === "Backspace") erase();
    else if (event.key === "Delete") write("");
    else if (!hear(event.key)) return;
    event.preventDefault();
  });
  field.addEventListener("input", () => {
    for (const sign of field.value) hear(sign);
    field.value = "";
  });

  /** Hear a sign that was typed. Returns whether it does something. @param {string} sign */
  function hear(sign) {
    const letter = signOf(sign);
    if (letter) write(appending ? letters[cursor] + letter : letter);
    else if (sign === "+") append(true);
    return letter !== "" || sign === "+";
  }

  grid.addEventListener("click", (event) => {
    const cell = shown.findIndex((each) => event.target instanceof Node && each.cell.contains(event.target));
    if (cell < 0 || cells[cell] === null) return;
    const again = cell === cursor && document.activeElement === field && !fresh;
    go(cell, again ? TURNED[direction] : direction);
  });
  grid.addEventListener("mousedown", (event) => event.preventDefault()); // which would take the focus from the field

  const ticking = setInterval(() => {
    if (!running || paused || document.hidden) return;
    seconds++;
    clock.textContent = tellTime(seconds);
    keepWork();
  }, 1000);
  const going = new AbortController(),
    { signal } = going;
  document.addEventListener(
    "keydown",
    (event) => {
      const elsewhere = event.target instanceof Element && event.target.closest(TAKES_KEYS);
      if (elsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
      if (signOf(event.key)) focus(); // which has the field hear it
    },
    { signal },
  );
  addEventListener(
    "storage",
    (event) => {
      if (event.key !== key) return;
      take(recall(key) ?? {}); // another tab has the same puzzle
      draw();
    },
    { signal },
  );
  const leave = () => {
    clearInterval(ticking);
    going.abort();
  };

  function draw() {
    const slot = current(),
      inWord = new Set(slot?.cells);
    for (const [at, { cell, letter }] of shown.entries()) {
      if (cells[at] === null) continue;
      letter.textContent = letters[at];
      cell.classList.toggle("in-word", inWord.has(at));
      cell.classList.toggle("cursor", at === cursor);
      cell.classList.toggle("long", letters[at].length > 1);
      for (const mark of MARKS) cell.classList.toggle(mark, marks[at] === mark);
    }
    for (const [each, button] of clues) {
      button.classList.toggle("current", each === slot);
      button.classList.toggle(
        "done",
        each.cells.every((cell) => letters[cell]),
      );
    }
    const written = slots.map((each) => each.cells.map((cell) => letters[cell]).join(""));
    for (const each of bank) each.classList.toggle("used", written.includes(each.textContent ?? ""));
    if (slot) keepInSight(clues.get(slot));
    bar.textContent = slot ? `${caption(slot.cells[0])} ${texts[slot.direction]}: ${slot.clue}` : "";
    field.setAttribute("aria-label", `${bar.textContent}, ${letters[cursor] || texts.empty}`);
    clock.textContent = tellTime(seconds);
    if (!running) paused = false;
    root.classList.toggle("paused", paused);
    pausing.hidden = !running;
    pausing.textContent = paused ? texts.resume : texts.pause;
    rebus.setAttribute("aria-pressed", String(appending));
    again.textContent = cleared ? texts.back : texts.again;
  }

  take(recall(key) ?? {});
  draw();
  return { focus, leave };
}

/**
 * Return a name of a puzzle that others do not have. Where its clues alone are edited it stays the same; where answers
 * are missing, the clues tell it apart.
 * @param {Play} puzzle
 */
function fingerprint({ width, cells, givens, bars, slots, heading }) {
  const whole = cells.every((answer) => answer !== ""),
    said = JSON.stringify([width, cells, givens, bars, heading, whole ? [] : slots.map(({ clue }) => clue)]);
  let hash = 0xcbf29ce484222325n; // FNV-1a of 64 bits
  for (const sign of said) hash = BigInt.asUintN(64, (hash ^ BigInt(sign.codePointAt(0) ?? 0)) * 0x100000001b3n);
  return hash.toString(36);
}

/** @param {number} seconds */
export const tellTime = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** Return what the browser keeps under a name; one that keeps nothing may refuse to say so. @param {string} name */
export function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/** Have the browser keep something. Returns whether it does. @param {string} name @param {object} what */
export function keep(name, what) {
  try {
    localStorage.setItem(name, JSON.stringify(what));
    return true;
  } catch {
    return false;
  }
}

/** Scroll a clue into sight within its list; the page itself stays where it is. @param {HTMLElement | undefined} clue */
function keepInSight(clue) {
  const list = clue?.closest(".clues");
  if (!clue || !list) return;
  const [inner, outer] = [clue.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop += inner.top - outer.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}

/**
 * @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {string} name
 * @param {Record<string, string>} [attributes] @param {(Node | string)[]} children
 */
function element(tag, name, attributes = {}, ...children) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
