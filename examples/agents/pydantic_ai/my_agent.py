"""pydantic-ai: the application keeps the messages, here in a file for each session of a user."""

import os
from hashlib import sha256
from pathlib import Path

from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelMessagesTypeAdapter

claims = {"restart": True, "overlap": True, "users": True, "failed_turns": "dropped"}
agent = Agent("openai-chat:fedcheck", toolsets=[MCPToolset(os.environ["FEDCHECK_TOOLS_MCP"])])


async def chat(message, *, session, user):
    file = Path(os.environ["FEDCHECK_STATE"], sha256(repr([user, session]).encode()).hexdigest())
    kept = ModelMessagesTypeAdapter.validate_json(file.read_bytes()) if file.exists() else []
    done = await agent.run(message, message_history=kept)
    file.write_bytes(done.all_messages_json())
    return done.output
