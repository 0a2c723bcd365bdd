"""Handlers that no decorator marks: ``ext.panel("p")(notes.show)``, ``ext.on_install(seed)``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

READ = '    return await ctx.skeleton.get("n")\n'
FUNCTION = f"async def show(ctx, **kwargs):\n{READ}"
METHOD = f"class Notes:\n    async def show(self, ctx, **kwargs):\n    {READ}"
EXTENSION = 'from imperal_sdk import Extension\n{}\n\next = Extension("n")\n{}\n'


@pytest.mark.parametrize(
    ("handlers", "imported", "given"),
    [
        (FUNCTION, "import handlers", "handlers.show"),
        (FUNCTION, "from handlers import show", "show"),
        (FUNCTION, "from handlers import show as shown", "shown"),
        (METHOD, "from handlers import Notes", "Notes().show"),
        (f"{METHOD}\n\nNOTES = Notes()\n", "import handlers", "handlers.NOTES.show"),
    ],
)
@pytest.mark.parametrize("by", ['panel("p")', "on_install", 'tool(name="t")'])
def test_what_is_registered_in_another_file_is_a_handler(
    lint: Lint, handlers: str, imported: str, given: str, by: str
) -> None:
    """Its context is the one of that handler; of a skeleton handler it may read."""
    text = EXTENSION.format(imported, f"ext.{by}({given})")

    found = lint("FED201", text, handlers__py=handlers)

    expected = [] if given == "shown" else [("error", "handlers.py")]
    assert expected == [(item.severity, item.path.rpartition("/")[2]) for item in found]
    allowed = EXTENSION.format(imported, f'ext.skeleton("n")({given})')
    assert () == lint("FED201", allowed, handlers__py=handlers)


@pytest.mark.parametrize(
    "registering",
    [
        'registry.panel("p")(handlers.show)',
        "listener.on_install(handlers.show)",
        "from elsewhere import app\napp.on_install(handlers.show)",
        "def register(app):\n    app.on_install(handlers.show)",
        'def register(app):\n    app.panel("p")(handlers.show)',
        'ext.panel("p")(handlers.other)',
        'ext.panel("p")(other.show)',
        'ext.emits("n.saved")(handlers.show)',
        'ext.panel("p")',
    ],
)
def test_what_nobody_registers_is_none(lint: Lint, registering: str) -> None:
    """Another object, another function, a decorator that calls nothing."""
    text = EXTENSION.format("import handlers", registering)

    assert () == lint("FED201", text, handlers__py=FUNCTION)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("*[ctx]", 1),
        ("*(ctx,)", 1),
        ("*[*(ctx,)]", 1),
        ("*given", 1),
        ("*[1], ctx", 0),
        ("*kwargs, ctx", 0),
        ("*other", 0),
    ],
)
def test_what_stars_give_is_followed(lint: Lint, given: str, expected: int) -> None:
    """Displays and names of tuples that are bound once; nothing behind what is not known."""
    text = (
        f"async def load(ctx, more=None):\n{READ}\n\n"
        '@ext.panel("p")\nasync def show(ctx, **kwargs):\n'
        "    given = (ctx,)\n    other = [ctx]\n    other.insert(0, 1)\n"
        f"    return await load({given})\n"
    )

    assert expected == len(lint("FED201", text))


@pytest.mark.parametrize(
    "registering",
    [
        "ext.on_install((handlers.show))",
        "ext.on_install( handlers.show, )",
        "ext . on_install (handlers.show)",
        "ext.on_install(\n    (handlers\n     .show)\n)",
        "ext.on_install \\\n    (handlers.show)",
        'ext.panel("p")((handlers.show))',
        'ext.panel("p") (handlers.show)',
        '(ext.panel("p"))(handlers.show)',
        'ext.panel("p")(\n    # the list\n    handlers.show\n)',
    ],
)
@pytest.mark.parametrize("handler", ["show", "other"])
def test_how_the_call_is_spelt(lint: Lint, registering: str, handler: str) -> None:
    """Brackets, gaps and comments change nothing."""
    text = EXTENSION.format("import handlers", registering.replace("show", handler))
    found = lint("FED201", text, handlers__py=FUNCTION)
    assert ["error"] * (handler == "show") == [item.severity for item in found]
