// Opens a gallery and a report in headless Chromium and looks at them as a reader would.
//
//   node tests/web/pages.mjs GALLERY REPORT PARTS HOSTILE NOTEBOOK PANELS SLOPE LINK DATA SCREENSHOTS
//
// Prints TAP. PARTS is the report of a model with bodies, HOSTILE that of one whose texts try to be markup, NOTEBOOK has
// results of the Python package (tests/web/notebook.py), PANELS that of panels.dry, SLOPE that of slope.dry, LINK the report of
// hello.dry with a playground, DATA that of hello.dry with other parameters.
// playwright-core is looked for in the folder DRY_NPM, where tools/web-test.sh has put it.
import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const { chromium } = createRequire(resolve(process.env.DRY_NPM, "here.js"))("playwright-core");
const [gallery, report, parts, hostile, notebook, panels, slope, linked, data, shots] = process.argv.slice(2).map(p => resolve(p));
const url = path => pathToFileURL(path).href;
let checks = 0, wrong = 0;
function check(name, good, found = "") {
  checks++;
  if (!good) wrong++;
  console.log(`${good ? "ok" : "not ok"} ${checks} - ${name}${good || found === "" ? "" : `: ${found}`}`);
}

const executablePath = process.env.CHROMIUM || "/usr/bin/chromium";
const quiet = ["--headless", "--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath, args: [...quiet, "--disable-gpu", "--disable-3d-apis"] });
// The first has no WebGL; this one computes it.
const shading = await chromium.launch({ executablePath, args: [...quiet, "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"] });

// A page that collects what it should not do: errors, words on the console, anything fetched. The driver of WebGL says that it is
// slow to read pixels, as these tests do.
async function open(path, options = {}, by = browser) {
  const context = await by.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  page.faults = [];
  page.on("console", m => { if (!/GL Driver Message/.test(m.text())) page.faults.push(m.text()); });
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
// Whether it becomes so within some seconds.
const comes = (page, test, given) => page.waitForFunction(test, given, { timeout: 10000 }).then(() => true, () => false);
const ghosts = n => document.querySelectorAll("path.ghost").length === n;
// The pixels of a picture, which a page decodes: rows of [r, g, b, a]. As a text they come at once.
async function pixelsOf(page, png) {
  const [width, height, text] = await page.evaluate(async png => {
    const image = new Image();
    image.src = "data:image/png;base64," + png;
    await image.decode();
    const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, image.width, image.height);
    let text = "";
    for (let i = 0; i < data.length; i += 8192) text += String.fromCharCode(...data.subarray(i, i + 8192));
    return [image.width, image.height, btoa(text)];
  }, png);
  const data = Buffer.from(text, "base64");
  return Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => Array.from(data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4))));
}
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
const pixels = async piece => pixelsOf(zoomed4, (await piece.screenshot()).toString("base64"));
const isInk = p => p[0] + p[1] + p[2] < 384;
const apart = (p, q) => Math.max(...[0, 1, 2].map(i => Math.abs(p[i] - q[i])));

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

