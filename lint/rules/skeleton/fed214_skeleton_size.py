"""FED214: a section, or a text in one, that is too large."""

from __future__ import annotations

from collections.abc import Iterator

from ...inference.texts.least_lengths import least_json, least_text
from ...rule import Example, Hit, Rule
from ...view import FileView
from .support.skeletons import SECTION_AIM, TEXT_KEPT, TRIGGER, Section, sections


def _check(view: FileView) -> Iterator[Hit]:
    for section in sections(view):
        long = [
            (key, size)
            for key, places in section.holding(view)
            if (size := max((least_text(view.evaluator, place) for place in places), default=0))
            > TEXT_KEPT
        ]
        if long:
            first = long[0][0]
            cut = f'"{first}": {section.variable(first) or "…"}[:200]'
            words = ", ".join(f"{key!r} ({size} characters)" for key, size in long)
            verb = "are" if len(long) > 1 else "is"
            yield Hit(
                node=section.returned,
                message=f"{section.name}: {words} {verb} longer than {TEXT_KEPT} characters\n"
                "Long texts are cut before the classifier sees them. Send the first words, such as "
                f"{cut}; instructions belong in the description of a function.",
            )
        elif _least(view, section) > SECTION_AIM:
            rest = "ctx.cache" if view.surface.client("cache") else "ctx.store"
            yield Hit(
                node=section.returned,
                message=f"{section.name} has at least {_least(view, section)} characters of JSON\n"
                f"About 2 KB is the aim. Send counts and flags, and keep the rest in {rest}.",
            )


def _least(view: FileView, section: Section) -> int:
    fields = section.content.values if section.content else {}
    together = section.content.together if section.content else set[str]()
    return 2 + sum(
        len(key) + 4 + min(least_json(view.evaluator, value) for value in values)
        for key, values in fields.items()
        if key in together
    )


RULE = Rule(
    code="FED214",
    name="skeleton-response-too-large",
    summary="A text or a section is too large for the classifier.",
    severity="warning",
    triggers=(TRIGGER,),
    named_here=True,
    check=_check,
    what="""
Adds up what is certain of the texts in a skeleton section: literals, constants, the fixed parts of
f-strings. Reports a text of more than 500 characters and a section of more than 2,048.
""",
    why="""
Every section of the user stands in the prompt of every turn. Long texts are cut, and a large
section takes the room of others. No number is enforced: the documents aim at about 2 KB a section.
""",
    example='return {"response": {"instruction": "…800 characters…"}}',
    instead='return {"response": {"connected": True}}',
    references=("Skeletons: size and compression",),
    bad=(
        Example(
            '\nTEXT = "x" * 700\n\n\n@ext.skeleton("n")\nasync def n(ctx):\n'
            '    return {"response": {"a": TEXT}}\n'
        ),
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n'
            '    return {"response": {"a": "x" * 450, "b": "x" * 450, '
            '"c": "x" * 450, "d": "x" * 450, "e": f"{ctx.user}" + "x" * 450}}\n',
            holds="keep the rest in ctx.cache.",
        ),
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n'
            '    return {"response": {"a": ["x" * 450, "x" * 450, "x" * 450, "x" * 450, '
            '"x" * 450]}}\n',
            sdk="1.5.27",
            holds="keep the rest in ctx.store.",
        ),
    ),
    good=(
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n    return {"response": {"a": "x" * 400}}\n'
        ),
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n'
            '    return {"response": {"a": ("x" * 700)[:60], '
            '"b": len("x" * 900)}}\n'
        ),
    ),
)
