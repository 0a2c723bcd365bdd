"""OpenAI Agents SDK: sessions kept by its SQLiteSession."""

import os

from agents import Agent, Runner, SQLiteSession, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp

set_tracing_disabled(True)  # it sends traces to its maker, whatever the address of the model
claims = {"restart": True, "overlap": True}


async def chat(message, *, session, user):
    where = {"url": os.environ["FEDCHECK_TOOLS_MCP"]}
    async with MCPServerStreamableHttp(params=where) as tools:
        agent = Agent(name="assistant", model="fedcheck", mcp_servers=[tools])
        kept = SQLiteSession(session, os.environ["FEDCHECK_STATE"] + "/state.db")
        return (await Runner.run(agent, message, session=kept)).final_output
