// Uses the playground in headless Chromium as a reader would: served, without a network, as a file, on a phone, by keyboard.
//
//   node tests/web/playground.mjs PLAYGROUND SCREENSHOTS
//
// Prints TAP. playwright-core is looked for in the folder DRY_NPM, where tools/web-test.sh has put it.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { serve } from "../../tools/playground-serve.mjs";

const { chromium } = createRequire(resolve(process.env.DRY_NPM, "here.js"))("playwright-core");
const [site, shots] = process.argv.slice(2).map(p => resolve(p));
let checks = 0, wrong = 0;
function check(name, good, found = "") {
  checks++;
  if (!good) wrong++;
  console.log(`${good ? "ok" : "not ok"} ${checks} - ${name}${good || found === "" ? "" : `: ${found}`}`);
}

const executablePath = process.env.CHROMIUM || "/usr/bin/chromium";
const browser = await chromium.launch({
  executablePath,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync"],
});
const server = await serve(site);
const home = server.address;
const scratch = mkdtempSync(join(tmpdir(), "playground-"));
mkdirSync(shots, { recursive: true });

// A page with its first result that collects what it should not do: errors, words on the console, what it fetches elsewhere.
async function open(hash = "", { runs = 1, address = home, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.faults = [];
  // What a browser without a graphics card says about its own drawing, when a screenshot reads it, is not a word of the page.
  page.on("console", m => { if (!/GL Driver Message/.test(m.text())) page.faults.push(m.text()); });
  page.on("pageerror", e => page.faults.push(String(e)));
  page.on("dialog", d => { page.faults.push("dialog: " + d.message()); d.dismiss(); });
  page.on("request", r => { if (!r.url().startsWith(address.replace(/index\.html$/, "")) && !/^(data|blob|about):/.test(r.url())) page.faults.push("fetches " + r.url()); });
  await page.goto(address + hash);
  await atRun(page, runs);
  return page;
}
const close = page => page.context().close();
const runsOf = page => page.evaluate(() => Number(document.documentElement.dataset.runs || 0));
async function atRun(page, n) {
  await page.waitForFunction(n => Number(document.documentElement.dataset.runs || 0) >= n, n).catch(async () => {
    throw new Error(`run ${n} does not come, at ${await runsOf(page)}: ${await status(page)}; ${await page.locator("#messages").textContent()}; ${page.faults.join("; ")}`);
  });
}
// Does something that makes a run, and waits for its result.
async function andRuns(page, work) {
  const before = await runsOf(page);
  await work();
  await atRun(page, before + 1);
}
const shoot = (page, name, options = {}) => page.screenshot({ path: `${shots}/playground-${name}.png`, ...options });
const inFrame = page => page.frames().find(f => f !== page.mainFrame() && f.parentFrame() === page.mainFrame());
const curvesIn = page => inFrame(page).$$eval("path.curve", p => p.map(c => c.getAttribute("d") || ""));
const status = page => page.locator("#status").textContent();
// The number of a measure in the page of the run.
const measure = (page, name) => inFrame(page).$$eval("#measures tbody tr", (rows, name) =>
  parseFloat(rows.find(r => r.querySelector("code").textContent === name).querySelector(".number").textContent.replace("−", "-").replace(/\s*·\s*10/, "e")), name);
const text = page => page.locator("#text").inputValue();
const overflow = page => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
const slide = (page, name, value) => page.locator("#knob-" + name).evaluate((e, v) => { e.value = v; e.dispatchEvent(new Event("input", { bubbles: true })); }, value);
async function write(page, text) {
  await page.locator("#text").fill(text);
}
const silent = (page, what) => check(`${what}: nothing on the console, nothing fetched elsewhere`, page.faults.length === 0, page.faults.slice(0, 4).join("; "));

const BLOCK = `model block "A block"
param m = 2 [kg], F = 1 [N] in 0.5..3, push = 2 [N]
state x = 0 [m], v = 0 [m/s]
f in F*sgn(v)
x' = v
m*v' = push - f
run until = 2 [s], step = 1 [ms], method = rk4
plot x
measure way = final(x)
expect way = (push - F)/m*2 +- 1e-2
`;

// ---- the first result --------------------------------------------------------------------------------

const page = await open();
console.log(`# load to first result: ${await page.evaluate(() => document.documentElement.dataset.first)} ms`);
await page.waitForTimeout(1500);
await slide(page, "M", 100);
for (let k = 101; k < 160; k++) { await slide(page, "M", k); await page.waitForTimeout(16); }
await page.waitForFunction(() => document.querySelector("#run").hidden === false);
console.log(`# hello, 60 moves: ${await page.evaluate(() => document.documentElement.dataset.drag)} ms from a move to its curve (median)`);
await andRuns(page, () => page.locator(".knob.set .back").first().click());
check("the page begins with hello", (await text(page)).includes("model block"));
check("and shows its curves", (await curvesIn(page)).filter(d => /L/.test(d)).length >= 2);
check("its checks are met", /1 of 1/.test(await page.locator("#badges").textContent()));
await page.waitForSelector("#trust .badge.good");
check("a badge says how far it can be trusted", /trusted to/.test(await page.locator("#trust").textContent()));
await shoot(page, "hello");

// ---- a slider ------------------------------------------------------------------------------------------

await page.goto(home + "#story=ball/1");
await page.waitForFunction(() => document.title.startsWith("A ball"));
await page.waitForSelector("#knob-e");
await page.waitForFunction(() => !document.querySelector("#story").hidden);
const still = JSON.stringify(await curvesIn(page));
await andRuns(page, () => slide(page, "e", 250));
check("a slider changes the curves", JSON.stringify(await curvesIn(page)) !== still);
const e = Number(await page.locator("#knobs .knob").filter({ has: page.locator("#knob-e") }).locator(".number").inputValue());
check("and its number", e > 0.4 && e < 0.65, e);
// The bounce is h e^2, whatever e: read it from the page's own table, to 5 mm.
const bounce = await measure(page, "bounce");
check("the ball bounces to h e^2", Math.abs(bounce - e * e) < 5e-3, `${bounce}, e = ${e}`);
const box = await page.locator("#knob-e").boundingBox(), before = await runsOf(page);
await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
await page.mouse.down();
for (let k = 0; k < 40; k++) await page.mouse.move(box.x + box.width * (0.3 + 0.015 * k), box.y + box.height / 2);
await page.mouse.up();
await page.waitForFunction(() => document.querySelector("#run").hidden === false);
await page.waitForTimeout(100);
const many = await runsOf(page) - before;
check("a drag runs many times on its way", many >= 8, many);
console.log(`# a drag of 40 moves: ${many} runs of 50,000 steps, ${await page.evaluate(() => document.documentElement.dataset.drag)} ms from a move to its curve (median)`);
await andRuns(page, () => page.locator(".knob.set .back").first().click());
check("a parameter goes back to the text's value", Math.abs(Number(await page.locator(".knob .number").first().inputValue()) - 0.8) < 1e-9);
await shoot(page, "story-ball");
silent(page, "hello and a story");
await close(page);

// ---- an error at its place, and what mends it ------------------------------------------------------------

const faulty = await open();
await andRuns(faulty, () => write(faulty, BLOCK));
await write(faulty, BLOCK.replace("push - f", "pusch - f"));
await faulty.waitForSelector(".messages .error");
check("an error is said with its line", /line 6/.test(await faulty.locator(".messages .place").first().textContent()));
check("its line is marked", await faulty.locator(".lines .error").textContent() === "6");
check("and its word", await faulty.locator(".layer .mark.error").first().textContent() === "pusch");
await faulty.waitForSelector("iframe.old");
check("the curves before it stay, pale", await faulty.locator("iframe.old").count() === 1);
await shoot(faulty, "error");
await andRuns(faulty, () => faulty.locator(".messages .fix").first().click());
check("a click mends it", (await text(faulty)) === BLOCK, await text(faulty));
check("and no error is left", await faulty.locator(".messages .error").count() === 0 && await faulty.locator("iframe.old").count() === 0);
await faulty.locator("#text").focus();
await faulty.keyboard.press("Control+z");
check("the mending can be undone", (await text(faulty)).includes("pusch"));
silent(faulty, "errors");
await close(faulty);

// ---- writing: completion and meanings ----------------------------------------------------------------------

const writer = await open();
await andRuns(writer, () => write(writer, BLOCK));
await writer.locator("#text").focus();
await writer.keyboard.press("Control+End");
await writer.keyboard.type("mea");
await writer.waitForSelector("#offers:not([hidden]) li");
check("words are offered", (await writer.locator("#offers li b").allTextContents()).includes("measure"));
await shoot(writer, "completion");
await writer.keyboard.press("Enter");
check("and taken", (await text(writer)).trimEnd().endsWith("measure"), (await text(writer)).slice(-20));
await andRuns(writer, () => write(writer, BLOCK));
const at = await writer.evaluate(() => {
  const area = document.querySelector("#text"), box = area.getBoundingClientRect(), style = getComputedStyle(area);
  const rows = area.value.split("\n"), row = rows.findIndex(l => l.startsWith("param"));
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = style.font;
  return { x: box.left + parseFloat(style.paddingLeft) + (rows[row].indexOf("F =") + 0.5) * pen.measureText("0").width, y: box.top + parseFloat(style.paddingTop) + (row + 0.5) * parseFloat(style.lineHeight) };
});
await writer.mouse.move(at.x, at.y);
await writer.waitForSelector(".tip:not([hidden])");
check("a name says what it means when pointed at", /value 1 \[N\]/.test(await writer.locator(".tip").textContent()), await writer.locator(".tip").textContent());
silent(writer, "writing");
await close(writer);

// ---- stop --------------------------------------------------------------------------------------------------

const long = await open();
await write(long, BLOCK.replace("until = 2 [s]", "until = 1e5 [s], record = 100 [s]"));
await long.waitForSelector("#stop:not([hidden])");
await long.waitForFunction(() => /t = /.test(document.querySelector("#status").textContent));
check("a long run says how far it is", /running: t = /.test(await status(long)));
await shoot(long, "running");
await long.locator("#stop").click();
await long.waitForFunction(() => document.querySelector("#stop").hidden);
check("and can be stopped", /stopped/.test(await status(long)), await status(long));
await andRuns(long, () => write(long, BLOCK).then(() => long.locator("#run").click()));
check("the next run works", /1 of 1|0 of 1/.test(await long.locator("#badges").textContent()));
await write(long, BLOCK.replace("until = 2 [s]", "until = 1e5 [s]"));
await long.locator("#run").click();
await long.waitForFunction(() => /million numbers/.test(document.querySelector("#status").textContent));
check("a record that is too large is refused, with a way out", /write record =/.test(await status(long)), await status(long));
await andRuns(long, () => write(long, "model blow \"It blows up\"\nstate x = 1\nx' = x^2*1 [1/s]\nrun until = 2 [s], step = 1 [ms]\nplot x\n").then(() => long.locator("#run").click()));
check("a run that fails is shown until there, with the reason", /ended early, at 1\.\d+ s/.test(await long.locator("#badges").textContent()) && /infinite/.test(await status(long)) &&
  (await curvesIn(long)).some(d => /L/.test(d)), await status(long));
silent(long, "long runs");
await close(long);

// ---- permalinks ------------------------------------------------------------------------------------------------

const sender = await open();
await andRuns(sender, () => write(sender, BLOCK + "# äöü 日本\n"));
await andRuns(sender, () => slide(sender, "F", 200));
await sender.waitForFunction(() => /p\.F=/.test(location.hash));
const link = await sender.evaluate(() => location.href), sent = await measure(sender, "way");
await sender.locator("#share").click();
await sender.waitForSelector("#link[open]");
check("the link is shown", await sender.locator("#link-text").inputValue() === link);
await shoot(sender, "share");
await close(sender);
const receiver = await open(link.slice(home.length));
check("a link brings the text", (await text(receiver)) === BLOCK + "# äöü 日本\n");
check("its parameters and so its numbers", await measure(receiver, "way") === sent && Math.abs(sent - 0.5) < 1e-2, `${await measure(receiver, "way")} and ${sent}`);
await close(receiver);
const cut = await open(link.slice(home.length).replace(/z=[^&]*/, "z=AAAA"));
check("a damaged link says so", /damaged/.test(await status(cut)), await status(cut));
silent(cut, "links");
await close(cut);
const short = await open("#model=classics/bouncing-ball&p.e=0.5");
check("a short link opens a model with its parameters", Math.abs(Number(await short.locator(".knob.set .number").first().inputValue()) - 0.5) < 1e-9);
await close(short);
const evil = await open("#text=" + encodeURIComponent(`model x "<img src=x onerror=parent.owned=1><script>owned=1</script>"\nstate a = 1\na' = -a*1 [1/s]\nrun until = 1 [s], step = 1 [ms]\nplot a\nmeasure b = final(a)\n`));
await evil.locator("#tab-math").click();
await evil.waitForSelector("#pane-math math");
check("markup in a link stays text", await evil.evaluate(() => window.owned === undefined) && await inFrame(evil).$$eval("h1 *", x => x.length) === 0);
silent(evil, "a hostile link");
await close(evil);

// ---- a table for an input -----------------------------------------------------------------------------------------

const PUSHED = BLOCK.replace(", push = 2 [N]", "").replace("f in", "input push = 0 [N]\nf in").replace(/expect.*\n/, "");
const dropped = await open();
await andRuns(dropped, () => write(dropped, PUSHED));
check("an input waits for a table", /drop a \.csv/.test(await dropped.locator("#inputs").textContent()));
const drop = (name, content) => dropped.evaluate(([name, content]) => {
  const bag = new DataTransfer();
  bag.items.add(new File([content], name));
  for (const type of ["dragenter", "dragover", "drop"]) document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: bag }));
}, [name, content]);
await andRuns(dropped, () => drop("hand.csv", "t,push\n0,3\n1,3\n2,3\n"));
check("a dropped table drives it", await dropped.locator("#input-push").inputValue() === "hand.csv:push");
const way = await measure(dropped, "way");
check("the block goes (push - F)/m t^2/2", Math.abs(way - 2) < 1e-2, way);
await andRuns(dropped, () => drop("other.dry", BLOCK));
check("a dropped model opens", (await text(dropped)) === BLOCK && await dropped.locator("#file-name").textContent() === "other.dry");
silent(dropped, "dropped files");
await close(dropped);

