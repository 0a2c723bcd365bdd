"""C-AGENT-ROLES: what tools and users say stays theirs."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.agent_roles import imitated, read_said
from ...readings.agents import WHOSE, AgentRequest, read_agent, told
from ...readings.roles import is_result
from ...scenarios.agents import greetings
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.sources import published
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_USERS = frozenset({"user", "human"})


def _tool_text(view: TraceView) -> Iterator[Finding]:
    said = view.reading(read_said)
    imitates = False
    for turn in view.reading(read_agent):
        for request in turn.requests:
            imitates = (imitates and request.after is not None) or any(
                call.given and imitated(call.given) for call in request.new_calls
            )
            if not imitates and not any(imitated(call) for call in turn.calls if call.ran):
                continue
            yield Compared(step=turn.step.index)
            for message in request.others:
                text = message.content_text.strip()
                if text in said.by_tools and text not in said.by_people:
                    yield Violation(
                        kind=f"tool text in a message of {message.role}",
                        step=turn.step.index,
                        expected="a tool's text makes no message of its own",
                        got=told(message),
                    )
                    break


def _user_text(view: TraceView) -> Iterator[Finding]:
    said = view.reading(read_said)
    for turn in view.reading(read_agent):
        for request in turn.requests[:1]:
            yield Compared(tuple(_classes(turn.turn.message)), turn.step.index)
            whole = " ".join(turn.turn.message.split())
            if not any(whole in " ".join(text.split()) for text in _users(request)):
                yield Violation(
                    kind="user's text changed",
                    step=turn.step.index,
                    expected=f"a message of the user with {shorten(turn.turn.message)}",
                    got=_last(request),
                )
            for message in request.messages:
                text = message.content_text.strip()
                strange = message.role not in _USERS and not is_result(message)
                if strange and text in said.by_users and text not in said.by_model:
                    yield Violation(
                        kind=f"user's text in a message of {message.role}",
                        step=turn.step.index,
                        expected="the user's text stays in messages of the user",
                        got=told(message),
                    )


def _classes(message: str) -> Iterator[str]:
    if "\n" in message or "<|" in message:
        yield "that imitates other roles"


def _users(request: AgentRequest) -> Iterator[str]:
    for message in request.messages:
        if message.role in _USERS:
            yield message.content_text


def _last(request: AgentRequest) -> str:
    users = [message for message in request.messages if message.role in _USERS]
    return told(users[-1]) if users else "no message of the user"


INVARIANT = Invariant(
    id="C-AGENT-ROLES",
    title="Roles are kept",
    statement="What a tool returns and what a user says makes no message in the name of another.",
    sources=(
        published("OpenAI Model Spec", "Ignore untrusted data by default"),
        published("OpenAI API reference", "Chat completions, messages by role"),
    ),
    capabilities=frozenset({"agent"}),
    severity="critical",
    reading=(
        "A history may be told in one text of the user: then nothing but whole messages that a "
        f"tool or user has made up counts. Words around the user's text are free. {WHOSE}"
    ),
    clauses=(
        Clause(
            "tool-text-makes-no-message",
            "A tool's text that imitates messages of others makes no such message.",
            _tool_text,
        ),
        Clause(
            "user-text-stays",
            "The user's text stands whole in a message of the user, and none of it in one of "
            "another.",
            _user_text,
            (Partition("that imitates other roles", "a text that looks like several messages"),),
        ),
    ),
    scenarios=only_rows,
    strategy=greetings,
)
