/* editor: an editor's session with the language server, message by message. */
import { DrystoneError, Handle, noMemory } from "./core.js";

/** Offsets of a text, and positions of the protocol: lines and UTF-16 units from 0. */
function positionAt(text, offset) {
    const before = text.slice(0, offset), line = before.split("\n").length - 1;
    return { line, character: before.length - (before.lastIndexOf("\n") + 1) };
}
function offsetAt(text, { line, character }) {
    let at = 0;
    for (let i = 0; i < line; i++) {
        const end = text.indexOf("\n", at);
        if (end < 0) return text.length;
        at = end + 1;
    }
    return Math.min(at + character, text.length);
}

export class Editor {
    #core;
    #handle;
    #root;
    #path;
    #id = 0;
    #said = [];
    #text = null;
    #version = 0;

    constructor(core, root, path) {
        this.#core = core;
        this.#root = root;
        this.#path = path;
        this.#begin();
    }
    /** Also after the engine had to begin anew: the server keeps nothing but texts. */
    #begin() {
        const instance = this.#core.living();
        const at = this.#core.call(instance, (c) => c.dry_web_editor_new());
        if (at === 0) throw noMemory();
        this.#handle = new Handle(instance, at, "dry_lsp_free").watch(this);
        this.request("initialize", { capabilities: {} });
        this.notify("initialized", {});
        if (this.#text !== null) this.#open();
    }
    #open() {
        this.notify("textDocument/didOpen", { textDocument: { uri: this.uri, languageId: "drystone", version: ++this.#version, text: this.#text } });
    }

    get uri() {
        return `file:///${encodeURI(this.#path)}`;
    }

    #send(message) {
        if (this.#handle.instance.dead) this.#begin();
        const instance = this.#handle.instance;
        instance.files.root = this.#root;
        return this.#core.call(instance, (c, keep) => {
            const text = instance.putText(JSON.stringify({ jsonrpc: "2.0", ...message })), at = this.#handle.address();
            instance.messages = [];
            c.dry_lsp_take(at, keep(text.at), text.length);
            c.dry_lsp_settle(at);
            return instance.messages.map((said) => JSON.parse(said));
        });
    }
    request(method, params) {
        const id = ++this.#id;
        let answer;
        for (const said of this.#send({ id, method, params })) {
            if (said.id === id) answer = said;
            else this.#said.push({ method: said.method, params: said.params });
        }
        if (!answer) throw noMemory();
        if (answer.error) throw new DrystoneError("argument", `${method}: ${answer.error.message}`);
        return answer.result;
    }
    notify(method, params) {
        for (const said of this.#send({ method, params })) this.#said.push({ method: said.method, params: said.params });
    }
    notifications() {
        return this.#said.splice(0);
    }

    /* ---- one text ---- */

    set(text) {
        const first = this.#text === null;
        this.#text = String(text);
        this.notifications();
        if (first) this.#open();
        else
            this.notify("textDocument/didChange", { textDocument: { uri: this.uri, version: ++this.#version },
                contentChanges: [{ text: this.#text }] });
        const said = this.notifications().filter((one) => one.method === "textDocument/publishDiagnostics");
        return said.length ? said[said.length - 1].params.diagnostics : [];
    }
    #ask(method, more) {
        if (this.#text === null) throw new DrystoneError("argument", "there is no text: call set(text) first");
        return this.request(`textDocument/${method}`, { textDocument: { uri: this.uri }, ...more });
    }
    complete(offset) {
        const result = this.#ask("completion", { position: positionAt(this.#text, offset) });
        return result ? result.items || result : [];
    }
    hover(offset) {
        const result = this.#ask("hover", { position: positionAt(this.#text, offset) });
        return result && result.contents ? result.contents.value || String(result.contents) : "";
    }
    fixes(from, to) {
        const range = { start: positionAt(this.#text, from), end: positionAt(this.#text, to) };
        const edit = ({ range: at, newText }) => ({ from: offsetAt(this.#text, at.start), to: offsetAt(this.#text, at.end), text: newText });
        return (this.#ask("codeAction", { range, context: { diagnostics: [] } }) || []).map((action) =>
            ({ title: action.title, edits: Object.values(action.edit.changes).flat().map(edit) }));
    }
    outline() {
        return this.#ask("documentSymbol", {}) || [];
    }
    free() {
        this.#handle.end();
    }
}
