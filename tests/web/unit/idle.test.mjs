// Whether the page is at rest.

import * as assert from "node:assert/strict";
import { test } from "node:test";

import { drawFrame, last, questions, settle, wait } from "./fake-page.mjs";

const { makePuzzle } = await import("../../../cpfill/web/static/model/puzzle.js");
const { open, update } = await import("../../../cpfill/web/static/model/store.js");
const { begin, idle, whileBusy } = await import("../../../cpfill/web/static/model/idle.js");
const { Asked } = await import("../../../cpfill/web/static/ask/asked.js");
await import("../../../cpfill/web/static/ask/questions.js");

/** Let the page go on: a frame, and all timers that are due. */
async function goOn() {
  drawFrame();
  wait(1000);
  await settle();
}

/** Return what tells whether the page has come to rest since. */
function watchRest() {
  const rest = { came: false };
  idle().then(() => (rest.came = true));
  return rest;
}

test("a page without anything to do is at rest", async () => {
  const rest = watchRest();
  await goOn();
  assert.ok(rest.came);
});

test("it is at rest when all that began has ended", async () => {
  const [one, other] = [begin(), begin()],
    rest = watchRest();
  one();
  one();
  await goOn();
  assert.ok(!rest.came);
  other();
  await goOn();
  assert.ok(rest.came);
});

test("what follows from an end is waited for as well", async () => {
  const follow = whileBusy(Promise.resolve()).then(() => begin()),
    rest = watchRest(),
    end = await follow;
  await goOn();
  assert.ok(!rest.came);
  end();
  await goOn();
  assert.ok(rest.came);
});

test("work that fails ends too", async () => {
  const failed = whileBusy(Promise.reject(new Error("no"))).catch(() => "told"),
    rest = watchRest();
  assert.equal(await failed, "told");
  await goOn();
  assert.ok(rest.came);
});

test("a change is waited for until it is drawn", async () => {
  const rest = watchRest();
  update({ tint: true });
  wait(1000);
  await settle();
  assert.ok(!rest.came);
  await goOn();
  assert.ok(rest.came);
});

test("a question is waited for until its answer has ended", async () => {
  const answer = new Asked().ask("check", {}, () => {}),
    rest = watchRest();
  last("check").tell({ done: true });
  await goOn();
  assert.ok(!rest.came);
  last("check").end();
  assert.ok(await answer);
  await goOn();
  assert.ok(rest.came);
});

test("a puzzle that is opened is judged before the page is at rest", async () => {
  questions.length = 0;
  update({ mode: "fill" });
  open(makePuzzle(3, 3), { name: "one.ipuz" });
  const rest = watchRest();
  await goOn();
  assert.ok(!rest.came);
  /** @type {Set<string>} */
  const paths = new Set();
  while (!rest.came) {
    for (const { path, refuse } of questions.splice(0)) {
      paths.add(path);
      refuse(400, { error: "no such list" });
    }
    await goOn();
  }
  assert.ok(paths.has("candidates") && paths.has("stats"));
});