// ---- what can be saved ------------------------------------------------------------------------------------------------

const saver = await open("#model=classics/bouncing-ball");
async function save(item) {
  const started = saver.waitForEvent("download");
  await saver.locator("#save").click();
  await saver.getByRole("menuitem", { name: item }).click();
  const file = await started, path = join(scratch, file.suggestedFilename());
  await file.saveAs(path);
  return { name: file.suggestedFilename(), bytes: readFileSync(path) };
}
const begins = (file, ...codes) => codes.every((c, i) => file.bytes[i] === c);
await saver.locator("#save").click();
await shoot(saver, "save");
await saver.keyboard.press("Escape");
const dry = await save("The model");
check("saves the model", dry.name === "bouncing-ball.dry" && String(dry.bytes) === await text(saver));
const csv = String((await save("Results")).bytes);
check("saves the results", /^t.*,y/.test(csv) && csv.split("\n").length > 1000, csv.slice(0, 80));
const svg = String((await save(".svg")).bytes);
check("saves pictures as SVG", /<svg/.test(svg) && /<\/svg>\s*$/.test(svg));
const png = await save(".png");
check("as PNG", begins(png, 0x89, 0x50, 0x4e, 0x47) && png.bytes.length > 5000, png.bytes.length);
writeFileSync(`${shots}/playground-export.png`, png.bytes);
check("as PDF", begins(await save(".pdf"), 0x25, 0x50, 0x44, 0x46));
const report = await save("The report");
check("saves the report", String(report.bytes).startsWith("<!DOCTYPE html>"));
check("saves the equations", /\\begin/.test(String((await save(".tex")).bytes)));
const c = await save("C that needs");
check("saves C as a zip archive", begins(c, 0x50, 0x4b, 3, 4) && c.bytes.includes(Buffer.from(".c")) && c.bytes.includes(Buffer.from("#include")));
for (const version of ["2.0", "3.0"]) {
  const fmu = await save("FMI " + version);
  check(`saves an FMU of FMI ${version}`, begins(fmu, 0x50, 0x4b, 3, 4) && fmu.bytes.includes(Buffer.from("modelDescription.xml")));
}
writeFileSync(join(scratch, "saved.html"), report.bytes);
const again = await browser.newPage();
await again.goto(pathToFileURL(join(scratch, "saved.html")).href);
check("the saved report shows its curves", (await again.$$eval("path.curve", p => p.filter(x => /L/.test(x.getAttribute("d"))).length)) >= 2);
await again.context().close();
silent(saver, "saving");
await close(saver);

