"""smolagents: an agent for each session, which keeps its memory while the process lives."""

import os

from smolagents import MCPClient, OpenAIServerModel, ToolCallingAgent

claims = {}
where = {"url": os.environ["FEDCHECK_TOOLS_MCP"], "transport": "streamable-http"}
tools = MCPClient(where, structured_output=False).get_tools()
agents = {}


def chat(message, *, session, user):
    if session not in agents:
        model = OpenAIServerModel(
            "fedcheck", api_key="none", api_base=os.environ["OPENAI_BASE_URL"]
        )
        agents[session] = ToolCallingAgent(tools=tools, model=model, verbosity_level=0)
    return str(agents[session].run(message, reset=False))
