// Puts the playground together: a folder of static files that works served, offline after the first visit, and opened as a file.
//
//   node tools/playground.mjs DRYSTONE ENGINE FOLDER
//
// DRYSTONE is the command, whose words the editor colours; ENGINE the folder with drystone.wasm and drystone-classic.js. Models
// come from models/, style and script of the page from web/playground and src/report. Prints the bytes of each part.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { startPage } from "./playground-start.mjs";

const [drystone, engine, folder] = process.argv.slice(2);
const read = path => readFileSync(path, "utf8");
const source = "web/playground";

// ---- the models ---------------------------------------------------------------------------------------

function modelsIn(dir) {
  return readdirSync(dir, { withFileTypes: true }).sort((a, b) => a.name < b.name ? -1 : 1).flatMap(entry =>
    entry.isDirectory() ? modelsIn(join(dir, entry.name)) : entry.name.endsWith(".dry") ? [join(dir, entry.name)] : []);
}
// Files that the text names: { "as it writes them": path }. Large ones are scripts of their own, which a page opened as a file may load, too.
const LARGE = 50e3;
const data = new Map(), large = new Map();
function filesOf(path, text) {
  const files = {};
  for (const [, name] of text.replace(/#[^\n]*/g, "").matchAll(/"([^"\n]+\.(?:csv|dry))"/g)) {
    const file = normalize(join(dirname(path), name)), own = relative("models", file);
    if (!existsSync(file)) continue;
    files[name] = own;
    if (statSync(file).size > LARGE) large.set(own, "data/" + own.replace(/\W+/g, "-") + ".js"); else data.set(own, read(file));
  }
  return files;
}
// The shelves in the order of the menu; a paper's name is the title of its folder in the gallery.
const SHELVES = [
  ["hello", "Start here", /^hello$/], ["classics", "Classics", /^classics\//], ["measured", "Measured data", /^measured\//],
  ["xiong2013", "Xiong, Kikuuwe, Yamamoto 2013", /^papers\/xiong2013\//], ["xiong2012", "Xiong, Kikuuwe, Yamamoto 2012", /^papers\/xiong2012\//],
  ["xiong-dissertation", "Xiong's dissertation, 2013", /^papers\/xiong-dissertation\//],
  ["kikuuwe2008", "Kikuuwe, Yamamoto 2008", /^papers\/kikuuwe2008\//], ["glowinski2004", "Glowinski and others 2004", /^papers\/glowinski2004\//],
  ["stories", "Of the stories", /^stories\//], ["others", "Others", /./],
];
// The engine of a page reads no URDF.
const models = modelsIn("models").filter(file => !/"[^"\n]+\.urdf"/.test(read(file))).map(file => {
  const path = relative("models", file).replace(/\.dry$/, ""), text = read(file);
  const title = (/^\s*model\s+\w+\s+"([^"]*)"/m.exec(text) || [, path])[1];
  const shelf = SHELVES.find(([, , pattern]) => pattern.test(path))[0];
  return { path, file: relative("models", file), shelf, title, refused: path.includes("/refused/") || undefined, text, files: filesOf(file, text) };
});
const shelves = SHELVES.map(([name, title]) => ({ name, title })).filter(s => models.some(m => m.shelf === s.name));
const words = execFileSync(drystone, ["lsp", "--words"], { encoding: "utf8" }).trim().split("\n").map(line => {
  const [kind, , text, form, meaning] = line.split("\t");
  return [kind, text, form, meaning];
});

// ---- the files ------------------------------------------------------------------------------------------

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const served = new Map();
const put = (name, content) => { writeFileSync(join(folder, name), content); served.set(name, Buffer.from(content)); };

const script = readdirSync(join(source, "js")).sort().map(f => read(join(source, "js", f))).join("\n");
const worker = read(join(engine, "drystone-classic.js")) + "\n" + read(join(source, "worker.js"));
const wasm = readFileSync(join(engine, "drystone.wasm"));
put("drystone.wasm", wasm);
put("worker.js", worker);
put("models.js", "globalThis.drystoneModels = " + JSON.stringify({ shelves, models, words, data: Object.fromEntries(data), large: Object.fromEntries(large) }) + ";\n");
put("playground.css", read("src/report/page.css") + read(join(source, "playground.css")));
// Opened as a file, the page may not fetch: then it takes the module and the worker from a script.
put("playground.js", "(async function () {\n\"use strict\";\nif (location.protocol === \"file:\") await new Promise(done => {\n" +
  "  const script = document.createElement(\"script\");\n  script.src = \"file.js\";\n  script.onload = done;\n  document.head.append(script);\n});\n" +
  script + "\n})();\n");
put("index.html", read(join(source, "index.html")));
const version = createHash("sha256");
for (const [name, content] of served) version.update(name).update(content);
put("sw.js", "const VERSION = \"" + version.digest("hex").slice(0, 16) + "\", FILES = " + JSON.stringify(["./", ...served.keys()]) + ";\n" + read(join(source, "sw.js")));
writeFileSync(join(folder, "file.js"), "globalThis.drystoneInlined = " + JSON.stringify({ wasm: wasm.toString("base64"), worker }) + ";\n");

// What comes only when it is opened.
const rest = new Map([["start.html", startPage("docs/start.md", read("src/report/page.css"))]]);
for (const [own, name] of large) rest.set(name, "drystoneModels.data[" + JSON.stringify(own) + "] = " + JSON.stringify(read(join("models", own))) + ";\n");
if (large.size) mkdirSync(join(folder, "data"));
for (const [name, content] of rest) writeFileSync(join(folder, name), content);

// ---- their bytes ------------------------------------------------------------------------------------------

const MOST = 700e3;
const sizesOf = content => [content.length, brotliCompressSync(content).length, gzipSync(content, { level: 9 }).length];
const show = (name, [bytes, brotli, gzip]) => console.log(name.padEnd(32) + String(bytes).padStart(9) + " bytes, compressed" + String(brotli).padStart(8) +
  " (brotli)" + String(gzip).padStart(8) + " (gzip)");
const all = [0, 0, 0];
for (const [name, content] of served) {
  const sizes = sizesOf(content);
  show(name, sizes);
  sizes.forEach((n, i) => { all[i] += n; });
}
show("in all, with " + models.length + " models", all);
for (const [name, content] of rest) show(name + ", when opened", sizesOf(Buffer.from(content)));
console.log("file.js, for the page as a file".padEnd(32) + String(statSync(join(folder, "file.js")).size).padStart(9) + " bytes");
if (all[1] > MOST) {
  console.error("playground: the served form has more than " + MOST + " bytes");
  process.exit(1);
}
