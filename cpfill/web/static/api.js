// The server: files and questions. Each question is one POST whose answer streams as JSON lines.

import { state } from "./store.js";
import { inTab, request as askTab } from "./tab.js";

const token = new URLSearchParams(location.hash.slice(1)).get("token") || "";

/** What the server said instead of an answer. */
class Refused extends Error {
  constructor(status, record) {
    super(record.error || `HTTP ${status}`);
    this.status = status;
    this.record = record;
  }
}

/** Say that the server has gone, unless it is the page that asks no more. */
function lose(error) {
  throw error.name === "AbortError" || inTab ? error : new Error("no_server");
}

async function send(path, options = {}) {
  const { headers, ...rest } = options;
  const response = await (inTab ? askTab : fetch)(`api/${path}`, {
    cache: "no-store",
    headers: { "X-Cpfill-Token": token, "Accept-Language": state.language, ...headers },
    ...rest,
  }).catch(lose);
  if (!response.ok) throw new Refused(response.status, await response.json().catch(() => ({})));
  return response;
}

const body = (record) => ({
  method: "POST",
  body: JSON.stringify(record),
  headers: { "Content-Type": "application/json" },
});

/** Return what the server has to say about itself, or what puzzles there are. */
export const get = async (path) => (await send(path)).json();

/** Return the answer to a question that has one. */
export const post = async (path, record) => (await send(path, body(record))).json();

/** Yield the lines of the answer to a question; aborting the signal ends the search. @param {AbortSignal} signal */
export async function* ask(path, record, signal) {
  const response = await send(path, { ...body(record), signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read().catch(lose);
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const said = JSON.parse(line);
      if (said.error) throw new Refused(400, said);
      yield said;
    }
  }
}

/** Return a puzzle, its etag, and what was left unread. */
export async function load(name) {
  const response = await send(`puzzles/${encodeURIComponent(name)}`);
  return {
    puzzle: await response.json(),
    etag: response.headers.get("ETag"),
    told: JSON.parse(decodeURIComponent(response.headers.get("X-Cpfill-Told") ?? "[]")),
  };
}

/** Save a puzzle and return its etag; without one it must be new. Refused with 412 where another was saved meanwhile. */
export async function save(name, puzzle, etag) {
  const headers = etag ? { "If-Match": etag } : { "If-None-Match": "*" };
  const response = await send(`puzzles/${encodeURIComponent(name)}`, {
    method: "PUT",
    body: JSON.stringify(puzzle),
    headers: { "Content-Type": "application/json", ...headers },
  });
  return response.headers.get("ETag");
}

/** Give a puzzle another name, and delete one; refused with 412 where another was saved meanwhile, or has the name. */
export const rename = (name, to, etag) =>
  send(`puzzles/${encodeURIComponent(name)}`, {
    method: "POST",
    body: JSON.stringify({ to }),
    headers: { "If-Match": etag },
  });
export const remove = (name, etag) =>
  send(`puzzles/${encodeURIComponent(name)}`, { method: "DELETE", headers: { "If-Match": etag } });

/** Return an archive of all files of the directory. */
export const archive = async () => (await send("archive")).blob();

/** Save a word list under a name that no file has, and return what is to be told of it. */
export const addList = async (name, file) =>
  (await send(`lists/${encodeURIComponent(name)}`, { method: "PUT", body: file })).json();

/** Return the puzzle in a file, and what is to be told of it. */
export const read = async (file) =>
  (await send(`read?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file })).json();

/** Return a puzzle as a file of a format, and the suffix of its name; data of MiniZinc have the words of the request. */
export async function convert(puzzle, to, options, request) {
  const response = await send("convert", body({ puzzle, to, options, request }));
  const name = response.headers.get("Content-Disposition") ?? "";
  return { blob: await response.blob(), suffix: /(\.\w+)"?$/.exec(name)?.[1] ?? `.${to}` };
}

/** Return what a format would drop. @returns {Promise<string[]>} */
export const tellLosses = async (puzzle, to, options, request) =>
  (await (await send("convert?losses", body({ puzzle, to, options, request }))).json()).told;
