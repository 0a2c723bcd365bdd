"""As whom a handler comes to a call: flags and questions on the way choose the branch."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

ROWS = "FED516 FED517"
PANEL = '\n\n@ext.panel("p")\nasync def p(ctx):\n    {}\n'
DAILY = '\n\n@ext.schedule("daily", cron="0 9 * * *")\nasync def daily(ctx):\n    {}\n'
HOOK = '\n\n@ext.webhook("in")\nasync def inbound(ctx, headers, body, query_params):\n    {}\n'
ALL = '[ctx.as_user(u) async for u in ctx.store.list_users("x")]'
IS_SYSTEM = 'def is_system(ctx):\n    return ctx.user.imperal_id == "__system__"\n\n\n'
WORK = (
    '\n\nasync def work(ctx):\n    for c in await targets(ctx):\n        await c.store.query("x")\n'
)
BOTH = WORK + DAILY.format("await work(ctx)") + PANEL.format("await work(ctx)")


def told(lint: Lint, codes: str, text: str) -> list[tuple[str, str]]:
    """Return the code and severity of each finding."""
    return sorted((item.code, item.severity) for item in lint(codes, text))


@pytest.mark.parametrize(
    ("before", "question"),
    [
        ("", 'ctx.user.imperal_id == "__system__"'),
        ("", '"__system__" == str(ctx.user.imperal_id)'),
        ("", 'ctx.user.imperal_id in ("__system__", "__webhook__")'),
        ('SYSTEM = "__system__"\n\n\n', "ctx.user.imperal_id == SYSTEM"),
        (
            'PSEUDO = frozenset({"__system__"})\n\n\n',
            "ctx.user.imperal_id in PSEUDO",
        ),
        (IS_SYSTEM, "is_system(ctx)"),
        (IS_SYSTEM, "not not is_system(ctx)"),
        (
            (
                'def is_system(ctx):\n    if ctx.user.imperal_id != "__system__":\n'
                "        return False\n    return True\n\n\n"
            ),
            "is_system(ctx)",
        ),
        (
            (
                "async def is_system(ctx):\n    me = ctx.user.imperal_id\n"
                '    return me == "__system__"\n\n\n'
            ),
            "await is_system(ctx)",
        ),
    ],
)
def test_who_runs_is_asked_in_any_spelling(lint: Lint, before: str, question: str) -> None:
    """The system goes through the users, a user takes the own context: both are right."""
    helper = (
        f"{before}async def targets(ctx):\n    if {question}:\n        return {ALL}\n"
        "    return [ctx]\n"
    )
    assert [] == told(lint, ROWS, helper + BOTH)


@pytest.mark.parametrize(
    ("before", "question"),
    [
        ("", "ctx.user.email"),
        ("def is_system(ctx):\n    return ctx.user.email\n\n\n", "is_system(ctx)"),
        (
            (
                'async def load(ctx):\n    if ctx.user.imperal_id == "__system__":\n'
                "        return None\n    return ctx.user.email\n\n\n"
            ),
            "await load(ctx)",
        ),
        ('SYSTEM = "system"\n\n\n', "ctx.user.imperal_id == SYSTEM"),
    ],
)
def test_another_question_excuses_nobody(lint: Lint, before: str, question: str) -> None:
    """A test of something else, or a helper that returns something else, says nothing of users."""
    helper = (
        f"{before}async def targets(ctx):\n    if {question}:\n        return {ALL}\n"
        "    return [ctx]\n"
    )
    found = told(lint, ROWS, helper + BOTH)
    assert ("FED516", "warning") in found
    assert ("FED517", "warning") in found


@pytest.mark.parametrize(
    ("kept", "expected"),
    [
        ('ctx.user.imperal_id == "__system__"', []),
        ("bool(ctx.user.email)", ["FED517", "FED517"]),
    ],
)
def test_an_object_keeps_the_answer(lint: Lint, kept: str, expected: list[str]) -> None:
    """What ``__init__`` asked is known in every method."""
    text = (
        "class Scope:\n    def __init__(self, ctx):\n        self.ctx = ctx\n"
        f"        self.system = {kept}\n\n    async def all(self):\n"
        "        if not self.system:\n            return [self.ctx]\n"
        f"        return {ALL.replace('ctx.', 'self.ctx.')}\n"
    )
    found = lint("FED517", text + PANEL.format("return await Scope(ctx).all()"))
    assert expected == [item.code for item in found]


SCOPED = "def scoped(ctx, uid=None):\n    return {}\n"
EACH = 'async for uid in ctx.store.list_users("x"):\n        await check({})'
CHECK = '\n\nasync def check(ctx):\n    await ctx.store.query("x")\n'


@pytest.mark.parametrize(
    ("choice", "given", "expected"),
    [
        ('ctx.as_user(uid) if ctx.user.imperal_id == "__system__" else ctx', "scoped(ctx, uid)", 0),
        ('ctx if ctx.user.imperal_id != "__system__" else ctx.as_user(uid)', "scoped(ctx, uid)", 0),
        ("ctx.as_user(uid) if uid else ctx", "scoped(ctx, uid)", 0),
        ("ctx if uid is None else ctx.as_user(uid)", "scoped(ctx, uid=uid)", 0),
        ("ctx.as_user(uid) if uid else ctx", "scoped(ctx)", 1),
        ("ctx.as_user(uid) if uid else ctx", "scoped(ctx, None)", 1),
        ("ctx.as_user(uid) if uid else ctx", "scoped(ctx, '')", 1),
        ("ctx.as_user(uid) if ctx.user.email else ctx", "scoped(ctx, uid)", 1),
        ('ctx if ctx.user.imperal_id == "__system__" else ctx.as_user(uid)', "scoped(ctx, uid)", 1),
    ],
)
def test_a_helper_scopes_if_it_is_asked_to(
    lint: Lint, choice: str, given: str, expected: int
) -> None:
    """The context of the schedule comes out of the helper only where a call can get it."""
    text = (
        SCOPED.format(choice)
        + CHECK
        + DAILY.format(EACH.format(given))
        + PANEL.format("await check(ctx)")
    )
    assert expected == len(lint("FED516", text))


SYNC = (
    "async def sync(ctx, everyone=False):\n    if everyone:\n"
    '        async for uid in ctx.store.list_users("x"):\n'
    "            await sync(ctx.as_user(uid))\n"
    '    else:\n        await ctx.store.query("x")\n'
)


@pytest.mark.parametrize(
    ("daily", "panel", "expected"),
    [
        ("sync(ctx, everyone=True)", "sync(ctx)", []),
        ("sync(ctx, True)", "sync(ctx, False)", []),
        ("sync(ctx)", "sync(ctx)", ["FED516"]),
        ("sync(ctx, everyone=bool(ctx.config))", "sync(ctx)", ["FED516"]),
        ("sync(ctx, everyone=True)", "sync(ctx, everyone=True)", ["FED517"] * 2),
        ("sync(ctx, everyone=True)", "sync(ctx, everyone=bool(ctx.config))", ["FED517"] * 2),
        (
            "sync(ctx, everyone=True)\n    await sync(ctx)",
            "sync(ctx)\n    await sync(ctx, True)",
            ["FED516", "FED517", "FED517"],
        ),
    ],
)
def test_a_flag_chooses_the_branch(lint: Lint, daily: str, panel: str, expected: list[str]) -> None:
    """Each caller is judged by what it gives; the default is what it does not give."""
    text = SYNC + DAILY.format(f"await {daily}") + PANEL.format(f"await {panel}")
    assert expected == [code for code, _ in told(lint, ROWS, text)]


def test_the_other_schedule_is_told(lint: Lint) -> None:
    """Where one schedule sets the flag and another does not, the second one is marked."""
    other = DAILY.replace("daily", "hourly").format("await sync(ctx)")
    text = SYNC + DAILY.format("await sync(ctx, everyone=True)") + other
    (found,) = lint("FED516", text + PANEL.format("await sync(ctx)"))
    assert 'schedule("hourly"' in found.message
    assert ["hourly gets the context", "calls sync", "uses the store of __system__"] == [
        step.note.rpartition(") ")[2] for step in found.chain
    ]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("everyone(ctx)", 1),
        ("is_system(ctx) and await everyone(ctx)", 0),
        ("await everyone(ctx) if is_system(ctx) else None", 0),
        ("await everyone(ctx) if not is_system(ctx) else None", 1),
    ],
)
def test_the_caller_asks(lint: Lint, call: str, expected: int) -> None:
    """A question around the call on the way counts like one around the use."""
    helper = f"{IS_SYSTEM}async def everyone(ctx):\n    return {ALL}\n"
    text = helper + PANEL.format(f"return {'await ' if call.startswith('every') else ''}{call}")
    assert expected * 2 == len(lint("FED517", text))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if is_system(ctx):\n        await rows(ctx)", 1),
        ("if not is_system(ctx):\n        await rows(ctx)", 0),
        ("if is_system(ctx):\n        return\n    await rows(ctx)", 0),
    ],
)
def test_a_schedule_is_the_system(lint: Lint, body: str, expected: int) -> None:
    """What stands behind the question is the system's own; what stands beside it is not."""
    rows = 'async def rows(ctx):\n    return await ctx.store.query("x")\n\n\n'
    run = f"async def run(ctx):\n    {body}\n"
    text = IS_SYSTEM + rows + run + DAILY.format("await run(ctx)") + PANEL.format("await rows(ctx)")
    assert expected == len(lint("FED516", text))


