"""FED405: credentials and personal data written into results."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.values import Alternative, Const, Display
from ..queries.payloads import result_calls
from ..queries.payment_numbers import payment_number_in
from ..queries.sensitive import credential_in, is_secret_entry, personal_data_in
from ..rule import Example, Hit, Rule
from ..view import FileView

_DEEPEST = 8
_LONG = 10**12
"""Numbers above it may be those of a card."""
_SECRETS = "4.2.2"
"""Release that brought ``ext.secret``."""


def _check(view: FileView) -> Iterator[Hit]:
    for call in result_calls(view):
        for argument in (call.data, call.summary):
            if argument is not None:
                yield from _hits(view, argument)


def _hits(view: FileView, argument: ast.expr) -> Iterator[Hit]:
    for key, text, likely in _texts(view, view.values(argument), "", 0):
        credential = credential_in(text)
        if credential or is_secret_entry(key, text):
            yield Hit(
                node=argument,
                message=f"{_at(key)}{credential or 'a secret'} is written into this result: it "
                "goes into the fact ledger, the prompts of every later turn and the audit log, "
                f"and cannot be taken back. {_advice(view)}",
                severity=None if credential and not likely else "warning",
            )
            continue
        personal = personal_data_in(text) or payment_number_in(key, text)
        if personal:
            yield Hit(
                node=argument,
                message=f"{_at(key)}{personal} is written into this result as a "
                "literal: every user's fact ledger and prompts then hold it. Take it from the "
                "user's own data, or leave it out.",
                severity="warning",
            )


def _advice(view: FileView) -> str:
    """Return what to write instead."""
    if view.surface.at_least(_SECRETS):
        return "Declare it with ext.secret, and return only whether it is set."
    return f"Require imperal-sdk>={_SECRETS} and declare it with ext.secret, or leave it out."


def _at(key: str) -> str:
    return f"{key!r}: " if key else ""


def _texts(
    view: FileView, found: tuple[Alternative, ...], key: str, depth: int
) -> Iterator[tuple[str, str, bool]]:
    """Yield (key, text, whether other values are possible) of the literals inside a value."""
    for item in found:
        if isinstance(item.value, Const):
            value = item.value.value
            if isinstance(value, str) or (type(value) is int and value > _LONG):
                yield key, str(value), len(found) > 1
        elif isinstance(item.value, Display) and depth < _DEEPEST:
            for name, node in _inside(item.value.node, key):
                inner = view.evaluator.values(item.value.module, node, item.frame)
                yield from _texts(view, inner, name, depth + 1)


def _inside(node: ast.expr, key: str) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.Dict):
        for name, value in zip(node.keys, node.values, strict=True):
            yield (str(name.value) if isinstance(name, ast.Constant) else key), value
    elif isinstance(node, ast.List | ast.Tuple | ast.JoinedStr):
        parts = node.values if isinstance(node, ast.JoinedStr) else node.elts
        yield from (
            (key, part) for part in parts if not isinstance(part, ast.Starred | ast.FormattedValue)
        )


RULE = Rule(
    code="FED405",
    name="sensitive-literal",
    summary="Credentials or personal data stand as literals in a result.",
    severity="error",
    invariant="I-CROSS-TURN-FACT-LEDGER-DEEP-SERIALIZED",
    triggers=("ActionResult", "success"),
    check=_check,
    what="""
Looks through the literals in data and summary of `ActionResult.success`. Texts in the known form
of a credential (keys of AWS, GitHub, Slack and others, signed tokens, private keys, passwords in
URLs) are errors; a literal beside a key such as `password`, an e-mail address of a person and a
phone number are warnings. Addresses of roles (`support@…`), `example.com` and placeholders are not
reported.

The number of a payment card is a warning if its length, its first digits and its check digit are
right, and if it is written in groups (`4539 5787 …`), under a key such as `card_number` or behind
a word such as `Visa`; one of a bank account (IBAN) if country, length and check digits are right.
What stands under a key or behind a word for something else (`order_id`, `phone`, `timestamp`), is
said to be a test or an example, is published for tests, or looks made up (`0000`, `12345`), is not
reported.
""",
    why="""
