"""A kernel that has nothing but a fact ledger, as a program: JSON-RPC 2.0, one message a line.

It needs nothing but Python. Judge it with ``fedcheck run --kernel "exec:python3 kernel.py"``.
"""

import json
import re
import sys
from collections import defaultdict

DESCRIPTION = {
    "kernel": "exec-example",
    "version": "1.0",
    "capabilities": ["fact_ledger", "env_per_scenario"],
}
EXPOSE = "IMPERAL_FACT_LEDGER_EXPOSE_PII"
PERSONAL = re.compile(
    r"[\w.+%'-]+@[\w.-]+"  # e-mail addresses
    r"|(?<![\w-])\+?\(?\d[\d\s().\-/]{5,18}\d(?![\w-])"  # phone numbers, no longer ids
    r"|[^\W\d_a-z]\w+(?:['’ -]+[^\W\d_a-z][\w.]*)+"  # names
)
WINDOW, CAP = 5, 3000
TOOLS = "[TOOLS]\nalpha, beta and gamma, each with read_items, list_items and write_item"


class Fraction(str):
    """A number as it was written, between characters that no other text has there."""

    __slots__ = ()

    def __new__(cls, text):
        return super().__new__(cls, f"\0{text}\0")


def read(text):
    """Return what a JSON text says; numbers with a fraction or exponent stay as they are."""
    return json.loads(text, parse_float=Fraction)


def written(value):
    """Return a value as JSON text."""
    return re.sub(r'"\\u0000([-+.\deE]+)\\u0000"', r"\1", json.dumps(value))


def masked(value):
    """Return a value without the personal data in its texts."""
    if isinstance(value, dict):
        return {masked(key): masked(item) for key, item in value.items()}
    if isinstance(value, list):
        return [masked(item) for item in value]
    is_text = isinstance(value, str) and not isinstance(value, Fraction)
    return PERSONAL.sub("[masked]", value) if is_text else value


def exchange(turn, exposed):
    """Return what later prompts show of a turn: its message, then a line for each call."""
    lines, room = [], CAP
    for call in reversed(turn["calls"]):
        if call["status"] == "success":
            data = read(call["data_json"])
            if isinstance(data, dict):
                data.pop("_action_meta", None)
            payload = written(data if exposed else masked(data))
            shown = payload if len(payload) <= room else payload[:room] + " [truncated]"
            room -= min(len(payload), room)
            lines.insert(0, f"FACTS: app={call['app']} fn={call['function']} data={shown}")
    return [f"[user] {' '.join(turn['message'].split())}", *lines]


def run(scenario):
    """Take the turns of a scenario; return a classifier prompt for each."""
    events, memory = [], defaultdict(list)
    exposed = scenario["environment"]["flags"].get(EXPOSE) == "true"
    for place, step in enumerate(scenario["steps"]):
        if step["step"] == "turn":
            history = memory[step["user"], step["session"]]
            recent = [line for past in history[-WINDOW:] for line in past]
            prompt = "\n".join(["[HISTORY]", *recent, TOOLS, "[MESSAGE]", step["message"]])
            events.append({"event": "classifier_prompt", "step": place, "prompt": prompt})
            history.append(exchange(step, exposed))
    return {"events": events}


for line in sys.stdin:
    request = json.loads(line)
    result = DESCRIPTION if request["method"] == "describe" else run(request["params"]["scenario"])
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