// ---- kept curves, equations, methods -------------------------------------------------------------------------------------

const keeper = await open("#model=hello");
const alone = (await curvesIn(keeper)).length;
await andRuns(keeper, () => keeper.locator("#keep").click());
await andRuns(keeper, () => slide(keeper, "M", 400));
check("kept curves stay behind the new ones", (await curvesIn(keeper)).length > alone);
await shoot(keeper, "kept");
await andRuns(keeper, () => keeper.locator("#keep").click());
check("and go again", (await curvesIn(keeper)).length === alone);
await keeper.locator("#tab-math").click();
await keeper.waitForSelector("#pane-math math");
const halves = await keeper.$$eval(".math-half", h => h.map(x => x.getBoundingClientRect()));
check("the inclusion and the equation stand side by side", halves.length === 2 && halves[1].left > halves[0].left && Math.abs(halves[1].top - halves[0].top) < 5);
await shoot(keeper, "equations");
await keeper.locator("#tab-methods").click();
await andRuns(keeper, () => keeper.locator("#pane-methods button.main").click());
const rows = await keeper.$$eval("#pane-methods tbody tr", r => r.map(x => x.textContent));
check("methods run side by side", rows.length === 3 && rows.every(r => /\d/.test(r)), rows.join("; "));
await shoot(keeper, "methods");
await keeper.locator("#tab-run").click();
await inFrame(keeper).waitForSelector("path.ghost");
check("their curves are kept", (await curvesIn(keeper)).length > alone);
await shoot(keeper, "methods-curves");
silent(keeper, "comparing");
await close(keeper);

