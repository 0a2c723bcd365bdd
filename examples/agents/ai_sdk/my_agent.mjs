// Vercel AI SDK: the application keeps the messages, here in memory. One JSON line in, one out.
import { createInterface } from "node:readline";
import { createMCPClient } from "@ai-sdk/mcp";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, stepCountIs } from "ai";

const client = await createMCPClient({ transport: { type: "http", url: process.env.FEDCHECK_TOOLS_MCP } });
const tools = await client.tools();
const model = createOpenAI().chat("fedcheck");
const kept = new Map();
const say = (it) => process.stdout.write(JSON.stringify(it) + "\n");

async function chat(message, session) {
  const messages = [...(kept.get(session) ?? []), { role: "user", content: message }];
  const done = await generateText({ model, tools, messages, stopWhen: stepCountIs(20) });
  if (done.finishReason === "length") throw new Error("the answer was cut off");
  kept.set(session, [...messages, ...done.response.messages]);
  return done.text;
}

say({ ready: true, claims: { overlap: true, users: true, failed_turns: "dropped" } });
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, op, message, session, user } = JSON.parse(line);
  if (op === "stop") process.exit(0);
  chat(message, JSON.stringify([user, session])).then((reply) => say({ id, reply }), (error) => say({ id, error: String(error) }));
});
