"""The text with which an MCP tool failed is told as Python prints it. agno alone, no fedcheck."""

import asyncio

from agno.utils.mcp import get_entrypoint_for_tool
from mcp.types import CallToolResult, TextContent, Tool


class Session:
    """A server whose tool fails."""

    async def call_tool(self, name, arguments, **kwargs):
        return CallToolResult(content=[TextContent(type="text", text="no:\nnot now")], isError=True)

    async def send_ping(self):
        pass


tool = Tool(name="pay", inputSchema={"type": "object"})
told = asyncio.run(get_entrypoint_for_tool(tool, Session())())
print(f"the tool said: no:\\nnot now\nthe model is told: {told.content}")
assert "no:\nnot now" not in told.content
