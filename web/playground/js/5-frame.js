// frame: the page of a report in a frame of its own. Its script takes other runs by messages (docs/report.md), so that a slider needs
// no new page; what `inside` does is all that the playground adds to it.

// This function runs in the frame, after the script of the page.
function inside() {
  const size = () => parent.postMessage({ high: Math.ceil(document.body.getBoundingClientRect().height) }, "*");
  new ResizeObserver(size).observe(document.body);
  addEventListener("message", ({ data, source }) => { if (source === parent && data && data.turn) parent.postMessage({ drawn: data.turn }, "*"); });
  size();
}

// What the playground shows elsewhere is not shown in the frame.
const FRAME_STYLE = `
html, body { background: transparent; } body { padding: 0 .15rem 1px; overflow: hidden; } main { padding: 0; max-width: none; }
.how, .prose, .message, #equations, #parameters, #text, #command, footer, nav { display: none !important; }
h1 { font-size: 1.25rem; margin: .2rem 0 .6rem; } h2 { margin-top: 1.6rem; }`;

const frame = (function () {
  const place = $("frame");
  let box = null, loaded = null, shown = "", turn = 0, waiting = new Map(), kept = [], inFrame = 0;

  addEventListener("message", ({ data, source }) => {
    if (!box || source !== box.contentWindow || typeof data !== "object" || !data) return;
    if (typeof data.high === "number") box.style.height = Math.min(30000, Math.max(80, data.high)) + "px";
    if (waiting.has(data.drawn)) { waiting.get(data.drawn)(); waiting.delete(data.drawn); }
  });

  // Resolves when the frame has drawn it.
  function tell(message) {
    const now = ++turn, drawn = new Promise(done => { waiting.set(now, done); setTimeout(done, 2000); });
    box.contentWindow.postMessage({ ...message, turn: now }, "*");
    return drawn;
  }

  function build(page) {
    const at = page.lastIndexOf("</body>"), head = page.indexOf("</style>");
    box = el("iframe", { sandbox: "allow-scripts", title: "The run: curves, phases, checks and measures" });
    loaded = new Promise(done => box.addEventListener("load", done, { once: true }));
    box.srcdoc = page.slice(0, head) + FRAME_STYLE + page.slice(head, at) + "<script>(" + inside + ")();</script>" + page.slice(at);
    place.replaceChildren(box);
    inFrame = 0;
  }

  return {
    // A run in the frame. key: what has to be the same as before so that the frame can stay; report(): the whole page.
    async show(run, key, report, steady) {
      const anew = key !== shown || !box;
      if (anew) { build(await report()); shown = key; }
      await loaded;
      if (inFrame !== kept.length) {
        tell({ drystone: "forget" });
        for (const k of kept) { tell({ drystone: "refresh", data: k.data }); tell({ drystone: "keep", name: k.name }); }
        inFrame = kept.length;
      } else if (anew) return;
      await tell({ drystone: "refresh", data: run.data, options: { steady: Boolean(steady) } });
    },
    // The runs that stay, pale, behind those that are shown next: [{ name, data }].
    set kept(list) { kept = list; inFrame = -1; },
    get kept() { return kept; },
    fade(on) { if (box) box.classList.toggle("old", on); },
    set title(text) { if (box) box.title = text; },
  };
})();
