import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { play } from "../../../cpfill/formats/pages/player/player.js";
import { click, find, keepOnly, openPage, press, textsOf, type } from "./hand.mjs";

const TEXTS = {
  Across: "Across",
  Down: "Down",
  again: "Start over",
  amiss: "A letter is wrong",
  back: "Bring back",
  pause: "Pause",
  resume: "Go on",
  helped: "Solved in {time}; letters revealed: {count}",
  shown: "The grid is full; letters revealed: {count}",
  solved: "Solved in {time}",
  unkept: "This browser does not keep your letters",
  wrong: "Wrong letters: {count}",
};
const HOSTILE = "<img src=x onerror=document.title='gone'>";
/** Three rows: TEA, O#R, and STAR-O-M, the first cell of which holds four letters. */
const MINI = {
  height: 3,
  width: 3,
  cells: ["T", "E", "A", "O", null, "R", "STAR", "O", "M"],
  givens: [],
  circles: [0],
  shades: {},
  labels: {},
  bars: [],
  slots: [
    { number: 1, direction: "Across", cells: [0, 1, 2], clue: HOSTILE },
    { number: 3, direction: "Across", cells: [6, 7, 8], clue: "" },
    { number: 1, direction: "Down", cells: [0, 3, 6], clue: "Throws" },
    { number: 2, direction: "Down", cells: [2, 5, 8], clue: "" },
  ],
  heading: `Mini ${HOSTILE}`,
  texts: TEXTS,
};
/** The keys that solve it: TEA and S-O-M across, where S stands for STAR; O and S down; R, which is left. */
const SOLVING = "teasomosr";
const SOLVED = ["T", "E", "A", "O", "R", "S", "O", "M"];

let player = /** @type {ReturnType<typeof play> | null} */ (null);

/** Open the page of a puzzle; what the browser keeps stays. @param {object} puzzle */
function solve(puzzle = MINI) {
  player?.leave();
  openPage();
  document.body.innerHTML = '<main id="root"></main>';
  player = play(find("#root"), /** @type {Parameters<typeof play>[1]} */ (puzzle));
  player.focus();
}

/** Return the letters in sight, row by row: a dot where there is none. */
const letters = () =>
  textsOf(".letter")
    .map((letter) => letter || ".")
    .join("");
const told = () => find(".told").textContent;

beforeEach(() => {
  mock.timers.enable({ apis: ["setInterval"] });
  openPage();
  keepOnly({});
  solve();
});
afterEach(() => {
  player?.leave();
  player = null;
  mock.timers.reset();
});

test("keys alone solve it, from word to word", () => {
  type(SOLVING);
  assert.equal(told(), "Solved in 0:00");
  assert.deepEqual(textsOf(".letter"), SOLVED);
});

test("an arrow turns first, then moves, also over a block", () => {
  click("[data-cell='2']");
  press("ArrowDown");
  press("ArrowDown");
  type("r");
  assert.equal(letters(), "....R...");
  click("[data-cell='3']");
  assert.ok(find(".bar").textContent.startsWith("1 Down"));
  press("ArrowRight");
  type("x");
  assert.equal(letters(), "....X...");
});

test("a click on the cursor turns it, but not the first click", () => {
  click("[data-cell='0']");
  type("te");
  click("[data-cell='0']");
  click("[data-cell='0']");
  type("xy");
  assert.equal(letters(), "XE.Y....");
});

test("filled cells are skipped if asked, also at the next visit", () => {
  click("[data-do='skip']");
  type("teasomor");
  assert.equal(told(), "Solved in 0:00");
  solve();
  assert.equal(/** @type {HTMLInputElement} */ (find("[data-do='skip']")).checked, true);
});

test("keys write wherever the focus is lost", () => {
  type("t");
  click("h1");
  assert.notEqual(document.activeElement?.className, "field");
  type("ea");
  assert.equal(letters(), "TEA.....");
});

test("Backspace goes back over the end of a word", () => {
  type("tex");
  press("Backspace");
  assert.equal(letters(), "TE......");
  type("a");
  assert.equal(letters(), "TEA.....");
});

