// Keeps the files of the page, so that it opens without a network; made complete by `cpfill site`.

const VERSION = "{version}";
const FILES = ["{files}"];

addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(VERSION)
      .then((cache) => cache.addAll(FILES))
      .then(() => self.skipWaiting()),
  );
});

addEventListener("activate", (event) => {
  const old = (names) => Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name)));
  event.waitUntil(
    caches
      .keys()
      .then(old)
      .then(() => self.clients.claim()),
  );
});

// What was kept comes first: a name has the digest of its content. The page itself is asked for anew, if there is a network.
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  const kept = () => caches.match(request, { ignoreSearch: true });
  event.respondWith(
    request.mode === "navigate"
      ? fetch(request).catch(() => caches.match("./"))
      : kept().then((found) => found ?? fetch(request)),
  );
});
