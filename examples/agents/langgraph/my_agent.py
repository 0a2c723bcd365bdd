"""LangGraph: its prebuilt agent, sessions kept by its SQLite checkpointer."""

import json
import os

from langchain.agents import create_agent
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

claims = {"restart": True, "overlap": True, "users": True}
servers = {"tools": {"transport": "streamable_http", "url": os.environ["FEDCHECK_TOOLS_MCP"]}}


async def chat(message, *, session, user):
    tools = await MultiServerMCPClient(servers).get_tools()
    async with AsyncSqliteSaver.from_conn_string(
        os.environ["FEDCHECK_STATE"] + "/state.db"
    ) as kept:
        agent = create_agent(ChatOpenAI(model="fedcheck"), tools, checkpointer=kept)
        config = {"configurable": {"thread_id": json.dumps([user, session])}}
        done = await agent.ainvoke({"messages": [("user", message)]}, config)
    return done["messages"][-1].text