test("a reload loses neither letters nor marks nor time", () => {
  type("tex");
  mock.timers.tick(65_000);
  click("[data-do='check-all']");
  click("[data-cell='5']");
  click("[data-do='reveal-letter']");
  for (let visit = 0; visit < 2; visit++) {
    solve();
    assert.equal(letters(), "TEX.R...");
    assert.deepEqual([textsOf(".wrong .letter"), textsOf(".revealed .letter")], [["X"], ["R"]]);
    assert.equal(find(".clock").textContent, "1:05");
  }
});

test("a revealed letter stays", () => {
  click("[data-do='reveal-letter']");
  type("x");
  click("[data-cell='0']");
  press("Delete");
  assert.equal(letters(), "T.......");
});

test("a start over is taken back until something is written", () => {
  type("te");
  click("[data-do='again']");
  assert.equal(letters(), "........");
  click("[data-do='again']");
  assert.equal(letters(), "TE......");
  click("[data-do='again']");
  solve();
  assert.equal(letters(), "........");
  type("t");
  assert.equal(find("[data-do='again']").textContent, "Start over");
});

test("a cell takes several letters after a plus or a press", () => {
  click("[data-cell='6']");
  type("s");
  click("[data-cell='6']");
  type("+t+a+r");
  press("Backspace");
  press("Enter");
  type("o");
  click("[data-do='rebus']");
  type("mx");
  assert.deepEqual(textsOf(".letter").slice(5), ["STA", "O", "MX"]);
});

test("Tab goes from word to word, and leaves after the last", () => {
  let presses = 0;
  while (!press("Tab")) presses += 1;
  assert.equal(presses, MINI.slots.length - 1);
});

test("Tab after Escape leaves the grid from anywhere", () => {
  press("Escape");
  assert.equal(press("Tab"), true);
});

test("letters are checked and revealed", () => {
  type("toa");
  click("[data-cell='1']");
  click("[data-do='check-word']");
  assert.equal(told(), "Wrong letters: 1");
  assert.deepEqual(textsOf(".wrong .letter"), ["O"]);
  click("[data-do='reveal-word']");
  assert.equal(letters(), "TEA.....");
  click("[data-do='reveal-all']");
  assert.equal(letters(), "TEAORSTAROM");
  assert.equal(told(), "The grid is full; letters revealed: 6");
});

test("each letter of a cell is right, and stays if the answer is revealed", () => {
  solve({ ...MINI, alternatives: { 0: ["S"], 6: ["P"] } });
  type("seap");
  find("[data-do='check-all']").click();
  assert.equal(told(), "Wrong letters: 0");
  find("[data-do='reveal-all']").click();
  assert.equal(letters(), "SEAORPOM");
});

test("revealed letters are counted where it is solved", () => {
  click("[data-do='reveal-letter']");
  type(SOLVING);
  assert.equal(told(), "Solved in 0:00; letters revealed: 1");
});

test("a clue leads to its word, and texts are but texts", () => {
  assert.ok(find(".clue").textContent.includes(HOSTILE));
  assert.equal(document.querySelector("img"), null);
  click("section:nth-of-type(2) .clue");
  type("xy");
  assert.equal(letters(), "X..Y....");
});

test("digits, signs and accents of answers are typed", () => {
  const cells = ["R", "2", "D", "2", null, "C", "+", "+", "&", "É"],
    slots = [0, 5].map((start) => ({
      number: start + 1,
      direction: "Across",
      cells: cells.flatMap((_, at) => (at >= start && at < start + (start ? 5 : 4) ? at : [])),
      clue: "",
    }));
  solve({ ...MINI, height: 2, width: 5, cells, slots, circles: [] });
  type("r2d2c++&é");
  assert.equal(told(), "Solved in 0:00");
});

