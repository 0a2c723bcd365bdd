"""Names of secrets that are made of parts, and advice that goes with what is written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

TOKEN = 'ext.secret("token_a", "A")\n'
PANEL = '\n\n@ext.panel("p")\nasync def p(ctx, cid="", n=0):\n'
PARTS = (
    '\nfrom names import K, PREFIX\n\nLOCAL = "{0}_"\n{1}'
    f"{PANEL}"
    '    first = "{0}_"\n    return await ctx.secrets.get({2})\n'
)
NAMES = 'PREFIX = "{0}_"\n\n\nclass K:\n    PREFIX = "{0}_"\n'


@pytest.mark.parametrize(
    "name",
    [
        "first + cid",
        "LOCAL + cid",
        "PREFIX + cid",
        "K.PREFIX + cid",
        'f"{PREFIX}{cid}"',
        'f"{K.PREFIX}{n:03d}"',
        '"%s%%s" % LOCAL % cid',
        '"{0}_%s" % cid',
        'PREFIX + "%d" % n',
        '"{0}_{{}}".format(cid)',
        '"_".join(["{0}", cid])',
        '"_".join(("{0}", *cid))',
    ],
)
def test_names_of_parts(lint: Lint, name: str) -> None:
    """Parts whose value is known decide, wherever they are written."""
    is_read = not name.startswith('"%s') and "*cid" not in name
    for prefix, expected in (("conn", int(is_read)), ("token", 0)):
        given = name.replace("{0}", prefix).replace("{{}}", "{}")
        text = PARTS.replace("{0}", prefix).replace("{1}", TOKEN).replace("{2}", given)
        found = lint("FED509", text, names__py=NAMES.format(prefix))
        assert ["error"] * expected == [item.severity for item in found]


@pytest.mark.parametrize(
    ("prefix", "expected"), [('"conn_" if n else "key_"', 1), ('"conn_" if n else "token_"', 0)]
)
def test_a_part_of_two_values(lint: Lint, prefix: str, expected: int) -> None:
    """One of them that a declaration has is enough."""
    body = f"    first = {prefix}\n    return await ctx.secrets.get(first + cid)\n"
    assert expected == len(lint("FED509", f"\n{TOKEN}{PANEL}{body}"))


@pytest.mark.parametrize(("end", "expected"), [("c", ["error"]), ("b", [])])
def test_a_name_of_many_parts(lint: Lint, end: str, expected: list[str]) -> None:
    """Their gaps are not filled in every way there is: that would take hours."""
    declared = f'ext.secret("{"a" * 60}b", "A")\n'
    body = f'    return await ctx.secrets.get(f"{"{cid}a" * 30}{end}")\n'
    assert expected == [item.severity for item in lint("FED509", f"\n{declared}{PANEL}{body}")]


@pytest.mark.parametrize("call", ["get(cid)", "set(cid, 'v')", "delete(cid)", "is_set(str(n))"])
def test_nothing_is_declared(lint: Lint, call: str) -> None:
    """Then every name raises; one declaration, or one that is not followed, may be meant."""
    body = f"{PANEL}    await ctx.secrets.{call}\n"
    (found,) = lint("FED509", body)
    assert ("error", True) == (found.severity, "for every name" in found.message)
    written = TOKEN.replace('"A"', '"A", write_mode="both"')
    for declared in (written, "ext._secrets.update(known)\n", "declare = ext.secret\n"):
        assert () == lint("FED509", f"\n{declared}{body}")


@pytest.mark.parametrize(
    "loop",
    [
        "for name in ext.secrets:",
        "for name in [it.name for it in await ctx.secrets.list()]:",
        "for name in ctx._declared_secrets:",
    ],
)
def test_what_is_declared_is_gone_through(lint: Lint, loop: str) -> None:
    """Code that asks for what there is asks for nothing."""
    body = f"    {loop}\n        await ctx.secrets.get(name)\n"
    assert () == lint("FED509", PANEL + body)
    other = body.replace(loop, "for name in cid.split():")
    assert 1 == len(lint("FED509", PANEL + other))


@pytest.mark.parametrize(
    ("use", "mode"),
    [
        ('set("key", "v")', True),
        ('delete("key")', True),
        ('set("other", "v")', False),
        ('is_set("key")', False),
    ],
)
def test_what_is_written_too(lint: Lint, use: str, mode: bool) -> None:
    """Whoever declares it as the advice for reading says may write it as well."""
    body = f'    await ctx.secrets.{use}\n    return await ctx.secrets.get("key")\n'
    *_, found = sorted(lint("FED509", PANEL + body), key=lambda it: it.span.line)
    assert mode is ('ext.secret("key", "What it is for", write_mode="both")' in found.message)


@pytest.mark.parametrize(
    ("caught", "severity"),
    [
        ("exceptions.SecretNotDeclaredError", "info"),
        ("(KeyError, exceptions.SecretNotDeclaredError)", "info"),
        ("exceptions.SecretWriteForbidden", "error"),
        ("Exception", "error"),
    ],
)
def test_a_refusal_that_the_code_expects(lint: Lint, caught: str, severity: str) -> None:
    """Whoever catches the exception by its name knows that the secret may not be declared."""
    text = (
        "from imperal_sdk import Extension\nfrom imperal_sdk.secrets import exceptions\n\n"
        f"ext = Extension('n')\n{TOKEN}{PANEL}    try:\n        return "
        "await ctx.secrets.get('old_token')\n"
        f"    except {caught}:\n        return None\n"
    )
    assert [severity] == [item.severity for item in lint("FED509", text)]
