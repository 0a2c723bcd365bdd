"""FED212: a section with dicts inside dicts."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...inference.containers.dicts import fields_of
from ...inference.values.models import fields
from ...inference.values.origins import Written
from ...inference.values.values import Class, only_value
from ...payloads.dumps import dumps_plainly, is_extended, is_field_replaced
from ...rule import Example, Hit, Rule
from ...view import FileView
from .support.skeletons import TRIGGER, Section, alert_advice, sections

_COMPUTED = "computed keys"
"""Stands for the key of a dict whose keys the code computes."""


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
            yield _hit(
                section,
                f"{', '.join(map(repr, nested))} {verb}",
                f"{_lifted(section, key, inner)}{alert_advice(view, section, nested)}",
            )
            continue
        unnamed = [_first_key(view, places) for places in section.unnamed(view)]
        if unnamed and all(unnamed):
            inner = "total" if unnamed[0] == _COMPUTED else unnamed[0]
            lifted = f'section[f"{{name}}_{inner}"] = …'
            yield _hit(
                section,
                "what stands under computed keys is a nested dict",
                f"Lift what matters: {lifted}.",
            )


def _hit(section: Section, what: str, advice: str) -> Hit:
    return Hit(
        node=section.returned,
        message=f"{section.name}: {what}\nOnly scalar fields at the top level are shown to the "
        f"classifier as key=value. {advice}",
    )


def _lifted(section: Section, key: str, inner: str) -> str:
    """Return the advice: one field of a nested dict lifted, or all if the keys are computed."""
    if inner != _COMPUTED:
        return f'Lift what matters: "{key}_{inner}": ….'
    text = f'", ".join(f"{{k}}: {{v}}" for k, v in {section.variable(key) or "…"}.items())'
    return f'Lift what matters, or write one text: "{key}": {text}.'


def _first_key(view: FileView, places: list[Written]) -> str:
    """Return the first key of a dict that holds something; empty if there is none."""
    for place in places:
        known = fields_of(view.evaluator, place)
        if known is not None and (known.values or known.dynamic):
            return next(iter(known.values), _COMPUTED)
        key = _first_of_model(view, place)
        if key:
            return key
    return ""


def _first_of_model(view: FileView, place: Written) -> str:
    """Return the first field of the model that is the type of a dumped model's field."""
    declared = place.module.parents.get(place.node)
    owner = place.module.parents.get(declared) if declared is not None else None
    if not isinstance(declared, ast.AnnAssign) or declared.annotation is not place.node:
        return ""
    if not isinstance(owner, ast.ClassDef) or _is_left_out(declared.value):
        return ""
    inner = only_value(view.evaluator.values(place.module, place.node))
    outer = Class(place.module, owner)
    if not isinstance(inner, Class) or not dumps_plainly(view.evaluator, inner):
        return ""
    replaced = is_field_replaced(view.evaluator, outer, ast.unparse(declared.target))
    is_plain = dumps_plainly(view.evaluator, outer) and not is_extended(view.evaluator, outer)
    names = (name for name, _ in fields(view.evaluator, inner) if not name.startswith("_"))
    return next(names, "") if is_plain and not replaced else ""


def _is_left_out(value: ast.expr | None) -> bool:
    """Tell whether ``Field(exclude=True)`` keeps a field out of the dump."""
    given = value.keywords if isinstance(value, ast.Call) else []
    return any(item.arg is None or item.arg.startswith("exclude") for item in given)


RULE = Rule(
    code="FED212",
    name="skeleton-nested-dict",
    summary="A field of a skeleton section is a dict.",
    severity="warning",
    triggers=(TRIGGER,),
    named_here=True,
    check=_check,
    what="Finds fields of skeleton sections whose value is a dict: written there, built by name, "
    "by a comprehension, or by `model_dump()`, also the models inside a dumped one, and what "
    "stands under computed keys, if all of it is one. Empty ones are not reported.",
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
            '\n@ext.skeleton("n")\nasync def n(ctx):\n'
            '    return {"response": {"by": {"open": 2}, "of": {"me": 1}}}\n',
            holds="'by', 'of' are nested dicts",
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
