"""Texts that a careless kernel fills in, resolves or cleans on their way into a prompt or store."""

from __future__ import annotations

TEMPLATES: dict[str, tuple[str, ...]] = {
    "dollars": (
        *("a $$ b", "a $& b", "a $` b", "a $' b", "a $1 b", "a $0 b", "a $<at> b"),
        *("a ${at} b", "a $at b", "a $(at) b", "US$100"),
    ),
    "backslashes": (
        *("a \\1 b", "a \\g<0> b", "a \\\\ b", "C:\\new\\temp", "a \\u0041 b", "a \\x41 b"),
        *("a \\& b", "a \\$ b"),
    ),
    "braces": (
        *("a {} b", "a {0} b", "a {at} b", "a {at!r:>9} b", "a {{ at }} b", "a {{at}} b"),
        *("a {% at %} b", "a {# at #} b", "a #{at} b", "a @{at} b", "a [[at]] b"),
        *("a <%= at %> b", "a <? at ?> b", "a <at> b", "a {message} {history} b"),
    ),
    "percents": (
        *("a %s b", "a %d b", "a %% b", "a %(at)s b", "a %1$s b", "a %AT% b", "a%20b", "a%2Fb"),
        *("100% sure", "a+b"),
    ),
    "entities": (
        *("a &amp; b", "a &lt;b&gt; c", "a &#65; b", "a &copy b", "a & b", "a < b > c"),
        *('it\'s "so"', "<b>a</b>"),
    ),
    "parameters": ("a :at b", "a ? b", "a @at b", "a `at` b", "a ~at~ b", "a |at| b", "a -- b"),
}
"""By kind of template: of regular expressions and scripts, formats, markup, addresses, queries."""

TYPOGRAPHY = (
    *("\u201cso\u201d \u2018it\u2019s\u2019", "1\u20132 \u2014 3", "wait\u2026", "10\u00a0kg"),
    *("\ufb01ne \u2126 \u00b5", "x\u00b2 \u00bd \u2167", "e\u0301 \u00e9", "\uff21\uff11"),
    *("Stra\u00dfe \u0130I\u0131", "Ann McCoy-O'NEIL", "\U0001f600 ok", "\u00e7\u0430"),
)  # fmt: skip
"""Signs and letters that have another form, and capitals."""

BLANKS = ("  two before", "two behind  ", "two  between", "three   and    four")
"""Blanks that mean something, on one line."""
