// Keeps the files of a site, so that it opens without a network; made complete by `cpfill site`.

/** The worker itself, of a kind of its own. */
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/** The caches of this site: another site of the same host has its own. */
const OWN = `${worker.registration.scope} `;
const VERSION = `${OWN}{version}`;
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
    Promise.all(names.filter((name) => name !== VERSION && name.startsWith(OWN)).map((name) => caches.delete(name)));
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

/** A folder whose name has the digest of its content. */
const LASTING = /-[0-9a-f]{12}\//;

// Files of a lasting folder come from the cache. Others are asked for anew, and come from it where there is no network.
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  if (request.url.endsWith("/ended")) return event.respondWith(Response.json(ended.splice(0)));
  const kept = () => caches.match(request, { ignoreSearch: true });
  const instead = async () => {
    const start = request.mode === "navigate" && (await caches.match("./"));
    return start ? Response.redirect("./") : Response.error();
  };
  event.respondWith(
    LASTING.test(request.url)
      ? kept().then((found) => found ?? fetch(request))
      : fetch(request).catch(async () => (await kept()) ?? instead()),
  );
});
