// Opens a gallery and a report in headless Chromium and looks at them as a reader would.
//
//   node tests/web/pages.mjs GALLERY REPORT PARTS HOSTILE NOTEBOOK SCREENSHOTS
//
// Prints TAP. PARTS is the report of a model with bodies, HOSTILE that of one whose texts try to be markup, NOTEBOOK has
// results of the Python package (tests/web/notebook.py).
// playwright-core is looked for in the folder DRY_NPM, where tools/web-test.sh has put it.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const { chromium } = createRequire(resolve(process.env.DRY_NPM, "here.js"))("playwright-core");
const [gallery, report, parts, hostile, notebook, shots] = process.argv.slice(2).map(p => resolve(p));
const url = path => pathToFileURL(path).href;
let checks = 0, wrong = 0;
function check(name, good, found = "") {
  checks++;
  if (!good) wrong++;
  console.log(`${good ? "ok" : "not ok"} ${checks} - ${name}${good || found === "" ? "" : `: ${found}`}`);
}

const executablePath = process.env.CHROMIUM || "/usr/bin/chromium";
const browser = await chromium.launch({
  executablePath,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});

// A page that collects what it should not do: errors, words on the console, anything fetched.
async function open(path, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  page.faults = [];
  page.on("console", m => page.faults.push(m.text()));
  page.on("pageerror", e => page.faults.push(String(e)));
  page.on("dialog", d => { page.faults.push("dialog: " + d.message()); d.dismiss(); });
  page.on("request", r => { if (!/^(file|data):/.test(r.url())) page.faults.push("fetches " + r.url()); });
  await page.goto(url(path));
  await page.waitForTimeout(50);
  return page;
}
const close = page => page.context().close();
const overflow = page => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
// Labels of a picture that begin left of it, and are cut off there.
const cut = page => page.$$eval(".panel svg text", list => list
  .filter(t => t.getBoundingClientRect().left < t.ownerSVGElement.getBoundingClientRect().left).map(t => t.textContent));
const shoot = (page, name) => page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
mkdirSync(shots, { recursive: true });

// ---- every page ------------------------------------------------------------------------------------

const pages = readdirSync(gallery).filter(f => f.endsWith(".html"));
const silent = [], fits = [], drawn = [], dead = [], short = [];
for (const file of pages) {
  const page = await open(`${gallery}/${file}`);
  const links = await page.$$eval("a[href$='.html']", a => a.map(x => x.getAttribute("href")));
  links.filter(l => !existsSync(`${gallery}/${l}`)).forEach(l => dead.push(`${file} -> ${l}`));
  const empty = await page.$$eval("path.curve", p => p.filter(x => !/L/.test(x.getAttribute("d") || "")).length);
  const count = await page.$$eval("path.curve", p => p.length);
  const panels = await page.$$eval("#data", d => d.length ? JSON.parse(d[0].textContent).panels.length : 0);
  if ((count === 0 && panels > 0) || empty > count / 2) drawn.push(`${file}: ${empty} of ${count} empty`);
  (await cut(page)).forEach(t => short.push(`${file}: ${t}`));
  await page.setViewportSize({ width: 375, height: 800 });
  await page.waitForTimeout(50);
  const wide = await overflow(page);
  if (wide > 0) fits.push(`${file}: ${wide} px`);
  page.faults.forEach(f => silent.push(`${file}: ${f}`));
  await close(page);
}
check(`${pages.length} pages say nothing on the console and fetch nothing`, silent.length === 0, silent.slice(0, 5).join("; "));
check("no page is wider than a phone of 375 px", fits.length === 0, fits.slice(0, 5).join("; "));
check("every picture has its curves", drawn.length === 0, drawn.slice(0, 5).join("; "));
check("no label is cut off", short.length === 0, short.slice(0, 5).join("; "));
check("every link leads to a page", dead.length === 0, dead.slice(0, 5).join("; "));

// ---- the overview -----------------------------------------------------------------------------------

