// As much of a browser as the modules without elements ask for. It is imported first: they read it as they begin.

import { register } from "node:module";

/** @import { Path } from "../../../cpfill/web/types.d.ts" */

// The server makes texts.js; here each text is its own name.
const texts = 'data:text/javascript,export const TEXTS = { no_fill: ["no fill", "aucune grille"] };';
register(
  `data:text/javascript,${encodeURIComponent(`
    export const resolve = (name, context, next) =>
      name === "../texts.js" ? { url: ${JSON.stringify(texts)}, shortCircuit: true } : next(name, context);`)}`,
);

/** What the browser keeps. @type {Map<string, string>} */
export const kept = new Map([["cpfill", '{"language": "en", "style": "british"}']]);

/** The functions that are to be called with the next frame. @type {(() => void)[]} */
let frames = [];

/** Draw a frame. */
export function drawFrame() {
  const due = frames;
  frames = [];
  for (const each of due) each();
  return due.length;
}

/**
 * A question that was asked, which is answered as a test wants.
 * @typedef {object} Question
 * @property {string} path
 * @property {Record<string, unknown>} record
 * @property {AbortSignal | undefined} signal
 * @property {(...lines: object[]) => void} tell
 * @property {() => void} end
 * @property {(status: number, said: object, headers?: Record<string, string>) => void} refuse  Also answers with headers.
 * @property {() => void} lose  The server has gone.
 */

/** The questions so far, the first one first. @type {Question[]} */
export const questions = [];

/** Return the questions of a path, the first one first. @param {Path | "words" | `puzzles/${string}`} path */
export const asked = (path) => questions.filter((each) => each.path === path);

/** Return the question of a path that was asked last. @param {Path | "words" | `puzzles/${string}`} path */
export function last(path) {
  const found = asked(path).at(-1);
  if (!found) throw new Error(`nobody asked ${path}`);
  return found;
}

/** What is to be called later, and when. @type {Map<number, {due: number, call: () => void}>} */
const timers = new Map();
let now = 0,
  timer = 0;

/** Let time go on for the page. @param {number} milliseconds */
export function wait(milliseconds) {
  now += milliseconds;
  for (const [id, { due, call }] of timers) if (due <= now && timers.delete(id)) call();
}

const { setTimeout: rest } = globalThis; // which the page's own replaces

/** Let all go on that waits for what was told. */
export const settle = () => new Promise((resolve) => rest(resolve, 5));

/** @param {string} path @param {{body?: string, signal?: AbortSignal}} options @returns {Promise<Response>} */
function answer(path, { body = "{}", signal }) {
  return new Promise((resolve, reject) => {
    /** @type {Response | undefined} */
    let response;
    const stream = new ReadableStream({
      start(parts) {
        signal?.addEventListener("abort", () => {
          reject(signal.reason);
          parts.error(signal.reason);
        });
        questions.push({
          path: path.replace(/^api\//, ""),
          record: JSON.parse(body),
          signal,
          tell(...lines) {
            if (!response) resolve((response = new Response(stream)));
            parts.enqueue(new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join("")));
          },
          end: () => parts.close(),
          refuse: (status, said, headers = {}) => resolve(new Response(JSON.stringify(said), { status, headers })),
          lose: () => reject(new TypeError("fetch failed")),
        });
      },
    });
  });
}

const fakes = {
  localStorage: {
    /** @param {string} name */
    getItem: (name) => kept.get(name) ?? null,
    /** @param {string} name @param {string} text */
    setItem: (name, text) => kept.set(name, text),
  },
  navigator: { language: "en" },
  location: { hash: "#token=secret" },
  document: { documentElement: { hasAttribute: () => false } },
  /** @param {() => void} draw */
  requestAnimationFrame: (draw) => frames.push(draw),
  /** @param {() => void} call @param {number} [milliseconds] */
  setTimeout(call, milliseconds = 0) {
    timers.set(++timer, { due: now + milliseconds, call });
    return timer;
  },
  /** @param {number} id */
  clearTimeout: (id) => timers.delete(id),
  /** What the tab keeps over a reload. */
  history: {
    state: /** @type {unknown} */ (null),
    /** @param {unknown} kept */
    replaceState(kept) {
      this.state = kept;
    },
  },
  addEventListener: () => {},
  setInterval: () => 0,
  clearInterval: () => {},
  fetch: answer,
};
for (const [name, value] of Object.entries(fakes))
  Object.defineProperty(globalThis, name, { value, configurable: true });
