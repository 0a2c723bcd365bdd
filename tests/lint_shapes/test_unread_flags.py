"""Flags of a helper that only skeleton handlers set, in tests that nothing here decides."""

from __future__ import annotations

import pytest

from .conftest import Lint

HANDLERS = """


@ext.skeleton("n")
async def n(ctx):
    await {skeleton}


@ext.panel("p")
async def p(ctx, **kw):
    await {panel}
"""
HELPER = """
import enum
from typing import TypedDict

KINDS = {{"notes": "live", "chats": "live"}}
KINDS["chats"] = "kept"


class Mode(enum.Flag):
    LIVE = enum.auto()
    KEPT = enum.auto()


class Options(TypedDict, total=False):
    live: bool


async def load(ctx, {given}):
    if {test}:
        return await ctx.skeleton.get("n")
"""
FLAGS = [
    ("**kw", '"live" in kw', "live=1", ""),
    ("**kw", 'kw.pop("live", False)', "live=1", "live=0"),
    ("*names", '"live" in names', '"live"', ""),
    ("given=None", '(given or {}).get("live")', '{"live": 1}', ""),
    ("given", 'given["live"]', '{"live": 1}', '{"live": 0}'),
    ("given", 'given.get("live")', "Options(live=True)", "Options()"),
    ("given", "Mode.LIVE in given", "Mode.LIVE", "Mode.KEPT"),
    ("given", 'KINDS[given] == "live"', '"notes"', '"chats"'),
]


@pytest.mark.parametrize(("given", "test", "skeleton", "panel"), FLAGS)
def test_what_only_the_skeleton_gives(
    lint: Lint, given: str, test: str, skeleton: str, panel: str
) -> None:
    """The panel gives something else, so that nothing is proved; where it alone calls, it reads."""
    text = HELPER.format(given=given, test=test)
    own, other = f"load(ctx, {skeleton})", f"load(ctx, {panel})"
    assert () == lint("FED201", text + HANDLERS.format(skeleton=own, panel=other))
    assert lint("FED201", text + HANDLERS.format(skeleton="None", panel=own))


CHOSEN = """
class Source:
    def __init__(self, ctx, live=False):
        self.ctx, self.live = ctx, live

    {choosing}

    async def load(self):
        return await {client}.get("n")
"""
CLIENT = "self.ctx.skeleton if self.live else self.ctx.store"


@pytest.mark.parametrize(
    ("choosing", "client", "found"),
    [
        (f"@property\n    def client(self):\n        return {CLIENT}", "self.client", 0),
        (f"def client(self):\n        return {CLIENT}", "self.client()", 0),
        ("", f"({CLIENT})", 0),
        ("@property\n    def client(self):\n        return self.ctx.skeleton", "self.client", 1),
        ("", "getattr(self.ctx, 'skeleton', None)", 1),
    ],
)
def test_a_client_that_is_chosen(lint: Lint, choosing: str, client: str, found: int) -> None:
    """Which client it is where the panel asks is not proved, if another one may be."""
    text = CHOSEN.format(choosing=choosing, client=client) + HANDLERS
    text = text.format(skeleton="Source(ctx, True).load()", panel="Source(ctx).load()")
    assert found == len(lint("FED201", text))


STRATEGIES = """
class Live:
    async def rows(self, ctx):
        return await ctx.skeleton.get("n")


class Kept:
    async def rows(self, ctx):
        return await ctx.store.query("n")


class Service:
    def __init__(self, source):
        self.source = source

    async def load(self, ctx):
        return await self.source.rows(ctx)
"""


@pytest.mark.parametrize(("panel", "found"), [("Kept", 0), ("Live", 1)])
def test_an_object_that_others_keep_another_kind_of(lint: Lint, panel: str, found: int) -> None:
    """Who asks a service with another source does not read; one source for all does."""
    calls = {"skeleton": "Service(Live()).load(ctx)", "panel": f"Service({panel}()).load(ctx)"}
    assert found == len(lint("FED201", (STRATEGIES + HANDLERS).format(**calls)))


METHOD = """
class Box:
    async def load(self, ctx, live={}):
        if live:
            return await ctx.skeleton.get("n")
"""


@pytest.mark.parametrize(
    ("default", "panel", "found"),
    [(True, ", False", 0), (False, "", 0), (False, ", True", 1), (True, "", 1)],
)
def test_a_flag_that_a_method_gets_by_place(
    lint: Lint, default: bool, panel: str, found: int
) -> None:
    """The object before the arguments is counted."""
    text = METHOD.format(default) + HANDLERS
    calls = {"skeleton": "Box().load(ctx, True)", "panel": f"Box().load(ctx{panel})"}
    assert found == len(lint("FED201", text.format(**calls)))


