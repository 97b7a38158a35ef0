// The worker that has cpfill in it: Python in WebAssembly, and the puzzles in the browser's own file system.

import { APP, DEFINITIONS, LISTS, PARTS, PDF, PYODIDE } from "./parts.js"; // made by `cpfill site`

const PUZZLES = "/puzzles";
const SITE = "/site";
/** Requests about files; all but GET may change them. */
const FILES = /^api\/(puzzles|lists|words|archive)\b/;

/**
 * What is used of Pyodide, and of `cpfill.web.tab`.
 * @typedef {object} Python
 * @property {{config: {_loadSnapshot: unknown}}} _api
 * @property {(code: string) => void} runPython
 * @property {() => Uint8Array<ArrayBuffer>} makeMemorySnapshot
 * @property {(value: unknown) => unknown} toPy
 * @property {(name: string) => {Tab: (directory: string) => Tab}} pyimport
 * @property {{writeFile: (path: string, data: Uint8Array, how?: object) => void, mkdirTree: (at: string) => void,
 *   mount: (kind: Native, from: {fileSystemHandle: FileSystemDirectoryHandle}, at: string) => {mount: object},
 *   filesystems: {NATIVEFS_ASYNC: Native}, analyzePath: (path: string) => {exists: boolean}}} FS
 *
 * @typedef {{syncfs: (mount: object, read: boolean, then: (error: unknown) => void) => void}} Native
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
  const app = bytesOf(APP).then(inflate);
  const [kept, { loadPyodide }] = await Promise.all([findMemory(), import(urlOf(`${PYODIDE}pyodide.mjs`))]);
  const memory = kept ? new Uint8Array(await kept.arrayBuffer()) : await makeMemory(loadPyodide, await app),
    createPyodideModule = (/** @type {object} */ settings) => makeModule(settings, memory.length);
  /** @type {Python} */
  const py = await loadPyodide({ _loadSnapshot: memory, createPyodideModule });
  py._api.config._loadSnapshot = null; // Python has a copy
  if (kept) memory.buffer.transfer?.(0); // WebKit would keep this one for long
  unpack(py, await app); // what is imported later
  const use = await mountOwn(py).catch(() => null);
  return { py, keeps: Boolean(use), own: makePlace(py, PUZZLES, use ?? ((work) => work())) }; // or they stay in memory
}

/** Return the module of Pyodide with room for a memory, for which it makes none itself (its issue 6254). */
async function makeModule(/** @type {object} */ settings, /** @type {number} */ size) {
  const { default: create } = await import(urlOf(`${PYODIDE}pyodide.asm.mjs`)),
    module = await create(settings);
  if (module.HEAP8.length < size) module.growMemory(size);
  return module;
}

/** @param {ArrayBuffer} packed */
const inflate = (packed) =>
  new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();

/** Put files where Python finds them; the first line has their sizes, by name. @param {Python} py @param {ArrayBuffer} files */
function unpack(py, files) {
  const data = new Uint8Array(files),
    start = data.indexOf(10);
  let at = start + 1,
    folder = "";
  for (const [name, size] of Object.entries(JSON.parse(new TextDecoder().decode(data.subarray(0, start))))) {
    const path = `${SITE}/${name}`,
      own = path.slice(0, path.lastIndexOf("/"));
    if (own !== folder) py.FS.mkdirTree((folder = own));
    py.FS.writeFile(path, data.subarray(at, (at += size)), { canOwn: true });
  }
}

// To start Python and import cpfill takes seconds; to load the memory of a Python that has done so, tenths of one.
const MEMORY = "cpfill-memory";
const memoryUrl = new URL("memory", urlOf(APP)).href;

/** Return the memory that an earlier visit left, if this browser keeps any. */
const findMemory = async () =>
  globalThis.caches
    ?.open(MEMORY)
    .then((cache) => cache.match(memoryUrl))
    .catch(() => null); // some private windows refuse

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

/** Keep the memory in place of all that another version left. @param {Uint8Array<ArrayBuffer>} memory */
async function keepMemory(memory) {
  if (!globalThis.caches) return;
  const cache = await caches.open(MEMORY),
    own = [...Object.values(LISTS), ...Object.values(DEFINITIONS), PDF].map(urlOf);
  for (const kept of await cache.keys()) if (!own.includes(kept.url)) await cache.delete(kept);
  await keepPart(memoryUrl, memory);
}