// ---- every model of the menu ------------------------------------------------------------------------------------------------

const menu = await open();
await menu.locator("#open-models").click();
await shoot(menu, "models");
const titles = await menu.locator("#shelf section h3").allTextContents();
check("the menu has stories, classics and papers", ["Stories", "Start here", "Classics"].every(t => titles.includes(t)) && titles.some(t => /2013/.test(t)), titles.join(", "));
await menu.locator("#find").fill("newton");
check("and finds a model", (await menu.locator("#shelf button").allTextContents()).join().includes("cradle"));
await andRuns(menu, () => menu.locator("#shelf button").first().click());
check("which opens and runs", /newton-cradle/.test(await menu.locator("#file-name").textContent()));
await shoot(menu, "cradle");
await menu.goto(home + "#model=papers/xiong2013/refused/fig09-conveyor-paper-step");
await menu.waitForSelector("#badges button");
check("a model that must be refused says why", await menu.locator(".messages .error").count() >= 1);
await andRuns(menu, () => menu.locator("#badges button").first().click());
check("and runs in spite of it", /in spite/.test(await menu.locator("#badges").textContent()));
silent(menu, "the menu");
await close(menu);

// ---- measured machines, whose tables come when they are needed; pages of others --------------------------------------------------

const measured = await open("#model=measured/presliding");
check("a model of a measured machine finds its table", /2 of 2|3 of 3/.test(await measured.locator("#badges").textContent()) && /presliding\.csv/.test(await measured.locator("#inputs").textContent()),
  await measured.locator("#badges").textContent() + await status(measured));
