// The application in a worker of this tab, asked as a server would be: a page that `cpfill site` wrote has no other.

import { update } from "../model/store.js";

/** Whether there is no server. */
export const inTab = document.documentElement.hasAttribute("data-tab");

/**
 * Whether the worker does one thing after another: it cannot suspend a search to hear what is asked meanwhile. That one
 * was ended it hears from the service worker.
 */
export const oneAtATime = inTab && !("Suspending" in WebAssembly);

/** Why a question is ended whose answer so far is wanted. */
export const STOPPED = new Error("stopped");

/**
 * @typedef {object} Answer
 * @property {ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>} parts
 * @property {(init: ResponseInit) => void} begin
 * @property {(reason: unknown) => void} reject
 */

/**
 * What the worker says.
 * @typedef {{kind: "start", id: number, status: number, headers: [string, string][]}} Start
 * @typedef {{kind: "part", id: number, body: Uint8Array<ArrayBuffer>}} Part
 * @typedef {{kind: "end", id: number}} End
 * @typedef {{kind: "failed", id: number, text: string}} Failed
 * @typedef {{kind: "unkept"} | {kind: "silent"} | {kind: "lost"}} Told
 * @typedef {{kind: "fault", text: string}} Fault
 */

/** The answers under way, by the numbers of their requests. @type {Map<number, Answer>} */
const answers = new Map();
// Other tabs have other numbers.
let last = Math.floor(Math.random() * 2 ** 48),
  worker = /** @type {Worker | null} */ (null),
  /** Why the worker does not run, if it does not. */
  fault = "";

/**
 * Return the response to a request, as `fetch` does.
 * @param {string} path @param {RequestInit} [options] @returns {Promise<Response>}
 */
export async function request(path, { method = "GET", headers = {}, body = null, signal } = {}) {
  const bytes = new Uint8Array(await new Response(body).arrayBuffer());
  signal?.throwIfAborted();
  return send({ method, path, headers, body: bytes, folder }, [bytes.buffer], signal);
}

/** The service worker, where it is the one to be told of an end. */
export const listener = () => (oneAtATime ? navigator.serviceWorker?.controller : null);

/** How long the service worker of a first visit is waited for. */
const LISTENING_MS = 30_000;

/**
 * Wait until somebody hears of an end, or the question is ended before it is asked: a search that began earlier would go
 * on until its time is over.
 * @param {AbortSignal} signal
 */
export async function awaitListener(signal) {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  await new Promise((resolve) => {
    workers.addEventListener("controllerchange", resolve, { once: true });
    signal.addEventListener("abort", resolve, { once: true });
    setTimeout(resolve, LISTENING_MS);
  });
}

/** The folder of the user's, if any, whose puzzles this tab has instead of the browser's. @type {FileSystemDirectoryHandle | null} */
let folder = null;

/** Read a folder of the user's. Returns what has this tab go on there. @param {FileSystemDirectoryHandle} chosen */
export async function readFolder(chosen) {
  await send({ method: "GET", path: "api/puzzles", headers: {}, body: new Uint8Array(), folder: chosen }, []);
  return () => {
    folder = chosen;
  };
}

/**
 * Ask the worker, and return its response.
 * @param {object} ask @param {Transferable[]} moved @param {AbortSignal | null} [signal]
 * @returns {Promise<Response>}
 */
async function send(ask, moved, signal) {
  if (fault) throw new Error(fault);
  const engine = (worker ??= start());
  const id = ++last,
    heard = Boolean(listener());
  return new Promise((resolve, reject) => {
    /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */
    const stream = new ReadableStream({
      start(parts) {
        answers.set(id, { parts, begin: (init) => resolve(new Response(stream, init)), reject });
      },
    });
    signal?.addEventListener("abort", () => {
      const answer = answers.get(id);
      if (!answer) return;
      listener()?.postMessage(id);
      if (heard && signal.reason === STOPPED) return; // the answer comes soon
      answers.delete(id);
      engine.postMessage({ kind: "abort", id });
      fail(answer, signal.reason);
    });
    engine.postMessage({ ...ask, heard, kind: "ask", id }, moved);
  });
}

/** Start the worker. */
function start() {
  const started = new Worker(new URL("engine.js", import.meta.url), { type: "module", name: "cpfill" });
  started.addEventListener("message", ({ data }) => hear(data));
  started.addEventListener("error", (event) => hear({ kind: "fault", text: event.message || "engine_failed" }));
  return started;
}

if (inTab) {
  addEventListener("pagehide", ({ persisted }) => {
    for (const id of answers.keys()) listener()?.postMessage(id); // another tab may search for it
    if (persisted) worker?.terminate(); // a page kept for whoever goes back to it would keep all of Python
  });
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
}

/** Have cpfill run in this tab, from whichever other one. */
const TAKE = { message: "other_tab", name: "take_over", act: () => worker?.postMessage({ kind: "take" }) };

/** @param {Start | Part | End | Failed | Told | Fault} said */
function hear(said) {
  if (said.kind === "unkept") return update({ kept: false });
  if (said.kind === "silent") return update({ message: "other_tab", offer: TAKE });
  if (said.kind === "fault" || said.kind === "lost") {
    if (said.kind === "fault") fault = said.text;
    worker?.terminate();
    worker = null; // the next one asks the tab that has the files now
    for (const answer of answers.values()) fail(answer, new Error(fault || "moved"));
    answers.clear();
    return;
  }
  const answer = answers.get(said.id);
  if (!answer) return; // it was aborted
  if (said.kind === "start") answer.begin({ status: said.status, headers: said.headers });
  else if (said.kind === "part") answer.parts.enqueue(said.body);
  else {
    answers.delete(said.id);
    if (said.kind === "end") answer.parts.close();
    else fail(answer, new Error(said.text));
  }
}

/** @param {Answer} answer @param {unknown} reason */
function fail(answer, reason) {
  answer.reject(reason);
  answer.parts.error(reason);
}
