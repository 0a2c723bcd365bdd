"""OpenAI Agents SDK: sessions kept by its SQLiteSession, what is destructive asked about first."""

import json
import os
from functools import partial

from agents import Agent, Runner, RunState, SQLiteSession, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp

set_tracing_disabled(True)  # it sends traces to its maker, whatever the address of the model
claims = {"restart": True, "overlap": True, "users": True, "confirm": True}
waiting = {}  # the runs that wait for their user's yes or no, by session and user


def destructive(context, agent, tool):
    return bool(tool.annotations and tool.annotations.destructive_hint)


async def chat(message, approve=None, *, session, user):
    key = json.dumps([user, session])  # it has no notion of a user: a session's name is the key
    where = {"url": os.environ["FEDCHECK_TOOLS_MCP"]}
    async with MCPServerStreamableHttp(params=where, require_approval=destructive) as tools:
        agent = Agent(name="assistant", model="fedcheck", mcp_servers=[tools])
        if approve is not None:
            message = await RunState.from_json(agent, waiting.pop(key))
            for call in message.get_interruptions():
                (message.approve if approve else message.reject)(call)
        kept = SQLiteSession(key, os.environ["FEDCHECK_STATE"] + "/state.db")
        done = await Runner.run(agent, message, session=kept)
    asked = [{"name": x.name, "arguments": x.arguments} for x in done.interruptions]
    waiting.update({key: done.to_state().to_json()} if asked else {})
    return {"pending": asked} if asked else done.final_output


confirm = partial(chat, None)
