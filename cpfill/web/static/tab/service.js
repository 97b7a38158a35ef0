// Keeps the files of the page, so that it opens without a network; made complete by `cpfill site`.

/** The worker itself, of a kind of its own. */
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const VERSION = "{version}";
/** What `engine.js` keeps: memory, and what it loads when it is asked for. */
const MEMORY = "cpfill-memory";
const FILES = ["{files}"];

worker.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(VERSION)
      .then((cache) => cache.addAll(FILES))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", (event) => {
  /** @param {string[]} names */
  const old = (names) =>
    Promise.all(names.filter((name) => name !== VERSION && name !== MEMORY).map((name) => caches.delete(name)));
  event.waitUntil(
    caches
      .keys()
      .then(old)
      .then(() => worker.clients.claim()),
  );
});

/** The requests that the page ended: an engine that cannot be suspended asks for them while it works. @type {number[]} */
const ended = [];
worker.addEventListener("message", ({ data }) => ended.push(data));

// What was kept comes first: a name has the digest of its content. The page itself is asked for anew, if there is a network.
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  if (request.url.endsWith("/ended")) return event.respondWith(Response.json(ended.splice(0)));
  const kept = () => caches.match(request, { ignoreSearch: true });
  event.respondWith(
    request.mode === "navigate"
      ? fetch(request).catch(async () => (await caches.match("./")) ?? Response.error())
      : kept().then((found) => found ?? fetch(request)),
  );
});
