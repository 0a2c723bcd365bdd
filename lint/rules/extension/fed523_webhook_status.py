"""FED523: a webhook returns a status that never reaches the caller."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....reports.lint.findings import Edit, Fix
from ...inference.calls.roles import Role
from ...inference.containers.dicts import Fields, fields_of
from ...inference.flow.branches import live_returns
from ...inference.syntax.arguments import argument_at
from ...inference.syntax.module import FunctionNode
from ...inference.values.origins import Written, constants, is_changed, written
from ...inference.values.values import SdkClass, SdkMethod
from ...rule import Example, Hit, Rule
from ...sdk_use.reach import WEBHOOK
from ...view import FileView, span_of

_KEY = "status_code"
_LOOKALIKES = ("status", "statusCode", "http_status", "code")
_REFUSALS = range(300, 600)
"""Statuses that callers act on; a 201 or 204 sent as 200 does no harm."""
_RESPONSE = "WebhookResponse"
_FLATTENED = "5.9.20"
"""Release from which ``WebhookResponse.to_dict`` puts the reserved keys at the top level."""


def _check(view: FileView) -> Iterator[Hit]:
    hooks: dict[FunctionNode, Role] = {}
    for function, role in view.handlers():
        if role.kind == WEBHOOK:
            hooks.setdefault(function, role)  # of several paths one is enough
    for function, role in hooks.items():
        if not is_changed(view.evaluator, view.module, function):
            for returned in live_returns(view.evaluator, view.module, function):
                for at in written(view.evaluator, view.module, returned):
                    hit = _plain(view, role, returned, at) or _object(view, role, returned, at)
                    if hit is not None:
                        yield hit
                        break


def _plain(view: FileView, role: Role, returned: ast.expr, at: Written) -> Hit | None:
    """Report a dict whose status stands under a key that the platform does not read."""
    fields = fields_of(view.evaluator, at)
    if fields is None or fields.dynamic or _KEY in fields.values:
        return None
    for key in _LOOKALIKES:
        status = _status(view, fields, key)
        if status is not None:
            return Hit(
                node=returned,
                message=f'{role.label} returns "{key}": {status}: the caller gets 200 OK\n'
                "Only status_code, headers and body shape the answer, so a provider "
                "takes the event for delivered and does not send it again. "
                f'Return {{"{_KEY}": {status}, …}}.',
                fix=_fix(view, returned, key),
            )
    return None


def _status(view: FileView, fields: Fields, key: str) -> int | None:
    """Return the status under a key, if every possible value is one that callers act on."""
    found = [
        value
        for place in fields.values.get(key, [])
        for value in constants(view.evaluator, place, place.node) or [None]
    ]
    matter = [value for value in found if type(value) is int and value in _REFUSALS]
    return matter[0] if matter and len(matter) == len(found) else None


def _object(view: FileView, role: Role, returned: ast.expr, at: Written) -> Hit | None:
    """Report a response object in a release that does not flatten it."""
    member = view.surface.member(_RESPONSE, "to_dict")
    if member is not None or not isinstance(at.node, ast.Call):
        return None
    made = _made(view, at, at.node)
    if not made:
        return None
    return Hit(
        node=returned,
        message=f"{role.label} returns {made}: the caller gets 200 OK\n{view.sdk} wraps it as a "
        "result, with the status and the headers buried in the body (mended in imperal-sdk "
        f'{_FLATTENED}). Return the dict itself: {{"{_KEY}": …, "body": …}}.',
    )


def _made(view: FileView, at: Written, call: ast.Call) -> str:
    """Return the call in words, if it sets headers or a status that callers act on."""
    for item in view.evaluator.values(at.module, call.func, at.frame):
        value = item.value
        if isinstance(value, SdkMethod) and value.owner == SdkClass(_RESPONSE):
            return f"{_RESPONSE}.error(…)" if value.name == "error" else ""
        if value == SdkClass(_RESPONSE):
            named = {each.arg: each.value for each in call.keywords}
            status = argument_at(call, _KEY, 0)
            known = constants(view.evaluator, at, status) if status is not None else []
            if "headers" in named or any(value in _REFUSALS for value in known):
                return f"{_RESPONSE}(…)"
    return ""


def _fix(view: FileView, returned: ast.expr, key: str) -> Fix | None:
    """Rename the key if the dict is written in the ``return``."""
    for node in returned.keys if isinstance(returned, ast.Dict) else ():
        if isinstance(node, ast.Constant) and node.value == key:
            edit = Edit(span=span_of(view.module, node), replacement=f'"{_KEY}"')
            return Fix(title=f'Write "{_KEY}"', safety="unsafe", edits=(edit,))
    return None


RULE = Rule(
    code="FED523",
    name="webhook-status-ignored",
    summary="A webhook answers with a status that never reaches the caller.",
    severity="warning",
    triggers=(WEBHOOK,),
    named_here=True,
    check=_check,
    what="""