/** Keep what this version loaded or made. @param {string} url @param {BufferSource} data */
const keepPart = async (url, data) => (await caches.open(MEMORY)).put(url, new Response(data));

/**
 * A directory of puzzles.
 * @typedef {(work: () => Promise<void>, writes: boolean) => Promise<void>} Use
 * @typedef {{tab: Tab, use: Use}} Place
 */

/** @param {Python} py @param {string} at @param {Use} use @returns {Place} */
const makePlace = (py, at, use) => ({ tab: py.pyimport("cpfill.web.tab").Tab(at), use });

/** Keep the puzzles in the browser's own files; fails where the browser has none or lets none be written. @param {Python} py */
async function mountOwn(py) {
  if (!FileSystemFileHandle.prototype.createWritable) throw new Error();
  const root = await navigator.storage.getDirectory();
  return mount(py, await root.getDirectoryHandle("cpfill", { create: true }), PUZZLES, false);
}

/** The folders of the users that tabs have opened. @type {(Place & {folder: FileSystemDirectoryHandle})[]} */
const places = [];
let mounts = 0,
  finding = /** @type {Promise<Place | void>} */ (Promise.resolve());

/** Return the place of a folder of the user's. @param {Python} py @param {FileSystemDirectoryHandle} folder */
function findPlace(py, folder) {
  const found = finding.then(async () => {
    for (const each of places) if (await each.folder.isSameEntry(folder)) return each;
    const at = `/folders/${++mounts}/${folder.name}`, // one that could not be read stays
      place = { ...makePlace(py, at, await mount(py, folder, at, true)), folder };
    places.push(place);
    return place;
  });
  finding = found.catch(() => {});
  return found;
}

/**
 * Have a folder at a path of Python's. Returns what does something with its files, one thing after another, and writes
 * back what that changed. Where others change files too, they are read anew before: what is not known would be deleted.
 * @param {Python} py @param {FileSystemDirectoryHandle} folder @param {string} at @param {boolean} shared @returns {Promise<Use>}
 */
async function mount(py, folder, at, shared) {
  const native = py.FS.filesystems.NATIVEFS_ASYNC;
  py.FS.mkdirTree(at);
  const { mount } = py.FS.mount(native, { fileSystemHandle: folder }, at);
  /** @type {(read: boolean) => Promise<void>} */
  const sync = (read) =>
    new Promise((done, fail) => native.syncfs(mount, read, (error) => (error ? fail(error) : done())));
  let turn = sync(true),
    failed = false;
  const write = async () => {
    if (failed) await tidy(py, folder, at);
    failed = true;
    await sync(false);
    failed = false;
  };
  // Where there is no room, the memory of Python makes way for the puzzles.
  const forget = async () => (await caches.open(MEMORY)).delete(memoryUrl);
  const makeRoom = () =>
    forget()
      .catch(() => {})
      .then(write);
  await turn;
  return (work, writes) => {
    const done = turn.then(async () => {
      if (shared && !failed) await sync(true);
      await work();
      if (writes) await write().catch(makeRoom);
    });
    turn = done.catch(() => {});
    return done;
  };
}

/**
 * Delete what has gone, and what lack of room left empty: `syncfs` writes before it deletes, and only what is newer.
 * @param {Python} py @param {FileSystemDirectoryHandle} folder @param {string} at
 */
async function tidy(py, folder, at) {
  for await (const entry of folder.values()) {
    const path = `${at}/${entry.name}`,
      gone = !py.FS.analyzePath(path).exists;
    if (gone || (entry.kind === "file" && !(await entry.getFile()).size))
      await folder.removeEntry(entry.name, { recursive: true });
    else if (entry.kind === "directory") await tidy(py, entry, path);
  }
}

/** What was loaded beside cpfill itself, or is on its way. @type {Map<string, Promise<unknown>>} */
const loaded = new Map();

/**
 * Load a file once, have it taken in, and keep it for when there is no network; one that could not be loaded is tried
 * again when it is next asked for.
 */
