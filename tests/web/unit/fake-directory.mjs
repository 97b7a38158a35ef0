// The directory of a server, for tests of what the page does with files: it answers as `cpfill.web.files` does.

import "./fake-page.mjs";

/** @typedef {{text: string, etag: string}} Stored */

/** What the directory has, by name. @type {Map<string, Stored>} */
export const files = new Map();
/** What is told of the directory beside its files, and what befalls requests. */
export const server = {
  opened: /** @type {string | null} */ (null),
  recent: /** @type {string | null} */ (null),
  /** Whether requests wait until `release`. */
  holding: false,
  /** What each request that changes a file meets, the next one first. @type {("lost" | "full")[]} */
  befalls: [],
  /** The puzzle in each file that can be imported. @type {Record<string, object>} */
  reads: {},
};
let version = 0;
/** @type {(() => void)[]} */
const held = [];

/** Have a file in the directory, as another program writes it. @param {string} name @param {object | string} content */
export function put(name, content) {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  files.set(name, { text, etag: `"${++version}"` });
}

/** Return the puzzle of a file. @param {string} name */
export const read = (name) => JSON.parse(files.get(name)?.text ?? "null");

/** Answer the requests that wait, and those that come. */
export function release() {
  server.holding = false;
  for (const each of held.splice(0)) each();
}

/** Empty the directory. */
export function clear() {
  files.clear();
  release();
  Object.assign(server, { opened: null, recent: null, befalls: [], reads: {} });
}

/** @param {number} status @param {object} record @param {Record<string, string>} [headers] */
const answer = (status, record, headers) => new Response(JSON.stringify(record), { status, headers });

/** Return a file's puzzle, or what a conflict tells of one that holds none. @param {Stored | undefined} file */
function theirs(file) {
  if (!file) return { error: "changed", puzzle: null, etag: null };
  const puzzle = JSON.parse(file.text);
  return { error: "changed", puzzle: puzzle.cells ? puzzle : null, etag: file.etag };
}

/**
 * Do what a request asks of a file.
 * @param {string} name @param {string} method @param {Record<string, string>} headers @param {string} body
 */
function change(name, method, headers, body) {
  const file = files.get(name);
  if (method === "GET") {
    if (!file) return answer(404, { error: `${name}: no such file` });
    const { cells } = JSON.parse(file.text);
    if (!cells) return answer(400, { error: `${name}: expected a puzzle` });
    return new Response(file.text, { headers: { ETag: file.etag } });
  }
  const fresh = headers["If-None-Match"] === "*";
  if (method === "PUT" && file?.text === body) return answer(200, {}, { ETag: file.etag }); // an equal one is no conflict
  if (fresh ? file : headers["If-Match"] !== file?.etag) return answer(412, theirs(file));
  if (method === "PUT") put(name, body);
  if (method === "DELETE") files.delete(name);
  if (method === "POST" && file) {
    const { to, keep } = JSON.parse(body);
    if (files.has(to)) return answer(412, { error: "expected a name that no file has" });
    files.set(to, file);
    if (!keep) files.delete(name);
  }
  return answer(200, {}, { ETag: files.get(name)?.etag ?? "" });
}

/** @param {string} path @param {string} method @param {Record<string, string>} headers @param {string} body */
function ask(path, method, headers, body) {
  if (path === "puzzles") {
    const { opened, recent } = server,
      puzzles = [...files.keys()].sort();
    return answer(200, {
      directory: "d",
      opened,
      recent: recent ?? puzzles.at(-1) ?? null,
      puzzles,
      lists: [],
      clues: [],
    });
  }
  const [, imported] = /^read\?name=(.*)$/.exec(path) ?? [];
  if (imported) {
    const puzzle = server.reads[imported];
    return puzzle ? answer(200, { puzzle, told: [] }) : answer(400, { error: `${imported}: expected a puzzle` });
  }
  const name = path.replace(/^puzzles\//, "");
  if (name === path) return new Promise(() => {}); // a question about the grid, which nobody answers here
  const befallen = method === "GET" ? undefined : server.befalls.shift();
  if (befallen === "full") return answer(400, { error: "no_space" });
  const answered = change(decodeURIComponent(name), method, headers, body);
  if (befallen === "lost") throw new TypeError("fetch failed");
  return answered;
}

/** @param {string} url @param {{method?: string, headers?: Record<string, string>, body?: Blob | string}} options */
async function fetchFile(url, { method = "GET", headers = {}, body = "" } = {}) {
  const text = await new Response(body).text();
  if (server.holding) await new Promise((resolve) => held.push(() => resolve(undefined)));
  return ask(url.replace(/^api\//, ""), method, headers, text);
}

Object.defineProperty(globalThis, "fetch", { value: fetchFile, configurable: true });
