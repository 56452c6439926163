// doors: the menu of models, what is saved, the link, keys, files that are dropped; then the page begins.

// ---- dialogs ------------------------------------------------------------------------------------------

document.querySelectorAll("dialog").forEach(dialog => {
  dialog.querySelector(".close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", e => { if (e.target === dialog) dialog.close(); });
});

// ---- models -----------------------------------------------------------------------------------------------

function drawShelf() {
  const wanted = $("find").value.trim().toLowerCase();
  const fits = (...texts) => texts.join(" ").toLowerCase().includes(wanted);
  const item = (title, note, act) => el("li", {}, el("button", { type: "button", onclick: () => { $("models").close(); act(); } }, el("b", {}, title), note ? el("span", {}, note) : null));
  const group = (title, items) => items.length ? el("section", {}, el("h3", {}, title), el("ul", {}, ...items)) : null;
  const groups = [];
  groups.push(group("Stories", STORIES.filter(s => fits(s.title, s.name)).map(s => item(s.title, s.steps.length + " steps", () => openStory(s, 0)))));
  for (const shelf of drystoneModels.shelves) {
    const models = drystoneModels.models.filter(m => m.shelf === shelf.name && fits(m.title, m.path, shelf.title));
    groups.push(group(shelf.title, models.map(m => item(m.title, m.path.split("/").pop() + (m.refused ? " · the compiler refuses it, and says why" : ""), () => openModel(m)))));
  }
  const shown = groups.filter(Boolean);
  $("shelf").replaceChildren(...(shown.length ? shown : [el("p", { class: "note" }, "No model has that in its title.")]));
}
$("open-models").addEventListener("click", () => { $("find").value = ""; drawShelf(); $("models").showModal(); $("find").focus(); });
$("find").addEventListener("input", drawShelf);

// ---- save -----------------------------------------------------------------------------------------------------

const stem = () => state.name.replace(/\.dry$/, "") || "model";
async function asPng(dark) {
  const svg = await threads.run.ask("svg", { dark });
  const image = new Image(), url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  image.src = url;
  await image.decode();
  const canvas = el("canvas"), scale = 2;
  canvas.width = scale * image.naturalWidth;
  canvas.height = scale * image.naturalHeight;
  const pen = canvas.getContext("2d");
  pen.fillStyle = dark ? "#191d22" : "#ffffff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  return new Promise(done => canvas.toBlob(done, "image/png"));
}
const EXPORTS = [
  ["The model, .dry", async () => saveFile(stem() + ".dry", state.text, "text/plain")],
  ["Results, .csv", async () => saveFile(stem() + ".csv", await threads.run.ask("csv"), "text/csv")],
  ["Pictures, .svg", async () => saveFile(stem() + ".svg", await threads.run.ask("svg", {}), "image/svg+xml")],
  ["Pictures, .png", async () => saveFile(stem() + ".png", await asPng(false), "image/png")],
  ["Pictures, .pdf", async () => saveFile(stem() + ".pdf", await threads.run.ask("pdf"), "application/pdf")],
  ["The report, .html", async () => saveFile(stem() + ".html", await threads.run.ask("report"), "text/html")],
  ["Equations, .tex", async () => saveFile(stem() + ".tex", await threads.language.ask("latex", jobOf()), "text/x-tex")],
  ["C that needs nothing else, .zip", async () => saveFile(stem() + "-c.zip", zip(await threads.language.ask("exportC", jobOf())))],
  ["FMU of sources, FMI 2.0", async () => saveFile(stem() + ".fmu", await threads.language.ask("exportFmu", { ...jobOf(), version: 2 }), "application/octet-stream")],
  ["FMU of sources, FMI 3.0", async () => saveFile(stem() + ".fmu", await threads.language.ask("exportFmu", { ...jobOf(), version: 3 }), "application/octet-stream")],
];
$("save-menu").append(...EXPORTS.map(([title, act]) => el("button", { type: "button", role: "menuitem", tabindex: "-1", onclick: async () => {
  closeSave(true);
  try { await act(); } catch (e) { runs.say(title + ": " + e.message); }
} }, title)));
function closeSave(back) {
  $("save-menu").hidden = true;
  $("save").setAttribute("aria-expanded", "false");
  if (back) $("save").focus();
}
$("save").addEventListener("click", () => {
  if (!$("save-menu").hidden) return closeSave(false);
  $("save-menu").hidden = false;
  $("save").setAttribute("aria-expanded", "true");
  const box = $("save").getBoundingClientRect(), menu = $("save-menu");
  menu.style.left = Math.max(8, Math.min(box.left, innerWidth - menu.offsetWidth - 8)) + "px";
  menu.style.top = box.bottom + 4 + "px";
  menu.firstChild.focus();
});
$("save-menu").addEventListener("keydown", e => {
  const items = [...$("save-menu").children], at = items.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[e.key];
  if (to !== undefined) { e.preventDefault(); items[(to + items.length) % items.length].focus(); }
  if (e.key === "Escape") closeSave(true);
  if (e.key === "Tab") closeSave(false);
});
addEventListener("pointerdown", e => { if (!$("save-menu").hidden && !e.target.closest("#save-menu, #save")) closeSave(false); });

