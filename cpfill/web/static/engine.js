// The worker that has cpfill in it: Python in WebAssembly, and the puzzles in the browser's own file system.

import { APP, LISTS, PDF, PYODIDE } from "./parts.js"; // made by `cpfill site`

const PUZZLES = "/puzzles";
const SITE = "/site";
/** Requests after which files are another. */
const WRITES = /^api\/(puzzles|lists|words)\b/;

/**
 * What is used of Pyodide, and of `cpfill.web.tab`.
 * @typedef {object} Python
 * @property {(data: ArrayBuffer, format: string, options: {extractDir: string}) => void} unpackArchive
 * @property {(code: string) => void} runPython
 * @property {() => Uint8Array<ArrayBuffer>} makeMemorySnapshot
 * @property {(value: unknown) => unknown} toPy
 * @property {(name: string) => {Tab: (directory: string) => Tab}} pyimport
 * @property {(at: string, files: FileSystemDirectoryHandle) => Promise<{syncfs: () => Promise<void>}>} mountNativeFS
 * @property {{createLazyFile: (at: string, name: string, url: string, read: boolean, write: boolean) => void}} FS
 *
 * @typedef {object} Tab
 * @property {(id: number) => void} abort
 * @property {(request: unknown, body: unknown, reply: Reply) => Promise<void>} answer
 *
 * @typedef {{getBuffer: (kind: "u8") => {data: Uint8Array<ArrayBuffer>, release: () => void}}} Bytes
 * @typedef {(kind: "start" | "part", status: number, pairs: string, bytes: Bytes) => void} Reply
 */

/** @param {string} name */
const urlOf = (name) => new URL(name, import.meta.url).href;
/** @param {string} name */
const bytesOf = async (name) => (await fetch(urlOf(name))).arrayBuffer();

async function begin() {
  const [app, kept] = await Promise.all([bytesOf(APP), findMemory()]);
  const { loadPyodide } = await import(urlOf(`${PYODIDE}pyodide.mjs`));
  const env = { HOME: PUZZLES, XDG_CONFIG_HOME: `${PUZZLES}/.config` };
  /** @type {Python} */
  const py = await loadPyodide(kept ? { _loadSnapshot: kept } : { env, _makeSnapshot: true });
  py.unpackArchive(app, "zip", { extractDir: SITE });
  for (const [name, url] of Object.entries(LISTS)) {
    // Read when a question needs it, and kept by the browser: most people need one list.
    py.FS.createLazyFile(`${SITE}/cpfill/words/packaged`, name, urlOf(url), true, false);
  }
  if (!kept) {
    py.runPython(`import sys; sys.path.insert(0, "${SITE}"); from cpfill.web.tab import Tab`);
    keepMemory(py.makeMemorySnapshot());
  }
  const keep = await mount(py);
  const tab = py.pyimport("cpfill.web.tab").Tab(PUZZLES);
  return { py, tab, keep };
}

// To start Python and import cpfill takes seconds; to load the memory of a Python that has done so, tenths of one.
const MEMORY = "cpfill-memory";

/** Return the memory that an earlier visit left, if this browser keeps any. */
async function findMemory() {
  const found = await globalThis.caches?.open(MEMORY).then((cache) => cache.match(urlOf(APP)));
  return found && new Uint8Array(await found.arrayBuffer());
}

/** Keep a memory for the next visit, in place of that of another version. @param {Uint8Array<ArrayBuffer>} memory */
async function keepMemory(memory) {
  if (!globalThis.caches) return;
  await caches.delete(MEMORY);
  const cache = await caches.open(MEMORY);
  await cache.put(urlOf(APP), new Response(memory)).catch(() => {}); // there may be no room
}

/**
 * Mount the browser's files; returns what writes them back. Another tab would write over them: it is refused.
 * @param {Python} py
 */
async function mount(py) {
  const alone = await new Promise((resolve) => {
    if (!navigator.locks) return resolve(true);
    navigator.locks.request("cpfill", { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock && new Promise(() => {}); // held until the tab is closed
    });
  });
  if (!alone) throw new Error("other_tab");
  if (!navigator.storage?.getDirectory) {
    postMessage({ kind: "note", text: "not_kept" });
    return () => {};
  }
  const root = await navigator.storage.getDirectory();
  const files = await py.mountNativeFS(PUZZLES, await root.getDirectoryHandle("cpfill", { create: true }));
  let writing = Promise.resolve();
  return () => (writing = writing.then(() => files.syncfs()));
}

/** @type {Promise<void> | null} */
let pdf = null;

/** Load what draws PDF, once, when one is asked for. @param {Python} py */
const loadPdf = (py) => (pdf ??= bytesOf(PDF).then((data) => py.unpackArchive(data, "zip", { extractDir: SITE })));

const ready = begin().catch((error) => {
  postMessage({ kind: "fault", text: error.message === "other_tab" ? "other_tab" : String(error.message ?? error) });
  return null;
});

/**
 * What the page says: the other side is `tab.js`.
 * @typedef {{kind: "ask", id: number, method: string, path: string, headers: object, body: Uint8Array}} Ask
 * @typedef {{kind: "abort", id: number}} Abort
 */

onmessage = async (/** @type {MessageEvent<Ask | Abort>} */ { data }) => {
  const engine = await ready;
  if (!engine) return;
  const { py, tab, keep } = engine;
  if (data.kind === "abort") {
    tab.abort(data.id);
    return;
  }
  const { id, method, path, headers, body } = data;
  if (path === "api/convert" && new TextDecoder().decode(body).includes('"to":"pdf"')) await loadPdf(py);
  /** @type {Reply} */
  const reply = (kind, status, pairs, bytes) => {
    if (kind === "start") return postMessage({ kind, id, status, headers: JSON.parse(pairs) });
    const buffer = bytes.getBuffer("u8"),
      part = buffer.data.slice();
    buffer.release();
    postMessage({ kind, id, body: part }, [part.buffer]);
  };
  try {
    await tab.answer(py.toPy({ id, method, path, headers }), py.toPy(body), reply);
    if (method !== "GET" && WRITES.test(path)) await keep(); // what is said to be saved is
  } finally {
    postMessage({ kind: "end", id });
  }
};
