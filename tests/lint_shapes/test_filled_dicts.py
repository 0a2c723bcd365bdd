"""What the code puts into a dict that something else made is judged, whatever else is in it."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = """
import copy
import json
from dataclasses import asdict
from datetime import datetime


async def fetch(ctx):
    return (await ctx.http.get("https://a.b")).json()


def stamped(row):
    out = dict(row)
    out["at"] = datetime.now()
    return out


def plain(row):
    row["at"] = str(row["at"])


@chat.function("f", "Tells")
async def f(ctx, p, row):
"""
MADE = (
    "await fetch(ctx)", "{**row}", "dict(row)", "asdict(row)", 'row | {"a": 1}', "row.copy()",
    "copy.deepcopy(row)", "json.loads(row)", "p.model_dump()", '{"a": 1, **row}',
    "{k: v for k, v in row.items()}",
)  # fmt: skip
PUT = 'd["at"] = datetime.now()'
RESULT = "    return ActionResult.success({}, 'x')\n"


def _lines(*lines: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("put", [PUT, "d.update(at=datetime.now())"])
def test_what_is_put_there_is_there(lint: Lint, made: str, put: str) -> None:
    """Nothing else is known of the dict, and nothing else is asked."""
    (found,) = lint("FED402", _lines(f"d = {made}", put) + RESULT.format("d"))
    assert found.severity == "error"
    assert found.message.startswith("data['at'] is a datetime: ")
    assert () == lint("FED402", _lines(f"d = {made}", put.replace("now()", "now().year")))


@pytest.mark.parametrize(
    "data", ["stamped(row)", '{"rows": [stamped(r) for r in row]}', '{"row": stamped(row)}']
)
def test_a_helper_may_fill_it(lint: Lint, data: str) -> None:
    """The dict comes back with what the helper put into it."""
    assert ["error"] == [it.severity for it in lint("FED402", _lines() + RESULT.format(data))]


@pytest.mark.parametrize(
    "later",
    [
        'd["at"] = d["at"].isoformat()',
        'd.update(at="now")',
        'del d["at"]',
        'd.pop("at")',
        "d.clear()",
        "plain(d)",
        "for k in d:\n        d[k] = str(d[k])",
        'd.update({k: str(v) for k, v in d.items()})',
        "d = {k: str(v) for k, v in d.items()}",
        "d = json.loads(json.dumps(d, default=str))",
        "d.update(row)",
    ],
)  # fmt: skip
def test_what_may_be_mended_later_is_left_alone(lint: Lint, later: str) -> None:
    """It is replaced, taken out, or given to what may do so."""
    assert () == lint("FED402", _lines("d = dict(row)", PUT, later) + RESULT.format("d"))


@pytest.mark.parametrize(
    "lines",
    [
        ["d = dict(row)", "if p:", f"    {PUT}"],
        ["d = row", PUT],
        ["d = dict(row)", 'd.setdefault("at", datetime.now())'],
        ["d = dict(row)", "d[p] = datetime.now()"],
        ["d = dict(row)", 'd.update(**row)', 'd["b"] = 1'],
    ],
)  # fmt: skip
def test_what_may_not_be_put_there_is_left_alone(lint: Lint, lines: list[str]) -> None:
    """Another branch leaves it out, somebody else has the dict too, or the key is not known."""
    assert () == lint("FED402", _lines(*lines) + RESULT.format("d"))
