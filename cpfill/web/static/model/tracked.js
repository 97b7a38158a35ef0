// State that notes its readers: a view is drawn again when something that it read has changed, and only then.

/** @typedef {{values: Map<object, Map<PropertyKey, unknown>>, derived: (() => boolean)[]}} Reads */

/** What the views under way have read, the innermost last; `null` where nothing is noted. @type {(Reads | null)[]} */
const reading = [];

/**
 * Return an object whose reads are noted. What is written through it, or into the object itself, is seen alike.
 * @template {object} T @param {T} object @returns {T}
 */
export const track = (object) =>
  new Proxy(object, {
    get(target, key) {
      const value = Reflect.get(target, key);
      note(target, key, value);
      return value;
    },
  });

/** @param {object} target @param {PropertyKey} key @param {unknown} value */
function note(target, key, value) {
  const values = reading.at(-1)?.values;
  if (!values) return;
  const known = values.get(target) ?? new Map();
  values.set(target, known.set(key, value));
}

/**
 * Do something and note what it reads: `isCurrent` tells whether all of that still has its value.
 * @template T @param {() => T} work @returns {{result: T, isCurrent: () => boolean}}
 */
export function noteReads(work) {
  /** @type {Reads} */
  const reads = { values: new Map(), derived: [] };
  return { result: within(reads, work), isCurrent: () => areCurrent(reads) };
}

/** @param {Reads} reads */
function areCurrent({ values, derived }) {
  for (const [target, known] of values)
    for (const [key, value] of known) if (!Object.is(Reflect.get(target, key), value)) return false;
  return derived.every((isSame) => isSame());
}

/**
 * Return a value that follows from the state: its reader is drawn again when the value is another, not when something it
 * follows from is. It is compared by its JSON.
 * @template T @param {() => T} read @returns {T}
 */
export function derived(read) {
  const value = peek(read),
    text = JSON.stringify(value);
  reading.at(-1)?.derived.push(() => JSON.stringify(peek(read)) === text);
  return value;
}

/** Return a value without noting what is read for it. @template T @param {() => T} read @returns {T} */
export const peek = (read) => within(null, read);

/** @template T @param {Reads | null} reads @param {() => T} work @returns {T} */
function within(reads, work) {
  reading.push(reads);
  try {
    return work();
  } finally {
    reading.pop();
  }
}

/**
 * Return a function that does something when it is first called, and later whenever something that `read` reads has
 * changed. What the work itself reads is not noted.
 * @param {() => unknown} read @param {() => void} work
 */
export function whenChanged(read, work) {
  let isCurrent = () => false;
  return () => {
    if (isCurrent()) return;
    ({ isCurrent } = noteReads(read));
    peek(work);
  };
}