test("letters belong to a puzzle, and stay where a clue is mended", () => {
  const blank = { ...MINI, cells: MINI.cells.map((cell) => cell && "") },
    [first, ...rest] = MINI.slots,
    others = [
      MINI,
      { ...MINI, cells: ["S", ...MINI.cells.slice(1)] },
      { ...MINI, heading: "The same answers" },
      blank,
      { ...blank, slots: [{ ...first, clue: "Another" }, ...rest] },
    ];
  for (const [at, puzzle] of others.entries()) {
    solve(puzzle);
    assert.equal(letters(), "........");
    type("abcde"[at]);
  }
  for (const [at, puzzle] of others.entries()) {
    solve(puzzle);
    assert.equal(letters(), `${"ABCDE"[at]}.......`);
  }
  solve({ ...MINI, slots: [{ ...first, clue: "Mended" }, ...rest] });
  assert.equal(letters(), "A.......");
});

test("a full grid with a wrong letter says so", () => {
  type("xeasomosr");
  assert.equal(told(), TEXTS.amiss);
  click("[data-cell='0']");
  type("t");
  assert.equal(told(), "Solved in 0:00");
});

test("a pause covers the grid until the next key", () => {
  assert.ok(find("[data-do='pause']").hidden);
  type("t");
  mock.timers.tick(2000);
  click("[data-do='pause']");
  mock.timers.tick(60_000);
  assert.equal(find(".clock").textContent, "0:02");
  assert.ok(find("#root").classList.contains("paused"));
  type("x");
  assert.equal(letters(), "T.......");
  assert.ok(!find("#root").classList.contains("paused"));
  mock.timers.tick(1000);
  assert.equal(find(".clock").textContent, "0:03");
});

test("the page around it hears of the progress", () => {
  /** @type {unknown[]} */
  const heard = [];
  player?.leave();
  document.body.innerHTML = '<main id="root"></main>';
  player = play(find("#root"), /** @type {Parameters<typeof play>[1]} */ (MINI), (progress) => heard.push(progress));
  player.focus();
  assert.deepEqual(heard, [{ begun: false, solved: false, helped: false, seconds: 0 }]);
  type("t");
  assert.deepEqual(heard.at(-1), { begun: true, solved: false, helped: false, seconds: 0 });
  type(SOLVING.slice(1));
  assert.deepEqual(heard.at(-1), { begun: true, solved: true, helped: false, seconds: 0 });
});

test("another tab goes on with the same letters", () => {
  type("te");
  const [[name, text]] = Object.entries({ ...localStorage }),
    work = JSON.parse(String(text));
  work.letters[2] = "A";
  localStorage.setItem(name, JSON.stringify(work));
  dispatchEvent(Object.assign(new Event("storage"), { key: name }));
  assert.equal(letters(), "TEA.....");
});

test("a browser that keeps nothing is no fault", () => {
  const refuse = () => {
    throw new DOMException("", "QuotaExceededError");
  };
  for (const storage of [null, { getItem: () => null, setItem: refuse }, { getItem: refuse, setItem: refuse }]) {
    player?.leave();
    openPage();
    Object.assign(globalThis, { localStorage: storage });
    document.body.innerHTML = '<main id="root"></main>';
    player = play(find("#root"), /** @type {Parameters<typeof play>[1]} */ (MINI));
    player.focus();
    type(SOLVING);
    assert.equal(told(), "Solved in 0:00");
    assert.equal(find(".unkept").textContent, TEXTS.unkept);
  }
});

test("what is kept may be anything", () => {
  type("t");
  const [name] = Object.keys({ ...localStorage });
  const damaged = [
    "{",
    "7",
    "null",
    '{"letters": 7}',
    '{"letters": [7, [], "", null, "XX"], "marks": "!", "seconds": -1e99}',
  ];
  for (const text of damaged) {
    keepOnly({ [name]: text });
    solve();
    click("[data-do='again']");
    type(SOLVING);
    assert.equal(told(), "Solved in 0:00", text);
  }
});

test("a void is no block, and a word of the bank is struck out once it is written", () => {
  solve({ ...MINI, voids: [4], bank: ["ARM", "TEA"] });
  assert.equal(document.querySelectorAll(".block.void").length, 1);
  const used = () => textsOf(".bank .used");
  assert.deepEqual(textsOf(".bank li"), ["ARM", "TEA"]);
  assert.deepEqual(used(), []);
  type("tea");
  assert.deepEqual(used(), ["TEA"]);
});
