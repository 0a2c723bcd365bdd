"""What is told of values that a client sends, and what the installed SDK does with them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from fedcheck.lint.engine.engine import CheckResult

sdk = pytest.importorskip("imperal_sdk", reason="needs the extra `sdk`")

Check = Callable[..., CheckResult]

START = """\
import dataclasses
import datetime
import enum
import uuid
from decimal import Decimal
from pathlib import Path

from imperal_sdk import Extension
from pydantic import BaseModel

ext = Extension("notes")


class Row(BaseModel):
    total: int = 1


class Timed(BaseModel):
    at: datetime.date = datetime.date(2026, 1, 2)


@dataclasses.dataclass
class Plain:
    total: int = 1


class Kind(enum.Enum):
    ONE = 1


class Word(str, enum.Enum):
    ONE = "one"
"""
VALUES = (
    "{'a': [1, 'x', None, True, 1.5, {'b': (1, 2)}]}", "{1: 'x', None: 2, True: 3}",
    "{'a': datetime.datetime.now()}", "{'a': datetime.date.today().isoformat()}",
    "{'a': {1, 2}}", "{'a': b'x'}", "{'a': Decimal('1')}", "{(1, 2): 'x'}", "{'a': Row()}",
    "Row()", "Row().model_dump()", "{'a': [Row().model_dump()]}", "Timed().model_dump()",
    "Timed().model_dump(mode='json')", "Plain()", "dataclasses.asdict(Plain())", "{'a': Kind.ONE}",
    "{'a': Kind.ONE.value}", "{'a': Word.ONE}", "{'a': range(3)}", "{'a': list(range(3))}",
    "{'a': print}", "{'a': {}.keys()}", "{'a': uuid.uuid4()}", "{'a': str(uuid.uuid4())}",
    "{'a': Path('x')}", "{'a': Row}", "{'a': [x for x in ({1}, {2})]}", "dict(a=frozenset())",
    "{**{'a': 1}, 'b': complex(1, 2)}",
)  # fmt: skip
CALLS = (
    "ctx.store.create('notes', {0})", "ctx.store.update('notes', '1', {0})",
    "ctx.store.query('notes', where={0})", "ctx.http.post('http://127.0.0.1:1', json={0})",
    "ctx.notify({0})", "ctx.notify('x', data={0})", "ctx.notify.send('x', data={0})",
    "ctx.ai.complete('x', context={0})", "ctx.users.update('1', profile={0})",
    "ctx.users.create(profile={0})", "ctx.rbac.create_role(scopes={0})",
)  # fmt: skip


async def is_refused(call: str, names: dict[str, Any]) -> bool:
    """Tell whether a call raises TypeError before it reaches for the network."""
    clients = {
        "store": import_module("imperal_sdk.store.client").StoreClient("http://127.0.0.1:1"),
        "http": import_module("imperal_sdk.http.client").HTTPClient(),
        "ai": import_module("imperal_sdk.ai.client").AIClient("http://127.0.0.1:1"),
        "notify": import_module("imperal_sdk.notify.client").NotifyClient("http://127.0.0.1:1"),
        "users": import_module("imperal_sdk.users.client").UsersClient("http://127.0.0.1:1"),
        "rbac": import_module("imperal_sdk.rbac.client").RBACClient("http://127.0.0.1:1"),
    }
    try:
        await eval(call, {**names, "ctx": type("Context", (), clients)})  # noqa: S307
    except TypeError:
        return True
    except Exception:  # noqa: BLE001 - nobody answers at that address
        return False
    return False


@pytest.mark.parametrize("call", CALLS)
def test_exactly_what_raises_is_told(check_files: Check, call: str) -> None:
    """An error for each value that httpx cannot write, and none for the others."""
    names: dict[str, Any] = {"__name__": __name__}
    exec(compile(START, "main.py", "exec", dont_inherit=True), names)  # noqa: S102
    wrong: list[str] = []
    for value in VALUES:
        written = call.format(value)
        handler = f'@ext.panel("p")\nasync def p(ctx):\n    return await {written}\n'
        found = check_files({"main.py": f"{START}\n\n{handler}"}, codes=frozenset({"FED536"}))
        told = "error" in {item.severity for item in found.findings}
        if told is not asyncio.run(is_refused(written, names)):
            wrong.append(value)
    assert [] == wrong