READERS = """
class Reader:
    def __init__(self, ctx, kind="kept"):
        self.ctx, self.kind = ctx, kind
        {chosen}

    async def read_live(self):
        return await self.ctx.skeleton.get("n")

    async def read_kept(self):
        return await self.ctx.store.query("n")

    async def load(self):
        return await {called}
"""
TABLE = 'self.readers = {"live": self.read_live, "kept": self.read_kept}'
CHOSEN_METHODS = [
    ('self.read = self.read_live if kind == "live" else self.read_kept', "self.read()"),
    (
        (
            'if kind == "live":\n            self.read = self.read_live\n        else:\n'
            "            self.read = self.read_kept"
        ),
        "self.read()",
    ),
    (TABLE, "self.readers[self.kind]()"),
    ("", 'getattr(self, f"read_{self.kind}")()'),
]


@pytest.mark.parametrize(("chosen", "called"), CHOSEN_METHODS)
def test_a_method_that_an_object_chooses_for_itself(lint: Lint, chosen: str, called: str) -> None:
    """Which method the panel's object runs is not proved; one that all run is."""
    calls = {"skeleton": 'Reader(ctx, "live").load()', "panel": "Reader(ctx).load()"}
    text = READERS.replace("{chosen}", chosen or "pass") + HANDLERS.format(**calls)
    assert () == lint("FED201", text.replace("{called}", called))
    assert lint("FED201", text.replace("{called}", "self.read_live()"))


MATCHED = """
import enum


class Place(enum.Enum):
    SKELETON = "skeleton"
    CHAT = "chat"

    @classmethod
    def of(cls, ctx):
        return cls.SKELETON if ctx._tool_type == "skeleton" else cls.CHAT


async def load(ctx, kind, fresh=False):
    match kind, fresh:
        case "live", _:
            return await ctx.skeleton.get("n")
        case "kept", False:
            return None


async def asking(ctx):
    if Place.of(ctx) is Place.SKELETON:
        return await ctx.skeleton.get("n")
"""


@pytest.mark.parametrize(
    ("panel", "found"),
    [('load(ctx, "kept")', 0), ('load(ctx, "live")', 1), ("asking(ctx)", 0)],
)
def test_a_case_of_several_values_and_a_kind_in_words(lint: Lint, panel: str, found: int) -> None:
    """A case asks for each value of a tuple; an answer that depends on the kind asks for it."""
    calls = {"skeleton": 'load(ctx, "live", True)', "panel": panel}
    assert found == len(lint("FED201", MATCHED + HANDLERS.format(**calls)))


MADE = """
from contextvars import ContextVar

LIVE = ContextVar("live", default=False)


def loader(ctx, new=False):
    async def run():
        if new:
            return await ctx.skeleton.get("n")

    return run


async def rows(ctx, new=False):
    if new:
        yield await ctx.skeleton.get("n")


async def first(ctx, **kw):
    async for row in rows(ctx, **kw):
        return row


async def told(ctx, new=False):
    if new:
        LIVE.set(True)
        ctx.our_own = True
    if LIVE.get() and getattr(ctx, "our_own", False):
        return await ctx.skeleton.get("n")


class Box:
    def __init__(self, ctx):
        self.ctx = ctx

    async def load(self):
        if hasattr(self, "section"):
            return await self.ctx.skeleton.get(self.section)


class Live(Box):
    section = "n"
"""


@pytest.mark.parametrize(
    ("skeleton", "panel", "found"),
    [
        ("loader(ctx, True)()", "loader(ctx)()", 0),
        ("loader(ctx, True)()", "loader(ctx, new=True)()", 1),
        ("first(ctx, new=True)", "first(ctx)", 0),
        ("told(ctx, True)", "told(ctx)", 0),
        ("Live(ctx).load()", "Box(ctx).load()", 0),
    ],
)
def test_flags_of_closures_and_states(lint: Lint, skeleton: str, panel: str, found: int) -> None:
    """What a closure or a generator gets is followed; what others set is not."""
    text = MADE + HANDLERS.format(skeleton=skeleton, panel=panel)
    assert found == len(lint("FED201", text))


@pytest.mark.parametrize(
    ("lines", "severity"),
    [
        ('client = ctx.skeleton if live else ctx.store\nreturn await client.get("x")', "error"),
        ('return await (ctx.skeleton if live else ctx.store).get("x")', "error"),
        ('read = ctx.skeleton.get if live else ctx.store.get\nreturn await read("x")', "warning"),
        (
            'client = ctx.store\nif live:\n    client = ctx.skeleton\nreturn await client.get("x")',
            "error",
        ),
    ],
)
def test_a_handler_that_chooses_itself_may_choose_either(
    lint: Lint, lines: str, severity: str
) -> None:
    """Nobody else decides for it."""
    body = "".join(f"    {line}\n" for line in lines.splitlines())
    text = f'@ext.panel("p")\nasync def p(ctx, live=False):\n{body}'
    assert [severity] == [item.severity for item in lint("FED201", text)]
