// OpenAI Agents JS: sessions kept in memory. One JSON line in, one out.
import { createInterface } from "node:readline";
import { Agent, MCPServerStreamableHttp, MemorySession, run, setTracingDisabled } from "@openai/agents";

setTracingDisabled(true); // it sends traces to its maker, whatever the address of the model
const tools = new MCPServerStreamableHttp({ url: process.env.FEDCHECK_TOOLS_MCP });
await tools.connect();
const agent = new Agent({ name: "assistant", model: "fedcheck", mcpServers: [tools] });
const kept = new Map();
const say = (it) => process.stdout.write(JSON.stringify(it) + "\n");

async function chat(message, name) {
  if (!kept.has(name)) kept.set(name, new MemorySession({ sessionId: name }));
  return (await run(agent, message, { session: kept.get(name) })).finalOutput;
}

say({ ready: true, claims: { overlap: true, users: true } });
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, op, message, session, user } = JSON.parse(line);
  if (op === "stop") process.exit(0);
  chat(message, JSON.stringify([user, session])).then((reply) => say({ id, reply }), (error) => say({ id, error: String(error) }));
});
