"""Small agents for the tests, of the standard library alone: ``agent:guests:NAME`` from here."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any


def _post(url: str, body: object, headers: dict[str, str] | None = None) -> str:
    request = urllib.request.Request(url, json.dumps(body).encode(), headers or {})  # noqa: S310
    try:
        with urllib.request.urlopen(request) as answer:  # noqa: S310
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        if error.code in (429, 500):
            return _post(url, body, headers)
        return error.read().decode()


def _tools() -> list[dict[str, Any]]:
    with urllib.request.urlopen(os.environ["FEDCHECK_TOOLS_HTTP"]) as answer:  # noqa: S310
        listed = json.load(answer)["tools"]
    return [
        {"type": "function", "function": {"name": t["name"], "parameters": t["inputSchema"]}}
        for t in listed
    ]


def _whole(events: str) -> dict[str, Any]:
    """Put the pieces of a stream together."""
    message: dict[str, Any] = {"role": "assistant", "content": ""}
    calls: dict[int, dict[str, Any]] = {}
    for line in events.splitlines():
        if not line.startswith("data: {"):
            continue
        for choice in json.loads(line[6:])["choices"]:
            delta = choice["delta"]
            message["content"] += delta.get("content") or ""
            for piece in delta.get("tool_calls", ()):
                call = calls.setdefault(piece["index"], {**piece, "function": {"arguments": ""}})
                function = call["function"]
                function["name"] = piece["function"].get("name") or function.get("name")
                function["arguments"] += piece["function"].get("arguments", "")
    if calls:
        message["tool_calls"] = [calls[index] for index in sorted(calls)]
    return message


class Agent:
    """Keeps each session in a file, and asks by Chat Completions."""

    def __init__(self) -> None:
        self.claims = {"name": "guest", "version": "7"}
        self.claims |= dict.fromkeys(("users", "restart", "overlap", "streams"), True)

    def __call__(self, message: str, *, session: str, user: str, stream: bool = False) -> str:
        print("this is no answer")  # noqa: T201 - what is printed must not get in the way
        file = Path(os.environ["FEDCHECK_STATE"], f"{user}-{session}.json")
        said = json.loads(file.read_text()) if file.exists() else []
        said.append({"role": "user", "content": message})
        while True:
            body = {"model": "any", "messages": said, "tools": _tools(), "stream": stream}
            answer = _post(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body)
            said.append(_whole(answer) if stream else json.loads(answer)["choices"][0]["message"])
            if not said[-1].get("tool_calls"):
                file.write_text(json.dumps(said))
                return said[-1]["content"]
            for call in said[-1]["tool_calls"]:
                function = call["function"]
                where = f"{os.environ['FEDCHECK_TOOLS_HTTP']}/{function['name']}"
                result = _post(where, json.loads(function["arguments"]))
                said.append({"role": "tool", "tool_call_id": call["id"], "content": result})


chat = Agent()


class Asking:
    """Asks its user before it drops something; keeps what waits by user and session."""

    def __init__(self) -> None:
        self.claims = {"confirm": True, "users": True}
        self.waiting: dict[tuple[str, str], list[Any]] = {}

    def __call__(self, message: str, *, session: str, user: str) -> Any:
        """Take a turn: show what waits, or say what the model says."""
        return self._go_on([{"role": "user", "content": message}], (user, session))

    def confirm(self, approve: bool, *, session: str, user: str) -> Any:
        """Do what waits, or tell the model that it may not be done."""
        said = self.waiting.pop((user, session))
        for call in said[-1]["tool_calls"]:
            function = call["function"]
            where = f"{os.environ['FEDCHECK_TOOLS_HTTP']}/{function['name']}"
            result = _post(where, json.loads(function["arguments"])) if approve else "refused"
            said = [*said, {"role": "tool", "tool_call_id": call["id"], "content": result}]
        return self._go_on(said, (user, session))

    def _go_on(self, said: list[Any], key: tuple[str, str]) -> Any:
        body = {"model": "any", "messages": said, "tools": _tools()}
        answer = json.loads(_post(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body))
        said.append(answer["choices"][0]["message"])
        if not said[-1].get("tool_calls"):
            return said[-1]["content"]
        self.waiting[key] = said
        return {"pending": [call["function"] for call in said[-1]["tool_calls"]]}


asking = Asking()


class AskingAboutDestruction(Asking):
    """Asks only about what is destructive, as it should; each of the others does one thing less."""

    def _go_on(self, said: list[Any], key: tuple[str, str]) -> Any:
        while isinstance(ended := super()._go_on(said, key), dict):
            if any("drop_item" in call["name"] for call in ended["pending"]):
                return ended
            self.waiting.pop(key)
            said = self._with_results(said)
        return ended

    def _with_results(self, said: list[Any]) -> list[Any]:
        for call in said[-1]["tool_calls"]:
            function = call["function"]
            where = f"{os.environ['FEDCHECK_TOOLS_HTTP']}/{function['name']}"
            result = _post(where, json.loads(function["arguments"]))
            said = [*said, {"role": "tool", "tool_call_id": call["id"], "content": result}]
        return said


class NeverAsking(AskingAboutDestruction):
    """Claims to ask, and runs everything at once."""

    def _go_on(self, said: list[Any], key: tuple[str, str]) -> Any:
        while isinstance(ended := super()._go_on(said, key), dict):
            self.waiting.pop(key)
            said = self._with_results(said)
        return ended


class IgnoringYes(AskingAboutDestruction):
    """Forgets what waits, whatever its user says."""

    def confirm(self, approve: bool, *, session: str, user: str) -> Any:
        return f"you said {approve}, {self.waiting.pop((user, session)) and 'thanks'}"


class AskingAgain(AskingAboutDestruction):
    """Asks once more, whatever its user says."""

    def confirm(self, approve: bool, *, session: str, user: str) -> Any:
        said = self.waiting[user, session]
        return {"pending": [call["function"] for call in said[-1]["tool_calls"]], "said": approve}


asking_about_destruction = AskingAboutDestruction()
never_asking = NeverAsking()
ignoring_yes = IgnoringYes()
asking_again = AskingAgain()


def without_confirm(message: str, *, session: str, user: str) -> Any:
    """Asks its user, and nobody can answer."""
    return asking_about_destruction(message, session=session, user=user)


without_confirm.claims = {"confirm": True}  # type: ignore[attr-defined]


def elsewhere(message: str) -> str:
    """Has the address of its model in the code."""
    return _post("http://model.invalid/v1/chat/completions", {"input": message})


def unclaimed(message: str) -> dict[str, Any]:
    """Has calls wait, and claims nothing."""
    return {"pending": [{"name": "alpha_drop_item", "arguments": {"said": message}}]}


def inventing(message: str) -> dict[str, Any]:
    """Shows its user a call that nobody asked for."""
    without_tools(message)
    return {"pending": [{"name": "alpha_drop_item", "arguments": {"n": 1}}]}


inventing.claims = {"confirm": True}  # type: ignore[attr-defined]


async def slow_chat(message: str, *, session: str, user: str) -> str:
    """The same, as a coroutine."""
    return await asyncio.to_thread(chat, message, session=session, user=user)


slow_chat.claims = {"overlap": True}  # type: ignore[attr-defined]


def deaf(message: str) -> str:
    """Asks no model at all."""
    return f"you said {message}"


def without_tools(message: str) -> str:
    """Offers its model no tools."""
    body = {"model": "any", "messages": [{"role": "user", "content": message}]}
    answer = json.loads(_post(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body))
    return answer["choices"][0]["message"]["content"]


def unmarked(message: str) -> str:
    """Sends its model something else than what the user said."""
    del message
    body = {"model": "any", "messages": [{"role": "user", "content": "hi"}], "tools": _tools()}
    _post(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body)
    return "hi"


def lost(message: str) -> str:
    """Asks for something that no model has."""
    return _post(os.environ["OPENAI_BASE_URL"] + "/embeddings", {"input": message})


def dying(message: str) -> str:
    """Ends its process."""
    sys.stderr.write("I am done\n")
    os._exit(len(message) and 5)


def hanging(message: str) -> str:
    """Never comes back, except from a first turn."""
    if "first" in message:
        return chat(message, session="s", user="u")
    time.sleep(600)
    return ""


def failing(message: str) -> str:
    """Ends its turn with an error."""
    raise SystemExit(f"no {message}")


def wordy(message: str) -> str:
    """Says more than anybody reads."""
    return message * 2**23


def far(message: str, *, session: str, user: str) -> str:
    """Tries to reach somebody else."""
    with contextlib.suppress(OSError):
        urllib.request.urlopen("http://telemetry.invalid/", timeout=1)
    return chat(message, session=session, user=user)


def number(message: str) -> int:
    """Returns no text."""
    return len(message)


def boastful(message: str) -> str:
    """Claims what nobody knows."""
    return message


boastful.claims = {"restarts": True}  # type: ignore[attr-defined]
