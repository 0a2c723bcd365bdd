"""FED515: two handlers under one name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from ..model.handlers import BARE
from ..model.project import plain_text
from ..model.roles import Role
from ..queries.declared_once import RAISED, declared_again
from ..queries.repeated import REPLACES, Declared, Repetition, hit, is_same, repetitions
from ..rule import Example, Hit, Rule
from ..view import FileView, ProjectView

_OFTEN = ("function", "tool", "panel")
_SELDOM = ("widget", "tray", "menu_item", "schedule", "signal", "webhook", "expose",
           "search_provider", "on_upgrade")  # fmt: skip
_NAMED = frozenset({*_OFTEN, *_SELDOM})
_DECLARED, _DECLARED_SELDOM = (
    re.compile(
        rb"\.\s{0,20}(%s)\s{0,20}\((?!\s{0,20}[.)])"
        rb"(?:\s{0,200}[\"']([^\"'\\\n]{1,200})[\"']\s{0,20}[,)])?" % "|".join(kinds).encode()
    )
    for kinds in (_OFTEN, _SELDOM)
)
"""A declaration; with its name where that is a literal and stands first."""
_HOOKED = re.compile(rb"\.\s{0,20}(%s)\b" % "|".join(sorted(BARE)).encode())


def _check(view: FileView) -> Iterator[Hit]:
    names = view.extension.once(_repeated_names)
    suspects = (
        (function, role)
        for function, role in (view.handlers() if names else ())
        if (role.name if role.kind in _NAMED else role.kind if role.kind in BARE else "") in names
    )
    for found in repetitions(view, suspects, lambda role: _like(view, role), is_same):
        yield _replaced(found)
    for found in declared_again(view):
        yield _refused(view, found)


def _replaced(found: Repetition) -> Hit:
    role, place = found.role, found.where
    taken = f"takes the name that {place} has already"
    advice = "Give one of them another name."
    if role.kind in BARE or role.kind == "on_upgrade":
        taken = f"registers a second hook where {place} is registered already"
        advice = "Do the work of both in one function."
    return hit(found, f"{role.label} {taken}: {REPLACES} {advice}")


def _refused(view: FileView, found: Repetition) -> Hit:
    raised = RAISED[found.role.kind]
    return hit(
        found,
        f"{found.role.label} declares what {found.where} has declared already, and raises "
        f"{raised} in {view.sdk} while the extension is loaded: none of its functions and panels "
        "can be called. Leave one of the two out.",
    )


def _like(view: FileView, role: Role) -> Iterable[Declared]:
    return view.extension.handlers(role.kind)


def _repeated_names(extension: ProjectView) -> frozenset[str]:
    """Return the names, and the hooks, that an extension declares more than once.

    Its texts tell, but for kinds of which one has a name that is no literal.
    """
    project = extension.project
    texts = [plain_text(project.sources[path]) for path in project.reachable]
    declared = [pair for text in texts for pair in _DECLARED.findall(text)]
    for source in project.holding(_SELDOM):
        declared += _DECLARED_SELDOM.findall(plain_text(source))
    for source in project.holding(BARE):
        declared += [(hook, hook) for hook in _HOOKED.findall(plain_text(source))]
    named = [(kind.decode(), name.decode("utf-8", "replace")) for kind, name in declared]
    for kind in dict.fromkeys(kind for kind, name in named if not name):
        roles = (role for _, _, role in extension.handlers(kind) if role.kind == kind)
        named += ((kind, role.name) for role in roles)
    return frozenset(name for (_, name), count in Counter(named).items() if name and count > 1)


_SECRETS = '\next.secret("key", "Key of the service")\next.secret("key", "The same key")\n'

RULE = Rule(
    code="FED515",
    name="repeated-name",
    summary="Two handlers, hooks or secrets share a name.",
    severity="error",
    triggers=tuple(sorted(_NAMED | BARE | RAISED.keys())),
    named_here=True,
    check=_check,
    what="""
