// sw: keeps the files of this version, so that the page works without a network. VERSION and FILES are written by the build.
"use strict";
const CACHE = "drystone-" + VERSION;
addEventListener("install", e => e.waitUntil(caches.open(CACHE)
  .then(cache => cache.addAll(FILES.map(f => new Request(f, { cache: "reload" })))).then(() => skipWaiting())));
addEventListener("activate", e => e.waitUntil(caches.keys()
  .then(keys => Promise.all(keys.filter(k => k.startsWith("drystone-") && k !== CACHE).map(k => caches.delete(k)))).then(() => clients.claim())));
addEventListener("fetch", e => {
  if (e.request.method !== "GET" || new URL(e.request.url).origin !== location.origin) return;
  e.respondWith(caches.open(CACHE).then(async cache => {
    const kept = await cache.match(e.request, { ignoreSearch: true });
    if (kept) return kept;
    const fresh = await fetch(e.request); // a table of a model, which stays from now on
    if (fresh.ok) await cache.put(e.request, fresh.clone());
    return fresh;
  }));
});
