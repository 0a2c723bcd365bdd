"""What the data of a result holds at the moment it is returned."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

HEAD = 'from datetime import datetime\n\n\n@chat.function("f", "Tells")\nasync def f(ctx, p):\n'
LATER = (
    'd["at"] = str(d["at"])',
    'if p:\n        d["at"] = "never"',
    'd.pop("at")',
    'del d["at"]',
    'd.update(at="now")',
    "for key, value in d.items():\n        d[key] = str(value)",
    "clean(d)",
)
KEPT = ("pass", 'd["n"] = 1', "print(len(d))", 'd.setdefault("n", 1)', 'first = d["at"]')
LARGE = ('d["at"] = d["at"][:9]', 'd.pop("at")', 'd = {**d, "at": "short"}')


def _severities(found: tuple[Finding, ...]) -> list[str]:
    return [item.severity for item in found]


@pytest.mark.parametrize("line", LATER)
def test_what_is_replaced_later_is_silent(lint: Lint, line: str) -> None:
    """A value that another one replaces, or may, never reaches the kernel."""
    body = (
        f'    d = {{"at": datetime.now()}}\n    {line}\n    return ActionResult.success(d, "x")\n'
    )
    assert [] == _severities(lint("FED402", HEAD + body))


@pytest.mark.parametrize("line", KEPT)
def test_what_stays_is_an_error(lint: Lint, line: str) -> None:
    """Other keys and mere reading change nothing."""
    body = (
        f'    d = {{"at": datetime.now()}}\n    {line}\n    return ActionResult.success(d, "x")\n'
    )
    assert ["error"] == _severities(lint("FED402", HEAD + body))


@pytest.mark.parametrize(
    ("data", "severities"),
    [
        ('{**{"at": datetime.now()}, "at": "now"}', []),
        ('{"at": "now", **{"at": datetime.now()}}', ["error"]),
        ('{"at": datetime.now(), **{"at": "now"}}', []),
        ('{"at": datetime.now(), **p.extra}', ["warning"]),
        ('{**p.extra, "at": datetime.now()}', ["error"]),
        ('{"at": datetime.now()} if p else {}', ["warning"]),
        ('{"at": [{"b": datetime.now()}]}', ["error"]),
        ('{"at": [*{"a", "b"}]}', []),
        ('{"at": [{"a", "b"}]}', ["error"]),
        ("{p: datetime.now()}", ["error"]),
        ("{(1, p): 1}", ["error"]),
    ],
)
def test_a_display_is_read_in_its_order(lint: Lint, data: str, severities: list[str]) -> None:
    """The last entry of a key counts, and what may cover it makes it uncertain."""
    body = f'    return ActionResult.success({data}, "x")\n'
    assert severities == _severities(lint("FED402", HEAD + body))


def test_what_is_added_later_is_found(lint: Lint) -> None:
    """An item assignment counts like an entry of the display."""
    body = '    d = {}\n    d["at"] = datetime.now()\n    return ActionResult.success(d, "x")\n'
    assert ["error"] == _severities(lint("FED402", HEAD + body))


@pytest.mark.parametrize("line", LARGE)
def test_a_text_that_is_cut_later_is_not_too_large(lint: Lint, line: str) -> None:
    """Only what is in the dict when it is returned has a size."""
    body = f'    d = {{"at": "x" * 9000}}\n    {line}\n    return ActionResult.success(d, "x")\n'
    assert [] == _severities(lint("FED403", HEAD + body))


def test_a_large_text_beside_other_changes_is_too_large(lint: Lint) -> None:
    """A new key makes nothing smaller."""
    body = '    d = {"at": "x" * 9000}\n    d["n"] = 1\n    return ActionResult.success(d, "x")\n'
    assert ["error"] == _severities(lint("FED403", HEAD + body))


@pytest.mark.parametrize(
    ("value", "severities"),
    [
        ("note", ["error"]),
        ('{"note": note}', ["error"]),
        ('{"note": note.data, "id": note.id}', []),
        ("note.data", []),
    ],
)
def test_a_document_of_the_store_is_no_json(lint: Lint, value: str, severities: list[str]) -> None:
    """Its fields are, the object is not."""
    body = (
        f'    note = await ctx.store.create("notes", {{}})\n'
        f'    return ActionResult.success({value}, "x")\n'
    )
    assert severities == _severities(lint("FED402", HEAD + body))


ROWS = HEAD + '    page = await ctx.store.query("notes")\n    d = {}\n'
END = '    return ActionResult.success({"found": d}, "x")\n'
FILLED = {
    "for row in page.data:\n        d[row.id] = row": "a Document",
    "for row in page.data:\n        d[row.id] = row\n    print(len(d))": "a Document",
    "for row in page.data:\n        if row.id not in d:\n            d[row.id] = row": "a Document",
    "for name in p.names:\n        d[name] = datetime.now()": "a datetime",
    "d[p.name] = {1, 2}": "a set",
    "for name in p.names:\n        d.setdefault(name, set()).add(1)": "a set",
    'd["n"] = 1\n    d[p.name] = {1, 2}\n    d["m"] = 2': "a set",
    "if p.a:\n        d[p.a] = {1}\n    else:\n        d[p.b] = {2}": "a set",
}
EMPTIED = (
    "for row in page.data:\n        d[row.id] = row.data",
    (
        "for row in page.data:\n        d[row.id] = row\n    for key in d:\n"
        "        d[key] = d[key].data"
    ),
    "for row in page.data:\n        d[row.id] = row\n    d = {k: v.data for k, v in d.items()}",
    "for row in page.data:\n        d[row.id] = row\n    d.clear()",
    "for row in page.data:\n        d[row.id] = row\n    clean(d)",
    "for row in page.data:\n        d[row.id] = row\n    del d[p.name]",
    "for row in page.data:\n        row = row.data\n        d[row['id']] = row",
    "for name in p.names:\n        d[name] += {1}",
    "def put():\n        d[p.name] = 'x'\n    d[p.name] = {1}\n    put()",
    "for name in p.names:\n        d.setdefault(name, []).append(1)",
)


@pytest.mark.parametrize("line", FILLED)
def test_what_stands_under_computed_keys(lint: Lint, line: str) -> None:
    """``found[row.id] = row`` puts into a dict what ``append`` puts into a list."""
    (found,) = lint("FED402", f"{ROWS}    {line}\n{END}")
    assert ("error", True) == (found.severity, f"[…] is {FILLED[line]}:" in found.message)


def test_one_of_two_values_under_computed_keys(lint: Lint) -> None:
    """Where one of two values cannot be carried it is a warning, as it is under a written key."""
    line = "for row in page.data:\n        d[row.id] = row if p.a else row.data"
    (found,) = lint("FED402", f"{ROWS}    {line}\n{END}")
    assert ("warning", True) == (found.severity, "[…] is a Document:" in found.message)


@pytest.mark.parametrize("line", EMPTIED)
def test_what_may_be_replaced_under_computed_keys(lint: Lint, line: str) -> None:
    """Where another value may stand in the end, or the dict goes elsewhere, nothing is said."""
    assert () == lint("FED402", f"{ROWS}    {line}\n{END}")
