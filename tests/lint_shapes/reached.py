"""The parts of small extensions whose handlers come to a read of the skeleton."""

from __future__ import annotations

from textwrap import indent

from fedcheck.reports.lint.findings import Finding

from .conftest import Lint

Code = str | tuple[str, dict[str, str]]
"""The text of main.py, in which ``@HANDLER`` stands for a decorator, and further files."""
LOAD = """
async def load(ctx):
    return await ctx.skeleton.get("notes")
"""
READS = f"""{LOAD}
async def save(ctx):
    return None
"""
"""A function that reads, and one that does not."""
TABLE = """
ACTIONS = {"load": load, "save": save}
"""
RUNNERS = """
class Load:
    async def run(self, ctx):
        return await ctx.skeleton.get("notes")
class Save:
    async def run(self, ctx):
        return None
"""
"""A class whose objects read, and one whose objects do not."""
LOAD_METHOD = """\
    async def load(self):
        return await self.ctx.skeleton.get("notes")
"""
"""A method that reads by the context that its object keeps."""
REGISTER = """
REG = {}
def register(name):
    def deco(f):
        REG[name] = f
        return f
    return deco
"""
_KEEPING = """
class {}:
    def __init__(self, ctx):
        self.ctx = ctx
"""
_HANDLER = """
{}
async def {}(ctx, {}):
{}
"""


def keeping(name: str) -> str:
    """Return a class whose objects keep a context, without further methods."""
    return _KEEPING.format(name)


def show(body: str, given: str = 'kind=""') -> str:
    """Return the handler with a body, and with parameters behind the context."""
    return _handler("@HANDLER", "show", body, given)


def two_handlers(fill: str, shown: str) -> str:
    """Return a skeleton handler and a panel that do something each."""
    section = _handler('@ext.skeleton("p", ttl=60)', "fill", fill)
    return section + _handler('@ext.panel("p")', "show", shown)


def _handler(decorator: str, name: str, body: str, given: str = 'kind=""') -> str:
    return _HANDLER.format(decorator, name, given, indent(body.strip(), "    "))


def found(lint: Lint, code: Code, handler: str = "") -> list[Finding]:
    """Return what FED201 says of code, with a decorator in the place of ``@HANDLER``."""
    text, files = (code, {}) if isinstance(code, str) else code
    return [*lint("FED201", text.replace("@HANDLER", handler), **files)]
