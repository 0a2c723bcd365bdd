"""FED212: dicts inside a section."""

from __future__ import annotations

from collections.abc import Iterator

from ..model.dict_shapes import fields_of
from ..model.written import Written
from ..queries.skeleton_sections import TRIGGER, alert_advice, sections
from ..rule import Example, Hit, Rule
from ..view import FileView


def _check(view: FileView) -> Iterator[Hit]:
    for section in sections(view):
        nested = {
            key: inner
            for key, places in section.holding(view)
            for inner in [_first_key(view, places)]
            if inner
        }
        if nested:
            key, inner = next(iter(nested.items()))
            verb = "are nested dicts" if len(nested) > 1 else "is a nested dict"
            yield Hit(
                node=section.returned,
                message=f"{section.name}: {', '.join(map(repr, nested))} {verb}; only scalar "
                "fields at the top level are "
                f'shown to the classifier as key=value. Lift what matters: "{key}_{inner}": ….'
                f"{alert_advice(view, section, nested)}",
            )


def _first_key(view: FileView, places: list[Written]) -> str:
    """Return a key of a dict that holds something; empty if there is no such dict."""
    for place in places:
        fields = fields_of(view.evaluator, place)
        if fields is not None and (fields.values or fields.dynamic):
            return next(iter(fields.values), "total")
    return ""


RULE = Rule(
    code="FED212",
    name="skeleton-nested-dict",
    summary="A field of a skeleton section is a dict.",
    severity="warning",
    triggers=(TRIGGER,),
    named_here=True,
    check=_check,
    what="Finds fields of skeleton sections whose value is a dict: written there, built by name, "
    "by a comprehension, or by `model_dump()`. Empty ones are not reported.",
    why="""
The SDK's contract asks for scalar fields at the top level (counts, flags, short texts), because
those are what the classifier reads from the envelope. What lies deeper is compressed away. The
limit is advisory: nothing raises.
""",
    example='return {"response": {"total": 3, "by_status": {"open": 2, "done": 1}}}',
    instead='return {"response": {"total": 3, "open": 2, "done": 1}}',
    references=(
        "Skeletons: size and compression",
        "imperal_sdk.Extension.skeleton: return contract",
    ),
    bad=(
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n'
            '    return {"response": {"by": {"open": 2}}}\n'
        ),
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n    by = {}\n'
            '    for row in await ctx.store.query("c"):\n'
            '        by[row["s"]] = by.get(row["s"], 0) + 1\n    return {"response": {"by": by}}\n'
        ),
    ),
    good=(
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n'
            '    return {"response": {"open": 2, "by": {}}}\n'
        ),
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n    by = {"open": 2}\n'
            '    return {"response": {"open": by["open"], "text": str(by)}}\n'
        ),
    ),
)
