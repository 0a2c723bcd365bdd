"""As whom a handler acts, and what the SDK asks of chat functions and webhooks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fedcheck.lint.engine.engine import Target, check
from fedcheck.lint.rule import PREAMBLE
from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

PANEL = '\n\n@ext.panel("p")\nasync def p(ctx):\n    return await ctx.store.query("notes")\n\n\n'
DAILY = '@ext.schedule("daily", cron="0 9 * * *")\nasync def daily(ctx):\n'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('    return await ctx.store.query("notes")\n', 1),
        ('    rows = ctx.store\n    return await rows.count("notes")\n', 1),
        ('    name = "no" + "tes"\n    return await ctx.store.query(name)\n', 1),
        ('    return await ctx.store.query("ticks")\n', 0),
        ('    me = ctx.as_user("u")\n    return await me.store.query("notes")\n', 0),
        ('    store = ctx.as_user("u").store\n    return await store.query("notes")\n', 0),
        ('    return await ctx.store.for_user("u").query("notes")\n', 0),
        ('    return await ctx.store.query_all("notes")\n', 0),
        ('    return {"notes": 1}.get("notes")\n', 0),
    ],
)
def test_a_schedule_needs_a_user(lint: Lint, body: str, expected: int) -> None:
    """Only rows that users keep too count, and only where nobody changed to a user."""
    assert expected == len(lint("FED516", PANEL + DAILY + body))


def test_a_schedule_is_told_once(lint: Lint) -> None:
    """The handler is marked, with all collections and the way to the first use."""
    store = (
        'NOTES = "notes"\n\n\nasync def rows(ctx):\n    return await ctx.store.query(NOTES)\n\n\n'
        "async def load(ctx):\n    return await rows(ctx)\n\n\n"
        'async def drop(ctx):\n    await ctx.store.create("marks", {})\n'
    )
    text = (
        "from imperal_sdk import Extension\nfrom storage import drop, load\n\n"
        "ext = Extension('n')\n\n\n"
        '@ext.panel("p")\nasync def p(ctx):\n    await ctx.store.create("marks", {})\n'
        f"    return await load(ctx)\n\n\n{DAILY}    await load(ctx)\n"
        "    await drop(ctx)\n"
    )
    (found,) = lint("FED516", text, storage__py=store)
    assert 'schedule("daily"' in text.splitlines()[found.span.line - 1]
    assert {"'notes'", "'marks'"} == {
        name for name in ("'notes'", "'marks'") if name in found.message
    }
    assert ["main.py", "main.py", "storage.py", "storage.py"] == sorted(
        Path(step.path).name for step in found.chain
    )


def test_a_row_that_is_named_by_its_id_is_nobodys_in_particular(lint: Lint) -> None:
    """The store is asked for it without a user, in every release."""
    panel = '\n\n@ext.panel("p")\nasync def p(ctx):\n    await ctx.store.create("marks", {})\n'
    text = f"{panel}\n\n{DAILY}"
    for use in ("get('marks', '1')", "update('marks', '1', {})", "delete('marks', '1')"):
        assert () == lint("FED516", f"{text}    await ctx.store.{use}\n")
    assert 1 == len(lint("FED516", f"{text}    await ctx.store.count('marks')\n"))


def test_a_user_of_as_user_stays_one(lint: Lint) -> None:
    """A context from as_user is not the system, however far it goes."""
    text = (
        f"{PANEL}async def rows(ctx):\n    return await ctx.store.query('notes')\n\n\n"
        f"async def each(ctx):\n    return await rows(ctx)\n\n\n{DAILY}"
        "    async for uid in ctx.store.list_users('notes'):\n"
        "        await each(ctx.as_user(uid))\n"
    )
    assert () == lint("FED516 FED517", text)
    assert 1 == len(lint("FED516", text.replace("each(ctx.as_user(uid))", "each(ctx)")))


@pytest.mark.parametrize(
    ("decorator", "severities"),
    [
        ('@ext.webhook("w")', ["error"]),
        ('@ext.panel("w")', ["warning"]),
        ('@ext.tool("skeleton_refresh_w")', ["warning"]),
        ('@ext.schedule("w", "* * * * *")', []),
        ('@ext.signal("w")', []),
        ('@ext.on_event("mail.received")', []),
        ("@ext.on_install", []),
    ],
)
def test_who_may_change_to_a_user(lint: Lint, decorator: str, severities: list[str]) -> None:
    """A webhook is proved to be nobody; a handler of users is likely not the system."""
    text = f"\n{decorator}\nasync def w(ctx, *rest):\n    return ctx.as_user('imp_u_1')\n"
    assert severities == [item.severity for item in lint("FED517", text)]


def test_the_event_is_suggested_as_the_validator_does(lint: Lint) -> None:
    """The id of the extension, a dot, the name without fn_."""
    text = '\n@chat.function("fn_a", "Adds", action_type="write")\nasync def fn_a(ctx, p): ...\n'
    (found,) = lint("FED518", text)
    assert 'Write event="notes.a".' in found.message
    assert "info" == found.severity


@pytest.mark.parametrize(
    ("sdk", "expected"),
    [("5.0.0", []), ("5.0.1", ["warning"]), ("5.4.2", ["warning"]), ("5.4.3", ["error"])],
)
def test_a_read_function_is_refused_since(tmp_path: Path, sdk: str, expected: list[str]) -> None:
    """V23 came as a warning and became an error with 5.4.3."""
    code = '@chat.function("f", "Lists the notes of a folder")\nasync def f(ctx, p):\n    ...\n'
    (tmp_path / "main.py").write_text(PREAMBLE + code, encoding="utf-8")
    result = check([tmp_path], Target(sdk=sdk), codes=frozenset({"FED502"}))
    assert expected == [item.severity for item in result.findings]


def test_a_chat_of_unknown_make_is_not_certain(tmp_path: Path) -> None:
    """What only its name calls a chat is refused with a warning."""
    code = (
        "from imperal_sdk import ActionResult\n\n\ndef register(chat):\n"
        '    @chat.function("f", "Lists")\n    async def f(ctx, p) -> ActionResult: ...\n'
    )
    (tmp_path / "main.py").write_text(code, encoding="utf-8")
    result = check([tmp_path], Target(sdk="6.3.7"), codes=frozenset({"FED519"}))
    assert ["warning"] == [item.severity for item in result.findings]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("row['a'] = 1", 1),
        ("row['a'] += 1", 1),
        ("del row['a']", 1),
        ("row['a']", 0),
        ("row.data['a'] = 1", 0),
        ("dict(row.data)['a'] = 1", 0),
        ("row, box = {}, row; row['a'] = box", 0),
        ("row = row or {}; row['a'] = 1", 1),
        ("if not isinstance(row, dict):\n        row = row.data\n    row['a'] = 1", 0),
        ("rows = getattr(row, 'data', row); rows['a'] = 1", 0),
    ],
)
def test_a_document_is_changed_by_its_data(lint: Lint, statement: str, expected: int) -> None:
    """A document of the store takes no assignment to an item."""
    text = (
        '\n@ext.tool("t")\nasync def t(ctx):\n    row = await ctx.store.get("notes", "1")\n'
        f"    {statement}\n"
    )
    assert expected == len(lint("FED111", text))


@pytest.mark.parametrize(
    ("kind", "sets", "expected"),
    [
        ('panel("q")', 'ctx.secrets.set("key", "k")', 1),
        ('schedule("q", cron="0 9 * * *")', 'ctx.secrets.set("key", "k")', 1),
        ('webhook("/q")', 'ctx.secrets.set("key", "k")', 0),
        ('webhook("/q")', 'ctx.secrets.set("other", "k")', 1),
        ('webhook("/q")', "ctx.secrets.set(str(ctx.config), 'k')", 0),
        ('webhook("/q")', 'ctx.secrets.for_user("u").set("key", "k")', 1),
        ('panel("q")', 'ctx.secrets.for_user("__webhook__").set("key", "k")', 0),
        ("on_install", 'ctx.secrets.set("key", "k")', 0),
        ('webhook("/q")', 'getattr(ctx.secrets, "set")("key", "k")', 0),
        ('webhook("/q")', '(lambda put: put("key", "k"))(ctx.secrets.set)', 0),
        ('panel("q")', '(lambda take: take("key"))(ctx.secrets.get)', 1),
    ],
)
def test_secrets_that_the_extension_sets(lint: Lint, kind: str, sets: str, expected: int) -> None:
    """A webhook finds only what may have been set for its pseudo-user."""
    text = (
        '\next.secret("key", "K", write_mode="both")\n\n\n'
        f"@ext.{kind}\nasync def q(ctx, *given):\n    await {sets}\n\n\n"
        '@ext.webhook("/in")\nasync def inbound(ctx, headers, body, query_params):\n'
        '    return await ctx.secrets.get("key")\n'
    )
    assert expected == len(lint("FED528", text))


LEFT = (
    '\n\n@ext.webhook("/in")\nasync def inbound(ctx, headers, body, query_params):\n'
    '    await ctx.store.create("pending", {{}})\n'
    f"{{}}\n\n{DAILY}    {{}}\n    return await ctx.store.query('pending')\n"
)
INSTALL = "\n\n@ext.on_install\nasync def install(ctx):\n    await ctx.store.{}\n"


@pytest.mark.parametrize(
    ("more", "first", "expected"),
    [
        ("", "pass", 1),
        ("", 'await ctx.store.create("ticks", {})', 1),
        ("", 'await ctx.store.create("pending", {})', 0),
        ("", "await ctx.store.create(str(ctx.config), {})", 0),
        ("", "make = ctx.store.create; await make('pending', {})", 0),
        ("", 'await ctx.as_user("__webhook__").store.query("pending")', 0),
        ("", "if ctx.user.imperal_id == '__webhook__':\n        return", 0),
        (INSTALL.format('create("pending", {})'), "pass", 0),
        (INSTALL.format('create("marks", {})'), "pass", 1),
        (INSTALL.format('query("pending")'), "pass", 1),
    ],
)
def test_rows_that_a_webhook_leaves(lint: Lint, more: str, first: str, expected: int) -> None:
    """A schedule finds them only as the pseudo-user of webhooks."""
    found = lint("FED516 FED522", LEFT.format(more, first))
    assert ["FED516"] * expected == [item.code for item in found]
    assert all("are created as __webhook__" in item.message for item in found)


def test_a_schedule_that_does_not_read_misses_nothing(lint: Lint) -> None:
    """What it creates beside the webhook's rows is told to nobody else."""
    text = LEFT.format("", "pass").replace("return await ctx.store.query('pending')", "return")
    assert () == lint("FED516", text)