await shoot(measured, "measured");
silent(measured, "measured");
await close(measured);
const inside = await open("#embed&model=stories/ball&p.e=0.5", { viewport: { width: 700, height: 500 } });
check("in a page of others there are sliders and the result alone", await inside.locator("#knob-e").isVisible() && !await inside.locator("#text").isVisible() && !await inside.locator("#open-models").isVisible());
await inside.waitForFunction(() => /p\.e=0\.5/.test(document.querySelector("#whole").href));
check("and a link to all of it", await inside.locator("#whole").isVisible() && !/embed/.test(await inside.locator("#whole").getAttribute("href")));
await shoot(inside, "embed");
silent(inside, "in a page of others");
await close(inside);
const lesson = await browser.newPage();
await lesson.goto(home + "start.html");
const alive = await lesson.$$eval("iframe.live", f => f.length), models = readFileSync("docs/start.md", "utf8").match(/^```dry \w/gm).length;
check("every model of the start page is alive", alive === models && alive >= 3, `${alive} of ${models}`);
await lesson.locator("iframe.live").first().scrollIntoViewIfNeeded();
await lesson.frameLocator("iframe.live").first().frameLocator("#frame iframe").locator("path.curve").first().waitFor({ state: "attached" });
check("and no text of it is lost", await lesson.evaluate(() => document.querySelectorAll("h2").length) === readFileSync("docs/start.md", "utf8").match(/^## /gm).length &&
  !/\*\*|\]\(|```/.test(await lesson.evaluate(() => document.querySelector("main").textContent)));
