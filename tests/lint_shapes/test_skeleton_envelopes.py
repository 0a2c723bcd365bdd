"""What stands under ``response``: the SDK's contract asks for a dict."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

HEAD = """\
import json

from imperal_sdk import ActionResult, Extension
from pydantic import BaseModel
from shapes import load, rows_of

ext = Extension("notes")
EMPTY = []


class Sums(BaseModel):
    total: int = 0


"""
SHAPES = (
    "def rows_of(page):\n    out = []\n    for row in page.data:\n        out.append(row.id)\n"
    '    return out\n\n\ndef load(page):\n    return {"total": len(page.data)}\n'
)
SECTION = (
    '@ext.skeleton("n")\nasync def n(ctx):\n    page = await ctx.store.query("c")\n'
    "    {before}\n    return {value}\n"
)
CONTRACT = "asks for a dict there, whose fields the classifier reads"


def _found(lint: Lint, value: str, before: str = "pass") -> tuple[Finding, ...]:
    text = HEAD + SECTION.format(value=value, before=before)
    return lint("FED210", text, shapes__py=SHAPES)


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("[]", "a list"),
        ("EMPTY", "a list"),
        ("[row.data for row in page.data]", "a list"),
        ("rows_of(page)", "a list"),
        ("(1, 2)", "a tuple"),
        ("None", "None"),
        ('"3 notes"', "a str"),
        ('f"{page.total} notes"', "a str"),
        ("5", "an int"),
        ("Sums(total=1)", "a Sums object"),
        ('ActionResult.success({"a": 1}, "s")', "an ActionResult"),
        ("[] if page.data else None", "a list or None"),
    ],
)
def test_what_is_no_dict_is_a_warning(lint: Lint, value: str, what: str) -> None:
    """The contract says MUST, but older documents know sections that are no dicts."""
    (found,) = _found(lint, f'{{"response": {value}}}')
    said = found.message.partition("response is ")[2].partition(";")[0]
    assert ("warning", what, True) == (found.severity, said, CONTRACT in found.message)


@pytest.mark.parametrize(
    ("value", "before"),
    [
        ("{}", "pass"),
        ('{"total": 1}', "pass"),
        ("load(page)", "pass"),
        ("dict(total=1)", "pass"),
        ("{row.id: 1 for row in page.data}", "pass"),
        ("Sums(total=1).model_dump()", "pass"),
        ("json.loads(page.data[0].data['x'])", "pass"),
        ("page.data[0].data", "pass"),
        ('{"total": 1} if page.data else None', "pass"),
        ("rows or {}", "rows = {}"),
        ("made", "made = None\n    if page.data:\n        made = {}"),
        ("made", "made = await ctx.store.get('c', 'd')"),
        ("ctx.config.get('x')", "pass"),
    ],
)
def test_what_is_or_may_be_a_dict_is_silent(lint: Lint, value: str, before: str) -> None:
    """Nothing is said of what the code does not show, or of one of several values."""
    assert () == _found(lint, f'{{"response": {value}}}', before)


def test_the_dict_may_be_filled_later(lint: Lint) -> None:
    """What stood there first is not what is returned."""
    before = 'out = {"response": []}\n    out["response"] = {"total": 1}'
    assert () == _found(lint, "out", before)


def test_a_model_is_dumped(lint: Lint) -> None:
    """The advice names the way to a dict."""
    (found,) = _found(lint, '{"response": Sums()}')
    assert found.message.endswith(" Return its model_dump() there.")


@pytest.mark.parametrize("tool", ["skeleton_alert_n", "summary"])
def test_other_tools_may_return_texts(lint: Lint, tool: str) -> None:
    """An alert tool says what changed, in words."""
    text = f'{HEAD}@ext.tool("{tool}")\nasync def told(ctx):\n    return {{"response": "new"}}\n'
    assert () == lint("FED210", text, shapes__py=SHAPES)