const setTime = (page, share) => page.locator(".scene input[type=range]").evaluate((e, share) => { e.value = 1000 * share; e.dispatchEvent(new Event("input")); }, share);
for (const [how, by] of [["lines", browser], ["solids", shading]]) {
  const heap = await open(parts, {}, by);
  const ink = () => heap.$eval("canvas", c => c.toDataURL());
  const blank = await heap.$eval("canvas", c => Object.assign(document.createElement("canvas"), { width: c.width, height: c.height }).toDataURL());
  const still = await ink();
  check(`bodies are drawn as ${how}`, still !== blank && await heap.$eval("canvas", (c, how) => (c.getContext("webgl2") !== null) === (how === "solids"), how));
  await heap.waitForTimeout(200);
  check("and rest until they are played", await ink() === still);
  await heap.click(".controls button");
  await heap.waitForTimeout(400);
  await heap.click(".controls button");
  check("then they move", await ink() !== still);
  check("the curves are read off with them", /t = /.test(await heap.locator("#plots .panel .at").first().textContent()));
  check("the energy is accounted for", await heap.locator("#energy tbody tr").count() >= 4);
  await setTime(heap, 0.15);
  const before = await ink();
  await heap.locator("canvas").focus();
  await heap.keyboard.press("ArrowLeft");
  const turned = await ink();
  await heap.keyboard.press("0");
  check("an arrow key turns the view, and 0 turns it back", turned !== before && await ink() === before);
  const box = await heap.locator("canvas").boundingBox();
  await heap.mouse.move(box.x + 300, box.y + 100);
  await heap.mouse.down();
  await heap.mouse.move(box.x + 340, box.y + 120, { steps: 3 });
  await heap.mouse.up();
  check("so does dragging", await ink() !== before);
  const unpinched = await ink();
  await heap.$eval("canvas", canvas => {
    const r = canvas.getBoundingClientRect();
    const fire = (type, id, x) => canvas.dispatchEvent(new PointerEvent(type, { pointerId: id, pointerType: "touch", buttons: 1, clientX: r.left + x, clientY: r.top + 60, bubbles: true }));
    fire("pointerdown", 11, 150); fire("pointerdown", 12, 200);
    fire("pointermove", 11, 110); fire("pointermove", 12, 260);
    fire("pointerup", 11, 110); fire("pointerup", 12, 260);
  });
  check("and two fingers zoom it", await ink() !== unpinched);
  check("without a word on the console", heap.faults.length === 0, heap.faults.join("; "));
  await shoot(heap, `parts-${how}`);
  await close(heap);
}
const calm = await open(parts, { reducedMotion: "reduce" });
const shown = await calm.evaluate(async () => {
  const seen = new Set(), readout = document.querySelector(".scene .controls .at");
  let on = true;
  setTimeout(() => { on = false; }, 1300);
  document.querySelector(".scene button").click();
  while (on) { seen.add(readout.textContent); await new Promise(requestAnimationFrame); }
  return seen.size;
});
check("who wants little motion sees two pictures a second", shown >= 2 && shown <= 4, shown);
await close(calm);

// A box of 4 kg stands on a slope of s = atan(0.4). The forces on it: normal along (sin s, 0, cos s), 4 kg g cos s, and friction
// along (-cos s, 0, sin s), tan s = 0.4 times as large. The first view is from 60 degrees beside the y axis, 0.3 rad above.
function seenAlong(v) {
  const turn = -Math.PI / 3, lift = 0.3, [x, y, z] = v;
  return [-Math.sin(turn) * x + Math.cos(turn) * y, -Math.sin(lift) * Math.cos(turn) * x - Math.sin(lift) * Math.sin(turn) * y + Math.cos(lift) * z];
}
// Of the pixels of one colour: the middle, the direction of their longest extent, the ends along it.
function streak(rows, isOfIt) {
  const points = [];
  rows.forEach((row, y) => row.forEach((p, x) => { if (isOfIt(p)) points.push([x, -y]); }));
  const n = points.length, mean = k => points.reduce((sum, p) => sum + p[k], 0) / n, middle = [mean(0), mean(1)];
  const sum = (i, k) => points.reduce((all, p) => all + (p[i] - middle[i]) * (p[k] - middle[k]), 0);
  const angle = 0.5 * Math.atan2(2 * sum(0, 1), sum(0, 0) - sum(1, 1)), d = [Math.cos(angle), Math.sin(angle)];
  const along = points.map(p => (p[0] - middle[0]) * d[0] + (p[1] - middle[1]) * d[1]);
  return { n, middle, d, low: Math.min(...along), high: Math.max(...along) };
}
const crossing = (a, b) => { // where two streaks would meet
  const [u, v] = [a.d, b.d], w = [b.middle[0] - a.middle[0], b.middle[1] - a.middle[1]], k = (w[0] * v[1] - w[1] * v[0]) / (u[0] * v[1] - u[1] * v[0]);
  return [a.middle[0] + k * u[0], a.middle[1] + k * u[1]];
};
const s = Math.atan(0.4), forces = { normal: [Math.sin(s), 0, Math.cos(s)], friction: [-0.4 * Math.cos(s), 0, 0.4 * Math.sin(s)] };
for (const [how, by] of [["lines", browser], ["solids", shading]]) {
  const page = await open(slope, {}, by), looker = await open(slope);
  await setTime(page, 1);
  const png = (await page.$eval("canvas", c => c.toDataURL())).split(",")[1];
  const rows = await pixelsOf(looker, png);
  const arrows = {
    normal: streak(rows, ([r, g, b, a]) => a > 200 && r > 60 && r > 2.2 * b && r > 3 * g),
    friction: streak(rows, ([r, g, b, a]) => a > 200 && r > 90 && r > 1.4 * g && g > 1.5 * b),
  };
  const foot = crossing(arrows.normal, arrows.friction), lengths = {};
  for (const name in arrows) {
    const { n, middle, d, low, high } = arrows[name], [x, y] = seenAlong(forces[name]);
    const out = Math.sign((middle[0] - foot[0]) * d[0] + (middle[1] - foot[1]) * d[1]);
    const off = Math.acos(Math.max(-1, Math.min(1, out * (d[0] * x + d[1] * y) / Math.hypot(x, y)))) * 180 / Math.PI;
    check(`${how}: the arrow of ${name === "normal" ? "the normal force" : "friction"} points along it`, n > 40 && off < 5, `${n} pixels, ${off} degrees off`);
    const at = (middle[0] - foot[0]) * d[0] + (middle[1] - foot[1]) * d[1];
    lengths[name] = Math.max(Math.abs(at + low), Math.abs(at + high)) / Math.hypot(x, y);
  }
  check(`${how}: and is as long as the force`, Math.abs(lengths.friction / lengths.normal - 1) < 0.12, `${lengths.friction / lengths.normal} of the other`);
  check(`${how}: the key says how long an arrow is`, /arrows as long as these: 20 N/.test(await page.locator(".arrows").textContent()), await page.locator(".arrows").textContent());
  await shoot(page, `slope-${how}`);
  check("without a word", page.faults.length === 0, page.faults.join("; "));
  await close(page);
  await close(looker);
}
// The box throws a shadow: the ground beside it is darker than the ground far away from it.
const shaded = await open(slope, {}, shading);
const darkest = await shaded.$eval("canvas", c => {
  const pen = Object.assign(document.createElement("canvas"), { width: c.width, height: c.height }).getContext("2d");
  pen.drawImage(c, 0, 0);
  const { data } = pen.getImageData(0, 0, c.width, c.height);
  let shadow = 0;
  for (let i = 0; i < data.length; i += 4) { // black ink, and as thin as no line of the grid is
    const [r, g, b, a] = data.slice(i, i + 4);
    if (a > 120 && a < 230 && Math.max(r, g, b) - Math.min(r, g, b) < 30 && r < 190) shadow++;
  }
  return shadow;
});
check("a body has a shadow", darkest > 300, darkest);
await close(shaded);

