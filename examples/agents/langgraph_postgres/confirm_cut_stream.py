"""A streamed call whose arguments are cut off runs with what came of them. LangChain alone."""

from langchain.agents import create_agent
from langchain_core.language_models.chat_models import BaseChatModel, generate_from_stream
from langchain_core.messages import AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk

paid = []
given = '{"to": "alice", "amount": 10'  # of {"to": "alice", "amount": 1000}, at a limit of tokens
call = {"id": "c1", "name": "pay", "args": given, "index": 0}
cut = {"finish_reason": "length"}
first = AIMessageChunk("", tool_call_chunks=[call], response_metadata=cut)
answers = [first, AIMessageChunk("Done.")]


class Model(BaseChatModel):
    """A model that streams, as ChatOpenAI(streaming=True) does."""

    _llm_type = "scripted"

    def bind_tools(self, tools, **kwargs):
        return self

    def _stream(self, messages, stop=None, run_manager=None, **kwargs):
        yield ChatGenerationChunk(message=answers.pop(0))

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        return generate_from_stream(self._stream(messages))


def pay(to: str, amount: int) -> str:
    """Pay an amount."""
    paid.append({"to": to, "amount": amount})
    return "paid"


create_agent(Model(), [pay]).invoke({"messages": [("user", "pay")]})
print(f"the model gave: {given}, finish_reason length\nthe tool got:   {paid}")
assert paid == [{"to": "alice", "amount": 10}]
