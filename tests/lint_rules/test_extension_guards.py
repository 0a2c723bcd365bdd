"""Secrets, timeouts, background work, cancellation, codes, literals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fedcheck.lint.edits.text_edits import apply
from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]


def test_a_constant_of_another_file_is_followed(lint: Lint) -> None:
    """A timeout comes through an import and two calls, with the chain."""
    text = (
        "from imperal_sdk import Extension\nfrom limits import SLOW\n\next = Extension('n')\n\n\n"
        "async def fetch(ctx, timeout):\n    return await ctx.http.get('u', timeout=timeout)\n\n\n"
        '@ext.tool("t")\nasync def t(ctx):\n    return await fetch(ctx, SLOW)\n'
    )
    (found,) = lint("FED508", text, limits__py="SLOW = 5 * 60\n")
    assert found.severity == "error"
    assert "timeout=300" in found.text
    assert found.chain
    assert lint("FED508", text, limits__py="SLOW = 3 * 60\n") == ()


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
