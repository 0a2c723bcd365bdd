"""Cache keys that join, re.sub, quote, properties and functions for bytes make."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

HEAD = """
import base64
import hashlib
import re
from urllib.parse import quote

WORD = re.compile(r"\\W+")
CLEAN = re.compile(r"\\W+", re.ASCII)


class Params(BaseModel):
    query: str = ''
    limit: int = 5


class Keys:
    def __init__(self, ctx):
        self.ctx = ctx

    @property
    def inbox(self):
        return f"inbox:{self.ctx.user.email}"

    @property
    def sent(self):
        return f"sent:{self.ctx.user.imperal_id}"


def many(*parts):
    return "/".join(str(p) for p in parts)


def plain(*parts):
    return ":".join(str(p) for p in parts)


def slug(value):
    return re.sub(r"[^a-z0-9]+", "-", value.lower())


def word(value):
    return re.sub(r"\\W+", "-", value.lower())


def of_mail(ctx, kind):
    return ":".join([kind, ctx.user.email])


@chat.function('f', 'Finds notes by their text', data_model=Count)
async def f(ctx, params: Params, parts: list):
    """
USE = "\n    await ctx.cache.get({}, Count)\n"


def _found(lint: Lint, given: str) -> list[str]:
    before, _, key = given.rpartition("; ")
    text = HEAD + before.replace("; ", "\n    ") + USE.format(key)
    return [item.severity for item in lint("FED301", text)]


@pytest.mark.parametrize(
    "given",
    [
        "'/'.join(['a', 'b'])",
        "'/'.join(('a', str(params.limit)))",
        "':'.join(['a', ctx.user.email])",
        "of_mail(ctx, 'a')",
        "all_ = ['a', 'b']; all_.append(params.query); '.'.join(all_)",
        "'.'.join(map(str, [1, params.limit]))",
        "' '.join(sorted([parts[0], parts[1]]))",
        "'/'.join(str(p) for p in (1, params.limit))",
        "':'.join(['a b', params.limit])",
        "f\"a:{'|'.join(['a', *parts, 'b'])}\"",
        "Keys(ctx).inbox",
        "f'a:{Keys(ctx).inbox}'",
        "hashlib.sha256(b'x').digest()",
        "h = hashlib.md5(b'x'); f'a:{h.digest()}'",
        "base64.b64encode(b'x')",
        "str(base64.urlsafe_b64encode(b'x'))",
        "params.model_dump_json()",
        "f'a:{params.model_dump()}'",
        "quote(ctx.user.email)",
        "quote('a b')",
    ],
)
def test_what_is_proved_is_an_error(lint: Lint, given: str) -> None:
    """Separators between two sure parts, addresses, bytes, JSON."""
    assert ["error"] == _found(lint, given)


@pytest.mark.parametrize(
    "given",
    [
        "'/'.join(str(p) for p in parts)",
        "many('a', 'b')",
        "' '.join(parts)",
        "' '.join(params.query.split())",
        "':'.join(f'{k}={v}' for k, v in parts)",
        "'/'.join(['a', *parts])",
        "all_ = ['a', 'b']; all_.clear(); '/'.join(all_)",
        "':'.join(['a', params.query])",
        r"re.sub(r'\W+', '_', params.query)",
        r"re.sub(r'[^\w-]', '', params.query.lower())[:40]",
        r"re.sub(r'\s+', '-', params.query)",
        "WORD.sub('-', params.query)",
        "word(params.query)",
        "quote(params.query)",
        "f\"a:{params.query or 'all'}\"",
        "q = (params.query or '').strip(); f\"a:{q or 'all'}\"",
        "q = params.query or 'all'; f'a:{q}'",
    ],
)
def test_what_may_be_is_a_warning(lint: Lint, given: str) -> None:
    """Parts of which nobody knows the number, and free text behind patterns of Unicode."""
    assert ["warning"] == _found(lint, given)


@pytest.mark.parametrize(
    "given",
    [
        "':'.join(['a', 'b', str(params.limit), ctx.user.imperal_id])",
        "'/'.join(['a'])",
        "plain('a', params.limit)",
        "'-'.join(parts)",
        "'/'.join(str(p) for p in parts).replace('/', ':')",
        "hashlib.sha256('/'.join(['a', 'b']).encode()).hexdigest()",
        "hashlib.sha256(params.model_dump_json().encode()).hexdigest()",
        "hashlib.sha256(b'x').digest().hex()",
        "base64.b32encode(b'x').decode().rstrip('=')",
        "base64.urlsafe_b64encode(b'x').decode().rstrip('=')",
        "Keys(ctx).sent",
        r"re.sub(r'[^A-Za-z0-9_-]', '', params.query)",
        r"re.sub(r'\W+', '_', params.query, flags=re.ASCII)",
        r"re.sub(r'[^\w-]', '', params.query, 0, re.A)",
        "CLEAN.sub('-', params.query)",
        "slug(params.query)",
        r"re.sub(r'\W+', '_', parts[0])",
        r"re.sub(r'\W+', '_', str(params.limit))",
        "quote(str(params.limit))",
        "quote(parts[0])",
        "f\"a:{parts or 'all'}\"",
        "q = slug(params.query); f\"a:{q or 'all'}\"",
        "''.join(c if c in 'abc' else '_' for c in params.query)",
        "'_'.join(re.sub('[^a-z]', '', w) for w in params.query.split())",
    ],
)
def test_what_is_safe_or_not_known_is_silent(lint: Lint, given: str) -> None:
    """Safe separators and patterns, hashes, and text whose freedom is not known."""
    assert [] == _found(lint, given)