// ---- the link -------------------------------------------------------------------------------------------------

let written = "";
const saveAddress = later(300, async () => {
  const link = await linkOf(state);
  $("whole").href = link;
  if (document.documentElement.classList.contains("embed")) return;
  if (link === location.hash) return;
  written = link;
  try { history.replaceState(null, "", link); } catch (e) { location.hash = link; }
});
$("share").addEventListener("click", async () => {
  const link = location.href.replace(/#.*/, "") + await linkOf(state);
  $("link-text").value = link;
  $("copied").textContent = "";
  $("link-says").textContent = (local ? "This page was opened as a file: the link works on this computer. " : "It holds the text and the parameters; nothing is stored anywhere else. ") +
    (link.length > 8000 ? "It has " + link.length.toLocaleString("en") + " letters, which some programs cut off: save the model in place of it." : "");
  $("link").showModal();
  $("link-text").select();
});
$("copy").addEventListener("click", async () => {
  $("link-text").select();
  try { await navigator.clipboard.writeText($("link-text").value); } catch (e) { document.execCommand("copy"); }
  $("copied").textContent = "copied";
});

async function openLink() {
  let asked;
  try {
    asked = await readLink(location.hash);
  } catch (e) {
    openModel(modelByPath("hello"));
    runs.say(e.message);
    sayAfterRun = e.message;
    return;
  }
  document.documentElement.classList.toggle("embed", Boolean(asked.embed));
  const more = { parameters: asked.parameters, inputs: asked.inputs, method: asked.method || "" };
  if (asked.story) {
    const step = asked.story.steps[asked.step];
    openModel(modelByPath(asked.story.model), { ...more, parameters: location.hash.includes("p.") ? asked.parameters : step.set, story: asked.story, step: asked.step });
  } else if (asked.text !== undefined) open({ name: asked.name || "model.dry", text: asked.text, files: asked.files, ...more });
  else openModel(asked.model || modelByPath("hello"), more);
}
let sayAfterRun = "";
runs.onrun(async () => { if (sayAfterRun) { runs.say(sayAfterRun); sayAfterRun = ""; } });
addEventListener("hashchange", () => { if (location.hash !== written) openLink(); });

// ---- files, keys, width ---------------------------------------------------------------------------------------

$("open-file").addEventListener("click", () => $("file").click());
$("file").addEventListener("change", async () => { await take([...$("file").files]); $("file").value = ""; });
let hovers = 0;
addEventListener("dragenter", e => { if (e.dataTransfer?.types.includes("Files")) { hovers++; $("drop").hidden = false; } });
addEventListener("dragleave", () => { if (hovers && !--hovers) $("drop").hidden = true; });
addEventListener("dragover", e => { if (e.dataTransfer?.types.includes("Files")) e.preventDefault(); });
addEventListener("drop", e => {
  hovers = 0;
  $("drop").hidden = true;
  if (!e.dataTransfer?.files.length) return;
  e.preventDefault();
  take([...e.dataTransfer.files]);
});

$("run").addEventListener("click", run);
$("stop").addEventListener("click", () => { runs.stop(); $("run").focus(); });
addEventListener("keydown", e => {
  if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) { e.preventDefault(); run(); }
  if (e.key === "s" && (e.ctrlKey || e.metaKey)) { e.preventDefault(); EXPORTS[0][1](); }
  if (e.key === "Escape" && runs.busy && !document.querySelector("dialog[open]")) runs.stop();
});

const widthTo = percent => {
  const now = Math.max(20, Math.min(70, Math.round(percent)));
  document.documentElement.style.setProperty("--left", now + "%");
  $("divider").setAttribute("aria-valuenow", String(now));
};
$("divider").addEventListener("pointerdown", e => {
  e.preventDefault();
  $("divider").setPointerCapture(e.pointerId);
  document.documentElement.classList.add("dragging");
});
$("divider").addEventListener("pointermove", e => { if ($("divider").hasPointerCapture(e.pointerId)) widthTo(100 * e.clientX / innerWidth); });
$("divider").addEventListener("pointerup", () => document.documentElement.classList.remove("dragging"));
$("divider").addEventListener("keydown", e => {
  const by = { ArrowLeft: -2, ArrowRight: 2 }[e.key];
  if (by) { e.preventDefault(); widthTo(+$("divider").getAttribute("aria-valuenow") + by); }
});

// ---- the page begins --------------------------------------------------------------------------------------------

if ("serviceWorker" in navigator && location.protocol.startsWith("http"))
  addEventListener("load", () => navigator.serviceWorker.register("sw.js").catch(() => { /* it works without, while there is a network */ }));
openLink();
