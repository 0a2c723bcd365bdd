"""agno: sessions kept by its SqliteDb, of which the model is sent the last five runs."""

import os

from agno.agent import Agent
from agno.db.sqlite import SqliteDb
from agno.models.openai import OpenAIChat
from agno.tools.mcp import MCPTools

os.environ["AGNO_TELEMETRY"] = "false"
claims = {"restart": True, "overlap": True, "users": True, "turns": 5}
db = SqliteDb(db_file=os.environ["FEDCHECK_STATE"] + "/state.db")


async def chat(message, *, session, user):
    where = {"url": os.environ["FEDCHECK_TOOLS_MCP"], "transport": "streamable-http"}
    async with MCPTools(**where) as tools:
        agent = Agent(
            model=OpenAIChat(id="fedcheck"),
            tools=[tools],
            db=db,
            telemetry=False,
            add_history_to_context=True,
            num_history_runs=5,
        )
        return (await agent.arun(message, session_id=session, user_id=user)).content
