"""FED223: a section that is declared twice."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.blocks import branches
from ..model.handlers import Role
from ..queries.repeated import Repetition, repetitions
from ..queries.skeleton_sections import TRIGGER, skeleton_handlers
from ..rule import Example, Hit, Rule
from ..view import FileView, step_at

_PREFIX = "skeleton_refresh_"


def _check(view: FileView) -> Iterator[Hit]:
    everywhere = view.extension.handlers(TRIGGER)
    for found in repetitions(view, skeleton_handlers(view), lambda _: everywhere, _is_same):
        if _excludes(view, found):
            continue
        yield Hit(
            node=found.role.call,
            message=f"Section {_section(found.role)!r} is declared twice, here and in "
            f"{found.where}: the later declaration replaces the other without a word, and the "
            "earlier handler never runs. Give one of them another name.",
            severity=None if found.certain else "warning",
            chain=(step_at(found.module, found.first, "the other declaration"),),
        )


def _excludes(view: FileView, found: Repetition) -> bool:
    """Tell whether the two stand in branches of which only one runs."""
    if found.module is not view.module:
        return False
    for up in view.module.ancestors(found.role.call):
        if isinstance(up, ast.If | ast.Match):
            for block in branches(up):
                inside = {id(node) for statement in block for node in ast.walk(statement)}
                if id(found.role.call) in inside and id(found.first) in inside:
                    break
            else:
                if any(node is found.first for node in ast.walk(up)):
                    return True
    return False


def _is_same(one: Role, other: Role) -> bool:
    both = one.kind == other.kind == TRIGGER and bool(other.name)
    return both and _section(one) == _section(other)


def _section(role: Role) -> str:
    return role.name.removeprefix(_PREFIX)


RULE = Rule(
    code="FED223",
    name="skeleton-section-repeated",
    summary="A skeleton section is declared twice.",
    severity="error",
    triggers=(TRIGGER,),
    check=_check,
    what="""
Finds two handlers of one section in the files that the extension's entry imports, also when one is
written `@ext.tool("skeleton_refresh_<section>")`. In a branch and across files it is a warning;
in two branches of which only one runs it is fine.
""",
    why="Both register the tool `skeleton_refresh_<section>`; the later one replaces the other.",
    example='@ext.skeleton("notes")\nasync def a(ctx): ...\n\n\n@ext.skeleton("notes")\n'
    "async def b(ctx): ...",
    instead='@ext.skeleton("notes")\nasync def a(ctx): ...\n\n\n@ext.skeleton("tags")\n'
    "async def b(ctx): ...",
    references=("imperal_sdk.Extension.skeleton",),
    bad=(
        Example(
            '\n@ext.skeleton("n")\nasync def a(ctx):\n    return {"response": {}}\n\n\n'
            '@ext.tool("skeleton_refresh_n")\nasync def b(ctx):\n    return {"response": {}}\n'
        ),
        Example(
            '\n@ext.skeleton("n")\nasync def a(ctx):\n    return {"response": {}}\n\n\nif beta:\n\n'
            '    @ext.skeleton("n")\n    async def b(ctx):\n        return {"response": {}}\n',
            severity="warning",
        ),
        Example(
            '\nif beta:\n\n    @ext.skeleton("n")\n    async def a(ctx):\n'
            '        return {"response": {}}\n\n    @ext.skeleton("n")\n    async def b(ctx):\n'
            '        return {"response": {}}\n',
            severity="warning",
        ),
    ),
    good=(
        Example(
            '\nif beta:\n\n    @ext.skeleton("n")\n    async def a(ctx):\n'
            '        return {"response": {}}\n\nelse:\n\n'
            '    @ext.skeleton("n")\n    async def b(ctx):\n        return {"response": {}}\n'
        ),
        Example(
            '\n@ext.skeleton("n")\nasync def a(ctx):\n    return {"response": {}}\n\n\n'
            '@ext.skeleton("m")\nasync def b(ctx):\n    return {"response": {}}\n'
        ),
        Example(
            "\nfrom imperal_sdk import Extension\n\next = Extension('n')\n\n\n"
            '@ext.skeleton("n")\nasync def n(ctx):\n    return {"response": {}}\n',
            {
                "old.py": "from main import ext\n\n\n@ext.skeleton('n')\nasync def n(ctx):\n"
                "    return {'response': {}}\n"
            },
        ),
    ),
)