SAVES = [
    "store = ctx.store.for_user(user_id) if user_id else ctx.store",
    "store = ctx.store if user_id is None else ctx.store.for_user(user_id)",
    "store = ctx.store\n    if user_id:\n        store = ctx.store.for_user(user_id)",
    (
        "if user_id is not None:\n        store = ctx.store.for_user(user_id)\n"
        "    else:\n        store = ctx.store"
    ),
    (
        "if user_id:\n        return await ctx.store.for_user(user_id).create('x', row)\n"
        "    store = ctx.store"
    ),
]


@pytest.mark.parametrize("choice", SAVES)
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (", user_id=query_params['u']", 0),
        (", query_params['u']", 0),
        ("", 1),
        (", None", 1),
        (", user_id=None", 1),
    ],
)
def test_a_webhook_names_the_user(lint: Lint, choice: str, given: str, expected: int) -> None:
    """The store of nobody is what remains for a call that names none."""
    save = (
        f"async def save(ctx, row, user_id=None):\n    {choice}\n"
        "    return await store.create('x', row)\n"
    )
    hook = HOOK.format(f"await save(ctx, body{given})")
    assert expected == len(lint("FED522", save + hook + PANEL.format("await save(ctx, {})")))


SECRETS = 'ext.secret("app_key", "Ours", scope="app")\next.secret("user_key", "Theirs")\n\n\n'
TOKEN = (
    "async def token(ctx, app=False):\n    if app:\n"
    '        return await ctx.secrets.get("app_key")\n'
    '    return await ctx.secrets.get("user_key")\n'
)
HEALTH = '\n\n@ext.health_check\nasync def health(ctx):\n    return {{"ok": {}}}\n'


