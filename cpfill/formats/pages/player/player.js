// A puzzle to solve: the grid, its clues, checks and a clock. This file and player.css are all that it needs.

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
 * @property {readonly (readonly [number, number])[]} bars  Pairs of neighbouring cells.
 * @property {Entry[]} slots
 * @property {string} heading
 * @property {Record<string, string>} texts  What buttons and headings say.
 */

/** @type {Record<Direction, Direction>} */
const TURNED = { Across: "Down", Down: "Across" };
/** @type {Record<string, [Direction, number]>} */
const ARROWS = { ArrowLeft: ["Across", -1], ArrowRight: ["Across", 1], ArrowUp: ["Down", -1], ArrowDown: ["Down", 1] };

/** Have a puzzle solved in an element, from its beginning. @param {HTMLElement} root @param {Play} puzzle */
export function play(root, puzzle) {
  const { width, cells, slots, texts } = puzzle,
    givens = new Set(puzzle.givens);
  const letters = cells.map((answer, at) => (givens.has(at) && answer) || ""),
    marks = cells.map(() => "");
  let cursor = slots[0]?.cells[0] ?? cells.findIndex((answer) => answer !== null),
    direction = slots[0]?.direction ?? "Across",
    appending = false,
    leaving = false, // after Escape, Tab leaves the grid from wherever it is
    seconds = 0,
    running = false,
    solved = false;

  const signs = new Set(cells.join(""));
  /**
   * Return a letter as the answers have it: a capital, and without its accent unless they have that.
   * @param {string} letter
   */
  const plain = (letter) => {
    const capital = letter.toUpperCase();
    return signs.has(capital) ? capital : capital.normalize("NFD")[0];
  };
  /** @param {number} cell @param {Direction} way */
  const slotAt = (cell, way) => slots.find((slot) => slot.direction === way && slot.cells.includes(cell));
  const current = () => slotAt(cursor, direction) ?? slotAt(cursor, TURNED[direction]);
  const numbers = new Map(slots.map((slot) => [slot.cells[0], slot.number]));
  const barred = new Set(puzzle.bars.map(([low, high]) => `${low} ${high}`));

  // What is typed goes to a field that nobody sees: keyboards on glass write to nothing else.
  const field = element("input", "field", { type: "text", autocapitalize: "characters", autocomplete: "off" });
  const grid = element("div", "grid", { "aria-hidden": "true" });
  const bar = element("p", "bar", { "aria-live": "polite" });
  const clock = element("span", "clock");
  const told = element("p", "told", { role: "status" });
  const lists = element("div", "lists");
  const shown = cells.map((answer, at) => {
    const cell = element("div", answer === null ? "block" : "cell", { "data-cell": String(at) }),
      letter = element("span", "letter");
    if (answer !== null) cell.append(element("span", "number", {}, String(numbers.get(at) ?? "")), letter);
    if (puzzle.shades[at]) cell.style.setProperty("--shade", puzzle.shades[at]);
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
      button.append(element("b", "", {}, String(slot.number)), ` ${slot.clue}`);
      button.addEventListener("click", () => go(slot.cells.find((cell) => !letters[cell]) ?? slot.cells[0], way));
      clues.set(slot, button);
      list.append(element("li", "", {}, button));
    }
    lists.append(element("section", "", {}, element("h2", "", {}, texts[way]), list));
  }

  const word = () => current()?.cells ?? [cursor],
    all = () => [...cells.keys()].filter((cell) => cells[cell] !== null);
  const scopes = { letter: () => [cursor], word, all };
  const tools = element("div", "tools", {}, clock);
  const whole = all().every((cell) => cells[cell]); // else there is nothing to check against
  for (const [what, act] of Object.entries({ check, reveal })) {
    const group = element("span", "group", { role: "group", "aria-label": texts[what] }, texts[what]);
    for (const [scope, list] of Object.entries(scopes)) {
      const button = element("button", "", { type: "button", "data-do": `${what}-${scope}` }, texts[scope]);
      button.addEventListener("click", () => {
        act(list());
        field.focus();
      });
      group.append(button);
    }
    if (whole) tools.append(group);
  }

  root.classList.add("player");
  root.replaceChildren(
    ...(puzzle.heading ? [element("h1", "", {}, puzzle.heading)] : []),
    tools,
    told,
    element("div", "table", {}, element("div", "board", {}, bar, grid, field), lists),
  );

  /** @param {number} cell */
  const right = (cell) => {
    const answer = cells[cell] ?? "";
    return letters[cell] === answer || (answer.length > 1 && letters[cell] === answer[0]);
  };

  /** Mark the letters that are wrong. @param {readonly number[]} list */
  function check(list) {
    const wrong = list.filter((cell) => letters[cell] && !right(cell));
    for (const cell of wrong) marks[cell] = "wrong";
    told.textContent = texts.wrong.replace("{count}", String(wrong.length));
    draw();
  }

  /** @param {readonly number[]} list */
  function reveal(list) {
    for (const cell of list.filter((each) => !right(each))) {
      letters[cell] = cells[cell] ?? "";
      marks[cell] = "revealed";
    }
    settle();
  }

  /** Say so, once, if all is right. */
  function settle() {
    if (whole && !solved && all().every(right)) {
      solved = true;
      running = false;
      told.textContent = texts.solved.replace("{time}", tellTime());
    }
    draw();
  }

  /** Write a letter; `appending` adds it to those of the cell. @param {string} letter */
  function write(letter) {
    const more = appending && letter !== "";
    appending = false;
    running ||= !solved;
    if (!givens.has(cursor) && marks[cursor] !== "revealed") {
      letters[cursor] = more ? letters[cursor] + letter : letter;
      marks[cursor] = "";
    }
    if (letter && !more) walk(1);
    settle();
  }

  /** Go on within the word. @param {number} by */
  function walk(by) {
    const list = word(),
      next = list[list.indexOf(cursor) + by];
    if (next !== undefined) cursor = next;
  }

  /** @param {number} cell @param {Direction} [way] */
  function go(cell, way = direction) {
    cursor = cell;
    direction = slotAt(cell, way) ? way : TURNED[way];
    draw();
    field.focus({ preventScroll: true });
  }

  /** Return the place of the current word among all, or -1. */
  const place = () => slots.findIndex((slot) => slot === current());

  /** @param {number} by */
  function goToSlot(by) {
    const next = slots[(place() + by + slots.length) % slots.length];
    go(next.cells.find((cell) => !letters[cell]) ?? next.cells[0], next.direction);
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
    else if (event.key === "Tab" || event.key === "Enter") {
      const by = event.shiftKey ? -1 : 1;
      if (event.key === "Tab" && (escaped || !slots[place() + by])) return; // the focus leaves the grid
      goToSlot(by);
    } else if (event.key === "+") appending = true;
    else if (event.key === " ") go(cursor, TURNED[direction]);
    else if (event.key === "Backspace") {
      if (!letters[cursor] || givens.has(cursor)) walk(-1);
      write("");
    } else if (event.key === "Delete") write("");
    else if (/^\p{L}$/u.test(event.key)) write(plain(event.key));
    else return;
    event.preventDefault();
  });
  field.addEventListener("input", () => {
    for (const letter of field.value) if (/\p{L}/u.test(letter)) write(plain(letter));
    field.value = "";
  });
  grid.addEventListener("click", (event) => {
    const cell = shown.findIndex((each) => event.target instanceof Node && each.cell.contains(event.target));
    if (cell < 0 || cells[cell] === null) return;
    go(cell, cell === cursor && document.activeElement === field ? TURNED[direction] : direction);
  });
  grid.addEventListener("mousedown", (event) => event.preventDefault()); // which would take the focus from the field

  const tellTime = () => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const ticking = setInterval(() => {
    if (!root.isConnected) return clearInterval(ticking);
    if (!running || document.hidden) return;
    seconds++;
    clock.textContent = tellTime();
  }, 1000);

  function draw() {
    const slot = current(),
      inWord = new Set(slot?.cells);
    for (const [at, { cell, letter }] of shown.entries()) {
      if (cells[at] === null) continue;
      letter.textContent = letters[at];
      cell.classList.toggle("in-word", inWord.has(at));
      cell.classList.toggle("cursor", at === cursor);
      cell.classList.toggle("long", letters[at].length > 1);
      for (const mark of ["wrong", "revealed"]) cell.classList.toggle(mark, marks[at] === mark);
    }
    for (const [each, button] of clues) {
      button.classList.toggle("current", each === slot);
      button.classList.toggle(
        "done",
        each.cells.every((cell) => letters[cell]),
      );
    }
    if (slot) clues.get(slot)?.scrollIntoView({ block: "nearest" });
    bar.textContent = slot ? `${slot.number} ${texts[slot.direction]}: ${slot.clue}` : "";
    field.setAttribute("aria-label", `${bar.textContent}, ${letters[cursor] || texts.empty}`);
    clock.textContent = tellTime();
  }

  draw();
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
