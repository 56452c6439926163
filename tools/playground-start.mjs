// The page docs/start.md as HTML, in which every model is alive: below its text stands a small playground that runs it. Of Markdown it knows
// what that page uses: headings, paragraphs, lists, tables, fenced blocks, pictures, links, strong and emphasised words, code.
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const escape = text => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

function picture(alt, file) {
  const image = `data:image/svg+xml;base64,${readFileSync(file).toString("base64")}`;
  return `<img src="${image}" alt="${escape(alt)}">`;
}

// Other pages of docs stay where they are: their links become plain words.
function inline(text, folder) {
  return text.split(/(`[^`]*`)/).map((part, i) => i % 2 ? `<code>${escape(part.slice(1, -1))}</code>` : escape(part)
    .replace(/!\[([^\]]*)\]\(([^)]*\.svg)\)/g, (_, alt, file) => picture(alt, normalize(join(folder, file))))
    .replace(/\[([^\]]*)\]\((https?:[^)]*)\)/g, "<a href=\"$2\">$1</a>").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\*\*([^*]*)\*\*/g, "<strong>$1</strong>").replace(/\*([^*]+)\*/g, "<em>$1</em>")).join("");
}

function live(text, name) {
  const address = "index.html#embed&name=" + encodeURIComponent(name) + "&text=" + encodeURIComponent(text);
  return `<iframe class="live" loading="lazy" title="${escape(name)}, running" src="${escape(address)}"></iframe>\n`;
}

function block(kind, lines) {
  const text = lines.join("\n") + "\n", [language, name] = kind.split(/\s+/);
  return `<pre>${escape(text)}</pre>\n` + (language === "dry" && name ? live(text, name) : "");
}

function table(rows, folder) {
  const cells = row => row.replace(/^\||\|$/g, "").split("|").map(c => inline(c.trim(), folder));
  const line = (row, tag) => "<tr>" + cells(row).map(c => `<${tag}>${c}</${tag}>`).join("") + "</tr>\n";
  return `<div class="wide"><table><thead>${line(rows[0], "th")}</thead><tbody>${rows.slice(2).map(r => line(r, "td")).join("")}</tbody></table></div>\n`;
}

/** The page as HTML; style: CSS. */
export function startPage(path, style) {
  const folder = dirname(path), lines = readFileSync(path, "utf8").split("\n");
  let body = "";
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    const run = (of, from = i) => { const all = []; for (i = from; i < lines.length && of(lines[i]); i++) all.push(lines[i]); return all; };
    const heading = /^(#+) (.*)/.exec(line);
    if (!line.trim()) continue;
    if (heading) body += `<h${heading[1].length}>${inline(heading[2], folder)}</h${heading[1].length}>\n`;
    else if (line.startsWith("```")) body += block(line.slice(3), run(l => !l.startsWith("```"), i + 1));
    else if (line.startsWith("|")) { body += table(run(l => l.startsWith("|")), folder); i--; }
    else if (line.startsWith("    ")) { body += `<pre>${escape(run(l => l.startsWith("    ")).map(l => l.slice(4)).join("\n"))}</pre>\n`; i--; }
    else if (line.startsWith("- ")) {
      const items = run(l => /^(- |  )/.test(l)).join("\n").split(/\n?^- /m).filter(Boolean);
      body += "<ul>" + items.map(t => `<li>${inline(t.replace(/\s+/g, " "), folder)}</li>`).join("\n") + "</ul>\n";
      i--;
    } else { body += `<p>${inline(run(l => l.trim() && !/^(#|```|\||- |    )/.test(l)).join(" "), folder)}</p>\n`; i--; }
  }
  const title = /^# (.*)/m.exec(lines.join("\n"))[1];
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escape(title)}</title>
<style>
${style}main { max-width: 46rem; }
img { max-width: 100%; background: #fff; }
.live { display: block; width: 100%; height: 34rem; border: 1px solid var(--rule); border-radius: 8px; margin: .6rem 0 1.6rem; background: var(--sheet); }
</style>
</head>
<body>
<main>
<p class="note"><a href="index.html">Playground</a></p>
${body}</main>
</body>
</html>
`;
}
