// Opens the page of a fit in headless Chromium: its pictures, on a screen, on a phone, in the dark.
//
//   node tests/web/fit.mjs PAGE SCREENSHOTS
//
// Prints TAP. playwright-core is looked for in the folder DRY_NPM, where tools/web-test.sh has put it.
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const { chromium } = createRequire(resolve(process.env.DRY_NPM, "here.js"))("playwright-core");
const [fit, shots] = process.argv.slice(2).map(p => resolve(p));
let checks = 0, wrong = 0;
function check(name, good, found = "") {
  checks++;
  if (!good) wrong++;
  console.log(`${good ? "ok" : "not ok"} ${checks} - ${name}${good ? "" : `: ${found}`}`);
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu"],
});
mkdirSync(shots, { recursive: true });

async function look(name, options) {
  const page = await (await browser.newContext(options)).newPage();
  const faults = [];
  page.on("console", m => faults.push(m.text()));
  page.on("pageerror", e => faults.push(String(e)));
  page.on("request", r => { if (!/^(file|data):/.test(r.url())) faults.push("fetches " + r.url()); });
  await page.goto(pathToFileURL(fit).href);
  await page.waitForTimeout(50);
  const titles = await page.$$eval("#plots .panel", list => list.map(p => p.textContent));
  const wanted = ["measured and model", "residuals, model less measured", "residuals over the position",
    "residuals over the speed", "autocorrelation of the residuals", "if it came later than the model"];
  const missing = wanted.filter(w => !titles.some(t => t.includes(w)));
  check(`${name}: all pictures are there`, missing.length === 0, missing.join("; "));
  const empty = await page.$$eval("#plots path.curve", p => p.filter(x => !x.closest(".legend") && !/L/.test(x.getAttribute("d") || "")).length);
  check(`${name}: each has its curves`, empty === 0, `${empty} are empty`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  check(`${name}: nothing is wider than the window`, wide <= 0, `${wide} px`);
  check(`${name}: it says and fetches nothing`, faults.length === 0, faults.join("; "));
  const nan = await page.evaluate(() => /\b(nan|NaN|undefined)\b/.test(document.querySelector("main").innerText));
  check(`${name}: no number is missing`, !nan);
  await page.screenshot({ path: `${shots}/fit-${name}.png`, fullPage: true });
  await page.context().close();
}
await look("screen", { viewport: { width: 1200, height: 900 } });
await look("phone", { viewport: { width: 375, height: 800 }, isMobile: true, hasTouch: true });
await look("dark", { viewport: { width: 1200, height: 900 }, colorScheme: "dark" });

await browser.close();
console.log(`1..${checks}`);
process.exit(wrong ? 1 : 0);