Finds two `@chat.function`, `@ext.tool`, `@ext.panel`, `@ext.schedule`, `@ext.webhook`, … with one
name that the code shows, two `@ext.on_upgrade` of one version, and two of a hook that
an extension has once: `@ext.on_install`, `@ext.on_uninstall`, `@ext.on_enable`, `@ext.on_disable`,
`@ext.health_check`. In a branch and across files it is a warning; in two branches, of which only
one may run, it is fine.

Finds also two `ext.secret`, two `ext.file_sink` for one tool and two `@ext.cache_model` with one
name. Here only those count that run together: both at the top level, or both in one block that no
`try` is around.
""",
    why="Handlers and hooks are kept by name. The later declaration replaces the other silently, "
    "so a function that the author sees in the code can never be called. Of secrets, file sinks "
    "and cache models the SDK takes no second one: it raises SecretDeclarationConflict or "
    "ValueError while the extension is loaded.",
    example='@chat.function("list_notes", "Lists the notes")\nasync def a(ctx, p): ...\n\n\n'
    '@chat.function("list_notes", "Lists the tags")\nasync def b(ctx, p): ...',
    instead='@chat.function("list_notes", "Lists the notes")\nasync def a(ctx, p): ...\n\n\n'
    '@chat.function("list_tags", "Lists the tags")\nasync def b(ctx, p): ...',
    references=(
        "imperal_sdk.ChatExtension.function",
        "imperal_sdk.Extension.tool",
        "SDK sources: extension.py on_install, secret, file_sink, cache_model",
    ),
    bad=(
        Example(
            """
@ext.on_install
async def seeded(ctx): ...


@ext.on_install
async def greeted(ctx): ...
""",
            holds="registers a second hook",
        ),
        Example(
            """
@ext.on_upgrade("1.1.0")
async def moved(ctx, from_version=""): ...


@ext.on_upgrade("1.1.0")
async def renamed(ctx, from_version=""): ...
""",
            holds="in one function",
        ),
        Example(
            """
@ext.webhook("/hook", method="GET")
async def asked(ctx, headers, body, query_params): ...


@ext.webhook("/hook", method="POST")
async def told(ctx, headers, body, query_params): ...
"""
        ),
        Example(
            """
ext.secret("key", "Key of the service")(lambda: None)
ext.secret(name="key", description="Key of the service", required=True)
""",
            holds="SecretDeclarationConflict",
        ),
        Example(_SECRETS, sdk="4.2.2", holds="imperal-sdk 4.2.2"),
        Example(
            """
NAME = "count"


@ext.cache_model(NAME)
class Other(BaseModel):
    total: int
""",
            holds="raises ValueError",
        ),
        Example(
            """
from imperal_sdk import Extension

ext = Extension("notes")
ext.secret("key", "Key of the service")
import more
""",
            {"more.py": "from main import ext\n\next.secret('key', 'Key of the service')\n"},
            severity="warning",
        ),
        Example(
            """
def declare(ext):
    ext.secret("key", "Key of the service")
    ext.secret("key", "Key of the service")


declare(ext)
""",
            severity="warning",
        ),
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
        Example(_SECRETS, sdk="4.2.1"),
        Example(
            """
@ext.on_install
async def installed(ctx): ...


@ext.on_uninstall
async def removed(ctx): ...


@ext.on_upgrade("1.1.0")
async def first(ctx, from_version=""): ...


@ext.on_upgrade("1.2.0")
async def second(ctx, from_version=""): ...


if beta:
    @ext.health_check
    async def healthy(ctx): ...
else:
    @ext.health_check
    async def well(ctx): ...
"""
        ),
        Example(
            """
from imperal_sdk import Extension
import more

ext = Extension("notes")
ext.secret("key", "Key of the service")
ext.secret("other", "Another key")
if "key" not in ext.secrets:
    ext.secret("key", "Key of the service")
try:
    ext.secret("key", "Key of the service")
except Exception:
    pass


def declare(ext):
    ext.secret("key", "Key of the service")


vault.secret("key")
vault.secret("key")
other = Extension("tags")
other.secret("key", "Key of the service")
""",
            {
                "more.py": "from imperal_sdk import Extension\n\next = Extension('m')\n"
                "ext.secret('key', 'Key of another one')\n"
            },
        ),
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