What an ActionResult holds goes into the fact ledger and from there into the prompts of later
turns, the audit log and whatever the user exports. A credential in source is lost anyway: replace
it.
""",
    example='return ActionResult.success({"api_key": "sk-live0123456789abcdefghij"}, "Connected")',
    instead='return ActionResult.success({"connected": True}, "Connected")',
    references=("Fact-ledger: What it stores", "EXT-SECRETS-V1"),
    bad=(
        Example(
            '\n@chat.function("f", "Tells")\nasync def f(ctx, p):\n'
            '    return ActionResult.success({"a": "4539 5787 6362 1486"}, "x")\n',
            severity="warning",
            holds="a payment card",
        ),
        Example(
            '\n@chat.function("f", "Tells")\nasync def f(ctx, p):\n'
            '    return ActionResult.success({"card_number": 4539578763621486}, "x")\n',
            severity="warning",
            holds="a payment card",
        ),
        Example(
            '\n@chat.function("f", "Tells")\nasync def f(ctx, p):\n'
            '    return ActionResult.success({}, "Paid with Amex 379354508162306")\n',
            severity="warning",
            holds="a payment card",
        ),
        Example(
            '\n@chat.function("f", "Tells")\nasync def f(ctx, p):\n'
            '    return ActionResult.success({"to": ["DE44 5001 0517 5407 3249 31"]}, "x")\n',
            severity="warning",
            holds="a bank account",
        ),
        Example(
            '\nKEY = "-----BEGIN PRIVATE " + "KEY-----\\n" + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC"\n'
            '\n\n@chat.function("f", "Tells")\nasync def f(ctx, p):\n'
            '    return ActionResult.success({"key": KEY}, "x")\n',
            holds="a private key",
        ),
        Example(
            '\nKEY = "AKIA" + "QWERTYUIOPASDFGH"\n\n\n@chat.function("f", "Tells")\n'
            "async def f(ctx, p):\n"
            '    return ActionResult.success({"a": [{"id": KEY}]}, "x")\n',
            holds="AWS",
        ),
        Example(
            '\n@chat.function("f", "Tells")\nasync def f(ctx, p):\n'
            '    return ActionResult.success({"password": "hunter2hunter2"}, "x")\n',
            severity="warning",
            sdk="4.2.1",
            holds="Require imperal-sdk>=4.2.2",
        ),
        Example(
            '\n@chat.function("f", "Tells")\nasync def f(ctx, p):\n'
            '    return ActionResult.success({"password": "hunter2hunter2"}, "x")\n',
            severity="warning",
            sdk="4.2.2",
            holds="back. Declare it with ext.secret",
        ),
        Example(
            '\n@chat.function("f", "Tells")\nasync def f(ctx, p):\n'
            '    return ActionResult.success({"password": "hunter2hunter2"}, "x")\n',
            severity="warning",
        ),
        Example(
            '\n@chat.function("f", "Tells")\nasync def f(ctx, p):\n'
            '    return ActionResult.success({"a": 1}, f"Ask ada.lovelace@analytical.engine '
            'now, {p}")\n',
            severity="warning",
            holds="e-mail",
        ),
    ),
    good=(
        Example(
            """
@chat.function("f", "Tells")
async def f(ctx, p):
    return ActionResult.success({
        "order_id": "4539578763621486", "at": 1732300000000, "count": 4539578763621486,
        "phone": "4539 5787 6362 1486", "card": "4242 4242 4242 4242", "cc": "4539578763621487",
        "iban": "DE89 3704 0044 0532 0130 00", "account": "DE45 5001 0517 5407 3249 31",
        "note": "Order 4539-5787-6362-1486, test card 4539 5787 6362 1486"}, "4539578763621486")
"""
        ),
        Example(
            """
@chat.function("f", "Tells")
async def f(ctx, p):
    return ActionResult.success({"password": "required", "token": "not_configured"}, "x")
"""
        ),
        Example(
            '\n@chat.function("f", "Tells")\nasync def f(ctx, p):\n'
            '    return ActionResult.success({"help": "Paste it from -----BEGIN PRIVATE KEY----- '
            'to the end", "form": "postgres://username:secret@db.internal:5432/app"}, "x")\n'
        ),
        Example(
            '\n@chat.function("f", "Tells")\nasync def f(ctx, p):\n'
            '    token = await ctx.secrets.get("token")\n'
            '    return ActionResult.success({"token": "not set", "password": "***", "to": '
            '"support@acme.io", '
            '"from": "ada@example.com", "api_key": bool(token), "id": '
            '"sk-example-0123456789abcdef"}, "x")\n'
        ),
        Example('\nlog = "ada.lovelace@analytical.engine"\n'),
    ),
)
