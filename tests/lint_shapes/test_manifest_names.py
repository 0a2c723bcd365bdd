"""Which names of the code the manifest lacks, however they are written."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

FUNCTION = "async def f(ctx, p): ...\n"
TOOL = "async def t(ctx): ...\n"


@pytest.fixture
def lacks(lint: Lint) -> Callable[..., list[str]]:
    """Return a function: code, names in the manifest → what it lacks, in words."""

    def run(text: str, *listed: str, **more: object) -> list[str]:
        manifest = {"app_id": "n", "tools": [{"name": name} for name in listed], **more}
        files = {"imperal__json": json.dumps(manifest), "names__py": "LIST = 'list_notes'\n"}
        found = lint("FED506", f"\n{text}", **files)
        lacking = (item.message.partition(" lacks ")[2].partition(":")[0] for item in found)
        return [words for words in lacking if words]

    return run


Lacks = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("before", "given", "name"),
    [
        ("", "'list_notes', 'Lists'", "list_notes"),
        ("", "name='list_notes', description='Lists'", "list_notes"),
        ("", "description='Lists', name='list_notes'", "list_notes"),
        ("", "  # the notes\n    'list_notes', 'Lists'", "list_notes"),
        ("", "'list-notes', 'Lists'", "list-notes"),
        ("", "'list' '_notes', 'Lists'", "list_notes"),
        ("NAME = 'list_notes'", "NAME, 'Lists'", "list_notes"),
        ("NAME = 'list'", "f'{NAME}_notes', 'Lists'", "list_notes"),
        ("NAME = 'list'", "NAME + '_notes', 'Lists'", "list_notes"),
        ("NAME = '_all'", "'other' + NAME, 'Lists'", "other_all"),
        ("from names import LIST", "LIST, 'Lists'", "list_notes"),
    ],
)
def test_a_name_is_known(lacks: Lacks, before: str, given: str, name: str) -> None:
    """It is missing, and it is not if the manifest lists it."""
    text = f"{before}\n\n\n@chat.function({given})\n{FUNCTION}"
    assert [f"1 function of the code ({name})"] == lacks(text, "other")
    assert [] == lacks(text, "other", name)


@pytest.mark.parametrize(
    "text",
    [
        f"@chat.function(load(), 'Lists')\n{FUNCTION}",
        f"@chat.function(f'{{load()}}_notes', 'Lists')\n{FUNCTION}",
        f"NAME = 'a' if load() else 'b'\n@chat.function(NAME, 'Lists')\n{FUNCTION}",
        f"@chat.function(**load())\n{FUNCTION}",
        f"@bench.function('list_notes')\n{FUNCTION}",
        "# @chat.function('list_notes')\n",
        f"@ext.tool(load())\n{TOOL}",
        f"@ext.tool('__sync__')\n{TOOL}",
        f"@ext.tool('tool_notes_chat')\n{TOOL}",
        f"@ext.skeleton('notes')\n{TOOL}",
        f"@ext.panel('notes')\n{TOOL}",
        f"@ext.schedule('sync', cron='* * * * *')\n{TOOL}",
    ],
)
def test_a_name_is_not_known_or_is_not_listed(lacks: Lacks, text: str) -> None:
    """Other decorators, names that are computed, names that the build leaves out."""
    assert [] == lacks(text, "other")


def test_only_tools_are_lists_of_tools(lacks: Lacks) -> None:
    """The name of an event is not the name of a function."""
    text = f"@chat.function('list_notes', 'Lists')\n{FUNCTION}"
    events = {"emits": [{"name": "list_notes"}]}
    expected = ["1 function of the code (list_notes)"]
    assert expected == lacks(text, "other", events=events)


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        (("other",), ["1 function and 1 tool of the code (find, sync)"]),
        (("other", "find"), ["1 tool of the code (sync)"]),
        (("other", "sync"), ["1 function of the code (find)"]),
        (("find", "sync"), []),
        ((), ["1 function of the code (find)"]),
    ],
)
def test_tools_are_missing_too(lacks: Lacks, listed: tuple[str, ...], expected: list[str]) -> None:
    """Those of a manifest that lists any; one that lists none is not known to have had them."""
    text = f"@chat.function('find', 'Finds')\n{FUNCTION}\n\n@ext.tool('sync')\n{TOOL}"
    assert expected == lacks(text, *listed)
