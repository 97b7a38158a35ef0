// The worker that has cpfill in it: Python in WebAssembly, and the puzzles in the browser's own file system.

import { APP, LISTS, PDF, PYODIDE } from "./parts.js"; // made by `cpfill site`

const PUZZLES = "/puzzles";
const SITE = "/site";
/** Requests after which files are another. */
const WRITES = /^api\/(puzzles|lists|words)\b/;

const urlOf = (name) => new URL(name, import.meta.url).href;
const bytesOf = async (name) => (await fetch(urlOf(name))).arrayBuffer();

async function begin() {
  const [app, kept, { loadPyodide }] = await Promise.all([
    bytesOf(APP),
    findMemory(),
    import(urlOf(`${PYODIDE}pyodide.mjs`)),
  ]);
  const py = await loadPyodide({ _loadSnapshot: kept ?? (await makeMemory(loadPyodide, app)) });
  unpack(py, app); // what is imported later
  const keep = await mount(py);
  const tab = py.pyimport("cpfill.web.tab").Tab(PUZZLES);
  return { py, tab, keep };
}

const unpack = (py, archive) => py.unpackArchive(archive, "zip", { extractDir: SITE });

// To start Python and import cpfill takes seconds; to load the memory of a Python that has done so, tenths of one.
const MEMORY = "cpfill-memory";

/** Return the memory that an earlier visit left, if this browser keeps any. */
async function findMemory() {
  const found = await globalThis.caches?.open(MEMORY).then((cache) => cache.match(urlOf(APP)));
  return found && new Uint8Array(await found.arrayBuffer());
}

/** Return the memory of a Python that has imported cpfill, which is kept for the next visit in place of any other. */
async function makeMemory(loadPyodide, app) {
  const py = await loadPyodide({ env: { HOME: PUZZLES, XDG_CONFIG_HOME: `${PUZZLES}/.config` }, _makeSnapshot: true });
  unpack(py, app);
  py.runPython(`import sys; sys.path.insert(0, "${SITE}"); from cpfill.web.tab import Tab`);
  const memory = py.makeMemorySnapshot();
  keepMemory(memory).catch(() => {}); // there may be no room
  return memory;
}

async function keepMemory(memory) {
  if (!globalThis.caches) return;
  await caches.delete(MEMORY);
  const cache = await caches.open(MEMORY);
  await cache.put(urlOf(APP), new Response(memory));
}

/** Mount the browser's files; returns what writes them back. Another tab would write over them: it is refused. */
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

let pdf = null;

/** The word lists that are there, or on their way. @type {Map<string, Promise<void>>} */
const lists = new Map();

/** Load the lists that a question names: most people need one. */
function loadLists(py, question) {
  for (const [name, url] of Object.entries(LISTS)) {
    if (lists.has(name) || !question.includes(`"${name}"`)) continue;
    const write = (data) => py.FS.writeFile(`${SITE}/cpfill/words/packaged/${name}.txt.gz`, new Uint8Array(data));
    lists.set(name, bytesOf(url).then(write));
  }
  return Promise.all(lists.values());
}

/** Load what draws PDF, once, when one is asked for. */
const loadPdf = (py) => (pdf ??= bytesOf(PDF).then((data) => unpack(py, data)));

const ready = begin().catch((error) => {
  postMessage({ kind: "fault", text: error.message === "other_tab" ? "other_tab" : String(error.message ?? error) });
  return null;
});

onmessage = async ({ data }) => {
  const engine = await ready;
  if (!engine) return;
  const { py, tab, keep } = engine;
  if (data.kind === "abort") {
    tab.abort(data.id);
    return;
  }
  const { id, method, path, headers, body } = data;
  if (method === "POST") {
    const question = new TextDecoder().decode(body);
    await loadLists(py, question);
    if (path === "api/convert" && question.includes('"to":"pdf"')) await loadPdf(py);
  }
  const writes = method !== "GET" && WRITES.test(path);
  const held = [];
  /** Answer; that something is saved is said when it is. */
  const say = (message, moved = []) => (writes ? held.push(message) : postMessage(message, moved));
  const reply = (kind, status, pairs, bytes) => {
    if (kind === "start") return say({ kind, id, status, headers: JSON.parse(pairs) });
    const buffer = bytes.getBuffer("u8"),
      part = buffer.data.slice();
    buffer.release();
    say({ kind, id, body: part }, [part.buffer]);
  };
  try {
    await tab.answer(py.toPy({ id, method, path, headers }), py.toPy(body), reply);
    if (writes) await keep();
    for (const message of held) postMessage(message);
    postMessage({ kind: "end", id });
  } catch (error) {
    postMessage({ kind: "failed", id, text: String(error.message ?? error) });
  }
};
