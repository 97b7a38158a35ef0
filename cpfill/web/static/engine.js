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
 * @property {{writeFile: (path: string, data: Uint8Array) => void, unmount: (at: string) => void}} FS
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
async function bytesOf(name) {
  const response = await fetch(urlOf(name)).catch(() => null);
  if (!response?.ok) throw new Error("not_loaded");
  return response.arrayBuffer();
}

async function begin() {
  const [app, kept, { loadPyodide }] = await Promise.all([
    bytesOf(APP),
    findMemory(),
    import(urlOf(`${PYODIDE}pyodide.mjs`)),
  ]);
  /** @type {Python} */
  const py = await loadPyodide({ _loadSnapshot: kept ?? (await makeMemory(loadPyodide, app)) });
  unpack(py, app); // what is imported later
  await beAlone();
  await mountOwn(py).catch(() => postMessage({ kind: "unkept" })); // puzzles stay in memory
  const tab = py.pyimport("cpfill.web.tab").Tab(PUZZLES);
  return { py, tab };
}

/** @param {Python} py @param {ArrayBuffer} archive */
const unpack = (py, archive) => py.unpackArchive(archive, "zip", { extractDir: SITE });

// To start Python and import cpfill takes seconds; to load the memory of a Python that has done so, tenths of one.
const MEMORY = "cpfill-memory";

/** Return the memory that an earlier visit left, if this browser keeps any. */
async function findMemory() {
  const found = await globalThis.caches
    ?.open(MEMORY)
    .then((cache) => cache.match(urlOf(APP)))
    .catch(() => null); // some private windows refuse
  return found && new Uint8Array(await found.arrayBuffer());
}

/**
 * Return the memory of a Python that has imported cpfill, which is kept for the next visit in place of any other.
 * @param {(how: object) => Promise<Python>} loadPyodide @param {ArrayBuffer} app
 */
async function makeMemory(loadPyodide, app) {
  const py = await loadPyodide({ env: { HOME: PUZZLES, XDG_CONFIG_HOME: `${PUZZLES}/.config` }, _makeSnapshot: true });
  unpack(py, app);
  py.runPython(`import sys; sys.path.insert(0, "${SITE}"); from cpfill.web.tab import Tab`);
  const memory = py.makeMemorySnapshot();
  keepMemory(memory).catch(() => {}); // there may be no room
  return memory;
}

/** @param {Uint8Array<ArrayBuffer>} memory */
async function keepMemory(memory) {
  if (!globalThis.caches) return;
  await caches.delete(MEMORY);
  const cache = await caches.open(MEMORY);
  await cache.put(urlOf(APP), new Response(memory));
}

/** Refuse to run in a second tab: each would write over the files of the other. */
async function beAlone() {
  const alone = await new Promise((resolve) => {
    if (!navigator.locks) return resolve(true);
    const held = navigator.locks.request("cpfill", { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock && new Promise(() => {}); // held until the tab is closed
    });
    held.catch(() => resolve(true)); // some private windows refuse, and have no files either
  });
  if (!alone) throw new Error("other_tab");
}

/** Keep the puzzles in the browser's own files; fails where the browser has none or lets none be written. @param {Python} py */
async function mountOwn(py) {
  if (!FileSystemFileHandle.prototype.createWritable) throw new Error();
  const root = await navigator.storage.getDirectory();
  await mount(py, await root.getDirectoryHandle("cpfill", { create: true }));
}

/** Writes the files back that changed. @type {() => Promise<void>} */
let keep = async () => {};

/** Have a folder as the directory of puzzles. @param {Python} py @param {FileSystemDirectoryHandle} folder */
async function mount(py, folder) {
  const files = await py.mountNativeFS(PUZZLES, folder);
  let writing = Promise.resolve();
  keep = () => (writing = writing.catch(() => {}).then(() => files.syncfs()));
}

/** Have another folder in its place. @param {Python} py @param {FileSystemDirectoryHandle} folder */
async function change(py, folder) {
  await keep();
  py.FS.unmount(PUZZLES);
  await mount(py, folder);
}

/** What was loaded beside cpfill itself, or is on its way. @type {Map<string, Promise<void>>} */
const loaded = new Map();

/** Load a file once, and have it taken in; one that could not be loaded is tried again when it is next asked for. */
function load(/** @type {string} */ name, /** @type {(data: ArrayBuffer) => void} */ take) {
  const before = loaded.get(name);
  if (before) return before;
  const now = bytesOf(name).then(take);
  loaded.set(name, now);
  now.catch(() => loaded.delete(name));
  return now;
}

/**
 * Load what a question takes: the word lists that it names, of which most people need one, and what draws PDF.
 * @param {Python} py @param {string} path @param {string} question
 */
function loadFor(py, path, question) {
  const lists = Object.entries(LISTS).filter(([name]) => question.includes(`"${name}"`));
  const file = (/** @type {string} */ name) => `${SITE}/cpfill/words/packaged/${name}.txt.gz`;
  const drawn = path.startsWith("api/convert") && question.includes('"to":"pdf"');
  return Promise.all([
    ...lists.map(([name, url]) => load(url, (data) => py.FS.writeFile(file(name), new Uint8Array(data)))),
    ...(drawn ? [load(PDF, (data) => unpack(py, data))] : []),
  ]);
}

const ready = begin().catch((error) => {
  postMessage({ kind: "fault", text: error.message === "other_tab" ? "other_tab" : String(error.message ?? error) });
  return null;
});

/**
 * What the page says: the other side is `tab.js`.
 * @typedef {{kind: "ask", id: number, method: string, path: string, headers: object, body: Uint8Array}} Ask
 * @typedef {{kind: "abort", id: number}} Abort
 * @typedef {{kind: "folder", id: number, folder: FileSystemDirectoryHandle}} Folder
 */

onmessage = async (/** @type {MessageEvent<Ask | Abort | Folder>} */ { data }) => {
  const engine = await ready;
  if (!engine) return;
  const { py, tab } = engine;
  if (data.kind === "abort") {
    tab.abort(data.id);
    return;
  }
  if (data.kind === "folder") {
    const said = await change(py, data.folder).then(
      () => ({ kind: "start", id: data.id, status: 200, headers: [] }),
      (error) => ({ kind: "failed", id: data.id, text: error.message }),
    );
    postMessage(said);
    return;
  }
  const { id, method, path, headers, body } = data;
  const writes = method !== "GET" && WRITES.test(path);
  /** @type {object[]} */
  const held = [];
  /** Answer; that something is saved is said when it is. @param {object} message @param {Transferable[]} moved */
  const say = (message, moved = []) => (writes ? held.push(message) : postMessage(message, moved));
  /** @type {Reply} */
  const reply = (kind, status, pairs, bytes) => {
    if (kind === "start") return say({ kind, id, status, headers: JSON.parse(pairs) });
    const buffer = bytes.getBuffer("u8"),
      part = buffer.data.slice();
    buffer.release();
    say({ kind, id, body: part }, [part.buffer]);
  };
  try {
    if (method === "POST") await loadFor(py, path, new TextDecoder().decode(body));
    await tab.answer(py.toPy({ id, method, path, headers }), py.toPy(body), reply);
    if (writes) await keep();
    for (const message of held) postMessage(message);
    postMessage({ kind: "end", id });
  } catch (error) {
    postMessage({ kind: "failed", id, text: error instanceof Error ? error.message : String(error) });
  }
};
