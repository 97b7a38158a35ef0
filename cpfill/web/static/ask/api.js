// The server: files and questions. Each question is one POST whose answer streams as JSON lines.

import { whileBusy } from "../model/idle.js";
import { state } from "../model/store.js";
import { inTab, request as askTab } from "../tab/tab.js";

/** @import { About, Answers, Directory, Path, Previews, Puzzle, Refusal, Request, Saved, WordChange } from "../../types.d.ts" */

/**
 * @typedef {{told: string}} Told
 * @typedef {{puzzle: Saved, told: string[]}} Read
 * @typedef {Read & {etag: string | null}} Loaded
 */

/** The bytes that browsers send for a page that is left: 64 KiB, headers among them. */
const OUTLIVING = 60_000;

const token = new URLSearchParams(location.hash.slice(1)).get("token") || "";

/** What the server said instead of an answer. */
export class Refused extends Error {
  /** @param {number} status @param {Refusal} record */
  constructor(status, record) {
    super(record.error || `HTTP ${status}`);
    this.status = status;
    this.record = record;
  }
}

/** Return what an error says. @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** Say that the server has gone, unless it is the page that asks no more. @param {Error} error @returns {never} */
function lose(error) {
  throw error.name === "AbortError" || inTab ? error : new Error("no_server");
}

/**
 * Return the answer to a request, read whole.
 * @param {string} path @param {RequestInit} [options]
 */
const send = (path, options) => whileBusy(readWhole(path, options));

/** @param {string} path @param {RequestInit} [options] */
async function readWhole(path, options) {
  const response = await fetchAnswer(path, options),
    { status, headers } = response,
    body = await response.blob();
  return new Response(body.size ? body : null, { status, headers });
}

/** Return the answer to a request as it begins. @param {string} path @param {RequestInit} [options] */
async function fetchAnswer(path, options = {}) {
  const { headers, ...rest } = options;
  const response = await (inTab ? askTab : fetch)(`api/${path}`, {
    cache: "no-store",
    headers: { "X-Cpfill-Token": token, "Accept-Language": state.language, ...headers },
    ...rest,
  }).catch(lose);
  if (!response.ok) throw new Refused(response.status, await response.json().catch(() => ({})));
  return response;
}

/** @param {object} record */
const body = (record) => ({
  method: "POST",
  body: JSON.stringify(record),
  headers: { "Content-Type": "application/json" },
});

/**
 * Return what the server has to say about itself, or what puzzles there are.
 * @template {"about" | "puzzles" | "previews"} P @param {P} path
 * @returns {Promise<{about: About, puzzles: Directory, previews: Previews}[P]>}
 */
export const get = async (path) => (await send(path)).json();

/**
 * Change the personal list, and return what is to be told of it.
 * @param {WordChange} change @returns {Promise<Told>}
 */
export const changeWord = async (change) => (await send("words", body(change))).json();

/** Return the text of the personal list, null where there is none; what is no text shows as such. */
export async function readList() {
  try {
    return await (await send("words")).text();
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return null;
    throw error;
  }
}

/** Delete the personal list. */
export const deleteList = () => send("words", { method: "DELETE" });

/**
 * Yield the lines of the answer to a question; aborting the signal ends the search.
 * @template {Path} P @param {P} path @param {object} record @param {AbortSignal} signal
 * @returns {AsyncGenerator<Answers[P], void>}
 */
export async function* ask(path, record, signal) {
  const response = await fetchAnswer(path, { ...body(record), signal });
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read().catch(lose);
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const said = /** @type {Answers[P] & {error?: string}} */ (JSON.parse(line));
      if (said.error) throw new Refused(400, said);
      yield said;
    }
  }
}

/** Return a puzzle, its etag, and what was left unread. @param {string} name @returns {Promise<Loaded>} */
export async function load(name) {
  const response = await send(`puzzles/${encodeURIComponent(name)}`);
  return {
    puzzle: await response.json(),
    etag: response.headers.get("ETag"),
    told: JSON.parse(decodeURIComponent(response.headers.get("X-Cpfill-Told") ?? "[]")),
  };
}

/**
 * Save a puzzle and return its etag; without one it must be new. Refused with 412 where another was saved meanwhile.
 * @param {string} name @param {Saved} puzzle @param {string | null} etag
 */
export async function save(name, puzzle, etag) {
  /** @type {Record<string, string>} */
  const headers = etag ? { "If-Match": etag } : { "If-None-Match": "*" };
  const body = new Blob([JSON.stringify(puzzle)]);
  const response = await send(`puzzles/${encodeURIComponent(name)}`, {
    method: "PUT",
    body,
    keepalive: body.size < OUTLIVING, // it arrives although the page is left
    headers: { "Content-Type": "application/json", ...headers },
  });
  await response.text(); // an answer that is not read may count as under way, of which browsers allow 64 KB
  return response.headers.get("ETag");
}

/**
 * Give a puzzle another name, or copy its file; refused with 412 where another was saved meanwhile, or has the name.
 * @param {string} name @param {string} to @param {string | null} etag @param {boolean} [keep] Whether it is copied.
 */
export const rename = (name, to, etag, keep = false) =>
  send(`puzzles/${encodeURIComponent(name)}`, {
    method: "POST",
    body: JSON.stringify({ to, keep }),
    headers: { "If-Match": String(etag) },
  });

/**
 * Delete a puzzle; refused with 412 where another was saved meanwhile.
 * @param {string} name @param {string | null} etag
 */
export const remove = (name, etag) =>
  send(`puzzles/${encodeURIComponent(name)}`, { method: "DELETE", headers: { "If-Match": String(etag) } });

/** Return an archive of all files of the directory. */
export const archive = async () => (await send("archive")).blob();

/**
 * Save a word list under a name that no file has, and return what is to be told of it.
 * @param {string} name @param {File} file @returns {Promise<{words: number, told: string[]}>}
 */
export const addList = async (name, file) =>
  (await send(`lists/${encodeURIComponent(name)}`, { method: "PUT", body: file })).json();

/** Return the puzzle in a file, and what is to be told of it. @param {File} file @returns {Promise<Read>} */
export const read = async (file) =>
  (await send(`read?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file })).json();

/**
 * Return a puzzle as a file of a format, and the suffix of its name; data of MiniZinc have the words of the request.
 * @param {Puzzle} puzzle @param {string} to @param {object} options @param {Partial<Request>} request
 */
export async function convert(puzzle, to, options, request) {
  const response = await send("convert", body({ puzzle, to, options, request }));
  const name = response.headers.get("Content-Disposition") ?? "";
  return { blob: await response.blob(), suffix: /(\.\w+)"?$/.exec(name)?.[1] ?? `.${to}` };
}

/**
 * Return what a format would drop.
 * @param {Puzzle} puzzle @param {string} to @param {object} options @param {Partial<Request>} request
 * @returns {Promise<string[]>}
 */
export const tellLosses = async (puzzle, to, options, request) =>
  (await (await send("convert?losses", body({ puzzle, to, options, request }))).json()).told;
