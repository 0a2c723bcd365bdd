// Talks to the server as the extension starts it, with the client library of the protocol, in node.
"use strict";

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const { mkdtempSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const lsp = require("vscode-languageserver-protocol/node");

const settings = require("../package.json").contributes.configuration.properties;
const text = `from imperal_sdk import ChatExtension, Extension

ext = Extension("notes")
chat = ChatExtension(ext, tool_name="notes", description="Notes")


@chat.function("remember", description="Remember a note", action_type="write")
async def remember(ctx, text: str):
    await ctx.cache.set("note", text, ttl_seconds=900)
`;

async function main() {
  const folder = mkdtempSync(join(tmpdir(), "fedcheck-"));
  const program = settings["fedcheck.path"].default || "fedcheck";
  const server = spawn(program, settings["fedcheck.arguments"].default, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const connection = lsp.createProtocolConnection(
    new lsp.StreamMessageReader(server.stdout),
    new lsp.StreamMessageWriter(server.stdin),
  );
  const told = new Promise((resolve) =>
    connection.onNotification(lsp.PublishDiagnosticsNotification.type, resolve),
  );
  connection.listen();

  const { capabilities } = await connection.sendRequest(lsp.InitializeRequest.type, {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: {},
  });
  assert.ok(capabilities.codeActionProvider.codeActionKinds.includes("source.fixAll.fedcheck"));
  await connection.sendNotification(lsp.InitializedNotification.type, {});
  const uri = pathToFileURL(join(folder, "main.py")).href;
  await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "python", version: 1, text },
  });

  const { diagnostics } = await told;
  const life = diagnostics.find((it) => it.code === "FED302");
  assert.ok(life, `no FED302 among ${diagnostics.map((it) => it.code)}`);
  const hover = await connection.sendRequest(lsp.HoverRequest.type, {
    textDocument: { uri },
    position: life.range.start,
  });
  assert.match(hover.contents.value, /A cache entry lives 5 to 300 seconds/);
  const actions = await connection.sendRequest(lsp.CodeActionRequest.type, {
    textDocument: { uri },
    range: life.range,
    context: { diagnostics: [life] },
  });
  assert.ok(actions.some((it) => it.title.startsWith("FED302: Ignore here")));

  await connection.sendRequest(lsp.ShutdownRequest.type);
  await connection.sendNotification(lsp.ExitNotification.type);
  assert.equal(await ended, 0);
  rmSync(folder, { recursive: true });
  console.log(`${diagnostics.length} findings, a page and ${actions.length} actions`);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