await lesson.screenshot({ path: `${shots}/playground-start.png` });
await lesson.context().close();

// ---- stories ------------------------------------------------------------------------------------------------------------------

for (const name of ["creep", "ball", "stick-slip", "robot-arm"]) {
  const story = await open(`#story=${name}`);
  let step = 1;
  for (;; step++) {
    await story.waitForFunction(() => document.querySelector("#run").hidden === false);
    const found = await story.evaluate(() => ({ of: document.querySelector(".story .of").textContent, question: document.querySelector(".question").textContent,
      knobs: document.querySelectorAll("#knobs .knob").length, error: document.querySelectorAll(".messages .error").length, old: document.querySelectorAll("iframe.old").length }));
    check(`story ${name}, step ${step}: a question, sliders, a result`, found.of.includes(`step ${step} of`) && found.question.includes("?") && found.knobs >= 2 && !found.error && !found.old,
      JSON.stringify(found));
    await story.locator(".story summary").click();
    check("and its answer", (await story.locator(".story details p").textContent()).length > 40 && await story.locator(".story details p").isVisible());
    await shoot(story, `story-${name}-${step}`);
    const next = story.getByRole("button", { name: "Next" });
    if (await next.isDisabled()) break;
    await andRuns(story, () => next.click());
  }
  check(`story ${name} has three or four steps`, step === 3 || step === 4, step);
  silent(story, `story ${name}`);
  await close(story);
}

// ---- without a network, and as a file ----------------------------------------------------------------------------------------------

const offline = await open();
await offline.evaluate(() => navigator.serviceWorker.ready.then(r => r.active && r.active.state === "activated" ? 0 : new Promise(done => setInterval(() => { if (r.active && r.active.state === "activated") done(0); }, 20))));
await server.close();
await offline.reload();
await atRun(offline, 1);
check("works without a network after the first visit", (await curvesIn(offline)).filter(d => /L/.test(d)).length >= 2);
await andRuns(offline, () => slide(offline, "M", 300));
check("with its sliders", offline.faults.length === 0, offline.faults.join("; "));
await close(offline);

