"""What is written into a secret: ``SecretClient.set`` encodes it, which only texts can be."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = """
import json
import os
from enum import Enum


class Kind(str, Enum):
    A = "a"


ext.secret("token", "Token of the service", write_mode="both")


@ext.tool("t")
async def t(ctx, given="", given_text: str = "", flag=False):
"""


@pytest.mark.parametrize(
    ("value", "what", "advice"),
    [
        ('["a"]', "a list", "Write json.dumps(['a'])."),
        ('{"a": given}', "a dict", "Write json.dumps({'a': given})."),
        ("[it for it in given]", "a list", "Write json.dumps([it for it in given])."),
        ("5", "an int", "Write str(5)."),
        ("None", "None", "Call ctx.secrets.delete(name) to take it away."),
        ('b"a"', "bytes", "Write b'a'.decode()."),
        ("True", "a bool", "Write str(True)."),
        ("[given] if flag else {}", "a list", "Write json.dumps([given] if flag else {})."),
    ],
)
def test_what_has_no_encode(lint: Lint, value: str, what: str, advice: str) -> None:
    """It raises AttributeError in each release that has secrets."""
    (found,) = lint("FED509", f'{HEAD}    await ctx.secrets.set("token", {value})\n')
    assert ("error", True) == (found.severity, f"is {what}: it raises" in found.message)
    assert found.message.endswith(advice)


def test_one_of_two_values(lint: Lint) -> None:
    """What only may be no text is a warning; that a name begins as None says nothing."""
    body = '    value = {}\n    if flag:\n        value = "a"\n'
    call = '    await ctx.secrets.set("token", value=value)\n'
    (found,) = lint("FED509", HEAD + body.format("[]") + call)
    assert "warning" == found.severity
    assert () == lint("FED509", HEAD + body.format("None") + call)


@pytest.mark.parametrize(
    "value",
    [
        '"a"',
        "given",
        "given_text or 'a'",
        'f"{given}"',
        '"a" + given',
        "str(5)",
        'json.dumps(["a"])',
        '" ".join([given])',
        'os.environ.get("A", "")',
        "Kind.A",
        'b"a".decode()',
        '(await ctx.http.get("/x")).json()["token"]',
        '(await ctx.ai.complete("x")).text',
    ],
)
def test_texts_and_what_may_be_one(lint: Lint, value: str) -> None:
    """Of what nobody knows nothing is said."""
    assert () == lint("FED509", f'{HEAD}    await ctx.secrets.set("token", {value})\n')


def test_a_caught_refusal(lint: Lint) -> None:
    """Who catches the error by its name expects it."""
    body = '    try:\n        await ctx.secrets.set("token", 5)\n    except {}:\n        pass\n'
    assert () == lint("FED509", HEAD + body.format("AttributeError"))
    assert 1 == len(lint("FED509", HEAD + body.format("ValueError")))
