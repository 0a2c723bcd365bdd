"""FED211: a section with more fields than compression keeps."""

from __future__ import annotations

from collections.abc import Iterator

from ...rule import Example, Hit, Rule
from ...view import FileView
from .support.skeletons import FIELDS_KEPT, TRIGGER, alert_advice, sections


def _check(view: FileView) -> Iterator[Hit]:
    for section in sections(view):
        if section.content is None:
            continue
        together = section.content.together
        keys = [key for key, _ in section.holding(view) if key in together]
        if len(keys) > FIELDS_KEPT:
            rest = "ctx.cache" if view.surface.client("cache") else "ctx.store"
            lost = ", ".join(repr(key) for key in keys[FIELDS_KEPT : FIELDS_KEPT + 6])
            yield Hit(
                node=section.returned,
                message=f"{section.name} has {len(keys)} fields: the classifier sees the first "
                f"{FIELDS_KEPT} only\nIt never sees {lost}. Keep {FIELDS_KEPT}, the most telling "
                f"first; put the rest into {rest}."
                f"{alert_advice(view, section, keys[FIELDS_KEPT:])}",
            )


RULE = Rule(
    code="FED211",
    name="skeleton-too-many-fields",
    summary="A skeleton section has more than six fields.",
    severity="warning",
    triggers=(TRIGGER,),
    named_here=True,
    check=_check,
    what="""
Counts the top-level fields of each section that a skeleton handler returns, through names,
helpers, `**`, subscripts and `update`. Of branches the larger one counts; names with a leading
underscore do not.
""",
    why="""
Sections are compressed before the classifier sees them, and only the first six fields survive. The
limit is advisory: nothing raises, the rest is silently missing.
""",
    example='return {"response": {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7}}',
    instead='return {"response": {"total": 7, "critical": 2, "warning": 1}}',
    references=("Skeletons: size and compression",),
    bad=(
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n'
            '    return {"response": {"a": 1, "b": 1, "c": 1, '
            '"d": 1, "e": 1, "f": 1, "g": 1}}\n',
            holds="never sees 'g'",
        ),
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n    return {"response": {"a": 1, "b": 1, '
            '"c": 1, "d": 1, "e": 1, "f": 1, "g": 1}}\n',
            sdk="1.5.27",
            holds="put the rest into ctx.store.",
        ),
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n    return {"response": {"a": 1, "b": 1, '
            '"c": 1, "d": 1, "e": 1, "f": 1, "g": 1}}\n',
            sdk="1.6.0",
            holds="put the rest into ctx.cache.",
        ),
        Example(
            "\nasync def build(ctx):\n    stats: dict = {}\n    stats['a'] = 1\n    try:\n"
            "        stats['b'] = stats['c'] = 2\n        stats.update(d=1, e=2)\n"
            "    except ValueError:\n"
            "        stats['b'] = 0\n    return {**stats, 'f': 1, 'g': 2}\n\n\n"
            '@ext.skeleton("n")\nasync def n(ctx):\n    return {"response": await build(ctx)}\n'
        ),
        Example(
            """
from pydantic import BaseModel


class Counts(BaseModel):
    total: int = 0
    late: int = 0
    today: int = 0


class Own(Counts):
    mine: int = 0
    urgent: int = 0
    shared: int = 0
    archived: int = 0


@ext.skeleton("n")
async def n(ctx):
    return {"response": Own().model_dump()}
""",
            holds="never sees 'archived'",
        ),
        Example(
            """
from imperal_sdk import Extension, sdl

ext = Extension("boards")


class Board(sdl.Entity):
    id: str
    title: str
    open_cards: int = 0


@ext.skeleton("n")
async def n(ctx):
    return {"response": Board(id="b", title="Board").model_dump()}
""",
            holds="has 8 fields:",
        ),
    ),
    good=(
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n'
            '    return {"response": {"a": 1, "b": 1, "c": 1, '
            '"d": 1, "e": 1, "f": 1, "_internal": 1}}\n'
        ),
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n'
            '    d = {"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}\n'
            '    if ctx.user:\n        d["f"] = 1\n    else:\n        d["g"] = 1\n'
            '    return {"response": d}\n'
        ),
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n'
            '    d = {"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "x": 1,'
            ' "y": 2}\n    d = {"a": d["a"]}\n    return {"response": d}\n'
        ),
    ),
)