const index = await open(`${gallery}/index.html`);
const tiles = await index.$$eval(".tile", t => t.length);
check("the overview has a tile for every page", tiles === pages.length - 1, `${tiles} of ${pages.length - 1}`);
check("with a picture each", await index.$$eval(".tile svg.picture", t => t.length) === tiles);
check("and a row for every source", await index.$$eval(".overview tbody tr", t => t.length) >= 1);
await shoot(index, "gallery");
await index.setViewportSize({ width: 375, height: 800 });
await shoot(index, "gallery-phone");
await index.click(".tile");
check("a tile leads to its card", await index.$eval("h1", h => h.textContent.length > 0));
await close(index);

// ---- a curve in a plane ----------------------------------------------------------------------------

// Few points make a straight line, and it is read off between them.
const plane = await open(`${gallery}/xiong2012-eq19-point-contact.html`);
const aside = await plane.evaluate(() => {
  const panels = JSON.parse(document.getElementById("data").textContent).panels;
  const figure = document.querySelectorAll("#plots .panel")[panels.findIndex(p => !p.time)];
  const svg = figure.querySelector("svg"), box = svg.getBoundingClientRect(), scale = box.width / svg.viewBox.baseVal.width;
  const points = svg.querySelector("path.curve").getAttribute("d").slice(1).split("L").map(p => p.split(" ").map(Number));
  const lines = points.slice(1).map((b, i) => ({ x: (b[0] + points[i][0]) / 2, y: (b[1] + points[i][1]) / 2,
    length: Math.hypot(b[0] - points[i][0], b[1] - points[i][1]) }));
  const longest = lines.reduce((a, b) => b.length > a.length ? b : a);
  svg.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + longest.x * scale, clientY: box.top + longest.y * scale }));
  const dot = svg.querySelector("circle.dot");
  return longest.length < 50 ? Infinity : Math.hypot(dot.getAttribute("cx") - longest.x, dot.getAttribute("cy") - longest.y);
});
check("a line is read off between its points", aside < 1, aside);
await close(plane);

// ---- a report: zoom, read-off, phases -----------------------------------------------------------------

const page = await open(report);
const panel = page.locator("#plots .panel").first();
const box = await panel.locator("svg").first().boundingBox();
const labels = () => panel.locator("svg").first().locator("text").allTextContents();
const y = box.y + 60;
check("with titles along the ordinates", await page.$$eval("#plots .panel", all => all.some(p => p.querySelector("text.title[transform]"))));
check("a report has panels", await page.locator("#plots .panel").count() >= 1);
check("and a band of phases", await page.locator("#phases path.hold, #phases path.slip").count() >= 1);
const whole = await labels();
await page.mouse.move(box.x + box.width * 0.4, y);
check("pointing reads the curve off", (await panel.locator("output").first().textContent()).trim() !== "");
check("and the time", /t = /.test(await panel.locator(".at").textContent()));
await page.mouse.wheel(0, -200);
await page.waitForTimeout(100);
check("a wheel without a click scrolls the page only", JSON.stringify(await labels()) === JSON.stringify(whole));
await page.evaluate(() => window.scrollTo(0, 0));
await page.mouse.click(box.x + box.width * 0.4, y);
await page.mouse.wheel(0, -200);
await page.waitForTimeout(100);
const zoomed = await labels();
check("a wheel after a click zooms", JSON.stringify(zoomed) !== JSON.stringify(whole), zoomed.join(" "));
await page.mouse.dblclick(box.x + box.width * 0.4, y);
await page.waitForTimeout(100);
check("a double click shows all again", JSON.stringify(await labels()) === JSON.stringify(whole));
await page.mouse.move(box.x + box.width * 0.3, y);
await page.mouse.down();
await page.mouse.move(box.x + box.width * 0.5, y + 2, { steps: 5 });
await page.mouse.up();
await page.waitForTimeout(100);
check("dragging zooms", JSON.stringify(await labels()) !== JSON.stringify(whole));
// What is read off under a pointer at rest, beside what it reads off when it comes back to its place.
const readings = () => page.$$eval("#plots .panel", all => all.map(f => [...f.querySelectorAll("output, .at")].map(o => o.textContent)
  .concat([...f.querySelectorAll(".hair, .dot")].map(e => e.getAttribute("d") || e.getAttribute("cx") + " " + e.getAttribute("cy")))).join("; "));
