// engine: workers that hold an engine each, and can be ended in the middle of a run.

const LONGEST_RUN = 120;             // s, after which a run is ended

// The module, once for all workers. A page that was opened as a file has its bytes and the worker in scripts.
const local = globalThis.drystoneInlined;
let compiled = null;
function theModule() {
  if (!compiled) compiled = local ? WebAssembly.compile(Uint8Array.from(atob(local.wasm), c => c.charCodeAt(0)))
    : fetch("drystone.wasm").then(answer => {
      if (!answer.ok) throw new Error("drystone.wasm: " + answer.status + " " + answer.statusText);
      return answer.arrayBuffer();
    }).then(bytes => WebAssembly.compile(bytes));
  return compiled;
}
let workerAddress = "";
function newWorker() {
  if (!local) return new Worker("worker.js");
  if (!workerAddress) workerAddress = URL.createObjectURL(new Blob([local.worker], { type: "text/javascript" }));
  return new Worker(workerAddress);
}

class EngineError extends Error {
  constructor(e) { super(e.text); Object.assign(this, e); }
}

// A thread with an engine. ask() resolves to the value, or throws an EngineError; kind "ended" after end().
class Thread {
  constructor() { this.count = 0; this.open = new Map(); this.worker = null; }

  async begin() {
    const worker = this.worker = newWorker();
    worker.onmessage = ({ data }) => {
      const job = this.open.get(data.id);
      if (!job) return;
      if (data.progress !== undefined) { if (job.progress) job.progress(data.progress); return; }
      this.open.delete(data.id);
      if (data.error) job.fail(new EngineError(data.error)); else job.done(data.value);
    };
    worker.onerror = e => { e.preventDefault(); this.end("the engine stopped: " + (e.message || "it could not be loaded"), "engine"); };
    const module = await theModule();
    if (this.worker !== worker) return;
    this.engine = await this.post("start", { module });
  }

  post(task, job, progress) {
    return new Promise((done, fail) => {
      const id = ++this.count;
      this.open.set(id, { done, fail, progress });
      this.worker.postMessage({ ...job, id, task });
    });
  }

  async ask(task, job = {}, progress) {
    if (!this.worker) this.ready = this.begin();
    await this.ready;
    if (!this.worker) throw new EngineError({ text: "stopped", kind: "ended", messages: [] });
    return this.post(task, job, progress);
  }

  // Ends the worker; what was asked fails. The next ask() begins another one.
  end(text = "stopped", kind = "ended") {
    if (this.worker) this.worker.terminate();
    this.worker = null;
    const open = [...this.open.values()];
    this.open.clear();
    open.forEach(job => job.fail(new EngineError({ text, kind, messages: [] })));
  }
}

const threads = { run: new Thread(), language: new Thread(), background: new Thread() };
