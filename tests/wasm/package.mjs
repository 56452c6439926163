/* The package that tools/npm.sh packs, as npm installs it in an empty folder. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, finish, same, test, text } from "./common.mjs";

const folder = join(build, "test/package"), inside = join(folder, "node_modules/drystone");
const run = (program, ...words) => {
    try {
        return execFileSync(program, words, { cwd: folder, encoding: "utf8" });
    } catch (error) {
        throw new Error(`${error.stdout}${error.stderr}`);
    }
};

await test("version, licence and files", () => {
    const about = JSON.parse(text(join(inside, "package.json")));
    return [...same("version", about.version, text("include/drystone/core.h").match(/DRY_VERSION "(.*)"/)[1]),
        ...same("licence", [about.license, text(join(inside, "LICENSE")) === text("LICENSE")], ["MIT", true]),
        ...same("no other package", about.dependencies, undefined),
        ...same("files", readdirSync(inside).sort(), ["LICENSE", "README.md", "core.js", "drystone-classic.js", "drystone.d.ts",
            "drystone.js", "drystone.wasm", "editor.js", "engine.js", "files.js", "model.js", "package.json", "plan.js",
            "result.js", "stepper.js"])];
});

await test("a program with types", () => {
    run("node_modules/.bin/tsc", "--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--module", "nodenext",
        "--lib", "es2022,dom", "types.ts");
    return same("it prints", JSON.parse(run("node", "types.js")),
        [true, true, 1001, 0, true, "v", true, 0, "error", "model", true]);
});

await test("what README.md shows", () => {
    const page = "globalThis.document = { body: {} };\n";
    writeFileSync(join(folder, "shown.mjs"), page + readFileSync(join(folder, "readme.mjs"), "utf8") +
        "console.log(/^<svg|<svg/.test(document.body.innerHTML));\n");
    return same("it prints", run("node", "shown.mjs").split("\n"), ["0.2000  1001", "1001 trusted", "true", ""]);
});

finish();
