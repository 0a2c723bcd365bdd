"""What is registered a second time: replaced without a word, or refused when it is loaded."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.lint.model.handlers import BARE
from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

SECRET = 'ext.secret("key", "Key of the service")\n'
SINK = 'ext.file_sink("save", accepts=["text/*"], arg="body")\n'
MODEL = '@ext.cache_model("notes")\nclass {}(BaseModel):\n    total: int\n\n\n'
HOOK = "@ext.{}\nasync def {}(ctx): ...\n\n\n"


def _severities(found: tuple[Finding, ...]) -> list[str]:
    return [item.severity for item in found]


@pytest.mark.parametrize("hook", sorted(BARE))
def test_an_extension_has_each_hook_once(lint: Lint, hook: str) -> None:
    """The second one replaces the first, also if both are registered by a call."""
    once = HOOK.format(hook, "first")
    called = f"async def first(ctx): ...\nasync def second(ctx): ...\next.{hook}(first)\n"

    assert [] == _severities(lint("FED515", once))
    assert ["error"] == _severities(lint("FED515", once + HOOK.format(hook, "second")))
    assert [] == _severities(lint("FED515", called))
    assert ["error"] == _severities(lint("FED515", f"{called}ext.{hook}(second)\n"))


def test_hooks_of_other_objects_and_other_hooks_are_no_repeats(lint: Lint) -> None:
    """Each extension has its own, and each hook is another one."""
    other = 'other = Extension("tags")\n' + HOOK.format("on_enable", "b").replace("ext", "other")
    text = HOOK.format("on_enable", "a") + other + HOOK.format("on_disable", "c")

    assert [] == _severities(lint("FED515", text))


def test_what_one_call_makes_twice_is_two_objects(lint: Lint) -> None:
    """``first, second = make()`` are two extensions; a name for the whole is one."""
    make = 'def make():\n    return Extension("a"), Extension("b")\n\n\n'
    hooks = HOOK.format("on_enable", "a") + HOOK.format("on_enable", "b").replace("ext", "other")
    second = f"other = ext\n{HOOK.format('on_enable', 'b').replace('ext', 'other')}"

    assert [] == _severities(lint("FED515", f"{make}ext, other = make()\n{hooks}"))
    assert ["error"] == _severities(lint("FED515", HOOK.format("on_enable", "a") + second))


@pytest.mark.parametrize(
    "once", [SECRET, SINK, MODEL.format("Notes")], ids=["secret", "sink", "model"]
)
def test_what_raises_is_an_error_where_both_run(lint: Lint, once: str) -> None:
    """Two at the top level; not one alone, and not one that a condition or ``except`` may stop."""
    nested = "".join(f"    {line}\n" if line else "\n" for line in once.splitlines())

    assert [] == _severities(lint("FED515", once))
    assert ["error"] == _severities(lint("FED515", once + once))
    assert [] == _severities(lint("FED515", f"{once}if missing:\n{nested}"))
    assert [] == _severities(lint("FED515", f"{once}try:\n{nested}except Exception:\n    pass\n"))
    assert [] == _severities(lint("FED515", f"if a:\n{nested}else:\n{nested}"))
    assert ["warning"] == _severities(lint("FED515", f"if a:\n{nested}{nested}"))
    assert [] == _severities(lint("FED515", f"try:\n{nested}{nested}except Exception:\n    pass\n"))


def test_a_name_may_be_a_constant(lint: Lint) -> None:
    """Its value counts; what a loop declares is not compared."""
    named = 'KEY = "key"\next.secret(name=KEY, description="Key of the service")\n'
    looped = 'for name in ("key", "other"):\n    ext.secret(name, "Key of the service")\n'

    assert ["error"] == _severities(lint("FED515", SECRET + named))
    assert [] == _severities(lint("FED515", SECRET + looped))
