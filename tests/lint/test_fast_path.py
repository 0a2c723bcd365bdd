"""The fast path finds what reading everything finds, however the code is spelt."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fedcheck.lint.engine.engine import CheckResult

Check = Callable[..., CheckResult]

HEAD = """\
from imperal_sdk import ActionResult, ChatExtension, Context, Extension, ui as kit
from pydantic import BaseModel
import dataclasses
import functools

from helper import use
from constants import NAME
from passing import hand, through

ext = Extension("notes", capabilities=["notes:read"])
chat = ChatExtension(ext)


@ext.cache_model("count")
class Count(BaseModel):
    total: int


@dataclasses.dataclass
class Held:
    context: Context


"""
CONSTANTS = 'NAME = "skeleton" + "_data"\n'

PASSING = """\
import functools

from helper import use


async def hand(first, second):
    return await use(first, second)


def through(function):
    @functools.wraps(function)
    async def inner(context):
        return await function(context)
    return inner
"""

RECEIVERS = (
    "ctx",
    "(ctx)",
    "(c := ctx)",
    "alias",
    "(  # why\n        ctx\n    )",
    "ctx \\\n        ",
    "box.ctx",
)
USES = (
    "{0}.skeleton_data",
    "{0}.ｓkeleton_data",
    'getattr({0}, "skeleton_data", None)',
    "getattr({0}, 'skeleton' '_data')",
    "getattr({0}, NAME, None)",
    'getattr({0}, "\\x73keleton_data")',
    "hasattr({0}, f'skeleton_{{0 or \"data\"}}')",
    "{0}.fact_ledger",
    "await {0}.skeleton.get('n')",
    "await (  {0} . skeleton )  .get('n')",
    "await {0}.skeleton.update('n', {{}})",
    "await {0}.cache.set('k', Count(total=1), ttl_seconds=600)",
    "await {0}.cache.set('a b', {{}}, ttl=60)",
    "await getattr({0}, 'cache').get('k')",
    "{0}.user.id",
    "{0}.config.get('x', 1, 2)",
    "await use({0}.cache, {0}.skeleton)",
    "await use(getattr({0}, 'cache', None), {0}.skeleton)",
    "ActionResult.success('text', 'x')",
    "ActionResult . success(summary='x')",
    "(await {0}.http.get('u')).text[:5]",
    "{0}.store._gateway_url",
    "await kit . Header(title={0})",
    "getattr(kit, 'Te' 'xt')({0}, weight=1)",
    "(own := kit).Buton({0})",
)
ODD_USES = (
    "await hand({0}.cache, {0}.skeleton)",
    "await functools.partial(use, {0}.cache)({0}.skeleton)",
    "Held({0}).context.user.id",
    "{{'held': {0}}}['held'].user.id",
    "[{0}][0].fact_ledger",
    "(lambda held: held.skeleton_data)({0})",
    "(lambda: {0}.user.id)()",
    "({0} or None).user.id",
    "(await {0}.http.get('u')).ok()",
    "{0}.notify('x') and {0}.ｕser.id",
)
"""Ways on which the model may lose the context; both paths must lose it alike."""
HELPERS = (
    """\
async def use(first, second):
    await first.set('k', 1, ttl_seconds=1)
    return await second.get('n')
""",
    """\
class Keeper:
    def __init__(self, one, two):
        self.one, self.two = one, two
        self.a = one

    async def run(self):
        await self.a.get('a b', dict)


async def use(first, second):
    await Keeper(first, second).run()
""",
)
PLACES = (
    """\
@ext.panel("p")
async def p(ctx):
    alias = ctx
    class box: ...
    box.ctx = ctx
    return {use}
""",
    """\
@chat.function("f", "Does", data_model=Count)
async def f(ctx, params):
    return await inner(ctx)


async def inner(ctx):
    alias = box = ctx
    if (x := {use}):
        return x
""",
    """\
@ext.skeleton("s")
async def s(ctx):
    alias = box = ctx
    async def nested():
        return {use}
    return {{"response": {{"a": await nested()}}}}
""",
    """\
class Keeper:
    def __init__(self, given):
        self.ctx = given
        self.held = {{"ctx": given}}

    async def run(self):
        ctx = alias = self.ctx
        box = self
        return {use}


@ext.panel("k")
async def k(request):
    return await Keeper(request).run()
""",
    """\
@ext.panel("q")
@through
async def q(context):
    ctx = alias = box = context
    for part in (1, 2):
        if ctx is None:
            continue
        elif part: ctx = context
    return {use}
""",
)


@st.composite
def extensions(draw: st.DrawFn) -> dict[str, str]:
    """Draw an extension of a few handlers, each with one spelling of one use."""
    parts = []
    for place in draw(st.lists(st.sampled_from(PLACES), min_size=1, max_size=2)):
        receiver = draw(st.sampled_from(RECEIVERS))
        parts.append(place.format(use=draw(st.sampled_from(USES + ODD_USES)).format(receiver)))
    helper = draw(st.sampled_from(HELPERS))
    return {
        "main.py": HEAD + "\n\n".join(parts),
        "helper.py": helper,
        "constants.py": CONSTANTS,
        "passing.py": PASSING,
    }


@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files=extensions())
def test_the_fast_path_misses_nothing(check_files: Check, files: dict[str, str]) -> None:
    """Findings of the fast path equal those of ``--exhaustive``."""
    everything = check_files(files, exhaustive=True)
    assert () == everything.notes
    assert everything.findings == check_files(files).findings


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(use=st.sampled_from(USES[:-1]), receiver=st.sampled_from(RECEIVERS[:6]))
def test_every_spelling_is_found(check_files: Check, use: str, receiver: str) -> None:
    """Each use is a breach in each spelling, so that the comparison compares something."""
    code = HEAD + PLACES[0].format(use=use.format(receiver))
    files = {
        "main.py": code,
        "helper.py": HELPERS[0],
        "constants.py": CONSTANTS,
        "passing.py": PASSING,
    }
    expected = {"main.py", "helper.py"} if "use(" in use else {"main.py"}
    found = {item.path.rpartition("/")[2] for item in check_files(files).findings}
    assert expected & found