async function isFresh(name, x, y) {
  const found = await readings();
  await page.mouse.move(x + 7, y);
  await page.mouse.move(x, y);
  const wanted = await readings();
  check(name, found === wanted && /t = /.test(found), `${found} in the place of ${wanted}`);
}
await isFresh("and reads off anew under the pointer", box.x + box.width * 0.5, y + 2);
await shoot(page, "report-zoomed");
await panel.locator("button.reset").click();
await page.waitForTimeout(100);
check("the button shows all again", JSON.stringify(await labels()) === JSON.stringify(whole));
await panel.focus();
await page.keyboard.press("+");
await page.waitForTimeout(100);
check("the keyboard zooms too", JSON.stringify(await labels()) !== JSON.stringify(whole));
await page.mouse.move(box.x + box.width * 0.3, y);
await page.keyboard.press("0");
await page.waitForTimeout(100);
await isFresh("and reads off anew", box.x + box.width * 0.3, y);
// The pixels of a piece of the page, at four times its size: rows of [r, g, b].
const zoomed4 = await open(report, { deviceScaleFactor: 4 });
async function pixels(piece) {
  const png = (await piece.screenshot()).toString("base64");
  return zoomed4.evaluate(async png => {
    const image = new Image();
    image.src = "data:image/png;base64," + png;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, image.width, image.height), rows = [];
    for (let y = 0; y < image.height; y++)
      rows.push(Array.from({ length: image.width }, (_, x) => Array.from(data.slice(4 * (y * image.width + x), 4 * (y * image.width + x) + 3))));
    return rows;
  }, png);
}
const isInk = p => p[0] + p[1] + p[2] < 384;
const apart = (p, q) => Math.max(...p.map((c, i) => Math.abs(c - q[i])));

// A dot over a letter: ink, a gap, ink, from above; the dot is at least a pixel of the page high.
const dotted = await pixels(zoomed4.locator("math mover").first());
const inked = dotted.map(row => row.some(isInk)), dotTop = inked.indexOf(true), dotEnd = inked.indexOf(false, dotTop);
check("a rate has its dot above the letter", dotTop >= 0 && dotEnd > 0 && inked.indexOf(true, dotEnd) > dotEnd &&
  dotEnd - dotTop >= 4 && dotEnd - dotTop < inked.length / 3, inked.map(i => +i).join(""));

