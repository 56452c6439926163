// The client of `drystone lsp` for VS Code: starts the server, and starts it anew where the setting drystone.path changes.
"use strict";

const vscode = require("vscode");

let client;

async function stop() {
  const old = client;
  client = undefined;
  if (old) await old.stop().catch(() => {}); // one that never started cannot stop
}

async function start() {
  let node;
  try {
    node = require("vscode-languageclient/node");
  } catch (error) {
    vscode.window.showWarningMessage(
      "Drystone: colours only, because vscode-languageclient is missing. Run `npm install` in the folder of this extension."
    );
    return;
  }
  const command = vscode.workspace.getConfiguration("drystone").get("path") || "drystone";
  client = new node.LanguageClient(
    "drystone",
    "Drystone",
    { command, args: ["lsp"], transport: node.TransportKind.stdio },
    {
      documentSelector: [{ language: "drystone" }],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{dry,csv,h5,urdf}") },
    }
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(
      `Drystone: \`${command} lsp\` does not start: ${error.message}. Install drystone, or set drystone.path to it.`
    );
  }
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("drystone.restart", async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (!change.affectsConfiguration("drystone.path")) return;
      await stop();
      await start();
    })
  );
  await start();
}

module.exports = { activate, deactivate: stop };
