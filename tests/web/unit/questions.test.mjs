// What is asked of the server, when, and what becomes of the answers.

import * as assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { asked, last, questions, settle, wait } from "./fake-page.mjs";

const { makePuzzle, setBlocks, setLetters } = await import("../../../cpfill/web/static/model/puzzle.js");
const { edit, open, state, update } = await import("../../../cpfill/web/static/model/store.js");
const { Asked } = await import("../../../cpfill/web/static/ask/asked.js");
const {
  askBest,
  askCandidates,
  autofill,
  best,
  count,
  countLeft,
  judgeWord,
  lettersOf,
  rate,
  request,
  setFilter,
  stopFilling,
} = await import("../../../cpfill/web/static/ask/questions.js");

/** @import { Mode, Path } from "../../../cpfill/web/types.d.ts" */

const SLOTS = { "1-Across": 3, "4-Across": 3, "5-Across": 3, "1-Down": 3, "2-Down": 3, "3-Down": 3 };

/** The words of a slot, and that there is a fill. */
const FILLABLE = { fillable: true, witness: null, left: SLOTS };

/** @param {string} word @param {"yes" | "no" | "open"} verdict */
const judged = (word, verdict) => ({ word, score: 50, verdict, witness: null });

/** @param {Map<number, string>} letters */
const write = (letters) => edit(setLetters(state.puzzle, letters));

/** Return how many questions of a path wait for an answer. @param {Path} path */
const waiting = (path) => asked(path).filter((each) => !each.signal?.aborted).length;

/** Answer the question about the words at the cursor whole. */
async function tellWords() {
  last("candidates").tell({ words: [["CAT", 50]], total: 1 }, FILLABLE, judged("CAT", "yes"), { done: true });
  last("candidates").end();
  await settle();
}

beforeEach(() => {
  questions.length = 0;
  update({ mode: "fill", filter: "", message: "", direction: "Across" });
  open(makePuzzle(3, 3), { name: "one.ipuz" });
});

test("of a puzzle the words at the cursor are asked first, then those that cross it, then the letters of cells", async () => {
  assert.deepEqual(questions.map(({ path }) => path), ["candidates"]); // prettier-ignore
  assert.equal(last("candidates").record.slot, "1-Across");
  await tellWords();
  assert.deepEqual(questions.map(({ path, record }) => [path, record.slot]).at(-1), ["candidates", "1-Down"]);
  await tellWords();
  assert.equal(questions.at(-1)?.path, "letters");
  assert.equal(last("letters").record.cells, null);
});

test("what is known is not asked again", () => {
  askCandidates();
  askCandidates();
  assert.equal(questions.length, 1);
  update({ cursor: 4 });
  askCandidates();
  assert.deepEqual([questions.length, last("candidates").record.slot], [2, "4-Across"]);
});

test("along a slot the words that cross it are asked for alone, also before the answer about its own has ended", async () => {
  const crossed = () => questions.map(({ record }) => record.slot).slice(1);
  update({ cursor: 1 });
  askCandidates();
  assert.deepEqual(crossed(), []);
  last("candidates").tell({ words: [["CAT", 50]], total: 1 }, FILLABLE, judged("CAT", "yes"), { done: true });
  await settle();
  assert.deepEqual(crossed(), ["2-Down"]);
  update({ cursor: 2 });
  askCandidates();
  assert.deepEqual(crossed(), ["2-Down", "3-Down"]);
  assert.equal(state.candidates.verdicts.get("CAT")?.verdict, "yes");
});

test("in a mode without candidates none are asked for", () => {
  questions.length = 0;
  update({ mode: "clues", cursor: 8 });
  askCandidates();
  write(new Map([[0, "A"]]));
  assert.equal(asked("candidates").length, 0);
});

test("the answer is kept as it comes: words, whether there is a fill, verdicts, the end", async () => {
  const stages = [state.candidates.state];
  const question = last("candidates");
  question.tell({ words: [["CAT", 50], ["DOG", 40]], total: 7 }); // prettier-ignore
  await settle();
  stages.push(state.candidates.state);
  assert.deepEqual([state.candidates.words.length, state.candidates.total, state.fillable], [2, 7, "none"]);
  const before = state.candidates.verdicts;
  question.tell({ fillable: null, witness: null, left: SLOTS }, judged("DOG", "no"));
  await settle();
  assert.equal(state.fillable, "open");
  question.tell(judged("CAT", "yes"));
  await settle();
  assert.equal(state.candidates.verdicts.get("DOG")?.verdict, "no");
  assert.equal(before.size, 0, "what was read before is as it was");
  assert.deepEqual([state.fillable, state.left?.words], ["yes", SLOTS]);
  question.tell({ done: true });
  question.end();
  await settle();
  assert.deepEqual([...stages, state.candidates.state], ["asking", "judging", "done"]);
});

