"""Spellings of real extensions that look like breaches and are none, or the other way round."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Lint = Callable[..., list[tuple[str, str, int]]]

HEAD = """\
from imperal_sdk import ActionResult, ChatExtension, Extension
from pydantic import BaseModel

ext = Extension("notes", capabilities=["notes:read"], display_name="Notes", icon="icon.svg", \
description="Keeps the notes of the user and finds them again")
chat = ChatExtension(ext)
"""


def test_a_guarded_use_of_a_missing_method_is_info(lint: Lint) -> None:
    """``x.now() if hasattr(x, "now")`` never runs, and so never raises."""
    code = HEAD + (
        '@ext.panel("p")\nasync def p(ctx):\n'
        '    return ctx.time.now() if hasattr(ctx, "time") and hasattr(ctx.time, "now") else ""\n'
    )
    assert {("FED105", "info")} == {found[:2] for found in lint({"main.py": code})}


def test_a_guarded_field_of_a_response_is_info(lint: Lint) -> None:
    """``r.content if hasattr(r, "content") else r.body`` is right."""
    code = HEAD + (
        '@ext.panel("p")\nasync def p(ctx):\n    r = await ctx.http.get("u")\n'
        '    return r.content if hasattr(r, "content") else r.body\n'
    )
    assert {"info"} == {found[1] for found in lint({"main.py": code})}


def test_secrets_may_be_declared_elsewhere(lint: Lint) -> None:
    """A loop over ``ext._secrets`` declares names that cannot be followed."""
    code = HEAD + (
        "from imperal_sdk.secrets import SecretSpec\n"
        'for name in ("a", "b"):\n    ext._secrets[name] = SecretSpec(name=name)\n'
        '@ext.panel("p")\nasync def p(ctx):\n    return await ctx.secrets.get("c")\n'
    )
    assert not [found for found in lint({"main.py": code}) if found[0] == "FED509"]


def test_code_beside_the_extension_is_left_alone(lint: Lint) -> None:
    """A back end in the same repository is not imported by the extension."""
    server = HEAD + '@ext.panel("p")\nasync def p(ctx):\n    return ctx.skeleton_data\n'
    files = {"main.py": HEAD, "server/api.py": server}
    assert [] == lint(files)
    assert [("FED103", "error", 8)] == lint(files, all_files=True)


def test_a_nested_function_does_not_return_for_its_handler(lint: Lint) -> None:
    """What a function inside a handler returns is its own business."""
    code = HEAD + (
        '@ext.skeleton("s")\nasync def s(ctx):\n    def inner():\n        return "text"\n'
        '    return {"response": {"a": inner()}}\n'
    )
    assert [] == lint({"main.py": code})


@pytest.mark.parametrize(
    "code",
    [
        "def rule(ctx: dict):\n    return ctx.skeleton_data, ctx.user.id, ctx.nothing\n",
        "def run():\n    ctx = {}\n    return ctx.get('skeleton_data')\n",
        """
import ssl

def run():
    ctx = ssl.create_default_context()
    return ctx.load_default_certs()
