"""What is left of a section in the prompt: texts shortened, lists collapsed, six fields."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from ..scenarios.dimensions import APP
from ..scenarios.skeleton import LONG, environment, refresh, say, section, word
from ..vocabulary.aspect import Apart, Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import AnyStep

_NAME = word("name of the section")
"""No object has this name: it finds a section in whose value nothing is sure to be shown."""


@dataclass(frozen=True)
class Fields:
    """Content that is a whole object, whose fields are what matters.

    Attributes:
        fields: the fields.
    """

    fields: dict[str, Any]


Content = Callable[[Parameters], Any]


def _text(unit: str) -> Content:
    return lambda _: (unit * (LONG // len(unit) + 1))[: LONG + 100]


def _records(more: int, **fields: Any) -> Content:
    """So many objects more than may be shown inline, each with a word of its own."""
    return lambda parameters: [
        {"id": number, **fields, "item": word("item", number)}
        for number in range(parameters.section_list_items + more)
    ]


def _labelled(parameters: Parameters) -> Any:
    return [
        {"id": number, "title": word("item", number)}
        for number in range(parameters.section_list_items + 1)
    ]


def _nested(parameters: Parameters) -> Any:
    return [
        {"of": {"by": [word("item", number), number]}}
        for number in range(parameters.section_list_items + 1)
    ]


def _uneven(parameters: Parameters) -> Any:
    """Objects that have no field in common."""
    return [
        {f"field_{number}": word("item", number)}
        for number in range(parameters.section_list_items + 1)
    ]


def _words(names: Callable[[int], str], more: int) -> Content:
    """So many fields more than survive, each with a word of its own."""
    return lambda parameters: Fields(
        {names(number): word("field", number) for number in range(parameters.section_fields + more)}
    )


def _then_words(*first: Any) -> Content:
    """First these, in fields of their own, then words in more fields than survive."""
    names = [word("nought", number) for number in range(len(first))]
    return lambda parameters: Fields(
        {
            "mark": word("mark"),
            **dict(zip(names, first, strict=True)),
            **{f"n{number}": word("field", number) for number in range(parameters.section_fields)},
        }
    )


def _fuller_later(parameters: Parameters) -> Any:
    short = {f"n{number}": word("field", number) for number in range(parameters.section_fields)}
    long = {f"m{n}": f"{word('late', n)}{word('later', n)}" for n in range(4)}
    return Fields({**short, **long, "rows": [{"by": word("row", n)} for n in range(3)]})


def _backwards(number: int) -> str:
    return f"{'zyxwvutsrqponmlkjihgfedcba'[number % 26]}{number}"


CONTENT: Dimension[Content] = Dimension(
    "content",
    (
        Value("words", _text("so far so good "), "what tests use"),
        Value("one-word", _text("x"), "texts are cut at a blank"),
        Value("letters", _text("я"), "bytes are counted, or only ASCII is"),
        Value(
            "pictures", _text("😀👩\u200d👧 "), "halves of pairs are counted, or parts of a sign"
        ),
        Value("lines", _text("line\n"), "only the first line counts, or each on its own"),
        Value("escapes", _text('"\\\t'), "what it is written with is counted, or cut in"),
        Value("link", _text("https://example.com/a?b=c&"), "links, and what is no prose, are kept"),
        Value("digits", _text("0123456789"), "numbers are kept"),
        Value("one-more", _records(1), "a bound that is off by one"),
        Value("two-more", _records(2), "the same"),
        Value("many", _records(35, state="open"), "only so many are counted"),
        Value("labelled", _labelled, "a list of names is no list of objects"),
        Value("nested", _nested, "only objects of plain values are objects"),
        Value("uneven", _uneven, "without common fields there is no shape"),
        Value("six-fields", _words(_backwards, 0), "a bound that is off by one, or the alphabet"),
        Value("seven-fields", _words(_backwards, 1), "a bound that is off by one"),
        Value("forty-fields", _words(_backwards, 34), "only small sections are compressed"),
        Value(
            "numbered-fields",
            _words(lambda number: str(90 - number), 4),
            "names that are numbers come first, in their order",
        ),
        Value("fuller-later", _fuller_later, "the fullest fields survive"),
        Value("empty-first", _then_words(None, "", [], {}), "empty fields are not counted"),
        Value("nothing-first", _then_words(0, False, 0), "what is false is left out"),
        Value(
            "lists-first",
            _then_words([{"n": 1}] * 9, [1] * 30, {"a": {"b": 1}}),
            "only plain fields are counted, or shown first",
        ),
    ),
)

_FIELDS = frozenset(CONTENT.values[place].name for place in range(14, len(CONTENT.values)))

PLACE: Dimension[Callable[[Any], Any]] = Dimension(
    "place",
    (
        Value("field", lambda found: {"mark": word("mark"), "n": found}, "what tests use"),
        Value("root", lambda found: found, "only fields are compressed"),
        Value(
            "last-field",
            lambda found: {
                "mark": word("mark"),
                **{f"n{n}": n for n in range(4)},
                "last": found,
            },
            "compressing ends after so many fields",
        ),
        Value(
            "inside",
            lambda found: {"mark": word("mark"), "inner": {"n": 1, "of": found}},
            "only the outer level is compressed",
        ),
        Value(
            "item",
            lambda found: {"mark": word("mark"), "rows": [{"n": 1, "of": found}]},
            "short lists are shown as they are",
        ),
        Value(
            "label",
            lambda found: {"mark": word("mark"), "rows": [{"id": 7, "title": found}]},
            "labels are shown as they are",
        ),
    ),
)


def _more() -> dict[str, Any]:
    return {"more": [{"n": number} for number in range(9)]}


BESIDE: Dimension[Callable[[], dict[str, Any]]] = Dimension(
    "beside",
    (
        Value("nothing", dict, "what tests do"),
        Value("short-text", lambda: {"note": "so far"}, "one limit for all texts of a section"),
        Value("long-text", lambda: {"note": "so good " * 1_000}, "only the first long text is cut"),
        Value("long-list", _more, "only the first is collapsed"),
    ),
)
"""What stands before it in the section."""

WHEN: Dimension[Callable[[str], list[AnyStep]]] = Dimension(
    "when",
    (
        Value("next-turn", lambda _: [], "what tests look at"),
        Value("later", lambda _: [say(), say("and now?")], "compressed once, then shown as kept"),
        Value(
            "again",
            lambda app: [say(), refresh(app, section=_NAME)],
            "compressed at the first refresh alone",
        ),
        Value(
            "for-another",
            lambda app: [refresh(app, user="u2", section=_NAME), say(user="u2")],
            "compressed for the first user alone",
        ),
    ),
)


def _beside(more: dict[str, Any], held: Any) -> Any:
    """Return a section with more fields behind its first one, if it is an object."""
    if not isinstance(held, dict):
        return held
    fields = cast("dict[str, Any]", held)
    return {"mark": fields["mark"], **more, **fields}


def _scene(row: Row, parameters: Parameters) -> Scene:
    app, content = row[APP], row[CONTENT](parameters)
    held: Any
    if isinstance(content, Fields):
        held = content.fields
    else:
        held = _beside(row[BESIDE](), row[PLACE](content))
    steps = [refresh(app, section=_NAME), *row[WHEN](app), say("what is new?")]
    where = environment(**{app: section([held], name=_NAME)})
    return Scene(steps, frozenset({len(steps) - 1}), where)


ASPECT = Aspect(
    name="skeleton.fields",
    title="A compressed section",
    clauses=(
        "C-SKELETON-COMPRESSION/long-strings-cut",
        "C-SKELETON-COMPRESSION/long-lists-collapsed",
        "C-SKELETON-COMPRESSION/shape-hinted",
        "C-SKELETON-COMPRESSION/at-most-six-fields",
        "C-SKELETON-COMPRESSION/first-six-fields-kept",
    ),
    focus=CONTENT,
    context=(PLACE, BESIDE, WHEN, APP),
    scene=_scene,
    apart=(
        Apart(
            ("content", _FIELDS),
            ("place", frozenset(each.name for each in PLACE.values[1:])),
            "the fields are those of the section",
        ),
        Apart(
            ("content", _FIELDS),
            ("beside", frozenset(each.name for each in BESIDE.values[1:])),
            "the fields are counted",
        ),
        Apart(
            ("place", frozenset({"root", "last-field"})),
            ("beside", frozenset(each.name for each in BESIDE.values[1:])),
            "nothing stands beside what is the whole section, and six fields are enough",
        ),
    ),
)
