// Serves a folder of static files to this computer alone, compressed, and prints its address.
//
//   node tools/playground-serve.mjs FOLDER [PORT]
//
// Without PORT the system chooses one.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { constants, createBrotliCompress, createGzip } from "node:zlib";

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
  ".wasm": "application/wasm", ".svg": "image/svg+xml", ".png": "image/png" };

// The file of an address, never above the folder; "": none.
function fileOf(folder, address) {
  try {
    const path = normalize(decodeURIComponent(new URL(address, "http://here").pathname)), file = join(folder, path.endsWith("/") ? path + "index.html" : path);
    return existsSync(file) && statSync(file).isFile() ? file : "";
  } catch (e) {
    return ""; // not an address
  }
}

/** Serves `folder`; returns { address, close }. */
export function serve(folder, port = 0) {
  const server = createServer((request, answer) => {
    const file = fileOf(folder, request.url);
    if (!file) {
      answer.writeHead(404, { "content-type": "text/plain" });
      return answer.end("not here\n");
    }
    const takes = request.headers["accept-encoding"] || "", packed = ["br", "gzip"].find(way => takes.includes(way));
    answer.writeHead(200, { "content-type": TYPES[extname(file)] || "application/octet-stream", "cache-control": "no-cache",
      ...(packed ? { "content-encoding": packed } : {}) });
    const text = createReadStream(file);
    const pack = { br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }), gzip: () => createGzip() }[packed];
    (pack ? text.pipe(pack()) : text).pipe(answer);
  });
  return new Promise((done, fail) => {
    server.on("error", fail);
    server.listen(port, "127.0.0.1", () => done({ address: `http://127.0.0.1:${server.address().port}/`,
      close: () => { server.closeAllConnections(); return new Promise(closed => server.close(closed)); } }));
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { address } = await serve(resolve(process.argv[2]), Number(process.argv[3] || 0));
  console.log(address);
}
