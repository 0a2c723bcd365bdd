// An integer above 2^53 reaches the tool, and the model again, as another one. The AI SDK alone.
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, jsonSchema, stepCountIs, tool } from "ai";

const given = '{"id":9007199254740993}';
const asks = { role: "assistant", content: "", tool_calls: [{ id: "c1", type: "function", function: { name: "pay", arguments: given } }] };
const sent = [];
async function fetch(url, { body }) {
  sent.push(JSON.parse(body).messages);
  const message = sent.length === 1 ? asks : { role: "assistant", content: "Done." };
  const choices = [{ index: 0, message, finish_reason: sent.length === 1 ? "tool_calls" : "stop" }];
  return Response.json({ id: "1", object: "chat.completion", created: 1, model: "m", choices, usage: {} });
}

let got;
const inputSchema = jsonSchema({ type: "object", properties: { id: { type: "integer" } } });
const pay = tool({ inputSchema, execute: async (input) => { got = JSON.stringify(input); return "paid"; } });
const model = createOpenAI({ apiKey: "none", fetch }).chat("m");
await generateText({ model, tools: { pay }, prompt: "pay", stopWhen: stepCountIs(3) });
const shown = sent[1][1].tool_calls[0].function.arguments;
console.log(`the model gave:       ${given}\nthe tool got:         ${got}\nshown to the model:   ${shown}`);
if (got === given || shown === given) process.exit(1);
