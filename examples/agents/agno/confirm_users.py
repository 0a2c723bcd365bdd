"""Two users whose sessions have one name: the second's run goes into the first's session."""

import json
import os

import httpx
from agno.agent import Agent
from agno.db.in_memory import InMemoryDb
from agno.models.openai import OpenAIChat

os.environ["AGNO_TELEMETRY"] = "false"
sent = []


def provider(request):
    sent.append([x["content"] for x in json.loads(request.content)["messages"]])
    choice = {"message": {"role": "assistant", "content": "Done."}, "finish_reason": "stop"}
    choices = [{"index": 0, **choice}]
    body = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": choices}
    return httpx.Response(200, json=body)


http = httpx.Client(transport=httpx.MockTransport(provider))
model = OpenAIChat("m", api_key="none", base_url="http://provider.example", http_client=http)
agent = Agent(model=model, db=InMemoryDb(), add_history_to_context=True, telemetry=False)
for user, message in [("ann", "I am Ann"), ("bob", "I am Bob"), ("ann", "and?"), ("bob", "and?")]:
    agent.run(message, user_id=user, session_id="default")
    print(f"{user} says {message!r}; the model is sent {sent[-1]}")
assert "I am Bob" in sent[2]
assert "I am Bob" not in sent[3]
