"""FED509: a secret that the extension does not declare, or may not write."""

from __future__ import annotations

from collections.abc import Iterator

from ..model.project import mentions
from ..queries.declarations import declared_secrets
from ..queries.sdk_calls import SdkCall, constants_of, sdk_calls
from ..rule import Example, Hit, Rule
from ..view import FileView

_TRIGGER = "secrets"


def _check(view: FileView) -> Iterator[Hit]:
    if not mentions(view.module.source, _TRIGGER):
        return
    calls = list(sdk_calls(view, "SecretClient", "get", "set", "delete", "is_set"))
    declared = declared_secrets(view) if calls else None
    for call in calls:
        name = call.arguments.get("name")
        if name is None or declared is None:
            continue
        for value, _ in constants_of(view, name):
            message = _problem(view, call, value, declared)
            if message:
                yield Hit(
                    node=name,
                    message=message,
                    severity=None if call.certain and len(view.values(name)) == 1 else "warning",
                    chain=view.chain(call.item),
                )
                break


def _problem(view: FileView, call: SdkCall, name: object, declared: dict[str, str]) -> str:
    if not isinstance(name, str):
        return ""
    if name not in declared:
        known = f" Declared: {', '.join(sorted(declared))}." if declared else ""
        return (
            f"ctx.secrets.{call.method}({name!r}) raises SecretNotDeclaredError in {view.sdk}, "
            f"also in development: no ext.secret declares it{view.way(call.item)}. Declare it: "
            f'ext.secret("{name}", "What it is for").{known}'
        )
    if call.method in {"set", "delete"} and declared[name] == "user":
        return (
            f"ctx.secrets.{call.method}({name!r}) raises SecretWriteForbidden in {view.sdk}: its "
            "write_mode is "
            f'"user"{view.way(call.item)}. Declare it with write_mode="both".'
        )
    return ""


RULE = Rule(
    code="FED509",
    name="undeclared-secret",
    summary="A secret is used that is not declared, or written that only the user may write.",
    severity="error",
    triggers=(_TRIGGER,),
    since="4.2.2",
    check=_check,
    what="""
Finds `ctx.secrets.get/set/delete/is_set` of a name that neither `ext.secret` nor `secrets` in
`imperal.json` declares, and `set`/`delete` of one whose write mode is `user`, the default. Silent
as soon as one declaration cannot be followed, for example through `ext._secrets`. A regression
guard: no known extension does it.
""",
    why="The client raises SecretNotDeclaredError or SecretWriteForbidden before it asks the "
    "vault.",
    example='token = await ctx.secrets.get("api_token")',
    instead='ext.secret("api_token", "Token of the service")\n\n'
    'token = await ctx.secrets.get("api_token")',
    references=("EXT-SECRETS-V1", "imperal_sdk.secrets.SecretClient"),
    bad=(
        Example('\n@ext.tool("t")\nasync def t(ctx):\n    return await ctx.secrets.get("a")\n'),
        Example(
            '\next.secret("a", "A", write_mode="user")(lambda: None)\n\n\n'
            '@ext.tool("t")\nasync def t(ctx):\n    await ctx.secrets.set("a", "x")\n',
            holds="SecretWriteForbidden",
        ),
    ),
    good=(
        Example(
            '\nNAME = "a"\next.secret(NAME, "A")\n\n\n@ext.tool("t")\nasync def t(ctx):\n'
            '    return await ctx.secrets.get("a")\n'
        ),
        Example(
            '\nfor _name in ("a", "b"):\n    ext.secret(_name, "x")\n\n\n@ext.tool("t")\n'
            "async def t(ctx):\n"
            '    return await ctx.secrets.get("b")\n'
        ),
        Example(
            '\nfor _name, _text in (("a", "A"), ("b", "B")):\n'
            "    ext._secrets[_name] = Spec(_name, _text)\n\n\n"
            '@ext.tool("t")\nasync def t(ctx):\n    return await ctx.secrets.get("b")\n'
        ),
        Example(
            '\n@ext.tool("t")\nasync def t(ctx):\n    return await ctx.secrets.get("a")\n',
            {"imperal.json": '{"app_id": "n", "secrets": [{"name": "a"}]}'},
        ),
        Example(
            '\next.secret("a", "A", write_mode="both")\n\n\n@ext.tool("t")\nasync def t(ctx):\n'
            '    await ctx.secrets.set("a", "x")\n'
        ),
        Example("\nimport secrets\n\nprint(secrets.token_hex(8))\n"),
    ),
)
