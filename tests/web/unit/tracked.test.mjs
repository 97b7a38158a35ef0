// A view is drawn again when something that it read has changed, and only then.

import assert from "node:assert/strict";
import { test } from "node:test";
import { derived, noteReads, peek, track, whenChanged } from "../../../cpfill/web/static/model/tracked.js";

const fresh = () => ({ one: 1, other: "a", list: [1, 2] });

test("what was read makes it stale, what was not does not", () => {
  const raw = fresh(),
    state = track(raw);
  const { result, isCurrent } = noteReads(() => state.one + 1);
  assert.equal(result, 2);
  raw.other = "b";
  assert.ok(isCurrent());
  raw.one = 2;
  assert.ok(!isCurrent());
  raw.one = 1;
  assert.ok(isCurrent());
});

test("a branch that was not taken is not read", () => {
  const raw = fresh(),
    state = track(raw);
  const { isCurrent } = noteReads(() => (state.one ? "" : state.other));
  raw.other = "b";
  assert.ok(isCurrent());
});

test("a derived value is compared by what it is", () => {
  const raw = fresh(),
    state = track(raw);
  const { isCurrent } = noteReads(() => derived(() => state.list.length));
  raw.list = [3, 4];
  assert.ok(isCurrent());
  raw.list = [3];
  assert.ok(!isCurrent());
});

test("a peek is not noted", () => {
  const raw = fresh(),
    state = track(raw);
  const { isCurrent } = noteReads(() => peek(() => state.one));
  raw.one = 2;
  assert.ok(isCurrent());
});

test("what an inner view reads is its own", () => {
  const raw = fresh(),
    state = track(raw);
  let inner = () => false;
  const { isCurrent } = noteReads(() => {
    ({ isCurrent: inner } = noteReads(() => state.one));
    return state.other;
  });
  raw.one = 2;
  assert.ok(isCurrent());
  assert.ok(!inner());
});

test("after an error nothing is noted for the view that failed", () => {
  const raw = fresh(),
    state = track(raw);
  const { isCurrent } = noteReads(() => {
    assert.throws(() =>
      noteReads(() => {
        throw new Error(state.other);
      }),
    );
    return state.one;
  });
  raw.other = "b";
  assert.ok(isCurrent());
  raw.one = 2;
  assert.ok(!isCurrent());
});

test("work is done again when what decides it has changed, not what it reads itself", () => {
  const raw = fresh(),
    state = track(raw),
    done = /** @type {string[]} */ ([]);
  const work = whenChanged(
    () => state.one,
    () => void done.push(state.one + state.other),
  );
  work();
  raw.other = "b";
  work();
  raw.one = 2;
  work();
  work();
  assert.deepEqual(done, ["1a", "2b"]);
});
