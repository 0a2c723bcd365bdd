// An integer above 2^53 reaches the tool as another one. OpenAI Agents JS alone.
import { Agent, run, setTracingDisabled, tool, Usage } from "@openai/agents";

setTracingDisabled(true);
const given = '{"id":9007199254740993}';
const usage = new Usage({ requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 });
const asks = { type: "function_call", callId: "c1", name: "pay", status: "completed", arguments: given };
const says = { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: "Done." }] };
const answers = [[asks], [says]];
const model = { getResponse: async () => ({ usage, output: answers.shift() }) };

let got;
const parameters = { type: "object", properties: { id: { type: "integer" } }, required: ["id"], additionalProperties: false };
const execute = async (input) => { got = JSON.stringify(input); return "paid"; };
const pay = tool({ name: "pay", description: "pays", strict: true, parameters, execute });
await run(new Agent({ name: "assistant", model, tools: [pay] }), "pay");
console.log(`the model gave: ${given}\nthe tool got:   ${got}`);
if (got === given) process.exit(1);
