"""FED540: a secret that leaves the extension in a result, a log, a message or an exception."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...inference.flow.branches import live_returns
from ...inference.syntax.module import last_name
from ...inference.values.values import External, Made
from ...payloads.payloads import result_calls
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import CALLED, calls_of_any, sdk_calls
from ...sdk_use.import_errors import never_runs
from ...sdk_use.sdk_objects import source_of
from ...view import FileView, step_at
from .support.secret_flows import Shown, secrets_in

_TRIGGER = "secrets"
_LOGGING = frozenset(
    {"critical", "debug", "error", "exception", "fatal", "info", "log", "warn", "warning"}
)
_LOGGERS = frozenset({"logging", "logging.getLogger", "structlog.get_logger"})
_CREDENTIAL = re.compile(
    r"key|token|secret|passw|pwd|credential|private|auth|jwt|cookie|signing|dsn|bearer|api_?k",
    re.IGNORECASE,
)
_PUBLIC = re.compile(
    r"(url|uri|host|domain|endpoint|e?mail|user(name)?|login|account(s)?|region|locale|lang|site"
    r"|port|path|folder|bucket|project|workspace|_?ids?|name|client_id|public_key|pubkey)$",
    re.IGNORECASE,
)
"""Ends of names of settings that a vault holds and that no one has to hide."""
Sink = tuple[ast.expr, str]
"""What is shown, and where it goes, in words."""


def _check(view: FileView) -> Iterator[Hit]:
    if not any(True for _ in view.extension.project.naming(_TRIGGER)):
        return
    yield from _just_kept(view)
    told = set[ast.expr]()
    for node, where in _sinks(view):
        if node in told or never_runs(view, node):
            continue
        secret = next((it for it in secrets_in(view, node) if not _PUBLIC.search(it.name)), None)
        if secret is not None:
            told.add(node)
            yield _hit(node, where, secret)


def _just_kept(view: FileView) -> Iterator[Hit]:
    """Find a text of a result that shows what the same function gives the vault under a name."""
    kept = [
        (view.module.function(call.node), value.id, call.node)
        for call in sdk_calls(view, "SecretClient", "set")
        if isinstance(value := call.arguments.get("value"), ast.Name) and call.certain
    ]
    for made in result_calls(view) if kept else ():
        function = view.module.function(made.node)
        names = {name: node for within, name, node in kept if within is function}
        text = made.summary if isinstance(made.summary, ast.JoinedStr) else None
        for part in text.values if text is not None else ():
            shown = part.value if isinstance(part, ast.FormattedValue) else None
            if isinstance(shown, ast.Name) and shown.id in names:
                yield Hit(
                    node=shown,
                    message=f"{shown.id}, which goes into the vault, goes into the summary in clear"
                    "\nWhat a summary says is kept and read by people and a model. Leave it out.",
                    chain=(step_at(view.module, names[shown.id], f"keeps {shown.id} as a secret"),),
                )


def _hit(node: ast.expr, where: str, secret: Shown) -> Hit:
    named = f"the secret {secret.name!r}" if secret.name else "a secret"
    said = source_of(node)
    return Hit(
        node=node,
        message=f"{named} goes into {where} in clear\n"
        f"{said} shows it, and what stands there is kept, or read by people or a model. Leave it "
        "out, every part of it too: say its name and, at most, its length.",
        severity=None if _CREDENTIAL.search(secret.name) else "warning",
        chain=(step_at(secret.at.module, secret.at.node, f"reads {named}"),),
    )


_WHERE = {
    "ActionResult": "the error of a result",
    "Context": "the log",
    "NotifyClient": "a message to the user",
    "AIClient": "the prompt of a model",
}
_SENDING = {
    "ActionResult": ("error",),
    "Context": ("log",),
    "NotifyClient": (CALLED, "send"),
    "AIClient": ("complete",),
}
"""Class of the SDK → its methods that show what they are given …"""
_SHOWN = ("error", "message", "prompt")
"""… as one of these parameters."""


def _sinks(view: FileView) -> Iterator[Sink]:
    yield from (sink for sink in _of_sdk(view) if sink[0] in view.module.parents)
    yield from _logged(view)
    for node in view.module.nodes(ast.Raise):
        if isinstance(node.exc, ast.Call):
            yield from ((given, "the text of an exception") for given in node.exc.args)
    for function, role in view.handlers():
        if role.kind == "skeleton":
            for returned in live_returns(view.evaluator, view.module, function):
                yield returned, "the skeleton"


def _of_sdk(view: FileView) -> Iterator[Sink]:
    for call in result_calls(view):
        given = {"data": call.data, "summary": call.summary}
        yield from ((node, f"the {name} of a result") for name, node in given.items() if node)
    for made in calls_of_any(view, _SENDING):
        for name in _SHOWN:
            if name in made.arguments:
                yield made.arguments[name], _WHERE[made.owner]


def _logged(view: FileView) -> Iterator[Sink]:
    for call in view.module.nodes(ast.Call):
        callee = call.func
        if isinstance(callee, ast.Name) and callee.id == "print":
            yield from ((each, "the output") for each in call.args)
        if isinstance(callee, ast.Attribute) and callee.attr in _LOGGING:
            found = [item.value for item in view.values(callee.value)]
            is_logger = any(
                (isinstance(it, Made) and it.of in _LOGGERS)
                or (isinstance(it, External) and it.name in _LOGGERS)
                for it in found
            )
            if is_logger or last_name(callee.value).lower().strip("_") in {"log", "logger"}:
                yield from ((each, "the log") for each in call.args)


RULE = Rule(
    code="FED540",
    name="secret-disclosed",
    summary="No secret goes into a result, a log, a message or an exception.",
    severity="error",
    invariant="I-SECRETS-NEVER-LOGGED",
    check=_check,
    since="4.2.2",
    what="""
