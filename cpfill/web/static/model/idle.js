// Whether the page is at rest: no question, save or drawing is under way.

/** What is under way. @type {Set<object>} */
const pending = new Set();

/** Those who wait until nothing is. @type {Set<() => void>} */
const waiting = new Set();

/** Note that something begins; the function that is returned notes its end. */
export function begin() {
  const own = {};
  pending.add(own);
  return () => {
    if (pending.delete(own) && !pending.size) setTimeout(tell); // what ends may be followed by something else
  };
}

/** Note something as long as it takes. @template T @param {Promise<T>} work @returns {Promise<T>} */
export function whileBusy(work) {
  const end = begin();
  return work.finally(end);
}

function tell() {
  if (pending.size) return;
  for (const resolve of waiting) resolve();
  waiting.clear();
}

/** Resolve when nothing is under way. @returns {Promise<void>} */
export const idle = () =>
  new Promise((resolve) => {
    waiting.add(resolve);
    setTimeout(tell); // an event that was sent just now is heard before
  });
