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
from pathlib import Path
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


def flood(stream: Any, chunks: int = 800) -> None:
    """Write 64 KiB so often: 50 MB."""
    for _ in range(chunks):
        stream.write(b"x" * 65_536)
    stream.flush()


def leak() -> None:
    """Ask for more and more memory, and use it; at most 2 GB, should nobody stop it."""
    kept = [b"x" * 1_000_000 + bytes([n % 256]) for n in range(2000)]
    time.sleep(600 * len(kept))


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


def tell_environment() -> None:
    """Write the environment into the file that the last argument names."""
    Path(sys.argv[-1]).write_text(json.dumps(dict(os.environ)))


def last_words() -> None:
    """Tell stderr why, and fail."""
    sys.stderr.write("the reason\n")
    sys.exit(3)


late: list[Callable[[], None]] = []
"""Answers that are kept back until the next request."""


def answer_late(number: int) -> None:
    """Answer the request before this one, and keep this one's answer for later."""
    late.append(lambda: answer(number, {"events": [PROMPT]}))
    if len(late) > 1:
        late.pop(0)()


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
    "half then hang": lambda _: (write(b'{"jsonrpc":"2.0","id":'), time.sleep(600)),
    "out of order": answer_late,
    "in the middle": lambda _: (write(b'{"jsonrpc":"2.0",'), last_words()),
    "leak": lambda _: leak(),
    "flood both": lambda _: (flood(sys.stderr.buffer), flood(sys.stdout.buffer)),
    "double id": lambda n: write(
        b'{"jsonrpc":"2.0","id":%d,"id":%d,"result":{"events":[]}}\n' % (n, n)
    ),
    "double event": lambda n: write(
        b'{"jsonrpc":"2.0","id":%d,"result":{"events":[{"event":"reply","step":0,'
        b'"text":"a","text":"b"}]}}\n' % n
    ),
    "many events": lambda n: answer(n, {"events": [PROMPT] * 20_001}),
    "many notifications": lambda _: [notify(PROMPT) for _ in range(20_001)],
    "deep and whole": lambda n: write(
        b'{"jsonrpc":"2.0","id":%d,"result":%s}\n' % (n, b"[" * 100_000 + b"]" * 100_000)
    ),
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
    "error with a reason": lambda n: (
        sys.stderr.write("the reason\n"),
        send({"jsonrpc": "2.0", "id": n, "error": {"code": -32000, "message": "down"}}),
    ),
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
    if name.startswith("flood stderr"):
        flood(sys.stderr.buffer, 16_384 if name.endswith("1 GB") else 800)
    if name == "tell environment":
        tell_environment()
    if name == "streamed":
        notify(PROMPT)


def described_as(start: str, before_this: int) -> dict[str, object]:
    """Return what the kernel says of itself, which may depend on when it is asked."""
    if start == "changes at once":
        return {**DESCRIPTION, "version": str(before_this)}
    if start == "changes when started again":
        return {**DESCRIPTION, "version": str(os.getpid()), "capabilities": []}
    return DESCRIPTION


def serve(start: str) -> None:
    """Answer requests until stdin ends."""
    if start == "exit at once":
        last_words()
    if start == "never read":
        time.sleep(600)
    describes = 0
    for line in sys.stdin.buffer:
        request = json.loads(line)
        number = request["id"]
        described = request["method"] == "describe"
        name = start if described else request["params"]["scenario"]["id"]
        before(name)
        if name in ACTIONS:
            ACTIONS[name](number)
        else:
            answer(number, described_as(start, describes) if described else {"events": [PROMPT]})
        describes += described
        if describes == 2 and start == "then never read":
            time.sleep(600)


if __name__ == "__main__":
    serve(sys.argv[1] if len(sys.argv) > 1 else "")
