// Takes a turn with the providers' official JavaScript clients: node clients.cjs URL WIRE STREAM MESSAGE
const [url, wire, streamed, message] = process.argv.slice(2);
const stream = streamed === "true";
const schema = { type: "object", properties: { ref: { type: "string" } } };
const names = ["alpha_read_items", "beta_list_items"];
const OpenAI = require("openai").default;
const Anthropic = require("@anthropic-ai/sdk").default;
const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: "x" });
const anthropic = new Anthropic({ baseURL: url, apiKey: "x" });

const ways = {
  async chat_completions(told) {
    const messages = [{ role: "user", content: message }];
    const tools = names.map((name) => ({ type: "function", function: { name, parameters: schema } }));
    for (;;) {
      const asked = { model: "any", messages, tools };
      const done = stream
        ? await openai.chat.completions.stream(asked).finalChatCompletion()
        : await openai.chat.completions.create(asked);
      const said = done.choices[0].message;
      messages.push(said);
      if (!said.tool_calls?.length) return said.content;
      for (const call of said.tool_calls) {
        told.push([call.function.name, JSON.parse(call.function.arguments)]);
        messages.push({ role: "tool", tool_call_id: call.id, content: "[1]" });
      }
    }
  },
  async responses(told) {
    const tools = names.map((name) => ({ type: "function", name, parameters: schema, strict: false }));
    let input = [{ role: "user", content: message }];
    let previous_response_id;
    for (;;) {
      const asked = { model: "any", input, tools, previous_response_id };
      const done = stream
        ? await openai.responses.stream(asked).finalResponse()
        : await openai.responses.create(asked);
      const calls = done.output.filter((item) => item.type === "function_call");
      if (!calls.length) return done.output_text;
      for (const call of calls) told.push([call.name, JSON.parse(call.arguments)]);
      previous_response_id = done.id;
      input = calls.map((c) => ({ type: "function_call_output", call_id: c.call_id, output: "[1]" }));
    }
  },
  async messages(told) {
    const messages = [{ role: "user", content: message }];
    const tools = names.map((name) => ({ name, input_schema: schema }));
    for (;;) {
      const asked = { model: "any", max_tokens: 99, messages, tools };
      const done = stream
        ? await anthropic.messages.stream(asked).finalMessage()
        : await anthropic.messages.create(asked);
      messages.push({ role: "assistant", content: done.content });
      const calls = done.content.filter((block) => block.type === "tool_use");
      if (!calls.length) return done.content[0].text;
      for (const call of calls) told.push([call.name, call.input]);
      messages.push({
        role: "user",
        content: calls.map((c) => ({ type: "tool_result", tool_use_id: c.id, content: "[1]" })),
      });
    }
  },
};

const told = [];
ways[wire](told).then((reply) => console.log(JSON.stringify({ told, reply })));