test("a key drops the question of the key before, whose answer changes nothing any more", async () => {
  const before = last("candidates");
  write(new Map([[0, "A"]]));
  assert.ok(before.signal?.aborted);
  assert.equal(waiting("candidates"), 1);
  last("candidates").tell({ words: [["ANT", 60]], total: 1 });
  await settle();
  assert.deepEqual(state.candidates.words, [["ANT", 60]]);
});

test("of two questions for one purpose the last one wins, even if a line of the first is there already", async () => {
  /** @type {string[]} */
  const heard = [],
    purpose = new Asked();
  const first = purpose.ask("check", { number: 1 }, () => heard.push("first"));
  const question = last("check");
  question.tell({ valid: true, violations: [] });
  const second = purpose.ask("check", { number: 2 }, () => heard.push("second"));
  last("check").tell({ valid: true, violations: [] });
  last("check").end();
  assert.deepEqual([await first, await second], [false, true]);
  assert.deepEqual(heard, ["second"]);
  assert.equal(state.message, "", "to be dropped is no error");
});

test("a question that was dropped does not hide the one after it: a third drops that", async () => {
  const purpose = new Asked(),
    first = purpose.ask("check", {}, () => {});
  purpose.ask("check", {}, () => {});
  const second = last("check");
  assert.equal(await first, false);
  purpose.ask("check", {}, () => {});
  assert.ok(second.signal?.aborted);
});

test("no line is heard of a question after its end, though it came with the line before", async () => {
  let heard = 0;
  const purpose = new Asked();
  const whole = purpose.ask("check", {}, () => {
    heard++;
    purpose.end();
  });
  last("check").tell({ valid: true, violations: [] }, { done: true });
  assert.deepEqual([await whole, heard], [false, 1]);
});

test("questions for two purposes do not disturb each other", async () => {
  const both = [new Asked(), new Asked()].map((purpose) => purpose.ask("check", {}, () => {}));
  for (const question of asked("check")) {
    question.tell({ done: true });
    question.end();
  }
  assert.deepEqual(await Promise.all(both), [true, true]);
});

test("an error is shown: the server's, in a line or instead of an answer, and that it has gone", async () => {
  const purpose = new Asked();
  const inLine = purpose.ask("check", {}, () => {});
  last("check").tell({ error: "too long" });
  assert.deepEqual([await inLine, state.message], [false, "too long"]);
  const refused = purpose.ask("check", {}, () => {});
  last("check").refuse(400, { error: "no such list" });
  assert.deepEqual([await refused, state.message], [false, "no such list"]);
  const lost = purpose.ask("check", {}, () => {});
  last("check").lose();
  assert.deepEqual([await lost, state.message], [false, "no_server"]);
});

test("why there is no fill is asked once, and told each time it is known better", async () => {
  const none = { fillable: false, witness: null, left: SLOTS };
  last("candidates").tell({ words: [], total: 0 }, none, none);
  await settle();
  assert.deepEqual([asked("explain").length, state.fillable], [1, "no"]);
  last("explain").tell({ finished: false, text: ["because"], cells: [], repairs: [] });
  await settle();
  assert.deepEqual(state.explanation?.text, ["because"]);
  write(new Map([[0, "A"]]));
  assert.ok(last("explain").signal?.aborted);
  assert.equal(state.explanation, null);
});

test("figures are asked for when nothing is typed for a while, sooner where they are what is looked at", () => {
  for (const [mode, rest] of /** @type {[Mode, number][]} */ ([
    ["fill", 500],
    ["design", 120],
  ])) {
    // prettier-ignore
    questions.length = 0;
    update({ mode });
    write(new Map([[0, "A"]]));
    wait(rest - 1);
    write(new Map([[0, "B"]]));
    wait(rest - 1);
    assert.equal(asked("stats").length, 0, mode);
    wait(1);
    assert.equal(asked("stats").length, 1, mode);
  }
  assert.equal(asked("check").length, 0);
  update({ mode: "check" });
  write(new Map([[0, "C"]]));
  wait(120);
  assert.equal(asked("check").length, 1, "in Check the rules too");
});

test("of a full slot the words are asked that could stand there instead, its locked letters staying", () => {
  const letters = new Map([[0, "C"], [1, "A"], [2, "T"]]); // prettier-ignore
  edit(setLetters(state.puzzle, letters), { locked: new Set([1]) });
  const { puzzle } = /** @type {{puzzle: {cells: string[]}}} */ (last("candidates").record);
  assert.deepEqual(puzzle.cells.slice(0, 3), ["", "A", ""]);
  assert.deepEqual(last("letters").record.cells, [], "whether the grid itself has a fill is asked beside it");
});

