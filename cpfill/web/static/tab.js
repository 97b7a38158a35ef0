// The application in a worker of this tab, asked as a server would be: a page that `cpfill site` wrote has no other.

import { update } from "./store.js";

/** Whether there is no server. */
export const inTab = document.documentElement.hasAttribute("data-tab");

/** The answers that are under way, by the numbers of their requests. */
const answers = new Map();
let last = 0,
  worker = null,
  /** Why the worker does not run, if it does not. */
  fault = "";

/** Return the response to a request, as `fetch` does. */
export async function request(path, { method = "GET", headers = {}, body = null, signal } = {}) {
  const bytes = new Uint8Array(await new Response(body).arrayBuffer());
  signal?.throwIfAborted();
  worker ??= start();
  if (fault) throw new Error(fault);
  const id = ++last;
  return new Promise((resolve, reject) => {
    let parts;
    const stream = new ReadableStream({ start: (own) => (parts = own) });
    const answer = { parts, resolve, stream, reject };
    answers.set(id, answer);
    signal?.addEventListener("abort", () => {
      if (!answers.delete(id)) return;
      worker.postMessage({ kind: "abort", id });
      fail(answer, signal.reason);
    });
    worker.postMessage({ kind: "ask", id, method, path, headers, body: bytes }, [bytes.buffer]);
  });
}

function start() {
  const started = new Worker(new URL("engine.js", import.meta.url), { type: "module", name: "cpfill" });
  started.addEventListener("message", ({ data }) => hear(data));
  started.addEventListener("error", (event) => hear({ kind: "fault", text: event.message || "engine_failed" }));
  return started;
}

function hear({ kind, id, status, headers, body, text }) {
  if (kind === "note") return update({ message: text });
  if (kind === "fault") {
    fault = text;
    for (const answer of answers.values()) fail(answer, new Error(text));
    answers.clear();
    return;
  }
  const answer = answers.get(id);
  if (!answer) return; // it was aborted
  if (kind === "start") answer.resolve(new Response(answer.stream, { status, headers }));
  else if (kind === "part") answer.parts.enqueue(body);
  else {
    answers.delete(id);
    if (kind === "end") answer.parts.close();
    else fail(answer, new Error(text));
  }
}

function fail(answer, reason) {
  answer.reject(reason);
  answer.parts.error(reason);
}