// ---- panels with all that plot can ask for -------------------------------------------------------------

const asked = await open(panels);
const figures = asked.locator("#plots .panel");
const textsOf = k => figures.nth(k).locator("svg").first().locator("text").allTextContents();
check("five panels and no picture in their place", await figures.count() === 5 && await asked.locator(".drawn").count() === 0, await figures.count());
check("a title", (await figures.nth(0).locator(".title").first().textContent()) === "powers");
const powers = await textsOf(0);
check("a logarithmic ordinate has powers of ten", ["1", "0.1", "0.01", "0.001"].every(t => powers.includes(t)), powers.join(" "));
check("9 marks on each of two curves, and one in the legend", await figures.nth(0).locator("path.mark").count() === 2 * 9 + 2);
// e^-t read off at t = 2.5 s, wherever the mouse finds it.
async function readAt(k, share) {
  const svg = figures.nth(k).locator("svg").first(), frame = await svg.locator("rect.frame").boundingBox();
  await asked.mouse.move(frame.x + share * frame.width, frame.y + frame.height / 2);
  const outputs = await figures.nth(k).locator("output").allTextContents();
  const t = /= (\S+)/.exec(await figures.nth(k).locator(".at").textContent());
  return { t: Number(t && t[1].replace("−", "-")), values: outputs.map(o => Number(o.replace("−", "-"))) };
}
const log = await readAt(0, 0.5);
check("and is read off in numbers, not in logarithms", Math.abs(log.values[0] - Math.exp(-log.t)) < 1e-4 && Math.abs(log.values[1] / Math.exp(-2 * log.t) - 1) < 1e-2, JSON.stringify(log));
const two = await readAt(1, 0.8);
check("two ordinates are read off, each in its own numbers", Math.abs(two.values[0] - two.t) < 1e-3 && Math.abs(two.values[1] - 1000) < 1e-6, JSON.stringify(two));
const sides = await figures.nth(1).locator("svg").first().evaluate(svg => {
  const frame = svg.querySelector("rect.frame").getBoundingClientRect();
  return Array.from(svg.querySelectorAll("text")).filter(t => t.getBoundingClientRect().left > frame.right).map(t => t.textContent);
});
check("the second has its labels at the right, and its title", sides.includes("1000") && sides.some(t => /1000.v/.test(t)), sides.join(" "));
const shade = await figures.nth(1).locator("path.shade").first().evaluate(p => {
  const frame = p.ownerSVGElement.querySelector("rect.frame").getBBox(), box = p.getBBox();
  return [(box.x - frame.x) / frame.width, box.width / frame.width];
});
check("a band begins where its condition does, at 2.5 s of 5 s", Math.abs(shade[0] - 0.5) < 0.01 && Math.abs(shade[1] - 0.5) < 0.01, shade.join(" "));
check("curves have abscissae of their own", await figures.nth(2).locator("path.curve[d*=L]").count() === 2);
check("a range is what is seen", (await textsOf(3)).includes("1.0") && (await textsOf(3)).includes("2.0") && !(await textsOf(3)).includes("3"), (await textsOf(3)).join(" "));
await figures.nth(0).focus();
await asked.keyboard.press("+");
await asked.waitForTimeout(100);
check("and every panel zooms", !(await figures.nth(0).locator("button.reset").isHidden()) && !(await figures.nth(1).locator("button.reset").isHidden()));
check("without a word", asked.faults.length === 0, asked.faults.join("; "));
await shoot(asked, "panels");
await asked.setViewportSize({ width: 375, height: 800 });
await asked.waitForTimeout(100);
check("on a phone too", await overflow(asked) <= 0 && (await cut(asked)).length === 0, (await cut(asked)).join("; "));
await close(asked);