const file = await open("", { address: pathToFileURL(join(site, "index.html")).href });
check("works opened as a file", (await curvesIn(file)).filter(d => /L/.test(d)).length >= 2);
await andRuns(file, () => slide(file, "M", 300));
await file.waitForSelector("#trust .badge");
await andRuns(file, () => write(file, BLOCK));
await file.waitForFunction(() => /z=/.test(location.hash));
await file.reload();
await atRun(file, 1);
check("with links", (await text(file)) === BLOCK);
silent(file, "as a file");
await close(file);
const served = await serve(site);

// ---- phone, dark, keyboard ----------------------------------------------------------------------------------------------------------

for (const hash of ["", "#story=robot-arm", "#model=papers/xiong2013/fig09-conveyor"]) {
  const phone = await open(hash, { address: served.address, viewport: { width: 375, height: 800 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  check(`no wider than a phone ${hash}`, await overflow(phone) <= 0, await overflow(phone));
  const small = await phone.$$eval("button, input, select, summary", all => all.filter(e => e.offsetParent && e.getBoundingClientRect().height < 22).map(e => e.id || e.className || e.tagName));
  check("fingers hit every control", small.length === 0, small.join(", "));
  await shoot(phone, `phone${hash.replace(/\W+/g, "-")}`, { fullPage: true });
  silent(phone, "phone");
  await close(phone);
}

for (const colorScheme of ["light", "dark"]) {
  const page = await open("#story=creep/2", { address: served.address, colorScheme });
  if (colorScheme === "dark") {
    const ground = await page.$eval("body", b => getComputedStyle(b).backgroundColor);
    check("dark where the reader wants it", ground.match(/\d+/g).slice(0, 3).every(c => +c < 64), ground);
    await shoot(page, "dark");
  }
  await write(page, BLOCK.replace("push - f", "pusch - f"));
  await page.waitForSelector(".messages .error");
  const found = await page.evaluate(audit);
  check(`${colorScheme}: every control has a name`, found.nameless.length === 0, found.nameless.join(", "));
  check(`${colorScheme}: letters stand out from their ground, 4.5 to 1`, found.faint.length === 0, found.faint.join("; "));
  check(`${colorScheme}: no id twice, no heading skipped`, found.twice.length === 0 && found.skipped.length === 0, [...found.twice, ...found.skipped].join(", "));
  check(`${colorScheme}: roles refer to what is there`, found.lost.length === 0, found.lost.join(", "));
  await close(page);
}

// Runs in the page: what an audit of accessibility looks at first.
function audit() {
  const seen = e => e.offsetParent !== null && !e.closest("[hidden], dialog:not([open])");
  const named = e => (e.getAttribute("aria-label") || (e.getAttribute("aria-labelledby") && document.getElementById(e.getAttribute("aria-labelledby"))?.textContent) ||
    [...(e.labels || [])].map(l => l.textContent).join("") || e.textContent || e.title || "").trim();
  const controls = [...document.querySelectorAll("button, input:not([hidden]), select, textarea, iframe, [role=tab], [role=separator], summary, a[href]")].filter(seen);
  const nameless = controls.filter(e => !named(e)).map(e => e.outerHTML.slice(0, 60));
  const rgb = text => { const m = text.match(/[\d.]+/g).map(Number); return { c: m.slice(0, 3).map(v => /^color\(/.test(text) ? v * 255 : v), a: m.length > 3 ? m[3] : 1 }; };
  const light = c => { const [r, g, b] = c.map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const over = (top, below) => top.c.map((v, i) => v * top.a + below[i] * (1 - top.a));
  const groundOf = e => {
    const stack = [];
    for (let at = e; at; at = at.parentElement) { const g = rgb(getComputedStyle(at).backgroundColor); stack.push(g); if (g.a === 1) break; }
    return stack.reduceRight((below, top) => over(top, below), [255, 255, 255]);
  };
  const faint = [];
  for (const e of document.querySelectorAll("body *")) {
    if (!seen(e) || e.id === "text" || e.disabled || e.closest("[disabled]")) continue;
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
    const style = getComputedStyle(e), ground = groundOf(e.closest("textarea, .layer") ? document.querySelector(".left") : e), ink = over(rgb(style.color), ground);
    const [a, b] = [light(ink), light(ground)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) faint.push(`${e.className || e.tagName} "${e.textContent.trim().slice(0, 20)}" ${ratio.toFixed(2)}`);
  }
  const ids = [...document.querySelectorAll("[id]")].map(e => e.id), twice = ids.filter((id, i) => ids.indexOf(id) !== i);
  const levels = [...document.querySelectorAll("h1, h2, h3, h4")].filter(seen).map(h => +h.tagName[1]);
  const skipped = levels.filter((l, i) => i && l > levels[i - 1] + 1).map(l => "h" + l);
  const lost = [...document.querySelectorAll("[aria-controls], [aria-labelledby], [aria-describedby], label[for]")].flatMap(e =>
    ["aria-controls", "aria-labelledby", "aria-describedby", "for"].map(a => e.getAttribute(a)).filter(id => id && !document.getElementById(id)));
  return { nameless, faint: faint.slice(0, 6), twice, skipped, lost };
}

// By keyboard alone: every control is reached in order and shows that it is, and Tab leaves the editor.
const keys = await open("", { address: served.address });
const visited = [];
for (let k = 0; k < 40; k++) {
  await keys.keyboard.press("Tab");
  visited.push(await keys.evaluate(() => {
    const e = document.activeElement;
    if (e === document.body || e.tagName === "IFRAME") return "frame";
    const style = getComputedStyle(e), ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1;
    return (e.id || e.className || e.tagName) + (ring || e.id === "text" ? "" : " without a ring");
  }));
  if (visited.at(-1) === "frame") break;
}
const wanted = ["open-models", "open-file", "save", "share", "keep", "run", "knob-M", "text", "divider", "tab-run"];
check("Tab reaches every control in order", wanted.every((id, i) => visited.indexOf(id) > (i ? visited.indexOf(wanted[i - 1]) : -1)), visited.join(" "));
check("and each shows that it has the focus", visited.every(v => !v.endsWith("without a ring")), visited.join(" "));
await keys.locator("#open-models").focus();
await keys.keyboard.press("Enter");
await keys.keyboard.type("creep");
await keys.keyboard.press("Tab");
await keys.keyboard.press("Tab");
await andRuns(keys, () => keys.keyboard.press("Enter"));
check("a model is opened by keys", /LuGre|creep/i.test(await keys.title()), await keys.title());
await keys.locator("#knob-swing").focus();
await andRuns(keys, () => keys.keyboard.press("ArrowLeft"));
check("a slider moves by keys", (await keys.locator(".knob.set").count()) === 1);
await keys.locator("#tab-run").focus();
await keys.keyboard.press("ArrowRight");
await keys.waitForSelector("#pane-math math");
check("and tabs", await keys.locator("#tab-math").getAttribute("aria-selected") === "true" && await keys.locator("#pane-math").isVisible());
await keys.locator("#save").focus();
await keys.keyboard.press("Enter");
await keys.keyboard.press("ArrowDown");
check("and the menu of what can be saved", await keys.evaluate(() => document.activeElement.textContent) === "Results, .csv");
await keys.keyboard.press("Escape");
check("Escape goes back to its button", await keys.evaluate(() => document.activeElement.id) === "save");
silent(keys, "keyboard");
await close(keys);

await served.close();
await browser.close();
rmSync(scratch, { recursive: true, force: true });
console.log(`1..${checks}`);
console.log(`# screenshots in ${shots}`);
process.exit(wrong ? 1 : 0);
