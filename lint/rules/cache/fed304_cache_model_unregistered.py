"""FED304: a cached model that the extension has not registered."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...inference.syntax.module import Module
from ...inference.values.models import is_model
from ...inference.values.values import Class, Instance
from ...payloads.items import is_of_growing
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import applied_to
from ...sdk_use.declarations import shows_extension, unread
from ...view import FileView, ProjectView
from .support.cache_calls import cache_calls

_MARK = "cache_model"
_REGISTRY = "_cache_models"  # of the SDK's Extension; some write into it

Registered = dict[ast.ClassDef, Module]


def _check(view: FileView) -> Iterator[Hit]:
    for call in cache_calls(view, "get", "set", "get_or_fetch"):
        node = call.arguments.get("value" if call.method == "set" else "model")
        for item in view.values(node) if node is not None else ():
            cls = item.value.cls if isinstance(item.value, Instance) else item.value
            if (
                node is None
                or not isinstance(cls, Class)
                or is_model(view.evaluator, cls) is not True
            ):
                continue
            registered = view.extension.once(_registered)
            if registered is not None and cls.node not in registered:
                yield Hit(
                    node=node,
                    message=f"{cls.node.name} is no registered model: {call.method} raises "
                    "ValueError\n"
                    f"In {view.sdk} a model is registered with @ext.cache_model. "
                    f"{_advice(cls.node, registered)}",
                    severity=None if call.certain else "warning",
                    chain=view.chain(call.item) + view.chain(item),
                )
                break


def _advice(cls: ast.ClassDef, registered: Registered) -> str:
    for other, module in registered.items():
        if other.name == cls.name:
            return (
                f"{module.source.name}:{other.lineno} registers another class of that name, and "
                "the cache compares the classes themselves: use that one everywhere."
            )
    return f'Write @ext.cache_model("{cls.name.lower()}") above class {cls.name}.'


def _registered(view: ProjectView) -> Registered | None:
    """Return the registered classes and their files; None if a registration is not followed."""
    found: Registered = {}
    for module in view.project.mentioning(_MARK):
        for access in FileView(view, module).accesses(_MARK, _REGISTRY):
            call = module.parents.get(access.node)
            if access.dynamic or access.name == _REGISTRY or not isinstance(call, ast.Call):
                return None
            user = applied_to(module, call)
            if isinstance(user, ast.ClassDef):
                found[user] = module
            elif user is not None and not is_of_growing(view, module, user):
                for item in view.evaluator.values(module, user):
                    if not isinstance(item.value, Class):
                        return None
                    found[item.value.node] = item.value.module
            else:
                return None
    return found if shows_extension(view) and not unread(view.project, _MARK) else None


RULE = Rule(
    code="FED304",
    name="cache-model-unregistered",
    summary="The cache takes registered models only.",
    severity="error",
    since="1.6.0",
    triggers=("cache",),
    check=_check,
    what="""
Finds models in cache calls that no `@ext.cache_model("name")` of the extension registers, in
decorator or call form. A subclass of a registered model is not registered. Silent if a
registration cannot be followed, or if the files do not show where the extension is made.
""",
    why="The call raises ValueError; inside `except Exception` the cache silently never works.",
    example='class Count(BaseModel):\n    total: int\n\n\nawait ctx.cache.get("count", Count)',
    instead='@ext.cache_model("count")\nclass Count(BaseModel):\n    total: int',
    references=("Cache vs store", "SDK sources: cache/client.py"),
    bad=(
        Example(
            """
from imperal_sdk import Extension
from pydantic import BaseModel

ext = Extension("n", capabilities=["notes:read"])


class Page(BaseModel):
    total: int


@ext.panel("p")
async def p(ctx):
    return await ctx.cache.get("k", Page)
"""
        ),
        Example(
            """
class Other(BaseModel):
    a: int


@ext.panel("p")
async def p(ctx):
    return await ctx.cache.get("k", Other)
""",
            holds='Write @ext.cache_model("other") above class Other.',
        ),
        Example(
            """
import again


@ext.cache_model("other")
class Other(BaseModel):
    a: int


@ext.panel("p")
async def p(ctx):
    return await ctx.cache.get("k", again.Other)
""",
            {
                "again.py": """\
from pydantic import BaseModel


class Other(BaseModel):
    a: int
"""
            },
            holds=" registers another class of that name",
        ),
        Example(
            """
class Other(Count):
    a: int


@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("k", Other(total=1, a=1), ttl_seconds=60)
"""
        ),
    ),
    good=(
        Example(
            """
class Row(BaseModel):
    total: int


class Page(BaseModel):
    total: int


MODELS = [Row]
MODELS.append(Page)
for model in MODELS:
    ext.cache_model(model.__name__)(model)


@ext.panel("p")
async def p(ctx):
    return await ctx.cache.get("k", Page)
"""
        ),
        Example(
            """
from pydantic import BaseModel
from imperal_sdk import Extension

from forms import ext


class Page(BaseModel):
    total: int


@ext.panel("p")
async def p(ctx):
    return await ctx.cache.get("k", Page)
""",
            {"forms.py": "from outside import ext\n"},
        ),
        Example(
            """
class Page(BaseModel):
    total: int


getattr(ext, "cache_model")("page")(Page)


@ext.panel("p")
async def p(ctx):
    return await ctx.cache.get("k", Page)
"""
        ),
        Example(
            """
class Page(BaseModel):
    total: int


ext._cache_models["page"] = Page


@ext.panel("p")
async def p(ctx):
    return await ctx.cache.get("k", Page)
"""
        ),
        Example(
            """
class Other(BaseModel):
    a: int


ext.cache_model("o")(Other)


@ext.panel("p")
async def p(ctx):
    return await ctx.cache.get("k", Other)
"""
        ),
        Example(
            """
class Other(BaseModel):
    a: int


for name, cls in [("o", Other)]:
    ext.cache_model(name)(cls)


@ext.panel("p")
async def p(ctx):
    return await ctx.cache.get("k", Other)
"""
        ),
    ),
)
