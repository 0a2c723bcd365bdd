// What a tool did in a turn that failed afterwards is not in the session. OpenAI Agents JS alone.
import { Agent, MemorySession, run, setTracingDisabled, tool, Usage } from "@openai/agents";

setTracingDisabled(true);
const usage = new Usage({ requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 });
const asks = { type: "function_call", callId: "c1", name: "pay", status: "completed", arguments: "{}" };
let requests = 0;
const model = { getResponse: async () => {
  if (requests++ > 0) throw new Error("the connection broke off");
  return { usage, output: [asks] };
} };

let paid = 0;
const parameters = { type: "object", properties: {}, required: [], additionalProperties: false };
const pay = tool({ name: "pay", description: "pays", strict: true, parameters, execute: async () => `paid ${++paid}` });
const session = new MemorySession({ sessionId: "s1" });
const failed = await run(new Agent({ name: "assistant", model, tools: [pay] }), "pay", { session }).catch(String);
const kept = await session.getItems();
console.log(`the turn ended with: ${failed}\ntimes that the tool ran: ${paid}; items that are kept: ${kept.length}`);
if (!paid || kept.some((item) => item.type === "function_call_result")) process.exit(1);
