// Runs inside an editor, by its own test runner, in a folder that holds the main.py of the README.
"use strict";

const assert = require("node:assert/strict");
const { commands, languages, Position, Range, Uri, window, workspace } = require("vscode");

const PATIENCE = 60_000; // ms; the machines that run tests are slow

exports.run = async () => {
  const document = await workspace.openTextDocument(Uri.joinPath(workspace.workspaceFolders[0].uri, "main.py"));
  const editor = await window.showTextDocument(document);
  const codes = () => languages.getDiagnostics(document.uri).map((it) => it.code?.value ?? it.code).sort();
  const place = () => document.positionAt(document.getText().indexOf("ttl_seconds=")).translate(0, -30);

  await until(() => codes().includes("FED302"), "no finding came");

  const line = document.lineAt(place().line).range;
  const [finding] = languages.getDiagnostics(document.uri).filter((it) => codeOf(it) === "FED302");
  const hovers = await commands.executeCommand("vscode.executeHoverProvider", document.uri, finding.range.start);
  const page = hovers.flatMap((it) => it.contents).map((it) => it.value ?? it).join("\n");
  assert.match(page, /A cache entry lives 5 to 300 seconds/);

  const actions = await commands.executeCommand("vscode.executeCodeActionProvider", document.uri, line);
  assert.ok(actions.some((it) => it.title.startsWith("FED302: Ignore here")), "no action ignores it");

  const life = document.getText().indexOf("900");
  await editor.edit((edit) => edit.replace(new Range(document.positionAt(life), document.positionAt(life + 3)), "300"));
  await until(() => codes().length && !codes().includes("FED302"), "a mended finding stayed");

  await workspace.getConfiguration("fedcheck").update("path", "no-such-fedcheck");
  await until(() => !codes().length, "a server that is gone left findings");
  await workspace.getConfiguration("fedcheck").update("path", undefined);
  await until(() => codes().length, "it did not come back");
};

const codeOf = (finding) => finding.code?.value ?? finding.code;

async function until(holds, otherwise) {
  const end = Date.now() + PATIENCE;
  while (!holds()) {
    assert.ok(Date.now() < end, otherwise);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
