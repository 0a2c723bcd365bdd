"""FED213: a section with a list that compression cuts."""

from __future__ import annotations

from collections.abc import Iterator

from ...inference.flow.length_tests import UNLIMITED
from ...rule import Example, Hit, Rule
from ...view import FileView
from .support.list_lengths import bound
from .support.skeletons import LIST_KEPT, TRIGGER, Section, alert_advice, sections


def _check(view: FileView) -> Iterator[Hit]:
    for section in sections(view):
        long = list(_long(view, section))
        if long:
            words = ", ".join(f"{key!r} ({_in_words(most)})" for key, most in long)
            others = f" and {len(long) - 1} more" if len(long) > 1 else ""
            keys = f"{long[0][0]!r}{others}"
            more = ", likewise the others" if len(long) > 1 else ""
            yield Hit(
                node=section.returned,
                message=f"{section.name}: {keys} can hold more than {LIST_KEPT} entries\n"
                f"The section sends {words}. Longer "
                "lists collapse to a hint of their shape before the classifier sees them. Send "
                f"{_shortened(section, long[0][0])} and the count{more}."
                f"{alert_advice(view, section, [key for key, _ in long])}",
            )


def _shortened(section: Section, key: str) -> str:
    """Return the advice: ``"sites": rows[:5]`` if the list has a name, else words."""
    name = section.variable(key)
    return f'"{key}": {name}[:{LIST_KEPT}]' if name else f"the first {LIST_KEPT} of {key!r}"


def _long(view: FileView, section: Section) -> Iterator[tuple[str, float]]:
    """Yield the list fields of a section that can be too long, with their bounds."""
    for key, places in section.holding(view):
        most = bound(view.evaluator, places)
        if most is not None and most > LIST_KEPT:
            yield key, most


def _in_words(most: float) -> str:
    return "any number, as far as this code shows" if most == UNLIMITED else f"up to {most:.0f}"


RULE = Rule(
    code="FED213",
    name="skeleton-long-list",
    summary="A list in a skeleton section can have more than five entries.",
    severity="warning",
    triggers=(TRIGGER,),
    named_here=True,
    check=_check,
    what="""
Finds fields of skeleton sections that are lists of more than five entries: written there, grown in
a loop, or made by a comprehension, where neither a slice nor a `limit` of at most five bounds
them. A list whose length the code does not show is not reported.
""",
    why="""
Lists of more than five entries collapse to `list[N]` when the section is compressed: the
classifier then sees no entry at all. The limit is advisory: nothing raises.
""",
    example='return {"response": {"names": [row["name"] for row in rows]}}',
    instead='return {"response": {"total": len(rows), "names": [row["name"] for row in rows[:5]]}}',
    references=("Skeletons: size and compression",),
    bad=(
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n'
            '    return {"response": {"a": [1, 2, 3, 4, 5, 6]}}\n'
        ),
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n'
            '    page = await ctx.store.query("c", limit=20)\n'
            '    out = []\n    for row in page.data[:10]:\n        out.append({"id": row.id})\n'
            '    return {"response": {"rows": out}}\n',
            holds="up to 10",
        ),
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n    page = await ctx.store.query("c")\n'
            '    return {"response": {"rows": [row.id for row in page.data]}}\n',
            holds="any number",
        ),
    ),
    good=(
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n    page = await ctx.store.query("c")\n'
            "    names = sorted({row.id for row in page.data})\n"
            '    return {"response": {"a": names[:5], '
            '"b": [row.id for row in page.data[:5]], "total": len(names)}}\n'
        ),
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n'
            '    page = await ctx.store.query("c", limit=5)\n'
            "    rows = page.data or []\n"
            '    return {"response": {"rows": [row.id for row in rows]}}\n'
        ),
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n    out = []\n'
            '    for row in (await ctx.store.query("c")).data:\n        out.append(row.id)\n'
            "        if len(out) == 5:\n            break\n"
            '    return {"response": {"rows": out, "other": await load(ctx)}}\n'
        ),
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n    names = []\n'
            "    for row in await load(ctx):\n"
            "        names.append(row)\n    names = names[:5]\n"
            '    return {"response": {"names": names}}\n'
        ),
    ),
)
