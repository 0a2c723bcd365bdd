"""Values that caches and stores are known to lose or change, in groups: the pool of two aspects."""

from __future__ import annotations

import json

from ..vocabulary.aspect import Dimension, Value
from .templates import TEMPLATES

_DEEP = '{"a":[' * 20 + "null" + "]}" * 20


def _texts(*texts: str) -> tuple[str, ...]:
    return tuple(json.dumps({"text": text}) for text in texts)


VALUE: Dimension[tuple[str, ...]] = Dimension(
    "value",
    (
        Value("plain", ('{"n":36}',), "what tests use"),
        Value(
            "null",
            (
                *("null", '{"a":null}', "[null]"),
                *('{"a":null,"b":1}', '[{"id":1,"next":null}]', '["a",null,"b"]'),
            ),
            "null is taken for a miss, or dropped",
        ),
        Value(
            "false",
            (
                *("false", "true", "0", '""', '{"done":false}', '{"done":true,"open":false}'),
                *("[false,true]", '{"text":"","n":0}', '{"of":{"text":"","n":0}}'),
                *('[{"text":"","done":false}]', '{"n":0}'),
            ),
            "what is false is taken for nothing",
        ),
        Value(
            "empty",
            (
                *("{}", "[]", '{"a":{}}', '{"a":[]}', "[{}]", "[[],{}]"),
                *('{"a":{},"b":[]}', '{"b":[[]],"c":{"d":[],"e":{}}}'),
            ),
            "nothing in it: nothing to keep",
        ),
        Value(
            "scalar",
            ('"text"', "7", "0.5", '"null"', '"7"', '"{}"'),
            "only objects have a column; a text is parsed once more",
        ),
        Value(
            "list",
            (
                *('["a"]', '[{"id":1},{"id":1}]', "[3,1,2]", "[[],[[]]]", '["b","a","b"]'),
                *('{"items":[1,2,1]}', json.dumps([*range(12)]), json.dumps([*range(120)])),
                json.dumps({"rows": [{"id": n} for n in range(15)]}),
            ),
            "only objects have a column; a set has no order and no repetition",
        ),
        Value(
            "integer",
            (
                *('{"n":9007199254740993}', '{"n":-9223372036854775808}'),
                *('{"n":18446744073709551616}', '{"n":-1}', "[-36]"),
            ),
            "more digits than a float, or 64 bits, can hold",
        ),
        Value(
            "fraction",
            (
                *('{"n":0.1}', '{"n":1e-7}', '{"n":1.7976931348623157e308}', '{"n":5e-324}'),
                *('{"n":-123.456}', '{"n":0.005}', "[3e-9,7.125]"),
            ),
            "money types round, decimals are cut, small ones vanish",
        ),
        Value(
            "text",
            _texts("  x  ", "a\nb\r\nc\td", 'a "b" \\ /', "\x00", "a'b;--", "%s {0} ${x}"),
            "trimming, escaping, templates, and where a NUL ends a text",
        ),
        Value(
            "template",
            tuple(json.dumps({"texts": texts}) for texts in TEMPLATES.values()),
            "values are taken for a format or a replacement, or for a part of a query",
        ),
        Value(
            "script",
            _texts("я", "中", "e\u0301", "é", "😀", "\u202eabc", "ﬁ"),
            "code pages, normal forms, three-byte columns",
        ),
        Value(
            "look-alike",
            _texts("null", "true", "007", "1e5", "2026-05-15T17:21:04Z", "NaN", "0x1F", "1.0"),
            "texts that are taken for values, or dates, of their own",
        ),
        Value(
            "name",
            (
                '{"":1}',
                '{"a.b":1}',
                '{"$set":1}',
                '{"__proto__":1}',
                '{"constructor":1}',
                '{"0":1}',
                '{"__proto__":{"a":1},"b":2}',
                '[{"__proto__":1}]',
                '{"":{"":1}}',
                '{"a":{"":2}}',
                '{"_hidden":1}',
                '{"_a":{"_b":2}}',
                '{"id":7}',
            ),
            "names that mean something to a store or a language",
        ),
        Value(
            "case",
            (
                '{"a":1,"A":2}',
                '{"a":1,"a ":2}',
                '{"_id":1,"id":2}',
                '{"ID":7}',
                '{"Name":1}',
                '{"é":1,"e\\u0301":2}',
            ),
            "names that are folded, trimmed or normalised into one",
        ),
        Value(
            "deep",
            (
                *(_DEEP, "[" * 50 + "]" * 50, '{"a":' * 12 + "1" + "}" * 12),
                *("[" * 13 + '"a"' + "]" * 13, '{"a":{"b":{"c":{"d":{"e":{"f":1}}}}}}'),
            ),
            "nesting that is cut off",
        ),
        Value(
            "large",
            (
                json.dumps({"text": "x" * 20_000}),
                json.dumps([*range(2_000)]),
                json.dumps({f"name {n}": n for n in range(25)}),
                json.dumps({f"key {n}": n for n in range(40)}),
                json.dumps("x" * 500),
                json.dumps({f"field {n}": n for n in range(500)}),
            ),
            "columns, lists and rows that are cut",
        ),
    ),
)
"""JSON texts of values, by what is special about them."""