function load(/** @type {string} */ name, /** @type {(data: ArrayBuffer) => unknown} */ take) {
  const before = loaded.get(name);
  if (before) return before;
  const now = bytesOf(name).then((data) => {
    keepPart(urlOf(name), data).catch(() => {}); // there may be no room
    return take(data);
  });
  loaded.set(name, now);
  now.catch(() => loaded.delete(name));
  return now;
}

/**
 * Return the languages of a question about clues, those of the lists that it names, of which there are definitions.
 * @param {string[]} lists
 */
function languagesOf(lists) {
  const named = lists.length ? lists : ["en"];
  return new Set(named.map((name) => name.split("-")[0]).filter((language) => language in DEFINITIONS));
}

/**
 * Load what a question takes: the word lists that it names, of which most people need one, definitions, and what draws
 * PDF.
 * @param {Python} py @param {string} path @param {string} question
 */
function loadFor(py, path, question) {
  const named = Object.keys(PARTS).filter((name) => question.includes(`"${name}"`));
  const parts = new Set(named.flatMap((name) => PARTS[name]));
  const file = (/** @type {string} */ name) => `${SITE}/cpfill/words/packaged/${name}.txt.gz`;
  const definitions = (/** @type {string} */ language) => `${SITE}/cpfill/puzzle/clues/packed/${language}.txt.gz`;
  const looked = path.startsWith("api/clues") ? [...languagesOf(named)] : [];
  const drawn = path.startsWith("api/convert") && question.includes('"to":"pdf"');
  return Promise.all([
    ...[...parts].map((part) => load(LISTS[part], (data) => py.FS.writeFile(file(part), new Uint8Array(data)))),
    ...looked.map((language) =>
      load(DEFINITIONS[language], (data) => py.FS.writeFile(definitions(language), new Uint8Array(data))),
    ),
    ...(drawn ? [load(PDF, async (data) => unpack(py, await inflate(data)))] : []),
  ]);
}

/** How long nothing is asked before what may be asked for later is kept. */
const QUIET_MS = 3000;
/** What is kept for when there is no network. @type {Set<string>} */
const ready = new Set();
let quiet = 0;

/** Keep, once nothing is asked, what a question may take; not where bytes are dear. */
function keepLater() {
  clearTimeout(quiet);
  const { connection } = /** @type {{connection?: {saveData?: boolean}}} */ (/** @type {unknown} */ (navigator));
  if (!connection?.saveData) quiet = setTimeout(keepRest, QUIET_MS);
}

/** Keep one file after another, as long as nothing is asked. */
async function keepRest() {
  for (const name of [PDF, ...Object.values(LISTS)]) {
    if (underway.size) return; // its end begins anew
    if (ready.has(name)) continue;
    try {
      if (!(await caches.match(urlOf(name)))) await keepPart(urlOf(name), await bytesOf(name));
      ready.add(name);
    } catch {
      return; // there is no network, or no room
    }
  }
}

/**
 * What the page says: the other side is `tab.js`. The numbers of two tabs differ.
 * @typedef {{kind: "ask", id: number, method: string, path: string, headers: object, body: Uint8Array,
 *   heard: boolean, folder: FileSystemDirectoryHandle | null, from?: string}} Ask
 * @typedef {{kind: "abort", id: number}} Abort
 */

// One tab has the files, for two would write over each other's. It answers what the others ask; when it is closed, or
// one of them takes them from it, another starts cpfill in its place. Locks say which tabs are there, whatever they are
// busy with.

const others = new BroadcastChannel(APP);
const PATIENCE_MS = 5000;
/** The lock of a tab that starts cpfill. */
const STARTING = "cpfill starting";
/** The lock that this tab has while it is there. */
const HERE = `cpfill ${Math.random()}`;
/** Resolves when it has it. @type {Promise<void>} */
const here = new Promise((have) => {
  const keep = () => (have(), new Promise(() => {}));
  navigator.locks?.request(HERE, keep).catch(() => {}); // see `claim`
});
/** Cpfill, where this tab has the files. @type {ReturnType<typeof begin> | null} */
let engine = null;
/** What this tab has asked another: null once the answer has begun. @type {Map<number, Ask | null>} */
const asked = new Map();
/** What is being answered, and by whom. @type {Map<number, Tab | null>} */
const underway = new Map();

