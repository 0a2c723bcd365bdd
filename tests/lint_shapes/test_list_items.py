"""What stands in the lists of a payload: each case was tried on the real SDK."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = (
    "from datetime import datetime\n\n\ndef row(x):\n    return {'at': datetime.now()}\n\n\n"
    "def collect(p):\n    out = []\n    for x in p:\n        out.append(row(x))\n"
    "    return out\n\n\n"
    "def fix(rows):\n    for r in rows:\n        r['at'] = str(r['at'])\n    return rows\n\n\n"
    '@chat.function("f", "Tells")\nasync def f(ctx, p):\n'
)
MADE = "out = [{'at': datetime.now()} for x in p]\n"
ADDED = "out = []\nfor x in p:\n    out.append({'at': datetime.now()})\n"
FOUND = (
    MADE,
    ADDED,
    "out = [datetime.now() for x in p]\n",
    "out = [[x, datetime.now()] for x in p]\n",
    "out = list({'at': datetime.now()} for x in p)\n",
    "out = list(map(row, p))\n",
    "out = list(map(lambda x: {'at': datetime.now()}, p))\n",
    "out = [*(row(x) for x in p)]\n",
    "out = [row(x) for x in p]\n",
    "out = collect(p)\n",
    "out = []\nout.extend(row(x) for x in p)\n",
    "out = []\nout.extend([row(1)])\n",
    "out = {x: datetime.now() for x in p}\n",
    f"{MADE}out = sorted(out, key=str)\n",
    f"{ADDED}print(len(out))\n",
    "out = []\nfor x in p:\n    r = {'at': datetime.now()}\n    r['n'] = x\n    out.append(r)\n",
)
SILENT = (
    "out = [{'at': datetime.now().isoformat()} for x in p]\n",
    f"{MADE}for r in out:\n    r['at'] = str(r['at'])\n",
    f"{ADDED}for r in out:\n    r.update(at=str(r['at']))\n",
    f"{ADDED}for i, r in enumerate(out):\n    out[i] = {{'at': str(r['at'])}}\n",
    f"{ADDED}out = [{{'at': str(r['at'])}} for r in out]\n",
    f"{ADDED}out = [{{**r, 'at': str(r['at'])}} for r in out]\n",
    f"{MADE}for r in out:\n    r.pop('at')\n",
    f"{ADDED}out.clear()\n",
    f"{ADDED}out[:] = [str(x) for x in out]\n",
    f"{ADDED}fix(out)\n",
    f"{MADE}out = fix(out)\n",
    "out = fix([{'at': datetime.now()} for x in p])\n",
    "out = []\nfor x in p:\n    r = {'at': datetime.now()}\n    out.append(r)\n    r['at'] = 'x'\n",
    "out = []\nlog = list(out)\nlog.append(datetime.now())\n",
    "out, log = [], []\nlog.append(datetime.now())\n",
    "out = [x for x in (datetime.now(), 'a') if isinstance(x, str)]\n",
    "out = [sorted({x}) for x in p]\n",
    "out = list({x for x in p})\n",
    "out = list(map(str, [datetime.now()]))\n",
    "out = {x: datetime.now() for x in p}\nfor x in out:\n    out[x] = str(out[x])\n",
)


def _severities(lint: Lint, code: str, body: str) -> list[str]:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    text = f"{HEAD}{lines}    return ActionResult.success({{'items': out}}, 's')\n"
    return [item.severity for item in lint(code, text)]


@pytest.mark.parametrize("body", FOUND)
def test_items_that_json_refuses(lint: Lint, body: str) -> None:
    """Each way to fill a list is followed."""
    assert ["error"] == _severities(lint, "FED402", body)


@pytest.mark.parametrize("body", SILENT)
def test_items_that_are_mended(lint: Lint, body: str) -> None:
    """Items that code replaces, drops or never puts in are left alone."""
    assert [] == _severities(lint, "FED402", body)


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("False", []),
        ("not True", []),
        ("TYPE_CHECKING", []),
        ("OFF", []),
        ("True", ["error"]),
        ("OFF or p", ["error"]),
    ],
)
@pytest.mark.parametrize("add", ["append(datetime.now())", "extend([datetime.now()])"])
def test_items_that_are_never_added(lint: Lint, test: str, add: str, expected: list[str]) -> None:
    """What stands behind a condition that never holds gets into no list."""
    text = f"{HEAD}    out = []\n    if {test}:\n        out.{add}\n"
    text += "    return ActionResult.success({'items': out}, 's')\n"
    found = lint("FED402", f"OFF = False\nfrom typing import TYPE_CHECKING\n{text}")
    assert expected == [item.severity for item in found]


def test_documents_gathered(lint: Lint) -> None:
    """Objects of the SDK as items are a warning: the calls that give them may be refused."""
    body = "    out = []\n    note = await ctx.store.get('notes', p)\n    if note:\n"
    end = "        out.append(note)\n    return ActionResult.success({'a': out}, 's')\n"
    text = f"{HEAD}{body}{end}"
    assert ["warning"] == [item.severity for item in lint("FED402", text)]