def test_the_first_call_is_the_first_that_runs(lint: Lint) -> None:
    """Helpers stand in any order in their file."""
    store = (
        'async def later(ctx):\n    return await ctx.store.query("later")\n\n\n'
        'async def first(ctx):\n    return await ctx.store.query("first")\n'
    )
    text = (
        "from imperal_sdk import Extension\nfrom rows import first, later\n\n"
        'ext = Extension("n")\n\n\n@ext.panel("p")\nasync def p(ctx):\n'
        f"    return await later(ctx), await first(ctx)\n\n\n{DAILY}"
        "    await first(ctx)\n    await later(ctx)\n"
    )
    (found,) = lint("FED516", text, rows__py=store)
    assert "(in first)" in found.message
    assert "'first', 'later'" in found.message


def test_a_webhook_of_two_paths(lint: Lint) -> None:
    """What it returns is told once, and an empty path is shown as one."""
    hook = "async def hook(ctx, headers, body, query_params):\n    return {'status': 401}\n"
    for path, shown in (('""', '("")'), ("str(ext)", "(…)"), ("''", '("")')):
        (found,) = lint("FED523", f'\n@ext.webhook({path})\n@ext.webhook("/webhook")\n{hook}')
        assert found.message.startswith(f"@ext.webhook{shown} returns")


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ('ctx.user.imperal_id.startswith("__")', 0),
        ('not ctx.user.imperal_id.startswith("imp_u_")', 0),
        ('ctx.user.imperal_id[:2] == "__"', 0),
        ('ctx.user.imperal_id.strip("_") in ("system", "webhook")', 0),
        ('"system" in ctx.user.imperal_id', 0),
        ('re.match("__", ctx.user.imperal_id)', 0),
        ("is_nobody(ctx)", 0),
        ('ctx.user.email.startswith("a")', 1),
        ('ROWS[ctx.user.imperal_id] == "a"', 1),
        ("not ctx.user.imperal_id", 1),
    ],
)
def test_questions_about_the_text_of_an_id(lint: Lint, test: str, expected: int) -> None:
    """The ids of pseudo-users begin as no id of a user does."""
    text = (
        "\nimport re\n\nROWS = {}\next.secret('token', 'T')\n\n\n"
        "def is_nobody(ctx):\n    uid = ctx.user.imperal_id\n    return uid.startswith('__')\n\n\n"
        f"async def token_of(ctx):\n    if {test}:\n        return ''\n"
        f"    return await ctx.secrets.get('token')\n\n\n{DAILY}    return await token_of(ctx)\n"
    )
    assert expected == len(lint("FED528", text))


