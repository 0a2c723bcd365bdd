"""Reads of the skeleton behind ``ctx._tool_type``, the question that the SDK itself asks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

from .programs import only_error

Lint = Callable[..., tuple[Finding, ...]]

HEAD = '''\
from imperal_sdk import Extension

ext = Extension("notes")
KINDS = ("skeleton", "test")
WANTED = "skeleton"


def is_skeleton(ctx):
    """Tell it."""
    return getattr(ctx, "_tool_type", "") == WANTED


def is_made_for(ctx):
    if ctx is None:
        return False
    kind = ctx._tool_type
    return kind in KINDS


'''
TAIL = """

@ext.panel("notes")
async def notes(ctx):
    return await load(ctx)


@ext.skeleton("n")
async def n(ctx):
    return {"response": {"total": await load(ctx)}}
"""
READ = 'await ctx.skeleton.get("n")'
GET = f"return {READ}"
KEPT = (
    "{0} = state = {{}}\n    {1}\n    "
    'if {2} == "skeleton":\n        return await ctx.skeleton.get("n")'
)
ASKED = (
    f'if ctx._tool_type != "skeleton":\n        return None\n    return {READ}',
    f'if ctx._tool_type == "skeleton":\n        return {READ}',
    f'if "skeleton" == ctx._tool_type:\n        return {READ}',
    f"kind = ctx._tool_type\n    if kind != WANTED:\n        return None\n    return {READ}",
    f'may = ctx._tool_type == "skeleton"\n    return {READ} if may else None',
    f'may = getattr(ctx, "_tool_type", None) in KINDS\n    return may and {READ}',
    f"if ctx._tool_type not in KINDS:\n        raise PermissionError\n    return {READ}",
    f'assert str(ctx._tool_type).startswith("skel")\n    return {READ}',
    f"return {READ} if is_skeleton(ctx) else None",
    f"if not is_made_for(ctx):\n        return None\n    return {READ}",
    f'if ctx._tool_type == "panel":\n        return None\n    return {READ}',
    f'match ctx._tool_type:\n        case "skeleton":\n            return {READ}',
    f'match ctx._tool_type:\n        case "":\n            ...\n        case _:\n            {GET}',
    f"if ctx._tool_type not in KINDS:\n        return None\n    return (lambda: {READ[6:]})()",
    KEPT.format("state", 'state["kind"] = ctx._tool_type', 'state["kind"]'),
    KEPT.format("other", 'other["kind"] = ctx._tool_type', 'state.get("kind")'),
    KEPT.format("other", "other.update(kind=ctx._tool_type)", 'state["kind"]'),
    KEPT.format("other", "state = dict(kind=ctx._tool_type)", 'state["kind"]'),
    KEPT.format("other", "ctx.kind = ctx._tool_type", "ctx.kind"),
)
NOT_ASKED = (
    f'if ctx._tool_type == "skeleton":\n        return None\n    return {READ}',
    f'if ctx._tool_type != "skeleton":\n        return {READ}',
    f'if ctx._tool_type == "panel":\n        return {READ}',
    f"if ctx._tool_type:\n        return {READ}",
    f'if ctx._tool_type != "":\n        return {READ}',
    f"if ctx._tool_type is None:\n        return None\n    return {READ}",
    f"if ctx._tool_type not in KINDS:\n        return {READ}",
    f'if ctx._tool_type == "skeleton":\n        print("refreshed")\n    return {READ}',
    f'match ctx._tool_type:\n        case "panel":\n            return {READ}',
    f'if ctx.user.role == "skeleton":\n        return {READ}',
    KEPT.format("other", 'other["key"] = ctx._tool_type', 'state["kind"]'),
    KEPT.format("other", "print(kind=ctx._tool_type)", 'state["kind"]'),
)


def _load(body: str) -> str:
    return f"{HEAD}async def load(ctx):\n    {body}\n{TAIL}"


@pytest.mark.parametrize("body", ASKED)
def test_a_read_that_only_skeleton_handlers_reach_is_no_finding(lint: Lint, body: str) -> None:
    """On the SDK the panel gets None and the skeleton handler its data."""
    assert () == lint("FED201", _load(body))


@pytest.mark.parametrize("body", NOT_ASKED)
def test_a_question_that_lets_a_panel_pass_is_no_guard(lint: Lint, body: str) -> None:
    """What asks for something else, or the other way round, raises in the panel."""
    message = only_error(lint("FED201", _load(body)))
    assert "ctx.skeleton.get('n') raises" == " ".join(message.split()[:2])


@pytest.mark.parametrize(
    ("call", "count"),
    [
        ('if ctx._tool_type == "skeleton":\n        await load(ctx)', 0),
        ('await {"skeleton": load}.get(ctx._tool_type, other)(ctx)', 0),
        ("await take(ctx, ctx._tool_type)", 0),
        ('await take(ctx, "skeleton")', 1),
        ("await load(ctx)", 1),
    ],
)
def test_the_caller_may_ask(lint: Lint, call: str, count: int) -> None:
    """The question may stand at any call on the way."""
    text = (
        f"{HEAD}async def load(ctx):\n    return {READ}\n\n\nasync def other(ctx):\n    pass\n\n\n"
        f'async def take(ctx, kind):\n    if kind != "skeleton":\n        return None\n'
        f'    return {READ}\n\n\n@ext.panel("notes")\nasync def notes(ctx):\n    {call}\n'
    )
    assert count == len(lint("FED201", text))


BOX = f"""{HEAD}
class Box:
    def __init__(self, ctx):
        self.ctx = ctx
        self.kind = ctx._tool_type
        self.may = ctx._tool_type == "skeleton"

    @property
    def is_asked(self):
        return self.kind == "skeleton"

    async def rows(self):
        return [await self.section(name) for name in ("a", "b")]

    async def section(self, name):
        {{}}
        return await self.ctx.skeleton.get(name)


