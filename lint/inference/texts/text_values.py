"""Abstract strings: characters and length of one, of alternatives, of concatenations."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

import msgspec

from ..values.values import Duration, Made, SdkField

SAFE, UNKNOWN, FREE, UNSAFE = "safe", "unknown", "free", "unsafe"
_ORDER = (SAFE, UNKNOWN, FREE, UNSAFE)
ALLOWED = re.compile(r"[A-Za-z0-9_\-:]*")
_HEX_LENGTH = {"md5": 32, "sha1": 40, "sha224": 56, "sha256": 64, "sha384": 96, "sha512": 128}
_WIDEST = 10_000
PADDED = "what urlsafe_b64encode() makes of it may end in '='"
"""The end of why a text is not safe that a cut, or ``rstrip("=")``, makes safe."""
_SAFE_FIELDS = frozenset({"imperal_id", "tenant_id"})


LETTERS = "\u00e9\u0416\u4e2d"
EVERY = "".join(map(chr, range(32, 127))) + LETTERS + "\u0663"
"""A character of each kind that free text may hold."""
EVERY_SCRIPT = "letters of every script through"
_FEW = 3


class Text(msgspec.Struct, frozen=True):
    """What is known of a text.

    Attributes:
        chars: ``safe`` for ``[A-Za-z0-9_:-]``, ``unsafe`` if a forbidden one is proved, ``free``
            for what users type, ``unknown``.
        shortest: its least length.
        longest: its greatest length, if there is one.
        why: what makes it unsafe or free.
        sample: the whole text, if it is known.
        is_possible: whether ``why`` says itself what the text may hold.
        left: the characters of ``EVERY`` that free text may still hold.
    """

    chars: str = UNKNOWN
    shortest: int = 0
    longest: int | None = None
    why: str = ""
    sample: str | None = None
    is_possible: bool = False
    left: str = EVERY

    @property
    def is_typed(self) -> bool:
        """Whether it is free, and ``why`` does not say itself what it may hold."""
        return self.chars == FREE and not self.is_possible

    def changed(self, chars: str, longest: int | None = None, left: str | None = None) -> Text:
        """Describe what a call makes of the text, for the same reason."""
        kept = self.left if left is None else left
        return Text(chars, 0, longest, self.why, is_possible=self.is_possible, left=kept)

    @property
    def refused(self) -> str:
        """What free text may hold that no key may, in words."""
        bad = [char for char in self.left if not ALLOWED.fullmatch(char)]
        signs = [f"{char!r}" if char != " " else "a blank" for char in bad if char.isascii()]
        named = signs if len(signs) <= _FEW else [signs[0], "another sign"]
        others = ["a letter outside A-Z"] if len(signs) < len(bad) else []
        *first, last = [*named, *others] or ["another sign"]
        return f"{', '.join(first)} or {last}" if first else last


NOTHING_KNOWN = Text()


def literal(text: str) -> Text:
    """Describe a known text."""
    bad = next((char for char in text if not ALLOWED.fullmatch(char)), None)
    why = f"it holds {bad!r}" if bad is not None else ""
    return Text(SAFE if bad is None else UNSAFE, len(text), len(text), why, text)


def sieved(source: Text, besides: str = "") -> Text:
    """Describe a string of which ``isalnum`` and some other characters are kept."""
    if source.chars == FREE and not source.is_typed:
        return NOTHING_KNOWN
    if source.chars in {FREE, UNSAFE}:
        why = f"{source.why}; isalnum() lets {EVERY_SCRIPT}"
        left = "".join(char for char in source.left if char.isalnum() or char in besides)
        return Text(FREE, 0, source.longest, why, left=left)
    return Text(source.chars, 0, source.longest)


def of_field(value: SdkField) -> Text:
    """Describe a field of an SDK object."""
    if value.owner.cls in {"UserContext", "User"} and value.name == "email":
        return Text(UNSAFE, 3, None, "ctx.user.email holds '@'")
    return Text(SAFE) if value.name in _SAFE_FIELDS else NOTHING_KNOWN


def of_constant(value: object) -> Text:
    """Describe what ``str()`` makes of a known value."""
    return literal(str(value)) if isinstance(value, (str, int, float)) else NOTHING_KNOWN


def of_container(node: ast.expr) -> Text:
    """Describe what ``str()`` makes of a dict or a list; nothing if the node is neither."""
    if isinstance(node, (ast.Dict, ast.DictComp)):
        return Text(UNSAFE, 2, None, "the text of a dict holds '{'")
    if isinstance(node, (ast.List, ast.ListComp)):
        return Text(UNSAFE, 2, None, "the text of a list holds '['")
    if isinstance(node, ast.Tuple):
        return Text(UNSAFE, 2, None, "the text of a tuple holds '('")
    return NOTHING_KNOWN


def of_made(value: Made) -> Text:
    """Describe what ``str()`` makes of the result of a call."""
    name = value.of
    last = name.rpartition(".")[2]
    if isinstance(value, Duration):
        return literal(str(value.length))
    if name in {"int", "len", "hash", "ord", "id"} or name.startswith("uuid."):
        return Text(SAFE)
    if last == "hexdigest":
        kind = name.partition("hashlib.")[2].partition("(")[0]
        length = _HEX_LENGTH.get(kind)
        return Text(SAFE, length or 0, length)
    if name in {"datetime.date.today", "datetime.date.today().isoformat"}:
        return Text(SAFE, 10, 10)
    if last == "isoformat" and name.endswith(".date().isoformat"):
        return Text(SAFE, 10, 10)
    if name in _NOW:
        return Text(UNSAFE, 19, None, "the text of a datetime holds '.', and often '+' or ' '")
    if name in {"float", "time.time", "time.monotonic"}:
        return Text(UNSAFE, 1, None, "a float holds '.'")
    return NOTHING_KNOWN


_NOW = frozenset(
    f"datetime.datetime.{made}{shown}"
    for made in ("now", "utcnow")
    for shown in ("", "().isoformat")
)


def spec_text(spec: ast.expr) -> str:
    """Return a literal format; empty if a part of it is computed."""
    parts = spec.values if isinstance(spec, ast.JoinedStr) else [spec]
    texts = [part.value for part in parts if isinstance(part, ast.Constant)]
    return "".join(map(str, texts)) if len(texts) == len(parts) else ""


def of_format(spec: str) -> Text:
    """Describe what a format such as ``:04d`` or ``:%Y-%m`` makes of any value."""
    number = re.fullmatch(r"0?(\d*)[dxXb]", spec)
    if number:
        return Text(SAFE, min(int(number[1] or 1), _WIDEST))
    if re.fullmatch(r"\.[1-9]\d*f", spec):
        return Text(UNSAFE, 3, None, "a float holds '.'")
    return of_time_format(spec) if "%" in spec.rstrip("%") else NOTHING_KNOWN


def of_time_format(spec: str) -> Text:
    """Describe the result of ``strftime``: digits, and the literal text of the format."""
    plain = re.sub(r"%[-#]?[YmdHMSjUWwyGgVuIf]", "", spec)
    rest = literal(re.sub(r"%[-#]?[A-Za-z%]", "", plain))
    if rest.chars == UNSAFE:
        return Text(UNSAFE, rest.shortest, None, rest.why)
    return Text(SAFE if "%" not in plain else UNKNOWN, rest.shortest)


def worst(found: Iterable[Text]) -> Text:
    """Describe alternatives by the worst of them."""
    texts = list(found)
    if not texts:
        return NOTHING_KNOWN
    return texts[0] if len(texts) == 1 else _united(texts)


def _united(texts: list[Text]) -> Text:
    """Join alternatives: unsafe only if each is."""
    chars = {text.chars for text in texts}
    kind = texts[0].chars if len(chars) == 1 else FREE if FREE in chars else UNKNOWN
    longest = [text.longest for text in texts]
    told = next((text for text in texts if text.why and kind in {FREE, UNSAFE}), NOTHING_KNOWN)
    return Text(
        kind,
        min(text.shortest for text in texts),
        None if None in longest else max(length or 0 for length in longest),
        told.why,
        is_possible=told.is_possible,
        left=told.left,
    )


def concatenated(parts: list[Text]) -> Text:
    """Describe a concatenation."""
    chars = max((part.chars for part in parts), key=_ORDER.index, default=SAFE)
    told = next((part for part in parts if part.chars == chars and part.why), NOTHING_KNOWN)
    longest: int | None = 0
    for part in parts:
        longest = None if longest is None or part.longest is None else longest + part.longest
    samples = [part.sample for part in parts]
    known = "".join(sample or "" for sample in samples) if None not in samples else None
    shortest = sum(part.shortest for part in parts)
    return Text(chars, shortest, longest, told.why, known, told.is_possible, told.left)