Finds `@ext.webhook` handlers that return a dict with an HTTP status of 300 or more under `status`,
`statusCode`, `http_status` or `code` and without `status_code`, through helpers too; for releases
before 5.9.20 those that return a `WebhookResponse` with such a status or with headers. Left alone:
texts such as `{"status": "ok"}`, and statuses below 300, which the caller takes like 200.
""",
    why="""
What a webhook returns is sent as JSON with status 200. Three keys at the top level shape the real
answer: `status_code`, `headers` and `body`. Any other key is only a part of the JSON, so a refused
signature or a failed write is answered with 200: the provider takes the event for delivered, does
not send it again, and its page shows no error. Before 5.9.20 `WebhookResponse` was wrapped as a
result, which hid the three keys.
""",
    example='@ext.webhook("/in")\nasync def inbound(ctx, headers, body, query_params):\n'
    '    return {"status": 401, "body": "Wrong signature"}',
    instead='@ext.webhook("/in")\nasync def inbound(ctx, headers, body, query_params):\n'
    '    return {"status_code": 401, "body": "Wrong signature"}',
    safety="The fix renames the key. It is unsafe, because tests or helpers may read the old one.",
    references=("imperal_sdk.Extension.webhook: reserved keys", "imperal_sdk.WebhookResponse"),
    bad=(
        Example(
            """
@ext.webhook("/in")
async def inbound(ctx, headers, body, query_params):
    if not headers.get("x-signature"):
        return {"status": 401, "body": "Wrong signature"}
    return {"status": 200, "body": "ok"}
""",
            holds='"status": 401',
        ),
        Example(
            """
def refused(reason, status=400):
    return {"statusCode": status, "error": reason}


@ext.webhook("/in")
async def inbound(ctx, headers, body, query_params):
    if not body:
        return refused("no body")
    answer = {"error": "not implemented"}
    answer["status"] = 501
    if body == "{}":
        return {"status": "error", "code": 401}
    return answer
""",
            holds='"statusCode": 400',
        ),
        Example(
            """
from imperal_sdk import Extension, WebhookResponse

ext = Extension("notes")


@ext.webhook("/in")
async def inbound(ctx, headers, body, query_params):
    if not body:
        return WebhookResponse.error("no body")
    return WebhookResponse(status_code=200, headers={"X-Hook-Secret": headers["x-hook-secret"]})
""",
            holds="WebhookResponse.error(…)",
            sdk="5.9.19",
        ),
    ),
    good=(
        Example(
            """
from imperal_sdk import Extension, WebhookResponse

ext = Extension("notes")


@ext.webhook("/in")
async def inbound(ctx, headers, body, query_params):
    if not headers.get("x-signature"):
        return {"status_code": 401, "status": 401, "body": "Wrong signature"}
    if not body:
        return WebhookResponse.error("no body")
    found = await ctx.http.get("https://example.com/orders")
    if found.status_code >= 500:
        return {"status": found.status_code}
    return {"status": "ok"}


@ext.panel("p")
async def p(ctx):
    return {"status": 404}
"""
        ),
        Example(
            """
from imperal_sdk import Extension, WebhookResponse

ext = Extension("notes")


@ext.webhook("/in")
async def inbound(ctx, headers, body, query_params):
    if not body:
        return {"status": 201, "body": "taken"}
    return WebhookResponse.ok("done")
""",
            sdk="5.9.19",
        ),
    ),
)