test("the filter narrows the words that are asked for: letters, and a least score", () => {
  setFilter("a?b 40");
  const { request } = /** @type {{request: {slot: string[]}}} */ (last("candidates").record);
  assert.deepEqual([state.filter, request.slot], ["A?B40", ["1-Across:pattern=A?B*,min=40"]]);
});

test("how good a fill can be is asked of the words that have one, and kept beside their verdicts", async () => {
  const words = [["CAT", 50], ["DOG", 40]]; // prettier-ignore
  last("candidates").tell({ words, total: 2 }, judged("CAT", "yes"), judged("DOG", "no"));
  await settle();
  askBest();
  assert.deepEqual(last("best").record.words, ["CAT"]);
  assert.equal(state.weighing?.most, last("best").record.seconds);
  assert.deepEqual([state.weighing?.done, state.weighing?.of], [0, 1]);
  last("best").tell({ word: "CAT", value: 30, bound: 45 });
  await settle();
  const { verdict, best: value, bound } = state.candidates.verdicts.get("CAT") ?? {};
  assert.deepEqual([verdict, value, bound], ["yes", 30, 45]);
  assert.deepEqual([state.weighing?.done, state.weighing?.of], [1, 1]);
  best.stop();
  await settle();
  assert.deepEqual([last("best").signal?.aborted, state.weighing], [true, null]);
});

test("the letters of cells are kept as they come", async () => {
  await tellWords();
  await tellWords();
  last("letters").tell({ cell: 4, yes: "AB", no: "", open: "C" });
  await settle();
  assert.equal(state.letters.get(4)?.yes, "AB");
  update({ cursor: 4 });
  askCandidates();
  assert.ok(last("letters").signal?.aborted, "the words at the cursor come first");
  assert.equal(state.letters.size, 1);
  write(new Map([[0, "A"]]));
  assert.equal(state.letters.size, 0);
});

test("how many words are left is asked only where it is not known", async () => {
  const first = countLeft();
  last("letters").tell(FILLABLE, { done: true });
  last("letters").end();
  assert.deepEqual(await first, SLOTS);
  const before = questions.length;
  assert.deepEqual(await countLeft(), SLOTS);
  assert.equal(questions.length, before);
});

const ROWS = [["C", "A", "T"], ["A", "P", "E"], ["T", "E", "A"]]; // prettier-ignore

test("a fill is a ghost until the search ends, and is then written, pencilled where there was nothing", async () => {
  write(new Map([[0, "C"]]));
  const filling = autofill({});
  last("solve").tell({ event: "found", rows: ROWS, words: [], value: 40 }, { event: "bound", value: 60 });
  await settle();
  assert.deepEqual([state.ghost?.join(""), state.filling?.value, state.filling?.bound], ["CATAPETEA", 40, 60]);
  assert.equal(state.puzzle.cells[1], "");
  last("solve").tell({ done: true, status: "OPTIMAL", accepted: ["TEA"] });
  last("solve").end();
  await filling;
  assert.deepEqual([state.puzzle.cells.join(""), state.filling, state.ghost], ["CATAPETEA", null, null]);
  assert.deepEqual([state.pencilled.has(0), state.pencilled.has(1)], [false, true]);
});

test("a search that is stopped writes its best fill; one whose puzzle was changed meanwhile writes none", async () => {
  for (const changed of [false, true]) {
    open(makePuzzle(3, 3), { name: "one.ipuz" });
    const filling = autofill({});
    last("solve").tell({ event: "found", rows: ROWS, words: [], value: 40 });
    await settle();
    if (changed) write(new Map([[8, "Z"]]));
    else stopFilling();
    await filling;
    assert.equal(state.puzzle.cells.join(""), changed ? "Z" : "CATAPETEA");
  }
});

test("a fill may write anew what one before it wrote, but for what is locked", () => {
  const letters = new Map([[0, "C"], [1, "A"], [2, "T"]]); // prettier-ignore
  edit(setLetters(state.puzzle, letters), { pencilled: new Set([0, 1]), locked: new Set([1]) });
  autofill({});
  const { puzzle } = /** @type {{puzzle: {cells: string[]}}} */ (last("solve").record);
  assert.deepEqual(puzzle.cells.slice(0, 3), ["", "A", "T"]);
});

test("a search that takes the place of another is under way when that has ended", async () => {
  const first = autofill({});
  autofill({ objective: "min" });
  await first;
  assert.equal(state.filling?.objective, "min");
});

test("that there is no fill is said", async () => {
  const filling = autofill({});
  last("solve").tell({ done: true, status: "UNSATISFIABLE" });
  last("solve").end();
  await filling;
  assert.equal(state.message, "no_fill");
});

