"""Texts arrive as other values, and what is no JSON runs. agno alone, no fedcheck."""

from agno.tools.function import Function
from agno.utils.functions import get_function_call

got = []


def pay(to) -> str:
    got.append(to)
    return "paid"


functions = {"pay": Function.from_callable(pay)}
given = ['{"to": "true"}', '{"to": "null"}', '{"to": "alice",}', "{'to': 'alice'}"]
for arguments in given:
    get_function_call("pay", arguments=arguments, functions=functions).execute()
    print(f"the model gave: {arguments:17} the tool got: {got[-1]!r}")
assert got == [True, None, "alice", "alice"]
