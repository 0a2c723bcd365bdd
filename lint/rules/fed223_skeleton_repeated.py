"""FED223: a section that is declared twice."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..handlers import Role
from ..module import FunctionNode, Module
from ..rule import Example, Hit, Rule
from ..view import FileView, step_at

_PREFIX = "skeleton_refresh_"


def _check(view: FileView) -> Iterator[Hit]:
    everywhere = [
        found
        for found in view.extension.handlers("skeleton")
        if found[2].kind == "skeleton" and found[2].name
    ]
    for function, role in view.handlers():
        if role.kind != "skeleton" or not role.name:
            continue
        earlier = [
            found
            for found in everywhere
            if _section(found[2]) == _section(role) and _place(found[0], found[2]) < _place(view.module, role)
        ]
        if earlier:
            yield _hit(view, function, role, earlier[0])


def _section(role: Role) -> str:
    return role.name.removeprefix(_PREFIX)


def _place(module: Module, role: Role) -> tuple[str, int]:
    return (module.source.name, role.call.lineno)


def _hit(
    view: FileView, function: FunctionNode, role: Role, other: tuple[Module, FunctionNode, Role]
) -> Hit:
    module, first, _ = other
    where = f"{module.source.path.name}:{first.lineno}"
    certain = _always_runs(view.module, function) and _always_runs(module, first)
    return Hit(
        node=role.call,
        message=f"Section {_section(role)!r} is declared twice, here and in {where}: the later declaration "
        "replaces the other without a word, and its handler never runs. Give one of them another name.",
        severity=None if certain else "warning",
        chain=(step_at(module, first, "the other declaration"),),
    )


def _always_runs(module: Module, function: FunctionNode) -> bool:
    return isinstance(module.parents.get(function), ast.Module)


RULE = Rule(
    code="FED223",
    name="skeleton-section-repeated",
    summary="A skeleton section is declared twice.",
    severity="error",
    triggers=("skeleton",),
    check=_check,
    what="Finds two handlers of one section in the files that the extension's entry imports, also when one "
    'is written `@ext.tool("skeleton_refresh_<section>")`. In branches it is a warning.',
    why="Both register the tool `skeleton_refresh_<section>`. The later one replaces the other silently.",
    example='@ext.skeleton("notes")\nasync def a(ctx): ...\n\n\n@ext.skeleton("notes")\nasync def b(ctx): ...',
    instead='@ext.skeleton("notes")\nasync def a(ctx): ...\n\n\n@ext.skeleton("tags")\nasync def b(ctx): ...',
    references=("imperal_sdk.Extension.skeleton",),
    bad=(
        Example(
            '\n@ext.skeleton("n")\nasync def a(ctx):\n    return {"response": {}}\n\n\n'
            '@ext.tool("skeleton_refresh_n")\nasync def b(ctx):\n    return {"response": {}}\n'
        ),
        Example(
            '\nif ext:\n\n    @ext.skeleton("n")\n    async def a(ctx):\n        return {"response": {}}\n\nelse:\n\n'
            '    @ext.skeleton("n")\n    async def b(ctx):\n        return {"response": {}}\n',
            severity="warning",
        ),
    ),
    good=(
        Example(
            '\n@ext.skeleton("n")\nasync def a(ctx):\n    return {"response": {}}\n\n\n'
            '@ext.skeleton("m")\nasync def b(ctx):\n    return {"response": {}}\n'
        ),
        Example(
            "\nfrom imperal_sdk import Extension\n\next = Extension('n')\n\n\n"
            '@ext.skeleton("n")\nasync def n(ctx):\n    return {"response": {}}\n',
            {"old.py": "from main import ext\n\n\n@ext.skeleton('n')\nasync def n(ctx):\n    return {'response': {}}\n"},
        ),
    ),
)