test("verdicts wait for a fill, for some seconds", async () => {
  const filling = autofill({});
  assert.equal(waiting("candidates"), 0);
  wait(60_000);
  assert.equal(waiting("candidates"), 1);
  await tellWords();
  last("solve").tell({ done: true, status: "UNKNOWN" });
  last("solve").end();
  await filling;
});

test("verdicts are asked for again where a fill writes nothing", async () => {
  const filling = autofill({});
  last("solve").tell({ done: true, status: "UNKNOWN" });
  last("solve").end();
  await filling;
  assert.equal(waiting("candidates"), 1);
});

test("a pattern is rated by the scores of a fill, with null where there is none and nothing where it was dropped", async () => {
  const pattern = setBlocks(makePuzzle(3, 3), [4], true);
  const scored = rate(pattern);
  last("solve").tell({ event: "found", rows: ROWS, words: [], value: 40 });
  last("solve").end();
  await settle();
  last("stats").tell({ fill: { mean_score: 42 } }, { done: true });
  last("stats").end();
  assert.equal((await scored)?.mean_score, 42);
  const unfilled = rate(pattern);
  last("solve").tell({ done: true, status: "UNKNOWN" });
  last("solve").end();
  assert.equal(await unfilled, null);
  const dropped = rate(pattern),
    next = rate(pattern);
  assert.equal(await dropped, undefined);
  last("solve").tell({ done: true, status: "UNKNOWN" });
  last("solve").end();
  assert.equal(await next, null);
});

/** Return what is counted, without its clock. */
function counted() {
  const { fills, exact, running } = state.counting ?? {};
  return { fills, exact, running };
}

test("fills are counted; of a count that is dropped the number so far stays", async () => {
  count();
  last("count").tell({ counted: 12 });
  await settle();
  assert.deepEqual(counted(), { fills: 12, exact: false, running: true });
  assert.equal(state.counting?.most, last("count").record.seconds);
  stopFilling();
  await settle();
  assert.deepEqual(counted(), { fills: 12, exact: false, running: false });
  count();
  last("count").tell({ done: true, fills: 3, exact: true });
  last("count").end();
  await settle();
  assert.deepEqual(counted(), { fills: 3, exact: true, running: false });
});

test("when a word is judged by the user all is asked anew, and what the server says of it is shown", async () => {
  const before = last("candidates"),
    told = judgeWord({ ban: "CAT" });
  last("words").tell({ told: "CAT is banned" });
  last("words").end();
  await told;
  assert.deepEqual(last("words").record, { ban: "CAT" });
  assert.ok(before.signal?.aborted);
  assert.equal(waiting("candidates"), 1);
  assert.equal(state.message, "CAT is banned");
});

test("a word that is banned can have its score again", async () => {
  const told = judgeWord({ ban: "CAT" }, 50);
  last("words").tell({ told: "CAT is banned" });
  last("words").end();
  await told;
  assert.equal(state.offer?.message, state.message);
  state.offer?.act();
  assert.deepEqual(last("words").record, { rescore: "CAT", score: 50 });
  last("words").end();
  await settle();
});

/** What is told of a grid that has no fill because of one slot. */
const DEAD = { dead: ["3-Down"], required: [], left: { ...SLOTS, "3-Down": 0 } };

test("where there is no fill, words are judged without the part that is dead, which is named, and do not say there is one", async () => {
  const question = last("candidates");
  question.tell({ words: [], total: 0 }, { ...FILLABLE, fillable: false, left: {} }, DEAD);
  question.tell({ words: [["CAT", 50]], total: 1 }, { ...judged("CAT", "yes"), witness: ["CA.", ".A.", "..."] }); // prettier-ignore
  await settle();
  assert.deepEqual([state.fillable, state.left?.words], ["no", DEAD.left]);
  assert.deepEqual([state.candidates.dead, state.candidates.words], [["3-Down"], [["CAT", 50]]]); // prettier-ignore
  const fill = state.candidates.verdicts.get("CAT")?.witness ?? [];
  assert.deepEqual(lettersOf(fill), ["C", "A", "", "", "A", "", "", "", ""], "a dot is no letter");
});

test("which words are one's own goes with each question, and those that no list has come back", async () => {
  edit(setLetters(state.puzzle, new Map([..."QXZ"].entries())), { takes: ["1-Across"] });
  assert.deepEqual(request().own, ["QXZ"]);
  update({ cursor: 4 });
  askCandidates();
  assert.deepEqual(last("candidates").record.request, request());
  last("candidates").tell({ words: [], total: 0 }, { ...FILLABLE, accepted: ["QXZ"] });
  await settle();
  assert.deepEqual(state.unlisted, ["QXZ"]);
});
