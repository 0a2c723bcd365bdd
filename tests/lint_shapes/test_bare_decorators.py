"""Decorators of the SDK that stand without the brackets that they need."""

from __future__ import annotations

import pytest

from .conftest import Lint

HANDLER = "async def notes(ctx):\n    return {}\n"
LOST = "registers nothing, and notes is a decorator"
INSIDE = HANDLER.replace("\n", "\n    ")
OWN_CLASS = """\
class Own(Extension):
    def panel(self, f, *more):
        return f


own = Own("notes")


@own.panel
"""
PATCHED = """\
def lenient(self, f):
    return f


Extension.panel = lenient


@ext.panel
"""
FAILS = "{}, so the whole extension fails to load"
BARE = {
    "ext.tool": ("name", LOST, '@ext.tool("notes")'),
    "ext.signal": ("name", LOST, '@ext.signal("notes")'),
    "ext.panel": ("panel_id", LOST, '@ext.panel("notes")'),
    "ext.widget": ("widget_id", LOST, '@ext.widget("notes")'),
    "ext.tray": ("tray_id", LOST, '@ext.tray("notes")'),
    "ext.menu_item": ("item_id", LOST, '@ext.menu_item("notes")'),
    "ext.on_event": ("event_type", LOST, "@ext.on_event(event_type=…)"),
    "ext.on_upgrade": ("version", LOST, "@ext.on_upgrade(version=…)"),
    "ext.expose": ("name", LOST, '@ext.expose("notes")'),
    "ext.search_provider": ("entity_type", LOST, "@ext.search_provider(entity_type=…)"),
    "ext.skeleton": ("section_name", FAILS.format("ValueError"), '@ext.skeleton("notes")'),
    "ext.webhook": ("path", FAILS.format("AttributeError"), "@ext.webhook(path=…)"),
    "ext.emits": ("event_type", FAILS.format("TypeError"), "@ext.emits(event_type=…)"),
    "ext.schedule": (
        "name and needs cron",
        FAILS.format("TypeError"),
        '@ext.schedule("notes", cron=…)',
    ),
    "chat.function": (
        "name and needs description",
        FAILS.format("TypeError"),
        '@chat.function("notes", description=…)',
    ),
}
"""Decorator → what the function stands for, what comes of it, what to write instead."""


@pytest.mark.parametrize("decorator", BARE)
def test_a_bare_decorator_registers_nothing(lint: Lint, decorator: str) -> None:
    """Its first argument is then the function, and the message says what the SDK makes of it."""
    (found,) = lint("FED108", f"@{decorator}\n{HANDLER}")
    first, effect, instead = BARE[decorator]
    assert "error" == found.severity
    assert f"@{decorator} without brackets gets the function in place of {first}:" in found.message
    assert f" it {'' if effect is LOST else 'raises '}{effect}. Write {instead}." in found.message


def test_a_bare_decorator_of_a_class(lint: Lint) -> None:
    """``@ext.cache_model`` gets the class."""
    (found,) = lint("FED108", "@ext.cache_model\nclass Note(BaseModel):\n    total: int\n")
    assert ("error", True) == (found.severity, "gets the class in place of name" in found.message)


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        (f"panel = ext.panel\n\n\n@panel\n{HANDLER}", "error"),
        (f"def make():\n    @ext.panel\n    {INSIDE}", "error"),
        (f"@print\n@ext.panel\n{HANDLER}", "warning"),
        (f"@ext.panel\n@print\n{HANDLER}", "warning"),
        (f"try:\n    @ext.schedule\n    {INSIDE}\nexcept TypeError:\n    pass\n", "info"),
        (f"if False:\n    @ext.panel\n    {INSIDE}", "info"),
    ],
)
def test_how_certain_it_is(lint: Lint, text: str, severity: str) -> None:
    """Another decorator may undo it, ``except`` may expect it, a branch may never run."""
    assert [severity] == [item.severity for item in lint("FED108", text)]


@pytest.mark.parametrize(
    "text",
    [
        f"@ext.on_install\n{HANDLER}",
        f"@ext.on_uninstall\n{HANDLER}",
        f"@ext.on_enable\n{HANDLER}",
        f"@ext.on_disable\n{HANDLER}",
        f"@ext.health_check\n{HANDLER}",
        f'@ext.panel("notes")\n{HANDLER}',
        f"@ext.panels\n{HANDLER}",
        f"@kit.panel\n{HANDLER}",
        f"{OWN_CLASS}{HANDLER}",
        f"{PATCHED}{HANDLER}",
        f'panel = ext.panel("notes")\n\n\n@panel\n{HANDLER}',
    ],
)
def test_what_may_stand_bare(lint: Lint, text: str) -> None:
    """Hooks take no arguments; what the extension defines itself takes what it likes."""
    assert () == lint("FED108", text)