@ext.panel("notes")
async def notes(ctx):
    box = Box(ctx)
    {{}}
"""


@pytest.mark.parametrize(
    "question",
    [
        'if self.kind != "skeleton": return None',
        "if not self.may: return None",
        "if not self.is_asked: return None",
    ],
)
def test_an_object_may_keep_the_answer(lint: Lint, question: str) -> None:
    """A field or a property says what the context said."""
    assert () == lint("FED201", BOX.format(question, "return await box.rows()"))


@pytest.mark.parametrize(
    ("question", "call"),
    [
        ("if self.may: return None", "return await box.rows()"),
        ("if self.is_asked: return None", "return await box.rows()"),
        ("", "if not box.may:\n        return await box.rows()"),
        ("", "if box.may:\n        print()\n    return await box.rows()"),
    ],
)
def test_the_methods_stand_in_the_way(lint: Lint, question: str, call: str) -> None:
    """The message names what is called behind the constructor."""
    message = only_error(lint("FED201", BOX.format(question, call)))
    way = '(@ext.panel("notes") notes → Box.__init__ → Box.rows → Box.section)'
    assert way in message, message


def test_a_method_that_is_called_behind_a_question_is_no_finding(lint: Lint) -> None:
    """The object is made for all, its method called for skeleton handlers alone."""
    call = 'if ctx._tool_type == "skeleton":\n        await box.rows()'
    assert () == lint("FED201", BOX.format("", call))


def test_the_chain_shows_where_each_method_is_called(lint: Lint) -> None:
    """Each step stands at its call."""
    (found,) = lint("FED201", BOX.format("", "return await box.rows()"))
    notes = [step.note for step in found.chain]
    assert ["calls Box.__init__", "calls Box.rows", "calls Box.section"] == notes[1:]


@pytest.mark.parametrize(("question", "severity"), [("True", "warning"), ("", "silent")])
def test_an_alert_tool_may_ask_too(lint: Lint, question: str, severity: str) -> None:
    """The kernel may call an alert as a skeleton tool: the question settles it."""
    text = (
        f'{HEAD}@ext.tool("skeleton_alert_n")\nasync def told(ctx, old=None, new=None):\n'
        f"    if {question or 'is_skeleton(ctx)'}:\n        return {READ}\n"
    )
    assert severity == next((item.severity for item in lint("FED201", text)), "silent")


@pytest.mark.parametrize(
    ("ensures", "call", "count"),
    [
        ("if ctx._tool_type != WANTED:\n        raise RuntimeError", "ensure(ctx)", 0),
        ("assert is_skeleton(ctx)", "ensure(ctx)", 0),
        ("if ctx:\n        assert is_skeleton(ctx)", "ensure(ctx)", 1),
        ("if ctx._tool_type == WANTED:\n        raise RuntimeError", "ensure(ctx)", 1),
        ("if not is_skeleton(ctx):\n        print(ctx)", "ensure(ctx)", 1),
        ("if not is_skeleton(ctx):\n        return\n    print(ctx)", "ensure(ctx)", 1),
        ("assert is_skeleton(ctx)", "if ctx.user:\n        ensure(ctx)", 1),
    ],
)
def test_a_call_before_the_read_may_refuse_others(
    lint: Lint, ensures: str, call: str, count: int
) -> None:
    """``ensure(ctx)`` that raises for panels keeps them from the read; one that may return not."""
    text = _load(f"{call}\n    return {READ}").replace(
        "async def load", f"def ensure(ctx):\n    {ensures}\n\n\nasync def load"
    )
    assert count == len(lint("FED201", text))
