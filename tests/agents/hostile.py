"""An agent that cheats, floods or clings: ``hostile.py ACTION MARK``, in JSON lines."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from guests import chat

ACTION, MARK = sys.argv[1:]
OUT = sys.stdout
LOCK = threading.Lock()
SAID: list[str] = []


def say(answer: dict[str, Any]) -> None:
    """Write a line."""
    OUT.write(json.dumps(answer) + "\n")
    OUT.flush()


def turn(asked: dict[str, Any]) -> None:
    """Take a turn, and do harm."""
    number, session, user = asked["id"], asked["session"], asked["user"]
    if ACTION == "child":
        words = [sys.executable, "-c", "input()", MARK]
        subprocess.Popen(words, stdin=subprocess.PIPE, start_new_session=True)
    reply = chat(asked["message"], session=session, user=user)
    with LOCK:
        SAID.append(reply)
        if ACTION == "another's reply":
            reply = SAID[-2:][0]
        say({"id": number, "reply": reply})
        if ACTION == "twice":
            say({"id": number, "reply": reply})
        elif ACTION == "ahead":
            say({"id": number + 1, "reply": "forged"})
        elif ACTION == "flood":
            while True:
                OUT.write("x" * 2**16)


sys.stdout = sys.stderr
say({"ready": True, "claims": {"restart": True, "overlap": True}})
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "stop":
        break
    turn(request)
