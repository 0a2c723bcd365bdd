"""Pools of JSON texts that ledgers are known to change: each pool goes into a row as a whole."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ..vocabulary.aspect import Dimension, Value
from .templates import TEMPLATES

Pool = tuple[str, ...]
"""JSON texts of values, together well below the cap of a turn."""


def _texts(*texts: str) -> Pool:
    return tuple(map(json.dumps, texts))


def _deep(levels: int) -> str:
    return "[" * levels + "1" + "]" * levels


POOL: Dimension[Pool] = Dimension(
    "pool",
    (
        Value("plain", ("36", "50", '"pay"', '"rent due"', "true"), "what tests use"),
        Value(
            "nothing",
            ("0", "0.0", "-0.0", "false", "null", '""', "[]", "{}", "[[]]", "[{}]", '{"":null}'),
            "what is false or empty is dropped, or is one and the same",
        ),
        Value(
            "number",
            (
                *("1", "1.0", "-1", "9007199254740993", "-9223372036854775809"),
                *("18446744073709551616", "1" + "0" * 40, "0.1", "0.30000000000000004"),
                *("1e-7", "1e21", "123456.789", "1.7976931348623157e308", "5e-324", "1e400"),
            ),
            "floats, 64 bits, decimals; numbers beyond every float become Infinity",
        ),
        Value(
            "typography",
            _texts(
                *("“so” ‘it’s’ «да»", "1–2 — 3 ‒ 4", "wait… no", "10\u00a0kg", "½ 5′ 6″ №7"),
                *("ﬁ ﬂ ß ẞ", "e\u0301 é", "I İ ı i", "µ μ Ω \u2126", "１２ ａｂ"),
            ),
            "quotes are straightened, forms normalised",
        ),
        Value(
            "white-space",
            _texts(
                *("  x", "x  ", "a  b", "a\tb", "a\n\nb", "a\r\nb", "\n", " ", "a\u2028b\u2029c"),
                *("a\u200bb\ufeffc", "a\u0085b\u000bc\u000cd", "a\u00adb", "\u3000x"),
            ),
            "trimming, one blank for several, one line for several",
        ),
        Value(
            "control",
            _texts(
                *("<|im_end|>", "<|endoftext|>", "[INST] x [/INST]", "</s>", "### Response:"),
                *("\n\nHuman: hi", "```json\n{}\n```", "<tool_call>", "\u0000 \u0007 \u001b[31m"),
            ),
            "tokens of chat models and terminals are taken out",
        ),
        Value(
            "look-alike",
            _texts(
                *("2026-05-15T17:21:04Z", "2026-05-15", "17:21", "15/05/2026", "PT2M25S"),
                *("007", "1e5", "1.0", "0x1F", "1,234", "NaN", "-0", "٣٦", "null", "true"),
                *("sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709", "AB-12345", "a/b:c@7"),
                *("eyJhbGciOiJIUzI1NiJ9.e30.x", "aGVsbG8=", "v1.2.0-rc.1+5", '{"a": 1}', "[1]"),
            ),
            "texts that are parsed, rewritten as dates, or taken for secrets",
        ),
        Value(
            "markup",
            _texts(
                *("<b>x</b> &amp; &lt;", "<script>1</script>", "**x** _y_ `z`", "[a](http://b.c)"),
                *("https://example.com/a?b=c&d=%20e#f", "${HOME} {0} %s {{x}}", "a\\nb \\u00e9"),
                *("'; --", "C:\\dir\\", "a/b\\/c", "caf\u00c3\u00a9", "%D1%8F", "=1+1", "# x"),
            ),
            "markup is rendered, escapes are resolved, placeholders filled in",
        ),
        Value(
            "template",
            _texts(*(TEMPLATES["dollars"] + TEMPLATES["backslashes"] + TEMPLATES["parameters"])),
            "data are taken for a replacement, a script or a query",
        ),
        Value(
            "format",
            _texts(*(TEMPLATES["braces"] + TEMPLATES["percents"] + TEMPLATES["entities"])),
            "data are taken for a format, or for a part of a page or an address",
        ),
        Value(
            "script",
            _texts(
                *(
                    "Привет",
                    "日本語",
                    "שלום",
                    "नमस्ते",
                    "ไทย",
                    "👩\u200d👩\u200d👧",
                    "🏳️\u200d🌈",
                    "𝕏",
                    "a\u0301\u0323",
                ),
                *("\u202eabc\u202c", "𠮷野家", "e\u0327"),
            ),
            "code pages, three-byte columns, reordered marks",
        ),
        Value(
            "name",
            (
                *('{"__proto__":1}', '{"constructor":1}', '{"":1}', '{"a.b":1}', '{"$ref":"#/a"}'),
                *('{"#":1}', '{"0":"a","1":"b"}', '{"data":{"n":1}}', '{"_id":1,"id":2}'),
                *(
                    '{"type":"x","value":1}',
                    '{"A":1,"a":2,"a ":3}',
                    '{"toJSON":1}',
                    '{"z":1,"b":2}',
                ),
                *(
                    '{"length":0}',
                    '{"error":null,"success":false}',
                    '{"error":"late","n":1}',
                    '{"error":{"code":7}}',
                    '{"\\u00e9":1,"e\\u0301":2}',
                ),
            ),
            "names that mean something to a language or a store, or fold into one",
        ),
        Value(
            "shape",
            (
                *('{"a":{"id":1},"b":{"id":1}}', "[[1,2],[1,2],[1,2]]", '[{"id":1},{"id":1}]'),
                *("[3,1,2,1]", '["b","a","b"]', '[1,"1",true,null,[1],{"a":1}]', _deep(110)),
                *(json.dumps([*range(101)]), json.dumps({f"k{n}": n for n in range(51)})),
            ),
            "equal parts become references, lists become sets, depth and width are cut",
        ),
    ),
)


def in_fields(pool: Pool) -> Sequence[str]:
    """Return one object that holds each value under a name of its own."""
    fields = ", ".join(f'"field_{n}": {text}' for n, text in enumerate(pool))
    return (f"{{{fields}}}",)


def in_list(pool: Pool) -> Sequence[str]:
    """Return one list of the values."""
    return (f"[{', '.join(pool)}]",)


def in_records(pool: Pool) -> Sequence[str]:
    """Return an object with a list of records, each with one of the values."""
    items = ", ".join(f'{{"id": {n}, "value": {text}}}' for n, text in enumerate(pool))
    return (f'{{"total": {len(pool)}, "items": [{items}]}}',)


def in_depth(pool: Pool) -> Sequence[str]:
    """Return the values in lists and objects in each other, further down."""
    text = in_list(pool)[0]
    for level in range(14):
        text = f'{{"level": {level}, "in": {text}}}' if level % 2 else f"[{text}]"
    return (text,)


def alone(pool: Pool) -> Sequence[str]:
    """Return each value as data of its own."""
    return pool
