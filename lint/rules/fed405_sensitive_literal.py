"""FED405: credentials and personal data written into results."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.written import Written
from ..queries.payload_literals import literals
from ..queries.payload_places import given_at
from ..queries.payloads import result_calls
from ..queries.payment_numbers import payment_number_in
from ..queries.result_changes import left
from ..queries.sensitive import credential_in, is_secret_entry, personal_data_in
from ..rule import Example, Hit, Rule
from ..view import FileView

_SECRETS = "4.2.2"
"""Release that brought ``ext.secret``."""


def _check(view: FileView) -> Iterator[Hit]:
    for call in result_calls(view):
        if call.data is not None:
            hits = list(_hits(view, call.data, call.data))
            rest = left(view, call) if hits else None
            if rest is call.data:
                yield from hits
            elif rest is not None:
                kept = {hit.message for hit in _hits(view, call.data, rest)}
                yield from (hit for hit in hits if hit.message in kept)
        if call.summary is not None:
            yield from _hits(view, call.summary, call.summary)


def _hits(view: FileView, argument: ast.expr, value: ast.expr) -> Iterator[Hit]:
    for literal in literals(view.evaluator, Written(view.module, value)):
        key, text = literal.key, literal.text
        credential = credential_in(text)
        if credential or is_secret_entry(key, text):
            yield Hit(
                node=argument,
                message=f"{_at(key)}{credential or 'a secret'} is written into this result: it "
                "goes into the fact ledger, the prompts of every later turn and the audit log, "
                f"and cannot be taken back. {_advice(view)}",
                severity=None if credential and literal.certain else "warning",
                chain=given_at(view, argument, literal.at, "gives the text"),
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
                chain=given_at(view, argument, literal.at, "gives the text"),
            )


def _advice(view: FileView) -> str:
    """Return what to write instead."""
    if view.surface.at_least(_SECRETS):
        return "Declare it with ext.secret, and return only whether it is set."
    return f"Require imperal-sdk>={_SECRETS} and declare it with ext.secret, or leave it out."


def _at(key: str) -> str:
    return f"{key!r}: " if key else ""


RULE = Rule(
    code="FED405",
    name="sensitive-literal",
    summary="Credentials or personal data stand as literals in a result.",
    severity="error",
    invariant="I-CROSS-TURN-FACT-LEDGER-DEEP-SERIALIZED",
    triggers=("ActionResult", "success"),
    check=_check,
    what="""
Looks through the literals in data and summary of `ActionResult.success`, also those that a list
gets by a comprehension or `append` and those that the fields of a pydantic model are given. Texts
in the known form of a credential (keys of AWS, GitHub, GitLab, Google, Slack, Stripe, Telegram and
others, signed tokens, private keys, passwords in URLs) are errors; a literal beside a key such as
`password`, an e-mail address of a person and a phone number are warnings. Addresses of roles
(`support@…`), `example.com`, logins such as `user:pass@` and those of `localhost`, keys for tests
(`sk_test_…`) or for everybody (`pk_live_…`), masked values and placeholders are not reported.

The number of a payment card is a warning if its length, its first digits and its check digit are
right, and if it is written in groups (`4539 5787 …`), under a key such as `card_number` or behind
a word such as `Visa`; one of a bank account (IBAN) if country, length and check digits are right.
What stands under a key or behind a word for something else (`order_id`, `phone`, `timestamp`), is
said to be a test or an example, or looks made up (`0000`, `12345`), is not reported; nor is what
providers publish for tests (`4242 4242 4242 4242`), which is nobody's.
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
            """
class Account(BaseModel):
    id: int
    api_key: str


@chat.function("f", "Tells")
async def f(ctx, p):
    return ActionResult.success(Account(id=1, api_key="sk-live0123456789abcdefghij"), "x")
""",
            holds="'api_key': an API key",
        ),
        Example(
            """
@chat.function("f", "Tells")
async def f(ctx, p):
    rows = []
    rows.append({"api_key": "sk-live0123456789abcdefghij"})
    return ActionResult.success({"rows": rows}, "x")
""",
            holds="'api_key': an API key",
        ),
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
from pydantic import Field, SecretStr


class Account(BaseModel):
    id: int
    api_key: str = Field(exclude=True)
    token: SecretStr


@chat.function("f", "Tells")
async def f(ctx, p):
    key = "sk-live0123456789abcdefghij"
    account = Account(id=1, api_key=key, token=key, other=key)
    data = {"account": account.model_dump(mode="json"), "api_key": key}
    data["api_key"] = "***"
    return ActionResult.success(data, "x")
"""
        ),
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