// Bands of phases by their pixels. Each phase has a strip of its band to itself, from above stick or closed, slip, open: there
// its colour is seen wherever the data say that the element is in this phase, however short, and the ground where they do not.
async function lookAtBands(path) {
  const page = await open(path, { deviceScaleFactor: 4 });
  const wanted = await page.evaluate(() => {
    const data = JSON.parse(document.getElementById("data").textContent), svg = document.querySelector("#phases svg");
    const of = (rect, name) => +rect.getAttribute(name), frame = svg.querySelector("rect.frame");
    const left = of(frame, "x"), width = of(frame, "width"), row = of(frame, "height") / data.bands.length;
    const at = t => left + (t - data.from) / (data.until - data.from) * width;
    const strips = [{ bit: 2, style: "hold", up: 0.8 }, { bit: 4, style: "slip", up: 0.35 }, { bit: 1, style: "open", up: 0.08 }];
    const colour = style => { const p = svg.querySelector("path." + style); return p && getComputedStyle(p).fill.match(/\d+/g).slice(0, 3).map(Number); };
    const points = [];
    data.bands.forEach((band, k) => strips.forEach(s => {
      const bottom = of(frame, "y") + row * (k + 1) - 4, y = bottom - (row - 8) * s.up;
      const spans = band.begin.map((t, i) => ({ on: (band.phase[i] & s.bit) !== 0, from: at(t), to: at(i + 1 < band.begin.length ? band.begin[i + 1] : data.until) }));
      spans.forEach((span, i) => {
        const x = span.on ? Math.min(Math.floor(span.from), Math.ceil(left + width) - 1) + 0.5 : (span.from + span.to) / 2;
        if (!span.on && span.to - span.from < 4) return; // a neighbour may take a pixel of it
        points.push({ name: `${band.name} ${s.style} ${i}`, on: span.on, style: s.style, colour: colour(s.style), x, y, short: span.on && span.to - span.from < 1 });
      });
    }));
    return points;
  });
  const seen = await pixels(page.locator("#phases svg").first());
  await close(page);
  return wanted.map(p => ({ ...p, seen: seen[Math.floor(4 * p.y)]?.[Math.floor(4 * p.x)] ?? [255, 255, 255] }));
}
const ofReport = await lookAtBands(report), ofPecks = await lookAtBands(`${gallery}/classics-woodpecker.html`);
const missing = list => list.filter(p => p.on && apart(p.seen, p.colour) > 40).map(p => `${p.name} at ${p.x}: ${p.seen}`);
const spilt = list => list.filter(p => !p.on && p.colour && apart(p.seen, p.colour) < 40).map(p => `${p.name} at ${p.x}: ${p.seen}`);
const first = name => ofReport.find(p => p.on && p.style === name).seen, hold = first("hold"), slip = first("slip");
check("stick and slip are told apart", apart(hold, slip) > 40, `${hold} ${slip}`);
check("and seen on the ground", apart(hold, [255, 255, 255]) > 20 && apart(slip, [255, 255, 255]) > 20, `${hold} ${slip}`);
check(`each of ${ofReport.filter(p => p.on).length} phases of a report is seen in its place`, missing(ofReport).length === 0, missing(ofReport).slice(0, 3).join("; "));
check("and nowhere else", spilt(ofReport).length === 0, spilt(ofReport).slice(0, 3).join("; "));
const pecks = ofPecks.filter(p => p.short);
check("a peck of the woodpecker is shorter than a pixel", pecks.filter(p => p.name.startsWith("beak hold")).length >= 5, `${pecks.length} short phases`);
check(`and each of ${ofPecks.filter(p => p.on).length} phases of its page is seen all the same`, missing(ofPecks).length === 0, missing(ofPecks).slice(0, 3).join("; "));
check("and nowhere else", spilt(ofPecks).length === 0, spilt(ofPecks).slice(0, 3).join("; "));
await close(zoomed4);
check("the equations are MathML", await page.locator("math mtr").count() >= 2);
check("and are laid out", await page.$eval("math", m => m.getBoundingClientRect().height > 20));
check("the console stays empty", page.faults.length === 0, page.faults.join("; "));
await page.mouse.move(0, 0);
await shoot(page, "report");
await page.emulateMedia({ media: "print" });
await page.pdf({ path: `${shots}/report.pdf`, format: "A4" });
await close(page);

