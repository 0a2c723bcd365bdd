"""The scope ``"*"``, however it is given to an extension or a tool."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

HEAD = "from imperal_sdk import App, Extension\n"
EXT = "ext = Extension('notes', capabilities=['notes:read'])\n"
TOOL = "async def t(ctx): ...\n"

WILD = [
    ("ext = Extension('notes', '1.0.0', ['*'])", 2),
    ("ext = Extension('notes', capabilities=['a:read'] + ['*'])", 2),
    ("ext = Extension('notes', capabilities={'*'})", 2),
    ("ext = Extension('notes', capabilities=('a:read', '*'))", 2),
    ("ext = Extension('notes', capabilities='*')", 2),
    ("ext = Extension('notes', capabilities=list(('*',)))", 2),
    ("ext = Extension('notes', capabilities=[*['*'], 'a:read'])", 2),
    ("ALL = '*'\next = Extension('notes', capabilities=[ALL])", 3),
    ("ALL = ['*']\next = Extension('notes', capabilities=ALL)", 3),
    ("ALL = ['*']\nTWO = ['a:read'] + ALL\next = Extension('notes', capabilities=TWO)", 4),
    ("OF = {'all': ['*'], 'own': ['a:read']}\next = Extension('n', capabilities=OF['all'])", 3),
    ("def wide():\n    return ['a:read', '*']\next = Extension('n', capabilities=wide())", 4),
    ("class C:\n    ALL = '*'\next = Extension('notes', capabilities=[C.ALL])", 4),
    ("import other\next = Extension('notes', capabilities=[other.ALL])", 3),
    ("KW = {'capabilities': ['*']}\next = Extension('notes', **KW)", 3),
    ("KW = dict(capabilities=['*'])\next = Extension('notes', **KW)", 3),
    ("app = App('notes', capabilities=['*'])", 2),
    (EXT + "ext.capabilities = ['*']", 3),
    (EXT + "ext.capabilities += ['*']", 3),
    (EXT + "ext.capabilities.append('*')", 3),
    (EXT + "ext.capabilities.extend(['b:read', '*'])", 3),
    (EXT + "@ext.tool('s', ['*'])\n" + TOOL, 3),
    (EXT + "@ext.tool('s', scopes='*')\n" + TOOL, 3),
    (EXT + "@ext.tool(name='s', scopes=['*'])\n" + TOOL, 3),
    ("app = App('notes')\n@app.tool('s', 'Sums', 1, False, ['*'])\n" + TOOL, 3),
    (
        (
            "class Notes(Extension):\n    def __init__(self):\n"
            "        super().__init__('notes', capabilities=['*'])\next = Notes()"
        ),
        4,
    ),
    (
        (
            "class Notes(Extension):\n    def __init__(self):\n"
            "        super(Notes, self).__init__('notes', '1.0.0', ['*'])\next = Notes()"
        ),
        4,
    ),
    (
        (
            "class Notes(Extension):\n    def __init__(self):\n"
            "        Extension.__init__(self, 'notes', '1.0.0', ['*'])\next = Notes()"
        ),
        4,
    ),
    (
        (
            "class Notes(Extension):\n    def __init__(self):\n        super().__init__('notes')\n"
            "        self.capabilities = ['*']\next = Notes()"
        ),
        5,
    ),
    ("class Notes(Extension):\n    pass\next = Notes('notes', '1.0.0', ['*'])", 4),
]


@pytest.mark.parametrize(("text", "line"), WILD)
def test_the_wildcard_is_found(lint: Lint, text: str, line: int) -> None:
    """One finding, in the call or the statement that gives it."""
    found = lint("FED505", HEAD + text + "\n", other__py="ALL = '*'\n")
    assert [("warning", line)] == [(item.severity, item.span.line) for item in found]
    assert 'holds "*"' in found[0].message


NAMED = [
    "ext = Extension('notes', '1.0.0', ['notes:*'])",
    "ext = Extension('notes', capabilities='notes:read')",
    "ext = Extension('*', '1.0.0', ['notes:read'])",
    "ext = Extension('notes', capabilities=['notes:read'], config_defaults={'a': ['*']})",
    "ext = Extension('notes', capabilities=[load(), *more()])",
    "ext = Extension('notes', **load())",
    "OF = {'all': ['*'], 'own': ['a:read']}\next = Extension('n', capabilities=OF['own'])",
    "WILD = '*'\next = Extension('notes', capabilities=['notes:' + WILD, f'tags:{WILD}'])",
    "ext = Extension('notes', capabilities=[s for s in ['*', 'a:read'] if s != '*'])",
    EXT + "ext.capabilities.remove('*')\nwide = '*' in ext.capabilities",
    "ext = Extension('notes', *load())",
    EXT + "@ext.tool('*', ['notes:read'], '*')\n" + TOOL,
    EXT + "@ext.tool('s', description='*')\n" + TOOL,
    EXT + "ext.labels = ['*']",
    EXT + "row.capabilities = ['*']",
    EXT + "row.capabilities.append('*')",
    EXT + "def t(bench):\n    return bench.tool('s', ['*'])",
    "app = App('notes', 'Notes', ['*'], capabilities=['notes:read'])",
    "app = App('notes', capabilities=['a:read'])\n@app.tool('s', ['*'])\n" + TOOL,
    "class Row:\n    def __init__(self):\n        super().__init__(capabilities=['*'])",
    (
        "class Base:\n    def __init__(self, *given): ...\n"
        "class Row(Base):\n    def __init__(self):\n        super().__init__('a', 'b', ['*'])"
    ),
    (
        "class Mid(Extension):\n    def __init__(self, name, version, tags):\n"
        "        super().__init__(name, capabilities=['notes:read'])\n"
        "class Notes(Mid):\n    def __init__(self):\n        super().__init__('n', '1', ['*'])\n"
        "ext = Mid('n', '1', ['*'])"
    ),
]


@pytest.mark.parametrize("text", NAMED)
def test_no_wildcard_is_seen(lint: Lint, text: str) -> None:
    """Scopes of a domain, other arguments, other objects, and what is not known."""
    assert () == lint("FED505", f"{HEAD}{text}\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("app = App('notes')\n@app.tool('t')\n" + TOOL, 0),
        ("app = App('notes')\n", 1),
        ("ext = Extension('notes')\n@ext.tool('t')\n" + TOOL, 1),
        ("KW = {'display_name': 'Notes'}\next = Extension('notes', **KW)\n", 1),
        ("KW = {'capabilities': ['a:read']}\next = Extension('notes', **KW)\n", 0),
        ("ext = Extension('notes', '1.0.0', ['a:read'], 'migrations')\n", 0),
        ("ext = Extension('notes', '1.0.0', None, 'migrations')\n", 1),
    ],
)
def test_nothing_is_declared(lint: Lint, text: str, expected: int) -> None:
    """An App gives each tool a scope of its own; an Extension gives none."""
    found = lint("FED505", HEAD + text)
    assert ["no capabilities"] * expected == [item.message[:15] for item in found]