Follows what `ctx.secrets.get` returns through names, helpers, f-strings, `+`, `%`, `.format`,
dicts, lists and models into the data, the summary or the error of an `ActionResult`, a log call,
`print`, `ctx.notify`, the prompt of `ctx.ai.complete`, the arguments of a raised exception and the
result of a skeleton handler; and a summary that shows what the same function gives
`ctx.secrets.set`. What is cut (`token[-4:]`), measured (`len(token)`), hashed or only
sent in a request is left alone, and so are secrets whose names say that nobody has to hide them:
`service_url`, `account_id`. Where the name says nothing it is a warning.
""",
    why="""
The fact ledger and the narrator give results to a model, logs and exceptions are read by people
and kept, and the masks of the platform know e-mail addresses and numbers, not tokens. A secret that
was shown once has to be replaced.
""",
    example='token = await ctx.secrets.get("api_token")\n'
    'return ActionResult.success({"token": token}, "Connected")',
    instead='token = await ctx.secrets.get("api_token")\n'
    'return ActionResult.success({"connected": bool(token)}, "Connected")',
    references=("Secrets", "I-SECRETS-NEVER-LOGGED"),
    bad=(
        Example(
            """
@chat.function("connect", "Keeps the key", action_type="write")
async def connect(ctx, params: Count):
    key = params.key
    await ctx.secrets.set("api_key", key)
    return ActionResult.success({"kept": True}, f"Key {key} kept.")
""",
            holds="key, which goes into the vault, goes into the summary in clear",
        ),
        Example(
            """
ext.secret("api_token", "The token")


@chat.function("f", "Connects")
async def f(ctx, params):
    token = await ctx.secrets.get("api_token")
    return ActionResult.success({"ok": True, "token": token}, "Connected")
""",
            holds="the secret 'api_token' goes into the data of a result in clear",
        ),
        Example(
            """
import logging

log = logging.getLogger("notes")


async def headers(ctx):
    return f"Bearer {await ctx.secrets.get('api_key')}"


@chat.function("f", "Connects")
async def f(ctx, params):
    auth = await headers(ctx)
    log.info("calling with %s", auth)
    return ActionResult.success({}, "Connected")
""",
            holds="goes into the log",
        ),
        Example(
            """
@chat.function("f", "Connects")
async def f(ctx, params):
    password = await ctx.secrets.get("password")
    if len(password) < 8:
        raise ValueError(f"too short: {password}")
    return ActionResult.success({}, "Connected")
""",
            holds="goes into the text of an exception",
        ),
        Example(
            """
@chat.function("f", "Connects")
async def f(ctx, params):
    key = await ctx.secrets.get("api_key")
    return ActionResult.error("refused: " + key)
""",
            holds="goes into the error of a result",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    await ctx.notify(f"We use {await ctx.secrets.get('third')}")
""",
            severity="warning",
            holds="goes into a message to the user",
        ),
    ),
    good=(
        Example(
            """
@chat.function("connect", "Keeps the key", action_type="write")
async def connect(ctx, params: Count):
    key = params.key
    await ctx.secrets.set("api_key", key)
    return ActionResult.success({"kept": True}, f"Key of {len(key)} letters kept for {params.user}")
"""
        ),
        Example("""
import hashlib
import logging

log = logging.getLogger("notes")


def masked(token):
    return "…" + token[-4:]


@chat.function("f", "Connects")
async def f(ctx, params):
    token = await ctx.secrets.get("api_token")
    url = await ctx.secrets.get("service_url")
    found = await ctx.http.get(url, headers={"Authorization": f"Bearer {token}"})
    log.info("called with a token of %d signs, %s", len(token), masked(token))
    digest = hashlib.sha256(token.encode()).hexdigest()[:8]
    if not token:
        raise ValueError("no token")
    return ActionResult.success(
        {"connected": bool(token), "url": url, "digest": digest, "status": found.status_code},
        f"Connected with {masked(token)}",
    )
"""),
    ),
)
