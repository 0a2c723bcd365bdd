"""What a cache key may hold, wherever it stands in the key and whoever sets it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..scenarios.cache import safe_key
from ..scenarios.cache_scenes import Stage
from ..scenarios.dimensions import APP, HANDLER
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import KEY_ALPHABET, Parameters

Place = Callable[[str], str]
Keys = Callable[[Place, int], Iterable[str]]
"""From a place and the longest length to keys."""

_ODD_ASCII = " !\"#$%&'()*+,./;<=>?@[\\]^`{|}~"
_WORDS = (
    *("null", "undefined", "true", "NaN", "Infinity", "constructor", "__proto__", "toString"),
    *("0", "007", "1e5", "0x1F", "-1", "--", "::", "user:1:2", "a-b_c:d", "_id"),
)


def _with(characters: Iterable[str]) -> Keys:
    return lambda place, _longest: [place(character) for character in characters]


KEY: Dimension[Keys] = Dimension(
    "key",
    (
        Value("letter", _with("x"), "what tests use"),
        Value("digits", _with("09"), "a key that is a number is an index of an array"),
        Value("capitals", _with("AZ"), "stores that fold case, and [A-z]"),
        Value("punctuation", _with("_-:"), "the colon separates, the hyphen makes a range"),
        Value("line-ends", _with("\n\r\v\f\x1c\x85\u2028\u2029"), "$ matches before a line feed"),
        Value("controls", _with("\0\t\x01\x1b\x7f"), "a NUL ends a text in C"),
        Value("ascii", _with(_ODD_ASCII), "a range that was written carelessly"),
        Value("letters-elsewhere", _with("éßıſ\u212aяΣªñ中ｱА"), "\\w, isalnum, IGNORECASE"),
        Value("digits-elsewhere", _with("٣०²½①𝟙０"), "\\d, isdigit, isnumeric"),
        Value("look-alikes", _with("：‐−＿꞉ー"), "compatibility forms that are normalised"),
        Value("invisible", _with("\u200b\u200d\ufeff\u202e\xad\u2060\u0301\xa0"), "trimming"),
        Value("astral", _with(("😀", "\ud800", "\udfff")), "halves of surrogate pairs"),
        Value("words", lambda _place, _longest: _WORDS, "names that languages and stores know"),
        Value("alphabet", lambda _place, _longest: (KEY_ALPHABET,), "a range that is too narrow"),
        Value("one", lambda _place, _longest: ("k",), "a least length"),
        Value("longest", lambda _place, longest: (safe_key(longest, 5),), "a bound too small"),
        Value("one-over", lambda _place, longest: (safe_key(longest + 1),), "a bound too large"),
        Value(
            "far-over",
            lambda _place, longest: (safe_key(2 * longest), safe_key(longest + 1_000)),
            "a key that is cut or hashed",
        ),
        Value("empty", lambda _place, _longest: ("",), "* instead of +"),
    ),
)

PLACE: Dimension[Place] = Dimension(
    "place",
    (
        Value("middle", lambda found: f"mail{found}box", "only the ends are looked at"),
        Value("start", lambda found: f"{found}mail", "a search, or a match without its beginning"),
        Value("end", lambda found: f"mail{found}", "a match without its end"),
        Value("alone", lambda found: found, "only longer keys are looked at"),
    ),
)

TRIED: Dimension[int] = Dimension(
    "tried",
    (
        Value("once", 1, "what tests do"),
        Value("twice", 2, "a check that only a new key meets"),
    ),
)


def _scene(row: Row, parameters: Parameters) -> Scene:
    stage = Stage(row[HANDLER], parameters, app=row[APP])
    for key in row[KEY](row[PLACE], parameters.key_max_length):
        for _ in range(row[TRIED]):
            stage.set(key, strained=True).get(key)
    return stage.scene()


ASPECT = Aspect(
    name="cache.key",
    title="A key of the cache",
    clauses=(
        "I-CACHE-KEY-SAFETY/unsafe-key-not-stored",
        "I-CACHE-KEY-SAFETY/key-length-capped",
        "I-CACHE-KEY-SAFETY/safe-key-accepted",
    ),
    focus=KEY,
    context=(PLACE, HANDLER, APP, TRIED),
    scene=_scene,
)