// ---- another run in the same page --------------------------------------------------------------------

const dataIn = path => /id="data">([^]*?)<\/script>/.exec(readFileSync(path, "utf8"))[1];
const again = await open(linked), other = dataIn(data);
const way = () => again.$$eval("#plots .panel path.curve", p => p.map(x => x.getAttribute("d")));
await again.evaluate(() => drystone.view.keep("F = 0.5 N"));
await again.locator("#plots .panel").first().focus();
await again.keyboard.press("+");
await comes(again, () => !document.querySelector("#plots .panel .reset").hidden);
const zoomedWay = await way();
const zoomedAxis = await again.locator("#plots .panel svg").first().locator("text").allTextContents();
await again.evaluate(text => drystone.refresh(JSON.parse(text), { steady: true }), other);
const isDrawn = await comes(again, before => Array.from(document.querySelectorAll("#plots .panel path.curve"), x => x.getAttribute("d")).join() !== before, zoomedWay.join());
check("another run takes the place of the first", isDrawn);
check("with the first as pale curves", await comes(again, ghosts, 3) && /pale: F = 0.5 N/.test(await again.locator(".earlier").first().textContent()));
const axisNow = await again.locator("#plots .panel svg").first().locator("text").allTextContents();
check("and the part of the time that was looked at stays", axisNow.filter(t => /\d/.test(t)).slice(0, 4).join() === zoomedAxis.filter(t => /\d/.test(t)).slice(0, 4).join(), axisNow.join(" "));
await again.evaluate(() => drystone.view.forget());
check("until they are forgotten", await comes(again, ghosts, 0));
await shoot(again, "refreshed");

// In a frame: by messages of the page around it, and of no other.
const around = await open(linked);
await around.evaluate(async ([page, other]) => {
  const frame = Object.assign(document.createElement("iframe"), { sandbox: "allow-scripts", srcdoc: page, width: 900, height: 700 });
  document.body.prepend(frame);
  await new Promise(done => { frame.onload = done; });
  frame.contentWindow.postMessage({ drystone: "keep", name: "before" }, "*");
  frame.contentWindow.postMessage({ drystone: "refresh", data: JSON.parse(other) }, "*");
}, [readFileSync(linked, "utf8"), other]);
const inner = around.frames()[1];
check("a page in a frame takes messages", await comes(inner, ghosts, 3));
await around.evaluate(other => postMessage({ drystone: "refresh", data: { ...JSON.parse(other), sections: { how: "<i id=owned></i>" } } }, "*"), other);
await around.waitForTimeout(100);
check("one that stands alone takes none", await around.locator("#owned").count() === 0);
await close(around);

// The link holds the text, as any browser inflates it.
const address = await again.$eval("#playground", a => a.href);
const carried = await again.evaluate(async code => {
  const bytes = Uint8Array.from(atob(code.replace(/-/g, "+").replace(/_/g, "/")), c => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
}, /#z=([^&]*)/.exec(address)[1]);
check("the link to a playground holds the model", carried === readFileSync("models/hello.dry", "utf8") && address.startsWith("https://example.org/play/#"), address.slice(0, 80));
await close(again);

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
await shading.close();
console.log(`1..${checks}`);
console.log(`# screenshots in ${shots}, ${basename(executablePath)}`);
process.exit(wrong ? 1 : 0);
