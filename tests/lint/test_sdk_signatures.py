"""Random calls, judged by the linter and by the signatures of the installed SDK itself."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from fedcheck.lint.engine.engine import CheckResult

sdk = pytest.importorskip("imperal_sdk", reason="needs the extra `sdk`")

Check = Callable[..., CheckResult]

CLIENTS = {
    "ai": "AIClient", "apps": "AppsClient", "billing": "BillingClient", "cache": "CacheClient",
    "config": "ConfigClient", "conversations": "ConversationsClient", "http": "HTTPClient",
    "notify": "NotifyClient", "secrets": "SecretClient", "storage": "StorageClient",
    "store": "StoreClient", "users": "UsersClient",
}  # fmt: skip
"""Attribute of the context → class."""
FUNCTIONS = (
    "ActionResult.error", "ActionResult.success", "HealthStatus.ok", "WebhookResponse.error",
    "ui.Badge", "ui.Button", "ui.Form", "ui.Input", "ui.List", "ui.ListItem", "ui.Select",
    "ui.Stack", "ui.Stat", "ui.Text",
)  # fmt: skip
START = """\
from functools import partial

from imperal_sdk import ActionResult, Extension, HealthStatus, WebhookResponse, ui

ext = Extension("notes", capabilities=["notes:read"])
V = object()
"""
HANDLER = """
{helper}

@ext.panel("p{number}")
async def panel_{number}(ctx):
{body}
"""
WAYS = {
    "as it stands": "return {callee}({given})",
    "by another name": "make = {callee}\nreturn make({given})",
    "from a table": "table = {{'make': {callee}}}\nreturn table['make']({given})",
    "in a lambda": "return (lambda: {callee}({given}))()",
    "with *args": "args = ({args})\nreturn {callee}(*args, {keywords})",
    "with **kwargs": "more = dict({keywords})\nreturn {callee}({args} **more)",
    "handed on": "return hand_{number}({callee})",
}
HELPERS = {
    "handed on": "\ndef hand_{number}(make):\n    return make({given})\n",
}
PREPARED = "make = partial({callee}, {keywords})\nreturn make({args})"
"""For methods alone: what ``partial`` makes of a function is not followed."""


class Call(NamedTuple):
    """A call with some positional arguments and some keywords."""

    callee: str
    count: int
    keywords: tuple[str, ...]
    is_taken: bool

    def text(self, number: int, way: str) -> str:
        """Return a handler that makes it."""
        args = "".join("V, " for _ in range(self.count))
        keywords = ", ".join(f"{name}=V" for name in self.keywords)
        parts = {"callee": self.callee, "number": number, "args": args, "keywords": keywords}
        parts["given"] = f"{args}{keywords}"
        lines = (PREPARED if way == "prepared" else WAYS[way]).format(**parts).splitlines()
        helper = HELPERS.get(way, "").format(**parts)
        body = "\n".join(f"    {line}" for line in lines)
        return HANDLER.format(number=number, helper=helper, body=body)


def classes() -> dict[str, type]:
    """Return the SDK's classes by name; those of clients stand in modules of their own."""
    found: dict[str, type] = {}
    for module in pkgutil.walk_packages(sdk.__path__, "imperal_sdk."):
        if module.name.rpartition(".")[2] == "client":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                members = vars(importlib.import_module(module.name))
            found |= {name: it for name, it in members.items() if inspect.isclass(it)}
    return found


def callables() -> Iterator[tuple[str, Any]]:
    """Yield (how it is written, what it is)."""
    known = classes()
    for attribute, name in CLIENTS.items():
        cls = known.get(name)
        for method, function in inspect.getmembers(cls, inspect.isfunction) if cls else ():
            if not method.startswith("_"):
                yield f"ctx.{attribute}.{method}", function
    for path in FUNCTIONS:
        owner, _, name = path.partition(".")
        yield path, getattr(getattr(sdk, owner), name)


def calls(dice: random.Random, callee: str, function: Any) -> Iterator[Call]:
    """Yield some calls, many of them nearly right."""
    signature = inspect.signature(function)
    bound = int(callee.startswith("ctx."))
    names = [
        it.name for it in list(signature.parameters.values())[bound:] if it.kind.name[:3] != "VAR"
    ]
    for _ in range(6):
        count = dice.randrange(len(names) + 2) if dice.random() < 0.5 else 0
        keywords = [name for name in names[count:] if dice.random() < 0.6]
        keywords += dice.sample([*names, "ttl", "titel"], 1) if dice.random() < 0.3 else []
        unique = tuple(dict.fromkeys(keywords))
        try:
            signature.bind(*[None] * (bound + count), **dict.fromkeys(unique))
            yield Call(callee, count, unique, True)
        except TypeError:
            yield Call(callee, count, unique, False)


@pytest.mark.parametrize("seed", range(4))
def test_what_the_sdk_takes_is_silent_and_what_it_refuses_is_told(
    check_files: Check, seed: int
) -> None:
    """Each call in one of many ways to write it."""
    dice = random.Random(seed)  # noqa: S311 - no secret hangs on it
    made = [call for callee, it in callables() for call in calls(dice, callee, it)]
    texts = [START]
    last, of_line, ways = START.count("\n"), dict[int, int](), list[str]()
    for number, call in enumerate(made):
        ways.append(dice.choice([*WAYS, "prepared"] if call.callee[:4] == "ctx." else [*WAYS]))
        texts.append(call.text(number, ways[-1]))
        of_line |= {last + n: number for n in range(1, texts[-1].count("\n") + 1)}
        last += texts[-1].count("\n")

    result = check_files(
        {"main.py": "".join(texts)}, codes=frozenset({"FED105", "FED108"}), sdk=sdk.__version__
    )

    assert () == result.notes
    told = {(of_line[it.span.line], it.severity) for it in result.findings}
    refused = {(number, "error") for number, call in enumerate(made) if not call.is_taken}
    wrong = [(made[number], ways[number]) for number, _ in told ^ refused]
    assert [] == wrong
    assert len(refused) > 100 < len(made) - len(refused)


def test_every_client_is_one_of_the_sdk() -> None:
    """Names that the SDK no longer has would be no test."""
    assert set() == set(CLIENTS.values()) - classes().keys()