/** Start cpfill, and answer as long as this tab has the files. */
async function hold() {
  const starting = (engine = begin());
  navigator.locks?.request(STARTING, () => starting).catch(() => {});
  askAgain((each) => answer(each, self));
  asked.clear();
  others.postMessage({ kind: "again" });
  try {
    if ((await starting).keeps) await new Promise(() => {});
    postMessage({ kind: "unkept" }); // there is nothing that tabs could share
  } catch (error) {
    postMessage({ kind: "fault", text: error instanceof Error ? error.message : String(error) });
  }
}

/** Have the files as soon as no other tab has them, or at once. @param {LockOptions} [how] */
async function claim(how = {}) {
  try {
    await navigator.locks.request("cpfill", how, hold);
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") postMessage({ kind: "lost" });
    else hold(); // some private windows refuse, and have no files either
  }
}
claim();

onmessage = (/** @type {MessageEvent<Ask | Abort | {kind: "take"}>} */ { data }) => {
  if (data.kind === "take") claim({ steal: true });
  else if (engine) answer(data, self);
  else askOther(data);
};

/** @param {Ask | Abort} data */
async function askOther(data) {
  const { id } = data;
  if (data.kind === "abort") {
    asked.delete(id);
    return others.postMessage(data);
  }
  const ask = { ...data, from: HERE };
  asked.set(id, ask);
  await here;
  if (asked.get(id)) others.postMessage(ask);
  while (asked.get(id)) {
    await new Promise((wake) => setTimeout(wake, PATIENCE_MS));
    const { held = [] } = await navigator.locks.query();
    if (asked.get(id) && !held.some(({ name }) => name === STARTING)) return postMessage({ kind: "silent" });
  }
}

/** Ask again what is not answered yet; what was half answered has failed. @param {(ask: Ask) => void} how */
function askAgain(how) {
  for (const [id, ask] of asked) ask ? how(ask) : postMessage({ kind: "failed", id, text: "moved" });
}

others.onmessage = ({ data }) => {
  const { kind, id } = data;
  if (engine) {
    if (kind === "ask" || kind === "abort") answer(data, others);
  } else if (kind === "again") {
    askAgain((each) => others.postMessage(each));
  } else if (asked.has(id)) {
    postMessage(data);
    if (kind === "start") asked.set(id, null);
    else if (kind !== "part") asked.delete(id);
  }
};

/** End an answer. @param {number} id */
function end(id) {
  underway.get(id)?.abort(id);
  underway.delete(id);
}

/** @param {Ask | Abort} data @param {{postMessage: (message: object, moved: Transferable[]) => void}} to */
async function answer(data, to) {
  const found = await engine?.catch(() => null);
  if (!found || (to === others && !found.keeps)) return;
  if (data.kind === "abort") return end(data.id);
  const { py, own } = found,
    { id, method, path, headers, body, heard, folder, from } = data;
  if (underway.has(id)) return; // it was asked again
  underway.set(id, null);
  const files = FILES.test(path),
    writes = files && method !== "GET",
    over = new AbortController();
  // Its tab has closed as soon as its lock is free.
  if (from && !writes) navigator.locks.request(from, { signal: over.signal }, () => end(id)).catch(() => {});
  /** @type {object[]} */
  const held = [];
  /** Answer; that something is saved is said when it is. @param {object} message @param {Transferable[]} moved */
  const say = (message, moved = []) => (writes ? held.push(message) : to.postMessage(message, moved));
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
    // The personal list is in none of the folders.
    const { tab, use } = folder && !path.startsWith("api/words") ? await findPlace(py, folder) : own;
    if (!underway.has(id)) return; // it was ended meanwhile
    underway.set(id, tab);
    const work = () => tab.answer(py.toPy({ id, method, path, headers, heard }), py.toPy(body), reply);
    await (files ? use(work, writes) : work());
    for (const message of held) to.postMessage(message, []);
    to.postMessage({ kind: "end", id }, []);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: "", message: String(error) };
    to.postMessage({ kind: "failed", id, text: name === "QuotaExceededError" ? "no_space" : message }, []);
  } finally {
    over.abort();
    underway.delete(id);
    keepLater();
  }
}