const pinched = await open(report, { viewport: { width: 375, height: 800 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
const small = pinched.locator("#plots .panel svg").first();
const text = () => small.locator("text").allTextContents();
const before = JSON.stringify(await text());
await small.evaluate(svg => {
  const r = svg.getBoundingClientRect();
  const fire = (type, id, x) => svg.dispatchEvent(new PointerEvent(type, { pointerId: id, pointerType: "touch", clientX: r.left + x, clientY: r.top + 60, bubbles: true }));
  fire("pointerdown", 11, 150); fire("pointerdown", 12, 200);
  fire("pointermove", 11, 110); fire("pointermove", 12, 260);
  fire("pointerup", 11, 110); fire("pointerup", 12, 260);
});
await pinched.waitForTimeout(100);
check("pinching zooms", JSON.stringify(await text()) !== before);
await shoot(pinched, "report-phone");
await close(pinched);

const dark = await open(report, { colorScheme: "dark" });
const ground = await dark.$eval("body", b => getComputedStyle(b).backgroundColor);
check("dark where the reader wants it", ground.match(/\d+/g).slice(0, 3).every(c => +c < 64), ground);
await shoot(dark, "report-dark");
await close(dark);

// ---- bodies in motion -----------------------------------------------------------------------------------

const heap = await open(parts);
const ink = () => heap.$eval("canvas", c => c.toDataURL());
const blank = await heap.$eval("canvas", c => Object.assign(document.createElement("canvas"), { width: c.width, height: c.height }).toDataURL());
const still = await ink();
check("bodies are drawn", still !== blank);
await heap.click(".controls button");
await heap.waitForTimeout(400);
await heap.click(".controls button");
check("and move", await ink() !== still);
check("the curves are read off with them", /t = /.test(await heap.locator("#plots .panel .at").first().textContent()));
check("the energy is accounted for", await heap.locator("#energy tbody tr").count() >= 4);
check("without a word on the console", heap.faults.length === 0, heap.faults.join("; "));
await heap.locator("input[type=range]").evaluate(e => { e.value = 150; e.dispatchEvent(new Event("input")); });
await shoot(heap, "parts");
await close(heap);

// ---- a hostile model ------------------------------------------------------------------------------------

const evil = await open(hostile);
check("texts of a model stay texts", evil.faults.length === 0 && await evil.evaluate(() => window.owned === undefined), evil.faults.join("; "));
check("and are shown", (await evil.$eval("h1", h => h.textContent)).includes("<script>"));
check("no element came of them", await evil.$$eval("h1 *, td img, code img", e => e.length) === 0);
const wide = await evil.$$eval(".panel svg text", list => list.map(t => t.textContent).filter(t => /^9\.99\de−13$/.test(t)));
check("a label of many digits is there", wide.length > 0);
check("and is not cut off", (await cut(evil)).length === 0, (await cut(evil)).join("; "));
await close(evil);

// ---- a notebook -----------------------------------------------------------------------------------------

const book = await open(notebook);
await book.waitForTimeout(300);
const frames = book.frames().slice(1);
const curves = frame => frame.$$eval("path.curve", p => p.map(x => x.getAttribute("d") || ""));
check("each result of a notebook has a frame", frames.length === 2, frames.length);
const drawnIn = await Promise.all(frames.map(curves));
check("with its curves", drawnIn.every(d => d.length > 0 && d.some(x => /L/.test(x))), drawnIn.map(d => d.length).join(" "));
check("its measures and its verdict", await frames[0].$$eval("#measures tbody tr, #expectations tbody tr, #verified p", e => e.length) >= 2);
check("and without the text of the model", await frames[0].$$eval("#equations, .prose, footer", e => e.length) === 0);
const heights = await book.$$eval("iframe", f => f.map(x => [x.clientHeight, x.contentDocument.documentElement.scrollHeight]));
check("a frame is as high as its page", heights.every(([outer, inner]) => outer >= inner && outer < inner + 20), JSON.stringify(heights));
const untouched = JSON.stringify(drawnIn[1]);
await frames[0].locator("#plots .panel").first().focus();
await book.keyboard.press("+");
await book.waitForTimeout(150);
check("zooming in one", JSON.stringify(await curves(frames[0])) !== JSON.stringify(drawnIn[0]));
check("leaves the other as it is", JSON.stringify(await curves(frames[1])) === untouched);
check("a model shows its equations", await book.$eval("math", m => m.getBoundingClientRect().height > 20));
check("all without the network and without a word", book.faults.length === 0, book.faults.join("; "));
await book.keyboard.press("0");
await shoot(book, "notebook");
await book.setViewportSize({ width: 500, height: 800 });
await book.waitForTimeout(200);
const narrow = await book.$$eval("iframe", f => f.map(x => [x.clientHeight, x.contentDocument.documentElement.scrollHeight]));
check("a frame follows the width of the notebook", narrow.every(([outer, inner]) => outer >= inner && outer < inner + 20), JSON.stringify(narrow));
await close(book);

await browser.close();
console.log(`1..${checks}`);
console.log(`# screenshots in ${shots}, ${basename(executablePath)}`);
process.exit(wrong ? 1 : 0);
