"""Secrets, timeouts, background work, cancellation, codes, literals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fedcheck.lint.edits.text_edits import apply
from fedcheck.lint.engine.engine import Target, check
from fedcheck.lint.sdk.releases import versions
from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

READ = '\n@ext.tool("t")\nasync def t(ctx):\n    return await ctx.secrets.get("api_token")\n'


@pytest.mark.parametrize(
    "declared",
    [
        'ext.secret("api_token", "T")(lambda: None)\n',
        'ext.secret(name="api_token", description="T")\n',
        '@ext.secret("api_token", "T")\ndef anchor():\n    pass\n',
        'NAMES = ("api_token", "other")\nfor _name in NAMES:\n    ext.secret(_name, "T")\n',
        'for _name, _m in (("api_token", "user"),):\n    ext._secrets[_name] = Spec(_m)\n',
        'register = ext.secret\nfor _row in load():\n    ext.secret(_row["name"], "T")\n',
        "ext.secret(**settings())\n",
        'declare = ext.secret\ndeclare("api_token", "T")\n',
        'getattr(ext, "secret")("api_token", "T")\n',
    ],
)
def test_a_declared_secret_is_silent(lint: Lint, declared: str) -> None:
    """However it is declared; what cannot be followed counts as declared (trap 2)."""
    assert lint("FED509", f"\n{declared}{READ}") == ()


def test_a_secret_of_the_manifest_is_declared(lint: Lint) -> None:
    """The manifest is the second source."""
    manifest = '{"app_id": "n", "secrets": [{"name": "api_token", "write_mode": "both"}]}'
    assert lint("FED509", READ, imperal__json=manifest) == ()


def test_what_cannot_be_read_may_declare(tmp_path: Path) -> None:
    """A file that does not parse, or an extension made elsewhere, proves nothing."""
    target = Target(sdk=versions()[-1])
    part = tmp_path / "part"
    part.mkdir()
    (part / "handlers.py").write_text(f"from app import ext\n{READ}", encoding="utf-8")
    assert check([part], target, codes=frozenset({"FED509"})).findings == ()
    whole = tmp_path / "whole"
    whole.mkdir()
    text = f"from imperal_sdk import Extension\nimport broken\n\next = Extension('n')\n{READ}"
    (whole / "main.py").write_text(text, encoding="utf-8")
    assert len(check([whole], target, codes=frozenset({"FED509"})).findings) == 1
    (whole / "broken.py").write_text("ext.secret('api_token', 'T'\n", encoding="utf-8")
    assert check([whole], target, codes=frozenset({"FED509"})).findings == ()


def test_an_undeclared_secret_is_an_error(lint: Lint) -> None:
    """The message names what is declared."""
    (found,) = lint("FED509", f'\next.secret("token", "T")\n{READ}')
    assert found.severity == "error"
    assert "Declared: token." in found.message


def test_a_constant_of_another_file_is_followed(lint: Lint) -> None:
    """A timeout comes through an import and two calls, with the chain."""
    text = (
        "from imperal_sdk import Extension\nfrom limits import SLOW\n\next = Extension('n')\n\n\n"
        "async def fetch(ctx, timeout):\n    return await ctx.http.get('u', timeout=timeout)\n\n\n"
        '@ext.tool("t")\nasync def t(ctx):\n    return await fetch(ctx, SLOW)\n'
    )
    (found,) = lint("FED508", text, limits__py="SLOW = 5 * 60\n")
    assert found.severity == "error"
    assert "timeout=300" in found.message
    assert found.chain
    assert lint("FED508", text, limits__py="SLOW = 3 * 60\n") == ()


def test_cancel_is_reported_once_for_a_handler(lint: Lint) -> None:
    """Three calls under one broad handler are one finding; an outer handler is found too."""
    text = (
        '\n@ext.tool("t")\nasync def t(ctx):\n    try:\n        await ctx.progress(1)\n'
        "        await ctx.progress(2)\n        try:\n            await ctx.progress(3)\n"
        "        except KeyError:\n            pass\n    except:\n        return None\n"
    )
    assert [17] == [item.span.line for item in lint("FED507", text)]


def test_the_cancel_is_let_through(lint: Lint, tmp_path: Path) -> None:
    """The fix adds a handler and an import, and the file is then silent."""
    text = (
        '\n@ext.tool("t")\nasync def t(ctx):\n    try:\n        await ctx.progress(1)\n'
        "    except ValueError:\n        pass\n    except Exception:  # all\n        return None\n"
    )
    (found,) = lint("FED507", text)
    assert found.fix is not None
    before = (tmp_path / "main.py").read_text(encoding="utf-8")
    after = apply(before, found.fix.edits)
    assert "from pydantic import BaseModel\nfrom imperal_sdk.chat import TaskCancelled\n" in after
    assert (
        "        pass\n    except TaskCancelled:\n        raise\n    except Exception:  # all\n"
        in after
    )
    assert lint("FED507", after) == ()


def test_a_decorated_coroutine_is_not_judged(lint: Lint) -> None:
    """A decorator may make an ActionResult of whatever the coroutine returns."""
    text = (
        "\n{}async def work(ctx):\n    return 3\n\n\n@ext.tool('t')\nasync def t(ctx):\n"
        "    await ctx.background_task(work(ctx))\n"
    )
    assert lint("FED513", text.format("@as_result\n")) == ()
    assert [("FED513", "error")] == [(f.code, f.severity) for f in lint("FED513", text.format(""))]


def test_a_reserved_slot_is_only_an_info(lint: Lint) -> None:
    """Documents offer it and no host renders it."""
    text = '\n@ext.panel("p", slot="{}")\nasync def p(ctx):\n    return None\n'
    assert [["info"], ["error"], []] == [
        [item.severity for item in lint("FED512", text.format(slot))]
        for slot in ("bottom", "main", "right")
    ]