@pytest.mark.parametrize(
    ("given", "expected"),
    [(", app=True", 0), (", True", 0), ("", 1), (", app=False", 1), (", app=bool(ctx.config)", 1)],
)
def test_secrets_of_nobody(lint: Lint, given: str, expected: int) -> None:
    """The secret that the call asks for is the one that counts."""
    asked = f"bool(await token(ctx{given}))"
    hook, health = HOOK.format(f"return {asked}"), HEALTH.format(asked)
    assert expected == len(lint("FED528", SECRETS + TOKEN + hook))
    assert expected == len(lint("FED529", SECRETS + TOKEN + health))


IN_OBJECT = (
    "class Sync:\n    def __init__(self, ctx, everyone=False):\n        self.ctx = ctx\n"
    "        self.everyone = everyone\n\n    async def run(self):\n"
    "        if self.everyone:\n"
    '            async for uid in self.ctx.store.list_users("x"):\n'
    "                await Sync(self.ctx.as_user(uid)).run()\n"
    '        else:\n            await self.ctx.store.query("x")\n'
)


@pytest.mark.parametrize(
    ("daily", "panel", "expected"),
    [
        ("await Sync(ctx, everyone=True).run()", "await Sync(ctx).run()", []),
        ("job = Sync(ctx, True)\n    await job.run()", "await Sync(ctx).run()", []),
        ("await Sync(ctx).run()", "await Sync(ctx).run()", ["FED516"]),
        ("await Sync(ctx, True).run()", "await Sync(ctx, True).run()", ["FED517"] * 2),
        (
            "await Sync(ctx, True).run()",
            "job = Sync(ctx)\n    job.everyone = True\n    await job.run()",
            ["FED516", "FED517", "FED517"],
        ),
    ],
)
def test_an_object_keeps_the_flag(lint: Lint, daily: str, panel: str, expected: list[str]) -> None:
    """What made the object decides, unless somebody sets the attribute later."""
    text = IN_OBJECT + DAILY.format(daily) + PANEL.format(panel)
    found = {code for code, _ in told(lint, ROWS, text)}
    assert set(expected) == found


