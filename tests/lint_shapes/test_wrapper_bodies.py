"""What stands in the body of a wrapper is judged by what the SDK and the tree call it with."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

from .breaches_in_wrappers import BAD
from .correct_wrappers import GOOD
from .wrapper_parts import HEAD, LEDGER, LIST, MADE, OWN, PANEL, PLAIN, READ, SECTION

Lint = Callable[..., tuple[Finding, ...]]
CODES = "FED101 FED102 FED105 FED109 FED201 FED301 FED302"
IMPORTS = "from functools import wraps\n\n"
SCHEDULE = '\n\n@ext.schedule("s", cron="* * * * *")\n@{}\nasync def s(ctx):\n    {}\n'
ACTING = """
def acting(fn):
    @wraps(fn)
    async def wrapper(ctx, *args):
        return await fn(ctx.as_user("u"), *args)
    return wrapper
"""


@pytest.mark.parametrize("name", BAD)
def test_breach_in_wrapper_is_an_error(lint: Lint, name: str) -> None:
    """A wrapper of a handler gets the context, so that its breach is found, once."""
    code, text = BAD[name]

    found = lint(CODES, HEAD + text)

    assert [(code, "error")] == [(it.code, it.severity) for it in found]


@pytest.mark.parametrize("name", GOOD)
def test_wrapper_that_may_get_something_else_is_left_alone(lint: Lint, name: str) -> None:
    """What is right, or perhaps gets no context, is no error."""
    found = lint(CODES, HEAD + GOOD[name])

    assert [] == [(it.code, it.message) for it in found if it.severity == "error"]


def test_message_names_the_handler_that_may_not(lint: Lint) -> None:
    """Of a section and a function that share a wrapper, the function is named."""
    text = PLAIN.format(READ) + SECTION.format("deco") + LIST.format("deco")

    (found,) = lint("FED201", HEAD + text)

    assert '(@chat.function("list") list_ → deco.wrapper)' in found.message
    assert ["list_ gets the context", "deco.wrapper takes its place"] == [
        each.note.rpartition('") ')[2] for each in found.chain
    ]


def test_message_names_the_helper_that_is_called(lint: Lint) -> None:
    """The way to the wrapper of a helper leads through the helper's call."""
    (found,) = lint("FED201", HEAD + BAD["helper"][1])

    assert '(@chat.function("list") list_ → load → deco.wrapper)' in found.message


@pytest.mark.parametrize(
    "given",
    [
        "from decos import deco",
        "from decos import deco as watch",
        "import decos",
        "import decos as tools",
    ],
)
def test_decorator_in_another_file(lint: Lint, given: str) -> None:
    """A decorator is known by whatever name another file has for it."""
    name = {"as watch": "watch", "t decos": "decos.deco", "as tools": "tools.deco"}
    written = next((it for end, it in name.items() if given.endswith(end)), "deco")

    found = lint(
        "FED101 FED201",
        f"{given}\n{HEAD}{LIST.format(written)}",
        decos__py=IMPORTS + PLAIN.format(f"{LEDGER}\n        {READ}"),
    )

    assert ["FED101", "FED201"] == sorted(it.code for it in found)
    assert {"decos.py"} == {it.path.rpartition("/")[2] for it in found}


def test_use_in_another_file_counts(lint: Lint) -> None:
    """A decorator that another file uses otherwise may be given anything."""
    found = lint(
        "FED101",
        f"from decos import deco\nimport others\n{HEAD}{LIST.format('deco')}",
        decos__py=IMPORTS + PLAIN.format(LEDGER).replace("ctx", "c"),
        others__py="from decos import deco\n\n\ndef run(fn):\n    return deco(fn)\n",
    )

    assert () == found


def test_sections_alone_may_read(lint: Lint) -> None:
    """A parametrised decorator reads for the sections, and not for the panel that says so."""
    body = "if section:\n                " + READ
    shared = MADE.format(body) + SECTION.format('deco(section="x")')

    assert () == lint("FED201", HEAD + shared + PANEL.format("deco()"))


def test_flag_that_others_set_is_a_warning(lint: Lint) -> None:
    """What only runs for some of those that share a wrapper is not certain."""
    text = MADE.format("if section:\n                print(ctx.user.id)")

    (found,) = lint(
        "FED105", HEAD + text + LIST.format('deco(section="x")') + PANEL.format("deco()")
    )

    assert "warning" == found.severity


def test_wrapper_that_acts_for_a_user(lint: Lint) -> None:
    """A schedule whose wrapper hands on what ``as_user`` gives does not act for the system."""
    body = 'await ctx.store.create("notes", {"a": 1})'
    rows = (
        LIST.format("plain")
        .replace("@plain\n", "")
        .replace("return", 'await ctx.store.query("notes")\n    return')
    )

    alone = lint(
        "FED516", HEAD + ACTING + SCHEDULE.format("passing", body).replace("@passing\n", "") + rows
    )
    acting = lint("FED516", HEAD + ACTING + SCHEDULE.format("acting", body) + rows)

    assert (["FED516"], []) == ([it.code for it in alone], [it.code for it in acting])


def test_context_of_a_user_is_still_one(lint: Lint) -> None:
    """What hangs on the context that a wrapper asked for is judged as that of any other one."""
    found = lint("FED101", HEAD + ACTING + SCHEDULE.format("acting", LEDGER))

    assert ["FED101"] == [it.code for it in found]


def test_own_object_that_a_wrapper_gives(lint: Lint) -> None:
    """What a wrapper puts in place of the context is not judged as one."""
    text = OWN + LIST.format("owned").replace("return", f"{LEDGER}\n    return")

    assert () == lint("FED101", HEAD + text)


@pytest.mark.parametrize(("given", "expected"), [("c", ["error"]), ("Own()", [])])
def test_context_that_only_its_name_gives(lint: Lint, given: str, expected: list[str]) -> None:
    """A tool of an App may take the context by name alone, and a wrapper give it so."""
    deco = f"def deco(fn):\n    async def wrapper(c):\n        return await fn(ctx={given})\n"
    app = 'from imperal_sdk import App\n\n\napp = App("notes", version="1.0.0")\n'
    tool = '\n\n@app.tool("t")\n@deco\nasync def t(*, ctx):\n    return ctx.user.id\n'

    found = lint("FED105", f"{HEAD}{OWN}\n\n{deco}    return wrapper\n\n\n{app}{tool}")

    assert expected == [it.severity for it in found]
