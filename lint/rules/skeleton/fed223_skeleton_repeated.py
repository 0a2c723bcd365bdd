"""FED223: a section is declared twice."""

from __future__ import annotations

from collections.abc import Iterator

from ...inference.calls.roles import Role
from ...rule import Example, Hit, Rule
from ...sdk_use.certainty import REPLACES, hit, repetitions
from ...view import FileView
from .support.skeletons import TRIGGER, skeleton_handlers

_PREFIX = "skeleton_refresh_"


def _check(view: FileView) -> Iterator[Hit]:
    everywhere = view.extension.handlers(TRIGGER)
    for found in repetitions(view, skeleton_handlers(view), lambda _: everywhere, _is_same):
        yield hit(
            found,
            f"section {_section(found.role)!r} is declared twice, here and in {found.where}\n"
            f"{REPLACES} Give one of them another name.",
        )


def _is_same(one: Role, other: Role) -> bool:
    both = one.kind == other.kind == TRIGGER and bool(other.name)
    return both and _section(one) == _section(other)


def _section(role: Role) -> str:
    return role.name.removeprefix(_PREFIX)


RULE = Rule(
    code="FED223",
    name="duplicate-skeleton-section",
    summary="A skeleton section is declared twice.",
    severity="error",
    triggers=(TRIGGER,),
    named_here=True,
    check=_check,
    what="""
Finds two handlers of one section in the files that the extension's entry imports, also when one is
written `@ext.tool("skeleton_refresh_<section>")`. In a branch and across files it is a warning;
in two branches of which only one may run it is fine.
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
