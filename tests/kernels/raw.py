"""A program that speaks the protocol without our code, and breaks it when told to.

Its first argument names what it does to ``describe``, the id of a scenario what it does to
``run``; names that it does not know mean to behave.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

PROMPT = {"event": "classifier_prompt", "step": 0, "prompt": "p"}
DESCRIPTION = {"kernel": "raw", "version": "1", "capabilities": ["fact_ledger"]}


def write(data: bytes) -> None:
    """Write to stdout as it is."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def send(message: object) -> None:
    """Write a message."""
    write(json.dumps(message).encode() + b"\n")


def answer(number: object, result: object) -> None:
    """Answer a request."""
    send({"jsonrpc": "2.0", "id": number, "result": result})


def notify(event: object) -> None:
    """Send an event ahead of the answer."""
    send({"jsonrpc": "2.0", "method": "event", "params": event})


def grandchild() -> None:
    """Start a process that holds our pipes open."""
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])


def flood(stream: Any) -> None:
    """Write 50 MB."""
    for _ in range(800):
        stream.write(b"x" * 65_536)
    stream.flush()


def flood_with_events() -> None:
    """Send events for ever."""
    line = json.dumps(
        {"jsonrpc": "2.0", "method": "event", "params": {**PROMPT, "prompt": "x" * 60_000}}
    )
    while True:
        write(line.encode() + b"\n")


def half() -> None:
    """Write half a line and end."""
    write(b'{"jsonrpc":"2.0","id":')
    sys.exit(0)


def close_stdout() -> None:
    """Close stdout but live on."""
    os.close(1)
    time.sleep(600)


def last_words() -> None:
    """Tell stderr why, and fail."""
    sys.stderr.write("the reason\n")
    sys.exit(3)


ACTIONS: dict[str, Callable[[int], object]] = {
    "exit": lambda _: last_words(),
    "abort": lambda _: os.abort(),
    "kill": lambda _: os.kill(os.getpid(), signal.SIGKILL),
    "hang": lambda _: time.sleep(600),
    "spin": lambda _: [None for _ in iter(int, 1)],
    "garbage": lambda _: write(b"Listening on port 80\xe2\x80\xa6\n"),
    "blank line": lambda _: write(b"\n"),
    "half": lambda _: half(),
    "not utf-8": lambda _: write(b'{"jsonrpc":"2.0","id":\xff}\n'),
    "list": lambda _: send([1]),
    "wrong id": lambda n: answer(n + 1, {"events": []}),
    "id is text": lambda n: answer(str(n), {"events": []}),
    "no id": lambda _: send({"jsonrpc": "2.0", "result": {"events": []}}),
    "no version": lambda n: send({"id": n, "result": {"events": []}}),
    "neither": lambda n: send({"jsonrpc": "2.0", "id": n}),
    "both": lambda n: send(
        {"jsonrpc": "2.0", "id": n, "result": 1, "error": {"code": 1, "message": ""}}
    ),
    "nan": lambda n: answer(n, {"events": [{**PROMPT, "at": float("nan")}]}),
    "error": lambda n: send(
        {"jsonrpc": "2.0", "id": n, "error": {"code": -32000, "message": "database\n\u0434own"}}
    ),
    "unknown event": lambda n: answer(n, {"events": [{**PROMPT, "event": "promt"}]}),
    "unknown field": lambda n: answer(n, {"events": [{**PROMPT, "colour": 1}]}),
    "given": lambda n: answer(
        n, {"events": [{"event": "given", "step": 0, "stimulus": {"step": "turn", "message": ""}}]}
    ),
    "wrong shape": lambda n: answer(n, [PROMPT]),
    "unknown notification": lambda _: send({"jsonrpc": "2.0", "method": "log", "params": {}}),
    "bad event notification": lambda _: notify({**PROMPT, "step": "0"}),
    "request to us": lambda _: send(
        {"jsonrpc": "2.0", "id": 1, "method": "event", "params": PROMPT}
    ),
    "long line": lambda _: flood(sys.stdout.buffer),
    "endless events": lambda _: flood_with_events(),
    "close stdout": lambda _: close_stdout(),
    "grandchild": lambda _: (grandchild(), os._exit(5)),
    "hang with grandchild": lambda _: (grandchild(), time.sleep(600)),
    "deep": lambda _: write(b"[" * 100_000 + b"\n"),
    "events then hang": lambda _: (notify(PROMPT), time.sleep(600)),
    "events then abort": lambda _: (notify(PROMPT), os.abort()),
    "forgotten events": lambda n: (notify(PROMPT), answer(n, {"events": []})),
    "trailing": lambda n: write(
        json.dumps({"jsonrpc": "2.0", "id": n, "result": {"events": []}}).encode() + b"\nbye\n"
    ),
    "twice": lambda n: (answer(n, {"events": [PROMPT]}), answer(n, {"events": [PROMPT]})),
}
"""What is done instead of answering."""


def before(name: str) -> None:
    """Do what harms nobody, before a proper answer."""
    if name == "flood stderr":
        flood(sys.stderr.buffer)
    if name == "streamed":
        notify(PROMPT)


def serve(start: str) -> None:
    """Answer requests until stdin ends."""
    if start == "exit at once":
        last_words()
    if start == "never read":
        time.sleep(600)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        number = request["id"]
        described = request["method"] == "describe"
        name = start if described else request["params"]["scenario"]["id"]
        before(name)
        if name in ACTIONS:
            ACTIONS[name](number)
        else:
            answer(number, DESCRIPTION if described else {"events": [PROMPT]})
        if described and start == "then never read":
            time.sleep(600)


if __name__ == "__main__":
    serve(" ".join(sys.argv[1:]))
