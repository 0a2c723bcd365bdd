"""``isinstance(page, list)`` of an SDK object, and what comes of methods that nobody calls."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

QUERY = (
    '\n@ext.tool("t")\nasync def t(ctx, rows=None):\n    page = await ctx.store.query("n")\n    '
)
FETCH = '\n@ext.tool("t")\nasync def t(ctx):\n    r = await ctx.http.get("https://a.b")\n    '


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("return page if isinstance(page, list) else []", ["warning"]),
        ("return [] if not isinstance(page, (list, tuple)) else page", ["warning"]),
        ("if not isinstance(page, list):\n        page = []\n    return page", ["warning"]),
        ("if not isinstance(page, list):\n        return {}\n    return page", ["warning"]),
        ("if isinstance(page, list):\n        return page\n    return []", ["warning"]),
        ("if isinstance(page, dict):\n        return page\n    return None", ["warning"]),
        (
            (
                "if isinstance(page, dict):\n        return page\n"
                "    if isinstance(page, (list, tuple)):\n        return page\n    return ()"
            ),
            ["warning"],
        ),
        (
            (
                "if isinstance(page, list):\n        rows = page\n"
                "    elif isinstance(page, dict):\n        rows = [page]\n"
                "    else:\n        rows = []\n    return rows"
            ),
            ["warning"],
        ),
        ("if isinstance(page, list):\n        return True\n    return False", []),
        ("if isinstance(page, list):\n        return 'list'\n    return 'page'", []),
        (
            (
                "if isinstance(page, dict):\n        return page\n"
                "    if isinstance(page, type(rows)):\n        return page.data\n    return ()"
            ),
            [],
        ),
        (
            (
                "if isinstance(page, dict):\n        return page\n"
                "    if rows:\n        return page.data\n    return ()"
            ),
            [],
        ),
        ("return page if isinstance(page, list) else page.data", []),
        ("if isinstance(page, list):\n        return page[0]\n    return page.data[0]", []),
        ("if not isinstance(page, list):\n        page = page.data\n    return page", []),
        ("return page.data if isinstance(page.data, list) else []", []),
        ("return rows if isinstance(rows or page, list) else []", []),
        ("return page if isinstance(page, (list, type(page))) else []", []),
    ],
)
def test_a_page_is_no_list(lint: Lint, statement: str, expected: list[str]) -> None:
    """A warning where an empty value takes its place; nothing where the code copes with both."""
    assert expected == [item.severity for item in lint("FED111", QUERY + statement)]


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("return r.text[:9]", "[ ] raises TypeError"),
        ("return r.text.strip()", "the next attribute raises AttributeError"),
        ('return f"{r.text}"', 'the text shows "<bound method …>"'),
        ('return "%s" % r.text', 'the text shows "<bound method …>"'),
        ("return 1 if r.json else 2", "the method itself is always true"),
        ("return not r.json", "the method itself is always true"),
        ("return [x for x in r.json]", "the loop raises TypeError"),
        ("return r.text == 'a'", "the comparison is with the method"),
        ("return [r.text]", "whoever reads it gets the method"),
        ("return r.text()", ""),
        ("return r.text[:2] if isinstance(r.text, str) else r.text()", ""),
        ("return r.text[:2] if hasattr(r.text, 'strip') else r.text()", ""),
        ("return r.text[:2] if isinstance(ctx.x, str) else r.text()", "[ ] raises TypeError"),
        ("r.text = 'abc'\n    return r.text[:2]", ""),
        ("x = FakeAnswer()\n    x.text = 'abc'\n    return r.text[:2]", "[ ] raises TypeError"),
        ("return r.json.__name__ and r.json()", "whoever reads it"),
        ("return r.text if hasattr(r, 'text') else ''", "whoever reads it"),
        ("if hasattr(r, 'text') and not callable(r.text):\n        return r.text[:2]", ""),
        ("x = r.text\n    if isinstance(x, str):\n        return x[:2]", "whoever reads it"),
        ("x = r.text\n    if isinstance(x, str):\n        return x[:2]\n    return x()", ""),
        ("x = getattr(r, 'text')\n    return x[:2]", "[ ] raises TypeError. Write r.text()"),
        ("x = getattr(r, 'text', '') or 'no'\n    return x", "the method itself is always true"),
        ("x = getattr(r, 'text', '') or ''\n    return x() if callable(x) else x", ""),
        ("return getattr(r, 'text', str)()", ""),
    ],
)
def test_a_method_that_is_not_called(lint: Lint, statement: str, said: str) -> None:
    """The message names the release and what the user meets."""
    found = lint("FED107", FETCH + statement)
    assert bool(said) == bool(found)
    assert all(said in item.message and "imperal-sdk" in item.message for item in found)