ROWS_OF = (
    "\n\nasync def made_of(ctx, kind):\n    return await ctx.store.query(f'{{kind}}_rows')\n"
    "\n\nasync def rows_of(ctx, name='notes'):\n    return await ctx.store.query(name)\n\n\n"
    "class Rows:\n    def __init__(self, ctx, name):\n"
    "        self.store, self.name = ctx.store, name\n\n"
    "    async def all(self):\n        return await self.store.query(self.name)\n\n\n"
    '@ext.panel("p")\nasync def p(ctx):\n    return {}\n\n\n' + DAILY + "    return {}\n"
)


@pytest.mark.parametrize(
    ("users", "system", "expected"),
    [
        ("await rows_of(ctx)", "await rows_of(ctx, 'ticks')", 0),
        ("await rows_of(ctx)", "await rows_of(ctx, name='notes')", 1),
        ("await rows_of(ctx, 'marks')", "await rows_of(ctx)", 0),
        ("await rows_of(ctx), await ctx.store.count('ticks')", "await rows_of(ctx, 'ticks')", 1),
        ("await rows_of(ctx)", "await ctx.store.count('notes' if ctx.time else 'marks')", 0),
        ("await Rows(ctx, 'notes').all()", "await Rows(ctx, 'ticks').all()", 0),
        ("await made_of(ctx, 'note')", "await made_of(ctx, 'tick')", 0),
        ("await made_of(ctx, 'note')", "await made_of(ctx, 'note')", 1),
        ("await Rows(ctx, 'notes').all()", "await Rows(ctx, 'notes').all()", 1),
    ],
)
def test_collections_that_callers_name(lint: Lint, users: str, system: str, expected: int) -> None:
    """A helper asks for the rows of users only for those callers that name their collection."""
    assert expected == len(lint("FED516", ROWS_OF.format(users, system)))


@pytest.mark.parametrize(
    ("walked", "expected"), [("'queue'", 0), ("str(ctx.config)", 0), ("'others'", 1)]
)
def test_rows_whose_users_are_asked_for(lint: Lint, walked: str, expected: int) -> None:
    """``list_users`` names a pseudo-user too that has rows."""
    text = (
        '\n\n@ext.webhook("/in")\nasync def inbound(ctx, headers, body, query_params):\n'
        f'    await ctx.store.create("queue", {{}})\n\n\n{DAILY}'
        f"    async for uid in ctx.store.list_users({walked}):\n"
        '        await ctx.as_user(uid).store.query("queue")\n'
    )
    assert expected == len(lint("FED522", text))