""",
    ],
    ids=["dict", "local dict", "ssl"],
)
def test_another_ctx_is_not_the_context(lint: Lint, code: str) -> None:
    """Only what receives the context is one."""
    assert [] == lint({"main.py": HEAD + code})


def test_what_a_handler_takes_in_place_of_the_context_is_none(lint: Lint) -> None:
    """Its fields are its own; that the handler takes no context is what is wrong."""
    code = HEAD + (
        "class Asked(BaseModel):\n    skeleton_data: str\n\n"
        '@chat.function("f", "Does it for whoever asks", ui_builder=True)\n'
        "async def f(input: Asked) -> ActionResult:\n    return input.skeleton_data\n"
    )
    assert [("FED531", "warning", 10)] == lint({"main.py": code})


def test_an_alert_tool_without_alert_is_legal(lint: Lint) -> None:
    """The kernel derives the pair by its name, and reads in it are only a warning."""
    code = HEAD + (
        '@ext.skeleton("s", alert=False)\nasync def s(ctx):\n    return {"response": {"a": 1}}\n'
        '@ext.tool("skeleton_alert_s", scopes=["a:b"])\nasync def alert(ctx):\n'
        '    return await ctx.skeleton.get("s")\n'
    )
    assert [("FED201", "warning", 11)] == lint({"main.py": code})


def test_words_are_not_uses(lint: Lint) -> None:
    """Docstrings, comments, log names, locals and settings may say anything."""
    code = HEAD + (
        "class Settings(BaseModel):\n    classifier_fact_ledger_window: int = 5\n"
        '@ext.panel("p")\nasync def p(ctx):\n    """Once read ctx.skeleton.get()."""\n'
        "    # ctx.skeleton_data is gone\n    skeleton_data = {}\n"
        '    return skeleton_data, "ctx.fact_ledger", Settings().classifier_fact_ledger_window\n'
    )
    assert [] == lint({"main.py": code})


def test_wrappers_pass_keys_models_and_lives(lint: Lint) -> None:
    """Parameters of a wrapper are what its callers give; dead constants are nothing."""
    helpers = (
        "async def cached_call(ctx, key, model, fetch, ttl_seconds):\n"
        "    return await ctx.cache.get_or_fetch(key, model, fetch, ttl_seconds=ttl_seconds)\n\n\n"
        "async def safe_get(ctx, model_cls, key):\n    return await ctx.cache.get(key, model_cls)\n"
    )
    code = HEAD + (
        "from helpers import cached_call, safe_get\nfrom lives import SHORT\nDEAD_TTL = 600\n"
        'class Count(BaseModel):\n    total: int\next.cache_model("c")(Count)\n'
        '@ext.skeleton("s", ttl=600)\nasync def s(ctx):\n    async def fetch() -> Count: ...\n'
        '    await cached_call(ctx, "k", Count, lambda: fetch(), SHORT)\n'
        '    await safe_get(ctx, Count, "k")\n    return {"response": {"a": 1}}\n'
    )
    files = {"main.py": code, "helpers.py": helpers, "lives.py": "SHORT = 2 * 60\n"}
    assert [] == lint(files)
    found = lint({**files, "lives.py": "SHORT = 20 * 60\n"})
    assert [("FED302", "error", 2)] == found


def test_keys_that_only_look_raw(lint: Lint) -> None:
    """Hashes, int() and platform ids are safe; an id of unknown make is not judged."""
    code = HEAD + (
        "import hashlib\n"
        'class Count(BaseModel):\n    total: int\next.cache_model("c")(Count)\n'
        '@ext.panel("p")\nasync def p(ctx, playlist_id="", case_id="", email=""):\n'
        "    h = hashlib.sha256(email.encode()).hexdigest()[:16]\n"
        '    for key in (f"a:{h}", f"b:{int(case_id)}", f"detail_{playlist_id}",\n'
        '                f"c:{ctx.user.imperal_id}:{case_id}".replace(":", "-")):\n'
        "        old = await ctx.cache.get(key, Count)\n"
        "        await ctx.cache.set(key, old, ttl_seconds=60)\n"
    )
    assert [] == lint({"main.py": code})


def test_empty_data_may_be_right(lint: Lint) -> None:
    """Acknowledgements without facts carry none."""
    code = HEAD + (
        "class Track(BaseModel):\n    title: str\n"
        '@chat.function("f", "Goes to the next track", action_type="write", event="n.next")\n'
        "async def f(ctx, params: Track) -> ActionResult[Track]:\n"
        '    if params:\n        return ActionResult.success(data={}, summary="Next track")\n'
        '    return ActionResult.success([], "Nothing found")\n'
    )
    assert [] == lint({"main.py": code})


def test_history_is_attached_by_kernels(lint: Lint) -> None:
    """The kernel attaches it; nobody proved it absent."""
    code = HEAD + '@ext.panel("p")\nasync def p(ctx):\n    return ctx.history\n'
    assert [] == lint({"main.py": code})
