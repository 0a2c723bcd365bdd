"""A tool returns an empty list, and nothing reaches the model. Pydantic AI alone, no fedcheck."""

import asyncio
import json

import httpx2
from openai import AsyncOpenAI
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

sent = []
function = {"name": "look_up", "arguments": "{}"}
asks = {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": function}]}


def provider(request):
    sent.append(json.loads(request.content)["messages"][-1])
    message = asks if len(sent) == 1 else {"role": "assistant", "content": "Done."}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    body = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return httpx2.Response(200, json=body)


http = httpx2.AsyncClient(transport=httpx2.MockTransport(provider))
client = AsyncOpenAI(api_key="none", base_url="http://provider.example", http_client=http)
agent = Agent(OpenAIChatModel("m", provider=OpenAIProvider(openai_client=client)))


@agent.tool_plain
def look_up() -> list[str]:
    return []


asyncio.run(agent.run("hello"))
print("returned: []")
print(f"sent to the model: {json.dumps(sent[1])}")
assert sent[1]["content"] == ""
