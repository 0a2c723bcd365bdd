"""Free text in cache keys, however it was named and sieved before."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

HEAD = (
    "\nimport hashlib\nimport re\n\n\nclass Params(BaseModel):\n    query: str = ''\n"
    "    limit: int = 5\n\n\n@chat.function('f', 'Finds notes by their text', data_model=Count)\n"
    "async def f(ctx, params: Params):\n    "
)
USE = '\n    await ctx.cache.get(f"q:{q}", Count)\n'


@pytest.mark.parametrize(
    "given",
    [
        "q = params.query",
        "q = params.query.strip().lower()",
        "q = str(params.query)",
        "text = params.query\n    q = text.replace(' ', '-')",
        "q = ''.join(c for c in params.query if c.isalnum())",
        "q = ''.join([c if c.isalnum() else '_' for c in params.query])",
        "q = ''.join(filter(str.isalnum, params.query))[:40]",
        "q = params.query.strip()\n    if not q:\n        q = params.query.title()",
    ],
)
def test_free_text_is_found(lint: Lint, given: str) -> None:
    """Neither another name nor isalnum makes it safe."""
    found = lint("FED301", HEAD + given + USE)
    assert [("warning", True)] == [(it.severity, "is free text" in it.message) for it in found]


@pytest.mark.parametrize(
    "given",
    [
        "q = hashlib.sha256(params.query.encode()).hexdigest()",
        "q = params.query.strip()\n    q = hashlib.md5(q.encode()).hexdigest()[:16]",
        "q = re.sub(r'[^A-Za-z0-9]+', '-', params.query.lower())",
        "q = str(params.limit)",
        "q = str(len(params.query))",
        "q = ''.join(c for c in params.query if c.isalnum() and c.isascii())",
        "q = ''.join(filter(str.isalnum, str(params.limit)))",
        "q = 'all' if params.query.strip() else 'none'",
        "q, _ = params.query.strip(), 1\n    q = 'x'",
        "q = 'x'\n    for q in ('a', 'b'):\n        pass",
    ],
)
def test_what_is_safe_or_unknown_is_silent(lint: Lint, given: str) -> None:
    """Hashes, numbers, patterns that keep safe characters, and what is not known."""
    assert () == lint("FED301", HEAD + given + USE)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("params.query", "a blank, another sign or a letter outside A-Z"),
        ("params.query.replace(' ', '_')", "'!', another sign or a letter outside A-Z"),
        ("'-'.join(params.query.split())", "'!', another sign or a letter outside A-Z"),
        ("''.join(filter(str.isalnum, params.query))", "a letter outside A-Z"),
        ("''.join(c for c in params.query if c.isalnum())[:9]", "a letter outside A-Z"),
        (
            "''.join(c if c.isalnum() or c in '-.' else ' ' for c in params.query)",
            "a blank, '.' or a letter",
        ),
        (r"re.sub(r'\W+', '-', params.query)", "a letter outside A-Z"),
        (r"re.sub(r'[^\w\s]', '', params.query)", "a blank or a letter outside A-Z"),
        (r"re.sub(r'\s', '', re.sub(r'[^\w\s]', '', params.query))", "a letter outside A-Z"),
        (r"re.sub(r'[^\w\s]', '', params.query).replace(' ', '.')", "'.' or a letter outside A-Z"),
    ],
)
def test_what_may_be_left_is_named(lint: Lint, given: str, said: str) -> None:
    """Of what a sieve takes out nothing is said."""
    (found,) = lint("FED301", f"{HEAD}q = {given}{USE}")
    assert f"; it may hold {said}" in found.message
    assert 1 >= found.message.count("lets letters of every script through")


def test_a_sieve_behind_a_sieve(lint: Lint) -> None:
    """What a second sieve leaves of the first is asked of both together."""
    sieved = "''.join(c for c in params.query if c.isalnum())"
    found = lint("FED301", rf"{HEAD}q = re.sub(r'[^\w]', '', {sieved}, flags=re.A){USE}")
    assert () == found
