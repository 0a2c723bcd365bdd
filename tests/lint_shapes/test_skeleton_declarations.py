"""How skeleton sections and their alerts are declared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fedcheck.lint.edits.text_edits import apply
from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

DECLARED = "FED210 FED220 FED221 FED222 FED223"


def test_an_alert_tool_without_alert_true_is_legal(lint: Lint) -> None:
    """The kernel derives the pair from the names (trap 6)."""
    text = (
        '\n@ext.skeleton("sites")\nasync def sites(ctx):\n    return {"response": {"a": 1}}\n\n\n'
        '@ext.tool("skeleton_alert_sites")\nasync def alert(ctx, old=None, new=None):\n'
        '    return {"response": ""}\n'
    )
    assert lint(DECLARED, text) == ()


def test_the_ttl_of_a_skeleton_is_free(lint: Lint) -> None:
    """Bounds of the cache are not those of a refresh (trap 8)."""
    text = '\n@ext.skeleton("n", ttl=600)\nasync def n(ctx):\n    return {"response": {"a": 1}}\n'
    assert lint(DECLARED, text) == ()


def test_a_constant_envelope_is_resolved(lint: Lint) -> None:
    """A module constant that is the envelope is fine; a constant that is none is not."""
    text = (
        '\nEMPTY = {{{}"total": 0}}\n\n\n@ext.skeleton("n")\nasync def n(ctx):\n    return EMPTY\n'
    )
    assert lint(DECLARED, text.format('"response": {}, ')) == ()
    assert [("FED210", "error")] == [(f.code, f.severity) for f in lint(DECLARED, text.format(""))]


@pytest.mark.parametrize(
    "body",
    [
        "out = {}\nfill(out)\nreturn out",
        "out = {}\nalias = out\nalias['response'] = {}\nreturn out",
        "out = {}\n\ndef put():\n    out['response'] = {}\n\nput()\nreturn out",
        "out = {'a': 1}\nout.clear()\nreturn out",
        "out = {}\nout |= await load(ctx)\nreturn out",
        "return Answer(total=1).model_dump()",
    ],
)
def test_a_dict_that_others_may_fill_is_silent(lint: Lint, body: str) -> None:
    """Helpers, aliases, closures and serializers may add the key."""
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    text = (
        "\nclass Answer(BaseModel):\n    total: int\n\n    @computed_field\n    @property\n"
        "    def response(self) -> dict:\n        return {}\n\n\n"
        f'@ext.skeleton("n")\nasync def n(ctx):\n{indented}'
    )
    assert lint("FED210", text) == ()


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


def test_an_unknown_receiver_is_no_error(lint: Lint) -> None:
    """Where ``ext`` cannot be followed, nothing is proved."""
    text = (
        '\ndef register(ext):\n    @ext.skeleton("a:b")\n    async def n(ctx):\n'
        '        return {"total": 3}\n'
    )
    assert [("FED222", "warning"), ("FED210", "warning")] == [
        (item.code, item.severity) for item in lint(DECLARED, text)
    ]


def test_two_extensions_may_share_a_section(lint: Lint) -> None:
    """A section that another Extension object declares is no repetition."""
    text = (
        '\nother = Extension("other")\n\n\n@ext.skeleton("n")\nasync def a(ctx):\n'
        '    return {"response": {"a": 1}}\n\n\n@other.skeleton("n")\nasync def b(ctx):\n'
        '    return {"response": {"a": 1}}\n'
    )
    assert lint(DECLARED, text) == ()
    same = text.replace('other = Extension("other")', "other = ext")
    assert [("FED223", "error")] == [(f.code, f.severity) for f in lint(DECLARED, same)]
