"""FED515: two handlers under one name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ..model.project import plain_text
from ..model.roles import Role
from ..queries.repeated import repetitions
from ..rule import Example, Hit, Rule
from ..view import FileView, ProjectView, step_at

_KINDS = frozenset({"function", "tool", "panel"})
_DECLARED = re.compile(
    rb"\.\s{0,20}(function|tool|panel)\s{0,20}\([^\"')]{0,200}[\"']([^\"'\\\n]{1,200})[\"']"
)


def _check(view: FileView) -> Iterator[Hit]:
    names = view.extension.once(_repeated_names)
    suspects = (
        (function, role)
        for function, role in (view.handlers() if names else ())
        if role.kind in _KINDS and role.name in names
    )
    for found in repetitions(view, suspects, lambda r: view.extension.handlers(r.name), _is_same):
        yield Hit(
            node=found.role.call,
            message=f"{found.role.label} takes the name that {found.where} has already: the later "
            "declaration replaces the other without a word, and the earlier handler never runs. "
            "Give one of them another name.",
            severity=None if found.certain else "warning",
            chain=(step_at(found.module, found.first, "the other declaration"),),
        )


def _is_same(one: Role, other: Role) -> bool:
    return (one.kind, one.name) == (other.kind, other.name)


def _repeated_names(extension: ProjectView) -> frozenset[str]:
    """Return the names that the texts of the extension declare more than once."""
    counts: Counter[tuple[bytes, bytes]] = Counter()
    for path in extension.project.reachable:
        source = extension.project.sources[path]
        counts.update((kind, name) for kind, name in _DECLARED.findall(plain_text(source)))
    return frozenset(
        name.decode("utf-8", "replace") for (_, name), count in counts.items() if count > 1
    )


RULE = Rule(
    code="FED515",
    name="repeated-name",
    summary="Two functions, tools or panels share a name.",
    severity="error",
    triggers=tuple(sorted(_KINDS)),
    named_here=True,
    check=_check,
    what="""
Finds two `@chat.function`, two `@ext.tool` or two `@ext.panel` with one name, where it is written
as a literal. In a branch and across files it is a warning; in two branches, of which only one may
run, it is fine.
""",
    why="They are kept by name. The later declaration replaces the other silently, so a function "
    "that the author sees in the code can never be called.",
    example='@chat.function("list_notes", "Lists the notes")\nasync def a(ctx, p): ...\n\n\n'
    '@chat.function("list_notes", "Lists the tags")\nasync def b(ctx, p): ...',
    instead='@chat.function("list_notes", "Lists the notes")\nasync def a(ctx, p): ...\n\n\n'
    '@chat.function("list_tags", "Lists the tags")\nasync def b(ctx, p): ...',
    references=("imperal_sdk.ChatExtension.function", "imperal_sdk.Extension.tool"),
    bad=(
        Example(
            '\n@chat.function("f", "A")\nasync def a(ctx, p):\n    return None\n\n\n'
            '@chat.function(\n    name="f", description="B"\n)\nasync def b(ctx, p):\n'
            "    return None\n"
        ),
        Example(
            '\n@ext.panel("p")\nasync def a(ctx):\n    return None\n\n\ntry:\n    import fancy\n'
            "except ImportError:\n\n"
            '    @ext.panel("p")\n    async def b(ctx):\n        return None\n',
            severity="warning",
        ),
        Example(
            "\nfrom imperal_sdk import Extension\n\next = Extension('n')\nimport more\n\n\n"
            '@ext.tool("t")\nasync def t(ctx):\n    return None\n',
            {
                "more.py": "from main import ext\n\n\n@ext.tool('t')\nasync def t(ctx):\n"
                "    return 1\n"
            },
            severity="warning",
        ),
    ),
    good=(
        Example(
            """
try:
    import fast
except ImportError:
    @chat.function("f", "Finds")
    async def slow(ctx, params): ...
else:
    @chat.function("f", "Finds")
    async def quick(ctx, params): ...
"""
        ),
        Example(
            "\nfrom imperal_sdk import Extension\n\next = Extension('n')\n\n\n"
            '@ext.tool("t")\nasync def t(ctx):\n    return None\n',
            {
                "app.py": "from imperal_sdk import Extension\n\next = Extension('n')\n\n\n"
                "@ext.tool('t')\nasync def t(ctx):\n    return 1\n"
            },
        ),
        Example(
            '\n@chat.function("f", "A")\nasync def a(ctx, p):\n    return None\n\n\n'
            '@ext.tool("f")\nasync def b(ctx):\n    return None\n\n\n'
            '@ext.panel("f")\nasync def c(ctx):\n    return None\n'
        ),
        Example(
            '\n@chat.function("f", "A")\nasync def a(ctx, p):\n    return registry.tool("x"), '
            'registry.tool("x")\n'
        ),
    ),
)
