"""LangGraph: its prebuilt agent, sessions kept by its PostgreSQL checkpointer."""

import json
import os

from langchain.agents import create_agent
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

claims = {"restart": True, "overlap": True, "users": True}
servers = {"tools": {"transport": "streamable_http", "url": os.environ["FEDCHECK_TOOLS_MCP"]}}
database = os.environ["GUEST_DATABASE"]
with PostgresSaver.from_conn_string(database) as first:
    first.setup()


async def chat(message, *, session, user):
    tools = await MultiServerMCPClient(servers).get_tools()
    async with AsyncPostgresSaver.from_conn_string(database) as kept:
        agent = create_agent(ChatOpenAI(model="fedcheck", streaming=True), tools, checkpointer=kept)
        config = {"configurable": {"thread_id": json.dumps([user, session])}}
        done = await agent.ainvoke({"messages": [("user", message)]}, config)
    return done["messages"][-1].text
