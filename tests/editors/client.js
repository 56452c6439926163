// The extension with the real client and the real server, and a stand-in for the editor: client.js DRYSTONE FOLDER
"use strict";
const path = require("path");
const Module = require("module");
const [drystone, folder] = process.argv.slice(2).map((name) => path.resolve(name));

// Of the editor only what is there to be asked when the client loads and starts; any other name is a class or a function
// that does nothing.
const nothing = () => new Proxy(class {}, {
  get: (of, name) => (name in of ? of[name] : name === Symbol.toPrimitive ? () => "" : nothing()),
  apply: () => nothing(),
});
const shown = [];
const event = () => ({ dispose() {} });
const emitter = class {
  constructor() { this.event = event; }
  fire() {}
  dispose() {}
};
const disposable = class {
  constructor(end) { this.dispose = end || (() => {}); }
  static from() { return new disposable(); }
};
const position = class { constructor(line, character) { this.line = line; this.character = character; } };
const range = class { // of two positions, or of the four numbers in them
  constructor(a, b, c, d) {
    this.start = c === undefined ? a : new position(a, b);
    this.end = c === undefined ? b : new position(c, d);
  }
};
const diagnostic = class { constructor(where, message) { this.range = where; this.message = message; } };
const uri = { parse: (text) => ({ toString: () => text, scheme: "file", fsPath: text }), file: (text) => uri.parse("file://" + text) };
const text = 'x = 1\ny = z_1\n';
const document = {
  uri: uri.parse("file:///nowhere/a.dry"), languageId: "drystone", version: 1, fileName: "/nowhere/a.dry",
  getText: () => text, isClosed: false,
};
let heard;
const published = new Promise((resolve) => (heard = resolve));
const vscode = new Proxy({
  Uri: uri, EventEmitter: emitter, Disposable: disposable, Range: range, Position: position, Diagnostic: diagnostic,
  version: "1.82.0", env: { appName: "test", language: "en" },
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  CancellationTokenSource: class { constructor() { this.token = { isCancellationRequested: false, onCancellationRequested: event }; } cancel() {} dispose() {} },
  commands: { registerCommand: () => new disposable(), executeCommand: async () => {} },
  window: new Proxy({
    showWarningMessage: (...words) => shown.push(words[0]), showErrorMessage: (...words) => shown.push(words[0]),
    createOutputChannel: () => ({ append() {}, appendLine() {}, clear() {}, show() {}, dispose() {}, name: "" }),
    onDidChangeActiveTextEditor: event, onDidChangeVisibleTextEditors: event, visibleTextEditors: [], activeTextEditor: undefined,
    tabGroups: { onDidChangeTabs: event, onDidChangeTabGroups: event, all: [] },
  }, { get: (of, name) => (name in of ? of[name] : event) }),
  workspace: new Proxy({
    getConfiguration: () => ({ get: (key) => (key === "path" ? drystone : undefined), inspect: () => undefined }),
    createFileSystemWatcher: () => ({ onDidCreate: event, onDidChange: event, onDidDelete: event, dispose() {} }),
    textDocuments: [document], notebookDocuments: [], workspaceFolders: undefined,
  }, { get: (of, name) => (name in of ? of[name] : event) }),
  languages: new Proxy({
    match: (selector, d) => (d.languageId === "drystone" ? 10 : 0),
    createDiagnosticCollection: () => ({
      set: (where, rows) => { if (rows && rows.length) heard(rows); }, delete() {}, clear() {}, dispose() {},
    }),
  }, { get: (of, name) => (name in of ? of[name] : () => new disposable()) }),
}, { get: (of, name) => (name in of ? of[name] : (of[name] = nothing())) });

const load = Module._load;
Module._load = (name, ...more) => (name === "vscode" ? vscode : load(name, ...more));

async function main() {
  const extension = require(path.join(folder, "extension.js"));
  await extension.activate({ subscriptions: [] });
  const rows = await Promise.race([published, new Promise((_, fail) => setTimeout(() => fail(new Error("no message in 20 s; " + shown)), 20000))]);
  const found = rows.find((row) => /z_1/.test(row.message));
  if (!found || found.range.start.line !== 1 || found.range.start.character !== 4) throw new Error("wrong message: " + JSON.stringify(rows));
  await extension.deactivate();
}
main().then(() => process.exit(0), (error) => { console.error(error, shown); process.exit(1); });
