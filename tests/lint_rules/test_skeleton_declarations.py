"""How skeleton sections and their alerts are declared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fedcheck.lint.edits.text_edits import apply
from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

DECLARED = "FED210 FED220 FED221 FED222 FED223"


def test_the_fix_of_the_envelope_keeps_the_rest(lint: Lint, tmp_path: Path) -> None:
    """Only the wrapping is added: comments, spacing and line breaks stay."""
    text = (
        '\n@ext.skeleton("n")\nasync def n(ctx):\n    return {  # counts\n'
        '        "total" : 3,\n    }  # done\n'
    )
    (found,) = lint(DECLARED, text)
    assert found.fix is not None
    assert found.fix.safety == "safe"
    before = (tmp_path / "main.py").read_text(encoding="utf-8")
    after = apply(before, found.fix.edits)
    assert after == before.replace("return {  # counts", 'return {"response": {  # counts').replace(
        "    }  # done", "    }}  # done"
    )


def test_the_fix_is_unsafe_where_the_handler_is_called(lint: Lint) -> None:
    """A panel that calls the handler for its data would see another shape."""
    text = (
        '\n@ext.skeleton("n")\nasync def n(ctx):\n    return {"total": 3}\n\n\n'
        '@ext.panel("p")\nasync def p(ctx):\n    return (await n(ctx))["total"]\n'
    )
    (found,) = lint(DECLARED, text)
    assert found.fix is not None
    assert found.fix.safety == "unsafe"


def test_the_old_declaration_is_rewritten(lint: Lint, tmp_path: Path) -> None:
    """The decorator changes, its other arguments and their layout do not."""
    text = (
        '\n@ext.tool(\n    "skeleton_refresh_ads",  # section\n    description="Ads",\n)\n'
        'async def ads(ctx):\n    return {"response": {"a": 1}}\n'
    )
    (found,) = lint(DECLARED, text)
    assert (found.code, found.severity) == ("FED221", "error")
    assert found.fix is not None
    after = apply((tmp_path / "main.py").read_text(encoding="utf-8"), found.fix.edits)
    assert '@ext.skeleton(\n    "ads",  # section\n    description="Ads",\n)' in after
