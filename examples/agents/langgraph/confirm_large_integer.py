"""An argument beyond 64 bits ends the turn after its tool has run, and the thread forgets it.

All checkpointers of LangGraph write alike; this one needs no database.
"""

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver

paid = []
call = {"id": "c1", "name": "pay", "args": {"amount": 10**40}}
answers = iter([AIMessage("", tool_calls=[call]), AIMessage("Done.")])


class Model(GenericFakeChatModel):
    def bind_tools(self, tools, **kwargs):
        return self


def pay(amount: int) -> str:
    """Pay an amount."""
    paid.append(amount)
    return "paid"


agent = create_agent(Model(messages=answers), [pay], checkpointer=InMemorySaver())
thread = {"configurable": {"thread_id": "1"}}
try:
    agent.invoke({"messages": [("user", "pay")]}, thread)
except TypeError as error:
    print(f"the turn ended with: {error}")
known = [each.type for each in agent.get_state(thread).values["messages"]]
print(f"times that the tool ran: {len(paid)}; messages that are kept: {known}")
assert paid
assert known == ["human"]
