// Starts `fedcheck lsp` for Python files and shows what it says.
"use strict";

const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { commands, window, workspace } = require("vscode");
const { LanguageClient, RevealOutputChannelOn } = require("vscode-languageclient/node");

let client;
let channel;
let settling = Promise.resolve(); // one start or stop at a time

exports.activate = (context) => {
  channel = window.createOutputChannel("fedcheck", { log: true });
  context.subscriptions.push(
    channel,
    commands.registerCommand("fedcheck.restart", restart),
    workspace.onDidGrantWorkspaceTrust(restart),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("fedcheck")) restart();
    }),
  );
  return restart();
};

exports.deactivate = () => settle(stop);

const restart = () => settle(async () => {
  await stop();
  await start();
});

const settle = (what) => (settling = settling.then(what));

async function start() {
  const settings = workspace.getConfiguration("fedcheck");
  const command = settings.get("path") || programOfFolder() || "fedcheck";
  client = new LanguageClient("fedcheck", { command, args: settings.get("arguments") }, {
    documentSelector: [{ language: "python", scheme: "file" }],
    outputChannel: channel,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
  });
  channel.info(`starting ${command}`);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    channel.error(error);
    tellHowToMend(command, error); // not awaited: it ends when somebody has read it
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running?.isRunning()) await running.stop();
}

/** The program of the folder's own environment; that of a stranger's folder is not run. */
function programOfFolder() {
  if (!workspace.isTrusted) return undefined;
  const name = process.platform === "win32" ? "Scripts/fedcheck.exe" : "bin/fedcheck";
  const folders = workspace.workspaceFolders ?? [];
  return folders.map((it) => join(it.uri.fsPath, ".venv", name)).find(existsSync);
}

async function tellHowToMend(command, error) {
  const settings = "Open Settings";
  const answer = await window.showErrorMessage(
    `"${command}" could not be started: ${error.message ?? error}. Install it with ` +
      "pip install 'fedcheck[lsp]', or set fedcheck.path to where it is.",
    settings,
    "Show Log",
  );
  if (answer === settings) await commands.executeCommand("workbench.action.openSettings", "fedcheck");
  else if (answer) channel.show();
}