@pytest.mark.parametrize(
    ("guard", "expected"),
    [
        ('if ctx.user.imperal_id != "__system__":\n        raise PermissionError("no")', 0),
        ('assert ctx.user.imperal_id == "__system__"', 0),
        ('if not ctx.user.email:\n        raise PermissionError("no")', 1),
        ('print(ctx.user.imperal_id == "__system__")', 1),
    ],
)
def test_a_guard_that_raises_asks_too(lint: Lint, guard: str, expected: int) -> None:
    """``require_system(ctx)`` lets nobody else pass."""
    text = (
        f"def require_system(ctx):\n    {guard}\n\n\nasync def everyone(ctx):\n"
        '    require_system(ctx)\n    return await ctx.store.query_all("x")\n'
    )
    found = lint("FED517", text + PANEL.format("return await everyone(ctx)"))
    assert expected == len(found)


@pytest.mark.parametrize(
    ("targets", "expected"),
    [
        (
            (
                "if ctx.user.email is None:\n        return None\n"
                "    if uid:\n        return ctx.as_user(uid)\n    return ctx"
            ),
            0,
        ),
        (
            (
                'match ctx.user.imperal_id:\n        case "__system__":\n'
                "            return ctx.as_user(uid)\n        case _:\n            return ctx"
            ),
            0,
        ),
        (
            (
                'match ctx.user.email:\n        case "admin":\n'
                "            return ctx.as_user(uid)\n        case _:\n            return ctx"
            ),
            1,
        ),
        ("if not ctx.user.email:\n        return ctx\n    return ctx.as_user(uid)", 1),
    ],
)
def test_what_a_helper_returns(lint: Lint, targets: str, expected: int) -> None:
    """Only what a call can return counts."""
    text = (
        f"def scoped(ctx, uid):\n    {targets}\n{CHECK}"
        + DAILY.format(EACH.format("scoped(ctx, uid)"))
        + PANEL.format("await check(ctx)")
    )
    assert expected == len(lint("FED516", text))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ('ctx.user.attributes.get("scoped_from") == "__system__"', 0),
        ('ctx.user.imperal_id == "__system__"', 1),
        ("ctx.user.imperal_id in PSEUDO", 1),
        ("ctx.user.imperal_id not in PSEUDO", 0),
        ("ctx.user.email", 1),
    ],
)
def test_a_user_that_was_asked_for_is_not_the_system(
    lint: Lint, question: str, expected: int
) -> None:
    """``scoped_from`` is noted in the contexts of users, so the system's own does not come here."""
    rows = 'async def rows(ctx):\n    return await ctx.store.query("x")\n\n\n'
    run = f"async def run(ctx):\n    if {question}:\n        await rows(ctx)\n"
    pseudo = 'PSEUDO = frozenset({"__system__", "__webhook__"})\n\n\n'
    text = pseudo + rows + run + DAILY.format("await run(ctx)") + PANEL.format("await rows(ctx)")
    assert expected == len(lint("FED516", text))
