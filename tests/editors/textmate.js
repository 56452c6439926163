// Colours texts as VS Code does: textmate.js GRAMMAR PLACES prints the innermost scope of each place.
"use strict";
const fs = require("fs");
const path = require("path");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

async function main(grammarFile, placesFile) {
  await oniguruma.loadWASM(fs.readFileSync(path.join(path.dirname(require.resolve("vscode-oniguruma")), "onig.wasm")).buffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(grammarFile, "utf8"), "grammar.json"),
  });
  const grammar = await registry.loadGrammar("source.drystone");
  const places = JSON.parse(fs.readFileSync(placesFile, "utf8"));
  const found = {};
  for (const file of Object.keys(places)) {
    const lines = fs.readFileSync(file, "utf8").split("\n");
    let state = textmate.INITIAL;
    const tokens = lines.map((line) => {
      const result = grammar.tokenizeLine(line, state, 1000);
      if (result.stoppedEarly) throw new Error(`${file}: a line takes too long`);
      state = result.ruleStack;
      return result.tokens;
    });
    found[file] = places[file].map(([line, column]) => {
      const units = Array.from(lines[line - 1]).slice(0, column - 1).join("").length;
      const token = tokens[line - 1].find((t) => t.startIndex <= units && units < t.endIndex);
      return token.scopes[token.scopes.length - 1];
    });
  }
  console.log(JSON.stringify(found));
}

main(process.argv[2], process.argv[3]).catch((error) => {
  console.error(error);
  process.exit(1);
});
